import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parse } from "node:querystring";
import { hasSecret } from "../access/presented.ts";
import type { ApiErrorKind } from "../contract/error.ts";
import type { Sent } from "../params/validate.ts";
import type { FindRoute, Route } from "./routes.ts";
import { Timing } from "./timing.ts";

/** A request with its response, and what is known about it so far. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly timing = new Timing();
  readonly id: string;
  /** Not decoded. */
  readonly path: string;
  readonly query: Sent;
  /** Undefined for an undeclared path. */
  readonly route: Route | undefined;
  /** The verified client. */
  clientId: string | undefined;
  /** The tools that its messages called. */
  readonly tools: string[] = [];
  /** Why it was refused. */
  refusal: ApiErrorKind | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, find: FindRoute) {
    this.request = request;
    this.response = response;
    this.id = requestId(request);
    const [address = ""] = (request.url ?? "").split("#", 1);
    const [path = ""] = address.split("?", 1);
    this.path = path;
    this.query = parse(address.slice(path.length + 1));
    this.route = find(path);
  }
}

/** A header that Node gives as one text, empty if it was not sent. */
export const headerOf = ({ headers }: IncomingMessage, name: string): string => String(headers[name] ?? "");

/** Every answer and log line carries an id: the client's if it is short and clean, else a new one. */
function requestId(request: IncomingMessage): string {
  const given = headerOf(request, "x-request-id");
  if (!/^[\w.-]{1,64}$/.test(given)) return randomUUID();
  // A secret sent as an id must not reach the answer or the log.
  return hasSecret(given, request) ? randomUUID() : given;
}
