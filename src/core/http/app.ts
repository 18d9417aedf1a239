import type { RequestListener } from "node:http";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import type { Logger } from "pino";
import type { Verified } from "../access/credentials.ts";
import type { Config } from "../config.ts";
import type { Answers, AnyEndpoint, Tables } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import type { Organization } from "../contract/settings.ts";
import { API, apiRouter } from "./api.ts";
import { Authenticator } from "./authenticator.ts";
import { Exchange, exchangeOf } from "./exchange.ts";
import { fail, refuseOtherMethods, refuseUndecodable } from "./failure.ts";
import type { HttpFeature } from "./feature.ts";
import { EndpointHandler } from "./handler.ts";
import { setCommonHeaders } from "./headers.ts";
import { RequestLog } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { pages } from "./pages.ts";
import type { Limit } from "./rateLimit.ts";
import { type FindRoute, routesOf } from "./routes.ts";

export interface HttpServiceParts {
  readonly endpoints: readonly AnyEndpoint[];
  readonly answers: Answers;
  readonly tables: Tables;
  readonly credentials: { verify(clientId: string, secret: string): Promise<Verified | undefined> };
  readonly organizations: {
    has(id: string): Promise<boolean>;
    /** Undefined for an id without settings. */
    settings(id: string): Promise<Organization | undefined>;
  };
  /** Features, in the order in which a request is offered to their routes. */
  readonly features?: readonly HttpFeature[];
  readonly config: Pick<Config, "slots" | "queue" | "timeoutMs" | "slowMs" | "exportTimeoutMs" | "cacheBytes">;
  readonly log: Logger;
  readonly ready: () => Promise<{ readonly ready: boolean }>;
  /** Details that `/readyz?verbose` adds for requests from this machine. */
  readonly details?: () => Promise<object>;
  readonly now: () => Date;
  readonly limit?: Limit;
  readonly sessionLimit?: Limit;
  readonly failures?: Limit;
  readonly metrics?: Metrics;
  /** Aborts when the service stops waiting for running requests: those are answered 503. */
  readonly ending?: AbortSignal;
}

/** The service: the endpoints below `/v1`, and what features add to them. */
export function createApp(deps: HttpServiceParts): RequestListener {
  const { metrics = new Metrics(), features = [] } = deps;
  const log = new RequestLog(deps.log, deps.endpoints);
  const find = routesOf(
    deps.endpoints,
    features.flatMap(({ paths = [] }) => paths),
  );
  const authenticator = new Authenticator(deps);
  const handler = new EndpointHandler(deps, metrics);
  const endpoints = apiRouter(deps, handler);
  const app = express();
  app.disable("x-powered-by");
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.set("etag", false);
  app.use(opened(find, metrics, log));
  app.all(API, authenticator.authenticate(features), authenticator.limit, onlyReading, endpoints);
  const http = { authenticator, handler, endpoints, find, metrics, log };
  for (const { routes, begin } of features) {
    if (routes) app.use(routes(http));
    begin?.(http);
  }
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
