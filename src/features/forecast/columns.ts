/** A typed column that grows. */
export class Column<A extends Int32Array | Float64Array> {
  #values: A;
  #length = 0;
  readonly #make: (length: number) => A;

  constructor(make: (length: number) => A) {
    this.#make = make;
    this.#values = make(1024);
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = this.#make(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** Adds to the last value. */
  add(value: number): void {
    this.#values[this.#length - 1] = (this.#values[this.#length - 1] ?? 0) + value;
  }

  get values(): A {
    return this.#values.subarray(0, this.#length) as A;
  }
}

export const integers = (): Column<Int32Array> => new Column((length) => new Int32Array(length));
export const floats = (): Column<Float64Array> => new Column((length) => new Float64Array(length));
