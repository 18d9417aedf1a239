import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Database, literal } from "../../src/engine/database.ts";
import { AURORA, DataFolder, ended, exportsOf, STOREA, seeded, storeaOrders } from "../../test/support/data.ts";
import { answersOf, openService, type Service } from "../../test/support/service.ts";
import type { Part, Scale } from "../part.ts";
import { oneStore } from "../support/store.ts";

interface Size {
  readonly kills: number;
  /** Each one lands what the one before it left, corrected or added to, as often as it is killed. */
  readonly rounds: number;
  readonly orders: number;
}

const SIZES: Record<Scale, Size> = {
  short: { kills: 4, rounds: 2, orders: 600 },
  long: { kills: 1000, rounds: 50, orders: 1500 },
};

const FILES = 6;
const YEAR = "startDate=2024-01-01&endDate=2024-12-31";
const CARDS = `/v1/profitability/cards?${YEAR}`;
const QUESTIONS = [
  "/v1/profitability/cards",
  CARDS,
  "/v1/profitability/cohort?breakBy=produto",
  `/v1/acquisition/campaigns?${YEAR}`,
  `/v1/acquisition/new-customers?${YEAR}`,
  "/v1/storea/orders?limit=5000&page=1",
  "/v1/storea/orders?limit=5000&page=2",
  "/v1/storea/orders/items?limit=5000&page=1",
];

export const kills: Part = {
  name: "landing under kill -9",
  promise: "A sync that is killed leaves the lake as it was or as it should be; whoever reads meanwhile never notices.",
  method:
    "Two folders get the same exports, round after round: some new, some corrected, some the same under another name. In " +
    "one the sync is killed at random moments, again and again, while a service over it is polled; then it may finish. " +
    "After each kill every landed file is read, after each round all answers are compared with those of the other folder.",
  async run(scale, seed) {
    const size = SIZES[scale];
    const random = seeded(seed);
    const undisturbed = await DataFolder.empty();
    let disturbed: DataFolder | undefined;
    const counts = { kills: 0, cutShort: 0, polls: 0 };
    try {
      await undisturbed.settings(oneStore());
      disturbed = await DataFolder.copyOf(undisturbed);
      const allowed = new Set<string>();
      for (let round = 0; round < size.rounds; round++) {
        const place = `round ${round}, seed ${seed}`;
        for (const folder of [undisturbed, disturbed]) await invent(folder, round, size.orders);
        const took = await finish(undisturbed, place);
        allowed.add(await cardsOf(undisturbed));
        const reader = round === 0 ? undefined : await poll(disturbed, allowed);
        const times = Math.ceil(size.kills / size.rounds);
        for (let n = 0; n < times && counts.kills < size.kills; n++) {
          // From the start of the process on, with one moment in each part of the time a sync takes.
          const wasKilled = await killed(disturbed, ((n + random()) / times) * took);
          counts.kills++;
          counts.cutShort += Number(wasKilled);
          await everyFileReadable(disturbed, place);
        }
        await finish(disturbed, place);
        counts.polls += (await reader?.stop(place)) ?? 0;
        await same(disturbed, undisturbed, place);
      }
    } finally {
      await undisturbed.remove();
      await disturbed?.remove();
    }
    return [
      { what: "kills", value: counts.kills.toLocaleString("en-US") },
      { what: "of these before the sync had ended", value: counts.cutShort.toLocaleString("en-US") },
      { what: "rounds of new, corrected and repeated exports", value: size.rounds.toLocaleString("en-US") },
      { what: "answers polled meanwhile, each of one state", value: counts.polls.toLocaleString("en-US") },
    ];
  },
};

/** The first round lands a year of orders; each one after it corrects two files, adds one, and repeats one. */
async function invent(folder: DataFolder, round: number, orders: number): Promise<void> {
  const home = exportsOf(STOREA, "orders");
  const write = (name: string, seed: number, more: number): Promise<string> =>
    folder.write(
      `${home}/${name}.json`,
      JSON.stringify(storeaOrders(orders, seed).map((order) => ({ ...order, value: Number(order.value) + more }))),
      new Date(Date.UTC(2025, 2, 1, round, seed % 60)),
    );
  if (round === 0) for (let n = 0; n < FILES; n++) await write(`invented-${n}`, n, 0);
  else {
    // Few files in all, so that a round takes as long as the one before.
    await write(`invented-${round % FILES}`, round % FILES, round);
    await write(`invented-${(round + 1) % FILES}`, (round + 1) % FILES, round);
    await write(`another-${round}`, FILES + (round % 3), round);
    await write(`again-${round}`, (round + 2) % FILES, round - 1);
  }
}

/** How long a whole sync takes, in milliseconds. */
async function finish(folder: DataFolder, place: string): Promise<number> {
  const started = performance.now();
  const { status, stderr } = await folder.lucra(["sync"]);
  if (status !== 0) throw new Error(`${place}: a sync that was let alone failed: ${stderr}`);
  return performance.now() - started;
}

/** Whether the sync was still at it. */
async function killed(folder: DataFolder, after: number): Promise<boolean> {
  const child = folder.start(["sync"]);
  const end = ended(child);
  await sleep(after);
  child.kill("SIGKILL");
  return (await end).signal === "SIGKILL";
}

/** Asks over and over: each answer is one that some whole state gives. */
async function poll(
  folder: DataFolder,
  allowed: ReadonlySet<string>,
): Promise<{ stop(place: string): Promise<number> }> {
  const service: Service = await openService(folder.config, AURORA);
  const seen = new Map<string, number>();
  let on = true;
  const polling = (async () => {
    while (on) {
      const { status, text } = await service.get(CARDS);
      const answer = `${status} ${text}`;
      seen.set(answer, (seen.get(answer) ?? 0) + 1);
      await sleep(30);
    }
  })();
  return {
    stop: async (place) => {
      on = false;
      await polling;
      service.close();
      for (const answer of seen.keys()) {
        if (!allowed.has(answer))
          throw new Error(`${place}: answered what no whole state gives: ${answer.slice(0, 300)}`);
      }
      return [...seen.values()].reduce((sum, times) => sum + times, 0);
    },
  };
}

async function cardsOf(folder: DataFolder): Promise<string> {
  const service = await openService(folder.config, AURORA);
  try {
    const { status, text } = await service.get(CARDS);
    return `${status} ${text}`;
  } finally {
    service.close();
  }
}

async function everyFileReadable(folder: DataFolder, place: string): Promise<void> {
  const files = (await folder.files("lake")).filter((file) => file.endsWith(".parquet") && !file.startsWith(".work"));
  const database = await Database.open();
  try {
    await database.use(async (session) => {
      for (const file of files) {
        await session
          .rows(`select bit_xor(hash(t)) from read_parquet(${literal(`${folder.path}/lake/${file}`)}) t`)
          .catch((error) => {
            throw new Error(`${place}: ${file} cannot be read: ${error.message}`);
          });
      }
    });
  } finally {
    database.close();
  }
}

async function same(disturbed: DataFolder, undisturbed: DataFolder, place: string): Promise<void> {
  const unfinished = (await disturbed.files("marts")).filter((file) => /(^|\/)\./.test(file));
  const left = [...(await disturbed.files("lake/.work")), ...unfinished];
  if (left.length > 0) throw new Error(`${place}: left behind: ${left.join(", ")}`);
  const right = await answersOf(undisturbed.config, AURORA, QUESTIONS);
  const answers = await answersOf(disturbed.config, AURORA, QUESTIONS);
  const wrong = QUESTIONS.find((question) => !isDeepStrictEqual(answers[question], right[question]));
  if (wrong) throw new Error(`${place}: ${wrong} answers ${answers[wrong]} instead of ${right[wrong]}`);
}
