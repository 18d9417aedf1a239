import { ApiError } from "../contract/error.ts";

interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: ApiError) => void;
}

/** So many queries run at once, so many requests wait; the next one is refused at once. */
export class Queue {
  readonly #slots: number;
  readonly #most: number;
  readonly #timeoutMs: number;
  readonly #waiting = new Set<Waiting>();
  #running = 0;

  constructor(slots: number, most: number, timeoutMs: number) {
    this.#slots = slots;
    this.#most = most;
    this.#timeoutMs = timeoutMs;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Runs the work in a slot. The deadline covers the wait and the work; `leave` is for whoever asked and went away. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>, leave?: AbortSignal): Promise<T> {
    // Not AbortSignal.any over AbortSignal.timeout: Node 20 collects the latter as garbage, and it never fires.
    const stop = new AbortController();
    const { signal } = stop;
    const end = (): void => stop.abort();
    const deadline = setTimeout(end, this.#timeoutMs);
    leave?.addEventListener("abort", end);
    if (leave?.aborted) end();
    try {
      await this.#place(signal);
      return await Promise.race([this.#work(work, signal), ended(signal)]);
    } finally {
      clearTimeout(deadline);
      leave?.removeEventListener("abort", end);
    }
  }

  /** The place is free when the work has really stopped; whoever asked is told at the deadline. */
  async #work<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await work(signal);
    } finally {
      this.#running--;
      const [next] = this.#waiting;
      next?.start();
    }
  }

  #place(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(new ApiError("timeout"));
    if (this.#running < this.#slots) {
      this.#running++;
      return Promise.resolve();
    }
    if (this.#waiting.size >= this.#most) return Promise.reject(new ApiError("busy"));
    return new Promise((done, fail) => {
      const gone = (): void => waiting.refuse(new ApiError("timeout"));
      const leaves = (): void => {
        this.#waiting.delete(waiting);
        signal.removeEventListener("abort", gone);
      };
      const waiting: Waiting = {
        start: () => {
          leaves();
          this.#running++;
          done();
        },
        refuse: (error) => {
          leaves();
          fail(error);
        },
      };
      this.#waiting.add(waiting);
      signal.addEventListener("abort", gone);
    });
  }
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_done, fail) => {
    signal.addEventListener("abort", () => fail(new ApiError("timeout")), { once: true });
  });
}
