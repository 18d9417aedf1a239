import type { Job } from "../coordination/coordination.ts";

export type { Job };

export const keyOf = ({ organization, integration }: Job): string => `${organization}/${integration}`;

/** How a turn ended: one that is unfinished goes on at the integration's next turn. */
export type TurnEnd = "done" | "unfinished" | "failed";

/** Lands an integration. When the signal aborts, its turn ends with the present file. */
export type Run = (job: Job, over: AbortSignal) => Promise<TurnEnd>;

/** A longer turn ends as soon as others wait. */
export const TURN_MS = 5 * 60_000;

const FIRST_RETRY_MS = 60_000;
const RETRIES = 5;

/** The wait before a retry doubles: 1, 2, 4, 8, 16 minutes. After that the schedule's next time is the next try. */
export const retryMs = (failures: number): number | undefined =>
  failures > RETRIES ? undefined : FIRST_RETRY_MS * 2 ** (failures - 1);

/** Where a schedule puts the integrations whose time has come. */
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
 * The queue of integrations to land: one at a time, as there is one writer. The organization whose last turn is the
 * longest ago is next, so that one with many integrations does not hold up others; within it, first come, first served.
 * An integration that is waiting or running is not queued twice; one that fails waits for its retry, and the others go
 * on. A long turn ends when others wait, and the integration is queued again.
 */
export class JobQueue implements DueQueue {
  readonly #run: Run;
  readonly #turns = new Map<string, QueuedJob>();
  readonly #queue: QueuedJob[] = [];
  /** Organizations that had a turn, in the order of their last turns. */
  readonly #served = new Set<string>();
  #working = false;
  /** Ends the running turn if it is long. */
  #endLongTurn = (): void => {};
  #running = Promise.resolve();
  #stopped = false;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Queues an integration whose scheduled time has come, and cancels its later retry. */
  due(job: Job): void {
    const turn = this.#turns.get(keyOf(job)) ?? { job, state: "idle", failures: 0, retry: undefined };
    this.#turns.set(keyOf(job), turn);
    if (turn.state !== "idle") return;
    turn.failures = 0;
    this.#enqueue(turn);
  }

  /** When an integration that failed is retried. */
  retryAt(job: Job): Date | undefined {
    return this.#turns.get(keyOf(job))?.retry?.at;
  }

  /** Removes an integration that is no longer scheduled. If it is running, it is finished. */
  drop(job: Job): void {
    const turn = this.#turns.get(keyOf(job));
    if (!turn) return;
    clearTimeout(turn.retry?.timer);
    this.#turns.delete(keyOf(job));
    const place = this.#queue.indexOf(turn);
    if (place >= 0) this.#queue.splice(place, 1);
  }

  /** Starts no more integrations; resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { job } of [...this.#turns.values()]) this.drop(job);
    await this.#running;
  }

  #enqueue(turn: QueuedJob): void {
    clearTimeout(turn.retry?.timer);
    turn.retry = undefined;
    turn.state = "waiting";
    this.#queue.push(turn);
    this.#endLongTurn();
    if (!this.#working) this.#running = this.#work();
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let turn = this.#next(); turn && !this.#stopped; turn = this.#next()) {
      turn.state = "running";
      const end = await this.#runTurn(turn.job).catch(() => "failed");
      turn.state = "idle";
      if (end === "failed") this.#failed(turn);
      else if (end === "unfinished") this.#continue(turn);
    }
    this.#working = false;
  }

  async #runTurn(job: Job): Promise<TurnEnd> {
    const over = new AbortController();
    const timer = setTimeout(() => {
      this.#endLongTurn = () => {
        if (this.#queue.length > 0) over.abort();
      };
      this.#endLongTurn();
    }, TURN_MS);
    try {
      return await this.#run(job, over.signal);
    } finally {
      clearTimeout(timer);
      this.#endLongTurn = () => {};
    }
  }

  #continue(turn: QueuedJob): void {
    turn.failures = 0;
    if (!this.#stopped && this.#turns.get(keyOf(turn.job)) === turn) this.#enqueue(turn);
  }

  #next(): QueuedJob | undefined {
    const waiting = (organization: string): QueuedJob | undefined =>
      this.#queue.find(({ job }) => job.organization === organization);
    const turn =
      this.#queue.find(({ job }) => !this.#served.has(job.organization)) ??
      [...this.#served].map(waiting).find((found) => found !== undefined);
    if (!turn) return undefined;
    this.#queue.splice(this.#queue.indexOf(turn), 1);
    this.#served.delete(turn.job.organization);
    this.#served.add(turn.job.organization);
    return turn;
  }

  #failed(turn: QueuedJob): void {
    turn.failures++;
    const wait = retryMs(turn.failures);
    if (wait === undefined || this.#turns.get(keyOf(turn.job)) !== turn) return;
    const timer = setTimeout(() => this.#enqueue(turn), wait);
    turn.retry = { at: new Date(Date.now() + wait), timer };
  }
}
