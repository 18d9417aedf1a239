import type { Break } from "../../answers.ts";
import type { Point } from "../../charts/series.ts";
import { cohort as longName, shortMonth } from "../../format.ts";
import { arg } from "../../route.ts";
import { type Broken, chosenKey, keyOf } from "./breaks.ts";
import type { GroupBy } from "./cohortSteps.ts";

export const MEASURES = ["logo", "revenue", "cumulative"] as const;
export type Measure = (typeof MEASURES)[number];
export const GROUPS = ["month", "quarter", "year"] as const;
export const BREAKS = ["origem", "campanha", "cupom", "produto", "categoria"] as const;
/** The breakdowns that the payback curves have. */
export const PAID: readonly Break[] = ["", "origem", "campanha"];

/** With more lines than these, their names take more room than they are worth: pointing at a line names it. */
export const MANY = 13;

/** A month's short name, which never wraps; the longer one of quarters and years. */
export const nameOf = (cohortMonth: string, groupBy: GroupBy): string =>
  groupBy === "month" ? shortMonth(cohortMonth) : longName(cohortMonth, groupBy);

/** The rows of the chosen breakdown value, or of the largest one without a choice; all without a breakdown. */
export function chosenOf<Row extends Broken>(rows: readonly Row[], breakBy: Break): readonly Row[] {
  if (breakBy === "") return rows;
  const sizes = new Map<string, number>();
  for (const row of rows) {
    const size = (row as { firstPurchaseCustomers?: number; customers?: number }).firstPurchaseCustomers;
    const customers = size ?? (row as { customers?: number }).customers ?? 0;
    sizes.set(keyOf(row), (sizes.get(keyOf(row)) ?? 0) + customers);
  }
  const keys = [...sizes].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([key]) => key);
  const key = chosenKey(keys, arg("value"));
  return rows.filter((row) => keyOf(row) === key);
}

/** From 0 for the oldest of several lines to 1 for the newest. */
export const recency = (n: number, count: number): number => (count < 2 ? 1 : n / (count - 1));

/** The steps on the axis of a chart. */
export const stepPoints = (steps: readonly number[], name: string): Point[] =>
  steps.map((n) => ({ key: String(n), label: String(n), title: `${name} ${n}` }));
