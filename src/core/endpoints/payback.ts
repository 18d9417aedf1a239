import { PAYBACK_BREAKS } from "../contract/attributes.ts";
import { type Basis, basedOn } from "../contract/basis.ts";
import type { SqlEndpoint } from "../contract/endpoint.ts";
import {
  choice,
  count,
  currency,
  day,
  type Fields,
  flag,
  months,
  orNull,
  percent,
  unnested,
} from "../contract/field.ts";
import {
  ACQUIRED_BY_ROW,
  dated,
  FILTERS,
  filtered,
  margin,
  ofSpend,
  ordersOf,
  SPENT_BY_ROW,
  spendOf,
} from "./common.ts";
import { broken, WITHOUT_SPEND } from "./profitability.ts";

const MEAN = "mean ± 1.96 × s / √customers; s: the sample standard deviation over the customers";

/** The bounds of a mean of so many customers. */
const bounds = (customers: string): Fields => ({
  lower: orNull(
    currency("Lower bound of its 95 % interval; it may be below 0.", `${MEAN}: the lower one`),
    `${customers} is below 2`,
  ),
  upper: orNull(currency("Upper bound of the same interval.", `${MEAN}: the upper one`), `${customers} is below 2`),
});

const ROWS: Readonly<Record<string, Basis>> = {
  customers: ordersOf({ ...ACQUIRED_BY_ROW, purchase: "first" }),
  investment: spendOf(SPENT_BY_ROW),
  paybackMonths: { orders: [ACQUIRED_BY_ROW], spend: [SPENT_BY_ROW] },
};
const POINTS: Readonly<Record<string, Basis>> = {
  "contribution perCustomer lower upper": ordersOf({ ...ACQUIRED_BY_ROW, ordered: "untilStep" }),
};
const AVERAGE: Readonly<Record<string, Basis>> = {
  customers: ordersOf({ acquired: "complete", purchase: "first" }),
  "perCustomer lower upper": ordersOf({ acquired: "complete", isWithinSteps: true }),
};

/** The payback curve of each month of first orders, by the month or attributes of the first order. */
export const payback: SqlEndpoint = {
  ...filtered,
  path: "/v1/profitability/payback",
  summary:
    "What the customers acquired in each month have brought in by each month since, with the interval of their mean, against the spend of that month. Spend of a month, or a value, without new customers is in no row.",
  params: {
    ...filtered.params,
    breakBy: {
      kind: "crossing",
      of: PAYBACK_BREAKS,
      refusesEmpty: true,
      description:
        "One row per month and value of this attribute of the first order, or per pair of values of two. The same campaign id in two ad networks is two campaigns, in two rows.",
    },
  },
  keepsPlan: { over: "days", without: ["breakBy", ...FILTERS] },
  envelope: [...dated, ...margin],
  echo: ["breakBy"],
  tables: {
    data: {
      key: ["cohortMonth", "breakKey"],
      apartSql: "explain/payback-sources",
      days: "month",
      of: { parameter: "breakBy", field: "breakKey" },
    },
  },
  table: "data",
  parts: {
    data: {
      sql: "profitability/payback",
      rows: "many",
      only: { parameter: "breakBy", fields: ["breakKey", "breakLabel"] },
      leftOut: {
        column: "rowsLeftOut",
        field: count(
          "Rows that are left out: an answer has at most 1,000,000 points. Those with the most customers remain, the same number in every month; a shorter period has the others.",
          "rows with `breakBy` − rows in `data`",
        ),
      },
      fields: basedOn(ROWS, {
        cohortMonth: day("First of the month of the first orders; the month is cut to the period."),
        ...broken,
        customers: count("Customers acquired.", "customers whose first order is in the month, and has this value"),
        investment: ofSpend(
          orNull(
            currency("Media spend of the month.", "Σ spend of the month's days in the period, of this value"),
            WITHOUT_SPEND,
          ),
        ),
        cac: ofSpend(orNull(currency("Media spend per new customer.", "investment / customers"), WITHOUT_SPEND)),
        state: ofSpend(
          orNull(
            choice(
              ["paid_back", "not_yet", "no_spend"],
              "Whether the contribution has covered the spend by the last day with an order; `no_spend`: there is none to cover.",
            ),
            WITHOUT_SPEND,
          ),
        ),
        paybackMonths: ofSpend(
          orNull(
            months(
              "Months until the contribution covers the spend; 0: in the month of the first orders.",
              "smallest `month` at which contribution ≥ investment, before rounding",
            ),
            "`state` is not `paid_back`",
          ),
        ),
        points: unnested(
          basedOn(POINTS, {
            month: count("Calendar months since that of the first orders.", "0 for that month itself"),
            complete: flag(
              "Whether the month is over: false if the last day with an order is in it, but is not its last.",
            ),
            contribution: currency(
              "What the customers had brought in by the end of the month.",
              "revenue of their orders in months 0 to `month` × marginPercent / 100",
            ),
            perCustomer: currency(
              "The same per customer; those who bought nothing more stay at what they had.",
              "contribution / customers",
            ),
            ...bounds("`customers`"),
            paidBackPct: ofSpend(
              orNull(
                percent("Share of the spend that is covered.", "contribution / investment × 100"),
                `\`state\` is \`no_spend\`, or ${WITHOUT_SPEND}`,
              ),
            ),
          }),
          "A point per calendar month from that of the first orders to that of the last day with an order.",
        ),
      }),
    },
    average: {
      sql: "profitability/payback-average",
      rows: "many",
      fields: basedOn(AVERAGE, {
        month: count("Calendar months since that of the first order.", "0 for that month itself"),
        customers: count("Customers for whom that month is complete.", "Σ `customers` of the rows in which it is"),
        perCustomer: currency(
          "What such a customer had brought in by the end of that month, on average.",
          "Σ contribution of those rows at that month / customers",
        ),
        ...bounds("`customers`"),
      }),
      description:
        "The curve of all rows together, up to the last month that is complete for any customer. Each point has other customers: later points lack those who were acquired late.",
      nullIf: { parameter: "breakBy", isSent: true },
    },
  },
};
