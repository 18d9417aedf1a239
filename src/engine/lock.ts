import { randomBytes } from "node:crypto";
import { access, link, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { OperatorError } from "../contract/error.ts";
import { sync } from "../durable.ts";

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
  await makeFile(file);
  const instance = await locked(file, performance.now() + waitMs);
  try {
    return await work();
  } finally {
    instance.closeSync();
    held.delete(file);
  }
}

/** Made aside and put in place whole: killed halfway, the engine would leave a file that never opens again. */
async function makeFile(file: string): Promise<void> {
  const there = await access(file).then(
    () => true,
    () => false,
  );
  if (there) return;
  const aside = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    (await DuckDBInstance.create(aside)).closeSync();
    await sync(aside);
    // Fails when another process was faster: its file may be locked already and must stay.
    await link(aside, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(aside, { force: true });
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
