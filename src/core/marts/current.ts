import { ApiError } from "../contract/error.ts";
import { answerSettings, type Organization } from "../contract/settings.ts";
import { exists } from "../files/exists.ts";
import { foldersOf } from "../files/organizationFolders.ts";
import { Storage } from "../files/storage.ts";
import { UnderWay } from "../files/underWay.ts";
import { Children } from "../processes/children.ts";
import { Derivations, type Derive, deriveInChild } from "./derivations.ts";
import { corruptFiles, currentGeneration, type Generation, pointerVersion } from "./generations.ts";
import { fingerprint } from "./sources.ts";

/** How often pointer and settings are checked, per organization, while requests arrive. */
const LOOK_MS = 500;
/**
 * How long a generation may answer after it was last known to be in force, while its successor is verified or derived.
 * Later requests wait for the successor: the change may be old.
 */
const STALE_MS = 800;
/** Intact files are verified again after this time, while requests arrive: a flipped bit may leave a file readable. */
const TRUST_MS = 60_000;
/** After a verification no intact files are verified again for so many times its duration: it takes 5 % of the time. */
const REST = 19;
/** How soon damaged files, and those of a part of an answer that failed, are verified again. */
const DOUBT_MS = 5_000;
/** How long a request waits for derived files before it is answered with 503, or from the present files. */
const WAIT_MS = 10_000;

interface Known {
  /** When pointer and settings were last read. */
  lookedAt: number;
  /** When a request last found no files to answer from, after its wait. */
  missedAt: number;
  pointer: string | undefined;
  /** Its files match their checksums. */
  generation: Generation | undefined;
  /** The pointer that names it. */
  of: string | undefined;
  /** When the pointer was last seen to name the generation, and when it was last seen to have the settings in force. */
  namedAt: number;
  madeWithSettingsAt: number;
  /** The files of the generation that the pointer names do not match their checksums. */
  damaged: boolean;
  /** When the last verification of the files began; the running verification. */
  readAt: number;
  reading: Promise<void> | undefined;
  /** The settings and the pointer of the last requested derivation: there is one request for each, unless it fails. */
  asked: string;
  /** A derivation that began long after the settings had changed, and until when requests wait for it. */
  belated: { readonly ended: Promise<void>; readonly until: number } | undefined;
}

interface Options {
  readonly waitMs?: number | undefined;
  readonly storage?: Storage;
  readonly mirror?: Copies | undefined;
  readonly trustMs?: number;
}

/** The copy of a storage in which a replica has its generations. */
export interface Copies {
  /** Keeps the files that an answer begins with until the returned function is called. */
  hold(organization: string): () => void;
  /** Looks whether the storage has another generation, and fetches it. */
  look(organization: string): Promise<void>;
  /** Forgets a generation of which a file is damaged. */
  damaged(organization: string, folder: string): Promise<void>;
}

/**
 * The generation that answers each organization's requests. An answer is at most a second behind the data and settings
 * in force, however long the organization was idle: the first request after a sync by any process sees it. Changed
 * settings start a derivation in a process of its own, and the old files answer only until it ends. Deleted files are
 * derived again.
 */
export class GenerationStore {
  readonly #dataDir: string;
  readonly #settingsOf: (organization: string) => Promise<Organization | undefined>;
  readonly #onFailure: (organization: string, error: unknown) => void;
  readonly #waitMs: number;
  readonly #trustMs: number;
  /** Until when no intact files are verified again. */
  #restsUntil = 0;
  readonly #storage: Storage;
  readonly #mirror: Copies | undefined;
  readonly #derivations: Derivations;
  readonly #known = new Map<string, Known>();
  readonly #looking = new UnderWay<Known, void>();

  constructor(
    dataDir: string,
    settingsOf: (organization: string) => Promise<Organization | undefined>,
    onFailure: (organization: string, error: unknown) => void,
    derive: Derive = deriveInChild(new Children(dataDir)),
    { waitMs = WAIT_MS, storage = new Storage(dataDir), mirror, trustMs = TRUST_MS }: Options = {},
  ) {
    this.#dataDir = dataDir;
    this.#trustMs = trustMs;
    this.#storage = storage;
    this.#settingsOf = settingsOf;
    this.#onFailure = onFailure;
    this.#waitMs = waitMs;
    this.#mirror = mirror;
    this.#derivations = new Derivations(derive, onFailure);
  }

  /** With `toRead: false` the known generation is returned without a check that its folder still exists. */
  async current(organization: string, toRead = true): Promise<Generation> {
    const seen = this.#known.get(organization);
    if (seen?.generation && performance.now() - seen.lookedAt < LOOK_MS) {
      if (!toRead || (await this.#existsNow(seen.generation.folder))) return seen.generation;
    }
    const known = await this.#look(organization);
    // The known generation names cached answers, but its files cannot be read.
    if (toRead) this.#storage.assertAnswers();
    if (known.generation) return known.generation;
    const derivation = this.#derive(organization, "missing");
    this.#derivations.hurry(organization);
    // A request that calls this twice waits once.
    if (performance.now() - known.missedAt > LOOK_MS) await atMost(this.#waitMs, derivation);
    // A running check may have begun before the derivation ended.
    await this.#looking.get(known);
    const again = await this.#look(organization);
    if (again.generation) return again.generation;
    known.missedAt = performance.now();
    throw new ApiError(again.damaged ? "damaged" : "underived");
  }

  /** The organization's files stay until the result is called. */
  hold(organization: string): () => void {
    return this.#mirror?.hold(organization) ?? (() => {});
  }

  /**
   * A read failed. Returns whether the cause is damaged files; these are then derived again. `isPart`: the rest of the answer
   * does not need them, so that files that were verified a moment ago are not verified again.
   */
  async recheck(organization: string, isPart = false): Promise<boolean> {
    const known = this.#known.get(organization);
    if (!known?.generation) return known?.damaged ?? false;
    // A file that was verified a moment ago may have been damaged since.
    const isDue = !isPart || performance.now() - known.readAt > DOUBT_MS;
    if (!known.reading && isDue) this.#read(organization, known);
    if (known.reading) await atMost(this.#waitMs, known.reading);
    return known.damaged;
  }

  /**
   * At the start: brings every organization's derived files up to date and verifies them. What cannot be read of one of
   * them is reported, and does not keep the others from being served.
   */
  async refresh(organizations: readonly string[]): Promise<void> {
    for (const organization of organizations) {
      await this.#refresh(organization).catch((error) => this.#onFailure(organization, error));
    }
  }

  async #refresh(organization: string): Promise<void> {
    const settings = await this.#settingsOf(organization);
    const folders = foldersOf(this.#dataDir, organization);
    const generation = await currentGeneration(folders);
    if (settings && generation?.state !== (await fingerprint(folders, settings))) {
      await this.#derive(organization, "outdated");
    }
    await this.#look(organization);
  }

  /** Derives what depends on settings that have just changed, before the next request. */
  async settingsChanged(organization: string): Promise<void> {
    const known = this.#known.get(organization);
    // An organization without requests is not in the map: its first request compares the settings.
    if (!known?.generation) return;
    if (await this.#settingsOf(organization)) await this.#compareSettings(organization, known);
    else this.#known.delete(organization);
  }

  /** The state after a check of pointer and settings; requests that arrive meanwhile share the check. */
  async #look(organization: string): Promise<Known> {
    const known = this.#known.get(organization) ?? newlyKnown();
    this.#known.set(organization, known);
    if (this.#storage.isLate && known.generation) return known;
    this.#storage.assertAnswers();
    await this.#looking.share(known, () => this.#lookAt(organization, known));
    return known;
  }

  async #lookAt(organization: string, known: Known): Promise<void> {
    await this.#mirror?.look(organization);
    const time = performance.now();
    const looked = this.#pointer(organization, known);
    if (known.generation && !(await this.#storage.inTime(looked))) return;
    const { there, pointer } = await this.#storage.result(looked);
    if (!there) known.generation = undefined;
    if (pointer !== known.pointer || (!known.reading && this.#isDoubted(known, time))) {
      known.pointer = pointer;
      this.#read(organization, known);
    }
    if (known.of === pointer) known.namedAt = time;
    if (known.reading && (!known.generation || time - known.namedAt > STALE_MS)) {
      await atMost(this.#waitMs, known.reading);
    }
    await this.#compareSettings(organization, known, known.madeWithSettingsAt);
    this.#derivations.hurry(organization);
    if (known.belated) await atMost(known.belated.until - performance.now(), known.belated.ended);
    known.lookedAt = time;
  }

  /** Whether the files are due to be verified again. */
  #isDoubted({ generation, damaged, readAt }: Known, time: number): boolean {
    if (damaged) return time - readAt > DOUBT_MS;
    return !generation || (time - readAt > this.#trustMs && time > this.#restsUntil);
  }

  async #pointer(
    organization: string,
    { generation }: Known,
  ): Promise<{ there: boolean; pointer: string | undefined }> {
    const there = generation !== undefined && (await exists(generation.folder));
    return { there, pointer: await pointerVersion(foldersOf(this.#dataDir, organization)) };
  }

  /** False also if the storage does not answer. */
  async #existsNow(folder: string): Promise<boolean> {
    const looking = exists(folder);
    return (await this.#storage.inTime(looking)) && looking;
  }

  /** Verifies the present generation's files; it answers from then on if they match their checksums. */
  #read(organization: string, known: Known): void {
    const reading: Promise<void> = this.#readThrough(organization, known, () => known.reading === reading)
      .catch((error) => {
        // The next check tries again: until then this pointer counts as unknown.
        if (known.reading === reading) known.pointer = undefined;
        throw error;
      })
      .finally(() => {
        if (known.reading === reading) known.reading = undefined;
      });
    // A waiting check gets the error; without one it must not become an unhandled rejection.
    reading.catch(() => {});
    known.readAt = performance.now();
    known.reading = reading;
  }

  async #readThrough(organization: string, known: Known, isLast: () => boolean): Promise<void> {
    const { pointer } = known;
    const began = performance.now();
    const found = await currentGeneration(foldersOf(this.#dataDir, organization));
    const damaged = found ? await corruptFiles(found) : [];
    const ended = performance.now();
    this.#restsUntil = Math.max(this.#restsUntil, ended + REST * (ended - began));
    // A newer verification has started: use its result.
    if (!isLast()) return known.reading;
    known.damaged = damaged.length > 0;
    if (damaged.length === 0) {
      known.generation = found;
      known.of = pointer;
      known.namedAt = began;
    } else {
      if (known.generation?.folder === found?.folder) known.generation = undefined;
      if (found) await this.#mirror?.damaged(organization, found.folder);
      this.#onFailure(
        organization,
        new Error(`damaged, to be derived again: ${damaged.join(", ")} in ${found?.folder}`),
      );
      void this.#derive(organization, `damaged ${pointer}`);
    }
  }

  /**
   * Starts a derivation if the settings differ from those of the generation; the old files answer until it has ended.
   * Requests wait for it if the settings were last seen unchanged long ago (`since`).
   */
  async #compareSettings(organization: string, known: Known, since = performance.now()): Promise<void> {
    const time = performance.now();
    const inForce = await this.#settingsOf(organization);
    if (!known.generation || !inForce) return;
    const settings = JSON.stringify(answerSettings(inForce));
    if (settings === JSON.stringify(known.generation.settings)) {
      known.madeWithSettingsAt = time;
      return;
    }
    // A running derivation may have read the settings before the change: they are compared again when it has ended.
    if (this.#derivations.has(organization)) return;
    const asked = `${known.pointer} ${settings}`;
    if (asked === known.asked) return;
    known.asked = asked;
    const ended = this.#derive(organization, asked);
    if (time - since > STALE_MS) known.belated = { ended, until: time + this.#waitMs };
  }

  /** Resolves when a derivation has ended, successfully or not, and its result answers. Never rejects. */
  async #derive(organization: string, reason: string): Promise<void> {
    const isDone = await this.#derivations.ask(organization, reason);
    const known = this.#known.get(organization);
    if (!known) return;
    if (!isDone) known.asked = "";
    else await this.#takeUp(organization, known).catch((error) => this.#onFailure(organization, error));
  }

  async #takeUp(organization: string, known: Known): Promise<void> {
    const pointer = await pointerVersion(foldersOf(this.#dataDir, organization));
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

/** Resolves with the promise, or after the given time. */
const atMost = (milliseconds: number, promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise, new Promise((done) => setTimeout(done, milliseconds).unref())]);
