import { allBasedOn } from "../contract/basis.ts";
import { CHANNELS } from "../contract/channel.ts";
import type { SqlEndpoint } from "../contract/endpoint.ts";
import { choice, count, currency, day, type Fields, instant, orNull, text } from "../contract/field.ts";
import type { Param, Params, PeriodRule } from "../contract/param.ts";
import { connectorsOf } from "../contract/record.ts";
import { carriedFields, carriedFilters } from "./carried.ts";
import { anyPeriod, common, dated, margin, ordersOf, period, STRATEGIES } from "./common.ts";
import { paging } from "./rows.ts";

/** Reasons why an order does not count; the first that holds is given. */
export const REASONS = ["cancelled", "replaced", "test", "unpaid"] as const;
const NO_CUSTOMER = "the order is not counted, or its customer is unknown";

const filter = (of: readonly string[], description: string): Param => ({ kind: "choice", of, description });
const acquired = (which: string): Param => ({
  kind: "day",
  description: `Orders of customers whose first order is on this day or ${which}.`,
});

/** What orders a list has: the period and filters. */
export const selection: Params = {
  ...period,
  acquiredStart: acquired("later"),
  acquiredEnd: acquired("before"),
  purchase: filter(["first", "repeat"], "Orders of the customer's first purchase, or of a later one."),
  customer: filter(
    ["new", "recurring", "anonymous"],
    "Orders of customers acquired in the period, of those acquired before it, or of unknown ones.",
  ),
  channel: filter(CHANNELS, "Orders of this channel."),
  campaignId: {
    kind: "text",
    description: "Orders of the campaigns with exactly this id; `channel` distinguishes those of two ad networks.",
  },
  strategy: filter(
    [...STRATEGIES, "unclassified"],
    "Orders whose campaign has this class; `unclassified`: without a class or without a campaign.",
  ),
  integrationId: { kind: "uuid", description: "Orders of this store." },
  acquiredIntegrationId: { kind: "uuid", description: "Orders of customers whose first order is in this store." },
  acquiredChannel: filter(CHANNELS, "Orders of customers whose first order came by this channel."),
  coupon: { kind: "text", keepsEmpty: true, description: "Orders with this coupon, in upper case." },
  ...carriedFilters,
};

export const selectionPeriods: readonly PeriodRule[] = [
  anyPeriod,
  { start: "acquiredStart", end: "acquiredEnd", bothOrNone: "refused" },
];

/** What an order is attributed to. */
export const attribution: Fields = {
  channel: choice(CHANNELS, "Channel."),
  channelLabel: text("Its name."),
  campaignId: orNull(text("Campaign that the order is attributed to."), "it has none, or a campaign that never landed"),
  campaignName: orNull(text("Its name, or the `utm_campaign` of a campaign that never landed."), "it has none"),
  strategy: orNull(choice(STRATEGIES, "Class of the campaign."), "no rule of the settings matches it"),
};

/** Which order a row is. */
export const identity: Fields = {
  orderId: text("Order."),
  integrationId: text("Its store."),
  connector: choice(connectorsOf("store"), "Platform of the store."),
  orderedOn: day("Day on which it was placed, in the store's time zone."),
  orderedAt: instant("When it was placed."),
};

/** The orders behind a number [D51]. */
export const orders: SqlEndpoint = {
  ...common,
  path: "/v1/profitability/orders",
  summary:
    "The orders behind a number, in pages: their revenue adds up to that of the cards. Filters are combined; one that nothing meets gives an empty page.",
  params: {
    ...selection,
    counted: {
      kind: "choice",
      of: ["true", "false", "any"],
      fallback: "true",
      description: "Orders that count, those that do not, or both.",
    },
    ...paging,
  },
  periods: selectionPeriods,
  withoutSpend: true,
  filters: "empty",
  envelope: [...dated, ...margin],
  table: "data",
  parts: {
    data: {
      sql: "profitability/orders",
      rows: "many",
      paged: true,
      fields: allBasedOn(ordersOf({ isRow: true }), {
        ...identity,
        revenue: currency("What the customer pays, including shipping and tax.", "value of the order"),
        cost: orNull(
          currency("Cost of its units, as the store reports it.", "Σ unit cost × quantity"),
          "it has no units, or a unit has no cost",
        ),
        blendedContribution: currency(
          "Contribution: by the real cost where it is known, else by the configured margin.",
          "revenue − cost; without cost revenue × marginPercent / 100",
        ),
        customer: orNull(
          choice(
            ["new", "recurring", "anonymous"],
            "`new`: the customer's first order is in the period; `recurring`: before it; `anonymous`: the customer is unknown.",
          ),
          "the order is not counted, or the customer's first order is later by its day in another time zone",
        ),
        customerOrderNo: orNull(
          count(
            "Number of the order in the customer's history.",
            "1 for all orders of the first purchase, then 2, 3… by instant, order and store",
          ),
          NO_CUSTOMER,
        ),
        customerId: orNull(
          text("The customer, the same in all answers of the organization. Nobody can find the e-mail from it."),
          NO_CUSTOMER,
        ),
        ...attribution,
        coupon: orNull(text("Coupon, in upper case."), "none was used"),
        uncountedReason: orNull(
          choice(REASONS, "Why it is not counted: the first of these that holds."),
          "it is counted",
        ),
        ...carriedFields,
      }),
    },
  },
};
