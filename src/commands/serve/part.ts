import type { Logger } from "pino";
import type { Config } from "../../core/config.ts";

/** Values that all parts of a service share. */
export interface Base {
  readonly config: Config;
  readonly log: Logger;
  /** The service writes nothing into the data folder: the files of another process are served. */
  readonly readOnly: boolean;
}

/** A part of the service that runs. */
export interface Running<T> {
  /** Its value for other parts. */
  readonly value: T;
  /** Begins no more work, while the parts after it stop. */
  readonly leave?: () => void;
  readonly stop?: () => Promise<unknown>;
}

/** The parts of a service in the order of their start. They stop in reverse: each needs only those before it. */
export class Parts {
  readonly #log: Logger;
  readonly #running: (Omit<Running<unknown>, "value"> & { readonly name: string })[] = [];
  #stopped: Promise<void> | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  async start<T>(name: string, start: () => Promise<Running<T>>): Promise<T> {
    const { value, ...end } = await start();
    this.#running.push({ name, ...end });
    return value;
  }

  /** Stops all parts; also those after one that fails to stop. A second call waits for the first. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    const running = this.#running.toReversed();
    for (const { leave } of running) leave?.();
    for (const { name, stop } of running) {
      await stop?.().catch((error: Error) => this.#log.error({ err: error, part: name }, "could not stop"));
    }
  }
}
