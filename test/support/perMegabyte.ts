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
 * Fails if work takes longer per megabyte of a text of 4 MB than of 1 MB. `work` gets the text; it may fail as long as it
 * ends. A text that takes hours is found at a tenth of its length.
 */
export async function expectLinear(
  what: string,
  work: (text: string) => unknown,
  texts: readonly string[] = WORST_TEXTS,
): Promise<void> {
  for (const text of texts) {
    const named = `${what} of ${JSON.stringify(text)}`;
    const took = async (megabytes: number): Promise<number> => {
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
    };
    // Quadratic work on a tenth shows early: it would take a hundred times as long on the whole.
    const [tenth, one] = [await took(0.1), await took(0.2)];
    expect(one, `${named}: 0.2 MB in ${one} ms, 0.1 MB in ${tenth} ms`).to.be.below(2 * FACTOR * tenth + SLACK_MS);
    const [whole, four] = [await took(1), await took(4)];
    expect(four, `${named}: 4 MB in ${four} ms, 1 MB in ${whole} ms`).to.be.below(4 * FACTOR * whole + SLACK_MS);
  }
}
