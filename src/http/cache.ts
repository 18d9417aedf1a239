import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

export interface Cached {
  readonly body: Buffer;
  readonly etag: string;
}

interface Flight {
  readonly answer: Promise<Cached>;
  readonly leave: AbortController;
  askers: number;
}

/**
 * Answers by what they depend on: the caller's key holds the organization, the state of its data and settings, the
 * endpoint and the parameters. Requests for the same answer at the same time share one computation.
 */
export class AnswerCache {
  readonly #kept: LRUCache<string, Cached>;
  readonly #flights = new Map<string, Flight>();

  constructor(bytes: number) {
    this.#kept = new LRUCache({ maxSize: Math.max(1, bytes), sizeCalculation: ({ body }) => body.length + 500 });
  }

  async get(
    key: string,
    seconds: number,
    compute: (leave: AbortSignal) => Promise<string>,
    hangUp: AbortSignal,
  ): Promise<Cached> {
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const flight = this.#flights.get(key) ?? this.#start(key, seconds, compute);
    flight.askers++;
    // The computation stops when the last one who asked for it is gone.
    const gone = (): void => {
      if (--flight.askers === 0) flight.leave.abort();
    };
    hangUp.addEventListener("abort", gone, { once: true });
    try {
      return await flight.answer;
    } finally {
      hangUp.removeEventListener("abort", gone);
    }
  }

  #start(key: string, seconds: number, compute: (leave: AbortSignal) => Promise<string>): Flight {
    const leave = new AbortController();
    const answer = compute(leave.signal)
      .then((text) => {
        const body = Buffer.from(text);
        const cached = { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"` };
        if (seconds > 0) this.#kept.set(key, cached, { ttl: seconds * 1000 });
        return cached;
      })
      .finally(() => this.#flights.delete(key));
    answer.catch(() => {});
    const flight = { answer, leave, askers: 0 };
    this.#flights.set(key, flight);
    return flight;
  }
}

/** Whether one of the tags a client holds is this one. */
export function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  return ifNoneMatch.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
}
