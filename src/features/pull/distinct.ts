import { PullError } from "./declaration.ts";

/** Most rows of one window of several days in memory: some hundred megabytes. */
export const MOST_ROWS = 200_000;

/** The rows of one window by key, the last of each: a vendor may show a row again on the next page. */
export class Distinct<T> {
  readonly #key: (row: T) => string;
  readonly #most: number;
  readonly #rows = new Map<string, T>();

  /** `most`: with more rows than that it is too much to ask for at once. */
  constructor(key: (row: T) => string, most = Number.POSITIVE_INFINITY) {
    this.#key = key;
    this.#most = most;
  }

  add(rows: readonly T[]): void {
    for (const row of rows) this.#rows.set(this.#key(row), row);
    if (this.#rows.size > this.#most) throw new PullError("tooMuch", `more than ${this.#most} rows at once`);
  }

  get size(): number {
    return this.#rows.size;
  }

  all(): T[] {
    return [...this.#rows.values()];
  }
}
