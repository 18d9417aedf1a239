import { choice, count, currency, type Fields, orNull } from "../contract/field.ts";

const ofItems = (items: readonly string[], nullWhen: string, field: ReturnType<typeof count>) =>
  items.includes("fixed") ? orNull(field, nullWhen) : field;

/** What is not known of costs [D74]: of which of these items, and how much. */
export const missingFields = (items: readonly string[]): Fields => ({
  item: choice(items, "The item: a line of the statement."),
  orders: ofItems(items, "it is `fixed`", count("Orders of which it is not known.", "number of these orders")),
  revenue: ofItems(
    items,
    "it is `fixed`",
    currency("Their revenue; of goods the sale value of the units.", "Σ value of these orders, or of these units"),
  ),
  units: orNull(count("Units without a cost, each once.", "number of these units"), "it is not `goods`"),
  products: orNull(count("Their products.", "number of their products"), "it is not `goods`"),
});
