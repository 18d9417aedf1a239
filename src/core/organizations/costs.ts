import type { CostItem, CostRule, MarginItem, Organization } from "../contract/settings.ts";
import { isDay } from "../params/instant.ts";
import { addDays } from "../time/days.ts";

/** The amounts that a rule of each item may have, besides `none` [D70]. */
const COST_AMOUNTS: Readonly<Record<CostItem, readonly string[]>> = {
  salesTax: ["percentOfRevenue", "percentOfItems", "perOrder"],
  goods: ["percentOfItems"],
  payment: ["percentOfRevenue", "perOrder"],
  shipping: ["percentOfRevenue", "perOrder", "charged"],
  fulfilment: ["percentOfRevenue", "perOrder", "perUnit"],
  commission: ["percentOfRevenue", "percentOfItems", "perOrder"],
  other: ["percentOfRevenue", "percentOfItems", "perOrder", "perUnit"],
  fixed: ["perMonth", "perDay"],
};

/** What an expense may be for. */
export const EXPENSE_ITEMS = Object.keys(COST_AMOUNTS).filter((item) => item !== "goods");

/** An item without rules takes this item of the margin instead. */
const OF_MARGIN: Readonly<Partial<Record<CostItem, "gateway" | "tax" | "shipping" | "costOfGoods">>> = {
  payment: "gateway",
  salesTax: "tax",
  shipping: "shipping",
  goods: "costOfGoods",
};

const DIGITS = "a number of 0 or more with at most 6 decimals is expected";
const percent = {
  type: "number",
  minimum: 0,
  maximum: 100,
  description: "a number from 0 to 100 with at most 6 decimals is expected",
};
const amount = { type: "number", minimum: 0, description: DIGITS };
const always = { const: true, description: "true is expected" };
const text = { type: "string", minLength: 1, description: "a text is expected" };
const day = { type: "string", description: "a day such as 2024-02-29 is expected" };
const SHAPES = {
  percentOfRevenue: percent,
  percentOfItems: percent,
  perOrder: amount,
  perUnit: amount,
  perMonth: amount,
  perDay: amount,
  charged: always,
  none: always,
} as const;

const AMOUNTS = Object.keys(SHAPES) as (keyof typeof SHAPES)[];

/** The shape of `costs` in the settings. */
export const COSTS = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["item"],
    properties: {
      item: { enum: Object.keys(COST_AMOUNTS) },
      name: text,
      from: day,
      until: day,
      where: {
        type: "object",
        additionalProperties: false,
        properties: { integrationId: text, channel: text, paymentMethod: text },
      },
      ...SHAPES,
    },
  },
};

/** Settings whose shape has not been checked. */
type Unchecked = Readonly<Record<string, unknown>>;

/** The faults of a cost rule that a schema cannot express, each with its place. `stores`: their ids, in lower case. */
export const costFaults = (rule: Unchecked, place: string, stores: ReadonlySet<string>): string[] => [
  ...amountFaults(rule, place),
  ...dayFaults(rule, place),
  ...whereFaults(rule, `${place}.where`, stores),
];

function amountFaults(rule: Unchecked, place: string): string[] {
  const sent = AMOUNTS.filter((name) => name in rule);
  const allowed = [...(COST_AMOUNTS[rule.item as CostItem] ?? AMOUNTS.filter((name) => name !== "none")), "none"];
  const others = sent.filter((name) => !allowed.includes(name));
  return [
    ...(sent.length === 1 ? [] : [`${place}: one amount is expected: ${allowed.join(" or ")}`]),
    ...others.map((name) => `${place}.${name}: no amount of ${rule.item}, which has ${allowed.join(", ")}`),
    ...sent
      .filter((name) => !hasSixDecimals(rule[name]))
      .map((name) => `${place}.${name}: at most 6 decimals are expected`),
  ];
}

const hasSixDecimals = (value: unknown): boolean => typeof value !== "number" || Number(value.toFixed(6)) === value;

/** What is wrong with the days of a rule or a note. */
export function dayFaults({ from, until }: Unchecked, place: string): string[] {
  const wrong = Object.entries({ from, until }).filter(([_, value]) => typeof value === "string" && !isDay(value));
  if (wrong.length > 0) return wrong.map(([name]) => `${place}.${name}: ${day.description}`);
  const isBackwards = typeof from === "string" && typeof until === "string" && from > until;
  return isBackwards ? [`${place}.until: ${until} is before from`] : [];
}

function whereFaults({ item, where }: Unchecked, place: string, stores: ReadonlySet<string>): string[] {
  if (where === undefined) return [];
  if (item === "fixed") return [`${place}: fixed costs are of no order`];
  const { integrationId } = (where ?? {}) as Unchecked;
  if (typeof integrationId !== "string" || stores.has(integrationId.toLowerCase())) return [];
  return [`${place}.integrationId: ${integrationId} is no store of these settings`];
}

/** What is allowed but perhaps not meant, each with its place. */
export function costWarnings({ costs = [], margin }: Organization): string[] {
  const twice = costs.flatMap((rule, n) =>
    costs.slice(n + 1).flatMap((other, more) => (bothHold(rule, other) ? [twiceText(rule, n, n + 1 + more)] : [])),
  );
  const items = margin && "items" in margin ? margin.items : {};
  const later = Object.entries(OF_MARGIN).flatMap(([item, of]) => {
    const rules = costs.filter((rule) => rule.item === item);
    const setting = items[of];
    const stands = typeof setting === "object" || (setting === "orders" && of === "shipping");
    const first = rules.map(({ from }) => from ?? "").sort()[0];
    return first && stands
      ? [
          `costs: the first rule of ${item} begins on ${first}; before that day ${item} is unknown, as margin.items.${of} no longer holds`,
        ]
      : [];
  });
  return [...twice, ...later];
}

/** The amount that an item of the margin is, as [D70] takes it. */
const amountOfMargin = (item: CostItem, setting: MarginItem | undefined): Partial<CostRule> | undefined => {
  if (typeof setting === "object")
    return { [item === "goods" ? "percentOfItems" : "percentOfRevenue"]: Number(setting.percent.toFixed(6)) };
  return setting === "orders" && item === "shipping" ? { charged: true } : undefined;
};

/**
 * Rules that replace those of the settings. Where the first rules of an item begin on a day, the item of the margin would no
 * longer hold for the days before: it becomes a rule of its own, until then [D92].
 */
export function withMarginKept({ margin, costs = [] }: Organization, wanted: readonly CostRule[]): readonly CostRule[] {
  const items = margin && "items" in margin ? margin.items : {};
  return Object.entries(OF_MARGIN).reduce<readonly CostRule[]>((rules, [name, of]) => {
    const item = name as CostItem;
    const own = rules.filter((rule) => rule?.item === item);
    const amount = amountOfMargin(item, items[of]);
    const [first] = own.map(({ from }) => from ?? "").sort();
    if (!amount || !first || !isDay(first) || costs.some((rule) => rule.item === item)) return rules;
    const kept = { item, until: addDays(first, -1), ...amount };
    return rules.toSpliced(rules.indexOf(own[0] as CostRule), 0, kept);
  }, wanted);
}

const amountOf = (rule: CostRule): string | undefined => AMOUNTS.find((name) => name in rule);

const twiceText = (rule: CostRule, n: number, other: number): string =>
  `costs[${n}] and costs[${other}]: both rules of ${rule.item} have ${amountOf(rule)} and can hold for one ${rule.item === "fixed" ? "day" : "order"}: they add up`;

/** Two rules of an item with the same kind of amount, of which no key of `where` keeps them apart. */
function bothHold(one: CostRule, other: CostRule): boolean {
  const kind = amountOf(one);
  if (one.item !== other.item || kind !== amountOf(other) || kind === "none") return false;
  const overlap = !((one.until ?? "9999") < (other.from ?? "") || (other.until ?? "9999") < (one.from ?? ""));
  const apart = (["integrationId", "channel", "paymentMethod"] as const).some((key) => {
    const [a, b] = [one.where?.[key], other.where?.[key]];
    return a !== undefined && b !== undefined && spelled(a) !== spelled(b);
  });
  return overlap && !apart;
}

const spelled = (value: string): string => value.trim().toLowerCase();
