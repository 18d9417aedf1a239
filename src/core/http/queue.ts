import { LRUCache } from "lru-cache";
import { ApiError } from "../contract/error.ts";

/** Parties of a request: its organization and its credential. Each has a fair share of the slots. */
export type Parties = readonly string[];

interface Request {
  readonly parties: readonly Party[];
  readonly length: number;
  readonly deadline: number;
  readonly start: () => void;
  readonly refuse: (error: ApiError) => void;
}

/** Options that decide when work gets a slot. */
interface Queued {
  readonly parties: Parties;
  readonly kind: string;
  /** When it came. */
  readonly came: number;
  readonly onStart: (waited: number) => void;
}

interface Party {
  running: number;
  /** The lengths of its running queries; a short one has length 0. */
  readonly lengths: number[];
  waiting: number;
  /** Sequence number of its latest start. */
  started: number;
  /** How many queries may run: fewer for a while after some did not fit into memory. */
  most: number;
  mostUntil: number;
  /** Sequence number of the latest start when `most` was set. */
  mostSince: number;
  /** Durations of its latest answers, in milliseconds. */
  readonly took: number[];
}

/** Places to wait in total, as a multiple of those of one party. */
const PARTIES = 16;
/** How often a query runs that does not fit into memory next to others. */
const TRIES = 4;
/** How long a party has fewer slots after queries did not fit into memory. */
const MEMORY_MS = 60_000;
/** How many recent answers the estimates of waiting times and of lengths use. */
const SAMPLE = 4;
/** A query that is expected to take less is short. Each further length is this many times as long. */
const SHORT_MS = 50;
const LENGTH = 8;
/** How many kinds of queries have an expected length. */
const KINDS = 5_000;

/**
 * Limits concurrent queries. A free slot goes to the party with the fewest, so that a busy party delays others by no more
 * than the time of one slot. The number of waiting requests per party is limited too: a request beyond it is rejected at
 * once, and so is one that would miss its deadline.
 *
 * A party runs one long query of each length at a time: on few cores, several would make each other and all short ones
 * slower, and end no earlier.
 */
export class Queue {
  readonly #slots: number;
  readonly #most: number;
  readonly #timeoutMs: number;
  /** Slots that one party may hold. */
  readonly #ofOne: number;
  readonly #parties = new Map<string, Party>();
  readonly #waiting = new Set<Request>();
  /** The latest durations of each kind of query. */
  readonly #took = new LRUCache<string, readonly number[]>({ max: KINDS });
  #running = 0;
  #starts = 0;

  /** `most`: requests of one party that may wait. `ofOne`: slots that one party may hold. */
  constructor(slots: number, most: number, timeoutMs: number, ofOne = slots < 3 ? slots : Math.ceil(slots / 2)) {
    this.#slots = slots;
    this.#most = most;
    this.#timeoutMs = timeoutMs;
    this.#ofOne = ofOne;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Runs the work in a slot, and again if it did not fit into memory next to others. The deadline covers the wait and
   * the work; `leave` aborts when the client is gone. `kind`: queries that take about as long; without it, a short one.
   * `onStart` receives the milliseconds that it waited for its slot.
   */
  async run<T>(
    work: (signal: AbortSignal) => Promise<T>,
    leave?: AbortSignal,
    parties: Parties = ["anybody"],
    kind = "",
    onStart: (waited: number) => void = () => {},
  ): Promise<T> {
    const came = performance.now();
    // Not AbortSignal.any over AbortSignal.timeout: Node 20 collects the latter as garbage, and it never fires.
    const stop = new AbortController();
    const { signal } = stop;
    const end = (): void => stop.abort();
    const deadline = setTimeout(end, this.#timeoutMs);
    leave?.addEventListener("abort", end);
    if (leave?.aborted) end();
    try {
      // The client gets its answer at the deadline; the slot becomes free when the work has stopped.
      const inSlot = this.#inSlot(work, signal, { parties, kind, came, onStart });
      return await Promise.race([inSlot, ended(signal)]);
    } finally {
      clearTimeout(deadline);
      leave?.removeEventListener("abort", end);
    }
  }

  async #inSlot<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    { parties: names, kind, came, onStart }: Queued,
  ): Promise<T> {
    for (let tries = TRIES; ; tries--) {
      const length = this.#lengthOf(kind);
      const parties = await this.#slot(signal, names, length, came + this.#timeoutMs, tries < TRIES);
      const began = performance.now();
      const start = this.#starts;
      const beganAlone = this.#running === 1;
      try {
        onStart(began - came);
        return await work(signal);
      } catch (error) {
        const wasAlone = beganAlone && this.#starts === start;
        if (wasAlone || tries === 1 || signal.aborted || !isTooLarge(error)) throw error;
        this.#makeRoom(start, parties);
      } finally {
        this.#release(parties, { length, kind, took: signal.aborted ? undefined : performance.now() - began });
      }
    }
  }

  /** `took`: undefined if the work was stopped. */
  #release(
    parties: readonly Party[],
    { length, kind, took }: { readonly length: number; readonly kind: string; readonly took: number | undefined },
  ): void {
    for (const party of parties) {
      party.running--;
      party.lengths.splice(party.lengths.indexOf(length), 1);
      if (took === undefined) continue;
      party.took.push(took);
      if (party.took.length > SAMPLE) party.took.shift();
    }
    if (kind && took !== undefined) this.#took.set(kind, [...(this.#took.get(kind) ?? []), took].slice(-SAMPLE));
    this.#running--;
    this.#refuseLate(parties);
    this.#startNext();
  }

  /** By the fastest of its latest durations: the others may have had less of the processor. */
  #lengthOf(kind: string): number {
    const fastest = Math.min(...(this.#took.get(kind) ?? [0]));
    return fastest < SHORT_MS ? 0 : 1 + Math.floor(Math.log(fastest / SHORT_MS) / Math.log(LENGTH));
  }

  /** Resolves in a slot. A query that is run again waits until another one has ended. */
  #slot(
    signal: AbortSignal,
    names: Parties,
    length: number,
    deadline: number,
    isAgain: boolean,
  ): Promise<readonly Party[]> {
    if (signal.aborted) return Promise.reject(new ApiError("timeout"));
    const parties = names.map((name) => this.#party(name));
    const mustWait = isAgain && this.#running > 0;
    if (!mustWait && this.#running < this.#slots && parties.every((party) => this.#hasSlot(party, length))) {
      this.#occupy(parties, length);
      return Promise.resolve(parties);
    }
    const isFull = this.#waiting.size >= this.#most * PARTIES || parties.some(({ waiting }) => waiting >= this.#most);
    if (!isAgain && (isFull || parties.some((party) => isLate(party, party.waiting, deadline))))
      return Promise.reject(new ApiError("busy"));
    return new Promise((done, fail) => {
      const gone = (): void => request.refuse(new ApiError("timeout"));
      const leave = (): void => {
        this.#waiting.delete(request);
        for (const party of parties) party.waiting--;
        signal.removeEventListener("abort", gone);
      };
      const request: Request = {
        parties,
        length,
        deadline,
        start: () => {
          leave();
          this.#occupy(parties, length);
          done(parties);
        },
        refuse: (error) => {
          leave();
          this.#forgetIdle();
          fail(error);
        },
      };
      for (const party of parties) party.waiting++;
      this.#waiting.add(request);
      signal.addEventListener("abort", gone);
    });
  }

  #party(name: string): Party {
    const party = this.#parties.get(name) ?? {
      running: 0,
      lengths: [],
      waiting: 0,
      // Before those that started last, after those that have waited longer.
      started: this.#starts - 0.5,
      most: Number.POSITIVE_INFINITY,
      mostUntil: 0,
      mostSince: 0,
      took: [],
    };
    this.#parties.set(name, party);
    return party;
  }

  #occupy(parties: readonly Party[], length: number): void {
    this.#running++;
    this.#starts++;
    for (const party of parties) {
      party.running++;
      party.lengths.push(length);
      party.started = this.#starts;
    }
  }

  #hasSlot({ running, lengths, most, mostUntil }: Party, length: number): boolean {
    if (length > 0 && lengths.includes(length)) return false;
    return running < this.#ofOne && (running < most || mostUntil < performance.now());
  }

  /** Starts a request of the party with the fewest slots; among equals, of the one whose latest start is the oldest. */
  #startNext(): void {
    while (this.#running < this.#slots) {
      let next: Request | undefined;
      for (const request of this.#waiting) {
        if (!request.parties.every((party) => this.#hasSlot(party, request.length))) continue;
        if (!next || isBefore(request, next)) next = request;
      }
      if (!next) break;
      next.start();
    }
    this.#forgetIdle();
  }

  /**
   * Halves the slots of the query's own parties for a while; if it is their only query, those of the parties with the
   * most. Skips parties whose slots were halved after the query started.
   */
  #makeRoom(start: number, own: readonly Party[]): void {
    const all = [...this.#parties.values()];
    const most = Math.max(...all.map(({ running }) => running));
    const isOnly = own.every(({ running }) => running === 1);
    for (const party of isOnly ? all.filter(({ running }) => running === most) : own) {
      if (party.running === 1 || start <= party.mostSince) continue;
      party.most = Math.floor(party.running / 2);
      party.mostSince = this.#starts;
      party.mostUntil = performance.now() + MEMORY_MS;
    }
  }

  /** Rejects requests as soon as it is known that they would wait beyond their deadline. */
  #refuseLate(parties: readonly Party[]): void {
    for (const party of parties) {
      let place = 0;
      for (const request of [...this.#waiting].filter((waiting) => waiting.parties.includes(party)))
        if (isLate(party, place, request.deadline)) request.refuse(new ApiError("busy"));
        else place++;
    }
  }

  #forgetIdle(): void {
    for (const [name, { running, waiting, mostUntil }] of this.#parties)
      if (running === 0 && waiting === 0 && mostUntil < performance.now()) this.#parties.delete(name);
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof ApiError && error.kind === "tooLarge";

/** Compares by slots in use, then by the age of the latest start: first of the request's larger party, then of the other. */
function isBefore(one: Request, other: Request): boolean {
  const share = ({ parties }: Request): number[] => [
    ...parties.map(({ running }) => running).sort((a, b) => b - a),
    ...parties.map(({ started }) => started).sort((a, b) => b - a),
  ];
  const [ours, theirs] = [share(one), share(other)];
  const differing = ours.findIndex((value, n) => value !== theirs[n]);
  return differing >= 0 && Number(ours[differing]) < Number(theirs[differing]);
}

/** Whether the request, with `before` others ahead, misses its deadline even at the pace of the party's fastest recent query. */
function isLate({ running, took }: Party, before: number, deadline: number): boolean {
  if (took.length < SAMPLE) return false;
  const turns = Math.floor(before / Math.max(1, running)) + 1;
  return performance.now() + turns * Math.min(...took) > deadline;
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_done, fail) => {
    signal.addEventListener("abort", () => fail(new ApiError("timeout")), { once: true });
  });
}
