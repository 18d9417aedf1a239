import type { PaybackRow } from "../../answers.ts";

/** A point of the average curve; bounds are known only for all customers. */
export interface Pooled {
  readonly month: number;
  readonly customers: number;
  readonly perCustomer: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** Whether it is known what these customers cost: most breakdowns, and some stores, have no spend that anybody knows. */
export const hasSpend = ({ state }: Pick<PaybackRow, "state">): boolean => state !== null && state !== "no_spend";

const cents = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + Math.round(value * 100), 0) / 100;

/**
 * The average curve of some rows: what each month added per customer, over the rows that completed it, one month after the
 * other. An average of the sums to date, as the answer's own, would fall where the better cohorts have not come so far. The
 * answer's interval is around its average of a month; here it is as wide.
 */
export function averageOf(rows: readonly PaybackRow[], pooled: readonly Pooled[] | null = null): Pooled[] {
  const most = Math.max(...rows.map(({ points }) => points.length), 0);
  const curve: Pooled[] = [];
  for (let month = 0; month < most; month += 1) {
    const complete = rows.filter(({ points }) => points[month]?.complete);
    const customers = complete.reduce((sum, row) => sum + row.customers, 0);
    if (customers === 0) break;
    const sumOf = (at: number): number => cents(complete.map(({ points }) => points[at]?.contribution ?? 0));
    const added = (sumOf(month) - (month > 0 ? sumOf(month - 1) : 0)) / customers;
    const perCustomer = (curve.at(-1)?.perCustomer ?? 0) + added;
    curve.push({
      month,
      customers,
      perCustomer,
      ...around(
        perCustomer,
        pooled?.find((one) => one.month === month),
      ),
    });
  }
  return curve;
}

function around(value: number, pooled: Pooled | undefined): Pick<Pooled, "lower" | "upper"> {
  if (pooled?.lower === null || pooled?.upper === null || pooled === undefined) return { lower: null, upper: null };
  const shift = value - pooled.perCustomer;
  return { lower: pooled.lower + shift, upper: pooled.upper + shift };
}

/** The spend per customer of all rows together; null without any. */
export function pooledCac(rows: readonly PaybackRow[]): number | null {
  const investment = cents(rows.map((row) => row.investment ?? 0));
  const customers = rows.reduce((sum, row) => sum + row.customers, 0);
  return investment > 0 && customers > 0 ? investment / customers : null;
}

/** Where a curve first reaches a cost: in its first point or between two. Undefined if it does not. */
export function crossingOf(values: readonly number[], cost: number): { at: number; month: number } | undefined {
  const month = values.findIndex((value) => value >= cost);
  if (month < 0) return undefined;
  const [before, after] = [values[month - 1], values[month] ?? cost];
  return { month, at: before === undefined ? 0 : month - 1 + (cost - before) / (after - before) };
}
