import { FileError } from "../../../core/landing/bytes/scan.ts";
import { shifted } from "../../../core/landing/read/decimals.ts";
import { type Part, RowError } from "../../../core/landing/read/part.ts";
import { ROW_REJECTED } from "../../../core/landing/read/rejects.ts";
import { type Cells, type Column, type Download, objectOf } from "./download.ts";
import { SHOPIFY } from "./standard.ts";

const column = (heading: string | readonly string[], kind?: Column["kind"]): Column => ({
  en: typeof heading === "string" ? [heading] : heading,
  ...(kind ? { kind } : {}),
});

const COLUMNS = {
  id: column("Id", "id"),
  name: column("Name"),
  email: column("Email"),
  financial_status: column("Financial Status"),
  currency: column("Currency"),
  subtotal: column("Subtotal", "number"),
  shipping: column("Shipping", "number"),
  taxes: column("Taxes", "number"),
  total: column("Total", "number"),
  discount_code: column("Discount Code"),
  discount: column("Discount Amount", "number"),
  created: column("Created at", "date"),
  cancelled: column(["Cancelled at", "Canceled at"], "date"),
  payment: column("Payment Method"),
  refunded: column("Refunded Amount", "number"),
  fulfillment_status: column("Fulfillment Status"),
  source: column("Source"),
  city: column("Shipping City"),
  state: column("Shipping Province"),
  state_name: column("Shipping Province Name"),
  country: column("Shipping Country"),
  postal_code: column("Shipping Zip"),
  line_quantity: column("Lineitem quantity", "number"),
  line_name: column("Lineitem name"),
  line_price: column("Lineitem price", "number"),
  line_sku: column("Lineitem sku"),
  line_discount: column("Lineitem discount", "number"),
  line_vendor: column("Vendor"),
} as const satisfies Record<string, Column>;

const NOTES = [
  'no landing page and no UTM parameters: these orders are of the channel "unknown" and of no campaign',
  "no product ids: products are known by their SKU only, and sales by product are N/D",
  "no cost of the lines: margins of products are N/D; other figures use the margin of the settings, or 100 % without one",
  "refunds without units and days: returns are N/D",
  "no customer ids: customers are known by their e-mail only",
];

/** `2025-01-10 10:00:00 -0300`. */
const instant = (text: string | undefined): string | undefined => {
  const parts = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?) ?(Z|UTC|[+-]\d{2}:?\d{2})?$/.exec(text ?? "");
  if (!parts) return text;
  const zone = (parts[3] ?? "Z").replace("UTC", "Z").replace(/(\d{2})(\d{2})$/, "$1:$2");
  return `${parts[1]}T${parts[2]}${zone}`;
};

interface Order {
  readonly cells: Cells;
  readonly position: number;
  readonly lines: { readonly cells: Cells; readonly position: number }[];
}

/** The orders of the admin, a row per line: what is said of the order is on its first row only. */
export const shopifyOrders: Download = {
  name: "a Shopify orders CSV",
  record: "storeb/orders",
  columns: COLUMNS,
  standard: SHOPIFY,
  isThis: ({ found }) => ["name", "line_quantity", "line_name", "line_price"].every((field) => found.has(field)),
  open: ({ found }, _settings, { modified }) => {
    for (const field of ["id", "created", "total"] as const) {
      if (found.has(field)) continue;
      throw new FileError(
        `is a Shopify orders CSV without the column "${COLUMNS[field].en[0]}": export the orders themselves (Orders, Export), not their ` +
          "transactions",
      );
    }
    const orders = new Map<string, Order>();
    const ids = new Set<string>();
    /** The names in rows that were rejected. */
    const broken = new Set<string>();
    let above: string | undefined;
    return {
      notes: NOTES,
      parts: (cells, position) => {
        // The further rows of an order may also lack its name: they are right below its first one.
        const name = cells.name ?? (cells.id === undefined ? above : undefined);
        above = undefined;
        if (name === undefined) throw new RowError("Name: missing");
        const order = orders.get(name);
        // Another order may have the name of an imported one: rows without an id may be of either.
        const fault = order
          ? cells.id !== undefined && cells.id !== order.cells.id && "Name: that of two orders"
          : cells.id === undefined
            ? "Id: missing, and no row above has the order"
            : ids.has(cells.id) && "Id: that of two orders";
        if (fault) {
          broken.add(name);
          throw new RowError(fault);
        }
        ids.add(cells.id ?? "");
        const own = order ?? { cells, position, lines: [] };
        orders.set(name, own);
        above = name;
        if (cells.line_quantity !== undefined || cells.line_name !== undefined) own.lines.push({ cells, position });
        return [];
      },
      broken: ({ name = above }) => {
        if (name !== undefined) broken.add(name);
        // It may be the first row of another order.
        above = undefined;
      },
      end: function* () {
        for (const [name, order] of orders)
          yield* partsOf(order, modified, broken.has(name) ? ROW_REJECTED : undefined);
      },
    };
  },
};

function* partsOf({ cells, position, lines }: Order, modified: string, fault: string | undefined): Generator<Part> {
  // The file has no time of the order's last change: the newest file has the newest version, with its own lines.
  const load = modified;
  const discounts = discountsOf(
    cells,
    lines.map((line) => line.cells),
  );
  for (const [at, line] of lines.entries()) {
    const of = line.cells;
    yield {
      stream: "download:shopify_order_lines",
      key: `${cells.id}#${at + 1}`,
      parent: cells.id,
      load,
      sort: at,
      position: line.position,
      object: objectOf({
        title: of.line_name,
        sku: of.line_sku?.replace(/^'/, ""),
        vendor: of.line_vendor,
        quantity: of.line_quantity,
        price: of.line_price,
        total_discount: discounts[at],
      }),
    };
  }
  yield {
    stream: "download:shopify_orders",
    key: cells.id,
    load,
    position,
    extractedAt: modified,
    fault,
    object: objectOf({
      id: cells.id,
      name: cells.name,
      created_at: instant(cells.created),
      processed_at: instant(cells.created),
      cancelled_at: instant(cells.cancelled),
      financial_status: cells.financial_status,
      currency: cells.currency,
      total_price: cells.total,
      subtotal_price: cells.subtotal,
      totalShippingPrice: cells.shipping,
      total_tax: cells.taxes,
      taxes_included: taxesIncluded(cells),
      total_discounts: cells.discount,
      discount_codes: cells.discount_code?.split(", ").map((code) => ({ code })),
      payment_gateway_names: cells.payment?.split(" + "),
      source_name: cells.source,
      fulfillment_status: cells.fulfillment_status,
      shipping_address: {
        city: cells.city,
        province_code: cells.state,
        province: cells.state_name,
        country_code: cells.country,
        zip: cells.postal_code,
      },
      refunds: refundsOf(cells),
      email: cells.email,
      _unknown: ["refunds", "source"],
      test: /bogus/i.test(cells.payment ?? "") ? "true" : undefined,
    }),
  };
}

/** The sum of the order's refunds, without their days: undefined, if the file does not have it. */
function refundsOf({ refunded }: Cells): readonly object[] | undefined {
  if (refunded === undefined) return undefined;
  return inCents(refunded) === 0n ? [] : [{ totalRefundedSet: { shopMoney: { amount: refunded } } }];
}

const CENTS = /^[+-]?\d+(\.\d{1,2}0*)?$/;
const inCents = (text: string | undefined): bigint | undefined =>
  text !== undefined && CENTS.test(text) ? BigInt(shifted(text, 2) ?? "0") : undefined;

/** The total says whether the prices include the tax. */
function taxesIncluded(order: Cells): string | undefined {
  const [total, subtotal, shipping = 0n, taxes] = [order.total, order.subtotal, order.shipping, order.taxes].map(
    inCents,
  );
  if (total === undefined || subtotal === undefined || !taxes) return undefined;
  if (subtotal + shipping === total) return "true";
  return subtotal + shipping + taxes === total ? "false" : undefined;
}

/**
 * The discounts of the lines. The lines' own ones are in the file; the rest of the difference between lines and subtotal is a
 * discount of the order, which is spread over the lines by their value.
 */
function discountsOf(order: Cells, lines: readonly Cells[]): (string | undefined)[] {
  const own = lines.map((line) => inCents(line.line_discount ?? "0"));
  const values = lines.map((line) => {
    const price = inCents(line.line_price);
    return price !== undefined && /^\d{1,9}$/.test(line.line_quantity ?? "")
      ? price * BigInt(line.line_quantity as string)
      : undefined;
  });
  const subtotal = inCents(order.subtotal);
  const plain = lines.map((line) => line.line_discount);
  if (subtotal === undefined || [...own, ...values].some((value) => value === undefined)) return plain;
  const left = values.map((value, at) => (value as bigint) - (own[at] as bigint));
  const base = left.reduce((sum, value) => sum + value, 0n);
  const rest = base - subtotal;
  if (rest <= 0n || base <= 0n) return plain;
  let spread = 0n;
  let before = 0n;
  return left.map((value, at) => {
    spread += value;
    // Rounded sums: the shares add up to the whole.
    const upTo = (rest * spread * 2n + base) / (base * 2n);
    const share = upTo - before;
    before = upTo;
    return units((own[at] as bigint) + share);
  });
}

function units(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The products of the admin: without their ids they would be other products than those of the orders. */
export const shopifyProducts: Download = {
  name: "a Shopify products CSV",
  record: "storeb/products",
  columns: {
    handle: column(["Handle", "URL handle"]),
    title: column("Title"),
    price: column(["Variant Price", "Price"]),
    sku: column(["Variant SKU", "SKU"]),
  },
  isThis: ({ found }) => ["handle", "title", "sku"].every((field) => found.has(field)),
  open: () => {
    throw new FileError(
      "is a Shopify products CSV, which has no product ids: its products would be others than those of the orders; export them by " +
        "the Admin API (products, or a bulk operation)",
    );
  },
};
