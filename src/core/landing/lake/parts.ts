import path from "node:path";
import { literal, type Session } from "../../engine/database.ts";
import { LISTED_REJECTS } from "../bytes/limits.ts";
import { readLines, unreadableRows } from "../map/stage.ts";
import { listRejects } from "../read/rejects.ts";
import { type BuiltFile, type LandingStamp, ledgerEntry, type Place, type Read } from "./built.ts";

/** The columns of a line of parts, in the order of `LineWriter.part`. */
const LINE = `{file_no: 'int', position: 'bigint', stream: 'varchar', key: 'varchar', parent: 'varchar',
  load: 'varchar', sort: 'double', extracted_at: 'varchar', deleted: 'boolean', fault: 'varchar', object: 'varchar'}`;

/**
 * Writes the parts that were read to a file for the lake. Nothing is mapped yet: what an object lacks may land later.
 * Grain: a part. Its columns are those of `Part`, and the place of its row.
 */
export async function buildParts(
  session: Session,
  { integration }: Place,
  readings: readonly Read[],
  { landing, landedAt }: LandingStamp,
  work: string,
): Promise<BuiltFile> {
  const attempt = `${readings[0]?.fileNo}-${readings.length}`;
  const file = path.join(work, `parts-${attempt}.parquet`);
  const rejected = await listUnreadable(session, readings, path.join(work, `rejects-${attempt}`));
  const exports = readings.map((reading) =>
    ledgerEntry(reading, reading.rows - reading.unreadable, rejected.get(reading.fileNo)?.rows ?? 0),
  );
  const lines = readings.map((reading) => literal(reading.lines)).join(", ");
  const longest = Math.max(...readings.map((reading) => reading.longest));
  await session.run(
    `copy (
      select * replace (try_cast(extracted_at as timestamptz) as extracted_at),
        ${literal(integration.id)} as integration_id, ${landing} as landing,
        ${literal(landedAt)}::timestamptz as landed_at
      from ${readLines(lines, LINE, longest)}
    ) to ${literal(file)} (format parquet, compression zstd, kv_metadata {
      lucra: ${literal(JSON.stringify(exports))}, landed_at: ${literal(landedAt)}})`,
  );
  return { file, ofParts: true, landing, landedAt, exports, rejected };
}

async function listUnreadable(
  session: Session,
  readings: readonly Read[],
  list: string,
): Promise<BuiltFile["rejected"]> {
  const broken = readings.filter(({ unreadable }) => unreadable > 0);
  if (broken.length === 0) return new Map();
  const rows = session.chunks(
    `select file_no, position, reason,
        if(sum(strlen("row")) over (partition by file_no order by position, reason) <= ${LISTED_REJECTS}, "row", '')
      from ${unreadableRows(broken)} order by all`,
  );
  return (await listRejects(rows, broken, list)).files;
}
