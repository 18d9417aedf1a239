import { execFile } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type * as ProcessLab from "./lab/process.ts";
import type * as ServiceLab from "./lab/service.ts";
import { inTurn, type Rounds } from "./lab/timing.ts";
import { addressOf, type OwnQuestion, ownQuestionsOf, questionsOf } from "./questions.ts";
import { generate, generateLastDay, type Shop } from "./shop/shop.ts";

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, "..");
const ROUNDS: Rounds = { uncounted: 5, least: 5, most: 25, seconds: 20 };
/** A ratio that is noted. */
const SLOWER = 1.1;
const NOTHING = 5;

/** What is measured, before and now: CPU seconds of a process, or the median of an answer in milliseconds. */
interface Compared {
  readonly what: string;
  readonly unit: "s CPU" | "ms";
  readonly before: number;
  readonly now: number;
}

/** The code of a folder, with its own way to run it. */
interface Code {
  readonly process: typeof ProcessLab;
  readonly service: typeof ServiceLab;
}

/**
 * Compares this code with that of a commit, in turn on the same machine: processes and answers. Returns a table, and
 * what has become slower by more than a tenth.
 */
export async function compareWith(
  commit: string,
  folder: string,
  sizes: readonly number[],
  log: (line: string) => void,
): Promise<string> {
  const earlier = path.join(folder, "code");
  await run("git", ["clone", "-q", ROOT, earlier]);
  await run("git", ["-C", earlier, "checkout", "-q", commit]);
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: earlier });
  log(`${commit} is installed`);
  const codes: readonly [Code, Code] = [await codeOf(earlier), await codeOf(ROOT)];
  const compared: Compared[] = [await started(codes, folder)];
  for (const orders of sizes) compared.push(...(await measured(codes, orders, folder, log)));
  return tableOf(commit, compared);
}

const codeOf = async (home: string): Promise<Code> => ({
  process: await import(path.join(home, "bench", "lab", "process.ts")),
  service: await import(path.join(home, "bench", "lab", "service.ts")),
});

async function started([before, now]: readonly [Code, Code], folder: string): Promise<Compared> {
  const cpu = async ({ process }: Code): Promise<number> => (await process.run(folder, ["--version"])).cpuSeconds;
  // Compiles what is not compiled yet.
  for (const code of [before, now]) await cpu(code);
  return { what: "`lucra --version`", unit: "s CPU", before: await cpu(before), now: await cpu(now) };
}

async function measured(
  codes: readonly [Code, Code],
  orders: number,
  folder: string,
  log: (line: string) => void,
): Promise<Compared[]> {
  const shop: Shop = { organizationId: "be9c0003-0000-4000-8000-000000000000", orders, products: 5000, seed: 7 };
  const folders = codes.map((_, n) => path.join(folder, `${n}-${orders}`)) as [string, string];
  await generate(folders[0], shop);
  await cp(folders[0], folders[1], { recursive: true, preserveTimestamps: true });
  try {
    const syncs = await measuredSyncs(codes, folders, shop);
    log(`${orders} orders: syncs`);
    return [...syncs, ...(await measuredAnswers(codes, folders, shop, log))];
  } finally {
    for (const one of folders) await rm(one, { recursive: true, force: true });
  }
}

async function measuredSyncs(
  codes: readonly [Code, Code],
  folders: readonly [string, string],
  shop: Shop,
): Promise<Compared[]> {
  const named = (what: string): string => `${what}, ${shop.orders.toLocaleString("en")} orders`;
  const both = async (what: string, prepare: (folder: string) => Promise<unknown>, times = 1): Promise<Compared> => {
    const taken: [number, number] = [0, 0];
    for (const [n, { process }] of codes.entries()) {
      await prepare(folders[n] as string);
      for (let time = 0; time < times; time++) {
        const { cpuSeconds } = await process.run(folders[n] as string, ["sync"]);
        taken[n] = (taken[n] as number) + cpuSeconds / times;
      }
    }
    return { what: named(what), unit: "s CPU", before: taken[0], now: taken[1] };
  };
  return [
    await both("first sync", async () => {}),
    await both("a day's export", (folder) => generateLastDay(folder, shop)),
    await both("a sync that finds nothing", async () => {}, NOTHING),
  ];
}

async function measuredAnswers(
  codes: readonly [Code, Code],
  folders: readonly [string, string],
  shop: Shop,
  log: (line: string) => void,
): Promise<Compared[]> {
  const all: Compared[] = [];
  for (const kind of ["cold", "hot"] as const) {
    const open = ({ service }: Code, n: number) =>
      service.serve(folders[n] as string, [shop.organizationId], kind === "cold" ? service.COLD : {});
    const services = await Promise.all(codes.map(open));
    try {
      for (const [no, { name }] of questionsFor(shop, 0).entries()) {
        const works = services.map(
          (service) => (round: number) => service.computed(addressOf(questionsFor(shop, round + 1)[no] as OwnQuestion)),
        );
        const [before = 0, now = 0] = (await inTurn(ROUNDS, works)).map(({ median }) => median);
        all.push({ what: `${name}, ${shop.orders.toLocaleString("en")} orders, ${kind}`, unit: "ms", before, now });
        log(`${name}, ${kind}: ${before.toFixed(1)} / ${now.toFixed(1)} ms`);
      }
    } finally {
      for (const service of services) await service.stop();
    }
  }
  return all;
}

/** A forecast is computed once per generation, and asked without a period. */
const questionsFor = (shop: Shop, earlier: number): readonly OwnQuestion[] => [
  ...questionsOf(shop, earlier),
  ...ownQuestionsOf(earlier).filter(({ name }) => name !== "forecast" && !name.startsWith("cards")),
];

function tableOf(commit: string, compared: readonly Compared[]): string {
  const shown = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
  const rows = compared.map(
    ({ what, unit, before, now }) =>
      `| ${what} | ${shown(before)} ${unit} | ${shown(now)} ${unit} | ${(now / before).toFixed(2)} |`,
  );
  const slower = compared.filter(({ before, now }) => now / before > SLOWER).map(({ what }) => `- ${what}`);
  return [
    `|  | ${commit} | now | ratio |`,
    "| --- | --: | --: | --: |",
    ...rows,
    "",
    slower.length > 0 ? "Slower by more than a tenth:\n" : "Nothing is slower by more than a tenth.",
    ...slower,
  ].join("\n");
}
