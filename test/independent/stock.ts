import { type Market, type Reading, type Store, skuIdOf } from "../support/market.ts";
import type { Sku } from "./catalog.ts";

/** The known stock of some SKUs [D35]. */
export interface Stock {
  readonly state: InventoryState;
  /** Null unless monitored. */
  readonly available: number | null;
  /** The oldest of the SKUs' latest readings; null: never read. */
  readonly readAt: string | null;
  readonly skus: number;
  readonly skusRead: number;
}
export type InventoryState = "monitored" | "unmonitored" | "unlimited" | "unknown";

/** The SKUs of a product according to the catalog: a stock reading does not name its product. */
export function stockOf({ syncs }: Market, store: Store, skus: readonly Sku[]): Stock {
  const isB = store.account.connector === "storeb";
  // For storeb a cost without any stock location says nothing about the stock.
  const said = store.readings.filter(({ stock, places }) => !isB || stock === "untracked" || places.length > 0);
  const latest = new Map(said.map((reading) => [skuIdOf(reading.product, reading.sku), reading]));
  const readings = skus.map(({ id }) => latest.get(id)).filter((reading) => reading !== undefined);
  const any = (stock: Reading["stock"]): boolean => readings.some((reading) => reading.stock === stock);
  const state = any("unlimited")
    ? "unlimited"
    : any("untracked") || skus.some(({ untracked }) => untracked)
      ? "unmonitored"
      : readings.length > 0
        ? "monitored"
        : "unknown";
  const units = readings
    .flatMap(({ places }) => places)
    .reduce((sum, { total, reserved }) => sum + total - reserved, 0);
  return {
    state,
    available: state === "monitored" ? units : null,
    readAt: oldest(readings.map(({ sync }) => syncs[sync] as string)),
    skus: skus.length,
    skusRead: readings.length,
  };
}

const oldest = (times: readonly string[]): string | null => times.toSorted()[0] ?? null;

/** Of several products: monitored as soon as one is, and the sum over those. */
export function together(stocks: readonly Stock[]): Stock {
  const has = (state: InventoryState): boolean => stocks.some((stock) => stock.state === state);
  const states: readonly InventoryState[] = ["monitored", "unlimited", "unmonitored"];
  const state = states.find(has) ?? "unknown";
  const sum = (of: (stock: Stock) => number): number => stocks.reduce((total, stock) => total + of(stock), 0);
  return {
    state,
    available: state === "monitored" ? sum(({ available }) => available ?? 0) : null,
    readAt: oldest(stocks.map(({ readAt }) => readAt).filter((time) => time !== null)),
    skus: sum(({ skus }) => skus),
    skusRead: sum(({ skusRead }) => skusRead),
  };
}
