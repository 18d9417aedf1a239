import type { Comparison } from "../../src/core/contract/param.ts";
import { coverageOf } from "./coverage.ts";
import type { Span } from "./days.ts";
import { byText, type Counted, type Customer, type Facts, grouped, type Product } from "./facts.ts";
import { count, difference, type Figure, investmentOf, periodOf, revenueOf } from "./figures.ts";
import { Fraction } from "./fraction.ts";
import { type Answer, money, spanCompared } from "./profitability.ts";
import { LABELS } from "./text.ts";

/** `/v1/profitability/bridge`, only from the sentences of its rule [D53]. */

export const BRIDGE_BREAKS = ["origem", "campanha", "produto", "categoria"] as const;

export interface BridgeQuestion {
  readonly breakBy: (typeof BRIDGE_BREAKS)[number] | null;
  /** A period, or how it is chosen. */
  readonly with: { readonly start: string; readonly end: string } | Comparison;
}

type Dates = { readonly start: string; readonly end: string };

export function bridge(facts: Facts, span: Dates, question: BridgeQuestion): Answer {
  const before = typeof question.with === "string" ? spanCompared(span, question.with) : question.with;
  if (before === null) throw new Error("a bridge has two periods");
  const [then, now] = [revenuesOf(facts, before), revenuesOf(facts, span)];
  const onRevenue = [
    ...groupEffects(then.entered, now.entered),
    ...groupEffects(then.returned, now.returned),
    now.other.minus(then.other),
  ];
  const { rate } = facts.margin;
  const onProfit = [...onRevenue.map((effect) => effect.times(rate)), difference(then.spend, now.spend)];
  const profit = ({ revenue, spend }: Revenues): Figure => difference(revenue.times(rate), spend);
  const change = cents(now.revenue).minus(cents(then.revenue));
  return {
    period: { startDate: span.start, endDate: span.end },
    asOf: facts.asOf,
    coverage: coverageOf(facts, span),
    ...facts.margin.fields,
    breakBy: question.breakBy,
    comparedWith: { startDate: before.start, endDate: before.end },
    revenue: bridged(then.revenue, now.revenue, GROUP_EFFECTS, onRevenue),
    contributionProfit: bridged(profit(then), profit(now), [...GROUP_EFFECTS, "investment"], onProfit),
    productMargin: productMargin(facts, before, span),
    drivers: question.breakBy && drivers(facts, before, span, question.breakBy, change),
  };
}

const cents = (amount: Fraction): Fraction => amount.rounded(2);
const size = (amount: Fraction): Fraction => (amount.compare(Fraction.zero) < 0 ? Fraction.zero.minus(amount) : amount);

/** Rounded effects, and what is left over at the largest. */
function bridged(before: Figure, after: Figure, names: readonly string[], effects: readonly Figure[]): Answer {
  if (before === null || after === null) {
    const nothing = Object.fromEntries(names.map((name) => [name, null]));
    return { before: null, after: null, change: null, effects: nothing };
  }
  const change = cents(after).minus(cents(before));
  const shown = effects.map((effect) => cents(effect as Fraction));
  const largest = shown.reduce(
    (best, one, no) => (size(one).compare(size(shown[best] as Fraction)) > 0 ? no : best),
    0,
  );
  shown[largest] = (shown[largest] as Fraction).plus(change.minus(Fraction.sum(shown)));
  return {
    before: money(before),
    after: money(after),
    change: money(change),
    effects: Object.fromEntries(names.map((name, no) => [name, money(shown[no] as Fraction)])),
  };
}

// ---------------------------------------------------------------------------------------------------------- customers

const GROUP_EFFECTS = [
  "newCustomers",
  "newFrequency",
  "newTicket",
  "recurringCustomers",
  "recurringFrequency",
  "recurringTicket",
  "other",
];

interface Group {
  readonly customers: Fraction;
  readonly orders: Fraction;
  readonly revenue: Fraction;
}

interface Revenues {
  readonly revenue: Fraction;
  /** Null if it is unknown [D86]. */
  readonly spend: Figure;
  readonly entered: Group;
  readonly returned: Group;
  readonly other: Fraction;
}

function revenuesOf(facts: Facts, span: Dates): Revenues {
  const period = periodOf(facts, span);
  const groupOf = (customers: readonly Customer[]): Group => {
    const orders = period.orders.filter(({ customer }) => customer !== null && customers.includes(customer));
    return { customers: count(customers), orders: count(orders), revenue: revenueOf(orders) };
  };
  const [entered, returned] = [groupOf(period.entered), groupOf(period.returned)];
  const isIn = ({ customer }: Counted): boolean =>
    customer !== null && (period.entered.includes(customer) || period.returned.includes(customer));
  return {
    revenue: revenueOf(period.orders),
    spend: investmentOf(facts, period.spend),
    entered,
    returned,
    other: revenueOf(period.orders.filter((order) => !isIn(order))),
  };
}

const ORDERS_OF_CHANGE = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** Each factor's difference, on average over the orders in which the three may change. */
function groupEffects(before: Group, after: Group): Fraction[] {
  const [then, now] = [factorsOf(before), factorsOf(after)];
  if (then === null || now === null) return [after.revenue.minus(before.revenue), Fraction.zero, Fraction.zero];
  const effects = [Fraction.zero, Fraction.zero, Fraction.zero];
  for (const order of ORDERS_OF_CHANGE) {
    const factors = [...then];
    for (const no of order) {
      const old = product(factors);
      factors[no] = now[no] as Fraction;
      effects[no] = (effects[no] as Fraction).plus(product(factors).minus(old).times(new Fraction(1, 6)));
    }
  }
  return effects;
}

const product = (factors: readonly Fraction[]): Fraction => factors.reduce((a, b) => a.times(b), Fraction.one);

function factorsOf({ customers, orders, revenue }: Group): Fraction[] | null {
  const [frequency, ticket] = [orders.per(customers), revenue.per(orders)];
  return frequency && ticket && [customers, frequency, ticket];
}

// ----------------------------------------------------------------------------------------------------------- products

interface Sold {
  readonly units: Fraction;
  readonly value: Fraction;
  readonly cost: Fraction;
}

const keyOf = ({ store, id }: Product): string => `${store} ${id}`;

/** Products by the units kept that have a value and a cost; those without any are left out. */
function soldIn(facts: Facts, { start, end }: Dates): Map<string, Sold> {
  const lines = facts.orders
    .filter(({ soldOn }) => soldOn !== null && soldOn >= start && soldOn <= end)
    .flatMap((order) => order.lines)
    .filter(({ product, value, cost, kept }) => product && value && cost && kept > 0);
  const sums = [...grouped(lines, ({ product }) => keyOf(product as Product))].map(([key, some]): [string, Sold] => {
    const sum = (of: (line: (typeof some)[number]) => Fraction): Fraction =>
      Fraction.sum(some.map((line) => of(line).times(new Fraction(line.kept))));
    return [
      key,
      { units: sum(() => Fraction.one), value: sum((l) => l.value as Fraction), cost: sum((l) => l.cost as Fraction) },
    ];
  });
  return new Map(sums);
}

function productMargin(facts: Facts, before: Dates, after: Dates): Answer {
  const [then, now] = [soldIn(facts, before), soldIn(facts, after)];
  const marginOf = (all: Iterable<Sold>): Fraction => Fraction.sum([...all].map((one) => one.value.minus(one.cost)));
  const without = (all: Map<string, Sold>, others: Map<string, Sold>): Sold[] =>
    [...all].filter(([key]) => !others.has(key)).map(([, sold]) => sold);
  const both = [...then].flatMap(([key, old]) => {
    const young = now.get(key);
    return young ? [{ old, now: young }] : [];
  });
  const [u0, u1] = [Fraction.sum(both.map(({ old }) => old.units)), Fraction.sum(both.map((one) => one.now.units))];
  const each = (of: (one: (typeof both)[number]) => Fraction): Fraction => Fraction.sum(both.map(of));
  const per = (amount: Fraction, units: Fraction): Fraction => amount.per(units) ?? Fraction.zero;
  const effects = [
    u1.minus(u0).times(per(marginOf(both.map(({ old }) => old)), u0)),
    each(({ old, now }) =>
      now.units.minus(old.units.times(per(u1, u0))).times(per(old.value.minus(old.cost), old.units)),
    ),
    each(({ old, now }) => now.units.times(per(now.value, now.units).minus(per(old.value, old.units)))),
    each(({ old, now }) => now.units.times(per(old.cost, old.units).minus(per(now.cost, now.units)))),
    marginOf(without(now, then)),
    Fraction.zero.minus(marginOf(without(then, now))),
  ];
  const names = ["volume", "mix", "price", "cost", "newProducts", "discontinuedProducts"];
  return bridged(marginOf(then.values()), marginOf(now.values()), names, effects);
}

// ------------------------------------------------------------------------------------------------------------ drivers

interface Value {
  readonly source: string;
  readonly key: string | null;
  readonly label: string | null;
  readonly amount: Fraction;
}

/** The values of an order's revenue, or of its lines', and the remainder. */
function valuesOf(order: Counted, breakBy: NonNullable<BridgeQuestion["breakBy"]>): Value[] {
  const { channel, campaign, revenue } = order;
  if (breakBy === "origem") return [{ source: "", key: channel, label: LABELS[channel], amount: revenue }];
  if (breakBy === "campanha") {
    const { connector = null, key = null, label = null } = campaign ?? {};
    return [{ source: connector ?? "", key, label, amount: revenue }];
  }
  return order.lines.flatMap(({ product, sold, value }): Value[] => {
    if (product === null) return [];
    const amount = (value ?? Fraction.zero).times(new Fraction(sold));
    if (breakBy === "produto") return [{ source: product.store, key: product.id, label: product.name, amount }];
    const { category } = product;
    return category
      ? [{ source: product.store, key: category.id, label: category.name, amount }]
      : [{ source: "", key: "uncategorized", label: null, amount }];
  });
}

function drivers(
  facts: Facts,
  before: Dates,
  after: Dates,
  breakBy: NonNullable<BridgeQuestion["breakBy"]>,
  change: Fraction,
): Answer[] {
  const ofLines = breakBy === "produto" || breakBy === "categoria";
  const valuesIn = (span: Span): Value[] => {
    const { orders } = periodOf(facts, span);
    const values = orders.flatMap((order) => valuesOf(order, breakBy));
    if (!ofLines) return values;
    const amount = revenueOf(orders).minus(Fraction.sum(values.map((one) => one.amount)));
    return amount.isZero ? values : [...values, { source: "", key: null, label: null, amount }];
  };
  const all = [
    ...valuesIn(before).map((value) => ({ ...value, isAfter: false })),
    ...valuesIn(after).map((value) => ({ ...value, isAfter: true })),
  ];
  const rows = [...grouped(all, ({ source, key }) => JSON.stringify([source, key])).values()].map((some) => {
    const { source, key, label } = some[0] as Value;
    const sum = (isAfter: boolean): Fraction =>
      Fraction.sum(some.filter((one) => one.isAfter === isAfter).map(({ amount }) => amount));
    const [then, now] = [sum(false), sum(true)];
    return { source, key, label, then, now, change: cents(now).minus(cents(then)) };
  });
  rows.sort(
    (a, b) =>
      size(b.change).compare(size(a.change)) ||
      Number(a.key === null) - Number(b.key === null) ||
      byText(a.key ?? "", b.key ?? "") ||
      byText(a.source, b.source),
  );
  const left = change.minus(Fraction.sum(rows.map((row) => row.change)));
  return rows.map(({ key, label, then, now, change: own }, no) => ({
    key,
    label,
    before: money(then),
    after: money(now),
    change: money(no === 0 ? own.plus(left) : own),
  }));
}
