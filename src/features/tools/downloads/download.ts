import { type Connector, type RecordDeclaration, requiredFields } from "../../../core/contract/record.ts";
import { brief, shortened } from "../../../core/contract/text.ts";
import { VENDORS } from "../../../core/contract/vendor.ts";
import { FileError } from "../../../core/landing/bytes/scan.ts";
import { Sum } from "../../../core/landing/read/decimals.ts";
import { type CellKind, foreignFile } from "../../../core/landing/read/formats.ts";
import type { FileSample, Part, PartSource, ReadSettings, SourceRow } from "../../../core/landing/read/part.ts";
import { canonicalName } from "../../../core/landing/read/plainTable.ts";

/** How the refusal of a report begins that names campaigns, but has no ids of them. */
export const NO_CAMPAIGN_IDS = "has no ids of campaigns";

export type Language = "en" | "pt-BR";

/**
 * A column of a download: its headings by language, and what its cells are. Of several headings in one file the one that
 * comes first here is read.
 */
export interface Column {
  readonly en: readonly string[];
  readonly pt?: readonly string[];
  readonly kind?: CellKind;
}

/** A file that a user downloads from a vendor's pages. */
export interface Download {
  /** For reports: `a Meta Ads Manager export`. */
  readonly name: string;
  /** `socialads/campaigns`; absent if no record has such rows. */
  readonly record?: string;
  readonly columns: Readonly<Record<string, Column>>;
  /** Headings that every such file has, and that nothing is read from: no report names them. */
  readonly standard?: readonly string[];
  /** Whether a heading is that of such a file. */
  isThis(heading: Heading): boolean;
  /** How its rows become parts. FileError refuses the file. */
  open(heading: Heading, settings: ReadSettings, sample: FileSample): Rows;
}

/** Turns the rows of one file into parts. */
export interface Rows {
  /** `first`: the cell of the first column, which names a total. */
  parts(cells: Cells, position: number, first: string): readonly Part[];
  /** A row that was rejected because it does not fit the heading or is not text: some of its cells may be in their places. */
  broken?(cells: Cells): void;
  end?(): Iterable<Part>;
  readonly notes?: readonly string[];
}

/** The cells of a row, by the names of the download's columns, without white space around them; blank ones are absent. */
export type Cells = Readonly<Record<string, string>>;

/** The columns that were found. */
export interface Heading {
  readonly language: Language;
  readonly found: ReadonlyMap<string, string>;
  /** The first heading. */
  readonly first: string;
  /** Headings of no known column. */
  readonly others: readonly string[];
}

const CURRENCY = / \(([A-Z]{3})\)\s*$/;

/** A heading without accents, capitals, doubled spaces and the currency in parentheses at its end. */
const canonical = (heading: string): string =>
  heading
    .replace(/^\uFEFF/, "")
    .replace(CURRENCY, "")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[\s_]+/g, " ")
    .trim();

/** The currency at the end of a heading: `Amount spent (BRL)`. */
export const currencyIn = (heading: string): string | undefined => CURRENCY.exec(heading)?.[1];

/** A column by one of its headings, and that heading's place among those of its language. */
interface Known {
  readonly field: string;
  readonly language: Language;
  readonly rank: number;
}

function headingOf({ columns }: Download, headings: readonly string[]): Heading {
  const byHeading = new Map<string, Known>();
  for (const [field, { en, pt = [] }] of Object.entries(columns)) {
    for (const [rank, heading] of pt.entries()) byHeading.set(canonical(heading), { field, language: "pt-BR", rank });
    for (const [rank, heading] of en.entries()) byHeading.set(canonical(heading), { field, language: "en", rank });
  }
  const found = new Map<string, string>();
  const others: string[] = [];
  let portuguese = 0;
  for (const heading of headings) {
    const known = byHeading.get(canonical(heading));
    if (!known) {
      if (heading !== "") others.push(heading);
      continue;
    }
    const { field, language, rank } = known;
    const other = found.get(field);
    const rankOfOther = other === undefined ? undefined : byHeading.get(canonical(other))?.rank;
    if (other !== undefined && canonical(other) === canonical(heading))
      throw new FileError(`has two columns ${heading}`);
    if (rankOfOther === undefined || rank < rankOfOther) found.set(field, heading);
    if (other !== undefined) others.push(rank < (rankOfOther ?? 0) ? other : heading);
    portuguese += language === "pt-BR" ? 1 : 0;
  }
  return {
    language: portuguese > 0 ? "pt-BR" : "en",
    found,
    first: headings.find((heading) => heading !== "") ?? "",
    others,
  };
}

/** Columns that a list of rejects does not show. */
const PERSONAL = new Set(["email", "document", "postal_code"]);

/** Whether the headings are those of a plain table rather than of the download: `Campaign_Name` is no heading of Google's. */
function isPlain(record: RecordDeclaration, headings: readonly string[], { found }: Heading): boolean {
  const names = new Set(headings.map(canonicalName));
  const plain = [...names].filter((name) => Object.hasOwn(record.fields, name)).length;
  return plain > found.size && requiredFields(record).every((name) => names.has(name));
}

/** Whether a table with these headings is the download, in the folder of whichever record. */
export function isDownload(
  download: Download,
  columns: readonly string[],
  own: RecordDeclaration | undefined,
): boolean {
  const heading = withoutFault(() => headingOf(download, [...new Set(columns)]));
  return heading !== undefined && download.isThis(heading) && !(own && isPlain(own, columns, heading));
}

/** Known headings for each one that is missing: fewer may be those of any table. */
const KNOWN_PER_MISSING = 5;

/** Why a table is not the download whose headings it has but for one or two; undefined if it resembles it less. */
export function whyNotDownload(download: Download, columns: readonly string[]): string | undefined {
  const heading = withoutFault(() => headingOf(download, [...new Set(columns)]));
  if (!heading || download.isThis(heading)) return undefined;
  // Pages write words: `campaign_id` is a column of a plain table.
  const others = new Set(heading.others);
  if (columns.some((column) => !others.has(column) && /^[a-z]+(?:_[a-z]+)+$/.test(column))) return undefined;
  const missing = Object.keys(download.columns).filter((field) => !heading.found.has(field));
  const isThisWith = (fields: readonly string[]): boolean =>
    download.isThis({
      ...heading,
      found: new Map([...heading.found, ...fields.map((field) => [field, field] as const)]),
    });
  if (!isThisWith(missing)) return undefined;
  const needed = missing.reduce((rest, field) => {
    const without = rest.filter((one) => one !== field);
    return isThisWith(without) ? without : rest;
  }, missing);
  if (heading.found.size < KNOWN_PER_MISSING * needed.length) return undefined;
  const standard = new Set(download.standard?.map(canonical));
  const foreign = heading.others.filter((other) => !standard.has(canonical(other))).map((other) => brief(other, 60));
  return (
    `has ${heading.found.size} headings of ${download.name}, but no column ${needed.map((field) => named(download, field, heading)).join(" and no column ")}: ` +
    `download it again, with its headings unchanged${foreign.length > 0 ? `; it has ${shortened(foreign)}, which such a file does not have` : ""}`
  );
}

/** Text in the refusal of a download in the folder of another record. */
export const BELONGS = "which belongs into the folder of";

/** The account that another connector's file needs. */
function accountOf(connector: string, record: string): string {
  const [other = ""] = record.split("/");
  if (other === connector) return "";
  const { alias } = VENDORS[other as Connector];
  return `, of an account of ${alias} (lucra integrations add ${alias}:NAME adds one)`;
}

/** A source for the file if it is this download; refuses it in the folder of another record. */
export function openDownload(
  download: Download,
  record: RecordDeclaration,
  sample: FileSample,
  settings: ReadSettings,
): PartSource | undefined {
  const { columns } = sample;
  // Two columns of one name are a fault only of a file that is this download.
  const heading = withoutFault(() => headingOf(download, [...new Set(columns)]));
  if (!heading || !download.isThis(heading) || isPlain(record, columns, heading)) return undefined;
  const { connector, name } = record;
  if (download.record && `${connector}/${name}` !== download.record) {
    throw new FileError(`is ${download.name}, ${BELONGS} ${download.record}${accountOf(connector, download.record)}`);
  }
  headingOf(download, columns);
  const rows = download.open(heading, settings, sample);
  const names = [...heading.found];
  const standard = new Set(download.standard?.map(canonical));
  const guarded = new Set(names.flatMap(([field]) => (download.columns[field]?.kind === "id" ? [field] : [])));
  return {
    name: download.name,
    unused: new Set(heading.others.filter((other) => !standard.has(canonical(other)))),
    shown: new Set(names.flatMap(([field, heading]) => (PERSONAL.has(field) ? [] : [heading]))),
    kinds: new Map(
      names.flatMap(([field, heading]): [string, CellKind][] => {
        const kind = download.columns[field]?.kind;
        return kind ? [[heading, kind]] : [];
      }),
    ),
    notes: rows.notes ?? [],
    parts: (row, position) =>
      rows.parts(cellsOf(row, names, guarded), position, String(row[heading.first] ?? "").trim()),
    ...(rows.broken ? { broken: (row) => rows.broken?.(cellsOf(row, names, guarded)) } : {}),
    ...(rows.end ? { end: () => rows.end?.() ?? [] } : {}),
  };
}

function withoutFault<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** `guarded`: fields without the apostrophe that keeps a spreadsheet from reading a number. */
function cellsOf(
  row: SourceRow,
  names: readonly (readonly [field: string, heading: string])[],
  guarded: ReadonlySet<string>,
): Cells {
  const cells: Record<string, string> = {};
  for (const [field, heading] of names) {
    const text = String(row[heading] ?? "").trim();
    if (text !== "") cells[field] = text.startsWith("'") && guarded.has(field) ? text.slice(1) : text;
  }
  return cells;
}

/** The headings of a column in the language of the file. */
export const named = ({ columns }: Download, field: string, { language }: Heading): string => {
  const { en = [], pt = [] } = columns[field] ?? {};
  const own = language === "pt-BR" && pt.length > 0 ? pt : en;
  return own.map((heading) => `"${heading}"`).join(" or ");
};

/** An object as JSON, without the members that are undefined. */
export const objectOf = (object: Readonly<Record<string, unknown>>): string => JSON.stringify(object);

/** The vendor shows two decimals. */
const ROUNDING = 0.005;
/** Binary fractions of a spreadsheet: 10.1 and 20.2 add up to 30.299999999999997. */
const BINARY = 1e-6;

/** The rows' sums, which the totals of a file are compared with. */
export class Totals {
  readonly #fields: readonly string[];
  /** Fields that the vendor rounds in each row, and the largest error of a row. */
  readonly #rounded: ReadonlySet<string>;
  readonly #rows = new Map<string, number>();
  readonly #sums = new Map<string, Sum>();
  readonly #totals: { cells: Cells; of: string }[] = [];

  constructor(fields: readonly string[], rounded: readonly string[] = []) {
    this.#fields = [...fields, ...rounded];
    this.#rounded = new Set(rounded);
  }

  /** `group`: further sums that the row belongs to, next to that of all rows. */
  row(cells: Cells, group = ""): void {
    this.#add("", cells);
    if (group !== "") this.#add(group, cells);
  }

  #add(of: string, cells: Cells): void {
    this.#rows.set(of, (this.#rows.get(of) ?? 0) + 1);
    for (const field of this.#fields) {
      const text = cells[field];
      if (text === undefined) continue;
      const key = `${of} ${field}`;
      let sum = this.#sums.get(key);
      if (!sum) {
        sum = new Sum();
        this.#sums.set(key, sum);
      }
      sum.add(text);
    }
  }

  total(cells: Cells, of = ""): void {
    this.#totals.push({ cells, of });
  }

  /** Refuses the file if a total is not the sum of the rows. */
  check(heading: Heading): void {
    for (const { cells, of } of this.#totals) {
      for (const field of this.#fields) {
        const expected = new Sum();
        const text = cells[field];
        if (text === undefined || !expected.add(text)) continue;
        const sum = String(this.#sums.get(`${of} ${field}`) ?? new Sum());
        if (sum === String(expected)) continue;
        const error = this.#rounded.has(field) ? ROUNDING * ((this.#rows.get(of) ?? 0) + 1) : BINARY;
        if (Math.abs(Number(sum) - Number(expected)) < error) continue;
        throw new FileError(
          `has a total of ${expected} in "${heading.found.get(field)}", but its rows add up to ${sum}: export it again, with all ` +
            "rows or without totals",
        );
      }
    }
  }
}

/** Refuses rows of one file that would replace each other. */
export class Keys {
  readonly #seen = new Set<string>();
  readonly #others: readonly string[];

  constructor({ others }: Heading) {
    this.#others = others;
  }

  add(...key: readonly (string | undefined)[]): void {
    const text = key.join("\0");
    if (this.#seen.has(text)) {
      const columns =
        this.#others.length > 0
          ? `; they may differ in ${this.#others.slice(0, 12).join(", ")}, which are not read`
          : "";
      throw new FileError(
        `has two rows of one campaign, days and breakdowns${columns}: export it without that breakdown`,
      );
    }
    this.#seen.add(text);
  }
}

export function refuseOtherCurrency(found: string | undefined, { currency }: ReadSettings): void {
  if (found === undefined || currency === undefined || found.toUpperCase() === currency) return;
  throw foreignFile(found, currency);
}

/** How many labels are remembered. */
const MOST_LABELS = 1_000;

/** Words of the vendor's API, by the labels of its pages; a label that is not known is kept. */
export function wordsOf(
  labels: Readonly<Record<string, readonly string[]>>,
): (label: string | undefined) => string | undefined {
  const words = new Map(
    Object.entries(labels).flatMap(([word, all]) =>
      [word.replaceAll("_", " "), ...all].map((label) => [canonical(label), word] as const),
    ),
  );
  // Folding a label costs more than the rest of a cell, and a file has few labels.
  const known = new Map<string, string>();
  return (label) => {
    if (label === undefined) return undefined;
    const found = known.get(label) ?? words.get(canonical(label)) ?? label;
    if (known.size < MOST_LABELS) known.set(label, found);
    return found;
  };
}
