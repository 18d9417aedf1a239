import { expect } from "chai";
import fc from "fast-check";
import { csvOf, harmless } from "../../src/features/adhoc/own/csv.ts";
import { expectLinear } from "../support/perMegabyte.ts";

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

  it("takes time in proportion to its texts", async function () {
    this.timeout(120_000);
    const columns = [{ name: "a", type: "VARCHAR" }];
    await expectLinear("a row", (text) => csvOf(columns, false).row([text]), ["\t", '"', "=", "x"]);
    await expectLinear("a row in Portuguese", (text) => csvOf(columns, true).row([text]), [";"]);
  });
});
