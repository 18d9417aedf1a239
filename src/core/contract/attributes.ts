/** An attribute of orders by which figures are broken down; `sql/setup/attributes.sql` has its values. */
interface OrderAttribute {
  /** The key of an order's value, in SQL over the columns of `orders`; `{}` is the prefix of those of a first order. */
  readonly key: string;
  /** The parameters of `/v1/profitability/orders` that select the orders of a value; undefined if none do. */
  readonly selects?: (key: string) => Readonly<Record<string, string>> | undefined;
}

/** No parameters select the orders of a city without a state. */
function placeOf(key: string): Readonly<Record<string, string>> | undefined {
  const slash = key.indexOf("/");
  return slash > 0 ? { state: key.slice(0, slash), city: key.slice(slash + 1) } : undefined;
}

/** The attributes by which a period is broken down [D89]. */
const ORDER_ATTRIBUTES = {
  store: { key: "{}integration_id", selects: (integrationId) => ({ integrationId }) },
  channel: { key: "{}channel", selects: (channel) => ({ channel }) },
  campaign: { key: "{}campaign_key" },
  coupon: { key: "{}coupon", selects: (coupon) => ({ coupon }) },
  payment_group: { key: "{}payment_group", selects: (paymentGroup) => ({ paymentGroup }) },
  installments: { key: "two_digits({}installments)", selects: (key) => ({ installments: String(Number(key)) }) },
  state: { key: "{}state", selects: (state) => ({ state }) },
  city: { key: "place_key({}state, {}city_key)", selects: placeOf },
  country: { key: "{}country", selects: (country) => ({ country }) },
  status: { key: "{}status", selects: (status) => ({ status }) },
  sales_channel: { key: "{}sales_channel", selects: (salesChannel) => ({ salesChannel }) },
  hour: { key: "two_digits({}hour)", selects: (key) => ({ hour: String(Number(key)) }) },
  weekday: { key: "{}weekday::varchar", selects: (weekday) => ({ weekday }) },
  new_or_recurring: { key: "", selects: (customer) => ({ customer }) },
} as const satisfies Readonly<Record<string, OrderAttribute>>;

export type OrderAttributeName = keyof typeof ORDER_ATTRIBUTES;
export const ORDER_ATTRIBUTE_NAMES = Object.keys(ORDER_ATTRIBUTES) as readonly OrderAttributeName[];

const declarationOf = (name: OrderAttributeName): OrderAttribute => ORDER_ATTRIBUTES[name];

/** The key of a value of an order, or of a first order, in SQL. */
export const keySql = (name: OrderAttributeName, prefix: string): string =>
  declarationOf(name).key.replaceAll("{}", prefix);

/** The parameters that select the orders of a value; undefined if none do. */
export const parametersOf = (name: OrderAttributeName, key: string): Readonly<Record<string, string>> | undefined =>
  declarationOf(name).selects?.(key);
