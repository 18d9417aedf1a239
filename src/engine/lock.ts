import { mkdir } from "node:fs/promises";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { OperatorError } from "../contract/error.ts";

const held = new Set<string>();

/**
 * One writer per data folder. The engine's own lock on a database file is what the operating system gives back when
 * the process dies, however it dies, so no stale lock ever needs judging.
 */
export async function withWriterLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  await mkdir(path.join(dataDir, "lake"), { recursive: true });
  const file = path.join(dataDir, "lake", ".writer");
  if (held.has(file)) throw new OperatorError("a sync of this data folder is under way already");
  held.add(file);
  try {
    const instance = await DuckDBInstance.create(file).catch((error: Error) => {
      if (/lock/i.test(error.message)) throw new OperatorError("another process is syncing this data folder");
      throw error;
    });
    try {
      return await work();
    } finally {
      instance.closeSync();
    }
  } finally {
    held.delete(file);
  }
}
