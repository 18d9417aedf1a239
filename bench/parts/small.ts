import { run } from "../lab/process.ts";
import { generate, generateLastDay, type Shop } from "../shop/shop.ts";

/** Many small organizations in one folder: CPU seconds of the first and of a night's sync, for each of them. */
export interface Small {
  readonly organizations: number;
  readonly orders: number;
  readonly first: number;
  /** With the orders of a day, a few in each. */
  readonly night: number;
}

/** Some three orders a day. */
const ORDERS = 3000;

export async function measureSmall(dataDir: string, organizations: number): Promise<Small> {
  const shops = Array.from({ length: organizations }, (_, no): Shop => {
    const organizationId = `be9c0004-0000-4000-8000-${String(no * 100).padStart(12, "0")}`;
    return { organizationId, orders: ORDERS, products: 50, seed: no };
  });
  for (const shop of shops) await generate(dataDir, shop);
  const first = (await run(dataDir, ["sync"])).cpuSeconds;
  for (const shop of shops) await generateLastDay(dataDir, shop);
  const night = (await run(dataDir, ["sync"])).cpuSeconds;
  return { organizations, orders: ORDERS, first: first / organizations, night: night / organizations };
}
