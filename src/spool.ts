import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, mkdir, open, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { ApiError } from "./contract/error.ts";
import { ownFolder } from "./ownFolder.ts";

/** Files that may be open at once: slow clients fill no disk. Of one client or organization fewer may be on their way. */
const MOST = 64;

/** A finished file, without a name: what it takes is given back when it is closed, or when the process ends. */
export interface Spooled {
  readonly handle: FileHandle;
  readonly bytes: number;
  close(): Promise<void>;
}

/** Folders of this process. */
const own = new Set<string>();

/**
 * A private folder for files that are written whole before they are sent. A file has a name only while it is written,
 * so a killed process leaves no more than it was writing; the next one removes that.
 */
export class Spool {
  readonly folder: string;
  #open = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * `home` may be shared by the processes of one machine, and by its users: each process has a folder of its own.
   * Whoever owns the data folder may own `home` too.
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

  /** What `write` wrote to the path it is given. Nothing stays when it fails. */
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

/** Whether it is a folder, no link, of this process's user. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
}

/** Whether a folder's process is gone. One with this process's number that is not its own is an older one's. */
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
