import { ORDER_ATTRIBUTE_NAMES } from "../contract/attributes.ts";
import { type Basis, basedOn } from "../contract/basis.ts";
import { ROOT, type SqlEndpoint } from "../contract/endpoint.ts";
import {
  compared,
  count,
  crossed,
  currency,
  day,
  type Field,
  type Fields,
  object,
  orNull,
  percent,
  ratio,
} from "../contract/field.ts";
import { compare, dated, filtered, ordersOf } from "./common.ts";
import { COST_ITEMS, missingOfOrders } from "./missingCosts.ts";
import { paging } from "./rows.ts";

const NO_COMPARISON =
  "the request is for the whole history or has `compare=none`, or the period compared with would begin before year 1";

const figures: Fields = {
  revenue: currency("Revenue of these orders, including shipping and tax.", "Σ value of those orders"),
  orders: count("Orders that count.", "number of those orders"),
  newCustomers: count("Customers whose first order is one of these.", "number of these customers"),
  recurringOrders: count(
    "Repeat orders: those of a later purchase than the customer's first.",
    "number of these orders",
  ),
  averageTicket: currency("Average value of an order.", "revenue / orders; 0 without orders"),
  discount: orNull(
    currency("Discounts, as the orders report them.", "Σ discount of those orders that report one"),
    "none of these orders reports one",
  ),
  contribution2: orNull(
    currency(
      "What these orders leave before media spend, as in the statement of profit with `refundsOn=order`, without expenses.",
      "net revenue − goods − payment − shipping − fulfilment − commission − other",
    ),
    "a unit that was sold, or came back and was put back, has no cost",
  ),
};

const shareOf = (total: "total" | "total.previous"): Field =>
  orNull(
    ratio("Share of the period's revenue.", `revenue / ${total}.revenue, before rounding`),
    "no order has revenue",
  );

/** The rows behind the figures of a row, or of the total. */
const bases = (isRow: boolean, of?: Basis["of"]): Readonly<Record<string, Basis>> => {
  const own = isRow ? ({ own: "row" } as const) : {};
  const days = of === undefined ? {} : { of };
  return {
    "revenue orders averageTicket discount contribution2": { ...ordersOf({ ordered: "span", ...own }), ...days },
    newCustomers: { ...ordersOf({ ordered: "span", isFirst: true, ...own }), ...days },
    recurringOrders: { ...ordersOf({ ordered: "span", purchase: "repeat", ...own }), ...days },
  };
};

const change = (name: string): Field =>
  orNull(
    percent(`Change of \`${name}\`.`, `(${name} − previous.${name}) / previous.${name} × 100, before rounding`),
    name === "contribution2"
      ? "either value is null, or the previous one is not above 0"
      : "either value is null, or the previous one is 0",
  );

const changes: Fields = Object.fromEntries(Object.keys(figures).map((name) => [name, change(name)]));

/** The figures of a row or of the total, with those of the period compared with. */
const withComparison = (isRow: boolean): Fields => ({
  ...basedOn(bases(isRow), figures),
  ...(isRow
    ? {
        missing: {
          unit: { choices: COST_ITEMS },
          description:
            "Items of the statement of which something is not known of these orders, in the order of its lines.",
        },
        share: { ...shareOf("total"), basis: ordersOf({ ordered: "span" }) },
      }
    : {}),
  previous: orNull(
    object(
      {
        ...basedOn(bases(isRow, "compared"), figures),
        ...(isRow
          ? { share: { ...shareOf("total.previous"), basis: { ...ordersOf({ ordered: "span" }), of: "compared" } } }
          : {}),
      },
      "The same of the period compared with.",
    ),
    NO_COMPARISON,
  ),
  changes: orNull(object(basedOn(bases(isRow, "both"), changes), "How each figure changed."), NO_COMPARISON),
});

/** A period by attributes of its orders [D89]. */
export const breakdown: SqlEndpoint = {
  ...filtered,
  path: "/v1/profitability/breakdown",
  summary:
    "A period by what its orders carry, such as the payment or the state: revenue, orders, new customers and contribution by value, in pages, with those of the period that it is compared with. All rows add up to the total.",
  params: {
    ...filtered.params,
    by: {
      kind: "crossing",
      of: ORDER_ATTRIBUTE_NAMES,
      required: true,
      description: "One row per value of this attribute of the orders, or per pair of values of two.",
    },
    compare,
    ...paging,
  },
  withoutSpend: true,
  envelope: dated,
  tables: {
    data: {
      key: ["key"],
      apartSql: "explain/breakdown-sources",
      of: { parameter: "by", field: "key", unlisted: ["campaign"] },
    },
  },
  materialize: ["breakdown_figures"],
  table: "data",
  parts: {
    [ROOT]: {
      sql: "profitability/breakdown-head",
      rows: "one",
      fields: {
        by: { unit: "texts", description: "The attributes, in the order in which they were sent." },
        comparedWith: orNull(
          compared(
            "days",
            object(
              { startDate: day("First day, inclusive."), endDate: day("Last day, inclusive.") },
              "The period compared with.",
            ),
          ),
          NO_COMPARISON,
        ),
      },
    },
    data: {
      sql: "profitability/breakdown",
      rows: "many",
      paged: true,
      description: "The page's rows, by revenue; those without a value are last.",
      fields: {
        key: orNull(
          crossed("by", "The value; of two attributes an array of their values, each null where orders have none."),
          "the orders have no value",
        ),
        label: orNull(
          crossed("by", "Its name; of two attributes an array of their names."),
          "the orders have no value",
        ),
        ...withComparison(true),
      },
    },
    total: {
      sql: "profitability/breakdown-total",
      rows: "one",
      description: "All rows together, on whatever page: revenue and orders are those of the cards.",
      fields: withComparison(false),
    },
    missing: {
      sql: "profitability/breakdown-missing",
      rows: "many",
      description: "What is not known of the costs of these orders.",
      fields: missingOfOrders,
    },
  },
};
