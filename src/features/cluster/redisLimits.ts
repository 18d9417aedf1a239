import { randomBytes } from "node:crypto";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import {
  FAILURES,
  type Hits,
  LIMIT,
  type Limit,
  type Limits,
  SESSION_LIMIT,
  SlidingLog,
  WINDOW_MS,
} from "../../core/http/rateLimit.ts";

/** How long a request waits for Redis, and how long Redis is not asked again after it took longer. */
const WAIT_MS = 500;
const PAUSE_MS = 1_000;
const CONNECT_MS = 1_000;
const LONGEST_RETRY_MS = 2_000;

/**
 * The moving window of `SlidingLog`, in one step, by the clock of Redis: one clock for all processes. Returns the hits and
 * the milliseconds until the oldest leaves the window.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window * 1000))
local hits = redis.call('ZCARD', KEYS[1]) + 1
if hits <= tonumber(ARGV[1]) then
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local first = tonumber(oldest[2] or now)
return {hits, math.ceil(window - (now - first) / 1000)}
`;

interface LimitEvents {
  /** A request was counted only in this process. */
  readonly onFallback: () => void;
  /** Redis has stopped answering, or answers again; not called before the first change. */
  readonly onChange: (answers: boolean) => void;
}

type Run = (key: string, limit: number) => Promise<Hits | undefined>;

/**
 * Limits that several processes count together in Redis or Valkey. If it does not answer, each process uses its
 * own window: n processes admit at most n times the limit.
 */
export async function openRedisLimits(url: string, { onFallback, onChange }: LimitEvents): Promise<Limits> {
  const { createClient } = await import("@redis/client");
  const client = createClient({
    url,
    // A request must not wait for a connection.
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, LONGEST_RETRY_MS) },
  });
  let isAnswering = true;
  let askAgainAt = 0;
  const seen = (answers: boolean): void => {
    if (answers !== isAnswering) onChange(answers);
    isAnswering = answers;
    if (!answers) askAgainAt = performance.now() + PAUSE_MS;
  };
  client.on("error", () => seen(false));
  const connecting = client.connect().catch(() => {});
  // The first requests find a Redis that runs; one that does not run must not delay the start.
  await Promise.race([connecting, sleep(CONNECT_MS, undefined, { ref: false })]);
  const run: Run = async (key, limit) => {
    if (!client.isReady || performance.now() < askAgainAt) return undefined;
    try {
      const options = {
        keys: [key],
        arguments: [String(limit), String(WINDOW_MS), randomBytes(9).toString("base64url")],
      };
      const asked = client.eval(SCRIPT, options);
      asked.catch(() => {});
      const answer = await Promise.race([asked, late()]);
      seen(answer !== undefined);
      if (answer === undefined) return undefined;
      const [totalHits = 0, left = 0] = (answer as unknown[]).map(Number);
      return { totalHits, resetTime: new Date(Date.now() + left) };
    } catch {
      seen(false);
      return undefined;
    }
  };
  const requests = new SharedLog("requests", LIMIT, run, onFallback);
  const sessions = new SharedLog("sessions", SESSION_LIMIT, run, onFallback);
  const failures = new SharedLog("failures", FAILURES, run, onFallback);
  return {
    requests,
    sessions,
    failures,
    close: async () => {
      requests.shutdown();
      sessions.shutdown();
      failures.shutdown();
      client.destroy();
      await connecting;
    },
  };
}

async function late(): Promise<undefined> {
  await sleep(WAIT_MS, undefined, { ref: false });
  // When this process was busy, its timers come before the answers that have arrived.
  await setImmediate();
  return undefined;
}

/** A window in Redis, and next to it that of this process. */
class SharedLog implements Limit {
  readonly limit: number;
  readonly #name: string;
  readonly #run: Run;
  readonly #onFallback: () => void;
  readonly #own: SlidingLog;

  constructor(name: string, limit: number, run: Run, onFallback: () => void) {
    this.#name = name;
    this.limit = limit;
    this.#run = run;
    this.#onFallback = onFallback;
    this.#own = new SlidingLog(limit);
  }

  async increment(key: string): Promise<Hits> {
    const shared = await this.#run(`lucra:${this.#name}:${key}`, this.limit);
    if (!shared) this.#onFallback();
    else if (shared.totalHits > this.limit) return shared;
    // Counted here too: after a loss of Redis' memory this process still knows what it has accepted.
    const own = this.#own.increment(key);
    return shared && own.totalHits <= shared.totalHits ? shared : own;
  }

  decrement(key: string): void {
    this.#own.decrement(key);
  }

  resetKey(key: string): void {
    this.#own.resetKey(key);
  }

  shutdown(): void {
    this.#own.shutdown();
  }
}
