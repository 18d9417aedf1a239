import type { FileHandle } from "node:fs/promises";
import { createRequire } from "node:module";
import { type Archive, openArchive } from "../bytes/archive.ts";
import { LimitError, megabytes, ReadingDeadline, refuseTooWide } from "../bytes/limits.ts";
import { FileError } from "../bytes/scan.ts";
import type { Cell } from "./formats.ts";

interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The types of the package do not fit this version of the compiler. */
const { SaxesParser } = createRequire(import.meta.url)("saxes") as {
  SaxesParser: new () => {
    on(event: "error", listener: (error: Error) => void): void;
    on(event: "opentag" | "closetag", listener: (tag: Tag) => void): void;
    on(event: "text", listener: (text: string) => void): void;
    write(text: string): void;
    close(): void;
  };
};

/** The texts of a workbook, which stay in memory. */
const LARGEST_TEXTS = 64_000_000;
/** The sheet with the data of a workbook that also has a formatted one. */
const RAW_DATA = /^(raw data report|relatório de dados brutos|dados brutos)$/i;
/** Excel itself has no longer format, and refuses more characters in a cell. */
const LONGEST_FORMAT = 255;
/** A number of the program has some 20 characters. */
const LONGEST_NUMBER = 100;
const MOST_SHEETS = 1_000;
/** Empty cells that rows may lack at their ends, of all rows: others are wider. */
const MOST_MISSING = 100_000_000;
/** Integers of a number with more digits have lost some. */
const EXACT = 1e15;

const WORKBOOK = "xl/workbook.xml";

/** Whether a ZIP archive is a workbook. */
export const isWorkbook = ({ entries }: Archive): boolean => entries.has(WORKBOOK);

/** The rows of the only sheet that has any, or of the one with the raw data. */
export async function* workbookRows(handle: FileHandle, reading = new ReadingDeadline()): AsyncGenerator<Cell[]> {
  const archive = { ...(await openArchive(handle)), reading };
  const book = await workbookOf(archive);
  const texts = await textsOf(archive);
  const raw = book.sheets.find(({ name }) => RAW_DATA.test(name));
  const filled: Sheet[] = [];
  for (const sheet of raw ? [raw] : book.sheets) {
    const rows = rowsOf(archive, sheet, book, texts);
    if (!(await rows.next()).done) filled.push(sheet);
    await rows.return(undefined);
  }
  const [sheet, ...others] = filled;
  if (!sheet) throw new FileError("is an Excel workbook without rows");
  if (others.length > 0) {
    const names = filled.map(({ name }) => name.slice(0, 40)).join(", ");
    throw new FileError(`is an Excel workbook with several sheets (${names}): keep only the one with the data`);
  }
  yield* rowsOf(archive, sheet, book, texts);
}

interface Sheet {
  readonly name: string;
  readonly path: string;
}

interface Workbook {
  readonly sheets: readonly Sheet[];
  /** The day before the first one, in milliseconds. */
  readonly epoch: number;
  /** The styles of cells that show a date. */
  readonly dates: ReadonlySet<number>;
}

async function workbookOf(archive: Timed): Promise<Workbook> {
  const paths = new Map<string, string>();
  await parse(archive, "xl/_rels/workbook.xml.rels", (tag) => {
    if (tag.name === "Relationship") paths.set(tag.attributes.Id ?? "", tag.attributes.Target ?? "");
  });
  const sheets: Sheet[] = [];
  let is1904 = false;
  await parse(archive, WORKBOOK, ({ name, attributes }) => {
    if (name === "workbookPr") is1904 = /^(1|true)$/.test(attributes.date1904 ?? "");
    if (name !== "sheet") return;
    const target = paths.get(attributes["r:id"] ?? "") ?? "";
    const path = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
    // Several names of one sheet are one sheet.
    if (!archive.entries.has(path) || sheets.some((sheet) => sheet.path === path)) return;
    sheets.push({ name: attributes.name ?? "", path });
    if (sheets.length > MOST_SHEETS)
      throw new LimitError(`has more than ${MOST_SHEETS} sheets: keep only the one with the data`);
  });
  return { sheets, epoch: is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30), dates: await dateStyles(archive) };
}

/** The built-in formats of dates and of dates with times. */
const BUILT_IN = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
]);

async function dateStyles(archive: Timed): Promise<Set<number>> {
  const formats = new Set(BUILT_IN);
  const styles: number[] = [];
  let inCells = false;
  const close = (name: string): void => {
    if (name === "cellXfs") inCells = false;
  };
  const open = ({ name, attributes }: Tag): void => {
    if (name === "cellXfs") inCells = true;
    else if (name === "xf" && inCells) styles.push(Number(attributes.numFmtId));
    else if (name === "numFmt") {
      const { formatCode = "" } = attributes;
      if (formatCode.length > LONGEST_FORMAT) {
        throw new LimitError(
          `has a number format of ${formatCode.length} characters, and Excel's have at most ${LONGEST_FORMAT}: save it again with Excel, or as CSV`,
        );
      }
      const code = formatCode.replaceAll(/"[^"]*"|\\.|_./g, "");
      const isDuration = /\[(h+|m+|s+)\]/i.test(code);
      if (!isDuration && /[ymdhs]/i.test(code.replaceAll(/\[[^\]]*\]/g, ""))) formats.add(Number(attributes.numFmtId));
    }
  };
  if (archive.entries.has("xl/styles.xml")) await parse(archive, "xl/styles.xml", open, close);
  return new Set(styles.flatMap((format, at) => (formats.has(format) ? [at] : [])));
}

async function textsOf(archive: Timed): Promise<string[]> {
  const name = "xl/sharedStrings.xml";
  const entry = archive.entries.get(name);
  if (!entry) return [];
  if (entry.uncompressedSize > LARGEST_TEXTS) {
    throw new LimitError(
      `has texts of ${megabytes(entry.uncompressedSize)}, and at most ${megabytes(LARGEST_TEXTS)} are read of a workbook: ` +
        "save it as CSV",
    );
  }
  const texts: string[] = [];
  let text = "";
  let inText = false;
  /** Within the pronunciation of a text. */
  let inPhonetic = false;
  await parse(
    archive,
    name,
    (tag) => {
      if (tag.name === "si") text = "";
      else if (tag.name === "rPh") inPhonetic = true;
      else if (tag.name === "t") inText = !inPhonetic;
    },
    (closed) => {
      if (closed === "si") texts.push(text);
      else if (closed === "rPh") inPhonetic = false;
      else if (closed === "t") inText = false;
    },
    (more) => {
      if (inText) text += more;
    },
  );
  return texts;
}

/** Rows without the empty ones; a row ends with its last cell, and is as long as the first at least. */
async function* rowsOf(archive: Timed, sheet: Sheet, book: Workbook, texts: readonly string[]): AsyncGenerator<Cell[]> {
  let rows: Cell[][] = [];
  let row: Cell[] = [];
  let cell: { at: number; type: string; style: number } | undefined;
  let value = "";
  let inValue = false;
  let width = 0;
  let missing = 0;
  const feed = feeder(
    ({ name, attributes }) => {
      if (name === "row") row = [];
      else if (name === "c") {
        const at = attributes.r === undefined ? row.length : columnOf(attributes.r);
        refuseTooWide(at + 1);
        cell = { at, type: attributes.t ?? "n", style: Number(attributes.s ?? -1) };
        value = "";
      } else if (name === "v" || name === "t") inValue = cell !== undefined;
    },
    (name) => {
      if (name === "v" || name === "t") inValue = false;
      else if (name === "c" && cell) {
        while (row.length < cell.at) row.push("");
        row[cell.at] = cellOf(value, cell.type, book.dates.has(cell.style) ? book.epoch : undefined, texts);
        cell = undefined;
      } else if (name === "row" && row.some((one) => one !== "")) {
        width = Math.max(width, row.length);
        missing += width - row.length;
        if (missing > MOST_MISSING) {
          throw new LimitError(
            "has rows that are much shorter than others: keep only the columns with data, or save it as CSV",
          );
        }
        while (row.length < width) row.push("");
        rows.push(row);
      }
    },
    (text) => {
      if (inValue) value += text;
    },
  );
  for await (const chunk of contentOf(archive, sheet.path)) {
    feed.write(chunk);
    yield* rows;
    rows = [];
  }
  feed.end();
  yield* rows;
}

/** `AB12` is in column 27. */
function columnOf(place: string): number {
  let column = 0;
  for (const letter of place) {
    const at = letter.charCodeAt(0) - 64;
    if (at < 1 || at > 26) break;
    column = column * 26 + at;
  }
  return column - 1;
}

function cellOf(value: string, type: string, epoch: number | undefined, texts: readonly string[]): Cell {
  if (value === "" || type === "inlineStr" || type === "str" || type === "e" || type === "d") return value;
  if (type === "s") return texts[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "true" : "false";
  if (value.length > LONGEST_NUMBER) return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (epoch !== undefined) return dateOf(number, epoch);
  // Its text shows whether digits are lost: it is an id.
  return Math.abs(number) >= EXACT ? value : number;
}

/** Days since the epoch as ISO 8601, without a zone. */
function dateOf(days: number, epoch: number): Cell {
  const milliseconds = epoch + Math.round(days * 86_400) * 1000;
  if (Math.abs(milliseconds) > 8.64e15) return days;
  const text = new Date(milliseconds).toISOString();
  return Number.isInteger(days) ? text.slice(0, 10) : text.slice(0, 19);
}

type Open = (tag: Tag) => void;
type Close = (name: string) => void;
type Text = (text: string) => void;

const withoutPrefix = (name: string): string => name.slice(name.indexOf(":") + 1);

function feeder(
  open: Open,
  close: Close = () => {},
  text: Text = () => {},
): { write(chunk: Buffer): void; end(): void } {
  const parser = new SaxesParser();
  const decoder = new TextDecoder();
  parser.on("error", (error) => {
    throw new FileError(`is a damaged Excel workbook (${error.message.split("\n")[0]})`);
  });
  parser.on("opentag", (tag) => open({ ...tag, name: withoutPrefix(tag.name) }));
  parser.on("closetag", ({ name }) => close(withoutPrefix(name)));
  parser.on("text", text);
  return {
    write: (chunk) => void parser.write(decoder.decode(chunk, { stream: true })),
    end: () => void parser.close(),
  };
}

/** An archive, and the deadline of its reading. */
interface Timed extends Archive {
  readonly reading: ReadingDeadline;
}

async function* contentOf({ entries, read, reading }: Timed, name: string): AsyncGenerator<Buffer> {
  const entry = entries.get(name);
  if (!entry) throw new FileError(`is a damaged Excel workbook (it has no ${name})`);
  let bytes = 0;
  for await (const chunk of await read(entry)) {
    bytes += (chunk as Buffer).length;
    const late = reading.overdue(bytes);
    if (late) throw late;
    yield chunk as Buffer;
  }
}

async function parse(archive: Timed, name: string, open: Open, close?: Close, text?: Text): Promise<void> {
  const feed = feeder(open, close, text);
  for await (const chunk of contentOf(archive, name)) feed.write(chunk);
  feed.end();
}
