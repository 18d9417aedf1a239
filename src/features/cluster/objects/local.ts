import { readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sha256OfText } from "../../../core/files/checksum.ts";
import { foldersOf } from "../../../core/files/organizationFolders.ts";
import { paths } from "../../../core/files/paths.ts";
import { StoreError } from "./store.ts";

/** The file of a generation's folder with its description. */
export const DESCRIPTION = "derived.json";
/** How the folders of generations begin that are being fetched or removed. */
export const UNFINISHED = ".unfinished-";
/** How long a fetch waits for room while requests read what else could go. */
const ROOM_MS = 30_000;
const LOOK_MS = 100;

/** A generation in the data folder. */
interface Kept {
  readonly organization: string;
  readonly name: string;
  readonly checksum: string;
  /** Bytes of each file by its SHA-256. Generations of one organization share files. */
  readonly files: ReadonlyMap<string, number>;
  usedAt: number;
}

/**
 * The generations in a replica's data folder, below a bound of bytes. Removes the least recently used one that no
 * request reads.
 */
export class LocalGenerations {
  readonly #dataDir: string;
  readonly #most: number;
  readonly #kept = new Map<string, Kept>();
  /** Requests that read files, by organization. */
  readonly #held = new Map<string, number>();
  /** Bytes that are being fetched. */
  #reserved = 0;
  #making: Promise<void> = Promise.resolve();

  constructor(dataDir: string, most: number) {
    this.#dataDir = dataDir;
    this.#most = most;
  }

  /** Lists what is there; unfinished folders of an earlier process are removed. */
  async open(): Promise<void> {
    const marts = paths.marts(this.#dataDir);
    for (const folder of await readdir(marts).catch(() => [] as string[])) {
      const organization = /^organization_id=(.+)$/.exec(folder)?.[1];
      if (organization === undefined) continue;
      for (const name of await readdir(path.join(marts, folder))) {
        const place = path.join(marts, folder, name);
        if (name.startsWith(UNFINISHED)) await rm(place, { recursive: true, force: true });
        if (!/^gen=\d+$/.test(name)) continue;
        const { mtimeMs } = await stat(place);
        await this.add(organization, name, mtimeMs - Date.now() + performance.now()).catch(() =>
          rm(place, { recursive: true, force: true }),
        );
      }
    }
    await this.#evict(0);
  }

  /** All bytes, with those that are being fetched. */
  get bytes(): number {
    // A file that several generations share is there once.
    const files = new Map<string, number>();
    for (const { organization, files: own } of this.#kept.values()) {
      for (const [sha256, bytes] of own) files.set(`${organization} ${sha256}`, bytes);
    }
    return [...files.values()].reduce((sum, bytes) => sum + bytes, this.#reserved);
  }

  /** The organizations that have a generation here. */
  get organizations(): readonly string[] {
    return [...new Set([...this.#kept.values()].map(({ organization }) => organization))].sort();
  }

  /** Whether a generation is there; with a checksum, the one that has it. */
  has(organization: string, name: string, checksum?: string): boolean {
    const kept = this.#kept.get(keyOf(organization, name));
    return kept !== undefined && (checksum === undefined || kept.checksum === checksum);
  }

  used(organization: string, name: string): void {
    const kept = this.#kept.get(keyOf(organization, name));
    if (kept) kept.usedAt = performance.now();
  }

  /** Counts a finished folder. */
  async add(organization: string, name: string, usedAt = performance.now()): Promise<void> {
    const folder = path.join(foldersOf(this.#dataDir, organization).mart, name);
    const text = await readFile(path.join(folder, DESCRIPTION), "utf8");
    const { checksums } = JSON.parse(text) as { checksums: Readonly<Record<string, string>> };
    const files = new Map<string, number>();
    for (const [file, sha256] of Object.entries(checksums))
      files.set(sha256, (await stat(path.join(folder, file))).size);
    const kept = { organization, name, checksum: sha256OfText(text), files, usedAt };
    this.#kept.set(keyOf(organization, name), kept);
  }

  /** The file of an organization with this content, if a generation here has it. */
  async fileWith(organization: string, sha256: string): Promise<string | undefined> {
    for (const kept of this.#kept.values()) {
      if (kept.organization !== organization || !kept.files.has(sha256)) continue;
      const folder = path.join(foldersOf(this.#dataDir, organization).mart, kept.name);
      const text = await readFile(path.join(folder, DESCRIPTION), "utf8").catch(() => undefined);
      if (text === undefined) continue;
      const { checksums } = JSON.parse(text) as { checksums: Readonly<Record<string, string>> };
      const file = Object.keys(checksums).find((one) => checksums[one] === sha256);
      if (file !== undefined) return path.join(folder, file);
    }
    return undefined;
  }

  hold(organization: string): () => void {
    this.#held.set(organization, (this.#held.get(organization) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#held.get(organization) ?? 1) - 1;
      if (left === 0) this.#held.delete(organization);
      else this.#held.set(organization, left);
    };
  }

  /** Makes room for so many bytes; the caller releases them. Fails if requests read too much of the rest for too long. */
  async reserve(bytes: number): Promise<() => void> {
    if (bytes > this.#most) throw tooSmall(bytes, this.#most);
    // One at a time, in order: two that look at once would count the same room.
    const turn = this.#making.then(async () => {
      const deadline = performance.now() + ROOM_MS;
      while (!(await this.#evict(bytes))) {
        if (performance.now() > deadline) throw tooSmall(bytes, this.#most);
        await sleep(LOOK_MS);
      }
      this.#reserved += bytes;
    });
    this.#making = turn.catch(() => {});
    await turn;
    let isReserved = true;
    return () => {
      if (isReserved) this.#reserved -= bytes;
      isReserved = false;
    };
  }

  async #evict(bytes: number): Promise<boolean> {
    while (this.bytes + bytes > this.#most) {
      const free = [...this.#kept.values()].filter(({ organization }) => !this.#held.has(organization));
      const [oldest] = free.sort((a, b) => a.usedAt - b.usedAt);
      if (!oldest) return false;
      await this.remove(oldest.organization, oldest.name);
    }
    return true;
  }

  /** Removes generations that another one has replaced, once no request reads them. */
  async removeReplaced(organization: string, current: string): Promise<void> {
    for (const kept of [...this.#kept.values()]) {
      if (kept.organization === organization && kept.name !== current && !this.#held.has(organization))
        await this.remove(organization, kept.name);
    }
  }

  /** A folder disappears at once: no reader finds half of it. */
  async remove(organization: string, name: string): Promise<void> {
    this.#kept.delete(keyOf(organization, name));
    const home = foldersOf(this.#dataDir, organization).mart;
    const aside = path.join(home, `${UNFINISHED}${name}-${performance.now()}`);
    try {
      await rename(path.join(home, name), aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
    await rm(aside, { recursive: true, force: true });
  }
}

const keyOf = (organization: string, name: string): string => `${organization} ${name}`;

const tooSmall = (bytes: number, most: number): StoreError =>
  new StoreError(
    `${bytes} bytes of derived files do not fit beside those that requests read: LUCRA_STORAGE_CACHE_MB allows ${most} in all`,
  );
