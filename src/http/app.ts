import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import type { Verified } from "../access/credentials.ts";
import { isLink, type Link } from "../access/links.ts";
import type { Sessions } from "../access/sessions.ts";
import type { Config } from "../config.ts";
import type { Answers, AnyEndpoint, Tables } from "../contract/endpoint.ts";
import type { Organization } from "../contract/settings.ts";
import { Api, isOfApi } from "./api.ts";
import type { ToolDependencies } from "./desk.ts";
import { Exchange } from "./exchange.ts";
import { fail } from "./failure.ts";
import { Gate } from "./gate.ts";
import { EndpointHandler } from "./handler.ts";
import { setCommonHeaders } from "./headers.ts";
import { LinkDoor } from "./links.ts";
import { RequestLog } from "./log.ts";
import { MCP, McpDoor } from "./mcp.ts";
import { Metrics } from "./metrics.ts";
import type { Dependencies as OwnDependencies } from "./own.ts";
import { pages } from "./pages.ts";
import type { Limit } from "./rateLimit.ts";
import { routesOf } from "./routes.ts";
import { SESSION_PATH, SessionDoor, sessionClient } from "./session.ts";

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

/**
 * The service. The endpoints are answered without Express, which would take most of the time of a cached answer; it serves
 * the pages.
 */
export function createApp(deps: Dependencies): RequestListener {
  const { metrics = new Metrics() } = deps;
  const log = new RequestLog(deps.log, deps.endpoints);
  const find = routesOf(deps.endpoints);
  const { sessions } = deps;
  const session = async ({ path, request }: Exchange): Promise<Verified | undefined> =>
    sessions && isOfApi(path) ? sessionClient(sessions, request) : undefined;
  const gate = new Gate({ ...deps, session });
  const handler = new EndpointHandler(deps, metrics);
  const api = new Api(deps, gate, handler);
  const links = deps.links && new LinkDoor({ ...deps, links: deps.links }, gate, api, find);
  const door = sessions && new SessionDoor({ ...deps, sessions, failed: (exchange) => gate.failed(exchange) });
  const mcp = deps.tools && new McpDoor({ ...deps, tools: deps.tools }, gate, handler, metrics, log);
  const answerPage = pages(deps);
  const doorOf = (exchange: Exchange): Promise<void> => {
    if (isOfApi(exchange.path)) return api.answer(exchange);
    if (links && isLink(exchange.path)) return links.answer(exchange);
    if (mcp && exchange.path === MCP) return mcp.answer(exchange);
    return door && exchange.path === SESSION_PATH ? door.answer(exchange) : answerPage(exchange);
  };
  return (request, response) => {
    const exchange = new Exchange(request, response, find);
    response.on("close", () => {
      metrics.ended(exchange);
      log.ended(exchange);
    });
    setCommonHeaders(exchange);
    doorOf(exchange)
      .catch((error) => fail(exchange, error, log))
      .catch((error) => {
        log.unforeseen(exchange, error);
        response.destroy();
      });
  };
}
