import { spawn } from "node:child_process";
import { access } from "node:fs/promises";
import path from "node:path";
import { ApiError } from "../contract/error.ts";
import type { Organization } from "../contract/settings.ts";
import { fingerprint } from "./derive.ts";
import { currentGeneration, type Generation, pointerVersion } from "./generations.ts";

/** How often the pointer file is looked at, per organization, while requests come in. */
const LOOK_MS = 500;
/** How long a request waits for derived files that are missing before it is answered 503. */
const WAIT_MS = 10_000;

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
  readonly #known = new Map<string, Known>();
  readonly #deriving = new Map<string, Promise<void>>();

  constructor(
    dataDir: string,
    settingsOf: (organization: string) => Promise<Organization | undefined>,
    onFailure: (organization: string, error: unknown) => void,
  ) {
    this.#dataDir = dataDir;
    this.#settingsOf = settingsOf;
    this.#onFailure = onFailure;
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
    const asked = `${known.pointer} ${settings}`;
    if (asked === known.asked) return;
    known.asked = asked;
    void this.#derive(organization);
  }

  #derive(organization: string): Promise<void> {
    const under = this.#deriving.get(organization);
    if (under) return under;
    const derivation = deriveInChild(this.#dataDir, organization)
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

/** A process of its own: its memory and its processor time are not the service's. */
function deriveInChild(dataDir: string, organization: string): Promise<void> {
  const command = path.resolve(import.meta.dirname, "..", "..", "bin", "lucra.cjs");
  const child = spawn(process.execPath, [command, "derive", "--organization", organization], {
    env: { ...process.env, LUCRA_DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code) => (code === 0 ? done() : fail(new Error(said.trim() || `derive ended with ${code}`))));
  });
}
