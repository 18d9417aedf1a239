import fc from "fast-check";
import type { Document } from "../independent/refunds.ts";

/** Orders with refunds of any kind, as the vendors' APIs have them. */

const amount = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9999 }));
const often = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(one, { nil: undefined, freq: 3 });
/** Some at midnight in the store's zone, some twice. */
const instant = fc.constantFrom(
  "2025-03-02T02:59:59Z",
  "2025-03-02T03:00:00Z",
  "2025-03-10T12:00:00Z",
  "2025-03-10T12:00:00Z",
  "2025-04-01T00:30:00Z",
);
const ORDERED = "2025-03-01T15:00:00Z";

const storeaItem = fc.record({
  id: fc.constantFrom("S1", "S2", "S3"),
  quantity: fc.integer({ min: 1, max: 4 }),
  sellingPrice: fc.option(amount, { freq: 6 }),
  total: often(amount),
});

/** The items of a package by their places, or those of its refund by their SKUs. */
const storeaPackage = (isBySku: boolean, items: number): fc.Arbitrary<Document> =>
  fc
    .record({
      issuanceDate: fc.oneof(instant, instant, fc.constant(null), fc.constant("0001-01-01T00:00:00")),
      invoiceValue: often(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12_000 }))),
      value: often(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12_000 }))),
      back: fc.array(
        fc.record({
          itemIndex: fc.integer({ min: 0, max: items - 1 }),
          id: fc.constantFrom("S1", "S2", "S3"),
          quantity: fc.integer({ min: 0, max: 3 }),
        }),
        { maxLength: 3 },
      ),
    })
    .map(({ issuanceDate, invoiceValue, value, back }) => ({
      type: "Input",
      issuanceDate,
      ...(invoiceValue === undefined ? {} : { invoiceValue }),
      items: isBySku ? [] : back.map(({ itemIndex, quantity }) => ({ itemIndex, quantity, price: 0 })),
      restitutions: {
        Refund: {
          ...(value === undefined ? {} : { value }),
          items: isBySku ? back.map(({ id, quantity }) => ({ id, quantity })) : [],
        },
      },
    }));

export const storeaOrder = (number: number): fc.Arbitrary<Document> =>
  fc
    .record({
      items: fc.array(storeaItem, { minLength: 1, maxLength: 4 }),
      isBySku: fc.boolean(),
      removed: fc.array(fc.record({ id: fc.constantFrom("S1", "S2"), quantity: fc.integer({ min: 1, max: 3 }) }), {
        maxLength: 2,
      }),
      value: fc.integer({ min: -100, max: 20_000 }),
      tax: amount,
    })
    .chain(({ items, isBySku, removed, value, tax }) =>
      fc.array(storeaPackage(isBySku, items.length), { maxLength: 3 }).map((packages) => ({
        orderId: `a${number}`,
        status: "invoiced",
        value,
        creationDate: ORDERED,
        lastChange: ORDERED,
        authorizedDate: ORDERED,
        invoicedDate: ORDERED,
        totals: [{ id: "Tax", value: tax }],
        storePreferencesData: { currencyCode: "BRL" },
        items: items.map(({ total, ...item }, at) => ({
          uniqueId: `a${number}-${at}`,
          productId: item.id,
          name: item.id,
          ...item,
          ...(total === undefined ? {} : { priceDefinition: { total } }),
        })),
        changesAttachment: { changesData: [{ itemsRemoved: removed }] },
        packageAttachment: { packages: [{ type: "Output", invoiceValue: 999, items: [] }, ...packages] },
      })),
    );

// ---------------------------------------------------------------------------------------------------------- storeb

const text = (cents: number): string => (cents / 100).toFixed(2);

const storebLine = fc.record({
  quantity: fc.integer({ min: 1, max: 4 }),
  price: amount,
  discounts: fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 2 }),
  taxes: fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 2 }),
  isGiftCard: fc.boolean(),
  /** Units that an edit removed; undefined: the export does not have what is left. */
  edited: often(fc.integer({ min: 0, max: 1 })),
});

const storebRefund = fc.record({
  processed: often(instant),
  created: often(instant),
  total: often(fc.integer({ min: 0, max: 12_000 })),
  lines: fc.array(
    fc.record({
      of: fc.integer({ min: 0, max: 3 }),
      quantity: fc.integer({ min: 0, max: 3 }),
      type: fc.constantFrom("return", "no_restock", "cancel", "legacy_restock", null),
      subtotal: often(amount),
      tax: often(fc.integer({ min: 0, max: 300 })),
    }),
    { maxLength: 3 },
  ),
  transactions: fc.array(
    fc.record({
      kind: fc.constantFrom("refund", "refund", "sale", "void"),
      status: fc.constantFrom("success", "success", "failure", "pending"),
      currency: fc.constantFrom("BRL", "BRL", "USD"),
      amount,
    }),
    { maxLength: 3 },
  ),
  shipping: fc.array(fc.record({ amount, tax: often(fc.integer({ min: 0, max: 300 })) }), { maxLength: 2 }),
  adjustments: fc.array(
    fc.record({ amount: fc.integer({ min: -3000, max: 3000 }), tax: fc.integer({ min: -300, max: 300 }) }),
    { maxLength: 2 },
  ),
});

type Spec = Readonly<{
  number: number;
  value: number;
  included: boolean | undefined;
  lines: readonly (typeof storebLine extends fc.Arbitrary<infer T> ? T : never)[];
  refunds: readonly (typeof storebRefund extends fc.Arbitrary<infer T> ? T : never)[];
}>;

const lineId = ({ number, lines }: Spec, of: number): number => number * 10 + (of % lines.length);

/** What is left of a line. */
function leftOf(spec: Spec, at: number, edited: number): number {
  const gone = spec.refunds
    .flatMap(({ lines }) => lines)
    .filter(({ of }) => of % spec.lines.length === at)
    .reduce((sum, { quantity }) => sum + quantity, 0);
  return Math.max(0, (spec.lines[at]?.quantity ?? 0) - gone - edited);
}

function rest(spec: Spec): Document {
  const { number, value, included, lines, refunds } = spec;
  return {
    id: number,
    created_at: ORDERED,
    processed_at: ORDERED,
    updated_at: ORDERED,
    financial_status: "paid",
    currency: "BRL",
    total_price: text(value),
    ...(included === undefined ? {} : { taxes_included: included }),
    line_items: lines.map(({ quantity, price, discounts, taxes, isGiftCard, edited }, at) => ({
      id: lineId(spec, at),
      product_id: 1,
      variant_id: 1,
      title: "x",
      quantity,
      price: text(price),
      discount_allocations: discounts.map((cents) => ({ amount: text(cents) })),
      tax_lines: taxes.map((cents) => ({ price: text(cents) })),
      gift_card: isGiftCard,
      ...(edited === undefined ? {} : { current_quantity: leftOf(spec, at, edited) }),
    })),
    refunds: refunds.map(({ processed, created, lines: back, transactions, adjustments }, at) => ({
      id: number * 10 + at,
      created_at: created ?? null,
      processed_at: processed ?? null,
      refund_line_items: back.map(({ of, quantity, type, subtotal, tax }) => ({
        line_item_id: lineId(spec, of),
        quantity,
        restock_type: type,
        ...(subtotal === undefined ? {} : { subtotal: text(subtotal) }),
        ...(tax === undefined ? {} : { total_tax: text(tax) }),
      })),
      transactions: transactions.map((one) => ({ ...one, amount: text(one.amount) })),
      order_adjustments: adjustments.map((one) => ({ amount: text(one.amount), tax_amount: text(one.tax) })),
    })),
  };
}

const bag = (cents: number): Document => ({
  shopMoney: { amount: text(cents), currencyCode: "BRL" },
  presentmentMoney: { amount: "0.01", currencyCode: "USD" },
});
const gid = (type: string, id: number): string => `gid://shopify/${type}/${id}`;

function graphql(spec: Spec): Document {
  const { number, value, included, lines, refunds } = spec;
  return {
    id: gid("Order", number),
    createdAt: ORDERED,
    processedAt: ORDERED,
    updatedAt: ORDERED,
    displayFinancialStatus: "PAID",
    currencyCode: "BRL",
    totalPriceSet: bag(value),
    ...(included === undefined ? {} : { taxesIncluded: included }),
    lineItems: lines.map(({ quantity, price, discounts, taxes, isGiftCard, edited }, at) => ({
      id: gid("LineItem", lineId(spec, at)),
      product: { id: gid("Product", 1) },
      variant: { id: gid("ProductVariant", 1) },
      title: "x",
      quantity,
      originalUnitPriceSet: bag(price),
      discountAllocations: discounts.map((cents) => ({ allocatedAmountSet: bag(cents) })),
      taxLines: taxes.map((cents) => ({ priceSet: bag(cents) })),
      isGiftCard,
      ...(edited === undefined ? {} : { currentQuantity: leftOf(spec, at, edited) }),
    })),
    refunds: refunds.map(({ processed, created, total, lines: back, transactions, shipping, adjustments }) => ({
      createdAt: created ?? null,
      processedAt: processed ?? null,
      ...(total === undefined ? {} : { totalRefundedSet: bag(total) }),
      refundLineItems: back.map(({ of, quantity, type, subtotal, tax }) => ({
        lineItem: { id: gid("LineItem", lineId(spec, of)) },
        quantity,
        restockType: type?.toUpperCase() ?? null,
        ...(subtotal === undefined ? {} : { subtotalSet: bag(subtotal) }),
        ...(tax === undefined ? {} : { totalTaxSet: bag(tax) }),
      })),
      transactions: transactions.map(({ kind, status, amount: cents }) => ({
        kind: kind.toUpperCase(),
        status: status.toUpperCase(),
        amountSet: bag(cents),
      })),
      refundShippingLines: shipping.map(({ amount: cents, tax }) => ({
        subtotalAmountSet: bag(cents),
        ...(tax === undefined ? {} : { taxAmountSet: bag(tax) }),
      })),
      orderAdjustments: adjustments.map(({ amount: cents, tax }) => ({
        amountSet: bag(cents),
        taxAmountSet: bag(tax),
      })),
    })),
  };
}

/** Of either API. */
export const storebOrder = (number: number): fc.Arbitrary<Document> =>
  fc
    .record({
      value: fc.integer({ min: 0, max: 20_000 }),
      included: often(fc.boolean()),
      lines: fc.array(storebLine, { minLength: 1, maxLength: 4 }),
      refunds: fc.array(storebRefund, { maxLength: 3 }),
      isRest: fc.boolean(),
    })
    .map(({ isRest, ...spec }) => (isRest ? rest({ number, ...spec }) : graphql({ number, ...spec })));
