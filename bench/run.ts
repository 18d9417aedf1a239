import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { currentGeneration } from "../src/marts/generations.ts";
import { serve } from "./lab/service.ts";
import { pageOf } from "./page.ts";
import { measureAnalyses } from "./parts/analyses.ts";
import { measureCached } from "./parts/cached.ts";
import { measureLanding } from "./parts/landing.ts";
import { measureLoad } from "./parts/load.ts";
import { measureRows } from "./parts/rows.ts";
import { measureTenants } from "./parts/tenants.ts";
import { addressOf, questionsOf } from "./questions.ts";
import { ClickHouse } from "./references/clickhouse.ts";
import { openMemory } from "./references/memory.ts";
import { Postgres } from "./references/postgres.ts";
import type { Reference } from "./references/reference.ts";
import type { Results, SizeResults } from "./results.ts";
import { NOW, type Shop } from "./shop/shop.ts";

// Generates shops, lands and serves them, and measures the service next to the alternatives.
//
//     npm run bench -- [--sizes 100000,1000000,5000000] [--compared 1000000] [--tenants 10,100,1000] [--rounds 5]
//                      [--folder <for the data>] [--page docs/benchmarks.md]
//
// The other engines are measured at the sizes of --compared; every other part at every size.

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100000,1000000,5000000" },
    compared: { type: "string", default: "1000000" },
    tenants: { type: "string", default: "10,100,1000" },
    rounds: { type: "string", default: "5" },
    folder: { type: "string", default: path.join(tmpdir(), "lucra-bench") },
    page: { type: "string", default: path.join(import.meta.dirname, "..", "docs", "benchmarks.md") },
  },
});
const numbers = (text: string): number[] => text.split(",").filter(Boolean).map(Number);
const rounds = Number(values.rounds);
const began = performance.now();
const log = (line: string): void =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${line}`);

/** The memory limit of the server at the largest size, so that it spills. */
const TIGHT = "1GB";

const ENGINES: readonly { readonly start: () => Promise<Reference> }[] = [
  { start: () => Postgres.start() },
  { start: () => ClickHouse.start() },
];

async function measureSize(dataDir: string, shop: Shop, isCompared: boolean): Promise<SizeResults> {
  const { organizationId, orders } = shop;
  log(`${orders} orders`);
  const landing = await measureLanding(dataDir, shop);
  log(`landed in ${landing.all.seconds.toFixed(0)} s, the last day in ${landing.day.seconds.toFixed(1)} s`);
  const marts = (await currentGeneration(dataDir, organizationId))?.folder;
  if (!marts) throw new Error("nothing was derived");
  const references: Reference[] = [];
  const versions: Record<string, string> = {};
  const memory = await openMemory(marts, organizationId, 2);
  const service = await serve(dataDir, organizationId, { LUCRA_CACHE_MB: "0" });
  try {
    for (const { start } of isCompared ? ENGINES : []) {
      const reference = await start();
      references.push(reference);
      await reference.load({ folder: marts, today: NOW.slice(0, 10) });
      versions[reference.name] = await reference.version();
      log(`${reference.name} ${versions[reference.name]} is loaded`);
    }
    const questions = questionsOf(shop);
    const analyses = await measureAnalyses(questions, service, memory, references, rounds, log);
    for (const reference of references.splice(0)) await reference.close();
    memory.close();
    const rows = await measureRows(service, marts, dataDir, rounds);
    const heavy = questions.filter(({ name }) => name.includes("by category") || name.includes("products with"));
    const load = await measureLoad(service, (n) => addressOf(heavy[n % heavy.length] as (typeof heavy)[0]));
    const peak = await service.peak();
    log(`rows, load: done; the server held ${peak.toFixed(0)} MiB at most`);
    return { orders, landing, analyses, rows, load, peak, versions };
  } finally {
    await service.stop();
    for (const reference of references) await reference.close();
  }
}

/** All questions at once, by 16 clients, with little memory for the engine. */
async function measureTight(dataDir: string, shop: Shop): Promise<Results["tight"]> {
  const service = await serve(dataDir, shop.organizationId, { LUCRA_CACHE_MB: "0", LUCRA_MEMORY_LIMIT: TIGHT });
  try {
    const questions = questionsOf(shop);
    const counts: Record<string, number> = {};
    let next = 0;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (next < 2 * questions.length) {
          const question = questions[next++ % questions.length];
          const { status } = await service.get(addressOf(question as NonNullable<typeof question>));
          counts[status] = (counts[status] ?? 0) + 1;
        }
      }),
    );
    return { orders: shop.orders, limit: TIGHT, peak: await service.peak(), answers: counts };
  } finally {
    await service.stop();
  }
}

async function measureCache(dataDir: string, shop: Shop): Promise<Results["cached"]> {
  const cards = questionsOf(shop)[0] as ReturnType<typeof questionsOf>[0];
  const service = await serve(dataDir, shop.organizationId);
  try {
    const results = [];
    for (const clients of [1, 16]) results.push(await measureCached(service, cards.name, addressOf(cards), clients));
    return results;
  } finally {
    await service.stop();
  }
}

await rm(values.folder, { recursive: true, force: true });
const sizes: SizeResults[] = [];
let tight: Results["tight"];
let cached: Results["cached"] = [];
let tenants: Results["tenants"] = [];
try {
  for (const [n, orders] of numbers(values.sizes).entries()) {
    const shop = { organizationId: `be9c0000-0000-4000-8000-0000000${n + 1}0000`, orders, products: 5000, seed: 7 };
    const dataDir = path.join(values.folder, String(orders));
    await mkdir(dataDir, { recursive: true });
    sizes.push(await measureSize(dataDir, shop, numbers(values.compared).includes(orders)));
    if (n === numbers(values.sizes).length - 1) tight = await measureTight(dataDir, shop);
    if (numbers(values.compared).includes(orders)) {
      cached = await measureCache(dataDir, shop);
      log("cached answers: done");
      tenants = await measureTenants(dataDir, shop, numbers(values.tenants), rounds);
    }
    await rm(path.join(dataDir, "exports"), { recursive: true, force: true });
    // Written after each size, so that the measurements remain if a larger one fails.
    await writeFile(values.page, pageOf({ sizes, cached, tenants, ...(tight ? { tight } : {}) }, new Date()));
  }
  console.log(await readFile(values.page, "utf8"));
} finally {
  await rm(values.folder, { recursive: true, force: true });
}
