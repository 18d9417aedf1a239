import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "../lab/process.ts";
import { serve } from "../lab/service.ts";
import { inTurn } from "../lab/timing.ts";
import { generate, type Shop } from "../shop/shop.ts";

export interface Tenants {
  readonly others: number;
  /** Milliseconds of the requested organization's uncached cards, and until the service is ready. */
  readonly cards: number;
  readonly ready: number;
}

const idOf = (n: number): string => `be9c0001-0000-4000-8000-${String(n).padStart(12, "0")}`;
const CARDS = "/v1/profitability/cards?startDate=2024-01-01&endDate=2024-12-30";

/**
 * One organization's answers next to more and more others of 10,000 orders. One of these lands through its connectors;
 * the rest are copies of its derived files, under other ids.
 */
export async function measureTenants(
  dataDir: string,
  shop: Shop,
  counts: readonly number[],
  rounds: number,
): Promise<Tenants[]> {
  const first: Shop = { organizationId: idOf(0), orders: 10_000, products: shop.products, seed: shop.seed };
  await generate(dataDir, first);
  await run(dataDir, ["sync", "--organization", first.organizationId]);
  const settings = JSON.parse(
    await readFile(path.join(dataDir, "organizations", `${first.organizationId}.json`), "utf8"),
  );
  const results: Tenants[] = [];
  let made = 1;
  for (const others of counts) {
    for (; made < others; made++) {
      const organizationId = idOf(made);
      await cp(marts(dataDir, first.organizationId), marts(dataDir, organizationId), { recursive: true });
      await writeFile(
        path.join(dataDir, "organizations", `${organizationId}.json`),
        JSON.stringify({ ...settings, organizationId }),
      );
    }
    const began = performance.now();
    const service = await serve(dataDir, shop.organizationId, { LUCRA_CACHE_MB: "0" });
    try {
      const ready = performance.now() - began;
      const [cards] = await inTurn(rounds, [() => service.get(CARDS)]);
      results.push({ others, cards: cards?.median ?? 0, ready });
    } finally {
      await service.stop();
    }
  }
  return results;
}

const marts = (dataDir: string, organization: string): string =>
  path.join(dataDir, "marts", `organization_id=${organization}`);
