import { choice, count, currency, type Field, type Fields, orNull, text } from "../contract/field.ts";
import { type Param, type Params, snake } from "../contract/param.ts";
import { PAYMENT_GROUPS } from "../contract/payment.ts";

/**
 * What an order carries [D88]: a column of `orders` and `uncounted_orders` with its name in snake case, a field of each row of
 * `/v1/profitability/orders`, and, with a `filter`, a parameter of both lists of orders.
 */
interface Carried {
  readonly field: Field;
  readonly filter?: Param;
  /** A filter that compares folded texts: SQL for the folded text of a row, in upper case. */
  readonly folded?: string;
}

const UNTOLD = "the export does not say it";
const NO_ADDRESS = "the export has no shipping address, or a pickup without one";

const inBounds = (least: number, most: number, description: string): Param => ({
  kind: "integer",
  refusesEmpty: true,
  least,
  most,
  description,
});
const exactly = (description: string): Param => ({ kind: "text", keepsEmpty: true, description });
const folded = (what: string): Param =>
  exactly(`Orders that were shipped to this ${what}; case, accents and hyphens make no difference.`);

/** In the order of the rows. A further one needs this declaration, and a column of `sql/core/store_orders.sql`. */
const CARRIED: Readonly<Record<string, Carried>> = {
  paymentGroup: {
    field: orNull(
      choice(PAYMENT_GROUPS, "Way of paying, of the payment that the order goes by."),
      "the export names no payment",
    ),
    filter: {
      kind: "choice",
      of: PAYMENT_GROUPS,
      refusesEmpty: true,
      description: "Orders that were paid in this way, by the payment that they go by.",
    },
  },
  installments: {
    field: orNull(
      count("Installments of that payment, from 1.", "that of the payment"),
      `${UNTOLD}, as those of storeb`,
    ),
    filter: inBounds(1, 1_000, "Orders with this many installments."),
  },
  state: {
    field: orNull(
      text("State that it was shipped to: its code, else its name, folded, in upper case; of Brazil its code."),
      NO_ADDRESS,
    ),
    filter: folded("state"),
    folded: "state",
  },
  city: {
    field: orNull(text("City that it was shipped to, as spelled."), NO_ADDRESS),
    filter: folded("city"),
    folded: "city_key",
  },
  country: {
    field: orNull(text("Country that it was shipped to: two letters, another text in upper case."), NO_ADDRESS),
    filter: folded("country"),
    folded: "case when length(country) = 2 then country else upper(folded(country)) end",
  },
  discount: { field: orNull(currency("Its discounts, without sign.", "total of discounts of the order"), UNTOLD) },
  shippingCharged: { field: orNull(currency("What it charged for shipping.", "shipping of the order"), UNTOLD) },
  taxCharged: { field: orNull(currency("Its tax, also where prices include it.", "tax of the order"), UNTOLD) },
  status: {
    field: orNull(text("Its status; of storeb its financial status."), UNTOLD),
    filter: exactly("Orders of exactly this status; of storeb it is the financial status."),
  },
  salesChannel: {
    field: orNull(text("Sales channel of storea, `source_name` of storeb."), UNTOLD),
    filter: exactly("Orders of exactly this sales channel."),
  },
  items: { field: orNull(count("Units sold.", "Σ units of its lines"), "no line of it is known") },
  hour: {
    field: count("Hour of the day, 0 to 23, on the clock of the store's time zone.", "that of orderedAt there"),
    filter: inBounds(0, 23, "Orders of this hour of the day, on the clock of their store."),
  },
  weekday: {
    field: count("1 is Monday, 7 is Sunday, on the clock of the store's time zone.", "that of orderedOn"),
    filter: inBounds(1, 7, "Orders of this weekday, on the clock of their store: 1 is Monday."),
  },
};

const entries = Object.entries(CARRIED);

/** The fields of a row of orders. */
export const carriedFields: Fields = Object.fromEntries(entries.map(([name, { field }]) => [name, field]));

/** The filters of the lists of orders. */
export const carriedFilters: Params = Object.fromEntries(
  entries.flatMap(([name, { filter }]) => (filter ? [[name, filter] as const] : [])),
);

/** SQL of the value of a row, rounded as its unit requires. */
const answered = (name: string, field: Field): string =>
  field.unit === "currency" ? `money(${snake(name)})` : snake(name);

const conditionOf = (name: string, { filter, folded: key }: Carried): string => {
  const column = snake(name);
  if (key) return `passes_folded('${column}', ${key})`;
  return `passes('${column}', ${filter?.kind === "integer" ? `${column}::varchar` : column})`;
};

/** `sql/setup/carried.sql`: the orders that pass the filters, with the members that rows answer. */
export const carriedSql = (): string => `-- What an order carries [D88], as the lists of orders select and answer it.
-- Grain: one row per order of the period, counted or not, that passes all filters.
-- Written by \`npm run documents\` from src/core/endpoints/carried.ts.

create macro selected_orders() as table
    select
        *,
        {
${entries.map(([name, { field }]) => `            "${name}": ${answered(name, field)}`).join(",\n")}
        } as carried
    from orders_of_request()
    where ${entries
      .filter(([, { filter }]) => filter)
      .map(([name, one]) => conditionOf(name, one))
      .join("\n        and ")};
`;
