/** The rows of one window by key, the last of each: a vendor may show a row again on the next page. */
export class Distinct<T> {
  readonly #key: (row: T) => string;
  readonly #rows = new Map<string, T>();

  constructor(key: (row: T) => string) {
    this.#key = key;
  }

  add(rows: readonly T[]): void {
    for (const row of rows) this.#rows.set(this.#key(row), row);
  }

  get size(): number {
    return this.#rows.size;
  }

  all(): T[] {
    return [...this.#rows.values()];
  }
}
