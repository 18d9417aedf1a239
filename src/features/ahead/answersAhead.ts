import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Answers, Endpoint } from "../../core/contract/endpoint.ts";
import { ApiError } from "../../core/contract/error.ts";
import type { EndpointHandler } from "../../core/http/handler.ts";
import { Timing } from "../../core/http/timing.ts";
import type { Sent } from "../../core/params/validate.ts";
import { DAY_MS } from "../../core/time/days.ts";
import { moved } from "./moved.ts";

/** Organizations, and the latest requests of each, whose answers are made ahead. */
const ORGANIZATIONS = 1_000;
const REQUESTS = 40;
/** The longest parameters that are remembered, as JSON. */
const MOST_CHARACTERS = 500;
const LOOK_MS = 30_000;
/** How long it waits while clients are answered. */
const WAIT_MS = 200;
/** It rests so many times as long as an answer took: a quarter of a processor at most. */
const REST = 3;

/** A client's request, and when it was last asked. */
interface Request {
  readonly endpoint: Endpoint;
  readonly sent: Sent;
  readonly at: number;
}

interface Organization {
  readonly requests: LRUCache<string, Request>;
  /** Those that the latest answers were made from; undefined until the first look. */
  version?: string;
  lastDay?: string | undefined;
}

interface Dependencies {
  readonly answers: Pick<Answers, "dataState">;
  readonly lastDayOf: (organization: string, leave: AbortSignal) => Promise<string | undefined>;
  readonly now: () => Date;
  readonly lookMs?: number;
  readonly log: Logger;
}

/** Whether the time of the request decides part of the answer, which may be another by the time somebody asks. */
const readsClock = ({ by, params }: Endpoint): boolean =>
  by === "explain" || Object.values(params).some(({ kind }) => kind === "now");

type Handler = Pick<EndpointHandler, "ask" | "isIdle" | "watch">;

/**
 * Answers that are made before they are asked for: when an organization's data have changed, its requests of the last day
 * are answered again, those about periods up to now for the new days. Only while no client waits, and with rests.
 */
export class AnswersAhead {
  readonly #deps: Dependencies;
  readonly #handler: Handler;
  /** Those that were asked about in the last day. */
  readonly #organizations = new LRUCache<string, Organization>({ max: ORGANIZATIONS, ttl: DAY_MS });
  readonly #end = new AbortController();
  #working: Promise<void> = Promise.resolve();

  constructor(deps: Dependencies, handler: Handler) {
    this.#deps = deps;
    this.#handler = handler;
  }

  /** From now on it remembers what is asked, and looks for new data. */
  start(): void {
    this.#handler.watch((endpoint, organization, sent) => this.#remember(endpoint, organization, sent));
    const { lookMs = LOOK_MS } = this.#deps;
    this.#working = this.#lookAgain(lookMs).catch(() => {});
  }

  /** Stops also the answer that is being made. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#working;
  }

  #remember(endpoint: Endpoint, organization: string, sent: Sent): void {
    if (readsClock(endpoint)) return;
    const key = JSON.stringify([endpoint.path, sent]);
    if (key.length > MOST_CHARACTERS) return;
    const known = this.#organizations.get(organization) ?? { requests: new LRUCache({ max: REQUESTS }) };
    this.#organizations.set(organization, known);
    known.requests.set(key, { endpoint, sent: { ...sent }, at: this.#deps.now().getTime() });
  }

  /** Rejects when it ends. */
  async #lookAgain(everyMs: number): Promise<never> {
    for (;;) {
      await this.#rest(everyMs);
      for (const organization of [...this.#organizations.keys()]) {
        await this.#look(organization).catch((error) => {
          this.#end.signal.throwIfAborted();
          this.#deps.log.warn({ organization, err: error }, "could not look for new data");
        });
      }
    }
  }

  async #look(organization: string): Promise<void> {
    const known = this.#organizations.peek(organization);
    const version = await this.#deps.answers.dataState(organization).then(
      (state) => state?.version,
      () => undefined,
    );
    if (!known || version === undefined || version === known.version) return;
    const [isFirst, before] = [known.version === undefined, known.lastDay];
    const after = await this.#deps.lastDayOf(organization, this.#end.signal);
    known.version = version;
    known.lastDay = after;
    if (isFirst) return;
    const days = before && after ? { before, after } : undefined;
    for (const { endpoint, sent, at } of known.requests.values()) {
      if (this.#deps.now().getTime() - at > DAY_MS) continue;
      await this.#make(organization, endpoint, days ? moved(sent, endpoint.periods, days) : sent);
    }
  }

  async #make(organization: string, endpoint: Endpoint, sent: Sent): Promise<void> {
    const { signal } = this.#end;
    while (!this.#handler.isIdle) await this.#rest(WAIT_MS);
    const began = performance.now();
    const principal = { clientId: "ahead", organizationId: organization };
    const caller = { id: "ahead", timing: new Timing(), leaveOf: () => signal, isAhead: true };
    try {
      await this.#handler.ask(endpoint, sent, principal, caller);
    } catch (error) {
      // A client that asks for it gets the refusal.
      if (!(error instanceof ApiError)) this.#deps.log.error({ organization, err: error }, "no answer was made ahead");
    }
    await this.#rest(REST * (performance.now() - began));
  }

  async #rest(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#end.signal, ref: false });
  }
}
