import { type Breaks, namedBy, type Row, rowsOf } from "./cohortRows.ts";
import { firstOfMonth, lastOfMonth, monthNo, type Span } from "./days.ts";
import type { Customer, Facts } from "./facts.ts";
import { count, orZero, ratioOf, revenueOf, share, spendOf } from "./figures.ts";
import { Fraction } from "./fraction.ts";
import { type Answer, head, money, percent } from "./profitability.ts";

/** `/v1/profitability/payback` [D52], only from the sentences of the rules: from the amounts of each customer. */

export interface PaybackQuestion {
  readonly breakBy: Breaks | null;
}

const HUNDRED = new Fraction(100);
const Z = Fraction.of("1.96");

export function payback(facts: Facts, span: Span, { breakBy }: PaybackQuestion): Answer {
  const rows = rowsOf(facts, span, breakBy, monthNo);
  return {
    ...head(facts, span),
    ...facts.margin.fields,
    breakBy,
    data: rows.map((row) => curveOf(facts, row)),
    average: breakBy === null ? averageOf(facts, rows) : null,
  };
}

/** What each customer had brought in by the end of a month. */
const amountsBy = (facts: Facts, customers: readonly Customer[], month: number): Fraction[] =>
  customers.map(({ orders }) => revenueOf(orders.filter(({ day }) => monthNo(day) <= month)).times(facts.margin.rate));

function curveOf(facts: Facts, row: Row): Answer {
  const { step, customers, spend } = row;
  const investment = spend && spendOf(spend);
  const months = Array.from({ length: monthNo(facts.horizon as string) - step + 1 }, (_, n) => n);
  const amounts = months.map((n) => amountsBy(facts, customers, step + n));
  const covers = investment === null ? -1 : amounts.findIndex((each) => Fraction.sum(each).compare(investment) >= 0);
  const state = investment === null ? null : investment.isZero ? "no_spend" : covers < 0 ? "not_yet" : "paid_back";
  return {
    cohortMonth: firstOfMonth(step),
    ...namedBy(row),
    customers: customers.length,
    investment: money(investment),
    cac: money(share(investment, count(customers))),
    state,
    paybackMonths: state === "paid_back" ? covers : null,
    points: amounts.map((each, month) => ({
      month,
      complete: isComplete(facts, step + month),
      contribution: money(Fraction.sum(each)),
      ...meanOf(each),
      paidBackPct: percent(ratioOf(Fraction.sum(each).times(HUNDRED), investment)),
    })),
  };
}

/** Whether the month's last day is known. */
const isComplete = (facts: Facts, month: number): boolean => lastOfMonth(month) <= (facts.horizon as string);

function averageOf(facts: Facts, rows: readonly Row[]): Answer[] {
  const points: Answer[] = [];
  for (let month = 0; ; month++) {
    const known = rows.filter(({ step }) => isComplete(facts, step + month));
    if (known.length === 0) return points;
    const amounts = known.flatMap(({ step, customers }) => amountsBy(facts, customers, step + month));
    points.push({ month, customers: amounts.length, ...meanOf(amounts) });
  }
}

/** The mean and its 95 % interval. */
function meanOf(amounts: readonly Fraction[]): Answer {
  const number = count(amounts);
  const mean = orZero(Fraction.sum(amounts).per(number));
  if (amounts.length < 2) return { perCustomer: money(mean), lower: null, upper: null };
  const squares = amounts.map((amount) => amount.minus(mean).times(amount.minus(mean)));
  const variance = orZero(Fraction.sum(squares).per(number.minus(Fraction.one)));
  const error = Z.times(orZero(variance.per(number)).root());
  return { perCustomer: money(mean), lower: money(mean.minus(error)), upper: money(mean.plus(error)) };
}
