import { randomUUID } from "node:crypto";
import compression from "compression";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import helmet from "helmet";
import type { Logger } from "pino";
import { pinoHttp } from "pino-http";
import type { Verified } from "../access/credentials.ts";
import type { Config } from "../config.ts";
import type { Answers, Endpoint } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { UUID } from "../contract/param.ts";
import { AnswerCache, isFresh } from "./cache.ts";
import { documents } from "./documents.ts";
import { answerTo, wording } from "./messages.ts";
import { Queue } from "./queue.ts";
import { credentialLimit, FailureLimit, type SlidingLog } from "./rateLimit.ts";
import { type Sent, validate } from "./validate.ts";

export interface Dependencies {
  readonly endpoints: readonly Endpoint[];
  readonly answers: Answers;
  readonly credentials: { verify(clientId: string, secret: string): Promise<Verified | undefined> };
  readonly organizations: { has(id: string): Promise<boolean> };
  readonly config: Pick<Config, "slots" | "queue" | "timeoutMs" | "cacheBytes">;
  readonly log: Logger;
  readonly ready: () => Promise<{ readonly ready: boolean }>;
  readonly now: () => Date;
  readonly limit?: SlidingLog;
}

/** The service: every endpoint is one handler over its declaration. The order of the checks is [D41]'s. */
export function createApp(deps: Dependencies): Express {
  const app = express();
  app.disable("x-powered-by");
  app.enable("case sensitive routing");
  app.set("etag", false);
  app.use(requestId, requestLog(deps.log), helmet(), compression({ threshold: 1024 }));
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.get("/readyz", async (_request, response) => {
    const state = await deps.ready();
    response.status(state.ready ? 200 : 503).json(state);
  });
  app.use(documents());
  const v1 = express.Router({ caseSensitive: true, strict: true });
  v1.use(authenticate(deps), credentialLimit(deps.limit), onlyGet, organization(deps), binding(deps), readable);
  const answer = answering(deps);
  for (const endpoint of deps.endpoints) v1.get(endpoint.path.replace(/^\/v1/, ""), answer(endpoint));
  app.use("/v1", v1);
  app.use(onlyGet, readable, (_request: Request, _response: Response, next: NextFunction) =>
    next(new ApiError("notFound")),
  );
  app.use(failure);
  return app;
}

/** A caller's own id when it is short and clean, else one of ours: on every answer and every line of the log. */
function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get("x-request-id");
  const id = given && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
  request.id = id;
  response.setHeader("X-Request-Id", id);
  response.setHeader("Cache-Control", "private, no-cache");
  next();
}

/** Paths and times, no secrets, and of the parameters the names alone: a value may be an e-mail. */
function requestLog(log: Logger) {
  return pinoHttp<Request, Response>({
    logger: log,
    genReqId: (request) => String(request.id),
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? "error" : "info"),
    serializers: {
      req: (request: { id: string; method: string; url: string }) => {
        const [path, query = ""] = request.url.split("?");
        return { id: request.id, method: request.method, path, parameters: namesIn(query) };
      },
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      err: (error: Error) => ({ type: error.name, message: error.message, stack: error.stack }),
    },
    customProps: (_request, response) => ({ clientId: response.locals.clientId }),
  });
}

/** What looks like a name: a value that was sent without one is a value. */
const namesIn = (query: string): string[] =>
  [...new URLSearchParams(query).keys()].filter((name) => /^\w{1,40}$/.test(name));

function onlyGet(request: Request, _response: Response, next: NextFunction): void {
  next(request.method === "GET" || request.method === "HEAD" ? undefined : new ApiError("methodNotAllowed"));
}

/** The path decodes, and to no NUL, which some of what it may be handed to takes for an end. */
function readable(request: Request, _response: Response, next: NextFunction): void {
  next(decodeURIComponent(request.path).includes("\0") ? unreadable() : undefined);
}

const unreadable = (): ApiError => new ApiError("invalid", [{ parameter: "path", message: wording.address }]);

function authenticate({ credentials }: Dependencies) {
  const failures = new FailureLimit();
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const client = await credentials.verify(request.get("x-client-id") ?? "", request.get("x-client-secret") ?? "");
    if (!client) throw new ApiError(failures.exceeded(request.ip ?? "") ? "tooMany" : "unauthorized");
    response.locals.clientId = client.clientId;
    response.locals.organizations = client.organizations;
    next();
  };
}

/** Of a family whose endpoints declare it a UUID the organization must be one; elsewhere any short text will do. */
function organization({ endpoints }: Dependencies) {
  const familyOf = (path: string): string => path.split("/")[2] ?? "";
  const ofUuid = endpoints.filter(({ params }) => params.organizationId?.kind === "uuid");
  const strict = new Set(ofUuid.map(({ path }) => familyOf(path)));
  return (request: Request, response: Response, next: NextFunction): void => {
    const id = request.query.organizationId;
    const message = organizationFault(id, strict.has(familyOf(request.originalUrl.split("?")[0] ?? "")));
    if (message) throw new ApiError("invalid", [{ parameter: "organizationId", message }]);
    response.locals.organizationId = id;
    next();
  };
}

function organizationFault(id: unknown, strict: boolean): string | undefined {
  if (Array.isArray(id)) return wording.repeated;
  if (typeof id !== "string" || id === "") return wording.missing("organizationId");
  if (id.length > 128) return "organizationId deve ter no máximo 128 caracteres.";
  return strict && !UUID.test(id) ? "organizationId deve ser um UUID." : undefined;
}

/** An organization that does not exist is told no better than one of somebody else. */
function binding({ organizations }: Dependencies) {
  return async (_request: Request, response: Response, next: NextFunction): Promise<void> => {
    const { organizationId, organizations: bound } = response.locals;
    const allowed = (bound as readonly string[]).includes(organizationId) && (await organizations.has(organizationId));
    next(allowed ? undefined : new ApiError("forbidden"));
  };
}

function answering({ answers, config, now }: Dependencies) {
  const cache = new AnswerCache(config.cacheBytes);
  const queue = new Queue(config.slots, config.queue, config.timeoutMs);
  return (endpoint: Endpoint) =>
    async (request: Request, response: Response): Promise<void> => {
      const hangUp = new AbortController();
      response.on("close", () => hangUp.abort());
      const accepted = validate(endpoint, { ...(request.query as Sent), ...request.params }, now());
      const deprecated = deprecation(endpoint, request.query as Sent);
      if (deprecated) response.setHeader("Deprecation", deprecated);
      const { organizationId } = response.locals;
      const key = JSON.stringify([organizationId, await answers.version(organizationId), endpoint.path, accepted]);
      const { body, etag } = await cache.get(
        key,
        endpoint.cacheSeconds,
        (leave) => queue.run((signal) => answers.answer(endpoint, organizationId, accepted, signal), leave),
        hangUp.signal,
      );
      response.setHeader("ETag", etag);
      response.vary("Accept");
      if (isFresh(request.get("if-none-match"), etag)) return void response.status(304).end();
      response.type("application/json").send(body);
    };
}

/** Since when a parameter that was sent is on its way out [RFC 9745]. */
function deprecation(endpoint: Endpoint, sent: Sent): string | undefined {
  const since = Object.entries(endpoint.params).find(([name, param]) => param.deprecated && sent[name])?.[1].deprecated;
  return since && `@${Date.parse(since) / 1000}`;
}

function failure(error: unknown, request: Request, response: Response, _next: NextFunction): void {
  // A percent code in the address that decodes to nothing.
  const known = error instanceof URIError ? unreadable() : error;
  if (!(known instanceof ApiError)) request.log?.error({ err: error }, "unforeseen");
  if (response.headersSent) return void response.destroy();
  const { status, headers, body } = answerTo(known, String(request.id));
  response
    .status(status)
    .set(headers ?? {})
    .json(body);
}
