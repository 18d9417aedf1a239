import { createHash } from "node:crypto";
import { FileError } from "../../../core/landing/bytes/scan.ts";
import { Sum, shifted, times } from "../../../core/landing/read/decimals.ts";
import { type Part, RowError } from "../../../core/landing/read/part.ts";
import { ROW_REJECTED } from "../../../core/landing/read/rejects.ts";
import { type Cells, type Column, type Download, objectOf, wordsOf } from "./download.ts";
import { VTEX } from "./standard.ts";

const column = (heading: string, kind?: Column["kind"]): Column => ({ en: [heading], ...(kind ? { kind } : {}) });

const COLUMNS = {
  origin: column("Origin"),
  order: column("Order", "id"),
  sequence: column("Sequence"),
  created: column("Creation Date", "date"),
  document: column("Client Document"),
  email: column("Email"),
  state: column("UF"),
  city: column("City"),
  postal_code: column("Postal Code"),
  country: column("Country"),
  status_label: column("Status"),
  status: column("Status raw value (temporary)"),
  changed: column("Last Change Date", "date"),
  utm_medium: column("UtmMedium"),
  utm_source: column("UtmSource"),
  utm_campaign: column("UtmCampaign"),
  utmi_campaign: column("UtmiCampaign"),
  coupon: column("Coupon"),
  payment: column("Payment System Name"),
  installments: column("Installments"),
  quantity: column("Quantity_SKU", "number"),
  sku: column("ID_SKU", "id"),
  categories: column("Category Ids Sku"),
  sku_name: column("SKU Name"),
  sku_value: column("SKU Value", "number"),
  sku_price: column("SKU Selling Price", "number"),
  sku_total: column("SKU Total Price", "number"),
  shipping: column("Shipping Value", "number"),
  total: column("Total Value", "number"),
  discounts: column("Discounts Totals", "number"),
  seller_order: column("Seller Order Id"),
  authorized: column("Authorized Date", "date"),
  sales_channel: column("SalesChannel"),
  marketing_tags: column("marketingTags"),
  currency: column("Currency Code"),
  taxes: column("Taxes", "number"),
  cancellation: column("Cancellation Data"),
} as const satisfies Record<string, Column>;

/** The vendor's statuses, by their labels in the store's language. */
const STATUS = wordsOf({
  invoiced: ["Faturado", "Facturado"],
  canceled: ["Cancelado", "Cancelled"],
  handling: ["Preparando Entrega", "Preparando entrega"],
  "ready-for-handling": ["Pronto para o Manuseio", "Pronto para manuseio", "Ready for Handling"],
  "start-handling": ["Iniciar Manuseio", "Iniciar manuseio", "Start Handling"],
  "payment-pending": ["Pagamento Pendente", "Payment Pending", "Pago pendiente"],
  "payment-approved": ["Pagamento Aprovado", "Payment Approved", "Pago aprobado"],
  "payment-denied": ["Pagamento Negado", "Payment Denied"],
  "window-to-cancel": ["Carência para Cancelamento", "Window to Cancel"],
  "waiting-for-seller-decision": ["Aguardando decisão do Seller", "Waiting for Seller Decision"],
  "request-cancel": ["Solicitar cancelamento", "Request cancel"],
  "cancellation-requested": ["Cancelamento Solicitado", "Cancellation Requested"],
  "order-completed": ["Pedido concluído"],
  "waiting-ffmt-authorization": ["Aguardando autorização para despachar"],
  invoice: ["Verificando fatura"],
  cancel: ["Cancelar"],
  incomplete: ["Incompleto"],
});

/** Its offset is less than 16 hours, as the engine accepts it. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|[+-](?:0\d|1[0-5]):?\d{2})?$/;
/** The years of instants that land: 1900 to 2200. */
const [EARLIEST, LATEST] = [Date.UTC(1900, 0), Date.UTC(2201, 0)] as const;

/** `2025-01-08 14:20:11Z`: UTC also without its zone. */
const instant = (text: string | undefined): string | undefined => {
  const parts = INSTANT.exec(text ?? "");
  return parts ? `${parts[1]}T${parts[2]}${parts[3]?.replace(/(\d{2})(\d{2})$/, "$1:$2") ?? "Z"}` : text;
};

function isInstant(text: string): boolean {
  const [, day] = INSTANT.exec(text) ?? [];
  const at = Date.parse(instant(text) as string);
  if (day === undefined || !(at >= EARLIEST && at < LATEST)) return false;
  // 30 February would be 2 March.
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}

/** Columns that are the same in all rows of an order. */
const OF_ORDER = ["total", "discounts", "created", "status", "status_label", "authorized"] as const;

interface Order {
  readonly cells: Cells;
  readonly position: number;
  readonly load: string;
  readonly sums: Readonly<Record<"Items" | "Shipping" | "Tax", Sum>>;
  readonly summed: Set<string>;
  /** Sums of which a line's part is missing. */
  readonly unknown: Set<string>;
  fault: string;
  lines: number;
}

const NOTES = [
  "no cost of the items: margins of products are N/D; other figures use the margin of the settings, or 100 % without one",
  "no product ids: sales by product are N/D",
  "no units returned: returns are N/D",
  "no invoice dates: sales of products, which are dated by the invoice, are N/D",
];

/** Consequences of a missing column. */
const WITHOUT = {
  changed: "of an order in several files the newest file counts",
  status_label: "these orders have no status",
  utm_source: "these orders are of no known channel and campaign",
  email: "these orders have no customer",
};

/** The orders of the OMS, a row per SKU: what is said of the order is on each of its rows. */
export const vtex: Download = {
  name: "a VTEX orders CSV",
  record: "storea/orders",
  columns: COLUMNS,
  standard: VTEX,
  isThis: ({ found }) => ["order", "sku", "quantity"].every((field) => found.has(field)),
  open: ({ found }, _settings, { modified }) => {
    for (const field of ["created", "total"] as const) {
      if (found.has(field)) continue;
      throw new FileError(
        `is a VTEX orders CSV without the column "${COLUMNS[field].en[0]}": export it with all columns`,
      );
    }
    const orders = new Map<string, Order>();
    /** Orders with a row that was rejected, or that says of no version that it is of it. */
    const broken = new Set<string>();
    const hasStatus = found.has("status") || found.has("status_label");
    const missing = (["changed", "status_label", "utm_source", "email"] as const).filter((field) =>
      field === "status_label" ? !hasStatus : !found.has(field),
    );
    return {
      notes: [...NOTES, ...missing.map((field) => `no column ${COLUMNS[field].en[0]}: ${WITHOUT[field]}`)],
      parts: (cells, position) => {
        if (cells.order === undefined) throw new RowError("Order: missing");
        // Lines belong to the order as it was last changed; without that column to the order of their file.
        const load = instant(cells.changed) ?? modified;
        const id = `${cells.order} ${load}`;
        const order = orders.get(id) ?? newOrder(cells, position, load);
        orders.set(id, order);
        if (cells.changed !== undefined && !isInstant(cells.changed)) broken.add(cells.order);
        const differing = OF_ORDER.find((field) => cells[field] !== order.cells[field]);
        if (differing) order.fault ||= `${COLUMNS[differing].en[0]}: not the same in all rows of the order`;
        order.lines++;
        addUp(order, cells);
        return [lineOf(cells, order.lines, load)];
      },
      broken: ({ order }) => void (order !== undefined && broken.add(order)),
      end: function* () {
        for (const order of orders.values()) {
          if (broken.has(order.cells.order as string)) order.fault ||= ROW_REJECTED;
          yield partOf(order);
        }
      },
    };
  },
};

function newOrder(cells: Cells, position: number, load: string): Order {
  const sums = { Items: new Sum(), Shipping: new Sum(), Tax: new Sum() };
  return { cells, position, load, sums, summed: new Set(), unknown: new Set(), fault: "", lines: 0 };
}

const DECIMAL = /^[+-]?\d+(\.\d+)?$/;

function addUp(
  { sums, summed, unknown }: Order,
  { sku_value: price = "", quantity = "", shipping = "", taxes = "" }: Cells,
): void {
  if (DECIMAL.test(price) && /^\d{1,9}(\.0+)?$/.test(quantity)) {
    sums.Items.add(times(price, Number.parseInt(quantity, 10)));
    summed.add("Items");
  } else unknown.add("Items");
  if (sums.Shipping.add(shipping)) summed.add("Shipping");
  if (sums.Tax.add(taxes)) summed.add("Tax");
}

const cents = (text: string | undefined): string | undefined => shifted(text, 2);

function lineOf(cells: Cells, number: number, load: string): Part {
  const object = objectOf({
    uniqueId: `${cells.order}#${number}`,
    id: cells.sku,
    name: cells.sku_name,
    quantity: cells.quantity,
    price: cents(cells.sku_value),
    sellingPrice: cents(cells.sku_price),
    tax: cents(cells.taxes),
    priceDefinition: { total: cents(cells.sku_total) },
    additionalInfo: { categoriesIds: cells.categories },
  });
  const key = `${cells.order}#${number}`;
  return { stream: "download:vtex_order_items", key, parent: cells.order, load, sort: number, object };
}

/** The number of a document is personal data: only its hash lands. */
const customerOf = (document: string | undefined): string | undefined => {
  const digits = document?.replaceAll(/[^0-9A-Za-z]/g, "");
  return digits ? `document:${createHash("sha256").update(digits).digest("hex").slice(0, 32)}` : undefined;
};

const tagsOf = (text: string | undefined): unknown => {
  try {
    const tags: unknown = JSON.parse(text ?? "");
    return Array.isArray(tags) ? tags : [text];
  } catch {
    return text === undefined ? undefined : [text];
  }
};

function partOf({ cells, position, load, sums, summed, unknown, fault }: Order): Part {
  const discounts =
    cells.discounts === undefined || cells.discounts.startsWith("-")
      ? cells.discounts
      : `-${cells.discounts.replace("+", "")}`;
  const totals = [
    ...Object.entries(sums).flatMap(([id, sum]) =>
      summed.has(id) && !unknown.has(id) ? [{ id, value: cents(String(sum)) }] : [],
    ),
    ...(discounts === undefined
      ? []
      : [{ id: "Discounts", value: cents(/^-0*(\.0*)?$/.test(discounts) ? "0" : discounts) }]),
  ];
  const tags = tagsOf(cells.marketing_tags);
  const payment = {
    paymentSystemName: cells.payment,
    installments: /^\d+$/.test(cells.installments ?? "") ? cells.installments : undefined,
  };
  const object = objectOf({
    orderId: cells.order,
    sequence: cells.sequence,
    origin: cells.origin,
    sellerOrderId: cells.seller_order,
    salesChannel: cells.sales_channel,
    status: cells.status ?? STATUS(cells.status_label),
    statusDescription: cells.status_label,
    value: cents(cells.total),
    creationDate: instant(cells.created),
    lastChange: instant(cells.changed),
    authorizedDate: instant(cells.authorized),
    cancelReason: cells.cancellation,
    totals,
    storePreferencesData: { currencyCode: cells.currency },
    clientProfileData: { email: cells.email, userProfileId: customerOf(cells.document) },
    marketingData: {
      utmSource: cells.utm_source,
      utmMedium: cells.utm_medium,
      utmCampaign: cells.utm_campaign,
      utmiCampaign: cells.utmi_campaign,
      coupon: cells.coupon,
      marketingTags: tags,
    },
    shippingData: {
      address: { city: cells.city, state: cells.state, country: cells.country, postalCode: cells.postal_code },
    },
    paymentData: { transactions: [{ isActive: true, payments: [payment] }] },
  });
  return {
    stream: "download:vtex_orders",
    key: cells.order,
    load,
    position,
    extractedAt: instant(cells.changed),
    fault,
    object,
  };
}
