import { expect } from "chai";
import fc from "fast-check";
import { Laboratory } from "../support/exports.ts";

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

/** At most so many of the questions to each endpoint, spread over all of them. */
export function spread<Q extends { readonly path: string }>(questions: readonly Q[], most: number): Q[] {
  const placeOf = new Map<string, number>();
  return questions.filter(({ path }) => {
    const place = placeOf.get(path) ?? 0;
    placeOf.set(path, place + 1);
    const count = questions.filter((one) => one.path === path).length;
    const share = Math.min(most, count) / count;
    return Math.floor(place * share) !== Math.floor((place - 1) * share);
  });
}

/** What is compared: `of` ends the title. */
interface Comparison<T> {
  readonly of?: string;
  readonly asked: fc.Arbitrary<T>;
  readonly differencesOf: (laboratory: Laboratory, one: T) => Promise<string[]>;
  readonly described: (one: T) => string;
  /** What must hold after all have been compared. */
  readonly atEnd?: () => void;
}

/** A test that compares the answers about so many random organizations with the independent computation. */
export function compareRandom<T>(
  { of = "", asked, differencesOf, described, atEnd }: Comparison<T>,
  { worlds, seed }: { readonly worlds: number; readonly seed: number },
): void {
  describe(`An independent computation${of}, written only from the sentences of the rules`, function () {
    this.timeout(0);
    let laboratory: Laboratory;

    before(async () => {
      laboratory = await Laboratory.open();
    });

    it(`gives the answers of the service on ${worlds} random organizations`, async () => {
      await expectAgreement(asked, { worlds, seed }, (one) => differencesOf(laboratory, one), described);
      atEnd?.();
    });
  });
}
