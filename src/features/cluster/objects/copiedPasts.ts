import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { ApiError } from "../../../core/contract/error.ts";
import { checkedText, readChecked } from "../../../core/files/checked.ts";
import { sha256OfText } from "../../../core/files/checksum.ts";
import { writeWhole } from "../../../core/files/durable.ts";
import { exists } from "../../../core/files/exists.ts";
import { foldersOf, type OrganizationFolders } from "../../../core/files/organizationFolders.ts";
import { UnderWay } from "../../../core/files/underWay.ts";
import type { Past } from "../../../core/marts/past.ts";
import { pastFrom } from "../../../core/marts/sentPast.ts";
import { DamagedObject, type Fetches } from "./fetch.ts";
import { keys } from "./keys.ts";
import type { LocalGenerations } from "./local.ts";
import { DamagedPointer } from "./pointers.ts";
import { type ObjectStore, StoreError } from "./store.ts";
import { namedState, type StoredPast, storedPast } from "./storedPast.ts";
import { within } from "./within.ts";

/** How often the storage is asked for changes, per organization, while requests arrive. */
const LOOK_MS = 500;
/** How long a request waits for a look if there is a copy, and if there is none. */
const WAIT_MS = { copy: 800, none: 10_000 };
/** How long after a publication it is looked what is kept no longer. */
const REFRESH_MS = 30_000;
/** How many texts are fetched at the same time. */
const AT_ONCE = 4;

interface Options {
  readonly store: ObjectStore;
  readonly dataDir: string;
  readonly local: LocalGenerations;
  readonly fetches: Fetches;
  readonly onProblem: (organization: string, error: unknown) => void;
}

/** What the storage had when it was last seen. */
interface Seen {
  readonly stored: StoredPast;
  readonly version: string;
}

interface Known {
  seen: (Seen & { readonly past: Past }) | undefined;
  lookedAt: number;
  /** Why the last look failed. */
  failure: unknown;
}

/**
 * What names earlier states, as the writer has sent it, and their files: a copy in the data folder of a replica, which goes on
 * answering while the storage does not. The texts are small and stay; files are fetched when a state is asked for.
 */
export class CopiedPasts {
  readonly #options: Options;
  readonly #known = new Map<string, Known>();
  readonly #looking = new UnderWay<string, void>();
  readonly #refreshing = new Map<string, NodeJS.Timeout>();
  #isStopped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Fails with an `ApiError` if there is no copy, and none can be had. */
  async of({ organization }: OrganizationFolders): Promise<Past> {
    const { past } = await this.#seen(organization);
    return past;
  }

  /** Keeps the files of a state that an answer begins with until the result is called. */
  hold(organization: string, key: string): () => void {
    return this.#options.local.hold(organization, nameOf(key));
  }

  /** Notes that a state was asked for. */
  used(organization: string, key: string): void {
    this.#options.local.used(organization, nameOf(key));
  }

  /** Whether the files of a state are here, or could be fetched: whether it is kept. Fails with an `ApiError`. */
  async bring(organization: string, key: string): Promise<boolean> {
    const { local, fetches, onProblem } = this.#options;
    if (local.has(organization, nameOf(key))) return true;
    const seen = async (isAtOnce = false) => (await this.#seen(organization, isAtOnce)).stored.states[key];
    // It may have been derived a moment ago.
    const checksum = (await seen()) ?? (await seen(true));
    if (checksum === undefined) return false;
    try {
      await fetches.fetch(organization, namedState(key, checksum));
      return true;
    } catch (error) {
      // It may have been removed since.
      if ((await seen(true)) !== checksum) return false;
      onProblem(organization, error);
      throw new ApiError(error instanceof DamagedObject ? "damaged" : "storage");
    }
  }

  /**
   * Another generation was published: removes soon what is kept no longer, also if nobody asks for earlier states any more, as
   * landings may have been revoked for always. The writer sends what it keeps after the generation.
   */
  refreshLater(organization: string): void {
    if (this.#isStopped || this.#refreshing.has(organization)) return;
    const refresh = async (): Promise<void> => {
      this.#refreshing.delete(organization);
      if (!this.#isStopped) await this.refresh(organization);
    };
    const timer = setTimeout(() => void refresh().catch(() => {}), REFRESH_MS).unref();
    this.#refreshing.set(organization, timer);
  }

  /** Removes at once what is kept no longer, though nobody asks: it was erased [D98]. */
  async refresh(organization: string): Promise<void> {
    if (await this.#isCopied(organization)) await this.#seen(organization, true);
  }

  async #isCopied(organization: string): Promise<boolean> {
    return this.#known.has(organization) || (await exists(fileOf(this.#foldersOf(organization))));
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#refreshing.values()) clearTimeout(timer);
  }

  async #seen(organization: string, isAtOnce = false): Promise<NonNullable<Known["seen"]>> {
    const known = this.#known.get(organization) ?? { seen: undefined, lookedAt: Number.NEGATIVE_INFINITY, failure: "" };
    this.#known.set(organization, known);
    known.seen ??= await this.#remembered(organization);
    if (isAtOnce || performance.now() - known.lookedAt >= LOOK_MS) {
      const looking = this.#looking.share(organization, () => this.#look(organization, known));
      await within(known.seen ? WAIT_MS.copy : WAIT_MS.none, looking);
    }
    if (known.seen) return known.seen;
    if (known.failure === undefined) throw new ApiError("stateElsewhere");
    throw new ApiError(isDamage(known.failure) ? "damaged" : "storage");
  }

  /** Never rejects: the copy goes on answering. */
  async #look(organization: string, known: Known): Promise<void> {
    const { store, local, onProblem } = this.#options;
    try {
      const found = await storedPast(store, organization, known.seen?.version);
      if (found !== undefined && found !== "same" && found.past.epoch > (known.seen?.stored.epoch ?? 0)) {
        const { past: stored, version } = found;
        const past = pastFrom(this.#foldersOf(organization), await this.#fetched(organization, stored));
        const file = fileOf(this.#foldersOf(organization));
        await writeWhole(file, checkedText({ stored, version } satisfies Seen), 0o600);
        known.seen = { stored, version, past };
        await this.#removeOthers(organization, stored);
      }
      const kept = known.seen?.stored.states;
      const isAllRemoved = !kept || (await local.removeStates(organization, (key) => key in kept));
      if (!isAllRemoved) this.refreshLater(organization);
      known.failure = undefined;
    } catch (error) {
      if (String(error) !== String(known.failure)) onProblem(organization, error);
      known.failure = error;
    }
    known.lookedAt = performance.now();
  }

  async #fetched(organization: string, { parts }: StoredPast): Promise<Record<string, string>> {
    const home = partsOf(this.#foldersOf(organization));
    await mkdir(home, { recursive: true });
    const texts: Record<string, string> = {};
    const left = Object.entries(parts).values();
    const fetch = async (): Promise<void> => {
      for (const [name, sha256] of left)
        texts[name] = (await partIn(home, sha256)) ?? (await this.#part(keys.part(organization, sha256), sha256, home));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, fetch));
    return texts;
  }

  async #part(key: string, sha256: string, home: string): Promise<string> {
    const found = await this.#options.store.get(key);
    if (found === undefined || found === "same") throw new StoreError(`${key} is not in the storage`, 404);
    const text = found.body.toString("utf8");
    if (sha256OfText(text) !== sha256) throw new DamagedObject(`${key} does not match its checksum`);
    await writeWhole(path.join(home, sha256), text, 0o600);
    return text;
  }

  async #removeOthers(organization: string, { parts }: StoredPast): Promise<void> {
    const home = partsOf(this.#foldersOf(organization));
    const used = new Set(Object.values(parts));
    for (const name of await readdir(home))
      if (!used.has(name)) await rm(path.join(home, name), { recursive: true, force: true });
  }

  /** The copy of an earlier process; undefined without one, or if it is not whole. */
  async #remembered(organization: string): Promise<Known["seen"]> {
    const folders = this.#foldersOf(organization);
    const seen = await readChecked<Seen>(fileOf(folders));
    if (!seen) return undefined;
    const texts: Record<string, string> = {};
    for (const [name, sha256] of Object.entries(seen.stored.parts)) {
      const text = await partIn(partsOf(folders), sha256);
      if (text === undefined) return undefined;
      texts[name] = text;
    }
    return { ...seen, past: pastFrom(folders, texts) };
  }

  #foldersOf(organization: string): OrganizationFolders {
    return foldersOf(this.#options.dataDir, organization);
  }
}

const fileOf = ({ mart }: OrganizationFolders): string => path.join(mart, "past.json");
const partsOf = ({ mart }: OrganizationFolders): string => path.join(mart, "past");

/** A text that is here already. */
async function partIn(home: string, sha256: string): Promise<string | undefined> {
  const text = await readFile(path.join(home, sha256), "utf8").catch(() => undefined);
  return text !== undefined && sha256OfText(text) === sha256 ? text : undefined;
}

const nameOf = (key: string): string => namedState(key, "").name;

const isDamage = (error: unknown): boolean => error instanceof DamagedObject || error instanceof DamagedPointer;
