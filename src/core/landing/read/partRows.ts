import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import type { RecordDeclaration } from "../../contract/record.ts";
import { linesIn } from "../bytes/lines.ts";
import { envelopesOf, FileError, LARGEST_ROW, type RowSink, Scanner } from "../bytes/scan.ts";
import type { Cell } from "./formats.ts";
import { parseEngineJson, parseJson } from "./json.ts";
import { LARGEST_ROW_SAID, LineWriter, type Target } from "./lineWriter.ts";
import { type FileSample, type PartSource, RowError, type SourceRow } from "./part.ts";
import { NO_OBJECT } from "./rejects.ts";

/** How many rows a file is recognized by. */
export const SAMPLED_ROWS = 20;
/** How many bytes of a JSON file are looked through for them. */
const SAMPLED_BYTES = 1024 * 1024;

/** The first objects of a JSON file. */
export function rowsIn(head: Buffer, isLines: boolean): SourceRow[] {
  const found: SourceRow[] = [];
  const add = (bytes: Buffer | null): void => {
    const row = bytes && found.length < SAMPLED_ROWS ? objectIn(bytes) : undefined;
    if (row) found.push(row);
  };
  if (isLines) {
    for (const line of head.subarray(0, SAMPLED_BYTES).toString("utf8").split("\n").slice(0, SAMPLED_ROWS))
      add(Buffer.from(line));
    return found;
  }
  try {
    new Scanner(NO_ENVELOPES, { row: add, context: () => {} }).push(head.subarray(0, SAMPLED_BYTES));
  } catch {
    // The reader reports the fault with its place.
  }
  return found;
}

const NO_ENVELOPES = envelopesOf([], [], []);

function objectIn(bytes: Buffer, parse = parseJson): SourceRow | undefined {
  try {
    const value = parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as SourceRow) : undefined;
  } catch {
    return undefined;
  }
}

type Place = Pick<Target, "name" | "modified">;

export function sampleOf(
  { name, modified }: Place,
  format: FileSample["format"],
  rows: readonly SourceRow[],
): FileSample {
  return { name, modified, format, columns: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows };
}

/** The sample of a table of cells. */
export function tableSample(place: Place, heading: readonly Cell[], rows: readonly (readonly Cell[])[]): FileSample {
  const columns = heading.map((name) => String(name).trim());
  const sampled = rows.map((cells) => rowOf(columns, cells.map(String)));
  return { ...sampleOf(place, "table", []), isText: true, columns, rows: sampled };
}

/** An empty cell is left out. */
function rowOf(columns: readonly string[], cells: readonly string[]): SourceRow {
  const row: Record<string, string> = {};
  for (const [at, name] of columns.entries()) {
    const text = cells[at] ?? "";
    if (text !== "" && name !== "") row[name] = text;
  }
  return row;
}

/** Passes the rows of a file to its source, and writes the parts. */
export class PartReader {
  readonly #source: PartSource;
  readonly #writer: LineWriter;
  readonly #parse: typeof parseJson;

  /** `parse`: of the rows of JSON. */
  constructor(source: PartSource, writer: LineWriter, parse = parseJson) {
    this.#source = source;
    this.#writer = writer;
    this.#parse = parse;
  }

  async json(chunks: AsyncIterable<Buffer>, isLines: boolean): Promise<void> {
    const sink: RowSink = { row: (bytes) => this.#json(bytes), context: () => {} };
    if (isLines) {
      for await (const line of linesIn(chunks, LARGEST_ROW)) {
        this.#json(line);
        await this.#writer.drained();
      }
    } else {
      const scanner = new Scanner(NO_ENVELOPES, sink);
      for await (const chunk of chunks) {
        scanner.push(chunk);
        await this.#writer.drained();
      }
      scanner.end();
    }
    this.end();
  }

  /** A row of a table; `fault`: why it cannot be read. */
  cells(columns: readonly string[], cells: readonly string[], fault: string | undefined): void {
    this.#writer.beginParts();
    const row = rowOf(columns, cells);
    if (fault !== undefined) {
      // The cells of a shifted row are under the headings of others: none may be shown if some of them may not.
      this.#writer.reject(fault, this.#source.shown ? "" : this.#shown(row));
      this.#source.broken?.(row);
    } else this.#row(row, () => this.#shown(row));
  }

  #shown(row: SourceRow): string {
    const { shown } = this.#source;
    const columns = Object.entries(row).filter(([name]) => shown?.has(name) ?? true);
    return JSON.stringify(Object.fromEntries(columns));
  }

  #json(bytes: Buffer | null): void {
    if (bytes?.every((byte) => byte <= 0x20)) return;
    this.#writer.beginParts();
    const row = bytes && bytes.length <= LARGEST_ROW ? objectIn(bytes, this.#parse) : undefined;
    if (bytes === null || bytes.length > LARGEST_ROW) this.#writer.reject(`larger than ${LARGEST_ROW_SAID}`, "");
    else if (!isUtf8(bytes)) this.#writer.reject("not UTF-8 text", bytes.toString("latin1"));
    else if (row === undefined) this.#writer.reject(NO_OBJECT, bytes.toString("utf8"));
    else this.#row(row, () => bytes.toString("utf8"));
  }

  #row(row: SourceRow, text: () => string): void {
    try {
      const parts = this.#source.parts(row, this.#writer.rows);
      if (parts.length === 0 && !this.#source.end) this.#writer.passOver();
      for (const part of parts) this.#writer.part(part);
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      this.#writer.reject(error.message, text());
    }
  }

  end(): void {
    for (const part of this.#source.end?.() ?? []) this.#writer.part(part);
    this.#writer.notes = this.#source.notes ?? [];
    this.#writer.columns([...this.#source.unused]);
    this.#writer.holds(this.#source.streams ?? []);
    if (this.#writer.rows === 0 && !this.#source.streams) throw new FileError("holds no rows");
  }
}

/** Reads lines of JSON that were made from a Parquet file of `bytes` bytes. */
export async function readParts(
  source: PartSource,
  record: RecordDeclaration,
  lines: string,
  target: Target,
  bytes: number,
): Promise<ReturnType<LineWriter["found"]>> {
  const writer = new LineWriter(target, record, bytes);
  try {
    await new PartReader(source, writer, parseEngineJson).json(createReadStream(lines) as AsyncIterable<Buffer>, true);
  } finally {
    await writer.close();
  }
  return writer.found();
}
