import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import type { Verified } from "../access/credentials.ts";
import type { AnyEndpoint } from "../contract/endpoint.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Exchange, Principal } from "./exchange.ts";
import type { EndpointHandler } from "./handler.ts";
import type { RequestLog } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { FindRoute } from "./routes.ts";

/** The service, as the routes of a feature see it. */
export interface Http {
  readonly authenticator: Authenticator;
  readonly handler: EndpointHandler;
  /** The endpoints, for a request of a verified client. */
  readonly endpoints: RequestHandler;
  readonly find: FindRoute;
  readonly metrics: Metrics;
  readonly log: RequestLog;
}

/** Answers the request of a client for an endpoint. */
export type Answerer = (exchange: Exchange, endpoint: AnyEndpoint, principal: Principal) => Promise<void>;

/** The routes, pages and answers that a feature adds to the service. */
export interface HttpFeature {
  /** Its own paths, which logs and metrics name. */
  readonly paths?: readonly string[];
  readonly routes?: (http: Http) => RequestHandler;
  /** Begins its work beside the requests. */
  readonly begin?: (http: Http) => void;
  /** Pages that need no credentials. */
  readonly pages?: () => RequestHandler;
  /** The client of a request that carries something else than credentials. */
  readonly client?: (request: IncomingMessage) => Promise<Verified | undefined>;
  /** Answers endpoints that the engine does not. */
  readonly answers?: Readonly<Partial<Record<"adhoc" | "quality" | "pins", (handler: EndpointHandler) => Answerer>>>;
}
