import { expect } from "chai";
import fc from "fast-check";
import { expectedWhileActive } from "../../src/features/forecast/purchasesWhileActive.ts";

/** r + x, α + T, a, b + x, t, and the numerator of eq. 10 with 150 digits in its ₂F₁. */
const EXACT = [
  [0.243, 43.274, 0.793, 2.426, 39, 0.19509805201126265],
  [2.243, 43.274, 0.793, 4.426, 39, 1.687399305805313],
  [0.8265, 9.844, 0.003437, 6.745, 52, 4.358715123936306],
  [1000.8265, 62.844, 0.003437, 1006.745, 52, 827.1903373229499],
  [3.8265, 9.986857, 0.0001, 9.745, 13, 4.9808639156098495],
  [0.0001, 0.0001, 0.0001, 0.0001, 52, 25.969057666345932],
  [10000, 0.0001, 10000, 10000, 52, 2.0001000100010002],
  [10000, 10000, 0.0001, 10000, 52, 51.99998650202907],
  [10000, 0.0001, 0.0001, 0.0001, 52, 2594299546.436928],
  [1, 0.0001, 1.5, 1, 13, 2.9869532614033605],
  [1000, 1, 0.5, 0.3, 52, 177.86557185364308],
  [2, 3, 1.0000001, 2, 52, 5.817441119077471],
  [0.25, 0.0001, 0.3, 0.2, 52, 1574.1129094027965],
  [5000, 50, 3, 5000, 26, 1418.2072276914766],
] as const;

/** Eq. 10 as printed, with Gauss's series. */
function printed(shape: number, rate: number, a: number, stays: number, time: number): number {
  const z = time / (rate + time);
  const c = a + stays - 1;
  let term = 1;
  let series = 1;
  for (let k = 0; k < 200_000 && Math.abs(term) > 1e-18 * series; k++) {
    term *= ((shape + k) * (stays + k) * z) / ((c + k) * (k + 1));
    series += term;
  }
  return (c / (a - 1)) * (1 - (rate / (rate + time)) ** shape * series);
}

/** The mean over the probability to leave after a purchase, by Simpson's rule over ln (p / (1 − p)). */
function integrated(shape: number, rate: number, a: number, stays: number, time: number): number {
  const steps = 200_000;
  const peak = Math.log(a / stays);
  const width = Math.sqrt(1 / a + 1 / stays);
  const from = peak - 40 * (width + 1 / a);
  const step = (peak + 40 * (width + 1 / stays) - from) / steps;
  const density = (logit: number): number => -a * Math.log1p(Math.exp(-logit)) - stays * Math.log1p(Math.exp(logit));
  const most = density(peak);
  let mass = 0;
  let sum = 0;
  for (let n = 0; n <= steps; n++) {
    const logit = from + n * step;
    const p = 1 / (1 + Math.exp(-logit));
    const buys = p < 1e-12 ? (shape * time) / rate : -Math.expm1(-shape * Math.log1p((p * time) / rate)) / p;
    const weight = (n === 0 || n === steps ? 1 : n % 2 === 1 ? 4 : 2) * Math.exp(density(logit) - most);
    mass += weight;
    sum += weight * buys;
  }
  return sum / mass;
}

const relative = (actual: number, expected: number): number => Math.abs(actual / expected - 1);

describe("The purchases expected of an active customer (Fader, Hardie and Lee 2005, eq. 10)", () => {
  it("are those of exact computations, up to the bounds of the parameters", () => {
    for (const [shape, rate, a, stays, time, exact] of EXACT)
      expect(
        relative(expectedWhileActive(shape, rate, a, stays, time), exact),
        `${[shape, rate, a, stays, time]}`,
      ).to.be.below(1e-11);
  });

  const parameter = (least: number, most: number) =>
    fc.double({ min: Math.log(least), max: Math.log(most), noNaN: true }).map(Math.exp);
  const repeats = fc.oneof(fc.nat(20), fc.nat(1000));
  const weeks = fc.constantFrom(13, 26, 52);

  it("are those of the printed formula, where that does not cancel", () => {
    fc.assert(
      fc.property(
        parameter(0.05, 20),
        parameter(0.5, 100),
        fc.oneof(parameter(0.001, 0.5), parameter(1.5, 20)),
        parameter(0.6, 50),
        fc.nat(20),
        fc.nat(1000),
        weeks,
        (r, alpha, a, b, x, days, time) => {
          const asked = [r + x, alpha + days / 7, a, b + x, time] as const;
          fc.pre(a + b > 1.01);
          expect(relative(expectedWhileActive(...asked), printed(...asked)), `${asked}`).to.be.below(1e-7);
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  it("are those of an integral over the probability to leave, for any parameters and 1,000 purchases", () => {
    fc.assert(
      fc.property(
        parameter(0.0001, 10_000),
        parameter(0.0001, 10_000),
        parameter(0.05, 10_000),
        parameter(0.05, 10_000),
        repeats,
        fc.nat(1000),
        weeks,
        (r, alpha, a, b, x, days, time) => {
          const asked = [r + x, alpha + days / 7, a, b + x, time] as const;
          expect(relative(expectedWhileActive(...asked), integrated(...asked)), `${asked}`).to.be.below(1e-8);
        },
      ),
      { seed: 2, numRuns: 40 },
    );
  });

  it("grow with the time, and are at most those of a customer who never leaves", () => {
    fc.assert(
      fc.property(
        parameter(0.0001, 10_000),
        parameter(0.0001, 10_000),
        parameter(0.0001, 10_000),
        parameter(0.0001, 10_000),
        repeats,
        fc.nat(1000),
        (r, alpha, a, b, x, days) => {
          const rate = alpha + days / 7;
          const [short = 0, middle = 0, long = 0] = [13, 26, 52].map((time) =>
            expectedWhileActive(r + x, rate, a, b + x, time),
          );
          expect(short).to.be.above(0);
          expect(middle).to.be.at.least(short);
          expect(long).to.be.at.least(middle);
          expect(long).to.be.at.most((((r + x) * 52) / rate) * (1 + 1e-9));
        },
      ),
      { seed: 3, numRuns: 500 },
    );
  });
});
