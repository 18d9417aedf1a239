import { expect } from "chai";
import { confidenceOf, lower } from "../../explorer/src/confidence.ts";

describe("The confidence of a forecast", () => {
  it("is high up to 10 % of error in its test, medium up to 25 %, in both directions", () => {
    expect([0, 10, -10, 10.1, -25, 25.1, -30.9].map(confidenceOf)).to.deep.equal([
      "high",
      "high",
      "high",
      "medium",
      "medium",
      "low",
      "low",
    ]);
  });

  it("is low if the error is unknown", () => {
    expect(confidenceOf(null)).to.equal("low");
  });

  it("of several figures is that of the worst", () => {
    expect(lower("high", "low")).to.equal("low");
    expect(lower("medium", "high")).to.equal("medium");
    expect(lower("high", "high")).to.equal("high");
  });
});
