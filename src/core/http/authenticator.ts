import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import type { Verified } from "../access/credentials.ts";
import { presented } from "../access/presented.ts";
import { ApiError } from "../contract/error.ts";
import { type Exchange, exchangeOf } from "./exchange.ts";
import type { HttpFeature } from "./feature.ts";
import { FAILURES, failureLimiter, type Limit, requestLimiter, SESSION_LIMIT, SlidingLog } from "./rateLimit.ts";

interface Dependencies {
  readonly credentials: { verify(clientId: string, secret: string): Promise<Verified | undefined> };
  /** Limits of requests per credential and per session, and of failed credentials per address. */
  readonly limit?: Limit;
  readonly sessionLimit?: Limit | undefined;
  readonly failures?: Limit | undefined;
}

/** Clients that send a token of another kind as `Bearer`, where such tokens are taken. */
export interface Bearer {
  readonly client: (request: IncomingMessage) => Promise<Verified | undefined>;
  /** Whether a request without a client has such a token that has ended: no guess, but how its client learns of it. */
  readonly hadToken: (request: IncomingMessage) => Promise<boolean>;
  /** What a request without a client is told of them [RFC 9728]. */
  readonly challenge: string;
}

/** Admits the requests of clients with credentials, up to their limit. */
export class Authenticator {
  /** Counts the request for its client. Fails with `tooMany`. */
  readonly limit: RequestHandler;
  readonly #credentials: Dependencies["credentials"];
  /** Counts a failure of the address. Fails with `tooManyFailures`. */
  readonly #failures: RequestHandler;

  constructor(deps: Dependencies) {
    const { credentials, limit = new SlidingLog(), failures = new SlidingLog(FAILURES) } = deps;
    const ofClients = requestLimiter(limit);
    const ofSessions = requestLimiter(deps.sessionLimit ?? new SlidingLog(SESSION_LIMIT));
    this.limit = (request, response, next) =>
      (exchangeOf(response).client?.person ? ofSessions : ofClients)(request, response, next);
    this.#credentials = credentials;
    this.#failures = failureLimiter(failures);
  }

  /** Finds the client of the request, by its credentials or as features know it. Fails with `unauthorized` or `tooManyFailures`. */
  authenticate(features: readonly HttpFeature[] = [], bearer?: Bearer): RequestHandler {
    const others = features.flatMap(({ client }) => client ?? []);
    return async (request, response, next) => {
      const exchange = exchangeOf(response);
      if (!hasCredentials(request)) for (const client of others) exchange.client ??= await client(request);
      exchange.client ??= (await this.#verify(request)) ?? (await bearer?.client(request));
      if (exchange.client) return next();
      const refuse = (failure?: unknown): void => {
        if (!failure) response.setHeader("WWW-Authenticate", challengesTo(request, bearer));
        next(failure ?? new ApiError("unauthorized"));
      };
      if (bearer && (!hasCredentials(request) || (await bearer.hadToken(request)))) return refuse();
      this.#failures(request, response, refuse);
    };
  }

  /** Counts one more request of the client: a further message of the same body, or a sign-in. */
  count(exchange: Exchange): Promise<void> {
    return passed(this.limit, exchange);
  }

  /** Counts a failure of the address. */
  countFailure(exchange: Exchange): Promise<void> {
    return passed(this.#failures, exchange);
  }

  #verify(request: IncomingMessage): Promise<Verified | undefined> {
    const { clientId, secret } = presented(request);
    return this.#credentials.verify(clientId, secret);
  }
}

/** Runs a handler within another one; rejects with the failure that it passes on. */
const passed = (handler: RequestHandler, { request, response }: Exchange): Promise<void> =>
  new Promise((done, fail) => handler(request, response, (failure) => (failure ? fail(failure) : done())));

/**
 * The schemes that a client may use [RFC 9110]. A browser asks for a password when it is offered `Basic`, and then sends it
 * with everything: it is offered to programs only, some of which send a password only then.
 */
function challengesTo({ headers }: IncomingMessage, bearer?: Bearer): string[] {
  const isOffered = !["x-client-id", "x-client-secret", "sec-fetch-mode"].some((name) => headers[name] !== undefined);
  const isTokenRefused = /^bearer /i.test(headers.authorization ?? "");
  const ofTokens = bearer && `${bearer.challenge}${isTokenRefused ? ', error="invalid_token"' : ""}`;
  return [ofTokens ?? 'Bearer realm="lucra"', ...(isOffered ? ['Basic realm="lucra", charset="UTF-8"'] : [])];
}

/** Whether the request carries credentials of its own: then its cookie means nothing. */
const hasCredentials = ({ headers }: IncomingMessage): boolean =>
  ["x-client-id", "x-client-secret", "authorization"].some((name) => headers[name] !== undefined);
