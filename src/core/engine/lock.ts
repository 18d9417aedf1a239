import { randomBytes } from "node:crypto";
import { access, chmod, constants, link, mkdir, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { OperatorError } from "../contract/error.ts";
import { flushToDisk } from "../files/durable.ts";
import { literal } from "./database.ts";

/** Locks that this process holds or is about to take. */
const held = new Set<string>();

/** Milliseconds between two attempts to take a lock. */
const RETRY_MS = 50;

/** The engine's message if another process has the lock, but not the one for storage without locks. */
const CONFLICT = /Could not set lock on file(?!.*not supported)/s;

export type Release = () => Promise<void>;

interface Waiting {
  readonly waitMs: number;
  /** The error text if the lock was not released in time. `holder`: the other process, if known. */
  readonly refusal: (holder: string) => string;
}

/**
 * Runs work exclusively, among processes and among callers within one process. It uses the engine's lock on a database
 * file: the operating system releases it when the process dies, and a suspended process keeps it, so that no lock is
 * ever judged by its age.
 */
export async function withLock<T>(lock: string, { waitMs, refusal }: Waiting, work: () => Promise<T>): Promise<T> {
  const folder = path.dirname(lock);
  await mkdir(folder, { recursive: true });
  // One name for each file, however the folder is spelled: opening a file twice in a process would release the lock.
  const file = path.join(await realpath(folder), path.basename(lock));
  await makeFile(file);
  const release = await locked(file, performance.now() + waitMs, refusal);
  try {
    return await work();
  } finally {
    await release();
  }
}

/** One writer per data folder. */
export function withWriterLock<T>(dataDir: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const refusal = (): string => "another sync of this data folder is running";
  return withLock(path.join(dataDir, "lake", ".writer"), { waitMs, refusal }, work);
}

/** Creates the file under another name and links it: if killed halfway, the engine would leave a file that never opens. */
async function makeFile(file: string): Promise<void> {
  if (await mayBeOpened(file)) return;
  const aside = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await (await attached(aside))();
    await chmod(aside, 0o600);
    await flushToDisk(aside);
    // Fails when another process was faster: its file may be locked already and must stay.
    await link(aside, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(aside, { force: true });
  }
}

/** False if the file does not exist; fails if this user may not open it. */
const mayBeOpened = (file: string): Promise<boolean> =>
  access(file, constants.R_OK | constants.W_OK).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );

async function locked(file: string, deadline: number, refusal: Waiting["refusal"]): Promise<Release> {
  for (;;) {
    const taken = await take(file);
    if (typeof taken !== "string") return taken;
    if (performance.now() > deadline) throw new OperatorError(refusal(taken));
    await sleep(RETRY_MS);
  }
}

/** Takes the lock of a file if it is free; else returns its holder. */
async function take(file: string): Promise<Release | string> {
  // The lock belongs to the process: within one process the engine would open the file twice.
  if (held.has(file)) return "this process";
  held.add(file);
  try {
    const release = await attached(file);
    return async () => {
      await release();
      held.delete(file);
    };
  } catch (error) {
    held.delete(file);
    const { message } = error as Error;
    if (!CONFLICT.test(message)) throw error;
    const [, pid] = /\(PID ([1-9]\d*)\)/.exec(message) ?? [];
    return pid ? `process ${pid}` : "another process";
  }
}

/** Takes a lock if it is free, and returns how to release it. The folder of the file must exist. */
export async function lockIfFree(lock: string): Promise<Release | undefined> {
  const file = path.join(await realpath(path.dirname(lock)), path.basename(lock));
  await makeFile(file);
  const taken = await take(file);
  return typeof taken === "string" ? undefined : taken;
}

/** An engine for the locks of this process: opening a file in it costs a twentieth of an engine for each. */
let engine: Promise<DuckDBInstance> | undefined;
let attachments = 0;

/** Opens a database file in the engine of the locks; makes it if there is none. */
async function attached(file: string): Promise<Release> {
  engine ??= DuckDBInstance.create(":memory:", { threads: "1" }).catch((error) => {
    engine = undefined;
    throw error;
  });
  const connection = await (await engine).connect();
  const name = `lock_${++attachments}`;
  try {
    await connection.run(`attach ${literal(file)} as ${name}`);
  } catch (error) {
    connection.closeSync();
    throw error;
  }
  return async () => {
    await connection.run(`detach ${name}`);
    connection.closeSync();
  };
}
