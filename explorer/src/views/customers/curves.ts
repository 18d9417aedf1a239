import type { PaybackRow } from "../../answers.ts";

/** A point of the pooled curve, as `/v1/profitability/payback` gives it; bounds are known only for all customers. */
export interface Pooled {
  readonly month: number;
  readonly customers: number;
  readonly perCustomer: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

const cents = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + Math.round(value * 100), 0) / 100;

/** The pooled curve of some rows, by the formula of the answer's own average: sums over the rows that completed a month. */
export function pooledOf(rows: readonly PaybackRow[]): Pooled[] {
  const most = Math.max(...rows.map(({ points }) => points.length), 0);
  return Array.from({ length: most }, (_, month) => {
    const complete = rows.flatMap(({ customers, points }) => {
      const point = points[month];
      return point?.complete ? [{ customers, contribution: point.contribution }] : [];
    });
    const customers = complete.reduce((sum, row) => sum + row.customers, 0);
    const contribution = cents(complete.map((row) => row.contribution));
    return { month, customers, perCustomer: contribution / customers, lower: null, upper: null };
  }).filter(({ customers }) => customers > 0);
}

/** The spend per customer of all rows together; null without any. */
export function pooledCac(rows: readonly PaybackRow[]): number | null {
  const investment = cents(rows.map((row) => row.investment));
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
