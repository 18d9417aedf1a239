import {
  type ItemDay,
  type Market,
  productIdOf,
  type Store,
  skuIdOf,
  storebVariantOf,
  type Web,
} from "../support/market.ts";
import { type Product, soldAlone } from "./catalog.ts";
import { firstOfMonth, lastOfMonth, monthNo, plusDays, type Span, within } from "./days.ts";
import { byText, grouped } from "./facts.ts";
import { Fraction } from "./fraction.ts";
import { type Bought, boughtOf, DAY, enteredBy, measured, soldOf } from "./metrics.ts";
import { type Row, rounded, rowOf, type StoreView, UNREAD } from "./products.ts";
import { type Customer, firstSale, isFirst, isLater, purchasedAt, type Sale, winners } from "./sales.ts";
import { LABELS } from "./text.ts";

/** The detail of a product [D40], block by block, from the sentences of the rules. */

const TOP = 10;
const COHORT_MONTHS = 12;
const LISTED = [
  "entryCustomers",
  "matureEntryCustomers",
  "ltv180",
  "repurchaseRate180",
  "ltvToDate",
  "repurchaseRateToDate",
  "cohortElapsedDaysAverage",
] as const;

/** The store and the data from which it is answered. */
export interface Asked {
  readonly market: Market;
  readonly view: StoreView;
  readonly product: Product;
  readonly period: { readonly from: string; readonly to: string };
  /** Today. */
  readonly today: string;
}

/** The products to ask for: the catalog, and products that were ever sold outside it. */
export const productsOf = ({ sales, catalog }: StoreView): Product[] => [
  ...catalog,
  ...soldAlone(sales, { start: null, end: null }, catalog),
];

export function detail(asked: Asked): Row {
  const { market, view, product, period } = asked;
  const all = boughtOf(view.sales, new Set([product.id]));
  const span: Span = { start: period.from, end: period.to };
  const inPeriod = all.filter(({ sale }) => within(sale.day, span));
  const year: Span = { start: yearBefore(asked.today), end: asked.today };
  const requested = { periodApplied: { basis: "requested" }, window: period };
  const lastYear = { periodApplied: { basis: "source_window" }, window: { from: year.start, to: year.end } };
  const entered = new Set(enteredBy(all, span));
  const block = (hasBase: boolean, without: string, content: Row, asOf = view.asOf): Row => ({
    ...stateOf(asOf, view.now, hasBase, without),
    asOf,
    ...content,
  });
  const sold = (content: Row): Row => block(inPeriod.length > 0, "no_period_sales", { ...requested, ...content });
  const customers = (content: Row): Row => block(entered.size > 0, "no_entry_customers", { ...requested, ...content });
  const together = boughtTogether(view, product, year);
  const after = boughtAfter(view, product, year);
  const cohort = entryCohort(asked, all);
  const funnel = funnelOf(market.web, market.syncs, idsOf(asked), span);
  return {
    productId: product.id,
    integrationId: view.store.account.id,
    asOf: [view.asOf, funnel.asOf].filter((time) => time !== null).sort()[0] ?? null,
    period,
    summary: sold(summary(view, product, span, inPeriod)),
    funnel: block(funnel.hasBase, funnel.without, { ...requested, ...funnel.figures }, funnel.asOf),
    entryCohort: block(cohort.rows.length > 0, "no_entry_customers", {
      periodApplied: lastYear.periodApplied,
      overlappingRows: true,
      cohortWindowMonths: COHORT_MONTHS,
      ...cohort,
    }),
    boughtTogether: block(together.of > 0, "no_period_sales", { ...lastYear, rows: together.rows }),
    retention: customers({ rows: retention(view, entered) }),
    purchaseFrequency: sold(purchaseFrequency(inPeriod)),
    boughtAfter: block(after.of > 0, "no_period_sales", { ...lastYear, rows: after.rows }),
    coupons: sold({ rows: coupons(inPeriod) }),
    acquisitionChannels: customers({ rows: channels(all, entered) }),
  };
}

/** The day after the same one a year before. */
function yearBefore(day: string): string {
  return plusDays(`${Number(day.slice(0, 4)) - 1}${day.slice(4)}`, 1);
}

function stateOf(asOf: string | null, now: number, hasBase: boolean, without: string): Row {
  if (asOf !== null && now - Date.parse(asOf) > DAY) return { state: "stale", reason: "stale_source" };
  return hasBase ? { state: "ready", reason: null } : { state: "no_base", reason: without };
}

const count = (of: number): Fraction => new Fraction(of);
const share = (part: number, whole: number): number | null => count(part).per(count(whole))?.number(4) ?? null;
const unitsOf = (bought: readonly Bought[], of: "sold" | "returned"): number =>
  bought.flatMap(({ lines }) => lines).reduce((sum, line) => sum + line[of], 0);

function summary(view: StoreView, product: Product, span: Span, inPeriod: readonly Bought[]): Row {
  const row = rowOf(view, product, span);
  const [soldUnits, returnedUnits] = [unitsOf(inPeriod, "sold"), unitsOf(inPeriod, "returned")];
  const state = soldUnits === 0 ? "no_sales_base" : view.hasReturns ? "measured" : "no_returns_coverage";
  return { ...row, returnMeasurement: { state, soldUnits, returnedUnits, returnRate: row.returnRate } };
}

// ---------------------------------------------------------------------------------------------------------- funnel

/** The names that a site's tag may give the product: its id, its SKUs', and the numbers at the end of storeb's. */
function idsOf({ view: { store }, product }: Asked): Set<string> {
  const isA = store.account.connector === "storea";
  const sold = skusSold(store, product.id);
  const catalogued = isA
    ? product.skus.map((sku) => sku.id)
    : product.skus.map((_, sku) => storebVariantOf(numberOf(store, product), sku));
  const ids = [product.id, ...catalogued, ...sold];
  return new Set(isA ? ids : ids.flatMap((id) => [id, String(id.split("/").at(-1))]));
}

const numberOf = ({ account, entries }: Store, { id }: Product): number =>
  entries.find(({ product }) => productIdOf(account, product) === id)?.product ?? -1;

const skusSold = ({ account, orders }: Store, id: string): string[] =>
  winners(orders)
    .flatMap(({ lines }) => lines)
    .filter(({ product, giftCard }) => product !== null && !giftCard && productIdOf(account, product) === id)
    .map(({ product, sku }) => (account.connector === "storea" ? skuIdOf : storebVariantOf)(product as number, sku));

interface Funnel {
  readonly asOf: string | null;
  readonly hasBase: boolean;
  readonly without: string;
  readonly figures: Row;
}

function funnelOf(web: Web | null, syncs: readonly string[], ids: ReadonlySet<string>, span: Span): Funnel {
  const landed = web?.days.map(({ sync }) => sync) ?? [];
  const isConnected = landed.length > 0;
  const days = web?.days.filter(({ item, day }) => ids.has(item) && within(day, span)) ?? [];
  const [views, added, checkedOut, bought] = [0, 1, 2, 3].map((step) =>
    days.reduce((sum, { units }: ItemDay) => sum + (units[step] as number), 0),
  ) as [number, number, number, number];
  const known = <T>(value: T): T | null => (isConnected ? value : null);
  return {
    asOf: isConnected ? (syncs[Math.max(...landed)] as string) : null,
    hasBase: days.length > 0,
    without: isConnected ? "no_period_data" : "source_not_connected",
    figures: {
      views: known(views),
      addToCarts: known(added),
      checkouts: known(checkedOut),
      purchases: known(bought),
      viewToCartRate: known(share(added, views)),
      cartToCheckoutRate: known(share(checkedOut, added)),
      checkoutToPurchaseRate: known(share(bought, checkedOut)),
      viewToPurchaseRate: known(share(bought, views)),
    },
  };
}

// ------------------------------------------------------------------------------------------------------- customers

function entryCohort({ view, product, today }: Asked, all: readonly Bought[]): { rows: Row[]; window: Row | null } {
  const entries = enteredBy(all, { start: null, end: null }).map((customer) => firstSale(customer).day);
  const months = [...new Set(entries.map(monthNo))].sort((a, b) => a - b).slice(-COHORT_MONTHS);
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return { rows: [], window: null };
  const rows = months.map((month) => {
    const [start, end] = [firstOfMonth(month), lastOfMonth(month)];
    const figures = rounded(measured(view, new Set([product.id]), UNREAD, { start, end }).metrics);
    return { month: start, ...Object.fromEntries(LISTED.map((name) => [name, figures[name]])) };
  });
  // The current month ends today, or on a day that the store's zone has already reached.
  const known = [today, ...entries].sort().at(-1) as string;
  const to = [lastOfMonth(last), known].sort()[0] as string;
  return { rows, window: { from: firstOfMonth(first), to } };
}

function retention({ asOfDay }: StoreView, entered: ReadonlySet<Customer>): Row[] {
  const begun = (customer: Customer): number => monthNo(asOfDay as string) - monthNo(firstSale(customer).day);
  const customers = [...entered];
  const most = Math.max(-1, ...customers.map(begun));
  return [...Array(most + 1).keys()].map((month) => {
    const observed = customers.filter((customer) => begun(customer) >= month);
    const back = observed.filter((customer) =>
      customer.sales.some((sale) => isLater(sale) && monthNo(sale.day) - monthNo(firstSale(customer).day) === month),
    );
    return { month, customers: back.length, observed: observed.length, pct: share(back.length, observed.length) };
  });
}

function channels(all: readonly Bought[], entered: ReadonlySet<Customer>): Row[] {
  const groups = grouped(entered, (customer) => firstSale(customer).channel);
  const rows = [...groups].map(([channel, customers]) => {
    const firsts = all.filter(({ sale }) => isFirst(sale) && customers.includes(sale.customer as Customer));
    return {
      channel,
      label: LABELS[channel],
      entryCustomers: customers.length,
      share: share(customers.length, entered.size),
      netSales: soldOf(firsts).netSales?.number(2) ?? null,
    };
  });
  return rows.sort((a, b) => b.entryCustomers - a.entryCustomers || byText(a.channel, b.channel));
}

// ---------------------------------------------------------------------------------------------------------- orders

function purchaseFrequency(inPeriod: readonly Bought[]): Row {
  const named = inPeriod.filter(({ sale }) => sale.customer !== null);
  const buyers = [...grouped(named, ({ sale }) => sale.customer).values()];
  const times = grouped(buyers, (bought) => bought.length);
  const gaps = buyers.flatMap((bought) =>
    bought.slice(1).map(({ sale }, no) => (Date.parse(sale.day) - Date.parse((bought[no] as Bought).sale.day)) / DAY),
  );
  const between = count(gaps.reduce((sum, gap) => sum + gap, 0)).per(count(gaps.length));
  return {
    rows: [...times]
      .sort(([a], [b]) => a - b)
      .map(([purchases, of]) => ({ purchases, customers: of.length, share: share(of.length, buyers.length) })),
    averageDaysBetween: between?.number(2) ?? null,
  };
}

function coupons(inPeriod: readonly Bought[]): Row[] {
  const groups = grouped(
    inPeriod.filter(({ sale }) => sale.coupon !== null),
    ({ sale }) => sale.coupon as string,
  );
  const rows = [...groups].map(([couponCode, bought]) => ({
    couponCode,
    orders: bought.length,
    share: share(bought.length, inPeriod.length),
    netSales: soldOf(bought).netSales?.number(2) ?? null,
  }));
  return rows.sort((a, b) => b.orders - a.orders || byText(a.couponCode, b.couponCode));
}

// ---------------------------------------------------------------------------------------------------------- bought with

interface BoughtWith {
  /** Orders, or customers, with the product. */
  readonly of: number;
  readonly rows: Row[];
}

const holds = ({ lines }: Sale, id: string): boolean => lines.some(({ product, sold }) => sold > 0 && product === id);

function boughtTogether(view: StoreView, { id }: Product, year: Span): BoughtWith {
  const sales = view.sales.filter(({ day }) => within(day, year));
  const holding = sales.filter((sale) => holds(sale, id));
  const rows = others(view, id).map((other) => {
    const orders = holding.filter((sale) => holds(sale, other.id)).length;
    return { other, n: orders, of: holding.length, has: sales.filter((sale) => holds(sale, other.id)).length };
  });
  return { of: holding.length, rows: top(rows, "orders", sales.length) };
}

/** Each purchase that contains the product leads to the customer's next one, of which all orders count. */
function boughtAfter(view: StoreView, { id }: Product, year: Span): BoughtWith {
  const sales = view.sales.filter(({ day, customer }) => customer !== null && within(day, year));
  const of = (some: readonly Sale[]): Set<Customer> => new Set(some.map(({ customer }) => customer as Customer));
  const holding = sales.filter((sale) => holds(sale, id));
  const next = holding.flatMap((one) => {
    const later = sales
      .filter(({ customer }) => customer === one.customer)
      .filter((sale) => purchasedAt(sale) > purchasedAt(one));
    const soonest = Math.min(...later.map(purchasedAt));
    return later.filter((sale) => purchasedAt(sale) === soonest);
  });
  const buyers = of(holding).size;
  const rows = others(view, id).map((other) => ({
    other,
    n: of(next.filter((sale) => holds(sale, other.id))).size,
    of: buyers,
    has: of(sales.filter((sale) => holds(sale, other.id))).size,
  }));
  return { of: buyers, rows: top(rows, "customers", of(sales).size) };
}

const others = (view: StoreView, id: string): Product[] => productsOf(view).filter((product) => product.id !== id);

interface Pair {
  readonly other: Product;
  /** With both, with this one, with the other. */
  readonly n: number;
  readonly of: number;
  readonly has: number;
}

function top(pairs: readonly Pair[], counted: "orders" | "customers", all: number): Row[] {
  const rows = pairs
    .filter(({ n }) => n > 0)
    .map(({ other, n, of, has }) => ({
      productId: other.id,
      productName: other.name,
      n,
      share: share(n, of),
      lift: new Fraction(n * all, of * has).number(4),
    }));
  rows.sort((a, b) => b.n - a.n || b.lift - a.lift || byText(a.productId, b.productId));
  return rows.slice(0, TOP).map(({ n, share, lift, ...product }) => ({ ...product, [counted]: n, share, lift }));
}

// ---------------------------------------------------------------------------------------------------------- series

/** [D39] */
export function series({ view, product, period }: Asked, granularity: "day" | "week"): Row {
  const all = boughtOf(view.sales, new Set([product.id]));
  const days = (Date.parse(period.to) - Date.parse(period.from)) / DAY + 1;
  const before = { from: plusDays(period.from, -days), to: plusDays(period.from, -1) };
  const bucketDays = granularity === "week" ? 7 : 1;
  const totals = ({ from, to }: Asked["period"]): Row => {
    const inSpan = all.filter(({ sale }) => within(sale.day, { start: from, end: to }));
    const data = [...Array(Math.ceil(days / bucketDays)).keys()].map((index) => {
      const start = plusDays(from, index * bucketDays);
      const end = [plusDays(start, bucketDays - 1), to].sort()[0] as string;
      const bought = inSpan.filter(({ sale }) => within(sale.day, { start, end }));
      const { netSales, netUnits, cogs, marginTotal, marginReason } = soldOf(bought);
      const money = (amount: Fraction | null): number | null => amount?.number(2) ?? null;
      return {
        index,
        from: start,
        to: end,
        netSales: money(netSales),
        netUnits: netUnits.number(0),
        orders: bought.length,
        cogs: money(cogs),
        marginTotal: money(marginTotal),
        marginNdReason: marginReason,
      };
    });
    return { ...stateOf(view.asOf, view.now, inSpan.length > 0, "no_period_sales"), data };
  };
  return {
    ...totals(period),
    asOf: view.asOf,
    integrationId: view.store.account.id,
    productId: product.id,
    granularity,
    bucketDays,
    period,
    periodApplied: { basis: "requested", granularity },
    previous: { ...totals(before), window: before },
  };
}
