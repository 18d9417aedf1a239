import type { Break } from "../../answers.ts";
import type { Point, Series } from "../../charts/series.ts";
import { cohort as longName, shortMonth } from "../../format.ts";
import { arg } from "../../route.ts";
import { t } from "../../text.ts";
import { type Broken, chosenKey, keyOf } from "./breaks.ts";
import type { GroupBy } from "./cohortSteps.ts";

export const MEASURES = ["logo", "revenue", "cumulative"] as const;
export type Measure = (typeof MEASURES)[number];
export const GROUPS = ["week", "month", "quarter", "year"] as const;
export const BREAKS = [
  "origem",
  "campanha",
  "loja",
  "cupom",
  "produto",
  "categoria",
  "marca",
  "estado",
  "cidade",
  "pagamento",
] as const;
type Attribute = (typeof BREAKS)[number];

/** Lines of the first purchase, of which payback curves say nothing. */
const OF_LINES: readonly Attribute[] = ["produto", "categoria", "marca"];

/** The attributes that cohorts are broken down by: one, two different ones, or none. */
export function partsOf(breakBy: Break): readonly Attribute[] {
  const parts = breakBy.split(",");
  const known = parts.flatMap((part) => BREAKS.find((name) => name === part) ?? []);
  return known.length === parts.length && known.length <= 2 && new Set(known).size === known.length ? known : [];
}

export const isBreak = (text: string): boolean => partsOf(text).length > 0;

/** Whether the payback curves have the breakdown. */
export const isPaid = (breakBy: Break): boolean => !partsOf(breakBy).some((part) => OF_LINES.includes(part));

/** Whether one customer can be in several rows. */
export const overlaps = (breakBy: Break): boolean => !isPaid(breakBy);

/** What a breakdown is called; of two attributes both. */
export function breakText(breakBy: Break): string {
  const words = t().cohort;
  const [first, second] = partsOf(breakBy).map((part) => words.breaks[part]);
  if (first === undefined) return words.breaks[""];
  return second === undefined ? first : words.crossed(first, second.toLocaleLowerCase());
}

/** So many of the newest cohorts have a color and a name; the others are behind them. */
const NEWEST = 3;
/** With more lines than these behind them there is only an area. */
const MOST_BEHIND = 24;
const COLORS = ["accent", 3, 4] as const;

/** The lines of cohorts, of which the newest stand out: are they better than the others, and than the average? */
export function spotlit(lines: readonly Series[]): Series[] {
  const points = ({ values }: Series): number => values.filter((value) => value !== null).length;
  // A single point is no course.
  const newest = lines.filter((one) => points(one) > 1).slice(-NEWEST);
  const behind = lines.length - newest.length;
  return lines.flatMap((one): Series[] => {
    const at = newest.toReversed().indexOf(one);
    if (at >= 0) return [{ ...one, color: COLORS[at] ?? "accent" }];
    return behind > MOST_BEHIND ? [] : [{ ...one, color: "muted", strength: 0, isBehind: true }];
  });
}

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

/** The steps on the axis of a chart. */
export const stepPoints = (steps: readonly number[], name: string): Point[] =>
  steps.map((n) => ({ key: String(n), label: String(n), title: `${name} ${n}` }));
