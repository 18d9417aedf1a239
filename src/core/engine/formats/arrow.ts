import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float64,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from "apache-arrow";
import type { Session, Value } from "../database.ts";
import type { Described } from "./described.ts";

/** How a type's values become a column's buffers. */
interface Mapping {
  readonly type: DataType;
  readonly data: (values: readonly Value[]) => Buffers;
}

interface Buffers {
  readonly data: ArrayBufferView;
  readonly valueOffsets?: Int32Array;
}

/** Writes the rows of a query as an Arrow IPC stream, in batches: memory is bounded by one of them. */
export async function writeArrow(
  session: Session,
  sql: string,
  columns: readonly Described[],
  file: string,
): Promise<number> {
  const mappings = columns.map(({ type }) => mappingOf(type));
  const schema = new Schema(columns.map(({ name }, n) => new Field(name, mappings[n]?.type ?? new Utf8(), true)));
  let rows = 0;
  async function* batches(): AsyncGenerator<RecordBatch> {
    // A stream without rows still has its schema.
    yield await batchOf(schema, mappings, []);
    for await (const chunk of session.chunks(sql)) {
      rows += chunk[0]?.length ?? 0;
      yield await batchOf(schema, mappings, chunk);
    }
  }
  await pipeline(batches, RecordBatchStreamWriter.throughNode(), createWriteStream(file));
  return rows;
}

/** A batch of one chunk, about two thousand rows. Other requests are served between two columns. */
async function batchOf(schema: Schema, mappings: readonly Mapping[], chunk: readonly Value[][]): Promise<RecordBatch> {
  const children: Data[] = [];
  for (const [n, mapping] of mappings.entries()) {
    children.push(dataOf(mapping, chunk[n] ?? []));
    await setImmediate();
  }
  const length = children[0]?.length ?? 0;
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }));
}

function dataOf({ type, data }: Mapping, values: readonly Value[]): Data {
  const nullBitmap = bits(values, (value) => value !== null);
  const nullCount = values.reduce((count: number, value) => (value === null ? count + 1 : count), 0);
  return makeData({ type, length: values.length, nullCount, nullBitmap, ...data(values) } as Parameters<
    typeof makeData
  >[0]);
}

/** Maps the engine's type to Arrow's. The widest integers, which sums have, become floats, as in Parquet. */
function mappingOf(type: string): Mapping {
  const decimal = /^DECIMAL\((\d+),(\d+)\)$/.exec(type);
  if (decimal) return { type: new Decimal(Number(decimal[2]), Number(decimal[1])), data: decimals };
  if (/^(U?(TINYINT|SMALLINT|INTEGER)|BIGINT)$/.test(type))
    return { type: new Int64(), data: integers((v) => BigInt(v as number)) };
  if (/^(FLOAT|DOUBLE|U?HUGEINT|UBIGINT)$/.test(type)) return { type: new Float64(), data: floats };
  if (type === "BOOLEAN")
    return { type: new Bool(), data: (values) => ({ data: bits(values, (value) => value === true) }) };
  if (type === "DATE") return { type: new DateDay(), data: days };
  if (type === "TIMESTAMP WITH TIME ZONE") {
    return { type: new TimestampMicrosecond("UTC"), data: integers((v) => (v as { micros: bigint }).micros) };
  }
  return { type: new Utf8(), data: texts };
}

function bits(values: readonly Value[], isSet: (value: Value) => boolean): Uint8Array {
  // Arrow pads its buffers to multiples of eight bytes.
  const bytes = new Uint8Array(Math.ceil(values.length / 64) * 8);
  values.forEach((value, n) => {
    if (isSet(value)) bytes[n >> 3] = (bytes[n >> 3] ?? 0) | (1 << (n & 7));
  });
  return bytes;
}

const integers =
  (read: (value: Value) => bigint) =>
  (values: readonly Value[]): Buffers => ({
    data: BigInt64Array.from(values, (value) => (value === null ? 0n : read(value))),
  });

const floats = (values: readonly Value[]): Buffers => ({ data: Float64Array.from(values, Number) });

const days = (values: readonly Value[]): Buffers => ({
  data: Int32Array.from(values, (value) => (value === null ? 0 : (value as { days: number }).days)),
});

/** 128 bits per value, low word first. */
function decimals(values: readonly Value[]): Buffers {
  const halves = new BigInt64Array(values.length * 2);
  values.forEach((value, n) => {
    if (value === null) return;
    const unscaled = (value as { value: bigint }).value;
    halves[2 * n] = BigInt.asIntN(64, unscaled);
    halves[2 * n + 1] = unscaled >> 64n;
  });
  return { data: new Uint32Array(halves.buffer) };
}

function texts(values: readonly Value[]): Buffers {
  const parts = values.map((value) => (value === null ? "" : String(value)));
  const data = Buffer.from(parts.join(""));
  const valueOffsets = new Int32Array(values.length + 1);
  parts.forEach((part, n) => {
    valueOffsets[n + 1] = (valueOffsets[n] ?? 0) + Buffer.byteLength(part);
  });
  return { data, valueOffsets };
}
