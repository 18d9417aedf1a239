import { isOutOfMemory } from "../contract/error.ts";
import { isKnownColumn, type RecordDeclaration } from "../contract/record.ts";
import { type Column, identifier, literal, type Session } from "../engine/database.ts";
import { sizeOf } from "../engine/size.ts";
import { type Deadline, megabytes, mostUnpacked, ROW, refuseTooWide, unpacksTooFar, withinDeadline } from "./limits.ts";
import { FileError } from "./scan.ts";

export interface ParquetContent {
  /** Its columns that are fields of the record, and those that are not and are not read. */
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  readonly unpacked: number;
}

/**
 * Reads a Parquet file to its end, so that a damaged one is refused before its rows are mixed with those of other
 * files. It is measured first: two kilobytes may hold the same long text in each of a million rows. `bytes` is the size
 * of the export that held it.
 */
export async function inspectParquet(
  session: Session,
  file: string,
  bytes: number,
  record: RecordDeclaration,
  deadline: Deadline,
): Promise<ParquetContent> {
  const rows = `read_parquet(${literal(file)})`;
  try {
    const least = await measureFooter(session, file, bytes);
    return await withinDeadline(session, deadline, bytes, async () => {
      const columns = await session.typedColumns(`from ${rows}`);
      const unpacked = least + (await measureValues(session, rows, columns));
      if (unpacked > mostUnpacked(bytes)) throw unpacksTooFar(bytes, megabytes(unpacked));
      await session.rows(`select bit_xor(hash(columns)) from ${rows} columns`);
      const names = columns.map(({ name }) => name);
      return {
        known: names.filter((name) => isKnownColumn(record, name)),
        unknown: names.filter((name) => !isKnownColumn(record, name)).sort(),
        unpacked,
      };
    });
  } catch (error) {
    if (error instanceof FileError || isOutOfMemory(error)) throw error;
    const [reason = ""] = (error as Error).message.replaceAll(file, "it").split("\n");
    throw new FileError(`is no whole Parquet file (${reason})`);
  }
}

/** The minimum cost of rows and values, a byte for each value or null: only the footer is read. */
async function measureFooter(session: Session, file: string, bytes: number): Promise<number> {
  const [found] = await session.rows(
    `select
        (select num_rows from parquet_file_metadata(${literal(file)})) as rows,
        (select count(*) from parquet_schema(${literal(file)}) where coalesce(num_children, 0) = 0) as columns,
        (select coalesce(sum(num_values), 0) from parquet_metadata(${literal(file)})) as "values",
        (select coalesce(sum(total_uncompressed_size), 0) from parquet_metadata(${literal(file)})) as pages`,
  );
  refuseTooWide(Number(found?.columns));
  const least = ROW * Number(found?.rows) + Number(found?.values);
  const most = mostUnpacked(bytes);
  for (const size of [least, Number(found?.pages)]) if (size > most) throw unpacksTooFar(bytes, megabytes(size));
  return least;
}

/** The size of all values, including texts, whose length is not in the footer; computed without materializing them. */
async function measureValues(session: Session, rows: string, columns: readonly Column[]): Promise<number> {
  const sizes = columns.map(({ name, type }) => `coalesce(sum(${sizeOf(type, `columns.${identifier(name)}`)}), 0)`);
  const [size] = await session.texts(`select ${sizes.join(" + ")} from ${rows} columns`);
  return Number(size);
}
