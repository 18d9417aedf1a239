import { realpath } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../../core/contract/error.ts";
import { type RecordDeclaration, titleOf } from "../../core/contract/record.ts";
import { sha256Of } from "../../core/files/checksum.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { filesBelow } from "../../core/landing/find/exports.ts";
import { EMPTIED } from "../../core/landing/map/assemble.ts";
import type { Imported } from "./page.ts";
import { type Given, type Preview, preview } from "./preview.ts";
import { isAmbiguous, recognize, sampleOf } from "./recognize.ts";
import {
  accountFor,
  copied,
  countedOrders,
  destinationsOf,
  knownCopy,
  knownReason,
  nothingLands,
  renew,
  reportOf,
  type Task,
} from "./task.ts";
import { type StreamFound, type ToolFile, toolFile } from "./toolFile.ts";

/** The files of one record, and the streams that are its roots. */
interface Group {
  readonly record: RecordDeclaration;
  readonly files: Given[];
  hasRoot: boolean;
}

/**
 * Imports the files of a folder. Those of a tool's streams go together into the folders of their records, below the names
 * of their own folders; any other file is imported by `importFile`.
 */
export async function importFolder(task: Task, importFile: (task: Task) => Promise<Imported>): Promise<Imported[]> {
  const { files, odd } = await filesIn(task.file);
  const records = destinationsOf(task).map(({ record }) => record);
  const groups = new Map<RecordDeclaration, Group>();
  const imported: Imported[] = odd;
  const others: Given[] = [];
  for (const file of files) {
    const found = await toolFile(task.database, file, records);
    if (found === undefined) others.push(file);
    else imported.push(...(await grouped(task, groups, found)));
  }
  for (const group of usedGroups([...groups.values()])) imported.push(await importGroup(task, group));
  for (const { path: file } of others) imported.push(await importFile({ ...task, file }));
  return imported.sort((a, b) => Number(a.state === "left out") - Number(b.state === "left out"));
}

/** The files below a folder, each with its name below the folder's parent; an archive is one file. */
async function filesIn(given: string): Promise<{ files: Given[]; odd: Imported[] }> {
  const folder = await realpath(given);
  const found = await filesBelow(folder, folder);
  if (found.files.length + found.odd.length === 0) throw new OperatorError("is a folder without files");
  const named = new Map(
    found.files.map(({ path: file }) => [file, { path: file, name: path.relative(path.dirname(folder), file) }]),
  );
  const odd = found.odd.map(
    ({ name, reason }): Imported => ({ file: path.join(given, name), state: "refused", reason }),
  );
  return { files: [...named.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), odd };
}

/** Adds a tool's file to the groups of its records. Reports it if no record reads it. */
async function grouped(task: Task, groups: Map<RecordDeclaration, Group>, found: ToolFile): Promise<Imported[]> {
  const { file, named, isUnclear } = found;
  if (isUnclear) return [{ file: file.path, state: "refused", reason: UNCLEAR }];
  const isCustom = found.streams.some((stream) => stream.isCustom);
  const streams = isCustom ? await recognizedByColumns(task, found) : found.streams;
  if (typeof streams === "string") return [{ file: file.path, state: "refused", reason: streams }];
  if (streams.length === 0) {
    const reason = `${named.length > 0 ? `${named.join(", ")}: ` : ""}${UNREAD}`;
    return [{ file: file.path, state: "left out", reason }];
  }
  for (const { record, isRoot } of streams) {
    const group = groups.get(record) ?? { record, files: [], hasRoot: false };
    if (!group.files.includes(file)) group.files.push(file);
    group.hasRoot ||= isRoot;
    groups.set(record, group);
  }
  return [];
}

const UNREAD = "a stream that no record reads";
const UNCLEAR =
  "its columns identify no stream: put it into a folder with the name of its stream, as the tool names it";

/** Streams that users name themselves may have the columns of several records: one of them has the most. */
async function recognizedByColumns(task: Task, { file, streams }: ToolFile): Promise<readonly StreamFound[] | string> {
  const sample = await sampleOf(task.database, file, task.folder);
  const among = destinationsOf(task).filter(({ record }) => streams.some((one) => one.record === record));
  const candidates = await recognize(task.database, sample, among);
  const [first] = candidates;
  if (!first || isEmptied(first.preview)) return [];
  if (first.preview.rows === 0) return nothingLands(first.record, first.preview);
  if (!isAmbiguous(candidates)) return streams.filter(({ record }) => record === first.record);
  const same = candidates.filter((one) => isAmbiguous([first, one])).map((one) => titleOf(one.record));
  return `may be of ${same.join(" or ")}: choose one with --record`;
}

/** Whether no row has a column that the record reads. */
const isEmptied = ({ rows, reasons }: Preview): boolean =>
  rows === 0 && Object.keys(reasons).length > 0 && Object.keys(reasons).every((reason) => reason.startsWith(EMPTIED));

/** Tables that several records join to others belong only to those whose other tables are there. */
function usedGroups(groups: readonly Group[]): readonly Group[] {
  const rooted = groups.filter(({ hasRoot }) => hasRoot);
  const isElsewhere = (file: Given): boolean => rooted.some(({ files }) => files.includes(file));
  return groups.filter(({ hasRoot, files }) => hasRoot || !files.every(isElsewhere));
}

async function importGroup(task: Task, { record, files }: Group): Promise<Imported> {
  try {
    const account = accountFor(record, task.accounts);
    const { integration, organization } = account;
    const place = { record, integration, currency: organization.currency };
    const whole = await preview(task.database, files, place);
    const orders = await countedOrders(task.database, files, account, integration, record);
    const report = {
      ...reportOf(task.file, record, account, whole, { mapped: {}, orders }),
      files: files.map(({ name }) => name),
    };
    if (task.options.dryRun) return report;
    return { ...report, ...(await putAll(task, files, record, account)) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { file: task.file, state: "refused", reason: error.message };
  }
}

/** Copies the files that are not there yet. */
async function putAll(
  { config: { dataDir }, database }: Task,
  files: readonly Given[],
  record: RecordDeclaration,
  { organization, integration }: ReturnType<typeof accountFor>,
): Promise<Pick<Imported, "state" | "reason" | "place">> {
  const folders = foldersOf(dataDir, organization.organizationId);
  const place = { folders, integration, record };
  let known: string | undefined;
  let copies = 0;
  for (const file of files) {
    const sha256 = await sha256Of(file.path);
    const copy = await knownCopy(database, place, file.path, sha256);
    if (copy !== undefined && !copy.replaced) known ??= knownReason(copy);
    else {
      const target = await copied(file, place, sha256, (name) => copy?.names?.includes(name) ?? false);
      if (copy) await renew(target);
      copies++;
    }
  }
  if (copies === 0) return { state: "known", ...(known === undefined ? {} : { reason: known }) };
  const rest = files.length - copies;
  const [top = ""] = files[0]?.name.split(path.sep) ?? [];
  return {
    state: "imported",
    place: path.join(path.relative(dataDir, folders.exports(integration.id, record.name)), top),
    ...(rest > 0 ? { reason: `${rest} of its files are there already` } : {}),
  };
}
