import type { Locale } from "../../../core/contract/dialect.ts";
import type { Field, Unit } from "../../../core/contract/field.ts";
import { type Column, columnName } from "../../../core/contract/table.ts";
import { labelOf } from "./labels.ts";
import NAMES from "./units.json" with { type: "json" };

/** The unit of a number or an instant, where its label does not say it. */
const MEASURES: Partial<Readonly<Record<string, string>>> = { percent: "(%)", instant: "(UTC)" };

/** The heading of a column in a language: undefined if a part of it has no label. */
export function headingOf(column: Column, locale: Locale): string | undefined {
  const own = labelOf(columnName(column));
  const labels = own ? [own] : column.words.map(labelOf);
  if (labels.some((label) => label === undefined)) return undefined;
  const text = labels.map((label) => label?.[locale]).join(" · ");
  const measure = MEASURES[String(column.unit)];
  return measure ? `${text} ${measure}` : text;
}

/** The names of units, in the tables of definitions. */
const UNITS: Readonly<Record<string, Readonly<Record<Locale, string>>>> = NAMES;

/** Unit of a column: the choices of one that has some, and JSON for what a cell cannot hold. */
export function unitOf({ unit }: Pick<Field, "unit">, locale: Locale): string {
  if (typeof unit !== "object") return UNITS[unit]?.[locale] ?? "";
  return choicesOf(unit)?.join(" | ") ?? "JSON";
}

const choicesOf = (unit: Exclude<Unit, string>): readonly string[] | undefined =>
  "choice" in unit ? unit.choice : undefined;
