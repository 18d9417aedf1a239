import { expect } from "chai";
import fc from "fast-check";
import { harmless } from "../../src/features/adhoc/own/csv.ts";

/** The rule as one pattern: where a cell begins, what a program skips there, and a sign of a formula. */
const FORMULA = /(^|[,;\t\r\n])([\p{Cc}\p{Z}\uFEFF"']*)([=+@⁺⁼₊₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠-])/gu;

describe("CSV of a client's query", () => {
  it("has an apostrophe before each sign that begins a cell, as the pattern says", () => {
    const text = fc.string({
      unit: fc.constantFrom(..."=+-@＝﹣,;\t\r\n \u00a0\ufeff\u2028\"'a1é😀\u0001"),
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, (sent) => {
        expect(harmless(sent)).to.equal(sent.replaceAll(FORMULA, "$1$2'$3"));
      }),
      { numRuns: 3_000 },
    );
  });
});
