import type { RequestHandler } from "express";
import { ipKeyGenerator, type Options, rateLimit, type Store } from "express-rate-limit";
import { ApiError, type ApiErrorKind } from "../contract/error.ts";
import { exchangeOf } from "./exchange.ts";

export const LIMIT = 100;
export const WINDOW_MS = 60_000;

export interface Hits {
  /** This request and those in the window. */
  readonly totalHits: number;
  /** When the oldest of them leaves the window. */
  readonly resetTime: Date;
}

/** The requests of each key in a moving window, with their limit: a store of `express-rate-limit`. */
export interface Limit extends Store {
  readonly limit: number;
}

/** The limits of a service: of requests per credential and per session, and of failed credentials per address. */
export interface Limits {
  readonly requests: Limit;
  readonly sessions: Limit;
  readonly failures: Limit;
  close(): Promise<void>;
}

/** How many failed credentials an address may send in the window. */
export const FAILURES = 30;

/** How many requests the session of a person may send in the window [D90]: a page of the Explorer sends many. */
export const SESSION_LIMIT = 300;

/** Limits that this process counts by itself. */
export function processLimits(): Limits {
  const [requests, sessions, failures] = [new SlidingLog(), new SlidingLog(SESSION_LIMIT), new SlidingLog(FAILURES)];
  return {
    requests,
    sessions,
    failures,
    close: async () => {
      requests.shutdown();
      sessions.shutdown();
      failures.shutdown();
    },
  };
}

/**
 * The times of each key's accepted requests in the moving window. Rejected requests do not count: a client that keeps
 * sending recovers too. The clock is monotonic, so that a change of the system time admits nothing.
 */
export class SlidingLog implements Limit {
  readonly limit: number;
  readonly #clock: () => number;
  readonly #accepted = new Map<string, number[]>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(limit: number = LIMIT, clock: () => number = () => performance.now()) {
    this.limit = limit;
    this.#clock = clock;
    this.#sweeper = setInterval(() => this.#sweep(), WINDOW_MS).unref();
  }

  /** Counts a request if it is accepted. */
  increment(key: string): Hits {
    const now = this.#clock();
    const times = this.#accepted.get(key) ?? [];
    while (times[0] !== undefined && times[0] <= now - WINDOW_MS) times.shift();
    const hits = times.length + 1;
    if (hits <= this.limit) times.push(now);
    this.#accepted.set(key, times);
    const oldest = times[0] ?? now;
    return { totalHits: hits, resetTime: new Date(Date.now() + Math.max(0, oldest + WINDOW_MS - now)) };
  }

  /** Takes the newest accepted request back. The package demands it; the service counts every request. */
  decrement(key: string): void {
    this.#accepted.get(key)?.pop();
  }

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

/** 100 requests in any 60 seconds, per verified credential or share link [D43]. */
export const requestLimiter = (limit: Limit): RequestHandler =>
  limiter(limit, "tooMany", {
    legacyHeaders: true,
    keyGenerator: (_request, response) => exchangeOf(response).client?.clientId ?? "",
  });

/**
 * Failed credentials, per address: passed only by requests whose credentials failed. A client with good credentials behind
 * the same address is not locked out. An IPv6 subnet counts as one address: it belongs to one client.
 */
export const failureLimiter = (limit: Limit): RequestHandler =>
  limiter(limit, "tooManyFailures", {
    legacyHeaders: false,
    keyGenerator: ({ socket }) => ipKeyGenerator(socket.remoteAddress ?? ""),
  });

/** Passes a request on that is within the limit, and an error for any other. */
function limiter(
  limit: Limit,
  refusal: ApiErrorKind,
  options: Pick<Options, "legacyHeaders" | "keyGenerator">,
): RequestHandler {
  return rateLimit({
    ...options,
    windowMs: WINDOW_MS,
    limit: limit.limit,
    store: limit,
    handler: (_request, _response, next) => next(new ApiError(refusal)),
    // Its advice is for stores and keys of other kinds: here one request may count several times, for each of its messages.
    validate: false,
  });
}
