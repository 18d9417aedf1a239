import { engineFeatures } from "../../src/commands/engine.ts";
import { readConfig } from "../../src/core/config.ts";
import type { Endpoint } from "../../src/core/contract/endpoint.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { EngineAnswers } from "../../src/core/engine/answers.ts";
import type { Database } from "../../src/core/engine/database.ts";
import { openServing } from "../../src/core/engine/serving.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { validate } from "../../src/core/params/validate.ts";
import { failed, sync } from "../../src/core/sync/sync.ts";
import { DataFolder } from "./data.ts";
import { deriveNobody, NOBODY } from "./shared.ts";
import { asText, contextOf } from "./texts.ts";
import {
  type AdRecord,
  CATEGORIES,
  type CatalogEntry,
  type Line,
  NOW,
  type Order,
  type Settings,
  type StorebState,
  VARIANTS,
  type World,
} from "./world.ts";

/** Lands only: the caller writes the files. */
export interface Organization {
  readonly settings: Settings;
  readonly syncs: readonly string[];
}

/** One for all laboratories of a process, whose sessions create only what is temporary. Its folder is gone: it cannot be opened again. */
let engine: Promise<Database> | undefined;

async function openEngine(): Promise<Database> {
  // More than one thread, as in a service: the order of rows must not come by chance.
  const folder = await DataFolder.empty({ LUCRA_THREADS: "2" });
  try {
    await deriveNobody(folder.config);
    return await openServing(folder.config, NOBODY.organizationId);
  } finally {
    await folder.remove();
  }
}

/** Lands worlds and asks the engine about them, without HTTP. */
export class Laboratory {
  readonly database: Database;

  private constructor(database: Database) {
    this.database = database;
  }

  static async open(): Promise<Laboratory> {
    engine ??= openEngine();
    return new Laboratory(await engine);
  }

  /** Lands the worlds, organizations of one data folder, and calls a function that asks about them. */
  with<T>(worlds: readonly World[], work: (landed: Landed) => Promise<T>): Promise<T> {
    return this.withFiles(worlds, writeExports, work);
  }

  async withFiles<O extends Organization, T>(
    worlds: readonly O[],
    write: (folder: DataFolder, world: O, sync: number) => Promise<void>,
    work: (landed: Landed) => Promise<T>,
  ): Promise<T> {
    const folder = await DataFolder.empty();
    try {
      const times = [...new Set(worlds.flatMap(({ syncs }) => syncs))].sort();
      for (const time of times) {
        const present = worlds.filter(({ syncs }) => syncs.includes(time));
        for (const world of present) await write(folder, world, world.syncs.indexOf(time));
        const config = readConfig({ LUCRA_DATA_DIR: folder.path, LUCRA_NOW: time });
        const organizations = present.map(({ settings }): Settings => settings);
        const report = await sync(config, { organizations });
        if (failed(report))
          throw new Error(JSON.stringify(report.outcomes.filter((o) => o.rejected || o.refused.length)));
      }
      return await work(new Landed(this.database, folder.path));
    } finally {
      await folder.remove();
    }
  }
}

/** A data folder that has landed. */
export class Landed {
  readonly database: Database;
  readonly #answers: EngineAnswers;
  readonly #dataDir: string;

  constructor(database: Database, dataDir: string) {
    this.database = database;
    this.#dataDir = dataDir;
    const generations = {
      current: (organization: string) => this.generation(organization),
      recheck: async () => false,
    };
    // `integrity.long.test.ts` runs the integrity queries over such organizations.
    const checks = { of: async () => [] };
    this.#answers = new EngineAnswers({ database, generations }, { ...engineFeatures(database), checks });
  }

  async generation(organization: string): Promise<{ folder: string; state: string }> {
    const generation = await currentGeneration(foldersOf(this.#dataDir, organization));
    if (!generation) throw new Error(`${organization} has not landed`);
    return generation;
  }

  async ask(
    world: Organization,
    path: string,
    sent: Readonly<Record<string, string>> = {},
    unsent: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, unknown>> {
    const endpoint = endpoints.find((one): one is Endpoint => one.path === path);
    if (!endpoint) throw new Error(`no endpoint ${path}`);
    const { organizationId } = world.settings;
    const accepted = Object.assign(validate(endpoint, { organizationId, ...sent }, new Date(NOW)), unsent);
    const text = await asText(this.#answers.answer(contextOf(endpoint, organizationId, accepted)));
    return JSON.parse(text) as Record<string, unknown>;
  }
}

/** Writes the settings and the exports of one sync, as the vendors write them. */
export async function writeExports(folder: DataFolder, world: World, sync: number): Promise<void> {
  const { settings } = world;
  await folder.settings(settings);
  for (const [name, { content, no }] of filesOf(world, sync)) {
    const modified = new Date(Date.parse(world.syncs[sync] as string) - 3_600_000 + no * 1000);
    await folder.write(`exports/${settings.organizationId}/${name}`, JSON.stringify(content), modified);
  }
}

interface ExportFile {
  readonly content: unknown;
  readonly no: number;
}

/** Path below the organization's exports → its content. */
export function filesOf(world: World, sync: number): Map<string, ExportFile> {
  const files = new Map<string, ExportFile>();
  const fileNos = [...new Set([...world.orders, ...world.records].map(({ file }) => file.no))];
  for (const { id, connector } of world.settings.integrations) {
    // By its name a later file comes first: only its time says that it is later.
    const add = (record: string, no: number, content: unknown): void => {
      files.set(`${id}/${record}/sync-${sync}-${10_000 - no}.json`, { content, no });
    };
    const rows = <T extends { file: { sync: number; no: number } }>(all: readonly T[], no: number): T[] =>
      all.filter(({ file }) => file.sync === sync && file.no === no);
    for (const no of fileNos) {
      if (connector === "storea" || connector === "storeb") {
        const orders = rows(
          world.orders.filter(({ store }) => store === id),
          no,
        );
        if (connector === "storea" && orders.length > 0) add("orders", no, orders.map(documentOf));
        const rest = orders.filter(({ state }) => state.vendor === "storeb" && state.api === "rest");
        const graphql = orders.filter(({ state }) => state.vendor === "storeb" && state.api === "graphql");
        if (rest.length > 0) add("orders", no, { orders: rest.map(documentOf) });
        if (graphql.length > 0) add("orders/graphql", no, connection("orders", graphql.map(documentOf)));
      }
      const records = rows(
        world.records.filter(({ account }) => account === id),
        no,
      );
      if (connector === "socialads" && records.length > 0) {
        add("campaigns", no, { data: records.map(insight), paging: { cursors: { before: "a", after: "b" } } });
      }
      if (connector === "searchads" && records.length > 0) {
        add("campaigns", no, [{ results: records.map(campaignRow), requestId: "x" }]);
      }
    }
    const costs = world.costs.find((reading) => reading.store === id && reading.sync === sync);
    if (costs) add("inventory", 0, connection("inventoryItems", costs.costs.map(inventoryItem)));
    const catalog = sync === 0 ? world.catalog.filter(({ store }) => store === id) : [];
    if (connector === "storea" && catalog.length > 0) {
      add("products", 0, catalog.map(storeaProduct));
      add(
        "categories",
        0,
        CATEGORIES.map(({ id, name }) => ({ Id: Number(id), Name: name, FatherCategoryId: null })),
      );
    }
    if (connector === "storeb" && catalog.length > 0) add("products", 0, { products: catalog.map(storebProduct) });
    const events = world.events.filter(({ account }) => account === id);
    if (sync === 0 && events.length > 0) {
      add("events", 0, {
        dimensionHeaders: [{ name: "date" }, { name: "eventName" }],
        metricHeaders: [{ name: "eventCount", type: "TYPE_INTEGER" }],
        rows: events.map(({ day, name, count }) => ({
          dimensionValues: [{ value: day.replaceAll("-", "") }, { value: name }],
          metricValues: [{ value: String(count) }],
        })),
        rowCount: events.length,
      });
    }
  }
  return files;
}

export const connection = (name: string, nodes: readonly unknown[]): unknown => ({
  data: { [name]: { edges: nodes.map((node, no) => ({ cursor: `c${no}`, node })), pageInfo: { hasNextPage: false } } },
});

/** `2025-01-31T23:59:59.9990000+00:00`: seven digits, as storea has them. */
export function sevenDigits(at: number): string {
  const micros = Math.round((at - Math.floor(at)) * 1000);
  return new Date(at).toISOString().replace("Z", `${String(micros).padStart(3, "0")}0+00:00`);
}
/** With a shop's offset, three hours behind. */
export const withOffset = (at: number): string => new Date(at - 3 * 3_600_000).toISOString().replace("Z", "-03:00");
export const inZulu = (at: number): string => new Date(at).toISOString();
const HOUR = 3_600_000;

export const decimal = (cents: number): string => (cents / 100).toFixed(2);

/** The vendor's own document of an order. */
export function documentOf(order: Order): Record<string, unknown> {
  if (order.state.vendor === "storea") return storeaOrder(order);
  return order.state.api === "rest" ? restOrder(order) : graphqlOrder(order);
}

/** What the order leaves open, by chance but always the same: one of several. */
const chosen = <T>({ value }: Order, ...some: readonly T[]): T => some[value % some.length] as T;

/** The same, whatever `chosen` chooses. */
const chosenToo = <T>({ value, at }: Order, ...some: readonly T[]): T =>
  some[(Math.floor(value / 60) + Math.floor(at / HOUR)) % some.length] as T;

/** `12.345678` of millionths. */
const micro = (millionths: number): string =>
  `${Math.floor(millionths / 1_000_000)}.${String(millionths % 1_000_000).padStart(6, "0")}`;

// ---------------------------------------------------------------------------------------------------------- storea

function storeaOrder(order: Order): Record<string, unknown> {
  if (order.state.vendor !== "storea") throw new Error(`${order.id} is no order of storea`);
  const { status, authorized, invoiced } = order.state;
  const removed = order.lines.filter((line) => line.removed > 0);
  const returned = order.lines.map((line, no) => ({ line, no })).filter(({ line }) => line.returned > 0);
  const marketing = [order.source, order.medium, order.campaign, order.coupon];
  return {
    orderId: order.id,
    sequence: order.id.split("-")[0],
    orderGroup: order.group,
    origin: "Marketplace",
    affiliateId: "",
    salesChannel: chosenToo(order, "1", "2", null),
    shippingData: chosenToo<unknown>(
      order,
      null,
      { address: null },
      { address: { city: " São  Paulo", state: "sp", country: "BRA" } },
      { address: { city: "ILHÉUS", state: "Bahia", country: null } },
      { address: { city: "Montevideo", state: "Montevidéu", country: "ury" } },
    ),
    status,
    value: order.value,
    creationDate: sevenDigits(order.at),
    lastChange: sevenDigits(order.changed),
    authorizedDate: authorized ? sevenDigits(order.at + HOUR) : null,
    invoicedDate: invoiced ? sevenDigits(order.at + 30 * HOUR) : null,
    totals: [
      { id: "Items", value: order.lines.reduce((sum, line) => sum + line.price * line.quantity, 0) },
      { id: "Discounts", value: -order.lines.reduce((sum, line) => sum + line.discount, 0) },
      ...(order.shipping === null ? [] : [{ id: "Shipping", value: order.shipping }]),
      ...(order.tax === null ? [] : [{ id: "Tax", value: order.tax }]),
    ],
    items: order.lines.map((line, no) => storeaItem(order, line, no)),
    clientProfileData: { id: "clientProfileData", email: order.email, userProfileId: order.platformId },
    marketingData: marketing.every((value) => value === null)
      ? null
      : {
          id: "marketingData",
          utmSource: order.source,
          utmMedium: order.medium,
          utmCampaign: order.campaign,
          coupon: order.coupon,
          utmiCampaign: " ",
          marketingTags: [],
        },
    storePreferencesData: { currencyCode: "BRL", timeZone: "E. South America Standard Time" },
    packageAttachment: {
      packages: returned.map(({ line, no }) => ({
        type: "Input",
        issuanceDate: chosen(order, sevenDigits(order.at + 99 * HOUR), sevenDigits(order.at + 999 * HOUR), null),
        items: [{ itemIndex: no, quantity: line.returned, price: line.price }],
        ...chosen<Record<string, unknown>>(
          order,
          {},
          { invoiceValue: line.price * line.returned },
          { invoiceValue: 0, restitutions: { Refund: { value: Math.ceil(line.price / 3), items: [] } } },
          { invoiceValue: null, restitutions: {} },
        ),
      })),
    },
    paymentData: { transactions: [{ isActive: true, payments: storeaPayments(order) }] },
    changesAttachment:
      removed.length === 0
        ? null
        : {
            id: "changeAttachment",
            changesData: removed.map((line) => ({
              discountValue: 0,
              incrementValue: 0,
              itemsAdded: [],
              itemsRemoved: [
                { id: `50${line.sku}`, name: `Produto ${line.sku}`, quantity: line.removed, price: line.price },
              ],
              receipt: { date: sevenDigits(order.at + 2 * HOUR), orderId: order.id, receipt: "r" },
            })),
          },
  };
}

/** One, several with the largest last, or none. */
const storeaPayments = (order: Order): unknown[] =>
  chosen(
    order,
    [{ paymentSystemName: "Pix", group: "instantPayment", value: order.value, installments: 1 }],
    [
      { paymentSystemName: "Vale", group: "giftCard", value: 1 },
      { paymentSystemName: "Visa", group: "creditCard", value: Math.max(2, order.value - 1), installments: 3 },
    ],
    [],
    [{ paymentSystemName: "Boleto Bancário", group: "bankInvoice", value: order.value }],
    [{ paymentSystemName: "  ", group: "creditCard", value: order.value }],
    [{ paymentSystemName: "Appmax", group: "custom201PaymentGroup", value: order.value, installments: 0 }],
  );

/** The brand of a line: in several spellings, of white space alone, or none. */
const brandOf = (order: Order, no: number): string | null =>
  [" aurora ", "Aurora", "AURORA", "Fio  & Cia", "fio & cia", "Nórdica", " ", null][
    (Math.floor(order.value / 7) + Math.floor(order.at / HOUR) + no) % 8
  ] ?? null;

/** The store's own code of a SKU of storea; not every SKU has one. */
const storeaCode = (sku: number | null): string => (sku === 3 ? "" : `REF-${sku}`);

function storeaItem(order: Order, line: Line, no: number): unknown {
  const selling = Math.max(0, line.price - line.discount);
  return {
    uniqueId: `${order.id}-${no}`,
    id: `50${line.sku}`,
    productId: `5${line.sku}`,
    refId: storeaCode(line.sku),
    name: `Produto ${line.sku}`,
    quantity: line.quantity,
    price: line.price,
    sellingPrice: line.saleValue === "selling" ? selling : null,
    ...(line.saleValue === "total" ? { priceDefinition: { total: selling * line.quantity } } : {}),
    tax: line.tax,
    costPrice: line.cost,
    additionalInfo: { brandName: brandOf(order, no) },
    unitMultiplier: 1,
    isGift: false,
  };
}

/** The SKU's row describes its product. */
const storeaProduct = ({ sku, name, category }: CatalogEntry): unknown => ({
  Id: `50${sku}`,
  ProductId: `5${sku}`,
  ProductName: name,
  IsActive: true,
  IsProductActive: true,
  ProductCategoryIds: category === null ? null : `/${CATEGORIES[category]?.id}/`,
});

// ---------------------------------------------------------------------------------------------------------- storeb

const storebProduct = ({ sku, name, category }: CatalogEntry): unknown => ({
  id: 8100 + sku,
  title: name,
  status: "active",
  product_type: category === null ? "" : CATEGORIES[category]?.type,
  updated_at: "2024-01-01T00:00:00-03:00",
  variants: [{ id: 4100 + sku, product_id: 8100 + sku, sku: `SKU-${sku}`, price: "10.00" }],
});

function storebState({ state }: Order): StorebState {
  if (state.vendor !== "storeb") throw new Error("no order of storeb");
  return state;
}

/** The buyer's amounts are in another currency, and never count. */
export const moneySet = (cents: number): unknown => ({
  shop_money: { amount: decimal(cents), currency_code: "BRL" },
  presentment_money: { amount: decimal(cents * 5), currency_code: "USD" },
});
export const moneyBag = (cents: number): unknown => ({
  shopMoney: { amount: decimal(cents), currencyCode: "BRL" },
  presentmentMoney: { amount: decimal(cents * 5), currencyCode: "USD" },
});

interface Dates {
  readonly created: number;
  readonly processed: number | null;
}

function datesOf(order: Order): Dates {
  const { processed } = storebState(order);
  if (processed === "absent") return { created: order.at, processed: null };
  return { created: order.at + (processed === "imported" ? 90 * 24 * HOUR : 0), processed: order.at };
}

function restOrder(order: Order): Record<string, unknown> {
  const state = storebState(order);
  const { created, processed } = datesOf(order);
  const email = order.email;
  const query = [
    ["utm_source", order.source],
    ["utm_medium", order.medium],
    ["utm_campaign", order.campaign],
  ]
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return {
    id: Number(order.id),
    admin_graphql_api_id: `gid://shopify/Order/${order.id}`,
    name: `#L${order.id}`,
    email,
    created_at: withOffset(created),
    processed_at: processed === null ? null : withOffset(processed),
    updated_at: withOffset(order.changed),
    cancelled_at: state.cancelled ? withOffset(order.changed) : null,
    test: state.test,
    financial_status: state.financial,
    currency: "BRL",
    presentment_currency: "USD",
    taxes_included: order.lines.some((line) => line.tax > 0),
    total_price: decimal(order.value),
    total_price_set: moneySet(order.value),
    ...(order.shipping === null ? {} : { total_shipping_price_set: moneySet(order.shipping) }),
    ...(order.tax === null ? {} : { total_tax: decimal(order.tax), total_tax_set: moneySet(order.tax) }),
    landing_site: query.length === 0 ? null : `/products/areia?ref=1&${query.join("&")}#topo`,
    discount_codes: order.coupon === null ? [] : [{ code: order.coupon, amount: "1.00", type: "fixed_amount" }],
    customer: order.platformId === null ? null : { id: Number(order.platformId), email },
    line_items: order.lines.map((line, no) => ({
      id: lineId(order, no),
      product_id: line.sku === null ? null : 8100 + line.sku,
      variant_id: line.sku === null ? null : 4100 + line.sku,
      title: `Produto ${line.sku}`,
      sku: line.sku === null ? null : `SKU-${line.sku}`,
      vendor: brandOf(order, no),
      quantity: line.quantity,
      current_quantity: line.quantity - line.removed - line.returned,
      price: decimal(line.price),
      price_set: moneySet(line.price),
      total_discount: "0.00",
      discount_allocations:
        line.discount === 0 ? [] : [{ amount: decimal(line.discount), amount_set: moneySet(line.discount) }],
      tax_lines: line.tax === 0 ? [] : [{ price: decimal(line.tax), price_set: moneySet(line.tax) }],
      gift_card: line.giftCard,
    })),
    payment_gateway_names: gatewaysOf(order),
    source_name: chosenToo(order, "web", "pos", "1234567"),
    total_discounts_set: chosenToo(order, moneySet(0), moneySet(123), undefined),
    shipping_address: chosenToo<unknown>(
      order,
      null,
      { city: "São Paulo", province_code: "SP", province: "São Paulo", country_code: "BR", country: "Brazil" },
      { city: " Ilhéus ", province_code: null, province: "Bahia", country_code: " ", country: "BRA" },
    ),
    ...chosenToo<Record<string, unknown>>(order, {}, { transactions: paymentsOf(order, "BRL") }),
    refunds: refunded(order).map(({ no, quantity, how, worth }, at) => ({
      id: 8300 + at,
      created_at: withOffset(order.changed),
      ...chosen<Record<string, unknown>>(order, {}, { processed_at: withOffset(order.changed - 20 * 24 * HOUR) }),
      refund_line_items: [
        {
          id: 8400 + at,
          line_item_id: lineId(order, no),
          quantity,
          restock_type: how,
          subtotal: chosen(order, "1.00", decimal(worth)),
          total_tax: "0.50",
        },
      ],
      order_adjustments: chosen<unknown[]>(order, [], [{ amount: "-2.00", tax_amount: "-0.10" }], [{ amount: "0.70" }]),
      transactions: chosen<unknown[]>(
        order,
        [],
        [{ kind: "refund", status: "success", amount: decimal(worth + 150), currency: "BRL" }],
        [{ kind: "refund", status: "failure", amount: "99.00", currency: "BRL" }],
      ),
    })),
  };
}

const lineId = (order: Order, no: number): number => 6300 + Number(order.id) * 10 + no;

interface Refunded {
  readonly no: number;
  readonly quantity: number;
  readonly how: "cancel" | "return" | "no_restock";
  /** In cents, at the price before discounts. */
  readonly worth: number;
}

function refunded(order: Order): Refunded[] {
  return order.lines.flatMap((line, no) => {
    const of = (quantity: number, how: Refunded["how"]): Refunded[] =>
      quantity > 0 ? [{ no, quantity, how, worth: line.price * quantity }] : [];
    return [...of(line.removed, "cancel"), ...of(line.returned, no % 2 ? "no_restock" : "return")];
  });
}

/** Payments of an order of storeb, of which some were none: in another currency, failed, given back. */
const paymentsOf = (order: Order, currency: string | undefined): Record<string, unknown>[] =>
  chosen<Record<string, unknown>[]>(
    order,
    [
      { kind: "sale", status: "success", gateway: "gift_card", amount: "10.00", currency },
      { kind: "capture", status: "success", gateway: "Appmax", amount: "6.00", currency },
      { kind: "sale", status: "success", gateway: "Appmax", amount: "5.00", currency },
    ],
    [
      { kind: "authorization", status: "success", gateway: "mercado_pago", amount: "50.00", currency },
      { kind: "sale", status: "failure", gateway: "mercado_pago", amount: "50.00", currency },
      { kind: "refund", status: "success", gateway: "mercado_pago", amount: "50.00", currency },
    ],
    [{ kind: "sale", status: "success", gateway: "Cash on Delivery (COD)", amount: "1.00", currency }],
  );

const gatewaysOf = (order: Order): string[] =>
  chosen(order, ["shopify_payments"], ["gift_card", "Cartão-Loja"], [], ["pix", ""]);

function graphqlOrder(order: Order): Record<string, unknown> {
  const state = storebState(order);
  const { created, processed } = datesOf(order);
  const visit = [order.source, order.medium, order.campaign].every((value) => value === null)
    ? null
    : { utmParameters: { source: order.source, medium: order.medium, campaign: order.campaign } };
  return {
    id: `gid://shopify/Order/${order.id}`,
    legacyResourceId: order.id,
    name: `#L${order.id}`,
    email: order.email,
    createdAt: inZulu(created),
    processedAt: processed === null ? null : inZulu(processed),
    updatedAt: inZulu(order.changed),
    cancelledAt: state.cancelled ? inZulu(order.changed) : null,
    test: state.test,
    displayFinancialStatus: state.financial?.toUpperCase() ?? null,
    currencyCode: "BRL",
    presentmentCurrencyCode: "USD",
    taxesIncluded: order.lines.some((line) => line.tax > 0),
    totalPriceSet: moneyBag(order.value),
    totalShippingPriceSet: order.shipping === null ? null : moneyBag(order.shipping),
    totalTaxSet: order.tax === null ? null : moneyBag(order.tax),
    customerJourneySummary: { ready: true, firstVisit: visit, lastVisit: visit },
    discountCodes: order.coupon === null ? [] : [order.coupon],
    customer:
      order.platformId === null
        ? null
        : { id: `gid://shopify/Customer/${order.platformId}`, legacyResourceId: order.platformId },
    lineItems: {
      edges: order.lines.map((line, no) => ({
        node: {
          id: `gid://shopify/LineItem/${lineId(order, no)}`,
          product: line.sku === null ? null : { id: `gid://shopify/Product/${8100 + line.sku}` },
          variant: line.sku === null ? null : { id: `gid://shopify/ProductVariant/${4100 + line.sku}` },
          title: `Produto ${line.sku}`,
          sku: line.sku === null ? null : `SKU-${line.sku}`,
          vendor: brandOf(order, no),
          quantity: line.quantity,
          currentQuantity: line.quantity - line.removed - line.returned,
          originalUnitPriceSet: moneyBag(line.price),
          discountAllocations: line.discount === 0 ? [] : [{ allocatedAmountSet: moneyBag(line.discount) }],
          taxLines: line.tax === 0 ? [] : [{ priceSet: moneyBag(line.tax) }],
          isGiftCard: line.giftCard,
        },
      })),
    },
    paymentGatewayNames: gatewaysOf(order),
    sourceName: chosenToo(order, "web", null),
    totalDiscountsSet: chosenToo(order, moneyBag(0), moneyBag(456), null),
    shippingAddress: chosenToo<unknown>(
      order,
      null,
      { city: "SAO PAULO", provinceCode: "SP", province: "São Paulo", countryCodeV2: "BR" },
      { city: "Montevideo", provinceCode: null, province: "Montevidéu", countryCodeV2: "UY" },
    ),
    transactions: chosenToo<unknown>(
      order,
      [],
      paymentsOf(order, undefined).map(({ amount, kind, ...one }) => ({
        ...one,
        kind: String(kind).toUpperCase(),
        amountSet: { shopMoney: { amount, currencyCode: "BRL" } },
      })),
    ),
    refunds: refunded(order).map(({ no, quantity, how, worth }, at) => ({
      id: `gid://shopify/Refund/${8300 + at}`,
      createdAt: inZulu(order.changed),
      ...chosen<Record<string, unknown>>(
        order,
        {},
        { totalRefundedSet: moneyBag(worth) },
        { totalRefundedSet: moneyBag(200), processedAt: inZulu(order.changed - 20 * 24 * HOUR) },
      ),
      refundLineItems: {
        edges: [
          {
            node: {
              lineItem: { id: `gid://shopify/LineItem/${lineId(order, no)}` },
              quantity,
              restockType: how.toUpperCase(),
              ...chosen<Record<string, unknown>>(order, {}, { subtotalSet: moneyBag(worth) }),
            },
          },
        ],
      },
    })),
  };
}

function inventoryItem(cost: number | null, variant: number): unknown {
  return {
    id: `gid://shopify/InventoryItem/${5100 + variant}`,
    legacyResourceId: String(5100 + variant),
    sku: `SKU-${variant}`,
    tracked: true,
    updatedAt: "2024-01-01T00:00:00Z",
    unitCost: cost === null ? null : { amount: decimal(cost), currencyCode: "BRL" },
    variant: {
      id: `gid://shopify/ProductVariant/${4100 + variant}`,
      legacyResourceId: String(4100 + variant),
      product: { id: `gid://shopify/Product/${8100 + variant}`, legacyResourceId: String(8100 + variant) },
    },
    inventoryLevels: {
      edges: [
        {
          node: {
            id: `gid://shopify/InventoryLevel/1?inventory_item_id=${5100 + variant}`,
            location: { id: "gid://shopify/Location/1" },
            quantities: [{ name: "available", quantity: VARIANTS }],
          },
        },
      ],
    },
  };
}

// ------------------------------------------------------------------------------------------------------------- ads

function insight(record: AdRecord): unknown {
  return {
    campaign_id: record.campaign,
    ...(record.name === null ? {} : { campaign_name: record.name }),
    objective: "OUTCOME_SALES",
    account_id: `1${record.account.slice(-4)}`,
    actions: [{ action_type: "link_click", value: "4" }],
    impressions: String(record.impressions),
    clicks: String(record.clicks),
    spend: micro(record.spend).slice(0, -4),
    ...(record.claimed === null
      ? {}
      : { website_purchase_roas: [{ action_type: "offsite_conversion", value: decimal(record.claimed) }] }),
    date_start: record.start,
    ...(record.stop === null ? {} : { date_stop: record.stop }),
  };
}

function campaignRow(record: AdRecord, no: number): unknown {
  return {
    campaign: {
      resourceName: `customers/1/campaigns/${record.campaign}`,
      id: record.campaign,
      ...(record.name === null ? {} : { name: record.name }),
      status: "ENABLED",
      advertisingChannelType: "SEARCH",
    },
    metrics: {
      impressions: String(record.impressions),
      clicks: String(record.clicks),
      // A figure of 0 is omitted, as the vendor may do; a file in which no row has the cost would be refused.
      ...(record.spend === 0 && no > 0 ? {} : { costMicros: String(record.spend) }),
      ...(record.claimed === null ? {} : { conversions: record.claimed / 100 }),
      conversionsValue: record.claimedValue / 100,
    },
    segments: { date: record.start },
  };
}
