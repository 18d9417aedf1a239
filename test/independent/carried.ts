import { readFileSync } from "node:fs";
import path from "node:path";
import { PROJECT } from "../../src/core/files/paths.ts";
import { Fraction } from "./fraction.ts";
import { normalized } from "./text.ts";

/** What an order carries, from its own document, only by the sentences and the tables of [D88]. */
export interface Carried {
  readonly paymentGroup: string | null;
  readonly installments: number | null;
  readonly state: string | null;
  readonly city: string | null;
  readonly country: string | null;
  readonly discount: Fraction | null;
  readonly shippingCharged: Fraction | null;
  readonly taxCharged: Fraction | null;
  readonly status: string | null;
  readonly salesChannel: string | null;
  readonly items: number | null;
  readonly hour: number;
  readonly weekday: number;
}

type Document = Readonly<Record<string, unknown>>;

/** Where and when an order was placed, and the units that it sold. */
interface Context {
  readonly at: number;
  readonly day: string;
  readonly timezone: string | undefined;
  readonly items: number | null;
}

export const folded = (text: string | null): string | null =>
  normalized(text)?.normalize("NFD").replaceAll(/\p{M}/gu, "") ?? null;

const upper = (text: string | null): string | null => text?.toUpperCase() ?? null;

/** The value at a path of members; of several paths the first with a text. */
function textAt(document: unknown, ...paths: readonly string[]): string | null {
  for (const one of paths) {
    const value = one.split(".").reduce<unknown>((object, name) => (object as Document | null)?.[name], document);
    if (value !== null && value !== undefined && String(value).trim() !== "") return String(value);
  }
  return null;
}

const listAt = (document: unknown, ...paths: readonly string[]): readonly unknown[] =>
  paths.flatMap((name) => ((document as Document)[name] as readonly unknown[] | null | undefined) ?? []);

/** The brand of each line, as spelled: trimmed, runs of white space one blank [D87]. */
export function brandsIn(document: unknown): (string | null)[] {
  const edges = ((document as Document).lineItems as Document | undefined)?.edges as readonly Document[] | undefined;
  const lines = edges?.map(({ node }) => node) ?? listAt(document, "items", "line_items");
  return lines.map(
    (line) => textAt(line, "additionalInfo.brandName", "vendor")?.trim().replaceAll(/\s+/g, " ") ?? null,
  );
}

interface Line {
  readonly group: string;
  readonly terms: readonly string[];
}

/** The table of payment names, as the page of the rules has it. */
const TABLE: readonly Line[] = (() => {
  const page = readFileSync(path.join(PROJECT, "docs", "rules.md"), "utf8");
  const [, rows = ""] = /\| Group \| Terms \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page) ?? [];
  return rows
    .trim()
    .split("\n")
    .map((row) => {
      const [, group = "", terms = ""] = row.split("|").map((cell) => cell.trim());
      return { group: /`(\w+)`/.exec(group)?.[1] ?? "", terms: terms.split(", ") };
    });
})();

const wordsOf = (name: string): string => ` ${(folded(name)?.match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;

/** Group of a name by the first line with a term in it; undefined if nothing knows it. */
export const groupOfName = (name: string): string | undefined =>
  TABLE.find(({ terms }) =>
    terms.some((term) =>
      term.startsWith('"') ? wordsOf(name) === ` ${term.slice(1, -1)} ` : wordsOf(name).includes(` ${term} `),
    ),
  )?.group;

const OWN_GROUPS: Readonly<Record<string, string>> = {
  creditcard: "credit_card",
  debitcard: "debit_card",
  bankinvoice: "boleto",
  instantpayment: "pix",
  giftcard: "gift_card",
};

const chosenName = (names: readonly string[]): string | undefined =>
  names.find((name) => groupOfName(name) !== "gift_card") ?? names[0];

interface Payment {
  readonly group: string | null;
  readonly installments: number | null;
}

function storeaPayment(document: Document): Payment {
  const transactions = listAt(document.paymentData, "transactions").filter(
    (one) => textAt(one, "isActive") !== "false",
  );
  const payments = transactions.flatMap((one) => listAt(one, "payments"));
  const [largest] = payments.toSorted((a, b) => Number(textAt(b, "value")) - Number(textAt(a, "value")));
  if (largest === undefined) return { group: null, installments: null };
  const [name, own] = [textAt(largest, "paymentSystemName"), textAt(largest, "group")];
  const installments = Number(textAt(largest, "installments") ?? 0);
  const known = own === null ? undefined : OWN_GROUPS[own.toLowerCase().replace(/paymentgroup$/, "")];
  const text = name ?? own;
  const group = known ?? (text === null ? null : (groupOfName(text) ?? "other"));
  return { group, installments: installments >= 1 ? installments : null };
}

function storebGroup(document: Document): string | null {
  const sums = new Map<string, { sum: number; company: string | null }>();
  for (const one of listAt(document, "transactions")) {
    const isPayment =
      /^(sale|capture)$/i.test(String(textAt(one, "kind"))) && /^success$/i.test(String(textAt(one, "status")));
    const foreign = textAt(one, "currency") !== null && textAt(one, "currency") !== "BRL";
    const amount = textAt(one, "amountSet.shopMoney.amount") ?? (foreign ? null : textAt(one, "amount"));
    if (!isPayment || amount === null) continue;
    const name = textAt(one, "paymentDetails.paymentMethodName", "gateway") ?? "";
    const company = textAt(one, "paymentDetails.company", "payment_details.credit_card_company");
    const before = sums.get(name);
    sums.set(name, { sum: (before?.sum ?? 0) + Number(amount), company: before?.company ?? company });
  }
  const [paid] = [...sums].toSorted(([, a], [, b]) => b.sum - a.sum);
  const gateways = listAt(document, "payment_gateway_names", "paymentGatewayNames").map(String);
  const name = paid?.[0] ?? chosenName(gateways.filter((one) => one.trim() !== ""));
  if (name === undefined) return null;
  return groupOfName(name) ?? (paid?.[1].company ? "credit_card" : "other");
}

const STATES: Readonly<Record<string, string>> = { bahia: "BA", "sao paulo": "SP" };
const COUNTRIES: Readonly<Record<string, string>> = { BRA: "BR", URY: "UY" };

const CITY = ["shippingData.address.city", "shipping_address.city", "shippingAddress.city"];
const STATE = [
  "shippingData.address.state",
  ...["shipping_address.province_code", "shippingAddress.provinceCode"],
  ...["shipping_address.province", "shippingAddress.province"],
];
const COUNTRY = [
  "shippingData.address.country",
  ...["shipping_address.country_code", "shippingAddress.countryCodeV2"],
  ...["shipping_address.country", "shippingAddress.country"],
];

function placeOf(document: Document): Pick<Carried, "state" | "city" | "country"> {
  const written = upper(textAt(document, ...COUNTRY)?.trim() ?? null);
  const country = written === null ? null : (COUNTRIES[written] ?? written);
  const state = folded(textAt(document, ...STATE));
  const isBrazilian = country === null || country === "BR";
  return {
    country,
    city:
      textAt(document, ...CITY)
        ?.trim()
        .replaceAll(/\s+/g, " ") ?? null,
    state: state === null ? null : ((isBrazilian ? STATES[state] : undefined) ?? state.toUpperCase()),
  };
}

function amountsOf(document: Document): Pick<Carried, "discount" | "shippingCharged" | "taxCharged"> {
  const totals = new Map(listAt(document, "totals").map((one) => [textAt(one, "id"), textAt(one, "value")]));
  const amount = (id: string, ...paths: readonly string[]): Fraction | null => {
    const cents = totals.get(id);
    if (cents !== undefined && cents !== null) return new Fraction(Math.abs(Number(cents)), 100);
    const text = textAt(document, ...paths);
    return text === null ? null : new Fraction(Math.round(Math.abs(Number(text)) * 100), 100);
  };
  return {
    discount: amount("Discounts", "total_discounts_set.shop_money.amount", "totalDiscountsSet.shopMoney.amount"),
    shippingCharged: amount(
      "Shipping",
      "total_shipping_price_set.shop_money.amount",
      "totalShippingPriceSet.shopMoney.amount",
    ),
    taxCharged: amount("Tax", "total_tax_set.shop_money.amount", "totalTaxSet.shopMoney.amount"),
  };
}

/** The hour and the weekday of an instant on the clock of a zone. */
function clockOf({ at, day, timezone = "UTC" }: Context): Pick<Carried, "hour" | "weekday"> {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, hour: "2-digit", hourCycle: "h23" });
  return { hour: Number(format.format(at)), weekday: ((new Date(`${day}T12:00Z`).getUTCDay() + 6) % 7) + 1 };
}

export function carriedBy(document: Document, context: Context): Carried {
  const isA = document.orderId !== undefined;
  const payment = isA ? storeaPayment(document) : { group: storebGroup(document), installments: null };
  return {
    paymentGroup: payment.group,
    installments: payment.installments,
    ...placeOf(document),
    ...amountsOf(document),
    status: isA
      ? textAt(document, "status")
      : (textAt(document, "financial_status", "displayFinancialStatus")?.toLowerCase() ?? null),
    salesChannel: textAt(document, "salesChannel", "source_name", "sourceName"),
    items: context.items,
    ...clockOf(context),
  };
}
