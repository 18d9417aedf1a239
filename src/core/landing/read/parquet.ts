import { type FileHandle, open } from "node:fs/promises";
import { type ColumnMetaData, type FileMetaData, parquetMetadata } from "hyparquet";
import { isOutOfMemory } from "../../contract/error.ts";
import { isKnownColumn, type RecordDeclaration } from "../../contract/record.ts";
import { Database, identifier, literal, type Session, type TypedColumn } from "../../engine/database.ts";
import { sizeOf } from "../../engine/size.ts";
import {
  countText,
  type Deadline,
  LimitError,
  megabytes,
  mostUnpacked,
  ROW,
  refuseTooWide,
  unpacksTooFar,
  withinDeadline,
} from "../bytes/limits.ts";
import { FileError } from "../bytes/scan.ts";
import { parseEngineJson } from "./json.ts";
import type { Target } from "./lineWriter.ts";
import type { FileSample, PartSource, SourceRow } from "./part.ts";
import { sourceOf } from "./partKinds.ts";
import { SAMPLED_ROWS, sampleOf } from "./partRows.ts";
import { withoutQuotes } from "./rejects.ts";

interface ParquetContent {
  /** Its columns that are fields of the record, and those that are not and are not read. */
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  readonly unpacked: number;
  /** The tool that wrote it: its rows are in `rowsOf` the file, as lines of JSON. */
  readonly source?: PartSource;
}

/** The place of a tool's rows next to the Parquet file that holds them. */
export const partRowsFile = (parquet: string): string => `${parquet}.rows`;

/** The sample of a file. `rows`: the function that reads it. */
export async function firstRows(
  own: Session,
  rows: string,
  place: Pick<Target, "name" | "modified">,
): Promise<FileSample> {
  const columns = (await own.columns(`from ${rows}`)).map(({ name }) => name);
  const texts = await own.texts(`select to_json(columns)::varchar from ${rows} columns limit ${SAMPLED_ROWS}`);
  return {
    ...sampleOf(
      place,
      "table",
      texts.map((text) => parseEngineJson(text) as SourceRow),
    ),
    columns,
  };
}

/**
 * Checks the footer of an export that is not packed before the file is copied: a sparse file takes no space itself,
 * and may have any size.
 */
export async function checkFooter(handle: FileHandle, bytes: number): Promise<void> {
  try {
    const footer = parquetMetadata(await readFooter(handle));
    measureFooter(footer, bytes);
    const described = sum(chunksOf(footer).map((chunk) => chunk?.total_compressed_size));
    if (bytes > mostUnpacked(described)) {
      throw new FileError(
        `is no whole Parquet file (it has ${megabytes(bytes)}, and its footer describes ${megabytes(described)})`,
      );
    }
  } catch (error) {
    throw damaged(error);
  }
}

/**
 * Reads a Parquet file to its end, so that a damaged one is refused before its rows are mixed with those of other
 * files. It is measured first: two kilobytes may hold the same long text in each of a million rows. `bytes` is the size
 * of the export that held it.
 */
export async function inspectParquet(
  session: Session,
  { file, bytes }: { readonly file: string; readonly bytes: number },
  record: RecordDeclaration,
  deadline: Deadline,
  target: Target,
): Promise<ParquetContent> {
  const rows = `read_parquet(${literal(file)})`;
  try {
    const least = measureFooter(parquetMetadata(await footerOf(file)), bytes);
    return await inOwnEngine(session, deadline, bytes, async (own) => {
      const columns = await own.typedColumns(`from ${rows}`);
      const unpacked = least + (await measureValues(own, rows, columns));
      if (unpacked > mostUnpacked(bytes)) throw unpacksTooFar(bytes, megabytes(unpacked));
      await own.rows(`select bit_xor(hash(columns)) from ${rows} columns`);
      const names = columns.map(({ name }) => name);
      const source = sourceOf(record, await firstRows(own, rows, target), target.settings);
      if (source) await own.run(`copy (from ${rows}) to ${literal(partRowsFile(file))} (format json)`);
      return {
        ...(source ? { source } : {}),
        known: names.filter((name) => isKnownColumn(record, name)),
        unknown: names.filter((name) => !isKnownColumn(record, name)).sort(),
        unpacked,
      };
    });
  } catch (error) {
    throw damaged(error);
  }
}

function damaged(error: unknown): unknown {
  // Only errors of the system have a number: the reader of a footer fails with others, with codes like ERR_OUT_OF_RANGE.
  if (error instanceof FileError || isOutOfMemory(error) || (error as NodeJS.ErrnoException).errno) return error;
  return new FileError(`is no whole Parquet file (${withoutQuotes((error as Error).message)})`);
}

/**
 * Runs the work in a separate engine. A damaged file can cause an internal error, after which an engine refuses all
 * further work.
 */
async function inOwnEngine<T>(
  session: Session,
  deadline: Deadline,
  bytes: number,
  work: (own: Session) => Promise<T>,
): Promise<T> {
  const [memoryLimit = "", threads] = await session.texts(
    "select unnest([current_setting('memory_limit'), current_setting('threads')::varchar])",
  );
  const database = await Database.open({ memoryLimit, threads: Number(threads) });
  try {
    return await database.use((own) => withinDeadline(own, deadline, bytes, () => work(own)));
  } finally {
    database.close();
  }
}

/** The engine takes 500 times a footer's size of memory, and crashes at thousands of nested levels. */
const FOOTER = { bytes: 2_000_000, levels: 64, chunks: 50_000 };

/** Checks the footer before the engine reads it. Returns the minimum cost of rows and values, a byte for each value or null. */
function measureFooter(footer: FileMetaData, bytes: number): number {
  const { schema, row_groups: groups, num_rows: rows } = footer;
  refuseTooWide(schema.filter(({ num_children: children }) => !children).length);
  const levels = levelsOf(schema.map(({ num_children: children }) => children ?? 0));
  if (levels > FOOTER.levels)
    throw new LimitError(`has columns of more than ${FOOTER.levels} nested levels: export it without them`);
  const chunks = chunksOf(footer);
  if (chunks.length + groups.length > FOOTER.chunks) {
    throw new LimitError(
      `has ${countText(groups.length)} row groups with ${countText(chunks.length)} column chunks, and at most ` +
        `${countText(FOOTER.chunks)} of both are read: write it with larger row groups`,
    );
  }
  const least = ROW * Number(rows) + sum(chunks.map((chunk) => chunk?.num_values));
  const pages = sum(chunks.map((chunk) => chunk?.total_uncompressed_size));
  for (const size of [least, pages]) if (size > mostUnpacked(bytes)) throw unpacksTooFar(bytes, megabytes(size));
  return least;
}

const chunksOf = ({ row_groups: groups }: FileMetaData): (ColumnMetaData | undefined)[] =>
  groups.flatMap(({ columns }) => columns.map(({ meta_data: chunk }) => chunk));

const sum = (values: readonly (bigint | undefined)[]): number =>
  values.reduce((total: number, value) => total + Number(value ?? 0n), 0);

/** The depth of a tree that is listed in depth-first order by each element's number of children. */
function levelsOf(children: readonly number[]): number {
  /** Number of children that are to come, for each element that is not complete. */
  const missing: number[] = [];
  let levels = 0;
  for (const count of children) {
    if (count > 0) {
      missing.push(count);
      levels = Math.max(levels, missing.length);
      continue;
    }
    for (let left = 0; left === 0 && missing.length > 0; ) {
      left = Number(missing.pop()) - 1;
      if (left > 0) missing.push(left);
    }
  }
  return levels;
}

async function footerOf(file: string): Promise<ArrayBuffer> {
  const handle = await open(file);
  try {
    return await readFooter(handle);
  } finally {
    await handle.close();
  }
}

/** The end of the file: the footer, its length and the magic bytes. */
async function readFooter(handle: FileHandle): Promise<ArrayBuffer> {
  const { size } = await handle.stat();
  const { buffer: end } = await handle.read(Buffer.alloc(8), 0, 8, Math.max(0, size - 8));
  const length = end.readUInt32LE(0) + 8;
  if (length > size || end.toString("latin1", 4) !== "PAR1") {
    throw new FileError("is no whole Parquet file (its footer is cut)");
  }
  if (length > FOOTER.bytes)
    throw new LimitError(`has a footer of ${megabytes(length)}, and at most ${megabytes(FOOTER.bytes)} are read`);
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + length) as ArrayBuffer;
}

/** The size of all values, including texts, whose length is not in the footer; computed without materializing them. */
async function measureValues(session: Session, rows: string, columns: readonly TypedColumn[]): Promise<number> {
  const sizes = columns.map(({ name, type }) => `coalesce(sum(${sizeOf(type, `columns.${identifier(name)}`)}), 0)`);
  const [size] = await session.texts(`select ${sizes.join(" + ")} from ${rows} columns`);
  return Number(size);
}
