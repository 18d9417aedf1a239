import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Transform, type TransformCallback } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { CsvError, parse } from "csv-parse";
import { isKnownColumn, type RecordDeclaration } from "../contract/record.ts";
import { NdjsonFastPath } from "./fastPath.ts";
import {
  contextTooLarge,
  headingTooLong,
  LISTED_REJECTS,
  MOST_REJECTED,
  mostUnpacked,
  ROW,
  refuseTooWide,
  rejectsTooMuch,
  unpacksTooFar,
  writesTooMuch,
} from "./limits.ts";
import { checkFooter } from "./parquet.ts";
import { type Envelopes, envelopesOf, FileError, LARGEST_ROW, type RowSink, Scanner } from "./scan.ts";

/** The content of an export file. Its `lines`, `contexts` and `unreadable` rows are in the files of the `Target`. */
export interface Reading {
  readonly rows: number;
  /** The vendor's objects, or a plain table of the record's fields. */
  readonly layout: "vendor" | "plain";
  readonly sha256: string;
  /** The number of rows that cannot be passed on to the mapping. */
  readonly unreadable: number;
  /** Whether lines may belong to another line's object. */
  readonly bulk: boolean;
  /** Columns of a plain table that are not fields of the record: they do not land. */
  readonly unknown: readonly string[];
  /** The bytes of the longest row. */
  readonly longest: number;
  /** The path of a Parquet file, unpacked if needed: the engine reads it itself. */
  readonly parquet?: string;
  /** The bytes of the file after unpacking, plus a fixed cost for each row. */
  readonly unpacked: number;
}

export interface Target {
  /** Tab-separated: file, position, report, the row's JSON. */
  readonly lines: string;
  /** Tab-separated: file, report, key, its JSON. */
  readonly contexts: string;
  /** Tab-separated: file, position, reason, the row's text as JSON. Absent if there are none. */
  readonly unreadable: string;
  readonly fileNo: number;
}

export const EMPTY = "is empty";
/** The place of an unpacked Parquet file, next to the lines of other formats. */
export const parquetOf = (lines: string): string => `${lines}.parquet`;

const SNIFF = 1024 * 1024;
/** Rows are written in blocks of this size, not one by one. */
const BLOCK = 1024 * 1024;
/** The columns of a plain table in JSON are those of this many first rows. */
const LOOKED_THROUGH = 100;
/** How many unknown columns are kept, and how many characters of each name. */
const MOST_UNKNOWN = 100;
const LONGEST_NAME = 100;
/** How many characters of an unreadable row are kept. */
const LONGEST_UNREADABLE = 2000;
const PARENT = Buffer.from('"__parentId"');
const LARGEST_ROW_SAID = `${LARGEST_ROW / 1024 / 1024} MiB`;

/** Reads an export of any envelope, format and compression into lines of one row each. */
export async function readExport(file: FileHandle, record: RecordDeclaration, target: Target): Promise<Reading> {
  const hash = createHash("sha256");
  const head = await firstBytes(file);
  if (head.length === 0) throw new FileError(EMPTY);
  const { size } = await file.stat();
  if (isParquet(head)) await checkFooter(file, size);
  const gzip = head[0] === 0x1f && head[1] === 0x8b;
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const writer = new LineWriter(target, record, size);
  const consume = new ExportReader(record, writer, parquetOf(target.lines));
  const unpacked = new Unpacked(size);
  const gunzip = gzip ? createGunzip() : undefined;
  const stages = [
    file.createReadStream({ start: 0, highWaterMark: SNIFF, autoClose: false }),
    hashed,
    ...(gunzip ? [gunzip] : []),
    unpacked,
  ];
  try {
    await pipeline([...stages, (source: AsyncIterable<Buffer>) => consume.all(source)] as unknown as [
      NodeJS.ReadableStream,
      NodeJS.WritableStream,
    ]);
    if (gunzip && gunzip.bytesWritten < size) throw new FileError(GZIP_ENDS);
  } catch (error) {
    throw fileErrorOf(error);
  } finally {
    await writer.close();
  }
  return {
    ...writer.found(),
    sha256: hash.digest("hex"),
    unpacked: unpacked.bytes + ROW * writer.rows,
    ...(consume.parquet ? { parquet: consume.parquet } : {}),
  };
}

const GZIP_ENDS = "its gzip data ends before the file does: the rest cannot be read";

function fileErrorOf(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "Z_BUF_ERROR") return new FileError("gzip data ends early: cut short, or still being written");
  // The stream of Node fails so if there are more chunks after the padding.
  if (code === "ERR_STREAM_PUSH_AFTER_EOF") return new FileError(GZIP_ENDS);
  if (code?.startsWith("Z_")) return new FileError(`damaged gzip data (${(error as Error).message})`);
  if (error instanceof CsvError && error.code === "CSV_MAX_RECORD_SIZE") {
    return new FileError(`CSV: a row is larger than ${LARGEST_ROW_SAID}, or a quote in it is never closed`);
  }
  if (error instanceof CsvError) return new FileError(`CSV: ${csvFault(error)}`);
  return error;
}

const CSV_FAULTS: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: "a quote in a value that does not begin with one",
  CSV_INVALID_CLOSING_QUOTE: "text after the closing quote of a value",
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: "text after the closing quote of a value",
  CSV_QUOTE_NOT_CLOSED: "a quote is never closed",
};

/** The parser's own message quotes the value, which may be long and personal data. */
function csvFault({ code, lines, column }: CsvError): string {
  return `line ${Number(lines)}, column ${Number(column) + 1}: ${CSV_FAULTS[code] ?? code}`;
}

/** Passes on unpacked bytes, up to the limit. */
class Unpacked extends Transform {
  readonly #packedBytes: number;
  bytes = 0;

  constructor(packedBytes: number) {
    super();
    this.#packedBytes = packedBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes <= mostUnpacked(this.#packedBytes)) done(null, chunk);
    else done(unpacksTooFar(this.#packedBytes));
  }
}

const isParquet = (head: Buffer): boolean => head.toString("latin1", 0, 4) === "PAR1";

async function firstBytes(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
  return buffer.subarray(0, bytesRead);
}

/** Detects the format by the content, and reads it. */
class ExportReader {
  readonly #record: RecordDeclaration;
  readonly #writer: LineWriter;
  readonly #envelopes: Envelopes;
  readonly #glance: NdjsonFastPath;
  readonly #parquetPath: string;
  #reports = 0;
  parquet: string | undefined;

  constructor(record: RecordDeclaration, writer: LineWriter, parquetPath: string) {
    this.#record = record;
    this.#writer = writer;
    this.#envelopes = envelopesOf(record.envelopes ?? [], record.context, [
      ...(record.own ?? []),
      ...(record.plain ?? []),
    ]);
    this.#glance = new NdjsonFastPath(this.#envelopes.steps.keys());
    this.#parquetPath = parquetPath;
  }

  async all(source: AsyncIterable<Buffer>): Promise<void> {
    const chunks = source[Symbol.asyncIterator]();
    let head = Buffer.alloc(0);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      head = Buffer.concat([head, next.value]);
      if (head.length >= SNIFF) break;
    }
    const rest = prepend(withoutMark(head), chunks);
    if (isParquet(head)) return this.#keepParquet(prepend(head, chunks));
    const start = withoutMark(head).toString("latin1").trimStart();
    if (start === "") throw new FileError("holds nothing but white space");
    if (start.startsWith("{") || start.startsWith("[")) {
      return looksLikeLines(withoutMark(head)) ? this.#lines(rest) : this.#documents(rest);
    }
    return this.#table(rest, withoutMark(head));
  }

  async #documents(source: AsyncIterable<Buffer>): Promise<void> {
    const scanner = new Scanner(this.#envelopes, this.#writer);
    for await (const chunk of source) {
      scanner.push(chunk);
      await this.#writer.drained();
    }
    scanner.end();
  }

  /** One document per line: a broken line rejects only itself. */
  async #lines(source: AsyncIterable<Buffer>): Promise<void> {
    let parts: Buffer[] = [];
    let length = 0;
    const line = (end: Buffer): void => {
      const whole = length + end.length > LARGEST_ROW ? null : parts.length ? Buffer.concat([...parts, end]) : end;
      parts = [];
      length = 0;
      if (whole === null) this.#writer.row(null, -1);
      else if (!isBlank(whole)) this.#line(whole);
    };
    for await (const chunk of source) {
      let from = 0;
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
        line(chunk.subarray(from, at));
        from = at + 1;
      }
      length += chunk.length - from;
      if (length > LARGEST_ROW) parts = [];
      else if (from < chunk.length) parts.push(chunk.subarray(from));
      await this.#writer.drained();
    }
    line(Buffer.alloc(0));
    await this.#writer.drained();
  }

  #line(line: Buffer): void {
    const bytes = withoutReturn(line);
    if (this.#glance.isPlainObject(bytes)) this.#writer.row(bytes, -1);
    else this.#scanLine(line);
  }

  #scanLine(bytes: Buffer): void {
    const held: { bytes: Buffer | null; report: number }[] = [];
    const found: RowSink = {
      row: (row, report) => void held.push({ bytes: row, report }),
      context: (...context) => this.#writer.context(...context),
    };
    const scanner = new Scanner(this.#envelopes, found, this.#reports);
    try {
      scanner.push(bytes);
      scanner.end();
    } catch {
      held.splice(0, held.length, { bytes, report: -1 });
    }
    this.#reports = scanner.nextReport;
    for (const { bytes: row, report } of held) this.#writer.row(row, report);
  }

  /**
   * Text is read byte for byte (as latin-1), so that a row that is not UTF-8 is found, and only that row is rejected.
   */
  async #table(source: AsyncIterable<Buffer>, head: Buffer): Promise<void> {
    const heading = head.toString("latin1").split(/\r\n|\r|\n/, 1)[0] ?? "";
    // A table does not have so long a heading, and the parser's time to find its end grows more than linearly.
    if (heading.length >= SNIFF - 4)
      throw new FileError("is neither JSON nor Parquet, and its first line is no heading");
    const delimiter = [";", "\t", "|"].find((d) => heading.includes(d) && !heading.includes(",")) ?? ",";
    const parser = parse({
      delimiter,
      // All three: found in the first line only, CRLF would leave out the line feeds of the others.
      record_delimiter: ["\r\n", "\n", "\r"],
      encoding: "latin1",
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LARGEST_ROW,
    });
    const feed = (async () => {
      for await (const chunk of source) if (!parser.write(chunk)) await once(parser, "drain");
      parser.end();
    })();
    feed.catch((error) => parser.destroy(error));
    let isHeading = true;
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (isHeading) this.#writer.tableColumns(this.#columns(cells));
      else this.#writer.tableRow(cells);
      isHeading = false;
      await this.#writer.drained();
    }
    await feed;
  }

  #columns(headings: readonly string[]): string[] {
    refuseTooWide(headings.length);
    for (const [at, { length }] of headings.entries()) {
      const error = headingTooLong(at + 1, length);
      if (error) throw error;
    }
    const names = headings.map((name) => name.trim());
    if (!names.some((name) => Object.hasOwn(this.#record.fields, name))) {
      throw new FileError("is neither JSON nor Parquet, and as CSV it has no column that is a field of the record");
    }
    const twice = names.findIndex((name, at) => name !== "" && names.indexOf(name) !== at);
    // The name itself may be a value of a table without headings, such as an e-mail.
    if (twice >= 0) {
      const first = names.indexOf(names[twice] ?? "");
      throw new FileError(`CSV: columns ${first + 1} and ${twice + 1} have the same name`);
    }
    return names;
  }

  async #keepParquet(source: AsyncIterable<Buffer>): Promise<void> {
    this.parquet = this.#parquetPath;
    await copy(source, this.#parquetPath);
    this.#writer.plain();
  }
}

const ZEROS = Buffer.alloc(BLOCK);

/** Writes a file. The holes of a sparse one remain holes. */
async function copy(source: AsyncIterable<Buffer>, file: string): Promise<void> {
  const handle = await open(file, "w");
  try {
    let length = 0;
    for await (const chunk of source) {
      const isHole = chunk.length <= BLOCK && chunk.equals(ZEROS.subarray(0, chunk.length));
      for (let at = 0; !isHole && at < chunk.length; ) {
        at += (await handle.write(chunk, at, chunk.length - at, length + at)).bytesWritten;
      }
      length += chunk.length;
    }
    await handle.truncate(length);
  } finally {
    await handle.close();
  }
}

function withoutMark(head: Buffer): Buffer {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return head.subarray(3);
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    throw new FileError("is UTF-16 text: UTF-8 is expected");
  }
  return head;
}

async function* prepend(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** A line without the carriage return of CRLF files. */
const withoutReturn = (line: Buffer): Buffer => (line[line.length - 1] === 0x0d ? line.subarray(0, -1) : line);

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte <= 0x20);

/**
 * A file is newline-delimited if its first line is a whole object or, if that line is broken, the two after it. (A
 * pretty-printed document has at most one such line in a row: commas separate the elements of an array.)
 */
function looksLikeLines(head: Buffer): boolean {
  const lines = head
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const [first, ...next] = lines.slice(0, 3).map(isWholeObject);
  return lines.length > 1 && (first === true || (next.length === 2 && next.every(Boolean)));
}

function isWholeObject(line: string): boolean {
  try {
    return line.trimStart().startsWith("{") && typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}

/** Writes rows as lines that the engine reads back without quoting. */
class LineWriter {
  readonly #record: RecordDeclaration;
  readonly #fileNo: number;
  readonly #fileBytes: number;
  readonly #lines: WriteStream;
  readonly #contexts: WriteStream;
  readonly #unreadablePath: string;
  #unreadable: WriteStream | undefined;
  #unreadableRows = 0;
  #unreadableBytes = 0;
  #firstUnreadable = "";
  #position = 0;
  #longest = 0;
  #layout: "vendor" | "plain" | undefined;
  #bulk = false;
  readonly #unknown = new Set<string>();
  #block = Buffer.allocUnsafe(BLOCK);
  #filled = 0;
  #full = false;
  #failure: Error | undefined;
  /** The number of headings of a table, and those that are read, by their place. */
  #headings = 0;
  #known: readonly (readonly [name: string, at: number])[] = [];
  /** The bytes of all lines and contexts. */
  #written = 0;

  constructor(target: Target, record: RecordDeclaration, fileBytes: number) {
    this.#record = record;
    this.#fileBytes = fileBytes;
    this.#fileNo = target.fileNo;
    this.#lines = createWriteStream(target.lines, { highWaterMark: 1024 * 1024 });
    this.#contexts = createWriteStream(target.contexts);
    this.#unreadablePath = target.unreadable;
    for (const stream of [this.#lines, this.#contexts]) this.#watch(stream);
  }

  #watch(stream: WriteStream): WriteStream {
    return stream.on("error", (error) => (this.#failure ??= error));
  }

  row(bytes: Buffer | null, report: number): void {
    this.#beginRow();
    if (bytes === null) this.#refuse(`larger than ${LARGEST_ROW_SAID}`, "");
    else if (!isUtf8(bytes)) this.#refuse("not UTF-8 text", bytes.toString("latin1"));
    else {
      this.#layout ??= this.#flavourOf(bytes);
      if (this.#layout === "plain" && this.#position <= LOOKED_THROUGH) this.#noteKeys(bytes);
      this.#bulk ||= this.#record.bulk === true && bytes.includes(PARENT);
      this.#write(`${this.#fileNo}\t${this.#position}\t${report}\t`, oneLine(bytes));
    }
  }

  /** The headings of a CSV file. */
  tableColumns(names: readonly string[]): void {
    this.#headings = names.length;
    this.#known = names.flatMap((name, at) => (isKnownColumn(this.#record, name) ? [[name, at] as const] : []));
    this.columns(names);
  }

  /** A row of a CSV file, its bytes as latin-1. Unknown columns and empty cells are left out: both land as null. */
  tableRow(cells: readonly string[]): void {
    this.#layout = "plain";
    this.#beginRow();
    const object: Record<string, string> = {};
    for (const [name, at] of this.#known) if (cells[at]) object[name] = cells[at];
    const row = JSON.stringify(object);
    const bytes = Buffer.from(row, "latin1");
    if (bytes.length > LARGEST_ROW) this.#refuse(`larger than ${LARGEST_ROW_SAID}`, "");
    else if (!isUtf8(bytes)) this.#refuse("not UTF-8 text", row);
    else if (cells.length < this.#headings || cells.slice(this.#headings).some((cell) => cell !== "")) {
      this.#refuse(`${cells.length} columns under ${this.#headings} headings`, bytes.toString("utf8"));
    } else this.#write(`${this.#fileNo}\t${this.#position}\t-1\t`, bytes);
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
      if (name === "" || isKnownColumn(this.#record, name) || this.#unknown.size === MOST_UNKNOWN) continue;
      this.#unknown.add(name.slice(0, LONGEST_NAME));
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
  }

  async close(): Promise<void> {
    this.#flush(0);
    // Reports errors of the last writes, perhaps before the stream emits them.
    const streams = [this.#lines, this.#contexts, ...(this.#unreadable ? [this.#unreadable] : [])];
    await Promise.all(streams.map((stream) => finished(stream.end())));
  }

  found(): Omit<Reading, "sha256" | "parquet" | "unpacked"> {
    return {
      rows: this.#position,
      longest: this.#longest,
      layout: this.#layout ?? "vendor",
      unreadable: this.#unreadableRows,
      bulk: this.#bulk,
      unknown: [...this.#unknown].sort(),
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
    const length = before.length + row.length + 1;
    if (!this.#hasRoomFor(length)) return;
    if (this.#filled + length > this.#block.length) this.#flush(Math.max(BLOCK, length));
    this.#filled += this.#block.write(before, this.#filled, "latin1");
    this.#filled += row.copy(this.#block, this.#filled);
    this.#block[this.#filled++] = 0x0a;
  }

  /** Writes the present block, and begins one of this size. */
  #flush(next: number): void {
    this.#full = !this.#lines.write(this.#block.subarray(0, this.#filled)) || this.#full;
    this.#block = Buffer.allocUnsafe(next);
    this.#filled = 0;
  }

  #refuse(reason: string, row: string): void {
    this.#firstUnreadable ||= `the first at ${this.#position} (${reason})`;
    this.#unreadableRows++;
    if (this.#unreadableRows > MOST_REJECTED) this.#failure ??= rejectsTooMuch(this.#firstUnreadable);
    // Only the beginning of the list has texts.
    const text = this.#unreadableBytes < LISTED_REJECTS ? beginningOf(row) : "";
    this.#unreadableBytes += text.length;
    this.#unreadable ??= this.#watch(createWriteStream(this.#unreadablePath));
    this.#unreadable.write(`${this.#fileNo}\t${this.#position}\t${reason}\t${JSON.stringify(text)}\n`);
  }

  /** Decides by the first object: a key that only the record's field list has makes it a plain table. */
  #flavourOf(bytes: Buffer): "vendor" | "plain" | undefined {
    try {
      const row: unknown = JSON.parse(bytes.toString("utf8"));
      if (typeof row !== "object" || row === null) return undefined;
      return (this.#record.plain ?? []).some((key) => key in row) ? "plain" : "vendor";
    } catch {
      return undefined;
    }
  }
}

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
