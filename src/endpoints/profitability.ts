import type { AnalysisEndpoint } from "../contract/endpoint.ts";
import {
  choice,
  count,
  currency,
  date,
  type Figure,
  type Figures,
  keyed,
  months,
  object,
  orNull,
  percent,
  ratio,
  truth,
  word,
} from "../contract/figure.ts";
import { organizationId, type Params, type PeriodRule } from "../contract/param.ts";

const period: Params = {
  organizationId,
  startDate: { kind: "day", description: "First day, inclusive; without both dates the whole history." },
  endDate: { kind: "day", description: "Last day, inclusive; without both dates the whole history." },
};

/** A point a day: beyond this an answer would only be large. */
const A_CENTURY = 36_525;

const periods: readonly PeriodRule[] = [
  { start: "startDate", end: "endDate", bothOrNone: "ignored", mostDays: A_CENTURY },
];

const dated = ["period", "asOf"] as const;
export const margin = ["marginPercent", "marginConfigured", "marginCompleteness", "marginItemStatus"] as const;

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
  envelope: [...dated, ...margin],
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

/** What every analysis of this family has in common. */
const common = { params: period, periods, unknown: "refused", cacheSeconds: 1800 } as const;

const costOfGoods: Figures = {
  cogs: indicators.cogs as Figure,
  revenueWithCmv: indicators.revenueWithCmv as Figure,
  revenueWithoutCmv: indicators.revenueWithoutCmv as Figure,
  marginBasis: indicators.marginBasis as Figure,
  blendedContribution: indicators.blendedContribution as Figure,
};

const newVsRecurring: AnalysisEndpoint = {
  ...common,
  shape: "series",
  path: "/v1/profitability/new-vs-recurring",
  summary: "New and returning customers per day, or per month when the period is longer than 92 days.",
  sql: "profitability/new-vs-recurring",
  envelope: [...dated, "granularity"],
  figures: {
    date: date("The day, or the first of the month."),
    newCustomers: count("Customers whose first order is in the point."),
    recurringCustomers: count("Customers with an order in the point and the first one before it."),
    customers: count("newCustomers + recurringCustomers."),
  },
};

const metricsEvolution: AnalysisEndpoint = {
  ...common,
  shape: "series",
  path: "/v1/profitability/metrics-evolution",
  summary: "The indicators month by month; they add up to the cards.",
  sql: "profitability/metrics-evolution",
  envelope: [...dated, ...margin],
  figures: {
    month: date("First of the month; the month is cut to the period."),
    totalRevenue: currency("Sum of order revenue."),
    totalOrders: count("Orders."),
    totalInvestment: currency("Media spend."),
    newCustomers: count("Customers whose first order is in the month."),
    cac: currency("totalInvestment / newCustomers; 0 without new customers."),
    ltv: orNull(currency("Revenue to date of the month's new customers × margin, per customer.")),
    cpv: currency("totalInvestment / totalOrders; 0 without orders."),
    ltvCacRatio: ratio("ltv / cac; 0 where cac is 0."),
    ...costOfGoods,
  },
};

const cmvEvolution: AnalysisEndpoint = {
  ...common,
  shape: "series",
  path: "/v1/profitability/cmv-evolution",
  summary: "Revenue and cost of goods day by day; they add up to the cards.",
  sql: "profitability/cmv-evolution",
  envelope: [...dated, ...margin],
  figures: {
    date: date("The day."),
    revenue: currency("Sum of order revenue."),
    orders: count("Orders."),
    averageTicket: currency("revenue / orders; 0 without orders."),
    ...costOfGoods,
  },
};

const cell: Figures = {
  pct: orNull(ratio("Value in the step / value in step 0, gross; null when step 0 has none.")),
  absolute: currency("Customers (`logo`) or revenue × margin (`revenue`)."),
  complementary: currency("The other view's absolute."),
  repurchaseRevenue: orNull(currency("Gross repeat revenue; null in step 0.")),
};

const cohort: AnalysisEndpoint = {
  ...common,
  shape: "series",
  path: "/v1/profitability/cohort",
  summary: "Retention by first-purchase cohort, in customers or in revenue × margin.",
  params: {
    ...period,
    view: { kind: "choice", of: ["revenue", "logo"], fallback: "revenue", description: "What the cells count." },
    groupBy: {
      kind: "choice",
      of: ["month", "quarter", "year"],
      fallback: "month",
      description: "Length of a cohort and of its steps.",
    },
    breakBy: {
      kind: "choice",
      of: ["origem", "campanha", "cupom", "produto", "categoria"],
      description:
        "A row per cohort and channel, campaign, coupon, product or category of the first purchase. Products and categories overlap.",
    },
  },
  sql: "profitability/cohort",
  envelope: [...dated, ...margin],
  echo: ["view", "groupBy", "breakBy"],
  only: { parameter: "breakBy", figures: ["breakKey", "breakLabel", "investment", "cac", "ltv", "payback"] },
  figures: {
    cohortMonth: date("First month of the cohort."),
    breakKey: orNull(word("What the row stands for.")),
    breakLabel: orNull(word("Its name.")),
    initialValue: currency("Value in step 0."),
    acquisitionInvestment: orNull(
      currency("Media spend in the cohort's months; null for coupons, products, categories."),
    ),
    roi: orNull(ratio("(step-0 revenue × margin − acquisitionInvestment) / acquisitionInvestment.")),
    firstPurchaseCustomers: count("Customers who entered through the row."),
    repurchaseCustomers: count("Of those, who bought again."),
    repurchasePct: percent("repurchaseCustomers / firstPurchaseCustomers × 100."),
    directRevenue: currency("Revenue of the first purchase."),
    directMargin: currency("directRevenue × margin."),
    totalRevenue: currency("Revenue to date."),
    totalMargin: currency("totalRevenue × margin."),
    additionalRevenue: currency("totalRevenue − directRevenue."),
    additionalMargin: currency("totalMargin − directMargin."),
    investment: orNull(currency("The row's own spend.")),
    cac: orNull(currency("investment / firstPurchaseCustomers.")),
    ltv: orNull(currency("totalMargin / firstPurchaseCustomers.")),
    payback: orNull(months("As on the cards, over the row's first-order months.")),
    months: keyed(
      { step: count("Steps since the cohort.") },
      cell,
      "A cell per step since the cohort, from `0`, complete up to the last day with an order.",
    ),
  },
};

export const profitability: readonly AnalysisEndpoint[] = [
  cards,
  newVsRecurring,
  metricsEvolution,
  cmvEvolution,
  cohort,
];
