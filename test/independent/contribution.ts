import { coverageOf } from "./coverage.ts";
import { type Span, within } from "./days.ts";
import { byText, type Counted, type Facts, grouped, type Product, type SpendDay } from "./facts.ts";
import { difference, type Figure, isSpendKnown, revenueOf, spendOf } from "./figures.ts";
import { Fraction } from "./fraction.ts";
import { type OrderCosts, orderCosts, withUnitCosts } from "./profit.ts";
import { type Answer, filtersOf, money, ratio } from "./profitability.ts";
import type { ProfitFacts } from "./profitFacts.ts";
import { CHANNELS, LABELS } from "./text.ts";

/** `/v1/acquisition/contribution` [D65], [D76] and `/v1/acquisition/products` [D66], only from the sentences of the rules. */

interface Part {
  readonly orders: readonly Counted[];
  /** Null if it is unknown [D86]. */
  readonly spend: readonly SpendDay[] | null;
}

const partOf = (facts: Facts, span: Span): Part => ({
  orders: facts.orders.filter(({ day }) => within(day, span)),
  spend: isSpendKnown(facts) ? facts.spend.filter(({ day }) => within(day, span)) : null,
});

function figuresOf(facts: Facts, { orders, spend }: Part, statement: OrderCosts): Answer {
  const [revenue, investment] = [revenueOf(orders), spend && spendOf(spend)];
  return {
    investment: money(investment),
    orders: orders.length,
    revenue: money(revenue),
    ...statement.of(orders, investment),
    contributionProfit: money(difference(revenue.times(facts.margin.rate), investment)),
  };
}

interface Row {
  readonly key: string | null;
  readonly connector: string | null;
  readonly row: Answer;
}

const afterNumbers = (value: unknown): number => (value === null ? Number.POSITIVE_INFINITY : Number(value));
/** Infinity minus itself is not 0. */
const byNumber = (a: number, b: number): number => (a === b ? 0 : a - b);

function sorted(rows: readonly Row[]): Answer[] {
  return rows
    .toSorted(
      (a, b) =>
        Number(a.key === null) - Number(b.key === null) ||
        byNumber(afterNumbers(a.row.contributionAfterAds), afterNumbers(b.row.contributionAfterAds)) ||
        byNumber(afterNumbers(a.row.contributionProfit), afterNumbers(b.row.contributionProfit)) ||
        byText(a.key ?? "", b.key ?? "") ||
        // Null is last.
        byText(a.connector ?? "~", b.connector ?? "~"),
    )
    .map(({ row }) => row);
}

function byChannel(facts: Facts, all: Part, statement: OrderCosts): Row[] {
  return CHANNELS.flatMap((channel): Row[] => {
    const part = {
      orders: all.orders.filter((order) => order.channel === channel),
      spend:
        all.spend === null && (channel === "searchads" || channel === "socialads")
          ? null
          : (all.spend ?? []).filter(({ campaign }) => campaign.connector === channel),
    };
    if (part.orders.length + (part.spend?.length ?? 0) === 0) return [];
    const named = { breakKey: channel, breakLabel: LABELS[channel], connector: null, strategy: null };
    return [{ key: channel, connector: null, row: { ...named, ...figuresOf(facts, part, statement) } }];
  });
}

function byCampaign(facts: Facts, all: Part, statement: OrderCosts): Row[] {
  const nameOf = (connector: string | null, key: string): string => `${connector} ${key}`;
  const orders = grouped(all.orders, ({ campaign }) => campaign && nameOf(campaign.connector, campaign.key));
  const spend = grouped(all.spend ?? [], ({ campaign }) => nameOf(campaign.connector, campaign.id));
  return [...new Set([...orders.keys(), ...spend.keys()])].map((name): Row => {
    const ownOrders = orders.get(name) ?? [];
    const ownSpend = name === null ? [] : (spend.get(name) ?? []);
    const [order, day] = [ownOrders[0]?.campaign ?? null, ownSpend[0]?.campaign];
    const connector = day?.connector ?? order?.connector ?? null;
    const part = { orders: ownOrders, spend: all.spend === null && connector !== null ? null : ownSpend };
    const key = day?.id ?? order?.key ?? null;
    const landed = facts.campaigns.find((one) => one.connector === connector && one.id === key);
    const named = {
      breakKey: key,
      breakLabel: landed?.name ?? key,
      connector,
      strategy: (landed ?? order)?.strategy ?? null,
    };
    return { key, connector, row: { ...named, ...figuresOf(facts, part, statement) } };
  });
}

/** With the costs of the statement [D76]. */
export function contribution(profit: ProfitFacts, span: Span, breakBy: "campanha" | "origem"): Answer {
  const { facts } = profit;
  const statement = orderCosts(profit);
  const all = partOf(facts, span);
  return {
    period: { startDate: span.start, endDate: span.end },
    asOf: facts.asOf,
    coverage: coverageOf(facts, span),
    ...facts.margin.fields,
    breakBy,
    data: sorted(breakBy === "origem" ? byChannel(facts, all, statement) : byCampaign(facts, all, statement)),
    total: figuresOf(facts, all, statement),
    missing: statement.missing(all.orders),
  };
}

export interface ProductFilters {
  readonly channel: string | null;
  readonly campaignId: string | null;
  readonly connector: string | null;
  readonly sortBy: "marginTotal" | "marginAfterAds" | "netSales";
  readonly sortOrder: "asc" | "desc";
}

interface Sold {
  readonly product: Product;
  readonly orders: number;
  readonly units: number;
  readonly kept: number;
  readonly gross: Fraction;
  readonly net: Figure;
  readonly cost: Figure;
  readonly reason: string | null;
}

function soldIn(orders: readonly Counted[]): Sold[] {
  const lines = orders.flatMap((order) =>
    order.lines.flatMap(({ product, ...line }) => (product ? [{ ...line, product, order }] : [])),
  );
  return [...grouped(lines, ({ product }) => `${product.store} ${product.id}`).values()].map((own): Sold => {
    const valued = own.filter(({ value }) => value !== null);
    const times = (value: Fraction | null, units: number): Fraction =>
      (value ?? Fraction.zero).times(new Fraction(units));
    const reason =
      valued.length < own.length
        ? "incomplete_gross_value"
        : own.some(({ cost }) => cost === null)
          ? "incomplete_cost"
          : null;
    return {
      product: (own[0] as (typeof own)[number]).product,
      orders: new Set(own.map(({ order }) => order)).size,
      units: own.reduce((sum, { sold }) => sum + sold, 0),
      kept: own.reduce((sum, { kept }) => sum + kept, 0),
      gross: Fraction.sum(valued.map(({ value, sold }) => times(value, sold))),
      net: valued.length === 0 ? null : Fraction.sum(valued.map(({ value, kept }) => times(value, kept))),
      cost:
        reason === null
          ? Fraction.sum(own.map(({ cost, sold, kept, putBack }) => times(cost, sold - (putBack ?? sold - kept))))
          : null,
      reason,
    };
  });
}

const marginOf = ({ net, cost }: Sold): Figure => difference(net, cost);

function productRow(one: Sold, investment: Figure, allGross: Fraction): Answer {
  const { product, orders, units, kept, gross, net, cost, reason } = one;
  const margin = marginOf(one);
  const share = net && (investment?.times(gross).per(allGross) ?? null);
  return {
    integrationId: product.store,
    productId: product.id,
    productName: product.name,
    imageUrl: null,
    orders,
    grossUnits: units,
    netUnits: kept,
    grossSales: money(net && gross),
    netSales: money(net),
    cogs: money(cost),
    marginTotal: money(margin),
    marginAverage: ratio(margin && net && margin.per(net)),
    investmentShare: money(share),
    marginAfterAds: money(difference(margin, share)),
    ndReason: reason,
  };
}

/** A unit costs what it does in the statement [D76]. */
export function attributedProducts(profit: ProfitFacts, span: Span, filters: ProductFilters): Answer {
  const facts = withUnitCosts(profit);
  const { channel, campaignId, connector, sortBy, sortOrder } = filters;
  const passes = (wanted: string | null, value: string | null | undefined): boolean =>
    wanted === null || value === wanted;
  const all = partOf(facts, span);
  const orders = all.orders.filter(
    (order) =>
      passes(channel, order.channel) &&
      passes(campaignId, order.campaign?.key) &&
      passes(connector, order.campaign?.connector),
  );
  const spend = all.spend?.filter(
    ({ campaign }) =>
      passes(channel, campaign.connector) && passes(campaignId, campaign.id) && passes(connector, campaign.connector),
  );
  const sold = soldIn(orders);
  const [revenue, investment] = [revenueOf(orders), spend ? spendOf(spend) : null];
  const gross = Fraction.sum(sold.map((one) => one.gross));
  const sign = sortOrder === "asc" ? 1 : -1;
  const rows = sold.map((one) => productRow(one, investment, gross));
  const keyOf = (row: Answer): number => (row[sortBy] === null ? Number.POSITIVE_INFINITY : sign * Number(row[sortBy]));
  const sumOf = (figures: readonly Figure[]): Figure =>
    figures.reduce((sum, one) => sum && one && sum.plus(one), Fraction.zero);
  return {
    period: { startDate: span.start, endDate: span.end },
    asOf: facts.asOf,
    coverage: coverageOf(facts, span),
    ...facts.margin.fields,
    data: rows.toSorted(
      (a, b) =>
        byNumber(keyOf(a), keyOf(b)) ||
        byText(String(a.productId), String(b.productId)) ||
        byText(String(a.integrationId), String(b.integrationId)),
    ),
    ...filtersOf(null, channel),
    meta: { page: 1, limit: 500, hasNextPage: false, hasPreviousPage: false },
    total: {
      orders: orders.length,
      revenue: money(revenue),
      investment: money(investment),
      products: sold.length,
      grossUnits: sold.reduce((sum, { units }) => sum + units, 0),
      netUnits: sold.reduce((sum, { kept }) => sum + kept, 0),
      grossSales: money(gross),
      otherRevenue: money(revenue.rounded(2).minus(gross.rounded(2))),
      netSales: money(sumOf(sold.map(({ net }) => net))),
      productsWithMargin: sold.filter((one) => marginOf(one) !== null).length,
      marginTotal: money(sumOf(sold.map(marginOf))),
    },
  };
}
