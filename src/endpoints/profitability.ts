import type { AnalysisEndpoint } from "../contract/endpoint.ts";
import { choice, count, currency, date, type Figures, months, object, orNull, percent, ratio, truth } from "../contract/figure.ts";
import { organizationId, type Params, type PeriodRule } from "../contract/param.ts";

const period: Params = {
  organizationId,
  startDate: { kind: "day", description: "First day, inclusive; without both dates the whole history." },
  endDate: { kind: "day", description: "Last day, inclusive; without both dates the whole history." },
};

const periods: readonly PeriodRule[] = [{ start: "startDate", end: "endDate", bothOrNone: "ignored" }];

/** The indicators of a period; `sql/setup.sql` computes them, `profitability_figures`. */
const indicators: Figures = {
  revenue: currency("Sum of order revenue."),
  investment: currency("Social ads spend + search ads spend."),
  orders: count("Orders."),
  newCustomers: count("Customers whose first order is in the period."),
  recurringCustomers: count("Customers who bought in the period and had bought before it."),
  customers: count("newCustomers + recurringCustomers."),
  recurringOrders: count("Orders of customers who had bought before that order."),
  averageTicket: currency("revenue / orders; 0 without orders."),
  contribution: currency("revenue × margin."),
  contributionProfit: currency("contribution − investment."),
  cpv: currency("investment / orders; 0 without orders."),
  cpr: currency("investment / recurringOrders; 0 without them."),
  cac: currency("investment / newCustomers; 0 without new customers."),
  ltv: orNull(currency("Revenue to date of the customers won in the period × margin, per customer; null without any.")),
  ltvLifetime: orNull(currency("The same over the whole customer base, whatever the period.")),
  retentionLtv: orNull(
    currency("Revenue after the calendar month of the first order × margin, per customer won in the period."),
  ),
  ltvCacRatio: ratio("ltv / cac; 0 where cac is 0."),
  roi: ratio("(contribution − investment) / investment; 0 without investment."),
  clv: orNull(currency("ltv − cac.")),
  payback: orNull(
    months("Months until the margin of a first-order month's customers covers its spend; weighted by customers."),
  ),
  conversionRate: orNull(percent("Events of the decision stage / events of the interest stage × 100.")),
  campaignCac: currency("acquisitionInvestment / newCustomers; 0 without new customers."),
  acquisitionInvestment: currency("Spend on acquisition campaigns."),
  acquisitionNewCustomers: count("New customers whose first order is attributed to an acquisition campaign."),
  acquisitionCac: orNull(currency("acquisitionInvestment / acquisitionNewCustomers.")),
  acquisitionContribution: currency("Revenue of those customers in the period × margin."),
  acquisitionLtv: orNull(currency("Revenue to date of those customers × margin, per customer.")),
  acquisitionLtvCacRatio: orNull(ratio("acquisitionLtv / acquisitionCac.")),
  acquisitionRoi: orNull(ratio("(acquisitionContribution − acquisitionInvestment) / acquisitionInvestment.")),
  brandInvestment: currency("Spend on brand campaigns."),
  brandImpressions: count("Impressions of brand campaigns."),
  brandNewCustomers: count("New customers whose first order is attributed to a brand campaign."),
  brandContribution: currency("Revenue of those customers in the period × margin."),
  brandRoi: orNull(ratio("(brandContribution − brandInvestment) / brandInvestment.")),
  monetizationInvestment: currency("Spend on monetization campaigns."),
  monetizationContribution: currency("Revenue of the orders attributed to monetization campaigns × margin."),
  monetizationRoi: orNull(ratio("(monetizationContribution − monetizationInvestment) / monetizationInvestment.")),
  monetizationRecurringCustomers: count("Customers with a recurring order attributed to a monetization campaign."),
  monetizationCpr: orNull(currency("monetizationInvestment / recurring orders attributed to those campaigns.")),
  unclassifiedInvestment: currency("Spend on campaigns that no rule classes."),
  hasAcquisitionClassification: truth("Whether any campaign, in any period, is classed as acquisition."),
  cogs: currency("Cost of the units of orders with real cost."),
  revenueWithCmv: currency("Revenue of orders with real cost."),
  revenueWithoutCmv: currency("revenue − revenueWithCmv."),
  marginBasis: choice(["cmv_real", "mixed", "configured_percent", "no_basis"], "Where the period's margin comes from."),
  blendedContribution: currency("(revenueWithCmv − cogs) + revenueWithoutCmv × margin."),
};

const changes: Figures = {
  ...Object.fromEntries(
    Object.entries(indicators)
      .filter(([, { unit }]) => typeof unit === "string" && unit !== "flag")
      .map(([name]) => [name, orNull(percent(`Change of \`${name}\`; null when it was 0 or null before.`))]),
  ),
  margin: percent("Always 0: one margin serves every period."),
};

const cards: AnalysisEndpoint = {
  shape: "object",
  path: "/v1/profitability/cards",
  summary: "Consolidated indicators of a period, beside those of the period before it.",
  params: period,
  periods,
  unknown: "refused",
  cacheSeconds: 1800,
  sql: "profitability/cards",
  margin: true,
  figures: {
    ...indicators,
    previousPeriod: orNull(
      object(
        {
          period: object({ startDate: date("First day."), endDate: date("Last day.") }, "The days compared with."),
          ...indicators,
        },
        "The same indicators for as many days right before; `ltv` and `retentionLtv` are those of everyone won before the period.",
      ),
    ),
    changes: orNull(
      object(
        changes,
        "Change of each indicator in percent. `ltv` and `retentionLtv` compare everyone won up to the end of the period with everyone won before its start.",
      ),
    ),
  },
};

export const profitability: readonly AnalysisEndpoint[] = [cards];
