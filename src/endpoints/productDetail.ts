import { CHANNELS } from "../contract/channel.ts";
import type { Block, BlocksEndpoint } from "../contract/endpoint.ts";
import {
  array,
  choice,
  count,
  currency,
  date,
  days,
  type Figures,
  object,
  orNull,
  ratio,
  truth,
  units,
  word,
} from "../contract/figure.ts";
import { cohortFigures, productRow, storeParams, storePeriods } from "./products.ts";

/** The row of the listing; its `asOf` is the block's. */
const { asOf: _, ...row } = productRow;

const block = (sql: string, basis: Block["basis"], figures: Figures): Block => ({
  sql: `products/detail/${sql}`,
  basis,
  figures,
});

/** Products beside this one: those of `how`, the most frequent first. They overlap and are not to be summed. */
const beside = (counted: "orders" | "customers", how: string): Figures => ({
  rows: array(
    {
      productId: word("Product."),
      productName: orNull(word("Its name in the catalog, or at its latest sale.")),
      [counted]: count(how),
      share: ratio(`Of the ${counted} with this product.`),
      lift: orNull(
        ratio(`share / the share of all the store's ${counted === "orders" ? "orders" : "buyers"} with it.`),
      ),
    },
    "Up to ten products, the most frequent first; they overlap.",
  ),
});

const blocks: Readonly<Record<string, Block>> = {
  summary: block("summary", "requested", {
    ...row,
    returnMeasurement: object(
      {
        state: choice(["measured", "no_returns_coverage", "no_sales_base"], "Whether returns can be told."),
        soldUnits: units("Units sold in the period."),
        returnedUnits: units("Of those, returned to date."),
        returnRate: orNull(ratio("returnedUnits / soldUnits; a floor, since late returns may be missing.")),
      },
      "What the return rate stands on.",
    ),
  }),
  funnel: block("funnel", "requested", {
    views: orNull(count("Units viewed.")),
    addToCarts: orNull(count("Units put into the cart.")),
    checkouts: orNull(count("Units taken to the checkout.")),
    purchases: orNull(count("Units bought, as the site reports it.")),
    viewToCartRate: orNull(ratio("addToCarts / views.")),
    cartToCheckoutRate: orNull(ratio("checkouts / addToCarts.")),
    checkoutToPurchaseRate: orNull(ratio("purchases / checkouts.")),
    viewToPurchaseRate: orNull(ratio("purchases / views.")),
  }),
  entryCohort: block("entry-cohort", "source_window", {
    overlappingRows: truth("Always true: a first purchase with several products is in the cohort of each."),
    cohortWindowMonths: count("How many entry months there are at most."),
    rows: array({ month: date("First of the entry month."), ...cohortFigures }, "The last entry months, in order."),
  }),
  boughtTogether: block("bought-together", "source_window", beside("orders", "Orders that hold both.")),
  retention: block("retention", "requested", {
    rows: array(
      {
        month: count("Calendar months since the first purchase, from 0."),
        customers: count("Customers who bought again in that month."),
        observed: count("Customers for whom that month has begun."),
        pct: ratio("customers / observed."),
      },
      "A month each.",
    ),
  }),
  purchaseFrequency: block("purchase-frequency", "requested", {
    rows: array(
      {
        purchases: count("Orders in the period that hold the product."),
        customers: count("Customers with so many."),
        share: ratio("Of the period's buyers of the product."),
      },
      "By number of orders.",
    ),
    averageDaysBetween: orNull(days("Days between two such orders of a customer; null when nobody had two.")),
  }),
  boughtAfter: block("bought-after", "source_window", beside("customers", "Customers who had it in their next order.")),
  coupons: block("coupons", "requested", {
    rows: array(
      {
        couponCode: word("Coupon, in upper case."),
        orders: count("Orders with it that hold the product."),
        share: ratio("Of all orders that hold the product."),
        netSales: orNull(currency("The product's net sales in those orders.")),
      },
      "The most used first.",
    ),
  }),
  acquisitionChannels: block("acquisition-channels", "requested", {
    rows: array(
      {
        channel: choice(CHANNELS, "Channel of the customer's first order."),
        label: word("Its name."),
        entryCustomers: count("Entry customers that came through it."),
        share: ratio("Of the period's entry customers."),
        netSales: orNull(currency("The product's net sales in their first purchases.")),
      },
      "The one with most customers first.",
    ),
  }),
};

export const productDetail: BlocksEndpoint = {
  shape: "blocks",
  path: "/v1/products/:productId",
  summary: "One product of a store, in blocks that do not depend on each other.",
  params: {
    ...storeParams,
    productId: { kind: "text", required: true, maxLength: 256, description: "Product, exactly as the listing has it." },
  },
  periods: storePeriods,
  unknown: "refused",
  // The blocks are kept, each by itself: an answer with one in error must not be.
  cacheSeconds: 0,
  blockSeconds: 300,
  found: "products/detail/found",
  echo: ["productId", "integrationId"],
  period: { from: "dateFrom", to: "dateTo" },
  blocks,
};
