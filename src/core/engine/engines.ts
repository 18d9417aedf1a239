import { LRUCache } from "lru-cache";
import { bytesIn } from "../files/bytesIn.ts";
import type { Database } from "./database.ts";

/**
 * With fewer bytes of derived files, several threads cost processor time and save little; and an engine of its own answers while
 * the statements of large organizations occupy the threads of the other.
 */
const FEW_BYTES = 32 * 1024 * 1024;

/** The engines that answer requests. */
export interface Engines {
  /** For all organizations, or, beside another, for those with many rows. */
  readonly database: Database;
  /** One with one thread, for organizations with few rows; without it `database` answers for all. */
  readonly small?: Database | undefined;
}

/** Whether the files of a folder have few bytes in all: those of a generation hardly change. */
const areFew = new LRUCache<string, boolean>({ max: 10_000, ttl: 3_600_000 });

/** The engine that answers from the derived files in a folder. */
export async function engineFor({ database, small }: Engines, folder: string): Promise<Database> {
  if (!small) return database;
  const known = areFew.get(folder);
  if (known !== undefined) return known ? small : database;
  // Without its files an answer fails in any engine, with the reason.
  const bytes = await bytesIn(folder).catch(() => undefined);
  if (bytes === undefined) return database;
  areFew.set(folder, bytes < FEW_BYTES);
  return bytes < FEW_BYTES ? small : database;
}
