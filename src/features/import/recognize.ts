import { createReadStream } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { parse } from "csv-parse/sync";
import { landedNames, ownColumns, type RecordDeclaration, requiredColumns } from "../../core/contract/record.ts";
import type { Integration } from "../../core/contract/settings.ts";
import { type Database, literal } from "../../core/engine/database.ts";
import { openArchive, unpackEntry } from "../../core/landing/bytes/archive.ts";
import { marksOf } from "../../core/landing/bytes/delimiter.ts";
import { likelyText } from "../../core/landing/bytes/encoding.ts";
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  FileError,
  LARGEST_DEPTH,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from "../../core/landing/bytes/scan.ts";
import { isZip, refuseByKind, utf16Of } from "../../core/landing/bytes/sniff.ts";
import { isExportIn } from "../../core/landing/find/exports.ts";
import type { Place } from "../../core/landing/lake/built.ts";
import { meantColumns, renamedColumns } from "../../core/landing/read/columns.ts";
import { headingRow } from "../../core/landing/read/plainTable.ts";
import { isParquet } from "../../core/landing/read/read.ts";
import { MOST_ABOVE_HEADING } from "../../core/landing/read/table.ts";
import { isWorkbook, workbookRows } from "../../core/landing/read/xlsx.ts";
import { downloadIn } from "../tools/downloads/index.ts";
import { type Given, type Preview, preview } from "./preview.ts";

/** The beginning of a file, as a file of its own. */
export interface Sample {
  readonly file: string;
  /** The name of the whole file below the record's folder. */
  readonly name: string;
  readonly format: "json" | "parquet" | "table";
  /** The headings of a table. */
  readonly headings: readonly string[];
  /** Its first rows, below the headings. */
  readonly rows?: readonly (readonly string[])[];
  /** For a file that a user downloaded from a vendor's pages: the record that it belongs to, if there is one. */
  readonly download?: { readonly record: RecordDeclaration | undefined };
}

/** A record, with the account that a file of it would land in. */
export type Destination = Pick<Place, "record" | "integration" | "currency">;

/** A record that a file may be an export of. */
export interface Candidate {
  readonly record: RecordDeclaration;
  /** The headings of its columns that have other names in the file. */
  readonly columns: Readonly<Record<string, string>>;
  /** How many columns of a table are fields of the record. */
  readonly known: number;
  /** The rows that the beginning of the file would land as. */
  readonly preview: Preview;
}

/** The bytes of a file that its record is recognized by. */
const SAMPLED = 256 * 1024;

/** Writes the beginning of a file, unpacked, into a folder; of a short file it is the file itself. */
export async function sampleOf(database: Database, { path: file, name }: Given, folder: string): Promise<Sample> {
  const { head, isWhole } = await headOf(file);
  if (head.length === 0) throw new FileError("is empty, or damaged gzip data");
  if (isParquet(head)) return { file, name, format: "parquet", headings: await parquetColumns(database, file) };
  const workbook = isZip(head) ? await rowsOfWorkbook(file) : undefined;
  if (workbook) return tableOf({ path: file, name }, workbook);
  const inner = isZip(head) ? await firstInArchive({ path: file, name }, folder) : undefined;
  if (inner) return sampleOf(database, inner, folder);
  const utf16 = utf16Of(head);
  if (!isZip(head) && !utf16) refuseByKind(head);
  const text = (utf16 ? new TextDecoder(utf16).decode(head) : likelyText(head.toString("latin1"))).replace(
    /^\uFEFF/,
    "",
  );
  const isJson = /^\s*[{[]/.test(text);
  const format = isJson ? "json" : "table";
  const table = isJson ? undefined : tableOf({ path: file, name }, rowsIn(text, utf16 !== undefined));
  // The total of a download is that of all its rows.
  if (table && (isWhole || table.download || utf16)) return table;
  const { headings = [], rows = [] } = table ?? {};
  if (isWhole || isZip(head)) return { file, name, format, headings, rows };
  const beginning = isJson ? wholeValues(head) : wholeRows(head);
  // If the first row is larger than the beginning, the whole file is examined.
  if (beginning.length === 0) return { file, name, format, headings, rows };
  const sample = path.join(folder, "sample");
  await writeFile(sample, beginning);
  return { file: sample, name, format, headings, rows };
}

export async function headOf(file: string): Promise<{ head: Buffer; isWhole: boolean }> {
  const source = createReadStream(file);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of (await isGzip(file)) ? unzipped(source) : source) {
    parts.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length >= SAMPLED) break;
  }
  source.destroy();
  return { head: Buffer.concat(parts).subarray(0, SAMPLED), isWhole: length < SAMPLED };
}

export async function isGzip(file: string): Promise<boolean> {
  for await (const chunk of createReadStream(file, { end: 1 })) {
    return (chunk as Buffer)[0] === 0x1f && (chunk as Buffer)[1] === 0x8b;
  }
  return false;
}

/** The part that can be unpacked: the landing reports damaged data with its place. */
async function* unzipped(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* source.pipe(createGunzip()) as AsyncIterable<Buffer>;
  } catch {
    // The sample ends here.
  }
}

/** The first rows of a table of text; none if it is damaged. */
export function rowsIn(text: string, isUtf16: boolean): string[][] {
  try {
    return parse(text, {
      ...marksOf(text, isUtf16),
      to: MOST_ABOVE_HEADING,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      skip_empty_lines: true,
    }) as string[][];
  } catch {
    return [];
  }
}

/** The first rows of a workbook's sheet; undefined if the archive is none. The landing reports damaged ones. */
async function rowsOfWorkbook(file: string): Promise<string[][] | undefined> {
  const handle = await open(file);
  try {
    if (!isWorkbook(await openArchive(handle))) return undefined;
    const rows: string[][] = [];
    for await (const row of workbookRows(handle)) {
      if (rows.push(row.map(String)) === MOST_ABOVE_HEADING) break;
    }
    return rows;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  } finally {
    await handle.close();
  }
}

/** The first file of an archive, unpacked: its others are of the same record. */
async function firstInArchive({ path: file, name }: Given, folder: string): Promise<Given | undefined> {
  const handle = await open(file);
  try {
    const archive = await openArchive(handle);
    const first = [...archive.entries.keys()].find(isExportIn);
    // The landing says why a workbook, or an archive in an archive, is not read.
    if (first === undefined || isWorkbook(archive) || /\.zip$/i.test(first)) return undefined;
    const unpacked = path.join(folder, "unpacked");
    await (await unpackEntry(handle, first, unpacked)).close();
    return { path: unpacked, name: `${name}/${first}` };
  } finally {
    await handle.close();
  }
}

function tableOf({ path: file, name }: Given, rows: readonly (readonly string[])[]): Sample {
  const found = downloadIn(rows);
  if (found) return { file, name, format: "table", headings: found.headings, download: { record: found.record } };
  const at = headingRow(rows);
  const headings = (rows[at] ?? []).map((heading) => heading.trim());
  return { file, name, format: "table", headings, rows: rows.slice(at + 1) };
}

const parquetColumns = (database: Database, file: string): Promise<string[]> =>
  database
    .use((session) => session.columns(`from read_parquet(${literal(file)})`))
    .then(
      (columns) => columns.map(({ name }) => name),
      () => [],
    );

/** The rows of a table up to the last one that is whole: a line end within quotes does not end a row. */
function wholeRows(head: Buffer): Buffer {
  let isQuoted = false;
  let end = head.length;
  for (const [at, byte] of head.entries()) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === 0x0a && !isQuoted) end = at + 1;
  }
  return head.subarray(0, end);
}

/** An object or list that is open, and how many lists it and those around it are. */
interface Container {
  readonly byte: number;
  readonly around: Container | undefined;
  readonly lists: number;
  readonly depth: number;
}

/**
 * JSON up to the last whole document, with what closes it; if the first one is not whole, up to the last whole element
 * of its outermost list that has one. Nothing if there is none; all if no reader would read it.
 */
function wholeValues(head: Buffer): Buffer {
  let open: Container | undefined;
  let isText = false;
  /** The last cut with the fewest lists around it. */
  let end = 0;
  let within: Container | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < head.length; at++) {
    const byte = head[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      const { lists, depth } = open ?? { lists: 0, depth: 0 };
      if (depth > LARGEST_DEPTH) return head;
      open = { byte, around: open, lists: lists + (byte === OPEN_ARRAY ? 1 : 0), depth: depth + 1 };
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      open = open?.around;
      if (open?.byte === OPEN_OBJECT) continue;
      const lists = open?.lists ?? 0;
      if (lists > fewest) continue;
      fewest = lists;
      end = at + 1;
      within = open;
    }
  }
  const closing: number[] = [];
  for (; within; within = within.around) closing.push(within.byte === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT);
  return Buffer.concat([head.subarray(0, end), Buffer.from(closing)]);
}

/**
 * The records that a file may be an export of, the most probable first. Each record's declaration is asked by landing the
 * beginning of the file as this record: the one of whose columns most have values is the most probable, and its key must
 * be among them.
 */
export async function recognize(
  database: Database,
  sample: Sample,
  among: readonly Destination[],
  mapped: Readonly<Record<string, string>> = {},
): Promise<Candidate[]> {
  const own = among.filter(({ record }) => record === sample.download?.record);
  const all = (own.length > 0 ? own : among).map(({ record, integration, currency }) => {
    const columns = columnsOf(record, sample, integration, mapped);
    const asked = withColumns(integration, record, columns);
    return { record, columns, known: knownOf(record, sample, asked), place: { record, integration: asked, currency } };
  });
  // A table of which half as many columns are known as of another record's is not asked about.
  const most = Math.max(...all.map(({ known }) => known));
  const given = { path: sample.file, name: sample.name };
  const likely = all.filter(({ known }, n) => {
    // If none is known, the first says whether the file is a vendor's download.
    const isUnlikely = most === 0 ? n > 0 : known === 0 || known < most / 2;
    return sample.format === "json" || sample.download || !isUnlikely;
  });
  const candidates = await eachOf(likely, async ({ place, ...one }) => ({
    ...one,
    preview: await preview(database, [given], place),
  }));
  return candidates.sort((a, b) => rankOf(b) - rankOf(a) || b.known - a.known);
}

/** How many previews are made at once: most of the time of one is planned on one thread. */
const AT_ONCE = 2;

/** The results in order. All work has ended when it fails, because the database is closed then. */
async function eachOf<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = all.entries();
  const ended = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [at, one] of rest) results[at] = await work(one);
    }),
  );
  const failed = ended.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return results;
}

/** Whether the file may as well be an export of another record than the first. */
export const isAmbiguous = ([first, second]: readonly Candidate[]): boolean =>
  first !== undefined && second !== undefined && rankOf(first) === rankOf(second) && first.known === second.known;

/** The columns of a table with other names: as the operator mapped them, else by the record's labels. */
function columnsOf(
  record: RecordDeclaration,
  sample: Sample,
  integration: Integration,
  mapped: Readonly<Record<string, string>>,
): Record<string, string> {
  if (sample.format !== "table" || sample.download) return {};
  const known = { ...headingsOf(record, sample, integration), ...mapped };
  return { ...meantColumns(record, sample, known), ...mapped };
}

/** The headings of a table that the settings map, by the column that they mean. */
export function headingsOf(
  record: Pick<RecordDeclaration, "name">,
  { headings }: Pick<Sample, "headings">,
  { columns }: Integration,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(columns?.[record.name] ?? {}).flatMap(([field, from]) => {
      const heading = headings.includes(field) ? undefined : [from].flat().find((one) => headings.includes(one));
      return heading === undefined ? [] : [[field, heading]];
    }),
  );
}

const knownOf = (record: RecordDeclaration, { headings }: Sample, { columns }: Integration): number =>
  renamedColumns(headings, columns?.[record.name]).names.filter((name) => ownColumns(record).includes(name)).length;

/** The integration with further headings of a record's columns, ahead of those that it has. */
export function withColumns(
  integration: Integration,
  record: Pick<RecordDeclaration, "name">,
  columns: Readonly<Record<string, string>>,
): Integration {
  const known = integration.columns?.[record.name] ?? {};
  const all = Object.fromEntries([
    ...Object.entries(known),
    ...Object.entries(columns).map(([field, heading]): [string, readonly string[]] => [
      field,
      [...new Set([heading, ...[known[field] ?? []].flat()])],
    ]),
  ]);
  return { ...integration, columns: { ...integration.columns, [record.name]: all } };
}

/** Records whose rows all land come first, then those of which only some land, then those of which a tool's table is known. */
function rankOf({ record, preview: { rows, rejected, telling, tool } }: Candidate): number {
  if (rows === 0) return tool === undefined ? 0 : 1;
  // The key of a table of one's own has columns that most tables leave out.
  const missing = record.ownTable ? 0 : record.key.filter((name) => !telling.includes(name)).length;
  return telling.length - missing + (rejected === 0 ? 1000 : 100);
}

/** The columns of a plain table that are fields of the record, and that have no value in any row. */
export function emptyColumns(
  record: RecordDeclaration,
  { headings, format, download }: Sample,
  { columns }: Integration,
  { filled, tool }: Pick<Preview, "filled" | "tool">,
): readonly string[] {
  if (format === "json" || download || tool !== undefined) return [];
  const { names, copies } = renamedColumns(headings, columns?.[record.name]);
  const present = new Set([...names, ...copies.map(([name]) => name)]);
  return landedNames(record).filter((name) => present.has(name) && !filled.includes(name));
}

/** Whether all rows of the file land as another record, too, which is of the same kind in an account of another vendor. */
export const isOfOther = (
  { record, preview: { rows, rejected, telling } }: Candidate,
  chosen: RecordDeclaration,
): boolean =>
  record.name === chosen.name &&
  record.connector !== chosen.connector &&
  rows > 0 &&
  rejected === 0 &&
  record.key.every((name) => telling.includes(name));

/** The required columns that a table does not have. */
export function missingColumns(
  record: RecordDeclaration,
  { headings }: Sample,
  { columns }: Integration,
): readonly string[] {
  const { names, copies } = renamedColumns(headings, columns?.[record.name]);
  const present = new Set([...names, ...copies.map(([name]) => name)]);
  return requiredColumns(record, [...present]).filter((name) => !present.has(name));
}
