import type { Category } from "../../answers.ts";

/** The figures of categories that add up. */
export const TOTALS = "netSales,grossSales,marginTotal,netUnits,grossUnits,cogs";

/** The change in percent; null where one of both is unknown or nothing to compare with. */
export function changeOf(now: number | null | undefined, before: number | null | undefined): number | null {
  if (now === null || now === undefined || before === null || before === undefined || before <= 0) return null;
  return ((now - before) / before) * 100;
}

export type Totals = Readonly<Record<string, number | null>>;

/** Of all selected products: a department includes everything below it. A sum of which a part is unknown is unknown. */
export function totalOf(categories: readonly Category[]): Totals {
  const departments = categories.filter(({ depth }) => depth === 0);
  const sum = (name: string): number | null => {
    const values = departments.map((one) => (one as unknown as Totals)[name] ?? null);
    // In cents, so that the sum is exact.
    return values.includes(null)
      ? null
      : Math.round(values.reduce<number>((all, it) => all + (it ?? 0) * 100, 0)) / 100;
  };
  const [netSales, marginTotal] = [sum("netSales"), sum("marginTotal")];
  return {
    netSales,
    marginTotal,
    marginAverage: netSales !== null && marginTotal !== null && netSales > 0 ? marginTotal / netSales : null,
    ...Object.fromEntries(["grossSales", "netUnits", "grossUnits", "cogs"].map((name) => [name, sum(name)])),
  };
}
