import { expect } from "chai";
import fc from "fast-check";
import { encoded, PART, wholeText } from "../../src/core/contract/longText.ts";

describe("A long text", () => {
  it("has the bytes of its pieces, however they are cut", async () => {
    const long = fc
      .tuple(fc.constantFrom("a", "á", "\u{1F600}", "-\u{1F600}"), fc.nat({ max: 3 }))
      .map(([unit, more]) => unit.repeat(Math.ceil(PART / unit.length) + more));
    const piece = fc.oneof({ weight: 9, arbitrary: fc.string({ unit: "binary" }) }, { weight: 1, arbitrary: long });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const bytes = Buffer.from(pieces.join(""));
        expect((await encoded(pieces)).equals(bytes)).to.equal(true);
        expect((await encoded(pieces.join(""))).equals(bytes)).to.equal(true);
        const some = pieces.map((piece, no) => (no % 2 === 0 ? Buffer.from(piece) : piece));
        expect((await encoded(some)).equals(bytes)).to.equal(true);
        expect(wholeText(some)).to.equal(bytes.toString());
      }),
      { numRuns: 30 },
    );
  });

  it("is encoded while others run", async () => {
    let turns = 0;
    const count = (): void => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await encoded(Array.from({ length: 20_000 }, () => "x".repeat(500)));
    clearImmediate(next);
    expect(turns).to.be.above(10);
  });
});
