import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { type JobWithMetadata, PgBoss, type QueueOptions } from "pg-boss";
import { OperatorError } from "../../../core/contract/error.ts";
import type {
  Job,
  JobEnd,
  JobRun,
  JobRuns,
  JobState,
  Jobs,
  StateJob,
  WorkOptions,
} from "../../../core/coordination/coordination.ts";
import { DatabaseDown, isDown } from "./connections.ts";

const SCHEMA = "lucra_jobs";
const QUEUE = "sync";
/** The queue of earlier states. */
const STATES_QUEUE = "states";

/** The job of a worker that is silent for this long goes to another one. The library takes no less. */
const HEARTBEAT_S = 10;
/** How often a living worker is heard, and workers look for jobs and for silent workers. */
const BEAT_S = 3;
const LOOK_S = 1;
/** Retries wait 1 to 2 seconds, then twice as long each time, at most 15 minutes: 20 minutes in all. */
const RETRIES: QueueOptions = { retryLimit: 10, retryDelay: 1, retryBackoff: true, retryDelayMax: 900 };
/** A state that could not be derived is asked for again by requests. */
const STATE_RETRIES: QueueOptions = { retryLimit: 2, retryDelay: 1 };
/** How long a job that has ended is kept: its scheduled time is not queued again meanwhile. */
const KEPT_S = 86_400;
/** How many jobs are read at once. */
const PAGE = 10_000;
/** The library's bound of the time of a job. */
const LONGEST_S = 86_399;
/** How long running jobs get when a worker stops. */
const ENDING_MS = 10_000;

const STATES = {
  created: "waiting",
  active: "running",
  retry: "retry",
  completed: "done",
  failed: "failed",
  cancelled: "cancelled",
} as const;

/** The states of jobs that wait or run. */
const OPEN: readonly string[] = ["created", "retry", "active"];
/** How often a state is queued again whose job ended at this moment. */
const TRIES = 3;

/** A failed attempt: its text is what `jobs explain` shows. */
class Failed extends Error {}

/** Jobs of pg-boss, in a schema of its own. */
export class PostgresJobs implements Jobs {
  readonly #url: string;
  #sender: Promise<PgBoss> | undefined;
  readonly #opened = new Set<PgBoss>();

  constructor(url: string) {
    this.#url = url;
  }

  async due(job: Job, at: Date): Promise<void> {
    // The same for all schedulers, whatever their clocks say: the id of a job is unique.
    const id = uuidOf(`${job.organization} ${job.integration} ${at.toISOString()}`);
    await this.#asSender((boss) =>
      boss.send(QUEUE, job, {
        id,
        // Only one job of an integration waits or runs, and only one of an organization runs.
        singletonKey: `${job.organization}/${job.integration}`,
        group: { id: job.organization },
      }),
    );
  }

  async list(organization?: string): Promise<readonly JobState[]> {
    const only = organization === undefined ? {} : { data: { organization } };
    const found: JobWithMetadata<Job>[] = [];
    for (let page = PAGE; page === PAGE; ) {
      const after = found.at(-1)?.id;
      const next = await this.#asSender((boss) =>
        boss.findJobs<Job>(QUEUE, { limit: PAGE, ...only, ...(after === undefined ? {} : { after }) }),
      );
      found.push(...next);
      page = next.length;
    }
    return found.map(stateOf).sort((a, b) => b.queuedAt.localeCompare(a.queuedAt) || b.id.localeCompare(a.id));
  }

  async retry(id: string): Promise<void> {
    const [found] = await this.#asSender((boss) => boss.findJobs<Job>(QUEUE, { id }));
    if (!found) throw new OperatorError(`no job ${id}: lucra jobs list`);
    const { state } = stateOf(found);
    if (state === "running") throw new OperatorError(`job ${id} is running`);
    if (state === "waiting" || state === "retry") {
      await this.#asSender((boss) => boss.update(QUEUE, undefined, { id, startAfter: new Date() }));
    } else await this.due(found.data, new Date());
  }

  async work({ sync, states }: JobRuns, options: WorkOptions): Promise<{ stop(): Promise<void> }> {
    const { atOnce, limitMs, onFailure } = options;
    const boss = await this.#start({ supervise: true, max: atOnce + 4 }, onFailure);
    const expireInSeconds = Math.min(LONGEST_S, Math.ceil(limitMs / 1000) + 60);
    const stopping = new AbortController();
    const runs = async <T>(queue: string, run: JobRun<T>, localConcurrency: number): Promise<void> => {
      await boss.updateQueue(queue, { expireInSeconds });
      const polling = { pollingIntervalSeconds: LOOK_S, heartbeatRefreshSeconds: BEAT_S };
      await boss.work<T>(queue, { localConcurrency, groupConcurrency: 1, ...polling }, async ([job]) =>
        job ? attempt(run, job.data, stopping.signal) : undefined,
      );
    };
    if (sync) await runs(QUEUE, sync, atOnce);
    await runs(STATES_QUEUE, states, 1);
    return {
      stop: async () => {
        stopping.abort();
        await boss.stop({ graceful: true, timeout: ENDING_MS, close: true });
        this.#opened.delete(boss);
      },
    };
  }

  async askForState(job: StateJob): Promise<string> {
    const singletonKey = `${job.organization}/${job.landings}/${job.settings}`;
    return this.#asSender(async (boss) => {
      for (let tries = 0; tries < TRIES; tries++) {
        const id = await boss.send(STATES_QUEUE, job, { singletonKey, group: { id: job.organization } });
        if (id !== null) return id;
        const all = await boss.findJobs<StateJob>(STATES_QUEUE, { key: singletonKey });
        const open = all.find(({ state }) => OPEN.includes(state));
        if (open) return open.id;
      }
      throw new OperatorError("the jobs of the database keep changing: try again");
    });
  }

  async endOfState(id: string): Promise<JobEnd | undefined> {
    const [found] = await this.#asSender((boss) => boss.findJobs<StateJob>(STATES_QUEUE, { id }));
    if (!found) return { reason: `job ${id} is not in the database any more` };
    if (OPEN.includes(found.state)) return undefined;
    const { reason } = endOf(found);
    return found.state === "completed" ? {} : { reason: reason ?? found.state };
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#opened].map((boss) => boss.stop({ graceful: false, close: true })));
    this.#opened.clear();
    this.#sender = undefined;
  }

  /** Runs an operation of the queue by a member that neither works nor supervises. */
  async #asSender<T>(operation: (boss: PgBoss) => Promise<T>): Promise<T> {
    this.#sender ??= this.#start({ supervise: false, max: 1 }, () => {}).catch((error) => {
      this.#sender = undefined;
      throw error;
    });
    try {
      return await operation(await this.#sender);
    } catch (error) {
      throw isDown(error) ? new DatabaseDown(error) : error;
    }
  }

  async #start(options: { supervise: boolean; max: number }, onFailure: (error: unknown) => void): Promise<PgBoss> {
    const boss = new PgBoss({
      connectionString: this.#url,
      application_name: "lucra jobs",
      schema: SCHEMA,
      connectionTimeoutMillis: 2_000,
      // Lucra's own schedule calls `due`: it knows seconds, and the settings.
      schedule: false,
      superviseIntervalSeconds: LOOK_S,
      monitorIntervalSeconds: LOOK_S,
      ...options,
    });
    boss.on("error", onFailure);
    try {
      await boss.start();
      await addQueue(boss, QUEUE, RETRIES);
      await addQueue(boss, STATES_QUEUE, STATE_RETRIES);
      this.#opened.add(boss);
      return boss;
    } catch (error) {
      await boss.stop({ graceful: false, close: true }).catch(() => {});
      throw isDown(error) ? new DatabaseDown(error) : error;
    }
  }
}

async function addQueue(boss: PgBoss, name: string, retries: QueueOptions): Promise<void> {
  if (await boss.getQueue(name)) return;
  const options = { heartbeatSeconds: HEARTBEAT_S, deleteAfterSeconds: KEPT_S, ...retries };
  await boss.createQueue(name, { policy: "exclusive", ...options });
}

async function attempt<T>(run: JobRun<T>, data: T, stopping: AbortSignal): Promise<{ readonly worker: string }> {
  const worker = `${hostname()}:${process.pid}`;
  const reason = await run(data, stopping).catch((error: Error) => error.message);
  if (stopping.aborted) throw new Failed(`${worker} was stopped`);
  if (reason !== undefined) throw new Failed(`${worker}: ${reason}`);
  return { worker };
}

function stateOf(job: JobWithMetadata<Job>): JobState {
  const { id, data, state, retryCount, retryLimit, createdOn, startAfter, startedOn, completedOn } = job;
  const attempts = state === "created" ? 0 : state === "retry" ? retryCount : retryCount + 1;
  return {
    ...data,
    id,
    state: STATES[state],
    attempts,
    attemptsAllowed: retryLimit + 1,
    queuedAt: createdOn.toISOString(),
    notBefore: startAfter.toISOString(),
    startedAt: startedOn?.toISOString() ?? null,
    endedAt: completedOn?.toISOString() ?? null,
    ...endOf(job),
  };
}

/** The worker of the last attempt, and why that failed. */
function endOf({ output }: JobWithMetadata<unknown>): Pick<JobState, "worker" | "reason"> {
  const found = output as { message?: unknown; worker?: unknown; value?: { message?: unknown } } | null;
  const text = found?.message ?? found?.value?.message;
  const [, named, reason] = /^(\S+:\d+)(?::| (?=was))\s*(.*)$/s.exec(String(text ?? "")) ?? [];
  return {
    worker: named ?? (found?.worker === undefined ? null : String(found.worker)),
    reason: text === undefined ? null : (reason ?? String(text)),
  };
}

function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
