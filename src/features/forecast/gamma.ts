/** Coefficients of Stirling's series of ln Γ: B(2k) / (2k (2k − 1)). */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360_360, 1 / 156, -3617 / 122_400] as const;
/** The same of ψ, B(2k) / (2k), and of its derivative, B(2k). */
const BERNOULLI = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510] as const;
/** From here on the series have the precision of a double. */
const LARGE = 10;
const HALF_LN_2_PI = 0.9189385332046728;

/** The logarithm of the gamma function, for s > 0. */
export function logGamma(s: number): number {
  let shift = 0;
  let large = s;
  // One logarithm of the product: the factors are at most ten.
  let product = 1;
  for (; large < LARGE; large++) product *= large;
  if (product !== 1) shift = Math.log(product);
  return (large - 0.5) * Math.log(large) - large + HALF_LN_2_PI + remainder(large) - shift;
}

/** Correction of Stirling's formula for large arguments. */
function remainder(s: number): number {
  const square = 1 / (s * s);
  let sum = 0;
  for (let k = STIRLING.length - 1; k >= 0; k--) sum = sum * square + (STIRLING[k] ?? 0);
  return sum / s;
}

/** ln Γ(s + n) − ln Γ(s), for s > 0 and n ≥ 0: without the cancellation of two large logarithms. */
export function logRising(s: number, n: number): number {
  if (s < LARGE) return logGamma(s + n) - logGamma(s);
  return (s - 0.5) * Math.log1p(n / s) + n * Math.log(s + n) - n + remainder(s + n) - remainder(s);
}

/** The logarithm of the beta function, for s, t > 0. */
export const logBeta = (s: number, t: number): number =>
  logGamma(Math.min(s, t)) - logRising(Math.max(s, t), Math.min(s, t));

/** ψ, the derivative of ln Γ, for s > 0. */
export function digamma(s: number): number {
  let sum = 0;
  let large = s;
  for (; large < LARGE; large++) sum -= 1 / large;
  const square = 1 / (large * large);
  let series = 0;
  for (let k = BERNOULLI.length - 1; k >= 0; k--) series = series * square + (BERNOULLI[k] ?? 0) / (2 * k + 2);
  return sum + Math.log(large) - 0.5 / large - series * square;
}

/** ψ′, for s > 0. */
export function trigamma(s: number): number {
  let sum = 0;
  let large = s;
  for (; large < LARGE; large++) sum += 1 / (large * large);
  const square = 1 / (large * large);
  let series = 0;
  for (let k = BERNOULLI.length - 1; k >= 0; k--) series = series * square + (BERNOULLI[k] ?? 0);
  return sum + 1 / large + 0.5 * square + (series * square) / large;
}
