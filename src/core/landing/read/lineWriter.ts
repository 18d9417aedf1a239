import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { isKnownColumn, type RecordDeclaration } from "../../contract/record.ts";
import { Completeness } from "../bytes/incomplete.ts";
import {
  contextTooLarge,
  LISTED_REJECTS,
  MOST_REJECTED,
  mostUnpacked,
  ROW,
  rejectsTooMuch,
  unpacksTooFar,
  writesTooMuch,
} from "../bytes/limits.ts";
import { LARGEST_ROW } from "../bytes/scan.ts";
import type { Part, ReadSettings } from "./part.ts";

/** The content of an export file. Its `lines`, `contexts` and `unreadable` rows are in the files of the `Target`. */
export interface ExportContent {
  readonly rows: number;
  /** The vendor's objects, a plain table of the record's fields, or parts that are still to be joined. */
  readonly layout: Layout;
  /** The streams whose parts the file holds. */
  readonly streams: readonly string[];
  readonly sha256: string;
  /** The number of rows that cannot be passed on to the mapping. */
  readonly unreadable: number;
  /** Whether lines may belong to another line's object. */
  readonly bulk: boolean;
  /** Columns of a plain table that are fields of the record, and those that are not and do not land. */
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  /** Notes: data that the file cannot give, and figures that are missing therefore. */
  readonly notes: readonly string[];
  /** The place of fingerprints of cells that are not read, and the columns of these. */
  readonly unread?: Unread;
  /** The bytes of the longest row. */
  readonly longest: number;
  /** The path of a Parquet file, unpacked if needed: the engine reads it itself. */
  readonly parquet?: string;
  /** The bytes of the file after unpacking, plus a fixed cost for each row. */
  readonly unpacked: number;
}

export type Layout = "vendor" | "plain" | "parts";

interface Unread {
  readonly names: readonly string[];
  /** Lines as those of rows: file, position, -1, the fingerprints as a JSON list. */
  readonly lines: string;
}

export interface Target {
  /** The path of the file below the record's folder, and when it was last changed, ISO 8601. */
  readonly name: string;
  readonly modified: string;
  readonly settings: ReadSettings;
  /** Tab-separated: file, position, report, the row's JSON. */
  readonly lines: string;
  /** Tab-separated: file, report, key, its JSON. */
  readonly contexts: string;
  /** Tab-separated: file, position, reason, the row's text as JSON. Absent if there are none. */
  readonly unreadable: string;
  readonly fileNo: number;
}

/** Rows are written in blocks of this size, not one by one. */
export const BLOCK = 1024 * 1024;
export const LARGEST_ROW_SAID = `${LARGEST_ROW / 1024 / 1024} MiB`;
/** The columns of a plain table in JSON are those of this many first rows. */
const LOOKED_THROUGH = 100;
/** How many unknown columns are kept, and how many characters of each name. */
const MOST_UNKNOWN = 100;
const LONGEST_NAME = 100;
/** How many characters of an unreadable row are kept. */
const LONGEST_UNREADABLE = 2000;
const PARENT = Buffer.from('"__parentId"');

/** Writes rows as lines that the engine reads back without quoting. */
export class LineWriter {
  readonly #record: RecordDeclaration;
  readonly #fileNo: number;
  readonly #fileBytes: number;
  readonly #lines: WriteStream;
  readonly #contexts: WriteStream;
  readonly #unreadablePath: string;
  readonly #unreadPath: string;
  #unread: WriteStream | undefined;
  #unreadNames: readonly string[] = [];
  #unreadable: WriteStream | undefined;
  #unreadableRows = 0;
  #unreadableBytes = 0;
  #firstUnreadable = "";
  #position = 0;
  #passedOver = 0;
  #longest = 0;
  #layout: Layout | undefined;
  readonly #streams = new Set<string>();
  #bulk = false;
  readonly #known = new Set<string>();
  readonly #unknown = new Set<string>();
  notes: readonly string[] = [];
  readonly #completeness = new Completeness();
  #block: Buffer = Buffer.allocUnsafe(BLOCK);
  /** Blocks that have been written, to be filled again. */
  readonly #free: Buffer[] = [];
  #filled = 0;
  #full = false;
  #fullUnread = false;
  #failure: Error | undefined;
  /** The bytes of all lines, contexts and fingerprints. */
  #written = 0;

  constructor(target: Target, record: RecordDeclaration, fileBytes: number) {
    this.#record = record;
    this.#fileBytes = fileBytes;
    this.#fileNo = target.fileNo;
    this.#lines = createWriteStream(target.lines, { highWaterMark: 1024 * 1024 });
    this.#contexts = createWriteStream(target.contexts);
    this.#unreadablePath = target.unreadable;
    this.#unreadPath = `${target.lines}.unread`;
    for (const stream of [this.#lines, this.#contexts]) this.#watch(stream);
  }

  #watch(stream: WriteStream): WriteStream {
    return stream.on("error", (error) => (this.#failure ??= error));
  }

  row(bytes: Buffer | null, report: number): void {
    this.#beginRow();
    this.#completeness.row(report);
    if (bytes === null) this.#refuse(`larger than ${LARGEST_ROW_SAID}`, "");
    else if (!isUtf8(bytes)) this.#refuse("not UTF-8 text", bytes.toString("latin1"));
    else {
      this.#layout ??= this.#layoutOf(bytes);
      if (this.#layout === "plain" && this.#position <= LOOKED_THROUGH) this.#noteKeys(bytes);
      this.#bulk ||= this.#record.bulk === true && bytes.includes(PARENT);
      this.#write(`${this.#fileNo}\t${this.#position}\t${report}\t`, oneLine(bytes));
    }
  }

  /** A row of a plain table, as JSON; `fault`: why it cannot be passed on. */
  tableRow(row: string, fault?: string): void {
    this.#layout = "plain";
    this.#beginRow();
    const bytes = Buffer.from(row);
    if (bytes.length > LARGEST_ROW) this.#refuse(`larger than ${LARGEST_ROW_SAID}`, "");
    else if (fault !== undefined) this.#refuse(fault, row);
    else this.#write(`${this.#fileNo}\t${this.#position}\t-1\t`, bytes);
  }

  /** Begins a row that is a line of another row. Returns its place. */
  beginLine(): number {
    this.#layout = "plain";
    this.#beginRow();
    return this.#position;
  }

  /** A row of a plain table that was made of lines, the first of which is at a place; `fault`: why that one cannot be passed on. */
  ofLines(position: number, row: string, fault?: string): void {
    const bytes = Buffer.from(row);
    if (fault !== undefined || bytes.length > LARGEST_ROW)
      this.#refuse(fault ?? `larger than ${LARGEST_ROW_SAID}`, fault === undefined ? "" : row, position);
    else this.#write(`${this.#fileNo}\t${position}\t-1\t`, bytes);
  }

  /** The columns of a table that are not read. */
  leavesUnread(names: readonly string[]): void {
    this.#unreadNames = names;
    this.#unread = this.#watch(createWriteStream(this.#unreadPath));
  }

  /** Fingerprints of the cells of the present row that are not read, as a JSON list. */
  unreadCells(fingerprints: string): void {
    const line = `${this.#fileNo}\t${this.#position}\t-1\t${fingerprints}\n`;
    if (!this.#hasRoomFor(line.length)) return;
    this.#fullUnread = this.#unread?.write(line) === false || this.#fullUnread;
  }

  /** Begins a row of a tool or a download, which may become several parts. */
  beginParts(): void {
    this.#layout = "parts";
    this.#beginRow();
  }

  part(part: Part): void {
    const { stream, key = "", parent = "", load = "", sort, extractedAt = "", deleted, fault = "", object } = part;
    this.#streams.add(stream);
    const place = [
      this.#fileNo,
      part.position ?? this.#position,
      stream,
      key,
      parent,
      load,
      sort ?? "",
      extractedAt,
      deleted ?? false,
      fault,
    ];
    this.#write(`${place.map(cell).join("\t")}\t`, Buffer.from(object));
  }

  /** Passes over a row that is not of the record: it describes other rows. */
  passOver(): void {
    this.#passedOver++;
  }

  /** Streams of the file, even if it has no rows of them. */
  holds(streams: readonly string[]): void {
    for (const stream of streams) this.#streams.add(stream);
    if (streams.length > 0) this.#layout = "parts";
  }

  /** A row that cannot be passed on. */
  reject(reason: string, row: string): void {
    this.#refuse(reason, row);
  }

  /** The bytes that were written. */
  get bytes(): number {
    return this.#written;
  }

  get rows(): number {
    return this.#position;
  }

  #beginRow(): void {
    this.#position++;
    if (ROW * this.#position > mostUnpacked(this.#fileBytes)) this.#failure ??= unpacksTooFar(this.#fileBytes);
  }

  /** The columns of a table. */
  columns(names: readonly string[]): void {
    for (const name of names) {
      if (name === "") continue;
      if (isKnownColumn(this.#record, name)) this.#known.add(name);
      else if (this.#unknown.size < MOST_UNKNOWN) this.#unknown.add(name.slice(0, LONGEST_NAME));
    }
  }

  #noteKeys(bytes: Buffer): void {
    try {
      this.columns(Object.keys(JSON.parse(bytes.toString("utf8")) as object));
    } catch {
      // A row that is not JSON is rejected later.
    }
  }

  context(report: number, key: string, bytes: Buffer): void {
    this.#failure ??= contextTooLarge(key, bytes.length);
    if (this.#failure) return;
    this.#completeness.said(report, key, bytes);
    if (!this.#record.context?.includes(key)) return;
    const line = `${this.#fileNo}\t${report}\t${key}\t${oneLine(bytes).toString("utf8")}\n`;
    if (this.#hasRoomFor(Buffer.byteLength(line))) this.#contexts.write(line);
  }

  plain(): void {
    this.#layout = "plain";
  }

  /** Waits if the disk is slower than the reading. */
  async drained(): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.#full) await once(this.#lines, "drain");
    this.#full = false;
    if (this.#fullUnread && this.#unread) await once(this.#unread, "drain");
    this.#fullUnread = false;
  }

  async close(): Promise<void> {
    this.#flush(0);
    // Reports errors of the last writes, perhaps before the stream emits them.
    const streams = [
      this.#lines,
      this.#contexts,
      ...[this.#unreadable, this.#unread].filter((one) => one !== undefined),
    ];
    await Promise.all(streams.map((stream) => finished(stream.end())));
  }

  found(): Omit<ExportContent, "sha256" | "parquet" | "unpacked"> {
    const rows = this.#position - this.#passedOver;
    return {
      rows,
      ...(this.#unread ? { unread: { names: this.#unreadNames, lines: this.#unreadPath } } : {}),
      longest: this.#longest,
      layout: this.#layout ?? "vendor",
      streams: [...this.#streams].sort(),
      unreadable: this.#unreadableRows,
      bulk: this.#bulk,
      known: [...this.#known].sort(),
      unknown: [...this.#unknown].sort(),
      notes: [...this.notes, ...this.#completeness.notes(rows)],
    };
  }

  /** Counts what is written: a short row may become a long line. */
  #hasRoomFor(bytes: number): boolean {
    this.#written += bytes;
    if (this.#written > mostUnpacked(this.#fileBytes)) this.#failure ??= writesTooMuch(this.#fileBytes, this.#written);
    return this.#failure === undefined;
  }

  #write(before: string, row: Buffer): void {
    this.#longest = Math.max(this.#longest, row.length);
    const length = Buffer.byteLength(before) + row.length + 1;
    if (!this.#hasRoomFor(length)) return;
    if (this.#filled + length > this.#block.length) this.#flush(Math.max(BLOCK, length));
    this.#filled += this.#block.write(before, this.#filled, "utf8");
    this.#filled += row.copy(this.#block, this.#filled);
    this.#block[this.#filled++] = 0x0a;
  }

  /** Writes the present block, and begins one of this size. */
  #flush(next: number): void {
    const block = this.#block;
    const isWritten = (): void => void (block.length === BLOCK && this.#free.push(block));
    this.#full = !this.#lines.write(block.subarray(0, this.#filled), isWritten) || this.#full;
    this.#block = (next === BLOCK ? this.#free.pop() : undefined) ?? Buffer.allocUnsafe(next);
    this.#filled = 0;
  }

  #refuse(reason: string, row: string, position = this.#position): void {
    this.#firstUnreadable ||= `the first at ${position} (${reason})`;
    this.#unreadableRows++;
    if (this.#unreadableRows > MOST_REJECTED) this.#failure ??= rejectsTooMuch(this.#firstUnreadable);
    // Only the beginning of the list has texts.
    const text = this.#unreadableBytes < LISTED_REJECTS ? beginningOf(row) : "";
    this.#unreadableBytes += text.length;
    this.#unreadable ??= this.#watch(createWriteStream(this.#unreadablePath));
    this.#unreadable.write(`${this.#fileNo}\t${position}\t${reason}\t${JSON.stringify(text)}\n`);
  }

  /** Decides by the first object: a key that only the record's field list has makes it a plain table, whose cells are no objects. */
  #layoutOf(bytes: Buffer): "vendor" | "plain" | undefined {
    try {
      const row: unknown = JSON.parse(bytes.toString("utf8"));
      if (typeof row !== "object" || row === null) return undefined;
      const cells = row as Readonly<Record<string, unknown>>;
      const isCell = (key: string): boolean => Object.hasOwn(cells, key) && !isObject(cells[key]);
      return this.#record.ownTable || (this.#record.plain ?? []).some(isCell) ? "plain" : "vendor";
    } catch {
      return undefined;
    }
  }
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** A value as a cell of a line: a separator in it would shift the others. */
const cell = (value: string | number | boolean): string => String(value).replaceAll(/[\t\n\r]/g, " ");

/** The beginning of a text. Half of a surrogate pair at its end, which the engine would refuse, is replaced. */
const beginningOf = (text: string): string => Buffer.from(text.slice(0, LONGEST_UNREADABLE)).toString();

/**
 * Replaces line ends and tabs by spaces. In JSON they are only white space between tokens: inside text they are
 * escaped.
 */
function oneLine(bytes: Buffer): Buffer {
  if (!bytes.includes(0x0a) && !bytes.includes(0x09) && !bytes.includes(0x0d)) return bytes;
  const copy = Buffer.from(bytes);
  for (let at = 0; at < copy.length; at++) {
    const byte = copy[at] as number;
    if (byte === 0x0a || byte === 0x09 || byte === 0x0d) copy[at] = 0x20;
  }
  return copy;
}
