import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { RecordDeclaration } from "../../core/contract/record.ts";
import { idsOf, namesOf, type Stream, type StreamSet, streamsIn } from "../../core/contract/stream.ts";
import { type Database, literal } from "../../core/engine/database.ts";
import { linesIn } from "../../core/landing/bytes/lines.ts";
import { FileError } from "../../core/landing/bytes/scan.ts";
import { isZip, utf16Of } from "../../core/landing/bytes/sniff.ts";
import { shapeOf } from "../../core/landing/map/shape.ts";
import { eventSource } from "../../core/landing/read/events.ts";
import { parseJson } from "../../core/landing/read/json.ts";
import { firstRows } from "../../core/landing/read/parquet.ts";
import { type FileSample, type PartSource, RowError, type SourceRow } from "../../core/landing/read/part.ts";
import { streamSetsOf } from "../../core/landing/read/partKinds.ts";
import { rowsIn as objectsIn, sampleOf, tableSample } from "../../core/landing/read/partRows.ts";
import { isParquet, looksLikeLines } from "../../core/landing/read/read.ts";
import { isReportTable } from "../tools/reports.ts";
import { columnsOf, hasSignature, namesInPath } from "../tools/streams.ts";
import { toolSource } from "../tools/tools.ts";
import { isMessage, isRow, unwrap } from "../tools/unwrap.ts";
import type { Given } from "./preview.ts";
import { headOf, isGzip, rowsIn } from "./recognize.ts";

/** A file of a tool, and the streams of records that it holds; none if no record reads it. */
export interface ToolFile {
  readonly file: Given;
  readonly streams: readonly StreamFound[];
  /** The streams that its rows name. */
  readonly named: readonly string[];
  /** Whether neither a name nor the columns say which stream it is. */
  readonly isUnclear: boolean;
}

export interface StreamFound {
  readonly record: RecordDeclaration;
  readonly isRoot: boolean;
  /** Whether users name such streams themselves, so that only the columns identify it. */
  readonly isCustom: boolean;
}

/** The streams of a tool's file among those of the records; undefined if no tool wrote it. */
export async function toolFile(
  database: Database,
  file: Given,
  records: readonly RecordDeclaration[],
): Promise<ToolFile | undefined> {
  const sample = await beginningOf(database, file);
  if (!sample) return undefined;
  const answers = records.map((record) => answerOf(record, sample));
  if (answers.every((answer) => answer === undefined)) return undefined;
  const found = answers.flatMap((answer) => answer ?? []).sort((a, b) => b.score - a.score);
  // A products table may be one of several vendors: its folder and its columns decide between them.
  const best = found[0]?.score ?? 0;
  const connectors = new Set(found.filter(({ score }) => score === best).map(({ record }) => record.connector));
  const streams = found.filter(({ record, isRead }) => isRead && connectors.has(record.connector));
  const named = [...new Set(sample.rows.flatMap((row) => unwrapped(row)?.stream ?? []))];
  return { file, streams, named, isUnclear: found.length > 0 && best < LEAST };
}

interface Scored extends StreamFound {
  readonly score: number;
  readonly isRead: boolean;
}

/** The streams of the record in a file; undefined if no tool wrote it. */
function answerOf(record: RecordDeclaration, sample: FileSample): readonly Scored[] | undefined {
  let source: PartSource | undefined;
  try {
    source = eventSource(record, sample) ?? toolSource(record, sample);
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
  if (!source) return undefined;
  const data = sample.rows.flatMap((row): SourceRow[] => [unwrapped(row)?.data ?? []].flat());
  const columns = columnsOf(sample.columns, data);
  // A report has no rows of an unknown stream.
  if (record.connector === "webanalytics" && !isReportTable(columns)) return [];
  const ids = new Set([...(source.streams ?? []), ...idsIn(source, sample)]);
  const names = namesInPath(sample.name);
  // A list of the vendor's objects that no mapping reads.
  if (ids.size === 0)
    return [{ record, isRoot: false, isCustom: false, isRead: false, score: sideTable(record, names) }];
  return streamSetsOf(record).flatMap((set) =>
    streamsIn(set.root)
      .filter((stream) => idsOf(set, stream).some((id) => ids.has(id)))
      .map((stream) => scored(record, set, stream, columns, names)),
  );
}

/** Scores of a stream's name and of each column of its signature: a column that is read counts one. */
const NAMED = 10_000;
const SIGNED = 100;
/** Less than that says nothing about the stream. */
const LEAST = SIGNED;

/** The nearest folder with a stream's name says most. */
const scoreOf = (place: number): number => (place < 0 ? 0 : NAMED * (SIGNED - place));

/** The score of a dlt table below a stream of the record: `orders__discount_applications`. */
function sideTable(record: RecordDeclaration, names: readonly string[]): number {
  const roots = streamSetsOf(record).flatMap(({ tool, root }) => (tool === "dlt" ? [`${root.name}__`] : []));
  return scoreOf(names.findIndex((name) => roots.some((root) => name.startsWith(root))));
}

function scored(
  record: RecordDeclaration,
  set: StreamSet,
  stream: Stream,
  columns: ReadonlySet<string>,
  names: readonly string[],
): Scored {
  const { signature = [] } = stream;
  const shape = shapeOf(record);
  const read = [...columns].filter((name) => shape.pathOf(name) !== undefined).length;
  const signed = record.connector === "webanalytics" ? 1 : hasSignature(columns, signature) ? signature.length : 0;
  const named = scoreOf(names.findIndex((name) => namesOf(stream).includes(name)));
  return {
    record,
    isRoot: stream === set.root,
    isCustom: stream === set.root && stream.custom === true,
    isRead: true,
    score: named + signed * SIGNED + Math.min(read, SIGNED - 1),
  };
}

/** The streams that the rows of a file name. */
function idsIn(source: PartSource, { rows }: FileSample): string[] {
  return rows.filter(isMessage).flatMap((row, at) => {
    try {
      return source.parts(row, at).map(({ stream }) => stream);
    } catch (error) {
      if (error instanceof RowError || error instanceof FileError) return [];
      throw error;
    }
  });
}

function unwrapped(row: SourceRow): ReturnType<typeof unwrap> {
  try {
    return unwrap(row);
  } catch {
    return undefined;
  }
}

/** The beginning of a file; of messages, the first one of each stream. Undefined if a tool cannot have written it. */
async function beginningOf(database: Database, { path: file, name }: Given): Promise<FileSample | undefined> {
  const { head } = await headOf(file);
  const { mtime } = await stat(file);
  const place = { name, modified: mtime.toISOString() };
  if (isParquet(head)) {
    return database
      .use((session) => firstRows(session, `read_parquet(${literal(file)})`, place))
      .catch(() => undefined);
  }
  if (head.length === 0 || isZip(head) || utf16Of(head)) return undefined;
  const text = head.toString("utf8").replace(/^\uFEFF/, "");
  if (!/^\s*[{[]/.test(text)) {
    const [heading, ...rows] = rowsIn(text, false);
    return heading && tableSample(place, heading, rows);
  }
  const rows = objectsIn(Buffer.from(text), looksLikeLines(Buffer.from(text)));
  return sampleOf(place, "lines", rows.some(isMessage) ? await messagesOf(file) : rows);
}

/** The first message of each stream. */
async function messagesOf(file: string): Promise<SourceRow[]> {
  const source: Readable = createReadStream(file);
  const chunks = (await isGzip(file)) ? source.pipe(createGunzip()) : source;
  const found = new Map<string, SourceRow>();
  try {
    for await (const line of linesIn(chunks as AsyncIterable<Buffer>)) {
      const name = /"stream"\s*:\s*"([^"]*)"/.exec(line.toString("utf8", 0, NAMED_WITHIN))?.[1] ?? "";
      if (found.has(name)) continue;
      const row = messageIn(line);
      if (row) found.set(name, row);
    }
  } catch {
    // The landing reports damaged data with its place.
  } finally {
    source.destroy();
  }
  return [...found.values()];
}

/** Up to this many bytes of a line are searched for the name of its stream. */
const NAMED_WITHIN = 4096;

function messageIn(line: Buffer): SourceRow | undefined {
  try {
    const row = parseJson(line.toString("utf8"));
    return isRow(row) && isMessage(row) && unwrapped(row) ? row : undefined;
  } catch {
    return undefined;
  }
}
