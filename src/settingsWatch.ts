import { type FSWatcher, watch } from "node:fs";
import { stat } from "node:fs/promises";
import type { Organization } from "./contract/settings.ts";
import type { Organizations } from "./organizations.ts";

/** How often the folder is looked at where the system announces changes, in case it missed one; and where it does not. */
const SELDOM_MS = 30_000;
const OFTEN_MS = 1_000;
/** Events come in bursts: the folder is looked at so long after the first of one. */
const SETTLE_MS = 100;

/** Notices when organizations' settings change. An idle service costs nothing, however many organizations there are. */
export class SettingsWatch {
  readonly #organizations: Organizations;
  readonly #onChange: (changed: readonly string[]) => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  readonly #known = new Map<string, Organization>();
  #watcher: FSWatcher | undefined;
  /** The folder that is watched: another one may take its place. */
  #folder = "";
  /** The look that an event asks for, and the one that comes anyway. */
  #soon: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;
  #looking = Promise.resolve();
  #stopped = false;

  /** `onChange` gets the ids of those that came, changed or went, and gets them again after it has failed. */
  constructor(
    organizations: Organizations,
    onChange: (changed: readonly string[]) => Promise<void>,
    onFailure: (error: unknown) => void,
  ) {
    this.#organizations = organizations;
    this.#onChange = onChange;
    this.#onFailure = onFailure;
  }

  /** What is there at the start is no change. */
  async start(): Promise<void> {
    await this.#listen();
    for (const settings of await this.#organizations.all({ fresh: true })) {
      this.#known.set(settings.organizationId, settings);
    }
    this.#lookLater();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#soon);
    clearTimeout(this.#later);
    this.#watcher?.close();
  }

  /** Watches the folder that is there now, if it is another one. */
  async #listen(): Promise<void> {
    const found = await stat(this.#organizations.folder).catch(() => undefined);
    const folder = found ? `${found.dev}-${found.ino}` : "";
    if (this.#stopped || (this.#watcher && folder === this.#folder)) return;
    this.#deaf();
    if (!found) return;
    try {
      this.#watcher = watch(this.#organizations.folder, { persistent: false }, () => this.#lookSoon());
      this.#watcher.on("error", () => this.#deaf());
      this.#folder = folder;
    } catch {
      this.#deaf();
    }
  }

  #deaf(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #lookSoon(): void {
    if (this.#stopped) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#lookNow();
    }, SETTLE_MS).unref();
  }

  #lookLater(): void {
    clearTimeout(this.#later);
    if (this.#stopped) return;
    this.#later = setTimeout(() => this.#lookNow(), this.#watcher ? SELDOM_MS : OFTEN_MS).unref();
  }

  #lookNow(): void {
    this.#looking = this.#looking
      .then(() => this.#look())
      .catch(this.#onFailure)
      .finally(() => this.#lookLater());
  }

  async #look(): Promise<void> {
    await this.#listen();
    const present = await this.#organizations.all({ fresh: true });
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
