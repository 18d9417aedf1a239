import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, fetch, type Response } from "undici";
import { brief, quantity } from "../contract/text.ts";
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
import { type Token, Tokens } from "./tokens.ts";
import { usualVerdict, vendorText } from "./verdict.ts";

/** The limits of [D64]. */
export interface Limits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Silence within a body. */
  readonly silenceMs: number;
  readonly bodyBytes: number;
  /** An answer that is parsed is held in memory. */
  readonly parsedBytes: number;
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
  longestWaitMs: 3_600_000,
  firstBackOffMs: 1_000,
  longestBackOffMs: 60_000,
  tries: 10,
};

/** What the requests of one record have cost. */
export interface Counts {
  requests: number;
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
}

/** One more request may be under way after so many fine answers: at the beginning, and after a throttle. */
const FINE_BEFORE_MORE = 50;
/** How many named waits one request keeps to before its record is given up. */
const MOST_NAMED_WAITS = 60;
const LONGEST_MESSAGE = 500;
const TEXT_HEAD = 300;
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
  readonly #issued = new Set<string>();
  #free: number;
  #budget: number;
  /** No request begins before this instant of `performance.now()`. */
  #pausedUntil = 0;
  /** Requests under way, and how many may be. */
  #active = 0;
  #most: number;
  #fineInRow = 0;
  readonly #held: (() => void)[] = [];
  #refused: PullError | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
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
      this.#read(response),
    );
    return { status: response.status, headers: response.headers, body: parsed as T };
  }

  /** Streams JSON lines to a file; returns the number of lines. */
  async lines(where: string, file: string, options: RequestOptions = {}): Promise<number> {
    const asked = this.#asked("GET", where, undefined, options);
    const { parsed } = await this.#untilFine(asked, async (response) => {
      if (!response.ok) return this.#read(response);
      if (/html/i.test(response.headers.get("content-type") ?? "")) throw new Broken("an HTML page, not JSON lines");
      return { parsed: await this.#streamed(response, file) };
    }).catch(async (error) => {
      await rm(file, { force: true });
      throw error;
    });
    return parsed as number;
  }

  async wait(ms: number): Promise<void> {
    const began = performance.now();
    try {
      await sleep(ms, undefined, { signal: this.#options.signal });
    } catch {
      throw ended();
    } finally {
      this.counts.waitedMs += performance.now() - began;
      this.#options.onCount?.();
    }
  }

  /** A message without the secrets that a vendor may repeat in it. */
  clean(message: string): string {
    let text = message;
    for (const secret of [...Object.values(this.#options.secrets), ...this.#issued]) {
      if (secret.length < 4) continue;
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
        text = text.replaceAll(form, "…");
    }
    return brief(text, LONGEST_MESSAGE);
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
    return {
      method,
      url,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...options.headers },
      paces: ["all", ...(options.paces ?? [])],
      hasCredentials: !options.withoutCredentials,
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
    };
    try {
      return (await this.#untilFine(asked, (response) => this.#read(response), true)).parsed;
    } catch (error) {
      // 400 `invalid_grant` and 401 `invalid_client` alike: these secrets get no token.
      if (error instanceof PullError && error.kind === "refused") throw this.#refuse(error.message);
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
      const spent = { named: 0, tries: 0 };
      for (;;) {
        if (this.#refused) throw this.#refused;
        const token = asked.hasCredentials ? await this.#tokens?.current() : undefined;
        const endTurn = await this.#turn(asked.paces, isInner);
        let backOffMs = 0;
        let refusal: string | undefined;
        try {
          const got = await this.#try(asked, token, read);
          const { verdict } = got;
          if (verdict.is === "fine") {
            this.#speedUp();
            if (token) token.worked = true;
            if (verdict.pauseMs) this.#pause(verdict.pauseMs);
            return got as Got;
          }
          const message = this.clean(verdict.message);
          if (verdict.is === "credentials") refusal = message;
          else backOffMs = this.#afterFailure({ ...verdict, message }, got.response?.status, spent);
        } finally {
          endTurn();
        }
        if (refusal !== undefined) await this.#renew(token, refusal, spent.tries++);
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
    if (isThrottled && verdict.waitMs !== undefined) {
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
  async #renew(token: Token | undefined, message: string, tries: number): Promise<void> {
    if (!token || !this.#tokens || tries >= this.#limits.tries) throw this.#refuse(message);
    if (!token.worked && tries > 0) throw this.#refuse(message);
    await this.#tokens.renewed(token);
  }

  #keepTo(waitMs: number, message: string): void {
    if (waitMs > this.#limits.longestWaitMs) {
      const retryAt = new Date(Date.now() + waitMs);
      throw new PullError("throttled", `${message}; try again after ${retryAt.toISOString().slice(0, 19)}Z`, {
        retryAt,
      });
    }
    this.#pause(waitMs);
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
   * when the returned function is called. A request for a token is part of another one's turn.
   */
  async #turn(paces: readonly string[], isInner: boolean): Promise<() => void> {
    for (;;) {
      if (this.#options.signal.aborted) throw ended();
      const ms = Math.max(this.#pausedUntil - performance.now(), 0, ...paces.map((name) => this.#untilPace(name)));
      if (ms > 0) await this.wait(Math.ceil(ms));
      else if (!isInner && this.#active >= this.#most) await new Promise<void>((go) => this.#held.push(go));
      else break;
    }
    for (const name of paces) this.#begun.get(name)?.push(performance.now());
    if (isInner) return () => {};
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
    if (token) this.#issued.add(token.text);
    const own = asked.hasCredentials ? declaration.headers(secrets, account, token?.text) : {};
    this.counts.requests++;
    try {
      const response = await fetch(asked.url, {
        method: asked.method,
        headers: { accept: "application/json", "user-agent": USER_AGENT, ...own, ...asked.headers },
        ...(asked.body === undefined ? {} : { body: asked.body }),
        redirect: "manual",
        signal,
        dispatcher: this.#agent,
      });
      const { parsed, text } = await read(response);
      const answer: Answer = {
        status: response.status,
        headers: response.headers,
        body: parsed,
        ...(text === undefined ? {} : { text }),
      };
      const verdict = (asked.hasCredentials ? declaration.judge?.(answer) : undefined) ?? usualVerdict(answer);
      return verdict.is === "fine" && parsed === undefined
        ? { response, verdict: { is: "transient", message: `${vendorText(response.status, parsed, text)}: no JSON` } }
        : { response, parsed, verdict };
    } catch (error) {
      if (signal.aborted) throw ended();
      if (error instanceof PullError) throw error;
      return { verdict: { is: "transient", message: failureOf(error as Error) } };
    } finally {
      onCount?.();
    }
  }

  /** The parsed body; `text` is the beginning of one that is no JSON. */
  async #read(response: Response): Promise<{ parsed: unknown; text?: string }> {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of this.#body(response)) {
      bytes += part.length;
      if (bytes > this.#limits.parsedBytes)
        throw new PullError("tooMuch", `an answer of more than ${quantity(this.#limits.parsedBytes, "byte")}`);
      parts.push(part);
    }
    const whole = Buffer.concat(parts).toString("utf8");
    const text = whole.slice(0, TEXT_HEAD);
    if (!/json|javascript/i.test(response.headers.get("content-type") ?? "")) return { parsed: undefined, text };
    try {
      return { parsed: JSON.parse(whole) };
    } catch {
      // A refusal by status is one even if its body cannot be read.
      if (!response.ok) return { parsed: undefined, text };
      throw new Broken("JSON that cannot be parsed");
    }
  }

  async *#body(response: Response): AsyncGenerator<Uint8Array> {
    if (!response.body) return;
    let bytes = 0;
    for await (const part of response.body as ReadableStream<Uint8Array>) {
      bytes += part.length;
      this.counts.bytes += part.length;
      if (bytes > this.#limits.bodyBytes)
        throw new Broken(`a body of more than ${quantity(this.#limits.bodyBytes, "byte")}`);
      yield part;
    }
  }

  /** Writes lines as they are, and checks that each is JSON. */
  async #streamed(response: Response, file: string): Promise<number> {
    const out = createWriteStream(file, { mode: 0o600 });
    const failed = new Promise<never>((_, fail) => out.on("error", fail));
    failed.catch(() => {});
    const put = async (text: string): Promise<void> => {
      if (!out.write(text)) await Promise.race([new Promise<void>((go) => out.once("drain", () => go())), failed]);
    };
    let lines = 0;
    let rest = "";
    const take = async (line: string): Promise<void> => {
      if (line.trim() === "") return;
      checkLine(line);
      lines++;
      await put(`${line}\n`);
    };
    try {
      const decoder = new TextDecoder("utf8", { fatal: true });
      for await (const part of this.#body(response)) {
        rest += decoder.decode(part, { stream: true });
        const complete = rest.split("\n");
        rest = complete.pop() ?? "";
        for (const line of complete) await take(line);
      }
      await take(rest + decoder.decode());
    } finally {
      const closed = new Promise<void>((done) => out.once("close", done));
      out.end();
      await Promise.race([closed, failed]);
    }
    return lines;
  }
}

interface Got {
  readonly response: Response;
  readonly parsed: unknown;
  readonly verdict: Verdict;
}

type Read = (response: Response) => Promise<{ parsed: unknown; text?: string }>;

/** A body that is not what was asked for. */
class Broken extends Error {}

function checkLine(line: string): void {
  try {
    JSON.parse(line);
  } catch {
    throw new Broken("a line that is no JSON");
  }
}

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
  return TEXTS[cause.code ?? ""] ?? brief(cause.message || error.message, LONGEST_MESSAGE);
}
