import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Organization } from "../../core/contract/settings.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { pointerVersion } from "../../core/marts/generations.ts";
import { AT_ONCE, asDeliverer, type Delivering, deliver } from "./deliver.ts";
import { moveFormerState } from "./state.ts";

/** How often pointers of organizations with a webhook are checked, and whether another process still delivers. */
const LOOK_MS = 2_000;
/** How soon a delivery is tried again that an error of this machine has ended. */
const ERROR_MS = 60_000;

interface Seen {
  /** Identifies generation and secret. */
  readonly version: string;
  /** When to try again; undefined: when something has changed. */
  readonly dueAt: number | undefined;
}

/**
 * Delivers events while the service runs. The pointers of the generations are the queue: an event is due whenever the
 * current version is another one than the receiver has accepted, by whichever process, and a crash loses nothing.
 */
export class WebhookDeliveries {
  readonly #delivering: Delivering;
  readonly #onFailure: (organization: string, error: unknown) => void;
  readonly #stopping = new AbortController();
  readonly #seen = new Map<string, Seen>();
  readonly #busy = new Map<string, Promise<void>>();
  #hooked: readonly Organization[] = [];
  #running = Promise.resolve();
  #isRunning = false;

  constructor(delivering: Delivering, onFailure: (organization: string, error: unknown) => void) {
    this.#delivering = delivering;
    this.#onFailure = onFailure;
  }

  /** Applies the present settings. Without a webhook in them, nothing runs. */
  look(organizations: readonly Organization[]): void {
    this.#hooked = organizations.filter(({ webhook }) => webhook);
    this.#seen.clear();
    if (this.#isRunning || this.#stopping.signal.aborted || this.#hooked.length === 0) return;
    this.#isRunning = true;
    this.#running = this.#run().finally(() => {
      this.#isRunning = false;
    });
  }

  /** Ends requests under way: the next process sends them again, with the same ids. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const { organizationId } of this.#hooked) {
      const folders = foldersOf(this.#delivering.dataDir, organizationId);
      await moveFormerState(folders).catch((error) => this.#onFailure(organizationId, error));
    }
    while (this.#goesOn()) {
      const isFailed = await asDeliverer(this.#delivering.dataDir, () => this.#deliverAll()).then(
        () => false,
        (error) => {
          this.#onFailure("", error);
          return true;
        },
      );
      await this.#pause(isFailed ? ERROR_MS : LOOK_MS);
    }
  }

  #goesOn(): boolean {
    return !this.#stopping.signal.aborted && this.#hooked.length > 0;
  }

  #pause(milliseconds: number): Promise<void> {
    return sleep(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }

  /** A slow receiver delays only its own organization, and others while too many are slow. */
  async #deliverAll(): Promise<void> {
    while (this.#goesOn()) {
      for (const settings of this.#hooked) {
        while (this.#busy.size >= AT_ONCE) await Promise.race(this.#busy.values());
        if (!this.#goesOn()) break;
        const { organizationId } = settings;
        if (this.#busy.has(organizationId)) continue;
        const version = await this.#versionOf(organizationId);
        const seen = this.#seen.get(organizationId);
        if (seen?.version === version && !(seen.dueAt !== undefined && seen.dueAt <= Date.now())) continue;
        const delivered = this.#deliver(settings, version).finally(() => this.#busy.delete(organizationId));
        this.#busy.set(organizationId, delivered);
      }
      await this.#pause(LOOK_MS);
    }
    await Promise.all(this.#busy.values());
  }

  async #deliver(settings: Organization, version: string): Promise<void> {
    const { organizationId } = settings;
    const { signal } = this.#stopping;
    try {
      this.#seen.set(organizationId, { version, dueAt: await deliver(this.#delivering, settings, signal) });
    } catch (error) {
      if (signal.aborted) return;
      this.#onFailure(organizationId, error);
      this.#seen.set(organizationId, { version, dueAt: Date.now() + ERROR_MS });
    }
  }

  async #versionOf(organization: string): Promise<string> {
    const folders = foldersOf(this.#delivering.dataDir, organization);
    const secret = await stat(folders.webhookSecret, { bigint: true }).catch(() => undefined);
    return `${await pointerVersion(folders)} ${secret?.ino} ${secret?.mtimeNs}`;
  }
}
