import type { AnySchema } from "ajv";
import { OperatorError } from "../contract/error.ts";
import type { Storage } from "../files/storage.ts";

/**
 * What the processes that share a data folder agree on. Files that never change (landed and derived ones, exports) are no
 * part of it. The file edition is the default; `open.ts` chooses another one.
 */
export interface Coordination {
  readonly turns: Turns;
  readonly pointers: Pointers;
  readonly numbers: Numbers;
  readonly documents: Documents;
  readonly logs: Logs;
  /** The queue that workers share; undefined: each service runs its own jobs. */
  readonly jobs: Jobs | undefined;
  /** How long what is known stays in force while the store of the other members does not answer. */
  readonly knownMs: number;
  /** Since when the store of the other members has not answered; undefined while it does. */
  downSince(): Date | undefined;
  close(): Promise<void>;
}

/**
 * How long known credentials are in force while the store that has them does not answer: a revoked one works at most so
 * long.
 */
export const KNOWN_MS = 15 * 60_000;

/** The right to write the data of one organization. */
export interface Turn {
  readonly organization: string;
  /** True if another process may have taken the turn: this one publishes nothing any more. */
  readonly isLost: boolean;
}

/** Runs work as the only writer of an organization. Fails if the turn was lost meanwhile. */
export type TurnOf = <T>(organization: string, work: (turn: Turn) => Promise<T>) => Promise<T>;

/** The turn of an organization could not be taken, or was lost. Nothing was published; running the work again is safe. */
export class NoTurn extends OperatorError {
  static lost(organization: string): NoTurn {
    return new NoTurn(`the turn of ${organization} was lost: nothing more was written; run it again`);
  }

  static taken(organization: string): NoTurn {
    return new NoTurn(`another process has the turn of ${organization}: nothing was written; run it again later`);
  }
}

export interface Waiting {
  readonly waitMs: number;
  /** The error text if the lock was not released in time. `holder`: the other process, if known. */
  readonly refusal: (holder: string) => string;
}

/** One writer per organization. */
export interface Turns {
  /**
   * Runs work that takes the turns of organizations, one after the other. File edition: the data folder has one writer, from
   * the beginning of the work to its end. Each turn, or the data folder, is waited for at most `waitMs`.
   */
  writing<T>(waitMs: number, work: (turnOf: TurnOf) => Promise<T>): Promise<T>;
  /** Before a file appears that others read: throws NoTurn unless the turn still belongs to this process. */
  assertHeld(organization: string): Promise<void>;
  /** Runs other work exclusively, among all processes. `name`: a path in the data folder. */
  exclusively<T>(name: string, waiting: Waiting, work: () => Promise<T>): Promise<T>;
}

/** The name of the pointer to the generation in force. Others are `current.<the first 16 characters of a code version>`. */
export const CURRENT = "current";

export interface Pointer {
  readonly name: string;
  readonly text: string;
  /** Milliseconds since it was put in place, by the clock of the store. */
  readonly ageMs: () => Promise<number>;
}

interface PutOptions {
  /** The text that the pointer must still have; undefined: that it must not exist. Without the member any will do. */
  readonly expected?: string | undefined;
  /** File edition: a folder for the unfinished file. */
  readonly aside?: string;
}

/**
 * Which generation of an organization is in force: a text of two lines, the name of its folder (`gen=000017`) and the SHA-256 of
 * its `derived.json`. Reads answer from what is known while the store does not answer.
 */
export interface Pointers {
  text(organization: string, name: string): Promise<string | undefined>;
  /** Changes whenever another generation becomes current; undefined without a pointer. */
  version(organization: string): Promise<string | undefined>;
  /** When the current generation became current. */
  changedAt(organization: string): Promise<Date | undefined>;
  all(organization: string): Promise<readonly Pointer[]>;
  /** False, and nothing is changed, if the pointer is not the expected one. Throws NoTurn without the turn. */
  put(organization: string, name: string, text: string, options?: PutOptions): Promise<boolean>;
  remove(organization: string, name: string): Promise<void>;
}

export type Numbered = "landing" | "generation";

/** Numbers that no two writers use. */
export interface Numbers {
  /** A number that was never claimed, at least `atLeast`, which is above all numbers that the files have. */
  claim(organization: string, kind: Numbered, atLeast: number): Promise<number>;
}

export interface DocumentOptions<T> {
  readonly file: string;
  /** The name of its row, if that is not the name of the file. */
  readonly name?: string;
  /** A process that changes the file holds the lock of this one. */
  readonly lock: string;
  /** The command that writes it, for messages. */
  readonly command: string;
  readonly schema: AnySchema;
  /** The content of a document that does not exist. */
  readonly nothing: T;
  /** The part that is written, if it is not all of the content. */
  readonly kept?: (content: T) => T;
  /** If the document becomes invalid, the last good content stays in force, and this is called once. */
  readonly onProblem?: ((problem: string) => void) | undefined;
  readonly waitMs?: number | undefined;
  /** File edition: if it does not answer, the last known content stays in force. */
  readonly storage?: Storage | undefined;
}

/** A small document, such as the credentials, that commands change and services follow. */
export interface Document<T extends object> {
  /** The content, at most half a second old. The same object until it changes. */
  current(): Promise<T>;
  /** The same as it is now, for what another process may have written just before. */
  latest(): Promise<T>;
  /** The content now, or the reason why it cannot be read. */
  read(): Promise<T>;
  /** Reads, changes and writes, so that two processes at once lose nothing. */
  change<R>(change: (content: T) => { readonly content: T; readonly result: R }): Promise<R>;
  /** Removes it: from now on it has nothing. */
  remove(): Promise<void>;
}

export interface Documents {
  /** Whether a process that writes nothing into the data folder may change documents. */
  readonly isShared: boolean;
  open<T extends object>(options: DocumentOptions<T>): Document<T>;
}

/** Logs whose lines are only ever added: JSON objects. `name`: of a file without its folder and ending, or of rows. */
export interface Logs {
  /** The line is on disk when this resolves. */
  append(name: string, line: object): Promise<void>;
  /** The lines after a place, in their order, and the place after them; 0 is the beginning. */
  read(name: string, after: number): Promise<{ readonly lines: readonly object[]; readonly place: number }>;
}

/** An integration to land. */
export interface Job {
  readonly organization: string;
  readonly integration: string;
}

/** An earlier state to derive [D82]: the moments of its landings and of its settings. */
export interface StateJob {
  readonly organization: string;
  readonly landings: string;
  readonly settings: string;
}

export interface JobState extends Job {
  readonly id: string;
  /** `retry`: it failed, or its worker ended, and it waits for the next attempt. */
  readonly state: "waiting" | "running" | "retry" | "done" | "failed" | "cancelled";
  /** How often it was begun. */
  readonly attempts: number;
  readonly attemptsAllowed: number;
  readonly queuedAt: string;
  /** A waiting job does not begin before. */
  readonly notBefore: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** The process of the last attempt. */
  readonly worker: string | null;
  /** The reason of the last failure. */
  readonly reason: string | null;
}

/** Runs an attempt and returns why it failed; undefined if it did not. The signal aborts when the worker stops. */
export type JobRun<T = Job> = (job: T, stopping: AbortSignal) => Promise<string | undefined>;

/** What a process runs: integrations that are due, earlier states, or both. */
export interface JobRuns {
  readonly sync?: JobRun;
  /** One at a time. */
  readonly states: JobRun<StateJob>;
}

/** What became of a job; without a reason it has not failed. */
export interface JobEnd {
  readonly reason?: string;
}

export interface WorkOptions {
  /** How many integrations this process lands at once: of different organizations. */
  readonly atOnce: number;
  /** A job that runs longer is given to another worker. */
  readonly limitMs: number;
  readonly onFailure: (error: unknown) => void;
}

export interface Jobs {
  /**
   * Queues an integration unless it is waiting or running. `at`: its scheduled time; of several schedulers that call this for the
   * same time one queues it.
   */
  due(job: Job, at: Date): Promise<void>;
  /** Runs jobs until the returned function is called: one at a time per organization, over all workers. */
  work(runs: JobRuns, options: WorkOptions): Promise<{ stop(): Promise<void> }>;
  /** Queues an earlier state, unless it waits or runs. Returns the id of its job. */
  askForState(job: StateJob): Promise<string>;
  /** How the job of a state has ended; undefined while it waits or runs. */
  endOfState(id: string): Promise<JobEnd | undefined>;
  /** The jobs of integrations of the last day, or only those of an organization; the newest first. */
  list(organization?: string): Promise<readonly JobState[]>;
  /** Lets a failed job of an integration run again, or a waiting one at once. */
  retry(id: string): Promise<void>;
}
