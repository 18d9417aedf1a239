import { mkdtempSync, rmSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { ownedFolder, removeUnowned } from "../engine/ownedFolder.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs work with a folder below the temporary folder, which is removed afterwards, also if a signal ends the command. Those
 * that killed processes left are removed before.
 */
export async function inTemporaryFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  await removeLeftOvers(prefix);
  let made: string | undefined;
  const end = (signal: (typeof SIGNALS)[number]): void => {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    process.exit(128 + constants.signals[signal]);
  };
  // Before the folder exists, so that no signal comes between.
  for (const signal of SIGNALS) process.once(signal, end);
  const owned = await ownedFolder(async () => (made = mkdtempSync(path.join(tmpdir(), prefix))));
  try {
    return await work(owned.folder);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    await owned.remove();
  }
}

/** Folders of other users are theirs to remove. */
async function removeLeftOvers(prefix: string): Promise<void> {
  const own = process.getuid?.();
  for (const name of await readdir(tmpdir()).catch(() => [] as string[])) {
    const folder = path.join(tmpdir(), name);
    const found = name.startsWith(prefix) ? await stat(folder).catch(() => undefined) : undefined;
    // Another command may remove the same one.
    if (found?.isDirectory() && found.uid === (own ?? found.uid)) await removeUnowned(folder).catch(() => {});
  }
}
