import type { IncomingMessage, RequestListener } from "node:http";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import type { Logger } from "pino";
import type { Verified } from "../access/credentials.ts";
import type { Link } from "../access/links.ts";
import type { Sessions } from "../access/sessions.ts";
import type { Config } from "../config.ts";
import type { Answers, AnyEndpoint, Tables } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import type { Organization } from "../contract/settings.ts";
import { API, apiRouter } from "./api.ts";
import type { ToolDependencies } from "./desk.ts";
import { Exchange, exchangeOf } from "./exchange.ts";
import { fail, refuseOtherMethods, refuseUndecodable } from "./failure.ts";
import { Gate } from "./gate.ts";
import { EndpointHandler } from "./handler.ts";
import { setCommonHeaders } from "./headers.ts";
import { linkRouter } from "./links.ts";
import { RequestLog } from "./log.ts";
import { mcpRouter } from "./mcp.ts";
import { Metrics } from "./metrics.ts";
import type { Dependencies as OwnDependencies } from "./own.ts";
import { pages } from "./pages.ts";
import type { Limit } from "./rateLimit.ts";
import { type FindRoute, routesOf } from "./routes.ts";
import { sessionClient, sessionRouter } from "./session.ts";

export interface Dependencies extends Pick<OwnDependencies, "query" | "quality"> {
  readonly endpoints: readonly AnyEndpoint[];
  readonly answers: Answers;
  readonly tables: Tables;
  readonly credentials: { verify(clientId: string, secret: string): Promise<Verified | undefined> };
  readonly organizations: {
    has(id: string): Promise<boolean>;
    /** Undefined for an id without settings. */
    settings(id: string): Promise<Organization | undefined>;
  };
  /** Absent if the operator has not turned share links on. */
  readonly links?: { find(token: string): Promise<Link | undefined> } | undefined;
  /** The Explorer's sessions; without them nobody can sign in there. */
  readonly sessions?: Sessions;
  /** Absent if the operator has turned the tools off. */
  readonly tools?: ToolDependencies | undefined;
  readonly config: Pick<Config, "slots" | "queue" | "timeoutMs" | "slowMs" | "exportTimeoutMs" | "cacheBytes">;
  readonly log: Logger;
  readonly ready: () => Promise<{ readonly ready: boolean }>;
  /** What `/readyz?verbose` adds for requests from this machine. */
  readonly details?: () => Promise<object>;
  readonly now: () => Date;
  readonly limit?: Limit;
  readonly failures?: Limit;
  readonly metrics?: Metrics;
  /** Aborts when the service stops waiting for running requests: those are answered 503. */
  readonly ending?: AbortSignal;
  /** Folder of the built Explorer, if it is not the default one. */
  readonly explorer?: string;
}

/** The service: the endpoints below `/v1`, the share links to them, the tools, the sign-in, and the pages. */
export function createApp(deps: Dependencies): RequestListener {
  const { metrics = new Metrics(), sessions, links, tools } = deps;
  const log = new RequestLog(deps.log, deps.endpoints);
  const find = routesOf(deps.endpoints);
  const gate = new Gate(deps);
  const handler = new EndpointHandler(deps, metrics);
  const endpoints = apiRouter(deps, handler);
  const session = sessions && ((request: IncomingMessage) => sessionClient(sessions, request));
  const app = express();
  app.disable("x-powered-by");
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.set("etag", false);
  app.use(opened(find, metrics, log));
  app.all(API, gate.authenticate(session), gate.limit, onlyReading, endpoints);
  if (links) app.use(linkRouter({ ...deps, links }, gate, endpoints, find));
  if (tools) app.use(mcpRouter({ ...deps, tools }, gate, handler, metrics, log));
  if (sessions) app.use(sessionRouter({ ...deps, sessions }, gate));
  app.use(pages(deps), onlyReading, notFound, failed(log));
  return app;
}

/** Begins an exchange, and ends it in the log and the metrics. */
function opened(find: FindRoute, metrics: Metrics, log: RequestLog): RequestHandler {
  return (request, response, next) => {
    // A fragment is no part of an address.
    request.url = request.url.split("#", 1)[0] ?? "";
    const exchange = new Exchange(request, response, find);
    response.locals.exchange = exchange;
    response.on("close", () => {
      metrics.ended(exchange);
      log.ended(exchange);
    });
    setCommonHeaders(exchange);
    next();
  };
}

const onlyReading: RequestHandler = (request, _response, next) => {
  refuseOtherMethods(request);
  next();
};

const notFound: RequestHandler = (request) => {
  refuseUndecodable(request);
  throw new ApiError("notFound");
};

/** Answers all failures. */
function failed(log: RequestLog): ErrorRequestHandler {
  return async (error, _request, response, _next) => {
    const exchange = exchangeOf(response);
    try {
      await fail(exchange, error, log);
    } catch (unsent) {
      log.unforeseen(exchange, unsent);
      response.destroy();
    }
  };
}
