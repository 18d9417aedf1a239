import { daysBefore, isDay, lastOfMonth, lengthOf, monthsBefore, today } from "./days.ts";
import { arg, route, type View } from "./route.ts";

export const PRESETS = ["7d", "30d", "90d", "12m", "month", "lastMonth", "all"] as const;
export type Preset = (typeof PRESETS)[number];
export const DEFAULT_PRESET: Preset = "30d";
/** The presets of views for which a month is too short. */
const DEFAULTS: Readonly<Partial<Record<View, Preset>>> = { customers: "12m" };

/** Both days are inclusive; without them the period is the whole history. */
export interface Period {
  readonly from?: string;
  readonly to?: string;
}

/** A period with both days, for endpoints that do not accept the whole history. */
export interface Days {
  readonly from: string;
  readonly to: string;
  /** Whether the chosen period is longer. */
  readonly isCut: boolean;
}

const MAX_DAYS = 365;
const DAYS: Readonly<Partial<Record<Preset, number>>> = { "7d": 7, "30d": 30, "90d": 90, "12m": MAX_DAYS };

/** The preset in the address, or "custom" if the address has two days. */
export function chosen(): Preset | "custom" {
  if (isDay(arg("from")) && isDay(arg("to"))) return "custom";
  return PRESETS.find((preset) => preset === arg("period")) ?? DEFAULTS[route.value.view] ?? DEFAULT_PRESET;
}

/** The chosen period. Presets end on the last day with a sale, so that an inactive store still shows data. */
export function periodUntil(last: string): Period {
  const preset = chosen();
  if (preset === "custom") {
    const [from, to] = [arg("from"), arg("to")].sort();
    return { from: from ?? last, to: to ?? last };
  }
  if (preset === "all") return {};
  if (preset === "month") return { from: monthsBefore(last, 0), to: last };
  if (preset === "lastMonth") return { from: monthsBefore(last, 1), to: daysBefore(monthsBefore(last, 0), 1) };
  return { from: daysBefore(last, (DAYS[preset] ?? MAX_DAYS) - 1), to: last };
}

/** The last days of a period, at most a year. */
export function yearOf({ from, to }: Period, last: string): Days {
  const end = [to ?? last, today()].sort()[0] ?? last;
  const earliest = daysBefore(end, MAX_DAYS - 1);
  const start = from === undefined || from < earliest ? earliest : from;
  return { from: start > end ? end : start, to: end, isCut: from === undefined || from < earliest };
}

export const COMPARISONS = ["weekdays", "previous", "year", "none", "own"] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** The period compared with, and how many of its days the data cover. */
export interface Compared {
  /** `own`: the service has no name for it, and is asked for both periods. */
  readonly kind: Exclude<Comparison, "none">;
  readonly from: string;
  readonly to: string;
  readonly known: number;
  readonly of: number;
  /** Whether the data cover all of its days: otherwise no percentage is shown. */
  readonly isComplete: boolean;
}

/** 29 February becomes 28. */
function yearBefore(day: string): string {
  const before = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  return isDay(before) && daysBefore(before, 0) === before ? before : `${before.slice(0, 8)}28`;
}

/** Whether the days are a whole month of the calendar. */
const isMonth = (from: string, to: string): boolean => from.endsWith("-01") && to === lastOfMonth(from);

/** The same rules as the service's parameter `compare`; but what is before a whole month is the month before. */
function daysOf(kind: Comparison, from: string, to: string): readonly [string, string] | undefined {
  const days = lengthOf(from, to);
  if (kind === "previous")
    return [isMonth(from, to) ? monthsBefore(from, 1) : daysBefore(from, days), daysBefore(from, 1)];
  if (kind === "weekdays") return [daysBefore(from, 364), daysBefore(to, 364)];
  if (kind === "year") return [yearBefore(from), yearBefore(to)];
  if (kind !== "own" || !isDay(arg("compareFrom")) || !isDay(arg("compareTo"))) return undefined;
  const [first = from, last = to] = [arg("compareFrom"), arg("compareTo")].sort();
  return [first, last];
}

/** The chosen comparison. Without a choice it is the same weekdays a year earlier if the data go back that far. */
export function comparison({ from, to }: Period, first: string | null): Comparison {
  const named = COMPARISONS.find((kind) => kind === arg("compare"));
  if (named) return named === "own" && !daysOf("own", from ?? "", to ?? "") ? "previous" : named;
  const [start] = (from && to && daysOf("weekdays", from, to)) || [];
  return start !== undefined && first !== null && start >= first ? "weekdays" : "previous";
}

export function comparedWith(period: Period, first: string | null): Compared | undefined {
  const { from, to } = period;
  const kind = comparison(period, first);
  if (from === undefined || to === undefined || kind === "none") return undefined;
  const days = daysOf(kind, from, to);
  if (!days) return undefined;
  const [start, end] = days;
  const of = lengthOf(start, end);
  // Without a first day there is nothing known about how far the data go back.
  const known = first === null ? of : Math.max(0, Math.min(of, lengthOf(first > start ? first : start, end)));
  const isNamed = kind !== "previous" || of === lengthOf(from, to);
  return { kind: isNamed ? kind : "own", from: start, to: end, known, of, isComplete: known === of };
}

export const GRANULARITIES = ["day", "week", "month"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** The chosen granularity, or the one that gives a chart of the period some 10 to 50 points. */
export function granularityOf({ from, to }: Period, offered: readonly Granularity[] = GRANULARITIES): Granularity {
  const asked = offered.find((name) => name === arg("by"));
  if (asked) return asked;
  const days = from && to ? lengthOf(from, to) : Number.POSITIVE_INFINITY;
  const fitting: Granularity = days <= 45 ? "day" : days <= 190 ? "week" : "month";
  return offered.includes(fitting) ? fitting : (offered.at(-1) ?? "month");
}
