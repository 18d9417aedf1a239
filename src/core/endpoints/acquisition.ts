import { basedOn } from "../contract/basis.ts";
import { CHANNELS } from "../contract/channel.ts";
import { ROOT, type SqlEndpoint } from "../contract/endpoint.ts";
import {
  choice,
  count,
  currency,
  day,
  type Field,
  type Fields,
  flag,
  months,
  object,
  orNull,
  percent,
  ratio,
  text,
} from "../contract/field.ts";
import { organizationId, type Params, type PeriodRule } from "../contract/param.ts";
import { connectorsOf } from "../contract/record.ts";
import { attributedProducts } from "./attributedProducts.ts";
import {
  ACQUIRED_BY_ROW,
  compare,
  dated,
  FILTERS,
  filters,
  margin,
  ofSpend,
  ordersOf,
  SPENT,
  SPENT_BY_ROW,
  STRATEGIES,
  spendOf,
  spentOn,
  withBasis,
} from "./common.ts";
import { contribution } from "./contribution.ts";

const PRESETS = { "7d": 7, "30d": 30, "90d": 90, "1y": 365 };

const params: Params = {
  organizationId,
  period: {
    kind: "choice",
    of: Object.keys(PRESETS),
    fallback: "30d",
    deprecated: "2025-01-01",
    description: "Days ending today, today included and still partial. Send startDate and endDate instead.",
  },
  startDate: { kind: "day", description: "First day, inclusive; together with endDate." },
  endDate: { kind: "day", description: "Last day, inclusive; together with startDate." },
  ...filters,
};

const period: PeriodRule = {
  start: "startDate",
  end: "endDate",
  bothOrNone: "refused",
  notFuture: true,
  mostDays: 365,
  compared: true,
  preset: { parameter: "period", days: PRESETS },
};

const common = { params, periods: [period], unknown: "refused", cacheSeconds: 1800, filters: "strict" } as const;

/** A metric with its change from the period compared with. */
const compared = (
  figure: Field,
  nullWhen = "either is null, it was 0 before, or the request has `compare=none`",
): Field => {
  const { description } = figure;
  const changePct = percent(
    "Change from the period compared with: by default the preceding one.",
    "(value − that of the period compared with) / that of the period compared with × 100, before rounding",
  );
  return object({ value: figure, changePct: { ...orNull(changePct, nullWhen), basis: { of: "both" } } }, description);
};

const NONE_ACQUIRED = "acquisitionInvestment or acquisitionNewCustomers is 0";

const summary: SqlEndpoint = {
  ...common,
  params: { ...params, compare },
  periods: [{ ...period, compared: { by: "compare" } }],
  path: "/v1/acquisition/summary",
  summary: "Cost of acquiring customers in a period, and how it changed.",
  keepsPlan: { over: "days", without: FILTERS },
  envelope: [...dated, "previousPeriod", ...margin],
  parts: {
    [ROOT]: {
      sql: "acquisition/summary",
      rows: "one",
      fields: {
        investment: compared(
          ofSpend(
            withBasis(
              spendOf(SPENT),
              currency(
                "Media spend, including brand and monetization. `cac` is computed from acquisitionInvestment instead.",
                "social ads spend + search ads spend",
              ),
            ),
          ),
        ),
        acquisitionInvestment: compared(
          ofSpend(
            withBasis(
              spendOf(spentOn("acquisition")),
              currency(
                "Spend of acquisition campaigns, from which `cac` is computed.",
                "Σ spend of campaigns classed as acquisition",
              ),
            ),
          ),
        ),
        acquisitionNewCustomers: compared(
          withBasis(
            ordersOf({ acquired: "span", purchase: "first", first: { strategy: "acquisition" } }),
            count(
              "New customers acquired by acquisition campaigns.",
              "new customers whose first order is attributed to one",
            ),
          ),
        ),
        newCustomers: compared(
          withBasis(
            ordersOf({ acquired: "span", purchase: "first" }),
            count("All customers acquired, through any channel.", "customers whose first order is in the period"),
          ),
        ),
        cac: compared(
          ofSpend(
            orNull(
              currency(
                "Cost of a customer acquired by an acquisition campaign.",
                "acquisitionInvestment / acquisitionNewCustomers",
              ),
              NONE_ACQUIRED,
            ),
          ),
        ),
        acquisitionAvgLtv: compared(
          withBasis(
            ordersOf({ acquired: "span", first: { strategy: "acquisition" } }),
            orNull(
              currency(
                "Lifetime value of those customers.",
                "their revenue to date × marginPercent / 100 / acquisitionNewCustomers",
              ),
              NONE_ACQUIRED,
            ),
          ),
        ),
        acquisitionLtvCacRatio: compared(
          ofSpend(
            orNull(ratio("Their lifetime value / their acquisition cost.", "acquisitionAvgLtv / cac"), NONE_ACQUIRED),
          ),
        ),
        acquisitionRoi: compared(
          ofSpend(
            withBasis(
              {
                orders: [{ ordered: "span", acquired: "span", first: { strategy: "acquisition" } }],
                spend: [spentOn("acquisition")],
              },
              orNull(
                ratio(
                  "Return on acquisition spend within the period.",
                  "(those customers' revenue in the period × marginPercent / 100 − acquisitionInvestment) / acquisitionInvestment",
                ),
                NONE_ACQUIRED,
              ),
            ),
          ),
        ),
        paybackMonths: compared(
          ofSpend(
            withBasis(
              { orders: [{ acquired: "span", first: { strategy: "acquisition" } }], spend: [spentOn("acquisition")] },
              orNull(
                months(
                  "Months until the margin of a month's new customers covers that month's acquisition spend; 0 is within the month.",
                  "as `payback` of /v1/profitability/cards, over customers and spend of acquisition campaigns",
                ),
                "no month with spend has been paid back",
              ),
            ),
          ),
          "always",
        ),
        hasAcquisitionClassification: flag("Whether any campaign, in any period, is classed as acquisition."),
      },
    },
  },
};

const WITHOUT_COST = "investment or newCustomers is 0";

/** Cost and results of a channel or a campaign. */
const fields: Fields = basedOn(
  {
    investment: spendOf(SPENT_BY_ROW),
    "orders revenue": ordersOf({ ordered: "span", own: "row" }),
    newCustomers: ordersOf({ ...ACQUIRED_BY_ROW, purchase: "first" }),
    newCustomersRevenue: ordersOf({ ordered: "span", ...ACQUIRED_BY_ROW }),
    ltv: ordersOf(ACQUIRED_BY_ROW),
    paybackMonths: { orders: [ACQUIRED_BY_ROW], spend: [SPENT_BY_ROW] },
  },
  {
    investment: ofSpend(currency("Media spend.", "Σ spend in the period")),
    orders: count("Orders of the channel or campaign.", "number of its orders in the period"),
    revenue: currency("Their revenue.", "Σ value of those orders"),
    newCustomers: count("Customers it acquired.", "customers whose first order, in the period, is attributed to it"),
    newCustomersRevenue: currency("Revenue of these customers.", "their revenue in the period"),
    cac: ofSpend(orNull(currency("Spend per new customer.", "investment / newCustomers"), WITHOUT_COST)),
    ltv: orNull(
      currency("Lifetime value of those customers.", "their revenue to date × marginPercent / 100 / newCustomers"),
      "newCustomers is 0",
    ),
    ltvCacRatio: ofSpend(orNull(ratio("Their lifetime value / their acquisition cost.", "ltv / cac"), WITHOUT_COST)),
    roi: ofSpend(
      orNull(
        ratio(
          "Return on its spend within the period.",
          "(newCustomersRevenue × marginPercent / 100 − investment) / investment",
        ),
        WITHOUT_COST,
      ),
    ),
    paybackMonths: ofSpend(
      orNull(
        months(
          "Months until the margin of a month's new customers covers that month's spend.",
          "as `payback` of /v1/profitability/cards, over its own customers and spend",
        ),
        "no month with spend has been paid back",
      ),
    ),
  },
);

const channels: SqlEndpoint = {
  ...common,
  path: "/v1/acquisition/channels",
  summary:
    "Cost and results of each channel. Orders add up to those of the cards, and so do amounts, except for rounding. Paid orders of Bing or TikTok count in `searchads` and `socialads`, whose spend is only that of the connected ad platforms.",
  tables: { data: { key: ["channel"], of: { attribute: "channel", field: "channel" } } },
  envelope: [...dated, ...margin],
  table: "data",
  parts: {
    data: {
      sql: "acquisition/channels",
      rows: "many",
      fields: { channel: choice(CHANNELS, "Channel."), label: text("Its name."), ...fields },
    },
  },
};

const campaigns: SqlEndpoint = {
  ...common,
  path: "/v1/acquisition/campaigns",
  summary: "Cost and results of each campaign. The same id in two ad networks is two campaigns.",
  tables: {
    data: {
      key: ["campaignId|campaignName"],
      apart: "connector",
      of: { attribute: "campaign", field: "campaignId" },
    },
  },
  envelope: [...dated, ...margin],
  table: "data",
  parts: {
    data: {
      sql: "acquisition/campaigns",
      rows: "many",
      fields: {
        campaignId: orNull(text("Campaign."), "no landed campaign matches the orders' utm_campaign"),
        campaignName: text("Its latest name, or the normalized utm_campaign."),
        connector: orNull(choice(connectorsOf("ads"), "Ad platform."), "campaignId is null"),
        strategy: orNull(choice(STRATEGIES, "Its class."), "no rule of the settings matches it"),
        impressions: ofSpend(
          withBasis(spendOf(SPENT_BY_ROW), count("How often it was shown.", "Σ impressions in the period")),
        ),
        clicks: ofSpend(withBasis(spendOf(SPENT_BY_ROW), count("Clicks.", "Σ clicks in the period"))),
        ...fields,
      },
    },
  },
};

const newCustomers: SqlEndpoint = {
  ...common,
  path: "/v1/acquisition/new-customers",
  summary: "New customers over time, by the channel of their first order.",
  withoutSpend: true,
  envelope: [...dated, "granularity"],
  table: "data",
  parts: {
    data: {
      sql: "acquisition/new-customers",
      rows: "many",
      fields: {
        date: day("The day, or the first of the month."),
        newCustomers: withBasis(
          ordersOf({ acquired: "span", purchase: "first" }),
          count("Customers acquired.", "customers whose first order is in the point"),
        ),
        channels: object(
          Object.fromEntries(
            CHANNELS.map((channel) => [
              channel,
              withBasis(
                ordersOf({ acquired: "span", purchase: "first", first: { channel } }),
                count(`New customers through ${channel}.`, "new customers whose first order came through it"),
              ),
            ]),
          ),
          "The same by channel; they add up to newCustomers.",
        ),
      },
    },
  },
};

export const acquisition: readonly SqlEndpoint[] = [
  summary,
  channels,
  campaigns,
  newCustomers,
  contribution,
  attributedProducts,
];
