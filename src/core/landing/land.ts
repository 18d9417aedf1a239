import { isOfTheMachine, isOutOfSpace, isOverMemoryLimit } from "../contract/error.ts";
import { type Database, identifier, literal, type Session } from "../engine/database.ts";
import { DEADLINE, type Deadline, LimitError } from "./bytes/limits.ts";
import { FileError } from "./bytes/scan.ts";
import { type ExportFile, listExports } from "./find/exports.ts";
import { commitToLake, type LandingStamp, type Place, type Read } from "./lake/built.ts";
import { type LandingFailure, repairLandedFiles } from "./lake/repair.ts";
import { sumNotes } from "./lake/sums.ts";
import { buildLandedFile, readOne } from "./lake/write.ts";
import { claimLanding, ingestedFiles, landings } from "./ledger/ingested.ts";
import { Refusals } from "./ledger/refused.ts";
import { Revocations } from "./ledger/revocations.ts";
import type { CheckedFile } from "./ledger/verify.ts";
import { assembledFile, waitingStreams, warningsOf } from "./map/assemble.ts";
import {
  emptyOutcome,
  type Landing,
  listed,
  type Outcome,
  reportNotes,
  reportRefused,
  reportRevoked,
} from "./outcome.ts";
import { EMPTY } from "./read/read.ts";
import { putRejects, reasonOf } from "./read/rejects.ts";
import { atWork } from "./work.ts";

/** Called with each file and its size when the file is done, landed or not. */
export type Progress = (done: { readonly file: string; readonly bytes: number }) => void;

/** A sync lands the files of a record in batches that unpack to about this size: each batch is one landing. */
const BATCH_BYTES = 1024 ** 3;

/** How long one file may take, and whether the time of all is over: the rest is then postponed. */
interface Patience {
  readonly deadline?: Deadline | undefined;
  readonly isOver?: (() => boolean) | undefined;
}

/** Lands the new files in one record's folder. Never throws: failures are reported, and all other files land. */
export async function landRecord(
  database: Database,
  place: Place,
  stamp: LandingStamp,
  progress: Progress,
  { deadline = DEADLINE, isOver = () => false }: Patience = {},
): Promise<Landing> {
  const started = performance.now();
  const outcome = emptyOutcome(place);
  const failures: LandingFailure[] = [];
  const repaired: string[] = [];
  try {
    const { files, odd } = await listExports(place.folders, place.integration.id, place.record.name);
    outcome.seen = files.length + odd.length;
    for (const { name, reason } of odd) reportRefused(outcome, name, reason);
    await database.use(async (session) => {
      const repair = await repairLandedFiles(session, place, files);
      repaired.push(...repair.repaired);
      failures.push(...repair.failures);
      if (files.length === 0) return;
      const [memoryLimit = ""] = await session.texts("select current_setting('memory_limit')");
      const refusals = await Refusals.of(place, files, memoryLimit);
      const task = { session, place, stamp, deadline, isOver, outcome, failures, refusals, lost: repair.lost };
      let rest = await freshFiles(task, files, repair.used);
      while (rest.length > 0 && !isOver()) rest = await landBatch(task, rest, progress);
      outcome.postponed += rest.length;
      await joinParts(session, place, outcome);
      if (outcome.postponed === 0) await refusals.endPass();
    });
  } catch (error) {
    failures.push({ reason: reasonOf(error) });
  }
  outcome.seconds = (performance.now() - started) / 1000;
  return { outcome, failures: listed(failures), repaired };
}

/** The files that have not landed, were not revoked, and were not refused before; the others are reported. */
async function freshFiles(
  { session, place, outcome, refusals, lost }: Task,
  files: readonly ExportFile[],
  repaired: ReadonlySet<ExportFile>,
): Promise<ExportFile[]> {
  const ledger = await ingestedFiles(session, place, lost);
  const revocations = await Revocations.of(place.folders);
  return files.filter((file) => {
    if (ledger.holds(file) || repaired.has(file)) return false;
    const landing = revocations.landingOf(place.record, place.integration.id, file);
    if (landing !== undefined) {
      reportRevoked(outcome, file.name, landing);
      return false;
    }
    const reason = file.bytes === 0 ? EMPTY : refusals.reasonFor(file);
    if (reason) reportRefused(outcome, file.name, reason);
    return !reason;
  });
}

/** Joins the parts that have landed, and reports what came of it. */
async function joinParts(session: Session, place: Place, outcome: Outcome): Promise<void> {
  const { parts } = await landings(place);
  const assembled = await assembledFile(session, place, parts);
  if (!assembled) return;
  for (const { file, reason } of await waitingStreams(session, place)) reportRefused(outcome, file, reason);
  const warnings = await warningsOf(session, { parts });
  if (warnings.length > 0) outcome.warnings = warnings;
  if (!assembled.made) return;
  outcome.landed += assembled.made.landed;
  outcome.replaced += assembled.made.replaced;
  outcome.rejected += assembled.made.rejected;
}

interface Task {
  readonly session: Session;
  readonly place: Place;
  readonly stamp: LandingStamp;
  readonly deadline: Deadline;
  readonly isOver: () => boolean;
  readonly outcome: Outcome;
  readonly failures: LandingFailure[];
  readonly refusals: Refusals;
  /** Landed files that are lost for now: the exports that they held still count as landed. */
  readonly lost: readonly CheckedFile[];
}

/** Lands the first batch of the files and returns the others. */
function landBatch(task: Task, files: readonly ExportFile[], progress: Progress): Promise<ExportFile[]> {
  const { session, place } = task;
  return atWork(place.folders.dataDir, async (work) => {
    const ledger = await ingestedFiles(session, place, task.lost);
    const readings: Read[] = [];
    let unpacked = 0;
    for (const [fileNo, file] of files.entries()) {
      try {
        const reading = await readOne(session, file, fileNo, place, { work, deadline: task.deadline });
        unpacked += reading.unpacked;
        if (!ledger.sameContent(file, reading.sha256)) readings.push(reading);
      } catch (error) {
        if (!(error instanceof FileError) && stopsLanding(error)) throw error;
        // The files that were read before it take space: it is read again after they have landed.
        if (isOutOfSpace(error as Error) && unpacked > 0) {
          await landAll(task, readings);
          return files.slice(fileNo);
        }
        await refuseOrFail(task, file, error);
      }
      progress({ file: file.name, bytes: file.bytes });
      if (unpacked < BATCH_BYTES && !task.isOver()) continue;
      await landAll(task, readings);
      return files.slice(fileNo + 1);
    }
    await landAll(task, readings);
    return [];
  });
}

/** Errors about the file refuse it; others are failures. */
async function refuseOrFail({ outcome, refusals, failures }: Task, file: ExportFile, error: unknown): Promise<void> {
  const reason = reasonOf(error);
  if (error instanceof FileError || isOverMemoryLimit(error)) reportRefused(outcome, file.name, reason);
  else failures.push({ file: file.name, reason });
  if (error instanceof LimitError) await refusals.add(file, reason);
  else if (error instanceof FileError) await refusals.addForPass(file, reason);
  else if (isOverMemoryLimit(error)) await refusals.addOutOfMemory(file, reason);
}

/**
 * Machine errors stop the landing, since other files would fail too. But a failed read concerns only one file, and one
 * large file must not keep the others from landing when there is no room for it.
 */
function stopsLanding(error: unknown): boolean {
  const known = error as NodeJS.ErrnoException;
  return isOfTheMachine(known) && !isOutOfSpace(known) && known.syscall !== "read";
}

/** Parts land in a file of their own: they are not mapped yet. */
async function landAll(task: Task, readings: readonly Read[]): Promise<void> {
  await landOrHalve(
    task,
    readings.filter(({ layout }) => layout !== "parts"),
  );
  await landOrHalve(
    task,
    readings.filter(({ layout }) => layout === "parts"),
  );
}

/**
 * If one file makes a landing fail, halving the batch finds it, so that the others land without it. If the time is
 * over, only the first part lands.
 */
async function landOrHalve(task: Task, readings: readonly Read[]): Promise<void> {
  const [first] = readings;
  if (!first) return;
  try {
    // Each attempt has its own folder: a failed one leaves nothing that takes space.
    await atWork(task.place.folders.dataDir, (work) => landReadings(task, readings, work));
  } catch (error) {
    const known = error as NodeJS.ErrnoException;
    if (isOfTheMachine(known) && !isOutOfSpace(known)) throw error;
    if (readings.length === 1) {
      return refuseOrFail(task, first.file, error);
    }
    const half = Math.ceil(readings.length / 2);
    await landOrHalve(task, readings.slice(0, half));
    if (task.isOver()) task.outcome.postponed += readings.length - half;
    else await landOrHalve(task, readings.slice(half));
  }
}

/** Lands all or nothing: one file appears in the lake, with every readable row and the list of the exports. */
async function landReadings(
  { session, place, stamp, deadline, outcome }: Task,
  read: readonly Read[],
  work: string,
): Promise<void> {
  // A sync may need several numbers: one for each batch.
  const { next } = await landings(place);
  const landing = next <= stamp.landing ? stamp.landing : await claimLanding(place.folders, next);
  // Several files that exceed it are halved, not refused, so it may be short: a sync then ends sooner.
  const several = { ...deadline, msPerMB: deadline.msPerMB / 4 };
  const limit = read.length > 1 ? several : deadline;
  const made = await buildLandedFile(session, place, read, { ...stamp, landing }, { work, deadline: limit });
  const replaced = made.ofParts ? 0 : await countReplaced(session, place, made.file);
  const sums = await sumNotes(session, place, made.file);
  const rejects = place.folders.rejects(place.integration.id, place.record.name);
  for (const { file, fileNo } of read) await putRejects(rejects, file.name, made.rejected.get(fileNo)?.list);
  await commitToLake(place, made);
  outcome.files += read.length;
  for (const one of read) {
    const notes = sums.filter(({ fileNo }) => fileNo === one.fileNo).map(({ note }) => note);
    reportNotes(outcome, { ...one, notes: [...one.notes, ...notes] });
  }
  // Parts are counted when they have been joined.
  if (!made.ofParts) outcome.landed += made.exports.reduce((sum, file) => sum + file.rows, 0);
  outcome.replaced += replaced;
  outcome.rejected += made.exports.reduce((sum, file) => sum + file.rejected, 0);
}

/**
 * Counts the rows about to land whose key exists already, in the lake or, unless they add up, in an earlier one of these
 * rows.
 */
async function countReplaced(session: Session, place: Place, finished: string): Promise<number> {
  const { record } = place;
  const names = [...record.key, ...(record.segmented ? ["_segment"] : [])];
  const key = names.map((name) => `coalesce(${identifier(name)}::varchar, '') as ${identifier(name)}`).join(", ");
  const same = names.map(identifier).join(", ");
  const { files: all, parts } = await landings(place);
  const files = all.filter((file) => !parts.includes(file));
  const earlier =
    files.length === 0
      ? ""
      : `anti join (
      select distinct ${key} from read_parquet([${files.map(literal).join(", ")}], union_by_name = true)
    ) earlier using (${same})`;
  const [row] = await session.rows(
    `select (select count(${record.addsUp ? `distinct row(${same})` : "*"}) from read_parquet(${literal(finished)}))::bigint - count(*) as replaced
      from (select distinct ${key} from read_parquet(${literal(finished)})) fresh ${earlier}`,
  );
  return Number(row?.replaced ?? 0);
}
