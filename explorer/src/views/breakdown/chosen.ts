// What the address may choose of the page, which is loaded when it is opened.

/** What an order carries, by which a period is broken down [D89]; as the service calls them. */
export const ATTRIBUTES = [
  "payment_group",
  "installments",
  "state",
  "city",
  "country",
  "hour",
  "weekday",
  "new_or_recurring",
  "channel",
  "campaign",
  "coupon",
  "store",
  "sales_channel",
  "status",
] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

const isAttribute = (name: string): name is Attribute => ATTRIBUTES.some((one) => one === name);

/** One attribute, or two different ones; the first one without a choice that is any. */
export function attributesIn(text: string): readonly [Attribute] | readonly [Attribute, Attribute] {
  const [first = "", second = "", ...more] = text.split(",");
  if (!isAttribute(first) || more.length > 0) return [ATTRIBUTES[0]];
  return isAttribute(second) && second !== first ? [first, second] : [first];
}

/** Whether the address names attributes that are any. */
export const areAttributes = (text: string): boolean => attributesIn(text).join(",") === text;

/** The filters of the list of orders, in the address. */
export const ORDER_FILTERS = [
  "customer",
  "channel",
  "store",
  "coupon",
  "paymentGroup",
  "installments",
  "state",
  "city",
  "country",
  "status",
  "salesChannel",
  "hour",
  "weekday",
  "counted",
] as const;

export const NOTHING_CHOSEN: Readonly<Record<string, string>> = Object.fromEntries(
  ORDER_FILTERS.map((name) => [name, ""]),
);
