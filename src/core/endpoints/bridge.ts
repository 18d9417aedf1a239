import { allBasedOn, type Basis, basedOn, type OrdersOf } from "../contract/basis.ts";
import { ROOT, type SqlEndpoint } from "../contract/endpoint.ts";
import { array, compared, currency, day, type Field, type Fields, object, orNull, text } from "../contract/field.ts";
import { organizationId } from "../contract/param.ts";
import { compare, dated, FILTERS, filters, margin, ofSpend, SPENT, spendOf } from "./common.ts";

/** A figure before and after, and the effects that make up its change. */
const bridged = (what: string, formula: string, effects: Fields, basis: Basis): Field =>
  object(
    {
      before: { ...currency(`${what} of the period compared with.`, formula), basis: { ...basis, of: "compared" } },
      after: { ...currency(`${what} of the period.`, formula), basis },
      change: currency("How much it changed; the effects add up to it.", "after − before"),
      effects: object(
        effects,
        "What made the change. Each is rounded, and what that leaves over goes to the largest one, so that they add up to `change`.",
      ),
    },
    `${what}, and why it changed.`,
  );

/** All amounts of a figure of spend. */
function allOfSpend(field: Field): Field {
  const { unit } = field;
  if (typeof unit !== "object" || !("object" in unit)) return ofSpend(field);
  const members = Object.entries(unit.object).map(([name, member]): [string, Field] => [name, allOfSpend(member)]);
  return { ...field, unit: { object: Object.fromEntries(members) } };
}

const SHAPLEY =
  "Shapley value of the factor in customers × (orders / customers) × (revenue / orders): for x × y × z that of x is (x₁ − x₀) × ((y₀z₀ + y₁z₁) / 3 + (y₀z₁ + y₁z₀) / 6)";

const inBoth = (orders: OrdersOf): Basis => ({ orders: [{ ordered: "span", ...orders }], of: "both" });

/** The orders of each group. */
const GROUPS: Readonly<Record<string, Basis>> = {
  "newCustomers newFrequency newTicket": inBoth({ acquired: "span", isFiltered: true }),
  "recurringCustomers recurringFrequency recurringTicket": inBoth({ customer: "recurring" }),
  other: inBoth({ customer: "neither" }),
};
const REVENUE: Basis = { orders: [{ ordered: "span" }] };
const SALES: Basis = { sales: ["invoiced"] };

/** The effects of a group of customers on revenue, or on contribution (`times`: × margin). */
const effectsOf = (name: string, group: string, times: string): Fields => ({
  [`${name}Customers`]: currency(
    `Effect of the number of ${group}. The whole difference of the group if it has no customers in one of the periods.`,
    `(${SHAPLEY})${times}`,
  ),
  [`${name}Frequency`]: currency(
    `Effect of the orders per customer of ${group}; 0 if they have no customers in one of the periods.`,
    `(${SHAPLEY})${times}`,
  ),
  [`${name}Ticket`]: currency(
    `Effect of the revenue per order of ${group}; 0 if they have no customers in one of the periods.`,
    `(${SHAPLEY})${times}`,
  ),
});

const customerEffects = (times: string): Fields =>
  basedOn(GROUPS, {
    ...effectsOf("new", "new customers, whose first order is in the period", times),
    ...effectsOf("recurring", "returning customers, with an order in the period and the first one before it", times),
    other: currency(
      "Effect of orders of neither: anonymous ones above all.",
      `(revenue of these orders − that of the period compared with)${times}`,
    ),
  });

const productEffects: Fields = allBasedOn(
  { ...SALES, of: "both" },
  {
    volume: currency(
      "Effect of the number of units, of products sold in both periods.",
      "(U₁ − U₀) × (Σs₀ − Σc₀) / U₀, with U = Σ units, s = their sale value, c = their cost",
    ),
    mix: currency(
      "Effect of the products' shares in these units.",
      "Σ (u₁ − u₀ × U₁ / U₀) × (s₀ − c₀) / u₀, u being a product's units",
    ),
    price: currency("Effect of the products' sale value per unit.", "Σ u₁ × (s₁ / u₁ − s₀ / u₀)"),
    cost: currency("Effect of the products' cost per unit.", "− Σ u₁ × (c₁ / u₁ − c₀ / u₀)"),
    newProducts: currency("Margin of products sold only in the period.", "Σ (s₁ − c₁) of these products"),
    discontinuedProducts: currency(
      "Margin of products sold only in the period compared with.",
      "− Σ (s₀ − c₀) of these products",
    ),
  },
);

const DRIVER: Basis = { orders: [{ ordered: "span", own: "row" }] };

const drivers = orNull(
  array(
    {
      key: orNull(
        text("The value of the breakdown; that of a campaign, product or category is its id."),
        "the orders have no campaign, or, by product and category, for revenue that is no line's sale value: shipping, tax, lines without a product",
      ),
      label: orNull(text("Its name."), "it has no name"),
      before: {
        ...currency("Its revenue in the period compared with.", "Σ value of its orders, or sale value of its lines"),
        basis: { ...DRIVER, of: "compared" },
      },
      after: {
        ...currency("Its revenue in the period.", "Σ value of its orders, or sale value of its lines"),
        basis: DRIVER,
      },
      change: currency(
        "How much it changed. What rounding leaves over goes to the first, so that they add up to `revenue.change`.",
        "after − before",
      ),
    },
    "The change of revenue by value of `breakBy`, the largest first, whether up or down. An order belongs to its own channel and campaign, a line to its product's present category; returns do not lower revenue.",
  ),
  "`breakBy` is not sent",
);

/** [D53] */
export const bridge: SqlEndpoint = {
  path: "/v1/profitability/bridge",
  summary:
    "Why a period differs from another: effects that add up to the change of revenue, of contribution after media spend and of the products' margin.",
  params: {
    organizationId,
    startDate: { kind: "day", required: true, description: "First day, inclusive." },
    endDate: { kind: "day", required: true, description: "Last day, inclusive." },
    compareStartDate: {
      kind: "day",
      description: "First day of the period compared with, inclusive; together with compareEndDate.",
    },
    compareEndDate: {
      kind: "day",
      description: "Last day of the period compared with, inclusive; together with compareStartDate.",
    },
    compare: {
      ...compare,
      description:
        "What the period is compared with if compareStartDate and compareEndDate are not sent: `previous`, the period of the same length right before it; `year`, the same dates one year earlier (29 February becomes 28); `weekdays`, the same weekdays 364 days earlier. `none` is accepted only with these dates, which then choose.",
    },
    breakBy: {
      kind: "choice",
      of: ["origem", "campanha", "produto", "categoria"],
      description: "Whether and by what `drivers` breaks the change of revenue down.",
    },
    ...filters,
  },
  filters: "strict",
  periods: [
    {
      start: "startDate",
      end: "endDate",
      compared: { by: "compare", unless: { start: "compareStartDate", end: "compareEndDate" }, always: true },
    },
    { start: "compareStartDate", end: "compareEndDate", bothOrNone: "refused" },
  ],
  unknown: "refused",
  cacheSeconds: 1800,
  keepsPlan: { over: "products", without: ["breakBy", ...FILTERS] },
  envelope: [...dated, ...margin],
  echo: ["breakBy"],
  tables: { drivers: { key: ["key"], of: { parameter: "breakBy", field: "key" } } },
  parts: {
    [ROOT]: {
      sql: "profitability/bridge",
      rows: "one",
      fields: {
        comparedWith: compared(
          "days",
          object(
            { startDate: day("First day, inclusive."), endDate: day("Last day, inclusive.") },
            "The period compared with.",
          ),
        ),
        revenue: bridged("Revenue, as on the cards", "Σ value of the orders", customerEffects(""), REVENUE),
        contributionProfit: allOfSpend(
          bridged(
            "Contribution left after media spend",
            "revenue × marginPercent / 100 − investment",
            {
              ...customerEffects(" × marginPercent / 100"),
              investment: {
                ...currency("Effect of media spend.", "− (investment − that of the period compared with)"),
                basis: { ...spendOf(SPENT), of: "both" },
              },
            },
            { ...REVENUE, ...spendOf(SPENT) },
          ),
        ),
        productMargin: bridged(
          "Margin of the products sold, less returns. Dated by invoice, and without the units that have no sale value or no cost: it is not a part of the contribution. This margin",
          "Σ sale value − Σ cost of the units kept that have both",
          productEffects,
          SALES,
        ),
        drivers,
      },
    },
  },
};
