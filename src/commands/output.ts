import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { Bool, type DataType, DateDay, Float64, Int64, Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import { literal, type Row, type Session } from "../engine/database.ts";
import { table } from "./table.ts";

export const FORMATS = ["table", "json", "csv", "parquet", "arrow"] as const;
export type Format = (typeof FORMATS)[number];

/** A query's rows on the standard output, in the format asked for. */
export async function write(session: Session, sql: string, format: Format): Promise<void> {
  if (format === "csv" || format === "parquet") return copyOut(session, sql, format);
  if (format === "json")
    return print((await session.texts(`select to_json(r)::varchar from (${sql}) as r`)).join("\n"));
  const rows = await session.rows(sql);
  if (format === "arrow") return void process.stdout.write(tableToIPC(asArrow(await session.columns(sql), rows)));
  print(rows.length === 1 ? onEnd(rows[0] as Row) : asTable(rows));
}

const print = (text: string): void => console.log(text);

/** One wide row reads better on end. */
const onEnd = (row: Row): string =>
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
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** Columns with the query's own types, whatever their values are; what is nested is JSON text. */
function asArrow(columns: readonly { name: string; type: string }[], rows: readonly Row[]): Table {
  const vectors = columns.map(({ name, type }) => {
    const [arrow, read] = arrowOf(type);
    const values = rows.map((row) => (row[name] === null ? null : read(row[name])));
    return [name, vectorFromArray(values, arrow)] as const;
  });
  return new Table(Object.fromEntries(vectors));
}

function arrowOf(type: string): [DataType, (value: unknown) => unknown] {
  if (/^(TINYINT|SMALLINT|INTEGER|BIGINT)$/.test(type)) return [new Int64(), (value) => BigInt(String(value))];
  if (/^(FLOAT|DOUBLE|HUGEINT|DECIMAL\(\d+,\d+\))$/.test(type)) return [new Float64(), Number];
  if (type === "BOOLEAN") return [new Bool(), Boolean];
  if (type === "DATE") return [new DateDay(), (value) => new Date(String(value))];
  return [new Utf8(), shown];
}

async function copyOut(session: Session, sql: string, format: "csv" | "parquet"): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-"));
  try {
    const file = path.join(folder, `rows.${format}`);
    await session.run(`copy (${sql}) to ${literal(file)} (format ${format}${format === "csv" ? ", header" : ""})`);
    await pipeline(createReadStream(file), process.stdout, { end: false });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
