import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { parse } from "node:querystring";
import type { Request, Response } from "express";
import type { Verified } from "../access/credentials.ts";
import { hasSecret } from "../access/presented.ts";
import type { ApiErrorKind } from "../contract/error.ts";
import type { Sent } from "../params/validate.ts";
import type { FindRoute, Route } from "./routes.ts";
import { Timing } from "./timing.ts";

/** The client of a request, and the organization that it asks about. */
export interface Principal {
  readonly clientId: string;
  readonly organizationId: string;
  /** Whether personal data are null: for those who only read, in the page. */
  readonly isViewer?: boolean;
}

/** A client that asks about an organization which it may read. */
export const principalOf = ({ clientId, isViewer }: Verified, organizationId: string): Principal => ({
  clientId,
  organizationId,
  ...(isViewer?.(organizationId) ? { isViewer: true } : {}),
});

/** A request with its response, and what is known about it so far. */
export class Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly timing = new Timing();
  readonly id: string;
  /** Not decoded. */
  readonly path: string;
  readonly query: Sent;
  /** The route for metrics and the log; undefined for an undeclared path. */
  readonly route: Route | undefined;
  /** The parameters: the query, or those that a share link fixes, with the values in the path. */
  sent: Sent;
  client: Verified | undefined;
  /** For which organization the client asks, once it may read that. */
  principal: Principal | undefined;
  /** The tools that its messages called. */
  readonly tools: string[] = [];
  /** The reason of a refusal. */
  refusal: ApiErrorKind | undefined;

  constructor(request: Request, response: Response, find: FindRoute) {
    this.request = request;
    this.response = response;
    this.id = requestId(request);
    const { url } = request;
    const [path = ""] = url.split("?", 1);
    this.path = path;
    this.query = parse(url.slice(path.length + 1));
    this.sent = this.query;
    this.route = find(path);
  }
}

/** The exchange of a response, which the first handler of the service stores. */
export const exchangeOf = ({ locals }: Response): Exchange => locals.exchange;

/** A header that Node gives as one text, empty if it was not sent. */
export const headerOf = ({ headers }: IncomingMessage, name: string): string => String(headers[name] ?? "");

/** Every answer and log line carries an id: the client's if it is short and clean, else a new one. */
function requestId(request: IncomingMessage): string {
  const given = headerOf(request, "x-request-id");
  if (!/^[\w.-]{1,64}$/.test(given)) return randomUUID();
  // A secret sent as an id must not reach the answer or the log.
  return hasSecret(given, request) ? randomUUID() : given;
}
