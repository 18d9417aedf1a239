import { digamma, logBeta, trigamma } from "./gamma.ts";
import { type Evaluation, type Maximum, maximize } from "./maximize.ts";

/** Groups of customers with the same number of repeat purchases and the same mean revenue of them, by number. */
export interface Spending {
  readonly repeats: Int32Array;
  /** m, above 0. */
  readonly mean: Float64Array;
  readonly customers: Float64Array;
}

/** The parameters of Gamma-Gamma, and the mean of the m that they were fitted to. */
export interface GammaGamma {
  readonly p: number;
  readonly q: number;
  readonly gamma: number;
  readonly meanRevenue: number;
}

/** Fits Gamma-Gamma by maximum likelihood (Fader and Hardie 2013, eq. 1a); γ is searched relative to the mean of m. */
export function fitGammaGamma(spending: Spending): Maximum & { readonly model: GammaGamma } {
  const { mean, customers } = spending;
  let all = 0;
  let sum = 0;
  for (const [at, n] of customers.entries()) {
    all += n;
    sum += n * (mean[at] as number);
  }
  const meanRevenue = sum / all;
  const scaled = { ...spending, mean: mean.map((one) => one / meanRevenue) };
  const maximum = maximize((parameters) => gammaGammaLikelihood(scaled, parameters), STARTS);
  const [p = 0, q = 0, scale = 0] = maximum.parameters;
  return { ...maximum, model: { p, q, gamma: scale * meanRevenue, meanRevenue } };
}

/** With q > 1 their population means are about the mean of m. The last is for amounts of very different sizes. */
const STARTS = [
  [1, 2, 1],
  [6, 4, 0.5],
  [0.5, 10, 18],
  [20, 20, 1],
  [2, 100, 50],
  [1, 0.5, 1],
  [10, 0.25, 0.001],
];

/**
 * The log-likelihood, but for Σ ln m, with both derivatives by p, q and γ. Groups of one x must be next to each other: what
 * depends on x only is computed once.
 */
export function gammaGammaLikelihood(spending: Spending, [p = 0, q = 0, scale = 0]: readonly number[]): Evaluation {
  const { repeats, mean, customers } = spending;
  const digammaQ = digamma(q);
  const trigammaQ = trigamma(q);
  let value = 0;
  let [sumP, sumQ, sumScale] = [0, 0, 0];
  let [sumPP, sumPQ, sumPScale, sumQQ, sumQScale, sumScaleScale] = [0, 0, 0, 0, 0, 0];
  for (let from = 0; from < customers.length; ) {
    const x = repeats[from] as number;
    let n = 0;
    let logs = 0;
    let logRests = 0;
    let inverses = 0;
    let squares = 0;
    let to = from;
    for (; to < customers.length && repeats[to] === x; to++) {
      const weight = customers[to] as number;
      const total = x * (mean[to] as number);
      const inverse = 1 / (scale + total);
      n += weight;
      logs += weight * Math.log(total * inverse);
      logRests -= weight * Math.log1p(total / scale);
      inverses += weight * inverse;
      squares += weight * inverse * inverse;
    }
    from = to;
    const own = p * x;
    const shape = own + q;
    const digammaShape = digamma(shape);
    const trigammaShape = trigamma(shape);
    value += own * logs + q * logRests - n * logBeta(own, q);
    sumP += x * (logs + n * (digammaShape - digamma(own)));
    sumQ += logRests + n * (digammaShape - digammaQ);
    sumScale += (n * q) / scale - shape * inverses;
    sumPP += n * x * x * (trigammaShape - trigamma(own));
    sumPQ += n * x * trigammaShape;
    sumPScale -= x * inverses;
    sumQQ += n * (trigammaShape - trigammaQ);
    sumQScale += n / scale - inverses;
    sumScaleScale += shape * squares - (n * q) / (scale * scale);
  }
  return {
    value,
    gradient: [sumP, sumQ, sumScale],
    hessian: [
      [sumPP, sumPQ, sumPScale],
      [sumPQ, sumQQ, sumQScale],
      [sumPScale, sumQScale, sumScaleScale],
    ],
  };
}

/** The mean revenue of a purchase in the population: that of customers without a repeat purchase. */
export const populationMean = ({ p, q, gamma, meanRevenue }: GammaGamma): number =>
  q > 1 ? (p * gamma) / (q - 1) : meanRevenue;

/** The expected mean revenue of a purchase of a customer with x > 0 repeat purchases of the mean revenue m (eq. 5). */
export const expectedMean = (model: GammaGamma, repeats: number, mean: number): number => {
  const { p, q, gamma, meanRevenue } = model;
  const shape = p * repeats + q;
  return shape > 1 ? (p * (gamma + repeats * mean)) / (shape - 1) : meanRevenue;
};
