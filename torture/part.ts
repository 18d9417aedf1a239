/**
 * One promise and the attack on it. `npm run torture` runs every part at `long` and writes its figures into
 * `docs/reliability.md`; the tests run the same code at `brief` (`npm test`) and at `short` (`npm run test:long`). A part
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

/** At `brief` a part makes its main attack once; at `short` it makes every attack; at `long` it makes each many times. */
export type Scale = "brief" | "short" | "long";

/** A count or measure of the run: `{ what: "kills", value: "1,000" }`. */
export interface Figure {
  readonly what: string;
  readonly value: string;
}
