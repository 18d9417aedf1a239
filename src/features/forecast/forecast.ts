import { DAY_MS } from "../../core/time/days.ts";
import { type Fitted, type Group, Known, MICROS } from "./known.ts";
import type { Basis, Columns, Model, Value } from "./model.ts";
import { money, rounded, significant } from "./rounding.ts";

/** The first order and the horizon are at least this many days apart. */
const LEAST_DAYS = 52 * 7;
/** Customers with a repeat purchase at the cutoff. */
const LEAST_REPEAT_CUSTOMERS = 100;
const WEEKS = [13, 26, 52];
const HELD_OUT_WEEKS = 26;
/** The hold-out's row of this many repeat purchases is that of more, too. */
const MOST_FREQUENT = 7;
/** |errorPct| up to which the confidence is high, and medium. */
const HIGH = 10;
const MEDIUM = 25;

type Figures = Readonly<Record<string, unknown>>;

const NOTHING = { confidence: null, model: null, data: null, total: null, holdOut: null };

/** The forecast of an organization [D55], from the rows of `sql/profitability/forecast-customers.sql` in their order. */
export class Forecast implements Model {
  #knownOn: Value | undefined;
  /** Knowledge on the horizon, and at the cutoff. */
  readonly #now = new Known();
  readonly #before = new Known();
  #cutoff = 0;
  /** By the month of the first order. */
  readonly #cohorts = new Map<number, Cohort>();
  /** Held-out purchases, by repeat purchases. */
  readonly #heldOut = Array.from({ length: MOST_FREQUENT + 1 }, () => ({ customers: 0, actual: 0 }));
  #heldOutRevenue = 0n;

  add(columns: Columns): void {
    const [knownOn = [], repeats = [], age = [], recency = [], month = [], repeatRevenue = [], customers = []] =
      columns;
    const [revenue = [], laterPurchases = [], laterRevenue = []] = columns.slice(7);
    for (const [at, day] of knownOn.entries()) {
      this.#knownOn ??= day;
      const group: Group = {
        repeats: Number(repeats[at]),
        age: Number(age[at]),
        recency: Number(recency[at]),
        month: Number(month[at]),
        repeatRevenue: BigInt(repeatRevenue[at] ?? 0),
        customers: Number(customers[at]),
      };
      if (day === this.#knownOn) this.#addNow(group, BigInt(revenue[at] ?? 0));
      else {
        this.#cutoff = Number(day);
        this.#addBefore(group, Number(laterPurchases[at]), BigInt(laterRevenue[at] ?? 0));
      }
    }
  }

  #addNow(group: Group, revenue: bigint): void {
    this.#now.add(group);
    const cohort = this.#cohorts.get(group.month) ?? new Cohort();
    this.#cohorts.set(group.month, cohort);
    cohort.customers += group.customers;
    cohort.revenue += revenue;
  }

  #addBefore(group: Group, purchases: number, revenue: bigint): void {
    this.#before.add(group);
    const row = this.#heldOut[Math.min(group.repeats, MOST_FREQUENT)];
    if (!row) return;
    row.customers += group.customers;
    row.actual += purchases;
    this.#heldOutRevenue += revenue;
  }

  get isTooLittle(): boolean {
    return (
      this.#now.longest < LEAST_DAYS ||
      this.#before.repeatCustomers < LEAST_REPEAT_CUSTOMERS ||
      !this.#now.hasSpending ||
      !this.#before.hasSpending
    );
  }

  figures({ marginPercent }: Basis): Figures {
    if (this.isTooLittle) return { state: "too_little", ...NOTHING };
    const fitted = this.#now.fit();
    this.#now.expect(fitted, WEEKS, ({ month }, purchases, mean) => this.#cohorts.get(month)?.expect(purchases, mean));
    const cohorts = [...this.#cohorts].sort(([one], [other]) => one - other);
    const total = new Cohort();
    for (const [, cohort] of cohorts) total.include(cohort);
    const { purchases, revenue } = fitted;
    const { customers, repeatCustomers } = this.#now;
    const parameters = {
      ...purchases,
      logLikelihood: fitted.logLikelihood,
      p: revenue.p,
      q: revenue.q,
      gamma: revenue.gamma,
    };
    const { confidence, ...holdOut } = this.#compared(this.#before.fit());
    return {
      state: "ready",
      confidence,
      model: {
        ...Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, significant(value)])),
        customers,
        repeatCustomers,
      },
      data: cohorts.map(([month, cohort]) => ({ cohortMonth: dayText(month), ...cohort.figures(marginPercent) })),
      total: total.figures(marginPercent),
      holdOut,
    };
  }

  /** Predictions of the model that was fitted at the cutoff, and the purchases that followed. */
  #compared(fitted: Fitted) {
    const predicted = this.#heldOut.map(() => 0);
    let predictedRevenue = 0;
    this.#before.expect(fitted, [HELD_OUT_WEEKS], ({ repeats }, [purchases = 0], mean) => {
      const row = Math.min(repeats, MOST_FREQUENT);
      predicted[row] = (predicted[row] ?? 0) + purchases;
      predictedRevenue += purchases * mean;
    });
    const actual = this.#heldOut.reduce((sum, row) => sum + row.actual, 0);
    const all = predicted.reduce((sum, one) => sum + one, 0);
    const purchases = { actual, predicted: rounded(all), errorPct: errorPct(actual, all) };
    return {
      confidence: confidenceOf(purchases.errorPct),
      cutoff: dayText(this.#cutoff),
      customers: this.#before.customers,
      purchases,
      revenue: {
        actual: money(this.#heldOutRevenue),
        predicted: rounded(predictedRevenue),
        errorPct: errorPct(Number(this.#heldOutRevenue) / MICROS, predictedRevenue),
      },
      byFrequency: this.#heldOut.map((row, x) => ({ x, ...row, predicted: rounded(predicted[x] ?? 0) })),
    };
  }
}

/** Customers, what they have bought, and what is expected of them within each of the numbers of weeks. */
class Cohort {
  customers = 0;
  /** Exact, in millionths. */
  revenue = 0n;
  readonly #purchases = WEEKS.map(() => 0);
  readonly #revenue = WEEKS.map(() => 0);

  expect(purchases: readonly number[], meanRevenue: number): void {
    for (const [no, one] of purchases.entries()) {
      this.#purchases[no] = (this.#purchases[no] ?? 0) + one;
      this.#revenue[no] = (this.#revenue[no] ?? 0) + one * meanRevenue;
    }
  }

  include(other: Cohort): void {
    this.customers += other.customers;
    this.revenue += other.revenue;
    for (const no of WEEKS.keys()) {
      this.#purchases[no] = (this.#purchases[no] ?? 0) + (other.#purchases[no] ?? 0);
      this.#revenue[no] = (this.#revenue[no] ?? 0) + (other.#revenue[no] ?? 0);
    }
  }

  figures(marginPercent: number): Figures {
    // The margin has two decimals and is applied as rounded [D16].
    const margin = Math.round(marginPercent * 100);
    const toDate = Number(this.revenue * BigInt(margin)) / (MICROS * 10_000) / this.customers;
    const later = (this.#revenue.at(-1) ?? 0) * (margin / 10_000);
    const expected = WEEKS.map((weeks, no) => {
      const revenue = this.#revenue[no] ?? 0;
      const contribution = revenue * (margin / 10_000);
      return [
        `weeks${weeks}`,
        {
          purchases: rounded(this.#purchases[no] ?? 0),
          revenue: rounded(revenue),
          contribution: rounded(contribution),
        },
      ];
    });
    return {
      customers: this.customers,
      revenueToDate: money(this.revenue),
      ltvToDate: rounded(toDate),
      ...Object.fromEntries(expected),
      ltvPredicted: rounded(toDate + later / this.customers),
    };
  }
}

const errorPct = (actual: number, predicted: number): number | null =>
  actual === 0 ? null : rounded((100 * (predicted - actual)) / actual);

function confidenceOf(error: number | null): "high" | "medium" | "low" {
  if (error === null || Math.abs(error) > MEDIUM) return "low";
  return Math.abs(error) > HIGH ? "medium" : "high";
}

const dayText = (days: number): string => new Date(days * DAY_MS).toISOString().slice(0, 10);
