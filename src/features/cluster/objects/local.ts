import { link, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sha256Of, sha256OfText } from "../../../core/files/checksum.ts";
import { foldersOf } from "../../../core/files/organizationFolders.ts";
import { paths } from "../../../core/files/paths.ts";
import { STATE_FOLDER } from "../../../core/marts/stateNames.ts";
import { described, descriptionIn } from "./described.ts";
import { StoreError } from "./store.ts";

/** How the folders of generations begin that are being fetched or removed. */
export const UNFINISHED = ".unfinished-";
/** How long a fetch waits for room while requests read what else could go. */
const ROOM_MS = 30_000;
const LOOK_MS = 100;

/** A generation or a state in the data folder. */
interface Kept {
  readonly organization: string;
  readonly name: string;
  readonly checksum: string;
  /** Bytes of each file by its SHA-256. Those of one organization share files. */
  readonly files: ReadonlyMap<string, number>;
  usedAt: number;
}

/**
 * The generations and states in a replica's data folder, below a bound of bytes. Removes the least recently used one that no
 * request reads.
 */
export class LocalGenerations {
  readonly #dataDir: string;
  readonly #most: number;
  readonly #kept = new Map<string, Kept>();
  /** Requests that read files: by organization those of its generations, by its folder those of a state. */
  readonly #held = new Map<string, number>();
  /** Files of folders that are being fetched, and are here already: bytes by organization and SHA-256. */
  readonly #shared = new Set<ReadonlyMap<string, number>>();
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
        if (!isFetched(name)) continue;
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
    // A file that several share is there once.
    const files = new Map<string, number>();
    for (const { organization, files: own } of this.#kept.values()) {
      for (const [sha256, bytes] of own) files.set(keyOf(organization, sha256), bytes);
    }
    for (const own of this.#shared) for (const [key, bytes] of own) files.set(key, bytes);
    return [...files.values()].reduce((sum, bytes) => sum + bytes, this.#reserved);
  }

  /** The organizations that have a generation here. */
  get organizations(): readonly string[] {
    return [...new Set([...this.#kept.values()].map(({ organization }) => organization))].sort();
  }

  /** Whether a generation or a state is there; with a checksum, the one that has it. */
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
    const text = await readFile(path.join(folder, descriptionIn(name)), "utf8");
    const { checksums } = described(text);
    const files = new Map<string, number>();
    for (const [file, sha256] of Object.entries(checksums))
      files.set(sha256, (await stat(path.join(folder, file))).size);
    const kept = { organization, name, checksum: sha256OfText(text), files, usedAt };
    this.#kept.set(keyOf(organization, name), kept);
  }

  /**
   * Links the files of an organization with these contents that generations or states here have; `places`: by SHA-256. Returns
   * the others. What was linked counts until `release`, even if its generation is removed.
   */
  async linked(
    organization: string,
    places: ReadonlyMap<string, string>,
  ): Promise<{ readonly missing: ReadonlySet<string>; readonly release: () => void }> {
    const shared = new Map<string, number>();
    this.#shared.add(shared);
    const missing = new Set<string>();
    for (const [sha256, place] of places) {
      const found = await this.#fileWith(organization, sha256);
      const isWhole = found !== undefined && (await sha256Of(found).catch(() => undefined)) === sha256;
      if (isWhole) shared.set(keyOf(organization, sha256), (await stat(found).catch(() => ({ size: 0 }))).size);
      const isLinked = isWhole && (await link(found, place).then(...IS_DONE));
      if (!isLinked) missing.add(sha256);
      if (!isLinked) shared.delete(keyOf(organization, sha256));
    }
    return { missing, release: () => void this.#shared.delete(shared) };
  }

  async #fileWith(organization: string, sha256: string): Promise<string | undefined> {
    for (const kept of this.#kept.values()) {
      if (kept.organization !== organization || !kept.files.has(sha256)) continue;
      const folder = path.join(foldersOf(this.#dataDir, organization).mart, kept.name);
      const text = await readFile(path.join(folder, descriptionIn(kept.name)), "utf8").catch(() => undefined);
      if (text === undefined) continue;
      const { checksums } = described(text);
      const file = Object.keys(checksums).find((one) => checksums[one] === sha256);
      if (file !== undefined) return path.join(folder, file);
    }
    return undefined;
  }

  /** Keeps the generations of an organization, or a state, until the result is called. */
  hold(organization: string, state = ""): () => void {
    const key = keyOf(organization, state);
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#held.get(key) ?? 1) - 1;
      if (left === 0) this.#held.delete(key);
      else this.#held.set(key, left);
    };
  }

  #isHeld({ organization, name }: Kept): boolean {
    return this.#held.has(keyOf(organization, isState(name) ? name : ""));
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
      const free = [...this.#kept.values()].filter((kept) => !this.#isHeld(kept));
      const [oldest] = free.sort((a, b) => a.usedAt - b.usedAt);
      if (!oldest) return false;
      await this.remove(oldest.organization, oldest.name);
    }
    return true;
  }

  /** Removes generations that another one has replaced, once no request reads them. */
  async removeReplaced(organization: string, current: string): Promise<void> {
    for (const kept of [...this.#kept.values()]) {
      if (kept.organization === organization && kept.name !== current && !isState(kept.name))
        await this.#removeUnread(kept);
    }
  }

  /** Removes states that are kept no longer; false if requests read some of them. */
  async removeStates(organization: string, isKept: (key: string) => boolean): Promise<boolean> {
    let isAll = true;
    for (const kept of [...this.#kept.values()]) {
      if (kept.organization !== organization || !isState(kept.name)) continue;
      if (isKept(kept.name.slice(STATE_FOLDER.length))) continue;
      if (this.#isHeld(kept)) isAll = false;
      else await this.remove(organization, kept.name);
    }
    return isAll;
  }

  async #removeUnread(kept: Kept): Promise<void> {
    if (!this.#isHeld(kept)) await this.remove(kept.organization, kept.name);
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

/** Whether a folder has the files of a generation or a state. */
const isFetched = (name: string): boolean => /^(gen=\d+|state=[0-9a-f]+)$/.test(name);

const isState = (name: string): boolean => name.startsWith(STATE_FOLDER);

const IS_DONE = [() => true, () => false] as const;

const keyOf = (organization: string, name: string): string => `${organization} ${name}`;

const tooSmall = (bytes: number, most: number): StoreError =>
  new StoreError(
    `${bytes} bytes of derived files do not fit beside those that requests read: LUCRA_STORAGE_CACHE_MB allows ${most} in all`,
  );
