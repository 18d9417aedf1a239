import { setTimeout as sleep } from "node:timers/promises";
import { ENDED } from "../../core/sync/pulled.ts";
import { type PullDeclaration, PullError } from "./declaration.ts";

/** One more request may be under way after so many fine answers: at the beginning, and after a throttle. */
const FINE_BEFORE_MORE = 50;

export const ended = (): PullError => new PullError("ended", ENDED);

/** When the requests of one client may begin: the vendor's paces, its pauses, and how many at once [D64]. */
export class Pacer {
  readonly #vendor: Pick<PullDeclaration, "concurrent" | "paces">;
  readonly #signal: AbortSignal;
  readonly #onWaited: (ms: number) => void;
  readonly #begun = new Map<string, number[]>();
  readonly #waiting: (() => void)[] = [];
  readonly #held: (() => void)[] = [];
  #free: number;
  /** No request begins before this instant of `performance.now()`. */
  #pausedUntil = 0;
  /** Waits under way, and when the first of them began. */
  #waits = 0;
  #waitsBegan = 0;
  #closed: PullError | undefined;
  /** Requests under way, and how many may be. */
  #active = 0;
  #most = 1;
  #fineInRow = 0;

  /** `onWaited` is called after every wait; waits at the same time count once. */
  constructor(
    vendor: Pick<PullDeclaration, "concurrent" | "paces">,
    signal: AbortSignal,
    onWaited: (ms: number) => void,
  ) {
    this.#vendor = vendor;
    this.#signal = signal;
    this.#onWaited = onWaited;
    this.#free = vendor.concurrent;
  }

  /** Fails with `ended` when the run ends. */
  async wait(ms: number): Promise<void> {
    if (this.#waits++ === 0) this.#waitsBegan = performance.now();
    try {
      await sleep(ms, undefined, { signal: this.#signal });
    } catch {
      throw ended();
    } finally {
      this.#onWaited(--this.#waits === 0 ? performance.now() - this.#waitsBegan : 0);
    }
  }

  /** Runs work in one of the places of requests under way, with their repetitions. */
  async placed<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  /** No request begins for so long. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
  }

  /** No request begins any more: each fails with this error. */
  close(error: PullError): void {
    this.#closed = error;
  }

  /** A vendor that throttles gets one request at a time, and then slowly more. */
  slowDown(): void {
    this.#most = 1;
    this.#fineInRow = 0;
  }

  speedUp(): void {
    if (++this.#fineInRow < FINE_BEFORE_MORE) return;
    this.#fineInRow = 0;
    this.#most = Math.min(this.#most + 1, this.#vendor.concurrent);
  }

  /**
   * Waits for the end of a pause, for the paces, and until fewer requests are under way than the vendor bears. The turn ends
   * when the returned function is called. A request for a token has one of its own: the request that needs it has none yet.
   */
  async begin(paces: readonly string[]): Promise<() => void> {
    for (;;) {
      if (this.#signal.aborted) throw ended();
      if (this.#closed) throw this.#closed;
      const ms = Math.max(this.#pausedUntil - performance.now(), 0, ...paces.map((name) => this.#untilPace(name)));
      if (ms > 0) await this.wait(Math.ceil(ms));
      else if (this.#active >= this.#most) await new Promise<void>((go) => this.#held.push(go));
      else break;
    }
    for (const name of paces) this.#begun.get(name)?.push(performance.now());
    this.#active++;
    return () => {
      this.#active--;
      for (const go of this.#held.splice(0)) go();
    };
  }

  #untilPace(name: string): number {
    const pace = this.#vendor.paces?.[name];
    if (!pace) return 0;
    const begun = (this.#begun.get(name) ?? []).slice(-pace.requests);
    this.#begun.set(name, begun);
    const first = begun.length < pace.requests ? undefined : begun[0];
    return first === undefined ? 0 : first + pace.perMs - performance.now();
  }
}
