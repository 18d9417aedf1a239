import { ApiError } from "../contract/error.ts";
import type { Parties } from "./queue.ts";

/** A limited number of places, in total and per party, for work whose duration clients decide, such as sending files. */
export class Semaphore {
  readonly #all: number;
  readonly #ofOne: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor(all: number, ofOne: number) {
    this.#all = all;
    this.#ofOne = ofOne;
  }

  /** Takes a place, or fails with `busy`. Returns a function that releases it once. */
  take(parties: Parties): () => void {
    const held = (party: string): number => this.#held.get(party) ?? 0;
    if (this.#taken >= this.#all || parties.some((party) => held(party) >= this.#ofOne)) throw new ApiError("busy");
    this.#taken++;
    for (const party of parties) this.#held.set(party, held(party) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#taken--;
      for (const party of parties) {
        if (held(party) > 1) this.#held.set(party, held(party) - 1);
        else this.#held.delete(party);
      }
    };
  }
}
