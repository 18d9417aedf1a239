import { type Evaluation, type Maximum, maximize } from "./maximize.ts";
import { expectedWhileActive } from "./purchasesWhileActive.ts";

/** Groups of customers with the same purchases, in days: columns of one length. */
export interface Histories {
  /** x: repeat purchases. */
  readonly repeats: Int32Array;
  /** t_x: from the first purchase to the last. */
  readonly recency: Int32Array;
  /** T: from the first purchase to the end. */
  readonly age: Int32Array;
  readonly customers: Float64Array;
}

/** The parameters of BG/NBD in weeks: of the rate of purchases, and of the probability to leave after one. */
export interface BetaGeometric {
  readonly r: number;
  readonly alpha: number;
  readonly a: number;
  readonly b: number;
}

const DAYS = 7;

/** Fits BG/NBD by maximum likelihood (Fader, Hardie and Lee 2005, eq. 6). */
export function fitBetaGeometric(histories: Histories): Maximum & { readonly model: BetaGeometric } {
  const likelihood = new BetaGeometricLikelihood(histories);
  const maximum = maximize((parameters) => likelihood.at(parameters), likelihood.starts());
  const [r = 0, alpha = 0, a = 0, b = 0] = maximum.parameters;
  return { ...maximum, model: { r, alpha, a, b } };
}

/** The log-likelihood with both derivatives. Everything that depends on x only, or on a day only, is computed once. */
export class BetaGeometricLikelihood {
  readonly #histories: Histories;
  readonly #customers: number;
  /** `[i]`: the customers with more than i repeat purchases. */
  readonly #above: Float64Array;
  /** The different numbers of days, and where in them those of each group are. */
  readonly #days: readonly number[];
  readonly #recencyAt: Int32Array;
  readonly #ageAt: Int32Array;

  constructor(histories: Histories) {
    const { repeats, recency, age, customers } = histories;
    this.#histories = histories;
    this.#customers = customers.reduce((sum, one) => sum + one, 0);
    this.#above = countsAbove(repeats, customers);
    this.#days = [...new Set([...new Set(recency), ...new Set(age)])].sort((one, other) => one - other);
    const places = new Map(this.#days.map((day, at) => [day, at]));
    const placesOf = (days: Int32Array): Int32Array => days.map((day) => places.get(day) ?? 0);
    this.#recencyAt = placesOf(recency);
    this.#ageAt = placesOf(age);
  }

  /** Rates around the observed one, of few and of many customers that leave. */
  starts(): number[][] {
    const { repeats, age, customers } = this.#histories;
    let bought = 0;
    let weeks = 0;
    for (const [at, n] of customers.entries()) {
      bought += n * (repeats[at] ?? 0);
      weeks += (n * (age[at] ?? 0)) / DAYS;
    }
    const pace = Math.max(weeks, 1) / Math.max(bought, 1);
    const leaving = [
      [0.05, 5],
      [0.5, 1],
      [2, 5],
    ];
    return [0.2, 1, 5].flatMap((r) => leaving.map(([a = 1, b = 1]) => [r, r * pace, a, b]));
  }

  at([r = 0, alpha = 0, a = 0, b = 0]: readonly number[]): Evaluation {
    const { repeats, customers } = this.#histories;
    const recencyAt = this.#recencyAt;
    const ageAt = this.#ageAt;
    const weeks = this.#days.map((days) => alpha + days / DAYS);
    const logs = Float64Array.from(weeks, Math.log);
    const inverses = Float64Array.from(weeks, (one) => 1 / one);
    const chances = Float64Array.from(this.#above, (_, i) => Math.log(b + i));
    const logA = Math.log(a);
    let value = 0;
    let sumR = 0;
    let sumAlpha = 0;
    let sumRR = 0;
    let sumRAlpha = 0;
    let sumAlphaAlpha = 0;
    let sumA = 0;
    let sumB = 0;
    let sumRA = 0;
    let sumRB = 0;
    let sumAlphaA = 0;
    let sumAlphaB = 0;
    let sumAA = 0;
    let sumAB = 0;
    let sumBB = 0;
    for (let at = 0; at < customers.length; at++) {
      const n = customers[at] as number;
      const x = repeats[at] as number;
      const shape = r + x;
      const logAge = logs[ageAt[at] as number] as number;
      const byAge = inverses[ageAt[at] as number] as number;
      // If the customer is still active.
      value -= n * shape * logAge;
      sumR -= n * logAge;
      sumAlpha -= n * shape * byAge;
      sumRAlpha -= n * byAge;
      sumAlphaAlpha += n * shape * byAge * byAge;
      if (x === 0) continue;
      // The odds that the customer left with the last purchase.
      const byRecency = inverses[recencyAt[at] as number] as number;
      const byR = logAge - (logs[recencyAt[at] as number] as number);
      const byRAlpha = byAge - byRecency;
      const byAlpha = shape * byRAlpha;
      const byB = -1 / (b + x - 1);
      const odds = logA - (chances[x - 1] as number) + shape * byR;
      const ratio = Math.exp(-Math.abs(odds));
      const left = (odds > 0 ? 1 : ratio) / (1 + ratio);
      const one = n * left;
      const both = (n * ratio) / ((1 + ratio) * (1 + ratio));
      value += n * (Math.max(0, odds) + Math.log1p(ratio));
      sumR += one * byR;
      sumAlpha += one * byAlpha;
      sumA += one;
      sumB += one * byB;
      sumRR += both * byR * byR;
      sumRAlpha += one * byRAlpha + both * byR * byAlpha;
      sumAlphaAlpha += one * shape * (byRecency * byRecency - byAge * byAge) + both * byAlpha * byAlpha;
      sumRA += both * byR;
      sumRB += both * byR * byB;
      sumAlphaA += both * byAlpha;
      sumAlphaB += both * byAlpha * byB;
      sumAA += both - one;
      sumAB += both * byB;
      sumBB += (one + both) * byB * byB;
    }
    const all = this.#customers;
    value += all * r * Math.log(alpha);
    sumR += all * Math.log(alpha);
    sumAlpha += (all * r) / alpha;
    sumRAlpha += all / alpha;
    sumAlphaAlpha -= (all * r) / (alpha * alpha);
    sumA /= a;
    sumRA /= a;
    sumAlphaA /= a;
    sumAB /= a;
    sumAA /= a * a;
    for (const [i, n] of this.#above.entries()) {
      const byR = 1 / (r + i);
      const byB = 1 / (b + i);
      const byBoth = 1 / (a + b + i);
      value += n * (Math.log(r + i) - Math.log1p(a * byB));
      sumR += n * byR;
      sumRR -= n * byR * byR;
      sumA -= n * byBoth;
      sumB += n * (byB - byBoth);
      sumAA += n * byBoth * byBoth;
      sumAB += n * byBoth * byBoth;
      sumBB += n * (byBoth * byBoth - byB * byB);
    }
    return {
      value,
      gradient: [sumR, sumAlpha, sumA, sumB],
      hessian: [
        [sumRR, sumRAlpha, sumRA, sumRB],
        [sumRAlpha, sumAlphaAlpha, sumAlphaA, sumAlphaB],
        [sumRA, sumAlphaA, sumAA, sumAB],
        [sumRB, sumAlphaB, sumAB, sumBB],
      ],
    };
  }
}

/** `[i]`: the customers whose count is above i. A sum of rising factorials' logarithms, Σ ln (s)_x, is Σ above[i] × ln (s + i). */
function countsAbove(counts: Int32Array, customers: Float64Array): Float64Array {
  const above = new Float64Array(counts.reduce((most, count) => Math.max(most, count), 0));
  for (const [at, count] of counts.entries()) {
    if (count > 0) above[count - 1] = (above[count - 1] as number) + (customers[at] as number);
  }
  for (let i = above.length - 2; i >= 0; i--) above[i] = (above[i] as number) + (above[i + 1] as number);
  return above;
}

/** The probability that a customer has not left (eq. 10's denominator), by days. */
export function stillActive({ r, alpha, a, b }: BetaGeometric, repeats: number, recency: number, age: number): number {
  if (repeats === 0) return 1;
  const odds = Math.log(a / (b + repeats - 1)) + (r + repeats) * Math.log1p((age - recency) / (DAYS * alpha + recency));
  return 1 / (1 + Math.exp(odds));
}

/** The purchases of `weeks` weeks expected of a customer of this age, in days, who has not left. */
export const expectedOfActive = (
  { r, alpha, a, b }: BetaGeometric,
  repeats: number,
  age: number,
  weeks: number,
): number => expectedWhileActive(r + repeats, alpha + age / DAYS, a, b + repeats, weeks);
