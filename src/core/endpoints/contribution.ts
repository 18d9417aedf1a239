import { type Basis, basedOn } from "../contract/basis.ts";
import type { SqlEndpoint } from "../contract/endpoint.ts";
import { choice, count, currency, type Fields, orNull, ratio, text } from "../contract/field.ts";
import { connectorsOf } from "../contract/record.ts";
import { common, dated, margin, ordersOf, period, SPENT_BY_ROW, STRATEGIES, spendOf } from "./common.ts";

const OWN: Basis = ordersOf({ ordered: "span", own: "row" });

const fields: Fields = basedOn(
  {
    investment: spendOf(SPENT_BY_ROW),
    "orders revenue costOfGoods variableCosts contributionAfterCosts costCoverage": OWN,
    contributionAfterAds: { ...OWN, ...spendOf(SPENT_BY_ROW) },
    contributionProfit: { ...OWN, ...spendOf(SPENT_BY_ROW) },
  },
  {
    investment: currency("Media spend.", "Σ spend in the period"),
    orders: count("Orders that are attributed to it.", "number of its orders in the period"),
    revenue: currency("Revenue of these orders.", "Σ value of those orders"),
    costOfGoods: orNull(
      currency(
        "Cost of the goods in these orders: the stores' where they report it, else by the margin's percentage.",
        "Σ cost of orders with real cost + revenue of the others × percentage of `costOfGoods` / 100",
      ),
      "there is revenue without real cost and the margin has no percentage for it, or the margin is one percentage for all costs",
    ),
    variableCosts: orNull(
      currency(
        "Payment fees, taxes and shipping, by the margin's percentages.",
        "revenue × (gateway + tax + shipping) / 100: percentages of the margin",
      ),
      "there is revenue, and one of these items is pending, or the margin has no items or more than 100 % of them",
    ),
    contributionAfterCosts: orNull(
      currency(
        "Revenue left after all costs except media. Unlike `contribution` of the cards it counts the real cost of the goods.",
        "revenue − costOfGoods − variableCosts; with a margin that is one percentage revenue × marginPercent / 100",
      ),
      "a cost is unknown",
    ),
    contributionAfterAds: orNull(
      currency("The same less media spend: what it earned, or lost.", "contributionAfterCosts − investment"),
      "a cost is unknown",
    ),
    contributionProfit: currency(
      "The same by the margin of all orders, as on the cards; a pending item, or a missing margin, costs nothing in it.",
      "revenue × marginPercent / 100 − investment",
    ),
    costCoverage: orNull(
      ratio("Share of the revenue that has real cost.", "revenue of orders with real cost / revenue"),
      "revenue is 0",
    ),
  },
);

/** Contribution of channels and campaigns [D65]. */
export const contribution: SqlEndpoint = {
  ...common,
  path: "/v1/acquisition/contribution",
  summary:
    "What each campaign or channel earned or lost: revenue less cost of goods, variable costs and media spend, the largest loss first. Orders add up to those of the cards, and so do amounts, except for rounding.",
  params: {
    ...period,
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
        "All rows together: the figures of the cards. A cost that is unknown of one row may be known of no total.",
    },
  },
};
