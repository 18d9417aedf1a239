import { constants, type Dirent } from "node:fs";
import { type FileHandle, lstat, open, readdir, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { sha256Of } from "../../files/checksum.ts";
import type { OrganizationFolders } from "../../files/organizationFolders.ts";
import { paths } from "../../files/paths.ts";
import { openArchive, sha256OfEntry } from "../bytes/archive.ts";
import { FileError } from "../bytes/scan.ts";
import { isZip } from "../bytes/sniff.ts";
import { isWorkbook } from "../read/xlsx.ts";

/** An export file in its folder. */
export interface ExportFile {
  /** The path below the record's folder, with `/`. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Nanoseconds: if two rows have no timestamp of their own, the row of the younger file wins. */
  readonly modified: bigint;
  readonly inode: bigint;
  /** The name of the file within the archive at `path`, whose size and times the others are. */
  readonly entry?: string;
  /** The path of the file if no folder above it, up to the folder of all exports, is a link. */
  readonly real: string;
}

/** An entry of an exports folder that is not an export. */
interface SkippedEntry {
  readonly name: string;
  readonly reason: string;
}

const TWICE = "is there twice: in folders that spell one id in small letters and in capitals; give it another name";

/** The folders in `home` that are named with an id: in lower case first, then with capitals. Links are left out. */
export async function spellings(home: string, id: string): Promise<string[]> {
  const entries = (await readdir(home, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name.toLowerCase() === id);
  return folders
    .map(({ name }) => path.join(home, name))
    .sort()
    .reverse();
}

/**
 * The exports of a record, oldest first, then by path. Names that start with a dot are uploads under way. Links are
 * not followed: they could lead to another organization's data.
 */
export async function listExports(
  folders: OrganizationFolders,
  integration: string,
  record: string,
): Promise<{ files: ExportFile[]; odd: SkippedEntry[] }> {
  const named = new Map<string, ExportFile>();
  const odd: SkippedEntry[] = [];
  const all = paths.exports(folders.dataDir);
  const real = (await realpath(all).catch(ignoreMissing)) ?? all;
  for (const home of await spellings(all, folders.organization)) {
    for (const folder of await spellings(home, integration)) {
      const place = path.join(folder, record);
      const found = await filesBelow(place, path.join(real, path.relative(all, place)));
      odd.push(...found.odd);
      for (const file of found.files) {
        if (named.has(file.name)) odd.push({ name: file.name, reason: TWICE });
        else named.set(file.name, file);
      }
    }
  }
  const files = [...named.values()];
  files.sort((a, b) => (a.modified < b.modified ? -1 : a.modified > b.modified ? 1 : a.name < b.name ? -1 : 1));
  return { files, odd };
}

/** Files that dlt writes about its loads, next to the tables, and the empty file in each of its folders. */
const OF_LOADS = new Set(["_dlt_loads", "_dlt_version", "_dlt_pipeline_state"]);
const EMPTY_MARK = "init";

const LAKE_TABLE =
  "is a table of a data lake, with metadata: its files also hold rows that were replaced or deleted, and only the " +
  "metadata say which; export a dump of the table (CSV, Parquet) instead";

/** Whether a folder is a table in Delta or Iceberg format. */
function isLakeTable(entries: readonly Dirent[]): boolean {
  const isThere = (name: string): boolean => entries.some((entry) => entry.name === name && entry.isDirectory());
  const hasData = isThere("data") || entries.some(({ name }) => name.endsWith(".parquet"));
  return isThere("_delta_log") || (isThere("metadata") && hasData);
}

/** The files below a folder, whose path without links is `real`. */
export async function filesBelow(folder: string, real: string): Promise<{ files: ExportFile[]; odd: SkippedEntry[] }> {
  const files: ExportFile[] = [];
  const odd: SkippedEntry[] = [];
  const isLink = (await lstat(folder).catch(ignoreMissing))?.isSymbolicLink() ?? false;
  if (isLink) return { files, odd };
  const walk = async (below: string): Promise<void> => {
    const entries = (await readdir(path.join(folder, below), { withFileTypes: true }).catch(ignoreMissing)) ?? [];
    if (isLakeTable(entries)) {
      odd.push({ name: below || ".", reason: LAKE_TABLE });
      return;
    }
    for (const entry of entries) {
      const name = below ? `${below}/${entry.name}` : entry.name;
      if (entry.name.startsWith(".") || (entry.isDirectory() && OF_LOADS.has(entry.name))) continue;
      const fault = nameFault(name);
      if (fault) {
        odd.push({ name: `${name.slice(0, SHOWN_NAME)}…`, reason: fault });
        continue;
      }
      if (entry.isDirectory()) await walk(name);
      else if (!entry.isFile())
        odd.push({ name, reason: entry.isSymbolicLink() ? "is a link: links are not followed" : "is not a file" });
      else {
        // A file that is removed meanwhile is left out; the others are still listed.
        const found = await lstat(path.join(folder, name), { bigint: true }).catch(ignoreMissing);
        if (!found || (found.size === 0n && entry.name === EMPTY_MARK)) continue;
        const file = {
          name,
          path: path.join(folder, name),
          bytes: Number(found.size),
          modified: found.mtimeNs,
          inode: found.ino,
          real: path.join(real, name),
        };
        const archived = /\.zip$/i.test(name) ? await filesIn(file) : undefined;
        files.push(...(archived?.files ?? [file]));
        odd.push(...(archived?.odd ?? []));
      }
    }
  };
  await walk("");
  return { files, odd };
}

/** Whether a file in an archive is an export, by its name. */
export const isExportIn = (entry: string): boolean =>
  !entry.split("/").some((part) => part.startsWith(".") || part === "__MACOSX");

/** The files of an archive, named `archive.zip/orders.csv`; undefined if it is a workbook, or no archive. */
async function filesIn(file: ExportFile): Promise<{ files: ExportFile[]; odd: SkippedEntry[] } | undefined> {
  const files: ExportFile[] = [];
  const odd: SkippedEntry[] = [];
  const handle = await openListed(file).catch(() => undefined);
  // A file that has changed since is reported when it is read.
  if (!handle) return undefined;
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    if (!isZip(buffer)) return undefined;
    const archive = await openArchive(handle);
    if (isWorkbook(archive)) return undefined;
    for (const entry of archive.entries.keys()) {
      const name = `${file.name}/${entry}`;
      if (!isExportIn(entry)) continue;
      const fault = nameFault(name);
      if (fault) odd.push({ name: `${name.slice(0, SHOWN_NAME)}…`, reason: fault });
      else files.push({ ...file, name, entry });
    }
    if (files.length + odd.length === 0) odd.push({ name: file.name, reason: "is a ZIP archive without files" });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    odd.push({ name: file.name, reason: error.message });
  } finally {
    await handle.close();
  }
  return { files, odd };
}

/** The SHA-256 of an export's content. */
export const contentHash = ({ path, entry }: ExportFile): Promise<string> =>
  entry === undefined ? sha256Of(path) : sha256OfEntry(path, entry);

/** The name of an export is in every line of its rejects, in the lake and in the report. */
const LONGEST_NAME = 500;
const SHOWN_NAME = 60;

/** The reason why nothing with this name is read, if there is one. Node decodes a name that is no UTF-8 with U+FFFD. */
function nameFault(name: string): string | undefined {
  if (name.includes("\uFFFD")) return "its name is not UTF-8: rename it";
  // Only a file of an archive can have such a name.
  if (name.includes("\0")) return "its name has a NUL character: rename it";
  if (JSON.stringify(name).length <= LONGEST_NAME) return undefined;
  return `its name, with its folders, is longer than ${LONGEST_NAME} characters: rename it`;
}

const CHANGED = "changed while it was read: the next sync reads it again";
const MOVED =
  "is not in the place where it was listed: a folder above it was moved or is a link, and links are not followed";

/**
 * Opens the very file that was listed, in the same place. Fails if a folder above it has been replaced since, for
 * example by a link into another organization's exports.
 */
export async function openListed(file: ExportFile): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a pipe that replaced the file would block.
  const how = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(file.path, how).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ELOOP" ? new FileError(MOVED) : error;
  });
  try {
    await assertListed(file, handle);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Fails if an open file is no longer the one that was listed, or no longer in its place. */
export async function assertListed(file: ExportFile, handle: FileHandle): Promise<void> {
  for (const found of [await handle.stat({ bigint: true }), await lstat(file.path, { bigint: true })]) {
    const isSame = found.isFile() && found.ino === file.inode;
    if (!isSame || Number(found.size) !== file.bytes || found.mtimeNs !== file.modified) throw new FileError(CHANGED);
  }
  if ((await placeOf(file, handle)) !== file.real) throw new FileError(MOVED);
}

/** The path of an open file; from `/proc` if there is one, so that replacing a folder meanwhile has no effect. */
const placeOf = (file: ExportFile, { fd }: FileHandle): Promise<string> =>
  readlink(`/proc/self/fd/${fd}`).catch(() => realpath(file.path));

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
