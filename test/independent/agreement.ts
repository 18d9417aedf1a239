import { expect } from "chai";
import fc from "fast-check";

/** The search for a smaller differing example takes no longer than this. */
const SHRINKING_MS = 30_000;

/** Compares so many random ones; reports the smallest differing one that it finds. */
export async function expectAgreement<T>(
  asked: fc.Arbitrary<T>,
  { worlds, seed }: { readonly worlds: number; readonly seed: number },
  differencesOf: (one: T) => Promise<string[]>,
  described: (one: T) => string,
): Promise<void> {
  let failing = Number.POSITIVE_INFINITY;
  const ran = await fc.check(
    fc.asyncProperty(asked, async (one) => {
      if (performance.now() > failing + SHRINKING_MS) return;
      const found = await differencesOf(one);
      if (found.length === 0) return;
      failing = Math.min(failing, performance.now());
      throw new Error(found.slice(0, 20).join("\n"));
    }),
    { numRuns: worlds, seed },
  );
  const smallest = ran.counterexample?.[0];
  expect(ran.failed, smallest && `${ran.errorInstance}\nseed ${seed}, ${described(smallest)}`).to.equal(false);
  expect(ran.numRuns).to.equal(worlds);
}
