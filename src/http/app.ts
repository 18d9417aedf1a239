import { randomUUID } from "node:crypto";
import compression from "compression";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import helmet from "helmet";
import type { Logger } from "pino";
import { pinoHttp } from "pino-http";
import { SECRET, type Verified } from "../access/credentials.ts";
import type { Config } from "../config.ts";
import type { Answers, Endpoint, TableFile, Tables } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { answerTo, wording } from "../contract/failures.ts";
import { canonicalId, UUID } from "../contract/param.ts";
import { type Sent, validate } from "../params/validate.ts";
import { AnswerCache, isFresh, type Made } from "./cache.ts";
import { documents } from "./documents.ts";
import { explorer } from "./explorer.ts";
import { exportTag, formatOf, send, setType, whole } from "./formats.ts";
import { isLocal } from "./local.ts";
import { declaredPaths, Metrics, measured } from "./metrics.ts";
import { Places } from "./places.ts";
import { isPrecompressed } from "./precompressed.ts";
import { Queue } from "./queue.ts";
import { credentialLimit, FailureLimit, type SlidingLog } from "./rateLimit.ts";
import { slowQueries } from "./slow.ts";
import type { Timing } from "./timing.ts";

export interface Dependencies {
  readonly endpoints: readonly Endpoint[];
  readonly answers: Answers;
  readonly tables: Tables;
  readonly credentials: { verify(clientId: string, secret: string): Promise<Verified | undefined> };
  readonly organizations: { has(id: string): Promise<boolean> };
  readonly config: Pick<Config, "slots" | "queue" | "timeoutMs" | "slowMs" | "exportTimeoutMs" | "cacheBytes">;
  readonly log: Logger;
  readonly ready: () => Promise<{ readonly ready: boolean }>;
  /** What `/readyz?verbose` adds for requests from this machine. */
  readonly details?: () => Promise<object>;
  readonly now: () => Date;
  readonly limit?: SlidingLog;
  readonly metrics?: Metrics;
  /** Aborts when the service stops waiting for running requests: those are answered 503. */
  readonly ending?: AbortSignal;
  /** Folder of the built Explorer, if it is not the default one. */
  readonly explorer?: string;
}

/** The service: every endpoint is one handler over its declaration. [D41] defines the order of the checks. */
export function createApp(deps: Dependencies): Express {
  const { metrics = new Metrics() } = deps;
  const app = express();
  app.disable("x-powered-by");
  app.enable("case sensitive routing");
  app.set("etag", false);
  app.use(
    requestId,
    measured(metrics, deps.endpoints),
    requestLog(deps.log, deps.endpoints),
    helmet(),
    compression({
      threshold: 1024,
      filter: (request, response: Response) => !isPrecompressed(response) && compression.filter(request, response),
    }),
  );
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.get("/readyz", async (request, response) => {
    const state = await deps.ready();
    const details = "verbose" in request.query && isLocal(request) ? await deps.details?.() : undefined;
    response.status(state.ready ? 200 : 503).json({ ...state, ...details });
  });
  app.use(documents(), explorer(deps.explorer));
  const v1 = express.Router({ caseSensitive: true, strict: true });
  v1.use(authenticate(deps), credentialLimit(deps.limit), onlyGet, organization(deps), binding(deps), readable);
  const answer = answering(deps, metrics);
  for (const endpoint of deps.endpoints) v1.get(endpoint.path.replace(/^\/v1/, ""), answer(endpoint));
  app.use("/v1", v1);
  app.use(onlyGet, readable, (_request: Request, _response: Response, next: NextFunction) =>
    next(new ApiError("notFound")),
  );
  app.use(failure);
  return app;
}

/** Every answer and log line carries an id: the client's if it is short and clean, else a new one. */
function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get("x-request-id") ?? "";
  const secret = request.get("x-client-secret");
  // A secret sent as an id must not reach the answer or the log.
  const isSecret = SECRET.test(given) || (secret && given.includes(secret));
  const id = /^[\w.-]{1,64}$/.test(given) && !isSecret ? given : randomUUID();
  request.id = id;
  response.setHeader("X-Request-Id", id);
  response.setHeader("Cache-Control", "private, no-cache");
  // Log, metrics, compression and file transfer each listen for the end.
  response.setMaxListeners(20);
  next();
}

/** Logs paths, times and the names of parameters, but no values and no secrets: a value, also in a path, may be an e-mail. */
function requestLog(log: Logger, endpoints: readonly Endpoint[]) {
  const declared = declaredPaths(endpoints);
  const names = new Set(endpoints.flatMap(({ params }) => Object.keys(params)));
  return pinoHttp<Request, Response>({
    logger: log,
    genReqId: (request) => String(request.id),
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? "error" : "info"),
    serializers: {
      req: (request: { id: string; method: string; url: string }) => {
        const [path = "", query = ""] = request.url.split("?");
        const { id, method } = request;
        return { id, method, path: declared(path) ?? wordsIn(path), parameters: namesIn(query, names) };
      },
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      err: (error: Error) => ({ type: error.name, message: error.message, stack: error.stack }),
    },
    customProps: (_request, response) => ({ clientId: response.locals.clientId, refusal: response.locals.refusal }),
  });
}

/** The parts of an unknown address that look like words of a path, the others masked: `/v1/crm/…`. */
const wordsIn = (path: string): string =>
  path
    .split("/")
    .map((part) => (/^(v1|[a-z][a-z.-]{0,30})?$/.test(part) ? part : "…"))
    .slice(0, 10)
    .join("/");

/** An undeclared name is masked: it may be a value that was sent without a name. */
const namesIn = (query: string, declared: ReadonlySet<string>): string[] => [
  ...new Set([...new URLSearchParams(query).keys()].map((name) => (declared.has(name) ? name : "…"))),
];

function onlyGet(request: Request, _response: Response, next: NextFunction): void {
  next(request.method === "GET" || request.method === "HEAD" ? undefined : new ApiError("methodNotAllowed"));
}

/** Rejects a path that does not decode, or that contains NUL, which some libraries take for the end of a text. */
function readable(request: Request, _response: Response, next: NextFunction): void {
  next(decodeURIComponent(request.path).includes("\0") ? unreadable() : undefined);
}

const unreadable = (): ApiError => new ApiError("invalid", [{ parameter: "path", message: wording.address }]);

function authenticate({ credentials }: Dependencies) {
  const failures = new FailureLimit();
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const client = await credentials.verify(request.get("x-client-id") ?? "", request.get("x-client-secret") ?? "");
    if (!client) throw new ApiError(failures.exceeded(request.ip ?? "") ? "tooManyFailures" : "unauthorized");
    response.locals.clientId = client.clientId;
    response.locals.organizations = client.organizations;
    next();
  };
}

/** `organizationId` [D45]: a UUID if the endpoints of the family declare it as one, else any short text. */
function organization({ endpoints }: Dependencies) {
  const familyOf = (path: string): string => path.split("/")[2] ?? "";
  const ofUuid = endpoints.filter(({ params }) => params.organizationId?.kind === "uuid");
  const strict = new Set(ofUuid.map(({ path }) => familyOf(path)));
  return (request: Request, response: Response, next: NextFunction): void => {
    const id = request.query.organizationId;
    const message = organizationFault(id, strict.has(familyOf(request.originalUrl.split("?")[0] ?? "")));
    if (message) throw new ApiError("invalid", [{ parameter: "organizationId", message }]);
    response.locals.organizationId = canonicalId(String(id));
    next();
  };
}

function organizationFault(id: unknown, strict: boolean): string | undefined {
  if (Array.isArray(id)) return wording.repeated;
  if (typeof id !== "string" || id === "") return wording.missing("organizationId");
  if (id.length > 128) return "organizationId deve ter no máximo 128 caracteres.";
  return strict && !UUID.test(id) ? "organizationId deve ser um UUID." : undefined;
}

/** An organization that does not exist gets the same answer as one that the credentials are not bound to. */
function binding({ organizations }: Dependencies) {
  return async (_request: Request, response: Response, next: NextFunction): Promise<void> => {
    const { organizationId, organizations: bound } = response.locals;
    const allowed = (bound as readonly string[]).includes(organizationId) && (await organizations.has(organizationId));
    next(allowed ? undefined : new ApiError("forbidden"));
  };
}

/** Exports of whole selections: how many run at once, in addition to the queries, and how many of one party may wait. */
const EXPORTS = { slots: 3, queue: 8 };
/** Exports being sent, in total and per party: each is a file until the client has read it. */
const SENDING = { all: 32, ofOne: 4 };

function answering({ answers, tables, config, now, log, ending }: Dependencies, metrics: Metrics) {
  const cache = new AnswerCache(config.cacheBytes);
  const queue = new Queue(config.slots, config.queue, config.timeoutMs);
  const exports = new Queue(EXPORTS.slots, EXPORTS.queue, config.exportTimeoutMs);
  const sending = new Places(SENDING.all, SENDING.ofOne);
  metrics.watchQueue(queue, config.slots);
  const logSlow = slowQueries(config.slowMs, log);
  return (endpoint: Endpoint) =>
    async (request: Request, response: Response): Promise<void> => {
      // The client hung up while its credentials were checked: its close event has already passed.
      if (response.destroyed) return;
      const hangUp = new AbortController();
      const stop = (): void => hangUp.abort();
      ending?.addEventListener("abort", stop);
      if (ending?.aborted) stop();
      response.on("close", () => {
        ending?.removeEventListener("abort", stop);
        // After a complete answer there is nothing to abort.
        if (!response.writableFinished) stop();
      });
      const accepted = validate(endpoint, { ...(request.query as Sent), ...request.params }, now());
      const deprecated = deprecation(endpoint, request.query as Sent);
      if (deprecated) response.setHeader("Deprecation", deprecated);
      response.vary("Accept");
      const format = formatOf(request, endpoint, accepted);
      const { organizationId, clientId } = response.locals;
      const parties = [`organization ${organizationId}`, `client ${clientId}`];
      const asked = { endpoint, organizationId, accepted, requestId: String(request.id) };
      const timing: Timing = response.locals.timing;
      const onQuery = (sql: string, milliseconds: number): void => {
        timing.queried(milliseconds);
        metrics.querySeconds.observe({ sql }, milliseconds / 1000);
        logSlow(asked, sql, milliseconds);
      };
      const table = (signal: AbortSignal) => tables.table(endpoint, organizationId, accepted, format, signal, onQuery);
      /** Runs the work when a place in the queue is free. */
      const inTurn = <T>(places: Queue, work: (signal: AbortSignal) => Promise<T>, leave: AbortSignal): Promise<T> => {
        const came = performance.now();
        return places.run(
          (signal) => {
            const waited = performance.now() - came;
            timing.waited(waited);
            metrics.queueSeconds.observe(waited / 1000);
            return work(signal);
          },
          leave,
          parties,
        );
      };
      const version = await answers.version(organizationId);
      const key = JSON.stringify([organizationId, version, endpoint.path, format, accepted]);
      if (endpoint.shape === "page" && accepted.all === "true") {
        const etag = exportTag(key);
        response.setHeader("ETag", etag);
        if (isFresh(request.get("if-none-match"), etag)) return void response.status(304).end();
        const file = await inTurn(exports, (signal) => inPlace(sending.take(parties), table(signal)), hangUp.signal);
        timing.writeHeader(response);
        setType(response, endpoint, format);
        return send(response, file, request.method === "HEAD");
      }
      const make = async (signal: AbortSignal): Promise<Made> =>
        format === "json"
          ? answers.answer(endpoint, organizationId, accepted, signal, onQuery)
          : whole(await table(signal));
      const { body, etag, headers } = await cache.get(
        key,
        // Without a version the answer is not cached: if files reappear meanwhile, they belong to a named version.
        version === undefined ? 0 : endpoint.cacheSeconds,
        (leave) => inTurn(queue, make, leave),
        hangUp.signal,
        (result) => {
          timing.lookedUp(result);
          metrics.lookups.inc({ endpoint: endpoint.path, result });
        },
      );
      const encoding = timing.sinceQueries;
      if (encoding !== undefined) metrics.encodeSeconds.observe({ endpoint: endpoint.path }, encoding / 1000);
      timing.writeHeader(response);
      response.setHeader("ETag", etag);
      if (isFresh(request.get("if-none-match"), etag)) return void response.status(304).end();
      setType(response, endpoint, format);
      response.set(headers ?? {}).send(body);
    };
}

/** The table. Its place is released after it has been sent, or when building it fails. */
async function inPlace(leave: () => void, making: Promise<TableFile>): Promise<TableFile> {
  try {
    const file = await making;
    return { ...file, close: () => file.close().finally(leave) };
  } catch (error) {
    leave();
    throw error;
  }
}

/** The `Deprecation` header for a deprecated parameter that was sent [RFC 9745]. */
function deprecation(endpoint: Endpoint, sent: Sent): string | undefined {
  const since = Object.entries(endpoint.params).find(([name, param]) => param.deprecated && sent[name])?.[1].deprecated;
  return since && `@${Date.parse(since) / 1000}`;
}

function failure(error: unknown, request: Request, response: Response, _next: NextFunction): void {
  // A malformed percent code in the address.
  const known = error instanceof URIError ? unreadable() : error;
  const { status, headers, body } = answerTo(known, String(request.id));
  // Logged because a 503 has several reasons.
  if (known instanceof ApiError) response.locals.refusal = known.kind;
  if (status === 500) request.log?.error({ err: error }, "unforeseen");
  if (response.headersSent) return void response.destroy();
  (response.locals.timing as Timing).writeHeader(response);
  response
    .status(status)
    .set(headers ?? {})
    .type("json")
    .json(body);
}
