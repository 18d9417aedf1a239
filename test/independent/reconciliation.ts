import { coverageOf } from "./coverage.ts";
import { type Span, within } from "./days.ts";
import { byText, type Counted, type Facts, grouped, nameOf, type Uncounted } from "./facts.ts";
import { revenueOf, spendOf } from "./figures.ts";
import { Fraction } from "./fraction.ts";
import { type Answer, money, ratio } from "./profitability.ts";

/** `/v1/profitability/reconciliation`, only from the sentences of the rules [D54]; without its checks. */
export function reconciliation(facts: Facts, span: Span): Answer {
  const { integrations } = facts.settings;
  const stores = integrations.filter(({ connector }) => connector === "storea" || connector === "storeb");
  const ads = integrations.map(({ connector }) => connector).filter((name) => name.endsWith("ads"));
  return {
    period: { startDate: span.start, endDate: span.end },
    asOf: facts.asOf,
    coverage: coverageOf(facts, span),
    stores: stores.map(({ id, connector }) => storeOf(facts, span, id, connector)),
    accounts: [...new Set(ads)].sort(byText).map((connector) => account(facts, span, connector)),
    checks: [],
  };
}

const worth = (orders: readonly (Counted | Uncounted)[]): Fraction =>
  Fraction.sum(orders.map(({ revenue }) => revenue));

function storeOf(facts: Facts, span: Span, store: string, connector: string): Answer {
  const own = facts.orders.filter((order) => order.store === store);
  const placed = own.filter(({ day }) => within(day, span));
  const isSale = ({ soldOn }: Counted): boolean => soldOn !== null && within(soldOn, span);
  const sales = own.filter(isSale);
  const uncounted = facts.uncounted.filter((order) => order.store === store && within(order.day, span));
  const reasons = [...grouped(uncounted, ({ reason }) => reason)].sort(([a], [b]) => byText(a, b));
  const sum = (of: (order: Counted) => Fraction): Fraction => Fraction.sum(sales.map(of));
  const way = {
    revenue: revenueOf(placed),
    notInvoiced: revenueOf(placed.filter(({ soldOn }) => soldOn === null)),
    invoicedOutside: revenueOf(placed.filter((order) => order.soldOn !== null && !isSale(order))),
    invoicedInside: revenueOf(sales.filter(({ day }) => !within(day, span))),
    shipping: sum(({ shipping }) => shipping),
    tax: sum(({ tax }) => tax),
    giftCards: sum(({ goods }) => goods.giftCards),
    withoutProduct: sum(({ goods }) => goods.withoutProduct),
    grossSales: sum(({ goods }) => goods.sold),
    netSales: sum(({ goods }) => goods.kept),
  };
  const cents = (name: keyof typeof way): Fraction => way[name].rounded(2);
  const deducted = ["notInvoiced", "invoicedOutside", "shipping", "tax", "giftCards", "withoutProduct"] as const;
  const left = deducted.reduce((rest, name) => rest.minus(cents(name)), cents("revenue").plus(cents("invoicedInside")));
  return {
    integrationId: store,
    // The accounts of these organizations have names that nothing computes.
    integrationName: nameOf(facts, store),
    connector,
    landedOrders: placed.length + uncounted.length,
    landedValue: money(worth([...placed, ...uncounted])),
    uncounted: reasons.map(([reason, all]) => ({ reason, orders: all.length, value: money(worth(all)) })),
    orders: placed.length,
    ...Object.fromEntries(Object.entries(way).map(([name, figure]) => [name, money(figure)])),
    withoutSaleValue: 0,
    otherCharges: money(left.minus(cents("grossSales"))),
    returns: money(cents("grossSales").minus(cents("netSales"))),
  };
}

function account(facts: Facts, span: Span, connector: string): Answer {
  const days = facts.spend.filter(({ day, campaign }) => campaign.connector === connector && within(day, span));
  const orders = facts.orders.filter(({ day, channel }) => channel === connector && within(day, span));
  const claimed = Fraction.sum(days.map(({ claimedValue }) => claimedValue));
  const conversions = Fraction.sum(days.map((one) => one.conversions));
  return {
    connector,
    investment: money(spendOf(days)),
    platformConversions: connector === "socialads" ? null : money(conversions),
    platformValue: money(claimed),
    orders: orders.length,
    revenue: money(revenueOf(orders)),
    claimedToConfirmed: claimed.isZero ? null : ratio(claimed.per(revenueOf(orders))),
  };
}
