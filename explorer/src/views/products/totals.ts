import type { Category } from "../../answers.ts";

/** The figures of categories that add up. */
export const TOTALS = "netSales,grossSales,marginTotal,netUnits,grossUnits,cogs";

/** The change in percent; null where one of both is unknown or nothing to compare with. */
export function changeOf(now: number | null | undefined, before: number | null | undefined): number | null {
  if (now === null || now === undefined || before === null || before === undefined || before <= 0) return null;
  return ((now - before) / before) * 100;
}

export type Totals = Readonly<Record<string, number | null>>;

const amountOf = (category: Category, name: string): number | null => (category as unknown as Totals)[name] ?? null;

/** Of all selected products: a department includes everything below it. A sum of which a part is unknown is unknown. */
export function totalOf(categories: readonly Category[]): Totals {
  const departments = categories.filter(({ depth }) => depth === 0);
  const sum = (name: string): number | null => {
    const values = departments.map((one) => amountOf(one, name));
    return values.includes(null) ? null : sumOf(values);
  };
  const [netSales, marginTotal] = [sum("netSales"), sum("marginTotal")];
  return {
    netSales,
    marginTotal,
    marginAverage: netSales !== null && marginTotal !== null && netSales > 0 ? marginTotal / netSales : null,
    ...Object.fromEntries(["grossSales", "netUnits", "grossUnits", "cogs"].map((name) => [name, sum(name)])),
  };
}

/** In cents, so that the sum is exact. */
const sumOf = (values: readonly (number | null)[]): number =>
  Math.round(values.reduce<number>((all, it) => all + (it ?? 0) * 100, 0)) / 100;

/** The margin of what has a cost, and its share of the sales. */
export interface KnownMargin {
  readonly marginTotal: number;
  readonly marginAverage: number;
  readonly share: number;
}

/** The margin of the categories that have one: a category, or within one that has none those below it. */
export function knownMarginOf(categories: readonly Category[]): KnownMargin | undefined {
  const known = (parent: string | null): Category[] =>
    categories
      .filter(({ parentCategoryId }) => parentCategoryId === parent)
      .flatMap((one) => (amountOf(one, "marginTotal") === null ? known(one.categoryId) : [one]));
  const [parts, all] = [known(null), totalOf(categories).netSales];
  const netSales = sumOf(parts.map((one) => amountOf(one, "netSales")));
  if (all === null || all === undefined || netSales <= 0 || all <= 0) return undefined;
  const marginTotal = sumOf(parts.map((one) => amountOf(one, "marginTotal")));
  return { marginTotal, marginAverage: marginTotal / netSales, share: netSales / all };
}
