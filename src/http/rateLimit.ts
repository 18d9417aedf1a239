import type { NextFunction, Request, RequestHandler, Response } from "express";
import { type ClientRateLimitInfo, ipKeyGenerator, rateLimit, type Store } from "express-rate-limit";
import { ApiError } from "../contract/error.ts";

export const LIMIT = 100;
export const WINDOW_MS = 60_000;

/**
 * The times of each key's accepted requests in the moving window. Rejected requests do not count: a client that keeps
 * sending recovers too. The clock is monotonic, so that a change of the system time admits nothing.
 */
export class SlidingLog implements Store {
  readonly localKeys = true;
  readonly limit: number;
  readonly #clock: () => number;
  readonly #accepted = new Map<string, number[]>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(limit: number = LIMIT, clock: () => number = () => performance.now()) {
    this.limit = limit;
    this.#clock = clock;
    this.#sweeper = setInterval(() => this.#sweep(), WINDOW_MS).unref();
  }

  increment(key: string): ClientRateLimitInfo {
    const now = this.#clock();
    const times = (this.#accepted.get(key) ?? []).filter((time) => time > now - WINDOW_MS);
    const hits = times.length + 1;
    if (hits <= this.limit) times.push(now);
    this.#accepted.set(key, times);
    const oldest = times[0] ?? now;
    return { totalHits: hits, resetTime: new Date(Date.now() + Math.max(0, oldest + WINDOW_MS - now)) };
  }

  decrement(): void {}

  resetKey(key: string): void {
    this.#accepted.delete(key);
  }

  shutdown(): void {
    clearInterval(this.#sweeper);
  }

  /** The number of keys in memory. */
  get size(): number {
    return this.#accepted.size;
  }

  #sweep(): void {
    const since = this.#clock() - WINDOW_MS;
    for (const [key, times] of this.#accepted) if ((times.at(-1) ?? 0) <= since) this.#accepted.delete(key);
  }
}

/** 100 requests in any 60 seconds, per verified credential [D43]. */
export function credentialLimit(store = new SlidingLog()): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    limit: store.limit,
    legacyHeaders: true,
    standardHeaders: false,
    store,
    keyGenerator: (_request, response) => String(response.locals.clientId),
    handler: (_request: Request, _response: Response, next: NextFunction) => next(new ApiError("tooMany")),
    validate: false,
  });
}

const FAILURES = 30;

/**
 * Failed credentials, per address. Only failures count and only failures are rejected: a client with good credentials
 * behind the same address is not locked out.
 */
export class FailureLimit {
  readonly #log: SlidingLog;

  constructor(clock?: () => number) {
    this.#log = new SlidingLog(FAILURES, clock);
  }

  /** Counts a failure; true if the address has had too many. An IPv6 subnet counts as one address: it belongs to one client. */
  exceeded(address: string): boolean {
    return this.#log.increment(ipKeyGenerator(address)).totalHits > FAILURES;
  }
}
