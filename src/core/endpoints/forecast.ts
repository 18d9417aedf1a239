import { allBasedOn, basedOn } from "../contract/basis.ts";
import { type ModelEndpoint, ROOT } from "../contract/endpoint.ts";
import {
  array,
  choice,
  count,
  currency,
  day,
  type Field,
  type Fields,
  number,
  object,
  orNull,
  percent,
  units,
} from "../contract/field.ts";
import { organizationId } from "../contract/param.ts";
import { dated, margin, ordersOf } from "./common.ts";

const TOO_LITTLE = "`state` is `too_little`";

/** The models are fitted to the orders of all customers. */
const EVERYONE = ordersOf({ acquired: "all" });

/** A parameter of a model, without a unit of its own. */
const parameter = (description: string): Field =>
  number(`${description} Significant to four digits.`, "maximum likelihood, searched from 0.0001 to 10,000");

const expected = (weeks: number): Field =>
  object(
    allBasedOn(EVERYONE, {
      purchases: units(
        "Purchases expected of the customers, who may have left already. A purchase is a day with orders.",
        "Σ over the customers of the purchases expected by BG/NBD, given x, t_x and T",
      ),
      revenue: currency(
        "Revenue expected of them.",
        "Σ over the customers of expected purchases × mean revenue of a purchase expected by Gamma-Gamma; the population's mean for customers without a repeat purchase",
      ),
      contribution: currency("Contribution expected of them.", "revenue × marginPercent / 100"),
    }),
    `Projection for the ${weeks} weeks after the last day with an order.`,
  );

const cohort: Fields = basedOn(
  {
    customers: ordersOf({ acquired: "span", purchase: "first" }),
    revenueToDate: ordersOf({ acquired: "span" }),
    ltvPredicted: EVERYONE,
  },
  {
    customers: count("Customers.", "customers whose first order is in the month"),
    revenueToDate: currency("Their revenue to date, which is known.", "Σ value of their orders"),
    ltvToDate: currency("Lifetime value to date, which is known.", "revenueToDate × marginPercent / 100 / customers"),
    weeks13: expected(13),
    weeks26: expected(26),
    weeks52: expected(52),
    ltvPredicted: currency(
      "Projection of the lifetime value 52 weeks after the last day with an order.",
      "ltvToDate + weeks52.contribution / customers",
    ),
  },
);

const total: Fields = {
  ...cohort,
  customers: {
    ...count("Customers, all but anonymous ones.", "number of customers"),
    basis: ordersOf({ acquired: "all", purchase: "first" }),
  },
};

const error = (of: string): Field =>
  orNull(percent(`Error of the predicted ${of}.`, "(predicted − actual) / actual × 100"), "actual is 0");

const actualOrders = "days with orders of these customers after the cutoff";

const holdOut: Fields = allBasedOn(ordersOf({ acquired: "cutoff" }), {
  cutoff: day("The last day that the test knows: 26 weeks before the last day with an order."),
  customers: count("Customers who had bought by then.", "customers whose first purchase is not after the cutoff"),
  purchases: object(
    {
      actual: count("Purchases of these customers in the 26 weeks.", actualOrders),
      predicted: units("What the models that know nothing of these weeks expect.", "as weeks26.purchases"),
      errorPct: error("purchases"),
    },
    "Purchases, predicted and actual.",
  ),
  revenue: object(
    {
      actual: currency("Revenue of these customers in the 26 weeks.", "Σ value of their orders after the cutoff"),
      predicted: currency("What the models that know nothing of these weeks expect.", "as weeks26.revenue"),
      errorPct: error("revenue"),
    },
    "Revenue, predicted and actual.",
  ),
  byFrequency: array(
    {
      x: count("Repeat purchases by the cutoff; 7 are 7 or more.", "purchases by the cutoff − 1"),
      customers: count("Customers with as many.", "number of customers"),
      actual: count("Their purchases in the 26 weeks.", actualOrders),
      predicted: units("Those that were predicted.", "as weeks26.purchases"),
    },
    "The purchases by the customers' repeat purchases until the cutoff.",
  ),
});

const model: Fields = allBasedOn(EVERYONE, {
  r: parameter("Shape of the distribution of purchase rates, in BG/NBD."),
  alpha: parameter("Scale of the distribution of purchase rates, in weeks, in BG/NBD."),
  a: parameter("First parameter of the distribution of the probability to leave after a purchase, in BG/NBD."),
  b: parameter("Second parameter of the distribution of the probability to leave after a purchase, in BG/NBD."),
  logLikelihood: number(
    "Logarithm of the likelihood of BG/NBD with these parameters. Significant to four digits.",
    "Σ over the customers of ln L(r, alpha, a, b | x, t_x, T), Fader, Hardie and Lee 2005",
  ),
  p: parameter("Shape of the distribution of a customer's revenue per purchase, in Gamma-Gamma."),
  q: parameter("Shape of the distribution of the scale of that distribution, in Gamma-Gamma."),
  gamma: number(
    "Scale of the distribution of the scale of that distribution, in Gamma-Gamma. Significant to four digits.",
    "maximum likelihood, searched from 0.0001 to 10,000 times the mean revenue of a repeat purchase",
  ),
  customers: count("Customers that BG/NBD is fitted to.", "number of customers"),
  repeatCustomers: count("Those with a repeat purchase.", "customers with orders on more than one day"),
});

/** A projection [D55]. Everything else that the service answers is computed from what happened. */
export const forecast: ModelEndpoint = {
  path: "/v1/profitability/forecast",
  summary:
    "Projection of the purchases, revenue and contribution of the customers after the last day with an order, by month of the first order, with a test against the last 26 weeks. No other figure uses it.",
  params: { organizationId },
  unknown: "refused",
  cacheSeconds: 1800,
  model: "forecast",
  envelope: [...dated, ...margin],
  withoutSpend: true,
  table: "data",
  by: "model",
  parts: {
    [ROOT]: {
      from: "model",
      sql: "profitability/forecast-customers",
      rows: "one",
      fields: {
        state: choice(
          ["ready", "too_little"],
          "`too_little`: fewer than 100 customers with a repeat purchase at the cutoff of the test, less than 52 weeks since the first order, or no revenue of repeat purchases.",
        ),
        confidence: orNull(
          choice(
            ["high", "medium", "low"],
            "How the test went: `high` if the error of its purchases is at most 10 %, `medium` if it is at most 25 %.",
          ),
          TOO_LITTLE,
        ),
        model: orNull(
          object(
            model,
            "The models: BG/NBD (Fader, Hardie and Lee 2005) for the purchases, Gamma-Gamma (Fader and Hardie 2013) for their revenue. Times are weeks.",
          ),
          TOO_LITTLE,
        ),
        data: orNull(
          array(
            { cohortMonth: day("First of the month of the customers' first order."), ...cohort },
            "A row per month of first orders, in order.",
          ),
          TOO_LITTLE,
        ),
        total: orNull(object(total, "The same of all customers, from unrounded figures."), TOO_LITTLE),
        holdOut: orNull(
          object(
            holdOut,
            "A test of the projection: the models fitted to what was known 26 weeks before the last day with an order, compared with these weeks.",
          ),
          TOO_LITTLE,
        ),
      },
    },
  },
};
