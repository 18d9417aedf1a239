import { signal } from "@preact/signals";

// Days are strings such as `2025-04-01`, whose string order is their date order.

const DAY_MS = 86_400_000;

const iso = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** Whether it is a day that exists: some parsers take 31 February for 3 March. */
export function isDay(text: string): boolean {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(instant) && iso(instant) === text;
}
export const daysBefore = (day: string, days: number): string => iso(Date.parse(day) - days * DAY_MS);
/** The time zone, if the browser knows it. */
export function knownZone(zone: string | undefined): string | undefined {
  try {
    return zone && new Intl.DateTimeFormat("en-CA", { timeZone: zone }) ? zone : undefined;
  } catch {
    return undefined;
  }
}

/** The day of an instant in a time zone, or in UTC; an unknown zone counts as UTC. */
export const dayIn = (instant: number, zone?: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: knownZone(zone) ?? "UTC" }).format(instant);

/** The instant that is now for the page, if it shows what was known then. */
export const clock = signal<number | undefined>(undefined);

export const now = (): number => clock.value ?? Date.now();

export const today = (zone?: string): string => dayIn(now(), zone);

/** The number of days from the first to the last, inclusive. */
export const lengthOf = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** So many days without a sale are no news. */
export const QUIET_DAYS = 2;

export const earlier = (one: string, other: string): string => (one < other ? one : other);

/** The first day of the month that is the given number of months earlier. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return iso(Date.UTC(year, month - 1 - months, 1));
}

/** The last day of the month, or of the month that is `later` months later. */
export function lastOfMonth(day: string, later = 0): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return iso(Date.UTC(year, month + later, 0));
}
