import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import request from "supertest";
import { Credentials } from "../../src/core/access/credentials.ts";
import { AURORA, type DataFolder, exportsOf, STOREA, storeaOrders } from "../../test/support/data.ts";
import { openService, PROBES } from "../../test/support/service.ts";
import { landedFixtures } from "../../test/support/shared.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { quantile } from "../support/measure.ts";
import { minutes } from "../support/minutes.ts";
import { held, type Process, startProcess } from "../support/process.ts";

export const soak: Part = {
  name: "soak",
  promise: "A service that keeps running while data arrives stays stable: memory, open files, and right answers.",
  method:
    "Several clients ask a real service for everything as JSON, and for every table in another format, for half an " +
    "hour (`--minutes`), while another process lands new orders every minute. Every answer must equal, to the byte, " +
    "one of a second data folder into which the same exports are landed separately, before that sync or after it. Its " +
    "cache of answers is small, so that it is full early; its memory and open files are read throughout.",
  run,
};

/** How often data comes, and the duration of the whole run, in milliseconds. */
const EVERY: Record<Scale, number> = { short: 1_000, long: 60_000 };
/** At long the syncs go on until the time is over. */
const SYNCS: Record<Scale, number> = { short: 1, long: Number.POSITIVE_INFINITY };
const CLIENTS: Record<Scale, number> = { short: 2, long: 4 };
/** Between two questions of a client, in milliseconds: a busy service with time left for the syncs. */
const PAUSE: Record<Scale, number> = { short: 0, long: 150 };
const ORDERS = 300;
/** How much the service may grow between the second quarter of the time and the last: continued growth is a leak. */
const MORE_MB = 40;
const MORE_FILES = 12;
/** The cache is full after a few minutes: later growth is not cached answers. */
const CACHE_MB = "16";

const FORMATS = ["csv", "ndjson", "parquet", "arrow", "xlsx"];
const isTable = (probe: string): boolean => probe.includes("limit=");
const addressOf = (probe: string): string => `${probe}${probe.includes("?") ? "&" : "?"}organizationId=${AURORA}`;
/** Everything once, each table in one more format, and the most frequent questions in all formats. */
const ALL = [
  ...PROBES.map(addressOf),
  ...PROBES.filter(isTable).map((probe, n) => `${addressOf(probe)}&format=${FORMATS[n % FORMATS.length]}`),
  ...FORMATS.map((format) => `${addressOf("/v1/profitability/metrics-evolution")}&format=${format}`),
];
const everyOne = (of: number): readonly string[] => ALL.filter((_, n) => n % of === 0);
const QUESTIONS: Record<Scale, readonly string[]> = { short: everyOne(5), long: ALL };

interface Counts {
  asked: number;
  syncs: number;
  /** Questions that were asked at least once. */
  readonly addresses: Set<string>;
}

/** By address, the hash of the answer's bytes. */
type Answers = Readonly<Record<string, string>>;

async function run(scale: Scale): Promise<readonly Figure[]> {
  const served = await landedFixtures();
  const apart = await landedFixtures();
  const until = performance.now() + minutes(30) * 60_000;
  try {
    // The permitted answers now: those before the current sync, and those after it.
    let right: Answers[] = [await expected(apart, scale)];
    const service = await startProcess(served, { LUCRA_CACHE_MB: CACHE_MB });
    const memory: number[] = [];
    const files: number[] = [];
    const counts: Counts = { asked: 0, syncs: 0, addresses: new Set() };
    let over = false;
    const watching = (async () => {
      while (!over) {
        const now = await held(service.child);
        memory.push(now.megabytes);
        files.push(now.files);
        await sleep(EVERY[scale] / 10);
      }
    })();
    const asking = Array.from({ length: CLIENTS[scale] }, (_, no) =>
      ask(
        service,
        served,
        no,
        () => right,
        counts,
        () => over,
        scale,
      ),
    );
    const failing = Promise.all(asking).finally(() => {
      over = true;
    });
    failing.catch(() => {});
    try {
      while (!over && counts.syncs < SYNCS[scale] && performance.now() < until) {
        const began = performance.now();
        await land(served, apart, counts.syncs++, scale, (after) => {
          right = [...right.slice(-1), after];
        });
        await sleep(Math.max(500, EVERY[scale] - (performance.now() - began)));
      }
      over = true;
      await failing;
      await watching;
    } finally {
      over = true;
      await service.stop();
    }
    const errors = errorsIn(service.said());
    if (errors !== "") throw new Error(`errors in the log: ${errors.slice(0, 1000)}`);
    return figuresOf(scale, counts, memory, files);
  } finally {
    await served.remove();
    await apart.remove();
  }
}

/** The lines of a log about errors. */
const errorsIn = (log: string): string =>
  log
    .split("\n")
    .filter((line) => line.includes('"level":50'))
    .join("\n");

const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

async function expected(apart: DataFolder, scale: Scale): Promise<Answers> {
  const service = await openService(apart.config, AURORA);
  const all: Record<string, string> = {};
  try {
    for (const address of QUESTIONS[scale]) {
      const asking = request(service.app).get(address).set({ "x-client-id": "test", "x-client-secret": "x" });
      const { status, body } = await asking.responseType("blob");
      if (status !== 200) throw new Error(`${address}: ${status} ${body}`);
      all[address] = hashOf(body as Buffer);
    }
    return all;
  } finally {
    await service.close();
  }
}

/**
 * Writes the same export into both folders: the second one lands first, so that the permitted answers are known in
 * time.
 */
async function land(
  served: DataFolder,
  apart: DataFolder,
  no: number,
  scale: Scale,
  then: (after: Answers) => void,
): Promise<void> {
  const orders = storeaOrders(ORDERS, 1000 + no);
  for (const folder of [apart, served]) {
    await folder.write(
      `${exportsOf(STOREA, "orders")}/soak-${no}.json`,
      JSON.stringify(orders),
      new Date(folder.config.now()),
    );
    if (folder === apart) {
      await apart.sync();
      then(await expected(apart, scale));
    }
  }
  const { status, stderr } = await served.lucra(["sync"]);
  if (status !== 0) throw new Error(`a sync next to the service ended with ${status}: ${stderr}`);
}

async function ask(
  { port, said }: Process,
  folder: DataFolder,
  no: number,
  right: () => readonly Answers[],
  counts: Counts,
  isOver: () => boolean,
  scale: Scale,
): Promise<void> {
  const clients = new Credentials(folder.path);
  let headers: Record<string, string> = {};
  for (let n = no; !isOver(); n++) {
    if ((n - no) % 95 === 0) {
      const key = await clients.create({ organizations: [AURORA], name: "soak" });
      headers = { "x-client-id": key.client_id, "x-client-secret": key.client_secret };
      await sleep(600);
    }
    await sleep(PAUSE[scale]);
    const questions = QUESTIONS[scale];
    const address = questions[n % questions.length] as string;
    const before = right();
    const response = await fetch(`http://127.0.0.1:${port}${address}`, { headers });
    const body = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) await sleep(300);
    if (response.status !== 200)
      throw new Error(`${address}: ${response.status} ${body.toString().slice(0, 300)} ${errorsIn(said())}`);
    const may = [...before, ...right()].map((answers) => answers[address]);
    if (!may.includes(hashOf(body)))
      throw new Error(`${address} is what no sync ever made: ${body.toString().slice(0, 500)}`);
    counts.asked++;
    counts.addresses.add(address);
  }
}

function figuresOf(scale: Scale, counts: Counts, memory: readonly number[], files: readonly number[]) {
  const quarter = (values: readonly number[], no: number): number =>
    quantile(values.slice(Math.floor((values.length * no) / 4), Math.ceil((values.length * (no + 1)) / 4)), 0.5);
  const [megabytes, later] = [quarter(memory, 1), quarter(memory, 3)];
  const [open, laterOpen] = [quarter(files, 1), quarter(files, 3)];
  if (scale === "long" && later > megabytes + MORE_MB)
    throw new Error(`memory grew from ${Math.round(megabytes)} to ${Math.round(later)} MB`);
  if (counts.addresses.size < QUESTIONS[scale].length)
    throw new Error(`of ${QUESTIONS[scale].length} questions ${counts.addresses.size} were asked`);
  if (laterOpen > open + MORE_FILES) throw new Error(`open files grew from ${open} to ${laterOpen}`);
  return [
    { what: "answers, each right to the byte", value: counts.asked.toLocaleString("en") },
    { what: "different questions", value: String(counts.addresses.size) },
    { what: "syncs meanwhile", value: String(counts.syncs) },
    { what: "memory, second and last quarter", value: `${Math.round(megabytes)} and ${Math.round(later)} MB` },
    { what: "open files", value: `${open} and ${laterOpen}` },
  ];
}
