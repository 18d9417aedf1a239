import type { Job } from "../coordination/coordination.ts";

export type { Job };

export const keyOf = ({ organization, integration }: Job): string => `${organization}/${integration}`;

/** How a run ended: one that is unfinished goes on at the integration's next run. */
export type RunEnd = "done" | "unfinished" | "failed";

/** Lands an integration. When the signal aborts, its run ends with the present file. */
export type Run = (job: Job, over: AbortSignal) => Promise<RunEnd>;

/** A longer run ends as soon as others wait. */
export const RUN_MS = 5 * 60_000;

const FIRST_RETRY_MS = 60_000;
const RETRIES = 5;

/** The wait before a retry doubles: 1, 2, 4, 8, 16 minutes. After that the schedule's next time is the next try. */
export const retryMs = (failures: number): number | undefined =>
  failures > RETRIES ? undefined : FIRST_RETRY_MS * 2 ** (failures - 1);

/** The queue for integrations whose time has come. */
export interface DueQueue {
  /** `at`: the scheduled time. */
  due(job: Job, at: Date): void;
  /** When an integration that failed is retried, if that is known. */
  retryAt(job: Job): Date | undefined;
  /** Forgets an integration that is no longer scheduled. */
  drop(job: Job): void;
  stop(): Promise<void>;
}

interface QueuedJob {
  readonly job: Job;
  state: "idle" | "waiting" | "running";
  failures: number;
  retry: { readonly at: Date; readonly timer: NodeJS.Timeout } | undefined;
}

/**
 * The queue of integrations to land: one at a time, as there is one writer. The organization whose last run is the
 * longest ago is next, so that one with many integrations does not hold up others; within it, first come, first served.
 * An integration that is waiting or running is not queued twice; one that fails waits for its retry, and the others go
 * on. A long run ends when others wait, and the integration is queued again.
 */
export class JobQueue implements DueQueue {
  readonly #run: Run;
  readonly #jobs = new Map<string, QueuedJob>();
  readonly #queue: QueuedJob[] = [];
  /** Organizations that had a run, in the order of their last runs. */
  readonly #served = new Set<string>();
  #working = false;
  /** Ends the running job if it is long. */
  #endLongTurn = (): void => {};
  #running = Promise.resolve();
  #stopped = false;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Queues an integration whose scheduled time has come, and cancels its later retry. */
  due(job: Job): void {
    const queued = this.#jobs.get(keyOf(job)) ?? { job, state: "idle", failures: 0, retry: undefined };
    this.#jobs.set(keyOf(job), queued);
    if (queued.state !== "idle") return;
    queued.failures = 0;
    this.#enqueue(queued);
  }

  /** When an integration that failed is retried. */
  retryAt(job: Job): Date | undefined {
    return this.#jobs.get(keyOf(job))?.retry?.at;
  }

  /** Removes an integration that is no longer scheduled. If it is running, it is finished. */
  drop(job: Job): void {
    const queued = this.#jobs.get(keyOf(job));
    if (!queued) return;
    clearTimeout(queued.retry?.timer);
    this.#jobs.delete(keyOf(job));
    const place = this.#queue.indexOf(queued);
    if (place >= 0) this.#queue.splice(place, 1);
  }

  /** Starts no more integrations; resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { job } of [...this.#jobs.values()]) this.drop(job);
    await this.#running;
  }

  #enqueue(queued: QueuedJob): void {
    clearTimeout(queued.retry?.timer);
    queued.retry = undefined;
    queued.state = "waiting";
    this.#queue.push(queued);
    this.#endLongTurn();
    if (!this.#working) this.#running = this.#work();
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let queued = this.#next(); queued && !this.#stopped; queued = this.#next()) {
      queued.state = "running";
      const end = await this.#runOnce(queued.job).catch(() => "failed");
      queued.state = "idle";
      if (end === "failed") this.#failed(queued);
      else if (end === "unfinished") this.#continue(queued);
    }
    this.#working = false;
  }

  async #runOnce(job: Job): Promise<RunEnd> {
    const over = new AbortController();
    const timer = setTimeout(() => {
      this.#endLongTurn = () => {
        if (this.#queue.length > 0) over.abort();
      };
      this.#endLongTurn();
    }, RUN_MS);
    try {
      return await this.#run(job, over.signal);
    } finally {
      clearTimeout(timer);
      this.#endLongTurn = () => {};
    }
  }

  #continue(queued: QueuedJob): void {
    queued.failures = 0;
    if (!this.#stopped && this.#jobs.get(keyOf(queued.job)) === queued) this.#enqueue(queued);
  }

  #next(): QueuedJob | undefined {
    const waiting = (organization: string): QueuedJob | undefined =>
      this.#queue.find(({ job }) => job.organization === organization);
    const queued =
      this.#queue.find(({ job }) => !this.#served.has(job.organization)) ??
      [...this.#served].map(waiting).find((found) => found !== undefined);
    if (!queued) return undefined;
    this.#queue.splice(this.#queue.indexOf(queued), 1);
    this.#served.delete(queued.job.organization);
    this.#served.add(queued.job.organization);
    return queued;
  }

  #failed(queued: QueuedJob): void {
    queued.failures++;
    const wait = retryMs(queued.failures);
    if (wait === undefined || this.#jobs.get(keyOf(queued.job)) !== queued) return;
    const timer = setTimeout(() => this.#enqueue(queued), wait);
    queued.retry = { at: new Date(Date.now() + wait), timer };
  }
}
