import path from "node:path";
import { ApiError, QueryError } from "../../core/contract/error.ts";
import type { Accepted, Params } from "../../core/contract/param.ts";
import { structMembersOf } from "../../core/engine/parameters.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import type { Form, OwnResult, OwnText } from "./own/messages.ts";
import { OwnProcess } from "./own/ownProcess.ts";

/** Who runs next, and how many at once. */
export interface Slots {
  run<T>(work: (signal: AbortSignal) => Promise<T>, leave?: AbortSignal, parties?: readonly string[]): Promise<T>;
}

interface OwnQueryOptions {
  readonly dataDir: string;
  /** At most `processes` queries run at once; more wait for their slot. */
  readonly slots: Slots;
  /** Also how many processes stay ready for a while. */
  readonly processes?: number;
  /** Memory of the engine of each process; a process may use twice as much and some more. */
  readonly megabytes?: number;
  /** The parameters `p` of the macros, and what they are unless a query says otherwise. */
  readonly params?: Params;
  readonly usual?: Accepted;
  /** How long a process stays ready for the next query over the same files. */
  readonly idleMs?: number;
}

export interface OwnQuery {
  readonly organizationId: string;
  /** The folder of the derived files. */
  readonly folder: string;
  readonly sql: string;
  readonly signal: AbortSignal;
  readonly rows?: number;
  readonly bytes?: number;
  readonly timeoutMs?: number;
  /** Parameters of the macros, such as the period. */
  readonly accepted?: Accepted;
  /** Parties that it counts for beside its organization, such as a credential. */
  readonly parties?: readonly string[];
}

/** How long a query ran. */
interface Took {
  readonly milliseconds: number;
}

export interface OwnAnswer extends OwnResult, Took {}

const PROCESSES = 2;
const MEGABYTES = 512;
const IDLE_MS = 60_000;
/** Unless the caller says otherwise, and at most. */
const ROWS = { usual: 1_000, most: 10_000 };
const BYTES = { usual: 1_000_000, most: 16_000_000 };
const TIMEOUT_MS = { usual: 10_000, most: 60_000 };

/**
 * Runs queries that others wrote over the views of one organization. Each runs in a process of its own: a query can make
 * the engine use memory that it does not count, not react to an interrupt, or fail as a whole, none of which may concern
 * the service. A process is bound to one generation for its life and ends when it was not used for a while.
 */
export class OwnQueries {
  readonly #dataDir: string;
  readonly #slots: Slots;
  readonly #most: number;
  readonly #megabytes: number;
  readonly #idleMs: number;
  readonly #params: Params;
  readonly #usual: Accepted;
  readonly #processes = new Set<OwnProcess>();
  /** Those that run nothing, the one that was used last at the end. */
  readonly #idle = new Map<OwnProcess, NodeJS.Timeout>();
  #closed = false;

  constructor(options: OwnQueryOptions) {
    this.#dataDir = options.dataDir;
    this.#slots = options.slots;
    this.#most = options.processes ?? PROCESSES;
    this.#megabytes = options.megabytes ?? MEGABYTES;
    this.#idleMs = options.idleMs ?? IDLE_MS;
    this.#params = options.params ?? {};
    this.#usual = options.usual ?? {};
  }

  /** Processes that exist now, without those that were told to end. */
  get pids(): number[] {
    return [...this.#processes].filter(({ isAlive }) => isAlive).flatMap(({ pid }) => pid ?? []);
  }

  /** Fails with a `QueryError` where the query is the cause, and with an `ApiError` if there is no slot for it. */
  run(query: OwnQuery): Promise<OwnAnswer> {
    return this.#run(query) as Promise<OwnAnswer>;
  }

  /** The same as a text, which its process writes. */
  written(query: OwnQuery, form: Form): Promise<OwnText> {
    return this.#run(query, form) as Promise<OwnText & Took>;
  }

  async #run(query: OwnQuery, form?: Form): Promise<(OwnResult | OwnText) & Took> {
    const { organizationId, folder, sql, signal, parties = [] } = query;
    if (path.dirname(folder) !== foldersOf(this.#dataDir, organizationId).mart)
      throw new Error(`${folder} is no generation of ${organizationId}`);
    const asked = {
      sql,
      rows: within(query.rows, ROWS),
      bytes: within(query.bytes, BYTES),
      parameters: structMembersOf(this.#params, { ...this.#usual, ...query.accepted }),
      form,
    };
    const timeoutMs = within(query.timeoutMs, TIMEOUT_MS);
    return this.#slots.run(
      async (signal) => {
        const process = await this.#take(folder, signal);
        const leave = (): void => process.end();
        signal.addEventListener("abort", leave);
        if (signal.aborted) leave();
        const began = performance.now();
        try {
          const result = await process.ask(asked, timeoutMs);
          return { ...result, milliseconds: Math.round(performance.now() - began) };
        } catch (error) {
          throw signal.aborted || this.#closed ? new ApiError("timeout") : error;
        } finally {
          signal.removeEventListener("abort", leave);
          await this.#release(process);
        }
      },
      signal,
      [organizationId, ...parties],
    );
  }

  /** A process over these files that takes queries: one that is there, or a new one. */
  async #take(folder: string, signal: AbortSignal): Promise<OwnProcess> {
    for (const [process, timer] of [...this.#idle].reverse()) {
      if (process.folder !== folder || !process.isUsable) continue;
      clearTimeout(timer);
      this.#idle.delete(process);
      return process;
    }
    if (this.#closed || signal.aborted) throw new ApiError("timeout");
    this.#makeRoom();
    const process = new OwnProcess(folder, this.#megabytes);
    this.#processes.add(process);
    process.ended.then(() => this.#processes.delete(process));
    const leave = (): void => process.end();
    signal.addEventListener("abort", leave);
    try {
      await process.ready();
      return process;
    } catch (error) {
      throw signal.aborted || this.#closed ? new ApiError("timeout") : error;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** Ends the process that was idle for longest if there are as many as there may be. The next one starts meanwhile. */
  #makeRoom(): void {
    const [oldest] = this.#idle.keys();
    if (this.#processes.size >= this.#most && oldest) void this.#end(oldest);
  }

  async #release(process: OwnProcess): Promise<void> {
    if (!process.isUsable || this.#closed) return this.#end(process);
    const timer = setTimeout(() => void this.#end(process), this.#idleMs);
    this.#idle.set(process, timer.unref());
  }

  async #end(process: OwnProcess): Promise<void> {
    clearTimeout(this.#idle.get(process));
    this.#idle.delete(process);
    process.end();
    await process.ended;
  }

  /** Ends all processes; queries that run fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#processes].map((process) => this.#end(process)));
  }
}

const within = (wanted: number | undefined, { usual, most }: { usual: number; most: number }): number =>
  Math.min(Math.max(1, Math.floor(wanted ?? usual)), most);

export { QueryError };
