import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { ownedFolder, removeUnownedIn } from "../engine/ownedFolder.ts";
import { paths } from "../files/paths.ts";

/** The folder for unfinished files that this process holds, by data folder. */
const workFolders = new Map<string, string>();

/**
 * Runs work with a folder for the unfinished files of this process: another writer does not remove it, even where locks do
 * not keep it out. What killed processes left is removed before and after.
 */
export async function inWorkFolder<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const home = paths.work(dataDir);
  await mkdir(home, { recursive: true });
  await removeUnownedIn(home);
  const owned = await ownedFolder(() => mkdtemp(path.join(home, "work-")));
  workFolders.set(dataDir, owned.folder);
  try {
    return await work(owned.folder);
  } finally {
    workFolders.delete(dataDir);
    await owned.remove();
    await removeUnownedIn(home);
  }
}

/** Runs work with a temporary folder, which is removed afterwards. */
export async function atWork<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = path.join(workFolders.get(dataDir) ?? paths.work(dataDir), randomBytes(6).toString("hex"));
  await mkdir(folder, { recursive: true });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
