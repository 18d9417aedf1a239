import { readdir } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { ApiError } from "../contract/error.ts";

/** How long a request waits for a look at files; storage that takes longer does not answer. */
const LATE_MS = 2_000;

/**
 * Whether the storage of the data folder answers. A hung mount keeps every call that looks at it waiting, and a thread
 * with each. Requests therefore wait for a look only so long, and begin no further ones until it has ended: what is known
 * stays in force meanwhile.
 */
export class Storage {
  readonly #dataDir: string;
  readonly #lateMs: number;
  /** Looks that have taken too long and have not ended. */
  #late = 0;
  readonly #known = new WeakMap<Promise<unknown>, Promise<boolean>>();
  #probing: Promise<unknown> | undefined;

  constructor(dataDir: string, lateMs = LATE_MS) {
    this.#dataDir = dataDir;
    this.#lateMs = lateMs;
  }

  /** Whether a look has not ended in time. */
  get isLate(): boolean {
    return this.#late > 0;
  }

  /** Waits for a look; false if it takes too long, at once if others do. A look that fails has ended. */
  async inTime(look: Promise<unknown>): Promise<boolean> {
    let known = this.#known.get(look);
    if (!known) {
      known = this.#watch(look);
      this.#known.set(look, known);
    }
    return known;
  }

  /** The result of a look. Throws `storage` if it takes too long. */
  async result<T>(look: Promise<T>): Promise<T> {
    if (await this.inTime(look)) return look;
    throw new ApiError("storage");
  }

  /** For a caller that is about to read files. */
  assertAnswers(): void {
    if (this.isLate) throw new ApiError("storage");
  }

  /** Looks whether the storage answers now. */
  async answers(): Promise<boolean> {
    if (this.isLate) return false;
    this.#probing ??= readdir(this.#dataDir).finally(() => {
      this.#probing = undefined;
    });
    const probing = this.#probing;
    return (await this.inTime(probing)) && probing.then(() => true).catch(() => false);
  }

  #watch(look: Promise<unknown>): Promise<boolean> {
    const started = this.isLate ? 0 : this.#lateMs;
    return new Promise((done) => {
      let isLate = false;
      let isOver = false;
      const timer = setTimeout(async () => {
        // After a pause of the whole process its timers come first: the look may have ended.
        await setImmediate();
        if (isOver) return;
        isLate = true;
        this.#late++;
        done(false);
      }, started);
      const end = (): void => {
        isOver = true;
        clearTimeout(timer);
        if (isLate) this.#late--;
        else done(true);
      };
      look.then(end, end);
    });
  }
}
