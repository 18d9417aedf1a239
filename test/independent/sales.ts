import {
  type Market,
  type MarketLine,
  type MarketOrder,
  productIdOf,
  type Store,
  skuIdOf,
  winningEntry,
} from "../support/market.ts";
import { sellingPrice } from "../support/marketExports.ts";
import { dayOf } from "./days.ts";
import { byText, grouped } from "./facts.ts";
import { Fraction } from "./fraction.ts";
import { type Channel, channelOf, realEmail } from "./text.ts";

/** A sale [D33]: a counted order of the store that was invoiced. */
export interface Sale {
  readonly id: string;
  readonly at: number;
  readonly day: string;
  /** The basket to which it belongs; null if it has none. */
  readonly group: string | null;
  /** Null: anonymous. */
  readonly customer: Customer | null;
  readonly channel: Channel;
  /** Trimmed, in upper case. */
  readonly coupon: string | null;
  /** Without gift cards. */
  readonly lines: readonly SoldLine[];
}

export interface SoldLine {
  readonly product: string | null;
  readonly name: string | null;
  readonly image: string | null;
  /** Units, without those removed from the order. */
  readonly sold: number;
  readonly returned: number;
  /** Of one unit; null: unknown. */
  readonly value: Fraction | null;
  readonly cost: Fraction | null;
}

export interface Customer {
  /** The earliest first [D34]. */
  readonly sales: Sale[];
}

export const firstSale = ({ sales }: Customer): Sale => sales[0] as Sale;
/** The time of the sale's purchase [D6], over the customer's sales in the store [D34]. */
export function purchasedAt({ at, group, customer }: Sale): number {
  if (group === null || customer === null) return at;
  return Math.min(...customer.sales.filter((sale) => sale.group === group).map((sale) => sale.at));
}

/** Of the first purchase, and of a later one. */
export const isFirst = (sale: Sale): boolean =>
  sale.customer !== null && purchasedAt(sale) === purchasedAt(firstSale(sale.customer));
export const isLater = (sale: Sale): boolean =>
  sale.customer !== null && purchasedAt(sale) > purchasedAt(firstSale(sale.customer));

/** Sale value of the units kept [D18]; units without one add nothing. */
export const netRevenue = ({ lines }: Sale): Fraction =>
  Fraction.sum(lines.map(({ sold, returned, value }) => (value ?? Fraction.zero).times(new Fraction(sold - returned))));

/** The earliest first. */
export function salesOf(market: Market, store: Store): Sale[] {
  const counted = winners(store.orders).filter((order) => counts(store, order));
  const keyOf = customerKeys(counted);
  const customers = new Map<string, Customer>();
  const sales: Sale[] = [];
  for (const order of counted.filter((one) => saleTime(store, one) !== null)) {
    const key = keyOf(order);
    const customer = key === null ? null : (customers.get(key) ?? { sales: [] });
    if (key !== null && customer) customers.set(key, customer);
    const at = saleTime(store, order) as number;
    const sale = {
      id: order.id,
      at,
      day: dayOf(at, store.account.timezone),
      group: (order.group ?? "").trim() === "" ? null : order.group,
      customer,
      channel: channelOf({ ...order, campaign: null }),
      coupon: order.coupon?.trim().toUpperCase() ?? null,
      lines: lines(market, store, order),
    };
    customer?.sales.push(sale);
    sales.push(sale);
  }
  const byTime = (a: Sale, b: Sale): number => a.at - b.at || byText(a.id, b.id);
  for (const customer of customers.values()) customer.sales.sort(byTime);
  return sales.sort(byTime);
}

/** Whether anything sold ever came back in any order of the store, a sale or not [D35]. */
export const recordsReturns = (market: Market, store: Store): boolean =>
  winners(store.orders).some((order) => lines(market, store, order).some(({ returned }) => returned > 0));

/** [D47] */
export function winners(orders: readonly MarketOrder[]): MarketOrder[] {
  const groups = grouped(orders, ({ id }) => id).values();
  return [...groups].map((all) => all.reduce((a, b) => (b.changed > a.changed ? b : a)));
}

/** [D3] */
const counts = ({ account }: Store, { good, authorized, invoiced }: MarketOrder): boolean =>
  good && (account.connector === "storeb" || authorized || invoiced !== null);

const saleTime = ({ account }: Store, { at, invoiced }: MarketOrder): number | null =>
  account.connector === "storea" ? invoiced : at;

/** [D5]: an order's e-mail is the platform's customer's latest real one, by when orders were placed. */
function customerKeys(counted: readonly MarketOrder[]): (order: MarketOrder) => string | null {
  const emails = new Map<string, string>();
  for (const { platformId, email } of counted.toSorted((a, b) => a.at - b.at || byText(a.id, b.id))) {
    const real = realEmail(email);
    if (platformId !== null && real !== null) emails.set(platformId, real);
  }
  return ({ platformId, email }) =>
    (platformId === null ? undefined : emails.get(platformId)) ?? realEmail(email) ?? platformId;
}

// ----------------------------------------------------------------------------------------------------------- lines

function lines(market: Market, store: Store, order: MarketOrder): SoldLine[] {
  const isA = store.account.connector === "storea";
  const removed = isA ? removedOfSkus(order.lines) : order.lines.map((line) => line.removed + line.edited);
  const returned = returnedOf(order, removed, isA && order.returnsBy === "sku");
  return order.lines.flatMap((line, no): SoldLine[] =>
    line.giftCard
      ? []
      : [
          {
            product: line.product === null ? null : productIdOf(store.account, line.product),
            name: line.name,
            image: line.image,
            sold: line.quantity - (removed[no] as number),
            returned: returned[no] as number,
            value: isA ? storeaValue(line) : storebValue(line, order.taxesIncluded),
            cost: isA ? inCents(line.cost) : inCents(costBefore(market, store, line, order.at)),
          },
        ],
  );
}

const inCents = (amount: number | null): Fraction | null => (amount === null ? null : new Fraction(amount, 100));
const skuOf = ({ product, sku }: MarketLine): string => (product === null ? `avulso-${sku}` : skuIdOf(product, sku));

/** storea's order changes name a SKU: they take from its last line. */
function removedOfSkus(all: readonly MarketLine[]): number[] {
  const removed = all.map(() => 0);
  for (const change of all) {
    let units = change.removed;
    for (const [no, line] of [...all.entries()].reverse()) {
      if (skuOf(line) !== skuOf(change)) continue;
      const taken = Math.min(units, line.quantity - (removed[no] as number));
      removed[no] = (removed[no] as number) + taken;
      units -= taken;
    }
  }
  return removed;
}

/** Never more than were sold; a return that names a SKU belongs to its first line. */
function returnedOf({ lines: all }: MarketOrder, removed: readonly number[], bySku: boolean): number[] {
  const returned = all.map(() => 0);
  for (const [from, back] of all.entries()) {
    let units = back.returned;
    for (const [no, line] of all.entries()) {
      if (bySku ? skuOf(line) !== skuOf(back) : no !== from) continue;
      const taken = Math.min(units, line.quantity - (removed[no] as number) - (returned[no] as number));
      returned[no] = (returned[no] as number) + taken;
      units -= taken;
    }
  }
  return returned;
}

/** [D18] */
function storeaValue(line: MarketLine): Fraction | null {
  if (line.saleValue === "none") return null;
  if (line.saleValue === "selling") return inCents(sellingPrice(line));
  return new Fraction((line.price ?? 0) * line.quantity - line.discount, 100 * line.quantity);
}

/** [D18] */
function storebValue({ price, quantity, discount, tax }: MarketLine, taxesIncluded: boolean): Fraction | null {
  if (price === null) return null;
  return new Fraction(price * quantity - discount - (taxesIncluded ? tax : 0), 100 * quantity);
}

/** Of the newest reading of the variant that landed before the sale, else of the earliest [D33]. */
function costBefore({ settings, syncs }: Market, store: Store, line: MarketLine, at: number): number | null {
  const entry = winningEntry(store.entries.filter(({ product }) => product === line.product));
  // Only the catalog says which product a REST item belongs to.
  const own = store.readings.filter(
    ({ product, sku, api }) =>
      product === line.product && sku === line.sku && (api === "graphql" || sku < (entry?.skus ?? 0)),
  );
  const before = own.filter(({ sync }) => Date.parse(syncs[sync] as string) < at);
  const reading = before.at(-1) ?? own[0];
  // REST names no currency: it is the shop's.
  return reading && (reading.api === "rest" || reading.currency === settings.currency) ? reading.cost : null;
}
