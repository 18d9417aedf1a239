import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, mkdir, open, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { ApiError } from "../contract/error.ts";
import { ownFolder } from "./ownFolder.ts";

/** Files that may be open at once, so that slow clients do not fill the disk. One client or organization has fewer. */
const MOST = 64;

/** A finished file without a name: its space is freed when it is closed, or when the process ends. */
export interface Spooled {
  readonly handle: FileHandle;
  readonly bytes: number;
  close(): Promise<void>;
}

/** Folders of this process. */
const own = new Set<string>();

/**
 * A private folder for files that are written whole before they are sent. A file has a name only while it is written,
 * so a killed process leaves only unfinished files; the next process removes them.
 */
export class Spool {
  readonly folder: string;
  #open = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Processes and users of one machine may share `home`: each process has a folder of its own. The owner of the data
   * folder may own `home` too.
   */
  static async open(home: string, dataDir?: string): Promise<Spool> {
    await mkdir(home, { recursive: true, mode: 0o700 });
    for (const name of await readdir(home)) {
      const left = path.join(home, name);
      if (isLeft(name) && (await isOurs(left))) await rm(left, { recursive: true, force: true });
    }
    const folder = await ownFolder(home, `lucra-spool-${process.pid}-`, dataDir);
    own.add(path.basename(folder));
    return new Spool(folder);
  }

  /** Opens the file that `write` writes to the path it gets. If it fails, the file is removed. */
  async file<T>(write: (file: string) => Promise<T>): Promise<{ made: T; file: Spooled }> {
    if (this.#open >= MOST) throw new ApiError("busy");
    this.#open++;
    const name = path.join(this.folder, randomBytes(8).toString("hex"));
    try {
      const made = await write(name);
      const handle = await open(name, "r");
      const { size } = await handle.stat();
      return { made, file: { handle, bytes: size, close: this.#closing(handle) } };
    } catch (error) {
      this.#open--;
      throw error;
    } finally {
      await rm(name, { force: true });
    }
  }

  async close(): Promise<void> {
    own.delete(path.basename(this.folder));
    await rm(this.folder, { recursive: true, force: true });
  }

  #closing(handle: FileHandle): () => Promise<void> {
    let closed = false;
    return async () => {
      if (closed) return;
      closed = true;
      this.#open--;
      await handle.close();
    };
  }
}

/** Whether it is a folder of this process's user, not a link. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
}

/** Whether a folder's process has ended. An unknown folder with this process's number is from an earlier process. */
function isLeft(name: string): boolean {
  const pid = Number(/^lucra-spool-(\d+)-/.exec(name)?.[1]);
  if (!pid || own.has(name)) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
