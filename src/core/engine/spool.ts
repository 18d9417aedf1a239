import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, mkdir, open, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { ApiError } from "../contract/error.ts";
import { ownFolder } from "../files/ownFolder.ts";
import { type OwnedFolder, ownedFolder, removeUnowned } from "./ownedFolder.ts";

/** Files that may be open at once, so that slow clients do not fill the disk. One client or organization has fewer. */
const MOST = 64;

/** A finished file without a name: its space is freed when it is closed, or when the process ends. */
interface Spooled {
  readonly handle: FileHandle;
  readonly bytes: number;
  close(): Promise<void>;
}

/** How the names of the folders begin. */
const PREFIX = "lucra-spool-";

/**
 * A private folder for files that are written whole before they are sent. A file has a name only while it is written,
 * so a killed process leaves only unfinished files; the next process removes them.
 */
export class Spool {
  readonly folder: string;
  readonly #owned: OwnedFolder;
  #open = 0;

  private constructor(owned: OwnedFolder) {
    this.#owned = owned;
    this.folder = owned.folder;
  }

  /**
   * Processes, users and machines may share `home`: each process has a folder of its own. The owner of the data folder may
   * own `home` too.
   */
  static async open(home: string, dataDir?: string): Promise<Spool> {
    await mkdir(home, { recursive: true, mode: 0o700 });
    for (const name of await readdir(home)) {
      const left = path.join(home, name);
      if (name.startsWith(PREFIX) && (await isOurs(left))) await removeUnowned(left);
    }
    return new Spool(await ownedFolder(() => ownFolder(home, PREFIX, dataDir)));
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

  close(): Promise<void> {
    return this.#owned.remove();
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
