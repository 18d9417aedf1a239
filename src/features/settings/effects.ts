import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Organization } from "../../core/contract/settings.ts";
import { knownSettings } from "../../core/contract/settings.ts";
import type { Children } from "../../core/processes/children.ts";
import type { Effect } from "./effectOf.ts";

/** An effect that is asked for. */
interface Asked {
  readonly id: string;
  readonly organization: string;
  readonly settings: string;
  readonly done: Promise<Effect | undefined>;
  isEnded: boolean;
  isLeft: boolean;
}

/** How many are remembered, and how long. */
const MOST = 100;
const KEPT_MS = 3_600_000;

/** The effects of settings that are not saved: one is computed at a time, and of an organization only the newest one waits. */
export class Effects {
  readonly #children: Pick<Children, "run">;
  readonly #asked = new LRUCache<string, Asked>({ max: MOST, ttl: KEPT_MS });
  readonly #newest = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(children: Pick<Children, "run">) {
    this.#children = children;
  }

  /** Begins one. An earlier one of the organization that still waits is left. */
  begin(organization: string, settings: Organization): Pick<Asked, "id" | "done"> {
    const text = JSON.stringify(knownSettings(settings));
    const newest = this.#asked.get(this.#newest.get(organization) ?? "");
    if (newest && !newest.isEnded && newest.settings === text) return newest;
    if (newest) newest.isLeft = true;
    const id = randomBytes(9).toString("base64url");
    const done: Promise<Effect | undefined> = this.#last.then(() => this.#compute(asked));
    const asked: Asked = { id, organization, settings: text, done, isEnded: false, isLeft: false };
    // Whoever asked may have left.
    this.#last = done
      .catch(() => {})
      .finally(() => {
        asked.isEnded = true;
      });
    this.#asked.set(id, asked);
    this.#newest.set(organization, id);
    return asked;
  }

  /** One of an organization; undefined if there is none, or no longer. */
  find(organization: string, id: string): Asked | undefined {
    const asked = this.#asked.get(id);
    return asked?.organization === organization && !(asked.isLeft && asked.isEnded) ? asked : undefined;
  }

  /** Nobody waits for it any more. */
  leave(organization: string, id: string): void {
    const asked = this.find(organization, id);
    if (asked) asked.isLeft = true;
  }

  async #compute({ organization, settings, isLeft }: Asked): Promise<Effect | undefined> {
    if (isLeft) return undefined;
    const args = ["settings-effect", "--organization", organization, "--settings", settings];
    const { code, stdout, stderr } = await this.#children.run(args);
    if (code !== 0) throw new Error(stderr || `settings-effect ended with ${code}`);
    return JSON.parse(stdout) as Effect;
  }
}
