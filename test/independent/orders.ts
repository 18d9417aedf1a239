import { type Carried, folded } from "./carried.ts";
import { coverageOf } from "./coverage.ts";
import { type Span, within } from "./days.ts";
import { byText, type Counted, type Customer, type Facts, firstOf, type Uncounted } from "./facts.ts";
import { isRecurring } from "./figures.ts";
import { type Answer, filtersOf, money } from "./profitability.ts";
import { type Channel, LABELS } from "./text.ts";

/** `/v1/profitability/orders`, only from the sentences of the rules [D51]. */

export interface OrderFilters {
  readonly counted: string;
  readonly acquired: { readonly start: string; readonly end: string } | null;
  readonly purchase: string | null;
  readonly customer: string | null;
  readonly channel: Channel | null;
  /** The order's own store, and those of the customer's first order. */
  readonly integrationId: string | null;
  readonly acquiredIntegrationId: string | null;
  readonly acquiredChannel: Channel | null;
  readonly strategy: string | null;
  /** Filters by what orders carry, as they are sent. */
  readonly carried: Readonly<Record<string, string>>;
}

export const ANY_ORDER: OrderFilters = {
  counted: "true",
  acquired: null,
  purchase: null,
  customer: null,
  channel: null,
  integrationId: null,
  acquiredIntegrationId: null,
  acquiredChannel: null,
  strategy: null,
  carried: {},
};

const FOLDED = ["state", "city", "country"];

/** Whether an order carries what is asked for: text exactly, places folded [D88]. */
const carries = ({ carried }: Counted | Uncounted, wanted: OrderFilters["carried"]): boolean =>
  Object.entries(wanted).every(([name, sent]) => {
    const value = carried[name as keyof Carried] as string | number | null;
    if (FOLDED.includes(name)) return value !== null && folded(String(value)) === folded(sent);
    return typeof value === "number" ? value === Number(sent) : value === sent;
  });

const earlier = (a: Counted | Uncounted, b: Counted | Uncounted): number =>
  a.at - b.at || byText(a.id, b.id) || byText(a.store, b.store);

export function groupOf({ customer }: Counted, span: Span): string | null {
  if (customer === null) return "anonymous";
  const { day } = firstOf(customer);
  if (within(day, span)) return "new";
  return span.start !== null && day < span.start ? "recurring" : null;
}

/** 1 for the whole first purchase, then on from 2. */
function numberOf(order: Counted, { orders }: Customer): number {
  if (!isRecurring(order)) return 1;
  return 2 + orders.filter((other) => isRecurring(other) && earlier(other, order) < 0).length;
}

/** Whether a counted order passes the filters. */
export function isWanted(order: Counted, span: Span, wanted: OrderFilters): boolean {
  const { acquired } = wanted;
  const { customer } = order;
  const purchase = customer === null ? null : isRecurring(order) ? "repeat" : "first";
  return (
    (!acquired || (customer !== null && within(firstOf(customer).day, acquired))) &&
    isAcquiredIn(order, wanted) &&
    (wanted.purchase === null || purchase === wanted.purchase) &&
    (wanted.customer === null || groupOf(order, span) === wanted.customer) &&
    isOfWanted(order, span, wanted)
  );
}

function isAcquiredIn({ customer }: Counted, { acquiredIntegrationId, acquiredChannel }: OrderFilters): boolean {
  if (acquiredIntegrationId === null && acquiredChannel === null) return true;
  if (customer === null) return false;
  const { store, channel } = firstOf(customer);
  return (acquiredIntegrationId ?? store) === store && (acquiredChannel ?? channel) === channel;
}

const isOfWanted = (order: Counted | Uncounted, span: Span, wanted: OrderFilters): boolean =>
  within(order.day, span) && carries(order, wanted.carried) && isAttributed(order, wanted);

const isAttributed = ({ store, channel, campaign }: Counted | Uncounted, wanted: OrderFilters): boolean =>
  (wanted.integrationId === null || store === wanted.integrationId) &&
  (wanted.channel === null || channel === wanted.channel) &&
  (wanted.strategy === null || (campaign?.strategy ?? "unclassified") === wanted.strategy);

export function orders(facts: Facts, span: Span, wanted: OrderFilters): Answer {
  const counted = facts.orders.filter((order) => wanted.counted !== "false" && isWanted(order, span, wanted));
  const { acquired, purchase, customer, acquiredIntegrationId, acquiredChannel } = wanted;
  const ofCustomers = [acquired, purchase, customer, acquiredIntegrationId, acquiredChannel].some(
    (one) => one !== null,
  );
  const uncounted = facts.uncounted.filter(
    (order) => wanted.counted !== "true" && !ofCustomers && isOfWanted(order, span, wanted),
  );
  const rows = [...counted, ...uncounted].sort(earlier);
  return {
    period: { startDate: span.start, endDate: span.end },
    asOf: facts.asOf,
    coverage: coverageOf(facts, span, "stores"),
    ...facts.margin.fields,
    data: rows.map((order) => row(facts, order, span)),
    ...filtersOf(wanted.integrationId, wanted.channel),
    meta: { page: 1, limit: 500, hasNextPage: false, hasPreviousPage: false },
  };
}

function row({ settings, margin }: Facts, order: Counted | Uncounted, span: Span): Answer {
  const { revenue, cost, campaign } = order;
  const customer = "customer" in order ? order.customer : null;
  return {
    orderId: order.id,
    integrationId: order.store,
    connector: settings.integrations.find(({ id }) => id === order.store)?.connector,
    orderedOn: order.day,
    orderedAt: new Date(Math.floor(order.at)).toISOString(),
    revenue: money(revenue),
    cost: money(cost),
    blendedContribution: money(cost === null ? revenue.times(margin.rate) : revenue.minus(cost)),
    customer: "customer" in order ? groupOf(order, span) : null,
    customerOrderNo: "customer" in order && customer ? numberOf(order, customer) : null,
    customerId: customer?.key ?? null,
    channel: order.channel,
    channelLabel: LABELS[order.channel],
    campaignId: campaign?.connector ? campaign.key : null,
    campaignName: campaign?.label ?? null,
    strategy: campaign?.strategy ?? null,
    coupon: order.coupon,
    uncountedReason: "reason" in order ? order.reason : null,
    ...order.carried,
    discount: money(order.carried.discount),
    shippingCharged: money(order.carried.shippingCharged),
    taxCharged: money(order.carried.taxCharged),
  };
}

/** Two answers name the same customers in the same places, each with names of its own. */
export function withNumberedCustomers(answer: Answer): Answer {
  if (!Array.isArray(answer.data)) return answer;
  const numbers = new Map<unknown, number>([[null, 0]]);
  const data = answer.data.map((one: Answer) => {
    if (one.customerId === undefined) return one;
    if (!numbers.has(one.customerId)) numbers.set(one.customerId, numbers.size);
    return { ...one, customerId: numbers.get(one.customerId) };
  });
  return { ...answer, data };
}
