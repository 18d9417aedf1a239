import type { Logger } from "pino";
import type { Jobs } from "../coordination/coordination.ts";
import { type DueQueue, type Job, keyOf } from "./turns.ts";

/** How soon a scheduled time that could not be queued is tried again. */
const RETRY_MS = 2_000;

/** Puts due integrations into the queue that workers share. A time that the queue does not take is tried again until it does. */
export class SharedQueue implements DueQueue {
  readonly #jobs: Jobs;
  readonly #onFailure: (job: Job, error: unknown) => void;
  /** The last scheduled time of each integration that is still to be queued. */
  readonly #pending = new Map<string, Date>();
  #isStopped = false;

  constructor(jobs: Jobs, onFailure: (job: Job, error: unknown) => void) {
    this.#jobs = jobs;
    this.#onFailure = onFailure;
  }

  due(job: Job, at: Date): void {
    const isFirst = !this.#pending.has(keyOf(job));
    this.#pending.set(keyOf(job), at);
    if (isFirst) void this.#queue(job);
  }

  /** Workers retry: `lucra jobs` shows when. */
  retryAt(): undefined {}

  drop(job: Job): void {
    this.#pending.delete(keyOf(job));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#pending.clear();
  }

  async #queue(job: Job, isRepeated = false): Promise<void> {
    const at = this.#pending.get(keyOf(job));
    if (at === undefined || this.#isStopped) return;
    try {
      await this.#jobs.due(job, at);
      if (this.#pending.get(keyOf(job)) === at) this.#pending.delete(keyOf(job));
      else await this.#queue(job);
    } catch (error) {
      if (!isRepeated) this.#onFailure(job, error);
      setTimeout(() => void this.#queue(job, true), RETRY_MS).unref();
    }
  }
}

/** The same, with failures in the log. */
export const sharedQueue = (jobs: Jobs, log: Logger): SharedQueue =>
  new SharedQueue(jobs, (job, error) => log.error({ ...job, err: error }, "could not queue, to be tried again"));
