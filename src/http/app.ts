import { randomUUID } from "node:crypto";
import compression from "compression";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import helmet from "helmet";
import type { Logger } from "pino";
import { pinoHttp } from "pino-http";
import { SECRET, type Verified } from "../access/credentials.ts";
import type { Config } from "../config.ts";
import type { Answers, Endpoint, Tables } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { answerTo, wording } from "../contract/failures.ts";
import { canonicalId, UUID } from "../contract/param.ts";
import { documents } from "./documents.ts";
import { explorer } from "./explorer.ts";
import { EndpointHandler } from "./handler.ts";
import { isLocal } from "./local.ts";
import { declaredPaths, Metrics, measured } from "./metrics.ts";
import { isPrecompressed } from "./precompressed.ts";
import { credentialLimit, FailureLimit, type SlidingLog } from "./rateLimit.ts";
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
  v1.use(
    authenticate(deps),
    credentialLimit(deps.limit),
    allowReadMethods,
    organization(deps),
    authorizeOrganization(deps),
    rejectUndecodablePath,
  );
  const handler = new EndpointHandler(deps, metrics);
  for (const endpoint of deps.endpoints) v1.get(endpoint.path.replace(/^\/v1/, ""), handler.of(endpoint));
  app.use("/v1", v1);
  app.use(allowReadMethods, rejectUndecodablePath, (_request: Request, _response: Response, next: NextFunction) =>
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

function allowReadMethods(request: Request, _response: Response, next: NextFunction): void {
  next(request.method === "GET" || request.method === "HEAD" ? undefined : new ApiError("methodNotAllowed"));
}

/** Rejects a path that does not decode, or that contains NUL, which some libraries take for the end of a text. */
function rejectUndecodablePath(request: Request, _response: Response, next: NextFunction): void {
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
function authorizeOrganization({ organizations }: Dependencies) {
  return async (_request: Request, response: Response, next: NextFunction): Promise<void> => {
    const { organizationId, organizations: bound } = response.locals;
    const allowed = (bound as readonly string[]).includes(organizationId) && (await organizations.has(organizationId));
    next(allowed ? undefined : new ApiError("forbidden"));
  };
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
