/*
 * The attributes by which figures are broken down: a new one is an entry here and, unless orders have it, a column of theirs.
 * `npm run documents` writes `sql/setup/attributes.sql` from them (`src/documents/attributesSql.ts`).
 */

/** A relation with the names of values, and its columns. */
export interface Names {
  readonly from: string;
  readonly key: string;
  readonly name: string;
  /** The key as answers have it; the default is `key`. */
  readonly shownKey?: string;
  readonly source?: string;
}

/** What cohorts need of an attribute of the first purchase [D30], [D87]. */
interface OfCohorts {
  /** Its name in `breakBy`. */
  readonly cohorts?: string;
  /** What distinguishes values with the same key, in SQL like `key`. */
  readonly source?: string;
  /** The names of its values. A value that is not there has the name of `label`. */
  readonly names?: Names;
  /** The daily sums of cohorts have it, so that these need no orders. */
  readonly isSummed?: true;
  /** Its values have spend of their own [D86]. */
  readonly hasSpend?: true;
}

/** An attribute of orders. */
interface OrderAttribute extends OfCohorts {
  /**
   * The key of an order's value, in SQL over the columns of `orders`; `{}` is the prefix of those of a first order. What depends on the
   * period is a column of `valued_orders` in `sql/setup/period_breakdowns.sql`.
   */
  readonly key: string;
  /** The name of a value, in SQL of its key `{}`; the default is the key. */
  readonly label?: string;
  /** The parameters of `/v1/profitability/orders` that select the orders of a value; undefined if none do. */
  readonly selects?: (key: string) => Readonly<Record<string, string>> | undefined;
}

/** An attribute of the lines of a first purchase, in SQL over the columns of `first_lines` in `sql/setup/breakdowns.sql`. */
interface LineAttribute extends OfCohorts {
  readonly key: string;
  readonly cohorts: string;
  readonly label: string;
  /** A purchase without products has the value null; of other attributes it has none. */
  readonly isOfAll?: true;
}

/** No parameters select the orders of a city without a state. */
function placeOf(key: string): Readonly<Record<string, string>> | undefined {
  const slash = key.indexOf("/");
  return slash > 0 ? { state: key.slice(0, slash), city: key.slice(slash + 1) } : undefined;
}

/** The attributes by which a period is broken down [D89]. */
const ORDER_ATTRIBUTES = {
  store: {
    key: "{}integration_id",
    cohorts: "loja",
    label: "null",
    names: { from: "integrations", key: "integration_id", name: "integration_name" },
    isSummed: true,
    hasSpend: true,
    selects: (integrationId) => ({ integrationId }),
  },
  channel: {
    key: "{}channel",
    cohorts: "origem",
    label: "channel_label({})",
    isSummed: true,
    hasSpend: true,
    selects: (channel) => ({ channel }),
  },
  campaign: {
    key: "{}campaign_key",
    cohorts: "campanha",
    source: "{}campaign_connector",
    names: {
      from: "campaigns",
      key: "campaign_key",
      name: "campaign_name",
      shownKey: "campaign_id",
      source: "connector",
    },
    isSummed: true,
    hasSpend: true,
  },
  coupon: { key: "{}coupon", cohorts: "cupom", isSummed: true, selects: (coupon) => ({ coupon }) },
  payment_group: {
    key: "{}payment_group",
    cohorts: "pagamento",
    label: "payment_group_label({})",
    selects: (paymentGroup) => ({ paymentGroup }),
  },
  installments: {
    key: "two_digits({}installments)",
    label: "ltrim({}, '0') || 'x'",
    selects: (key) => ({ installments: String(Number(key)) }),
  },
  state: { key: "{}state", cohorts: "estado", selects: (state) => ({ state }) },
  city: {
    key: "place_key({}state, {}city_key)",
    cohorts: "cidade",
    names: { from: "city_names()", key: "place", name: "name" },
    selects: placeOf,
  },
  country: { key: "{}country", selects: (country) => ({ country }) },
  status: { key: "{}status", selects: (status) => ({ status }) },
  sales_channel: { key: "{}sales_channel", selects: (salesChannel) => ({ salesChannel }) },
  hour: { key: "two_digits({}hour)", label: "{} || 'h'", selects: (key) => ({ hour: String(Number(key)) }) },
  weekday: { key: "{}weekday::varchar", label: "weekday_label({})", selects: (weekday) => ({ weekday }) },
  new_or_recurring: { key: "customer_group", label: "customer_group_label({})", selects: (customer) => ({ customer }) },
} as const satisfies Readonly<Record<string, OrderAttribute>>;

/** The attributes of lines by which cohorts are broken down [D30], [D87]. */
const LINE_ATTRIBUTES = {
  produto: {
    key: "product_id",
    cohorts: "produto",
    label: "null",
    source: "line_store_id",
    names: {
      from: "named_products()",
      key: "product_id",
      name: "name",
      source: "integration_id",
    },
  },
  categoria: {
    key: "coalesce(category_id, 'uncategorized')",
    cohorts: "categoria",
    label: "null",
    source: "case when category_id is not null then line_store_id end",
    names: { from: "categories", key: "category_id", name: "name", source: "integration_id" },
  },
  marca: {
    key: "brand_key",
    cohorts: "marca",
    label: "{}",
    names: { from: "brand_names()", key: "brand_key", name: "name" },
    isOfAll: true,
  },
} as const satisfies Readonly<Record<string, LineAttribute>>;

export type OrderAttributeName = keyof typeof ORDER_ATTRIBUTES;
export type LineAttributeName = keyof typeof LINE_ATTRIBUTES;

/** The attributes, as the SQL is written from them. */
export interface Attributes {
  readonly orders: Readonly<Record<string, OrderAttribute>>;
  readonly lines: Readonly<Record<string, LineAttribute>>;
}
export const ATTRIBUTES: Attributes = { orders: ORDER_ATTRIBUTES, lines: LINE_ATTRIBUTES };

export const ORDER_ATTRIBUTE_NAMES = Object.keys(ORDER_ATTRIBUTES) as readonly OrderAttributeName[];

const declarationOf = (name: OrderAttributeName): OrderAttribute => ORDER_ATTRIBUTES[name];

export const isOfLines = (name: string): name is LineAttributeName => Object.hasOwn(LINE_ATTRIBUTES, name);

/** The key of a value of an order, or of a first order, in SQL. */
export const keySql = (name: OrderAttributeName, prefix: string): string =>
  declarationOf(name).key.replaceAll("{}", prefix);

/** The parameters that select the orders of a value; undefined if none do. */
export const parametersOf = (name: OrderAttributeName, key: string): Readonly<Record<string, string>> | undefined =>
  declarationOf(name).selects?.(key);

type BreakOf<T> = { [K in keyof T]: T[K] extends { readonly cohorts: infer B extends string } ? B : never }[keyof T];
type PaybackBreak = BreakOf<typeof ORDER_ATTRIBUTES>;
export type CohortBreak = PaybackBreak | BreakOf<typeof LINE_ATTRIBUTES>;

/** What payback curves are broken down by: attributes of the first order. */
export const PAYBACK_BREAKS = Object.values(ATTRIBUTES.orders).flatMap(({ cohorts = [] }) => cohorts as PaybackBreak);
/** What cohorts are broken down by: also attributes of the lines of the first purchase. */
export const COHORT_BREAKS: readonly CohortBreak[] = [
  ...PAYBACK_BREAKS,
  ...Object.values(LINE_ATTRIBUTES).map(({ cohorts }) => cohorts),
];

/** Those with spend of their own. */
export const BREAKS_WITH_SPEND = Object.values(ATTRIBUTES.orders).flatMap(({ cohorts = [], hasSpend = false }) =>
  hasSpend ? cohorts : [],
);

/** The attribute of each breakdown, by its name in `breakBy`. */
export const BROKEN_DOWN_BY: Readonly<Record<string, OrderAttributeName | LineAttributeName>> = Object.fromEntries(
  Object.entries({ ...ATTRIBUTES.orders, ...ATTRIBUTES.lines }).flatMap(([name, { cohorts }]) =>
    cohorts === undefined ? [] : [[cohorts, name as OrderAttributeName | LineAttributeName]],
  ),
);
