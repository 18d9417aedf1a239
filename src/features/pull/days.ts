import { addDays, daysBetween, earlierOf } from "../../core/time/days.ts";
import { instantIn } from "../../core/time/zoned.ts";

/** The instant at which a day begins in a time zone. */
export const beginningOf = (day: string, timezone: string): Date =>
  new Date((timezone === "UTC" ? undefined : instantIn(`${day}T00:00:00`, timezone)) ?? `${day}T00:00:00Z`);

/** A part of a span of days. `end`: the last day of the whole window, which may be later than the span. */
export interface Span {
  readonly from: string;
  readonly to: string;
  readonly end: string;
}

/** A Monday: windows begin at whole multiples from it, so that each pull has the same ones. */
const ORIGIN = "2001-01-01";

/** The windows of a span: each begins at a multiple of their length, but for the first. */
export function windowsOf(from: string, to: string, windowDays: number | undefined): Span[] {
  if (windowDays === undefined) return [{ from, to, end: to }];
  const spans: Span[] = [];
  for (let first = from; first <= to; ) {
    const past = ((daysBetween(ORIGIN, first) % windowDays) + windowDays) % windowDays;
    const end = addDays(first, windowDays - past - 1);
    spans.push({ from: first, to: earlierOf(end, to), end });
    first = addDays(end, 1);
  }
  return spans;
}

/** The beginning of the window that a day is in. */
export const windowStart = (day: string, windowDays: number | undefined): string => {
  if (windowDays === undefined) return day;
  const past = ((daysBetween(ORIGIN, day) % windowDays) + windowDays) % windowDays;
  return addDays(day, -past);
};
