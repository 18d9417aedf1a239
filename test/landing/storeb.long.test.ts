import { gzipSync } from "node:zlib";
import { expect } from "chai";
import type { Row } from "../../src/core/engine/database.ts";
import { storeb } from "../../src/core/records/storeb.ts";
import { land } from "../support/landing.ts";
import { parquet } from "../support/parquet.ts";

type Json = Record<string, unknown>;

const lines = (objects: readonly unknown[]): string => objects.map((object) => JSON.stringify(object)).join("\n");
/** Lines as a bulk operation serves them: slashes are escaped. */
const bulk = (objects: readonly unknown[]): string => `${lines(objects).replaceAll("/", "\\/")}\n`;
const edges = (objects: readonly unknown[]): Json => ({
  edges: objects.map((node, n) => ({ cursor: `c${n}`, node })),
  pageInfo: { hasNextPage: false },
});
const nodes = (objects: readonly unknown[]): Json => ({ nodes: objects, pageInfo: { hasNextPage: false } });
const bag = (amount: string): Json => ({
  shopMoney: { amount, currencyCode: "BRL" },
  presentmentMoney: { amount: "0.99", currencyCode: "USD" },
});
const set = (amount: string): Json => ({
  shop_money: { amount, currency_code: "BRL" },
  presentment_money: { amount: "0.99", currency_code: "USD" },
});

/** The record's own fields of a landed row. */
const own = (row: Row | undefined): Json =>
  Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => !name.startsWith("_") && name !== "organization_id"));

async function rowsOf(record: string, content: string | Buffer, file = "a.json"): Promise<Json[]> {
  const { rows, rejects } = await land("storeb", record, { [file]: content });
  expect(rejects).to.deep.equal([]);
  return rows.map(own);
}

async function rowOf(record: string, object: unknown): Promise<Json> {
  const rows = await rowsOf(record, JSON.stringify(object));
  expect(rows).to.have.length(1);
  return rows[0] as Json;
}

async function reasonsOf(record: string, object: unknown): Promise<string[]> {
  const { rows, rejects } = await land("storeb", record, { "a.json": JSON.stringify(object) });
  expect(rows).to.deep.equal([]);
  return rejects.map((reject) => reject.reason);
}

/** Checks that one object lands the same from every wrapper. */
function wrapped(record: string, plural: string, singular: string, object: Json, landed: Json): void {
  const wraps: Record<string, string | Buffer> = {
    "edges of nodes": JSON.stringify({ data: { [plural]: edges([object]) }, extensions: { cost: {} } }, null, 2),
    nodes: JSON.stringify({ data: { [plural]: nodes([object]) } }),
    "one by itself": JSON.stringify({ data: { [singular]: object } }),
    "an array": JSON.stringify([object]),
    "lines, gzipped": gzipSync(lines([object, object])),
  };
  for (const [name, content] of Object.entries(wraps)) {
    it(`lands from ${name}`, async () => {
      for (const row of await rowsOf(record, content)) expect(row).to.deep.equal(landed);
    });
  }
}

describe("storeb products", () => {
  const variant = {
    id: "gid://shopify/ProductVariant/7101",
    legacyResourceId: "7101",
    sku: "CAM-P",
    price: "59.9",
    inventoryPolicy: "CONTINUE",
    inventoryQuantity: -1,
    inventoryItem: { id: "gid://shopify/InventoryItem/7201", tracked: true },
  };
  const product = {
    id: "gid://shopify/Product/7001",
    legacyResourceId: "7001",
    title: "Camiseta",
    status: "UNLISTED",
    productType: "",
    category: {
      id: "gid://shopify/TaxonomyCategory/aa-1-2",
      name: "Camisetas",
      fullName: "Moda > Roupas > Camisetas",
    },
    priceRangeV2: {
      maxVariantPrice: { amount: "79.9", currencyCode: "BRL" },
      minVariantPrice: { amount: "59.9", currencyCode: "BRL" },
    },
    totalInventory: 11,
    tracksInventory: true,
    createdAt: "2025-02-01T10:00:00Z",
    publishedAt: null,
    updatedAt: "2025-03-01T10:00:00Z",
    featuredMedia: { preview: { image: { url: "https://img.example.com/7001.jpg" } } },
  };
  const landed: Json = {
    id: "gid://shopify/Product/7001",
    title: "Camiseta",
    status: "unlisted",
    product_type: null,
    category_id: "aa-1-2",
    category_name: "Camisetas",
    category_full_name: "Moda > Roupas > Camisetas",
    price_range_v2_max_variant_price_currency_code: "BRL",
    price_range_v2_min_variant_price_currency_code: "BRL",
    total_inventory: "11",
    price_range_v2_max_variant_price_amount: "79.900000",
    price_range_v2_min_variant_price_amount: "59.900000",
    tracks_inventory: true,
    created_at: "2025-02-01 10:00:00+00",
    published_at: null,
    updated_at: "2025-03-01 10:00:00+00",
    image_url: "https://img.example.com/7001.jpg",
    variants: [
      {
        variant_id: "gid://shopify/ProductVariant/7101",
        legacy_id: "7101",
        sku: "CAM-P",
        price: "59.900000",
        inventory_item_id: "gid://shopify/InventoryItem/7201",
        tracked: true,
        inventory_policy: "continue",
        inventory_quantity: "-1",
      },
    ],
  };
  const rest = {
    id: 7001,
    title: "Camiseta",
    status: "active",
    product_type: "Roupas",
    created_at: "2025-02-01T07:00:00-03:00",
    published_at: "2025-02-02T07:00:00-03:00",
    updated_at: "2025-03-01T07:00:00-03:00",
    image: null,
    images: [{ id: 1, src: "https://img.example.com/a.jpg" }],
    variants: [
      {
        id: 7101,
        sku: "CAM-P",
        price: "9.90",
        inventory_item_id: 7201,
        inventory_management: "shopify",
        inventory_policy: "deny",
        inventory_quantity: 5,
      },
      {
        id: 7102,
        sku: "CAM-G",
        price: "59.90",
        inventory_item_id: 7202,
        inventory_management: null,
        inventory_policy: "deny",
        inventory_quantity: -7,
      },
    ],
  };

  describe("by GraphQL", () => {
    wrapped("products", "products", "product", { ...product, variants: edges([variant]) }, landed);

    it("accepts variants as nodes and as a plain list alike", async () => {
      expect(await rowOf("products", { ...product, variants: nodes([variant]) })).to.deep.equal(landed);
      expect(await rowOf("products", { ...product, variants: [variant] })).to.deep.equal(landed);
    });

    it("takes no category from the taxonomy's `na` [D22]", async () => {
      const na = { id: "gid://shopify/TaxonomyCategory/na", name: "Uncategorized", fullName: "Uncategorized" };
      const row = await rowOf("products", { ...product, category: na });
      expect(row).to.include({ category_id: null, category_name: null, category_full_name: null });
    });

    it("takes the category's name from the end of the full name when there is no other", async () => {
      const category = { id: "gid://shopify/TaxonomyCategory/aa-1", fullName: "Moda > Roupas" };
      const row = await rowOf("products", { ...product, category });
      expect(row).to.include({ category_id: "aa-1", category_name: "Roupas", category_full_name: "Moda > Roupas" });
    });

    it("distinguishes untracked stock from none", async () => {
      const row = await rowOf("products", { ...product, totalInventory: 0, tracksInventory: false });
      expect(row).to.include({ total_inventory: "0", tracks_inventory: false });
    });
  });

  describe("by REST", () => {
    for (const [name, content] of Object.entries({
      "the list": { products: [rest] },
      "one by itself": { product: rest },
      "an array": [rest],
    })) {
      it(`lands from ${name}, with missing values made from the variants`, async () => {
        const row = await rowOf("products", content);
        expect(row).to.deep.include({
          id: "gid://shopify/Product/7001",
          status: "active",
          product_type: "Roupas",
          category_id: null,
          price_range_v2_max_variant_price_amount: "59.900000",
          price_range_v2_min_variant_price_amount: "9.900000",
          price_range_v2_max_variant_price_currency_code: null,
          total_inventory: "-2",
          tracks_inventory: true,
          created_at: "2025-02-01 10:00:00+00",
          image_url: "https://img.example.com/a.jpg",
        });
        expect(row.variants).to.deep.equal([
          {
            variant_id: "gid://shopify/ProductVariant/7101",
            legacy_id: "7101",
            sku: "CAM-P",
            price: "9.900000",
            inventory_item_id: "gid://shopify/InventoryItem/7201",
            tracked: true,
            inventory_policy: "deny",
            inventory_quantity: "5",
          },
          {
            variant_id: "gid://shopify/ProductVariant/7102",
            legacy_id: "7102",
            sku: "CAM-G",
            price: "59.900000",
            inventory_item_id: "gid://shopify/InventoryItem/7202",
            tracked: false,
            inventory_policy: "deny",
            inventory_quantity: "-7",
          },
        ]);
      });
    }

    it("does not track stock without a manager", async () => {
      const variants = rest.variants.map((v) => ({ ...v, inventory_management: null }));
      expect((await rowOf("products", { ...rest, variants })).tracks_inventory).to.equal(false);
    });

    it("leaves the stock unknown without variants", async () => {
      const { variants: _, ...bare } = rest;
      expect(await rowOf("products", bare)).to.include({ total_inventory: null, tracks_inventory: null });
    });
  });

  it("gives one id to both APIs, whatever its length", async () => {
    const long = "12345678901234567890";
    const [a, b] = await rowsOf(
      "products",
      `[{"id": ${long}, "title": "x"}, {"id": "gid://shopify/Product/${long}", "title": "x"}]`,
    );
    expect(a?.id).to.equal(`gid://shopify/Product/${long}`);
    expect(b?.id).to.equal(a?.id);
  });

  it("folds the child lines of a bulk operation", async () => {
    const rows = await rowsOf(
      "products",
      bulk([
        { ...product, featuredMedia: null },
        { ...variant, __parentId: product.id },
        { id: "gid://shopify/Metafield/1", key: "k", value: "v", __parentId: product.id },
        { id: "gid://shopify/MediaImage/2", image: { url: "https://img.example.com/m.jpg" }, __parentId: product.id },
        { isPublished: true, __parentId: product.id },
        { id: "gid://shopify/Product/7002", title: "Sem variantes" },
      ]),
    );
    expect(rows).to.have.length(2);
    expect(rows[0]).to.deep.equal({ ...landed, image_url: "https://img.example.com/m.jpg" });
    expect(rows[1]).to.deep.include({ id: "gid://shopify/Product/7002", variants: [] });
  });

  it("lands plain tables", async () => {
    const csv =
      "id,title,status,category_id,total_inventory,price_range_v2_min_variant_price_amount,created_at\n" +
      'gid://shopify/Product/1,"Caneca, azul",active,hg-1,,12.50,2025-01-01\n';
    const ndjson = lines([
      {
        id: "gid://shopify/Product/1",
        title: "Caneca, azul",
        status: "active",
        category_id: "hg-1",
        price_range_v2_min_variant_price_amount: 12.5,
        created_at: "2025-01-01",
      },
    ]);
    const table = await parquet(
      "select 'gid://shopify/Product/1' as id, 'Caneca, azul' as title, 'active' as status, 'hg-1' as category_id, " +
        "12.5::decimal(10, 2) as price_range_v2_min_variant_price_amount, timestamptz '2025-01-01 00:00:00+00' as created_at",
    );
    for (const [file, content] of Object.entries({ "a.csv": csv, "a.ndjson": ndjson, "a.parquet": table })) {
      const [row] = await rowsOf("products", content, file);
      expect(row, file).to.include({
        id: "gid://shopify/Product/1",
        title: "Caneca, azul",
        category_id: "hg-1",
        total_inventory: null,
        price_range_v2_min_variant_price_amount: "12.500000",
        created_at: "2025-01-01 00:00:00+00",
      });
    }
  });

  it("refuses objects that are no product, and a bad value with its place, while the rest of the file lands", async () => {
    const { rows, rejects } = await land("storeb", "products", {
      "a.json": JSON.stringify({
        products: [
          rest,
          { ...rest, id: 2, variants: [{ id: 3, price: "R$ 10" }] },
          { ...rest, id: "gid://shopify/Collection/9" },
          { ...rest, id: 4, variants: "none" },
          { id: 5 },
        ],
      }),
    });
    expect(rows.map((row) => row.id)).to.deep.equal(["gid://shopify/Product/7001"]);
    expect(rejects.map(({ position, reason }) => [position, reason])).to.deep.equal([
      [2, 'variants[].price: "R$ 10" is not an amount'],
      [3, "not a product: gid://shopify/Collection/9"],
      [4, "variants: not a list"],
      [5, "title: missing"],
    ]);
  });

  it("is served with the declared parameters", () => {
    const served = storeb.find((record) => record.name === "products")?.served;
    expect(served?.path).to.equal("/v1/storeb/products");
    expect(Object.keys(served?.filters ?? {})).to.deep.equal([
      "integrationId",
      "integrationName",
      "productType",
      "status",
      "title",
      "id",
      "createdStart",
      "createdEnd",
      "publishedStart",
      "publishedEnd",
    ]);
    expect(served?.bookkeeping).to.not.include("user_id");
  });
});

describe("storeb orders", () => {
  const line = {
    id: "gid://shopify/LineItem/11",
    product: { id: "gid://shopify/Product/7001" },
    variant: { id: "gid://shopify/ProductVariant/7101", sku: "CAM-P" },
    sku: null,
    title: "Camiseta",
    vendor: "Aurora",
    quantity: 3,
    currentQuantity: 2,
    originalUnitPriceSet: bag("40.0"),
    discountAllocations: [{ allocatedAmountSet: bag("10.0") }, { allocatedAmountSet: bag("2.5") }],
    taxLines: [{ priceSet: bag("5.1") }, { priceSet: bag("1.05") }],
    isGiftCard: false,
  };
  const gift = {
    id: "gid://shopify/LineItem/12",
    product: null,
    variant: null,
    title: "Vale-presente",
    quantity: 1,
    currentQuantity: 1,
    originalUnitPriceSet: bag("50.0"),
    discountAllocations: [],
    taxLines: [],
    isGiftCard: true,
  };
  const refundLine = {
    lineItem: { id: line.id },
    quantity: 1,
    restockType: "RETURN",
    subtotalSet: bag("35.83"),
    totalTaxSet: bag("2.05"),
  };
  const moneyBack = {
    id: "gid://shopify/OrderTransaction/51",
    kind: "REFUND",
    status: "SUCCESS",
    amountSet: bag("30.0"),
  };
  const unsuccessful = [
    { ...moneyBack, id: "gid://shopify/OrderTransaction/52", status: "FAILURE", amountSet: bag("7.0") },
    { ...moneyBack, id: "gid://shopify/OrderTransaction/53", kind: "SALE", amountSet: bag("8.0") },
  ];
  const shippingBack = { subtotalAmountSet: bag("5.0"), taxAmountSet: bag("0.5") };
  const adjustment = { id: "gid://shopify/OrderAdjustment/61", amountSet: bag("1.0"), taxAmountSet: bag("0.25") };
  const refund = {
    id: "gid://shopify/Refund/31",
    createdAt: "2025-03-05T12:00:00Z",
    processedAt: "2025-03-05T13:00:00Z",
    totalRefundedSet: bag("35.83"),
  };
  const payment = {
    id: "gid://shopify/OrderTransaction/41",
    kind: "SALE",
    status: "SUCCESS",
    gateway: "shopify_payments",
    amountSet: bag("60.0"),
    paymentDetails: { company: "Visa" },
  };
  const pix = { ...payment, gateway: "Pix (3% off)", amountSet: bag("50.0"), paymentDetails: null };
  /** Two of one name are the largest together; what failed or was only authorized is no payment. */
  const payments = [
    { ...pix, id: "gid://shopify/OrderTransaction/42", amountSet: bag("900.0"), status: "FAILURE" },
    payment,
    { ...pix, id: "gid://shopify/OrderTransaction/43" },
    { ...pix, id: "gid://shopify/OrderTransaction/44", kind: "CAPTURE", amountSet: bag("62.5") },
    { ...payment, id: "gid://shopify/OrderTransaction/45", kind: "AUTHORIZATION", amountSet: bag("900.0") },
  ];
  const order = {
    id: "gid://shopify/Order/1007",
    legacyResourceId: "1007",
    name: "#1007",
    createdAt: "2025-03-01T02:59:59Z",
    processedAt: "2025-02-28T12:00:00Z",
    updatedAt: "2025-03-05T12:00:00Z",
    cancelledAt: "2025-03-06T12:00:00Z",
    cancelReason: "CUSTOMER",
    test: true,
    displayFinancialStatus: "PARTIALLY_REFUNDED",
    currencyCode: "BRL",
    totalPriceSet: bag("172.5"),
    currentTotalPriceSet: bag("0.0"),
    subtotalPriceSet: bag("157.5"),
    totalDiscountsSet: bag("12.5"),
    totalShippingPriceSet: bag("15.0"),
    totalTaxSet: bag("6.15"),
    taxesIncluded: true,
    customer: { id: "gid://shopify/Customer/55" },
    email: " Ana@Example.com ",
    customerJourneySummary: {
      ready: true,
      firstVisit: { landingPage: "https://loja.example/?utm_source=first", utmParameters: { source: "first" } },
      lastVisit: {
        landingPage: "https://loja.example/?utm_source=ignored",
        utmParameters: { source: "google", medium: "cpc", campaign: "100% algodão + frete" },
      },
    },
    discountCode: "BEMVINDA",
    discountCodes: ["BEMVINDA", "OUTRO"],
    paymentGatewayNames: ["shopify_payments", "", "Pix (3% off)"],
    sourceName: "web",
    displayFulfillmentStatus: "PARTIALLY_FULFILLED",
    shippingAddress: {
      name: "Ana",
      city: " Santos ",
      provinceCode: "",
      province: "São Paulo",
      countryCodeV2: "BR",
      country: "Brazil",
      zip: "'11010-000",
    },
  };
  const landed: Json = {
    order_id: "1007",
    name: "#1007",
    created_at: "2025-03-01 02:59:59+00",
    processed_at: "2025-02-28 12:00:00+00",
    updated_at: "2025-03-05 12:00:00+00",
    cancelled_at: "2025-03-06 12:00:00+00",
    cancel_reason: "customer",
    is_test: true,
    financial_status: "partially_refunded",
    currency: "BRL",
    total_price: "172.500000",
    subtotal_price: "157.500000",
    total_discounts: "12.500000",
    total_shipping: "15.000000",
    total_tax: "6.150000",
    taxes_included: true,
    customer_id: "gid://shopify/Customer/55",
    email: " Ana@Example.com ",
    utm_source: "google",
    utm_medium: "cpc",
    utm_campaign: "100% algodão + frete",
    landing_site: "https://loja.example/?utm_source=ignored",
    coupon_code: "BEMVINDA",
    source_name: "web",
    fulfillment_status: "partial",
    payment_method: "Pix (3% off)",
    payment_company: null,
    shipping_city: " Santos ",
    shipping_state: "São Paulo",
    shipping_country: "BR",
    shipping_postal_code: "11010-000",
    items: [
      {
        line_id: "gid://shopify/LineItem/11",
        product_id: "gid://shopify/Product/7001",
        variant_id: "gid://shopify/ProductVariant/7101",
        sku: "CAM-P",
        name: "Camiseta",
        vendor: "Aurora",
        quantity: "3",
        current_quantity: "2",
        price: "40.000000",
        discount: "12.500000",
        tax: "6.150000",
        is_gift_card: false,
      },
      {
        line_id: "gid://shopify/LineItem/12",
        product_id: null,
        variant_id: null,
        sku: null,
        name: "Vale-presente",
        vendor: null,
        quantity: "1",
        current_quantity: "1",
        price: "50.000000",
        discount: "0.000000",
        tax: "0.000000",
        is_gift_card: true,
      },
    ],
    payment_gateway_names: '["shopify_payments","Pix (3% off)"]',
    refunds: [
      {
        refund_no: "0",
        refund_id: "gid://shopify/Refund/31",
        line_id: "gid://shopify/LineItem/11",
        quantity: "1",
        restock_type: "return",
        subtotal: "35.830000",
        tax: "2.050000",
        created_at: "2025-03-05 12:00:00+00",
        processed_at: "2025-03-05 13:00:00+00",
      },
    ],
    refund_totals: [
      {
        refund_no: "0",
        refund_id: "gid://shopify/Refund/31",
        created_at: "2025-03-05 12:00:00+00",
        processed_at: "2025-03-05 13:00:00+00",
        repaid: "30.000000",
        total_refunded: "35.830000",
        shipping: "5.500000",
        adjustments: "1.250000",
      },
    ],
  };
  /** An order whose lists are written in this way. */
  const listed = (as: (objects: readonly unknown[]) => unknown): Json => ({
    ...order,
    lineItems: as([line, gift]),
    transactions: as(payments),
    refunds: [
      {
        ...refund,
        refundLineItems: as([refundLine]),
        transactions: as([moneyBack, ...unsuccessful]),
        refundShippingLines: as([shippingBack]),
        orderAdjustments: as([adjustment]),
      },
    ],
  });
  const whole = listed(edges);
  const restLine = {
    id: 11,
    product_id: 7001,
    variant_id: 7101,
    sku: "CAM-P",
    title: "Camiseta",
    name: "Camiseta - P",
    vendor: "Aurora",
    quantity: 3,
    current_quantity: 2,
    price: "40.00",
    price_set: set("40.00"),
    total_discount: "10.00",
    discount_allocations: [
      { amount: "10.00", amount_set: set("10.00") },
      { amount: "2.50", amount_set: set("2.50") },
    ],
    tax_lines: [
      { title: "ICMS", rate: 0.1, price: "5.10", price_set: set("5.10") },
      { title: "ISS", rate: 0.02, price: "1.05", price_set: set("1.05") },
    ],
    gift_card: false,
  };
  const rest = {
    id: 1007,
    admin_graphql_api_id: "gid://shopify/Order/1007",
    name: "#1007",
    created_at: "2025-02-28T23:59:59-03:00",
    processed_at: "2025-02-28T09:00:00-03:00",
    updated_at: "2025-03-05T09:00:00-03:00",
    cancelled_at: "2025-03-06T09:00:00-03:00",
    cancel_reason: "customer",
    test: true,
    financial_status: "partially_refunded",
    currency: "BRL",
    presentment_currency: "USD",
    total_price: "172.50",
    total_price_set: set("172.50"),
    current_total_price: "0.00",
    subtotal_price: "157.50",
    subtotal_price_set: set("157.50"),
    total_discounts: "12.50",
    total_discounts_set: set("12.50"),
    total_shipping_price_set: set("15.00"),
    total_tax: "6.15",
    total_tax_set: set("6.15"),
    taxes_included: true,
    customer: { id: 55, email: "ana@example.com" },
    email: " Ana@Example.com ",
    landing_site: "/collections/all?utm_source=google&utm_medium=cpc&utm_campaign=100%25+algod%C3%A3o+%2B+frete",
    discount_codes: [{ code: "BEMVINDA", amount: "12.50", type: "fixed_amount" }],
    line_items: [
      restLine,
      {
        id: 12,
        product_id: null,
        variant_id: null,
        sku: "",
        title: "Vale-presente",
        quantity: 1,
        current_quantity: 1,
        price: "50.00",
        price_set: set("50.00"),
        discount_allocations: [],
        tax_lines: [],
        gift_card: true,
      },
    ],
    payment_gateway_names: ["shopify_payments", " ", "Pix (3% off)"],
    source_name: "web",
    fulfillment_status: "partial",
    shipping_address: {
      name: "Ana",
      city: " Santos ",
      province_code: " ",
      province: "São Paulo",
      country_code: "BR",
      country: "Brazil",
      zip: "11010-000",
    },
    transactions: [
      // In the buyer's currency.
      { kind: "sale", status: "success", gateway: "shopify_payments", amount: "900.00", currency: "USD" },
      {
        kind: "sale",
        status: "success",
        gateway: "shopify_payments",
        amount: "60.00",
        currency: "BRL",
        payment_details: { credit_card_company: "Visa" },
      },
      { kind: "sale", status: "success", gateway: "Pix (3% off)", amount: "1.00", amount_set: set("50.00") },
      { kind: "capture", status: "success", gateway: "Pix (3% off)", amount: "62.50", currency: "BRL" },
      { kind: "sale", status: "failure", gateway: "shopify_payments", amount: "900.00", currency: "BRL" },
    ],
    refunds: [
      {
        id: 31,
        created_at: "2025-03-05T09:00:00-03:00",
        processed_at: "2025-03-05T10:00:00-03:00",
        refund_line_items: [
          {
            id: 311,
            line_item_id: 11,
            quantity: 1,
            restock_type: "return",
            subtotal: "6.01",
            subtotal_set: set("35.83"),
            total_tax: "2.05",
          },
        ],
        transactions: [
          { kind: "refund", status: "success", amount: "20.00", currency: "BRL" },
          { kind: "refund", status: "success", amount: "10.00", currency: null },
          // In the buyer's currency.
          { kind: "refund", status: "success", amount: "4.00", currency: "USD" },
          { kind: "refund", status: "failure", amount: "7.00", currency: "BRL" },
          { kind: "sale", status: "success", amount: "8.00", currency: "BRL" },
        ],
        order_adjustments: [
          { kind: "shipping_refund", amount: "-0.90", amount_set: set("-5.00"), tax_amount: "-0.50" },
          { kind: "refund_discrepancy", amount: "1.00", tax_amount: "0.25" },
        ],
        refund_shipping_lines: [{ subtotal_amount_set: set("5.00") }],
      },
    ],
  };
  const bare = { id: 1, created_at: "2025-01-01T00:00:00Z", total_price: "10.00" };
  const withLine = (extra: Json): Json => ({ ...bare, line_items: [{ id: 5, quantity: 3, price: "30.00", ...extra }] });
  const lineOf = async (object: unknown): Promise<Json> => ((await rowOf("orders", object)).items as Json[])[0] as Json;

  describe("by GraphQL", () => {
    wrapped("orders", "orders", "order", whole, landed);

    it("accepts lines and refund lines as nodes and as plain lists alike", async () => {
      for (const object of [listed(nodes), listed((objects) => objects)])
        expect(await rowOf("orders", object)).to.deep.equal(landed);
    });

    it("uses the first visit only when there is no last one", async () => {
      const journey = { ...order.customerJourneySummary, lastVisit: null };
      const row = await rowOf("orders", { ...order, customerJourneySummary: journey });
      expect(row).to.include({ utm_source: "first", utm_medium: null, utm_campaign: null });
    });

    it("reads the UTMs of a visit's landing page when the visit has none of its own", async () => {
      const lastVisit = { landingPage: "https://loja.example/p?a=b&utm_source=ig#x", utmParameters: null };
      const row = await rowOf("orders", { ...order, customerJourneySummary: { lastVisit } });
      expect(row).to.include({ utm_source: "ig", utm_medium: null, utm_campaign: null });
    });

    it("lands a null financial status, customer and journey", async () => {
      const row = await rowOf("orders", {
        ...order,
        displayFinancialStatus: null,
        customer: null,
        email: null,
        customerJourneySummary: null,
      });
      expect(row).to.include({ financial_status: null, customer_id: null, email: null, utm_source: null });
    });

    it("makes a line's discount from its unit prices when the allocations were not exported", async () => {
      const { discountAllocations: _, ...unallocated } = line;
      const discountOf = async (extra: Json): Promise<unknown> =>
        (await lineOf({ ...order, lineItems: [{ ...unallocated, ...extra }] })).discount;
      const after = { discountedUnitPriceAfterAllDiscountsSet: bag("36.67") };
      // 3 × (40 − 36.67) is 9.99: the line's own 10.00, with the unit price rounded.
      expect(await discountOf({ ...after, totalDiscountSet: bag("10.0") })).to.equal("10.000000");
      // The order's discounts are only in the unit price.
      expect(await discountOf({ ...after, totalDiscountSet: bag("0.0") })).to.equal("9.990000");
      expect(await discountOf(after)).to.equal("9.990000");
      expect(await discountOf({ totalDiscountSet: bag("4.0") })).to.equal("4.000000");
      expect(await discountOf({})).to.equal(null);
    });

    it("refuses only the order whose unit prices are further apart than any type can hold", async () => {
      const { discountAllocations: _, ...unallocated } = line;
      const after = { discountedUnitPriceAfterAllDiscountsSet: bag("-999999999999") };
      const far = { ...unallocated, ...after, quantity: 999_999_999, originalUnitPriceSet: bag("999999999999") };
      const { rows, rejects } = await land("storeb", "orders", {
        "a.ndjson": lines([order, { ...order, id: "gid://shopify/Order/8", lineItems: [far] }]),
      });
      expect(rows.map((row) => row._position)).to.deep.equal(["1"]);
      expect(rejects.map(({ reason }) => reason)).to.deep.equal(['items[].price: "999999999999" is not an amount']);
    });

    it("refuses an order whose lines were cut off", async () => {
      const cut = { ...nodes([line]), pageInfo: { hasNextPage: true } };
      expect(await reasonsOf("orders", { ...order, lineItems: cut })).to.deep.equal([
        "line items: cut off after their first page",
      ]);
      expect(await reasonsOf("orders", { ...order, refunds: [{ ...refund, refundLineItems: cut }] })).to.deep.equal([
        "refunds[]: lines cut off after their first page",
      ]);
      for (const list of ["transactions", "orderAdjustments", "refundShippingLines"])
        expect(await reasonsOf("orders", { ...order, refunds: [{ ...refund, [list]: cut }] }), list).to.deep.equal([
          "refunds[]: transactions, adjustments or shipping cut off after their first page",
        ]);
    });

    it("refuses an order of whose refunds an amount is none, or a list is none", async () => {
      const reasons = (extra: Json): Promise<string[]> =>
        reasonsOf("orders", { ...order, refunds: [{ ...refund, ...extra }] });
      expect(await reasons({ transactions: [{ ...moneyBack, amountSet: bag("R$ 3") }] })).to.deep.equal([
        'refund_totals[].repaid: "R$ 3" is not an amount',
      ]);
      expect(await reasons({ orderAdjustments: [{ ...adjustment, taxAmountSet: bag("?") }] })).to.deep.equal([
        'refund_totals[].adjustments: "?" is not an amount',
      ]);
      expect(await reasons({ transactions: "none" })).to.deep.equal([
        "refunds[]: transactions, adjustments or shipping are not a list",
      ]);
    });

    it("does not know of a refund what was not exported [D73]", async () => {
      const row = await rowOf("orders", {
        ...order,
        paymentGatewayNames: [],
        refunds: [{ id: refund.id, refundLineItems: [{ quantity: 1 }] }],
      });
      expect((row.refunds as Json[])[0]).to.include({
        subtotal: null,
        tax: null,
        created_at: null,
        processed_at: null,
      });
      expect((row.refund_totals as Json[])[0]).to.include({
        repaid: null,
        total_refunded: null,
        shipping: null,
        adjustments: null,
      });
      expect(row.payment_gateway_names).to.equal(null);
    });
  });

  describe("by REST", () => {
    // Shipping that was given back is one of the adjustments, and a refund has no sum.
    const landedRest = {
      ...landed,
      landing_site: rest.landing_site,
      refund_totals: (landed.refund_totals as Json[]).map((one) => ({
        ...one,
        total_refunded: null,
        shipping: null,
        adjustments: "-4.250000",
      })),
    };
    for (const [name, content] of Object.entries({
      "the list": { orders: [rest] },
      "one by itself": { order: rest },
      "an array": [rest],
    })) {
      it(`lands from ${name} the same as GraphQL: ids, shop money, lines`, async () => {
        expect(await rowOf("orders", content)).to.deep.equal(landedRest);
      });
    }

    it("reads plain amounts if there are no sets, and shipping from its lines", async () => {
      const row = await rowOf("orders", {
        ...bare,
        shipping_lines: [{ price: "12.00", discounted_price: "7.00" }, { price: "3.00" }],
        line_items: [
          {
            id: 5,
            quantity: 2,
            price: "30.00",
            discount_allocations: [{ amount: "1.10" }, { amount: "2.20" }],
            tax_lines: [{ price: "0.30" }],
          },
        ],
      });
      expect(row).to.include({ total_price: "10.000000", total_shipping: "10.000000", currency: null });
      expect((row.items as Json[])[0]).to.include({ price: "30.000000", discount: "3.300000", tax: "0.300000" });
    });

    it("uses the line's own discount if allocations are unknown", async () => {
      expect((await lineOf(withLine({ total_discount: "4.00" }))).discount).to.equal("4.000000");
      expect((await lineOf(withLine({ total_discount: "4.00", discount_allocations: [] }))).discount).to.equal(
        "0.000000",
      );
    });

    it("distinguishes removed units from returned ones", async () => {
      const back = (id: number, restock_type: string | null): Json => ({ line_item_id: id, quantity: 1, restock_type });
      const row = await rowOf("orders", {
        ...bare,
        refunds: [
          { id: 1, created_at: "2025-01-02T00:00:00Z", refund_line_items: [back(5, "cancel"), back(6, "return")] },
          { id: 2, created_at: "2025-01-03T00:00:00Z", refund_line_items: [back(5, null)] },
          {
            id: 3,
            created_at: "2025-01-04T00:00:00Z",
            refund_line_items: [],
            order_adjustments: [{ amount: "-5.00" }],
          },
        ],
      });
      expect((row.refunds as Json[]).map((r) => [r.refund_id, r.line_id, r.restock_type])).to.deep.equal([
        ["gid://shopify/Refund/1", "gid://shopify/LineItem/5", "cancel"],
        ["gid://shopify/Refund/1", "gid://shopify/LineItem/6", "return"],
        ["gid://shopify/Refund/2", "gid://shopify/LineItem/5", null],
      ]);
    });

    it("takes the e-mail from the first place that has one", async () => {
      const email = async (extra: Json): Promise<unknown> => (await rowOf("orders", { ...bare, ...extra })).email;
      expect(await email({ email: "", contact_email: "a@x.example" })).to.equal("a@x.example");
      expect(await email({ email: null, customer: { id: 1, email: "b@x.example" } })).to.equal("b@x.example");
      expect(await email({ customer: null })).to.equal(null);
    });

    it("takes the first valid discount code", async () => {
      const codes = [{ code: "" }, { code: "FRETE" }];
      expect((await rowOf("orders", { ...bare, discount_codes: codes })).coupon_code).to.equal("FRETE");
    });
  });

  describe("UTMs of the landing site", () => {
    const utm = async (landing_site: string | null): Promise<unknown[]> => {
      const row = await rowOf("orders", { ...bare, landing_site });
      return [row.utm_source, row.utm_medium, row.utm_campaign];
    };

    it("reads a relative and an absolute address alike", async () => {
      const query = "variant=1&utm_source=google&utm_medium=cpc&utm_campaign=Ver%C3%A3o%20%7C%20A+B";
      const values = ["google", "cpc", "Verão | A B"];
      expect(await utm(`/products/x?${query}`)).to.deep.equal(values);
      expect(await utm(`https://loja.example/products/x?${query}#top`)).to.deep.equal(values);
    });

    it("decodes once: double encoding is left for the comparison [D12]", async () => {
      expect(await utm("/?utm_campaign=CRM%2520Recompra")).to.deep.equal([null, null, "CRM%20Recompra"]);
    });

    it("keeps sequences that decode to no text", async () => {
      expect(await utm("/?utm_source=100%&utm_campaign=promo%E7%E3o%20x")).to.deep.equal([
        "100%",
        null,
        "promo%E7%E3o x",
      ]);
    });

    it("finds none if there are none", async () => {
      const none = [null, null, null];
      for (const site of ["/", null, "", "/?utm_source=", "/?xutm_source=a", "/utm_source=a", "/#?utm_source=a"]) {
        expect(await utm(site), String(site)).to.deep.equal(none);
      }
    });
  });

  describe("by bulk operation", () => {
    const refundLines = [
      { ...refund, __parentId: order.id },
      { id: "gid://shopify/RefundLineItem/311", ...refundLine, __parentId: refund.id },
      ...[moneyBack, ...unsuccessful, shippingBack, adjustment].map((child) => ({ ...child, __parentId: refund.id })),
    ];

    it("folds lines, refunds and the refunds' lines into their orders", async () => {
      const other = { id: "gid://shopify/Order/1008", createdAt: "2025-03-01T00:00:00Z", totalPriceSet: bag("1.0") };
      const rows = await rowsOf(
        "orders",
        bulk([
          order,
          { ...line, __parentId: order.id },
          { ...gift, __parentId: order.id },
          { title: "no id, another kind", __parentId: order.id },
          ...payments.map((child) => ({ ...child, __parentId: order.id })),
          other,
          ...refundLines,
        ]),
      );
      expect(rows).to.have.length(2);
      expect(rows[0]).to.deep.equal(landed);
      expect(rows[1]).to.deep.include({ order_id: "1008", items: [], refunds: [], refund_totals: [] });
    });

    it("gives each of two exports in one file its own lines", async () => {
      const newer = { ...order, updatedAt: "2025-04-01T00:00:00Z" };
      const rows = await rowsOf(
        "orders",
        bulk([
          order,
          { ...line, __parentId: order.id },
          ...refundLines,
          newer,
          { ...line, currentQuantity: 0, __parentId: order.id },
        ]),
      );
      expect(rows.map((row) => (row.items as Json[]).map((item) => item.current_quantity))).to.deep.equal([
        ["2"],
        ["0"],
      ]);
      expect(rows.map((row) => (row.refunds as Json[]).length)).to.deep.equal([1, 0]);
    });

    it("refuses a line whose parent is missing, and lands the rest", async () => {
      const { rows, rejects } = await land("storeb", "orders", {
        "a.jsonl": bulk([order, { ...line, __parentId: order.id }, { ...gift, __parentId: "gid://shopify/Order/9" }]),
      });
      expect(rows.map((row) => (row.items as Json[]).length)).to.deep.equal([1]);
      expect(rejects.map(({ position, reason }) => [position, reason])).to.deep.equal([
        [3, "its parent is not in this file"],
      ]);
    });

    it("refuses the order of an unreadable line", async () => {
      const { rows, rejects } = await land("storeb", "orders", {
        "a.jsonl": bulk([
          { ...order, id: "gid://shopify/Order/1" },
          order,
          { ...line, originalUnitPriceSet: bag("abc"), __parentId: order.id },
        ]),
      });
      expect(rows.map((row) => row.order_id)).to.deep.equal(["1"]);
      expect(rejects.map(({ position, reason }) => [position, reason])).to.deep.equal([
        [2, 'items[].price: "abc" is not an amount'],
      ]);
    });
  });

  it("lands plain tables, with lists if the format has them", async () => {
    const id = "gid://shopify/Order/1";
    const csv = `order_id,created_at,total_price,is_test\n${id},2025-01-01T00:00:00Z,10.50,false\n`;
    const [fromCsv] = await rowsOf("orders", csv, "a.csv");
    expect(fromCsv).to.include({ order_id: id, total_price: "10.500000", is_test: false, email: null });
    const items = [{ line_id: "gid://shopify/LineItem/5", quantity: 2, price: "5.25" }];
    const ndjson = lines([{ order_id: id, created_at: "2025-01-01T00:00:00Z", total_price: 10.5, items }]);
    const table = await parquet(
      `select '${id}' as order_id, timestamptz '2025-01-01 00:00:00+00' as created_at, 10.5 as total_price,
        [{line_id: 'gid://shopify/LineItem/5', quantity: 2, price: 5.25}] as items`,
    );
    for (const [file, content] of Object.entries({ "a.ndjson": ndjson, "a.parquet": table })) {
      const [row] = await rowsOf("orders", content, file);
      expect(row, file).to.include({ order_id: id, total_price: "10.500000" });
      const [item] = (row as { items: Json[] }).items;
      expect(item, file).to.include({
        line_id: "gid://shopify/LineItem/5",
        quantity: "2",
        price: "5.250000",
      });
    }
  });

  it("refuses bad values with their place, while the rest of the file lands", async () => {
    const bad = [
      withLine({ price: "30,00" }),
      withLine({ discount_allocations: [{ amount: "1.00" }, { amount: "um" }] }),
      withLine({ discount_allocations: [{ amount_set: { presentment_money: { amount: "1.00" } } }] }),
      withLine({ tax_lines: [{ price: "?" }] }),
      withLine({ quantity: null }),
      withLine({ quantity: 1.5 }),
      { ...bare, created_at: "yesterday" },
      { ...bare, total_price: null, total_price_set: { presentment_money: { amount: "1.00" } } },
      { ...bare, line_items: "none" },
      { ...bare, line_items: {} },
      { ...bare, refunds: 3 },
      { ...bare, refunds: [{ id: 1, refund_line_items: "none" }] },
      { ...bare, refunds: [{ id: 1, refund_line_items: [{ line_item_id: 5 }] }] },
      { ...bare, shipping_lines: [{ price: "x" }] },
      { ...bare, id: "gid://shopify/DraftOrder/1" },
    ];
    const { rows, rejects } = await land("storeb", "orders", { "a.ndjson": lines([bare, ...bad]) });
    expect(rows.map((row) => row._position)).to.deep.equal(["1"]);
    expect(rejects.map(({ position }) => position)).to.deep.equal(bad.map((_, n) => n + 2));
    expect(rejects.map(({ reason }) => reason)).to.deep.equal([
      'items[].price: "30,00" is not an amount',
      'items[].discount: "um" is not an amount',
      'items[].discount: "nothing in the shop\'s currency" is not an amount',
      'items[].tax: "?" is not an amount',
      "line items: one without a quantity",
      'items[].quantity: "1.5" is not a whole number',
      'created_at: "yesterday" is not an instant (ISO 8601)',
      "total_price: missing",
      "line items: not a list",
      "line items: not a list",
      "refunds: not a list",
      "refunds[]: lines are not a list",
      "refunds[]: a line without a quantity",
      'total_shipping: "x" is not an amount',
      "not an order: gid://shopify/DraftOrder/1",
    ]);
  });
});

describe("storeb inventory", () => {
  const level = (location: number, available: number): Json => ({
    id: `gid://shopify/InventoryLevel/${location}?inventory_item_id=7201`,
    location: { id: `gid://shopify/Location/${location}` },
    quantities: [
      { name: "on_hand", quantity: available + 4 },
      { name: "available", quantity: available, updatedAt: "2025-03-01T10:00:00Z" },
    ],
  });
  const item = {
    id: "gid://shopify/InventoryItem/7201",
    legacyResourceId: "7201",
    sku: "CAM-P",
    tracked: true,
    updatedAt: "2025-03-01T10:00:00Z",
    unitCost: { amount: "25.5", currencyCode: "BRL" },
    variant: { id: "gid://shopify/ProductVariant/7101", product: { id: "gid://shopify/Product/7001" } },
  };
  const landed: Json = {
    inventory_item_id: "gid://shopify/InventoryItem/7201",
    variant_id: "gid://shopify/ProductVariant/7101",
    product_id: "gid://shopify/Product/7001",
    sku: "CAM-P",
    tracked: true,
    unit_cost: "25.500000",
    cost_currency: "BRL",
    available: "3",
    updated_at: "2025-03-01 10:00:00+00",
  };
  const levels = [level(1, 5), level(2, -2)];

  describe("by GraphQL", () => {
    wrapped("inventory", "inventoryItems", "inventoryItem", { ...item, inventoryLevels: edges(levels) }, landed);

    it("accepts levels as nodes and as a plain list alike", async () => {
      expect(await rowOf("inventory", { ...item, inventoryLevels: nodes(levels) })).to.deep.equal(landed);
      expect(await rowOf("inventory", { ...item, inventoryLevels: levels })).to.deep.equal(landed);
    });

    it("distinguishes an unknown cost and unread stock from 0", async () => {
      const row = await rowOf("inventory", { ...item, unitCost: null, inventoryLevels: edges([]) });
      expect(row).to.include({ unit_cost: null, cost_currency: null, available: null });
      const zero = { ...item, unitCost: { amount: "0.0", currencyCode: "BRL" }, inventoryLevels: [level(1, 0)] };
      expect(await rowOf("inventory", zero)).to.include({ unit_cost: "0.000000", available: "0" });
    });

    it("lands an untracked item", async () => {
      const row = await rowOf("inventory", { ...item, tracked: false, variant: null });
      expect(row).to.include({ tracked: false, variant_id: null, product_id: null });
    });
  });

  it("lands REST items, with missing values as null", async () => {
    const rest = { id: 7201, sku: "CAM-P", cost: "25.50", tracked: true, updated_at: "2025-03-01T07:00:00-03:00" };
    for (const content of [{ inventory_items: [rest] }, { inventory_item: rest }, [rest]]) {
      expect(await rowOf("inventory", content)).to.deep.equal({
        ...landed,
        variant_id: null,
        product_id: null,
        cost_currency: null,
        available: null,
      });
    }
    const { cost: _, ...costless } = rest;
    expect((await rowOf("inventory", costless)).unit_cost).to.equal(null);
  });

  it("refuses REST stock levels: one location of an item is not the item", async () => {
    const stock = { inventory_item_id: 7201, location_id: 1, available: 5, updated_at: "2025-03-01T10:00:00Z" };
    const [first, second] = await reasonsOf("inventory", { inventory_levels: [stock, { ...stock, location_id: 2 }] });
    expect(first).to.match(/^a stock level of one location, without its item's cost and tracking/);
    expect(second).to.equal(first);
  });

  it("adds up the level lines of a bulk operation, with and without ids", async () => {
    const { id: _, ...nameless } = level(2, -2);
    const other = { id: "gid://shopify/InventoryItem/7202", tracked: true };
    const rows = await rowsOf(
      "inventory",
      bulk([item, { ...level(1, 5), __parentId: item.id }, { ...nameless, __parentId: item.id }, other]),
    );
    expect(rows[0]).to.deep.equal(landed);
    expect(rows[1]).to.include({ inventory_item_id: "gid://shopify/InventoryItem/7202", available: null });
  });

  it("counts an item once that is twice in a bulk operation's file, with its levels", async () => {
    const { id: _, ...nameless } = level(2, -2);
    const levels = [level(1, 5), nameless, nameless].map((one) => ({ ...one, __parentId: item.id }));
    const stockOf = async (objects: readonly unknown[]) => {
      const rows = await rowsOf("inventory", bulk(objects));
      return rows.map(({ available }) => available);
    };
    expect(await stockOf([item, ...levels])).to.deep.equal(["1"]);
    expect(await stockOf([item, item, ...levels, ...levels])).to.deep.equal(["1", "1"]);
    expect(await stockOf([item, ...levels, item, ...levels])).to.deep.equal(["1", "1"]);
    expect(await stockOf([item, ...levels, ...levels, item])).to.deep.equal(["1", "1"]);
    const newer = { ...item, updatedAt: "2025-05-01T00:00:00Z" };
    expect(await stockOf([item, newer, ...levels.slice(0, 1), ...levels.slice(0, 1)])).to.deep.equal([null, "5"]);
  });

  it("refuses a level line without its item", async () => {
    const { rows, rejects } = await land("storeb", "inventory", {
      "a.jsonl": bulk([item, { ...level(1, 5), __parentId: "gid://shopify/InventoryItem/1" }]),
    });
    expect(rows).to.have.length(1);
    expect(rejects.map(({ position, reason }) => [position, reason])).to.deep.equal([
      [2, "its parent is not in this file"],
    ]);
  });

  it("lands plain tables", async () => {
    const csv =
      "inventory_item_id,variant_id,tracked,unit_cost,available\n" +
      "gid://shopify/InventoryItem/7201,gid://shopify/ProductVariant/7101,true,,-3\n";
    const ndjson = lines([
      {
        inventory_item_id: "gid://shopify/InventoryItem/7201",
        variant_id: "gid://shopify/ProductVariant/7101",
        tracked: true,
        available: -3,
      },
    ]);
    const table = await parquet(
      "select 'gid://shopify/InventoryItem/7201' as inventory_item_id, 'gid://shopify/ProductVariant/7101' as variant_id, true as tracked, -3 as available",
    );
    for (const [file, content] of Object.entries({ "a.csv": csv, "a.ndjson": ndjson, "a.parquet": table })) {
      const [row] = await rowsOf("inventory", content, file);
      expect(row, file).to.include({
        inventory_item_id: "gid://shopify/InventoryItem/7201",
        variant_id: "gid://shopify/ProductVariant/7101",
        tracked: true,
        unit_cost: null,
        available: "-3",
      });
    }
  });

  it("refuses bad values with their place, while the rest of the file lands", async () => {
    const bad = [
      { ...item, unitCost: { amount: "caro", currencyCode: "BRL" } },
      { ...item, inventoryLevels: [level(1, 5), { quantities: [{ name: "available", quantity: "many" }] }] },
      { ...item, inventoryLevels: "none" },
      { ...item, inventoryLevels: { nodes: [level(1, 5)], pageInfo: { hasNextPage: true } } },
      { ...item, id: "gid://shopify/Location/1" },
      { sku: "x" },
    ];
    const { rows, rejects } = await land("storeb", "inventory", { "a.ndjson": lines([item, ...bad]) });
    expect(rows.map((row) => row._position)).to.deep.equal(["1"]);
    expect(rejects.map(({ position, reason }) => [position, reason])).to.deep.equal([
      [2, 'unit_cost: "caro" is not an amount'],
      [3, 'available: "many" is not a whole number'],
      [4, "inventoryLevels: not a list"],
      [5, "inventoryLevels: cut off after its first page"],
      [6, "not an inventory item: gid://shopify/Location/1"],
      [7, "inventory_item_id: missing"],
    ]);
  });
});
