import { access } from "node:fs/promises";
import { Children } from "../children.ts";
import { ApiError } from "../contract/error.ts";
import type { Organization } from "../contract/settings.ts";
import { fingerprint } from "./derive.ts";
import { currentGeneration, type Generation, pointerVersion } from "./generations.ts";

/** How often the pointer file is looked at, per organization, while requests come in. */
const LOOK_MS = 500;
/** How long a request waits for derived files that are missing before it is answered 503. */
const WAIT_MS = 10_000;

/** Brings an organization's derived files up to date. */
export type Derive = (organization: string) => Promise<void>;

interface Known {
  lookedAt: number;
  pointer: string | undefined;
  generation: Generation | undefined;
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

  async current(organization: string): Promise<Generation> {
    const known = await this.#look(organization);
    if (known.generation) return known.generation;
    await Promise.race([this.#derive(organization), new Promise((done) => setTimeout(done, WAIT_MS).unref())]);
    const again = await this.#look(organization, true);
    if (!again.generation) throw new ApiError("busy");
    return again.generation;
  }

  /** Brings every organization's derived files up to date: at the start. */
  async refresh(organizations: readonly string[]): Promise<void> {
    for (const organization of organizations) {
      const settings = await this.#settingsOf(organization);
      const generation = await currentGeneration(this.#dataDir, organization);
      if (settings && generation?.state !== (await fingerprint(this.#dataDir, organization, settings))) {
        await this.#derive(organization);
      }
    }
  }

  async #look(organization: string, now = false): Promise<Known> {
    const known = this.#known.get(organization) ?? {
      lookedAt: 0,
      pointer: undefined,
      generation: undefined,
      asked: "",
    };
    this.#known.set(organization, known);
    const time = performance.now();
    const there = known.generation !== undefined && (await exists(known.generation.folder));
    if (!now && there && time - known.lookedAt < LOOK_MS) return known;
    known.lookedAt = time;
    const pointer = await pointerVersion(this.#dataDir, organization);
    if (pointer !== known.pointer || !there) {
      known.generation = await currentGeneration(this.#dataDir, organization);
      known.pointer = pointer;
    }
    await this.#compareSettings(organization, known);
    return known;
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
