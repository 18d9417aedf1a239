import { isKind, kindOf } from "../../contract/field.ts";
import {
  breakdownColumns,
  isKnownColumn,
  landedFields,
  type RecordDeclaration,
  requiredColumns,
  requiredFields,
} from "../../contract/record.ts";
import { exported } from "../../records/index.ts";
import { headingTooLong, refuseTooWide } from "../bytes/limits.ts";
import { FileError } from "../bytes/scan.ts";

import type { Cell, CellKind } from "./formats.ts";
import { foreignOf } from "./partKinds.ts";

/** How many columns a reason names. */
const NAMED = 12;

/** A heading in capitals, with spaces or dots is that of the field. */
export const canonicalName = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[\s.-]+|__/g, "_");

/** The objects of an API in front of the names of their members: `segments.device`. */
const OBJECT = /^(?:segments|metrics)_/;

/** The columns of a plain table: the names of fields for headings that are one, other headings unchanged. */
export function tableReads(
  record: RecordDeclaration,
  headings: readonly string[],
  copies: readonly (readonly [name: string, at: number])[] = [],
): string[] {
  refuseTooWide(headings.length);
  const { columns: currencies = [] } = record.currency ?? {};
  const ofLine = Object.keys(record.lines?.columns ?? {});
  const known = new Set([
    ...landedFields(record).map(([name]) => name),
    ...ofLine,
    ...breakdownColumns(record),
    ...currencies,
  ]);
  const names = headings.map((heading) => {
    const name = heading.trim();
    if (isKnownColumn(record, name) || ofLine.includes(name)) return name;
    const spelled = canonicalName(name);
    return [spelled, spelled.replace(OBJECT, "")].find((one) => known.has(one)) ?? name;
  });
  if (!names.some((name) => Object.hasOwn(record.fields, name))) throw new FileError(noField(record, names));
  for (const [at, heading] of headings.entries()) {
    const error = headingTooLong(at + 1, Buffer.byteLength(heading));
    if (error) throw error;
  }
  const twice = names.findIndex((name, at) => name !== "" && names.indexOf(name) !== at);
  // The name itself may be a value of a table without headings, such as an e-mail.
  if (twice >= 0) {
    const first = names.indexOf(names[twice] ?? "");
    throw new FileError(`CSV: columns ${first + 1} and ${twice + 1} have the same name`);
  }
  const present = new Set([...names, ...copies.map(([name]) => name)]);
  const missing = requiredColumns(record, [...present]).filter((name) => !present.has(name));
  const other = missing.length > 0 ? recordWith(record, names) : undefined;
  if (other)
    throw new FileError(`lacks ${listed(missing)}: it has the columns of ${other}, and belongs into that folder`);
  return names;
}

/**
 * The place of the headings below a title: the first of the longest rows, if the rows above it have at most half as many
 * cells. A table without a title has them in its first row, as has one of which this cannot be said.
 */
export function headingRow(rows: readonly (readonly Cell[])[]): number {
  const filled = rows.map((row) => row.filter((cell) => String(cell).trim() !== "").length);
  const longest = Math.max(0, ...filled);
  const at = filled.indexOf(longest);
  return filled.slice(0, at).every((cells) => cells * 2 <= longest) ? Math.max(0, at) : 0;
}

/** Beginning of the refusal of a table of another kind. */
export const NO_FIELD = "is neither JSON nor Parquet, and as CSV it has no column that is a field of the record";

function noField(record: RecordDeclaration, names: readonly string[]): string {
  const reason = NO_FIELD;
  const foreign = foreignOf(names);
  if (foreign !== undefined) return foreign;
  const other = recordWith(record, names.map(canonicalName));
  if (other) return `${reason}: it has the columns of ${other}, and belongs into that folder`;
  const found = looksLikeHeadings(names) ? `found ${listed(names.filter((name) => name !== ""))}; ` : "";
  return `${reason}: ${found}expected ${listed([...new Set([...requiredFields(record), ...Object.keys(record.fields)])])}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => name.slice(0, 60));
  return shown.join(", ") + (names.length > NAMED ? ", …" : "");
}

/** Whether a first line can be named: the line of a table without headings has values, which may be personal data. */
const looksLikeHeadings = (names: readonly string[]): boolean =>
  names.length > 1 &&
  names.every((name) => /^[\p{L}_][\p{L}\p{N}_ .:()/#%-]{0,60}$|^$/u.test(name) && !/\d{4}/.test(name));

/** Another record whose required columns are all there, with one more: `storeb/products`. */
function recordWith(record: RecordDeclaration, names: readonly string[]): string | undefined {
  const scored = exported
    .filter((other) => other.connector !== record.connector || other.name !== record.name)
    .filter((other) => requiredFields(other).every((name) => names.includes(name)))
    .map((other) => ({
      name: `${other.connector}/${other.name}`,
      // Records of the same connector first: their folders are next to each other.
      fields:
        names.filter((name) => Object.hasOwn(other.fields, name)).length +
        (other.connector === record.connector ? 0.5 : 0),
    }))
    // An id, a name and a time are columns of many tables.
    .filter(({ fields }) => fields >= 3 && fields * 2 >= names.length)
    .sort((a, b) => b.fields - a.fields || (a.name < b.name ? -1 : 1));
  return scored[0]?.name;
}

/** Which columns of a plain table have numbers, dates and ids. Lists are JSON. */
export function plainKinds(record: RecordDeclaration): ReadonlyMap<string, CellKind> {
  const fields = [...landedFields(record), ...Object.entries(record.lines?.columns ?? {})];
  const kinds = fields.flatMap(([name, field]): [string, CellKind][] => {
    const kind = kindOf(field);
    if (kind === "integer" || kind === "number" || kind === "money") return [[name, "number"]];
    if (kind === "day") return [[name, "date"]];
    if (kind === "instant") return [[name, "instant"]];
    return isKind(field, "text") && /(?:^|_)id$/.test(name) ? [[name, "id"]] : [];
  });
  return new Map(kinds);
}
