import { createReadStream } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { ApiError } from "../contract/error.ts";
import type { Format } from "../contract/format.ts";
import type { Row, Session } from "../engine/database.ts";
import { writeRows } from "../engine/formats/write.ts";
import { printable, table } from "./table.ts";
import { isClosed, UsageError } from "./usage.ts";

const OUTPUTS = ["table", "json", "ndjson", "csv", "parquet", "arrow", "xlsx"] as const;
type Output = (typeof OUTPUTS)[number];

const BINARY: readonly Output[] = ["parquet", "arrow", "xlsx"];

export const OUTPUT_NAMES = OUTPUTS.join(", ");

/** The output of this name. Throws UsageError for another name, and for binary data on a terminal. */
export function outputOf(name: string | undefined): Output {
  const output = OUTPUTS.find((one) => one === name);
  if (!output) throw new UsageError(`--format ${name}: one of ${OUTPUT_NAMES}`);
  if (process.stdout.isTTY && BINARY.includes(output))
    throw new UsageError(`--format ${output}: redirect the output into a file, it is not for a terminal`);
  return output;
}

/**
 * Writes a query's rows to the standard output, as a table to read or in a format of the service. A terminal gets no
 * control characters: a vendor's text may contain its escape sequences. `folder`: for a temporary file.
 */
export async function write(session: Session, sql: string, output: Output, folder: string): Promise<void> {
  if (output !== "table") return copyOut(session, sql, output === "json" ? "ndjson" : output, folder);
  const rows = await session.rows(sql);
  console.log(rows.length === 1 ? asColumn(rows[0] as Row) : asTable(rows));
}

/** A single row is shown as a column. */
const asColumn = (row: Row): string =>
  table(
    ["figure", "value"],
    Object.entries(row).map(([name, value]) => [name, shown(value)]),
  );

function asTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  return table(
    columns,
    rows.map((row) => columns.map((column) => shown(row[column]))),
  );
}

const shown = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : printable(typeof value === "object" ? JSON.stringify(value) : String(value));

/** Makes each line printable, and keeps the lines. */
async function* printableLines(parts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of parts) yield part.split(/\r?\n/).map(printable).join("\n");
}

/** Writes to the standard output and leaves it open. A pipeline that ends in it would leave listeners behind. */
async function intoOutput(parts: AsyncIterable<string | Buffer>): Promise<void> {
  for await (const part of parts) {
    await new Promise<void>((done, fail) => {
      process.stdout.write(part, (error) => (error ? fail(error) : done()));
    });
  }
}

async function copyOut(session: Session, sql: string, format: Format, folder: string): Promise<void> {
  try {
    const file = path.join(folder, "rows");
    await writeRows(session, sql, format, file);
    if (process.stdout.isTTY) await pipeline(createReadStream(file, "utf8"), printableLines, intoOutput);
    else await pipeline(createReadStream(file), intoOutput);
  } catch (error) {
    if (error instanceof ApiError && error.kind === "doesNotFit")
      throw new UsageError("--format xlsx: a sheet has at most 1,048,575 rows, a cell 32,767 characters");
    // The reader has ended, such as `head`: it wants no more.
    if (!isClosed(error as NodeJS.ErrnoException)) throw error;
  }
}
