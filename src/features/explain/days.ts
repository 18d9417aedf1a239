import { addDays } from "../../core/time/days.ts";
import type { Span } from "./sets.ts";

/** All days. */
export const ALL: Span = { from: null, to: null };

/** The days that two spans have in common. */
export const within = (one: Span, other: Span): Span => ({
  from: later(one.from, other.from),
  to: earlier(one.to, other.to),
});

/** The later of two first days, and the earlier of two last ones; null is no bound. */
const later = (a: string | null, b: string | null): string | null => (a === null || (b !== null && b > a) ? b : a);
const earlier = (a: string | null, b: string | null): string | null => (a === null || (b !== null && b < a) ? b : a);

/** The days of so many months, from that of a day on. */
export const monthsFrom = (day: string, months: number): { readonly from: string; readonly to: string } => ({
  from: day,
  to: addDays(monthsAfter(day, months), -1),
});

/** The first day of the month that is so many after that of a day. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}
