import { LRUCache } from "lru-cache";
import { ApiError, OperatorError } from "../contract/error.ts";
import { wording } from "../contract/failures.ts";
import type { AskedMoment, Current, Known, States } from "../contract/generations.ts";
import { exists } from "../files/exists.ts";
import { foldersOf, type OrganizationFolders } from "../files/organizationFolders.ts";
import { UnderWay } from "../files/underWay.ts";
import type { Children } from "../processes/children.ts";
import type { Copies } from "./current.ts";
import { corruptFiles } from "./generations.ts";
import { type Moment, mixedInputs, momentAt, refusedState, sameInputs } from "./moments.ts";
import { assertHasPast, pastOf } from "./past.ts";
import { assertSameEntry, pinNamed, pinsOf } from "./pins.ts";
import { sourcesThen } from "./sources.ts";
import { removeSurplus } from "./stateRoom.ts";
import {
  answerVersion,
  nameOf,
  noteAsked,
  removeState,
  type State,
  type StateName,
  stateFiles,
  stateInForce,
} from "./states.ts";

/** How long a request waits for a state that is being derived. */
const WAIT_MS = 10_000;
/** How long it is known what landed files there are. */
const LOOK_MS = 500;
/** Intact files are verified again after this time, when they are asked for. */
const TRUST_MS = 60_000;
/** How long a request that has found a state begins to read it, although another process has ended it meanwhile. */
const BEGIN_MS = 60_000;
/** How often it is noted that a state was asked for. */
const NOTED_MS = 1_000;
/** How soon a derivation that failed is tried again. */
const RETRY_MS = 5_000;

/** Landings, and the settings under which they are read. */
export interface WantedState {
  readonly landings: Moment;
  readonly settings: Moment;
}

/** Derives a state of an organization, or has it derived. */
export type DeriveState = (organization: string, wanted: WantedState, key: string) => Promise<unknown>;

/** The copy of a storage in which a replica has states. */
interface StateCopies extends Copies {
  readonly pasts: {
    hold(organization: string, key: string): () => void;
    used(organization: string, key: string): void;
    /** Fetches a state, unless it is here; false if it is not kept. Fails with an `ApiError`. */
    bring(organization: string, key: string): Promise<boolean>;
  };
}

/** In a process of its own with a low priority: newest data, and those who ask for them, go first. */
export const deriveStateInChild =
  (children: Children): DeriveState =>
  async (organization, { landings, settings }) => {
    const args = ["derive-state", "--organization", organization, "--landings", landings, "--settings", settings];
    const { code, stderr } = await children.run(args);
    if (code !== 0) throw new Error(stderr || `derive-state ended with ${code}`);
  };

interface Options {
  /** Without it only the states that are there answer. */
  readonly derive?: DeriveState | undefined;
  /** Another process writes the files. */
  readonly readOnly?: boolean;
  readonly copies?: StateCopies | undefined;
  readonly onFailure: (organization: string, error: unknown) => void;
  /** Disk for all states. */
  readonly bytes: number;
  readonly waitMs?: number;
}

/** A state whose files matched their checksums, when they were compared, and when it was last found. */
interface Verified {
  readonly state: State;
  readonly at: number;
  foundAt: number;
}

type OfSettings = Pick<Known, "organizationName" | "timezones">;

/** The derivations of one organization: one runs, and one waits. */
interface Turns {
  readonly jobs: Map<string, Promise<void>>;
  last: Promise<unknown>;
}

/** How many organizations' states are derived at once. */
const LANES = 2;
/** How many states' names, verified files and failures are remembered. */
const REMEMBERED = 500;

/**
 * What was known at earlier instants [D80]: each state is derived when it is asked for [D82], beside the newest data, and kept
 * while there is room. No request of newest data waits for it.
 */
export class StateStore implements States {
  readonly #dataDir: string;
  readonly #options: Options;
  readonly #turns = new Map<string, Turns>();
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #failedAt = new LRUCache<string, number>({ max: REMEMBERED });
  readonly #verified = new LRUCache<string, Verified>({ max: REMEMBERED });
  readonly #opening = new UnderWay<string, State | undefined>();
  readonly #names = new LRUCache<string, { readonly name: StateName } & OfSettings>({
    max: REMEMBERED,
    ttl: LOOK_MS,
  });
  readonly #naming = new UnderWay<string, { name: StateName } & OfSettings>();
  readonly #held = new Map<string, number>();
  readonly #noted = new LRUCache<string, true>({ max: REMEMBERED, ttl: NOTED_MS });
  #isStopped = false;

  constructor(dataDir: string, options: Options) {
    this.#dataDir = dataDir;
    this.#options = options;
  }

  known(organization: string, asked: AskedMoment): Promise<Known> {
    return this.reported(organization, this.#known(organization, asked));
  }

  /** A history or a pin that is damaged is for the operator: the client gets 503. */
  async reported<T>(organization: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      this.#options.onFailure(organization, error);
      throw new ApiError("stateFailed");
    }
  }

  async #known(organization: string, asked: AskedMoment): Promise<Known> {
    await assertHasPast(this.#dataDir);
    const folders = foldersOf(this.#dataDir, organization);
    if ("pin" in asked) {
      const pin = await pinNamed(folders, asked.pin);
      if (!pin) throw refusedState(wording.knownAt);
      await assertSameEntry(folders, pin);
      return this.knownAt(organization, pin.knownAt, { landings: pin.moment, settings: pin.moment });
    }
    const moment = await momentAt(folders, asked.at);
    return this.knownAt(organization, asked.at, { landings: moment, settings: moment });
  }

  /** What was known at an instant: `wanted`, the landings and settings of then. */
  async knownAt(organization: string, knownAt: string, wanted: WantedState): Promise<Known> {
    const folders = foldersOf(this.#dataDir, organization);
    const { since = knownAt } = await (await pastOf(folders)).history();
    const { name, organizationName, timezones } = await this.#nameOf(folders, wanted);
    const asked = { folders, wanted, key: name.key };
    return {
      knownAt,
      knownState: name.knownState,
      version: `${name.key} ${name.knownState} ${since}`,
      settingsSince: since,
      incomplete: [...new Set(name.missing.map(({ connector, record }) => `${connector}/${record}`))],
      organizationName,
      timezones,
      moment: wanted.landings,
      asked: () => this.#noteAsked(asked),
      ready: async (waitedMs) => void (await this.#ready(asked, waitedMs)),
      files: {
        current: () => this.#ready(asked),
        recheck: () => this.#recheck(asked),
        hold: () => this.#hold(organization, name.key),
      },
    };
  }

  /** The name of a state is at most as old as what is known of the newest data. */
  #nameOf(folders: OrganizationFolders, wanted: WantedState): Promise<{ name: StateName } & OfSettings> {
    const key = JSON.stringify([folders.organization, wanted]);
    const known = this.#names.get(key);
    if (known) return Promise.resolve(known);
    return this.#naming.share(key, async () => {
      const inputs = await mixedInputs(folders, wanted.landings, wanted.settings);
      const name = nameOf(await sourcesThen(folders, inputs));
      const { name: organizationName, integrations = [] } = inputs.settings;
      const named = { name, organizationName, timezones: integrations.map(({ timezone = "UTC" }) => timezone) };
      this.#names.set(key, named);
      return named;
    });
  }

  async between(organization: string, earlier: Known, later: Known): Promise<Known> {
    const folders = foldersOf(this.#dataDir, organization);
    const same = await sameInputs(folders, earlier.moment, later.moment);
    if (same.settings) return later;
    if (same.landings) return earlier;
    return this.knownAt(organization, later.knownAt, { landings: later.moment, settings: earlier.moment });
  }

  /** The files of the state; waits until they are derived, less what the request waited for others. */
  async #ready(asked: Asked, waitedMs = 0): Promise<Current> {
    const { folders, key } = asked;
    const { waitMs = WAIT_MS } = this.#options;
    const until = performance.now() + Math.max(0, waitMs - waitedMs);
    const found =
      (await this.#open(folders, key)) ?? (await this.#elsewhere(asked, until)) ?? (await this.#derived(asked, until));
    await this.#noteAsked(asked);
    return { folder: found.folder, state: key, missing: found.missing };
  }

  /** At most every so often: cached answers are many. */
  async #noteAsked({ folders, key }: Asked): Promise<void> {
    const id = idOf(folders.organization, key);
    if (this.#noted.has(id)) return;
    this.#noted.set(id, true);
    this.#options.copies?.pasts.used(folders.organization, key);
    await noteAsked(folders, key);
  }

  /** A service that writes nothing answers from the newest data if they are the state, or from files of a storage. */
  async #elsewhere({ folders, wanted, key }: Asked, until: number): Promise<State | undefined> {
    const { readOnly = false, copies } = this.#options;
    if (!readOnly) return undefined;
    const { organization } = folders;
    // What cannot be had is reported where newest data are asked for.
    await copies?.look(organization).catch(() => {});
    const inputs = await mixedInputs(folders, wanted.landings, wanted.settings);
    const newest = await stateInForce(folders, inputs);
    if (newest && (await this.#isIntact(idOf(organization, key), newest))) return newest;
    if (!copies) return undefined;
    const bringing = copies.pasts.bring(organization, key);
    const isDone = await atMost(until - performance.now(), bringing);
    if (!isDone) throw new ApiError("stateUnderived");
    return (await bringing) ? this.#open(folders, key) : undefined;
  }

  async #derived(asked: Asked, until: number): Promise<State> {
    const { folders, key } = asked;
    const isDone = await atMost(until - performance.now(), this.#derive(asked));
    const state = isDone ? ((await this.#open(folders, key)) ?? (await this.#elsewhere(asked, until))) : undefined;
    if (!state) throw new ApiError("stateUnderived");
    return state;
  }

  /** Resolves when the state has been derived. Fails with an `ApiError` if the request cannot wait for that. */
  #derive({ folders, wanted, key }: Asked): Promise<void> {
    const { organization } = folders;
    const { derive, onFailure, bytes, readOnly = false } = this.#options;
    if (!derive) throw new ApiError("stateElsewhere");
    const turns = this.#turns.get(organization) ?? { jobs: new Map(), last: Promise.resolve() };
    const running = turns.jobs.get(key);
    if (running) return running;
    const id = idOf(organization, key);
    if (performance.now() - (this.#failedAt.get(id) ?? Number.NEGATIVE_INFINITY) < RETRY_MS)
      throw new ApiError("stateFailed");
    if (turns.jobs.size >= 2) throw new ApiError("stateBusy");
    this.#turns.set(organization, turns);
    const job = turns.last
      .then(() => this.#inLane(() => derive(organization, wanted, key)))
      .then(
        () => void this.#failedAt.delete(id),
        async (error) => {
          onFailure(organization, error);
          // It is there all the same if only the storage for replicas did not take it.
          if (await this.#open(folders, key)) return;
          this.#failedAt.set(id, performance.now());
          throw new ApiError("stateFailed");
        },
      )
      .finally(() => {
        turns.jobs.delete(key);
        if (turns.jobs.size === 0) this.#turns.delete(organization);
      });
    turns.jobs.set(key, job);
    turns.last = job
      .then(() => (readOnly ? undefined : this.#removeSurplus(bytes, { organization, key })))
      .catch((error) => error instanceof ApiError || onFailure(organization, error));
    return job;
  }

  /**
   * Derives the states of pins that another version of Lucra derived, one after the other, so that nobody waits for them. Those
   * that this version derived, and removed for want of room, are derived when they are asked for.
   */
  async derivePins(organizations: readonly string[]): Promise<void> {
    for (const organization of organizations) {
      const folders = foldersOf(this.#dataDir, organization);
      const pins = await pinsOf(folders).catch((error) => {
        this.#options.onFailure(organization, error);
        return [];
      });
      for (const { moment, kept } of pins) {
        if (this.#isStopped) return;
        if (kept.version === answerVersion()) continue;
        const wanted = { landings: moment, settings: moment };
        await this.#derivePin(folders, wanted).catch(
          (error) => error instanceof ApiError || this.#options.onFailure(organization, error),
        );
      }
    }
    // What syncs have kept meanwhile, beyond the bound.
    await this.#removeSurplus(this.#options.bytes).catch((error) => this.#options.onFailure("all", error));
  }

  async #derivePin(folders: OrganizationFolders, wanted: WantedState): Promise<void> {
    const { name } = await this.#nameOf(folders, wanted);
    if (!(await this.#open(folders, name.key))) await this.#derive({ folders, wanted, key: name.key });
  }

  /** Begins no further derivation by itself. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Organizations take turns: one that asks for many states does not keep the others waiting. */
  async #inLane(work: () => Promise<unknown>): Promise<void> {
    while (this.#running >= LANES) await new Promise<void>((done) => this.#waiting.push(done));
    this.#running++;
    try {
      await work();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  /** The one that was derived last stays: a request waits for it. */
  #removeSurplus(bytes: number, last?: { readonly organization: string; readonly key: string }): Promise<void> {
    return removeSurplus(this.#dataDir, {
      bytes,
      isHeld: (organization, key) =>
        this.#held.has(idOf(organization, key)) || (organization === last?.organization && key === last.key),
    });
  }

  /** The files of a state, if they are there and match their checksums. Damaged ones are removed. */
  #open(folders: OrganizationFolders, key: string): Promise<State | undefined> {
    const id = idOf(folders.organization, key);
    const { copies, readOnly = false } = this.#options;
    return this.#opening.share(id, async () => {
      const seen = this.#verified.get(id);
      const at = performance.now();
      const state = await stateFiles(folders, key);
      if (!state) {
        if (seen && at - seen.foundAt < BEGIN_MS && (await exists(seen.state.folder))) return seen.state;
        this.#verified.delete(id);
        return undefined;
      }
      if (await this.#isIntact(id, state)) return state;
      if (copies) await copies.damaged(folders.organization, state.folder);
      else if (!readOnly) await removeState(folders, key);
      return undefined;
    });
  }

  async #isIntact(id: string, state: State): Promise<boolean> {
    const seen = this.#verified.get(id);
    const at = performance.now();
    if (seen?.state.folder === state.folder && at - seen.at < TRUST_MS) {
      seen.foundAt = at;
      return true;
    }
    const damaged = await corruptFiles(state);
    if (damaged.length === 0) {
      this.#verified.set(id, { state, at, foundAt: at });
      return true;
    }
    this.#verified.delete(id);
    this.#options.onFailure(
      state.settings.organizationId,
      new Error(`damaged, to be derived again: ${damaged.join(", ")} in ${state.folder}`),
    );
    return false;
  }

  /** A read failed: returns whether the files are damaged, or gone. */
  async #recheck(asked: Asked): Promise<boolean> {
    const { folders, key } = asked;
    this.#verified.delete(idOf(folders.organization, key));
    const isThere = async (): Promise<boolean> =>
      ((await this.#open(folders, key)) ?? (await this.#elsewhere(asked, performance.now() + RETRY_MS))) !== undefined;
    return !(await isThere().catch(() => false));
  }

  #hold(organization: string, key: string): () => void {
    const id = idOf(organization, key);
    const { copies } = this.#options;
    const releases = [copies?.hold(organization), copies?.pasts.hold(organization, key)];
    this.#held.set(id, (this.#held.get(id) ?? 0) + 1);
    return () => {
      const left = (this.#held.get(id) ?? 1) - 1;
      if (left === 0) this.#held.delete(id);
      else this.#held.set(id, left);
      for (const release of releases) release?.();
    };
  }
}

/** A state that a request asks for. */
interface Asked {
  readonly folders: OrganizationFolders;
  readonly wanted: WantedState;
  readonly key: string;
}

const idOf = (organization: string, key: string): string => `${organization} ${key}`;

/** Whether the work ended within the time. Fails if the work fails meanwhile. */
async function atMost(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  // It may fail later, when nobody waits any more.
  work.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((done) => {
    timer = setTimeout(() => done(false), milliseconds).unref();
  });
  try {
    return await Promise.race([work.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
