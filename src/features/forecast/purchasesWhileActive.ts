import { logBeta } from "./gamma.ts";

/** A sum of more terms is integrated. */
const MOST_TERMS = 20_000;
/** Share of a sum that may be left out. */
const NEGLIGIBLE = 1e-17;

/**
 * The purchases expected within a time of a customer who has not left: the numerator of Fader, Hardie and Lee 2005, eq. 10,
 *
 *     (a + b + x − 1) / (a − 1) × (1 − ((α + T) / (α + T + t))^(r + x) × ₂F₁(r + x, b + x; a + b + x − 1; t / (α + T + t)))
 *
 * with shape = r + x, rate = α + T, stays = b + x. That form is a difference of almost equal numbers around a = 1 and
 * for short times, and its ₂F₁ has a pole where a + b + x = 1. Here it is what it was derived from: the customer buys
 * K times unless they leave, K being of the negative binomial distribution, and is there for purchase j + 1 with the
 * probability (stays)_j / (a + stays)_j. So it is Σ P(K > j) × (stays)_j / (a + stays)_j over j ≥ 0, of positive terms only.
 */
export function expectedWhileActive(shape: number, rate: number, a: number, stays: number, time: number): number {
  const scaled = time / rate;
  const mean = shape * scaled;
  const most = mean + 12 * Math.sqrt(mean * (1 + scaled)) + 45 * (1 + scaled);
  return most > MOST_TERMS ? integrated(shape, scaled, a, stays) : summed(shape, scaled, a, stays, most);
}

function summed(shape: number, scaled: number, a: number, stays: number, most: number): number {
  const mean = shape * scaled;
  const ratio = scaled / (1 + scaled);
  // The logarithm of P(K = j), until it is not too small for a number.
  let logChance = -shape * Math.log1p(scaled);
  let chance = Math.exp(logChance);
  let more = -Math.expm1(logChance);
  let there = 1;
  let sum = 0;
  for (let j = 0; j <= most; j++) {
    sum += more * there;
    there *= (stays + j) / (a + stays + j);
    const growth = (ratio * (shape + j)) / (j + 1);
    if (chance > 1e-280) chance *= growth;
    else {
      logChance += Math.log(growth);
      chance = Math.exp(logChance);
    }
    more -= chance;
    if (more <= 0 || there * mean < NEGLIGIBLE * sum) break;
  }
  return sum;
}

/**
 * The same as the mean, over the probability p to leave after a purchase, of (1 − (1 + p × scaled)^−shape) / p: for a
 * sum that would be too long. p has the beta distribution of (a, stays). The variable is ln (p / (1 − p)), in which the
 * integrand is smooth; its tails are exponential and integrated exactly.
 */
function integrated(shape: number, scaled: number, a: number, stays: number): number {
  const logScale = logBeta(a, stays);
  const least = -(45 + Math.log(Math.max(1, shape) * Math.max(1, scaled) * (1 + stays + a)));
  const most = 45 + Math.log(1 + a + stays);
  const integrand = (logit: number): number => {
    const logLeave = -Math.log1p(Math.exp(-logit));
    const logStay = -Math.log1p(Math.exp(logit));
    const leave = Math.exp(logLeave);
    return (
      Math.exp(a * logLeave + stays * logStay - logScale) * (-Math.expm1(-shape * Math.log1p(leave * scaled)) / leave)
    );
  };
  const below = (shape * scaled * Math.exp(a * least - logScale)) / a;
  const above = (-Math.expm1(-shape * Math.log1p(scaled)) * Math.exp(-stays * most - logScale)) / stays;
  // Around the peak of the beta distribution, as narrow as it may be.
  const peak = Math.min(most, Math.max(least, Math.log(a / stays)));
  const width = Math.min(4, Math.sqrt(1 / a + 1 / stays));
  const cuts = [least, ...[-32, -8, -2, 0, 2, 8, 32].map((times) => peak + times * width), most]
    .map((cut) => Math.min(most, Math.max(least, cut)))
    .sort((one, other) => one - other);
  let sum = below + above;
  for (let no = 1; no < cuts.length; no++) {
    const [from = 0, to = 0] = [cuts[no - 1], cuts[no]];
    const pieces = Math.max(1, Math.ceil((to - from) / Math.max(0.5 * width, Math.min(2, (to - from) / 8))));
    for (let piece = 0; piece < pieces; piece++) {
      const step = (to - from) / pieces;
      sum += panel(integrand, from + piece * step, from + (piece + 1) * step);
    }
  }
  return sum;
}

/** Nodes and weights of Gauss and Legendre's rule with 16 points: those above 0. */
const NODES = [
  [0.09501250983763744, 0.1894506104550685],
  [0.2816035507792589, 0.1826034150449236],
  [0.4580167776572274, 0.16915651939500254],
  [0.6178762444026438, 0.14959598881657674],
  [0.755404408355003, 0.12462897125553388],
  [0.8656312023878318, 0.09515851168249279],
  [0.9445750230732326, 0.062253523938647894],
  [0.9894009349916499, 0.027152459411754096],
] as const;

function panel(integrand: (at: number) => number, from: number, to: number): number {
  const half = (to - from) / 2;
  const middle = (to + from) / 2;
  let sum = 0;
  for (const [node, weight] of NODES)
    sum += weight * (integrand(middle - half * node) + integrand(middle + half * node));
  return sum * half;
}
