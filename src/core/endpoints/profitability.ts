import { BREAKS_WITH_SPEND, COHORT_BREAKS } from "../contract/attributes.ts";
import { type Basis, basedOn, type OrdersOf } from "../contract/basis.ts";
import { ROOT, type SqlEndpoint } from "../contract/endpoint.ts";
import {
  choice,
  compared,
  count,
  countOrCurrency,
  crossed,
  currency,
  day,
  type Field,
  type Fields,
  flag,
  keyed,
  months,
  object,
  orNull,
  percent,
  ratio,
} from "../contract/field.ts";
import {
  ACQUIRED_BY_ROW,
  anyPeriod,
  compare,
  dated,
  FILTERS,
  filtered,
  IS_FILTERED,
  MOST_DAYS,
  margin,
  ofFilteredSpend,
  ofSpend,
  ordersOf,
  SPENT,
  SPENT_BY_ROW,
  spendOf,
  spentOn,
} from "./common.ts";

const NONE_ACQUIRED = "no customer was acquired in the period";

/** The rows behind the indicators. That of others follows from the figures that their formulas name. */
const BASES: Readonly<Record<string, Basis>> = {
  "revenue orders blendedContribution": ordersOf({ ordered: "span" }),
  investment: spendOf(SPENT),
  newCustomers: ordersOf({ acquired: "span", purchase: "first" }),
  recurringCustomers: ordersOf({ ordered: "span", customer: "recurring" }),
  recurringOrders: ordersOf({ ordered: "span", purchase: "repeat" }),
  ltv: ordersOf({ acquired: "span" }),
  ltvLifetime: ordersOf({ acquired: "all" }),
  retentionLtv: ordersOf({ acquired: "span", isLater: true }, { acquired: "span", purchase: "first" }),
  payback: { orders: [{ acquired: "span" }], spend: [SPENT] },
  conversionRate: { also: "analytics" },
  acquisitionInvestment: spendOf(spentOn("acquisition")),
  acquisitionNewCustomers: ordersOf({ acquired: "span", purchase: "first", first: { strategy: "acquisition" } }),
  acquisitionContribution: ordersOf({ ordered: "span", acquired: "span", first: { strategy: "acquisition" } }),
  acquisitionLtv: ordersOf({ acquired: "span", first: { strategy: "acquisition" } }),
  "brandInvestment brandImpressions": spendOf(spentOn("brand")),
  brandNewCustomers: ordersOf({ acquired: "span", purchase: "first", first: { strategy: "brand" } }),
  brandContribution: ordersOf({ ordered: "span", acquired: "span", first: { strategy: "brand" } }),
  monetizationInvestment: spendOf(spentOn("monetization")),
  monetizationContribution: ordersOf({ ordered: "span", own: { strategy: "monetization" } }),
  monetizationRecurringCustomers: ordersOf({ ordered: "span", purchase: "repeat", own: { strategy: "monetization" } }),
  monetizationCpr: {
    orders: [{ ordered: "span", purchase: "repeat", own: { strategy: "monetization" } }],
    spend: [spentOn("monetization")],
  },
  unclassifiedInvestment: spendOf(spentOn("unclassified")),
  "cogs revenueWithCmv": ordersOf({ ordered: "span", cost: "real" }),
  revenueWithoutCmv: ordersOf({ ordered: "span", cost: "none" }),
};

/** The indicators of a period; `day_figures` and `order_figures` of `sql/setup`, and the cards themselves, compute them. */
const indicators: Fields = basedOn(BASES, {
  revenue: currency(
    "Revenue: the amounts that customers pay, including shipping and tax. Returns do not reduce it.",
    "Σ value of the orders",
  ),
  investment: ofSpend(currency("Media spend, of all campaigns.", "social ads spend + search ads spend")),
  orders: count("Orders that count: paid for and not cancelled.", "number of orders"),
  newCustomers: count("Customers acquired in the period.", "customers whose first order is in the period"),
  recurringCustomers: count(
    "Customers who came back.",
    "customers with an order in the period and the first one before it",
  ),
  customers: count("Customers who bought.", "newCustomers + recurringCustomers"),
  recurringOrders: count(
    "Repeat orders: orders of a later purchase than the customer's first. A basket that the store split is one purchase.",
    "orders of purchases after the customers' first",
  ),
  averageTicket: currency("Average value of an order.", "revenue / orders; 0 without orders"),
  contribution: currency("Revenue left after variable costs.", "revenue × marginPercent / 100"),
  contributionProfit: ofSpend(currency("Contribution left after media spend.", "contribution − investment")),
  cpv: ofSpend(currency("Media spend per order.", "investment / orders; 0 without orders")),
  cpr: ofSpend(currency("Media spend per repeat order.", "investment / recurringOrders; 0 without repeat orders")),
  cac: ofFilteredSpend(currency("Media spend per new customer.", "investment / newCustomers; 0 without new customers")),
  ltv: orNull(
    currency(
      "Lifetime value of the customers acquired in the period, from all their orders to date, whatever the period's end.",
      "revenue to date of the period's new customers × marginPercent / 100 / newCustomers",
    ),
    NONE_ACQUIRED,
  ),
  ltvLifetime: orNull(
    currency(
      "Lifetime value over all customers, whatever the period.",
      "revenue to date of all customers × marginPercent / 100 / all customers",
    ),
    "the organization has no customers",
  ),
  retentionLtv: orNull(
    currency(
      "Lifetime value from orders after the calendar month of a customer's first order, to date.",
      "revenue of the period's new customers after the month of their first order × marginPercent / 100 / newCustomers",
    ),
    NONE_ACQUIRED,
  ),
  ltvCacRatio: ofFilteredSpend(ratio("Lifetime value / acquisition cost.", "ltv / cac; 0 if cac is 0 or ltv is null")),
  roi: ofFilteredSpend(
    ratio("Return on media spend; 1.19 is 119 %.", "(contribution − investment) / investment; 0 without investment"),
  ),
  clv: ofFilteredSpend(
    orNull(currency("Lifetime value net of acquisition cost; may be negative.", "ltv − cac"), "ltv is null"),
  ),
  payback: ofSpend(
    orNull(
      months(
        "Months until the margin of a month's new customers covers that month's media spend.",
        "smallest n at which revenue of months 0 to n × marginPercent / 100 ≥ spend, per month of first orders; average by customers",
      ),
      "no month with spend has been paid back",
    ),
  ),
  conversionRate: orNull(
    percent(
      "Conversion of the configured funnel.",
      "events of the decision stage / events of the interest stage × 100",
    ),
    `there is no funnel, or no event of its interest stage, or ${IS_FILTERED}`,
  ),
  campaignCac: ofSpend(
    currency(
      "Acquisition spend per new customer, whatever the channel.",
      "acquisitionInvestment / newCustomers; 0 without new customers",
    ),
  ),
  acquisitionInvestment: ofSpend(
    currency("Spend on acquisition campaigns.", "Σ spend of campaigns classed as acquisition"),
  ),
  acquisitionNewCustomers: count(
    "New customers acquired by acquisition campaigns.",
    "new customers whose first order is attributed to one",
  ),
  acquisitionCac: ofSpend(
    orNull(
      currency(
        "Cost of a customer acquired by an acquisition campaign.",
        "acquisitionInvestment / acquisitionNewCustomers",
      ),
      "acquisitionNewCustomers is 0",
    ),
  ),
  acquisitionContribution: currency(
    "Contribution of those customers in the period.",
    "their revenue in the period × marginPercent / 100",
  ),
  acquisitionLtv: orNull(
    currency(
      "Lifetime value of those customers.",
      "their revenue to date × marginPercent / 100 / acquisitionNewCustomers",
    ),
    "acquisitionNewCustomers is 0",
  ),
  acquisitionLtvCacRatio: ofSpend(
    orNull(
      ratio("Their lifetime value / their acquisition cost.", "acquisitionLtv / acquisitionCac"),
      "acquisitionNewCustomers or acquisitionInvestment is 0",
    ),
  ),
  acquisitionRoi: ofSpend(
    orNull(
      ratio(
        "Return on acquisition spend.",
        "(acquisitionContribution − acquisitionInvestment) / acquisitionInvestment",
      ),
      "acquisitionInvestment is 0",
    ),
  ),
  brandInvestment: ofSpend(currency("Spend on brand campaigns.", "Σ spend of campaigns classed as brand")),
  brandImpressions: ofSpend(
    count("How often brand campaigns were shown.", "Σ impressions of campaigns classed as brand"),
  ),
  brandNewCustomers: count(
    "New customers acquired by brand campaigns.",
    "new customers whose first order is attributed to one",
  ),
  brandContribution: currency(
    "Contribution of those customers in the period.",
    "their revenue in the period × marginPercent / 100",
  ),
  brandRoi: ofSpend(
    orNull(
      ratio("Return on brand spend.", "(brandContribution − brandInvestment) / brandInvestment"),
      "brandInvestment is 0",
    ),
  ),
  monetizationInvestment: ofSpend(
    currency("Spend on monetization campaigns.", "Σ spend of campaigns classed as monetization"),
  ),
  monetizationContribution: currency(
    "Contribution of the orders attributed to monetization campaigns, from any customer.",
    "revenue of those orders × marginPercent / 100",
  ),
  monetizationRoi: ofSpend(
    orNull(
      ratio(
        "Return on monetization spend.",
        "(monetizationContribution − monetizationInvestment) / monetizationInvestment",
      ),
      "monetizationInvestment is 0",
    ),
  ),
  monetizationRecurringCustomers: count(
    "Returning customers of monetization campaigns.",
    "customers with a repeat order in the period that is attributed to one",
  ),
  monetizationCpr: ofSpend(
    orNull(
      currency(
        "Cost of a repeat order attributed to a monetization campaign.",
        "monetizationInvestment / repeat orders attributed to one",
      ),
      "no repeat order is attributed to a monetization campaign",
    ),
  ),
  unclassifiedInvestment: ofSpend(
    currency("Spend on campaigns that no rule of the settings matches.", "Σ spend of campaigns without a class"),
  ),
  hasAcquisitionClassification: flag("Whether any campaign, in any period, is classed as acquisition."),
  cogs: currency("Cost of goods sold, as the stores report it.", "Σ unit cost × quantity over orders with real cost"),
  revenueWithCmv: currency("Revenue of orders with real cost: all their units have a cost.", "Σ value of those orders"),
  revenueWithoutCmv: currency("Revenue of all other orders.", "revenue − revenueWithCmv"),
  marginBasis: choice(
    ["cmv_real", "mixed", "configured_percent", "no_basis"],
    "Basis of the period's margin: real cost of all revenue, real cost of some, the settings, or nothing.",
  ),
  blendedContribution: currency(
    "Contribution by real cost where available, by the configured margin elsewhere. From revenue with real cost only that cost is subtracted: no gateway fee, tax or shipping.",
    "(revenueWithCmv − cogs) + revenueWithoutCmv × marginPercent / 100",
  ),
});

const indicator = (name: string): Field => indicators[name] as Field;

const NONE_BEFORE = "no customer was acquired up to the last day of the period compared with";

/** The indicators of the period compared with. Four of them cover other customers than their names suggest. */
const previousIndicators: Fields = basedOn(
  {
    ltv: ordersOf({ acquired: "until" }),
    retentionLtv: ordersOf({ acquired: "until", isLater: true }, { acquired: "until", purchase: "first" }),
    "ltvCacRatio clv": { orders: [{ acquired: "span" }], spend: [SPENT] },
  },
  {
    ...indicators,
    ltv: orNull(
      currency(
        "Lifetime value of everyone acquired up to the last day of the period compared with (by default: before startDate), not only in that period.",
        "their revenue to date × marginPercent / 100 / their number",
      ),
      NONE_BEFORE,
    ),
    retentionLtv: orNull(
      currency(
        "Lifetime value of everyone acquired up to the last day of the period compared with (by default: before startDate), from orders after the calendar month of the first order, to date.",
        "their revenue after that month × marginPercent / 100 / their number",
      ),
      NONE_BEFORE,
    ),
    ltvCacRatio: ofFilteredSpend(
      ratio(
        "Lifetime value / acquisition cost of the customers acquired in the period compared with. It is not computed from `ltv` above.",
        "their ltv / cac; 0 if cac is 0 or there are no such customers",
      ),
    ),
    clv: ofFilteredSpend(
      orNull(
        currency("Lifetime value of the same customers net of acquisition cost.", "their ltv − cac"),
        "no customer was acquired in the period compared with",
      ),
    ),
  },
);

const NO_PERIOD_BEFORE =
  "the request is for the whole history or has `compare=none`, or the period compared with would begin before year 1";
const NOTHING_TO_COMPARE = "either value is null, or the previous one is 0";

const change = (name: string): Field => {
  const compared = name === "ltv" || name === "retentionLtv";
  return orNull(
    percent(
      compared
        ? `Change of \`${name}\`: everyone acquired up to endDate compared with everyone acquired up to the last day of the period compared with (by default: before startDate). The former is \`${name}\` of the same request with startDate=0001-01-01.`
        : `Change of \`${name}\`.`,
      compared
        ? `(that of everyone acquired up to endDate − previousPeriod.${name}) / previousPeriod.${name} × 100, before rounding`
        : `(${name} − previousPeriod.${name}) / previousPeriod.${name} × 100, before rounding`,
    ),
    NOTHING_TO_COMPARE,
  );
};

const changed: Fields = Object.fromEntries(
  Object.entries(indicators)
    .filter(([, { formula }]) => formula)
    .map(([name]) => [name, { ...change(name), basis: { of: "both" } }]),
);

const changes: Fields = {
  ...basedOn({ "ltv retentionLtv": { orders: [{ acquired: "until" }], of: "both" } }, changed),
  margin: percent("Change of the margin.", "always 0: all periods have the same margin"),
};

const costOf = (description: string): Field => ({
  ...currency(description, "revenue × the item's percentage / 100"),
  basis: ordersOf({ ordered: "span" }),
});

const cards: SqlEndpoint = {
  ...filtered,
  path: "/v1/profitability/cards",
  summary:
    "Consolidated indicators of a period, with those of the period that it is compared with: by default the preceding one.",
  params: {
    ...filtered.params,
    compare,
    marginItems: {
      kind: "choice",
      of: ["amounts"],
      description: "`amounts`: the answer also has `variableCosts`, what each item of the margin takes from revenue.",
    },
  },
  keepsPlan: { over: "days", without: ["marginItems", ...FILTERS] },
  envelope: [...dated, ...margin],
  parts: {
    [ROOT]: {
      sql: "profitability/cards",
      rows: "one",
      only: { parameter: "marginItems", fields: ["variableCosts"] },
      fields: {
        ...indicators,
        variableCosts: orNull(
          object(
            {
              gateway: costOf("Payment fees."),
              tax: costOf("Taxes."),
              shipping: costOf("Shipping."),
              costOfGoods: costOf("Cost of goods, by the margin's percentage: it is not `cogs`."),
            },
            "What the margin takes from revenue, by item: revenue less these is contribution. Each is rounded, and what that leaves over goes to the largest one. A pending item is 0.",
          ),
          "the margin has no items, or they are more than 100 % together",
        ),
        previousPeriod: orNull(
          compared(
            "figures",
            object(
              {
                period: compared(
                  "days",
                  object(
                    { startDate: day("First day."), endDate: day("Last day.") },
                    "The days of the period compared with.",
                  ),
                ),
                ...previousIndicators,
              },
              "The same indicators for the period compared with: by default the preceding one of the same length. `ltv`, `retentionLtv`, `clv` and `ltvCacRatio` differ in meaning.",
            ),
          ),
          NO_PERIOD_BEFORE,
        ),
        changes: orNull(
          object(changes, "How each indicator changed. `ltv` and `retentionLtv` differ in meaning."),
          NO_PERIOD_BEFORE,
        ),
      },
    },
  },
};

/** The bases of some indicators. */
const pickBases = (...names: string[]): Readonly<Record<string, Basis>> =>
  Object.fromEntries(names.map((name) => [name, indicator(name).basis ?? {}]));

const costOfGoods: Fields = Object.fromEntries(
  ["cogs", "revenueWithCmv", "revenueWithoutCmv", "marginBasis", "blendedContribution"].map((name) => [
    name,
    indicator(name),
  ]),
);

const newVsRecurring: SqlEndpoint = {
  ...filtered,
  path: "/v1/profitability/new-vs-recurring",
  summary: "New and returning customers per day, or per month when the period is longer than 92 days.",
  withoutSpend: true,
  envelope: [...dated, "granularity"],
  table: "data",
  parts: {
    data: {
      sql: "profitability/new-vs-recurring",
      rows: "many",
      fields: basedOn(pickBases("newCustomers", "recurringCustomers"), {
        date: day("The day, or the first of the month."),
        newCustomers: count("Customers acquired.", "customers whose first order is in the point"),
        recurringCustomers: count(
          "Customers who came back.",
          "customers with an order in the point and the first one before it",
        ),
        customers: count("Customers who bought.", "newCustomers + recurringCustomers"),
      }),
    },
  },
};

const metricsEvolution: SqlEndpoint = {
  ...filtered,
  path: "/v1/profitability/metrics-evolution",
  summary:
    "The indicators by month. Counts add up to those of the cards; each month's amounts are rounded, so their sum may be off by up to half a cent per month.",
  keepsPlan: { over: "days", without: FILTERS },
  envelope: [...dated, ...margin],
  table: "data",
  parts: {
    data: {
      sql: "profitability/metrics-evolution",
      rows: "many",
      fields: basedOn(pickBases("newCustomers", "ltv"), {
        month: day("First of the month; the month is cut to the period."),
        totalRevenue: indicator("revenue"),
        totalOrders: indicator("orders"),
        totalInvestment: indicator("investment"),
        newCustomers: count("Customers acquired in the month.", "customers whose first order is in the month"),
        cac: ofFilteredSpend(
          currency("Media spend per new customer.", "totalInvestment / newCustomers; 0 without new customers"),
        ),
        ltv: orNull(
          currency(
            "Lifetime value of the customers acquired in the month.",
            "their revenue to date × marginPercent / 100 / newCustomers",
          ),
          "no customer was acquired in the month",
        ),
        cpv: ofSpend(currency("Media spend per order.", "totalInvestment / totalOrders; 0 without orders")),
        ltvCacRatio: indicator("ltvCacRatio"),
        ...costOfGoods,
      }),
    },
  },
};

const cmvEvolution: SqlEndpoint = {
  ...filtered,
  path: "/v1/profitability/cmv-evolution",
  summary:
    "Revenue and cost of goods by day. Orders add up to those of the cards; each day's amounts are rounded, so their sum may be off by up to half a cent per day.",
  periods: [{ ...anyPeriod, mostDays: MOST_DAYS }],
  withoutSpend: true,
  envelope: [...dated, ...margin],
  table: "data",
  parts: {
    data: {
      sql: "profitability/cmv-evolution",
      rows: "many",
      fields: {
        date: day("The day."),
        revenue: indicator("revenue"),
        orders: indicator("orders"),
        averageTicket: indicator("averageTicket"),
        ...costOfGoods,
      },
    },
  },
};

/** The lengths of a trend's points. */
export const GRANULARITIES = ["day", "week", "month"] as const;

const trend: SqlEndpoint = {
  ...filtered,
  path: "/v1/profitability/trend",
  summary:
    "The indicators by day, week or month, named as on the cards. Counts add up to those of the cards; each point's amounts are rounded, so their sum may be off by up to half a cent per point.",
  params: {
    ...filtered.params,
    granularity: {
      kind: "choice",
      of: GRANULARITIES,
      fallback: "day",
      description: "Length of a point: a day, a week from Monday on, or a calendar month.",
    },
  },
  periods: [{ ...anyPeriod, mostDays: MOST_DAYS }],
  keepsPlan: { over: "days", without: FILTERS },
  envelope: [...dated, ...margin],
  echo: ["granularity"],
  tables: { data: { key: ["date"], days: { by: "granularity" } } },
  table: "data",
  parts: {
    data: {
      sql: "profitability/trend",
      rows: "many",
      fields: basedOn(pickBases("newCustomers", "ltv"), {
        date: day("The day, the Monday, or the first of the month; the point is cut to the period."),
        revenue: indicator("revenue"),
        investment: indicator("investment"),
        orders: indicator("orders"),
        newCustomers: count("Customers acquired in the point.", "customers whose first order is in the point"),
        averageTicket: indicator("averageTicket"),
        contribution: indicator("contribution"),
        contributionProfit: indicator("contributionProfit"),
        cac: indicator("cac"),
        ltv: orNull(
          currency(
            "Lifetime value of the customers acquired in the point.",
            "their revenue to date × marginPercent / 100 / newCustomers",
          ),
          "no customer was acquired in the point",
        ),
        ltvCacRatio: indicator("ltvCacRatio"),
        roi: indicator("roi"),
      }),
    },
  },
};

const OF_STEP: OrdersOf = { ...ACQUIRED_BY_ROW, ordered: "step" };

const cell: Fields = basedOn(
  {
    pct: ordersOf(OF_STEP, { ...OF_STEP, ordered: "firstStep" }),
    "absolute complementary": ordersOf(OF_STEP),
    repurchaseRevenue: ordersOf({ ...OF_STEP, purchase: "repeat" }),
  },
  {
    pct: orNull(
      ratio("Retention; the margin cancels out.", "value in the step / value in step 0, gross"),
      "step 0 has no revenue",
    ),
    absolute: countOrCurrency(
      "Retained customers or contribution.",
      "customers who bought in the step (`logo`) or their revenue × marginPercent / 100 (`revenue`)",
    ),
    complementary: countOrCurrency("The other view's figure of the same cell.", "absolute, with the other view"),
    repurchaseRevenue: orNull(
      currency("Gross repeat revenue of the step.", "revenue of its repeat orders"),
      "in step 0",
    ),
  },
);

/** Only some attributes have spend of their own. */
export const WITHOUT_SPEND = `a breakBy is sent that is of another attribute than ${BREAKS_WITH_SPEND.map((name) => `\`${name}\``).join(", ")}`;

/** The value, or the two values, of a row with a breakdown. */
export const broken: Fields = {
  breakKey: orNull(
    crossed(
      "breakBy",
      "The breakdown's value; that of a campaign, product, category or store is its id. Of two attributes an array of their values, each null where there is none.",
    ),
    "the first purchase has no such value",
  ),
  breakLabel: orNull(crossed("breakBy", "Its name; of two attributes an array of their names."), "it has no name"),
};

const COHORT_BASES: Readonly<Record<string, Basis>> = {
  initialValue: ordersOf({ ...ACQUIRED_BY_ROW, ordered: "firstStep" }),
  acquisitionInvestment: spendOf(SPENT_BY_ROW),
  roi: { orders: [{ ...ACQUIRED_BY_ROW, ordered: "firstStep" }], spend: [SPENT_BY_ROW] },
  "firstPurchaseCustomers directRevenue": ordersOf({ ...ACQUIRED_BY_ROW, purchase: "first" }),
  repurchaseCustomers: ordersOf({ ...ACQUIRED_BY_ROW, purchase: "repeat" }),
  totalRevenue: ordersOf(ACQUIRED_BY_ROW),
  additionalRevenue: ordersOf({ ...ACQUIRED_BY_ROW, purchase: "repeat" }),
  payback: { orders: [ACQUIRED_BY_ROW], spend: [SPENT_BY_ROW] },
};

const cohort: SqlEndpoint = {
  ...filtered,
  path: "/v1/profitability/cohort",
  summary: "Retention by first-purchase cohort, in customers or in revenue × margin.",
  params: {
    ...filtered.params,
    view: {
      kind: "choice",
      of: ["revenue", "logo"],
      fallback: "revenue",
      description: "Whether cells count revenue × margin or customers.",
    },
    groupBy: {
      kind: "choice",
      of: ["month", "quarter", "year", "week"],
      fallback: "month",
      description: "Length of a cohort and of its steps; weeks begin on Monday.",
    },
    breakBy: {
      kind: "crossing",
      of: COHORT_BREAKS,
      refusesEmpty: true,
      description:
        "One row per cohort and value of this attribute of the first purchase, or per pair of values of two. Products, categories and brands (`marca`) overlap; two of them cross line by line. The same campaign id in two ad networks is two campaigns, in two rows.",
    },
  },
  keepsPlan: { over: "days", without: ["breakBy", ...FILTERS] },
  envelope: [...dated, ...margin],
  echo: ["view", "groupBy", "breakBy"],
  tables: {
    data: {
      key: ["cohortMonth", "breakKey"],
      apartSql: "explain/cohort-sources",
      days: { by: "groupBy" },
      of: { parameter: "breakBy", field: "breakKey" },
    },
  },
  table: "data",
  parts: {
    data: {
      sql: "profitability/cohort",
      rows: "many",
      only: { parameter: "breakBy", fields: ["breakKey", "breakLabel", "investment", "cac", "ltv", "payback"] },
      leftOut: {
        column: "rowsLeftOut",
        field: count(
          "Rows that are left out: an answer has at most 1,000,000 cells. Those with the most customers remain, the same number in every cohort; a shorter period has the others.",
          "rows with `breakBy` − rows in `data`",
        ),
      },
      fields: basedOn(COHORT_BASES, {
        cohortMonth: day("First month of the cohort; of a week its Monday."),
        ...broken,
        initialValue: countOrCurrency(
          "Size of the cohort in step 0.",
          "customers (`logo`) or revenue × marginPercent / 100 (`revenue`) of step 0",
        ),
        acquisitionInvestment: ofSpend(
          orNull(currency("Media spend of the row.", "Σ spend in the cohort's months"), WITHOUT_SPEND),
        ),
        roi: ofSpend(
          orNull(
            ratio(
              "Return within step 0.",
              "(step-0 revenue × marginPercent / 100 − acquisitionInvestment) / acquisitionInvestment",
            ),
            `acquisitionInvestment is 0, or ${WITHOUT_SPEND}`,
          ),
        ),
        firstPurchaseCustomers: count("Customers of the row.", "customers whose first purchase is in the row"),
        repurchaseCustomers: count(
          "Customers of the row who bought again.",
          "those with a later purchase than the first",
        ),
        repurchasePct: percent(
          "Share of customers who bought again.",
          "repurchaseCustomers / firstPurchaseCustomers × 100",
        ),
        directRevenue: currency("Revenue of the first purchases.", "Σ value of the first orders"),
        directMargin: currency("Their margin.", "directRevenue × marginPercent / 100"),
        totalRevenue: currency("All revenue of the cohort to date.", "Σ value of its orders"),
        totalMargin: currency("Its margin.", "totalRevenue × marginPercent / 100"),
        additionalRevenue: currency("Revenue after the first purchases.", "totalRevenue − directRevenue"),
        additionalMargin: currency("Its margin.", "totalMargin − directMargin"),
        investment: ofSpend(orNull(currency("The row's own spend.", "acquisitionInvestment"), WITHOUT_SPEND)),
        cac: ofSpend(orNull(currency("Spend per customer.", "investment / firstPurchaseCustomers"), WITHOUT_SPEND)),
        ltv: currency("Lifetime value of the row's customers.", "totalMargin / firstPurchaseCustomers"),
        payback: ofSpend(
          orNull(
            months(
              "Months until the row's margin covers its spend.",
              "as on the cards, over the row's first-order months",
            ),
            `no month with spend has been paid back, or ${WITHOUT_SPEND}`,
          ),
        ),
        months: keyed(
          {
            step: count(
              "Steps since the cohort.",
              "months, quarters or years from the cohort's first month, or weeks from its Monday",
            ),
          },
          cell,
          "A cell per step since the cohort, from `0`, complete up to the last day with an order.",
        ),
      }),
    },
  },
};

export const profitability: readonly SqlEndpoint[] = [
  cards,
  newVsRecurring,
  metricsEvolution,
  cmvEvolution,
  trend,
  cohort,
];
