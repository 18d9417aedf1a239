import type { LetterSetting } from "../../core/contract/settings.ts";
import { addDays, addMonths } from "../../core/time/days.ts";

/** Which days of a letter are due when [D95]: plain arithmetic of days and times of day, by the clock of the first store. */

type On = LetterSetting["on"];

/** Whether a letter of this kind has this day. */
const isDay = (on: On, day: string): boolean =>
  on === "daily" || (on === "monthly" ? day.endsWith("-01") : new Date(day).getUTCDay() === 1);

/** The last day of the letter up to a day. */
export function lastDayOf(on: On, day: string): string {
  let found = day;
  while (!isDay(on, found)) found = addDays(found, -1);
  return found;
}

/** The day of the letter before. */
export const dayBefore = (on: On, day: string): string => lastDayOf(on, addDays(day, -1));

/** The days of a letter after one and before another. */
export function daysBetweenLetters(on: On, after: string, before: string): string[] {
  const days: string[] = [];
  for (let day = dayBefore(on, before); day > after; day = dayBefore(on, day)) days.unshift(day);
  return days;
}

/** The days that a letter is about, and those that it compares them with. */
export interface Spans {
  readonly from: string;
  readonly to: string;
  readonly beforeFrom: string;
  readonly beforeTo: string;
}

/** A day beside the same weekday a week before; a week, or a calendar month, beside the one before. */
export function spansOf(on: On, day: string): Spans {
  const to = addDays(day, -1);
  if (on === "daily") return { from: to, to, beforeFrom: addDays(to, -7), beforeTo: addDays(to, -7) };
  const from = on === "weekly" ? addDays(day, -7) : addMonths(day, -1);
  const beforeFrom = on === "weekly" ? addDays(day, -14) : addMonths(day, -2);
  return { from, to, beforeFrom, beforeTo: addDays(from, -1) };
}

/** A moment by a clock: its day, and its time as `08:00`. */
export interface Moment {
  readonly day: string;
  readonly time: string;
}

export function momentIn(zone: string, at: Date): Moment {
  const text = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "short",
  }).format(at);
  const [day = "", time = ""] = text.split(" ");
  return { day, time };
}

interface Known {
  /** Since when the letter is known; nothing before it is due. */
  readonly since: Moment;
  /** The day of the last one. */
  readonly last: string | null;
}

const isAtOrAfter = (a: Moment, b: Moment): boolean => a.day > b.day || (a.day === b.day && a.time >= b.time);

/** The day whose letter is to be sent now: the last one that is due and was not sent; undefined if there is none. */
export function dueDay(
  { on, at }: Pick<LetterSetting, "on" | "at">,
  now: Moment,
  { since, last }: Known,
  isReady: boolean,
): string | undefined {
  const isOpen = (day: string): boolean => (last === null || day > last) && isAtOrAfter({ day, time: at }, since);
  const latest = lastDayOf(on, now.day);
  const isReached = isReady || isAtOrAfter(now, { day: latest, time: at });
  if (isReached) return isOpen(latest) ? latest : undefined;
  const before = dayBefore(on, latest);
  return isOpen(before) ? before : undefined;
}
