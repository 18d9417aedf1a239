import { randomBytes } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { exists } from "../files/exists.ts";
import { lockIfFree, type Release } from "./lock.ts";

/** A folder that this process holds: no other process takes it for a left-over. */
export interface OwnedFolder {
  readonly folder: string;
  /** Removes the folder. */
  remove(): Promise<void>;
}

/** The file in the folder whose lock its process holds. */
const OWNER = ".owner";

/** The name of a folder that is being removed. */
const REMOVED = /\.removed-[0-9a-f]{12}$/;

/** The system's message, also in those of the engine. */
const GONE = /no such file or directory/i;

/** The engine's messages for a damaged file. */
const DAMAGED = /not a valid DuckDB database file|Could not read enough bytes/;

/**
 * Makes a folder with `make`, and holds it by a lock. The number of a process would not do: the processes of other
 * containers and machines may share the storage, and have the same numbers.
 */
export async function ownedFolder(make: () => Promise<string>): Promise<OwnedFolder> {
  for (;;) {
    const folder = await make();
    const release = await lockedIfFree(folder);
    // Another process may have found the folder before it was locked, and removed it.
    if (release && (await exists(path.join(folder, OWNER)))) return { folder, remove: () => remove(folder, release) };
    await release?.();
  }
}

/** Removes a folder, unless a running process holds it. */
export async function removeUnowned(folder: string): Promise<void> {
  // The process that removed it was killed meanwhile.
  if (REMOVED.test(folder)) return rm(folder, { recursive: true, force: true });
  const release = await lockedIfFree(folder);
  if (release) await remove(folder, release);
}

/** Undefined if a process holds the folder, or if it no longer exists. */
async function lockedIfFree(folder: string): Promise<Release | undefined> {
  try {
    return await lockIfFree(path.join(folder, OWNER));
  } catch (error) {
    // Another process removes the folder at this moment.
    if (GONE.test((error as Error).message) || !(await exists(folder))) return undefined;
    // The file is complete before it gets its name: only a crash of the machine damages it.
    if (DAMAGED.test((error as Error).message)) return async () => {};
    throw error;
  }
}

/** Removes everything in a folder that no running process holds. */
export async function removeUnownedIn(home: string): Promise<void> {
  for (const entry of await readdir(home, { withFileTypes: true }).catch(() => [])) {
    const found = path.join(home, entry.name);
    await (entry.isDirectory() ? removeUnowned(found) : rm(found, { force: true }));
  }
}

/** Under another name first: nobody can lock it by its own one any more, which would make a file in it. */
async function remove(folder: string, release: Release): Promise<void> {
  const aside = `${folder}.removed-${randomBytes(6).toString("hex")}`;
  await rename(folder, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  await rm(aside, { recursive: true, force: true });
  await release();
}
