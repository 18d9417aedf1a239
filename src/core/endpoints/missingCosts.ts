import { choice, count, currency, type Fields, orNull } from "../contract/field.ts";

/** The items of orders of which something may not be known [D74], in the order of the lines. */
export const COST_ITEMS = ["salesTax", "goods", "payment", "shipping", "fulfilment", "commission", "other"] as const;

const orders = count("Orders of which it is not known.", "number of these orders");
const revenue = currency(
  "Their revenue; of goods the sale value of the units.",
  "Σ value of these orders, or of these units",
);
const units = count("Units without a cost, each once.", "number of these units");
const ofGoods: Fields = {
  units: orNull(units, "it is not `goods`"),
  products: orNull(count("Their products.", "number of their products"), "it is not `goods`"),
};
const ITEM = "The item: a line of the statement.";

/** Units of which no cost is known. */
export const uncosted: Fields = { orders, units, revenue };

/** What is not known of the costs of orders. */
export const missingOfOrders: Fields = { item: choice(COST_ITEMS, ITEM), orders, revenue, ...ofGoods };

/** The same with costs of days, which are of no order. */
export const missingOfStatement: Fields = {
  item: choice([...COST_ITEMS, "fixed"], ITEM),
  orders: orNull(orders, "it is `fixed`"),
  revenue: orNull(revenue, "it is `fixed`"),
  ...ofGoods,
};
