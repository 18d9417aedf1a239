import { daysBefore, earlier, isDay, lastOfMonth, lengthOf, monthsBefore, today } from "./days.ts";
import { arg, route, type View } from "./route.ts";

export const PRESETS = [
  "today",
  "yesterday",
  "week",
  "lastWeek",
  "month",
  "lastMonth",
  "quarter",
  "lastQuarter",
  "year",
  "7d",
  "30d",
  "90d",
  "12m",
  "all",
] as const;
export type Preset = (typeof PRESETS)[number];
export const DEFAULT_PRESET: Preset = "30d";
/** The presets of views for which a month is too short. */
const DEFAULTS: Readonly<Partial<Record<View, Preset>>> = { customers: "12m", report: "lastMonth" };

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

/** Whether presets of days begin on the first of a month here: cohorts are of months, and half a one has half its customers. */
export const hasWholeMonths = (): boolean => route.value.view === "customers" && DAYS[chosen() as Preset] !== undefined;

/** The months of the calendar that a preset is one unit of, or a part of one. */
const MONTHS: Readonly<Partial<Record<Preset, number>>> = {
  month: 1,
  lastMonth: 1,
  quarter: 3,
  lastQuarter: 3,
  year: 12,
};

const monthsOf = (preset: Preset | "custom"): number | undefined => MONTHS[preset as Preset];
const isWeek = (preset: Preset | "custom"): boolean => preset === "week" || preset === "lastWeek";

/** Weeks begin on Monday. */
export const mondayOf = (day: string): string => daysBefore(day, (new Date(day).getUTCDay() + 6) % 7);

/** The first day of the unit of so many months that a day is in. */
const unitOf = (day: string, months: number): string => monthsBefore(day, (Number(day.slice(5, 7)) - 1) % months);

/**
 * The chosen period. Presets of days end on the last full day with data, so that an inactive store still shows data; days by
 * name, weeks, months, quarters and years are those of the calendar, whether the data cover them or not.
 */
export function periodUntil(last: string, now: string = today()): Period {
  const preset = chosen();
  if (preset === "custom") {
    const [from, to] = [arg("from"), arg("to")].sort();
    return { from: from ?? last, to: to ?? last };
  }
  if (preset === "all") return {};
  if (preset === "today") return { from: now, to: now };
  if (preset === "yesterday") return { from: daysBefore(now, 1), to: daysBefore(now, 1) };
  const months = monthsOf(preset);
  if (months !== undefined || isWeek(preset)) {
    const first = months === undefined ? mondayOf(now) : unitOf(now, months);
    const isBefore = preset.startsWith("last");
    if (isBefore)
      return {
        from: months === undefined ? daysBefore(first, 7) : monthsBefore(first, months),
        to: daysBefore(first, 1),
      };
    // Without a full day in the current unit it has its first day, which is empty.
    return { from: first, to: last < first ? first : last };
  }
  const from = daysBefore(last, (DAYS[preset] ?? MAX_DAYS) - 1);
  return { from: hasWholeMonths() ? monthsBefore(from, 0) : from, to: last };
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

/** The number of months of the calendar that the days are exactly; 0 if they begin or end within one. */
function monthsIn(from: string, to: string): number {
  if (!from.endsWith("-01") || to !== lastOfMonth(to)) return 0;
  const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return monthOf(to) - monthOf(from) + 1;
}

/** Whether a unit of the calendar is chosen, which the data may cover only up to a day. */
const isUnitChosen = (): boolean => monthsOf(chosen()) !== undefined || isWeek(chosen());

/** The day so many months earlier. The last day of a month stays one, and one that the month lacks becomes it. */
function sameDayBefore(day: string, months: number): string {
  const last = lastOfMonth(day, -months);
  return day === lastOfMonth(day) ? last : earlier(`${last.slice(0, 8)}${day.slice(8)}`, last);
}

/** What is before: the same days of the unit before a part of one, months before whole months, else as many days. */
function daysUntil(from: string, to: string): readonly [string, string] {
  const unit = monthsOf(chosen());
  const months = monthsIn(from, to);
  if (isWeek(chosen())) return [daysBefore(from, 7), daysBefore(to, 7)];
  if (unit !== undefined) return [monthsBefore(from, unit), sameDayBefore(to, unit)];
  if (months > 0) return [monthsBefore(from, months), daysBefore(from, 1)];
  return [daysBefore(from, lengthOf(from, to)), daysBefore(from, 1)];
}

/** The rules of the service's parameter `compare`. */
function namedDays(kind: Comparison, from: string, to: string): readonly [string, string] | undefined {
  if (kind === "previous") return [daysBefore(from, lengthOf(from, to)), daysBefore(from, 1)];
  if (kind === "weekdays") return [daysBefore(from, 364), daysBefore(to, 364)];
  return kind === "year" ? [yearBefore(from), yearBefore(to)] : undefined;
}

function daysOf(kind: Comparison, from: string, to: string): readonly [string, string] | undefined {
  if (kind === "previous") return daysUntil(from, to);
  if (kind !== "own") return namedDays(kind, from, to);
  if (!isDay(arg("compareFrom")) || !isDay(arg("compareTo"))) return undefined;
  const [first = from, last = to] = [arg("compareFrom"), arg("compareTo")].sort();
  return [first, last];
}

/** The chosen comparison. Without a choice it is what is before, whatever the data cover: the same question has one answer. */
export function comparison({ from, to }: Period): Comparison {
  const named = COMPARISONS.find((kind) => kind === arg("compare")) ?? "previous";
  return named === "own" && !daysOf("own", from ?? "", to ?? "") ? "previous" : named;
}

/** A period that the data cover up to a day is compared with as many days: `last` is the last full one. */
export function comparedWith(period: Period, first: string | null, last?: string): Compared | undefined {
  const { from, to } = period;
  const kind = comparison(period);
  if (from === undefined || to === undefined || kind === "none") return undefined;
  // A period that begins after the data has nothing to compare.
  if (last !== undefined && last < from) return undefined;
  const until = last !== undefined && isUnitChosen() ? earlier(to, last) : to;
  const days = daysOf(kind, from, until);
  if (!days) return undefined;
  const [start, end] = days;
  const of = lengthOf(start, end);
  // Without a first day there is nothing known about how far the data go back.
  const known = first === null ? of : Math.max(0, Math.min(of, lengthOf(first > start ? first : start, end)));
  const isNamed = String(namedDays(kind, from, to)) === String(days);
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
