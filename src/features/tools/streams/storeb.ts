import type { Child, StreamSet } from "../../../core/contract/stream.ts";

/** Amounts of the GraphQL generation: `total_price_set_shop_amount`. */
const SHOP_MONEY = [
  [/_set_shop_(?!money_)/, "_set_shop_money_"],
  [/_set_pres_/, "_set_presentment_money_"],
] as const;

const UTM = "customerJourneySummary.lastVisit.utmParameters";

const ORDER = ["id", "financial_status|display_financial_status|displayFinancialStatus|line_items|lineItems"];
/** Lines of orders have a product and a price, too. */
const NO_LINE = ["!order_id", "!quantity"] as const;
const VARIANT = [
  "id",
  "product_id|product.id|product__id",
  "price|inventory_item_id|inventoryItem|inventory_item",
  ...NO_LINE,
];

const orderRefunds: Child = {
  name: "order_refunds",
  key: ["id"],
  parent: ["order_id|order.id|order__id"],
  into: "refunds",
  signature: ["refund_line_items|refundLineItems"],
};

/** What is read of a payment: not the card's number, nor what the gateway answered. */
const PAYMENT = {
  ...{ id: "id", kind: "kind", status: "status", gateway: "gateway", amount: "amount", currency: "currency" },
  "amount_set.shop_money.amount|amountSet.shopMoney.amount|amount_set_shop_amount": "amount_set.shop_money.amount",
  "payment_details.credit_card_company|paymentDetails.company|payment_credit_card_company":
    "payment_details.credit_card_company",
  "payment_details.payment_method_name|paymentDetails.paymentMethodName|payment_method_name":
    "payment_details.payment_method_name",
};

/** The payments of an order. */
const orderTransactions: Child = {
  name: "transactions",
  key: ["id"],
  parent: ["order_id|order.id|order__id"],
  into: "transactions",
  // Most objects of the API have none in them, and are whole all the same.
  unless: "id",
  take: PAYMENT,
  signature: ["kind", "gateway", "status", "amount|amount_set|amountSet", "order_id|order|order__id"],
};

const productVariants: Child = {
  name: "product_variants",
  key: ["id"],
  parent: ["product_id|product.id|product__id"],
  into: "variants",
  version: "updated_at|updatedAt",
  required: true,
  // A product of the REST API has its variants in it.
  unless: "variants[0].price|variants.edges|variants.nodes",
  signature: VARIANT,
};

const inventoryLevels: Child = {
  name: "inventory_levels",
  key: ["id|inventory_item_id", "location_id|location.id"],
  parent: ["inventory_item_id|item.id|item__id"],
  into: "inventoryLevels",
  version: "updated_at|updatedAt",
  signature: ["inventory_item_id|item|item__id", "quantities|available"],
};

const inventoryItems = {
  name: "inventory_items",
  key: ["id"],
  signature: ["id", "tracked", "!inventory_item_id", "!product_id"],
  children: [inventoryLevels],
};

const orders: readonly StreamSet[] = [
  {
    tool: "airbyte",
    record: "storeb/orders",
    root: { name: "orders", key: ["id"], signature: ORDER, children: [orderRefunds, orderTransactions] },
  },
  {
    tool: "singer",
    record: "storeb/orders",
    root: { name: "orders", key: ["id"], signature: ORDER, children: [orderRefunds, orderTransactions] },
  },
  {
    tool: "dlt",
    record: "storeb/orders",
    root: {
      name: "orders",
      signature: ["id", "financial_status|display_financial_status"],
      children: [
        {
          name: "orders__line_items",
          into: "line_items",
          required: true,
          signature: ["quantity", "variant_id|variant__id|price", "!line_item_id"],
          children: [
            {
              name: "orders__line_items__discount_allocations",
              into: "discount_allocations",
              signature: ["discount_application_index", "amount"],
            },
            { name: "orders__line_items__tax_lines", into: "tax_lines", signature: ["rate", "price"] },
          ],
        },
        {
          name: "orders__refunds",
          into: "refunds",
          signature: ["order_id", "!amount", "!quantity"],
          children: [
            {
              name: "orders__refunds__refund_line_items",
              into: "refund_line_items",
              signature: ["line_item_id", "quantity"],
            },
            {
              name: "orders__refunds__transactions",
              into: "transactions",
              signature: ["kind", "status", "amount", "gateway"],
            },
            {
              name: "orders__refunds__order_adjustments",
              into: "order_adjustments",
              signature: ["amount", "tax_amount", "refund_id"],
            },
          ],
        },
        { name: "orders__transactions", into: "transactions" },
        {
          name: "orders__payment_gateway_names",
          into: "payment_gateway_names",
          scalars: true,
        },
        { name: "orders__discount_codes", into: "discount_codes", signature: ["code", "amount", "!price"] },
        { name: "orders__shipping_lines", into: "shipping_lines", signature: ["discounted_price", "!quantity"] },
      ],
    },
  },
  {
    tool: "fivetran",
    record: "storeb/orders",
    rewrite: SHOP_MONEY,
    root: {
      name: "order",
      key: ["id"],
      rename: { landing_site_base_url: "landing_site" },
      signature: [
        "id",
        "financial_status|display_financial_status",
        "total_price|total_price_set|total_price_set_shop_amount",
      ],
      children: [
        {
          name: "order_line",
          key: ["id"],
          parent: ["order_id"],
          into: "line_items",
          sort: "index",
          required: true,
          signature: ["order_id", "quantity", "price|original_total_set_shop_amount"],
          children: [
            {
              name: "discount_allocation",
              key: ["order_line_id", "index"],
              parent: ["order_line_id"],
              into: "discount_allocations",
              sort: "index",
              rename: {
                allocated_amount_set_shop_amount: "amount_set.shop_money.amount",
                allocated_amount: "amount",
              },
              signature: [
                "order_line_id",
                "amount|amount_set_shop_money_amount|allocated_amount_set_shop_amount",
                "!refund_id",
              ],
            },
            {
              name: "tax_line",
              aliases: ["order_line_tax_line"],
              key: ["order_line_id", "index"],
              parent: ["order_line_id"],
              into: "tax_lines",
              sort: "index",
              signature: ["order_line_id", "rate", "price|price_set|price_set_shop_amount"],
            },
          ],
        },
        {
          name: "refund",
          key: ["id"],
          parent: ["order_id"],
          into: "refunds",
          optional: true,
          signature: [
            "id",
            "order_id",
            "created_at",
            "!kind",
            "!price",
            "!quantity",
            "!code",
            "!landing_page",
            "!delivery_category",
          ],
          children: [
            {
              name: "order_line_refund",
              aliases: ["refund_line_item"],
              key: ["id"],
              parent: ["refund_id"],
              into: "refund_line_items",
              rename: { order_line_id: "line_item_id" },
              signature: ["refund_id", "order_line_id", "quantity"],
            },
            {
              name: "transaction",
              key: ["id"],
              parent: ["refund_id"],
              into: "transactions",
              only: { column: "kind", value: "REFUND", others: "order_transaction" },
              signature: ["refund_id", "kind", "status", "amount|amount_set|amount_set_shop_amount"],
            },
            {
              name: "order_adjustment",
              key: ["id"],
              parent: ["refund_id"],
              into: "order_adjustments",
              signature: [
                "refund_id",
                "amount|amount_set|amount_set_shop_amount",
                "tax_amount|tax_amount_set|tax_amount_set_shop_amount",
              ],
            },
          ],
        },
        // The rows of `transaction` that are no refunds.
        { name: "order_transaction", key: ["id"], parent: ["order_id"], into: "transactions", take: PAYMENT },
        {
          name: "order_discount_code",
          key: ["order_id", "index"],
          parent: ["order_id"],
          into: "discount_codes",
          sort: "index",
          signature: ["order_id", "code", "index"],
        },
        {
          name: "order_url_tag",
          key: ["order_id", "key"],
          parent: ["order_id"],
          members: {
            name: "key",
            value: "value",
            paths: { utm_source: `${UTM}.source`, utm_medium: `${UTM}.medium`, utm_campaign: `${UTM}.campaign` },
          },
          signature: ["order_id", "key", "value"],
        },
        {
          name: "customer_visit",
          key: ["order_id", "type"],
          parent: ["order_id"],
          only: { column: "type", value: "LAST" },
          take: {
            landing_page: "customerJourneySummary.lastVisit.landingPage",
            utm_parameters_source: `${UTM}.source`,
            utm_parameters_medium: `${UTM}.medium`,
            utm_parameters_campaign: `${UTM}.campaign`,
          },
          signature: ["order_id", "utm_parameters_source|landing_page"],
        },
        {
          name: "order_shipping_line",
          key: ["id"],
          parent: ["order_id"],
          into: "shipping_lines",
          deleted: "is_removed",
          rename: {
            original_price_set_shop_amount: "price_set.shop_money.amount",
          },
          signature: ["order_id", "carrier_identifier|delivery_category|discounted_price", "!quantity"],
        },
      ],
    },
  },
];

const products: readonly StreamSet[] = [
  {
    tool: "airbyte",
    record: "storeb/products",
    root: {
      name: "products",
      tombstones: ["deleted_products", "Deleted Products"],
      key: ["id"],
      signature: ["id", "title", "!product_id"],
      children: [productVariants],
    },
  },
  {
    tool: "singer",
    record: "storeb/products",
    root: { name: "products", key: ["id"], signature: ["id", "title", "!product_id"], children: [productVariants] },
  },
  {
    tool: "dlt",
    record: "storeb/products",
    root: {
      name: "products",
      signature: ["id", "title", "!product_id"],
      children: [
        {
          name: "products__variants",
          into: "variants",
          required: true,
          // Null: the stock is not managed.
          nulls: ["inventory_management"],
          signature: ["product_id", "inventory_item_id"],
        },
        { name: "products__images", into: "images", signature: ["product_id", "src"] },
      ],
    },
  },
  {
    tool: "fivetran",
    record: "storeb/products",
    root: {
      name: "product",
      key: ["id"],
      signature: ["id", "title", "handle|vendor|product_type", "!product_id"],
      children: [
        {
          name: "product_variant",
          key: ["id"],
          parent: ["product_id"],
          into: "variants",
          sort: "position",
          version: "updated_at",
          required: true,
          signature: ["id", "product_id", "inventory_item_id|price", ...NO_LINE],
          children: [
            {
              name: "inventory_item",
              key: ["id"],
              by: "inventory_item_id",
              version: "updated_at",
              take: { tracked: "inventoryItem.tracked" },
              signature: ["id", "tracked", "!product_id"],
            },
          ],
        },
        {
          name: "product_media",
          key: ["product_id", "media_id|id"],
          parent: ["product_id"],
          into: "images",
          sort: "position|index",
          take: { "media_id|id": "media_id" },
          signature: ["product_id", "media_id"],
          children: [
            {
              name: "media_image",
              key: ["id|media_id"],
              by: "media_id",
              take: { "image_url|url|src|original_source_url|preview_image_url": "url" },
              signature: ["id", "image_url|url|src|original_source_url|preview_image_url", "!product_id"],
            },
          ],
        },
      ],
    },
  },
];

const inventory: readonly StreamSet[] = [
  { tool: "airbyte", record: "storeb/inventory", root: inventoryItems },
  { tool: "singer", record: "storeb/inventory", root: inventoryItems },
  {
    tool: "fivetran",
    record: "storeb/inventory",
    root: {
      name: "inventory_item",
      key: ["id"],
      signature: ["id", "tracked|unit_cost_amount|cost", "!product_id"],
      children: [
        {
          name: "inventory_level",
          // The same id is given to levels of several items.
          key: ["inventory_item_id", "id|location_id"],
          parent: ["inventory_item_id"],
          into: "inventoryLevels",
          version: "updated_at",
          signature: ["inventory_item_id", "location_id"],
          children: [
            {
              name: "inventory_quantity",
              key: ["inventory_item_id", "inventory_level_id", "name"],
              parent: ["inventory_item_id", "inventory_level_id"],
              into: "quantities",
              version: "updated_at",
              signature: ["inventory_level_id", "name", "quantity"],
            },
          ],
        },
      ],
    },
  },
];

export const storeb: readonly StreamSet[] = [...orders, ...products, ...inventory];
