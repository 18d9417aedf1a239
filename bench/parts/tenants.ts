import { link, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration, publishGeneration } from "../../src/core/marts/generations.ts";
import { run } from "../lab/process.ts";
import { type Service, serve } from "../lab/service.ts";
import { type Times, timed, timesOf } from "../lab/timing.ts";
import { addressOf, type Question, questionsOf } from "../questions.ts";
import { generate, type Shop } from "../shop/shop.ts";

export interface Tenants {
  readonly organizations: number;
  readonly orders: number;
  readonly limit: string;
  /** Milliseconds until the server is ready. */
  readonly ready: number;
  /** The memory of the server in MiB, after a number of requests to a number of organizations. */
  readonly memory: readonly { readonly requests: number; readonly seen: number; readonly held: number }[];
  /** The first answer of an organization, and its further ones, each computed. */
  readonly questions: readonly { readonly question: string; readonly first: Times; readonly further: Times }[];
}

const ORDERS = 20_000;
const LIMIT = "1GB";
const ASKED = ["/v1/profitability/cards", "/v1/acquisition/summary", "/v1/profitability/metrics-evolution"];
/** Requests per organization, and how often the memory is read. */
const REQUESTS = 3;
const READINGS = 10;

const idOf = (n: number): string => `be9c0001-0000-4000-8000-${String(n).padStart(12, "0")}`;

/**
 * Many organizations, asked at random. One of them lands through its connectors; the derived files of the others are hard
 * links to its own, under other ids.
 */
export async function measureTenants(
  dataDir: string,
  organizations: number,
  log: (line: string) => void,
): Promise<Tenants> {
  const shop: Shop = { organizationId: idOf(0), orders: ORDERS, products: 5000, seed: 7 };
  await generate(dataDir, shop);
  await run(dataDir, ["sync"]);
  await multiply(dataDir, organizations);
  log(`${organizations} organizations`);
  const ids = Array.from({ length: organizations }, (_, n) => idOf(n)) as [string, ...string[]];
  const began = performance.now();
  const service = await serve(dataDir, ids, { LUCRA_MEMORY_LIMIT: LIMIT });
  try {
    const ready = performance.now() - began;
    return { organizations, orders: ORDERS, limit: LIMIT, ready, ...(await askAtRandom(service, shop, ids)) };
  } finally {
    await service.stop();
  }
}

/** Each copy is a generation of its own organization, made with that one's settings. */
async function multiply(dataDir: string, organizations: number): Promise<void> {
  const landed = await currentGeneration(foldersOf(dataDir, idOf(0)));
  if (!landed) throw new Error("nothing was derived");
  const { state, basis } = landed;
  for (let n = 1; n < organizations; n++) {
    const settings = { ...landed.settings, organizationId: idOf(n) };
    await writeFile(path.join(dataDir, "organizations", `${idOf(n)}.json`), JSON.stringify(settings));
    const folder = path.join(foldersOf(dataDir, idOf(n)).mart, ".unfinished");
    await mkdir(folder, { recursive: true });
    for (const name of Object.keys(landed.checksums)) {
      await link(path.join(landed.folder, name), path.join(folder, name));
    }
    await publishGeneration(foldersOf(dataDir, idOf(n)), folder, { state, settings, basis }, { before: landed });
  }
}

async function askAtRandom(
  service: Service,
  shop: Shop,
  ids: readonly string[],
): Promise<Pick<Tenants, "memory" | "questions">> {
  const random = seeded(7);
  const first = new Map<string, number[]>(ASKED.map((path) => [path, []]));
  const further = new Map<string, number[]>(ASKED.map((path) => [path, []]));
  const asked = new Map<string, number>();
  const memory: Tenants["memory"][number][] = [{ requests: 0, seen: 0, held: await service.memory() }];
  const requests = REQUESTS * ids.length;
  for (let n = 1; n <= requests; n++) {
    const id = ids[Math.floor(random() * ids.length)] as string;
    const times = asked.get(id) ?? 0;
    asked.set(id, times + 1);
    // Each request of an organization is for another period, so that none is answered from the cache.
    const question = questionsOf(shop, times).find(({ path }) => path === ASKED[n % ASKED.length]) as Question;
    const taken = await timed(() => service.computed(addressOf(question), id));
    (times === 0 ? first : further).get(question.path)?.push(taken);
    if (n % Math.ceil(requests / READINGS) === 0 || n === requests) {
      memory.push({ requests: n, seen: asked.size, held: await service.memory() });
    }
  }
  const questions = ASKED.map((path) => ({
    question: questionsOf(shop).find((question) => question.path === path)?.name ?? path,
    first: timesOf(first.get(path) ?? []),
    further: timesOf(further.get(path) ?? []),
  }));
  return { memory, questions };
}

/** Random numbers below 1, the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
