import type { CostItem, CostRule, Organization } from "../../src/core/contract/settings.ts";
import { daysFrom, firstOfMonth, lastOfMonth, monthNo, plusDays, type Span, within } from "./days.ts";
import { byText, wholeOf } from "./facts.ts";
import { Fraction } from "./fraction.ts";
import {
  type CostRecords,
  type Expense,
  gidOf,
  orderNumber,
  type ProductCost,
  type ProfitFacts,
  type ProfitLine,
  type ProfitOrder,
} from "./profitFacts.ts";
import { normalized } from "./text.ts";

/** What sales and days cost: rules [D70], records [D71] and the costs of units [D72], only from the sentences of the rules. */

const zero = Fraction.zero;
const HUNDREDTH = new Fraction(1, 100);

// ----------------------------------------------------------------------------------------------------------- rules

const OF_MARGIN = { gateway: "payment", tax: "salesTax", shipping: "shipping", costOfGoods: "goods" } as const;

/** The rules of the settings, and those that the margin's items stand for where an item has none. */
export function rulesOf({ settings, facts }: Pick<ProfitFacts, "settings" | "facts">): CostRule[] {
  const own = settings.costs ?? [];
  const { margin } = settings;
  if (!margin || !("items" in margin)) return [...own];
  const ofMargin = (Object.keys(OF_MARGIN) as (keyof typeof OF_MARGIN)[]).flatMap((name): CostRule[] => {
    const [item, setting] = [OF_MARGIN[name], margin.items[name]];
    if (setting === undefined || own.some((rule) => rule.item === item)) return [];
    if (setting !== "orders") {
      return [
        item === "goods" ? { item, percentOfItems: setting.percent } : { item, percentOfRevenue: setting.percent },
      ];
    }
    const isSynced = wholeOf(facts).orders.some(({ shipping }) => !shipping.isZero);
    return name === "shipping" && isSynced ? [{ item, charged: true }] : [];
  });
  return [...own, ...ofMargin];
}

/** The days on which a rule is in force. */
export const daysOfRule = ({ from, until }: CostRule): Span => ({ start: from ?? null, end: until ?? null });

/** Whether a rule holds for an order. */
export function holds(rule: CostRule, { counted, payments }: ProfitOrder): boolean {
  const { integrationId, channel, paymentMethod } = rule.where ?? {};
  return (
    within(counted.day, daysOfRule(rule)) &&
    (integrationId === undefined || integrationId.toLowerCase() === counted.store) &&
    (channel === undefined || channel === counted.channel) &&
    (paymentMethod === undefined || payments.has(normalized(paymentMethod) ?? ""))
  );
}

/** Σ sale value of its sold units. */
export const itemsOf = ({ lines }: ProfitOrder): Fraction =>
  Fraction.sum(lines.map(({ value, sold }) => (value ?? zero).times(new Fraction(sold))));

/** What an order costs by a rule that holds for it; 0 by one that says that there is no such cost. */
export function amountOf(rule: CostRule, order: ProfitOrder): Fraction {
  const percent = (value: number): Fraction => Fraction.of(value).times(HUNDREDTH);
  const { counted, lines, giftCards } = order;
  if (rule.percentOfRevenue !== undefined) {
    return percent(rule.percentOfRevenue).times(counted.revenue.minus(giftCards));
  }
  if (rule.percentOfItems !== undefined) return percent(rule.percentOfItems).times(itemsOf(order));
  if (rule.perOrder !== undefined) return Fraction.of(rule.perOrder);
  if (rule.perUnit !== undefined) {
    return Fraction.of(rule.perUnit).times(new Fraction(lines.reduce((sum, { sold }) => sum + sold, 0)));
  }
  return rule.charged ? counted.shipping : zero;
}

export const isPercent = ({ percentOfRevenue, percentOfItems }: CostRule): boolean =>
  percentOfRevenue !== undefined || percentOfItems !== undefined;

/** What a day costs by a rule of `fixed`; null: it is not in force, or says that there is no such cost. */
export function amountOn(rule: CostRule, day: string): Fraction | null {
  if (rule.none || !within(day, daysOfRule(rule))) return null;
  if (rule.perDay !== undefined) return Fraction.of(rule.perDay);
  const month = monthNo(day);
  return shareOn(day, firstOfMonth(month), lastOfMonth(month), Fraction.of(rule.perMonth ?? 0));
}

/** A day's share of an amount that is spread evenly: 6 decimals, what remains on the last day [D10]. */
function shareOn(day: string, start: string, stop: string, amount: Fraction): Fraction {
  const days = daysFrom(start, stop);
  const each = amount.times(new Fraction(1, days)).rounded(6);
  return day === stop ? amount.minus(each.times(new Fraction(days - 1))) : each;
}

// --------------------------------------------------------------------------------------------------------- records

/** The store that a row names: by its id, or by a name that only one store has; null: no store, undefined: none that is known. */
function storeNamed(text: string | null, settings: Organization): string | null | undefined {
  const wanted = (text ?? "").trim();
  if (wanted === "") return null;
  const stores = storesOf(settings);
  const read = normalized(wanted);
  const named = stores.filter(({ name }) => read !== null && name !== undefined && normalized(name) === read);
  return stores.find(({ id }) => id === wanted.toLowerCase())?.id ?? (named.length === 1 ? named[0]?.id : undefined);
}

const storesOf = ({ integrations = [] }: Organization) =>
  integrations.filter(({ connector }) => connector === "storea" || connector === "storeb");

/** The store of a row that must have one: without a name the only one. */
function storeOfRow(text: string | null, settings: Organization): string | null {
  const [only, ...others] = storesOf(settings);
  const named = storeNamed(text, settings);
  return named === null ? (others.length === 0 ? (only?.id ?? null) : null) : (named ?? null);
}

interface Row {
  readonly finance: string;
  readonly currency: string | null;
}

/** Rows in the organization's currency, of integrations that the settings name. */
function counting<T extends Row>(rows: readonly T[], { currency: own, integrations = [] }: Organization): T[] {
  const isOwn = (currency: string | null): boolean => {
    const named = (currency ?? "").trim().toUpperCase();
    return named === "" || own === undefined || named === own.toUpperCase();
  };
  return rows.filter(({ finance, currency }) => isOwn(currency) && integrations.some(({ id }) => id === finance));
}

/** An expense that counts. */
export interface Spent {
  readonly item: Expense["item"];
  /** Null: of no store. */
  readonly store: string | null;
  readonly start: string;
  readonly stop: string;
  /** What each of its days costs. */
  readonly days: readonly { readonly day: string; readonly amount: Fraction }[];
}

export function expensesOf({ settings, records }: ProfitFacts): Spent[] {
  return counting(records.expenses, settings).flatMap((row): Spent[] => {
    const store = storeNamed(row.integration_id, settings);
    if (store === undefined) return [];
    const [start, stop] = [row.date_start, row.date_stop ?? row.date_start];
    const days = Array.from({ length: daysFrom(start, stop) }, (_, no) => plusDays(start, no));
    const amount = Fraction.of(row.amount);
    return [
      {
        item: row.item,
        store,
        start,
        stop,
        days: days.map((day) => ({ day, amount: shareOn(day, start, stop, amount) })),
      },
    ];
  });
}

/** The fees of the orders that have any. */
export function feesOf({ settings, orders, records }: ProfitFacts): Map<ProfitOrder, Fraction> {
  const fees = new Map<ProfitOrder, Fraction>();
  for (const row of counting(records.paymentFees, settings)) {
    const store = storeOfRow(row.integration_id, settings);
    const named = row.order_id.trim();
    const own = orders.filter(({ counted }) => counted.store === store);
    const isStoreb = storesOf(settings).find(({ id }) => id === store)?.connector === "storeb";
    const order =
      own.find(({ counted }) => counted.id === (isStoreb ? orderNumber(named) : named)) ??
      own.find(({ name }) => name !== null && name === named.replace(/^#/, ""));
    if (order) fees.set(order, (fees.get(order) ?? zero).plus(Fraction.of(row.fee)));
  }
  return fees;
}

// ----------------------------------------------------------------------------------------------------- costs of units

/** The cost of a unit, and where it comes from. */
export interface UnitCost {
  readonly amount: Fraction;
  readonly from: "product-costs" | "orders" | "rules";
  /** What each rule makes of it; none if a rule says that there is no cost. */
  readonly rules: readonly { readonly rule: CostRule; readonly amount: Fraction }[];
}

/** The cost of a unit of a line [D72]; null: unknown. */
export function unitCost(
  { settings, records }: { readonly settings: Organization; readonly records: CostRecords },
  rules: readonly CostRule[],
  order: ProfitOrder,
  line: ProfitLine,
): UnitCost | null {
  const own = recordedCost(settings, records, order, line) ?? null;
  if (own) return { amount: Fraction.of(own.cost), from: "product-costs", rules: [] };
  if (line.cost) return { amount: line.cost, from: "orders", rules: [] };
  const held = rules.filter((rule) => rule.item === "goods" && holds(rule, order));
  const percents = held.filter((rule) => !rule.none);
  if (held.length === 0 || (percents.length > 0 && line.value === null)) return null;
  const parts = percents.map((rule) => ({
    rule,
    amount: Fraction.of(rule.percentOfItems ?? 0)
      .times(HUNDREDTH)
      .times(line.value ?? zero),
  }));
  return { amount: Fraction.sum(parts.map(({ amount }) => amount)), from: "rules", rules: parts };
}

/** The newest row in force on the order's day: of the SKU, by id before the store's own code, else of the product. */
function recordedCost(
  settings: Organization,
  { productCosts }: CostRecords,
  { counted }: ProfitOrder,
  line: ProfitLine,
): ProductCost | undefined {
  const integrations = settings.integrations ?? [];
  const isStoreb = integrations.find(({ id }) => id === counted.store)?.connector === "storeb";
  const idOf = (type: "Product" | "ProductVariant", text: string): string => (isStoreb ? gidOf(type, text) : text);
  const rows = counting(productCosts, settings)
    .filter(({ integration_id }) => storeOfRow(integration_id, settings) === counted.store)
    .filter(({ valid_from }) => valid_from === null || valid_from <= counted.day)
    .map((row) => {
      const [sku, product] = [(row.sku ?? "").trim(), (row.product_id ?? "").trim()];
      const isById = sku !== "" && line.sku === idOf("ProductVariant", sku);
      return {
        row,
        isById,
        isOfSku: isById || (sku !== "" && line.code === sku),
        isOfProduct: sku === "" && product !== "" && line.product === idOf("Product", product),
        place: integrations.findIndex(({ id }) => id === row.finance),
      };
    });
  const last = (some: typeof rows): ProductCost | undefined =>
    some
      .toSorted(
        (a, b) =>
          byText(a.row.valid_from ?? "", b.row.valid_from ?? "") ||
          Number(a.isById) - Number(b.isById) ||
          a.place - b.place,
      )
      .at(-1)?.row;
  return last(rows.filter(({ isOfSku }) => isOfSku)) ?? last(rows.filter(({ isOfProduct }) => isOfProduct));
}

/** The items that orders cause, in the order of the lines, without the costs of goods. */
export const OF_ORDERS = ["salesTax", "payment", "shipping", "fulfilment", "commission", "other"] as const;
export type OrderItem = (typeof OF_ORDERS)[number] & CostItem;
