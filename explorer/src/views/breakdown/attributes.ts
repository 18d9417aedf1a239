import { figure } from "../../format.ts";
import { lang, said, t } from "../../text.ts";
import { breakdown as WORDS } from "../../words/later/breakdown.ts";
import { ATTRIBUTES, type Attribute } from "./chosen.ts";

/** A value, or those of two attributes; null where orders have none. */
export type Key = string | null | readonly (string | null)[];

export const halvesOf = (value: Key): readonly (string | null)[] =>
  typeof value === "string" || value === null ? [value] : value;

/** The name of a row for `/v1/explain`; of two values a colon is between them. */
export const rowNameOf = (key: Key): string =>
  typeof key === "string" || key === null
    ? (key ?? "")
    : key.map((half) => (half ?? "").replaceAll(":", "%3A")).join(":");

/** Attributes with an order of their own, and all of their values: one without an order is 0, and has its place. */
const ORDERED: Readonly<Partial<Record<Attribute, readonly string[]>>> = {
  hour: Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0")),
  weekday: ["1", "2", "3", "4", "5", "6", "7"],
};

export const placesOf = (attribute: Attribute): readonly string[] | undefined => ORDERED[attribute];

/** 1 January 2024 was a Monday. */
const weekdayName = (key: string, weekday: "long" | "short"): string => {
  const date = new Date(Date.UTC(2024, 0, Number(key)));
  const name = new Intl.DateTimeFormat(lang.value === "pt" ? "pt-BR" : "en", { weekday, timeZone: "UTC" }).format(date);
  return name.charAt(0).toLocaleUpperCase() + name.slice(1).replace(".", "");
};

function countryName(key: string): string {
  if (!/^[A-Z]{2}$/.test(key)) return key;
  return new Intl.DisplayNames([lang.value === "pt" ? "pt-BR" : "en"], { type: "region" }).of(key) ?? key;
}

/** The name of a value in the page's language; the service's label where it is a name of the shop's. */
export function nameOf(attribute: Attribute, key: string | null, label: string | null): string {
  const words = said(WORDS);
  if (key === null) return words.none[attribute];
  switch (attribute) {
    case "channel":
      return t().channels[key] ?? label ?? key;
    case "payment_group":
      return t().paymentGroups[key] ?? label ?? key;
    case "new_or_recurring":
      return words.buyers[key] ?? label ?? key;
    case "weekday":
      return weekdayName(key, "long");
    case "hour":
      return words.hour(key);
    case "installments":
      return words.installments(Number(key), figure(Number(key), "count"));
    case "country":
      return countryName(key);
    default:
      return label ?? key;
  }
}

/** The same for an axis. */
export const shortNameOf = (attribute: Attribute, key: string, label: string | null): string =>
  attribute === "weekday" ? weekdayName(key, "short") : nameOf(attribute, key, label);

/** The name of a row: of two attributes both, with a point between them. */
export function rowText(by: readonly Attribute[], key: Key, label: Key): string {
  const labels = halvesOf(label);
  return halvesOf(key)
    .map((half, n) => nameOf(by[n] ?? ATTRIBUTES[0], half, labels[n] ?? null))
    .join(" · ");
}

/** What selects the orders of a value in the list of orders, by the names that the list has in the address. */
const SELECTS: Readonly<Partial<Record<Attribute, string>>> = {
  payment_group: "paymentGroup",
  installments: "installments",
  state: "state",
  country: "country",
  hour: "hour",
  weekday: "weekday",
  new_or_recurring: "customer",
  coupon: "coupon",
  sales_channel: "salesChannel",
  status: "status",
  channel: "channel",
  store: "store",
};

function selectionOf(attribute: Attribute, key: string | null): Readonly<Record<string, string>> | undefined {
  if (key === null) return undefined;
  if (attribute === "city") {
    const slash = key.indexOf("/");
    return slash > 0 ? { state: key.slice(0, slash), city: key.slice(slash + 1) } : undefined;
  }
  const name = SELECTS[attribute];
  if (name === undefined) return undefined;
  return { [name]: attribute === "hour" || attribute === "installments" ? String(Number(key)) : key };
}

/** The filters of the list of orders that leave those of a row; undefined if none do. */
export function ordersOf(by: readonly Attribute[], key: Key): Readonly<Record<string, string>> | undefined {
  const parts = halvesOf(key).map((half, n) => selectionOf(by[n] ?? ATTRIBUTES[0], half));
  return parts.includes(undefined) ? undefined : Object.assign({}, ...parts);
}
