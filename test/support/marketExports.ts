import type { DataFolder } from "./data.ts";
import { connection, decimal, inZulu, moneyBag, moneySet, sevenDigits, withOffset } from "./exports.ts";
import {
  type Entry,
  type ItemDay,
  type Market,
  type MarketLine,
  type MarketOrder,
  type Node,
  productIdOf,
  type Reading,
  SKUS,
  type Store,
  type StoreaCategory,
  type StorebCategory,
  skuIdOf,
  storebNo,
  TREE,
  storebVariantOf as variantGid,
  storebVariantNo as variantNo,
} from "./market.ts";

/** Writes the settings and the exports of one sync, as the vendors write them. */
export async function writeMarket(
  folder: DataFolder,
  { settings, syncs, stores, web }: Market,
  sync: number,
): Promise<void> {
  await folder.settings(settings);
  const modified = new Date(Date.parse(syncs[sync] as string) - 3_600_000);
  for (const store of stores) {
    const below = `exports/${settings.organizationId}/${store.account.id}`;
    const files = store.account.connector === "storea" ? storeaFiles(store, sync) : storebFiles(store, sync);
    for (const [record, content] of files) {
      if (content === null) continue;
      await folder.write(`${below}/${record}-${sync}.json`, JSON.stringify(content), modified);
    }
  }
  const days = web?.days.filter((day) => day.sync === sync) ?? [];
  if (web && days.length > 0) {
    const below = `exports/${settings.organizationId}/${web.account.id}`;
    await folder.write(`${below}/items/items-${sync}.json`, JSON.stringify(itemReport(days)), modified);
  }
}

const itemReport = (days: readonly ItemDay[]): unknown => ({
  dimensionHeaders: [{ name: "date" }, { name: "itemId" }],
  metricHeaders: ["itemsViewed", "itemsAddedToCart", "itemsCheckedOut", "itemsPurchased"].map((name) => ({
    name,
    type: "TYPE_INTEGER",
  })),
  rows: days.map(({ day, item, units }) => ({
    dimensionValues: [{ value: day.replaceAll("-", "") }, { value: item }],
    metricValues: units.map((value) => ({ value: String(value) })),
  })),
  rowCount: days.length,
});

type Files = [record: string, content: unknown][];
const orNone = <T>(all: readonly T[], content: (all: readonly T[]) => unknown): unknown =>
  all.length === 0 ? null : content(all);

// ---------------------------------------------------------------------------------------------------------- storea

function storeaFiles(store: Store, sync: number): Files {
  const now = <T extends { readonly sync: number }>(all: readonly T[]): T[] => all.filter((one) => one.sync === sync);
  const categories = sync > 0 || store.tree === null ? null : store.tree === "nested" ? nested(null) : TREE.map(flat);
  return [
    ["categories/tree", categories],
    ["products/catalog", orNone(now(store.entries), (all) => all.flatMap((entry) => storeaEntries(store, entry)))],
    ["inventory/stock", orNone(now(store.readings), (all) => all.map(storeaStock))],
    ["orders/orders", orNone(now(store.orders), (all) => all.map((order) => storeaOrder(store, order)))],
  ];
}

const nested = (parent: string | null): unknown[] =>
  TREE.filter((node) => node.parent === parent).map(({ id, name }) => ({
    id: Number(id),
    name,
    hasChildren: TREE.some((node) => node.parent === id),
    children: nested(id),
  }));

const flat = ({ id, name, parent }: Node): unknown => ({
  Id: Number(id),
  Name: name,
  FatherCategoryId: parent === null ? null : Number(parent),
  IsActive: true,
});

function storeaEntries(store: Store, entry: Entry): unknown[] {
  const { path } = entry.category as StoreaCategory;
  const productId = productIdOf(store.account, entry.product);
  const [department, category] = [path.split("/")[1], path.split("/").at(-2)];
  const common = {
    ...(entry.updated === null ? {} : { DateUpdated: inZulu(entry.updated) }),
    ...(entry.image === null ? {} : { ImageUrl: entry.image }),
  };
  const skus = Array.from({ length: entry.skus }, (_, sku) => ({
    Id: skuIdOf(entry.product, sku),
    ProductId: productId,
    // The name of the SKU is not the product's.
    Name: `SKU ${sku}`,
    // A SKU may be inactive by itself.
    IsActive: sku !== 1,
    ...(entry.as === "both"
      ? {}
      : { ProductName: entry.name, IsProductActive: entry.active, ProductCategoryIds: path || null }),
    ...common,
  }));
  const itself = {
    Id: productId,
    Name: entry.name,
    IsActive: entry.active,
    IsVisible: true,
    DepartmentId: department || null,
    CategoryId: category || null,
    BrandId: 2000,
    ...common,
  };
  if (entry.as === "skus") return skus;
  return entry.productFirst ? [itself, ...skus] : [...skus, itself];
}

const storeaStock = ({ product, sku, stock, places }: Reading): unknown => ({
  skuId: skuIdOf(product, sku),
  balance: places.map(({ total, reserved }, no) => {
    const unlimited = stock === "unlimited" && no === 0;
    return {
      warehouseId: `w${no}`,
      totalQuantity: unlimited ? 1_000_000 : total,
      reservedQuantity: reserved,
      hasUnlimitedQuantity: unlimited,
    };
  }),
});

const STATUSES = ["canceled", "replaced", null, "cancel"];

function storeaOrder({ account }: Store, order: MarketOrder): unknown {
  const { lines, invoiced } = order;
  const removed = lines.filter((line) => line.removed > 0);
  const returned = lines.map((line, no) => ({ line, no })).filter(({ line }) => line.returned > 0);
  const back = {
    type: "Input",
    issuanceDate: sevenDigits(order.at + 999_000_000),
    ...(order.returnsBy === "position"
      ? { items: returned.map(({ line, no }) => ({ itemIndex: no, quantity: line.returned, price: 0 })) }
      : {
          items: [],
          restitutions: {
            Refund: { items: returned.map(({ line }) => ({ id: skuOf(line), quantity: line.returned, price: 1 })) },
          },
        }),
  };
  return {
    orderId: order.id,
    orderGroup: order.group,
    status: order.good ? "invoiced" : STATUSES[order.bad],
    value: 12_345,
    creationDate: sevenDigits(order.at),
    lastChange: sevenDigits(order.changed),
    authorizedDate: order.authorized ? sevenDigits(order.at) : null,
    invoicedDate: invoiced === null ? null : sevenDigits(invoiced),
    totals: [{ id: "Items", value: 12_345 }],
    clientProfileData: { email: order.email, userProfileId: order.platformId },
    marketingData: { utmSource: order.source, utmMedium: order.medium, coupon: order.coupon },
    storePreferencesData: { currencyCode: "BRL" },
    items: lines.map((line, no) => {
      const whole = line.quantity * (line.price ?? 0) - line.discount;
      return {
        uniqueId: `${order.id}-${no}`,
        id: skuOf(line),
        productId: line.product === null ? null : productIdOf(account, line.product),
        name: line.name,
        imageUrl: line.image,
        quantity: line.quantity,
        price: line.price,
        sellingPrice: line.saleValue === "selling" ? sellingPrice(line) : null,
        ...(line.saleValue === "total" ? { priceDefinition: { total: whole } } : {}),
        tax: line.tax,
        costPrice: line.cost,
        unitMultiplier: 0.25,
        isGift: whole === 0,
      };
    }),
    packageAttachment: {
      packages: [{ type: "Output", items: [{ itemIndex: 0, quantity: 1 }] }, ...(returned.length > 0 ? [back] : [])],
    },
    changesAttachment:
      removed.length === 0
        ? null
        : { changesData: removed.map((line) => ({ itemsRemoved: [{ id: skuOf(line), quantity: line.removed }] })) },
  };
}

/** Of one unit, in whole cents. */
export const sellingPrice = (line: MarketLine): number => Math.max(0, (line.price ?? 0) - line.discount);

/** A line without a product has its own SKU. */
const skuOf = ({ product, sku }: MarketLine): string => (product === null ? `avulso-${sku}` : skuIdOf(product, sku));

// ---------------------------------------------------------------------------------------------------------- storeb

function storebFiles(store: Store, sync: number): Files {
  const of = <T extends { readonly sync: number; readonly api: string }>(all: readonly T[], api: string): T[] =>
    all.filter((one) => one.sync === sync && one.api === api);
  return [
    ["products/rest", orNone(of(store.entries, "rest"), (all) => ({ products: all.map(restProduct) }))],
    ["products/gql", orNone(of(store.entries, "graphql"), (all) => connection("products", all.map(graphqlProduct)))],
    ["inventory/rest", orNone(of(store.readings, "rest"), (all) => ({ inventory_items: all.map(restItem) }))],
    [
      "inventory/gql",
      orNone(of(store.readings, "graphql"), (all) => connection("inventoryItems", all.map(graphqlItem))),
    ],
    ["orders/rest", orNone(of(store.orders, "rest"), (all) => ({ orders: all.map(restOrder) }))],
    ["orders/gql", orNone(of(store.orders, "graphql"), (all) => connection("orders", all.map(graphqlOrder)))],
  ];
}

const productGid = (product: number): string => `gid://shopify/Product/${storebNo(8, product)}`;
const variantsOf = (entry: Entry): number[] => [...Array(entry.skus).keys()];

function restProduct(entry: Entry): unknown {
  const { taxonomy, naming, type } = entry.category as StorebCategory;
  const id = taxonomy?.id ?? "na";
  return {
    id: storebNo(8, entry.product),
    admin_graphql_api_id: productGid(entry.product),
    title: entry.name,
    status: entry.status,
    product_type: type,
    category:
      naming === "null"
        ? null
        : {
            admin_graphql_api_id: `gid://shopify/TaxonomyCategory/${id}`,
            name: taxonomy?.names.at(-1) ?? "Uncategorized",
            ...(naming === "full" && taxonomy ? { full_name: taxonomy.names.join(" > ") } : {}),
          },
    created_at: "2023-01-01T00:00:00-03:00",
    updated_at: entry.updated === null ? null : withOffset(entry.updated),
    image: entry.image === null ? null : { src: entry.image },
    variants: variantsOf(entry).map((sku) => ({
      id: variantNo(entry.product, sku),
      product_id: storebNo(8, entry.product),
      sku: skuIdOf(entry.product, sku),
      price: "10.00",
      inventory_item_id: storebNo(5, entry.product * SKUS + sku),
    })),
  };
}

function graphqlProduct(entry: Entry): unknown {
  const { taxonomy, naming, type } = entry.category as StorebCategory;
  const id = taxonomy?.id ?? "na";
  return {
    id: productGid(entry.product),
    legacyResourceId: String(storebNo(8, entry.product)),
    title: entry.name,
    status: entry.status.toUpperCase(),
    productType: type,
    category:
      naming === "null"
        ? null
        : {
            id: `gid://shopify/TaxonomyCategory/${id}`,
            name: taxonomy?.names.at(-1) ?? "Uncategorized",
            ...(naming === "name" ? {} : { fullName: taxonomy?.names.join(" > ") ?? "Uncategorized" }),
          },
    createdAt: "2023-01-01T03:00:00Z",
    updatedAt: entry.updated === null ? null : inZulu(entry.updated),
    featuredImage: entry.image === null ? null : { url: entry.image },
    variants: {
      edges: variantsOf(entry).map((sku) => ({
        node: {
          id: variantGid(entry.product, sku),
          sku: skuIdOf(entry.product, sku),
          price: "10.00",
          inventoryItem: {
            id: `gid://shopify/InventoryItem/${storebNo(5, entry.product * SKUS + sku)}`,
            ...((entry.tracked[sku] ?? null) === null ? {} : { tracked: entry.tracked[sku] }),
          },
        },
      })),
    },
  };
}

const itemNo = ({ product, sku }: Reading): number => storebNo(5, product * SKUS + sku);

function restItem(reading: Reading): unknown {
  const { product, sku, stock, places, cost } = reading;
  return {
    id: itemNo(reading),
    sku: skuIdOf(product, sku),
    tracked: stock !== "untracked",
    cost: cost === null ? null : decimal(cost),
    updated_at: "2024-01-01T00:00:00-03:00",
    inventory_levels: places.map(({ total, reserved }, at) => ({ location_id: at, available: total - reserved })),
  };
}

function graphqlItem(reading: Reading): unknown {
  const { product, sku, stock, places, cost, currency } = reading;
  const no = itemNo(reading);
  return {
    id: `gid://shopify/InventoryItem/${no}`,
    legacyResourceId: String(no),
    sku: skuIdOf(product, sku),
    tracked: stock !== "untracked",
    updatedAt: "2024-01-01T00:00:00Z",
    unitCost: cost === null ? null : { amount: decimal(cost), currencyCode: currency },
    variant: { id: variantGid(product, sku), product: { id: productGid(product) } },
    inventoryLevels: {
      edges: places.map(({ total, reserved }, at) => ({
        node: {
          id: `gid://shopify/InventoryLevel/${at}?inventory_item_id=${no}`,
          location: { id: `gid://shopify/Location/${at}` },
          quantities: [
            { name: "on_hand", quantity: total },
            { name: "committed", quantity: reserved },
            { name: "available", quantity: total - reserved },
          ],
        },
      })),
    },
  };
}

/** Financial status, cancelled, test. */
const BAD: readonly (readonly [string | null, boolean, boolean])[] = [
  ["pending", false, false],
  ["paid", true, false],
  ["refunded", false, true],
  [null, false, false],
];
const GOOD = ["paid", "partially_paid", "partially_refunded", "refunded"];

const stateOf = ({ good, bad, id }: MarketOrder): readonly [string | null, boolean, boolean] =>
  good ? [GOOD[Number(id) % GOOD.length] as string, false, false] : (BAD[bad] as (typeof BAD)[number]);

const lineNo = (order: MarketOrder, no: number): number => 6300 + Number(order.id) * 10 + no;
const left = ({ quantity, removed, edited, returned }: MarketLine): number => quantity - removed - edited - returned;

function refunded(order: MarketOrder): { no: number; quantity: number; how: string }[] {
  return order.lines.flatMap(({ removed, returned }, no) => [
    ...(removed > 0 ? [{ no, quantity: removed, how: "cancel" }] : []),
    ...(returned > 0 ? [{ no, quantity: returned, how: no % 2 ? "no_restock" : "return" }] : []),
  ]);
}

const utmOf = ({ source, medium }: MarketOrder): URLSearchParams =>
  new URLSearchParams({ utm_source: source ?? "", ...(medium === null ? {} : { utm_medium: medium }) });

function restOrder(order: MarketOrder): unknown {
  const [status, cancelled, test] = stateOf(order);
  return {
    id: Number(order.id),
    name: `#${order.id}`,
    email: order.email,
    created_at: withOffset(order.at + 90_000_000),
    processed_at: withOffset(order.at),
    updated_at: withOffset(order.changed),
    cancelled_at: cancelled ? withOffset(order.changed) : null,
    test,
    financial_status: status,
    currency: "BRL",
    taxes_included: order.taxesIncluded,
    total_price: "123.45",
    total_price_set: moneySet(12_345),
    customer: order.platformId === null ? null : { id: Number(order.platformId) },
    landing_site: order.source === null ? "/" : `/?${utmOf(order)}`,
    discount_codes: order.coupon === null ? [] : [{ code: order.coupon, amount: "1.00", type: "fixed_amount" }],
    line_items: order.lines.map((line, no) => ({
      id: lineNo(order, no),
      product_id: line.product === null ? null : storebNo(8, line.product),
      variant_id: line.product === null ? null : variantNo(line.product, line.sku),
      title: line.name,
      quantity: line.quantity,
      current_quantity: left(line),
      ...(line.price === null ? {} : { price: decimal(line.price), price_set: moneySet(line.price) }),
      discount_allocations:
        line.discount === 0 ? [] : [{ amount: decimal(line.discount), amount_set: moneySet(line.discount) }],
      tax_lines: line.tax === 0 ? [] : [{ price: decimal(line.tax), price_set: moneySet(line.tax) }],
      gift_card: line.giftCard,
    })),
    refunds: refunded(order).map(({ no, quantity, how }, at) => ({
      id: 8300 + at,
      created_at: withOffset(order.changed),
      refund_line_items: [{ id: 8400 + at, line_item_id: lineNo(order, no), quantity, restock_type: how }],
    })),
  };
}

function graphqlOrder(order: MarketOrder): unknown {
  const [status, cancelled, test] = stateOf(order);
  return {
    id: `gid://shopify/Order/${order.id}`,
    name: `#${order.id}`,
    email: order.email,
    // Without a processing time the order's own counts.
    createdAt: inZulu(order.at),
    updatedAt: inZulu(order.changed),
    cancelledAt: cancelled ? inZulu(order.changed) : null,
    test,
    displayFinancialStatus: status?.toUpperCase() ?? null,
    currencyCode: "BRL",
    taxesIncluded: order.taxesIncluded,
    totalPriceSet: moneyBag(12_345),
    customer: order.platformId === null ? null : { id: `gid://shopify/Customer/${order.platformId}` },
    customerJourneySummary: {
      ready: true,
      lastVisit:
        order.source === null
          ? null
          : { utmParameters: { source: order.source, medium: order.medium, campaign: null } },
    },
    discountCodes: order.coupon === null ? [] : [order.coupon],
    lineItems: {
      edges: order.lines.map((line, no) => ({
        node: {
          id: `gid://shopify/LineItem/${lineNo(order, no)}`,
          product: line.product === null ? null : { id: productGid(line.product) },
          variant: line.product === null ? null : { id: variantGid(line.product, line.sku) },
          title: line.name,
          quantity: line.quantity,
          currentQuantity: left(line),
          ...(line.price === null ? {} : { originalUnitPriceSet: moneyBag(line.price) }),
          discountAllocations: line.discount === 0 ? [] : [{ allocatedAmountSet: moneyBag(line.discount) }],
          taxLines: line.tax === 0 ? [] : [{ priceSet: moneyBag(line.tax) }],
          isGiftCard: line.giftCard,
        },
      })),
    },
    refunds: refunded(order).map(({ no, quantity, how }, at) => ({
      id: `gid://shopify/Refund/${8300 + at}`,
      createdAt: inZulu(order.changed),
      refundLineItems: {
        edges: [
          {
            node: {
              lineItem: { id: `gid://shopify/LineItem/${lineNo(order, no)}` },
              quantity,
              restockType: how.toUpperCase(),
            },
          },
        ],
      },
    })),
  };
}
