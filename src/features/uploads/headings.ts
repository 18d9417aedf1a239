import { type Field, isKind } from "../../core/contract/field.ts";
import type { RecordDeclaration } from "../../core/contract/record.ts";

/** The headings of a table, each with values below it, as far as they were read. */
export type Values = ReadonlyMap<string, readonly string[]>;

/** How many headings are proposed for a column. */
const MOST = 5;
/** The least share of the pairs of letters that two names have in common. */
const ALIKE = 0.3;
/** The least share of the values of a column that are dates, amounts or addresses, if it is one of these. */
const SHARE = 0.8;

export const valuesOf = (headings: readonly string[], rows: readonly (readonly string[])[]): Values =>
  new Map(
    headings.map((heading, at) => [heading, rows.map((row) => row[at]?.trim() ?? "").filter((value) => value !== "")]),
  );

/**
 * The headings that may mean a column, the likeliest first: those that share most with its name, or with a label of it. Where
 * the column is of dates, amounts or e-mail addresses, so are the values below them.
 */
export function fittingHeadings(
  record: RecordDeclaration,
  column: string,
  headings: readonly string[],
  values: Values = new Map(),
): string[] {
  const names = [column, ...(record.guide?.labels?.[column] ?? record.lines?.labels[column] ?? [])].map(pairsOf);
  const misfits = misfitsOf(record, column, headings, values);
  const fitting = headings.filter((heading) => !misfits.includes(heading));
  return fitting
    .map((heading, at) => ({ heading, at, alike: Math.max(...names.map((pairs) => common(pairs, pairsOf(heading)))) }))
    .filter(({ alike }) => alike >= ALIKE)
    .sort((a, b) => b.alike - a.alike || a.at - b.at)
    .slice(0, MOST)
    .map(({ heading }) => heading);
}

/** The only heading with dates, amounts or e-mail addresses, where the column is of these. */
export function onlyFitting(
  record: RecordDeclaration,
  column: string,
  headings: readonly string[],
  values: Values,
): string[] {
  if (valueKindOf(record, column) === undefined) return [];
  const misfits = misfitsOf(record, column, headings, values);
  const fitting = headings.filter((one) => !misfits.includes(one) && (values.get(one) ?? []).length > 0);
  return fitting.length === 1 ? fitting : [];
}

/** The headings whose values the column cannot have. */
export function misfitsOf(
  record: RecordDeclaration,
  column: string,
  headings: readonly string[],
  values: Values,
): string[] {
  const kind = valueKindOf(record, column);
  if (kind === undefined) return [];
  return headings.filter((heading) => {
    const all = values.get(heading) ?? [];
    return all.length > 0 && all.filter((value) => LOOKS[kind].test(value)).length < all.length * SHARE;
  });
}

type ValueKind = "day" | "number" | "email";

const LOOKS: Readonly<Record<ValueKind, RegExp>> = {
  day: /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|(?:19|20)\d{6}$)/,
  number: /^[-+(]*\s?(?:[A-Z]{0,3}[$€£]|[A-Z]{3})?\s?[-+]?\d[\d.,' \u00a0]*\)?\s?%?$/,
  email: /^[^\s@]+@[^\s@]+$/,
};

const NUMBERS = ["integer", "number", "money"] as const;

/** What the values of a column look like; undefined where any text may be one. */
function valueKindOf({ fields, lines }: RecordDeclaration, column: string): ValueKind | undefined {
  if (column === "email") return "email";
  const field: Field | undefined = fields[column] ?? lines?.columns[column];
  if (isKind(field, "instant") || isKind(field, "day")) return "day";
  return NUMBERS.some((kind) => isKind(field, kind)) ? "number" : undefined;
}

/** The pairs of letters of a name, without case, accents and punctuation. */
function pairsOf(name: string): ReadonlySet<string> {
  const letters = name
    .slice(0, 200)
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return new Set(letters.flatMap((word) => [...` ${word} `].slice(1).map((_, at) => ` ${word} `.slice(at, at + 2))));
}

function common(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((pair) => other.has(pair)).length;
  return (2 * both) / Math.max(1, one.size + other.size);
}
