import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { paths } from "../paths.ts";
import { FileError } from "./scan.ts";

/** An export file as it lies in its folder. */
export interface ExportFile {
  /** Below the record's folder, with `/`. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Nanoseconds: of two rows without a timestamp of their own the younger file's wins. */
  readonly modified: bigint;
  readonly inode: bigint;
  /** Where it lies when no folder above it, up to that of all exports, is a link. */
  readonly real: string;
}

/** What lies in an exports folder and is no export. */
export interface Odd {
  readonly name: string;
  readonly reason: string;
}

const TWICE = "is there twice: in folders that spell one id in small letters and in capitals; give it another name";

/** The folders below one whose name is an id, in small letters or capitals, the former first. Links are none. */
export async function spellings(home: string, id: string): Promise<string[]> {
  const entries = (await readdir(home, { withFileTypes: true }).catch(orGone)) ?? [];
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name.toLowerCase() === id);
  return folders
    .map(({ name }) => path.join(home, name))
    .sort()
    .reverse();
}

/**
 * Every export of a record, oldest first, then by path. Names that start with a dot are an upload under way. Links are
 * not followed: they could lead to another organization's data.
 */
export async function listExports(
  dataDir: string,
  organization: string,
  integration: string,
  record: string,
): Promise<{ files: ExportFile[]; odd: Odd[] }> {
  const named = new Map<string, ExportFile>();
  const odd: Odd[] = [];
  const all = paths.exports(dataDir);
  const real = (await realpath(all).catch(orGone)) ?? all;
  for (const home of await spellings(all, organization)) {
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

async function filesBelow(folder: string, real: string): Promise<{ files: ExportFile[]; odd: Odd[] }> {
  const files: ExportFile[] = [];
  const odd: Odd[] = [];
  const isLink = (await lstat(folder).catch(orGone))?.isSymbolicLink() ?? false;
  if (isLink) return { files, odd };
  const walk = async (below: string): Promise<void> => {
    for (const entry of (await readdir(path.join(folder, below), { withFileTypes: true }).catch(orGone)) ?? []) {
      const name = below ? `${below}/${entry.name}` : entry.name;
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory()) await walk(name);
      else if (!entry.isFile())
        odd.push({ name, reason: entry.isSymbolicLink() ? "is a link: links are not followed" : "is no file" });
      else {
        // One that is taken away meanwhile is none; the others are still listed.
        const found = await lstat(path.join(folder, name), { bigint: true }).catch(orGone);
        if (found)
          files.push({
            name,
            path: path.join(folder, name),
            bytes: Number(found.size),
            modified: found.mtimeNs,
            inode: found.ino,
            real: path.join(real, name),
          });
      }
    }
  };
  await walk("");
  return { files, odd };
}

const CHANGED = "changed while it was read: taken up at the next sync";
const MOVED = "lies elsewhere than it was listed, so a folder above it was moved or is a link: links are not followed";

/**
 * Opens an export that was listed: that very file, in its own place. What a folder above it has become since, a link
 * into another organization's exports maybe, leads to nothing.
 */
export async function openListed(file: ExportFile): Promise<FileHandle> {
  // A pipe that has taken its place would keep who opens it waiting.
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

/** Fails where an open file is not the one that was listed any more, or no longer lies in its place. */
export async function assertListed(file: ExportFile, handle: FileHandle): Promise<void> {
  for (const found of [await handle.stat({ bigint: true }), await lstat(file.path, { bigint: true })]) {
    const isSame = found.isFile() && found.ino === file.inode;
    if (!isSame || Number(found.size) !== file.bytes || found.mtimeNs !== file.modified) throw new FileError(CHANGED);
  }
  if ((await placeOf(file, handle)) !== file.real) throw new FileError(MOVED);
}

/** Where an open file lies, by the system's own word where it gives it: no swap of folders meanwhile deceives that. */
const placeOf = (file: ExportFile, { fd }: FileHandle): Promise<string> =>
  readlink(`/proc/self/fd/${fd}`).catch(() => realpath(file.path));

function orGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
