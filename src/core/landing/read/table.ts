import { hasLines, isKnownColumn, type RecordDeclaration, requiredColumns, unpaidNote } from "../../contract/record.ts";
import { quantity } from "../../contract/text.ts";
import { decode, EncodingSurvey, likelyText } from "../bytes/encoding.ts";
import { LimitError } from "../bytes/limits.ts";
import { FileError } from "../bytes/scan.ts";
import { labelsOf, matchedColumns, renamedColumns } from "./columns.ts";
import { type Cell, type CellKind, FormatSurvey, type Formats } from "./formats.ts";
import type { LineWriter, Target } from "./lineWriter.ts";
import { OrderLines } from "./orderLines.ts";
import type { PartSource } from "./part.ts";
import { almostOf, sourceBelow, sourceOf } from "./partKinds.ts";
import { PartReader, tableSample } from "./partRows.ts";
import { headingRow, NO_FIELD, plainKinds, tableReads } from "./plainTable.ts";
import { LineSpool } from "./spool.ts";

/** How many rows a table is recognized by: downloads have lines above their heading. */
const SAMPLED_ROWS = 40;
export const MOST_ABOVE_HEADING = 20;

/** The cells of a table. */
export interface Cells {
  readonly rows: AsyncIterable<readonly Cell[]>;
  /** Bytes that were read as Latin-1, whose encoding is to be found. */
  readonly isEncoded: boolean;
  /** Whether the file ends without a line end; known when all rows have been read. */
  readonly endsInRow: () => boolean;
  /** Called when the heading has been found below other rows: the next row has the width of the others. */
  readonly isBelow?: () => void;
}

/** A table whose heading has been found. */
interface Found {
  readonly columns: readonly string[];
  readonly source: PartSource | undefined;
  readonly kinds: ReadonlyMap<string, CellKind>;
  /** The columns that are read, with their places; a column of a plain table may be several fields. */
  readonly reads: readonly (readonly [name: string, at: number])[];
  /** The other columns of a plain table: rows of one key may differ in them. */
  readonly unread: readonly (readonly [name: string, at: number])[];
  /** The number of rows above the first one below the heading. */
  readonly above: number;
  /** Whether it has a row for each line [D230]. */
  readonly isOfLines?: boolean;
}

/**
 * Reads a table in two steps, because its encoding and the format of its numbers and dates are decided by all of its
 * rows: the first writes the cells to a temporary file, the second reads them from there.
 */
export class TableReader {
  readonly #record: RecordDeclaration;
  readonly #writer: LineWriter;
  readonly #target: Target;

  constructor(record: RecordDeclaration, writer: LineWriter, target: Target) {
    this.#record = record;
    this.#writer = writer;
    this.#target = target;
  }

  async read({ rows, isEncoded, endsInRow, isBelow }: Cells): Promise<void> {
    const cells = rows[Symbol.asyncIterator]();
    const first: (readonly Cell[])[] = [];
    for (let next = await cells.next(); !next.done; next = await cells.next()) {
      first.push(next.value);
      if (first.length > SAMPLED_ROWS) break;
    }
    const found = this.#found(isEncoded ? first.map((row) => row.map(likelyCell)) : first);
    if (found.above > 1) isBelow?.();
    const encoding = isEncoded ? new EncodingSurvey() : undefined;
    for (const row of first.slice(0, found.above)) encoding?.add(...bytesOf(row));
    const formats = new FormatSurvey(this.#target.settings, !isEncoded);
    const spool = new LineSpool(`${this.#target.lines}.cells`);
    const width = isEncoded && found.source ? first[found.above]?.length : undefined;
    const keep = (row: readonly Cell[]): Promise<void> | undefined => {
      const cells = found.source ? row : found.reads.map(([, at]) => row[at] ?? "");
      const text = JSON.stringify([widthFault(row, found.columns, width) ?? "", fingerprints(row), ...cells]);
      const bytes = Buffer.from(text, isEncoded ? "latin1" : "utf8");
      encoding?.add(text, bytes);
      for (const [column, at, kind] of surveyed) formats.add(kind, row[at] ?? "", column);
      return spool.write(bytes);
    };
    const fingerprints = (row: readonly Cell[]): string =>
      JSON.stringify(found.unread.map(([, at]) => fingerprint(row[at])));
    const surveyed = found.reads.flatMap(([name, at]): [string, number, CellKind][] => {
      const kind = found.kinds.get(name);
      return kind ? [[found.columns[at] ?? name, at, kind]] : [];
    });
    try {
      for (const row of first.slice(found.above)) await keep(row);
      for (let next = await cells.next(); !next.done; next = await cells.next()) {
        const full = keep(next.value);
        if (full) await full;
      }
      await this.#write(found, spool, formats.decide(), encoding?.decide(endsInRow()) ?? "utf-8");
    } finally {
      await spool.remove();
    }
  }

  /** Finds the heading: in the first row, or below the lines of a title. */
  #found(rows: readonly (readonly Cell[])[]): Found {
    const [heading = [], ...others] = rows;
    const sample = tableSample(this.#target, heading, others);
    const source = sourceOf(this.#record, sample, this.#target.settings);
    if (source) return ofSource(source, sample.columns, 1);
    for (let at = 1; at < Math.min(rows.length, MOST_ABOVE_HEADING); at++) {
      const below = tableSample(this.#target, rows[at] ?? [], rows.slice(at + 1));
      const source = sourceBelow(this.#record, below, this.#target.settings);
      if (source) return ofSource(source, below.columns, at + 1);
    }
    try {
      return this.#plainTable(sample.columns, 1);
    } catch (error) {
      const at = headingRow(rows.slice(0, MOST_ABOVE_HEADING));
      if (at === 0 || !(error instanceof FileError) || !error.message.startsWith(NO_FIELD)) throw error;
      return this.#plainTable(tableSample(this.#target, rows[at] ?? [], []).columns, at + 1);
    }
  }

  #plainTable(headings: readonly string[], above: number): Found {
    const { columns: mapped } = this.#target.settings;
    const { names, copies } = renamedColumns(headings, {
      ...(this.#record.ownTable ? matchedColumns(labelsOf(this.#record), headings) : {}),
      ...mapped?.[this.#record.name],
    });
    const columns = this.#columns(headings, names, copies);
    const isOfLines = hasLines(this.#record, [...columns, ...copies.map(([name]) => name)]);
    const ofLine = isOfLines ? Object.keys(this.#record.lines?.columns ?? {}) : [];
    const known = columns.flatMap((name, at): [string, number][] =>
      isKnownColumn(this.#record, name) || ofLine.includes(name) ? [[name, at]] : [],
    );
    const reads = [...known, ...copies];
    const places = new Set(reads.map(([, at]) => at));
    const unread =
      this.#record.segmented || isOfLines
        ? []
        : columns.flatMap((name, at): [string, number][] => (places.has(at) ? [] : [[name, at]]));
    return { columns, source: undefined, kinds: plainKinds(this.#record), reads, unread, above, isOfLines };
  }

  /** The columns of a plain table. One without a required column may be a download with a heading that somebody changed. */
  #columns(
    headings: readonly string[],
    names: readonly string[],
    copies: readonly (readonly [string, number])[],
  ): string[] {
    const found: string[] = [];
    try {
      found.push(...tableReads(this.#record, names, copies));
    } catch (error) {
      if (error instanceof FileError && !(error instanceof LimitError)) refuseAlmost(headings);
      throw error;
    }
    const present = new Set([...found, ...copies.map(([name]) => name)]);
    if (!requiredColumns(this.#record, [...present]).every((name) => present.has(name))) refuseAlmost(headings);
    return found;
  }

  async #write(found: Found, spool: LineSpool, formats: Formats, encoding: "utf-8" | "windows-1252"): Promise<void> {
    const { source, kinds } = found;
    const reader = source ? new PartReader(source, this.#writer) : undefined;
    const names = found.reads.map(([name]) => name);
    const kindsAt = names.map((name) => kinds.get(name));
    const lines = found.isOfLines ? new OrderLines(this.#record, names) : undefined;
    if (!reader) this.#plain(found, names);
    const rowOf = this.#rowsOf(names);
    const unread = found.unread.map(([name]) => name);
    if (unread.length > 0) this.#writer.leavesUnread(unread);
    for await (const line of spool.lines()) {
      const text = decode(line, encoding);
      const [fault, fingerprints, ...cells] = JSON.parse(text ?? line.toString("latin1")) as [
        string,
        string,
        ...Cell[],
      ];
      const reason = text === undefined ? "not UTF-8 text" : fault || undefined;
      const read = cells.map((cell, at) => formats.cell(kindsAt[at], cell));
      if (reader) reader.cells(names, read, reason);
      else if (lines) lines.add(this.#writer.beginLine(), rowOf(read), reason);
      else {
        this.#writer.tableRow(JSON.stringify(rowOf(read)), reason);
        if (unread.length > 0) this.#writer.unreadCells(fingerprints);
      }
      await this.#writer.drained();
    }
    reader?.end();
    if (lines) await this.#orders(lines);
  }

  /** Writes what the rows of a table of lines make, and counts the orders. */
  async #orders(lines: OrderLines): Promise<void> {
    let written = 0;
    for (const { position, row, fault } of lines.written()) {
      this.#writer.ofLines(position, JSON.stringify(row), fault);
      written++;
      await this.#writer.drained();
    }
    for (let merged = this.#writer.rows - written; merged > 0; merged--) this.#writer.passOver();
  }

  /** Makes a row of its cells. An empty one is left out: it lands as null. */
  #rowsOf(names: readonly string[]): (cells: readonly string[]) => Record<string, string> {
    const { record, settings } = { record: this.#record, settings: this.#target.settings };
    const has = (name: string): boolean => names.includes(name);
    const isOfVisits = has("utm_source") && !has("utm_medium") && record.source?.includes("utm_source");
    const { payment = [] } = record;
    const areAllPaid = settings.allOrdersPaid === true && payment.length > 0;
    return (cells) => {
      const row: Record<string, string> = {};
      for (const [at, name] of names.entries()) {
        const cell = cells[at];
        if (cell !== undefined && cell !== "") row[name] = cell;
      }
      const visit = isOfVisits ? SOURCE_AND_MEDIUM.exec(row.utm_source ?? "") : null;
      if (visit) [, row.utm_source = "", row.utm_medium = ""] = visit;
      if (areAllPaid && !has("status")) row.status = "payment-approved";
      const [paid = ""] = payment;
      const { [record.day ?? ""]: placed } = row;
      if (areAllPaid && !payment.some(has) && placed !== undefined) row[paid] = placed;
      return row;
    };
  }

  #plain({ columns, above, isOfLines }: Found, names: readonly string[]): void {
    const { lines } = this.#record;
    const ofLine = new Set(isOfLines ? Object.keys(lines?.columns ?? {}) : []);
    this.#writer.columns([...columns.filter((name) => !ofLine.has(name)), ...(isOfLines && lines ? [lines.into] : [])]);
    const note = this.#target.settings.allOrdersPaid ? undefined : unpaidNote(this.#record, names);
    const titles = above - 1;
    const title =
      titles > 0 ? `${quantity(titles, "row")} above its headings ${titles === 1 ? "is" : "are"} a title` : undefined;
    this.#writer.notes = [title, note, ...(isOfLines ? notesOfLines(names) : [])].filter((one) => one !== undefined);
  }
}

/** `google / cpc`, as web analytics write both in one column. */
const SOURCE_AND_MEDIUM = /^(\S(?:[^/]*\S)?) \/ (\S(?:[^/]*\S)?)$/;

/** What a table of lines does not say, and what is taken instead [D230]. */
function notesOfLines(names: readonly string[]): string[] {
  return [
    ...(names.includes("value")
      ? []
      : ["no column value: an order's value is the sum of its lines, of shipping and of tax"]),
    ...(names.includes("total_discounts") && !names.includes("item_discount")
      ? ["column total_discounts: one discount of the whole order; map it to item_discount if each row has its own"]
      : []),
    ...(names.includes("invoiced_date") ? [] : ["no column invoiced_date: sales are dated by their payment"]),
  ];
}

/** A number that differs, in all likelihood, where cells differ: their texts may be long. An empty cell has 0. */
function fingerprint(cell: Cell | undefined): number {
  const text = String(cell ?? "");
  if (text === "") return 0;
  let [one, other] = [0x811c9dc5, 5381];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other, 33) ^ code;
  }
  return (one >>> 0) * 0x100000 + (other & 0xfffff);
}

function refuseAlmost(headings: readonly string[]): void {
  const why = almostOf(headings);
  if (why) throw new FileError(why);
}

const ofSource = (source: PartSource, columns: readonly string[], above: number): Found => ({
  columns,
  source,
  kinds: source.kinds ?? new Map(),
  reads: columns.map((name, at) => [name, at]),
  unread: [],
  above,
});

const likelyCell = (cell: Cell): Cell => (typeof cell === "string" ? likelyText(cell) : cell);

function bytesOf(row: readonly Cell[]): [string, Buffer] {
  const text = JSON.stringify(row);
  return [text, Buffer.from(text, "latin1")];
}

/**
 * A row that is cut short or shifted. Empty cells after the last column do not count, in a downloaded CSV file only if its
 * first row (of `width` cells) has them, too: programs write all rows alike, and a mark within a value shifts one.
 */
function widthFault(row: readonly Cell[], columns: readonly string[], width = row.length): string | undefined {
  if (row.length === columns.length) return undefined;
  const isWide = row.length > columns.length && row.slice(columns.length).every((cell) => cell === "");
  return isWide && row.length === width ? undefined : `${row.length} columns under ${columns.length} headings`;
}
