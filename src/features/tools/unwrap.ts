import type { Tool } from "../../core/contract/stream.ts";
import { parseJson } from "../../core/landing/read/json.ts";
import { RowError, type SourceRow } from "../../core/landing/read/part.ts";
import { instantOf, isFilled } from "../../core/landing/read/values.ts";

/** A row without what a tool has put around it. */
export interface Unwrapped {
  readonly data: SourceRow;
  readonly tool?: Tool | undefined;
  /** The stream that the line names. */
  readonly stream?: string | undefined;
  /** When the row was read, if it is said around it. */
  readonly at?: string | undefined;
  readonly changes?: readonly Change[];
  /** Whether the row was nothing but this object under a name. */
  readonly wrapped?: boolean;
}

/** A value that the tool could not pass on. */
export interface Change {
  readonly field: string;
  readonly change: string;
  readonly reason?: string;
}

/** The kinds of messages of Singer and of Airbyte's protocol, all but records. */
const OTHER_MESSAGES = new Set([
  "SCHEMA",
  "STATE",
  "ACTIVATE_VERSION",
  "BATCH",
  "LOG",
  "TRACE",
  "SPEC",
  "CATALOG",
  "CONNECTION_STATUS",
  "CONTROL",
]);

/** The columns that tools add. */
const OF_TOOLS: readonly (readonly [prefix: string, tool: Tool])[] = [
  ["_airbyte_", "airbyte"],
  ["_fivetran_", "fivetran"],
  ["_dlt_", "dlt"],
  ["_sdc_", "singer"],
];

export const toolOfColumn = (column: string): Tool | undefined =>
  column.charCodeAt(0) === 0x5f ? OF_TOOLS.find(([prefix]) => column.startsWith(prefix))?.[1] : undefined;

export function toolOfColumns(columns: Iterable<string>): Tool | undefined {
  for (const column of columns) {
    const tool = toolOfColumn(column);
    if (tool) return tool;
  }
  return undefined;
}

export const isRow = (value: unknown): value is SourceRow =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object; in a cell it is a text. */
function objectOf(value: unknown): SourceRow | undefined {
  const object = typeof value === "string" && /^\s*\{/.test(value) ? parsed(value) : value;
  return isRow(object) ? object : undefined;
}

/** Whether a row is a message, which says what it is. */
export const isMessage = (row: SourceRow): boolean =>
  (typeof row.stream === "string" && (objectOf(row.data) ?? objectOf(row.record)) !== undefined) ||
  (row.type === "RECORD" && objectOf(row.record) !== undefined) ||
  (typeof row.type === "string" &&
    OTHER_MESSAGES.has(row.type) &&
    ("stream" in row || "value" in row || row.type.toLowerCase() in row));

/** The row itself; undefined for a message that is no row. */
export function unwrap(row: SourceRow): Unwrapped | undefined {
  const stream = typeof row.stream === "string" ? row.stream : undefined;
  if (typeof row.type === "string" && OTHER_MESSAGES.has(row.type) && isMessage(row)) return undefined;
  if (stream !== undefined || row.type === "RECORD") {
    const record = objectOf(row.record);
    const inner = record && typeof record.stream === "string" ? objectOf(record.data) : undefined;
    if (record && typeof row.type === "string" && row.type !== "RECORD") {
      throw new RowError("type: not a kind of message, RECORD is expected");
    }
    if (record && inner) return ofAirbyte(record, inner);
    if (record) return { data: record, tool: "singer", stream: stream ?? "", at: instantOf(row.time_extracted) };
    const data = objectOf(row.data);
    if (data) return ofAirbyte(row, data);
  }
  return unwrapped(row);
}

const ofAirbyte = (message: SourceRow, data: SourceRow): Unwrapped => ({
  data,
  tool: "airbyte",
  stream: String(message.stream),
  at: instantOf(message.emitted_at),
});

function unwrapped(row: SourceRow): Unwrapped {
  if (!("_airbyte_data" in row)) {
    const data = onlyObjectOf(row);
    const changes = changesOf(row._airbyte_meta);
    return data ? { data, wrapped: true, at: extractedAt(row), changes } : { data: row, changes };
  }
  const data = parsed(row._airbyte_data);
  if (!isRow(data)) throw new RowError("_airbyte_data: not a JSON object");
  return { data, tool: "airbyte", at: extractedAt(row), changes: changesOf(row._airbyte_meta) };
}

/** The object of a row that has nothing else but what a tool adds. */
function onlyObjectOf(row: SourceRow): SourceRow | undefined {
  const name = "data" in row ? "data" : "record";
  if (!(name in row)) return undefined;
  return Object.keys(row).every((one) => one === name || toolOfColumn(one)) ? objectOf(row[name]) : undefined;
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return parseJson(value);
  } catch {
    return undefined;
  }
}

const NONE: readonly Change[] = [];

function changesOf(meta: unknown): readonly Change[] {
  if (meta === undefined || meta === null) return NONE;
  const value = parsed(meta);
  const changes = isRow(value) ? parsed(value.changes) : undefined;
  return Array.isArray(changes) ? (changes.map(parsed).filter(isRow) as unknown as Change[]) : NONE;
}

const EXTRACTED = [
  "_airbyte_extracted_at",
  "_airbyte_emitted_at",
  "_fivetran_synced",
  "_sdc_extracted_at",
  "_sdc_batched_at",
  "_dlt_load_id",
];

/** When the tool read a row, as one of its columns says. */
export function extractedAt(row: SourceRow): string | undefined {
  for (const column of EXTRACTED) {
    const at = isFilled(row[column]) ? instantOf(row[column]) : undefined;
    if (at) return at;
  }
  return undefined;
}
