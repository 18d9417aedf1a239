import { allBasedOn, type Basis } from "../contract/basis.ts";
import { CHANNELS } from "../contract/channel.ts";
import { type Block, type BlocksEndpoint, ROOT } from "../contract/endpoint.ts";
import { WINDOW } from "../contract/envelope.ts";
import {
  array,
  choice,
  count,
  currency,
  day,
  days,
  type Fields,
  flag,
  instant,
  object,
  orNull,
  ratio,
  text,
  units,
} from "../contract/field.ts";
import { cohortFields, productRow, SOLD, storeParams, storePeriods } from "./products.ts";

/** The row of the listing, without `asOf`, which the block has. */
const { asOf: _, ...row } = productRow;

/** The table macros that the blocks of a group share. */
const groups = {
  sales: ["requested_store", "sales_of_product"],
  entries: ["requested_store", "entries_of_product"],
  year: ["year_sales"],
} as const;

const block = (
  sql: string,
  group: keyof typeof groups,
  basis: NonNullable<Block["basis"]>,
  fields: Fields,
  rows: Basis = {},
): Block => ({ sql: `products/detail/${sql}`, rows: "one", group, basis, fields: allBasedOn(rows, fields) });

/** Products bought with this one, counted by `how`, the most frequent first. They overlap and must not be summed. */
const companions = (counted: "orders" | "customers", how: string): Fields => ({
  rows: array(
    {
      productId: text("Product."),
      productName: orNull(text("Its name in the catalog, or at its latest sale."), "neither has one"),
      [counted]: count(`Number of ${counted} in the last 12 months.`, how),
      share: ratio(`Share of the ${counted} with this product.`, `${counted} / all ${counted} with this product`),
      lift: ratio(
        "How much more often than by chance; above 1 they attract each other.",
        `share / the share of all the store's ${counted === "orders" ? "orders" : "buyers"} with the other product`,
      ),
    },
    "Up to ten products, the most frequent first; they overlap.",
  ),
});

const NO_VALUE = "none of the units has a sale value";
const NOT_CONNECTED = "no web analytics account has ever landed a file";

const blocks: BlocksEndpoint["parts"] = {
  [ROOT]: {
    sql: "products/detail/found",
    rows: "one",
    required: true,
    group: "sales",
    fields: {
      asOf: orNull(instant("The oldest `asOf` of the blocks."), "no block has one"),
      period: object(WINDOW, "The requested period."),
    },
  },
  summary: block("summary", "sales", "requested", {
    ...row,
    returnMeasurement: object(
      allBasedOn(SOLD, {
        state: choice(["measured", "no_returns_coverage", "no_sales_base"], "Whether returns can be measured."),
        soldUnits: units("Units sold in the period.", "Σ units sold"),
        returnedUnits: units("Sold units returned to date.", "Σ units returned of those sold"),
        returnRate: orNull(
          ratio("Share of units returned; a floor, since late returns may be missing.", "returnedUnits / soldUnits"),
          "state is not `measured`",
        ),
      }),
      "The basis of the return rate.",
    ),
  }),
  funnel: block(
    "funnel",
    "year",
    "requested",
    {
      views: orNull(count("Units viewed.", "Σ units viewed, of the product's items in web analytics"), NOT_CONNECTED),
      addToCarts: orNull(
        count("Units put into the cart.", "Σ units put into the cart, of the product's items in web analytics"),
        NOT_CONNECTED,
      ),
      checkouts: orNull(
        count("Units taken to the checkout.", "Σ units taken to the checkout, of the product's items in web analytics"),
        NOT_CONNECTED,
      ),
      purchases: orNull(
        count("Units bought, as the site reports it.", "Σ units bought, of the product's items in web analytics"),
        NOT_CONNECTED,
      ),
      viewToCartRate: orNull(
        ratio("Share of viewed units put into the cart.", "addToCarts / views"),
        "views is 0 or null",
      ),
      cartToCheckoutRate: orNull(
        ratio("Share of units in the cart taken to the checkout.", "checkouts / addToCarts"),
        "addToCarts is 0 or null",
      ),
      checkoutToPurchaseRate: orNull(
        ratio("Share of units at the checkout bought.", "purchases / checkouts"),
        "checkouts is 0 or null",
      ),
      viewToPurchaseRate: orNull(ratio("Share of viewed units bought.", "purchases / views"), "views is 0 or null"),
    },
    { also: "analytics" },
  ),
  entryCohort: block("entry-cohort", "entries", "source_window", {
    overlappingRows: flag("Always true: a first purchase with several products is in the cohort of each."),
    cohortWindowMonths: count("Maximum number of entry months.", "always 12"),
    rows: array({ month: day("First of the entry month."), ...cohortFields }, "The last entry months, in order."),
  }),
  boughtTogether: block(
    "bought-together",
    "year",
    "source_window",
    companions("orders", "Orders of the last 12 months with both products; `window` has the days."),
    { sales: ["year"] },
  ),
  retention: block(
    "retention",
    "entries",
    "requested",
    {
      rows: array(
        {
          month: count("Calendar month since the first purchase, from 0.", "months between the two"),
          customers: count(
            "Customers who bought again in it.",
            "entry customers of the period with another order in that month",
          ),
          observed: count(
            "Customers for whom it has begun.",
            "entry customers who have reached the month at the store's last sync",
          ),
          pct: ratio("Share of customers who bought again in it.", "customers / observed"),
        },
        "One row per month.",
      ),
    },
    { sales: ["entered"] },
  ),
  purchaseFrequency: block(
    "purchase-frequency",
    "sales",
    "requested",
    {
      rows: array(
        {
          purchases: count("Orders in the period with the product.", "number of the customer's orders"),
          customers: count("Customers with that number of orders.", "number of such customers"),
          share: ratio("Share of the period's buyers of the product.", "customers / all of the period's buyers"),
        },
        "By number of orders.",
      ),
      averageDaysBetween: orNull(
        days(
          "Average days between two such orders of a customer.",
          "Σ days between successive orders / number of such pairs",
        ),
        "no customer has two",
      ),
    },
    SOLD,
  ),
  boughtAfter: block(
    "bought-after",
    "year",
    "source_window",
    companions(
      "customers",
      "Customers of the last 12 months who had it in their next purchase; `window` has the days.",
    ),
    { sales: ["year"] },
  ),
  coupons: block(
    "coupons",
    "sales",
    "requested",
    {
      rows: array(
        {
          couponCode: text("Coupon, in upper case."),
          orders: count("Orders with the coupon and the product.", "number of such orders"),
          share: ratio("Share of all orders with the product.", "orders / all orders of the period with the product"),
          netSales: orNull(
            currency("The product's net sales in those orders.", "sales − returns of the product"),
            NO_VALUE,
          ),
        },
        "The most used first.",
      ),
    },
    SOLD,
  ),
  acquisitionChannels: block(
    "acquisition-channels",
    "entries",
    "requested",
    {
      rows: array(
        {
          channel: choice(CHANNELS, "Channel of the customer's first order."),
          label: text("Its name."),
          entryCustomers: count("Entry customers acquired through it.", "number of such customers"),
          share: ratio("Share of the period's entry customers.", "entryCustomers / all entry customers of the period"),
          netSales: orNull(
            currency("The product's net sales in their first purchases.", "sales − returns of the product"),
            NO_VALUE,
          ),
        },
        "The channel with the most customers first.",
      ),
    },
    { sales: ["entered"] },
  ),
};

export const productDetail: BlocksEndpoint = {
  by: "blocks",
  path: "/v1/products/:productId",
  summary: "One product of a store, in independent blocks.",
  params: {
    ...storeParams,
    productId: { kind: "text", required: true, maxLength: 256, description: "Product, exactly as the listing has it." },
  },
  periods: storePeriods,
  unknown: "refused",
  // Blocks are cached separately: an answer with a block in error must not be cached.
  cacheSeconds: 0,
  blockSeconds: 300,
  keepsPlan: { over: "products" },
  echo: ["productId", "integrationId"],
  period: { from: "dateFrom", to: "dateTo" },
  groups,
  parts: blocks,
};
