import { type BetaGeometric, expectedOfActive, fitBetaGeometric, stillActive } from "./betaGeometric.ts";
import { floats, integers } from "./columns.ts";
import { expectedMean, fitGammaGamma, type GammaGamma, populationMean } from "./gammaGamma.ts";

/** Amounts are exact, in millionths. */
export const MICROS = 1_000_000;

/** Customers with the same history, as of one day. */
export interface Group {
  /** x, T and t_x, in days. */
  readonly repeats: number;
  readonly age: number;
  readonly recency: number;
  /** The month of the first order, as the days of its first day since 1970. */
  readonly month: number;
  /** Revenue of the repeat purchases, of each of them. */
  readonly repeatRevenue: bigint;
  readonly customers: number;
}

/** Both models, fitted to the customers known on one day. */
export interface Fitted {
  readonly purchases: BetaGeometric;
  readonly logLikelihood: number;
  readonly revenue: GammaGamma;
}

/** The customers known on one day. Groups of one x are added one after the other, and in these those of one T. */
export class Known {
  customers = 0;
  repeatCustomers = 0;
  /** The days since the first purchase of any customer. */
  longest = 0;
  /** Whether a customer has repeat purchases with revenue. */
  hasSpending = false;
  readonly #repeats = integers();
  readonly #age = integers();
  readonly #recency = integers();
  readonly #month = integers();
  readonly #mean = floats();
  readonly #customers = floats();

  add({ repeats, age, recency, month, repeatRevenue, customers }: Group): void {
    this.customers += customers;
    if (repeats > 0) this.repeatCustomers += customers;
    if (repeatRevenue > 0n) this.hasSpending = true;
    this.longest = Math.max(this.longest, age);
    this.#repeats.push(repeats);
    this.#age.push(age);
    this.#recency.push(recency);
    this.#month.push(month);
    this.#mean.push(repeats === 0 ? 0 : Number(repeatRevenue) / MICROS / repeats);
    this.#customers.push(customers);
  }

  fit(): Fitted {
    const { model, value } = this.#fitPurchases();
    return { purchases: model, logLikelihood: value, revenue: this.#fitRevenue() };
  }

  /** Groups that differ in their revenue only are one. */
  #fitPurchases(): ReturnType<typeof fitBetaGeometric> {
    const [allRepeats, allAge, allRecency, allCustomers] = this.#columns();
    const [repeats, age, recency, customers] = [integers(), integers(), integers(), floats()];
    for (let at = 0; at < allCustomers.length; at++) {
      const isSame = [allRepeats, allAge, allRecency].every((column) => at > 0 && column[at] === column[at - 1]);
      if (isSame) customers.add(allCustomers[at] as number);
      else {
        repeats.push(allRepeats[at] as number);
        age.push(allAge[at] as number);
        recency.push(allRecency[at] as number);
        customers.push(allCustomers[at] as number);
      }
    }
    return fitBetaGeometric({
      repeats: repeats.values,
      age: age.values,
      recency: recency.values,
      customers: customers.values,
    });
  }

  #fitRevenue(): GammaGamma {
    const [allRepeats, , , allCustomers, allMean] = this.#columns();
    const [repeats, mean, customers] = [integers(), floats(), floats()];
    for (let at = 0; at < allCustomers.length; at++) {
      if ((allMean[at] as number) <= 0) continue;
      repeats.push(allRepeats[at] as number);
      mean.push(allMean[at] as number);
      customers.push(allCustomers[at] as number);
    }
    return fitGammaGamma({ repeats: repeats.values, mean: mean.values, customers: customers.values }).model;
  }

  #columns(): readonly [Int32Array, Int32Array, Int32Array, Float64Array, Float64Array] {
    return [this.#repeats.values, this.#age.values, this.#recency.values, this.#customers.values, this.#mean.values];
  }

  /** Expectations for each group: its purchases within each number of weeks, and the mean revenue of one. */
  expect(
    { purchases, revenue }: Fitted,
    weeks: readonly number[],
    each: (group: Pick<Group, "month" | "repeats">, purchases: readonly number[], meanRevenue: number) => void,
  ): void {
    const [repeats, age, recency, customers, mean] = this.#columns();
    const ofPopulation = populationMean(revenue);
    let ofActive: number[] = [];
    for (let at = 0; at < customers.length; at++) {
      const x = repeats[at] as number;
      const days = age[at] as number;
      if (at === 0 || x !== repeats[at - 1] || days !== age[at - 1])
        ofActive = weeks.map((time) => expectedOfActive(purchases, x, days, time));
      const active = (customers[at] as number) * stillActive(purchases, x, recency[at] as number, days);
      each(
        { month: this.#month.values[at] as number, repeats: x },
        ofActive.map((one) => one * active),
        x === 0 ? ofPopulation : expectedMean(revenue, x, mean[at] as number),
      );
    }
  }
}
