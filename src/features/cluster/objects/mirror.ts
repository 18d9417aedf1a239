import { readFile } from "node:fs/promises";
import path from "node:path";
import { ApiError } from "../../../core/contract/error.ts";
import { checkedText, readChecked } from "../../../core/files/checked.ts";
import { writeWhole } from "../../../core/files/durable.ts";
import { exists } from "../../../core/files/exists.ts";
import { foldersOf, type OrganizationFolders } from "../../../core/files/organizationFolders.ts";
import { UnderWay } from "../../../core/files/underWay.ts";
import { CopiedPasts } from "./copiedPasts.ts";
import { DamagedObject, Fetches } from "./fetch.ts";
import { LocalGenerations } from "./local.ts";
import { type Named, namedFor, type Pointer, type PointerSource } from "./pointers.ts";
import { type ObjectStore, StoreError } from "./store.ts";
import { within } from "./within.ts";

/** How many organizations are looked at in one turn, whether or not anybody asks for them. */
const LOOKED_AT_ONCE = 20;
/** How long a look may take while files of an earlier generation answer. */
const LOOK_MS = 800;
/** How long a request waits for files if there are none. */
const WAIT_MS = 10_000;
/** How soon what failed is tried again. */
const RETRY_MS = 2_000;

interface Options {
  readonly store: ObjectStore;
  readonly pointers: PointerSource;
  readonly dataDir: string;
  /** The most bytes of derived files in the data folder. */
  readonly bytes: number;
  /** The version of Lucra that must have derived them. */
  readonly codeVersion: string;
  readonly onProblem: (organization: string, error: unknown) => void;
  readonly waitMs?: number;
}

/** A pointer as it was last seen. It is kept in a file: a replica that starts without the storage goes on with it. */
interface Seen {
  readonly pointer: Pointer;
  readonly version: string;
}

interface Known {
  seen: Seen | undefined;
  /** Why the last look found no files to answer from, and when. */
  failed: { readonly error: unknown; readonly at: number; readonly checksum: string } | undefined;
}

/**
 * The derived files of a replica: a copy of what is asked of it, in its data folder, below a bound. The generation in force
 * is fetched at the first question and after each publication, and appears only once it is complete; until then, and while
 * the storage does not answer, the copy of the one before answers. A pointer that was seen never goes back.
 */
export class Mirror {
  /** What names earlier states, and their files. */
  readonly pasts: CopiedPasts;
  readonly #options: Options;
  readonly #local: LocalGenerations;
  readonly #fetches: Fetches;
  readonly #known = new Map<string, Known>();
  readonly #looking = new UnderWay<Known, void>();
  #turn = 0;
  #failedSince: Date | undefined;

  constructor(options: Options) {
    const { store, dataDir, bytes, onProblem } = options;
    const local = new LocalGenerations(dataDir, bytes);
    const fetches = new Fetches(store, local, dataDir);
    this.#options = options;
    this.#local = local;
    this.#fetches = fetches;
    this.pasts = new CopiedPasts({ store, dataDir, local, fetches, onProblem });
  }

  /** Finds what an earlier process left. Before anything else. */
  open(): Promise<void> {
    return this.#local.open();
  }

  /** Since when the storage has not answered; undefined if it does, or was not asked yet. */
  get failedSince(): Date | undefined {
    return this.#failedSince;
  }

  /** The storage has answered to someone else. */
  answered(): void {
    this.#failedSince = undefined;
  }

  /** Bytes of derived files in the data folder. */
  get bytes(): number {
    return this.#local.bytes;
  }

  /** Generations of this organization are read until the result is called: none of them is removed. */
  hold(organization: string): () => void {
    return this.#local.hold(organization);
  }

  /**
   * Brings the copy up to date before a request reads its pointer. Returns soon if there are files to answer from. Throws
   * `storage` or `damaged` if there are none, and none can be had.
   */
  async look(organization: string): Promise<void> {
    const known = this.#known.get(organization) ?? { seen: undefined, failed: undefined };
    this.#known.set(organization, known);
    const looking = this.#looking.share(known, () => this.#look(organization, known));
    looking.catch(() => {});
    const isThere = await this.#isThere(organization, known);
    const { waitMs = WAIT_MS } = this.#options;
    const outcome = await within(isThere ? LOOK_MS : waitMs, looking);
    if (isThere || outcome === "done") return;
    throw outcome === "late" ? new ApiError("underived") : outcome.error;
  }

  /**
   * Looks at the next organizations that have a copy here, in turns: what was erased goes from copies that nobody asks for, too
   * [D98].
   */
  async lookAround(): Promise<void> {
    const here = this.#local.organizations;
    for (let n = Math.min(here.length, LOOKED_AT_ONCE); n > 0; n--) {
      const organization = here[this.#turn++ % here.length];
      if (organization !== undefined) await this.#lookForErased(organization).catch(() => {});
    }
  }

  async #lookForErased(organization: string): Promise<void> {
    const seen = this.#known.get(organization)?.seen ?? (await this.#remembered(organization));
    const found = await this.#options.pointers.pointer(organization, seen?.version);
    if (found === undefined || found === "same") return;
    if ((found.pointer.erased ?? 0) <= (seen?.pointer.epoch ?? 0)) return;
    // First the states, so that a failure is noticed by the pointer that was not seen yet.
    await this.pasts.refresh(organization);
    await this.look(organization);
  }

  /** The copy's files do not match their checksums: they are fetched again. */
  async damaged(organization: string, folder: string): Promise<void> {
    await this.#local.remove(organization, path.basename(folder));
  }

  async #isThere(organization: string, known: Known): Promise<boolean> {
    known.seen ??= await this.#remembered(organization);
    const [name] = ((await localPointer(this.#foldersOf(organization))) ?? "").split("\n");
    return name !== undefined && name !== "" && this.#local.has(organization, name);
  }

  async #look(organization: string, known: Known): Promise<void> {
    const folders = this.#foldersOf(organization);
    known.seen ??= await this.#remembered(organization);
    const later = await this.#read(organization, known).catch((error) => {
      this.#failed(organization, error);
      if (!known.seen) throw new ApiError("storage");
      return undefined;
    });
    if (later) {
      known.seen = later;
      await writeWhole(seenFile(folders), checkedText(later), 0o600);
    }
    const named = known.seen && namedFor(known.seen.pointer, this.#options.codeVersion);
    if (!named) return;
    const isThere = this.#local.has(organization, named.name, named.checksum);
    if (isThere) this.#local.used(organization, named.name);
    else await this.#fetch(organization, known, named);
    const text = `${named.name}\n${named.checksum}\n`;
    // Also written again after the files were: readers then look at them.
    if (!isThere || (await localPointer(folders)) !== text) await writeWhole(pointerFile(folders), text);
    await this.#local.removeReplaced(organization, named.name);
    if (!isThere) this.pasts.refreshLater(organization);
  }

  /** The pointer, if it is later than the one that was seen. */
  async #read(organization: string, { seen }: Known): Promise<Seen | undefined> {
    const found = await this.#options.pointers.pointer(organization, seen?.version);
    this.#failedSince = undefined;
    if (found === undefined || found === "same") return undefined;
    return found.pointer.epoch > (seen?.pointer.epoch ?? 0) ? found : undefined;
  }

  async #fetch(organization: string, known: Known, named: Named): Promise<void> {
    const { failed } = known;
    if (failed?.checksum === named.checksum && performance.now() - failed.at < RETRY_MS) throw failed.error;
    try {
      await this.#fetches.fetch(organization, named);
      known.failed = undefined;
    } catch (error) {
      this.#failed(organization, error);
      const shown = error instanceof DamagedObject ? new ApiError("damaged") : new ApiError("storage");
      known.failed = { error: shown, at: performance.now(), checksum: named.checksum };
      throw shown;
    }
  }

  #failed(organization: string, error: unknown): void {
    if (error instanceof StoreError) this.#failedSince ??= new Date();
    this.#options.onProblem(organization, error);
  }

  #foldersOf(organization: string): OrganizationFolders {
    return foldersOf(this.#options.dataDir, organization);
  }

  #remembered(organization: string): Promise<Seen | undefined> {
    return readChecked<Seen>(seenFile(this.#foldersOf(organization)));
  }
}

/** The pointer that readers of the data folder follow. */
const pointerFile = ({ mart }: OrganizationFolders): string => path.join(mart, "current");

/** The pointer of the storage as it was last seen. */
const seenFile = ({ mart }: OrganizationFolders): string => path.join(mart, "seen.json");

async function localPointer(folders: OrganizationFolders): Promise<string | undefined> {
  const file = pointerFile(folders);
  return (await exists(file)) ? readFile(file, "utf8") : undefined;
}
