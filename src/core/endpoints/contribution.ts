import { type Basis, basedOn } from "../contract/basis.ts";
import type { SqlEndpoint } from "../contract/endpoint.ts";
import { choice, count, currency, type Fields, orNull, ratio, text } from "../contract/field.ts";
import { connectorsOf } from "../contract/record.ts";
import { dated, filtered, margin, ofSpend, ordersOf, SPENT_BY_ROW, STRATEGIES, spendOf } from "./common.ts";
import { missingOfOrders } from "./missingCosts.ts";

const OWN: Basis = ordersOf({ ordered: "span", own: "row" });

const UNKNOWN_GOODS = "a unit that was sold, or came back and was put back, has no cost";

const fields: Fields = basedOn(
  {
    investment: spendOf(SPENT_BY_ROW),
    "orders revenue netRevenue costOfGoods variableCosts contributionAfterCosts costCoverage": OWN,
    contributionAfterAds: { ...OWN, ...spendOf(SPENT_BY_ROW) },
    contributionProfit: { ...OWN, ...spendOf(SPENT_BY_ROW) },
  },
  {
    investment: ofSpend(currency("Media spend.", "Σ spend in the period")),
    orders: count("Orders that are attributed to it.", "number of its orders in the period"),
    revenue: currency("Revenue of these orders.", "Σ value of those orders"),
    netRevenue: currency(
      "Net revenue: less gift cards, refunds of these orders, and taxes on sales.",
      "revenue − gift cards − refunds − taxes, as in the statement with `refundsOn=order`",
    ),
    costOfGoods: orNull(
      currency(
        "Cost of the goods in these orders that were not put back: that of product-costs, else the stores', else by rules.",
        "− goods of the statement",
      ),
      UNKNOWN_GOODS,
    ),
    variableCosts: currency(
      "Payment, shipping, fulfilment, commission and other costs of these orders, by rules and fees; expenses belong to no order.",
      "− (payment + shipping + fulfilment + commission + other) of the statement",
    ),
    contributionAfterCosts: orNull(
      currency("What is left after all costs except media.", "netRevenue − costOfGoods − variableCosts"),
      UNKNOWN_GOODS,
    ),
    contributionAfterAds: ofSpend(
      orNull(
        currency("The same less media spend: what it earned, or lost.", "contributionAfterCosts − investment"),
        UNKNOWN_GOODS,
      ),
    ),
    contributionProfit: ofSpend(
      currency(
        "The same by the margin of all orders, as on the cards; a pending item, or a missing margin, costs nothing in it.",
        "revenue × marginPercent / 100 − investment",
      ),
    ),
    costCoverage: orNull(
      ratio("Share of the units sold that have a cost.", "units with a cost / units sold"),
      "no unit was sold",
    ),
  },
);

/** Contribution of channels and campaigns [D65]. */
export const contribution: SqlEndpoint = {
  ...filtered,
  path: "/v1/acquisition/contribution",
  summary:
    "What each campaign or channel earned or lost: net revenue less cost of goods, variable costs and media spend, the largest loss first. Orders add up to those of the cards, and so do amounts, except for rounding.",
  params: {
    ...filtered.params,
    breakBy: {
      kind: "choice",
      of: ["campanha", "origem"],
      fallback: "campanha",
      description:
        "One row per campaign (`campanha`) or channel (`origem`) of the orders. The same campaign id in two ad networks is two campaigns, in two rows.",
    },
  },
  tables: {
    data: { key: ["breakKey"], apart: "connector", of: { parameter: "breakBy", field: "breakKey" } },
  },
  envelope: [...dated, ...margin],
  echo: ["breakBy"],
  materialize: ["contribution_lines"],
  table: "data",
  parts: {
    data: {
      sql: "acquisition/contribution",
      rows: "many",
      fields: {
        breakKey: orNull(
          text("The channel, or the campaign's id; the normalized `utm_campaign` of one that never landed."),
          "the orders have no campaign",
        ),
        breakLabel: orNull(text("Its name."), "the orders have no campaign"),
        connector: orNull(
          choice(connectorsOf("ads"), "Ad platform."),
          "it is a channel, or a campaign that never landed",
        ),
        strategy: orNull(choice(STRATEGIES, "Its class."), "it is a channel, or no rule of the settings matches it"),
        ...fields,
      },
    },
    total: {
      sql: "acquisition/contribution-total",
      rows: "one",
      fields,
      description:
        "All rows together: orders, revenue, investment and `contributionProfit` are the figures of the cards. A cost that is unknown of one row is known of no total.",
    },
    missing: {
      sql: "acquisition/contribution-missing",
      rows: "many",
      description: "What is not known of the costs of these orders.",
      fields: missingOfOrders,
    },
  },
};
