import { assembledFile, waitingStreams, warningsOf } from "../../features/tools/parts/assemble.ts";
import { isOfTheMachine, isOutOfSpace, isOverMemoryLimit } from "../contract/error.ts";
import { shortened } from "../contract/text.ts";
import { type Database, identifier, literal, type Session } from "../engine/database.ts";
import { paths } from "../files/paths.ts";
import { commitToLake, type LandingStamp, type Place, type Read } from "./built.ts";
import { type ExportFile, listExports } from "./exports.ts";
import { claimLanding, ingestedFiles, landings } from "./ingested.ts";
import { count, DEADLINE, type Deadline, LimitError } from "./limits.ts";
import { EMPTY } from "./read.ts";
import { Refusals } from "./refused.ts";
import { putRejects, reasonOf } from "./rejects.ts";
import { type LandingFailure, repairLandedFiles } from "./repair.ts";
import { Revocations } from "./revocations.ts";
import { FileError } from "./scan.ts";
import type { CheckedFile } from "./verify.ts";
import { atWork } from "./work.ts";
import { buildLandedFile, readOne } from "./write.ts";

/** The result of landing one record of one integration. */
export interface Outcome {
  readonly organization: string;
  readonly integration: string;
  readonly connector: string;
  readonly record: string;
  /** Files in the folder, including those that landed before. */
  seen: number;
  /** Files landed now. */
  files: number;
  landed: number;
  /** Landed rows that replaced an earlier version. */
  replaced: number;
  rejected: number;
  seconds: number;
  /** The first files that could not be read: no row of them landed. */
  readonly refused: { readonly file: string; readonly reason: string }[];
  /** How many more files could not be read. */
  refusedMore: number;
  /** Of the first files that landed: columns that did not land, and what the file cannot give. */
  readonly notes: { readonly file: string; readonly note: string }[];
  /** Files that the next sync reads, because the turn was over. */
  postponed: number;
  /** The first files that landed, were revoked and have not been written again since: they do not land by themselves. */
  readonly revoked: { readonly file: string; readonly landing: number }[];
  /** How many more such files there are. */
  revokedMore: number;
  /** What is odd about rows that have landed. */
  warnings?: readonly string[];
}

/** How many files could not be read. */
export const refusedFiles = ({ refused, refusedMore }: Outcome): number => refused.length + refusedMore;

/** How many files a record's report lists: refused ones, and those that failed. */
const MOST_LISTED = 100;

export interface Landing {
  readonly outcome: Outcome;
  readonly failures: readonly LandingFailure[];
  /** Landed files that were damaged or missing and were repaired. */
  readonly repaired: readonly string[];
}

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
    refusedMore: 0,
    notes: [],
    postponed: 0,
    revoked: [],
    revokedMore: 0,
  };
  const failures: LandingFailure[] = [];
  const repaired: string[] = [];
  try {
    const { files, odd } = await listExports(dataDir, organization, integration.id, record.name);
    outcome.seen = files.length + odd.length;
    for (const { name, reason } of odd) report(outcome, name, reason);
    await database.use(async (session) => {
      const repair = await repairLandedFiles(session, place, files);
      repaired.push(...repair.repaired);
      failures.push(...repair.failures);
      if (files.length === 0) return;
      const ledger = await ingestedFiles(session, place, repair.lost);
      const revocations = await Revocations.of(dataDir, organization);
      const [memoryLimit = ""] = await session.texts("select current_setting('memory_limit')");
      const refusals = await Refusals.of(place, files, memoryLimit);
      const fresh: ExportFile[] = [];
      for (const file of files) {
        if (ledger.holds(file) || repair.used.has(file)) continue;
        const landing = revocations.landingOf(record, integration.id, file);
        if (landing !== undefined) {
          reportRevoked(outcome, file.name, landing);
          continue;
        }
        const reason = file.bytes === 0 ? EMPTY : refusals.reasonFor(file);
        if (reason) report(outcome, file.name, reason);
        else fresh.push(file);
      }
      const task = { session, place, stamp, deadline, isOver, outcome, failures, refusals, lost: repair.lost };
      let rest = fresh;
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

/** Joins the parts that have landed, and reports what came of it. */
async function joinParts(session: Session, place: Place, outcome: Outcome): Promise<void> {
  const { parts } = await landings(place);
  const assembled = await assembledFile(session, place, parts);
  if (!assembled) return;
  for (const { file, reason } of await waitingStreams(session, place)) report(outcome, file, reason);
  const warnings = await warningsOf(session, { parts });
  if (warnings.length > 0) outcome.warnings = warnings;
  if (!assembled.made) return;
  outcome.landed += assembled.made.landed;
  outcome.replaced += assembled.made.replaced;
  outcome.rejected += assembled.made.rejected;
}

function report(outcome: Outcome, file: string, reason: string): void {
  if (outcome.refused.length < MOST_LISTED) outcome.refused.push({ file, reason });
  else outcome.refusedMore++;
}

function reportRevoked(outcome: Outcome, file: string, landing: number): void {
  if (outcome.revoked.length < MOST_LISTED) outcome.revoked.push({ file, landing });
  else outcome.revokedMore++;
}

function listed(failures: readonly LandingFailure[]): readonly LandingFailure[] {
  const more = failures.length - MOST_LISTED;
  return more <= 0 ? failures : [...failures.slice(0, MOST_LISTED), { reason: `${count(more)} more failures` }];
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
  return atWork(place.dataDir, async (work) => {
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
  if (error instanceof FileError || isOverMemoryLimit(error)) report(outcome, file.name, reason);
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
 * If one file makes a landing fail, halving the batch finds it, so that the others land without it. Of a turn that is
 * over, only the first part lands.
 */
async function landOrHalve(task: Task, readings: readonly Read[]): Promise<void> {
  const [first] = readings;
  if (!first) return;
  try {
    // Each attempt has its own folder: a failed one leaves nothing that takes space.
    await atWork(task.place.dataDir, (work) => landReadings(task, readings, work));
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
  const landing = next <= stamp.landing ? stamp.landing : await claimLanding(place, next);
  // Several files that exceed it are halved, not refused, so it may be short: a turn then ends sooner.
  const several = { ...deadline, msPerMB: deadline.msPerMB / 4 };
  const limit = read.length > 1 ? several : deadline;
  const made = await buildLandedFile(session, place, read, { ...stamp, landing }, { work, deadline: limit });
  const replaced = made.ofParts ? 0 : await countReplaced(session, place, made.file);
  const rejects = paths.rejects(place.dataDir, place.organization, place.integration.id, place.record.name);
  for (const { file, fileNo } of read) await putRejects(rejects, file.name, made.rejected.get(fileNo)?.list);
  await commitToLake(place, made);
  outcome.files += read.length;
  for (const one of read) outcome.notes.push(...notesOf(one).slice(0, MOST_LISTED - outcome.notes.length));
  // Parts are counted when they have been joined.
  if (!made.ofParts) outcome.landed += made.exports.reduce((sum, file) => sum + file.rows, 0);
  outcome.replaced += replaced;
  outcome.rejected += made.exports.reduce((sum, file) => sum + file.rejected, 0);
}

function notesOf({ file, unknown, notes }: Read): { file: string; note: string }[] {
  const columns =
    unknown.length > 0 ? [`columns that are no fields of the record do not land: ${shortened(unknown)}`] : [];
  return [...columns, ...notes].map((note) => ({ file: file.name, note }));
}

/** Counts the rows about to land whose key exists already, in the lake or in an earlier one of these rows. */
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
    `select (select count(*) from read_parquet(${literal(finished)}))::bigint - count(*) as replaced
      from (select distinct ${key} from read_parquet(${literal(finished)})) fresh ${earlier}`,
  );
  return Number(row?.replaced ?? 0);
}
