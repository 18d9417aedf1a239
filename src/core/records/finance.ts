import { currency, day, internal, text } from "../contract/field.ts";
import type { Filter, RecordDeclaration } from "../contract/record.ts";

const BOOKKEEPING = ["organization_id", "integration_name", "inserted_at", "user_id", "document_id"] as const;

const OF_STORE: Readonly<Record<string, Filter>> = {
  userId: { match: "exact", field: "user_id" },
  integrationName: { match: "exact", field: "integration_name" },
  integrationId: { match: "exact", field: "integration_id" },
};

const STORE = "its id, or its name in the settings";
const currencyOf = text("Currency. A row in another one than the organization's does not count.", {
  nullWhen: "it is the organization's",
});

const productCosts: RecordDeclaration = {
  connector: "finance",
  name: "product-costs",
  grain: "What a unit of a SKU or product costs from a day on.",
  ownTable: true,
  fields: {
    integration_id: text(`Store: ${STORE}.`, { nullWhen: "it is the organization's only store" }),
    sku: text("SKU: its id, for store B also the number at its end, or the store's own code.", {
      nullWhen: "the cost is of a product",
    }),
    product_id: text("Product: its id, for store B also the number at its end.", { nullWhen: "the cost is of a SKU" }),
    cost: currency("Cost of a unit, 0 or more."),
    valid_from: day("First day on which orders have this cost.", { nullWhen: "it has always been the cost" }),
    currency: currencyOf,
  },
  guide: {
    api: "none: a table of your own, with a row for each SKU or product and day from which its cost holds.",
    labels: {
      integration_id: ["Store", "Loja"],
      sku: ["SKU", "Código"],
      product_id: ["Product", "Produto"],
      cost: ["Unit cost", "Custo", "Custo unitário"],
      valid_from: ["Valid from", "Válido desde", "Vigência"],
      currency: ["Moeda"],
    },
  },
  key: ["integration_id", "sku", "product_id", "valid_from", "currency"],
  required: ["cost"],
  envelopes: [],
  plain: ["cost"],
  served: {
    path: "/v1/finance/product-costs",
    summary: "Costs of products, from tables of one's own.",
    bookkeeping: BOOKKEEPING,
    filters: {
      ...OF_STORE,
      sku: { match: "exact", field: "sku" },
      productId: { match: "exact", field: "product_id" },
      dateStart: { from: "valid_from" },
      dateEnd: { to: "valid_from" },
    },
    source: "product_costs",
    order: "valid_from",
    sortable: true,
  },
};

const expenses: RecordDeclaration = {
  connector: "finance",
  name: "expenses",
  grain: "An expense of one or several days.",
  ownTable: true,
  addsUp: "amount",
  fields: {
    date_start: day("First day."),
    date_stop: day("Last day, inclusive."),
    item: text(
      "What it is for: `salesTax`, `payment`, `shipping`, `fulfilment`, `commission`, `other` or `fixed`. In a table also a Portuguese word, or one that `items` of the integration's settings maps; empty: `fixed`.",
    ),
    amount: currency("Amount; below 0: a credit."),
    description: text("What it was."),
    integration_id: text(`Store that it is of: ${STORE}.`, { nullWhen: "it is of no store" }),
    currency: currencyOf,
    ...internal({ date: day("The only day, in place of `date_start` and `date_stop`.") }),
  },
  guide: {
    api: "none: a table of your own, with a row for each expense.",
    labels: {
      date: ["Data"],
      date_start: ["Start", "Início"],
      date_stop: ["End", "Fim"],
      item: ["Categoria"],
      amount: ["Valor"],
      description: ["Descrição"],
      integration_id: ["Store", "Loja"],
      currency: ["Moeda"],
    },
  },
  key: ["date_start", "date_stop", "item", "description", "integration_id", "currency"],
  required: ["date_start", "amount"],
  day: "date_start",
  envelopes: [],
  plain: ["amount"],
  served: {
    path: "/v1/finance/expenses",
    summary: "Expenses, from tables of one's own.",
    bookkeeping: BOOKKEEPING,
    filters: {
      ...OF_STORE,
      item: { match: "exact", field: "item" },
      dateStart: { from: "date_start" },
      dateEnd: { to: "date_start" },
    },
    source: "expenses",
    order: "date_start",
    sortable: true,
  },
};

const paymentFees: RecordDeclaration = {
  connector: "finance",
  name: "payment-fees",
  grain: "What the payment of an order cost, as one statement of an acquirer has it.",
  ownTable: true,
  addsUp: "fee",
  fields: {
    integration_id: text(`Store: ${STORE}.`, { nullWhen: "it is the organization's only store" }),
    order_id: text("Order: its id; for store B also the number at its end, or the order's name with or without `#`."),
    fee: currency("Fee; below 0: a credit."),
    date: day("Day of the statement."),
    currency: currencyOf,
  },
  guide: {
    api: "none: the statement of an acquirer or gateway, with a row for each fee of an order.",
    labels: {
      integration_id: ["Store", "Loja"],
      order_id: ["Order", "Pedido"],
      fee: ["Taxa", "Tarifa"],
      date: ["Data"],
      currency: ["Moeda"],
    },
  },
  key: ["integration_id", "order_id", "date", "currency"],
  required: ["order_id", "fee"],
  envelopes: [],
  plain: ["fee"],
  served: {
    path: "/v1/finance/payment-fees",
    summary: "Fees of payments, from tables of one's own.",
    bookkeeping: BOOKKEEPING,
    filters: { ...OF_STORE, orderId: { match: "exact", field: "order_id" } },
    source: "payment_fees",
    order: "order_id",
    sortable: true,
  },
};

/** Tables of one's own with what sales and days cost [D71]. */
export const finance: readonly RecordDeclaration[] = [productCosts, expenses, paymentFees];
