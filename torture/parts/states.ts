import { appendFile, copyFile, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { AURORA, type DataFolder, ended, seeded } from "../../test/support/data.ts";
import { askedOf, comparable, type Recorded, recordedHistory, serviceAt } from "../../test/support/histories.ts";
import type { Service } from "../../test/support/service.ts";
import type { Part, Scale } from "../part.ts";
import { type Damage, must, pick, some, spoil } from "../support/damage.ts";

const TRIALS: Record<Scale, number> = { short: 8, long: 80 };
const ROUNDS = 4;
/** The longest time after which a derivation is killed. */
const KILL_MS = 1_500;
const FAULTS = pathToFileURL(path.join(import.meta.dirname, "faults.mjs")).href;
/** Calls of the operating system that succeed before the others fail. */
const MOST_CALLS = 60;

const ADDRESSES = [
  "/v1/profitability/cards",
  "/v1/profitability/orders?counted=any",
  "/v1/profit/statement?granularity=month",
  "/v1/storea/orders?limit=50",
  "/v1/acquisition/summary?startDate=2025-01-01&endDate=2025-03-31",
];

export const states: Part = {
  name: "earlier states",
  promise:
    "An answer with `knownAt` is the one that was given then, or 503: no process that is killed, no full or faulty disk and no damaged " +
    "file makes it another one.",
  method:
    "A random history is recorded with its answers. Then derivations of its states are killed, run on a disk that is full, read-only or does " +
    "not confirm, files of states are damaged, and the history is cut or damaged. After each, answers of that time are asked for again.",
  async run(scale, seed) {
    const random = seeded(seed);
    const history = await recordedHistory(seed, ROUNDS, ADDRESSES);
    const counts = { kills: 0, faults: 0, damages: 0, histories: 0, answers: 0, refused: 0 };
    try {
      for (let trial = 0; trial < TRIALS[scale]; trial++) {
        const kind = trial % 4;
        try {
          const recorded = pick(history.recorded, random);
          const bench = { ...history, recorded, random };
          if (kind === 0) counts.kills += await killed(bench);
          if (kind === 1) counts.faults += await onFaultyDisk(bench);
          if (kind === 2) counts.damages += await damaged(bench);
          if (kind === 3) counts.histories += await historyDamaged(bench);
          const { answers, refused } = await sameAsThen(bench);
          counts.answers += answers;
          counts.refused += refused;
        } catch (error) {
          throw new Error(`trial ${trial}, seed ${seed}: ${(error as Error).message}`, { cause: error });
        }
      }
    } finally {
      await history.data.remove();
    }
    return [
      { what: "derivations killed", value: counts.kills.toLocaleString("en-US") },
      { what: "on a faulty disk", value: counts.faults.toLocaleString("en-US") },
      { what: "files of states damaged", value: counts.damages.toLocaleString("en-US") },
      { what: "histories cut or damaged", value: counts.histories.toLocaleString("en-US") },
      { what: "answers afterwards, each as it was given then", value: counts.answers.toLocaleString("en-US") },
      { what: "refused before", value: counts.refused.toLocaleString("en-US") },
    ];
  },
};

interface Bench {
  readonly data: DataFolder;
  readonly recorded: Recorded;
  readonly end: string;
  readonly random: () => number;
}

/** Asks for every address at one time, until it is answered: a derivation may have to be begun again. */
async function sameAsThen({
  data,
  recorded: { at, address, status, text },
  end,
}: Bench): Promise<{ answers: number; refused: number }> {
  const service = await serviceAt(data, end);
  let refused = 0;
  try {
    for (;;) {
      const then = await askedThen(service, address, at);
      if (then.status === 503) {
        must(refused++ < 20, `${address} at ${at} is not answered: ${service.problems.at(-1)}`);
        await sleep(1_000);
        continue;
      }
      must(then.status === status && comparable(then.text) === comparable(text), `${address} at ${at}: ${then.text}`);
      return { answers: 1, refused };
    }
  } finally {
    await service.close();
  }
}

const askedThen = (service: Service, address: string, at: string): ReturnType<typeof askedOf> =>
  askedOf(service, `${address}${address.includes("?") ? "&" : "?"}knownAt=${at}`);

/** Starts the derivation of a random entry, in a process of its own, without what was derived before. */
async function deriving({ data, random }: Bench, environment: Readonly<Record<string, string>> = {}) {
  await removeStates(data);
  const { length } = (await data.text(path.relative(data.path, foldersOf(data.path, AURORA).history))).split("\n");
  const entry = String(1 + Math.floor(random() * (length - 1)));
  return data.start(["derive-state", "--organization", AURORA, "--landings", entry, "--settings", entry], environment);
}

async function removeStates(data: DataFolder): Promise<void> {
  for (const folder of await statesOf(data)) await rm(folder, { recursive: true });
}

async function statesOf(data: DataFolder): Promise<string[]> {
  const { mart } = foldersOf(data.path, AURORA);
  return (await readdir(mart)).filter((name) => name.startsWith("state=")).map((name) => path.join(mart, name));
}

async function killed(bench: Bench): Promise<number> {
  const child = await deriving(bench);
  const end = ended(child);
  await Promise.race([sleep(bench.random() * KILL_MS), end]);
  child.kill("SIGKILL");
  return (await end).signal === "SIGKILL" ? 1 : 0;
}

async function onFaultyDisk(bench: Bench): Promise<number> {
  const child = await deriving(bench, {
    NODE_OPTIONS: `--import=${FAULTS}`,
    FAULT: pick(["full", "readOnly", "fsync"], bench.random),
    FAULT_AFTER: String(Math.floor(bench.random() * MOST_CALLS)),
  });
  return (await ended(child)).stderr.includes(", struck") ? 1 : 0;
}

/** Files of states that are there: that of the time asked for among them. */
async function damaged(bench: Bench): Promise<number> {
  const { data, random } = bench;
  await sameAsThen(bench);
  const files: string[] = [];
  for (const folder of await statesOf(data)) {
    for (const name of await readdir(folder)) files.push(path.relative(data.path, path.join(folder, name)));
  }
  const damages: Damage[] = [];
  for (const file of some(files, 40, random)) damages.push(await spoil(data, file, random));
  return damages.length;
}

/** Cut within its last line, which is then no entry, or damaged before it, which is refused; afterwards as it was. */
async function historyDamaged(bench: Bench): Promise<number> {
  const { data, recorded, end, random } = bench;
  const { history } = foldersOf(data.path, AURORA);
  const copy = path.join(data.path, "history-copy");
  await copyFile(history, copy);
  if (random() < 0.5) {
    await appendFile(history, '{"at":"2025-04-03T00:00:00.000Z","rem');
    await sameAsThen(bench);
  } else {
    await spoil(data, path.relative(data.path, history), random);
    const service = await serviceAt(data, end);
    const then = await askedThen(service, recorded.address, recorded.at);
    await service.close();
    const isSame = comparable(then.text) === comparable(recorded.text);
    // Cut between two lines it is the history of an earlier time.
    must(then.status === 503 || isSame || (await isShorter(history, copy)), `a damaged history answers ${then.text}`);
  }
  await copyFile(copy, history);
  return 1;
}

async function isShorter(history: string, copy: string): Promise<boolean> {
  return (await stat(history)).size < (await stat(copy)).size;
}
