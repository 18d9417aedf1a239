import type { PeriodRule } from "../../core/contract/param.ts";
import type { Sent } from "../../core/params/validate.ts";
import { addDays, daysBetween } from "../../core/time/days.ts";

/** The last day with data, before and after new data came. */
interface LastDays {
  readonly before: string;
  readonly after: string;
}

/** A period that ends so many days before the last day with data is one up to now: the last days may not be whole. */
const RECENT_DAYS = 2;

/**
 * What a page will ask with the new data: a period up to the last days moves with them, another stays. A period from the
 * first of a month stays one: this month begins with the month, and whole months stay whole.
 */
export function moved(sent: Sent, periods: readonly PeriodRule[] = [], { before, after }: LastDays): Sent {
  const days = daysBetween(before, after);
  const changes = periods.flatMap(({ start, end }) => {
    const [first, last] = [sent[start], sent[end]];
    if (typeof first !== "string" || typeof last !== "string" || !isRecent(last, before)) return [];
    const ends = addDays(last, days);
    return [
      [start, startOf(first, last, days, ends)],
      [end, ends],
    ];
  });
  return { ...sent, ...Object.fromEntries(changes) };
}

const isRecent = (day: string, last: string): boolean =>
  daysBetween(day, last) <= RECENT_DAYS && daysBetween(day, last) >= -RECENT_DAYS;

function startOf(first: string, last: string, days: number, ends: string): string {
  if (!first.endsWith("-01")) return addDays(first, days);
  const isThisMonth = first.slice(0, 7) === last.slice(0, 7);
  return monthOf(isThisMonth ? ends : addDays(first, days));
}

const monthOf = (day: string): string => `${day.slice(0, 7)}-01`;
