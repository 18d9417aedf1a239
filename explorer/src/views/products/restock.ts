import type { Product } from "../../answers.ts";

/** For how many days an order can last. */
export const COVERS = ["15", "30", "45", "60", "90"] as const;
export const DEFAULT_COVER = "30";

type Stocked = Pick<Product, "availableStock" | "velocity30d" | "daysOfStock">;

/**
 * The units to order so that the stock lasts for some days at the rate of the last 30: what these days sell, less what is in
 * stock. Null where stock or rate is unknown, or the stock has no end; then the days of stock are null too.
 */
export function suggestedOrder({ availableStock, velocity30d, daysOfStock }: Stocked, days: number): number | null {
  if (daysOfStock === null || daysOfStock === undefined) return null;
  if (availableStock === null || availableStock === undefined) return null;
  if (velocity30d === null || velocity30d === undefined) return null;
  // The rate is rounded to 4 decimals, of which a quotient by 30 has more: a thousandth of a unit is none.
  return Math.max(0, Math.ceil(velocity30d * days - availableStock - 0.005));
}
