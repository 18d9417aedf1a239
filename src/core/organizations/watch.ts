import { type FSWatcher, watch } from "node:fs";
import { stat } from "node:fs/promises";
import type { Organization } from "../contract/settings.ts";
import type { Organizations } from "./organizations.ts";

/** How often the folder is checked if the system announces changes (it may miss one), and if it does not. */
const SELDOM_MS = 30_000;
const OFTEN_MS = 1_000;
/** Events come in bursts: the folder is checked this long after the first event. */
const SETTLE_MS = 100;

/** Reports changed settings. An idle service uses no processor time, however many organizations there are. */
export class SettingsWatch {
  readonly #organizations: Organizations;
  readonly #onChange: (changed: readonly string[]) => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  readonly #known = new Map<string, Organization>();
  #watcher: FSWatcher | undefined;
  /** Identifies the watched folder: it may be replaced by another one. */
  #folder = "";
  /** The check after an event, and the periodic one. */
  #soon: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;
  #looking = Promise.resolve();
  #stopped = false;

  /** `onChange` gets the ids of added, changed and removed organizations, and gets them again after it has failed. */
  constructor(
    organizations: Organizations,
    onChange: (changed: readonly string[]) => Promise<void>,
    onFailure: (error: unknown) => void,
  ) {
    this.#organizations = organizations;
    this.#onChange = onChange;
    this.#onFailure = onFailure;
  }

  /** The settings that exist at the start are not reported. */
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

  /** Watches the present folder, if it is not watched yet. */
  async #listen(): Promise<void> {
    const found = await stat(this.#organizations.folder).catch(() => undefined);
    const folder = found ? `${found.dev}-${found.ino}` : "";
    if (this.#stopped || (this.#watcher && folder === this.#folder)) return;
    this.#unwatch();
    if (!found) return;
    try {
      this.#watcher = watch(this.#organizations.folder, { persistent: false }, () => this.#lookSoon());
      this.#watcher.on("error", () => this.#unwatch());
      this.#folder = folder;
    } catch {
      this.#unwatch();
    }
  }

  #unwatch(): void {
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
