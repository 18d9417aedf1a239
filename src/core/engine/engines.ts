import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { LRUCache } from "lru-cache";
import type { Database } from "./database.ts";

/**
 * With fewer bytes of derived files, of some 40,000 orders, several threads cost processor time and save little; and an engine of
 * its own answers while the statements of large organizations occupy the threads of the other.
 */
const SMALL_BYTES = 32 * 1024 * 1024;

/** The engines that answer requests. */
export interface Engines {
  readonly database: Database;
  /** One with one thread, for organizations with few rows; without it `database` answers for all. */
  readonly small?: Database | undefined;
}

/** Whether the files of a generation are few; they never change. */
const areSmall = new LRUCache<string, boolean>({ max: 10_000 });

/** The engine that answers from the derived files in a folder. */
export async function engineFor({ database, small }: Engines, folder: string): Promise<Database> {
  if (!small) return database;
  const known = areSmall.get(folder);
  if (known !== undefined) return known ? small : database;
  // Without its files an answer fails in any engine, with the reason.
  const bytes = await bytesIn(folder).catch(() => undefined);
  if (bytes === undefined) return database;
  areSmall.set(folder, bytes < SMALL_BYTES);
  return bytes < SMALL_BYTES ? small : database;
}

/** The bytes of the files in a folder that are chosen. */
export async function bytesIn(folder: string, isChosen: (file: string) => boolean = () => true): Promise<number> {
  const files = (await readdir(folder)).filter(isChosen);
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
