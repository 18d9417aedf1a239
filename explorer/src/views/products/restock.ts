import type { Product } from "../../answers.ts";

/** For how many days an order can last. */
export const COVERS = ["15", "30", "45", "60", "90"] as const;
export const DEFAULT_COVER = "30";
/** How many days a delivery can take. */
export const LEADS = ["0", "7", "15", "30", "45"] as const;

type Stocked = Pick<Product, "availableStock" | "velocity30d" | "daysOfStock">;
type Sold = Stocked & Pick<Product, "netSales" | "netUnits" | "cogs">;

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

/** What to order of a product, what that costs, and the sales that are lost without it. */
export type Order = Product & {
  readonly suggestedOrder: number | null;
  /** At the cost of the units sold in the period. */
  readonly orderCost: number | null;
  /** What the days sell beyond the stock, at the price of the period. */
  readonly salesAtRisk: number | null;
};

const perUnit = (amount: number | null | undefined, units: number | null | undefined): number | null =>
  amount === null || amount === undefined || !units || units < 0 ? null : amount / units;

const times = (units: number | null, price: number | null): number | null =>
  units === 0 ? 0 : units === null || price === null ? null : Math.round(units * price * 100) / 100;

export function orderOf<Of extends Sold>(product: Of, days: number): Of & Omit<Order, keyof Product> {
  const { availableStock, velocity30d, netSales, netUnits, cogs } = product;
  const units = suggestedOrder(product, days);
  // Units that are owed are sold already.
  const missing = units === null ? null : Math.max(0, (velocity30d ?? 0) * days - Math.max(0, availableStock ?? 0));
  return {
    ...product,
    suggestedOrder: units,
    orderCost: times(units, perUnit(cogs, netUnits)),
    salesAtRisk: times(units === 0 ? 0 : missing, perUnit(netSales, netUnits)),
  };
}

/** The sums over the products to order; those without a cost are counted. */
export function orderTotals(orders: readonly Omit<Order, keyof Product>[]) {
  const wanted = orders.filter(({ suggestedOrder: units }) => (units ?? 0) > 0);
  const sum = (name: "orderCost" | "salesAtRisk"): number =>
    Math.round(wanted.reduce((all, order) => all + (order[name] ?? 0) * 100, 0)) / 100;
  return {
    products: wanted.length,
    cost: sum("orderCost"),
    withoutCost: wanted.filter(({ orderCost }) => orderCost === null).length,
    atRisk: sum("salesAtRisk"),
  };
}
