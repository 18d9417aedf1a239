import { CHANNELS } from "../contract/channel.ts";
import type { AnalysisEndpoint } from "../contract/endpoint.ts";
import {
  choice,
  count,
  currency,
  date,
  type Figure,
  type Figures,
  months,
  object,
  orNull,
  ratio,
  truth,
  word,
} from "../contract/figure.ts";
import { organizationId, type Params, type PeriodRule } from "../contract/param.ts";
import { margin } from "./profitability.ts";

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
};

const periods: readonly PeriodRule[] = [
  {
    start: "startDate",
    end: "endDate",
    bothOrNone: "refused",
    notFuture: true,
    mostDays: 365,
    preset: { parameter: "period", days: PRESETS },
  },
];

const common = { params, periods, unknown: "refused", cacheSeconds: 1800 } as const;
const dated = ["period", "asOf"] as const;

/** A metric beside its change against the period right before. */
const compared = (figure: Figure): Figure =>
  object(
    {
      value: figure,
      changePct: orNull({ unit: "percent", description: "Change in percent; null when it was 0 or null." }),
    },
    figure.description,
  );

const summary: AnalysisEndpoint = {
  ...common,
  shape: "object",
  path: "/v1/acquisition/summary",
  summary: "What it cost to win customers in a period, and how that changed.",
  sql: "acquisition/summary",
  envelope: [...dated, "previousPeriod", ...margin],
  figures: {
    investment: compared(currency("Media spend, brand and monetization included.")),
    acquisitionInvestment: compared(currency("Spend of acquisition campaigns.")),
    acquisitionNewCustomers: compared(count("New customers attributed to those campaigns.")),
    newCustomers: compared(count("All new customers, any channel.")),
    cac: compared(orNull(currency("acquisitionInvestment / acquisitionNewCustomers; null without either."))),
    acquisitionAvgLtv: compared(orNull(currency("Revenue to date of those customers × margin, per customer."))),
    acquisitionLtvCacRatio: compared(orNull(ratio("acquisitionAvgLtv / cac."))),
    acquisitionRoi: compared(
      orNull(ratio("(their revenue in the period × margin − acquisitionInvestment) / acquisitionInvestment.")),
    ),
    paybackMonths: compared(orNull(months("Months until their margin covers the spend; changePct is always null."))),
    hasAcquisitionClassification: truth("Whether any campaign, in any period, is classed as acquisition."),
  },
};

/** What a channel or a campaign cost and brought. */
const figures: Figures = {
  investment: currency("Media spend."),
  orders: count("Orders of the channel or campaign."),
  revenue: currency("Their revenue."),
  newCustomers: count("Customers whose first order it brought."),
  newCustomersRevenue: currency("Their revenue in the period."),
  cac: orNull(currency("investment / newCustomers; null without spend or customers.")),
  ltv: orNull(currency("Their revenue to date × margin, per customer.")),
  ltvCacRatio: orNull(ratio("ltv / cac.")),
  roi: orNull(ratio("(newCustomersRevenue × margin − investment) / investment.")),
  paybackMonths: orNull(months("Months until their margin covers the spend.")),
};

const channels: AnalysisEndpoint = {
  ...common,
  shape: "series",
  path: "/v1/acquisition/channels",
  summary: "What each channel cost and brought; revenue and orders add up to the cards.",
  sql: "acquisition/channels",
  envelope: [...dated, ...margin],
  figures: { channel: choice(CHANNELS, "Channel."), label: word("Its name."), ...figures },
};

const campaigns: AnalysisEndpoint = {
  ...common,
  shape: "series",
  path: "/v1/acquisition/campaigns",
  summary: "What each campaign cost and brought.",
  sql: "acquisition/campaigns",
  envelope: [...dated, ...margin],
  figures: {
    campaignId: orNull(word("Campaign; null for a utm_campaign that no landed campaign has.")),
    campaignName: word("Its latest name, or the normalized utm_campaign."),
    connector: orNull(word("Ad platform.")),
    strategy: orNull(choice(["acquisition", "brand", "monetization"], "Its class; null: unclassified.")),
    impressions: count("Impressions."),
    clicks: count("Clicks."),
    ...figures,
  },
};

const newCustomers: AnalysisEndpoint = {
  ...common,
  shape: "series",
  path: "/v1/acquisition/new-customers",
  summary: "New customers over time, by the channel of their first order.",
  sql: "acquisition/new-customers",
  envelope: [...dated, "granularity"],
  figures: {
    date: date("The day, or the first of the month."),
    newCustomers: count("New customers."),
    channels: object(
      Object.fromEntries(CHANNELS.map((channel) => [channel, count(`Of those, through ${channel}.`)])),
      "New customers by channel.",
    ),
  },
};

export const acquisition: readonly AnalysisEndpoint[] = [summary, channels, campaigns, newCustomers];
