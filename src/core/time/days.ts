/** Days are texts such as `2024-02-29`. */

/** The milliseconds of a day in UTC. */
export const DAY_MS = 86_400_000;

/** The day of an instant in a time zone: the Swedish form of a date is that of ISO 8601. */
export const dayIn = (timezone: string, at: Date): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: timezone }).format(at);

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The same day so many months earlier, or the last one of that month. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);

export const earlierOf = (a: string, b: string): string => (a < b ? a : b);
export const laterOf = (a: string, b: string): string => (a > b ? a : b);
