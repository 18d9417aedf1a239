import { randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { sha256Of } from "../checksum.ts";
import { isOfTheMachine } from "../contract/error.ts";
import type { RecordDeclaration } from "../contract/record.ts";
import type { Integration } from "../contract/settings.ts";
import { publish } from "../durable.ts";
import { type Database, identifier, literal, type Session } from "../engine/database.ts";
import { paths } from "../paths.ts";
import { type ExportFile, listExports } from "./exports.ts";
import { type Inspected, landedName, writeNote } from "./intact.ts";
import { type Place as LakePlace, type Landed, lakeFolder, landings, ledgerOf } from "./ledger.ts";
import { gathered, type Lines, openLines, rawRows } from "./lines.ts";
import { checkedRows, plainMapping, vendorMapping } from "./mapping.ts";
import { mend } from "./mend.ts";
import { readExport, type Unreadable } from "./read.ts";
import { NO_OBJECT, reasonOf, writeRejects } from "./rejects.ts";
import { FileError } from "./scan.ts";

/** What came of one record of one integration. */
export interface Outcome {
  readonly organization: string;
  readonly integration: string;
  readonly connector: string;
  readonly record: string;
  /** Files in the folder, also those that landed before. */
  seen: number;
  /** Files landed now. */
  files: number;
  landed: number;
  /** Of the landed rows those that took the place of an earlier version. */
  replaced: number;
  rejected: number;
  seconds: number;
  /** Files that could not be read at all: nothing of them landed. */
  readonly refused: { readonly file: string; readonly reason: string }[];
}

/** What went wrong unforeseen: of one file where it is known which. Nothing of it landed; the next sync tries again. */
export interface LandingFailure {
  readonly file?: string;
  readonly reason: string;
}

export interface Landing {
  readonly outcome: Outcome;
  readonly failures: readonly LandingFailure[];
  /** Landed files that were damaged or missing and are whole again. */
  readonly repaired: readonly string[];
}

/** Told when a file of so many bytes is done with. */
export type Progress = (done: { readonly file: string; readonly bytes: number }) => void;

export interface Place extends LakePlace {
  readonly integration: Integration;
}

/** An export that was read and is about to land. */
export interface Read extends Lines {
  readonly file: ExportFile;
}

/** A sync takes the files of a record in portions of about this size: each portion is one landing. */
const PORTION_BYTES = 4 * 1024 ** 3;

/** Lands what is new in one record's folder. Never throws: what fails is told, and what can be landed lands. */
export async function landRecord(database: Database, place: Place, now: Date, progress: Progress): Promise<Landing> {
  const started = performance.now();
  const { dataDir, organization, integration, record } = place;
  const outcome: Outcome = {
    organization,
    integration: integration.id,
    connector: record.connector,
    record: record.name,
    seen: 0,
    files: 0,
    landed: 0,
    replaced: 0,
    rejected: 0,
    seconds: 0,
    refused: [],
  };
  const failures: LandingFailure[] = [];
  const repaired: string[] = [];
  try {
    const { files, odd } = await listExports(paths.exports(dataDir, organization, integration.id, record.name));
    outcome.seen = files.length + odd.length;
    outcome.refused.push(...odd.map(({ name, reason }) => ({ file: name, reason })));
    await database.use(async (session) => {
      const mended = await mend(session, place, files);
      repaired.push(...mended.repaired);
      failures.push(...mended.failures);
      if (files.length === 0) return;
      const ledger = await ledgerOf(session, place, mended.lost);
      const fresh = files.filter((file) => !ledger.holds(file) && !mended.used.has(file));
      const task = { session, place, now, outcome, failures, lost: mended.lost };
      for (const portion of portions(fresh)) await landPortion(task, portion, progress);
    });
  } catch (error) {
    failures.push({ reason: (error as Error).message });
  }
  outcome.seconds = (performance.now() - started) / 1000;
  return { outcome, failures, repaired };
}

/** One record's landing under way. */
interface Task {
  readonly session: Session;
  readonly place: Place;
  readonly now: Date;
  readonly outcome: Outcome;
  readonly failures: LandingFailure[];
  /** Landed files that are lost for now: what they held has landed all the same. */
  readonly lost: readonly Inspected[];
}

function portions(files: readonly ExportFile[]): ExportFile[][] {
  const all: ExportFile[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const file of files) {
    if (size + file.bytes > PORTION_BYTES) {
      all.push([]);
      size = 0;
    }
    all.at(-1)?.push(file);
    size += file.bytes;
  }
  return all;
}

async function landPortion(task: Task, files: readonly ExportFile[], progress: Progress): Promise<void> {
  const { session, place, outcome, failures } = task;
  await atWork(place.dataDir, async (work) => {
    const ledger = await ledgerOf(session, place, task.lost);
    const readings: Read[] = [];
    for (const [fileNo, file] of files.entries()) {
      try {
        const reading = await readOne(session, file, fileNo, place.record, work);
        if (!ledger.sameContent(file, reading.sha256)) readings.push(reading);
      } catch (error) {
        const told = { file: file.name, reason: (error as Error).message };
        if (error instanceof FileError) outcome.refused.push(told);
        else failures.push(told);
      }
      progress({ file: file.name, bytes: file.bytes });
    }
    await landOrHalve(task, readings, work);
  });
}

/** Work in a folder of its own, which goes with it. */
export async function atWork<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = path.join(paths.work(dataDir), randomBytes(6).toString("hex"));
  await mkdir(folder, { recursive: true });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where one file spoils a landing it is found by halves, so that the others land without it. */
async function landOrHalve(task: Task, readings: readonly Read[], work: string): Promise<void> {
  const [first] = readings;
  if (!first) return;
  try {
    await landReadings(task, readings, work);
  } catch (error) {
    if (isOfTheMachine(error as NodeJS.ErrnoException)) throw error;
    if (readings.length === 1) {
      task.failures.push({ file: first.file.name, reason: (error as Error).message });
      return;
    }
    const half = Math.ceil(readings.length / 2);
    await landOrHalve(task, readings.slice(0, half), work);
    await landOrHalve(task, readings.slice(half), work);
  }
}

export async function readOne(
  session: Session,
  file: ExportFile,
  fileNo: number,
  record: RecordDeclaration,
  work: string,
): Promise<Read> {
  const lines = path.join(work, `${fileNo}.lines`);
  const contexts = path.join(work, `${fileNo}.contexts`);
  try {
    const reading = await readExport(file.path, record, { lines, contexts, fileNo });
    if (reading.parquet) await readThrough(session, reading.parquet);
    const after = await lstat(file.path, { bigint: true });
    if (Number(after.size) !== file.bytes || after.mtimeNs !== file.modified) {
      throw new FileError("changed while it was read: taken up at the next sync");
    }
    return { ...reading, file, fileNo, lines, contexts };
  } catch (error) {
    // The file's own trouble is told of it: it is gone, or may not be read. Any other is ours.
    const { code, path: about } = error as NodeJS.ErrnoException;
    throw about === file.path ? new FileError(code === "ENOENT" ? "is gone" : `cannot be opened (${code})`) : error;
  }
}

/** A Parquet file that is damaged anywhere is refused before its rows meet those of other files. */
async function readThrough(session: Session, parquet: string): Promise<void> {
  await session
    .rows(`select bit_xor(hash(columns)) from read_parquet(${literal(parquet)}) columns`)
    .catch((error: Error) => {
      const [reason = ""] = error.message.replaceAll(parquet, "it").split("\n");
      throw new FileError(`is no whole Parquet file (${reason})`);
    });
}

/** All or nothing: the one file that appears in the lake holds every readable row and the list of the exports. */
async function landReadings(
  { session, place, now, outcome }: Task,
  read: readonly Read[],
  work: string,
): Promise<void> {
  const landing = (await landings(place)).next;
  const made = await landedFile(session, place, read, { landing, landedAt: now.toISOString() }, work);
  const replaced = await countReplaced(session, place, made.file);
  const rejects = paths.rejects(place.dataDir, place.organization, place.integration.id, place.record.name);
  for (const { file, fileNo } of read) await writeRejects(rejects, file.name, made.rejected.get(fileNo) ?? []);
  await putInLake(place, made);
  outcome.files += read.length;
  outcome.landed += made.exports.reduce((sum, file) => sum + file.rows, 0);
  outcome.replaced += replaced;
  outcome.rejected += made.exports.reduce((sum, file) => sum + file.rejected, 0);
}

/** A landing's number and time, which its rows carry. */
export interface Turn {
  readonly landing: number;
  readonly landedAt: string;
}

interface Made extends Turn {
  readonly file: string;
  readonly exports: readonly Landed[];
  readonly rejected: ReadonlyMap<number, readonly Unreadable[]>;
}

/** The file that is to appear in the lake. */
export async function landedFile(
  session: Session,
  place: Place,
  read: readonly Read[],
  { landing, landedAt }: Turn,
  work: string,
): Promise<Made> {
  const { record } = place;
  // Names of their own: the engine may still know what a try before this one wrote.
  const tried = `${read[0]?.fileNo}-${read.length}`;
  const readings = await gathered(read, path.join(work, `gathered-${tried}`));
  const written = (name: string): string => path.join(work, `${name}-${tried}.parquet`);
  await openLines(session, record.connector, readings);
  const branches = [];
  for (const flavour of ["vendor", "plain"] as const) {
    if (!readings.some((r) => r.flavour === flavour)) continue;
    const mapping = flavour === "vendor" ? await vendorMapping(record) : plainMapping(record);
    branches.push(checkedRows(record, withoutSemicolon(mapping)));
  }
  const checked = `(${branches.join("\nunion all by name\n")})`;
  const write = (rows: string, exports: readonly Landed[], file: string): Promise<void> =>
    session.run(
      `copy (${rows}) to ${literal(file)} (format parquet, compression zstd, kv_metadata {
        lucra: ${literal(JSON.stringify(exports))}, landed_at: ${literal(landedAt)}})`,
    );
  // Mostly every row that was read lands, and this is the file already. Rows with a problem are marked in it by a
  // negative position: then it is written again without them.
  const hoped = readings.map((reading) =>
    ledgerEntry(reading, reading.rows - reading.unreadable.length, reading.unreadable.length),
  );
  const all = written("all");
  await write(
    `select * exclude (_problem) replace (if(_problem is null, _position, -_position) as _position),
        ${literal(place.integration.id)} as _integration_id, ${landing} as _landing,
        ${literal(landedAt)}::timestamptz as _landed_at
      from ${checked}`,
    hoped,
    all,
  );
  const counts = await countsOf(session, all);
  everyRowAccountedFor(counts, readings);
  const rejected = await rejectedRows(session, all, checked, readings, counts);
  const exports = readings.map((reading) =>
    ledgerEntry(reading, counts.get(reading.fileNo)?.landed ?? 0, rejected.get(reading.fileNo)?.length ?? 0),
  );
  const isWhole = JSON.stringify(exports) === JSON.stringify(hoped);
  const file = isWhole ? all : written("landed");
  if (!isWhole) await write(`from read_parquet(${literal(all)}) where _position > 0`, exports, file);
  return { file, landing, landedAt, exports, rejected };
}

export async function putInLake(place: Place, { file, landing, landedAt, exports }: Made): Promise<void> {
  const { integration } = place;
  const folder = lakeFolder(place);
  const sha256 = await sha256Of(file);
  const name = landedName(integration.id, landing, sha256);
  await publish(file, path.join(folder, name));
  // From here on it has landed. Should the note fail, the next sync writes it from the file.
  await writeNote(folder, integration.id, landing, { file: name, sha256, landedAt, exports }).catch(() => {});
}

const withoutSemicolon = (sql: string): string => sql.trimEnd().replace(/;$/, "");

const ledgerEntry = ({ file, fileNo, sha256 }: Read, rows: number, rejected: number): Landed => ({
  name: file.name,
  bytes: file.bytes,
  modified: String(file.modified),
  sha256,
  rows,
  rejected,
  fileNo,
});

/** What came out of the mapping of one file: how many positions of it, each of which may be several rows. */
interface Counts {
  readonly positions: number;
  readonly landed: number;
  /** Positions with a row that cannot land. */
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

/** So many positions are looked up by themselves; of more, all rows are checked again. */
const MOST_LOOKED_UP = 10_000;

/** What could not be landed, by file: refused by the reading, or by a field's type. */
async function rejectedRows(
  session: Session,
  all: string,
  checked: string,
  readings: readonly Read[],
  counts: ReadonlyMap<number, Counts>,
): Promise<Map<number, Unreadable[]>> {
  const refused = new Map<number, Unreadable[]>(readings.map((r) => [r.fileNo, [...r.unreadable]]));
  const expected = [...counts.values()].reduce((sum, count) => sum + count.refused, 0);
  // Mostly there is nothing to look up, and the files are not read again.
  if (expected === 0) return refused;
  const positions =
    expected > MOST_LOOKED_UP
      ? []
      : await session.texts(`select distinct -_position from read_parquet(${literal(all)}) where _position < 0`);
  const texts = readings.filter((r) => !r.parquet);
  const raw =
    texts.length === 0 ? "(select null::int as file_no, null::bigint as position, '' as \"row\")" : rawRows(texts);
  const problems = await session.rows(
    `with problems as (
        select distinct _file_no as file_no, _position as position, _problem as reason
        from ${checked}
        where _problem is not null ${positions.length > 0 ? `and _position in (${positions.join(", ")})` : ""}
      )
      select file_no, position, coalesce(raw."row", '') as "row",
        case
          when raw."row" is null then reason
          when not json_valid(raw."row") or json_type(raw."row") <> 'OBJECT' then ${literal(NO_OBJECT)}
          when json_exists(raw."row", '$.__parentId') then 'its parent is not in this file'
          else reason
        end as reason
      from problems left join ${raw} as raw using (file_no, position)
      order by all`,
  );
  const found = new Set(problems.map((row) => `${row.file_no} ${row.position}`)).size;
  if (found !== expected) throw new Error(`${expected} rows could not land, ${found} when they were looked at again`);
  for (const { file_no, position, reason, row } of problems) {
    const told = reasonOf(String(reason), String(row));
    refused.get(Number(file_no))?.push({ position: Number(position), reason: told, row: String(row) });
  }
  for (const rows of refused.values()) rows.sort((a, b) => a.position - b.position);
  return refused;
}

/** Every position that was read came out of the mapping: a mapping that drops rows is a mistake of ours, told loudly. */
function everyRowAccountedFor(counts: ReadonlyMap<number, Counts>, readings: readonly Read[]): void {
  for (const { file, fileNo, rows, unreadable, bulk, parquet } of readings) {
    if (bulk || parquet) continue;
    const expected = rows - unreadable.length;
    const mapped = counts.get(fileNo)?.positions ?? 0;
    if (mapped !== expected)
      throw new Error(`${file.name}: ${expected} rows were read, ${mapped} came out of the mapping`);
  }
}

/** Of the rows about to land, those whose key is there already: earlier in the lake, or twice among themselves. */
async function countReplaced(session: Session, place: Place, finished: string): Promise<number> {
  const { record } = place;
  const names = [...record.key, ...(record.segmented ? ["_segment"] : [])];
  const key = names.map((name) => `coalesce(${identifier(name)}::varchar, '') as ${identifier(name)}`).join(", ");
  const same = names.map(identifier).join(", ");
  const { files } = await landings(place);
  const earlier =
    files.length === 0
      ? ""
      : `anti join (
      select distinct ${key} from read_parquet([${files.map(literal).join(", ")}], union_by_name = true)
    ) earlier using (${same})`;
  const [row] = await session.rows(
    `select (select count(*) from read_parquet(${literal(finished)}))::bigint - count(*) as replaced
      from (select distinct ${key} from read_parquet(${literal(finished)})) fresh ${earlier}`,
  );
  return Number(row?.replaced ?? 0);
}

/** Leftovers of a landing that was killed. */
export async function removeLeftovers(dataDir: string): Promise<void> {
  const work = paths.work(dataDir);
  const names = await readdir(work).catch(() => []);
  for (const name of names) await rm(path.join(work, name), { recursive: true, force: true });
}
