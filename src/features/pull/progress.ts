import { PullError } from "./declaration.ts";

/** Pages in a row without an object, after which a list is taken for endless. */
const MOST_EMPTY = 100;

/** Detects a pagination that repeats itself: a vendor that names a cursor again would be asked without end. */
export class ListProgress {
  readonly #what: string;
  #remembered: string | undefined;
  #steps = 0;
  #until = 1;
  #empty = 0;

  /** `what`: completes "the list of …". */
  constructor(what: string) {
    this.#what = what;
  }

  /** Called with the cursor of each next page, and how many objects the present one has. Throws a PullError. */
  next(cursor: string, objects: number): void {
    this.#empty = objects === 0 ? this.#empty + 1 : 0;
    if (cursor === this.#remembered || this.#empty > MOST_EMPTY)
      throw new PullError("transient", `the list of ${this.#what} does not go on: the same page is named again`);
    // One cursor is remembered, twice as long each time: any circle is found in the end.
    if (++this.#steps < this.#until) return;
    this.#remembered = cursor;
    this.#steps = 0;
    this.#until *= 2;
  }
}
