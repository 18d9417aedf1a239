import { hasLines, landedNames, type RecordDeclaration } from "../../contract/record.ts";
import type { ColumnNames } from "../../contract/settings.ts";

/**
 * The headings of a table, with the names of fields in place of those that the settings map. A table that has a field
 * under its own name keeps it. `copies`: further fields of a heading that is mapped to several, with its place.
 */
export function renamedColumns(
  headings: readonly string[],
  columns: ColumnNames = {},
): { names: string[]; copies: [name: string, at: number][] } {
  const names = [...headings];
  const copies: [string, number][] = [];
  for (const [field, from] of Object.entries(columns)) {
    const at = [from]
      .flat()
      .map((heading) => headings.indexOf(heading))
      .find((place) => place >= 0);
    if (at === undefined || headings.includes(field)) continue;
    if (names[at] === headings[at]) names[at] = field;
    else copies.push([field, at]);
  }
  return { names, copies };
}

/** A heading as words: without case, accents, punctuation and the currency that some programs add. */
const wordsOf = (heading: string): string =>
  heading
    .trimEnd()
    .replace(/\([A-Z]{3}\)$/, "")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The other names of a record's columns. */
export const labelsOf = (record: RecordDeclaration): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(landedNames(record).map((name) => [name, record.guide?.labels?.[name] ?? []]));

/** The headings that mean a column of a record by another name: its own words, or one of its labels. */
export function matchedColumns(
  columns: Readonly<Record<string, readonly string[]>>,
  headings: readonly string[],
): Record<string, string> {
  const free = new Map<string, string>();
  for (const heading of headings) {
    const words = wordsOf(heading);
    if (words !== "" && !Object.hasOwn(columns, heading) && !free.has(words)) free.set(words, heading);
  }
  const matched: Record<string, string> = {};
  for (const [field, labels] of Object.entries(columns)) {
    if (headings.includes(field)) continue;
    const words = [field, ...labels].map(wordsOf).find((one) => free.has(one));
    if (words === undefined) continue;
    matched[field] = free.get(words) ?? "";
    free.delete(words);
  }
  return matched;
}

interface Table {
  readonly headings: readonly string[];
  /** Its first rows. */
  readonly rows?: readonly (readonly string[])[];
}

/**
 * The headings of a table that mean a column of the record, also those of a table with a row for each line [D230]. `known`:
 * the headings of columns that somebody has said.
 */
export function meantColumns(
  record: RecordDeclaration,
  { headings, rows = [] }: Table,
  known: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const own = Object.entries(labelsOf(record)).filter(([name]) => !Object.hasOwn(known, name));
  const plain = matchedColumns(Object.fromEntries(own), headings);
  const { lines } = record;
  if (!lines) return plain;
  const ofLine = Object.keys(lines.columns).filter((name) => !Object.hasOwn(known, name));
  const labels = ofLine.map((name): [string, readonly string[]] => [name, lines.labels[name] ?? []]);
  const found = matchedColumns(Object.fromEntries([...labels, ...own]), headings);
  if (!hasLines(record, [...headings, ...Object.keys(known), ...Object.keys(found)])) return plain;
  const [key = ""] = record.key;
  const keyAt = headings.indexOf(known[key] ?? found[key] ?? key);
  for (const [field, line] of Object.entries(lines.instead)) {
    const heading = found[field];
    if (heading === undefined) continue;
    const isSaid = known[line] === heading;
    const isOpen = ofLine.includes(line) && found[line] === undefined && !headings.includes(line);
    if (!isSaid && (!isOpen || isOfKey(rows, keyAt, headings.indexOf(heading), lines.adds.includes(field)))) continue;
    delete found[field];
    if (!isSaid) found[line] = heading;
  }
  return found;
}

/** Whether rows of one key have one value in a column. `otherwise`: where no row of the sample repeats a key. */
function isOfKey(rows: readonly (readonly string[])[], keyAt: number, at: number, otherwise: boolean): boolean {
  const found = new Map<string, string>();
  let repeats = false;
  for (const row of rows) {
    const [key = "", value = ""] = [row[keyAt], row[at]];
    if (key === "" || value === "") continue;
    const first = found.get(key);
    if (first === undefined) found.set(key, value);
    else if (first !== value) return false;
    else repeats ||= /[1-9]/.test(value);
  }
  return otherwise || repeats;
}
