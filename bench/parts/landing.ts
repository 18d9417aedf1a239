import { rm } from "node:fs/promises";
import path from "node:path";
import { Database, literal } from "../../src/core/engine/database.ts";
import { type Run, run } from "../lab/process.ts";
import { accountsOf, exportsFolder, generate, generateLastDay, type Shop } from "../shop/shop.ts";

export interface Landing {
  /** The first sync, landing and derivation. */
  readonly all: Pick<Run, "seconds" | "cpuSeconds" | "peak">;
  /** Rows per second of the first store's orders, landed and by the engine's own `copy (from read_json(…)) to` Parquet. */
  readonly landed: number;
  readonly bare: number;
  /** The sync of one day's orders, until they are visible. */
  readonly day: Pick<Run, "seconds" | "cpuSeconds" | "peak">;
  readonly dayOrders: number;
}

interface Report {
  readonly outcomes: readonly { integration: string; record: string; landed: number; seconds: number }[];
}

/** Generates a shop and lands it through the connectors: all days but the last, then the last. */
export async function measureLanding(dataDir: string, shop: Shop): Promise<Landing> {
  await generate(dataDir, shop);
  const store = accountsOf(shop)[0]?.id ?? "";
  const bare = await bareCopy(exportsFolder(dataDir, shop, store, "orders"), path.join(dataDir, "bare.parquet"));
  const all = await run(dataDir, ["sync", "--json"]);
  const orders = (JSON.parse(all.output) as Report).outcomes.find(
    ({ integration, record }) => integration === store && record === "orders",
  );
  if (!orders) throw new Error("the orders did not land");
  const dayOrders = await generateLastDay(dataDir, shop);
  const day = await run(dataDir, ["sync", "--json"]);
  return { all, landed: orders.landed / orders.seconds, bare: orders.landed / bare, day, dayOrders };
}

/** Seconds; the shorter of two copies, the first of which warms the system's cache of the exports. */
async function bareCopy(exports: string, file: string): Promise<number> {
  const database = await Database.open({ threads: 2 });
  try {
    let least = Number.POSITIVE_INFINITY;
    for (let no = 0; no < 2; no++) {
      const began = performance.now();
      await database.use((session) =>
        session.run(
          `copy (from read_json(${literal(`${exports}/*.ndjson`)})) to ${literal(file)} (format parquet, compression zstd)`,
        ),
      );
      least = Math.min(least, (performance.now() - began) / 1000);
    }
    return least;
  } finally {
    database.close();
    await rm(file, { force: true });
  }
}
