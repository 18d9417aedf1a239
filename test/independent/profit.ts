import type { Comparison } from "../../src/core/contract/param.ts";
import type { CostRule } from "../../src/core/contract/settings.ts";
import { coverageOf as daysLacking } from "./coverage.ts";
import { daysFrom, firstOfMonth, lastOfMonth, monthNo, plusDays, type Span, within } from "./days.ts";
import { byText, type Counted, type Facts, type SoldLine, wholeOf } from "./facts.ts";
import { difference, type Figure, isSpendKnown } from "./figures.ts";
import { type Filters, filteredProfit, namesAlone } from "./filters.ts";
import { Fraction } from "./fraction.ts";
import { type Answer, filtersOf, money, ratio, spanCompared } from "./profitability.ts";
import {
  amountOf,
  amountOn,
  daysOfRule,
  expensesOf,
  feesOf,
  holds,
  isPercent,
  OF_ORDERS,
  type OrderItem,
  rulesOf,
  type Spent,
  type UnitCost,
  unitCost,
} from "./profitCosts.ts";
import type { ProfitFacts, ProfitLine, ProfitOrder } from "./profitFacts.ts";
import { LABELS } from "./text.ts";

/** `/v1/profit/statement` [D74] and `/v1/profit/orders` [D75], only from the sentences of the rules. */

export const LINES = [
  "revenue",
  "giftCards",
  "refunds",
  "salesTax",
  "netRevenue",
  "goods",
  "contribution1",
  "payment",
  "shipping",
  "fulfilment",
  "commission",
  "other",
  "contribution2",
  "media",
  "contribution3",
  "fixed",
  "profit",
] as const;
export type LineName = (typeof LINES)[number];

const TOTALS: ReadonlySet<LineName> = new Set([
  "netRevenue",
  "contribution1",
  "contribution2",
  "contribution3",
  "profit",
]);
/** What belongs to no store, and what is unknown of one without its spend [D86]. */
const OF_NO_STORE: readonly LineName[] = ["fixed", "profit"];
const OF_SPEND: readonly LineName[] = ["media", "contribution3"];

type Figures = Readonly<Record<LineName, Figure>>;

/** What an amount is made of: what orders say, records, a rule by its place, expenses. */
type Part = "orders" | "records" | number | "expenses";

/** An amount of a line on a day, with its sign. */
interface Posting {
  readonly on: string;
  readonly line: LineName;
  readonly amount: Fraction;
  readonly part: Part | null;
  /** Null: of no order. */
  readonly order: ProfitOrder | null;
}

/** Units without a cost, or with one of 0 because a rule says so, that were sold or put back on a day. */
interface Units {
  readonly on: string;
  readonly order: ProfitOrder;
  readonly line: ProfitLine;
  readonly units: number;
  readonly isSold: boolean;
}

export type RefundsOn = "refund" | "order";

/** Everything that happened, day by day. */
interface Book {
  readonly facts: ProfitFacts;
  readonly rules: readonly CostRule[];
  readonly orders: readonly ProfitOrder[];
  readonly expenses: readonly Spent[];
  /** Orders with fees. */
  readonly fees: ReadonlyMap<ProfitOrder, Fraction>;
  readonly taxedStores: ReadonlySet<string>;
  readonly costs: ReadonlyMap<ProfitLine, UnitCost | null>;
  readonly postings: readonly Posting[];
  readonly unknown: readonly Units[];
  readonly free: readonly Units[];
  readonly refundDays: readonly string[];
  readonly isFiltered: boolean;
  /** The lines that are null. */
  readonly leftOut: ReadonlySet<LineName>;
}

const zero = Fraction.zero;
const negative = (amount: Fraction): Fraction => zero.minus(amount);
const times = (amount: Fraction, count: number): Fraction => amount.times(new Fraction(count));

/** With a channel they neither count nor make known; of a store they name it [D86]. */
function expensesOfDays(facts: ProfitFacts): Spent[] {
  const { integrationId = null, channel = null } = facts.facts.filter ?? {};
  if (channel !== null) return [];
  return expensesOf(facts).filter(({ store }) => integrationId === null || store === integrationId);
}

/** Expenses belong to no order. Without a filter they make known what orders of their days cost [D76]. */
const expensesOfOrders = (facts: ProfitFacts): Spent[] => (facts.facts.filter ? [] : expensesOf(facts));

function bookOf(facts: ProfitFacts, refundsOn: RefundsOn, expenses: readonly Spent[]): Book {
  const rules = rulesOf(facts);
  const { orders } = facts;
  const taxed = wholeOf(facts.facts).orders.filter(({ tax }) => !tax.isZero);
  const isFiltered = facts.facts.filter !== null;
  const hasSpend = isSpendKnown(facts.facts);
  const book = {
    facts,
    rules,
    orders,
    expenses,
    fees: feesOf(facts),
    taxedStores: new Set(taxed.map((order) => order.store)),
    costs: new Map(
      orders.flatMap((order) => order.lines.map((line) => [line, unitCost(facts, rules, order, line)] as const)),
    ),
    isFiltered,
    leftOut: new Set([...(isFiltered ? OF_NO_STORE : []), ...(hasSpend ? [] : OF_SPEND)]),
  };
  const dayOf = (order: ProfitOrder, on: string): string => (refundsOn === "order" ? order.counted.day : on);
  const units = orders.flatMap((order) => unitsOf(order, dayOf));
  const costOf = ({ line }: Units): UnitCost | null => book.costs.get(line) ?? null;
  return {
    ...book,
    postings: [
      ...orders.flatMap((order) => [...saleOf(order), ...refundsOf(book, order, dayOf), ...costsOf(book, order)]),
      ...units.flatMap((one) => goodsOf(book, one, costOf(one))),
      ...expenses.flatMap(({ item, days }) =>
        days.map(
          ({ day, amount }): Posting => ({
            on: day,
            line: item,
            amount: negative(amount),
            part: "expenses",
            order: null,
          }),
        ),
      ),
      ...(hasSpend ? facts.facts.spend : []).map(
        ({ day, spend }): Posting => ({ on: day, line: "media", amount: negative(spend), part: null, order: null }),
      ),
    ],
    unknown: units.filter((one) => costOf(one) === null),
    free: units.filter((one) => costOf(one)?.from === "rules" && costOf(one)?.rules.length === 0),
    refundDays: orders.flatMap((order) => refundDaysOf(order, dayOf)),
  };
}

/** Of the channel of the filter, if there is one. */
const hasAdAccounts = ({ facts }: ProfitFacts): boolean =>
  facts.settings.integrations.some(
    ({ connector }) =>
      (connector === "socialads" || connector === "searchads") && connector === (facts.filter?.channel ?? connector),
  );

type DayOf = (order: ProfitOrder, on: string) => string;
type Rules = Pick<Book, "rules" | "fees" | "taxedStores">;

/** Of a refund of more than nothing, or of units. */
const refundDaysOf = (order: ProfitOrder, dayOf: DayOf): string[] => [
  ...order.refunds.refunds.filter(({ amount }) => amount && !amount.isZero).map(({ on }) => dayOf(order, on)),
  ...order.refunds.cameBack.map(({ on }) => dayOf(order, on)),
];

function saleOf(order: ProfitOrder): Posting[] {
  const of = { on: order.counted.day, part: null, order };
  return [
    { ...of, line: "revenue", amount: order.counted.revenue },
    { ...of, line: "giftCards", amount: negative(order.giftCards) },
  ];
}

/** The rules of an item that hold for an order, by their places; none of `payment` for one that has fees. */
function rulesFor({ rules, fees }: Rules, item: OrderItem, order: ProfitOrder): { rule: CostRule; place: number }[] {
  if (item === "payment" && fees.has(order)) return [];
  return rules.map((rule, place) => ({ rule, place })).filter(({ rule }) => rule.item === item && holds(rule, order));
}

/** Money, the tax that was in it, and gift cards. */
function refundsOf(book: Rules, order: ProfitOrder, dayOf: DayOf): Posting[] {
  const { counted, refunds } = order;
  const money = refunds.refunds.flatMap(({ on, amount }): Posting[] => {
    const share = amount?.per(counted.revenue) ?? zero;
    if (amount === null || share.isZero) return [];
    const day = dayOf(order, on);
    const back = (of: Fraction, part: Part): Posting => ({
      on: day,
      line: "salesTax",
      amount: of.times(share),
      part,
      order,
    });
    return [
      { on: day, line: "refunds", amount: negative(amount), part: null, order },
      ...(book.taxedStores.has(counted.store) ? [back(counted.tax, "orders")] : []),
      ...rulesFor(book, "salesTax", order)
        .filter(({ rule }) => isPercent(rule))
        .map(({ rule, place }) => back(amountOf(rule, order), place)),
    ];
  });
  const cards = refunds.cameBack.map(
    ({ on, giftCards }): Posting => ({ on: dayOf(order, on), line: "giftCards", amount: giftCards, part: null, order }),
  );
  return [...money, ...cards];
}

/** What the order costs, without its goods. */
function costsOf(book: Rules, order: ProfitOrder): Posting[] {
  const { counted } = order;
  const cost = (line: LineName, amount: Fraction, part: Part): Posting => ({
    on: counted.day,
    line,
    amount: negative(amount),
    part,
    order,
  });
  const fee = book.fees.get(order);
  return [
    ...(book.taxedStores.has(counted.store) ? [cost("salesTax", counted.tax, "orders")] : []),
    ...(fee ? [cost("payment", fee, "records")] : []),
    ...OF_ORDERS.flatMap((item) =>
      rulesFor(book, item, order)
        .filter(({ rule }) => !rule.none)
        .map(({ rule, place }) => cost(item, amountOf(rule, order), place)),
    ),
  ];
}

/** What was sold, and what was put back of it. */
function unitsOf(order: ProfitOrder, dayOf: DayOf): Units[] {
  return order.lines.flatMap((line): Units[] => [
    { on: order.counted.day, order, line, units: line.sold, isSold: true },
    ...order.refunds.cameBack
      .filter((back) => back.line === line.no && back.isRestocked && back.units > 0)
      .map(({ on, units }) => ({ on: dayOf(order, on), order, line, units, isSold: false })),
  ]);
}

function goodsOf({ rules }: Rules, { on, order, units, isSold }: Units, cost: UnitCost | null): Posting[] {
  if (cost === null) return [];
  const posting = (amount: Fraction, part: Part): Posting => ({
    on,
    line: "goods",
    amount: times(amount, isSold ? -units : units),
    part,
    order,
  });
  if (cost.from !== "rules") return [posting(cost.amount, cost.from === "orders" ? "orders" : "records")];
  return cost.rules.map(({ rule, amount }) => posting(amount, rules.indexOf(rule)));
}

// -------------------------------------------------------------------------------------------------------- statement

/** The part of a book that is of some days; `fixed` rules count on each of them. */
interface Cut {
  readonly postings: readonly Posting[];
  readonly unknown: readonly Units[];
  readonly days: readonly string[];
}

const daysOf = ({ start, end }: { start: string; end: string }): string[] =>
  Array.from({ length: daysFrom(start, end) }, (_, no) => plusDays(start, no));

function cutOf(book: Book, span: { readonly start: string; readonly end: string } | null): Cut {
  if (span === null) return { postings: [], unknown: [], days: [] };
  const days = daysOf(span);
  const fixed = book.rules.flatMap((rule, place) =>
    rule.item === "fixed" && !book.isFiltered
      ? days.flatMap((on): Posting[] => {
          const amount = amountOn(rule, on);
          return amount ? [{ on, line: "fixed", amount: negative(amount), part: place, order: null }] : [];
        })
      : [],
  );
  return {
    postings: [...book.postings.filter(({ on }) => within(on, span)), ...fixed],
    unknown: book.unknown.filter(({ on }) => within(on, span)),
    days,
  };
}

/** The period, or the days of the whole history; null: it has none. */
function daysCounted(book: Book, { start, end }: Span): { start: string; end: string } | null {
  if (start !== null && end !== null) return { start, end };
  const days = [
    ...book.orders.map(({ counted }) => counted.day),
    ...book.refundDays,
    ...book.postings
      .filter(({ line, part, amount }) => (line === "media" || part === "expenses") && !amount.isZero)
      .map(({ on }) => on),
  ].sort();
  const [first, last] = [days[0], days.at(-1)];
  return first === undefined || last === undefined ? null : { start: first, end: last };
}

/** Totals are the sums of the lines before them; a line that is null makes those after it null. */
function withTotals(lineOf: (line: LineName) => Figure): Figures {
  let sum: Figure = zero;
  const figures = LINES.map((line): [LineName, Figure] => {
    if (TOTALS.has(line)) return [line, sum];
    const figure = lineOf(line);
    sum = sum && figure && sum.plus(figure);
    return [line, figure];
  });
  return Object.fromEntries(figures) as Record<LineName, Figure>;
}

function exactly(book: Book, { postings, unknown }: Pick<Cut, "postings" | "unknown">): Figures {
  const sums = new Map<LineName, Fraction>();
  for (const { line, amount } of postings) sums.set(line, (sums.get(line) ?? zero).plus(amount));
  return withTotals((line) => {
    if (line === "goods" && unknown.length > 0) return null;
    return book.leftOut.has(line) ? null : (sums.get(line) ?? zero);
  });
}

const inCents = (figures: Figures): Figures => withTotals((line) => figures[line]?.rounded(2) ?? null);
const shown = (figures: Figures): Answer => Object.fromEntries(LINES.map((line) => [line, money(figures[line])]));

/** What rounding leaves over goes to the largest, the first of equals. */
export function addingUp(amounts: readonly Fraction[], total: Fraction): Fraction[] {
  const rounded = amounts.map((amount) => amount.rounded(2));
  const left = total.minus(Fraction.sum(rounded));
  const size = (amount: Fraction): Fraction => (amount.compare(zero) < 0 ? negative(amount) : amount);
  let largest = 0;
  rounded.forEach((amount, no) => {
    if (size(amount).compare(size(rounded[largest] as Fraction)) > 0) largest = no;
  });
  return rounded.map((amount, no) => (no === largest ? amount.plus(left) : amount));
}

// ------------------------------------------------------------------------------------------------- what is known

function isKnown({ rules, fees, taxedStores, expenses }: Book, item: OrderItem, order: ProfitOrder): boolean {
  const { day, store } = order.counted;
  return (
    rulesFor({ rules, fees, taxedStores }, item, order).length > 0 ||
    (item === "payment" && fees.has(order)) ||
    (item === "salesTax" && taxedStores.has(store)) ||
    expenses.some(
      (one) => one.item === item && (one.store === null || one.store === store) && day >= one.start && day <= one.stop,
    )
  );
}

const revenueOf = (orders: readonly ProfitOrder[]): Fraction =>
  Fraction.sum(orders.map(({ counted }) => counted.revenue));
const isOfOrders = (line: LineName): line is OrderItem => (OF_ORDERS as readonly string[]).includes(line);

function coverageOf(book: Book, orders: readonly ProfitOrder[], line: LineName): Figure {
  if (line === "goods") {
    const units = (lines: readonly ProfitLine[]): Fraction =>
      new Fraction(lines.reduce((sum, one) => sum + one.sold, 0));
    const lines = orders.flatMap((order) => order.lines);
    return units(lines.filter((one) => book.costs.get(one))).per(units(lines));
  }
  if (!isOfOrders(line)) return null;
  return revenueOf(orders.filter((order) => isKnown(book, line, order))).per(revenueOf(orders));
}

function missingOf(book: Book, orders: readonly ProfitOrder[], unknown: readonly Units[], isFixedPending: boolean) {
  return LINES.flatMap((line): Answer[] => {
    if (line === "goods" && unknown.length > 0) return [{ item: line, ...missingUnits(unknown) }];
    const nothing = { revenue: null, units: null, products: null };
    if (line === "fixed" && isFixedPending) return [{ item: line, orders: null, ...nothing }];
    if (!isOfOrders(line)) return [];
    const without = orders.filter((order) => !isKnown(book, line, order));
    if (without.length === 0) return [];
    return [{ item: line, orders: without.length, ...nothing, revenue: money(revenueOf(without)) }];
  });
}

/** Each unit once: what was sold and put back in the period was sold. */
function missingUnits(unknown: readonly Units[]): Answer {
  const lines = [...new Set(unknown.map(({ line }) => line))].map((line) => {
    const own = unknown.filter((one) => one.line === line);
    const sold = own.filter(({ isSold }) => isSold);
    const { order } = own[0] as Units;
    return { line, order, units: (sold.length > 0 ? sold : own).reduce((sum, { units }) => sum + units, 0) };
  });
  const products = lines.flatMap(({ line, order }) => (line.product ? [`${order.counted.store} ${line.product}`] : []));
  return {
    orders: new Set(lines.map(({ order }) => order)).size,
    revenue: money(Fraction.sum(lines.map(({ line, units }) => times(line.value ?? zero, units)))),
    units: lines.reduce((sum, { units }) => sum + units, 0),
    products: new Set(products).size,
  };
}

// ------------------------------------------------------------------------------------------------ sources and parts

const PLACE = { orders: -2, records: -1, expenses: Number.POSITIVE_INFINITY };
const placeOf = (part: Part): number => (typeof part === "number" ? part : PLACE[part]);

function partsOf({ rules }: Book, { postings }: Cut, line: LineName, total: Figure): Answer[] {
  const sums = new Map<Part, Fraction>();
  for (const { part, amount, line: own } of postings) {
    if (own === line && part !== null) sums.set(part, (sums.get(part) ?? zero).plus(amount));
  }
  const parts = [...sums].toSorted(([a], [b]) => placeOf(a) - placeOf(b));
  if (parts.length === 0) return [];
  const amounts = parts.map(([, amount]) => amount);
  const rounded = total === null ? amounts.map((amount) => amount.rounded(2)) : addingUp(amounts, total.rounded(2));
  return parts.map(([part], no) => ({ ...namesOf(rules, line, part), amount: money(rounded[no] as Fraction) }));
}

function namesOf(rules: readonly CostRule[], line: LineName, part: Part): { name: string; source: string } {
  if (part === "orders") return { name: "orders", source: "orders" };
  if (part === "expenses") return { name: "expenses", source: "records" };
  if (part === "records") return { name: line === "goods" ? "product-costs" : "payment-fees", source: "records" };
  return { name: rules[part]?.name ?? line, source: "rules" };
}

function sourceOf(
  book: Book,
  cut: Cut,
  orders: readonly ProfitOrder[],
  line: LineName,
  parts: Answer[],
): string | null {
  if (line === "revenue" || line === "giftCards" || line === "refunds") return "orders";
  if (line === "media") return hasAdAccounts(book.facts) ? "records" : "none";
  if (TOTALS.has(line)) return null;
  const sources = [...new Set(parts.map(({ source }) => source))];
  if (sources.length > 0) return sources.length > 1 ? "mixed" : String(sources[0]);
  const isNone = (rule: CostRule): boolean => rule.item === line && rule.none === true;
  if (line === "fixed") {
    const says = book.rules.some((rule) => isNone(rule) && cut.days.some((day) => within(day, daysOfRule(rule))));
    return says ? "none" : cut.days.length > 0 ? "pending" : null;
  }
  if (line === "goods") {
    const isIn = (units: readonly Units[]): boolean => units.some(({ on }) => cut.days.includes(on));
    return isIn(book.free) ? "none" : cut.unknown.length > 0 ? "pending" : null;
  }
  const says = orders.some((order) => rulesFor(book, line as OrderItem, order).some(({ rule }) => isNone(rule)));
  return says ? "none" : orders.length > 0 ? "pending" : null;
}

// ----------------------------------------------------------------------------------------------------------- answers

export interface StatementQuestion {
  /** Open: the whole history. */
  readonly span: Span;
  readonly granularity: "day" | "week" | "month" | null;
  /** A comparison, or the days to compare with. */
  readonly compare: Comparison | { readonly start: string; readonly end: string };
  readonly filters: Filters;
  readonly refundsOn: RefundsOn;
}

/** Of one store they are the store's, and those of the ad accounts that are its alone [D23], [D86]. */
function envelopeOf(all: ProfitFacts, span: Span, store: string | null, of: "all" | "stores" = "all"): Answer {
  const { facts } = all;
  const { stores, accounts } = daysLacking(facts, span, of);
  if (store === null) return { asOf: facts.asOf, coverage: { stores, accounts } };
  const own = stores.filter(({ integrationId }) => integrationId === store);
  const { settings } = facts;
  const alone = new Set(settings.integrations.filter((one) => namesAlone(settings, one, store)).map(({ id }) => id));
  return {
    asOf: facts.landed.get(store) ?? null,
    coverage: { stores: own, accounts: accounts.filter(({ integrationId }) => alone.has(integrationId)) },
  };
}

/** The answer of the statement. */
export function statement(all: ProfitFacts, question: StatementQuestion): Answer {
  const { span, granularity, compare, filters, refundsOn } = question;
  const { integrationId, channel } = filters;
  const facts = filteredProfit(all, filters);
  const book = bookOf(facts, refundsOn, expensesOfDays(facts));
  const days = daysCounted(book, span);
  const cut = cutOf(book, days);
  const exact = exactly(book, cut);
  const orders = book.orders.filter(({ counted }) => within(counted.day, span));
  const lines = linesOf(book, cut, orders, exact);
  const isFixedPending = (lines.fixed as Answer).source === "pending";
  return {
    period: { startDate: span.start, endDate: span.end },
    ...envelopeOf(facts, span, integrationId),
    ...filtersOf(integrationId, channel),
    granularity,
    integrationId,
    refundsOn,
    statement: lines,
    missing: missingOf(book, orders, cut.unknown, isFixedPending),
    data: granularity && stepsOf(book, days, granularity, inCents(exact)),
    ...compared(book, span, compare, exact),
  };
}

function linesOf(book: Book, cut: Cut, orders: readonly ProfitOrder[], exact: Figures): Answer {
  const cents = inCents(exact);
  const net = cents.netRevenue;
  const rows = LINES.map((line): [string, Answer] => {
    if (book.leftOut.has(line)) {
      return [line, { amount: null, share: null, source: null, coverage: null, parts: null }];
    }
    const [amount, parts] = [cents[line], partsOf(book, cut, line, exact[line])];
    return [
      line,
      {
        amount: money(amount),
        share: ratio(amount && net && net.compare(zero) > 0 ? amount.per(net) : null),
        source: sourceOf(book, cut, orders, line, parts),
        coverage: ratio(coverageOf(book, orders, line)),
        parts,
      },
    ];
  });
  return Object.fromEntries(rows);
}

function stepsOf(
  book: Book,
  days: { start: string; end: string } | null,
  granularity: "day" | "week" | "month",
  statement: Figures,
): Answer[] {
  if (days === null) return [];
  const steps: { date: string; start: string; end: string }[] = [];
  for (let start = days.start; start <= days.end; ) {
    const { first, last } = stepOf(start, granularity);
    const end = last < days.end ? last : days.end;
    steps.push({ date: first, start, end });
    start = plusDays(end, 1);
  }
  const exact = steps.map((step) => exactly(book, cutOf(book, step)));
  const columns = LINES.filter((line) => !TOTALS.has(line)).map((line): [LineName, Figure[]] => {
    const figures = exact.map((one) => one[line]);
    const [total, known] = [statement[line], figures.filter((one) => one !== null)];
    return [line, total === null ? figures.map((one) => one?.rounded(2) ?? null) : addingUp(known, total)];
  });
  const byLine = new Map(columns);
  return steps.map(({ date }, no) => ({ date, ...shown(withTotals((line) => byLine.get(line)?.[no] ?? null)) }));
}

function stepOf(day: string, granularity: "day" | "week" | "month"): { first: string; last: string } {
  if (granularity === "day") return { first: day, last: day };
  if (granularity === "month") return { first: firstOfMonth(monthNo(day)), last: lastOfMonth(monthNo(day)) };
  const monday = plusDays(day, -((new Date(day).getUTCDay() + 6) % 7));
  return { first: monday, last: plusDays(monday, 6) };
}

function compared(book: Book, span: Span, compare: StatementQuestion["compare"], exact: Figures): Answer {
  const isDated = span.start !== null && span.end !== null;
  const before = isDated ? (typeof compare === "string" ? spanCompared(span, compare) : compare) : null;
  if (before === null) return { previousPeriod: null, changes: null };
  const then = exactly(book, cutOf(book, before));
  const [now, earlier] = [inCents(exact), inCents(then)];
  const changes = LINES.map((line): [string, Answer] => {
    const [a, b] = [earlier[line], now[line]];
    return [line, { amount: money(difference(b, a)), pct: money(percentOf(then[line], exact[line], line)) }];
  });
  return {
    previousPeriod: { period: { startDate: before.start, endDate: before.end }, ...shown(earlier) },
    changes: Object.fromEntries(changes),
  };
}

function percentOf(before: Figure, after: Figure, line: LineName): Figure {
  if (before === null || after === null || (TOTALS.has(line) && before.compare(zero) < 0)) return null;
  return after.minus(before).times(new Fraction(100)).per(before);
}

// ------------------------------------------------------------------------------------------------------------ orders

export interface ProfitOrdersQuestion {
  readonly span: Span;
  /** Which of the counted orders. */
  readonly wanted: (order: Counted) => boolean;
  readonly filters: Filters;
  readonly orderBy: "orderedAt" | "contribution2";
  readonly orderDirection: "ASC" | "DESC";
  readonly page: number;
  readonly limit: number;
}

/** The lines that orders have. */
const OF_ORDER = LINES.slice(0, LINES.indexOf("contribution2") + 1);

/** The answer with the profit of each order: a page of them. */
export function profitOrders(all: ProfitFacts, question: ProfitOrdersQuestion): Answer {
  const { span, wanted, filters, orderBy, orderDirection, page, limit } = question;
  const { integrationId, channel } = filters;
  const facts = filteredProfit(all, filters);
  const book = bookOf(facts, "order", expensesOfOrders(facts));
  const sign = orderDirection === "DESC" ? -1 : 1;
  const rows = book.orders
    .filter(({ counted }) => within(counted.day, span) && wanted(counted))
    .map((order) => ({ order: order.counted, row: orderRow(book, order) }))
    .toSorted((a, b) => {
      const [one, other] = [a.row.contribution2, b.row.contribution2];
      const byContribution =
        Number(one === null) - Number(other === null) || (one === null ? 0 : sign * (Number(one) - Number(other)));
      const byTime = a.order.at - b.order.at;
      return (
        (orderBy === "contribution2" ? byContribution : sign * byTime) ||
        byTime ||
        byText(a.order.id, b.order.id) ||
        byText(a.order.store, b.order.store)
      );
    })
    .map(({ row }) => row);
  return {
    period: { startDate: span.start, endDate: span.end },
    ...envelopeOf(facts, span, integrationId, "stores"),
    ...filtersOf(integrationId, channel),
    data: rows.slice((page - 1) * limit, page * limit),
    meta: { page, limit, hasNextPage: rows.length > page * limit, hasPreviousPage: page > 1 },
  };
}

/** What happened with some orders alone. */
function partOf(book: Book, orders: readonly ProfitOrder[]): Pick<Cut, "postings" | "unknown"> {
  const chosen = new Set<ProfitOrder | null>(orders);
  return {
    postings: book.postings.filter(({ order }) => order && chosen.has(order)),
    unknown: book.unknown.filter(({ order }) => chosen.has(order)),
  };
}

function orderRow(book: Book, order: ProfitOrder): Answer {
  const { counted } = order;
  const { campaign } = counted;
  const part = partOf(book, [order]);
  const figures = inCents(exactly(book, part));
  const { settings } = book.facts;
  return {
    orderId: counted.id,
    integrationId: counted.store,
    connector: settings.integrations?.find(({ id }) => id === counted.store)?.connector,
    orderedOn: counted.day,
    orderedAt: new Date(Math.floor(counted.at)).toISOString(),
    channel: counted.channel,
    channelLabel: LABELS[counted.channel],
    campaignId: campaign?.connector ? campaign.key : null,
    campaignName: campaign?.label ?? null,
    strategy: campaign?.strategy ?? null,
    ...Object.fromEntries(OF_ORDER.map((line) => [line, money(figures[line])])),
    unitsWithoutCost: part.unknown.filter(({ isSold }) => isSold).reduce((sum, { units }) => sum + units, 0),
  };
}

// --------------------------------------------------------------------------------------------- channels and campaigns

/** What `/v1/acquisition/contribution` says of some orders and what was spent on them [D76]. */
export interface OrderCosts {
  readonly of: (orders: readonly Counted[], investment: Figure) => Answer;
  readonly missing: (orders: readonly Counted[]) => Answer[];
  /** `contribution2` [D89]: exactly, and as the sum of its lines as rounded. */
  readonly left: (orders: readonly Counted[]) => { readonly exact: Figure; readonly shown: Figure };
}

/** Refunds to date. Expenses are of no order; what they say is known of an order is known here too. */
export function orderCosts(facts: ProfitFacts): OrderCosts {
  const book = bookOf(facts, "order", expensesOfOrders(facts));
  const named = new Map(facts.orders.map((order) => [order.counted, order]));
  const ordersOf = (orders: readonly Counted[]): ProfitOrder[] => orders.flatMap((order) => named.get(order) ?? []);
  return {
    of: (counted, investment) => {
      const orders = ordersOf(counted);
      const { netRevenue, goods, ...others } = inCents(exactly(book, partOf(book, orders)));
      const costOfGoods = goods && negative(goods);
      const variable = negative(
        Fraction.sum(
          (["payment", "shipping", "fulfilment", "commission", "other"] as const).map((line) => others[line] ?? zero),
        ),
      );
      const afterCosts = difference(difference(netRevenue, costOfGoods), variable);
      return {
        netRevenue: money(netRevenue),
        costOfGoods: money(costOfGoods),
        variableCosts: money(variable),
        contributionAfterCosts: money(afterCosts),
        contributionAfterAds: money(difference(afterCosts, investment?.rounded(2) ?? null)),
        costCoverage: ratio(coverageOf(book, orders, "goods")),
      };
    },
    left: (counted) => {
      const figures = exactly(book, partOf(book, ordersOf(counted)));
      return { exact: figures.contribution2 ?? null, shown: inCents(figures).contribution2 ?? null };
    },
    missing: (counted) => {
      const orders = ordersOf(counted);
      return missingOf(book, orders, partOf(book, orders).unknown, false);
    },
  };
}

/** The facts with the unit costs of [D72], and with the units that were put back into stock [D76]. */
export function withUnitCosts(facts: ProfitFacts): Facts {
  const { costs } = bookOf(facts, "order", []);
  return {
    ...facts.facts,
    orders: facts.orders.map(({ counted, lines, refunds }) => ({
      ...counted,
      lines: counted.lines.map((line, no): SoldLine => {
        const own = lines[no] as ProfitLine;
        const back = refunds.cameBack.filter(({ line: of, isRestocked }) => of === own.no && isRestocked);
        return {
          ...line,
          cost: costs.get(own)?.amount ?? null,
          putBack: back.reduce((sum, { units }) => sum + units, 0),
        };
      }),
    })),
  };
}

/** The lines of some days, exactly and as the statement rounds them. */
export function linesOn(facts: ProfitFacts): (span: { readonly start: string; readonly end: string }) => {
  readonly exact: Figures;
  readonly cents: Figures;
} {
  const book = bookOf(facts, "refund", expensesOf(facts));
  return (span) => {
    const exact = exactly(book, cutOf(book, span.start <= span.end ? span : null));
    return { exact, cents: inCents(exact) };
  };
}
