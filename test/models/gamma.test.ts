import { expect } from "chai";
import { digamma, logBeta, logGamma, logRising, trigamma } from "../../src/features/forecast/gamma.ts";

/** s, ln Γ, ψ and ψ′, computed with 80 digits. */
const EXACT = [
  [0.0001, 9.210282658633963, -10000.577051183514, 100000001.64469369],
  [0.5, 0.5723649429247001, -1.9635100260214235, 4.934802200544679],
  [2.5, 0.2846828704729192, 0.7031566406452432, 0.49035775610023485],
  [9.99, 12.779315214350193, 2.250700372831201, 0.10527695014824179],
  [10, 12.80182748008147, 2.251752589066721, 0.10516633568168575],
  [123.4, 469.3360974421906, 4.8113737751162775, 0.008136651610865263],
  [1000000.5, 12815511.476902766, 13.815510557964316, 9.999999999999167e-7],
] as const;

function expectClose(actual: number, exact: number, what: string): void {
  expect(Math.abs(actual - exact), what).to.be.at.most(4e-15 * Math.max(1, Math.abs(exact)));
}

describe("The gamma function", () => {
  it("has the logarithm, ψ and ψ′ of exact computations", () => {
    for (const [s, log, first, second] of EXACT) {
      expectClose(logGamma(s), log, `ln Γ(${s})`);
      expectClose(digamma(s), first, `ψ(${s})`);
      expectClose(trigamma(s), second, `ψ′(${s})`);
    }
  });

  it("is 1 at 1 and 2", () => {
    expect([logGamma(1), logGamma(2)].map((log) => Math.abs(log) < 1e-14)).to.deep.equal([true, true]);
  });

  it("has rising factorials that are products", () => {
    for (const s of [0.0001, 0.3, 5, 9.9, 10, 800, 10_000]) {
      let product = 0;
      for (let n = 0; n < 50; n++) {
        expectClose(logRising(s, n), product, `(${s})_${n}`);
        product += Math.log(s + n);
      }
    }
  });

  it("has a symmetric beta function", () => {
    expectClose(logBeta(2, 3), Math.log(1 / 12), "B(2, 3)");
    for (const [s, t] of [
      [0.0001, 10_000],
      [7, 0.5],
      [10_000, 10_000],
    ] as const)
      expect(logBeta(s, t)).to.equal(logBeta(t, s));
  });
});
