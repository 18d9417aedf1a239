import { expect } from "chai";
import {
  BetaGeometricLikelihood,
  fitBetaGeometric,
  type Histories,
} from "../../src/features/forecast/betaGeometric.ts";
import { fitGammaGamma, gammaGammaLikelihood, type Spending } from "../../src/features/forecast/gammaGamma.ts";
import type { Evaluation } from "../../src/features/forecast/maximize.ts";
import { type Buying, boughtBy, USUAL } from "../support/buyers.ts";
import { seeded } from "../support/data.ts";

const DAYS = 730;

interface Customer {
  readonly repeats: number;
  readonly recency: number;
  readonly age: number;
  readonly mean: number;
}

function customersOf(count: number, seed: number, buying: Buying = USUAL): Customer[] {
  const histories = Array.from({ length: count }, () => new Map<number, number>());
  for (const { customer, day, cents } of boughtBy(count, DAYS, seed, buying)) {
    const amounts = histories[customer];
    amounts?.set(day, (amounts.get(day) ?? 0) + cents / 100);
  }
  return histories.map((amounts) => {
    const [first = 0, ...later] = [...amounts.keys()];
    const spent = later.reduce((sum, day) => sum + (amounts.get(day) ?? 0), 0);
    const mean = later.length === 0 ? 0 : spent / later.length;
    return { repeats: later.length, recency: (later.at(-1) ?? first) - first, age: DAYS - first, mean };
  });
}

const ones = (all: readonly unknown[]): Float64Array => new Float64Array(all.length).fill(1);

const historiesOf = (customers: readonly Customer[]): Histories => ({
  repeats: Int32Array.from(customers, ({ repeats }) => repeats),
  recency: Int32Array.from(customers, ({ recency }) => recency),
  age: Int32Array.from(customers, ({ age }) => age),
  customers: ones(customers),
});

function spendingOf(customers: readonly Customer[]): Spending {
  const repeating = customers.filter(({ repeats }) => repeats > 0).sort((one, other) => one.repeats - other.repeats);
  return {
    repeats: Int32Array.from(repeating, ({ repeats }) => repeats),
    mean: Float64Array.from(repeating, ({ mean }) => mean),
    customers: ones(repeating),
  };
}

/** Finds no better parameters near the maximum: random steps of all sizes, which are kept if they are better. */
function expectMaximum(value: (parameters: readonly number[]) => number, found: readonly number[]): void {
  const random = seeded(7);
  let best = found;
  let most = value(found);
  const began = most;
  for (let step = 0; step < 4_000; step++) {
    const size = 10 ** (-5 * random());
    const next = best.map((one) => Math.min(10_000, Math.max(0.0001, one * Math.exp(size * (2 * random() - 1)))));
    const there = value(next);
    if (there > most) [best, most] = [next, there];
  }
  expect(most - began, `${found} is below ${best}`).to.be.below(1e-5);
}

/** Compares the derivatives with differences of values. */
function expectDerivatives(at: (parameters: readonly number[]) => Evaluation, parameters: readonly number[]): void {
  const { gradient, hessian } = at(parameters);
  for (const [no, one] of parameters.entries()) {
    const step = one * 1e-4;
    const shifted = [step, -step].map((shift) =>
      at(parameters.map((each, other) => each + (other === no ? shift : 0))),
    );
    const [up, down] = shifted as [Evaluation, Evaluation];
    const close = (actual: number, difference: number, what: string): void => {
      expect(Math.abs(actual - difference), what).to.be.below(1e-4 * Math.max(1, Math.abs(actual)));
    };
    close(gradient[no] ?? 0, (up.value - down.value) / (2 * step), `slope ${no}`);
    for (const [other, slope] of up.gradient.entries())
      close(hessian[no]?.[other] ?? 0, (slope - (down.gradient[other] ?? 0)) / (2 * step), `curvature ${no} ${other}`);
  }
}

const MANY = customersOf(20_000, 1);

describe("BG/NBD", () => {
  it("has derivatives that are those of its values", () => {
    const likelihood = new BetaGeometricLikelihood(historiesOf(MANY.slice(0, 500)));
    for (const parameters of [
      [0.7, 6, 0.6, 2.5],
      [3, 0.5, 0.01, 40],
      [0.01, 50, 5, 0.3],
    ])
      expectDerivatives((at) => likelihood.at(at), parameters);
  });

  it("finds the parameters that customers were made with", () => {
    const { model } = fitBetaGeometric(historiesOf(MANY));
    expect(model.r).to.be.closeTo(USUAL.r, 0.05);
    expect(model.alpha).to.be.closeTo(USUAL.alpha / 7, 0.5);
    expect(model.a / (model.a + model.b)).to.be.closeTo(USUAL.a / (USUAL.a + USUAL.b), 0.03);
  });

  it("finds a maximum: nothing near it is better by 0.00001", () => {
    for (const customers of [MANY.slice(0, 300), customersOf(300, 2, { ...USUAL, a: 0.01, b: 20 })]) {
      const likelihood = new BetaGeometricLikelihood(historiesOf(customers));
      const { parameters } = fitBetaGeometric(historiesOf(customers));
      expectMaximum((at) => likelihood.at(at).value, parameters);
    }
  });

  it("gives the same for equal customers as one group, and in any order but for rounding", () => {
    const customers = MANY.slice(0, 400);
    const apart = historiesOf([...customers, ...customers, ...customers]);
    const together = { ...historiesOf(customers), customers: ones(customers).fill(3) };
    const [one, other] = [fitBetaGeometric(apart), fitBetaGeometric(together)];
    one.parameters.forEach((parameter, no) => {
      expect(parameter / (other.parameters[no] ?? 0)).to.be.closeTo(1, 1e-6);
    });
  });

  it("ends within the bounds where the likelihood is flat or has no maximum inside", () => {
    const alike: Record<string, Customer> = {
      "bought once": { repeats: 0, recency: 0, age: 400, mean: 0 },
      "bought every week, last on the last day": { repeats: 52, recency: 364, age: 364, mean: 10 },
      "bought twice, on two days at the start": { repeats: 1, recency: 1, age: 3_000, mean: 10 },
      "came on the last day": { repeats: 0, recency: 0, age: 0, mean: 0 },
      "bought a thousand times": { repeats: 1_000, recency: 1_000, age: 1_001, mean: 0.01 },
    };
    for (const [what, customer] of Object.entries(alike)) {
      const histories = { ...historiesOf([customer]), customers: Float64Array.of(500) };
      const { parameters, value, evaluations } = fitBetaGeometric(histories);
      expect(evaluations, what).to.be.below(3_000);
      expect(Number.isFinite(value), what).to.equal(true);
      for (const parameter of parameters) expect(parameter, what).to.be.within(0.0001, 10_000);
      const likelihood = new BetaGeometricLikelihood(histories);
      expectMaximum((at) => likelihood.at(at).value, parameters);
    }
  });
});

describe("Gamma-Gamma", () => {
  it("has derivatives that are those of its values", () => {
    const spending = spendingOf(MANY.slice(0, 500));
    for (const parameters of [
      [4, 4, 40],
      [0.3, 12, 5],
      [20, 0.5, 300],
    ])
      expectDerivatives((at) => gammaGammaLikelihood(spending, at), parameters);
  });

  it("finds the parameters that customers were made with", () => {
    const { model } = fitGammaGamma(spendingOf(MANY));
    expect(model.p).to.be.closeTo(USUAL.p, 0.5);
    expect(model.q).to.be.closeTo(USUAL.q, 0.3);
    expect((model.p * model.gamma) / (model.q - 1)).to.be.closeTo((USUAL.p * USUAL.gamma) / (USUAL.q - 1), 2);
  });

  it("finds a maximum: nothing near it is better by 0.00001, also where the likelihood is flat", () => {
    const equal = MANY.slice(0, 200).map((customer) => ({ ...customer, mean: 25 }));
    const random = seeded(3);
    const wild = MANY.slice(0, 200).map((customer) => ({ ...customer, mean: 10 ** (12 * random() - 6) }));
    for (const customers of [MANY.slice(0, 300), equal, wild, equal.slice(0, 5), wild.slice(0, 9)]) {
      const spending = spendingOf(customers);
      const { parameters, evaluations, model } = fitGammaGamma(spending);
      expect(evaluations).to.be.below(3_000);
      const scaled = { ...spending, mean: spending.mean.map((one) => one / model.meanRevenue) };
      expectMaximum((at) => gammaGammaLikelihood(scaled, at).value, parameters);
    }
  });

  it("does not depend on the unit of money", () => {
    const spending = spendingOf(MANY.slice(0, 300));
    const { model } = fitGammaGamma(spending);
    const { model: inCents } = fitGammaGamma({ ...spending, mean: spending.mean.map((one) => one * 100) });
    expect(inCents.gamma / model.gamma).to.be.closeTo(100, 1e-3);
    expect(inCents.p).to.be.closeTo(model.p, 1e-5);
  });

  it("finds the maximum of amounts of two sizes, which has the least γ", () => {
    const number = 110;
    const spending: Spending = {
      repeats: Int32Array.from({ length: number }, (_, no) => (no < 90 ? 1 : 2)),
      mean: Float64Array.from({ length: number }, (_, no) => (no % 2 === 0 ? 1 : 1000)),
      customers: new Float64Array(number).fill(1),
    };
    const scaled = { ...spending, mean: spending.mean.map((one) => one / 500.5) };
    const { value } = fitGammaGamma(spending);
    expect(value).to.be.at.least(gammaGammaLikelihood(scaled, [11.29, 0.2683, 0.0001]).value);
  });
});
