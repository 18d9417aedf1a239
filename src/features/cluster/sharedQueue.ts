import type { Logger } from "pino";
import type { Jobs } from "../../core/coordination/coordination.ts";
import { type DueQueue, type Job, keyOf } from "../../core/schedule/jobQueue.ts";

/** How soon a scheduled time that could not be queued is tried again. */
const RETRY_MS = 2_000;
/** How many are queued at once: thousands that are due at the same time must not wait for a connection until it fails. */
const AT_ONCE = 4;

/** Puts due integrations into the queue that workers share. A time that the queue does not take is tried again until it does. */
export class SharedQueue implements DueQueue {
  readonly #jobs: Jobs;
  readonly #onFailure: (job: Job, error: unknown) => void;
  /** The last scheduled time of each integration that is still to be queued. */
  readonly #pending = new Map<string, Date>();
  /** The integrations whose turn it is to be queued next. */
  readonly #order: Job[] = [];
  /** Those whose last attempt failed, which was reported. */
  readonly #failing = new Set<string>();
  #running = 0;
  #isStopped = false;

  constructor(jobs: Jobs, onFailure: (job: Job, error: unknown) => void) {
    this.#jobs = jobs;
    this.#onFailure = onFailure;
  }

  due(job: Job, at: Date): void {
    const isFirst = !this.#pending.has(keyOf(job));
    this.#pending.set(keyOf(job), at);
    if (isFirst) this.#add(job);
  }

  #add(job: Job): void {
    this.#order.push(job);
    this.#begin();
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

  #begin(): void {
    for (let job = this.#next(); job; job = this.#next()) {
      this.#running++;
      void this.#queue(job).finally(() => {
        this.#running--;
        this.#begin();
      });
    }
  }

  #next(): Job | undefined {
    return this.#isStopped || this.#running === AT_ONCE ? undefined : this.#order.shift();
  }

  async #queue(job: Job): Promise<void> {
    const key = keyOf(job);
    try {
      for (let at = this.#pending.get(key); at !== undefined && !this.#isStopped; at = this.#pending.get(key)) {
        await this.#jobs.due(job, at);
        this.#failing.delete(key);
        if (this.#pending.get(key) === at) this.#pending.delete(key);
      }
    } catch (error) {
      if (!this.#failing.has(key)) this.#onFailure(job, error);
      this.#failing.add(key);
      setTimeout(() => this.#add(job), RETRY_MS).unref();
    }
  }
}

/** The same, with failures in the log. */
export const sharedQueue = (jobs: Jobs, log: Logger): SharedQueue =>
  new SharedQueue(jobs, (job, error) => log.error({ ...job, err: error }, "could not queue, to be tried again"));
