import { expect } from "chai";
import { falseIn, foundIn } from "./spoken.ts";

/** Fewer worlds than those of docs/alerts.md, which `bench/alerts.ts` makes. */
const WORLDS = 80;

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

describe("The built-in alerts in random worlds [D227]", () => {
  it("speak about once a month at most where nothing happens", () => {
    const months = Array.from({ length: WORLDS }, (_, seed) =>
      Object.values(falseIn(seed)).reduce((all, one) => all + one, 0),
    );
    expect(mean(months)).to.be.below(1.1);
    expect(months.toSorted((a, b) => a - b)[Math.floor(0.95 * (WORLDS - 1))]).to.be.below(3);
  });

  it("find spend that stops and prices that halve within three days in shops of 50 orders a day", () => {
    for (const [kind, least] of [
      ["spendStops", 0.9],
      ["priceHalves", 0.85],
    ] as const) {
      const found = Array.from({ length: WORLDS }, (_, no) => foundIn(200_000 + no, kind)).filter(
        ({ size }) => size >= 50,
      );
      expect(mean(found.map(({ day }) => (day !== undefined && day <= 3 ? 1 : 0))), kind).to.be.above(least);
    }
  });
});
