import { DAY_MS } from "../../core/time/days.ts";

/** So many days before an instant; instants are ISO 8601 texts. */
export const daysBefore = (instant: string, days: number): string =>
  new Date(Date.parse(instant) - days * DAY_MS).toISOString();

/** The earlier of two instants, or the one that is known. */
export const earlier = (a: string, b: string | undefined): string =>
  b !== undefined && Date.parse(b) < Date.parse(a) ? b : a;
