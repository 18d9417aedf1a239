import "../src/features/index.ts";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { foldersOf } from "../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../src/core/marts/generations.ts";
import { compareWith } from "./against.ts";
import { COLD, type Service, serve, WITHOUT_CACHE } from "./lab/service.ts";
import { pageOf } from "./page.ts";
import { measureAnalyses } from "./parts/analyses.ts";
import { type Cached, measureCached } from "./parts/cached.ts";
import { measureLanding } from "./parts/landing.ts";
import { type Load, measureLoad } from "./parts/load.ts";
import { measureOwn, type Own } from "./parts/own.ts";
import { measureRows } from "./parts/rows.ts";
import { measureSmall } from "./parts/small.ts";
import { measureTenants } from "./parts/tenants.ts";
import { measureTiny } from "./parts/tiny.ts";
import { addressOf, type OwnQuestion, ownQuestionsOf, type Question, questionsOf } from "./questions.ts";
import { ClickHouse } from "./references/clickhouse.ts";
import { Postgres } from "./references/postgres.ts";
import type { Reference } from "./references/reference.ts";
import type { Results, SizeResults, Tight } from "./results.ts";
import { NOW, type Shop } from "./shop/shop.ts";

// Generates shops, lands and serves them, and measures the service beside PostgreSQL and ClickHouse.
//
//     npm run bench -- [--sizes 20000,200000,1000000] [--small 1000] [--tenants 1000] [--folder <for the data>] [--page docs/benchmarks.md]
//
//     npm run bench -- --against <commit> [--sizes 20000]
//
// `--against` compares processes and answers with those of another commit, and names what is slower.
// `--sizes 20000,200000,1000000,5000000` adds five million orders; `--small`: how many small organizations
// sync in a night; `--tenants` adds as many organizations of 20,000.

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "20000,200000,1000000" },
    against: { type: "string" },
    small: { type: "string", default: "20" },
    tenants: { type: "string", default: "0" },
    folder: { type: "string", default: path.join(tmpdir(), "lucra-bench") },
    page: { type: "string", default: path.join(import.meta.dirname, "..", "docs", "benchmarks.md") },
  },
});
const began = performance.now();
const seconds = (): number => (performance.now() - began) / 1000;
const log = (line: string): void => console.log(`${seconds().toFixed(0).padStart(5)} s  ${line}`);

/** The memory limit of the server at the largest size, so that it spills. */
const TIGHT = "1GB";

const ENGINES: readonly { readonly start: () => Promise<Reference> }[] = [
  { start: () => Postgres.start() },
  { start: () => ClickHouse.start() },
];

async function measureSize(dataDir: string, shop: Shop): Promise<SizeResults> {
  const { organizationId, orders } = shop;
  log(`${orders} orders`);
  const landing = await measureLanding(dataDir, shop);
  log(`landed in ${landing.all.seconds.toFixed(0)} s, the last day in ${landing.day.seconds.toFixed(1)} s`);
  const marts = (await currentGeneration(foldersOf(dataDir, organizationId)))?.folder;
  if (!marts) throw new Error("nothing was derived");
  const references: Reference[] = [];
  const cold = await serve(dataDir, [organizationId], COLD);
  const hot = await serve(dataDir, [organizationId]);
  try {
    const versions: Record<string, string> = {};
    for (const { start } of ENGINES) {
      const reference = await start();
      references.push(reference);
      await reference.load({ folder: marts, now: NOW });
      versions[reference.name] = await reference.version();
      log(`${reference.name} ${versions[reference.name]} is loaded`);
    }
    const analyses = await measureAnalyses(shop, { cold, hot }, references, log);
    for (const reference of references.splice(0)) await reference.close();
    const peaks = { cold: await cold.peak(), hot: await hot.peak() };
    const rows = await measureRows(cold, marts, dataDir);
    const uncached = await measureUncached(dataDir, shop, cold);
    log("rows, load: done");
    return { orders, landing, analyses, rows, ...uncached, peaks, versions };
  } finally {
    await cold.stop();
    await hot.stop();
    for (const reference of references) await reference.close();
  }
}

/** The service with its default settings, except that nothing comes from the cache of answers. */
async function measureUncached(dataDir: string, shop: Shop, cold: Service): Promise<{ own: Own[]; load: Load }> {
  const hot = await serve(dataDir, [shop.organizationId], WITHOUT_CACHE);
  try {
    const own = await measureOwn({ cold, hot }, log);
    return { own, load: await measureLoad(hot, shop) };
  } finally {
    await hot.stop();
  }
}

/** All questions at once, by 16 clients, with little memory for the engine. */
async function measureTight(dataDir: string, shop: Shop): Promise<Tight> {
  const service = await serve(dataDir, [shop.organizationId], { ...WITHOUT_CACHE, LUCRA_MEMORY_LIMIT: TIGHT });
  try {
    const questions: readonly OwnQuestion[] = [...questionsOf(shop), ...ownQuestionsOf()];
    const counts: Record<string, number> = {};
    let next = 0;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (next < 2 * questions.length) {
          const { status } = await service.get(addressOf(questions[next++ % questions.length] as OwnQuestion));
          counts[status] = (counts[status] ?? 0) + 1;
        }
      }),
    );
    return { orders: shop.orders, limit: TIGHT, peak: await service.peak(), answers: counts };
  } finally {
    await service.stop();
  }
}

async function measureCache(dataDir: string, shop: Shop): Promise<Cached[]> {
  const service = await serve(dataDir, [shop.organizationId]);
  try {
    const cards = addressOf(questionsOf(shop)[0] as Question);
    const results = [];
    for (const clients of [1, 16]) results.push(await measureCached(service, cards, clients));
    return results;
  } finally {
    await service.stop();
  }
}

async function inFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = path.join(values.folder, name);
  await mkdir(folder, { recursive: true });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Written after each part, so that the measurements remain if a later one fails. */
let results: Results = { sizes: [], cached: [], minutes: 0 };
async function add(found: Partial<Results>): Promise<void> {
  results = { ...results, ...found, minutes: seconds() / 60 };
  await writeFile(values.page, pageOf(results, new Date()));
}

const sizes = values.sizes.split(",").filter(Boolean).map(Number);
await rm(values.folder, { recursive: true, force: true });
if (values.against !== undefined) {
  console.log(await inFolder("against", (folder) => compareWith(values.against as string, folder, sizes, log)));
  process.exit();
}
Postgres.check();
try {
  await add({ tiny: await inFolder("tiny", measureTiny) });
  log("one order: done");
  const small = Number(values.small);
  if (small > 0) await add({ small: await inFolder("small", (folder) => measureSmall(folder, small)) });
  log(`${small} small organizations: done`);
  for (const [n, orders] of sizes.entries()) {
    await inFolder(String(orders), async (dataDir) => {
      const shop = { organizationId: `be9c0000-0000-4000-8000-0000000${n + 1}0000`, orders, products: 5000, seed: 7 };
      await add({ sizes: [...results.sizes, await measureSize(dataDir, shop)] });
      if (n < sizes.length - 1) return;
      await add({ cached: await measureCache(dataDir, shop) });
      log("cached answers: done");
      await add({ tight: await measureTight(dataDir, shop) });
      log("little memory: done");
    });
  }
  const organizations = Number(values.tenants);
  if (organizations > 0) {
    await add({ tenants: await inFolder("tenants", (folder) => measureTenants(folder, organizations, log)) });
  }
  console.log(await readFile(values.page, "utf8"));
} finally {
  await rm(values.folder, { recursive: true, force: true });
}
