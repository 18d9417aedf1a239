import { access } from "node:fs/promises";
import { Children } from "../children.ts";
import { ApiError } from "../contract/error.ts";
import type { Organization } from "../contract/settings.ts";
import { fingerprint } from "./derive.ts";
import { currentGeneration, type Generation, pointerVersion, spoilt } from "./generations.ts";

/** How often the pointer file is looked at, per organization, while requests come in. */
const LOOK_MS = 500;
/** Files that were as written are read through again after this long, while requests come in. */
const TRUST_MS = 3_600_000;
/** How soon files that are in doubt, or were found damaged, are read through again. */
const DOUBT_MS = 5_000;
/** How long a request waits for derived files that are missing before it is answered 503. */
const WAIT_MS = 10_000;

/** Brings an organization's derived files up to date. */
export type Derive = (organization: string) => Promise<void>;

interface Known {
  lookedAt: number;
  pointer: string | undefined;
  /** Its files are as they were written, as far as checksums tell. */
  generation: Generation | undefined;
  /** The files of the generation that the pointer names are not what was written. */
  damaged: boolean;
  /** When the files were last read through; the reading that is under way. */
  readAt: number;
  reading: Promise<void> | undefined;
  /** The settings and the pointer for which a derivation was last asked: it is asked once for each. */
  asked: string;
}

/**
 * The generation each organization's requests are answered from: a sync by any process is seen within a second, and
 * files that were deleted, or that other settings have outdated, are derived anew by a process of its own.
 */
export class CurrentGenerations {
  readonly #dataDir: string;
  readonly #settingsOf: (organization: string) => Promise<Organization | undefined>;
  readonly #onFailure: (organization: string, error: unknown) => void;
  readonly #deriveFiles: Derive;
  readonly #known = new Map<string, Known>();
  readonly #deriving = new Map<string, Promise<void>>();

  constructor(
    dataDir: string,
    settingsOf: (organization: string) => Promise<Organization | undefined>,
    onFailure: (organization: string, error: unknown) => void,
    derive: Derive = deriveInChild(new Children(dataDir)),
  ) {
    this.#dataDir = dataDir;
    this.#settingsOf = settingsOf;
    this.#onFailure = onFailure;
    this.#deriveFiles = derive;
  }

  /** `toRead`: false where only its name is asked for: then its files may be gone, for as long as nobody looks. */
  async current(organization: string, toRead = true): Promise<Generation> {
    const seen = toRead ? undefined : this.#known.get(organization);
    if (seen?.generation && performance.now() - seen.lookedAt < LOOK_MS) return seen.generation;
    const known = await this.#look(organization);
    if (known.generation) return known.generation;
    await Promise.race([this.#derive(organization), new Promise((done) => setTimeout(done, WAIT_MS).unref())]);
    const again = await this.#look(organization, true);
    if (!again.generation) throw new ApiError(again.damaged ? "damaged" : "busy");
    return again.generation;
  }

  /** Something could not be read: whether that is because files are damaged, in which case they are made anew. */
  async suspect(organization: string): Promise<boolean> {
    const known = this.#known.get(organization);
    if (!known?.generation) return known?.damaged ?? false;
    if (!known.reading && performance.now() - known.readAt > DOUBT_MS) this.#read(organization, known);
    await known.reading;
    return known.damaged;
  }

  /** Brings every organization's derived files up to date and reads them through: at the start. */
  async refresh(organizations: readonly string[]): Promise<void> {
    for (const organization of organizations) {
      const settings = await this.#settingsOf(organization);
      const generation = await currentGeneration(this.#dataDir, organization);
      if (settings && generation?.state !== (await fingerprint(this.#dataDir, organization, settings))) {
        await this.#derive(organization);
      }
      await this.#look(organization);
    }
  }

  async #look(organization: string, now = false): Promise<Known> {
    const known = this.#known.get(organization) ?? {
      lookedAt: 0,
      pointer: undefined,
      generation: undefined,
      damaged: false,
      readAt: 0,
      reading: undefined,
      asked: "",
    };
    this.#known.set(organization, known);
    const time = performance.now();
    const there = known.generation !== undefined && (await exists(known.generation.folder));
    if (!now && there && time - known.lookedAt < LOOK_MS) return known;
    known.lookedAt = time;
    const pointer = await pointerVersion(this.#dataDir, organization);
    const trusted = known.damaged ? DOUBT_MS : there ? TRUST_MS : 0;
    if (!there) known.generation = undefined;
    if (pointer !== known.pointer || (!known.reading && time - known.readAt > trusted)) {
      known.pointer = pointer;
      this.#read(organization, known);
    }
    // The generation before goes on answering while the next one is read through.
    if (!known.generation) await known.reading;
    await this.#compareSettings(organization, known);
    return known;
  }

  /** Reads the present generation's files through; it answers from then on if they are as they were written. */
  #read(organization: string, known: Known): void {
    const reading: Promise<void> = this.#readThrough(organization, known, () => known.reading === reading).finally(
      () => {
        if (known.reading === reading) known.reading = undefined;
      },
    );
    // Whoever waits for it is told; nobody may.
    reading.catch(() => {});
    known.readAt = performance.now();
    known.reading = reading;
  }

  async #readThrough(organization: string, known: Known, isLast: () => boolean): Promise<void> {
    const found = await currentGeneration(this.#dataDir, organization);
    const damaged = found ? await spoilt(found) : [];
    // Another one has taken its place, and knows better.
    if (!isLast()) return known.reading;
    known.damaged = damaged.length > 0;
    if (damaged.length === 0) known.generation = found;
    else {
      if (known.generation?.folder === found?.folder) known.generation = undefined;
      this.#onFailure(
        organization,
        new Error(`damaged, to be derived anew: ${damaged.join(", ")} in ${found?.folder}`),
      );
      void this.#derive(organization);
    }
  }

  /** Settings that changed outdate the derived files: the old ones answer until the new ones are there. */
  async #compareSettings(organization: string, known: Known): Promise<void> {
    const settings = JSON.stringify(await this.#settingsOf(organization));
    if (!known.generation || settings === JSON.stringify(known.generation.settings)) return;
    // One under way may have read the settings before they changed: whether it did is seen once it has ended.
    if (this.#deriving.has(organization)) return;
    const asked = `${known.pointer} ${settings}`;
    if (asked === known.asked) return;
    known.asked = asked;
    void this.#derive(organization);
  }

  #derive(organization: string): Promise<void> {
    const under = this.#deriving.get(organization);
    if (under) return under;
    const derivation = this.#deriveFiles(organization)
      .catch((error) => this.#onFailure(organization, error))
      .finally(() => this.#deriving.delete(organization));
    this.#deriving.set(organization, derivation);
    return derivation;
  }
}

const exists = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  );

/** A process of its own for each. */
export const deriveInChild =
  (children: Children): Derive =>
  async (organization) => {
    const { code, stderr } = await children.run(["derive", "--organization", organization]);
    if (code !== 0) throw new Error(stderr || `derive ended with ${code}`);
  };

/** A service that only reads: whoever lands derives. */
export const deriveNothing: Derive = async () => {};
