import { coverageOf } from "./coverage.ts";
import { daysFrom, firstOfMonth, monthNo, plusDays } from "./days.ts";
import { type Counted, type Customer, type Facts, firstOf, grouped } from "./facts.ts";
import { revenueOf } from "./figures.ts";
import { Fraction } from "./fraction.ts";
import { type Answer, money } from "./profitability.ts";

/**
 * `/v1/profitability/forecast`, only from the sentences of the rules and the published papers: customer by customer, the
 * printed formulas, and a search that needs no derivatives. Its projections are close to those of the service, not equal.
 */

const NOTHING = { confidence: null, model: null, data: null, total: null, holdOut: null };

/** What is known of a customer on a day: in weeks, and in the organization's currency. */
interface Known {
  readonly customer: Customer;
  readonly x: number;
  readonly recency: number;
  readonly age: number;
  readonly m: number;
  readonly later: readonly Counted[];
}

interface Models {
  readonly r: number;
  readonly alpha: number;
  readonly a: number;
  readonly b: number;
  readonly logLikelihood: number;
  readonly p: number;
  readonly q: number;
  readonly gamma: number;
  readonly meanOfM: number;
}

export function forecast(facts: Facts): Answer {
  const { horizon, customers, margin } = facts;
  const head = {
    period: { startDate: null, endDate: null },
    asOf: facts.asOf,
    coverage: coverageOf(facts, { end: null }, "stores"),
    ...margin.fields,
  };
  if (horizon === null) return { ...head, state: "too_little", ...NOTHING };
  const cutoff = plusDays(horizon, -182);
  const now = knownOn(horizon, customers);
  const before = knownOn(cutoff, customers);
  const firstDay = customers.flatMap(({ orders }) => orders.map(({ day }) => day)).sort()[0] ?? horizon;
  const isTooLittle =
    daysFrom(firstDay, horizon) - 1 < 364 ||
    before.filter(({ x }) => x > 0).length < 100 ||
    [now, before].some((known) => !known.some(({ x, m }) => x > 0 && m > 0));
  if (isTooLittle) return { ...head, state: "too_little", ...NOTHING };
  const models = fitted(now);
  const holdOut = heldOut(before, cutoff);
  const months = [...grouped(now, ({ customer }) => monthNo(firstOf(customer).day))].sort(
    ([one], [other]) => one - other,
  );
  const { meanOfM: _, ...shown } = models;
  return {
    ...head,
    state: "ready",
    confidence: confidenceOf(holdOut.purchases.errorPct),
    model: { ...shown, customers: now.length, repeatCustomers: now.filter(({ x }) => x > 0).length },
    data: months.map(([month, known]) => ({
      cohortMonth: firstOfMonth(month),
      ...expectedOf(known, models, margin.rate),
    })),
    total: expectedOf(now, models, margin.rate),
    holdOut,
  };
}

function knownOn(day: string, customers: readonly Customer[]): Known[] {
  const all: Known[] = [];
  for (const customer of customers) {
    const days = [...grouped(customer.orders, (order) => order.day)].sort(([one], [other]) => (one < other ? -1 : 1));
    const known = days.filter(([bought]) => bought <= day);
    const [first, ...repeats] = known;
    if (!first) continue;
    const weeks = (from: string, to: string): number => (daysFrom(from, to) - 1) / 7;
    const spent = Number(revenueOf(repeats.flatMap(([, orders]) => orders)).number(6));
    all.push({
      customer,
      x: repeats.length,
      recency: weeks(first[0], known.at(-1)?.[0] ?? first[0]),
      age: weeks(first[0], day),
      m: repeats.length > 0 ? spent / repeats.length : 0,
      later: customer.orders.filter((order) => order.day > day),
    });
  }
  return all;
}

function expectedOf(known: readonly Known[], models: Models, rate: Fraction): Answer {
  const revenue = revenueOf(known.flatMap(({ customer }) => customer.orders));
  const toDate = Number(revenue.times(rate).per(new Fraction(known.length))?.number(12));
  const within = (weeks: number) => {
    const each = known.map((one) => {
      const purchases = expectedPurchases(one, models, weeks);
      return { purchases, revenue: purchases * expectedMean(one, models) };
    });
    const total = each.reduce((sum, one) => sum + one.revenue, 0);
    return {
      purchases: each.reduce((sum, one) => sum + one.purchases, 0),
      revenue: total,
      contribution: total * Number(rate.number(6)),
    };
  };
  const year = within(52);
  return {
    customers: known.length,
    revenueToDate: money(revenue),
    ltvToDate: money(revenue.times(rate).per(new Fraction(known.length))),
    weeks13: within(13),
    weeks26: within(26),
    weeks52: year,
    ltvPredicted: toDate + year.contribution / known.length,
  };
}

function heldOut(before: readonly Known[], cutoff: string) {
  const models = fitted(before);
  const bought = (known: readonly Known[]): number =>
    known.reduce((sum, { later }) => sum + new Set(later.map(({ day }) => day)).size, 0);
  const predicted = (known: readonly Known[]): number =>
    known.reduce((sum, one) => sum + expectedPurchases(one, models, 26), 0);
  const actualRevenue = revenueOf(before.flatMap(({ later }) => later));
  const predictedRevenue = before.reduce(
    (sum, one) => sum + expectedPurchases(one, models, 26) * expectedMean(one, models),
    0,
  );
  const error = (actual: number, expected: number): number | null =>
    actual === 0 ? null : (100 * (expected - actual)) / actual;
  const [actual, all] = [bought(before), predicted(before)];
  return {
    cutoff,
    customers: before.length,
    purchases: { actual, predicted: all, errorPct: error(actual, all) },
    revenue: {
      actual: money(actualRevenue),
      predicted: predictedRevenue,
      errorPct: error(Number(actualRevenue.number(6)), predictedRevenue),
    },
    byFrequency: [0, 1, 2, 3, 4, 5, 6, 7].map((x) => {
      const row = before.filter((one) => Math.min(one.x, 7) === x);
      return { x, customers: row.length, actual: bought(row), predicted: predicted(row) };
    }),
  };
}

const confidenceOf = (error: number | null): string =>
  error === null || Math.abs(error) > 25 ? "low" : Math.abs(error) > 10 ? "medium" : "high";

// ------------------------------------------------------------------------------------------------------ the models

/** Fader, Hardie and Lee 2005, eq. 10, as printed, with Gauss's series. */
function expectedPurchases({ x, recency, age }: Known, { r, alpha, a, b }: Models, weeks: number): number {
  const z = weeks / (alpha + age + weeks);
  const c = a + b + x - 1;
  let term = 1;
  let series = 1;
  for (let k = 0; term > 1e-16 * series; k++) {
    term *= ((r + x + k) * (b + x + k) * z) / ((c + k) * (k + 1));
    series += term;
  }
  const active = (c / (a - 1)) * (1 - ((alpha + age) / (alpha + age + weeks)) ** (r + x) * series);
  return active / (1 + (x > 0 ? (a / (b + x - 1)) * ((alpha + age) / (alpha + recency)) ** (r + x) : 0));
}

/** Fader and Hardie 2013, eq. 5. */
function expectedMean({ x, m }: Known, { p, q, gamma, meanOfM }: Models): number {
  return p * x + q > 1 ? (p * (gamma + m * x)) / (p * x + q - 1) : meanOfM;
}

function fitted(known: readonly Known[]): Models {
  const purchases = searched([1, 5, 0.5, 2], (at) => known.reduce((sum, one) => sum + logPurchases(one, at), 0));
  const spending = known.filter(({ x, m }) => x > 0 && m > 0);
  const meanOfM = spending.reduce((sum, { m }) => sum + m, 0) / spending.length;
  const revenue = searched([2, 3, 1], ([p = 0, q = 0, v = 0]) =>
    spending.reduce((sum, one) => sum + logRevenue(one, [p, q, v * meanOfM]), 0),
  );
  const [r = 0, alpha = 0, a = 0, b = 0] = purchases.at;
  const [p = 0, q = 0, v = 0] = revenue.at;
  return { r, alpha, a, b, logLikelihood: purchases.value, p, q, gamma: v * meanOfM, meanOfM };
}

/** Eq. 6: ln (A1 × A2 × (A3 + A4)). */
function logPurchases({ x, recency, age }: Known, [r = 0, alpha = 0, a = 0, b = 0]: readonly number[]): number {
  const first = lnGamma(r + x) - lnGamma(r) + r * Math.log(alpha);
  const second = lnGamma(a + b) + lnGamma(b + x) - lnGamma(b) - lnGamma(a + b + x);
  const active = -(r + x) * Math.log(alpha + age);
  const left = x > 0 ? Math.log(a) - Math.log(b + x - 1) - (r + x) * Math.log(alpha + recency) : -Infinity;
  const larger = Math.max(active, left);
  return first + second + larger + Math.log(Math.exp(active - larger) + Math.exp(left - larger));
}

/** Eq. 1a. */
function logRevenue({ x, m }: Known, [p = 0, q = 0, gamma = 0]: readonly number[]): number {
  return (
    lnGamma(p * x + q) -
    lnGamma(p * x) -
    lnGamma(q) +
    q * Math.log(gamma) +
    (p * x - 1) * Math.log(m) +
    p * x * Math.log(x) -
    (p * x + q) * Math.log(gamma + m * x)
  );
}

/** Lanczos's approximation with nine terms. */
function lnGamma(s: number): number {
  if (s < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * s)) - lnGamma(1 - s);
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  const sum = terms.reduce((all, term, no) => all + term / (s + no), 0.9999999999998099);
  const t = s + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (s - 0.5) * Math.log(t) - t + Math.log(sum);
}

interface Point {
  readonly at: readonly number[];
  readonly value: number;
}

/** The largest value, by the method of Nelder and Mead over logarithms, begun again where it ended until nothing is gained. */
function searched(start: readonly number[], value: (parameters: readonly number[]) => number): Point {
  const point = (at: readonly number[]): Point => ({ at, value: value(at.map(Math.exp)) });
  let best = point(start.map(Math.log));
  for (;;) {
    const found = simplex(best, point);
    const gained = found.value - best.value;
    best = found;
    if (gained < 1e-8) return { at: best.at.map(Math.exp), value: best.value };
  }
}

function simplex(start: Point, point: (at: readonly number[]) => Point): Point {
  let points = [start, ...start.at.map((_, no) => point(start.at.map((one, other) => one + (other === no ? 0.5 : 0))))];
  for (let step = 0; step < 2_000; step++) {
    points.sort((one, other) => other.value - one.value);
    const [best, worst] = [points[0] as Point, points.at(-1) as Point];
    if (best.value - worst.value < 1e-10) break;
    const rest = points.slice(0, -1);
    const middle = best.at.map((_, no) => rest.reduce((sum, one) => sum + (one.at[no] ?? 0), 0) / rest.length);
    const towards = (factor: number): Point =>
      point(middle.map((one, no) => one + factor * (one - (worst.at[no] ?? 0))));
    const reflected = towards(1);
    const second = rest.at(-1) as Point;
    let next = reflected;
    if (reflected.value > best.value) {
      const further = towards(2);
      if (further.value > reflected.value) next = further;
    } else if (reflected.value <= second.value) next = towards(reflected.value > worst.value ? 0.5 : -0.5);
    if (next.value > Math.min(second.value, worst.value) && next.value > worst.value) points = [...rest, next];
    else
      points = [best, ...points.slice(1).map(({ at }) => point(at.map((one, no) => (one + (best.at[no] ?? 0)) / 2)))];
  }
  return points.reduce((one, other) => (other.value > one.value ? other : one));
}
