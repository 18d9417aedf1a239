import { dayOf } from "./days.ts";
import { Fraction } from "./fraction.ts";

/**
 * Refunds and units that came back of one counted order, from the vendor's own document, as [D18], [D33] and [D73] have it.
 * Units are taken one after another.
 */
export interface OrderRefunds {
  readonly refunds: readonly Refund[];
  readonly cameBack: readonly CameBack[];
  /** The order's own lines, in its order. */
  readonly lines: readonly Line[];
}

/** A refund of more than nothing, or of an unknown amount: null. */
interface Refund {
  /** Its place in the document. */
  readonly no: number;
  readonly on: string;
  /** What is left after the cut, and what was cut. */
  readonly amount: Fraction | null;
  readonly excess: Fraction | null;
}

/** What an entry of a refund gave back of a line. */
interface CameBack {
  readonly line: number;
  readonly entry: number;
  readonly refund: number;
  readonly on: string;
  readonly units: number;
  readonly isRestocked: boolean;
  readonly giftCards: Fraction;
}

/** A vendor's object. */
export type Document = Readonly<Record<string, unknown>>;

/** A line as ordered; what was removed before shipping was never sold. */
export interface Line {
  readonly quantity: number;
  readonly sold: number;
  /** Of all its units as ordered; null: unknown. */
  readonly value: Fraction | null;
  readonly isGiftCard: boolean;
}

type Kind = "restocked" | "not restocked" | "removed";

/** Units of lines that a refund names. */
interface Entry {
  readonly no: number;
  readonly refund: number;
  readonly at: number | null;
  readonly units: number;
  readonly kind: Kind;
  /** The lines that it may be of, in turn. */
  readonly lines: readonly number[];
}

interface Claim {
  readonly no: number;
  readonly at: number | null;
  readonly amount: Fraction | null;
}

const CENTS = 100;
const zero = Fraction.zero;
const greater = (a: Fraction, b: Fraction): Fraction => (a.compare(b) > 0 ? a : b);
const known = (all: readonly (Fraction | null)[]): Fraction[] => all.filter((one) => one !== null);

/** The first value that the object has at one of the paths. */
export function at(object: Document, ...paths: readonly string[]): unknown {
  for (const path of paths) {
    const value = path.split(".").reduce<unknown>((one, name) => (one as Document | null | undefined)?.[name], object);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

export const listAt = (object: Document, ...paths: readonly string[]): readonly Document[] =>
  (at(object, ...paths) ?? []) as readonly Document[];
export const numberAt = (object: Document, ...paths: readonly string[]): number => Number(at(object, ...paths) ?? 0);
export const textAt = (object: Document, ...paths: readonly string[]): string => String(at(object, ...paths) ?? "");
const instantAt = (object: Document, ...paths: readonly string[]): number | null => {
  const text = textAt(object, ...paths);
  return text === "" || text.startsWith("0001-01-01") ? null : Date.parse(text);
};

/** By instant, unknown ones first, then as in the document. */
const inTime = <T extends { readonly no: number; readonly at: number | null }>(all: readonly T[]): T[] =>
  all.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0) || a.no - b.no);

type DayOf = (one: { readonly at: number | null }) => string;

/** What came back, unit by unit. A removed unit was never sold: it gives back only what a gift card was sold for. */
function takenBack(lines: readonly Line[], entries: readonly Entry[], day: DayOf): CameBack[] {
  const left = lines.map(({ sold, quantity, isGiftCard }) => (isGiftCard ? quantity : sold));
  return inTime(entries).flatMap((entry) => {
    const taken = new Map<number, number>();
    for (let unit = 0; unit < entry.units; unit++) {
      const line = entry.lines.find(
        (one) => (left[one] as number) > 0 && (lines[one]?.isGiftCard || entry.kind !== "removed"),
      );
      if (line === undefined) break;
      left[line] = (left[line] as number) - 1;
      taken.set(line, (taken.get(line) ?? 0) + 1);
    }
    return [...taken].map(([no, units]): CameBack => {
      const line = lines[no] as Line;
      return {
        line: no,
        entry: entry.no,
        refund: entry.refund,
        on: day(entry),
        units: line.isGiftCard ? 0 : units,
        isRestocked: entry.kind !== "not restocked",
        giftCards: line.isGiftCard ? valueOfUnits(line, units) : zero,
      };
    });
  });
}

const valueOfUnits = ({ value, quantity }: Line, units: number): Fraction =>
  (value ?? zero).times(new Fraction(units, quantity));

/** Each refund takes what those before it have left of the revenue. */
function cut(claims: readonly Claim[], revenue: Fraction, day: DayOf): Refund[] {
  let left = greater(revenue, zero);
  return inTime(claims.filter(({ amount }) => amount === null || amount.compare(zero) > 0)).map((claim) => {
    const { no, amount } = claim;
    if (amount === null) return { no, on: day(claim), amount, excess: null };
    const kept = amount.compare(left) < 0 ? amount : left;
    left = left.minus(kept);
    return { no, on: day(claim), amount: kept, excess: amount.minus(kept) };
  });
}

// ---------------------------------------------------------------------------------------------------------- storea

export function storeaRefunds(order: Document, zone: string): OrderRefunds {
  const own = dayOf(Date.parse(textAt(order, "creationDate")), zone);
  const day: DayOf = (one) => (one.at === null ? own : dayOf(one.at, zone));
  const lines = storeaLines(order);
  const packages = listAt(order, "packageAttachment.packages").filter(({ type }) => type === "Input");
  const entries = packages
    .flatMap((one, refund) => entriesOf(one, listAt(order, "items")).map((entry) => ({ ...entry, refund })))
    .map((entry, no) => ({ ...entry, no }));
  const cameBack = takenBack(lines, entries, day);
  const all = Fraction.sum(lines.map((line) => valueOfUnits(line, line.sold)));
  const tax = listAt(order, "totals").filter(({ id }) => id === "Tax");
  const claims = packages.map((one, no): Claim => {
    const amounts = [numberAt(one, "invoiceValue"), numberAt(one, "restitutions.Refund.value")];
    const said = amounts.find((cents) => cents > 0);
    const theirs = Fraction.sum(
      cameBack.filter(({ refund }) => refund === no).map(({ line, units }) => valueOfUnits(lines[line] as Line, units)),
    );
    const ofTax = cents(numberAt(tax[0] ?? {}, "value"))
      .times(theirs)
      .per(all);
    const amount = said === undefined ? theirs.plus(ofTax ?? zero) : cents(said);
    return { no, at: instantAt(one, "issuanceDate"), amount };
  });
  return { refunds: cut(claims, cents(numberAt(order, "value")), day), cameBack, lines };
}

const cents = (amount: number): Fraction => new Fraction(amount, CENTS);

/** Removals reduce the last line of their SKU first. */
function storeaLines(order: Document): Line[] {
  const items = listAt(order, "items");
  const left = items.map((item) => numberAt(item, "quantity"));
  for (const { id, quantity } of listAt(order, "changesAttachment.changesData").flatMap((one) =>
    listAt(one, "itemsRemoved"),
  )) {
    for (let unit = 0; unit < Number(quantity); unit++) {
      const line = items.findLastIndex((item, no) => item.id === id && (left[no] as number) > 0);
      if (line >= 0) left[line] = (left[line] as number) - 1;
    }
  }
  return items.map((item, no) => {
    const quantity = numberAt(item, "quantity");
    const [total, price] = [at(item, "priceDefinition.total"), at(item, "sellingPrice")];
    const value = total ?? (price === undefined ? undefined : Number(price) * quantity);
    return {
      quantity,
      sold: left[no] as number,
      value: value === undefined ? null : cents(Number(value)),
      isGiftCard: false,
    };
  });
}

/** The package's items, else those of its refund, whose SKU's lines are taken in turn. */
function entriesOf(one: Document, items: readonly Document[]): Omit<Entry, "no" | "refund">[] {
  const of = { at: instantAt(one, "issuanceDate"), kind: "restocked" as const };
  const own = listAt(one, "items").map((item) => ({
    ...of,
    units: numberAt(item, "quantity"),
    lines: [numberAt(item, "itemIndex")],
  }));
  if (own.length > 0) return own;
  return listAt(one, "restitutions.Refund.items").map((item) => ({
    ...of,
    units: numberAt(item, "quantity"),
    lines: items.flatMap(({ id }, no) => (id === item.id ? [no] : [])),
  }));
}

// ---------------------------------------------------------------------------------------------------------- storeb

/** Of an order of the REST API, or of GraphQL with plain lists. */
export function storebRefunds(order: Document, zone: string): OrderRefunds {
  const own = dayOf(Date.parse(textAt(order, "processed_at", "processedAt", "created_at", "createdAt")), zone);
  const day: DayOf = (one) => (one.at === null ? own : dayOf(one.at, zone));
  const refunds = listAt(order, "refunds");
  const items = listAt(order, "line_items", "lineItems");
  const entries = refunds
    .flatMap((refund, no) =>
      refundLines(refund).map((line) => ({
        refund: no,
        at: timeOf(refund),
        units: numberAt(line, "quantity"),
        kind: kindOf(line),
        lines: items.flatMap(({ id }, place) => (id === at(line, "line_item_id", "lineItem.id") ? [place] : [])),
      })),
    )
    .map((entry, no) => ({ ...entry, no }));
  const lines = items.map((item, place) =>
    storebLine(
      item,
      isTaxIncluded(order),
      entries.filter((entry) => entry.lines.includes(place)),
    ),
  );
  const claims = refunds.map((refund, no): Claim => ({ no, at: timeOf(refund), amount: amountOf(refund, order) }));
  const revenue = amountAt(order, "total_price", "totalPrice") ?? zero;
  return { refunds: cut(claims, revenue, day), cameBack: takenBack(lines, entries, day), lines };
}

const timeOf = (refund: Document): number | null =>
  instantAt(refund, "processed_at", "processedAt", "created_at", "createdAt");
const refundLines = (refund: Document): readonly Document[] => listAt(refund, "refund_line_items", "refundLineItems");
const isTaxIncluded = (order: Document): boolean => at(order, "taxes_included", "taxesIncluded") === true;

function kindOf(line: Document): Kind {
  const type = textAt(line, "restock_type", "restockType").toLowerCase();
  return type === "cancel" ? "removed" : type === "no_restock" ? "not restocked" : "restocked";
}

/** In the shop's money; null: the export does not have it. */
function amountAt(object: Document, ...names: readonly string[]): Fraction | null {
  const sets = names.flatMap((name) => [`${name}_set.shop_money.amount`, `${name}Set.shopMoney.amount`]);
  const text = textAt(object, ...sets, ...names);
  return text === "" ? null : Fraction.of(text);
}

/** A unit that is not there any more and did not come back was removed, too. */
function storebLine(item: Document, included: boolean, entries: readonly Entry[]): Line {
  const units = (isRemoval: boolean): number =>
    entries.filter(({ kind }) => (kind === "removed") === isRemoval).reduce((sum, one) => sum + one.units, 0);
  const quantity = numberAt(item, "quantity");
  const current = at(item, "current_quantity", "currentQuantity");
  const gone = current === undefined ? 0 : quantity - Number(current) - units(false);
  const sum = (lists: readonly string[], names: readonly string[]): Fraction =>
    Fraction.sum(known(listAt(item, ...lists).map((one) => amountAt(one, ...names))));
  const price = amountAt(item, "price", "originalUnitPrice") ?? zero;
  const discount = sum(["discount_allocations", "discountAllocations"], ["amount", "allocatedAmount"]);
  const tax = included ? sum(["tax_lines", "taxLines"], ["price"]) : zero;
  return {
    quantity,
    sold: quantity - Math.min(quantity, Math.max(units(true), gone, 0)),
    value: price.times(new Fraction(quantity)).minus(discount).minus(tax),
    isGiftCard: at(item, "gift_card", "isGiftCard") === true,
  };
}

/** The larger of what was paid back and what came off; null if neither is known of something that came back. */
function amountOf(refund: Document, order: Document): Fraction | null {
  const [money, off] = [moneyOf(refund, order), offOf(refund, order)];
  const gaveUnits = refundLines(refund).some((line) => numberAt(line, "quantity") > 0);
  if (money === null && off === null) return gaveUnits ? null : zero;
  return greater(money ?? zero, off ?? zero);
}

function moneyOf(refund: Document, order: Document): Fraction | null {
  const own = textAt(order, "currency", "currencyCode");
  const paid = listAt(refund, "transactions")
    .filter(
      (one) => textAt(one, "kind").toLowerCase() === "refund" && textAt(one, "status").toLowerCase() === "success",
    )
    .map((one) => {
      const isForeign = at(one, "amountSet") === undefined && textAt(one, "currency") !== own;
      return isForeign ? null : amountAt(one, "amount");
    });
  return known(paid).length > 0 ? Fraction.sum(known(paid)) : amountAt(refund, "total_refunded", "totalRefunded");
}

function offOf(refund: Document, order: Document): Fraction | null {
  const parts = [
    // A line without a subtotal says nothing of its value.
    ...refundLines(refund)
      .filter((line) => amountAt(line, "subtotal") !== null)
      .flatMap((line) => [
        amountAt(line, "subtotal"),
        isTaxIncluded(order) ? null : amountAt(line, "total_tax", "totalTax"),
      ]),
    ...listAt(refund, "refundShippingLines").flatMap((line) => [
      amountAt(line, "subtotalAmount"),
      amountAt(line, "taxAmount"),
    ]),
    ...listAt(refund, "order_adjustments", "orderAdjustments")
      .flatMap((one) => [amountAt(one, "amount"), amountAt(one, "tax_amount", "taxAmount")])
      .map((amount) => amount && zero.minus(amount)),
  ];
  return known(parts).length > 0 ? Fraction.sum(known(parts)) : null;
}
