import { expect } from "chai";

/** A character or two again and again: where a pattern that tries again at each place takes quadratic time. */
export const WORST_TEXTS: readonly string[] = [
  ..."\t \"'`()[]{}<>,;:|\\/=+-@&#%*_.!?0123456789xaé\u2028\u00a0\ufeff\n\r",
  "\r\n",
  "\u0001",
  "😀",
  ", ",
  '",',
  "0.",
  "a@",
  "[a",
  '{"',
  "&#",
  "%4",
];

const MEGABYTE = 1_000_000;
/** The least of several, because the machine may be busy. */
const TRIES = 3;
/** Time that any text may take, however short. */
const SLACK_MS = 150;
/** Time per megabyte may be so many times that of a shorter text: quadratic work would be four times. */
const FACTOR = 2.5;

/** The text again and again, of so many megabytes. */
export const megabytesOf = (text: string, megabytes: number): string =>
  text.repeat(Math.ceil((megabytes * MEGABYTE) / Buffer.byteLength(text)));

/**
 * Fails if work takes longer per megabyte of a text of four times the length. `work` gets the text; it may fail as long as it
 * ends. Quadratic work on a tenth shows early: it would take a hundred times as long on the whole.
 */
export async function expectLinear(
  what: string,
  work: (text: string) => unknown,
  texts: readonly string[] = WORST_TEXTS,
  megabytes = 1,
): Promise<void> {
  for (const text of texts) {
    for (const base of [megabytes / 10, megabytes]) {
      const [one, four] = [await leastOf(work, text, base), await leastOf(work, text, 4 * base)];
      const said = `${what} of ${JSON.stringify(text)}: ${4 * base} MB in ${four} ms, ${base} MB in ${one} ms`;
      expect(four, said).to.be.below(4 * FACTOR * one + SLACK_MS);
    }
  }
}

/** The least time of several tries, unless it is short. */
async function leastOf(work: (text: string) => unknown, text: string, megabytes: number): Promise<number> {
  const long = megabytesOf(text, megabytes);
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < TRIES && least > SLACK_MS; n++) {
    const began = performance.now();
    try {
      await work(long);
    } catch {
      // A refusal is an answer too.
    }
    least = Math.min(least, performance.now() - began);
  }
  return least;
}
