import { setMaxListeners } from "node:events";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, fetch, type Response } from "undici";
import { quantity } from "../contract/text.ts";
import { type Body, type BodyLimits, Broken, readBody, writeLines } from "./body.ts";
import {
  type Account,
  type Answer,
  type Answered,
  ENDED,
  type PullDeclaration,
  PullError,
  type RequestOptions,
  type SecretSet,
  type Secrets,
  type Verdict,
} from "./declaration.ts";
import { Redaction } from "./redaction.ts";
import { type Token, Tokens } from "./tokens.ts";
import { usualVerdict, vendorText } from "./verdict.ts";

/** The limits of [D64]. */
export interface Limits extends BodyLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Silence within a body. */
  readonly silenceMs: number;
  readonly longestWaitMs: number;
  readonly firstBackOffMs: number;
  readonly longestBackOffMs: number;
  readonly tries: number;
}

export const LIMITS: Limits = {
  connectMs: 10_000,
  headersMs: 60_000,
  silenceMs: 30_000,
  bodyBytes: 2 ** 30,
  parsedBytes: 2 ** 27,
  lineBytes: 2 ** 26,
  bodyMs: 3_600_000,
  longestWaitMs: 3_600_000,
  firstBackOffMs: 1_000,
  longestBackOffMs: 60_000,
  tries: 10,
};

/** What the requests of one record have cost. */
export interface Counts {
  requests: number;
  /** Time during which something waited: waits at the same time count once. */
  waitedMs: number;
  bytes: number;
}

export interface ClientOptions {
  readonly declaration: PullDeclaration;
  readonly account: Account;
  readonly secrets: Secrets;
  readonly set: SecretSet;
  readonly baseUrl: string;
  readonly tokenUrl: string | undefined;
  readonly signal: AbortSignal;
  readonly limits?: Limits;
  /** Called after every request and wait. */
  readonly onCount?: () => void;
}

/** A request that is under way: tried until its answer is fine. */
interface Asked {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly paces: readonly string[];
  readonly hasCredentials: boolean;
  readonly isAside: boolean;
}

/** One more request may be under way after so many fine answers: at the beginning, and after a throttle. */
const FINE_BEFORE_MORE = 50;
/** A vendor may name a wait that no date has. */
const LONGEST_NAMED_MS = 366 * 86_400_000;
/** How many named waits one request keeps to before its record is given up. */
const MOST_NAMED_WAITS = 60;
const USER_AGENT = "lucra";

/** The requests of one pull of one integration [D64]. Nothing that it throws or counts contains a secret. */
export class Client {
  readonly counts: Counts = { requests: 0, waitedMs: 0, bytes: 0 };
  readonly #options: ClientOptions;
  readonly #limits: Limits;
  readonly #agent: Agent;
  readonly #tokens: Tokens | undefined;
  readonly #begun = new Map<string, number[]>();
  readonly #waiting: (() => void)[] = [];
  readonly #redaction = new Redaction();
  #free: number;
  #budget: number;
  /** No request begins before this instant of `performance.now()`. */
  #pausedUntil = 0;
  /** Waits under way, and when the first of them began. */
  #waits = 0;
  #waitsBegan = 0;
  /** The vendor has named a wait that is too long: nothing more is asked for in this run. */
  #closed: PullError | undefined;
  /** Requests under way, and how many may be. */
  #active = 0;
  #most: number;
  #fineInRow = 0;
  readonly #held: (() => void)[] = [];
  #refused: PullError | undefined;
  /** How much this machine's clock is ahead of the vendor's, by its last answer. */
  #aheadMs = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    for (const secret of Object.values(options.secrets)) this.#redaction.add(secret);
    this.#limits = options.limits ?? LIMITS;
    // One per request and wait under way, of all integrations that are pulled at once.
    setMaxListeners(0, options.signal);
    this.#free = options.declaration.concurrent;
    this.#most = 1;
    this.#budget = options.declaration.budget ?? Number.POSITIVE_INFINITY;
    this.#agent = new Agent({
      connect: { timeout: this.#limits.connectMs },
      headersTimeout: this.#limits.headersMs,
      bodyTimeout: this.#limits.silenceMs,
      connections: options.declaration.concurrent,
    });
    const { token } = options.set;
    const { tokenUrl } = options;
    if (token && tokenUrl) this.#tokens = new Tokens(token, options.secrets, tokenUrl, (form) => this.#askToken(form));
  }

  /** When the refresh token ends, if the vendor has said so. */
  get secretsEnd(): Date | undefined {
    return this.#tokens?.secretsEnd;
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async json<T>(
    method: "GET" | "POST",
    where: string,
    body: unknown,
    options: RequestOptions = {},
  ): Promise<Answered<T>> {
    const { parsed, response } = await this.#untilFine(this.#asked(method, where, body, options), (response) =>
      this.#body(response),
    );
    return { status: response.status, headers: response.headers, body: parsed as T };
  }

  /** Streams JSON lines to a file; returns the number of lines. */
  async lines(where: string, file: string, options: RequestOptions = {}): Promise<number> {
    const asked = this.#asked("GET", where, undefined, options);
    const { parsed } = await this.#untilFine(asked, async (response) => {
      if (!response.ok) return this.#body(response);
      return { parsed: await writeLines(response, file, this.#limits, this.#count) };
    }).catch(async (error) => {
      await rm(file, { force: true });
      throw error;
    });
    return parsed as number;
  }

  async wait(ms: number): Promise<void> {
    if (this.#waits++ === 0) this.#waitsBegan = performance.now();
    try {
      await sleep(ms, undefined, { signal: this.#options.signal });
    } catch {
      throw ended();
    } finally {
      if (--this.#waits === 0) this.counts.waitedMs += performance.now() - this.#waitsBegan;
      this.#options.onCount?.();
    }
  }

  /** A message without the secrets that a vendor may repeat in it. */
  clean(message: string): string {
    return this.#redaction.of(message);
  }

  #asked(method: "GET" | "POST", where: string, body: unknown, options: RequestOptions): Asked {
    const { baseUrl } = this.#options;
    const url = new URL(/^https?:/.test(where) ? where : `${baseUrl}/${where.replace(/^\//, "")}`);
    for (const [name, value] of Object.entries(options.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    // A next page's address, as an answer names it, must not carry the credentials elsewhere.
    const isElsewhere = url.origin !== new URL(baseUrl).origin;
    if (isElsewhere && !options.withoutCredentials)
      throw new PullError("refused", `an answer names an address of another server, ${url.host}: it is not asked`);
    if (isElsewhere && url.protocol !== "https:")
      throw new PullError("refused", `an answer names an address without https, ${url.host}: it is not asked`);
    return {
      method,
      url,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...options.headers },
      paces: ["all", ...(options.paces ?? [])],
      hasCredentials: !options.withoutCredentials,
      isAside: options.isAside ?? false,
    };
  }

  async #askToken(form: Readonly<Record<string, string>>): Promise<unknown> {
    const asked: Asked = {
      method: "POST",
      url: new URL(this.#options.tokenUrl ?? ""),
      body: new URLSearchParams(form).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
      paces: [],
      hasCredentials: false,
      isAside: false,
    };
    try {
      return (await this.#untilFine(asked, (response) => this.#body(response), true)).parsed;
    } catch (error) {
      // 400 `invalid_grant` and 401 `invalid_client` alike: these secrets get no token.
      if (error instanceof PullError && error.kind === "refused")
        throw this.#refuse(`${error.message}${clockRemark(this.#aheadMs)}`);
      throw error;
    }
  }

  #refuse(message: string): PullError {
    this.#refused = new PullError("credentials", message);
    return this.#refused;
  }

  /** Takes one of the places of requests under way; a token is asked for by a request that has one. */
  async #placed<T>(isInner: boolean, work: () => Promise<T>): Promise<T> {
    if (isInner) return work();
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

  #untilFine(asked: Asked, read: Read, isInner = false): Promise<Got> {
    return this.#placed(isInner, async () => {
      const spent = { named: 0, tries: 0, renewals: 0 };
      for (;;) {
        if (this.#refused) throw this.#refused;
        const token = asked.hasCredentials ? await this.#tokens?.current() : undefined;
        const endTurn = await this.#turn(asked.paces);
        // Renewed meanwhile, for another request.
        if (token && this.#tokens && !this.#tokens.isPresent(token)) {
          endTurn();
          continue;
        }
        let backOffMs = 0;
        let refusal: string | undefined;
        try {
          const got = await this.#try(asked, token, read);
          const { verdict } = got;
          if (verdict.is === "fine") {
            this.#speedUp();
            if (token) token.worked = true;
            if (verdict.pauseMs) this.#pauseAfter(verdict.pauseMs);
            return got as Got;
          }
          const message = this.clean(verdict.message);
          if (asked.isAside && verdict.is !== "throttled") throw new PullError("refused", message);
          if (verdict.is === "credentials") refusal = message;
          else backOffMs = this.#afterFailure({ ...verdict, message }, got.response?.status, spent);
        } finally {
          endTurn();
        }
        if (refusal !== undefined) await this.#renew(token, refusal, spent.renewals++);
        if (backOffMs > 0) await this.wait(backOffMs);
      }
    });
  }

  /** How long a request waits before it is tried again; a throttled one makes all wait. Throws if it is not tried again. */
  #afterFailure(
    verdict: Exclude<Verdict, { is: "fine" | "credentials" }>,
    status: number | undefined,
    spent: { named: number; tries: number },
  ): number {
    const { message } = verdict;
    const known = status === undefined ? {} : { status };
    if (verdict.is === "refused" || verdict.is === "tooMuch") throw new PullError(verdict.is, message, known);
    const isThrottled = verdict.is === "throttled";
    if (isThrottled) this.#slowDown();
    // A wait of no time is none: a vendor that names it again and again would be asked without end.
    if (isThrottled && verdict.waitMs) {
      if (++spent.named > MOST_NAMED_WAITS) throw new PullError("throttled", message, known);
      this.#keepTo(verdict.waitMs, message);
      return 0;
    }
    if (++spent.tries >= this.#limits.tries)
      throw new PullError(verdict.is, `${message} (${spent.tries} tries)`, known);
    const backOff = this.#backOffMs(spent.tries);
    if (!isThrottled) return backOff;
    this.#pause(backOff);
    return 0;
  }

  /** A token that had worked has expired; a new one that does not work means that the secrets are refused. */
  async #renew(token: Token | undefined, message: string, renewals: number): Promise<void> {
    if (!token || !this.#tokens || renewals >= this.#limits.tries) throw this.#refuse(message);
    if (!token.worked && renewals > 0) throw this.#refuse(message);
    await this.#tokens.renewed(token);
  }

  #keepTo(waitMs: number, message: string): void {
    if (waitMs > this.#limits.longestWaitMs) {
      const retryAt = new Date(Date.now() + Math.min(waitMs, LONGEST_NAMED_MS));
      const text = `${message}; try again after ${retryAt.toISOString().slice(0, 19)}Z`;
      this.#closed = new PullError("throttled", text, { retryAt });
      throw this.#closed;
    }
    this.#pause(waitMs);
  }

  /** The answer counts, but after it nothing more is asked for in this run if the vendor wants a longer pause. */
  #pauseAfter(ms: number): void {
    try {
      this.#keepTo(ms, "the account has used up its requests");
    } catch (error) {
      this.#refused = error as PullError;
    }
  }

  #pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
  }

  /** Between the doubled time and a quarter more. */
  #backOffMs(tries: number): number {
    const { firstBackOffMs, longestBackOffMs } = this.#limits;
    const doubled = Math.min(firstBackOffMs * 2 ** (tries - 1), longestBackOffMs * 0.8);
    return doubled * (1 + Math.random() / 4);
  }

  /** A vendor that throttles gets one request at a time, and then slowly more. */
  #slowDown(): void {
    this.#most = 1;
    this.#fineInRow = 0;
  }

  #speedUp(): void {
    if (++this.#fineInRow < FINE_BEFORE_MORE) return;
    this.#fineInRow = 0;
    this.#most = Math.min(this.#most + 1, this.#options.declaration.concurrent);
  }

  /**
   * Waits for the end of a pause, for the paces, and until fewer requests are under way than the vendor bears. The turn ends
   * when the returned function is called. A request for a token has one of its own: the request that needs it has none yet.
   */
  async #turn(paces: readonly string[]): Promise<() => void> {
    for (;;) {
      if (this.#options.signal.aborted) throw ended();
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
    const pace = this.#options.declaration.paces?.[name];
    if (!pace) return 0;
    const begun = (this.#begun.get(name) ?? []).slice(-pace.requests);
    this.#begun.set(name, begun);
    const first = begun.length < pace.requests ? undefined : begun[0];
    return first === undefined ? 0 : first + pace.perMs - performance.now();
  }

  async #try(asked: Asked, token: Token | undefined, read: Read): Promise<Partial<Got> & { verdict: Verdict }> {
    const { declaration, secrets, account, signal, onCount } = this.#options;
    if (this.#refused) throw this.#refused;
    if (this.counts.requests >= this.#budget)
      throw new PullError("budget", `${quantity(this.#budget, "request")} were made: the rest is for the next pull`);
    if (token) this.#redaction.add(token.text);
    const headers = asked.hasCredentials ? declaration.headers(secrets, account, token?.text) : {};
    this.counts.requests++;
    // A listener of the run's own signal would stay with it for each request until the memory is cleaned up.
    const own = new AbortController();
    const end = (): void => own.abort();
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    try {
      const response = await fetch(asked.url, {
        method: asked.method,
        headers: { accept: "application/json", "user-agent": USER_AGENT, ...headers, ...asked.headers },
        ...(asked.body === undefined ? {} : { body: asked.body }),
        redirect: "manual",
        signal: own.signal,
        dispatcher: this.#agent,
      });
      this.#aheadMs = Date.now() - Date.parse(response.headers.get("date") ?? "") || 0;
      const { parsed, text } = await read(response);
      const answer: Answer = {
        status: response.status,
        headers: response.headers,
        body: parsed,
        ...(text === undefined ? {} : { text }),
      };
      const verdict = verdictOf(declaration, answer, asked.hasCredentials);
      return verdict.is === "fine" && parsed === undefined
        ? { response, verdict: { is: "transient", message: `${vendorText(response.status, parsed, text)}: no JSON` } }
        : { response, parsed, verdict };
    } catch (error) {
      if (signal.aborted) throw ended();
      if (error instanceof PullError || isOfFile(error as Error)) throw error;
      return { verdict: { is: "transient", message: failureOf(error as Error) } };
    } finally {
      signal.removeEventListener("abort", end);
      onCount?.();
    }
  }

  readonly #count = (bytes: number): void => {
    this.counts.bytes += bytes;
  };

  #body(response: Response): Promise<Body> {
    return readBody(response, this.#limits, this.#count);
  }
}

interface Got {
  readonly response: Response;
  readonly parsed: unknown;
  readonly verdict: Verdict;
}

type Read = (response: Response) => Promise<Body>;

const CLOCK_TOLERATED_MS = 60_000;

/**
 * A token endpoint and a signed address answer as HTTP does; but a wait of theirs is named as in the rest of the vendor's
 * API.
 */
function verdictOf({ judge }: PullDeclaration, answer: Answer, hasCredentials: boolean): Verdict {
  const usual = usualVerdict(answer);
  const own = judge?.(answer) ?? usual;
  return hasCredentials || (usual.is === "throttled" && own.is === "throttled") ? own : usual;
}

/** A signed token of a machine with a wrong clock is refused, and the vendor's text does not say why. */
const clockRemark = (aheadMs: number): string =>
  Math.abs(aheadMs) <= CLOCK_TOLERATED_MS
    ? ""
    : `; the clock of this machine is ${quantity(Math.round(Math.abs(aheadMs) / 60_000), "minute")} ${aheadMs > 0 ? "ahead of" : "behind"} the vendor's: set it`;

const ended = (): PullError => new PullError("ended", ENDED);

const TEXTS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: "no connection within the deadline",
  UND_ERR_HEADERS_TIMEOUT: "no answer within the deadline",
  UND_ERR_BODY_TIMEOUT: "silence within the body",
  UND_ERR_SOCKET: "the connection ended within the answer",
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the server's name is unknown",
};

/** The cause of a failed request, which `fetch` wraps. */
function failureOf(error: Error): string {
  if (error instanceof Broken) return error.message;
  const cause = (error.cause ?? error) as NodeJS.ErrnoException;
  return TEXTS[cause.code ?? ""] ?? (cause.message || error.message);
}

/** An error of the file that is written, such as of a full disk: asking again would not help. `fetch` wraps its own. */
const isOfFile = (error: NodeJS.ErrnoException): boolean =>
  typeof error.syscall === "string" && ["open", "write", "fsync", "close"].includes(error.syscall);
