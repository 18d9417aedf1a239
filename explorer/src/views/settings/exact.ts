import { currency } from "../../format.ts";
import { lang } from "../../text.ts";

const locale = (): string => (lang.value === "pt" ? "pt-BR" : "en");

/** A percentage with all of its decimals: 3.99 % is not 4 %. */
export const exactPercent = (value: number): string =>
  new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 6 }).format(value / 100);

/** An amount with all of its decimals, at least two. */
export const exactMoney = (value: number): string =>
  new Intl.NumberFormat(locale(), {
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
    ...(currency.value ? { style: "currency", currency: currency.value } : {}),
  }).format(value);

/** A number as it is typed into a field. */
export const typedNumber = (value: number): string =>
  new Intl.NumberFormat(locale(), { maximumFractionDigits: 6, useGrouping: false }).format(value);

/**
 * The number that somebody typed, with a decimal comma or point; undefined for none. The last separator is the decimal one. A
 * single one before exactly three digits is read as the language reads it: "1.500" is 1500 in Portuguese.
 */
export function numberIn(text: string, isPortuguese = lang.value === "pt"): number | undefined {
  const bare = text.replaceAll(/[\s%R$€£]/g, "");
  if (!/^[\d.,]*\d[\d.,]*$/.test(bare)) return undefined;
  const signs = bare.match(/[.,]/g) ?? [];
  const last = signs.at(-1);
  const isOnly = signs.every((sign) => sign === last);
  const grouping = isPortuguese ? "." : ",";
  const endsInThree = /[.,]\d{3}$/.test(bare);
  const isGrouped = last !== undefined && isOnly && (signs.length > 1 || (endsInThree && last === grouping));
  const decimal = last === undefined || isGrouped ? undefined : last;
  const plain = [...bare]
    .filter((sign, at) => /\d/.test(sign) || (sign === decimal && at === bare.lastIndexOf(sign)))
    .map((sign) => (sign === decimal ? "." : sign))
    .join("");
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}
