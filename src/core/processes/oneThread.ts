import { type TransferListItem, Worker } from "node:worker_threads";
import { ApiError } from "../contract/error.ts";
import type { Entry } from "../files/entry.ts";

/** The heap of a thread: a parsed answer takes several times its bytes. */
const HEAP_MB = 1024;

/** Tasks that would block the event loop, each in a thread of its own, one at a time. */
export class OneThread {
  readonly #entry: Entry;
  readonly #purpose: string;
  #last: Promise<unknown> = Promise.resolve();

  /** `entry`: a module that posts the result of its `workerData`. */
  constructor(entry: Entry, purpose: string) {
    this.#entry = entry;
    this.#purpose = purpose;
  }

  /** The result of a task. Fails as timed out when the signal aborts. `moved`: what the thread takes over instead of a copy. */
  run<T>(task: object, signal: AbortSignal, moved: readonly TransferListItem[] = []): Promise<T> {
    const mine = this.#last.then(() => this.#ended<T>(task, signal, moved));
    this.#last = mine.catch(() => {});
    return mine;
  }

  #ended<T>(task: object, signal: AbortSignal, moved: readonly TransferListItem[]): Promise<T> {
    if (signal.aborted) return Promise.reject(new ApiError("timeout"));
    const { file, execArgv } = this.#entry;
    return new Promise((done, fail) => {
      const worker = new Worker(file, {
        workerData: task,
        transferList: [...moved],
        execArgv: [...execArgv],
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      });
      worker.once("message", done);
      worker.once("error", fail);
      const stop = () => void worker.terminate();
      signal.addEventListener("abort", stop);
      worker.once("exit", () => {
        signal.removeEventListener("abort", stop);
        fail(signal.aborted ? new ApiError("timeout") : new Error(`the thread ${this.#purpose} ended`));
      });
    });
  }
}
