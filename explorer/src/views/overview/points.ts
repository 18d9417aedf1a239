import type { Point } from "../../charts/series.ts";
import { daysBefore, lastOfMonth, lengthOf } from "../../days.ts";
import { day, month, range, shortDay, shortMonth } from "../../format.ts";
import { noteOn } from "../../notes.ts";
import { type Granularity, mondayOf } from "../../period.ts";

/** The last day of the point that begins on a day. */
const endOf = (date: string, granularity: Granularity): string =>
  granularity === "month" ? lastOfMonth(date) : granularity === "week" ? daysBefore(date, -6) : date;

/** A point of a trend. It is open if it ends after the last day with data. */
export function pointOf(date: string, granularity: Granularity, last: string): Point {
  const end = endOf(date, granularity);
  const title = granularity === "month" ? month(date) : granularity === "week" ? range(date, end) : day(date);
  const label = granularity === "month" ? shortMonth(date) : shortDay(date);
  return { key: date, label, title, isOpen: end > last, note: noteOn(date, end) };
}

/** The position of a trend's point, counted from the one with the period's first day. */
export function positionOf(date: string, from: string, granularity: Granularity): number {
  const first = startOf(from, granularity);
  if (granularity === "month") return monthOf(date) - monthOf(first);
  return (lengthOf(first, date) - 1) / (granularity === "week" ? 7 : 1);
}

const monthOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));

export function startOf(date: string, granularity: Granularity): string {
  if (granularity === "month") return `${date.slice(0, 8)}01`;
  return granularity === "day" ? date : mondayOf(date);
}
