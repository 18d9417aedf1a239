import { expect } from "chai";
import { falseIn, foundIn } from "./spoken.ts";

/** Fewer worlds than those of docs/alerts.md, which `bench/alerts.ts` makes. */
const WORLDS = 240;

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

describe("The built-in alerts in random worlds [D227]", () => {
  it("speak about once a month at most where nothing happens", () => {
    const months = Array.from({ length: WORLDS }, (_, seed) =>
      Object.values(falseIn(seed).times).reduce((all, one) => all + one, 0),
    );
    expect(mean(months)).to.be.below(1.1);
    expect(months.toSorted((a, b) => a - b)[Math.floor(0.95 * (WORLDS - 1))]).to.be.below(3);
  });

  it("find their event within three days in 9 of 10 shops in which they are on, and are on in most large ones", () => {
    for (const [kind, leastOn] of [
      ["ordersFall", 0.85],
      ["priceHalves", 0.95],
      ["spendStops", 0.95],
      ["campaignLoses", 0.6],
      ["returnsDouble", 0.6],
    ] as const) {
      const all = Array.from({ length: WORLDS }, (_, no) => foundIn(200_000 + no, kind));
      const on = all.filter(({ isOn }) => isOn);
      const found = on.filter(({ day }) => day !== undefined && day <= 3);
      expect(found.length / on.length, kind).to.be.at.least(0.88);
      const large = all.filter(({ size }) => size >= 100);
      expect(large.filter(({ isOn }) => isOn).length / large.length, `${kind}: on`).to.be.at.least(leastOn);
    }
  });
});
