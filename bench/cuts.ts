import "../src/features/index.ts";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { foldersOf } from "../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../src/core/marts/generations.ts";
import { run } from "./lab/process.ts";
import { serve } from "./lab/service.ts";
import { accountsOf, FIRST_DAY, generate, generateLastDay, LAST_DAY, type Shop } from "./shop/shop.ts";

/*
 * What filters and breakdowns cost: the bytes of the sums by day, and the processor time of hot answers, whole, filtered by
 * a store, by a channel, by both, and broken down. Processor time is nearly the same next to other work.
 *
 *     node --import ./bin/typescript.mjs bench/cuts.ts [orders] [requests for each question]
 */

const [orders = 20_000, requests = 60] = process.argv.slice(2).map(Number);
const shop: Shop = { organizationId: "be9c0003-0000-4000-8000-000000000000", orders, products: 5000, seed: 7 };
/** By then the tables of the organization are kept. */
const UNCOUNTED = 12;

const before = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
const year = (earlier: number) => ({
  startDate: before("2024-01-01", earlier),
  endDate: before(LAST_DAY, earlier),
});
const history = (earlier: number) => ({ startDate: FIRST_DAY, endDate: before(LAST_DAY, earlier) });

const ANSWERS = {
  "cards, a year": ["profitability/cards", year],
  "series by month, a year": ["profitability/metrics-evolution", year],
  "trend, a year": ["profitability/trend", year],
  "cohort by month, three years": ["profitability/cohort", history],
  "payback curves, three years": ["profitability/payback", history],
  "statement, a year": ["profit/statement", year],
  "acquisition summary, a year": ["acquisition/summary", year],
} as const;
const store = { integrationId: accountsOf(shop)[0]?.id ?? "" };
const channel = { channel: "searchads" };
const FILTERS = [{}, store, channel, { ...store, ...channel }];
const BREAKDOWNS = ["store", "state", "hour", "store,channel", "state,payment_group"];

async function printSizes(dataDir: string): Promise<void> {
  const marts = (await currentGeneration(foldersOf(dataDir, shop.organizationId)))?.folder ?? "";
  let sum = 0;
  for (const name of (await readdir(marts)).filter((one) => one.startsWith("daily_")).sort()) {
    const { size } = await stat(path.join(marts, name));
    sum += size;
    console.log(`${name}  ${size}`);
  }
  console.log(`sums by day of three years  ${sum} bytes`);
}

/** Seconds of the processor that a process has used: fields 14 and 15, in hundredths. */
async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function printTimes(dataDir: string): Promise<void> {
  const service = await serve(dataDir, [shop.organizationId]);
  const milliseconds = async (at: string, query: (earlier: number) => Record<string, string>): Promise<string> => {
    const ask = (earlier: number) => service.computed(`/v1/${at}?${new URLSearchParams(query(earlier))}`);
    for (let no = 0; no < UNCOUNTED; no++) await ask(requests + no);
    const began = await cpuOf(service.pid);
    for (let no = 0; no < requests; no++) await ask(no);
    return ((1000 * ((await cpuOf(service.pid)) - began)) / requests).toFixed(0);
  };
  try {
    for (const [name, [at, days]] of Object.entries(ANSWERS)) {
      const all: string[] = [];
      for (const filter of FILTERS) all.push(await milliseconds(at, (earlier) => ({ ...days(earlier), ...filter })));
      console.log(`| ${[name, ...all].join(" | ")} |`);
    }
    for (const by of BREAKDOWNS) {
      const time = await milliseconds("profitability/breakdown", (earlier) => ({ ...year(earlier), by }));
      console.log(`| breakdown by ${by.replace(",", " and ")}, a year | ${time} |`);
    }
  } finally {
    await service.stop();
  }
}

const dataDir = path.join(tmpdir(), `lucra-cuts-${process.pid}`);
try {
  await generate(dataDir, shop);
  await generateLastDay(dataDir, shop);
  await run(dataDir, ["sync"]);
  await printSizes(dataDir);
  await printTimes(dataDir);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
