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

/** Texts as values of exports and results: fewer, where each costs a landing. */
export const WORST_VALUES: readonly string[] = ["\t", '"', "[", "x", "1", "0", "\u2028"];

const MEGABYTE = 1_000_000;
/** Memory is collected now and then: the least of several tries counts. */
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
    for (const base of [megabytes / 10, megabytes]) await expectLinearFrom(base, what, work, text);
  }
}

async function expectLinearFrom(
  base: number,
  what: string,
  work: (text: string) => unknown,
  text: string,
): Promise<void> {
  let [one, four] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const isLinear = (): boolean => four < 4 * FACTOR * one + SLACK_MS;
  for (let n = 0; n < TRIES; n++) {
    one = Math.min(one, await processorTime(work, megabytesOf(text, base)));
    four = Math.min(four, await processorTime(work, megabytesOf(text, 4 * base)));
    if (isLinear()) return;
  }
  const said = `${what} of ${JSON.stringify(text)}: ${4 * base} MB in ${four} ms, ${base} MB in ${one} ms`;
  expect(isLinear(), said).to.equal(true);
}

/** The processor time of all threads in milliseconds: a busy machine does not add to it. */
async function processorTime(work: (text: string) => unknown, text: string): Promise<number> {
  const began = process.cpuUsage();
  try {
    await work(text);
  } catch {
    // A refusal is an answer too.
  }
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
