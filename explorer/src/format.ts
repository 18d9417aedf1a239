import { signal } from "@preact/signals";
import { lang, t } from "./text.ts";

/** The stores' currency as the service reports it; without a currency, amounts are plain numbers. */
export const currency = signal<string | undefined>(undefined);

/** The time zone of instants: that of the organization's first store. Without one they are in UTC, and say so. */
export const zone = signal<string | undefined>(undefined);

/** The units of the API document, and `times` for ratios that are shown as a factor. */
export type Unit = "currency" | "count" | "percent" | "ratio" | "times" | "months" | "days" | "units" | "number";

const locale = (): string => (lang.value === "pt" ? "pt-BR" : "en");
const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

function cachedFormat<T extends Intl.NumberFormat | Intl.DateTimeFormat>(name: string, make: (locale: string) => T): T {
  const key = `${locale()} ${name}`;
  const known = (formats.get(key) as T | undefined) ?? make(locale());
  formats.set(key, known);
  return known;
}

function numbers(options: Intl.NumberFormatOptions): { format(value: number): string } {
  const made = cachedFormat(JSON.stringify(options), (locale) => new Intl.NumberFormat(locale, options));
  // A minus sign, as wide as a plus sign; the browser gives a hyphen.
  return { format: (value) => made.format(value).replace("-", "−") };
}

/** While a text of another organization is made: its currency. */
let ofOther: { readonly currency: string | undefined } | undefined;

/** A text with amounts in another currency than that of the organization that the page shows. */
export function withCurrency(code: string | undefined, text: () => string): string {
  ofOther = { currency: code };
  try {
    return text();
  } finally {
    ofOther = undefined;
  }
}

function inCurrency(options: Intl.NumberFormatOptions): Intl.NumberFormatOptions {
  const code = ofOther ? ofOther.currency : currency.value;
  return code ? { ...options, style: "currency", currency: code } : options;
}

/** One decimal in all of them: those of a column end in the same place. */
const percents = {
  format: (value: number): string =>
    numbers({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value),
};

/** Formats a figure. Null is shown as "not available" in every unit, never as zero. */
export function figure(value: number | null | undefined, unit: Unit): string {
  if (value === null || value === undefined) return t().notAvailable;
  switch (unit) {
    case "currency":
      return numbers(inCurrency({ minimumFractionDigits: 2, maximumFractionDigits: 2 })).format(value);
    case "percent":
      return percents.format(value / 100);
    case "ratio":
      return percents.format(value);
    case "times":
      return `${numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)}×`;
    case "months":
      return t().months(value, numbers({ maximumFractionDigits: 2 }).format(value));
    case "days":
      return t().days(value, numbers({ maximumFractionDigits: Math.abs(value) < 10 ? 1 : 0 }).format(value));
    case "count":
      return numbers({ maximumFractionDigits: 0 }).format(value);
    default:
      return numbers({ maximumFractionDigits: 4 }).format(value);
  }
}

/** The form of large figures on cards: short enough to read at a glance. The exact value is shown on hover. */
export function hero(value: number, unit: Unit): string {
  const size = Math.abs(value);
  const isMoney = unit === "currency";
  if (!isMoney && unit !== "count" && unit !== "units" && unit !== "number") return figure(value, unit);
  if (size >= 100_000) {
    const options = { notation: "compact", maximumSignificantDigits: 3 } as const;
    return numbers(isMoney ? inCurrency(options) : options).format(value);
  }
  if (!isMoney) return numbers({ maximumFractionDigits: size < 1 ? 4 : size < 1000 ? 2 : 0 }).format(value);
  if (size < 1000) return figure(value, unit);
  return whole(value);
}

/** The size of a value that may be far off: two digits. */
export function rough(value: number, unit: Unit): string {
  const options = { notation: "compact", maximumSignificantDigits: 2 } as const;
  return `≈ ${numbers(unit === "currency" ? inCurrency(options) : options).format(value)}`;
}

/** An amount without cents, for narrow cells. */
export const whole = (value: number): string =>
  numbers(inCurrency({ minimumFractionDigits: 0, maximumFractionDigits: 0 })).format(value);

/** An amount without its currency, which the table names. */
export const amount = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? t().notAvailable
    : numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value);

/** The same with its sign. */
export const signedAmount = (value: number | null | undefined): string =>
  `${(value ?? 0) > 0 ? "+" : ""}${amount(value)}`;

/** A difference with its sign, in the form of large figures. No line ends behind the sign. */
export const signed = (value: number, unit: Unit): string =>
  `${value > 0 ? "+" : ""}${hero(value, unit)}`.replace(/^[+−]/, "$&\u2060");

/** The short form, for axes and narrow cells. */
export function short(value: number, unit: Unit): string {
  const options = { notation: "compact", maximumFractionDigits: 1 } as const;
  if (unit === "currency") return numbers(inCurrency(options)).format(value);
  if (unit === "ratio" || unit === "percent")
    return numbers({ style: "percent", maximumFractionDigits: 0 }).format(unit === "ratio" ? value : value / 100);
  return `${numbers(options).format(value)}${unit === "times" ? "×" : ""}`;
}

/** A share with at most one decimal, for cells. */
export const share = (value: number): string => numbers({ style: "percent", maximumFractionDigits: 1 }).format(value);

/** Whether the text of a change rounds to 0: it has no direction then. */
export const isFlat = (value: number): boolean => Math.round(Math.abs(value) * 10) === 0;

/** Larger changes than this, in percent, are shown as a factor. */
const LARGEST = 999;

/** A change in percent with its sign, or as a factor; nothing below a loss of all, where a percentage has no meaning. */
export function change(value: number): string {
  if (value < -LARGEST) return "";
  if (value > LARGEST)
    return `×${numbers({ notation: "compact", maximumSignificantDigits: value < 9900 ? 2 : 3 }).format(1 + value / 100)}`;
  return numbers({ style: "percent", maximumFractionDigits: 1, signDisplay: "exceptZero" }).format(value / 100);
}

/** A difference in percentage points, with its sign. */
export const difference = (inPoints: number): string =>
  numbers({ maximumFractionDigits: 1, signDisplay: "exceptZero" }).format(inPoints);

/** A difference of two ratios in percentage points, with its sign. */
export const points = (ratio: number): string => difference(ratio * 100);

function dates(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return cachedFormat(name, (locale) => new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options }));
}

/** Days have no time zone: the page shows them unchanged in every time zone. */
export const day = (text: string): string =>
  dates("day", { day: "numeric", month: "short", year: "numeric" }).format(Date.parse(text));
/** A day for axes: `3 nov`, `Nov 3`. */
export const shortDay = (text: string): string =>
  dates("shortDay", { day: "numeric", month: "short" }).format(Date.parse(text)).replace(" de ", " ").replace(".", "");
export const month = (text: string): string =>
  dates("month", { month: "short", year: "numeric" }).format(Date.parse(text));
/** A month in full: `outubro de 2026`. */
export const longMonth = (text: string): string =>
  dates("longMonth", { month: "long", year: "numeric" }).format(Date.parse(text));
/** A month for axes: `mar/25`, `Mar 25`. */
export function shortMonth(text: string): string {
  const name = dates("monthName", { month: "short" }).format(Date.parse(text)).replace(".", "");
  return `${name}${lang.value === "pt" ? "/" : " "}${text.slice(2, 4)}`;
}
function instants(name: string, options: Intl.DateTimeFormatOptions): (text: string) => string {
  return (text) => {
    const timeZone = zone.value;
    const made = timeZone
      ? dates(`${name} ${timeZone}`, { ...options, timeZone })
      : dates(name, { ...options, timeZone: "UTC" });
    return `${made.format(Date.parse(text))}${timeZone ? "" : " UTC"}`;
  };
}
export const instant = instants("instant", { dateStyle: "medium", timeStyle: "short" });
/** The same without the year, for narrow places. */
export const shortInstant = instants("shortInstant", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** The name of the week, month, quarter or year that begins on the day: `2025-04-01` → `T2 2025`. */
export function cohort(text: string, groupBy: "week" | "month" | "quarter" | "year"): string {
  if (groupBy === "week") return t().cohort.week(shortDay(text));
  if (groupBy === "year") return text.slice(0, 4);
  if (groupBy === "quarter") return t().quarter(Math.ceil(Number(text.slice(5, 7)) / 3), text.slice(0, 4));
  return month(text);
}

export const range = (from: string, to: string): string =>
  dates("day", { day: "numeric", month: "short", year: "numeric" }).formatRange(Date.parse(from), Date.parse(to));

/** The same for narrow places, without a year that both have: `22 out – 20 nov`, `Oct 22 – Nov 20`. */
export const shortRange = (from: string, to: string): string =>
  dates("shortDay", { day: "numeric", month: "short" })
    .formatRange(Date.parse(from), Date.parse(to))
    .replaceAll(" de ", " ")
    .replaceAll(".", "");
