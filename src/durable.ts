import { randomBytes } from "node:crypto";
import { link, mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";

/** Makes a finished file or folder outlive a power cut. */
export async function sync(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Puts a finished file in its place: it is there whole, or not at all. Where the disk does not confirm that it is, it is
 * not: whoever tries again would put it there twice.
 */
export async function publish(finished: string, place: string): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true });
  await sync(finished);
  await rename(finished, place);
  try {
    await sync(path.dirname(place));
  } catch (error) {
    await rm(place, { force: true });
    throw error;
  }
}

/** Writes a small file whole or not at all. */
export function writeWhole(place: string, content: string, mode = 0o644): Promise<void> {
  return written(place, content, mode, rename);
}

/** The same where another program may write the file too: writes nothing and returns false unless `isUnchanged` at the end. */
export async function replaceWhole(
  place: string,
  content: string,
  mode: number,
  isUnchanged: () => Promise<boolean>,
): Promise<boolean> {
  let isReplaced = false;
  await written(place, content, mode, async (finished) => {
    isReplaced = await isUnchanged();
    if (isReplaced) await rename(finished, place);
  });
  return isReplaced;
}

/** The same for a file that must not be there yet: fails with `EEXIST` where it is. */
export function writeNew(place: string, content: string, mode = 0o644): Promise<void> {
  return written(place, content, mode, link);
}

async function written(
  place: string,
  content: string,
  mode: number,
  put: (finished: string, place: string) => Promise<void>,
): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true });
  const unfinished = path.join(path.dirname(place), `.${path.basename(place)}.${randomBytes(6).toString("hex")}`);
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
  await sync(path.dirname(place));
}
