/** Days as `YYYY-MM-DD`: they compare as text. */

const MS = 86_400_000;

export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * MS).toISOString().slice(0, 10);

/** Days from the first to the last, both included. */
export const daysFrom = (first: string, last: string): number => (Date.parse(last) - Date.parse(first)) / MS + 1;

/** Months since the year 0. */
export const monthNo = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

export const firstOfMonth = (no: number): string =>
  `${String(Math.floor(no / 12)).padStart(4, "0")}-${String((no % 12) + 1).padStart(2, "0")}-01`;

export const lastOfMonth = (no: number): string => plusDays(firstOfMonth(no + 1), -1);

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of an instant in a zone; in UTC without one [D6]. */
export function dayOf(instant: number, zone: string | undefined): string {
  const name = zone ?? "UTC";
  const format =
    formats.get(name) ??
    new Intl.DateTimeFormat("en-CA", { timeZone: name, year: "numeric", month: "2-digit", day: "2-digit" });
  formats.set(name, format);
  return format.format(instant);
}

/** Days, both included; a null bound is open. */
export interface Span {
  readonly start: string | null;
  readonly end: string | null;
}

export const within = (day: string, { start, end }: Span): boolean =>
  (start === null || day >= start) && (end === null || day <= end);

/** The intersection of two spans. */
export const cut = (a: Span, b: Span): Span => ({
  start: a.start === null ? b.start : b.start === null || a.start > b.start ? a.start : b.start,
  end: a.end === null ? b.end : b.end === null || a.end < b.end ? a.end : b.end,
});
