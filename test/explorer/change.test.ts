import { expect } from "chai";

Object.assign(globalThis, {
  location: { hash: "" },
  addEventListener: () => {},
  history: {},
  localStorage: { getItem: () => null, setItem: () => {} },
  ...("navigator" in globalThis ? {} : { navigator: { languages: ["pt-BR"] } }),
});
const { shownChange, toneOf } = await import("../../explorer/src/change.ts");
const { change, difference, isFlat } = await import("../../explorer/src/format.ts");
const { language } = await import("../../explorer/src/preferences.ts");

describe("The change of a figure", () => {
  before(() => {
    language.value = "pt";
  });

  it("of a percentage or a ratio is in points, also where one of both is a loss", () => {
    expect(shownChange({ unit: "percent", value: 52, before: 60, change: -13.3 })).to.equal(-8);
    expect(shownChange({ unit: "ratio", value: 0.015, before: 0.036, change: -57.7 })).to.be.closeTo(-2.1, 1e-9);
    expect(shownChange({ unit: "ratio", value: 3.261, before: -0.5, change: null })).to.be.closeTo(376.1, 1e-9);
    expect(difference(-2.1)).to.equal("−2,1");
  });

  it("of anything else is in percent, but not of a loss, nor of an unknown value", () => {
    expect(shownChange({ unit: "currency", value: 12, before: 10, change: 20 })).to.equal(20);
    expect(shownChange({ unit: "currency", value: 12, before: -10, change: -220 })).to.equal(null);
    expect(shownChange({ unit: "ratio", value: null, before: 1, change: 1 })).to.equal(null);
    expect(shownChange({ unit: "count", value: 1, before: null, change: 1 })).to.equal(null);
  });

  it("has no direction and no verdict if its text is 0", () => {
    for (const value of [0, 0.04, -0.04, 0.049]) {
      expect(change(value), String(value)).to.equal("0%");
      expect(difference(value), String(value)).to.equal("0");
      expect(isFlat(value), String(value)).to.equal(true);
      expect(toneOf(value, "more"), String(value)).to.equal(undefined);
    }
    expect(toneOf(-0.06, "more")).to.equal("bad");
    expect(toneOf(-0.06, "less")).to.equal("good");
  });

  it("is a factor where a percentage would be unreadable, and nothing below a loss of all", () => {
    expect(change(999)).to.equal("+999%");
    expect(change(1000)).to.equal("×11");
    expect(change(416_666_628.8)).to.match(/^×4,17\smi$/);
    expect(change(-5000)).to.equal("");
  });
});
