import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import express, { type ErrorRequestHandler, type RequestHandler, type Router } from "express";
import { ApiError, QueryError } from "../../core/contract/error.ts";
import { answerTo } from "../../core/contract/failures.ts";
import type { Authenticator, Bearer } from "../../core/http/authenticator.ts";
import { type Exchange, exchangeOf, headerOf } from "../../core/http/exchange.ts";
import type { Http, HttpFeature } from "../../core/http/feature.ts";
import type { EndpointHandler } from "../../core/http/handler.ts";
import { isLoopbackName } from "../../core/http/local.ts";
import type { RequestLog } from "../../core/http/log.ts";
import type { Metrics } from "../../core/http/metrics.ts";
import { received, Unreceived } from "../../core/http/received.ts";
import { type ToolBackendDependencies, toolBackendOf } from "./backend.ts";
import { type Language, MOST_MEMBERS, spoken } from "./call.ts";
import { loadSdk, makeServer } from "./server.ts";
import { ToolError } from "./tool.ts";

export const MCP = "/mcp";

/** 20 messages with the longest queries; half a megabyte of names is parsed in 40 ms. */
const MOST = { bytes: 500_000, milliseconds: 10_000 };
/** The most messages of one body; each counts as a request. */
const MOST_MESSAGES = 20;

/** A request that is refused before a message of it is read. */
class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

interface McpDependencies extends ToolBackendDependencies {
  /** Agents that people let in [D97]; undefined where they cannot sign in. */
  readonly agents?: Bearer | undefined;
}

/**
 * The tools over HTTP: the Model Context Protocol without sessions, in both of its generations. A request is admitted, counted
 * and logged like one of the API, and so is each further message of a batch; the endpoints that its tools ask go through the
 * same cache and queue, and count for the same parties.
 */
export const mcpFeature = (deps: McpDependencies): HttpFeature => ({
  paths: [MCP],
  routes: (http) => mcpRouter(deps, http),
});

function mcpRouter(deps: McpDependencies, { authenticator, handler, metrics, log }: Http): Router {
  const routes = new McpRoutes(deps, authenticator, handler, metrics, log);
  const router = express.Router({ caseSensitive: true, strict: true });
  router.all(
    MCP,
    refuseForeignPages,
    authenticator.authenticate([], deps.agents),
    authenticator.limit,
    onlyPost,
    (_request, response) => routes.answer(exchangeOf(response)),
  );
  const refuse: ErrorRequestHandler = (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    routes.refuse(exchangeOf(response), error);
  };
  return router.use(MCP, refuse);
}

/** Loads the protocol's library, and has it answer a message: the first one takes a tenth of a second in which nothing else runs. */
export async function prepareMcp(): Promise<void> {
  const sdk = await loadSdk();
  const backend = (): never => {
    throw new Error("no tool is called");
  };
  const handler = sdk.createMcpHandler(() => makeServer(sdk, { backend, requestId: "" }), { keepAliveMs: 0 });
  const message = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 0, method: "tools/list" }));
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const answer = await handler.fetch(new Request(`http://localhost${MCP}`, { method: "POST", headers, body: message }));
  await answer.text();
}

class McpRoutes {
  readonly #deps: ToolBackendDependencies;
  readonly #authenticator: Authenticator;
  readonly #handler: EndpointHandler;
  readonly #metrics: Metrics;
  readonly #log: RequestLog;

  constructor(
    deps: ToolBackendDependencies,
    authenticator: Authenticator,
    handler: EndpointHandler,
    metrics: Metrics,
    log: RequestLog,
  ) {
    this.#deps = deps;
    this.#authenticator = authenticator;
    this.#handler = handler;
    this.#metrics = metrics;
    this.#log = log;
  }

  async answer(exchange: Exchange): Promise<void> {
    refuseEncoded(exchange.request);
    const body = await bodyOf(exchange.request);
    if (exchange.response.destroyed) return;
    await this.#serve(exchange, body);
  }

  async #serve(exchange: Exchange, body: Buffer): Promise<void> {
    const { request, response, client } = exchange;
    if (!client) throw new ApiError("unauthorized");
    const sent = parsed(body);
    const messages = [sent].flat();
    if (messages.length > MOST_MESSAGES) throw new Refusal(400, `A batch has at most ${MOST_MESSAGES} messages.`);
    if (messages.some(isWide)) {
      throw new Refusal(400, `A message has at most ${MOST_AROUND} bytes without its arguments.`);
    }
    for (let further = 1; further < messages.length; further++) await this.#authenticator.count(exchange);
    const sdk = await loadSdk();
    const leave = this.#handler.hangUpOf(exchange);
    const backend = toolBackendOf(this.#deps, this.#handler, client, exchange.id, leave);
    const handler = sdk.createMcpHandler(
      () =>
        makeServer(sdk, {
          backend: () => backend,
          requestId: exchange.id,
          language: languageOf(request),
          onCall: (tool, failed) => {
            exchange.tools.push(tool);
            this.#metrics.toolCalls.inc({ tool, result: failed ? "error" : "ok" });
          },
          onFailure: (error) => {
            if (![ApiError, ToolError, QueryError].some((known) => error instanceof known))
              this.#log.unforeseen(exchange, error);
          },
        }),
      // A subscription ends at once, because nothing that a client could subscribe to ever changes.
      { keepAliveMs: 0 },
    );
    const short = withFewArguments(messages);
    const read = short ? Buffer.from(JSON.stringify(Array.isArray(sent) ? short : short[0])) : body;
    const answer = await handler.fetch(webRequest(request, read, leave));
    response.statusCode = answer.status;
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    exchange.timing.writeHeader(response);
    if (!answer.body) return void response.end();
    try {
      await pipeline(Readable.fromWeb(answer.body as import("node:stream/web").ReadableStream), response);
    } catch (error) {
      // A client that hangs up is not an error.
      if (!response.destroyed) throw error;
    }
  }

  /** The answer to a request without a message that could be answered. */
  refuse(exchange: Exchange, error: unknown): void {
    const { response } = exchange;
    const { status, headers = {}, message } = error instanceof Refusal ? error : refusalOf(error, exchange);
    if (error instanceof ApiError) exchange.refusal = error.kind;
    if (status === 500) this.#log.unforeseen(exchange, error);
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    exchange.timing.writeHeader(response);
    response.setHeader("Content-Length", body.length);
    response.end(body);
  }
}

function refusalOf(error: unknown, { request, id }: Exchange): Pick<Refusal, "status" | "headers" | "message"> {
  const { status, headers = {}, body } = answerTo(error, id);
  return { status, headers, message: spoken(String(body.message), languageOf(request)) };
}

/** English, unless the client asks for Portuguese. */
const languageOf = (request: Exchange["request"]): Language =>
  /^pt/.test(request.acceptsLanguages("en", "pt-BR", "pt") || "") ? "pt" : "en";

/**
 * Refuses what a web page of another site sends. Its host name may lead to this machine (DNS rebinding): a request that
 * comes directly from this machine names it.
 */
const refuseForeignPages: RequestHandler = (request, _response, next) => {
  const host = headerOf(request, "host");
  const { remoteAddress = "" } = request.socket;
  const isFromHere = /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
  if (isFromHere && !isLoopbackName(request) && !isForwarded(request)) {
    throw new Refusal(403, "The host is not this machine: ask for localhost, or through a proxy that says so.");
  }
  const { origin } = request.headers;
  if (origin !== undefined && !isSameSite(origin, host))
    throw new Refusal(403, "Web pages of other sites are refused.");
  next();
};

const onlyPost: RequestHandler = ({ method }, _response, next) => {
  if (method !== "POST") throw new Refusal(405, "Only POST is allowed: there are no sessions.", { Allow: "POST" });
  next();
};

/** A proxy says for whom it asks. */
const isForwarded = (request: IncomingMessage): boolean =>
  ["forwarded", "via", "x-forwarded-for", "x-real-ip"].some((name) => request.headers[name] !== undefined);

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Whether the page is of the requested host, or both are this machine. */
function isSameSite(origin: string, host: string): boolean {
  const [page, asked] = [nameIn(origin), nameIn(`http://${host}`)];
  if (page === undefined || asked === undefined) return false;
  return page === asked || (LOOPBACK.includes(page) && LOOPBACK.includes(asked));
}

function nameIn(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

function refuseEncoded({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    throw new Refusal(415, "A body is sent without Content-Encoding.");
}

/** The body. After a refusal the connection is closed, because the rest would follow. */
function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return received(request, MOST).catch((error) => {
    if (!(error instanceof Unreceived)) throw error;
    const [status, message] =
      error.reason === "large" ? [413, `A body has at most ${MOST.bytes} bytes.`] : [408, "The body took too long."];
    throw new Refusal(Number(status), String(message), { Connection: "close" });
  });
}

/** The message of the body, or a batch of them; undefined if it is not JSON. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Bytes of a message without the arguments of its tool: the protocol repeats ids, names and addresses in its answers. */
const MOST_AROUND = 8_000;

function isWide(message: unknown): boolean {
  if (typeof message !== "object" || message === null) return false;
  const { params } = message as { readonly params?: unknown };
  const around = typeof params === "object" ? { ...message, params: { ...params, arguments: undefined } } : message;
  try {
    return Buffer.byteLength(JSON.stringify(around)) > MOST_AROUND;
  } catch {
    // Too deep to be written.
    return true;
  }
}

function argumentsOf(message: unknown): Readonly<Record<string, unknown>> {
  const { params } = (message ?? {}) as { readonly params?: { readonly arguments?: unknown } | null };
  const { arguments: all } = params ?? {};
  return typeof all === "object" && all !== null ? (all as Record<string, unknown>) : {};
}

/**
 * The messages with one argument more than a tool takes: the protocol's library would look at all of them several times.
 * Undefined if none has more.
 */
function withFewArguments(messages: readonly unknown[]): unknown[] | undefined {
  let isLong = false;
  const short = messages.map((message) => {
    const all = argumentsOf(message);
    const names = Object.keys(all);
    if (names.length <= MOST_MEMBERS) return message;
    isLong = true;
    const few = names.slice(0, MOST_MEMBERS + 1).map((name) => [name, all[name]]);
    const { params, ...others } = message as { readonly params: object };
    return { ...others, params: { ...params, arguments: Object.fromEntries(few) } };
  });
  return isLong ? short : undefined;
}

/** Headers that the protocol reads. Credentials are not among them. */
const PASSED = [
  "accept",
  "content-type",
  "mcp-protocol-version",
  "mcp-session-id",
  "mcp-method",
  "mcp-name",
  "last-event-id",
];

function webRequest(request: IncomingMessage, body: Buffer, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const name of PASSED) {
    const value = request.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  return new Request(`http://localhost${MCP}`, { method: "POST", headers, body: new Uint8Array(body), signal });
}
