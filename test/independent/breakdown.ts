import type { Comparison } from "../../src/core/contract/param.ts";
import { placeNames, placeOf } from "./cohortRows.ts";
import { coverageOf } from "./coverage.ts";
import { type Span, within } from "./days.ts";
import { byText, type Counted, type Facts, firstOf, grouped, nameOf, wholeOf } from "./facts.ts";
import { changeOf, count, type Figure, isRecurring, orZero, ratioOf, revenueOf } from "./figures.ts";
import { Fraction } from "./fraction.ts";
import { groupOf } from "./orders.ts";
import { addingUp, type OrderCosts, orderCosts } from "./profit.ts";
import { type Answer, money, percent, ratio, spanCompared } from "./profitability.ts";
import type { ProfitFacts } from "./profitFacts.ts";
import { LABELS, PAYMENT_LABELS } from "./text.ts";

/** `/v1/profitability/breakdown`, only from the sentences of the rules [D89]. */

export interface BreakdownQuestion {
  readonly by: readonly string[];
  readonly compare: Comparison;
}

const zero = Fraction.zero;

/** What an order is of, by the attribute. */
interface Value {
  readonly key: string | null;
  readonly label: string | null;
  /** The connector of a campaign. */
  readonly source: string | null;
}

const named = (key: string | null, label: string | null, source: string | null = null): Value => ({
  key,
  label,
  source,
});

const GROUPS: Readonly<Record<string, string>> = { new: "Novos", recurring: "Recorrentes", anonymous: "Anônimos" };

/** A group of payments. */
const paid = (group: string | null): Value => named(group, group && (PAYMENT_LABELS[group] ?? null));

const WEEKDAYS = ["Segunda-feira", "Terça-feira", "Quarta-feira", "Quinta-feira", "Sexta-feira", "Sábado", "Domingo"];

function valueIn(attribute: string, order: Counted, facts: Facts, span: Span): Value {
  switch (attribute) {
    case "store":
      return named(order.store, nameOf(facts, order.store));
    case "channel":
      return named(order.channel, LABELS[order.channel]);
    case "campaign":
      return named(order.campaign?.key ?? null, order.campaign?.label ?? null, order.campaign?.connector ?? null);
    case "coupon":
      return named(order.coupon, order.coupon);
    case "payment_group":
      return paid(order.carried.paymentGroup);
    case "status":
      return named(order.carried.status, order.carried.status);
    case "state":
      return named(order.carried.state, order.carried.state);
    case "city": {
      const place = placeOf(order.carried);
      return named(place, place && (placeNames(wholeOf(facts).orders).get(place) ?? null));
    }
    case "country":
      return named(order.carried.country, order.carried.country);
    case "sales_channel":
      return named(order.carried.salesChannel, order.carried.salesChannel);
    case "installments": {
      const { installments } = order.carried;
      return installments === null
        ? named(null, null)
        : named(String(installments).padStart(2, "0"), `${installments}x`);
    }
    case "hour": {
      const hour = String(order.carried.hour).padStart(2, "0");
      return named(hour, `${hour}h`);
    }
    case "weekday":
      return named(String(order.carried.weekday), WEEKDAYS[order.carried.weekday - 1] ?? null);
    case "new_or_recurring": {
      const group = groupOf(order, span);
      return named(group, group && (GROUPS[group] ?? null));
    }
    default:
      throw new Error(`no ${attribute} is known of an order`);
  }
}

interface Exact {
  readonly orders: readonly Counted[];
  readonly revenue: Fraction;
  readonly averageTicket: Fraction;
  readonly discount: Figure;
  readonly contribution2: Figure;
}

const isFirst = (order: Counted): boolean => order.customer !== null && firstOf(order.customer) === order;

function exactly(orders: readonly Counted[], costs: OrderCosts): Exact {
  const discounts = orders.flatMap(({ carried }) => carried.discount ?? []);
  return {
    orders,
    revenue: revenueOf(orders),
    averageTicket: orZero(revenueOf(orders).per(count(orders))),
    discount: orders.length > 0 && discounts.length === 0 ? null : Fraction.sum(discounts),
    contribution2: costs.left(orders).exact,
  };
}

/** Amounts as an answer has them, which add up to those of the total. */
interface Shown {
  readonly revenue: Figure;
  readonly discount: Figure;
  readonly contribution2: Figure;
}

const figuresOf = ({ orders, averageTicket }: Exact, shown: Shown): Answer => ({
  revenue: money(shown.revenue),
  orders: orders.length,
  newCustomers: orders.filter(isFirst).length,
  recurringOrders: orders.filter(isRecurring).length,
  averageTicket: money(averageTicket),
  discount: money(shown.discount),
  contribution2: money(shown.contribution2),
});

function changesOf(now: Exact, before: Exact): Answer {
  const of = (name: keyof Omit<Exact, "orders">): Figure => changeOf(now[name], before[name]);
  const counted = (isOne: (order: Counted) => boolean): Figure =>
    changeOf(count(now.orders.filter(isOne)), count(before.orders.filter(isOne)));
  const isAboveZero = before.contribution2 !== null && before.contribution2.compare(zero) > 0;
  return {
    revenue: percent(of("revenue")),
    orders: percent(counted(() => true)),
    newCustomers: percent(counted(isFirst)),
    recurringOrders: percent(counted(isRecurring)),
    averageTicket: percent(of("averageTicket")),
    discount: percent(of("discount")),
    contribution2: isAboveZero ? percent(of("contribution2")) : null,
  };
}

/** Nulls are in no sum: what rounding leaves over goes to one of the others. */
function settled(amounts: readonly Figure[], total: Figure): Figure[] {
  const known = amounts.filter((amount) => amount !== null);
  if (total === null || known.length === 0) return amounts.map((amount) => amount?.rounded(2) ?? null);
  const shown = addingUp(known, total).values();
  return amounts.map((amount) => (amount === null ? null : (shown.next().value ?? null)));
}

/** The rows of one period, in the order of the answer, and the total. */
function shownIn(rows: readonly Exact[], all: readonly Counted[], costs: OrderCosts): { rows: Shown[]; total: Shown } {
  const whole = exactly(all, costs);
  const total: Shown = {
    revenue: whole.revenue.rounded(2),
    discount: whole.discount?.rounded(2) ?? null,
    contribution2: costs.left(all).shown,
  };
  const of = (name: keyof Shown): Figure[] =>
    settled(
      rows.map((row) => row[name]),
      total[name],
    );
  const [revenue, discount, contribution2] = [of("revenue"), of("discount"), of("contribution2")];
  return {
    rows: rows.map((_, no) => ({
      revenue: revenue[no] ?? null,
      discount: discount[no] ?? null,
      contribution2: contribution2[no] ?? null,
    })),
    total,
  };
}

const nullLast = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : byText(a, b);

export function breakdown(profit: ProfitFacts, span: Span, { by, compare }: BreakdownQuestion): Answer {
  const { facts } = profit;
  const costs = orderCosts(profit);
  const before = spanCompared(span, compare);
  const ordersIn = (days: Span): Counted[] => facts.orders.filter(({ day }) => within(day, days));
  const valuesIn =
    (days: Span) =>
    (order: Counted): Value[] =>
      by.map((name) => valueIn(name, order, facts, days));
  const textOf = (values: readonly Value[]): string => JSON.stringify(values.map(({ key, source }) => [key, source]));
  const [now, then] = [ordersIn(span), before ? ordersIn(before) : []];
  const [nowBy, thenBy] = [
    grouped(now, (order) => textOf(valuesIn(span)(order))),
    grouped(then, (order) => textOf(valuesIn(before ?? span)(order))),
  ];
  const values = new Map([
    ...then.map((order) => valuesIn(before ?? span)(order)).map((all) => [textOf(all), all] as const),
    ...now.map((order) => valuesIn(span)(order)).map((all) => [textOf(all), all] as const),
  ]);
  const rows = [...values]
    .map(([name, all]) => ({
      all,
      now: exactly(nowBy.get(name) ?? [], costs),
      before: exactly(thenBy.get(name) ?? [], costs),
    }))
    .toSorted(
      (a, b) =>
        Number(a.all.some(({ key }) => key === null)) - Number(b.all.some(({ key }) => key === null)) ||
        b.now.revenue.rounded(2).compare(a.now.revenue.rounded(2)) ||
        nullLast(a.all[0]?.key ?? null, b.all[0]?.key ?? null) ||
        nullLast(a.all[1]?.key ?? null, b.all[1]?.key ?? null) ||
        nullLast(
          a.all.map(({ source }) => source).find((source) => source !== null) ?? null,
          b.all.map(({ source }) => source).find((source) => source !== null) ?? null,
        ),
    );
  const shownNow = shownIn(
    rows.map((row) => row.now),
    now,
    costs,
  );
  const shownThen = shownIn(
    rows.map((row) => row.before),
    then,
    costs,
  );
  const compared = <T>(value: T): T | null => (before ? value : null);
  const one = (all: readonly Value[], name: "key" | "label") =>
    all.length === 1 ? (all[0]?.[name] ?? null) : all.map((value) => value[name]);
  const shareOf = (part: Exact, whole: readonly Counted[]): number | null =>
    ratio(ratioOf(part.revenue, revenueOf(whole)));
  const [allNow, allThen] = [exactly(now, costs), exactly(then, costs)];
  return {
    period: { startDate: span.start, endDate: span.end },
    asOf: facts.asOf,
    coverage: coverageOf(facts, span, "stores"),
    by: [...by],
    comparedWith: before && { startDate: before.start, endDate: before.end },
    data: rows.map((row, no) => ({
      key: one(row.all, "key"),
      label: one(row.all, "label"),
      ...figuresOf(row.now, shownNow.rows[no] as Shown),
      missing: costs.missing(row.now.orders).map(({ item }) => item),
      share: shareOf(row.now, now),
      previous: compared({ ...figuresOf(row.before, shownThen.rows[no] as Shown), share: shareOf(row.before, then) }),
      changes: compared(changesOf(row.now, row.before)),
    })),
    meta: { page: 1, limit: 500, hasNextPage: false, hasPreviousPage: false },
    total: {
      ...figuresOf(allNow, shownNow.total),
      previous: compared(figuresOf(allThen, shownThen.total)),
      changes: compared(changesOf(allNow, allThen)),
    },
    missing: costs.missing(now),
  };
}
