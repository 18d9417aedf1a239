import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { OperatorError } from "../contract/error.ts";

const held = new Set<string>();

/** How often a lock that is taken is tried again. */
const RETRY_MS = 100;

/**
 * One writer per data folder; another one waits this long for it. The engine's own lock on a database file is what
 * the operating system gives back when the process dies, however it dies, so no stale lock ever needs judging.
 */
export async function withWriterLock<T>(dataDir: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  await mkdir(path.join(dataDir, "lake"), { recursive: true });
  const file = path.join(dataDir, "lake", ".writer");
  const instance = await locked(file, performance.now() + waitMs);
  try {
    return await work();
  } finally {
    instance.closeSync();
    held.delete(file);
  }
}

async function locked(file: string, deadline: number): Promise<DuckDBInstance> {
  for (;;) {
    // The lock is the process's: within one process the engine would open the file twice.
    if (!held.has(file)) {
      held.add(file);
      try {
        return await DuckDBInstance.create(file);
      } catch (error) {
        held.delete(file);
        if (!/lock/i.test((error as Error).message)) throw error;
      }
    }
    if (performance.now() > deadline) throw new OperatorError("another sync of this data folder is under way");
    await sleep(RETRY_MS);
  }
}
