import { DAY_MS } from "../time/days.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*([Zz]|[+-]\d{2}:?\d{2})?$/;

/** `YYYY-MM-DD`, a day that exists. */
export function isDay(value: string): boolean {
  if (!DAY.test(value) || value < "0001") return false;
  // `Date` reads 31 April as 1 May.
  return new Date(`${value}T00:00:00Z`).getUTCDate() === Number(value.slice(8));
}

export const isInstant = (value: string): boolean => microsecondsOf(value) !== undefined;

/** The first instant of a period that starts at this day or instant; null if the value is neither. */
export function firstIn(value: string): string | null {
  const start = isDay(value) ? midnight(value) : microsecondsOf(value);
  return start === undefined ? null : written(start);
}

/** The first instant after a period that includes this day or instant; null if the value is neither. */
export function firstOut(value: string): string | null {
  if (isDay(value)) return written(midnight(value) + BigInt(DAY_MS) * 1000n);
  const end = microsecondsOf(value);
  return end === undefined ? null : written(end + 1n);
}

/** An instant, cut to milliseconds; undefined if the value is none. */
export function millisecondIn(value: string): string | undefined {
  const instant = microsecondsOf(value);
  return instant === undefined ? undefined : `${written(instant).slice(0, -4)}Z`;
}

const midnight = (day: string): bigint => BigInt(Date.parse(`${day}T00:00:00Z`)) * 1000n;

/** Microseconds since 1970 of an ISO 8601 instant; UTC if it has no offset. Vendors' data has microseconds. */
function microsecondsOf(value: string): bigint | undefined {
  const parts = INSTANT.exec(value);
  if (!parts) return undefined;
  const [, day = "", hour = "", minute = "", second = "00", fraction = "", offset = "Z"] = parts;
  // `Date` rejects minute or second 60, but reads 24:00 as the next day.
  if (!isDay(day) || Number(hour) > 23) return undefined;
  const zone = offset.toUpperCase() === "Z" ? "Z" : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
  const time = Date.parse(`${day}T${hour}:${minute}:${second}${zone}`);
  if (Number.isNaN(time)) return undefined;
  return BigInt(time) * 1000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
}

const EARLIEST = midnight("0001-01-01");
const LATEST = midnight("9999-12-31") + BigInt(DAY_MS) * 1000n - 1n;

/** ISO 8601 with microseconds, clamped to four-digit years so that it also sorts as text. */
function written(microseconds: bigint): string {
  const kept = microseconds < EARLIEST ? EARLIEST : microseconds > LATEST ? LATEST : microseconds;
  const rest = ((kept % 1000n) + 1000n) % 1000n;
  const text = new Date(Number((kept - rest) / 1000n)).toISOString();
  return text.replace("Z", `${String(rest).padStart(3, "0")}Z`);
}
