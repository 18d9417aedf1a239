import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { OperatorError } from "../../../core/contract/error.ts";
import { checkedText } from "../../../core/files/checked.ts";
import { sha256OfText } from "../../../core/files/checksum.ts";
import { writeNew } from "../../../core/files/durable.ts";
import { paths } from "../../../core/files/paths.ts";
import type { Finished, SentPast } from "../../../core/marts/replication.ts";
import { STATE_FOLDER } from "../../../core/marts/stateNames.ts";
import { DAY_MS } from "../../../core/time/days.ts";
import { described } from "./described.ts";
import { describes, keys } from "./keys.ts";
import { DamagedPointer, type Named, numberOf, type Pointer, pointerText, StoredPointers } from "./pointers.ts";
import { type Listed, type ObjectStore, StoreError } from "./store.ts";
import { namedState, type StoredPast, storedPast } from "./storedPast.ts";

/** Files that are sent at the same time. */
const AT_ONCE = 4;
/** How often what earlier states need is sent again that another process sends at the same time. */
const TRIES = 5;
/** How long a replaced generation is kept for replicas that still fetch it. */
const KEPT_MS = 10 * 60_000;
/** The same for the newest one of another version of Lucra. */
const OTHER_VERSION_KEPT_MS = DAY_MS;

/** The name and checksum by which a generation is fetched. */
type Fetched = Pick<Named, "name" | "checksum">;

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
  async send(organization: string, name: string, finished: Finished): Promise<void> {
    const there = await this.#store.list(keys.files(organization));
    await this.#send(organization, name, finished, new Map(there.map(({ key, bytes }) => [key, bytes])));
  }

  /** `there`: the bytes of the objects that need not be sent. */
  async #send(
    organization: string,
    name: string,
    { folder, description, checksums }: Finished,
    there: ReadonlyMap<string, number>,
  ): Promise<void> {
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
   * Sends what earlier states need, unless it is there. Without a turn: it is read again when another process was earlier, so
   * that what was found last stays. Fails if another data folder sends for this organization.
   */
  async sendPast(organization: string, read: () => Promise<SentPast>): Promise<void> {
    const key = keys.past(organization);
    const writer = await this.#writer();
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await this.#presentPast(organization);
      const before = found?.past;
      if (before && before.writer !== writer) throw new OperatorError(otherFolderText(key));
      const past = await read();
      const parts = valuesOf(past.parts, sha256OfText);
      const states = valuesOf(Object.fromEntries(past.states), ({ description }) => sha256OfText(description));
      if (before && isDeepStrictEqual([before.parts, before.states], [parts, states])) return;
      if (!(await this.#sendNew(organization, past, before))) continue;
      const now = Date.now();
      const epoch = Math.max((before?.epoch ?? 0) + 1, now);
      const text = checkedText({ epoch, writer, parts, states, ended: endedBefore(before, states, now) });
      if ((await this.#store.put(key, text, found ? { match: found.version } : "new")) !== undefined) return;
    }
    throw new StoreError(`${key}: other processes keep changing it in the storage; try again`);
  }

  /** False if a state was removed meanwhile. */
  async #sendNew(
    organization: string,
    { parts, states, inForce }: SentPast,
    before: StoredPast | undefined,
  ): Promise<boolean> {
    const known = new Set(Object.values(before?.parts ?? {}));
    for (const text of Object.values(parts)) {
      const sha256 = sha256OfText(text);
      if (!known.has(sha256)) await this.#store.put(keys.part(organization, sha256), text);
    }
    const isKnown = (key: string, { description }: Finished): boolean =>
      before?.states[key] === sha256OfText(description);
    const fresh = [...states].filter(([key, state]) => !isKnown(key, state));
    if (fresh.length === 0) return true;
    const used = new Set(inForce);
    for (const [key, state] of states)
      if (isKnown(key, state)) for (const sha256 of Object.values(state.checksums)) used.add(sha256);
    // Others may be removed at this moment: the holder of the turn removes what nothing has used for a while.
    const all = await this.#store.list(keys.files(organization));
    const now = newest(all);
    const there = new Map(
      all
        .filter(
          ({ key, modified }) => used.has(key.slice(keys.files(organization).length)) || modified > now - KEPT_MS / 2,
        )
        .map(({ key, bytes }) => [key, bytes]),
    );
    try {
      for (const [key, state] of fresh) await this.#send(organization, `${STATE_FOLDER}${key}`, state, there);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw error;
    }
  }

  /** What the storage has for earlier states. A damaged object has no content, only what it is replaced by. */
  #presentPast(organization: string): Promise<{ readonly version: string; readonly past?: StoredPast } | undefined> {
    return unlessDamaged(storedPast(this.#store, organization));
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
      throw new OperatorError(otherFolderText(key));
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
  #present(
    organization: string,
  ): Promise<{ readonly version: string; readonly pointer?: Pointer; readonly writer?: string } | undefined> {
    return unlessDamaged(this.#pointers.pointer(organization));
  }

  /** Whether all objects of this generation are there, as far as a list shows. */
  async isSent(organization: string, named: Fetched): Promise<boolean> {
    const there = new Map((await this.#store.list(keys.mart(organization))).map(({ key, bytes }) => [key, bytes]));
    const key = keys.manifest(organization, named);
    const description = there.has(key) ? await this.#store.get(key) : undefined;
    if (description === undefined || description === "same") return false;
    const text = description.body.toString("utf8");
    if (sha256OfText(text) !== named.checksum) return false;
    const { checksums } = described(text);
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

  /**
   * Sends the texts and descriptions again that earlier states need, and whose objects are missing or damaged. Returns their
   * names. With `isDry` only names them.
   */
  async repairPast(organization: string, { parts, states }: SentPast, isDry = false): Promise<string[]> {
    const texts: [string, string, string][] = [
      ...Object.entries(parts).map(([name, text]): [string, string, string] => [
        `past ${name}`,
        keys.part(organization, sha256OfText(text)),
        text,
      ]),
      ...[...states].map(([key, { description }]): [string, string, string] => [
        `${STATE_FOLDER}${key} description`,
        keys.manifest(organization, namedState(key, sha256OfText(description))),
        description,
      ]),
    ];
    const repaired: string[] = [];
    for (const [name, key, text] of texts) {
      const found = await this.#store.get(key);
      if (found !== undefined && found !== "same" && found.body.toString("utf8") === text) continue;
      if (!isDry) await this.#store.put(key, text);
      repaired.push(name);
    }
    return repaired;
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
    await this.#forgetEnded(organization);
    await this.#sweep(organization, [named], true);
  }

  /** States that are kept no longer can be fetched no longer. */
  async #forgetEnded(organization: string): Promise<void> {
    const found = await this.#presentPast(organization);
    if (!found?.past) return;
    const past = { ...found.past, epoch: Math.max(found.past.epoch + 1, Date.now()), ended: {} };
    const isPut = await this.#store.put(keys.past(organization), checkedText(past), { match: found.version });
    if (isPut === undefined) throw new Error("another process has sent earlier states meanwhile: erase again");
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
    const past = (await this.#presentPast(organization))?.past;
    const all = await this.#store.list(keys.mart(organization));
    const manifests = all
      .filter(({ key }) => describes("gen", organization, key))
      .sort((a, b) => a.modified - b.modified || (a.key < b.key ? -1 : 1));
    // By the clock of the storage, which has just written the newest.
    const now = newest(all);
    const isOld = ({ modified }: Listed): boolean => atOnce || modified < now - KEPT_MS;
    const lasting = new Set(inForce.map((named) => keys.manifest(organization, named)));
    const replaced = manifests.filter((one, n) => {
      const next = manifests[n + 1];
      return !lasting.has(one.key) && (atOnce || (next !== undefined && isOld(next)));
    });
    const states = all.filter(({ key }) => describes("state", organization, key));
    const lastingStates = lastingIn(past, organization);
    const old = [...replaced, ...states.filter((one) => !lastingStates.has(one.key) && isOld(one))];
    for (const { key } of old) await this.#store.remove(key);
    const used = new Set(Object.values(past?.parts ?? {}).map((sha256) => keys.part(organization, sha256)));
    const left = [...manifests, ...states].filter((one) => !old.includes(one)).values();
    const look = async (): Promise<void> => {
      for (const { key } of left) {
        const found = await this.#store.get(key);
        if (found === undefined || found === "same") continue;
        for (const sha256 of Object.values(described(found.body.toString("utf8")).checksums))
          used.add(keys.file(organization, sha256));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, look));
    const contents = [keys.files(organization), keys.parts(organization)];
    const isContent = ({ key }: Listed): boolean => contents.some((prefix) => key.startsWith(prefix));
    const files = all.filter((one) => isContent(one) && isOld(one) && !used.has(one.key));
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

/** The time of the storage: of what it has written last. */
const newest = (all: readonly Listed[]): number => Math.max(...all.map(({ modified }) => modified));

const valuesOf = <T, R>(all: Readonly<Record<string, T>>, of: (one: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, of(one)]));

/** States that are kept no longer, as long as replicas may fetch them. */
function endedBefore(before: StoredPast | undefined, states: StoredPast["states"], now: number): StoredPast["ended"] {
  const at = new Date(now).toISOString();
  const all = {
    ...valuesOf(before?.states ?? {}, (checksum) => ({ checksum, at })),
    ...before?.ended,
  };
  const isLeft = ([key, one]: [string, { readonly at: string }]): boolean =>
    !(key in states) && Date.parse(one.at) > now - KEPT_MS;
  return Object.fromEntries(Object.entries(all).filter(isLeft));
}

/** The keys of the descriptions of states that replicas may fetch. */
function lastingIn(past: StoredPast | undefined, organization: string): ReadonlySet<string> {
  const kept = Object.entries(past?.states ?? {});
  const ended = Object.entries(past?.ended ?? {}).filter(([, { at }]) => Date.parse(at) > Date.now() - KEPT_MS);
  return new Set(
    [...kept, ...ended.map(([key, { checksum }]): [string, string] => [key, checksum])].map(([key, checksum]) =>
      keys.manifest(organization, namedState(key, checksum)),
    ),
  );
}

/** A damaged object has no content, only what it is replaced by. */
async function unlessDamaged<T>(
  reading: Promise<T | "same" | undefined>,
): Promise<T | { version: string } | undefined> {
  try {
    const found = await reading;
    if (found === "same") throw new Error("a pointer was compared with nothing");
    return found;
  } catch (error) {
    if (error instanceof DamagedPointer) return { version: error.version };
    throw error;
  }
}

const otherFolderText = (key: string): string =>
  `another data folder has published ${key} in the storage: one place in the storage belongs to one data folder; ` +
  "choose another prefix, or remove that object to take over";

const isSame = (one: Fetched, other: Fetched): boolean => one.name === other.name && one.checksum === other.checksum;
