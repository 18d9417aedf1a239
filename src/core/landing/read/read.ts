import { createHash } from "node:crypto";
import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import { Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { CsvError, parse } from "csv-parse";
import type { RecordDeclaration } from "../../contract/record.ts";
import { openArchive } from "../bytes/archive.ts";
import { marksOf } from "../bytes/delimiter.ts";
import { NdjsonFastPath } from "../bytes/fastPath.ts";
import { type Deadline, mostUnpacked, ReadingDeadline, ROW, unpacksTooFar } from "../bytes/limits.ts";
import { type Envelopes, envelopesOf, FileError, LARGEST_ROW, type RowSink, Scanner } from "../bytes/scan.ts";
import { asUtf8, isZip, refuseByKind, utf16Of } from "../bytes/sniff.ts";
import { BLOCK, type ExportContent, LARGEST_ROW_SAID, LineWriter, type Target } from "./lineWriter.ts";
import { checkFooter } from "./parquet.ts";
import { sourceOf } from "./partKinds.ts";
import { PartReader, rowsIn, sampleOf } from "./partRows.ts";
import { TableReader } from "./table.ts";
import { isWorkbook, workbookRows } from "./xlsx.ts";

export const EMPTY = "is empty";
/** The place of an unpacked Parquet file, next to the lines of other formats. */
export const parquetOf = (lines: string): string => `${lines}.parquet`;

const SNIFF = 1024 * 1024;
/** The bytes that are parsed as CSV at once. */
const PIECE = 64 * 1024;
/** The bytes that are read at once: few enough for the processor's cache. */
const READ = 256 * 1024;

/** Reads an export of any envelope, format and compression into lines of one row each. */
export async function readExport(
  file: FileHandle,
  record: RecordDeclaration,
  target: Target,
  deadline?: Deadline,
): Promise<ExportContent> {
  const reading = new ReadingDeadline(deadline);
  const hash = createHash("sha256");
  const head = await firstBytes(file);
  if (head.length === 0) throw new FileError(EMPTY);
  const { size } = await file.stat();
  if (isParquet(head)) await checkFooter(file, size);
  if (isZip(head)) return readZip(file, record, target, size, reading);
  const gzip = head[0] === 0x1f && head[1] === 0x8b;
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const writer = new LineWriter(target, record, size);
  const consume = new ExportReader(record, writer, target);
  const unpacked = new Unpacked(size, reading);
  const gunzip = gzip ? createGunzip() : undefined;
  const stages = [
    file.createReadStream({ start: 0, highWaterMark: READ, autoClose: false }),
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

/** Reads a workbook. The files of another archive are exports of their own. */
async function readZip(
  file: FileHandle,
  record: RecordDeclaration,
  target: Target,
  size: number,
  reading: ReadingDeadline,
): Promise<ExportContent> {
  if (!isWorkbook(await openArchive(file))) throw new FileError(NO_WORKBOOK);
  const hash = createHash("sha256");
  const stream = file.createReadStream({ start: 0, highWaterMark: READ, autoClose: false });
  for await (const chunk of stream) hash.update(chunk as Buffer);
  const writer = new LineWriter(target, record, size);
  try {
    const table = new TableReader(record, writer, target);
    await table.read({ rows: workbookRows(file, reading), isEncoded: false, endsInRow: () => false });
  } finally {
    await writer.close();
  }
  const found = writer.found();
  return { ...found, sha256: hash.digest("hex"), unpacked: writer.bytes + ROW * found.rows };
}

const NO_WORKBOOK =
  "is a ZIP archive: give it a name that ends in .zip, and its files are read; an archive within another one is to be unpacked";

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

/** Passes on unpacked bytes, up to the limits of size and time. */
class Unpacked extends Transform {
  readonly #packedBytes: number;
  readonly #reading: ReadingDeadline;
  bytes = 0;

  constructor(packedBytes: number, reading: ReadingDeadline) {
    super();
    this.#packedBytes = packedBytes;
    this.#reading = reading;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    const isTooMuch = this.bytes > mostUnpacked(this.#packedBytes);
    const refusal = isTooMuch ? unpacksTooFar(this.#packedBytes) : this.#reading.overdue(this.bytes);
    if (refusal) done(refusal);
    else done(null, chunk);
  }
}

export const isParquet = (head: Buffer): boolean => head.toString("latin1", 0, 4) === "PAR1";

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
  readonly #target: Target;
  #reports = 0;
  parquet: string | undefined;

  constructor(record: RecordDeclaration, writer: LineWriter, target: Target) {
    this.#record = record;
    this.#writer = writer;
    this.#envelopes = envelopesOf(record.envelopes ?? [], record.context, [
      ...(record.own ?? []),
      ...(record.plain ?? []),
    ]);
    this.#glance = new NdjsonFastPath(this.#envelopes.steps.keys());
    this.#target = target;
  }

  async all(source: AsyncIterable<Buffer>): Promise<void> {
    const chunks = source[Symbol.asyncIterator]();
    let head = Buffer.alloc(0);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      head = Buffer.concat([head, next.value]);
      if (head.length >= SNIFF) break;
    }
    if (isParquet(head)) return this.#keepParquet(prepend(head, chunks));
    if (isZip(head)) throw new FileError("is an Excel workbook or a ZIP archive, and gzipped: land it without gzip");
    const utf16 = utf16Of(head);
    if (utf16) return this.#utf16(asUtf8(prepend(head, chunks), utf16));
    refuseByKind(withoutMark(head));
    const rest = prepend(withoutMark(head), chunks);
    const start = withoutMark(head).toString("latin1").trimStart();
    if (start === "") throw new FileError("holds nothing but white space");
    if (start.startsWith("{") || start.startsWith("[")) {
      const isLines = looksLikeLines(withoutMark(head));
      const rows = rowsIn(withoutMark(head), isLines);
      const source = sourceOf(this.#record, sampleOf(this.#target, "lines", rows), this.#target.settings);
      if (source) return new PartReader(source, this.#writer).json(rest, isLines);
      return isLines ? this.#lines(rest) : this.#documents(rest);
    }
    return this.#table(rest, withoutMark(head));
  }

  /** A table that was saved by a spreadsheet. JSON is UTF-8. */
  async #utf16(text: AsyncGenerator<Buffer>): Promise<void> {
    let head = Buffer.alloc(0);
    for (let next = await text.next(); !next.done; next = await text.next()) {
      head = Buffer.concat([head, next.value]);
      if (head.length >= SNIFF) break;
    }
    const start = head.toString("utf8", 0, 1000).trimStart();
    if (start === "" && head.length < SNIFF) throw new FileError("holds nothing but white space");
    if (/^[{[]/.test(start)) throw new FileError("is UTF-16 text: JSON is expected as UTF-8");
    refuseByKind(head);
    return this.#table(prepend(head, text), head, true);
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

  /** Text is read byte for byte (as Latin-1): its encoding is decided when all of it has been read. */
  async #table(source: AsyncIterable<Buffer>, head: Buffer, isUtf16 = false): Promise<void> {
    const text = head.toString("latin1");
    const heading = text.split(/\r\n|\r|\n/, 1)[0] ?? "";
    // A table does not have so long a heading, and the parser's time to find its end grows more than linearly.
    if (heading.length >= SNIFF - 4)
      throw new FileError("is neither JSON nor Parquet, and its first line is no heading");
    const parser = parse({
      ...marksOf(text, isUtf16),
      // All three: found in the first line only, CRLF would leave out the line feeds of the others.
      record_delimiter: ["\r\n", "\n", "\r"],
      encoding: "latin1",
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LARGEST_ROW,
    });
    let last = 0;
    const feed = (async () => {
      for await (const chunk of source) {
        last = chunk[chunk.length - 1] ?? last;
        // In pieces: the heading is found before the parser has read much more.
        for (let at = 0; at < chunk.length; at += PIECE) {
          if (!parser.write(chunk.subarray(at, at + PIECE))) await once(parser, "drain");
        }
      }
      parser.end();
    })();
    feed.catch((error) => parser.destroy(error));
    const endsInRow = (): boolean => last !== 0x0a && last !== 0x0d;
    const table = new TableReader(this.#record, this.#writer, this.#target);
    // The parser makes an error, with its stack, for each row of another width than the first one's, which may be a title.
    const isBelow = (): void => {
      (parser.info as { records: number }).records = 0;
    };
    await table.read({ rows: parser as AsyncIterable<string[]>, isEncoded: true, endsInRow, isBelow });
    await feed;
  }

  async #keepParquet(source: AsyncIterable<Buffer>): Promise<void> {
    this.parquet = parquetOf(this.#target.lines);
    await copy(source, this.parquet);
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
  return head;
}

async function* prepend(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** A line without the carriage return of CRLF files. */
const withoutReturn = (line: Buffer): Buffer => (line[line.length - 1] === 0x0d ? line.subarray(0, -1) : line);

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte <= 0x20);

/** How many lines are looked through for two whole objects. */
const LOOKED_THROUGH = 100;

/**
 * A file is newline-delimited if its first line is a whole object or, if that line is broken, two others in a row are.
 * (A pretty-printed document has at most one such line in a row: commas separate the elements of an array.) After a
 * first line that is an object but for its content, one is enough.
 */
export function looksLikeLines(head: Buffer): boolean {
  const lines = head
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  if (lines.length < 2) return false;
  if (isWholeObject(lines[0] as string)) return true;
  const whole = lines.slice(0, LOOKED_THROUGH).map(isWholeObject);
  return whole.some((is, at) => is && (whole[at + 1] || /^\s*\{.*\}\s*$/.test(lines[0] as string)));
}

function isWholeObject(line: string): boolean {
  try {
    return line.trimStart().startsWith("{") && typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}
