import type { Strategy } from "../support/world.ts";
import { cut, firstOfMonth, lastOfMonth, monthNo, type Span, within } from "./days.ts";
import {
  type Counted,
  type Customer,
  type Facts,
  firstOf,
  grouped,
  purchasedAt,
  type SpendDay,
  wholeOf,
} from "./facts.ts";
import { Fraction } from "./fraction.ts";

/** The formulas over sums of orders and of spend, in exact numbers. */

export type Figure = Fraction | null;

export const EVER: Span = { start: null, end: null };

export const revenueOf = (orders: Iterable<Counted>): Fraction =>
  Fraction.sum([...orders].map(({ revenue }) => revenue));
export const spendOf = (days: Iterable<SpendDay>): Fraction => Fraction.sum([...days].map(({ spend }) => spend));
/** Null if the spend of the filter is unknown [D86]. */
export const isSpendKnown = ({ filter }: Facts): boolean => filter === null || filter.isSpendKnown;
export const investmentOf = (facts: Facts, days: Iterable<SpendDay>): Figure =>
  isSpendKnown(facts) ? spendOf(days) : null;

/** A quotient that is 0 without anything to divide by; null if the dividend is. */
export const share = (dividend: Figure, divisor: Fraction): Figure => dividend && orZero(dividend.per(divisor));

export const count = (all: { readonly length: number }): Fraction => new Fraction(all.length);
export const orZero = (figure: Figure): Fraction => figure ?? Fraction.zero;

/** Null if one of them is null. */
export const ratioOf = (a: Figure, b: Figure): Figure => (a === null || b === null ? null : a.per(b));
export const difference = (a: Figure, b: Figure): Figure => (a === null || b === null ? null : a.minus(b));

/** (current - previous) / previous x 100. */
export function changeOf(current: Figure, previous: Figure): Figure {
  if (current === null || previous === null) return null;
  return current.minus(previous).times(new Fraction(100)).per(previous);
}

/** Of a later purchase than the customer's first [D6]. */
export const isRecurring = (order: Counted): boolean =>
  order.customer !== null && purchasedAt(order) > purchasedAt(firstOf(order.customer));

export const ordersOf = (customers: Iterable<Customer>): Counted[] => [...customers].flatMap(({ orders }) => orders);

/** Revenue to date x margin, per customer. */
export function ltvOf(facts: Facts, customers: readonly Customer[]): Figure {
  return revenueOf(ordersOf(customers)).times(facts.margin.rate).per(count(customers));
}

/** Revenue in the calendar months after the first order's x margin, per customer [D25]. */
export function retentionLtvOf(facts: Facts, customers: readonly Customer[]): Figure {
  const later = customers.flatMap((customer) =>
    customer.orders.filter(({ day }) => monthNo(day) > monthNo(firstOf(customer).day)),
  );
  return revenueOf(later).times(facts.margin.rate).per(count(customers));
}

/**
 * [D26]: customers and spend of the months of a period. Months without spend, and those not paid back by the horizon,
 * are left out.
 */
export function paybackOf(facts: Facts, customers: readonly Customer[], spend: readonly SpendDay[]): Figure {
  if (facts.horizon === null || !isSpendKnown(facts)) return null;
  const horizon = monthNo(facts.horizon);
  const spendOfMonth = grouped(spend, ({ day }) => monthNo(day));
  let weight = 0;
  let months = 0;
  for (const [month, entered] of grouped(customers, (customer) => monthNo(firstOf(customer).day))) {
    const cost = spendOf(spendOfMonth.get(month) ?? []);
    if (cost.isZero) continue;
    for (let n = 0; month + n <= horizon; n++) {
      // A later order may be dated before the first, in a store of another time zone. It counts in month 0.
      const until = ordersOf(entered).filter(({ day }) => monthNo(day) <= month + n);
      if (revenueOf(until).times(facts.margin.rate).compare(cost) < 0) continue;
      weight += entered.length;
      months += n * entered.length;
      break;
    }
  }
  return new Fraction(months).per(new Fraction(weight));
}

export interface Cost {
  readonly cogs: Fraction;
  readonly revenueWithCmv: Fraction;
  readonly revenueWithoutCmv: Fraction;
  readonly marginBasis: string;
  readonly blendedContribution: Fraction;
}

/** [D17] */
export function costOfGoods(facts: Facts, orders: readonly Counted[]): Cost {
  const known = orders.filter(({ cost }) => cost !== null);
  const revenue = revenueOf(orders);
  const revenueWithCmv = revenueOf(known);
  const revenueWithoutCmv = revenue.minus(revenueWithCmv);
  const cogs = Fraction.sum(known.map(({ cost }) => cost as Fraction));
  return {
    cogs,
    revenueWithCmv,
    revenueWithoutCmv,
    marginBasis: basisOf(facts, revenue, revenueWithCmv),
    blendedContribution: revenueWithCmv.minus(cogs).plus(revenueWithoutCmv.times(facts.margin.rate)),
  };
}

function basisOf(facts: Facts, revenue: Fraction, withCost: Fraction): string {
  if (revenue.isZero) return "no_basis";
  if (withCost.compare(revenue) === 0) return "cmv_real";
  if (!withCost.isZero) return "mixed";
  return facts.margin.configured ? "configured_percent" : "no_basis";
}

/** The totals of some days. */
export interface Period {
  readonly span: Span;
  readonly orders: readonly Counted[];
  readonly spend: readonly SpendDay[];
  /** New customers. */
  readonly entered: readonly Customer[];
  readonly returned: readonly Customer[];
}

export function periodOf(facts: Facts, span: Span): Period {
  const orders = facts.orders.filter(({ day }) => within(day, span));
  const bought = new Set(orders.map(({ customer }) => customer).filter((customer) => customer !== null));
  return {
    span,
    orders,
    spend: facts.spend.filter(({ day }) => within(day, span)),
    entered: facts.customers.filter((customer) => within(firstOf(customer).day, span)),
    returned: [...bought].filter((customer) => span.start !== null && firstOf(customer).day < span.start),
  };
}

/** New customers of a period whose first order is attributed to a strategy [D27]. */
export const enteredBy = ({ entered }: Period, strategy: Strategy): Customer[] =>
  entered.filter((customer) => firstOf(customer).campaign?.strategy === strategy);

export const spentOn = ({ spend }: Period, strategy: Strategy | null): SpendDay[] =>
  spend.filter(({ campaign }) => campaign.strategy === strategy);

/** Revenue in the period of some customers: of all their orders, wherever. */
export const revenueIn = ({ span }: Period, customers: readonly Customer[]): Fraction =>
  revenueOf(ordersOf(customers).filter(({ day }) => within(day, span)));

/** The months of a series [D29]: those of the period, or those from the first to the last with an order or spend. */
export function monthsOf(facts: Facts, span: Span): number[] {
  const { orders, spend } = wholeOf(facts);
  const days = [
    ...orders.map(({ day }) => day),
    ...spend.filter(({ spend }) => !spend.isZero).map(({ day }) => day),
  ].sort();
  const [first, last] = [span.start ?? days[0], span.end ?? days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const from = monthNo(first);
  return Array.from({ length: monthNo(last) - from + 1 }, (_, no) => from + no);
}

export const monthCut = (month: number, span: Span): Span =>
  cut({ start: firstOfMonth(month), end: lastOfMonth(month) }, span);
