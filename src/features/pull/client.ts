import { setMaxListeners } from "node:events";
import { rm } from "node:fs/promises";
import { Agent, fetch, type Response } from "undici";
import { quantity } from "../../core/contract/text.ts";
import { DAY_MS } from "../../core/time/days.ts";
import { type Body, type BodyLimits, readBody, writeLines } from "./body.ts";
import {
  type Account,
  type Answer,
  type Answered,
  type PullDeclaration,
  PullError,
  type RequestOptions,
  type SecretSet,
  type Secrets,
  type Verdict,
} from "./declaration.ts";
import { failureOf, isOfFile } from "./network.ts";
import { ended, Pacer } from "./pacer.ts";
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

/** The costs of the requests of one record. */
export interface Counts {
  requests: number;
  /** Time during which something waited: waits at the same time count once. */
  waitedMs: number;
  bytes: number;
}

interface ClientOptions {
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
interface VendorRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly paces: readonly string[];
  readonly hasCredentials: boolean;
  readonly isAside: boolean;
}

/** Upper bound for `Retry-After`: larger values overflow a Date. */
const LONGEST_NAMED_MS = 366 * DAY_MS;
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
  readonly #redaction = new Redaction();
  readonly #pacer: Pacer;
  #budget: number;
  #refused: PullError | undefined;
  /** How much this machine's clock is ahead of the vendor's, by its last answer. */
  #aheadMs = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    for (const secret of Object.values(options.secrets)) this.#redaction.add(secret);
    this.#limits = options.limits ?? LIMITS;
    // One per request and wait under way, of all integrations that are pulled at once.
    setMaxListeners(0, options.signal);
    this.#pacer = new Pacer(options.declaration, options.signal, this.#waited);
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

  wait(ms: number): Promise<void> {
    return this.#pacer.wait(ms);
  }

  /** A message without the secrets that a vendor may repeat in it. */
  clean(message: string): string {
    return this.#redaction.of(message);
  }

  #asked(method: "GET" | "POST", where: string, body: unknown, options: RequestOptions): VendorRequest {
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
    const asked: VendorRequest = {
      method: "POST",
      url: new URL(this.#options.tokenUrl ?? ""),
      body: new URLSearchParams(form).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
      paces: [],
      hasCredentials: false,
      isAside: false,
    };
    try {
      return (await this.#repeated(asked, (response) => this.#body(response))).parsed;
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

  #untilFine(asked: VendorRequest, read: Read): Promise<Got> {
    return this.#pacer.placed(() => this.#repeated(asked, read));
  }

  /** Tries a request until its answer is fine. A token is asked for by a request that has a place already. */
  async #repeated(asked: VendorRequest, read: Read): Promise<Got> {
    const spent = { named: 0, tries: 0, renewals: 0 };
    for (;;) {
      if (this.#refused) throw this.#refused;
      const token = asked.hasCredentials ? await this.#tokens?.current() : undefined;
      const endTurn = await this.#pacer.begin(asked.paces);
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
          this.#pacer.speedUp();
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
    if (isThrottled) this.#pacer.slowDown();
    // `Retry-After: 0` counts as absent: a vendor that repeats it would be retried for ever.
    if (isThrottled && verdict.waitMs) {
      if (++spent.named > MOST_NAMED_WAITS) throw new PullError("throttled", message, known);
      this.#keepTo(verdict.waitMs, message);
      return 0;
    }
    if (++spent.tries >= this.#limits.tries)
      throw new PullError(verdict.is, `${message} (${spent.tries} tries)`, known);
    const backOff = this.#backOffMs(spent.tries);
    if (!isThrottled) return backOff;
    this.#pacer.pause(backOff);
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
      const closed = new PullError("throttled", text, { retryAt });
      this.#pacer.close(closed);
      throw closed;
    }
    this.#pacer.pause(waitMs);
  }

  /** The answer counts, but after it nothing more is asked for in this run if the vendor wants a longer pause. */
  #pauseAfter(ms: number): void {
    try {
      this.#keepTo(ms, "the account has used up its requests");
    } catch (error) {
      this.#refused = error as PullError;
    }
  }

  /** Between the doubled time and a quarter more. */
  #backOffMs(tries: number): number {
    const { firstBackOffMs, longestBackOffMs } = this.#limits;
    const doubled = Math.min(firstBackOffMs * 2 ** (tries - 1), longestBackOffMs * 0.8);
    return doubled * (1 + Math.random() / 4);
  }

  async #try(asked: VendorRequest, token: Token | undefined, read: Read): Promise<Partial<Got> & { verdict: Verdict }> {
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

  readonly #waited = (ms: number): void => {
    this.counts.waitedMs += ms;
    this.#options.onCount?.();
  };

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
