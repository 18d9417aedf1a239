import { daysBefore } from "../../../days.ts";

// What costs mean to people: rules of one item that hold on the same days and for the same orders are one cost.

export const ITEMS = [
  "goods",
  "salesTax",
  "payment",
  "shipping",
  "fulfilment",
  "commission",
  "other",
  "fixed",
] as const;
export type CostItem = (typeof ITEMS)[number];

/** The amounts that a cost of each item may have, besides that there is none [D70]. */
export const KINDS = {
  goods: ["percentOfItems"],
  salesTax: ["percentOfRevenue", "percentOfItems", "perOrder"],
  payment: ["percentOfRevenue", "perOrder"],
  shipping: ["percentOfRevenue", "perOrder", "charged"],
  fulfilment: ["percentOfRevenue", "perOrder", "perUnit"],
  commission: ["percentOfRevenue", "percentOfItems", "perOrder"],
  other: ["percentOfRevenue", "percentOfItems", "perOrder", "perUnit"],
  fixed: ["perMonth", "perDay"],
} as const satisfies Readonly<Record<CostItem, readonly AmountKind[]>>;

const ALL = [
  "percentOfRevenue",
  "percentOfItems",
  "perOrder",
  "perUnit",
  "perMonth",
  "perDay",
  "charged",
  "none",
] as const;
export type AmountKind = (typeof ALL)[number];

export interface Where {
  readonly integrationId?: string;
  readonly channel?: string;
  readonly paymentMethod?: string;
}

interface About {
  readonly item: CostItem;
  readonly name?: string;
  /** Days, inclusive; absent: open. */
  readonly from?: string;
  readonly until?: string;
  readonly where?: Where;
}

/** A rule as the settings have it: with one amount. */
export type CostRule = About & { readonly [Kind in AmountKind]?: number | boolean };

/** Amounts that hold together: 3.5 % of revenue and 0.40 per order. `charged` and `none` are `true`. */
export interface Cost extends About {
  readonly amounts: Readonly<Partial<Record<AmountKind, number | true>>>;
}

const KEYS = ["integrationId", "channel", "paymentMethod"] as const;

const placeOf = ({ item, name, from, until, where }: About): string =>
  JSON.stringify([item, name, from, until, ...KEYS.map((key) => where?.[key])]);

/** The rules as costs, in the order of their first rules. An amount of a kind that the cost has is another cost. */
export function costsOf(rules: readonly CostRule[]): readonly Cost[] {
  const all: { place: string; cost: Cost }[] = [];
  for (const rule of rules) {
    const kind = ALL.find((name) => rule[name] !== undefined);
    if (kind === undefined) continue;
    const place = placeOf(rule);
    const amount = rule[kind] as number | true;
    const same = all.find((one) => one.place === place && canJoin(one.cost, kind));
    if (same) same.cost = { ...same.cost, amounts: { ...same.cost.amounts, [kind]: amount } };
    else {
      const { item, name, from, until, where } = rule;
      all.push({ place, cost: { ...present({ name, from, until, where }), item, amounts: { [kind]: amount } } });
    }
  }
  return all.map(({ cost }) => cost);
}

const canJoin = ({ amounts }: Cost, kind: AmountKind): boolean =>
  !(kind in amounts) && kind !== "none" && !("none" in amounts);

/** The rules of a cost: one for each amount. */
export const rulesOf = ({ item, name, from, until, where, amounts }: Cost): readonly CostRule[] =>
  ALL.filter((kind) => amounts[kind] !== undefined).map((kind) => ({
    item,
    ...present({ name, from, until, where: where && Object.keys(where).length > 0 ? where : undefined }),
    [kind]: amounts[kind],
  }));

export const allRulesOf = (costs: readonly Cost[]): readonly CostRule[] => costs.flatMap(rulesOf);

function present<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Whether two costs can hold on one day for one order: nothing that they are limited to keeps them apart. */
export function meet(one: Cost, other: Cost): boolean {
  if (one.item !== other.item) return false;
  const overlap = !((one.until ?? "9999") < (other.from ?? "") || (other.until ?? "9999") < (one.from ?? ""));
  const apart = KEYS.some((key) => {
    const [a, b] = [one.where?.[key], other.where?.[key]];
    return a !== undefined && b !== undefined && a.trim().toLowerCase() !== b.trim().toLowerCase();
  });
  return overlap && !apart;
}

/** The costs that would add up with this one because an amount of the same kind holds for the same orders. */
export const addingUp = (cost: Cost, others: readonly Cost[]): readonly Cost[] =>
  others.filter(
    (other) =>
      meet(cost, other) && ALL.some((kind) => kind !== "none" && kind in cost.amounts && kind in other.amounts),
  );

/** A cost that ends on a day; undefined if it would never hold. */
export const endedOn = (cost: Cost, until: string): Cost | undefined =>
  cost.from !== undefined && cost.from > until ? undefined : { ...cost, until };

/** A cost whose place in the list another one, or nothing, takes. */
export const replaced = (costs: readonly Cost[], old: Cost, ...by: readonly (Cost | undefined)[]): readonly Cost[] =>
  costs.flatMap((one) => (one === old ? by.filter((next) => next !== undefined) : [one]));

/** What a margin says, for the items that have no rule of their own: percents, or what the orders say. */
export type MarginItem = "orders" | { readonly percent: number };
export type Margin =
  | { readonly percent: number }
  | { readonly items: Readonly<Partial<Record<MarginName, MarginItem>>> };
export type MarginName = "gateway" | "tax" | "shipping" | "costOfGoods";

/** The item of the margin that an item without rules takes. */
export const OF_MARGIN: Readonly<Partial<Record<CostItem, MarginName>>> = {
  payment: "gateway",
  salesTax: "tax",
  shipping: "shipping",
  goods: "costOfGoods",
};

/** What the margin says of an item without rules, as a cost of all days; undefined if it says nothing. */
export function fromMargin(item: CostItem, margin: Margin | undefined | null): Cost | undefined {
  const name = OF_MARGIN[item];
  const said = name && margin && "items" in margin ? margin.items[name] : undefined;
  if (said === undefined) return undefined;
  if (said === "orders") return item === "shipping" ? { item, amounts: { charged: true } } : undefined;
  return { item, amounts: { [item === "goods" ? "percentOfItems" : "percentOfRevenue"]: said.percent } };
}

/**
 * What remains of the margin for the days before the first rule of an item: as soon as there is a rule the margin no longer
 * holds, and the days before would be unknown.
 */
export function keptOfMargin(
  first: Cost,
  others: readonly Cost[],
  margin: Margin | undefined | null,
): Cost | undefined {
  if (first.from === undefined || others.some(({ item }) => item === first.item)) return undefined;
  const said = fromMargin(first.item, margin);
  return said && endedOn(said, daysBefore(first.from, 1));
}
