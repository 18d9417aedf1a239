import type { ServerResponse } from "node:http";
import { ipKeyGenerator } from "express-rate-limit";
import { ApiError } from "../contract/error.ts";

export const LIMIT = 100;
export const WINDOW_MS = 60_000;

export interface Hits {
  /** This request and those in the window. */
  readonly totalHits: number;
  /** When the oldest of them leaves the window. */
  readonly resetTime: Date;
}

/** A limit on the requests of each key in a moving window. */
export interface Limit {
  readonly limit: number;
  /** Counts a request if it is accepted. */
  increment(key: string): Hits | Promise<Hits>;
}

/** The limits of a service: of requests per credential, and of failed credentials per address. */
export interface Limits {
  readonly requests: Limit;
  readonly failures: Limit;
  close(): Promise<void>;
}

/** How many failed credentials an address may send in the window. */
export const FAILURES = 30;

/** Limits that this process counts by itself. */
export function processLimits(): Limits {
  const [requests, failures] = [new SlidingLog(), new SlidingLog(FAILURES)];
  return {
    requests,
    failures,
    close: async () => {
      requests.shutdown();
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
export async function limitRate(limit: Limit, clientId: string, response: ServerResponse): Promise<void> {
  const { totalHits, resetTime } = await limit.increment(clientId);
  response.setHeader("X-RateLimit-Limit", String(limit.limit));
  response.setHeader("X-RateLimit-Remaining", String(Math.max(0, limit.limit - totalHits)));
  response.setHeader("X-RateLimit-Reset", String(Math.ceil(resetTime.getTime() / 1000)));
  if (totalHits > limit.limit) throw new ApiError("tooMany");
}

/**
 * Failed credentials, per address. Only failures count and only failures are rejected: a client with good credentials
 * behind the same address is not locked out.
 */
export class FailureLimit {
  readonly #limit: Limit;

  constructor(limit: Limit = new SlidingLog(FAILURES)) {
    this.#limit = limit;
  }

  /** Counts a failure; true if the address has had too many. An IPv6 subnet counts as one address: it belongs to one client. */
  async exceeded(address: string): Promise<boolean> {
    return (await this.#limit.increment(ipKeyGenerator(address))).totalHits > this.#limit.limit;
  }
}
