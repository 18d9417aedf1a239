import type { AnalysisEndpoint } from "../contract/endpoint.ts";
import {
  choice,
  count,
  countOrCurrency,
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

/** Any period: BI tools ask for everything since 1900. */
const anyPeriod: PeriodRule = { start: "startDate", end: "endDate", bothOrNone: "ignored" };

/** Of a series of days: a century. */
const MOST_DAYS = 36_525;

const dated = ["period", "asOf"] as const;
export const margin = ["marginPercent", "marginConfigured", "marginCompleteness", "marginItemStatus"] as const;

/** A figure that is null when nobody was won. */
const NOBODY_WON = "no customer was won in the period";

/** The indicators of a period; `sql/setup.sql` computes them, `profitability_figures`. */
const indicators: Figures = {
  revenue: currency(
    "Revenue: what customers pay, shipping and tax included. Returns do not lower it.",
    "Σ value of the orders",
  ),
  investment: currency("Media spend, of all campaigns.", "social ads spend + search ads spend"),
  orders: count("Orders that count: paid for and not cancelled.", "number of orders"),
  newCustomers: count("Customers won in the period.", "customers whose first order is in the period"),
  recurringCustomers: count(
    "Customers who came back.",
    "customers with an order in the period and the first one before it",
  ),
  customers: count("Customers who bought.", "newCustomers + recurringCustomers"),
  recurringOrders: count(
    "Repeat orders: parts of a later purchase than the customer's first. A basket that the store split is one purchase.",
    "orders of purchases after the customers' first",
  ),
  averageTicket: currency("Average order.", "revenue / orders; 0 without orders"),
  contribution: currency("What revenue leaves after variable costs.", "revenue × margin"),
  contributionProfit: currency("What is left after media, too.", "contribution − investment"),
  cpv: currency("Media spend per order.", "investment / orders; 0 without orders"),
  cpr: currency("Media spend per repeat order.", "investment / recurringOrders; 0 without repeat orders"),
  cac: currency("Media spend per new customer.", "investment / newCustomers; 0 without new customers"),
  ltv: orNull(
    currency(
      "Lifetime value of the customers won in the period, from all their orders to date, whatever the period's end.",
      "revenue to date of the period's new customers × margin / newCustomers",
    ),
    NOBODY_WON,
  ),
  ltvLifetime: orNull(
    currency(
      "The same over the whole customer base, whatever the period.",
      "revenue to date of all customers × margin / all customers",
    ),
    "the organization has no customers",
  ),
  retentionLtv: orNull(
    currency(
      "What customers bring after the calendar month of their first order, to date.",
      "revenue of the period's new customers after the month of their first order × margin / newCustomers",
    ),
    NOBODY_WON,
  ),
  ltvCacRatio: ratio("Lifetime value per what it cost to win the customer.", "ltv / cac; 0 where cac is 0 or ltv null"),
  roi: ratio("Return on media spend; 1.19 is 119 %.", "(contribution − investment) / investment; 0 without investment"),
  clv: orNull(currency("Lifetime value net of acquisition cost; may be negative.", "ltv − cac"), "ltv is null"),
  payback: orNull(
    months(
      "Months until the margin of those who first bought in a month covers that month's media spend.",
      "smallest n at which revenue of months 0 to n × margin ≥ spend, per month of first orders; average by customers",
    ),
    "no month with spend has been paid back",
  ),
  conversionRate: orNull(
    percent(
      "Conversion of the configured funnel.",
      "events of the decision stage / events of the interest stage × 100",
    ),
    "there is no funnel, or no event of its interest stage",
  ),
  campaignCac: currency(
    "Acquisition spend per new customer, whatever brought them.",
    "acquisitionInvestment / newCustomers; 0 without new customers",
  ),
  acquisitionInvestment: currency("Spend on acquisition campaigns.", "Σ spend of campaigns classed as acquisition"),
  acquisitionNewCustomers: count(
    "New customers won by acquisition campaigns.",
    "new customers whose first order is attributed to one",
  ),
  acquisitionCac: orNull(
    currency("Cost of a customer won by an acquisition campaign.", "acquisitionInvestment / acquisitionNewCustomers"),
    "acquisitionNewCustomers is 0",
  ),
  acquisitionContribution: currency(
    "What those customers brought in the period.",
    "their revenue in the period × margin",
  ),
  acquisitionLtv: orNull(
    currency("Lifetime value of those customers.", "their revenue to date × margin / acquisitionNewCustomers"),
    "acquisitionNewCustomers is 0",
  ),
  acquisitionLtvCacRatio: orNull(
    ratio("Their lifetime value per what they cost.", "acquisitionLtv / acquisitionCac"),
    "acquisitionNewCustomers or acquisitionInvestment is 0",
  ),
  acquisitionRoi: orNull(
    ratio("Return on acquisition spend.", "(acquisitionContribution − acquisitionInvestment) / acquisitionInvestment"),
    "acquisitionInvestment is 0",
  ),
  brandInvestment: currency("Spend on brand campaigns.", "Σ spend of campaigns classed as brand"),
  brandImpressions: count("How often brand campaigns were shown.", "Σ impressions of campaigns classed as brand"),
  brandNewCustomers: count(
    "New customers won by brand campaigns.",
    "new customers whose first order is attributed to one",
  ),
  brandContribution: currency("What those customers brought in the period.", "their revenue in the period × margin"),
  brandRoi: orNull(
    ratio("Return on brand spend.", "(brandContribution − brandInvestment) / brandInvestment"),
    "brandInvestment is 0",
  ),
  monetizationInvestment: currency("Spend on monetization campaigns.", "Σ spend of campaigns classed as monetization"),
  monetizationContribution: currency(
    "What the orders attributed to monetization campaigns brought, whoever placed them.",
    "revenue of those orders × margin",
  ),
  monetizationRoi: orNull(
    ratio(
      "Return on monetization spend.",
      "(monetizationContribution − monetizationInvestment) / monetizationInvestment",
    ),
    "monetizationInvestment is 0",
  ),
  monetizationRecurringCustomers: count(
    "Returning customers of monetization campaigns.",
    "customers with a repeat order in the period that is attributed to one",
  ),
  monetizationCpr: orNull(
    currency(
      "Cost of a repeat order won by a monetization campaign.",
      "monetizationInvestment / repeat orders attributed to one",
    ),
    "no repeat order is attributed to one",
  ),
  unclassifiedInvestment: currency(
    "Spend on campaigns that no rule of the settings classes.",
    "Σ spend of campaigns without a class",
  ),
  hasAcquisitionClassification: truth("Whether any campaign, in any period, is classed as acquisition."),
  cogs: currency("Cost of goods sold, as the stores report it.", "Σ unit cost × quantity over orders with real cost"),
  revenueWithCmv: currency("Revenue of orders with real cost: every unit of which has one.", "Σ value of those orders"),
  revenueWithoutCmv: currency("Revenue of all other orders.", "revenue − revenueWithCmv"),
  marginBasis: choice(
    ["cmv_real", "mixed", "configured_percent", "no_basis"],
    "Where the period's margin comes from: real cost of all revenue, of some, the settings, or nothing.",
  ),
  blendedContribution: currency(
    "Contribution by real cost where there is one, by the configured margin elsewhere. Revenue with real cost loses that cost alone: no gateway fee, tax or shipping is taken off it.",
    "(revenueWithCmv − cogs) + revenueWithoutCmv × margin",
  ),
};

const indicator = (name: string): Figure => indicators[name] as Figure;

const WON_BEFORE = "nobody was won before startDate";

/** Those of the period before. Four of them look at other customers than their names suggest. */
const previousIndicators: Figures = {
  ...indicators,
  ltv: orNull(
    currency(
      "Lifetime value of everyone won before startDate, in whatever period.",
      "their revenue to date × margin / their number",
    ),
    WON_BEFORE,
  ),
  retentionLtv: orNull(
    currency(
      "What everyone won before startDate brings after the calendar month of the first order, to date.",
      "their revenue after that month × margin / their number",
    ),
    WON_BEFORE,
  ),
  ltvCacRatio: ratio(
    "Lifetime value of the customers won in the previous period, not `ltv` above, per what they cost.",
    "their ltv / cac; 0 where cac is 0 or they are none",
  ),
  clv: orNull(
    currency("The lifetime value of those same customers net of acquisition cost.", "their ltv − cac"),
    "no customer was won in the previous period",
  ),
};

const NO_PERIOD_BEFORE = "the whole history was asked for, or as many days right before would begin before year 1";
const NOTHING_TO_COMPARE = "either is null, or it was 0 before";

const change = (name: string): Figure => {
  const compared = name === "ltv" || name === "retentionLtv";
  return orNull(
    percent(
      compared
        ? `Change of \`${name}\`: of everyone won up to endDate against everyone won before startDate.`
        : `Change of \`${name}\`.`,
      "(current − previous) / previous × 100, before rounding",
    ),
    NOTHING_TO_COMPARE,
  );
};

const changes: Figures = {
  ...Object.fromEntries(
    Object.entries(indicators)
      .filter(([, { formula }]) => formula)
      .map(([name]) => [name, change(name)]),
  ),
  margin: percent("Change of the margin.", "always 0: one margin serves every period"),
};

const cards: AnalysisEndpoint = {
  shape: "object",
  path: "/v1/profitability/cards",
  summary: "Consolidated indicators of a period, beside those of the period before it.",
  params: period,
  periods: [anyPeriod],
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
          ...previousIndicators,
        },
        "The same indicators for as many days right before. Mind `ltv`, `retentionLtv`, `clv` and `ltvCacRatio`.",
      ),
      NO_PERIOD_BEFORE,
    ),
    changes: orNull(object(changes, "How each indicator changed. Mind `ltv` and `retentionLtv`."), NO_PERIOD_BEFORE),
  },
};

/** What every analysis of this family has in common. */
const common = { params: period, periods: [anyPeriod], unknown: "refused", cacheSeconds: 1800 } as const;

const costOfGoods: Figures = Object.fromEntries(
  ["cogs", "revenueWithCmv", "revenueWithoutCmv", "marginBasis", "blendedContribution"].map((name) => [
    name,
    indicator(name),
  ]),
);

const newVsRecurring: AnalysisEndpoint = {
  ...common,
  shape: "series",
  path: "/v1/profitability/new-vs-recurring",
  summary: "New and returning customers per day, or per month when the period is longer than 92 days.",
  sql: "profitability/new-vs-recurring",
  envelope: [...dated, "granularity"],
  figures: {
    date: date("The day, or the first of the month."),
    newCustomers: count("Customers won.", "customers whose first order is in the point"),
    recurringCustomers: count(
      "Customers who came back.",
      "customers with an order in the point and the first one before it",
    ),
    customers: count("Customers who bought.", "newCustomers + recurringCustomers"),
  },
};

const metricsEvolution: AnalysisEndpoint = {
  ...common,
  shape: "series",
  path: "/v1/profitability/metrics-evolution",
  summary:
    "The indicators month by month. Counts add up to those of the cards; amounts are rounded month by month, so their sum may be off by up to half a cent for each.",
  sql: "profitability/metrics-evolution",
  envelope: [...dated, ...margin],
  figures: {
    month: date("First of the month; the month is cut to the period."),
    totalRevenue: indicator("revenue"),
    totalOrders: indicator("orders"),
    totalInvestment: indicator("investment"),
    newCustomers: count("Customers won in the month.", "customers whose first order is in the month"),
    cac: currency("Media spend per new customer.", "totalInvestment / newCustomers; 0 without new customers"),
    ltv: orNull(
      currency("Lifetime value of the customers won in the month.", "their revenue to date × margin / newCustomers"),
      "no customer was won in the month",
    ),
    cpv: currency("Media spend per order.", "totalInvestment / totalOrders; 0 without orders"),
    ltvCacRatio: indicator("ltvCacRatio"),
    ...costOfGoods,
  },
};

const cmvEvolution: AnalysisEndpoint = {
  ...common,
  shape: "series",
  path: "/v1/profitability/cmv-evolution",
  summary:
    "Revenue and cost of goods day by day. Orders add up to those of the cards; amounts are rounded day by day, so their sum may be off by up to half a cent for each.",
  periods: [{ ...anyPeriod, mostDays: MOST_DAYS }],
  sql: "profitability/cmv-evolution",
  envelope: [...dated, ...margin],
  figures: {
    date: date("The day."),
    revenue: indicator("revenue"),
    orders: indicator("orders"),
    averageTicket: indicator("averageTicket"),
    ...costOfGoods,
  },
};

const cell: Figures = {
  pct: orNull(
    ratio("Retention; the margin cancels out.", "value in the step / value in step 0, gross"),
    "step 0 has no revenue",
  ),
  absolute: countOrCurrency(
    "What was retained.",
    "customers who bought in the step (`logo`) or their revenue × margin (`revenue`)",
  ),
  complementary: countOrCurrency("The other view's figure of the same cell.", "absolute, with the other view"),
  repurchaseRevenue: orNull(currency("Gross repeat revenue of the step.", "revenue of its repeat orders"), "in step 0"),
};

/** Coupons, products and categories have no spend of their own. */
const WITHOUT_SPEND = "breakBy is `cupom`, `produto` or `categoria`";

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
        "A row per cohort and channel, campaign, coupon, product or category of the first purchase. Products and categories overlap. One campaign id of two ad networks is two campaigns, and two rows.",
    },
  },
  sql: "profitability/cohort",
  envelope: [...dated, ...margin],
  echo: ["view", "groupBy", "breakBy"],
  only: { parameter: "breakBy", figures: ["breakKey", "breakLabel", "investment", "cac", "ltv", "payback"] },
  figures: {
    cohortMonth: date("First month of the cohort."),
    breakKey: orNull(
      word("What the row stands for: channel, campaign id, coupon, product id or category id."),
      "the first order has none",
    ),
    breakLabel: orNull(word("Its name."), "it has none"),
    initialValue: countOrCurrency(
      "Size of the cohort in step 0.",
      "customers (`logo`) or revenue × margin (`revenue`) of step 0",
    ),
    acquisitionInvestment: orNull(currency("Media spend of the row.", "Σ spend in the cohort's months"), WITHOUT_SPEND),
    roi: orNull(
      ratio("Return within step 0.", "(step-0 revenue × margin − acquisitionInvestment) / acquisitionInvestment"),
      `acquisitionInvestment is 0, or ${WITHOUT_SPEND}`,
    ),
    firstPurchaseCustomers: count("Customers who entered through the row.", "customers whose first purchase it holds"),
    repurchaseCustomers: count("Of those, who bought again.", "those with a later purchase than the first"),
    repurchasePct: percent("Share who bought again.", "repurchaseCustomers / firstPurchaseCustomers × 100"),
    directRevenue: currency("Revenue of the first purchases.", "Σ value of the first orders"),
    directMargin: currency("Their margin.", "directRevenue × margin"),
    totalRevenue: currency("All revenue of the cohort to date.", "Σ value of its orders"),
    totalMargin: currency("Its margin.", "totalRevenue × margin"),
    additionalRevenue: currency("Revenue after the first purchases.", "totalRevenue − directRevenue"),
    additionalMargin: currency("Its margin.", "totalMargin − directMargin"),
    investment: orNull(currency("The row's own spend.", "acquisitionInvestment"), WITHOUT_SPEND),
    cac: orNull(currency("Spend per customer.", "investment / firstPurchaseCustomers"), WITHOUT_SPEND),
    ltv: currency("Lifetime value of the row's customers.", "totalMargin / firstPurchaseCustomers"),
    payback: orNull(
      months("Months until the row's margin covers its spend.", "as on the cards, over the row's first-order months"),
      `no month with spend has been paid back, or ${WITHOUT_SPEND}`,
    ),
    months: keyed(
      { step: count("Steps since the cohort.", "months, quarters or years from the cohort's first month") },
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
