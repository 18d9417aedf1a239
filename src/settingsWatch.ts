import { type FSWatcher, watch } from "node:fs";
import type { Organization } from "./contract/settings.ts";
import type { Organizations } from "./organizations.ts";

/** Changes are looked for this often where the system announces them, in case it missed one; and where it does not. */
const SELDOM_MS = 30_000;
const OFTEN_MS = 1_000;
/** Events come in bursts. */
const SETTLE_MS = 100;

/** Notices when organizations' settings change: an idle service costs nothing, however many organizations there are. */
export class SettingsWatch {
  readonly #organizations: Organizations;
  readonly #onChange: (changed: readonly string[]) => Promise<void>;
  readonly #known = new Map<string, Organization>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking = Promise.resolve();
  #stopped = false;

  /** `onChange` gets the ids of those that came, changed or went. */
  constructor(organizations: Organizations, onChange: (changed: readonly string[]) => Promise<void>) {
    this.#organizations = organizations;
    this.#onChange = onChange;
  }

  /** What is there at the start is no change. */
  async start(): Promise<void> {
    for (const settings of await this.#organizations.all()) this.#known.set(settings.organizationId, settings);
    this.#listen();
    this.#lookIn(this.#pause());
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#watcher?.close();
  }

  #listen(): void {
    try {
      this.#watcher = watch(this.#organizations.folder, { persistent: false }, () => this.#lookIn(SETTLE_MS));
      this.#watcher.on("error", () => this.#deaf());
    } catch {
      this.#deaf();
    }
  }

  #deaf(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #pause(): number {
    return this.#watcher ? SELDOM_MS : OFTEN_MS;
  }

  #lookIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#looking
        .then(() => this.#look())
        // What fails now is looked at again.
        .catch(() => {})
        .finally(() => this.#lookIn(this.#pause()));
    }, milliseconds).unref();
  }

  async #look(): Promise<void> {
    if (!this.#watcher) this.#listen();
    const present = await this.#organizations.all({ anew: true });
    const ids = new Set(present.map(({ organizationId }) => organizationId));
    const changed = [
      ...present.filter((settings) => this.#known.get(settings.organizationId) !== settings),
      ...[...this.#known.values()].filter(({ organizationId }) => !ids.has(organizationId)),
    ].map(({ organizationId }) => organizationId);
    if (changed.length === 0) return;
    await this.#onChange(changed);
    this.#known.clear();
    for (const settings of present) this.#known.set(settings.organizationId, settings);
  }
}
