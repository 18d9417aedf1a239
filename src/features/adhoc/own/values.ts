import {
  DuckDBArrayValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
} from "@duckdb/node-api";
import type { Value } from "../../../core/engine/database.ts";

/** Limits the size of values in JSON. */
export class Budget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Fails with `TooLarge` when nothing is left. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new TooLarge();
  }
}

export class TooLarge extends Error {}

/** Digits that every number of the client has: a decimal with more of them is text. */
const DIGITS = 15;
/** Commas, quotation marks and the like. */
const AROUND = 3;

/**
 * A value of the engine as JSON. A number is exact, else it is text: whole numbers beyond 2^53, decimals of more than 15
 * digits, NaN and infinities. Days, times and instants are ISO texts; lists are arrays, structs objects, maps arrays of
 * `{ key, value }`; everything else is the engine's text.
 */
export function toJson(value: Value, budget: Budget): unknown {
  budget.take(AROUND);
  if (value === null || typeof value === "boolean") return sized(value, 4, budget);
  if (typeof value === "string") return text(value, budget);
  if (typeof value === "number") return Number.isFinite(value) ? sized(value, 8, budget) : text(String(value), budget);
  if (typeof value === "bigint")
    return Number.isSafeInteger(Number(value)) ? sized(Number(value), 8, budget) : text(String(value), budget);
  if (value instanceof DuckDBDecimalValue) return decimal(value, budget);
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue)
    return value.items.map((item) => toJson(item, budget));
  if (value instanceof DuckDBStructValue) return Object.fromEntries(membersOf(value, budget));
  if (value instanceof DuckDBMapValue)
    return value.entries.map((entry) => ({ key: toJson(entry.key, budget), value: toJson(entry.value, budget) }));
  if (value instanceof DuckDBUnionValue) return toJson(value.value, budget);
  return text(isTime(value) ? isoOf(String(value)) : String(value), budget);
}

function membersOf({ entries }: DuckDBStructValue, budget: Budget): [string, unknown][] {
  return Object.entries(entries).map(([name, value]) => [text(name, budget), toJson(value, budget)]);
}

function sized<T>(value: T, bytes: number, budget: Budget): T {
  budget.take(bytes);
  return value;
}

function text(value: string, budget: Budget): string {
  // A character is at least a byte: a text that is much too large is not measured.
  budget.take(value.length);
  budget.take(Buffer.byteLength(value) - value.length);
  return value;
}

function decimal(value: DuckDBDecimalValue, budget: Budget): number | string {
  const whole = String(value);
  const digits = whole.replace(/^-?0*(?=\d)/, "").replace(/(\.\d*?)0+$/, "$1");
  const isExact = digits.replaceAll(/\D/g, "").replace(/^0+/, "").length <= DIGITS;
  return isExact ? sized(Number(whole), 8, budget) : text(whole, budget);
}

const isTime = (value: unknown): boolean =>
  value instanceof DuckDBTimestampTZValue ||
  value instanceof DuckDBTimestampValue ||
  value instanceof DuckDBTimestampSecondsValue ||
  value instanceof DuckDBTimestampMillisecondsValue ||
  value instanceof DuckDBTimestampNanosecondsValue ||
  value instanceof DuckDBDateValue;

/** The engine writes instants in UTC, as `2025-01-02 14:00:00+00`. */
const isoOf = (written: string): string => written.replace(" ", "T").replace(/\+00(:00)?$/, "Z");
