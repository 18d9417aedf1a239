import { access } from "node:fs/promises";
import { Children } from "../children.ts";
import { ApiError } from "../contract/error.ts";
import type { Organization } from "../contract/settings.ts";
import { fingerprint } from "./derive.ts";
import { currentGeneration, type Generation, pointerVersion, spoilt } from "./generations.ts";

/** How often pointer and settings are looked at, per organization, while requests come in. */
const LOOK_MS = 500;
/**
 * How long a generation may go on answering after it was last seen to be in force: while the one that took its place is
 * read through, or derived. Whoever asks later waits for that: the change may have been made long ago.
 */
const STALE_MS = 800;
/** Files that were as written are read through again after this long, while requests come in. */
const TRUST_MS = 3_600_000;
/** How soon files that are in doubt, or were found damaged, are read through again. */
const DOUBT_MS = 5_000;
/** How long a request waits for derived files before it is answered 503, or from the files that there are. */
const WAIT_MS = 10_000;

/** Brings an organization's derived files up to date. */
export type Derive = (organization: string) => Promise<void>;

interface Known {
  lookedAt: number;
  /** When a request found nothing to answer from, however long it waited. */
  missedAt: number;
  looking: Promise<void> | undefined;
  pointer: string | undefined;
  /** Its files are as they were written, as far as checksums tell. */
  generation: Generation | undefined;
  /** The pointer that names it. */
  of: string | undefined;
  /** When the generation was last seen to be the one that the pointer names, and to be made with the settings in force. */
  namedAt: number;
  madeWithSettingsAt: number;
  /** The files of the generation that the pointer names are not what was written. */
  damaged: boolean;
  /** When the files were last read through; the reading that is under way. */
  readAt: number;
  reading: Promise<void> | undefined;
  /** The settings and the pointer for which a derivation was last asked: it is asked once for each. */
  asked: string;
  /** A derivation that began long after the settings had changed: requests wait for it. */
  belated: Promise<void> | undefined;
}

/**
 * The generation each organization's requests are answered from. An answer is at most a second older than what is in
 * force, however long nobody asked: a sync by any process is seen by the first request after it; settings that changed
 * are followed by a derivation in a process of its own, and the old files answer no longer than that takes. Files that
 * were deleted are derived anew.
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
    const seen = this.#known.get(organization);
    if (seen?.generation && performance.now() - seen.lookedAt < LOOK_MS) {
      if (!toRead || (await exists(seen.generation.folder))) return seen.generation;
    }
    const known = await this.#look(organization);
    if (known.generation) return known.generation;
    const derivation = this.#derive(organization);
    // A request that asks twice waits once.
    if (performance.now() - known.missedAt > LOOK_MS) await atMost(WAIT_MS, derivation);
    // One under way may have begun before that.
    await known.looking;
    const again = await this.#look(organization);
    if (again.generation) return again.generation;
    known.missedAt = performance.now();
    throw new ApiError(again.damaged ? "damaged" : "underived");
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

  /** Settings have just changed: what follows from them is derived before anybody asks. */
  async settingsChanged(organization: string): Promise<void> {
    const known = this.#known.get(organization);
    // Of whom nobody ever asked nothing is kept: the first request sees to it.
    if (known?.generation) await this.#compareSettings(organization, known, performance.now());
  }

  /** What is known once pointer and settings were looked at; whoever comes meanwhile waits for the same look. */
  async #look(organization: string): Promise<Known> {
    const known = this.#known.get(organization) ?? newlyKnown();
    this.#known.set(organization, known);
    known.looking ??= this.#lookAt(organization, known).finally(() => {
      known.looking = undefined;
    });
    await known.looking;
    return known;
  }

  async #lookAt(organization: string, known: Known): Promise<void> {
    const time = performance.now();
    const there = known.generation !== undefined && (await exists(known.generation.folder));
    const pointer = await pointerVersion(this.#dataDir, organization);
    const trusted = known.damaged ? DOUBT_MS : there ? TRUST_MS : 0;
    if (!there) known.generation = undefined;
    if (pointer !== known.pointer || (!known.reading && time - known.readAt > trusted)) {
      known.pointer = pointer;
      this.#read(organization, known);
    }
    if (known.of === pointer) known.namedAt = time;
    if (!known.generation || time - known.namedAt > STALE_MS) await known.reading;
    await this.#compareSettings(organization, known, known.madeWithSettingsAt);
    if (known.belated) await atMost(WAIT_MS, known.belated);
    known.lookedAt = performance.now();
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
    const { pointer } = known;
    const began = performance.now();
    const found = await currentGeneration(this.#dataDir, organization);
    const damaged = found ? await spoilt(found) : [];
    // Another one has taken its place, and knows better.
    if (!isLast()) return known.reading;
    known.damaged = damaged.length > 0;
    if (damaged.length === 0) {
      known.generation = found;
      known.of = pointer;
      known.namedAt = began;
    } else {
      if (known.generation?.folder === found?.folder) known.generation = undefined;
      this.#onFailure(
        organization,
        new Error(`damaged, to be derived anew: ${damaged.join(", ")} in ${found?.folder}`),
      );
      void this.#derive(organization);
    }
  }

  /** Settings that changed since a time outdate the derived files: the old ones answer while the new ones are made. */
  async #compareSettings(organization: string, known: Known, since: number): Promise<void> {
    const time = performance.now();
    const settings = JSON.stringify(await this.#settingsOf(organization));
    if (!known.generation) return;
    if (settings === JSON.stringify(known.generation.settings)) {
      known.madeWithSettingsAt = time;
      return;
    }
    // One under way may have read the settings before they changed: whether it did is seen once it has ended.
    if (this.#deriving.has(organization)) return;
    const asked = `${known.pointer} ${settings}`;
    if (asked === known.asked) return;
    known.asked = asked;
    const derivation = this.#derive(organization).then(() => this.#takeUp(organization, known));
    derivation.catch(() => {});
    if (time - since <= STALE_MS) return;
    known.belated = derivation.finally(() => {
      known.belated = undefined;
    });
    known.belated.catch(() => {});
  }

  /** What was derived answers from now on, without waiting for the next look. */
  async #takeUp(organization: string, known: Known): Promise<void> {
    const pointer = await pointerVersion(this.#dataDir, organization);
    if (pointer !== known.pointer) {
      known.pointer = pointer;
      this.#read(organization, known);
    }
    await known.reading;
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

const newlyKnown = (): Known => ({
  lookedAt: Number.NEGATIVE_INFINITY,
  missedAt: Number.NEGATIVE_INFINITY,
  looking: undefined,
  pointer: undefined,
  generation: undefined,
  of: undefined,
  namedAt: Number.NEGATIVE_INFINITY,
  madeWithSettingsAt: Number.NEGATIVE_INFINITY,
  damaged: false,
  readAt: 0,
  reading: undefined,
  asked: "",
  belated: undefined,
});

/** Resolves with the promise, or when its time is over. */
const atMost = (milliseconds: number, promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise, new Promise((done) => setTimeout(done, milliseconds).unref())]);

const exists = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  );

/** A process of its own for each, one after the other: there is one writer. */
export function deriveInChild(children: Children): Derive {
  let last: Promise<unknown> = Promise.resolve();
  return (organization) => {
    const derivation = last.then(async () => {
      const { code, stderr } = await children.run(["derive", "--organization", organization]);
      if (code !== 0) throw new Error(stderr || `derive ended with ${code}`);
    });
    last = derivation.catch(() => {});
    return derivation;
  };
}

/** A service that only reads: whoever lands derives. */
export const deriveNothing: Derive = async () => {};
