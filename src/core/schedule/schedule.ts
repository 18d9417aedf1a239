import { createHash } from "node:crypto";
import { createTask, type ScheduledTask } from "node-cron";
import type { Logger } from "pino";
import type { Organization } from "../contract/settings.ts";
import { type DueQueue, type Job, keyOf } from "./jobQueue.ts";

interface ScheduleOptions {
  /** Every organization with settings in force. */
  readonly organizations: () => Promise<readonly Organization[]>;
  /** The queue for due integrations. */
  readonly queue: DueQueue;
  readonly log: Logger;
}

interface Entry {
  readonly job: Job;
  readonly expression: string;
  readonly timezone: string;
  readonly task: ScheduledTask;
}

const LONGEST_JITTER_MS = 60_000;

/**
 * Spreads integrations that have the same schedule: each begins later by a fixed share of a tenth of the interval, at
 * most a minute.
 */
export function jitterMs(integration: string, untilNextMs: number): number {
  const part = createHash("sha256").update(integration.toLowerCase()).digest().readUInt32BE(0) / 2 ** 32;
  return Math.floor(part * Math.min(LONGEST_JITTER_MS, untilNextMs / 10));
}

/** Lands each integration by the schedule in its present settings. */
export class Schedule {
  readonly #options: ScheduleOptions;
  readonly #queue: DueQueue;
  readonly #entries = new Map<string, Entry>();
  #started = false;
  #stopped = false;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#queue = options.queue;
  }

  async start(): Promise<void> {
    this.#started = true;
    await this.look();
  }

  /** Applies the present settings; does nothing before the start. Fails if they cannot be read. */
  async look(): Promise<void> {
    if (this.#started) await this.#look();
  }

  /** When an integration is landed next: by its schedule, or earlier by a retry. */
  nextRun({ organization, integration }: Job): Date | undefined {
    const entry = this.#entries.get(keyOf({ organization, integration }));
    if (!entry) return undefined;
    const [next, after] = entry.task.getNextRuns(2);
    const scheduled =
      next && new Date(next.getTime() + jitterMs(integration, (after ?? next).getTime() - next.getTime()));
    const retry = this.#queue.retryAt(entry.job);
    return retry && (!scheduled || retry < scheduled) ? retry : scheduled;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const key of [...this.#entries.keys()]) this.#remove(key);
    await this.#queue.stop();
  }

  async #look(): Promise<void> {
    const wanted = new Set<string>();
    for (const { organizationId, integrations = [] } of await this.#options.organizations()) {
      for (const { id, schedule, timezone = "UTC" } of integrations) {
        if (!schedule || this.#stopped) continue;
        const job = { organization: organizationId, integration: id };
        const key = keyOf(job);
        wanted.add(key);
        const entry = this.#entries.get(key);
        if (entry?.expression === schedule && entry.timezone === timezone) continue;
        if (entry) this.#remove(key);
        this.#add(key, job, schedule, timezone);
      }
    }
    for (const key of [...this.#entries.keys()]) if (!wanted.has(key)) this.#remove(key);
  }

  #add(key: string, job: Job, expression: string, timezone: string): void {
    const tick = ({ date }: { readonly date: Date }): void => {
      const begin = (): void => {
        if (this.#entries.get(key)?.task === task) this.#queue.due(job, date);
      };
      setTimeout(begin, jitterMs(job.integration, task.msToNext() ?? 0)).unref();
    };
    const task = createTask(expression, tick, { name: key, timezone, logger: this.#options.log });
    // A run that was missed while the process was busy or asleep is made up for.
    task.on("execution:missed", tick);
    this.#entries.set(key, { job, expression, timezone, task });
    void task.start();
    this.#options.log.info({ ...job, schedule: expression, timezone }, "scheduled");
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    void entry.task.destroy();
    this.#queue.drop(entry.job);
  }
}
