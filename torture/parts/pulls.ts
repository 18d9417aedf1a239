import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../../src/core/config.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { failed } from "../../src/core/sync/sync.ts";
import { keepSecrets } from "../../src/features/pull/secrets.ts";
import { AURORA, DataFolder, type Ended, ended, freePort, seeded } from "../../test/support/data.ts";
import { openService, type Service } from "../../test/support/service.ts";
import type { Part, Scale } from "../part.ts";
import { compared, landed } from "../support/landed.ts";
import { minutes } from "../support/minutes.ts";
import { startProcess } from "../support/process.ts";
import { Puller } from "../support/puller.ts";
import { Vendors } from "../support/vendors.ts";

interface Size {
  readonly kills: number;
  /** Kills before a pull may finish and everything is compared. */
  readonly mostInRound: number;
}

const SIZES: Record<Scale, Size> = { short: { kills: 6, mostInRound: 6 }, long: { kills: 200, mostInRound: 20 } };

/** The share of requests with a fault, and of those before which an object changes. */
const FAULTS = 0.15;
const DRIFT = 0.1;
/** So many requests may be on their way, for each that is told to wait: a client that does not wait sends many more. */
const UNDER_WAY = 3;
const DAY_MS = 86_400_000;

const questionsOf = (today: string): string[] => [
  `/v1/profitability/cards?startDate=2025-01-01&endDate=${today}`,
  `/v1/acquisition/campaigns?startDate=2025-01-01&endDate=${today}`,
  "/v1/crm/contacts?limit=5000",
  "/v1/socialads/ads/campaigns?limit=5000",
  "/v1/socialads/ads/adset-config?limit=5000",
  "/v1/storea/orders?limit=5000",
  "/v1/storea/orders/items?limit=5000",
  "/v1/storeb/products?limit=5000",
];

export const pulls: Part = {
  name: "pulling under kill -9 and faults",
  promise:
    "A pull that is killed at any moment, of vendors that fail in every way, loses nothing and doubles nothing: what lands is what the " +
    "vendors hold, every object once and at its newest. No secret is in any file, log, message or metric.",
  method:
    "Stand-ins of four vendors (an ad account, a CRM with access tokens that end, two stores) throttle, fail, break off, " +
    "send half a body, half of the JSON or a web page, let tokens expire, and repeat objects; what they refuse repeats the credentials in " +
    "its text. Objects are made and changed while they are listed, so that they move between pages. `lucra pull` is killed at " +
    "random moments, a pull of the next day may finish under the same faults, and everything is landed. " +
    "Each object is compared with the vendors' own, and answers with those of a folder that was pulled without kills and faults. " +
    "The secrets and all issued tokens are looked for in every file, in everything that was printed, and in a service's log and metrics.",
  async run(scale, seed) {
    const [puller, vendors] = [await Puller.make(), await Vendors.start(seed)];
    const [disturbed, undisturbed] = [await DataFolder.empty(), await DataFolder.empty()];
    const bench: Bench = { puller, vendors, disturbed, undisturbed, random: seeded(seed + 1), said: [] };
    try {
      for (const data of [disturbed, undisturbed]) {
        await data.settings(vendors.settings());
        for (const [integration, secrets] of vendors.secretsOf())
          await keepSecrets(foldersOf(data.path, AURORA), integration, secrets);
      }
      const counts = await killing(bench, SIZES[scale], seed);
      const searched = await searchSecrets(bench, seed);
      const shown = (count: number): string => count.toLocaleString("en-US");
      const faults = [...vendors.struck].map(([what, count]) => `${what} ${shown(count)}`).sort();
      return [
        { what: "kills before the pull had ended", value: shown(counts.kills) },
        { what: "pulls that finished, each compared", value: shown(counts.rounds) },
        { what: "requests", value: shown(vendors.requests) },
        { what: "faults", value: faults.join(", ") },
        { what: "objects made or changed meanwhile", value: shown(vendors.accounts.changes) },
        { what: "objects compared, missing or wrong or twice", value: `${shown(counts.objects)}, 0` },
        { what: "requests that were on their way when another was told to wait", value: shown(vendors.early) },
        { what: "secrets and tokens looked for, found", value: `${shown(searched)}, 0` },
      ];
    } finally {
      vendors.stop();
      await puller.remove();
      await disturbed.remove();
      await undisturbed.remove();
    }
  },
};

interface Bench {
  readonly puller: Puller;
  readonly vendors: Vendors;
  readonly disturbed: DataFolder;
  readonly undisturbed: DataFolder;
  readonly random: () => number;
  /** Everything that was printed. */
  readonly said: string[];
}

const nowOf = ({ vendors }: Bench): string => new Date(vendors.accounts.now).toISOString();

async function killing(
  bench: Bench,
  { kills: most, mostInRound }: Size,
  seed: number,
): Promise<{ kills: number; rounds: number; objects: number }> {
  const { vendors, disturbed, undisturbed, random } = bench;
  const until = performance.now() + minutes(600) * 60_000;
  const counts = { kills: 0, rounds: 0, objects: 0 };
  let took = 1_000;
  while (counts.kills < most && performance.now() < until) {
    const place = `round ${counts.rounds}, seed ${seed}`;
    Object.assign(vendors, { faults: FAULTS, drift: DRIFT });
    for (let n = 0, killed = 0; killed < mostInRound && counts.kills < most; n++) {
      const isKilled = await kill(bench, random() * took, n % 10 === 9, place);
      await everyPageWhole(disturbed, place);
      if (isKilled) killed++;
      if (isKilled) counts.kills++;
      // It was faster than the one before.
      else took *= 0.9;
    }
    // Of a day that is not over, a pull that goes on has what it had before.
    vendors.accounts.now += DAY_MS;
    vendors.drift = 0;
    took = await finish(bench, disturbed, place);
    vendors.faults = 0;
    await finish(bench, undisturbed, place);
    const throttles = vendors.struck.get("throttled") ?? 0;
    if (vendors.early > UNDER_WAY * throttles)
      throw new Error(`${place}: ${vendors.early} requests came before ${throttles} named waits were over`);
    await nothingUnfinished(disturbed, place);
    counts.objects += await same(bench, place);
    counts.rounds++;
  }
  return counts;
}

/** Kills a pull so long after its first request, or after its process started. Returns whether it was still running. */
async function kill(bench: Bench, after: number, isStarting: boolean, place: string): Promise<boolean> {
  const { puller, vendors, disturbed, said } = bench;
  vendors.forgetWaits();
  const before = vendors.requests;
  const child = puller.start(disturbed, nowOf(bench));
  const end = ended(child);
  if (!isStarting) await firstRequest(vendors, before, child);
  await Promise.race([sleep(isStarting ? after / 10 : after), once(child, "exit")]);
  child.kill("SIGKILL");
  const { signal, status, stdout, stderr } = await end;
  said.push(stdout, stderr);
  if (signal !== "SIGKILL" && status !== 0)
    throw new Error(`${place}: a pull failed before it could be killed: ${stderr}`);
  return signal === "SIGKILL";
}

/** Lets a pull finish; returns how long it took since its first request, in milliseconds. */
async function finish(bench: Bench, data: DataFolder, place: string): Promise<number> {
  const { puller, vendors, said } = bench;
  vendors.forgetWaits();
  const before = vendors.requests;
  const child = puller.start(data, nowOf(bench));
  const end = ended(child);
  await firstRequest(vendors, before, child);
  const began = performance.now();
  const { status, stdout, stderr } = await end;
  said.push(stdout, stderr);
  if (status !== 0) throw new Error(`${place}: a pull that was not killed is not complete: ${stderr}`);
  return performance.now() - began;
}

/** Resolves when a request has come, or when the process has ended. */
async function firstRequest(vendors: Vendors, before: number, child: ChildProcess): Promise<void> {
  while (vendors.requests === before && child.exitCode === null) await sleep(10);
}

/** A page appears whole: landing may come at any time. */
async function everyPageWhole(data: DataFolder, place: string): Promise<void> {
  for (const name of await data.files("exports")) {
    if (!path.basename(name).startsWith("pull-")) continue;
    const text = await data.text(path.join("exports", name));
    try {
      for (const one of name.endsWith(".jsonl") ? text.trim().split("\n") : [text]) JSON.parse(one);
    } catch {
      throw new Error(`${place}: ${name} is no whole page`);
    }
  }
}

async function nothingUnfinished(data: DataFolder, place: string): Promise<void> {
  const left = (await data.files("exports")).filter((name) => !path.basename(name).startsWith("pull-"));
  if (left.length > 0) throw new Error(`${place}: left behind: ${left.join(", ")}`);
}

/** Lands both folders, and compares their answers and each object; returns how many objects. */
async function same(bench: Bench, place: string): Promise<number> {
  const { vendors, disturbed, undisturbed } = bench;
  const now = nowOf(bench);
  const questions = questionsOf(now.slice(0, 10));
  const answers: string[][] = [];
  let objects = 0;
  for (const data of [disturbed, undisturbed]) {
    const report = await data.syncAt(now);
    if (failed(report)) throw new Error(`${place}: what was pulled does not land: ${JSON.stringify(report)}`);
    const service = await openService(
      readConfig({ LUCRA_NOW: now, LUCRA_THREADS: "1", LUCRA_DATA_DIR: data.path }),
      AURORA,
    );
    try {
      const of: string[] = [];
      for (const question of questions) of.push(await answer(service, question));
      answers.push(of);
      objects = compared(vendors.accounts.truth(), await landed(data, service, now), place);
    } finally {
      await service.close();
    }
  }
  for (const [n, question] of questions.entries()) {
    const [is = "", should = ""] = answers.map((of) => of[n] ?? "");
    if (is !== should)
      throw new Error(`${place}: ${question} answers ${is.slice(0, 1000)} instead of ${should.slice(0, 1000)}`);
  }
  return objects;
}

/** Without the time at which a row was landed. */
async function answer(service: Service, question: string): Promise<string> {
  const { status, text } = await service.get(question);
  if (status !== 200) throw new Error(`${question} answers ${status} ${text.slice(0, 500)}`);
  return text.replaceAll(/"(inserted_at|requestId|generatedAt)":"[^"]*"/g, "");
}

/** Looks for every secret; returns how many. */
async function searchSecrets(bench: Bench, seed: number): Promise<number> {
  const { vendors, disturbed, said } = bench;
  const environment = { LUCRA_NOW: nowOf(bench) };
  const tell = ({ stdout, stderr }: Pick<Ended, "stdout" | "stderr">): void => void said.push(stdout, stderr);
  for (const isRefusing of [false, true]) {
    vendors.isRefusing = isRefusing;
    vendors.forgetWaits();
    for (const args of [["pull", "--check"], ["sync", "--pull", "--json"], ["secrets", "list"], ["doctor"]])
      tell(await disturbed.lucra(args, environment));
  }
  const service = await startProcess(disturbed, { ...environment, LUCRA_LOG_LEVEL: "trace" }, await freePort());
  said.push(await (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text());
  tell(await service.stop());
  const texts = new Map([["what was printed", said.join("\n")]]);
  for (const name of await disturbed.files())
    if (!name.startsWith("secrets/"))
      texts.set(name, (await readFile(path.join(disturbed.path, name))).toString("latin1"));
  const secrets = vendors.secrets;
  for (const [place, text] of texts) {
    const found = secrets.find((secret) => text.includes(secret));
    if (found)
      throw new Error(
        `seed ${seed}: a secret is in ${place}: ${text.slice(Math.max(0, text.indexOf(found) - 200), text.indexOf(found) + 80)}`,
      );
  }
  return secrets.length;
}
