import { expect } from "chai";
import { isSafe } from "redos-detector";
import { type Found, patterns, reasonFor, SHORT, worstTextsOf } from "../support/patterns.ts";
import { expectLinear } from "../support/perMegabyte.ts";

/** Also what is safe, but not understood by the detector, is measured. */
function isKnownSafe(pattern: RegExp): boolean {
  try {
    return isSafe(pattern, { timeout: 2_000 }).safe;
  } catch {
    return false;
  }
}

describe("The regular expressions of the source", function () {
  this.timeout(300_000);
  let doubtful: readonly Found[] = [];

  before(() => {
    doubtful = patterns().filter(({ pattern }) => !isKnownSafe(pattern));
  });

  it("that the detector does not pass meet short texts, or take time in proportion to their texts", async () => {
    for (const { file, pattern } of doubtful.filter((one) => reasonFor(one) === undefined))
      await expectLinear(`${file} ${pattern}`, (text) => text.replace(pattern, ""), worstTextsOf(pattern), 0.1);
  });

  it("have no exception that is not needed", () => {
    for (const start of Object.keys(SHORT))
      expect(
        doubtful.some((one) => reasonFor(one) === start),
        start,
      ).to.equal(true);
  });
});
