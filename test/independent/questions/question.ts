import type { Period } from "../../support/world.ts";
import type { Facts } from "../facts.ts";
import type { Answer } from "../profitability.ts";

/** A request, and the independent computation of its answer. */
export interface Question<F = Facts> {
  readonly path: string;
  readonly sent: Readonly<Record<string, string>>;
  /** What the service sets. */
  readonly unsent?: Readonly<Record<string, string>>;
  readonly expected: (facts: F) => Answer;
}

/** The whole history. */
export const EVER = { start: null, end: null };

/** The parameters of a period; none for the whole history. */
export const datesOf = (span: Period | null): Record<string, string> =>
  span ? { startDate: span.start, endDate: span.end } : {};

/** The parameter, unless it is null. */
export const sentIf = <T extends string>(name: string, value: T | null): Record<string, string> =>
  value === null ? {} : { [name]: value };
