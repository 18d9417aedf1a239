import { Worker } from "node:worker_threads";
import { entryOf } from "../../core/files/entry.ts";
import type { ModelName } from "./index.ts";
import type { Basis, Columns } from "./model.ts";

/** Messages to the thread: parts of the rows, then the basis, to which it returns the figures as JSON text. */
export type Message = { readonly columns: Columns } | { readonly basis: Basis };

/** The heap of a thread: the columns of a million customers are not in it, and are less. */
const HEAP_MB = 512;

const { file, execArgv } = entryOf("features/forecast/worker");

/** A model in a thread of its own, so that the service answers meanwhile. */
export class ModelThread {
  readonly #worker: Worker;
  readonly #failed: Promise<never>;

  constructor(name: ModelName) {
    this.#worker = new Worker(file, {
      workerData: name,
      execArgv: [...execArgv],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#failed = new Promise((_, fail) => {
      this.#worker.once("error", fail);
      this.#worker.once("exit", () => fail(new Error(`the thread of ${name} ended`)));
    });
    // It may fail before anything waits for it.
    this.#failed.catch(() => {});
  }

  add(columns: Columns): void {
    this.#send({ columns });
  }

  /** Fails if the thread ends first. */
  async figures(basis: Basis): Promise<string> {
    const answer = new Promise<string>((done) => {
      this.#worker.once("message", done);
    });
    this.#send({ basis });
    return Promise.race([answer, this.#failed]);
  }

  #send(message: Message): void {
    this.#worker.postMessage(message);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
