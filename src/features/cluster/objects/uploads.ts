import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { OperatorError } from "../../../core/contract/error.ts";
import { sha256OfText } from "../../../core/files/checksum.ts";
import { writeNew } from "../../../core/files/durable.ts";
import { paths } from "../../../core/files/paths.ts";
import { DAY_MS } from "../../../core/time/days.ts";
import { keys, manifestIn } from "./keys.ts";
import { DamagedPointer, type Named, numberOf, type Pointer, pointerText, StoredPointers } from "./pointers.ts";
import { type Listed, type ObjectStore, StoreError } from "./store.ts";

/** Files that are sent at the same time. */
const AT_ONCE = 4;
/** How long a replaced generation is kept for replicas that still fetch it. */
const KEPT_MS = 10 * 60_000;
/** The same for the newest one of another version of Lucra. */
const OTHER_VERSION_KEPT_MS = DAY_MS;

/** The name and checksum by which a generation is fetched. */
type Fetched = Pick<Named, "name" | "checksum">;

/** A generation in its folder. */
interface Finished {
  readonly folder: string;
  /** The text of its description. */
  readonly description: string;
  readonly checksums: Readonly<Record<string, string>>;
}

/** Puts generations into the storage. Only for the writer of the organization. */
export class Uploads {
  readonly #store: ObjectStore;
  readonly #dataDir: string;
  readonly #pointers: StoredPointers;

  constructor(store: ObjectStore, dataDir: string) {
    this.#store = store;
    this.#dataDir = dataDir;
    this.#pointers = new StoredPointers(store);
  }

  /** Sends the files that are not there yet, and then the description: nothing names them before `publish`. */
  async send(organization: string, name: string, { folder, description, checksums }: Finished): Promise<void> {
    const there = new Map((await this.#store.list(keys.files(organization))).map(({ key, bytes }) => [key, bytes]));
    // Files of the same content are sent once.
    const left = new Map(Object.entries(checksums).map(([file, sha256]) => [sha256, file])).entries();
    const send = async (): Promise<void> => {
      for (const [sha256, file] of left) {
        const key = keys.file(organization, sha256);
        const { size } = await stat(path.join(folder, file));
        if (there.get(key) !== size) await this.#store.upload(key, path.join(folder, file), sha256);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    await this.#store.put(keys.manifest(organization, { name, checksum: sha256OfText(description) }), description);
  }

  /**
   * Makes a generation that was sent the one in force, unless it is. Fails if another data folder publishes for this
   * organization, or another process did at this moment.
   */
  async publish(organization: string, named: Named, now = Date.now()): Promise<void> {
    const found = await this.#present(organization);
    const writer = await this.#writer();
    const key = keys.pointer(organization);
    if (found?.pointer && found.writer !== writer) {
      throw new OperatorError(
        `another data folder has published ${key} in the storage: one place in the storage belongs to one data folder; ` +
          "choose another prefix, or remove that object to take over",
      );
    }
    const before = found?.pointer;
    if (before && isSame(before.current, named)) return;
    const others = [
      ...(before ? [{ ...before.current, replacedAt: new Date(now).toISOString() }] : []),
      ...(before?.others ?? []).filter(({ replacedAt }) => Date.parse(replacedAt) > now - OTHER_VERSION_KEPT_MS),
    ].filter(({ codeVersion }) => codeVersion !== named.codeVersion);
    const erased = before?.erased === undefined ? {} : { erased: before.erased };
    const pointer = {
      ...erased,
      epoch: Math.max((before?.epoch ?? 0) + 1, numberOf(named.name)),
      current: named,
      others,
      writer,
    };
    const text = pointerText(pointer);
    if ((await this.#store.put(key, text, found ? { match: found.version } : "new")) === undefined) {
      // The answer to an earlier attempt may have been lost.
      const present = await this.#store.get(key);
      if (present === "same" || present?.body.toString("utf8") !== text)
        throw new Error("another process has published derived files meanwhile: one data folder has one writer");
    }
    await this.sweep(organization, [named, ...others]);
  }

  /** Whether the pointer in the storage names this generation. */
  async isPublished(organization: string, named: Fetched): Promise<boolean> {
    const found = await this.#present(organization);
    return found?.pointer !== undefined && isSame(found.pointer.current, named);
  }

  /** The pointer in the storage. A damaged one has no content, only what it is replaced by. */
  async #present(
    organization: string,
  ): Promise<{ readonly version: string; readonly pointer?: Pointer; readonly writer?: string } | undefined> {
    try {
      const found = await this.#pointers.pointer(organization);
      if (found === "same") throw new Error("a pointer was compared with nothing");
      return found;
    } catch (error) {
      if (error instanceof DamagedPointer) return { version: error.version };
      throw error;
    }
  }

  /** Whether all objects of this generation are there, as far as a list shows. */
  async isSent(organization: string, named: Fetched): Promise<boolean> {
    const there = new Map((await this.#store.list(keys.mart(organization))).map(({ key, bytes }) => [key, bytes]));
    const key = keys.manifest(organization, named);
    const description = there.has(key) ? await this.#store.get(key) : undefined;
    if (description === undefined || description === "same") return false;
    const text = description.body.toString("utf8");
    if (sha256OfText(text) !== named.checksum) return false;
    const { checksums } = JSON.parse(text) as Finished;
    return Object.values(checksums).every((sha256) => there.has(keys.file(organization, sha256)));
  }

  /** The files of a generation whose objects are missing, or are not what was sent. Reads all of them. */
  async damaged(organization: string, checksums: Finished["checksums"]): Promise<string[]> {
    const folder = await mkdtemp(path.join(tmpdir(), "lucra-objects-"));
    try {
      const found: string[] = [];
      for (const [name, sha256] of Object.entries(checksums)) {
        const place = path.join(folder, sha256);
        const got = await this.#store.download(keys.file(organization, sha256), place);
        await rm(place, { force: true });
        if (got !== sha256) found.push(name);
      }
      return found;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Sends a file again, whatever the storage has. Its checksum is refused if the file is not what it was. */
  async resend(organization: string, file: string, sha256: string): Promise<void> {
    await this.#store.upload(keys.file(organization, sha256), file, sha256);
  }

  /** Removes everything but this generation at once, and fails if that cannot be done: what it lacks was erased [D98]. */
  async clear(organization: string, named: Named): Promise<void> {
    const found = await this.#present(organization);
    if (found?.pointer) {
      const epoch = found.pointer.epoch + 1;
      const pointer = { ...found.pointer, epoch, erased: epoch, others: [], writer: found.writer ?? "" };
      const isPut = await this.#store.put(keys.pointer(organization), pointerText(pointer), { match: found.version });
      if (isPut === undefined) throw new Error("another process has published derived files meanwhile: erase again");
    }
    await this.#sweep(organization, [named], true);
  }

  /**
   * Removes what replicas no longer ask for: generations replaced some time ago, and files that none of the others has. What
   * cannot be removed now is removed after a later publication.
   */
  async sweep(organization: string, inForce: readonly Fetched[]): Promise<void> {
    await this.#sweep(organization, inForce).catch((error) => {
      if (!(error instanceof StoreError)) throw error;
    });
  }

  async #sweep(organization: string, inForce: readonly Fetched[], atOnce = false): Promise<void> {
    const all = await this.#store.list(keys.mart(organization));
    const manifests = all
      .filter(({ key }) => manifestIn(organization, key) !== undefined)
      .sort((a, b) => a.modified - b.modified || (a.key < b.key ? -1 : 1));
    // By the clock of the storage, which has just written the newest.
    const now = Math.max(...all.map(({ modified }) => modified));
    const isOld = ({ modified }: Listed): boolean => atOnce || modified < now - KEPT_MS;
    const lasting = new Set(inForce.map((named) => keys.manifest(organization, named)));
    const old = manifests.filter((one, n) => {
      const next = manifests[n + 1];
      return !lasting.has(one.key) && (atOnce || (next !== undefined && isOld(next)));
    });
    for (const { key } of old) await this.#store.remove(key);
    const used = new Set<string>();
    for (const { key } of manifests.filter((one) => !old.includes(one))) {
      const found = await this.#store.get(key);
      if (found === undefined || found === "same") continue;
      const { checksums } = JSON.parse(found.body.toString("utf8")) as { checksums: Readonly<Record<string, string>> };
      for (const sha256 of Object.values(checksums)) used.add(keys.file(organization, sha256));
    }
    const files = all.filter((one) => one.key.startsWith(keys.files(organization)) && isOld(one) && !used.has(one.key));
    for (const { key } of files) await this.#store.remove(key);
  }

  /** Identifies this data folder, also after a restore elsewhere. */
  async #writer(): Promise<string> {
    const file = paths.storageWriter(this.#dataDir);
    await writeNew(file, `${randomUUID()}\n`, 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    return (await readFile(file, "utf8")).trim();
  }
}

const isSame = (one: Fetched, other: Fetched): boolean => one.name === other.name && one.checksum === other.checksum;
