import type { LetterSetting } from "../../core/contract/settings.ts";
import type { Language } from "./words.ts";

/** Numbers and days as a letter in this language has them. */
export function formatsOf(language: Language, currency: string | undefined) {
  const locale = language === "en" ? "en" : "pt-BR";
  const amounts: Intl.NumberFormatOptions = {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    ...(currency ? { style: "currency", currency } : {}),
  };
  const number = (value: number, options: Intl.NumberFormatOptions): string =>
    new Intl.NumberFormat(locale, options).format(value).replace("-", "−");
  const dated = (day: string, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options }).format(new Date(`${day}T00:00:00Z`));
  const day = (one: string): string => dated(one, { day: "numeric", month: "short", year: "numeric" });
  return {
    currency: (value: number): string => number(value, amounts),
    difference: (value: number): string => number(value, { ...amounts, signDisplay: "exceptZero" }),
    countDifference: (value: number): string => number(value, { maximumFractionDigits: 0, signDisplay: "exceptZero" }),
    count: (value: number): string => number(value, { maximumFractionDigits: 0 }),
    daysCount: (value: number): string =>
      number(value, { style: "unit", unit: "day", unitDisplay: "long", maximumFractionDigits: 0 }),
    times: (value: number): string => `${number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}×`,
    percent: (value: number): string => number(value / 100, { style: "percent", maximumFractionDigits: 1 }),
    change: (value: number): string =>
      number(value, { style: "percent", maximumFractionDigits: 1, signDisplay: "exceptZero" }),
    day,
    month: (one: string): string => dated(one, { month: "long" }),
    /** A day with its weekday, a week by its ends, a month by its name. */
    days: (from: string, to: string, on: LetterSetting["on"]): string => {
      if (on === "daily") return dated(from, { weekday: "long", day: "numeric", month: "long" });
      if (on === "monthly") return dated(from, { month: "long", year: "numeric" });
      const long = new Intl.DateTimeFormat(locale, { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" });
      // Some mail programs show a thin space as none.
      return long.formatRange(new Date(from), new Date(to)).replaceAll("\u2009", " ");
    },
  };
}
