import { isKnownColumn, type RecordDeclaration } from "../../core/contract/record.ts";
import { type Child, type Stream, type StreamSet, streamId, streamsIn, type Tool } from "../../core/contract/stream.ts";
import { FileError } from "../../core/landing/bytes/scan.ts";
import { type Shape, shapeOf } from "../../core/landing/map/shape.ts";
import { type FileSample, type Part, type PartSource, RowError, type SourceRow } from "../../core/landing/read/part.ts";
import { streamSetsOf } from "../../core/landing/read/partKinds.ts";
import { idText, instantOf, isFilled, isTrue, wholeId } from "../../core/landing/read/values.ts";
import { Names, put } from "./names.ts";
import { isReport, ReportRows } from "./reports.ts";
import { isOtherStream } from "./streams/others.ts";
import { SEGMENTS } from "./streams/searchads.ts";
import {
  cellOf,
  columnsOf,
  type Found,
  hasSignature,
  knownStreams,
  loadOf,
  NOT_READ,
  namesInPath,
  setsOf,
  streamInPath,
  streamOfColumns,
  streamOfLine,
} from "./streams.ts";
import {
  type Change,
  extractedAt,
  isMessage,
  isRow,
  toolOfColumn,
  toolOfColumns,
  type Unwrapped,
  unwrap,
} from "./unwrap.ts";

const TOOLS: Readonly<Record<Tool, string>> = {
  airbyte: "Airbyte",
  fivetran: "Fivetran",
  dlt: "dlt",
  singer: "Singer",
  bigquery: "BigQuery",
  download: "download",
};

/** Recognizes a file of an EL tool: by what is around its rows, by the tool's columns, by its folder or its names. */
export function toolSource(record: RecordDeclaration, sample: FileSample): PartSource | undefined {
  const rows = sample.rows.map(tryUnwrap);
  const messages = sample.rows.some(isMessage);
  const tool = rows.find((row) => row?.tool)?.tool ?? toolOfColumns(sample.columns) ?? toolOfRows(rows);
  const columns = sample.columns.includes("_airbyte_data") ? [] : sample.columns;
  const data = rows.flatMap((row) => (row ? [row.data] : []));
  const all = columnsOf(columns, data);
  const isWrapped = rows.some((row) => row?.wrapped);
  const sets = streamSetsOf(record);
  if (messages) return new ToolRows(record, sample, sets, tool, undefined);
  if (record.connector === "webanalytics") {
    if (!tool && !isReport(record, sample)) return undefined;
    return new ToolRows(record, sample, sets, tool, streamOfColumns(setsOf(sets, tool), all));
  }
  // Tables are not wrapped: the object has its lists in it.
  const candidates = setsOf(sets, tool).filter((set) => !isWrapped || set.tool !== "fivetran");
  const inPath = streamInPath(candidates, sample.name);
  const isNamed =
    inPath !== undefined &&
    (tool !== undefined ||
      ((isWrapped || !isOwn(record, sample, inPath)) && isLike(inPath, isWrapped ? "table" : sample.format, all)));
  if (tool && !inPath && namesInPath(sample.name).some((name) => isOtherStream(record, name)))
    throw new FileError(unknownStream(sample, tool, candidates));
  const ofColumns = streamOfColumns(candidates, all) ?? deletionsOf(candidates, tool, all);
  const found = isNamed ? inPath : ofColumns;
  if (!tool && !isNamed && !(found && (isWrapped || isFlattened(record, sample)))) return undefined;
  const own = columns.filter((name) => !toolOfColumn(name));
  const hasRequired = (record.required ?? record.key).every((name) => own.includes(name));
  if (!found && isPlain(record, own) && hasRequired) return undefined;
  if (found?.stream === NOT_READ) return { name: TOOLS.dlt, unused: new Set(), streams: [], parts: () => [] };
  if (!found) throw new FileError(unknownStream(sample, tool, candidates));
  return new ToolRows(record, sample, sets, tool, found);
}

/** The stream of a file that only says which objects were deleted. */
function deletionsOf(
  sets: readonly StreamSet[],
  tool: Tool | undefined,
  columns: ReadonlySet<string>,
): Found | undefined {
  const [set] = sets;
  if (tool !== "airbyte" || !set || !columns.has("id") || !columns.has("deletedat")) return undefined;
  return { set, stream: set.root, name: set.root.name };
}

function tryUnwrap(row: SourceRow): Unwrapped | undefined {
  try {
    return unwrap(row);
  } catch {
    return undefined;
  }
}

const toolOfRows = (rows: readonly (Unwrapped | undefined)[]): Tool | undefined => {
  for (const row of rows) {
    const tool = row && toolOfColumns(Object.keys(row.data));
    if (tool) return tool;
  }
  return undefined;
};

/** Whether a file in the folder of a stream is the vendor's own export, or a plain table. */
function isOwn(record: RecordDeclaration, { format, rows, columns }: FileSample, { set, stream }: Found): boolean {
  if (isPlain(record, columns)) return true;
  if (format === "table") return false;
  const envelopes = new Set((record.envelopes ?? []).map((path) => path.split(/[.[]/, 1)[0] ?? ""));
  const own = record.own ?? [];
  const isEnvelope = (row: SourceRow): boolean =>
    Object.keys(row).some((name) => envelopes.has(name)) && !own.some((name) => name in row);
  return rows.every(
    (row) =>
      "__parentId" in row || isEnvelope(row) || (stream === set.root && isVendors(record, row) && isWhole(stream, row)),
  );
}

/** Whether a file can be what its folder says: a table without the columns of the stream is a download or another one. */
const isLike = ({ stream }: Found, format: FileSample["format"], columns: ReadonlySet<string>): boolean =>
  format === "lines" || hasSignature(columns, stream.signature ?? []);

/** Whether columns are those of a plain table of the record's fields. */
function isPlain(record: RecordDeclaration, columns: readonly string[]): boolean {
  const known = columns.filter((name) => isKnownColumn(record, name)).length;
  const isNamed = (record.plain ?? []).some((name) => columns.includes(name));
  return (columns.length > 0 && known === columns.length) || (isNamed && known * 2 >= columns.length);
}

/** Whether an object has the lists in it that tools write as streams of their own. */
const isWhole = ({ children = [] }: Stream, row: SourceRow): boolean =>
  children.every(({ into, required, unless }) => {
    if (into === undefined) return required !== true;
    const list = row[into];
    if (unless === undefined || (Array.isArray(list) && list.length === 0)) return list !== undefined;
    return cellOf(row, unless.replaceAll(/\[(\d+)\]/g, ".$1")) !== undefined;
  });

const isNested = (row: SourceRow): boolean => Object.keys(row).some((name) => /\.|__/.test(name));
const isVendors = (record: RecordDeclaration, row: SourceRow): boolean =>
  !isNested(row) && (record.own ?? []).some((name) => name in row);

/** Whether columns are members of the vendor's objects, or the tables of a tool that adds no columns. */
function isFlattened(record: RecordDeclaration, { format, columns }: FileSample): boolean {
  const shape = shapeOf(record);
  const isMember = (name: string): boolean =>
    /\w(?:\.|__)\w/.test(name) &&
    ((shape.pathOf(name)?.length ?? 0) > 1 || shape.members.has(shape.pathOf(name.split(/\.|__/)[0] ?? "")?.[0] ?? ""));
  if (columns.some(isMember)) return true;
  const required = record.required ?? record.key;
  return format === "table" && !required.every((name) => columns.includes(name));
}

function unknownStream({ name }: FileSample, tool: Tool | undefined, sets: readonly StreamSet[]): string {
  const folders = name.split("/");
  const stream = folders.length > 1 ? folders.at(-2) : name.split(".", 1)[0];
  return `${stream}: not a stream of this record${tool ? ` from ${TOOLS[tool]}` : ""}; known: ${knownStreams(sets) || "none"}`;
}

/** How the rows of one stream become parts. */
interface Layout extends Found {
  readonly names: Names;
  readonly id: string;
}

class ToolRows implements PartSource {
  readonly name: string;
  /** As with the vendor's own objects, what no mapping reads is not reported. */
  readonly unused: ReadonlySet<string> = new Set();
  readonly #record: RecordDeclaration;
  readonly #sets: readonly StreamSet[];
  readonly #tool: Tool | undefined;
  readonly #own: Found | undefined;
  readonly #shape: Shape;
  readonly #layouts = new Map<string, Layout>();
  readonly #reports: ReportRows | undefined;
  readonly #load: string | undefined;
  readonly #isTable: boolean;

  constructor(
    record: RecordDeclaration,
    sample: FileSample,
    sets: readonly StreamSet[],
    tool: Tool | undefined,
    own: Found | undefined,
  ) {
    this.name = tool ? TOOLS[tool] : "tables";
    this.#record = record;
    this.#sets = sets;
    this.#tool = tool;
    this.#own = own;
    this.#shape = shapeOf(record);
    this.#load = loadOf(sample.name);
    this.#isTable = sample.format === "table";
    if (record.connector === "webanalytics")
      this.#reports = new ReportRows(
        record,
        sample.rows.map(tryUnwrap).flatMap((row) => (row ? [row.data] : [])),
      );
  }

  /** The stream of the file, if its lines do not name theirs. */
  get streams(): readonly string[] {
    const { set, name, stream } = this.#own ?? {};
    const own = set
      ? [name, stream?.only?.others].flatMap((one) => (one === undefined ? [] : [streamId(set, one)]))
      : [];
    return [...own, ...(this.#reports?.reports ?? [])];
  }

  parts(row: SourceRow): readonly Part[] {
    const found = unwrap(row);
    if (!found) return [];
    const { data } = found;
    const tool = found.tool ?? this.#tool;
    const layout = this.#layoutFor(this.#layoutOf(tool, found), data);
    if (!layout) return [];
    const { set, stream } = layout;
    const object = this.#reports ? this.#reports.object(data, found.stream ?? "") : this.#object(layout, data);
    if (object === undefined) return [];
    const child: Partial<Child> = stream;
    const isDlt = set.tool === "dlt" && child.by === undefined;
    const key = isDlt ? ["_dlt_id"] : stream.key;
    const parent = isDlt ? ["_dlt_parent_id"] : child.parent;
    const sort = isDlt ? data._dlt_list_idx : child.sort && data[child.sort];
    const deleted = isDeleted(layout, data);
    const belongs = keyOf(data, parent);
    const own = this.#reports ? undefined : keyOf(data, key);
    // Without it the row would never be joined, and nobody would miss it.
    if (!deleted && stream !== set.root && parent && belongs === undefined)
      throw new RowError(`${shown(parent)}: missing`);
    if (!deleted && child.by !== undefined && key && own === undefined) throw new RowError(`${shown(key)}: missing`);
    const load = isDlt ? (isFilled(data._dlt_load_id) ? String(data._dlt_load_id) : this.#load) : undefined;
    return [
      {
        stream: layout.id,
        key: own,
        parent: belongs,
        load,
        sort: isFilled(sort) ? Number(sort) : undefined,
        extractedAt: found.at ?? extractedAt(data) ?? instantOf(data._sdc_deleted_at),
        deleted,
        fault: faultOf(this.#record, layout, found.changes),
        object: JSON.stringify(object),
      },
    ];
  }

  /** The layout of a row: that of the stream of other rows, if the row is none of those that count. */
  #layoutFor(layout: Layout, data: SourceRow): Layout | undefined {
    const { only } = layout.stream;
    if (!only || String(cellOf(data, only.column) ?? "").toUpperCase() === only.value) return layout;
    const stream = streamsIn(layout.set.root).find(({ name }) => name === only.others);
    if (!stream) return undefined;
    const key = streamId(layout.set, stream.name);
    const others = this.#layouts.get(key) ?? layoutOf({ set: layout.set, stream, name: stream.name }, this.#shape);
    this.#layouts.set(key, others);
    return others;
  }

  #layoutOf(tool: Tool | undefined, { stream, data }: Unwrapped): Layout {
    const cached = this.#layouts.get(`${tool} ${stream ?? ""}`);
    if (cached) return cached;
    const sets = setsOf(this.#sets, tool);
    const found = stream === undefined ? this.#own : streamOfLine(sets, stream, data);
    if (!found) {
      if (stream === undefined) throw new RowError("its columns are those of no stream of this record");
      throw new RowError(`${stream}: not a stream of this record; known: ${knownStreams(sets)}`);
    }
    const layout = layoutOf(found, this.#shape);
    this.#layouts.set(`${tool} ${stream ?? ""}`, layout);
    return layout;
  }

  #object({ set, stream, names }: Layout, data: SourceRow): Readonly<Record<string, unknown>> | undefined {
    if (stream.members) {
      const path = stream.members.paths[String(cellOf(data, stream.members.name) ?? "")];
      if (path === undefined) return undefined;
      const object = {};
      put(object, path.split("."), cellOf(data, stream.members.value) ?? null);
      return object;
    }
    if (stream.take) return taken(stream, data);
    if ("scalars" in stream && stream.scalars) return data.value as never;
    const own: Record<string, unknown> = {};
    for (const column in data) if (!toolOfColumn(column) || stream.rename?.[column]) own[column] = data[column];
    const object = names.object(own);
    for (const name of stream.nulls ?? []) if (!(name in object)) object[name] = null;
    for (const [path, from] of Object.entries(stream.fallback ?? {})) {
      if (!isFilled(object[path])) put(object, [path], cellOf(object, from));
    }
    if (set.tool === "airbyte" && isFilled(data.deleted_at))
      object.updated_at = later(data.updated_at, data.deleted_at);
    if (set.within?.includes("segments") && isRow(object.segments)) object.segments = spelled(object.segments);
    return { ...object, ...stream.constants, ...(this.#isTable ? stream.ofTables : {}) };
  }
}

/** A deletion is a change: the time of the last change may be that of an earlier one. */
const later = (updated: unknown, deleted: unknown): unknown =>
  Date.parse(instantOf(updated) ?? "") > Date.parse(instantOf(deleted) ?? "") ? updated : deleted;

/** Segments as the API writes them, the hour as a number, others as text: the same row may come in files of other types. */
function spelled(segments: SourceRow): SourceRow {
  const filled = Object.entries(segments).filter(([, value]) => isFilled(value));
  return Object.fromEntries(
    filled.map(([name, value]) => {
      if (typeof value === "object") return [name, value];
      const text = idText(value);
      return [name, name === "hour" && /^\d+$/.test(text) ? Number(text) : text];
    }),
  );
}

function layoutOf(found: Found, shape: Shape): Layout {
  const { set, stream, name } = found;
  const names = new Names(shape, {
    ...(set.rewrite ? { rewrite: set.rewrite } : {}),
    ...(set.within ? { within: set.within } : {}),
    ...(stream.rename ? { rename: stream.rename } : {}),
    ...(set.within?.includes("segments") ? { open: SEGMENTS } : {}),
  });
  return { ...found, names, id: streamId(set, name) };
}

/** The columns of an object of its own that a row takes, and its version. */
function taken({ take = {}, version }: Stream, data: SourceRow): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [column, path] of Object.entries(take)) {
    const value = cellOf(data, column);
    if (value !== undefined) put(object, path.split("."), value);
  }
  if (version !== undefined && data[version] !== undefined) object[version] = data[version];
  return object;
}

/** The first names of columns. */
const shown = (columns: readonly string[]): string => columns.map((name) => name.split("|")[0]).join(", ");

function keyOf(data: SourceRow, columns: readonly string[] | undefined): string | undefined {
  if (!columns) return undefined;
  const values = columns.map((column) => {
    const value = cellOf(data, column);
    // A tool's own ids, such as _dlt_id, are any texts.
    if (!column.startsWith("_") && typeof value === "string" && wholeId(value.trim()) === undefined)
      throw new RowError(`${column}: "${value}" was rounded, its last digits are lost: export it again as text`);
    return value;
  });
  return values.includes(undefined) ? undefined : values.map(idText).join(" ");
}

function isDeleted({ set, stream, name }: Layout, data: SourceRow): boolean {
  if (isTrue(data._fivetran_deleted) || isFilled(data._sdc_deleted_at) || isFilled(data._ab_cdc_deleted_at))
    return true;
  if (set.tool === "airbyte" && isFilled(data.deleted_at)) return true;
  return (stream.tombstones ?? []).includes(name) || (stream.deleted !== undefined && isTrue(data[stream.deleted]));
}

const AMOUNT =
  /price|amount|spend|cost|total|tax|discount|budget|value|revenue|micros|money|cp[cm]|roas|refund|line_?items|shipping_?lines|quantit|available/i;

/** Why a row cannot be used whose amount or key the tool has left out or cut. */
function faultOf(
  record: RecordDeclaration,
  { names, stream }: Layout,
  changes: readonly Change[] = [],
): string | undefined {
  for (const { field, change, reason } of changes) {
    if (!/^(?:NULLED|TRUNCATED)$/i.test(change)) continue;
    const { path } = names.place(field);
    const last = path.at(-1) ?? "";
    const isKey =
      (stream.key ?? []).some((column) => column.split("|").includes(field)) ||
      record.key.includes(field) ||
      record.key.includes(last) ||
      last === "id" ||
      last === "date";
    if (isKey || AMOUNT.test(path.join("."))) {
      return `${field}: ${change} by Airbyte${reason ? ` (${reason})` : ""}: its value is not in the file`;
    }
  }
  return undefined;
}
