/**
 * One promise and the attack on it. `npm run torture` runs every part at `long` and writes its figures into
 * `docs/reliability.md`; `npm run test:long` runs the same code at `short`. A part
 * fails by throwing: a broken promise is an error that names the place and the seed that repeats it, never a figure.
 */
export interface Part {
  /** Short, as in the table: `landing under kill -9`. */
  readonly name: string;
  /** The promise, in a sentence. */
  readonly promise: string;
  /** How the promise is tried, in a sentence or two. */
  readonly method: string;
  run(scale: Scale, seed: number): Promise<readonly Figure[]>;
}

/** At `short` a part makes every attack, at `long` each many times. */
export type Scale = "short" | "long";

/** A count or measure of the run: `{ what: "kills", value: "1,000" }`. */
export interface Figure {
  readonly what: string;
  readonly value: string;
}
