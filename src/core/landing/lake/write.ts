import { rm } from "node:fs/promises";
import path from "node:path";
import { literal, type Session } from "../../engine/database.ts";
import { unpackEntry } from "../bytes/archive.ts";
import { type Deadline, LISTED_REJECTS, MOST_REJECTED, rejectsTooMuch, withinDeadline } from "../bytes/limits.ts";
import { FileError } from "../bytes/scan.ts";
import { assertListed, type ExportFile, openListed } from "../find/exports.ts";
import type { IngestedFile } from "../ledger/ingested.ts";
import { checkedRows, plainMapping, vendorMapping } from "../map/mapping.ts";
import { mergeSmallFiles, openLines, rawRows, SMALL_BYTES, unreadableRows } from "../map/stage.ts";
import { foreignFile } from "../read/formats.ts";
import type { Target } from "../read/lineWriter.ts";
import { inspectParquet, partRowsFile } from "../read/parquet.ts";
import type { ReadSettings } from "../read/part.ts";
import { readParts } from "../read/partRows.ts";
import { parquetOf, readExport } from "../read/read.ts";
import { LONGEST_SHOWN, listRejects, NO_OBJECT, type Rejected, withoutValues } from "../read/rejects.ts";
import { type BuiltFile, type LandingStamp, ledgerEntry, type Place, type Read } from "./built.ts";
import { buildParts } from "./parts.ts";
import { refuseRepeated } from "./repeated.ts";
import { refuseReplaced } from "./replaced.ts";

/** A folder for unfinished files, and how long work on them may take. */
interface Workshop {
  readonly work: string;
  readonly deadline: Deadline;
}

export async function readOne(
  session: Session,
  file: ExportFile,
  fileNo: number,
  place: Pick<Place, "record" | "integration" | "currency">,
  { work, deadline }: Workshop,
): Promise<Read> {
  const { record } = place;
  const lines = path.join(work, `${fileNo}.lines`);
  const contexts = path.join(work, `${fileNo}.contexts`);
  const unreadablePath = path.join(work, `${fileNo}.unreadable`);
  try {
    const handle = await openListed(file);
    const unpacked = path.join(work, `${fileNo}.entry`);
    let opened = handle;
    try {
      if (file.entry !== undefined) opened = await unpackEntry(handle, file.entry, unpacked);
      const { size } = await opened.stat();
      const target = {
        ...sourceFile(file),
        lines,
        contexts,
        unreadable: unreadablePath,
        fileNo,
        settings: readSettings(place),
      };
      const reading = await readExport(opened, record, target, deadline);
      const { parquet } = reading;
      const read = { ...reading, file, fileNo, lines, contexts, unreadablePath };
      if (parquet === undefined) {
        await assertListed(file, handle);
        return read;
      }
      const { source, ...content } = await inspectParquet(
        session,
        { file: parquet, bytes: size },
        record,
        deadline,
        target,
      );
      await assertListed(file, handle);
      if (!source) return { ...read, ...content };
      const { parquet: _, ...others } = read;
      return { ...others, ...content, ...(await readParts(source, record, partRowsFile(parquet), target, size)) };
    } finally {
      await handle.close();
      if (opened !== handle) await opened.close();
      await rm(unpacked, { force: true });
    }
  } catch (error) {
    const parquet = parquetOf(lines);
    for (const written of [lines, contexts, unreadablePath, parquet, partRowsFile(parquet)])
      await rm(written, { force: true });
    // Errors about the export itself refuse that file; any other error fails the landing.
    const { code, path: about } = error as NodeJS.ErrnoException;
    throw about === file.path ? new FileError(code === "ENOENT" ? "is gone" : `cannot be opened (${code})`) : error;
  }
}

const sourceFile = ({ name, modified }: ExportFile): Pick<Target, "name" | "modified"> => ({
  name,
  modified: new Date(Number(modified / 1_000_000n)).toISOString(),
});

const readSettings = ({ integration, currency }: Pick<Place, "integration" | "currency">): ReadSettings => ({
  ...integration,
  ...(currency === undefined ? {} : { currency }),
});

/** Writes the file that is to appear in the lake; fails if this takes much longer than exports of this size need. */
export function buildLandedFile(
  session: Session,
  place: Place,
  read: readonly Read[],
  stamp: LandingStamp,
  { work, deadline }: Workshop,
): Promise<BuiltFile> {
  const bytes = read.reduce((sum, { unpacked }) => sum + unpacked, 0);
  const make = read[0]?.layout === "parts" ? buildParts : makeFile;
  return withinDeadline(session, deadline, bytes, () => make(session, place, read, stamp, work));
}

async function makeFile(
  session: Session,
  place: Place,
  read: readonly Read[],
  { landing, landedAt }: LandingStamp,
  work: string,
): Promise<BuiltFile> {
  const { record } = place;
  // Each attempt uses its own names: the engine may still have cached the files of an earlier one.
  const attempt = `${read[0]?.fileNo}-${read.length}`;
  const readings = await mergeSmallFiles(read, path.join(work, `merged-${attempt}`));
  const written = (name: string): string => path.join(work, `${name}-${attempt}.parquet`);
  await openLines(session, record.connector, readings);
  await session.set("organization_currency", place.currency ?? null);
  await session.set("cost_items", JSON.stringify(place.integration.items ?? {}));
  const branches = [];
  for (const layout of ["vendor", "plain"] as const) {
    if (!readings.some((r) => r.layout === layout)) continue;
    const mapping =
      layout === "vendor" || record.ownTable
        ? vendorMapping(record)
        : plainMapping(record, readings.filter(isDoubtful), readings);
    branches.push(checkedRows(record, mapping, place.currency?.toUpperCase(), layout));
  }
  const mapped = `(${branches.join("\nunion all by name\n")})`;
  const checked = isSmall(readings) ? await keptRows(session, mapped) : mapped;
  const write = (rows: string, exports: readonly IngestedFile[], file: string): Promise<void> =>
    session.run(
      `copy (${rows}) to ${literal(file)} (format parquet, compression zstd, kv_metadata {
        lucra: ${literal(JSON.stringify(exports))}, landed_at: ${literal(landedAt)}})`,
    );
  // Usually every row lands, and this file is final. Rows with a problem get a negative position: only if there are
  // any, the file is written again without them.
  const expectedExports = readings.map((reading) =>
    ledgerEntry(reading, reading.rows - reading.unreadable, reading.unreadable),
  );
  const all = written("all");
  await write(
    `select * exclude (_problem) replace (if(_problem is null, _position, -_position) as _position),
        ${literal(place.integration.id)} as _integration_id, ${landing} as _landing,
        ${literal(landedAt)}::timestamptz as _landed_at
      from ${checked}`,
    expectedExports,
    all,
  );
  const counts = await countsOf(session, all);
  assertAllMapped(counts, readings);
  await refuseRepeated(session, record, all, readings);
  await refuseReplaced(session, record, all, readings);
  const list = path.join(work, `rejects-${attempt}`);
  const rejected = await rejectedRows(session, { all, checked }, readings, counts, list);
  if (place.currency) await refuseForeign(session, checked, counts, rejected, place.currency);
  const exports = readings.map((reading) =>
    ledgerEntry(reading, counts.get(reading.fileNo)?.landed ?? 0, rejected.get(reading.fileNo)?.rows ?? 0),
  );
  const isWhole = JSON.stringify(exports) === JSON.stringify(expectedExports);
  const file = isWhole ? all : written("landed");
  if (!isWhole) await write(`from read_parquet(${literal(all)}) where _position > 0`, exports, file);
  await session.run(`drop table if exists ${KEPT}`);
  return { file, ofParts: false, landing, landedAt, exports, rejected };
}

/** Refuses a file whose rows are all in another currency [D4]. */
async function refuseForeign(
  session: Session,
  checked: string,
  counts: ReadonlyMap<number, Counts>,
  rejected: ReadonlyMap<number, Rejected>,
  currency: string,
): Promise<void> {
  const without = [...rejected.keys()].filter((fileNo) => (counts.get(fileNo)?.landed ?? 0) === 0);
  if (without.length === 0) return;
  const [found] = await session.rows(
    `select min(regexp_extract(_problem, 'currency: ([A-Z]{3}), and the organization', 1)) as first,
        max(regexp_extract(_problem, 'currency: ([A-Z]{3}), and the organization', 1)) as last
      from ${checked} where _file_no in (${without.join(", ")})
      group by _file_no having first <> '' order by _file_no limit 1`,
  );
  if (found) throw foreignFile(found.first === found.last ? String(found.last) : "other currencies", currency);
}

const isSmall = (readings: readonly Read[]): boolean =>
  readings.reduce((sum, { unpacked }) => sum + unpacked, 0) <= SMALL_BYTES;

const KEPT = "checked_rows";

/** A temporary table of the mapped rows: of few rows, planning the mapping takes most of the time, and again for rejects. */
async function keptRows(session: Session, mapped: string): Promise<string> {
  await session.run(`create or replace temp table ${KEPT} as from ${mapped}`);
  return KEPT;
}

const isDoubtful = ({ layout, known, unknown }: Read): boolean => layout === "plain" && unknown.length > known.length;

/** The result of mapping one file: its positions, each of which may be several rows. */
interface Counts {
  readonly positions: number;
  readonly landed: number;
  /** Positions with a rejected row. */
  readonly refused: number;
}

async function countsOf(session: Session, all: string): Promise<Map<number, Counts>> {
  const rows = await session.rows(
    `select _file_no as file_no, count(distinct abs(_position))::int as positions,
        count(*) filter (_position > 0)::int as landed,
        count(distinct _position) filter (_position < 0)::int as refused
      from read_parquet(${literal(all)}) group by all`,
  );
  return new Map(
    rows.map(({ file_no, positions, landed, refused }) => [
      Number(file_no),
      { positions: Number(positions), landed: Number(landed), refused: Number(refused) },
    ]),
  );
}

/** Up to this many positions are looked up one by one; for more, all rows are checked again. */
const MOST_LOOKED_UP = 10_000;

/**
 * Writes the rejected rows of each file to `<list>-<file_no>`: those that could not be read, and those with a value that
 * does not fit its type.
 */
async function rejectedRows(
  session: Session,
  { all, checked }: { readonly all: string; readonly checked: string },
  readings: readonly Read[],
  counts: ReadonlyMap<number, Counts>,
  list: string,
): Promise<Map<number, Rejected>> {
  const refused = ({ fileNo }: Read): number => counts.get(fileNo)?.refused ?? 0;
  for (const reading of readings) {
    if (refused(reading) + reading.unreadable <= MOST_REJECTED) continue;
    throw rejectsTooMuch(await firstProblem(session, all, checked, reading.fileNo));
  }
  const expected = sum(readings.map(refused));
  const unreadable = sum(readings.map((reading) => reading.unreadable));
  const branches: string[] = [];
  if (unreadable > 0) branches.push(`from ${unreadableRows(readings)}`);
  // Usually there is nothing to look up, and the files are not read again.
  if (expected > 0) branches.push(await lookedUp(session, all, checked, readings, expected));
  if (branches.length === 0) return new Map();
  // Texts that are not listed are not sorted.
  const rows = session.chunks(
    `select file_no, position, reason,
        if(sum(strlen("row")) over (partition by file_no order by position, reason) <= ${LISTED_REJECTS}, "row", '')
      from (${branches.join(" union all by name ")})
      order by all`,
  );
  const { files, positions } = await listRejects(rows, readings, list);
  await session.run("drop table if exists looked_up");
  if (positions !== expected + unreadable) {
    throw new Error(`${expected + unreadable} rows could not land, ${positions} when they were looked at again`);
  }
  return files;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Looks up the rows with a value that does not fit: file_no, position, reason, and the beginning of the row. */
async function lookedUp(
  session: Session,
  all: string,
  checked: string,
  readings: readonly Read[],
  expected: number,
): Promise<string> {
  const positions =
    expected > MOST_LOOKED_UP
      ? []
      : await session.texts(`select distinct -_position from read_parquet(${literal(all)}) where _position < 0`);
  const texts = readings.filter((r) => !r.parquet);
  const raw =
    texts.length === 0 ? "(select null::int as file_no, null::bigint as position, '' as \"row\")" : rawRows(texts);
  // A temporary table: in a condition on the checked rows, the problem would be planned and computed several times.
  await session.run(
    `create or replace temp table looked_up as
      select _file_no as file_no, _position as position, _problem as reason
      from ${checked} ${positions.length > 0 ? `where _position in (${positions.join(", ")})` : ""}`,
  );
  return `select file_no, position, coalesce(left(raw."row", ${LONGEST_SHOWN + 1}), '') as "row",
      case
        when raw."row" is null then reason
        when not json_valid(raw."row") or json_type(raw."row") <> 'OBJECT' then ${literal(NO_OBJECT)}
        when json_exists(raw."row", '$.__parentId') then 'its parent is not in this file'
        else reason
      end as reason
    from (select distinct file_no, position, reason from looked_up where reason is not null)
    left join ${raw} as raw using (file_no, position)`;
}

/** Describes the first rejected row, for a file with too many of them. */
async function firstProblem(session: Session, all: string, checked: string, fileNo: number): Promise<string> {
  const [first] = await session.rows(
    `select max(_position) as position from read_parquet(${literal(all)})
      where _position < 0 and _file_no = ${fileNo}`,
  );
  const position = -Number(first?.position);
  const reasons = await session.texts(
    `select _problem from ${checked} where _file_no = ${fileNo} and _position = ${position}
      order by _problem nulls last limit 1`,
  );
  return `the first at ${position} (${withoutValues(String(reasons[0]))})`;
}

/** Fails if a position that was read did not come out of the mapping: a mapping that drops rows is a bug. */
function assertAllMapped(counts: ReadonlyMap<number, Counts>, readings: readonly Read[]): void {
  for (const { file, fileNo, rows, unreadable, bulk, parquet } of readings) {
    if (bulk || parquet) continue;
    const expected = rows - unreadable;
    const mapped = counts.get(fileNo)?.positions ?? 0;
    if (mapped !== expected)
      throw new Error(`${file.name}: ${expected} rows were read, ${mapped} came out of the mapping`);
  }
}
