import { ApiError } from "../contract/error.ts";
import type { Organization } from "../contract/settings.ts";
import { exists } from "../files/exists.ts";
import { Children } from "../processes/children.ts";
import { Derivations, type Derive, deriveInChild } from "./derivations.ts";
import { fingerprint } from "./derive.ts";
import { currentGeneration, type Generation, pointerVersion, spoilt } from "./generations.ts";

/** How often pointer and settings are looked at, per organization, while requests come in. */
const LOOK_MS = 500;
/**
 * How long a generation may go on answering after it was last seen to be in force: while the one that took its place is
 * read through, or derived. Later requests wait for that: the change may have been made long ago.
 */
const STALE_MS = 800;
/** Files that were as written are read through again after this long, while requests come in. */
const TRUST_MS = 3_600_000;
/** How soon files that are in doubt, or were found damaged, are read through again. */
const DOUBT_MS = 5_000;
/** How long a request waits for derived files before it is answered 503, or from the files that there are. */
const WAIT_MS = 10_000;

interface Known {
  /** When pointer and settings were last read. */
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
  /** The settings and the pointer for which a derivation was last asked: it is asked once for each, unless it fails. */
  asked: string;
  /** A derivation that began long after the settings had changed, and until when requests wait for it. */
  belated: { readonly ended: Promise<void>; readonly until: number } | undefined;
}

/**
 * The generation each organization's requests are answered from. An answer is at most a second older than what is in
 * force, however long the organization was idle: a sync by any process shows in the first request after it; settings that
 * changed are followed by a derivation in a process of its own, and the old files answer no longer than that takes.
 * Files that were deleted are derived again.
 */
export class CurrentGenerations {
  readonly #dataDir: string;
  readonly #settingsOf: (organization: string) => Promise<Organization | undefined>;
  readonly #onFailure: (organization: string, error: unknown) => void;
  readonly #waitMs: number;
  readonly #derivations: Derivations;
  readonly #known = new Map<string, Known>();

  constructor(
    dataDir: string,
    settingsOf: (organization: string) => Promise<Organization | undefined>,
    onFailure: (organization: string, error: unknown) => void,
    derive: Derive = deriveInChild(new Children(dataDir)),
    waitMs = WAIT_MS,
  ) {
    this.#dataDir = dataDir;
    this.#settingsOf = settingsOf;
    this.#onFailure = onFailure;
    this.#waitMs = waitMs;
    this.#derivations = new Derivations(derive, onFailure);
  }

  /** `toRead`: false if only its name is asked for: its files may then be gone for as long as nobody looks. */
  async current(organization: string, toRead = true): Promise<Generation> {
    const seen = this.#known.get(organization);
    if (seen?.generation && performance.now() - seen.lookedAt < LOOK_MS) {
      if (!toRead || (await exists(seen.generation.folder))) return seen.generation;
    }
    const known = await this.#look(organization);
    if (known.generation) return known.generation;
    const derivation = this.#derive(organization, "missing");
    this.#derivations.hurry(organization);
    // A request that asks twice waits once.
    if (performance.now() - known.missedAt > LOOK_MS) await atMost(this.#waitMs, derivation);
    // A look under way may have begun before that.
    await known.looking;
    const again = await this.#look(organization);
    if (again.generation) return again.generation;
    known.missedAt = performance.now();
    throw new ApiError(again.damaged ? "damaged" : "underived");
  }

  /** Something could not be read. Returns whether that is because files are damaged; they are then derived again. */
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
        await this.#derive(organization, "outdated");
      }
      await this.#look(organization);
    }
  }

  /** Settings have just changed: derives what follows from them before the next request. */
  async settingsChanged(organization: string): Promise<void> {
    const known = this.#known.get(organization);
    // Nothing is kept of an organization without requests: its first one compares the settings.
    if (!known?.generation) return;
    if (await this.#settingsOf(organization)) await this.#compareSettings(organization, known);
    else this.#known.delete(organization);
  }

  /** What is known once pointer and settings were looked at; requests that come meanwhile share the look. */
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
    this.#derivations.hurry(organization);
    if (known.belated) await atMost(known.belated.until - performance.now(), known.belated.ended);
    known.lookedAt = time;
  }

  /** Reads the present generation's files through; it answers from then on if they are as they were written. */
  #read(organization: string, known: Known): void {
    const reading: Promise<void> = this.#readThrough(organization, known, () => known.reading === reading)
      .catch((error) => {
        // The next look tries again: until then nothing is known of what this pointer names.
        if (known.reading === reading) known.pointer = undefined;
        throw error;
      })
      .finally(() => {
        if (known.reading === reading) known.reading = undefined;
      });
    // A look that waits for the reading fails with it; there may be none.
    reading.catch(() => {});
    known.readAt = performance.now();
    known.reading = reading;
  }

  async #readThrough(organization: string, known: Known, isLast: () => boolean): Promise<void> {
    const { pointer } = known;
    const began = performance.now();
    const found = await currentGeneration(this.#dataDir, organization);
    const damaged = found ? await spoilt(found) : [];
    // Another reading has taken its place, and knows better.
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
        new Error(`damaged, to be derived again: ${damaged.join(", ")} in ${found?.folder}`),
      );
      void this.#derive(organization, `damaged ${pointer}`);
    }
  }

  /**
   * Settings other than those of the generation are followed by a derivation; the old files answer until it has ended.
   * Requests wait for it if the settings were last seen unchanged long before (`since`).
   */
  async #compareSettings(organization: string, known: Known, since = performance.now()): Promise<void> {
    const time = performance.now();
    const inForce = await this.#settingsOf(organization);
    if (!known.generation || !inForce) return;
    const settings = JSON.stringify(inForce);
    if (settings === JSON.stringify(known.generation.settings)) {
      known.madeWithSettingsAt = time;
      return;
    }
    // One under way may have read the settings before they changed: they are compared again when it has ended.
    if (this.#derivations.has(organization)) return;
    const asked = `${known.pointer} ${settings}`;
    if (asked === known.asked) return;
    known.asked = asked;
    const ended = this.#derive(organization, asked);
    if (time - since > STALE_MS) known.belated = { ended, until: time + this.#waitMs };
  }

  /** Resolves when a derivation has ended, well or not, and what it made answers. Fails for no reason. */
  async #derive(organization: string, reason: string): Promise<void> {
    const isDone = await this.#derivations.ask(organization, reason);
    const known = this.#known.get(organization);
    if (!known) return;
    if (!isDone) known.asked = "";
    else await this.#takeUp(organization, known).catch((error) => this.#onFailure(organization, error));
  }

  async #takeUp(organization: string, known: Known): Promise<void> {
    const pointer = await pointerVersion(this.#dataDir, organization);
    if (pointer !== known.pointer) {
      known.pointer = pointer;
      this.#read(organization, known);
    }
    await known.reading;
    await this.#compareSettings(organization, known);
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
