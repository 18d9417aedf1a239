import { allBasedOn, type Basis } from "../contract/basis.ts";
import { ROOT, type SqlEndpoint } from "../contract/endpoint.ts";
import {
  array,
  choice,
  compared,
  count,
  currency,
  day,
  type Field,
  type Fields,
  object,
  orNull,
  percent,
  ratio,
  text,
} from "../contract/field.ts";
import { organizationId, type Param, type Params } from "../contract/param.ts";
import {
  anyPeriod,
  common,
  compare,
  dated,
  filters,
  IS_FILTERED,
  ordersOf,
  period,
  SPENT,
  spendOf,
  UNKNOWN_SPEND,
} from "./common.ts";
import { missingOfStatement, uncosted } from "./missingCosts.ts";
import { attribution, identity, selection, selectionPeriods } from "./orders.ts";
import { GRANULARITIES } from "./profitability.ts";
import { paging } from "./rows.ts";

/** Where the amounts of a line are from. */
const SOURCES = ["orders", "records", "rules", "mixed", "none", "pending"] as const;

interface Line {
  readonly description: string;
  readonly formula: string;
  /** Expenses of the item, which belong to no order, are deducted too. */
  readonly hasExpenses?: true;
  readonly nullWhen?: string;
  readonly basis?: Basis;
}

const BOTH: Basis = { of: "both" };
const ORDERS: Basis = ordersOf({ ordered: "span" });
/** Orders, and tables of one's own. */
const COSTS: Basis = { ...ORDERS, also: "finance" };
/** Of a line that may be any. */
const BOTH_SIDES: Basis = { ...COSTS, ...spendOf(SPENT) };
const GOODS = "a unit that was sold, or came back and was put back, has no cost";
/** Lines say nothing with a filter, those of media only if the spend is unknown. */
const LEFT_OUT = `${IS_FILTERED} and the line says nothing of it`;

/** The lines of the statement [D74], in their order. Costs are below 0, so that lines add up. */
export const LINES: Readonly<Record<string, Line>> = {
  revenue: { description: "Revenue of the orders.", formula: "Σ value of the orders", basis: ORDERS },
  giftCards: {
    description: "Gift cards sold, a debt and no income, less those that came back.",
    formula: "− Σ sale value of gift cards as ordered + that of those that came back",
    basis: ORDERS,
  },
  refunds: {
    description: "Money given back, store credit and gift cards included.",
    formula: "− Σ refunds, each at most what is left of its order's revenue",
    basis: ORDERS,
  },
  salesTax: {
    description: "Taxes on sales, less what refunds take back of them.",
    formula: "− tax in the orders − rules + the refunds' share of tax and of percentages",
    hasExpenses: true,
    basis: COSTS,
  },
  netRevenue: {
    description: "Net revenue.",
    formula: "revenue + giftCards + refunds + salesTax",
  },
  goods: {
    description: "Cost of the units sold, less that of units put back.",
    formula: "− Σ units × cost: that of product-costs, else the store's, else rules × sale value",
    nullWhen: GOODS,
    basis: COSTS,
  },
  contribution1: { description: "Gross profit.", formula: "netRevenue + goods", nullWhen: GOODS },
  payment: {
    description: "Costs of payment: fees, else rules, and expenses.",
    formula: "− Σ fees of orders that have any − rules of the others",
    hasExpenses: true,
    basis: COSTS,
  },
  shipping: { description: "What carriers cost.", formula: "− rules", hasExpenses: true, basis: COSTS },
  fulfilment: { description: "Picking, packing, warehouse.", formula: "− rules", hasExpenses: true, basis: COSTS },
  commission: {
    description: "Marketplaces, affiliates, sellers.",
    formula: "− rules",
    hasExpenses: true,
    basis: COSTS,
  },
  other: { description: "Other costs that sales cause.", formula: "− rules", hasExpenses: true, basis: COSTS },
  contribution2: {
    description: "What sales leave.",
    formula: "contribution1 + payment + shipping + fulfilment + commission + other",
    nullWhen: GOODS,
  },
  media: { description: "Media spend.", formula: "− Σ spend", nullWhen: UNKNOWN_SPEND, basis: spendOf(SPENT) },
  contribution3: {
    description: "What sales leave after advertising.",
    formula: "contribution2 + media",
    nullWhen: `${GOODS}; or ${UNKNOWN_SPEND}`,
  },
  fixed: {
    description: "Costs that no sale causes.",
    formula: "− rules by day",
    hasExpenses: true,
    nullWhen: IS_FILTERED,
    basis: { also: "finance" },
  },
  profit: { description: "Profit.", formula: "contribution3 + fixed", nullWhen: `${GOODS}; or ${IS_FILTERED}` },
};

/** The lines that orders have: all but those of no order. */
const OF_ORDERS = Object.keys(LINES).slice(0, Object.keys(LINES).indexOf("contribution2") + 1);

const linesOf = (field: (line: Line, name: string) => Field): Fields =>
  Object.fromEntries(Object.entries(LINES).map(([name, line]) => [name, field(line, name)]));

const amountOf = ({ description, formula, hasExpenses, nullWhen, basis }: Line): Field => ({
  ...currency(description, hasExpenses ? `${formula} − expenses` : formula),
  ...(nullWhen ? { nullWhen } : {}),
  ...(basis ? { basis } : {}),
});

const part: Fields = {
  name: text("`orders`, `product-costs`, `payment-fees`, `expenses`, or the name of a rule."),
  source: choice(["orders", "records", "rules"], "Where it is from."),
  amount: currency("Its part of the line; parts add up to a line that is known.", "its part of the line"),
};

const parts = orNull(array(part, "What a cost is made of, also by what applied with 0."), LEFT_OUT);

/** What an answer says of the amount of a line. */
const described: Fields = {
  share: orNull(
    ratio("Its share of net revenue.", "amount / netRevenue"),
    "net revenue is not above 0, or the amount is null",
  ),
  source: orNull(
    choice(
      SOURCES,
      "Where its parts are from; `none`: the settings say that there is no such cost; `pending`: nothing is known of it.",
    ),
    `it is a total, there was nothing to know of it, or ${LEFT_OUT}`,
  ),
  coverage: orNull(
    ratio(
      "How much of it is known: share of the revenue, of goods of the units sold.",
      "revenue of the orders of which it is known / revenue; of goods: units with a cost / units sold",
    ),
    "it is no cost of orders, or there is nothing to divide by",
  ),
};

const figuresOf = (line: Line): Field => object({ amount: amountOf(line), ...described, parts }, line.description);

/** How much an amount changed: the difference of the amounts shown. */
const changeOf = (after: string, before: string): Field =>
  orNull({ ...currency("How much it changed.", `${after} − ${before}`), basis: BOTH }, "one of them is null");

const pctOf = (name: string): Field =>
  orNull(
    {
      ...percent(
        "How much it changed, in percent.",
        `(${name} − that of the period compared with) / that × 100, before rounding`,
      ),
      basis: BOTH,
    },
    "one of them is null, or the earlier one is 0, or a total below 0",
  );

const NOT_COMPARED = "the request is for the whole history or has `compare=none`";

const refundsOn: Param = {
  kind: "choice",
  of: ["refund", "order"],
  fallback: "refund",
  refusesEmpty: true,
  description: "Whether refunds, and what goes back with them, count on their own day or on that of their order.",
};

const params: Params = {
  ...period,
  granularity: {
    kind: "choice",
    of: GRANULARITIES,
    description: "Length of the steps in `data`: a day, a week from Monday on, or a calendar month.",
  },
  compare,
  compareStartDate: {
    kind: "day",
    description: "First day of the period compared with, inclusive; together with compareEndDate.",
  },
  compareEndDate: {
    kind: "day",
    description: "Last day of the period compared with, inclusive; together with compareStartDate.",
  },
  ...filters,
  refundsOn,
};

/** The statement of profit [D74]. */
const statement: SqlEndpoint = {
  ...common,
  path: "/v1/profit/statement",
  summary:
    "What remains of what customers paid, line by line: refunds, taxes, goods, fees, media, fixed costs. For decisions; it has no chargebacks, no cash basis and no stock written off, and is no bookkeeping.",
  params,
  periods: [
    { ...anyPeriod, compared: { by: "compare", unless: { start: "compareStartDate", end: "compareEndDate" } } },
    { start: "compareStartDate", end: "compareEndDate", bothOrNone: "refused" },
  ],
  envelope: dated,
  ofStore: true,
  filters: "strict",
  table: "statement",
  tableIf: { parameter: "granularity", table: "data" },
  echo: ["granularity", "integrationId", "refundsOn"],
  materialize: ["statement_windows", "statement_sums", "statement_lines", "statement_parts", "statement_knowledge"],
  keepsPlan: { over: "profit", without: ["channel"] },
  tables: { data: { key: ["date"], days: { by: "granularity" } }, missing: { key: ["item"] } },
  parts: {
    [ROOT]: {
      sql: "profit/statement",
      rows: "one",
      fields: {
        statement: object(linesOf(figuresOf), "The lines, in their order. Those of costs are below 0."),
        previousPeriod: orNull(
          compared(
            "figures",
            object(
              {
                period: compared(
                  "days",
                  object(
                    { startDate: day("First day, inclusive."), endDate: day("Last day, inclusive.") },
                    "The period compared with.",
                  ),
                ),
                ...linesOf(amountOf),
              },
              "The lines of the period compared with.",
            ),
          ),
          NOT_COMPARED,
        ),
        changes: orNull(
          object(
            linesOf((line, name) =>
              object(
                { amount: changeOf(`statement.${name}.amount`, `previousPeriod.${name}`), pct: pctOf(name) },
                line.description,
              ),
            ),
            "What changed since the period compared with.",
          ),
          NOT_COMPARED,
        ),
      },
    },
    statement: {
      sql: "profit/lines",
      rows: "many",
      inTables: true,
      only: {
        parameter: "startDate",
        fields: ["previous", "change", "pct"],
        unless: { parameter: "compare", is: "none", but: "compareStartDate" },
      },
      fields: {
        line: text("The line."),
        amount: orNull(
          { ...currency("Its amount.", "as the line of the answer in JSON"), basis: COSTS },
          `${GOODS}; or ${LEFT_OUT}`,
        ),
        ...described,
        previous: orNull(
          { ...currency("That of the period compared with.", "its amount"), basis: BOTH },
          `${GOODS}; or ${LEFT_OUT}`,
        ),
        change: changeOf("amount", "previous"),
        pct: pctOf("amount"),
      },
    },
    parts: {
      sql: "profit/parts",
      rows: "many",
      inTables: true,
      fields: { line: text("The line."), ...part },
    },
    missing: {
      sql: "profit/missing",
      rows: "many",
      description: "What is not known of the costs of the period.",
      fields: missingOfStatement,
    },
    data: {
      sql: "profit/steps",
      rows: "many",
      nullIf: { parameter: "granularity", isSent: false },
      description:
        "The lines by step, cut to the period; steps add up to each line that is known. Null without `granularity`.",
      fields: {
        date: day("The day, the Monday, or the first of the month."),
        ...linesOf(amountOf),
      },
    },
  },
};

const ORDER = ordersOf({ isRow: true });
const UNKNOWN_GOODS = "a unit of it that was sold, or came back and was put back, has no cost";

/** A line of one order: rules and fees only, refunds and what went back with them included. */
const ofOrder = (name: string): Field => {
  const { description, formula, nullWhen } = LINES[name] as Line;
  return {
    ...currency(description, formula),
    ...(nullWhen ? { nullWhen: UNKNOWN_GOODS } : {}),
    basis: ORDER,
  };
};

/** What each order leaves [D75]. */
const orderProfits: SqlEndpoint = {
  ...common,
  path: "/v1/profit/orders",
  summary:
    "What each counted order leaves, in pages: its lines of the statement, with refunds on the order. They add up to the statement with `refundsOn=order`, less expenses, except for rounding.",
  params: {
    ...selection,
    orderBy: {
      kind: "choice",
      of: ["orderedAt", "contribution2"],
      fallback: "orderedAt",
      description: "Sort field; ties by `orderedAt`, `orderId`, `integrationId`.",
    },
    orderDirection: {
      kind: "choice",
      of: ["ASC", "DESC"],
      anyCase: true,
      fallback: "ASC",
      description: "Sort direction; orders whose goods are unknown come last.",
    },
    ...paging,
  },
  periods: selectionPeriods,
  withoutSpend: true,
  ofStore: true,
  filters: "strict",
  envelope: dated,
  table: "data",
  parts: {
    data: {
      sql: "profit/orders",
      rows: "many",
      paged: true,
      fields: {
        ...allBasedOn(ORDER, { ...identity, ...attribution }),
        ...Object.fromEntries(OF_ORDERS.map((name) => [name, ofOrder(name)])),
        unitsWithoutCost: {
          ...count("Units sold of which the cost is not known.", "number of these units"),
          basis: ORDER,
        },
      },
    },
  },
};

/** Goods without a cost, and the rule that would give them one [D212]. */
const unknownGoods: SqlEndpoint = {
  ...common,
  path: "/v1/profit/unknown-goods",
  summary:
    "Goods of which no cost is known, by store, with the cost rule that would close the gap: at the share of the sale value that the goods with a cost had in the same period. An estimate, in no figure of any other answer.",
  params: { ...period, ...filters, refundsOn },
  periods: [anyPeriod],
  envelope: dated,
  withoutSpend: true,
  ofStore: true,
  filters: "strict",
  table: "data",
  parts: {
    data: {
      sql: "profit/unknown_goods",
      rows: "many",
      fields: allBasedOn(COSTS, {
        integrationId: text("Store."),
        from: day("The first day of their orders."),
        ...uncosted,
        percentOfItems: orNull(
          percent(
            "Of a rule for `goods` of the store from that day on.",
            "cost / sale value × 100 of units sold that have both",
          ),
          "no unit sold has both, they cost more than they sold for, or another rule may hold for orders of the store since",
        ),
        goods: orNull(
          currency(
            "What the rule would add to `goods`.",
            "− percentOfItems × sale value of the units sold, less those put back",
          ),
          "there is no `percentOfItems`, or a unit has no sale value",
        ),
      }),
    },
  },
};

const TOO_NEW = "goods of these days are unknown, or the data begin less than 8 weeks before today";

/** How far the month is on the way to its targets [D95]. */
const pace: SqlEndpoint = {
  ...common,
  path: "/v1/profit/pace",
  summary:
    "How far the current month, by the clock of the first store, is on the way to the targets of the settings, what it will come to, and by how much this expectation was wrong in the months before. Without dates.",
  params: {
    organizationId,
    monthStart: { kind: "settings", of: "monthStart", description: "The first day of the current month." },
    yesterday: { kind: "settings", of: "yesterday", description: "The day before today." },
    targets: { kind: "settings", of: "targets", description: "The targets of the settings." },
  },
  periods: [{ start: "monthStart", end: "yesterday", bothOrNone: "ignored" }],
  envelope: dated,
  table: "data",
  tables: { data: { key: ["figure"] } },
  parts: {
    data: {
      sql: "profit/pace",
      rows: "many",
      description: "The targets that are amounts, as far as the settings have them.",
      fields: {
        figure: choice(["revenue", "contribution3", "profit"], "A line of the statement."),
        target: currency("The least that the month should come to.", "as the settings say"),
        toDate: orNull(
          {
            ...currency("What it has come to, up to yesterday.", "the line of the statement of these days"),
            basis: BOTH_SIDES,
          },
          "goods of these days are unknown",
        ),
        expected: orNull(
          currency(
            "What the whole month will come to, if its other days are as their weekdays were.",
            "toDate + Σ over today and the days left: mean of the weekday in the 8 weeks before today",
          ),
          TOO_NEW,
        ),
        errorPct: orNull(
          percent(
            "By how much this expectation was wrong on the same day of the 12 months before.",
            "median of (expected − actual) / actual × 100 of these months, without sign",
          ),
          "`expected` is null, or fewer than 3 of these months have data from 8 weeks before that day on, known goods and an amount other than 0",
        ),
      },
    },
  },
};

export const profit: readonly SqlEndpoint[] = [statement, orderProfits, unknownGoods, pace];
