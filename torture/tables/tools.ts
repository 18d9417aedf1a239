import { parquetOf } from "../../test/support/tools.ts";
import { decoded, instantIn, normalized, readCsv } from "./csv.ts";
import {
  CONTROL,
  digits,
  type FileSet,
  type Found,
  type FoundRows,
  isForeign,
  type Kind,
  type Random,
  upTo,
  type Value,
} from "./kind.ts";
import { parquetRows } from "./parquet.ts";

type Members = Readonly<Record<string, unknown>>;

const EXTRACTED = 1_740_830_400;

/** Orders of the store's API, with one to three lines. */
function ordersOf(random: Random): Members[] {
  return Array.from({ length: 3 + upTo(random, 5) }, () => {
    const id = Number(digits(random, 13));
    const lines = Array.from({ length: 1 + upTo(random, 3) }, () => ({
      id: Number(digits(random, 14)),
      product_id: Number(digits(random, 12)),
      variant_id: Number(digits(random, 12)),
      sku: `SKU-${digits(random, 4)}`,
      title: ["Vestido", 'x, "y"; z', "ação"][upTo(random, 3)],
      quantity: 1 + upTo(random, 4),
      price: amount(random),
    }));
    const at = `2025-03-01T10:${10 + upTo(random, 50)}:00-03:00`;
    return {
      id,
      name: `#${digits(random, 4)}`,
      email: `c${id}@example.com`,
      created_at: at,
      processed_at: at,
      updated_at: at,
      test: false,
      currency: "BRL",
      financial_status: "paid",
      taxes_included: false,
      subtotal_price: amount(random),
      total_discounts: "0.00",
      total_tax: "0.00",
      total_price: amount(random),
      refunds: [],
      line_items: lines,
    };
  });
}

const amount = (random: Random): string => (upTo(random, 900_000) / 100).toFixed(2);

const jsonLines = (rows: readonly object[]): Buffer =>
  Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));

const cellOf = (value: unknown): string => {
  const text =
    value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const csvOf = (rows: readonly Members[]): Buffer => {
  const names = Object.keys(rows[0] ?? {});
  return Buffer.from(
    [names, ...rows.map((row) => names.map((name) => row[name]))]
      .map((cells) => `${cells.map(cellOf).join(",")}\n`)
      .join(""),
  );
};

/** How a value has to look to be intact, by its name. */
const FORMS: Readonly<Record<string, RegExp>> = {
  id: /^[1-9]\d{12,13}$/,
  product_id: /^[1-9]\d{11}$/,
  variant_id: /^[1-9]\d{11}$/,
  order_id: /^[1-9]\d{12}$/,
  quantity: /^[1-9]\d{0,3}$/,
  test: /^false$/,
  currency: /^BRL$/,
  taxes_included: /^false$/,
};
const AMOUNT = /^\d{1,7}\.\d\d$/;

/** Whether a value of the file looks as it was made: the same names, types and forms. */
function isIntact(value: unknown, like: unknown, name = ""): boolean {
  if (Array.isArray(like)) {
    return (
      Array.isArray(value) &&
      (like.length > 0 || value.length === 0) &&
      value.every((one) => isIntact(one, like[0], name))
    );
  }
  if (typeof like === "object" && like !== null) {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isObject || Object.keys(value).join() !== Object.keys(like).join()) return false;
    return Object.entries(like).every(([key, one]) => isIntact((value as Members)[key], one, key));
  }
  if (typeof value !== typeof like) return false;
  if (name === "type" || name === "stream") return value === like;
  const text = String(value);
  if (/_at$/.test(name) && typeof like === "string")
    return instantIn(text.replace(/\.\d{3}/, "")) !== undefined && text.length === String(like).length;
  if (/price|total_(?:tax|discounts)/.test(name)) return AMOUNT.test(text);
  if (FORMS[name]) return FORMS[name].test(text) && (typeof value !== "number" || Number.isSafeInteger(value));
  return text === like || (typeof like === "string" && text !== "" && !CONTROL.test(text) && !/^_/.test(name));
}

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The number of an id, as a text. */
const idOf = (value: unknown): string =>
  String(value ?? "")
    .trim()
    .replace(/\.0*$/, "");

/** An amount; a condition if it may be read or not. */
function amountIn(value: unknown): Value {
  if (value === null || value === undefined || value === "") return null;
  const text = String(value).trim();
  const plain = /^[+-]?\d*\.?\d*$/.test(text) && /\d/.test(text) ? normalized(text) : undefined;
  if (plain !== undefined) return plain;
  const [mantissa = "", exponent, ...more] = text.toLowerCase().split("e");
  const isNumber =
    more.length === 0 &&
    /^[+-]?\d*\.?\d*$/.test(mantissa) &&
    /\d/.test(mantissa) &&
    /^[+-]?\d{1,3}$/.test(exponent ?? "");
  return (isNumber && normalized(mantissa, Number(exponent))) || (() => false);
}

const is = (value: Value, landed: string | null): boolean =>
  typeof value === "function" ? value(landed) : value === (landed === null ? null : (normalized(landed) ?? landed));

/** The values of a member: tools write its name with or without separators, in small letters or capitals. */
function valuesOf(row: Members, name: string): unknown[] {
  const spelled = (one: string): string => one.replaceAll(/[._]/g, "").toLowerCase();
  return Object.keys(row)
    .filter((one) => spelled(one) === spelled(name))
    .map((one) => row[one]);
}

/** The amount of a member; any of them if the row has several of this name. In another spelling it may be unknown. */
function amountOf(row: Members, name: string): Value {
  const values = valuesOf(row, name).map(amountIn);
  if (values.length === 0) return null;
  if (values.length === 1 && name in row) return values[0] as Value;
  return (landed) => [...values, ...(name in row ? [] : [null])].some((value) => is(value, landed));
}

/** An id that is a number of too many digits lands as it is written, which is no longer known here. */
const hasId = (row: Members, id: string): boolean =>
  valuesOf(row, "id").some(
    (value) => idOf(value) === id || (typeof value === "number" && !Number.isSafeInteger(value)),
  );

/** Each landed line is one of these; all of them have landed if `isWhole`. */
const linesAre =
  (lines: readonly Members[], isWhole: boolean): Value =>
  (landed) => {
    const found = JSON.parse(landed ?? "[]") as (string | null)[][];
    const left = [...lines];
    for (const [id = null, quantity = null, price = null] of found) {
      const at = left.findIndex(
        (line) =>
          (hasId(line, idOf(id)) || (id === null && !("id" in line))) &&
          is(amountOf(line, "quantity"), quantity) &&
          is(amountOf(line, "price"), price),
      );
      if (at < 0) return false;
      left.splice(at, 1);
    }
    return left.length === 0 || !isWhole;
  };

/** What is found of an order. */
function foundIn(order: Members, lines: unknown, isWhole: boolean, intact: boolean): Found {
  const all = Array.isArray(lines) && lines.every(isMembers) ? (lines as Members[]) : undefined;
  return {
    key: idOf(valuesOf(order, "id").find((id) => idOf(id) !== "")),
    values: {
      total: amountOf(order, "total_price"),
      lines: all ? linesAre(all, isWhole) : () => true,
    },
    isIntact: intact,
    isBroken: !ambiguous.has(order) && isForeign(order.currency),
  };
}

const ORDERS = {
  record: "storeb/orders",
  key: "order_id",
  values: {
    total: "total_price",
    lines:
      "to_json(list_transform(items, lambda i: [split_part(i.line_id, '/', -1), i.quantity::varchar, i.price::varchar]))",
  },
};

const first = (files: FileSet): Buffer => Object.values(files)[0] as Buffer;
const second = (files: FileSet): Buffer => Object.values(files)[1] as Buffer;

/** Objects whose text says more than they do: two members of one name, or a number of too many digits. */
const ambiguous = new WeakSet<object>();

/** The objects in lines of JSON; undefined in the place of a line that is none. */
function objectsIn(bytes: Buffer): (Members | undefined)[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const line = bytes.subarray(from, end < 0 ? bytes.length : end);
    if (line.some((byte) => byte > 0x20)) lines.push(line);
    from = end < 0 ? bytes.length : end + 1;
  }
  return lines.map((line) => {
    try {
      const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line));
      if (!isMembers(value)) return undefined;
      if (JSON.stringify(value) !== line.toString("utf8").trim()) ambiguous.add(value);
      return value;
    } catch {
      return undefined;
    }
  });
}

/** Whether each line is certain to be an object of its own: otherwise one may begin on a line and end on another. */
const areLines = (objects: readonly unknown[]): boolean =>
  objects[0] !== undefined || objects.some((one, at) => one !== undefined && objects[at + 1] !== undefined);

/** Lines of JSON with an order in each. */
function readLines(bytes: Buffer, made: Buffer, orderIn: (row: Members) => unknown, countsLines = true): FoundRows {
  const like = objectsIn(made).find((row) => row && isMembers(orderIn(row)));
  const objects = objectsIn(bytes);
  const rows = objects.flatMap((row): Found[] => {
    const order = row && orderIn(row);
    if (!row || !isMembers(order)) return [];
    return [foundIn(order, order.line_items, true, !ambiguous.has(row) && isIntact(row, like))];
  });
  return { rows, ...(countsLines && areLines(objects) ? { lines: objects.length } : {}) };
}

const airbyteMembers = (random: Random): Members => ({
  _airbyte_raw_id: `0e1e2e3e-0000-4000-8000-${digits(random, 12)}`,
  _airbyte_extracted_at: EXTRACTED * 1000,
  _airbyte_generation_id: 1,
  _airbyte_meta: { changes: [], sync_id: 1 },
});

const flat = (random: Random): Members[] => ordersOf(random).map((order) => ({ ...airbyteMembers(random), ...order }));

const parsed = (text: unknown): unknown => {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
};

/** A table of a tool: its rows by their headings; undefined if it is none, or has two headings of one name. */
function tableIn(bytes: Buffer): { rows: (Members | undefined)[]; heading: string[] } | undefined {
  const [heading = [], ...lines] = readCsv(bytes.toString("latin1").replace(/^\xef\xbb\xbf/, ""), ",") ?? [];
  if (new Set(heading).size < heading.length) return undefined;
  const rows = lines.map((cells) => {
    const isWide = cells.length >= heading.length && cells.slice(heading.length).every((cell) => cell === "");
    return isWide ? Object.fromEntries(heading.map((name, at) => [name, decoded(cells[at] ?? "")])) : undefined;
  });
  return { rows, heading };
}

/** An order or a line as cells, with the types that it was made with. */
function typedLike(row: Members, like: Members): Members {
  return Object.fromEntries(
    Object.entries(row).map(([name, text]) => {
      const value = like[name];
      if (typeof value === "string") return [name, text];
      const isNumber = typeof value === "number" && /^\d+$/.test(String(text));
      const read = isNumber ? Number(text) : parsed(text);
      return [name, JSON.stringify(read) === text ? read : text];
    }),
  );
}

function readFlat(bytes: Buffer, made: Buffer): FoundRows | undefined {
  const [like] = madeRows.get(made) ?? [];
  const table = tableIn(bytes);
  if (!table || !like) return undefined;
  const rows = table.rows.flatMap((row): Found[] => {
    if (!row) return [];
    const lines = parsed(row.line_items);
    const typed = typedLike(row, like);
    return [foundIn(row, lines, true, isIntact(typed, like))];
  });
  return { rows, lines: table.rows.length };
}

/** What a table was made of: its cells have no types. */
const madeRows = new WeakMap<Buffer, readonly Members[]>();

function remembered(bytes: Buffer, rows: readonly Members[]): Buffer {
  madeRows.set(bytes, rows);
  return bytes;
}

/**
 * The readers do not refuse the same damages. If one has no effect on the values, they are those from before, except that
 * a column whose name is damaged does not land.
 */
async function readParquet(bytes: Buffer, made: Buffer): Promise<FoundRows | undefined> {
  const rows = await parquetRows(bytes);
  if (rows) return { rows: rows.map((row) => foundIn(row, row.line_items, true, false)) };
  const before = ((await parquetRows(made)) ?? []).map((row) => foundIn(row, row.line_items, false, false));
  return {
    rows: before.map(({ values, ...row }) => ({
      ...row,
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, orNone(value)])),
    })),
  };
}

const orNone =
  (value: Value): Value =>
  (landed) =>
    landed === null || is(value, landed);

/** A table of orders, and one of their lines. */
interface Tables {
  readonly orders: readonly (Members | undefined)[];
  readonly lines: readonly (Members | undefined)[];
  readonly parentOf: (line: Members) => string;
  readonly keyOf: (order: Members) => string;
  readonly isIntact: (order: Members) => boolean;
  readonly isLine: (line: Members) => boolean;
}

/** Lines may be missing from an order if any of their table is damaged. */
function joined({ orders, lines, parentOf, keyOf, isIntact, isLine }: Tables): FoundRows {
  const isWhole = lines.every((line) => line && isLine(line));
  const all = lines.filter((line) => line !== undefined);
  const rows = orders.flatMap((order): Found[] => {
    if (!order) return [];
    const own = all.filter((line) => parentOf(line) === keyOf(order));
    return [foundIn(order, own, false, isWhole && isIntact(order))];
  });
  return { rows };
}

const SYNCED = "2025-03-01 12:00:00";

function fivetran(random: Random, number: number): FileSet {
  const orders = ordersOf(random);
  const heads = orders.map(({ line_items: _, refunds: __, ...own }) => ({
    ...own,
    _fivetran_deleted: false,
    _fivetran_synced: SYNCED,
  }));
  const lines = orders.flatMap((order) =>
    (order.line_items as Members[]).map((line, index) => ({
      order_id: order.id,
      ...line,
      index,
      _fivetran_synced: SYNCED,
    })),
  );
  return {
    [`order/${number}.csv`]: remembered(csvOf(heads), heads),
    [`order_line/${number}.csv`]: remembered(csvOf(lines), lines),
  };
}

function readFivetran(files: FileSet, made: FileSet): FoundRows | undefined {
  const [orders, lines] = [tableIn(first(files)), tableIn(second(files))];
  const [order] = madeRows.get(first(made)) ?? [];
  const [line] = madeRows.get(second(made)) ?? [];
  if (!orders || !order || !line) return undefined;
  return joined({
    orders: orders.rows,
    lines: lines?.rows ?? [undefined],
    parentOf: (one) => idOf(one.order_id),
    keyOf: (one) => idOf(one.id),
    isIntact: (one) => isIntact(typedLike(one, order), order),
    isLine: (one) => isIntact(typedLike(one, line), line),
  });
}

function dlt(random: Random, number: number): FileSet {
  const load = `${EXTRACTED + number * 60}.5`;
  const heads: Members[] = [];
  const lines: Members[] = [];
  for (const { line_items: items, refunds: _, ...own } of ordersOf(random)) {
    const id = `d${digits(random, 12)}`;
    heads.push({ ...own, _dlt_load_id: load, _dlt_id: id });
    for (const [at, item] of (items as Members[]).entries())
      lines.push({ ...item, _dlt_parent_id: id, _dlt_list_idx: at, _dlt_id: `d${digits(random, 12)}` });
  }
  return {
    [`orders/${load}.0a1b2c3d4e.jsonl`]: jsonLines(heads),
    [`orders__line_items/${load}.0a1b2c3d4e.jsonl`]: jsonLines(lines),
  };
}

function readDlt(files: FileSet, made: FileSet): FoundRows {
  const [order] = objectsIn(first(made));
  const [line] = objectsIn(second(made));
  return joined({
    orders: objectsIn(first(files)),
    lines: objectsIn(second(files)),
    parentOf: (one) => String(one._dlt_parent_id),
    keyOf: (one) => String(one._dlt_id),
    isIntact: (one) => !ambiguous.has(one) && isIntact({ ...one, _dlt_id: order?._dlt_id }, order),
    isLine: (one) =>
      !ambiguous.has(one) &&
      isIntact(
        { ...one, _dlt_id: line?._dlt_id, _dlt_parent_id: line?._dlt_parent_id, _dlt_list_idx: line?._dlt_list_idx },
        line,
      ),
  });
}

export const TOOLS: readonly Kind[] = [
  {
    name: "Airbyte JSONL",
    ...ORDERS,
    make: (random, number) => ({
      [`orders/${number}.jsonl`]: jsonLines(
        ordersOf(random).map((_airbyte_data) => ({ ...airbyteMembers(random), _airbyte_data })),
      ),
    }),
    read: (files, made) => readLines(first(files), first(made), (row) => row._airbyte_data),
  },
  {
    name: "Airbyte CSV",
    ...ORDERS,
    make: (random, number) => {
      const rows = flat(random);
      return { [`orders/${number}.csv`]: remembered(csvOf(rows), rows) };
    },
    read: (files, made) => readFlat(first(files), first(made)),
  },
  {
    name: "Airbyte Parquet",
    ...ORDERS,
    make: async (random, number) => ({ [`orders/${number}.parquet`]: await parquetOf(flat(random)) }),
    read: (files, made) => readParquet(first(files), first(made)),
  },
  { name: "Fivetran CSV", ...ORDERS, make: fivetran, read: readFivetran },
  { name: "dlt JSONL", ...ORDERS, make: dlt, read: readDlt },
  {
    name: "Singer messages",
    ...ORDERS,
    make: (random, number) => ({
      [`orders/${number}.jsonl`]: jsonLines(
        ordersOf(random).map((record) => ({
          type: "RECORD",
          stream: "orders",
          record,
          time_extracted: "2025-03-01T12:00:00.000Z",
        })),
      ),
    }),
    read: (files, made) =>
      readLines(first(files), first(made), (row) => (isMembers(row.record) ? row.record : row), false),
  },
];
