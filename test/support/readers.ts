import { DataType, type Field, tableFromIPC } from "apache-arrow";
import { parse } from "csv-parse/sync";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import readXlsx from "read-excel-file/node";

/** Rows from an independent reader, and each column's type in the format's own words. */
export interface Read {
  readonly rows: Record<string, unknown>[];
  readonly types: Record<string, string>;
}

/** A text of a CSV file without the apostrophes that keep spreadsheets from running it, as in docs/formats.md. */
export const unguarded = (text: string): string =>
  text.replaceAll(/(^|[;\t\r\n])([\p{Cc}\p{Z}\ufeff"']*)'([=+\-@⁺⁼₊₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠])/gu, "$1$2$3");

/** The same of a file with semicolons, in which a comma begins a cell too. */
export const unguardedBrazilian = (text: string): string =>
  text.replaceAll(/(^|[,;\t\r\n])([\p{Cc}\p{Z}\ufeff"']*)'([=+\-@⁺⁼₊₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠])/gu, "$1$2$3");

export const readers = {
  csv: async (bytes: Buffer): Promise<Read> => {
    const rows = parse(bytes, { columns: true, relax_column_count: false }) as Record<string, unknown>[];
    return { rows, types: {} };
  },
  ndjson: async (bytes: Buffer): Promise<Read> => {
    const text = bytes.toString("utf8");
    const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
    return { rows: lines.map((line) => JSON.parse(line)), types: {} };
  },
  arrow: async (bytes: Buffer): Promise<Read> => {
    const table = tableFromIPC(bytes);
    const { fields } = table.schema;
    const rows = table.toArray().map((row) => {
      const values = row.toJSON();
      return Object.fromEntries(fields.map((field) => [field.name, fromArrow(field, values[field.name])]));
    });
    return { rows, types: Object.fromEntries(fields.map(({ name, type }) => [name, String(type)])) };
  },
  parquet: async (bytes: Buffer): Promise<Read> => {
    const file = new Uint8Array(bytes).buffer;
    const columns = parquetMetadata(file).schema.slice(1);
    // The reader multiplies decimals by a fraction.
    const scales = new Map(columns.map(({ name, scale }) => [name, scale]));
    const exact = ([name, value]: [string, unknown]): [string, unknown] => {
      const scale = scales.get(name);
      return [name, scale === undefined || typeof value !== "number" ? value : Number(value.toFixed(scale))];
    };
    const rows = (await parquetReadObjects({ file })).map((row) => Object.fromEntries(Object.entries(row).map(exact)));
    const types = columns.map(({ name, type, converted_type }) => [name, `${type} ${converted_type ?? ""}`.trim()]);
    return { rows, types: Object.fromEntries(types) };
  },
  xlsx: async (bytes: Buffer): Promise<Read> => {
    const [sheet] = await readXlsx(bytes);
    const [names = [], ...rows] = sheet?.data ?? [];
    const named = rows.map((row) => Object.fromEntries(names.map((name, n) => [String(name), row[n] ?? null])));
    return { rows: named, types: {} };
  },
} as const;

/** The reader gives days and instants as numbers, decimals as four words. */
function fromArrow({ type }: Field, value: unknown): unknown {
  if (value === null) return null;
  if (DataType.isDate(type) || DataType.isTimestamp(type)) return new Date(Number(value));
  if (!DataType.isDecimal(type)) return value;
  const [a = 0, b = 0, c = 0, d = 0] = value as Uint32Array;
  const words = [a, b, c, d].map(BigInt);
  const unscaled = words.reduceRight((sum, word) => (sum << 32n) | word, 0n);
  return Number(BigInt.asIntN(128, unscaled)) / 10 ** type.scale;
}
