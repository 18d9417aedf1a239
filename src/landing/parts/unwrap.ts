import type { Tool } from "../../contract/stream.ts";
import { parseJson } from "./json.ts";
import { type Row, RowError } from "./part.ts";
import { instantOf, isFilled } from "./values.ts";

/** A row without what a tool has put around it. */
export interface Unwrapped {
  readonly data: Row;
  readonly tool?: Tool | undefined;
  /** The stream that the line names. */
  readonly stream?: string | undefined;
  /** When the row was read, if it is said around it. */
  readonly at?: string | undefined;
  readonly changes?: readonly Change[];
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

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a row is a message, which says what it is. */
export const isMessage = (row: Row): boolean =>
  (typeof row.stream === "string" && isRow(row.data)) ||
  (row.type === "RECORD" && isRow(row.record)) ||
  (typeof row.type === "string" &&
    OTHER_MESSAGES.has(row.type) &&
    ("stream" in row || "value" in row || row.type.toLowerCase() in row));

/** The row itself; undefined for a message that is no row. */
export function unwrap(row: Row): Unwrapped | undefined {
  if (typeof row.type === "string" && isMessage(row)) {
    if (row.type !== "RECORD") return OTHER_MESSAGES.has(row.type) ? undefined : unwrapped(row);
    const { record } = row as { record: Row };
    if (typeof record.stream === "string" && isRow(record.data)) return ofAirbyte(record, record.data);
    return { data: record, tool: "singer", stream: String(row.stream ?? ""), at: instantOf(row.time_extracted) };
  }
  if (typeof row.stream === "string" && isRow(row.data)) return ofAirbyte(row, row.data);
  return unwrapped(row);
}

const ofAirbyte = (message: Row, data: Row): Unwrapped => ({
  data,
  tool: "airbyte",
  stream: String(message.stream),
  at: instantOf(message.emitted_at),
});

function unwrapped(row: Row): Unwrapped {
  if (!("_airbyte_data" in row)) return { data: row, changes: changesOf(row._airbyte_meta) };
  const data = parsed(row._airbyte_data);
  if (!isRow(data)) throw new RowError("_airbyte_data: not a JSON object");
  return { data, tool: "airbyte", at: extractedAt(row), changes: changesOf(row._airbyte_meta) };
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
export function extractedAt(row: Row): string | undefined {
  for (const column of EXTRACTED) {
    const at = isFilled(row[column]) ? instantOf(row[column]) : undefined;
    if (at) return at;
  }
  return undefined;
}
