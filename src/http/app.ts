import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import type { Verified } from "../access/credentials.ts";
import type { Config } from "../config.ts";
import type { Answers, Endpoint, Tables } from "../contract/endpoint.ts";
import { Api, isOfApi } from "./api.ts";
import { Exchange } from "./exchange.ts";
import { fail } from "./failure.ts";
import { EndpointHandler } from "./handler.ts";
import { setCommonHeaders } from "./headers.ts";
import { RequestLog } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { pages } from "./pages.ts";
import type { SlidingLog } from "./rateLimit.ts";
import { routesOf } from "./routes.ts";

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

/**
 * The service. The endpoints are answered without Express, which would take most of the time of a cached answer; it serves
 * the pages.
 */
export function createApp(deps: Dependencies): RequestListener {
  const { metrics = new Metrics() } = deps;
  const log = new RequestLog(deps.log, deps.endpoints);
  const find = routesOf(deps.endpoints);
  const api = new Api(deps, new EndpointHandler(deps, metrics));
  const answerPage = pages(deps);
  return (request, response) => {
    const exchange = new Exchange(request, response, find);
    response.on("close", () => {
      metrics.ended(exchange);
      log.ended(exchange);
    });
    setCommonHeaders(exchange);
    const answered = isOfApi(exchange.path) ? api.answer(exchange) : answerPage(exchange);
    answered
      .catch((error) => fail(exchange, error, log))
      .catch((error) => {
        log.unforeseen(exchange, error);
        response.destroy();
      });
  };
}
