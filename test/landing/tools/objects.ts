import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { type Files, lines } from "../../support/tools.ts";

/** Objects of a vendor's API, and the layouts in which tools write them. */

export type Members = Readonly<Record<string, unknown>>;

const DAY = "2025-03-01";
/** Seconds since the epoch of the extraction with this number. */
export const extracted = (number: number): number => 1740830400 + number * 3600;
export const extractedIso = (number: number): string => new Date(extracted(number) * 1000).toISOString();

const money = (cents: number): string => (cents / 100).toFixed(2);
const set = (cents: number): Members => ({
  shop_money: { amount: money(cents), currency_code: "BRL" },
  presentment_money: { amount: money(cents * 2), currency_code: "USD" },
});

const line = fc.record({
  product: fc.integer({ min: 1, max: 4 }),
  quantity: fc.integer({ min: 1, max: 4 }),
  price: fc.integer({ min: 0, max: 99999 }),
  discounts: fc.array(fc.integer({ min: 0, max: 999 }), { maxLength: 2 }),
  taxes: fc.array(fc.integer({ min: 0, max: 999 }), { maxLength: 2 }),
  giftCard: fc.boolean(),
});

const refund = fc.record({
  of: fc.integer({ min: 0, max: 2 }),
  tax: fc.integer({ min: 0, max: 999 }),
  transactions: fc.array(
    fc.record({
      kind: fc.constantFrom("refund", "sale"),
      status: fc.constantFrom("success", "pending"),
      currency: fc.constantFrom("BRL", "USD"),
      cents: fc.integer({ min: 0, max: 99999 }),
    }),
    { maxLength: 3 },
  ),
  adjustments: fc.array(
    fc.integer({ min: -99, max: 99 }).map((cents) => cents * 10),
    { maxLength: 2 },
  ),
});

const sale = fc.record({
  kind: fc.constantFrom("sale", "capture", "authorization"),
  status: fc.constantFrom("success", "failure"),
  gateway: fc.constantFrom("shopify_payments", "gift_card", "Pix (3% off)"),
  currency: fc.constantFrom("BRL", "BRL", "USD"),
  company: fc.constantFrom("Visa", null),
  cents: fc.integer({ min: 0, max: 99999 }),
});

/** Names that only look like JSON, or need quotes. */
const NAMES = ["Vestido", "[Acq] Search", '{"a', 'x, "y"; z', "ação\u00a0é", "[1]"];

const order = (number: number): fc.Arbitrary<Members> =>
  fc
    .record({
      name: fc.constantFrom(...NAMES),
      lines: fc.array(line, { minLength: 1, maxLength: 3 }),
      refunds: fc.array(refund, { maxLength: 2 }),
      gateways: fc.array(fc.constantFrom("shopify_payments", "gift_card", "Pix (3% off)"), { maxLength: 2 }),
      sales: fc.array(sale, { maxLength: 3 }),
      codes: fc.array(fc.constantFrom("SOL20", "VIP"), { maxLength: 1 }),
      shipping: fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 2 }),
      status: fc.constantFrom("paid", "pending", "partially_refunded"),
      cancelled: fc.boolean(),
      minute: fc.integer({ min: 10, max: 59 }),
    })
    .map(({ name, lines: bought, refunds, gateways, sales, codes, shipping, status, cancelled, minute }) => {
      const id = 7300000000000 + number;
      const at = `${DAY}T10:${minute}:00-03:00`;
      const total = bought.reduce((sum, one) => sum + one.price * one.quantity, 0);
      const items = bought.map((one, index) => ({
        id: id * 10 + index,
        product_id: 8100000000000 + one.product,
        variant_id: 4100000000000 + one.product,
        sku: `SKU-${one.product}`,
        title: name,
        name: `${name} - x`,
        quantity: one.quantity,
        current_quantity: one.quantity,
        price: money(one.price),
        price_set: set(one.price),
        total_discount: "0.00",
        gift_card: one.giftCard,
        discount_allocations: one.discounts.map((cents, at) => ({
          amount: money(cents),
          amount_set: set(cents),
          discount_application_index: at,
        })),
        tax_lines: one.taxes.map((cents) => ({ title: "ICMS", rate: 0.1, price: money(cents), price_set: set(cents) })),
      }));
      return {
        id,
        admin_graphql_api_id: `gid://shopify/Order/${id}`,
        name: `#${1000 + number}`,
        email: `c${number}@example.com`,
        created_at: at,
        processed_at: at,
        updated_at: at,
        cancelled_at: cancelled ? at : null,
        test: false,
        currency: "BRL",
        financial_status: status,
        taxes_included: false,
        subtotal_price: money(total),
        subtotal_price_set: set(total),
        total_discounts: "0.00",
        total_discounts_set: set(0),
        total_shipping_price_set: set(shipping.reduce((sum, cents) => sum + cents, 0)),
        total_tax: "0.00",
        total_tax_set: set(0),
        total_price: money(total),
        total_price_set: set(total),
        landing_site: null,
        customer: { id: 9100000000000 + number, email: `c${number}@example.com` },
        payment_gateway_names: gateways,
        transactions: sales.map(({ company, cents, ...one }, at) => ({
          id: (id * 100 + 99) * 10 + at,
          order_id: id,
          ...one,
          amount: money(cents),
          payment_details: { credit_card_company: company },
        })),
        shipping_address: { city: name, province_code: "SP", country_code: "BR", zip: "01310-100" },
        source_name: "web",
        fulfillment_status: null,
        discount_codes: codes.map((code) => ({ code, amount: "1.00", type: "fixed_amount" })),
        shipping_lines: shipping.map((cents, index) => ({
          id: id * 10 + index,
          price: money(cents),
          discounted_price: money(cents),
          price_set: set(cents),
        })),
        line_items: items,
        refunds: refunds.map(({ of, tax, transactions, adjustments }, index) => {
          const refunded = items[of % items.length];
          return {
            id: id * 100 + index,
            order_id: id,
            created_at: at,
            processed_at: at,
            note: null,
            restock: true,
            refund_line_items: [
              {
                id: id * 1000 + index,
                line_item_id: refunded?.id,
                quantity: 1,
                restock_type: "return",
                subtotal: refunded?.price,
                subtotal_set: refunded?.price_set,
                total_tax: money(tax),
                total_tax_set: set(tax),
              },
            ],
            transactions: transactions.map(({ kind, status, currency, cents }, at) => ({
              id: (id * 100 + index) * 10 + at,
              order_id: id,
              refund_id: id * 100 + index,
              kind,
              status,
              gateway: "shopify_payments",
              amount: money(cents),
              currency,
            })),
            order_adjustments: adjustments.map((cents, at) => ({
              id: (id * 100 + index) * 10 + at,
              order_id: id,
              refund_id: id * 100 + index,
              kind: cents < 0 ? "shipping_refund" : "refund_discrepancy",
              amount: money(cents),
              amount_set: set(cents),
              tax_amount: money(cents / 10),
              tax_amount_set: set(cents / 10),
            })),
          };
        }),
      };
    });

/** Orders with different ids. */
export const orders: fc.Arbitrary<readonly Members[]> = fc
  .array(fc.constant(0), { minLength: 1, maxLength: 4 })
  .chain((all) => fc.tuple(...all.map((_, at) => order(at + 1))));

/** A CSV file. Objects and lists are JSON text, as the tools write them. */
export function csv(rows: readonly Members[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown): string => {
    if (value === null || value === undefined) return "";
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return /[",;\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const all = [columns.map(cell), ...rows.map((row) => columns.map((name) => cell(row[name])))];
  return all.map((cells) => `${cells.join(",")}\n`).join("");
}

/** Columns of nested objects: `a__b`; lists are left to the caller. */
function flattened(row: Members, separator: string, prefix = ""): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (value === null || Array.isArray(value)) continue;
    if (typeof value === "object")
      Object.assign(columns, flattened(value as Members, separator, `${prefix}${name}${separator}`));
    else columns[prefix + name] = value;
  }
  return columns;
}

export const airbyte = (rows: readonly Members[], number = 0): readonly Members[] =>
  rows.map((row, at) => ({
    _airbyte_raw_id: `0e1e2e3e-0000-4000-8000-${String(at).padStart(12, "0")}`,
    _airbyte_extracted_at: extracted(number) * 1000,
    _airbyte_generation_id: 1,
    _airbyte_meta: { changes: [], sync_id: 1 },
    _airbyte_data: row,
  }));

export const airbyteFlat = (rows: readonly Members[], number = 0): readonly Members[] =>
  airbyte(rows, number).map(({ _airbyte_data: data, ...meta }) => ({ ...meta, ...(data as Members) }));

/** The tables of one load of dlt. */
export function dlt(table: string, rows: readonly Members[], number = 0): Files {
  const load = `${extracted(number)}.5`;
  const tables = new Map<string, Record<string, unknown>[]>();
  let ids = 0;
  const write = (name: string, row: Members, own: Members): void => {
    const id = `d${number}x${++ids}`;
    tables.set(name, [...(tables.get(name) ?? []), { ...flattened(row, "__"), ...own, _dlt_id: id }]);
    for (const [list, elements] of Object.entries(row)) {
      if (!Array.isArray(elements)) continue;
      for (const [at, element] of elements.entries()) {
        const value = typeof element === "object" ? (element as Members) : { value: element };
        write(`${name}__${list}`, value, { _dlt_parent_id: id, _dlt_root_id: id, _dlt_list_idx: at });
      }
    }
  };
  for (const row of rows) write(table, row, { _dlt_load_id: load });
  return Object.fromEntries(
    [...tables].map(([name, all]) => [`${name}/${load}.0a1b2c3d4e.jsonl`, gzipSync(lines(...all))]),
  );
}

/** The tables of Fivetran's Shopify connector, of the REST generation. */
export function fivetranOrders(rows: readonly Members[], number = 0): Files {
  const synced = { _fivetran_synced: extractedIso(number).replace("T", " ").replace("Z", "") };
  const utc = (at: unknown): unknown =>
    typeof at === "string" ? new Date(at).toISOString().replace("T", " ").replace("Z", "") : at;
  const tables: Record<string, Members[]> = {
    order: [],
    order_line: [],
    discount_allocation: [],
    tax_line: [],
    refund: [],
    order_line_refund: [],
    transaction: [],
    order_adjustment: [],
    order_discount_code: [],
    order_shipping_line: [],
  };
  const add = (table: string, row: Members): void => void tables[table]?.push({ ...row, ...synced });
  const list = (row: Members, name: string): readonly Members[] => row[name] as readonly Members[];
  for (const row of rows) {
    const { line_items: _, refunds: __, discount_codes: ___, shipping_lines: ____, customer, ...own } = row;
    const { admin_graphql_api_id: _____, total_price_set: ______, payment_gateway_names: _______, ...rest } = own;
    const { transactions: sales, shipping_address: shipped, ...plain } = rest;
    const columns: Record<string, unknown> = plain;
    for (const [name, value] of Object.entries((shipped ?? {}) as Members)) columns[`shipping_address_${name}`] = value;
    for (const { payment_details, ...one } of (sales ?? []) as Members[]) {
      const { credit_card_company: payment_credit_card_company } = (payment_details ?? {}) as Members;
      add("transaction", { ...one, refund_id: null, payment_credit_card_company });
    }
    for (const name of ["created_at", "processed_at", "updated_at", "cancelled_at"]) columns[name] = utc(columns[name]);
    add("order", { ...columns, customer_id: (customer as Members).id, _fivetran_deleted: false });
    for (const [index, item] of list(row, "line_items").entries()) {
      const { discount_allocations: discounts, tax_lines: taxes, current_quantity: _, ...line } = item;
      add("order_line", { order_id: row.id, ...line, index });
      for (const [at, one] of (discounts as Members[]).entries()) {
        const amount = (one.amount_set as { shop_money: Members }).shop_money.amount;
        add("discount_allocation", {
          order_line_id: item.id,
          index: at,
          amount: one.amount,
          amount_set_shop_money_amount: amount,
        });
      }
      for (const [at, one] of (taxes as Members[]).entries())
        add("tax_line", { order_line_id: item.id, index: at, ...one });
    }
    for (const refund of list(row, "refunds")) {
      const { refund_line_items: all, transactions, order_adjustments: adjustments, ...columns } = refund;
      add("refund", { ...columns, created_at: utc(refund.created_at), processed_at: utc(refund.processed_at) });
      for (const one of transactions as Members[]) if (one.kind === "refund") add("transaction", one);
      for (const one of adjustments as Members[]) add("order_adjustment", one);
      for (const { line_item_id, ...one } of all as Members[]) {
        add("order_line_refund", { ...one, refund_id: refund.id, order_line_id: line_item_id });
      }
    }
    for (const [index, one] of list(row, "discount_codes").entries())
      add("order_discount_code", { order_id: row.id, index, ...one });
    for (const one of list(row, "shipping_lines"))
      add("order_shipping_line", { order_id: row.id, carrier_identifier: null, ...one });
  }
  const heading: Record<string, string> = {
    order_line: "order_id,id",
    refund: "order_id,id,created_at",
    transaction: "order_id,refund_id,kind",
    order_adjustment: "refund_id,amount",
  };
  return Object.fromEntries(
    Object.entries(tables).map(([name, all]) => [
      `${name}/${name}.csv`,
      all.length > 0 ? csv(all) : `${heading[name] ?? "order_line_id,index"},_fivetran_synced\n`,
    ]),
  );
}
