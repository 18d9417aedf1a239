import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, copyFile, link, mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";

/** Syncs a finished file or folder to disk, so that it survives a power cut. */
export async function flushToDisk(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Puts a finished file in its place, whole or not at all. If the folder cannot be synced, the file is removed again, so
 * that a retry does not publish it twice.
 */
export async function publish(finished: string, place: string): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true });
  await flushToDisk(finished);
  await rename(finished, place);
  try {
    await flushToDisk(path.dirname(place));
  } catch (error) {
    await rm(place, { force: true });
    throw error;
  }
}

/** Writes a small file whole or not at all. */
export function writeWhole(place: string, content: string, mode = 0o644): Promise<void> {
  return written(place, content, mode, rename);
}

/**
 * The same for a file that another program may write too: returns false and writes nothing if the file has changed. `aside`:
 * the folder of the unfinished file.
 */
export async function replaceWhole(
  place: string,
  content: string,
  mode: number,
  isUnchanged: () => Promise<boolean>,
  aside?: string,
): Promise<boolean> {
  let isReplaced = false;
  const put = async (finished: string): Promise<void> => {
    isReplaced = await isUnchanged();
    if (isReplaced) await rename(finished, place);
  };
  await written(place, content, mode, put, aside);
  return isReplaced;
}

/** The same for a new file: fails with `EEXIST` if it exists. */
export function writeNew(place: string, content: string, mode = 0o644): Promise<void> {
  return written(place, content, mode, link);
}

/**
 * Copies a file to a new place, whole or not at all, with its time and only for its owner. `isWanted` gets the copy before
 * it appears. Fails with `EEXIST` if the place is taken.
 */
export async function copyNew(
  source: string,
  place: string,
  isWanted: (copy: string) => Promise<boolean>,
): Promise<boolean> {
  await mkdir(path.dirname(place), { recursive: true });
  const unfinished = unfinishedOf(place);
  try {
    const { atime, mtime } = await stat(source);
    await copyFile(source, unfinished, constants.COPYFILE_EXCL);
    await chmod(unfinished, 0o600);
    await utimes(unfinished, atime, mtime);
    await flushToDisk(unfinished);
    if (!(await isWanted(unfinished))) return false;
    await link(unfinished, place);
  } finally {
    await rm(unfinished, { force: true });
  }
  await flushToDisk(path.dirname(place));
  return true;
}

/** Removes what killed writers of a place have left next to it. Nobody may be writing there. */
export async function removeUnfinished(place: string): Promise<void> {
  const folder = path.dirname(place);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const name of names)
    if (name.startsWith(`.${path.basename(place)}.`)) await rm(path.join(folder, name), { force: true });
}

/** A name next to a place, or in the folder `aside`, for a file that is being written. */
const unfinishedOf = (place: string, aside = path.dirname(place)): string =>
  path.join(aside, `.${path.basename(place)}.${randomBytes(6).toString("hex")}`);

async function written(
  place: string,
  content: string,
  mode: number,
  put: (finished: string, place: string) => Promise<void>,
  aside?: string,
): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true });
  const unfinished = unfinishedOf(place, aside);
  try {
    const handle = await open(unfinished, "wx", mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await put(unfinished, place);
  } finally {
    await rm(unfinished, { force: true });
  }
  await flushToDisk(path.dirname(place));
}
