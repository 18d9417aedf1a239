import { allBasedOn, type Basis, basedOn, type OrdersOf, type SpendOf } from "../contract/basis.ts";
import type { SqlEndpoint } from "../contract/endpoint.ts";
import { choice, count, currency, orNull, ratio, text } from "../contract/field.ts";
import { connectorsOf } from "../contract/record.ts";
import { dated, filtered, margin, ofSpend, ordersOf, withBasis } from "./common.ts";
import { paging } from "./rows.ts";

const ORDERED: OrdersOf = { ordered: "span", isRequested: true };
const SPENT: SpendOf = { spent: "span", isRequested: true };
const OF_PRODUCT: Basis = ordersOf({ ...ORDERED, own: "row" });

const ND = ["incomplete_gross_value", "incomplete_cost"] as const;
const NO_SALES = "units were sold, and none of them has a sale value";
const NO_MARGIN = "a unit has no sale value or no cost: `ndReason`";
const NOTHING_TO_SHARE = "it has no sales, or no product has";

/** The products behind a channel or campaign [D66]. */
export const attributedProducts: SqlEndpoint = {
  ...filtered,
  path: "/v1/acquisition/products",
  summary:
    "The products in the orders of a channel or campaign, in pages, by their margin. By the day of the order and over all stores: `/v1/products` has the invoiced sales of one store.",
  params: {
    ...filtered.params,
    campaignId: {
      kind: "text",
      description:
        "Orders and spend of the campaigns with exactly this id; of one that never landed it is the normalized `utm_campaign`. `breakKey` of /v1/acquisition/contribution.",
    },
    connector: {
      kind: "choice",
      of: connectorsOf("ads"),
      description: "Orders and spend of campaigns of this ad platform: two platforms may use the same id.",
    },
    sortBy: {
      kind: "choice",
      of: ["marginTotal", "marginAfterAds", "netSales"],
      fallback: "marginTotal",
      description: "What decides which products come first.",
    },
    sortOrder: {
      kind: "choice",
      of: ["asc", "desc"],
      fallback: "desc",
      description: "The lowest or the highest first; null is last.",
    },
    ...paging,
  },
  materialize: ["attributed_products"],
  tables: {
    data: { key: ["productId"], apart: "integrationId", of: { attribute: "produto", field: "productId" } },
  },
  envelope: [...dated, ...margin],
  table: "data",
  parts: {
    data: {
      sql: "acquisition/products",
      rows: "many",
      paged: true,
      fields: basedOn(
        {
          "orders grossUnits netUnits grossSales netSales cogs marginTotal": OF_PRODUCT,
          investmentShare: { orders: [ORDERED], spend: [SPENT] },
        },
        {
          integrationId: text("Store."),
          productId: text("Product."),
          productName: orNull(text("Its name, from the catalog or its latest sale."), "nothing names it"),
          imageUrl: orNull(text("Its picture."), "the catalog has none"),
          orders: count("Orders with the product.", "number of these orders in which a unit of it was sold"),
          grossUnits: count("Units sold.", "Σ units"),
          netUnits: count("Units sold and not returned to date.", "grossUnits − returned units"),
          grossSales: orNull(
            currency(
              "Sale value of the units sold, after discounts, without shipping and tax.",
              "Σ sale value of its lines",
            ),
            NO_SALES,
          ),
          netSales: orNull(currency("The same of the units that were not returned.", "grossSales − returns"), NO_SALES),
          cogs: orNull(currency("Cost of these units.", "Σ unit cost × netUnits"), NO_MARGIN),
          marginTotal: orNull(currency("What they leave.", "netSales − cogs"), NO_MARGIN),
          marginAverage: orNull(
            ratio("The same as a share of sales.", "marginTotal / netSales"),
            `netSales is 0, or ${NO_MARGIN}`,
          ),
          investmentShare: ofSpend(
            orNull(
              currency(
                "Media spend, shared out over the products by their sale value.",
                "investment of `total` × grossSales / grossSales of `total`",
              ),
              NOTHING_TO_SHARE,
            ),
          ),
          marginAfterAds: ofSpend(
            orNull(
              currency(
                "What the product leaves after its share of the media spend. Payment fees, taxes and shipping are not deducted.",
                "marginTotal − investmentShare",
              ),
              `${NOTHING_TO_SHARE}, or ${NO_MARGIN}`,
            ),
          ),
          ndReason: orNull(choice(ND, "Why cost and margin are null."), "they are not"),
        },
      ),
    },
    total: {
      sql: "acquisition/products-total",
      rows: "one",
      fields: allBasedOn(ordersOf(ORDERED), {
        orders: count("The orders, with and without products.", "number of these orders in the period"),
        revenue: currency("Their revenue, as in the other endpoints.", "Σ value of those orders"),
        investment: ofSpend(withBasis({ spend: [SPENT] }, currency("Media spend.", "Σ spend in the period"))),
        products: count("Products sold.", "number of rows of all pages"),
        grossUnits: count("Units sold.", "Σ units"),
        netUnits: count("Units sold and not returned to date.", "grossUnits − returned units"),
        grossSales: currency(
          "Sale value of the units sold, as far as it is known.",
          "Σ sale value of lines with a product",
        ),
        otherRevenue: currency(
          "Revenue that is no product's: shipping, tax, lines without a product or a sale value.",
          "revenue − grossSales",
        ),
        netSales: orNull(
          currency("Sale value of the units that were not returned.", "Σ netSales"),
          "a product has no sales",
        ),
        productsWithMargin: count("Products whose margin is known.", "number of products with a marginTotal"),
        marginTotal: orNull(currency("What they leave.", "Σ marginTotal"), "a product has no margin"),
      }),
      description: "All pages together, and the orders that they are of: the revenue of the channel or campaign.",
    },
  },
};
