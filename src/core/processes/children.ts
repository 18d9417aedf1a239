import { type ChildEnd, LastingChild } from "./lastingChild.ts";

/** A process that does not end on SIGTERM is killed after this. */
const PATIENCE_MS = 5_000;
/** A report is at most a few MB: a command that writes more characters has failed. */
const MOST_OUTPUT = 16_000_000;

/**
 * Runs Lucra commands in child processes, so that they do not use the service's memory and processor time. A process runs
 * one command after the other, since its start takes longer than most syncs; one that waits for the next command is
 * kept for a while.
 */
export class Children {
  readonly #dataDir: string;
  readonly #limitMs: number | undefined;
  readonly #mostOutput: number;
  readonly #running = new Set<LastingChild>();
  #waiting: LastingChild | undefined;
  #stopped = false;

  /** A command that runs longer than the limit is ended. The output of one that writes too much is not kept. */
  constructor(dataDir: string, limitMs?: number, mostOutput = MOST_OUTPUT) {
    this.#dataDir = dataDir;
    this.#limitMs = limitMs;
    this.#mostOutput = mostOutput;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** When the signal aborts, the command is asked to end. */
  async run(args: readonly string[], over?: AbortSignal): Promise<ChildEnd> {
    if (this.#stopped) throw new Error("the service is stopping");
    const child = this.#take();
    this.#running.add(child);
    const ask = (): void => child.askToEnd();
    const end = child.run(args);
    over?.addEventListener("abort", ask);
    if (over?.aborted) ask();
    try {
      return await this.#withinLimit(child, end);
    } finally {
      over?.removeEventListener("abort", ask);
      this.#running.delete(child);
      this.#release(child);
    }
  }

  #take(): LastingChild {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting?.wake() ? waiting : new LastingChild(this.#dataDir, this.#mostOutput);
  }

  #release(child: LastingChild): void {
    if (this.#stopped || this.#waiting || !child.rest()) child.end();
    else this.#waiting = child;
  }

  async #withinLimit(child: LastingChild, end: Promise<ChildEnd>): Promise<ChildEnd> {
    const limitMs = this.#limitMs;
    if (limitMs === undefined) return end;
    let isOverdue = false;
    const limit = setTimeout(() => {
      isOverdue = true;
      child.terminate(PATIENCE_MS).catch(() => {});
    }, limitMs);
    const result = await end.finally(() => clearTimeout(limit));
    if (!isOverdue) return result;
    const stderr = `was ended after ${limitMs / 1000} seconds (LUCRA_SYNC_TIMEOUT_MS)`;
    return { ...result, stdout: "", stderr };
  }

  /**
   * Ends all commands. Their files appear by rename, whole or not at all, so they need no time to finish: the next sync
   * does the rest.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    const waiting = this.#waiting ? [this.#waiting] : [];
    await Promise.allSettled([...this.#running, ...waiting].map((child) => child.terminate(PATIENCE_MS)));
  }
}
