import { parse } from "node:querystring";
import express, { type RequestHandler, type Response, type Router } from "express";
import type { Logger } from "pino";
import { ApiError, OperatorError } from "../../core/contract/error.ts";
import type { Authenticator } from "../../core/http/authenticator.ts";
import { type Exchange, exchangeOf, headerOf } from "../../core/http/exchange.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import type { RequestLog } from "../../core/http/log.ts";
import { HourlyRequests, networkAddressOf } from "../../core/http/networkAddress.ts";
import { received, Unreceived } from "../../core/http/received.ts";
import { agentClient, mayRead } from "./access.ts";
import { ACCESS_MS, type Pair, type Refused } from "./agents.ts";
import { InvalidClient } from "./clients.ts";
import { hasScope, isResource, issuerMetadataOf, OAUTH, resourceMetadataOf, SCOPE } from "./place.ts";
import type { Sent } from "./request.ts";
import type { AgentParts } from "./resources.ts";

interface Dependencies extends AgentParts {
  readonly trustedProxies: readonly string[];
  /** The service writes nothing: another one gives tokens. */
  readonly readOnly: boolean;
  readonly log: Logger;
  readonly registrations?: HourlyRequests;
}

const MOST = { bytes: 16_384, milliseconds: 10_000 };

type Code =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "invalid_client_metadata"
  | "invalid_redirect_uri"
  | "temporarily_unavailable"
  | "server_error";

/** A status and a body. */
type Answer = readonly [number, object];

/** A refusal in the words of OAuth, for programs. */
class OauthError extends Error {
  readonly code: Code;
  readonly status: number;

  constructor(code: Code, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** The authorization server of `/mcp` [D97]: metadata, registration, tokens. The consent is the Explorer's. */
export const oauthFeature = (deps: Dependencies): HttpFeature => ({
  paths: [...Object.values(OAUTH), ...deps.place.resourceMetadata, ...deps.place.issuerMetadata],
  routes: ({ authenticator, log }) => oauthRouter(deps, authenticator, log),
});

function oauthRouter(deps: Dependencies, authenticator: Authenticator, log: RequestLog): Router {
  const { place, registrations = new HourlyRequests() } = deps;
  const router = express.Router({ caseSensitive: true, strict: true });
  const document =
    (content: object): RequestHandler =>
    (_request, response) =>
      send(response, 200, content);
  router.get([...place.resourceMetadata], document(resourceMetadataOf(place)));
  router.get([...place.issuerMetadata], document(issuerMetadataOf(place)));

  // The page asks for the session once it has loaded: the cookie is not sent to what another site opens. Nothing is looked up, and
  // nobody redirected to a client, before somebody has signed in.
  router.get(OAUTH.authorize, (request, response) => {
    const query = request.originalUrl.slice(OAUTH.authorize.length + 1);
    response.setHeader("Cache-Control", "no-store");
    response.redirect(303, `${place.issuer}/explorer#/agent?${query}`);
  });

  const post = (path: string, work: (exchange: Exchange) => Promise<Answer>): void => {
    router.post(path, (_request, response) => answered(exchangeOf(response), log, () => work(exchangeOf(response))));
    router.all(path, (_request, response) => {
      response.setHeader("Allow", "POST");
      send(response, 405, { error: "invalid_request", error_description: "Only POST is allowed." });
    });
  };

  post(OAUTH.register, (exchange) => registered(deps, exchange, registrations));
  post(OAUTH.token, (exchange) => tokens(deps, exchange, authenticator));
  post(OAUTH.revoke, (exchange) => revoked(deps, exchange, authenticator));
  return router;
}

function assertWrites({ readOnly }: Dependencies): void {
  const message = "This service only reads. Ask the one that writes the data folder.";
  if (readOnly) throw new OauthError("temporarily_unavailable", message, 503);
}

async function registered(deps: Dependencies, exchange: Exchange, registrations: HourlyRequests): Promise<Answer> {
  assertWrites(deps);
  const address = networkAddressOf(exchange.request, deps.trustedProxies);
  if (address !== undefined && !registrations.admits(address)) throw new ApiError("tooMany");
  const { id, name, redirects, createdAt } = await deps.clients.register(await jsonOf(exchange));
  const answer = {
    client_id: id,
    client_id_issued_at: Math.floor(Date.parse(createdAt) / 1000),
    client_name: name,
    redirect_uris: redirects,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: SCOPE,
  };
  return [201, answer];
}

async function tokens(deps: Dependencies, exchange: Exchange, authenticator: Authenticator): Promise<Answer> {
  assertWrites(deps);
  const given = await tokensFor(deps, await formOf(exchange), exchange, authenticator);
  if ("refused" in given) {
    if (given.refused === "ended")
      deps.log.warn({ agent: given.id }, "a used code or token was sent again: the agent is signed out");
    await authenticator.countFailure(exchange);
    throw new OauthError("invalid_grant", "It does not work, or no longer: ask for access again.");
  }
  if (!(await mayRead(deps, given.agent))) {
    await deps.agents.revoke(given.refresh, undefined);
    throw new OauthError("invalid_grant", "The person reads the organization no longer.");
  }
  const answer = {
    access_token: given.access,
    token_type: "Bearer",
    expires_in: ACCESS_MS / 1000,
    refresh_token: given.refresh,
    scope: SCOPE,
  };
  return [200, answer];
}

async function revoked(deps: Dependencies, exchange: Exchange, authenticator: Authenticator): Promise<Answer> {
  assertWrites(deps);
  const { token, client_id: clientId } = await formOf(exchange);
  if (token === undefined) throw new OauthError("invalid_request", "token is missing.");
  if ((await deps.agents.idOf(token)) === undefined) await authenticator.countFailure(exchange);
  if (!(await deps.agents.revoke(token, clientId)))
    throw new OauthError("unauthorized_client", "The token is another client's.");
  return [200, {}];
}

/** Gives tokens for a code, or for a refresh token. */
async function tokensFor(
  { agents, place }: Dependencies,
  sent: Sent,
  exchange: Exchange,
  authenticator: Authenticator,
): Promise<Pair | Refused> {
  const { grant_type: grant, client_id: clientId, resource, scope } = sent;
  if (clientId === undefined) throw new OauthError("invalid_client", "client_id is missing.", 401);
  if (!isResource(place, resource)) throw new OauthError("invalid_target", `resource: ${place.resource} is expected.`);
  if (!hasScope(scope)) throw new OauthError("invalid_scope", `scope: ${SCOPE} is expected.`);
  if (grant === "authorization_code") {
    const { code, redirect_uri: redirectUri, code_verifier: verifier } = sent;
    if (code === undefined || redirectUri === undefined || verifier === undefined)
      throw new OauthError("invalid_request", "code, redirect_uri and code_verifier are expected.");
    return agents.redeem({ code, clientId, redirectUri, verifier });
  }
  if (grant !== "refresh_token")
    throw new OauthError("unsupported_grant_type", "grant_type: authorization_code or refresh_token is expected.");
  const { refresh_token: token } = sent;
  if (token === undefined) throw new OauthError("invalid_request", "refresh_token is missing.");
  const id = await agents.idOf(token);
  if (id !== undefined) {
    exchange.client = agentClient(id);
    await authenticator.count(exchange);
  }
  return agents.refresh(token, clientId);
}

async function answered(exchange: Exchange, log: RequestLog, work: () => Promise<Answer>): Promise<void> {
  const { response } = exchange;
  try {
    send(response, ...(await work()));
  } catch (error) {
    const { code, status, message } = refusalOf(error);
    if (code === "server_error") log.unforeseen(exchange, error);
    if (response.headersSent || response.destroyed) return void response.destroy();
    if (status === 429) response.setHeader("Retry-After", "60");
    if (status === 503) response.setHeader("Retry-After", "5");
    send(response, status, { error: code, error_description: message });
  }
}

function refusalOf(error: unknown): OauthError {
  if (error instanceof OauthError) return error;
  if (error instanceof InvalidClient) return new OauthError(error.code, error.message);
  if (error instanceof Unreceived)
    return new OauthError(
      "invalid_request",
      `A body has at most ${MOST.bytes} bytes.`,
      error.reason === "large" ? 413 : 408,
    );
  if (error instanceof ApiError && (error.kind === "tooMany" || error.kind === "tooManyFailures"))
    return new OauthError("temporarily_unavailable", "Too many requests: wait a minute.", 429);
  // The store does not answer, or another process keeps it.
  if (error instanceof ApiError || error instanceof OperatorError)
    return new OauthError("temporarily_unavailable", "The storage does not answer: try again.", 503);
  return new OauthError("server_error", "An unexpected error occurred.", 500);
}

function send(response: Response, status: number, body: object): void {
  response.status(status).setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Pragma", "no-cache");
  response.end(JSON.stringify(body));
}

async function bodyOf({ request, response }: Exchange, type: RegExp, named: string): Promise<string> {
  if (!type.test(headerOf(request, "content-type")))
    throw new OauthError("invalid_request", `The body has to be ${named}.`, 415);
  try {
    return (await received(request, MOST)).toString("utf8");
  } catch (error) {
    // The rest of the body would follow.
    response.setHeader("Connection", "close");
    throw error;
  }
}

/** The parameters of a form. One that is sent twice is ambiguous [RFC 6749]. */
async function formOf(exchange: Exchange): Promise<Sent> {
  const named = "application/x-www-form-urlencoded";
  const sent = parse(await bodyOf(exchange, /^application\/x-www-form-urlencoded\s*(;|$)/i, named));
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value !== "string") throw new OauthError("invalid_request", "A parameter is sent twice.");
    // An empty one counts as not sent.
    if (value !== "") found[name] = value;
  }
  return found;
}

async function jsonOf(exchange: Exchange): Promise<unknown> {
  const text = await bodyOf(exchange, /^application\/json\s*(;|$)/i, "application/json");
  try {
    return JSON.parse(text);
  } catch {
    throw new OauthError("invalid_client_metadata", "The body is no JSON.");
  }
}
