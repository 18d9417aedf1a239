import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { ApiError } from "../contract/error.ts";
import { encoded, PART, type Text } from "../contract/longText.ts";
import { UnderWay } from "../files/underWay.ts";
import { DAY_MS } from "../time/days.ts";
import { compress, type Encoding } from "./encoding.ts";

/** An answer: text, or bytes with the headers that go with them. */
export type Made = Text | { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> };

export interface Cached {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How long an answer is kept. One that is made ahead waits a day for its first request [D211]. */
export interface Keeping {
  readonly seconds: number;
  readonly isAhead?: boolean;
}

/** `hit`: cached; `ahead`: cached, made before anyone asked; `shared`: being computed for another request; `miss`: to be computed. */
export type Lookup = "hit" | "ahead" | "shared" | "miss";

interface InFlight {
  readonly answer: Promise<Cached>;
  askers: number;
  /** Aborts the computation when the last request that waits for it is gone. */
  readonly stop: () => void;
}

/**
 * Answers, cached by everything they depend on [D44]: the key holds the organization, the state of its data and settings,
 * the endpoint and the parameters. Concurrent requests for the same answer share one computation.
 */
export class AnswerCache {
  readonly #kept: LRUCache<string, Cached & { readonly isAhead?: boolean }>;
  readonly #flights = new Map<string, InFlight>();
  readonly #compressions = new UnderWay<string, Buffer>();

  constructor(bytes: number) {
    this.#kept = new LRUCache({
      maxSize: Math.max(1, bytes),
      sizeCalculation: ({ body }, key) => body.length + 2 * key.length + 500,
    });
  }

  /** `hangUpOf` is called only if the answer is not cached; its signal aborts when the client has hung up. */
  async get(
    key: string,
    keeping: Keeping,
    compute: (leave: AbortSignal) => Promise<Made>,
    hangUpOf: () => AbortSignal,
    onLookup: (lookup: Lookup) => void = () => {},
  ): Promise<Cached> {
    const kept = this.#kept.get(key);
    if (kept) {
      onLookup(kept.isAhead ? "ahead" : "hit");
      if (kept.isAhead && !keeping.isAhead) this.#keep(key, kept, keeping);
      return kept;
    }
    const hangUp = hangUpOf();
    if (hangUp.aborted) throw new ApiError("timeout");
    onLookup(this.#flights.has(key) ? "shared" : "miss");
    const flight = this.#flights.get(key) ?? this.#start(key, keeping, compute);
    flight.askers++;
    const gone = (): void => {
      if (--flight.askers === 0) flight.stop();
    };
    hangUp.addEventListener("abort", gone, { once: true });
    try {
      return await flight.answer;
    } finally {
      hangUp.removeEventListener("abort", gone);
    }
  }

  /**
   * The compressed body of an answer. It is kept under the tag of the answer, which is a hash of the body, and counts among
   * the bytes of the cache; `seconds` 0: it is not kept. Concurrent requests share one compression.
   */
  compressed({ body, etag }: Cached, encoding: Encoding, seconds: number): Promise<Buffer> {
    const key = `${encoding} ${etag}`;
    const kept = this.#kept.get(key);
    if (kept) return Promise.resolve(kept.body);
    return this.#compressions.share(key, async () => {
      const small = await compress(body, encoding);
      if (seconds > 0) this.#kept.set(key, { body: small, etag }, { ttl: seconds * 1000 });
      return small;
    });
  }

  #start(key: string, keeping: Keeping, compute: (leave: AbortSignal) => Promise<Made>): InFlight {
    const leave = new AbortController();
    const land = (): void => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    const answer = compute(leave.signal)
      .then(async (made) => {
        const cached = await tagged(made);
        this.#keep(key, cached, keeping);
        return cached;
      })
      .finally(land);
    answer.catch(() => {});
    // A request that arrives during the abort starts a new computation instead of failing with this one.
    const stop = (): void => {
      land();
      leave.abort();
    };
    const flight: InFlight = { answer, askers: 0, stop };
    this.#flights.set(key, flight);
    return flight;
  }

  #keep(key: string, cached: Cached, { seconds, isAhead = false }: Keeping): void {
    if (seconds > 0) this.#kept.set(key, { ...cached, isAhead }, { ttl: isAhead ? DAY_MS : seconds * 1000 });
  }
}

/** The answer as bytes, with the hash of them as its tag. Other requests are served between two parts. */
export async function tagged(made: Made): Promise<Cached> {
  const { body, ...more } = typeof made === "string" || !("body" in made) ? { body: await encoded(made) } : made;
  const hash = createHash("sha256");
  for (let from = 0; from < body.length; from += PART) {
    if (from > 0) await setImmediate();
    hash.update(body.subarray(from, from + PART));
  }
  return { body, ...more, etag: `"${hash.digest("base64url").slice(0, 27)}"` };
}

/** Whether `If-None-Match` names this tag. */
export function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  return ifNoneMatch.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
}
