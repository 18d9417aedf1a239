import type { CostItem, Organization } from "../../src/core/contract/settings.ts";
import type { Counted, Facts } from "./facts.ts";
import { Fraction } from "./fraction.ts";
import {
  at,
  type Document,
  listAt,
  numberAt,
  type OrderRefunds,
  storeaRefunds,
  storebRefunds,
  textAt,
} from "./refunds.ts";
import { normalized } from "./text.ts";

/** What profit is computed from: counted orders as their documents have them, and what the records of costs say [D71]. */

/** An amount, as a number or a decimal text. */
export type Decimal = number | string;

interface CostRecord {
  /** The integration that has it. */
  readonly finance: string;
  /** As written: a store's id or name; null or blank: none. */
  readonly integration_id: string | null;
  readonly currency: string | null;
}

/** A row of `product-costs`. */
export interface ProductCost extends CostRecord {
  readonly sku: string | null;
  readonly product_id: string | null;
  readonly cost: Decimal;
  readonly valid_from: string | null;
}

/** A row of `expenses`: the item is a word of the rules. */
export interface Expense extends CostRecord {
  readonly date_start: string;
  readonly date_stop: string | null;
  readonly item: Exclude<CostItem, "goods">;
  readonly amount: Decimal;
  readonly description: string | null;
}

/** A row of `payment-fees`. */
export interface PaymentFee extends CostRecord {
  readonly order_id: string;
  readonly fee: Decimal;
  readonly date: string | null;
}

/** As landed: one row per key and integration. */
export interface CostRecords {
  readonly productCosts: readonly ProductCost[];
  readonly expenses: readonly Expense[];
  readonly paymentFees: readonly PaymentFee[];
}

export const NO_RECORDS: CostRecords = { productCosts: [], expenses: [], paymentFees: [] };

/** An inventory export of a storeb store, with the unit cost of each of its SKUs; null: unknown. */
export interface CostReading {
  readonly store: string;
  /** When it landed. */
  readonly at: number;
  readonly costs: ReadonlyMap<string, Fraction | null>;
}

/** A vendor's own document of an order: the version that counts. */
export interface OrderDocument {
  readonly store: string;
  readonly document: Document;
}

/** A line of which some unit was sold; no gift card. */
export interface ProfitLine {
  /** Its place in the order. */
  readonly no: number;
  readonly sku: string | null;
  readonly product: string | null;
  /** The store's own code of the SKU. */
  readonly code: string | null;
  readonly sold: number;
  /** Sale value of a unit; null: unknown. */
  readonly value: Fraction | null;
  /** Of a unit, as the store reports it [D33]; null: unknown. */
  readonly cost: Fraction | null;
}

/** A counted order with what its document says. */
export interface ProfitOrder {
  readonly counted: Counted;
  readonly lines: readonly ProfitLine[];
  /** Sale value of gift cards as ordered. */
  readonly giftCards: Fraction;
  /** Of its payment, normalized. */
  readonly payments: ReadonlySet<string>;
  /** The name by which the shop calls it, without `#`. */
  readonly name: string | null;
  readonly refunds: OrderRefunds;
}

export interface ProfitFacts {
  readonly settings: Organization;
  /** Of the same organization: its customers, channels, campaigns and spend. */
  readonly facts: Facts;
  readonly orders: readonly ProfitOrder[];
  readonly records: CostRecords;
}

/** Documents that are not of counted orders are left out; every counted order needs its own. */
export function profitFactsOf(
  settings: Organization,
  facts: Facts,
  documents: readonly OrderDocument[],
  readings: readonly CostReading[],
  records: CostRecords,
): ProfitFacts {
  const named = new Map(
    documents.map(({ store, document }) => [
      `${store} ${isStorea(settings, store) ? textAt(document, "orderId") : orderNumber(textAt(document, "id"))}`,
      plain(document) as Document,
    ]),
  );
  const orders = facts.orders.map((counted): ProfitOrder => {
    const document = named.get(`${counted.store} ${counted.id}`);
    if (!document) throw new Error(`order ${counted.id} has no document`);
    return isStorea(settings, counted.store)
      ? storeaOrder(settings, counted, document)
      : storebOrder(settings, counted, document, readings);
  });
  return { settings, facts, orders, records };
}

const isStorea = (settings: Organization, store: string): boolean =>
  settings.integrations?.find(({ id }) => id === store)?.connector === "storea";

const zoneOf = (settings: Organization, store: string): string =>
  settings.integrations?.find(({ id }) => id === store)?.timezone ?? "UTC";

/** GraphQL's connections as plain lists. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const { edges, nodes } = value as Document;
  if (Array.isArray(edges)) return edges.map(({ node }) => plain(node));
  if (Array.isArray(nodes)) return nodes.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}

export const orderNumber = (id: string): string => id.replace(/^gid:\/\/shopify\/Order\//, "");

/** The id by which storeb's analyses know it: a number becomes one. */
export const gidOf = (type: "Product" | "ProductVariant", id: string): string =>
  /^\d+$/.test(id) ? `gid://shopify/${type}/${id}` : id;

const filled = (text: string): string | null => (text.trim() === "" ? null : text.trim());

function linesOf(
  { lines }: OrderRefunds,
  items: readonly Document[],
  read: (item: Document) => Pick<ProfitLine, "sku" | "product" | "code" | "cost">,
): ProfitLine[] {
  return lines.flatMap(({ quantity, sold, value, isGiftCard }, no) =>
    isGiftCard || sold === 0
      ? []
      : [{ no, sold, value: value?.times(new Fraction(1, quantity)) ?? null, ...read(items[no] as Document) }],
  );
}

const giftCardsOf = ({ lines }: OrderRefunds): Fraction =>
  Fraction.sum(lines.filter(({ isGiftCard }) => isGiftCard).map(({ value }) => value ?? Fraction.zero));

const namesOf = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.map(normalized).filter((name) => name !== null));

/** Costs of units are in the order. Payments are named by the largest: the first of equals. */
function storeaOrder(settings: Organization, counted: Counted, document: Document): ProfitOrder {
  const refunds = storeaRefunds(document, zoneOf(settings, counted.store));
  const payments = listAt(document, "paymentData.transactions").flatMap((one) => listAt(one, "payments"));
  const [largest] = payments.toSorted((a, b) => numberAt(b, "value") - numberAt(a, "value"));
  return {
    counted,
    lines: linesOf(refunds, listAt(document, "items"), (item) => {
      const cost = at(item, "costPrice");
      return {
        sku: filled(textAt(item, "id")),
        product: filled(textAt(item, "productId")),
        code: filled(textAt(item, "refId")),
        cost: cost === undefined ? null : new Fraction(Number(cost), 100),
      };
    }),
    giftCards: giftCardsOf(refunds),
    payments: namesOf(largest ? [textAt(largest, "paymentSystemName"), textAt(largest, "group")] : []),
    name: null,
    refunds,
  };
}

function storebOrder(
  settings: Organization,
  counted: Counted,
  document: Document,
  readings: readonly CostReading[],
): ProfitOrder {
  const refunds = storebRefunds(document, zoneOf(settings, counted.store));
  const idIn = (item: Document, type: "Product" | "ProductVariant", ...paths: readonly string[]): string | null => {
    const id = filled(textAt(item, ...paths));
    return id && gidOf(type, id);
  };
  return {
    counted,
    lines: linesOf(refunds, listAt(document, "line_items", "lineItems"), (item) => {
      const sku = idIn(item, "ProductVariant", "variant_id", "variant.id");
      return {
        sku,
        product: idIn(item, "Product", "product_id", "product.id"),
        code: filled(textAt(item, "sku")),
        cost: sku === null ? null : costRead(counted, sku, readings),
      };
    }),
    giftCards: giftCardsOf(refunds),
    payments: namesOf(listAt(document, "payment_gateway_names", "paymentGatewayNames").map(String)),
    name: filled(textAt(document, "name").replace(/^#/, "")),
    refunds,
  };
}

/** Of the newest reading of the SKU that landed before the sale, else the earliest [D33]. */
function costRead({ store, at: sold }: Counted, sku: string, readings: readonly CostReading[]): Fraction | null {
  const own = readings.filter((one) => one.store === store && one.costs.has(sku)).toSorted((a, b) => a.at - b.at);
  const reading = own.findLast((one) => one.at < sold) ?? own[0];
  return reading?.costs.get(sku) ?? null;
}
