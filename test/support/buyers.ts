import { seeded } from "./data.ts";

/** How random customers buy: the parameters of BG/NBD, in days, and of Gamma-Gamma. */
export interface Buying {
  readonly r: number;
  readonly alpha: number;
  readonly a: number;
  readonly b: number;
  readonly p: number;
  readonly q: number;
  readonly gamma: number;
}

export const USUAL: Buying = { r: 0.7, alpha: 40, a: 0.6, b: 2.5, p: 4, q: 4, gamma: 40 };

/** A purchase: the customer, the days since the first possible day, and an amount. */
export interface Bought {
  readonly customer: number;
  readonly day: number;
  readonly cents: number;
}

/** Purchases of customers who come at any time of so many days, in the order of the customers. */
export function boughtBy(customers: number, days: number, seed: number, buying: Buying = USUAL): Bought[] {
  const random = seeded(seed);
  const positive = (): number => 1 - random();
  const gamma = (shape: number): number => {
    if (shape < 1) return gamma(shape + 1) * positive() ** (1 / shape);
    // Marsaglia and Tsang's method.
    const d = shape - 1 / 3;
    for (;;) {
      const normal = Math.sqrt(-2 * Math.log(positive())) * Math.cos(2 * Math.PI * random());
      const v = (1 + normal / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(positive()) < 0.5 * normal * normal + d - d * v + d * Math.log(v)) return d * v;
    }
  };
  const all: Bought[] = [];
  for (let customer = 0; customer < customers; customer++) {
    const rate = gamma(buying.r) / buying.alpha;
    const one = gamma(buying.a);
    const leaves = one / (one + gamma(buying.b));
    const scale = gamma(buying.q) / buying.gamma;
    // Nobody leaves after the first purchase.
    for (let at = random() * days, no = 0; at < days; no++) {
      all.push({ customer, day: Math.floor(at), cents: Math.max(1, Math.round((gamma(buying.p) / scale) * 100)) });
      if (no > 0 && random() < leaves) break;
      at -= Math.log(positive()) / rate;
    }
  }
  return all;
}
