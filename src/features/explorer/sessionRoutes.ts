import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import express, { type Response, type Router } from "express";
import type { Verified } from "../../core/access/credentials.ts";
import { SECRET } from "../../core/access/secret.ts";
import { ApiError } from "../../core/contract/error.ts";
import type { Authenticator } from "../../core/http/authenticator.ts";
import { type Exchange, exchangeOf, headerOf } from "../../core/http/exchange.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import { received, Unreceived } from "../../core/http/received.ts";
import { SESSION_MS, type Sessions, type Started } from "./sessions.ts";

const SESSION_PATH = "/explorer/session";

/** The header that the page adds to its requests: other pages cannot, without a permission that the service never gives. */
const PAGE_HEADER = "x-lucra-page";
const MOST = { bytes: 4096, milliseconds: 10_000 };

interface Dependencies {
  readonly sessions: Sessions;
  readonly credentials: { verify(clientId: string, secret: string): Promise<Verified | undefined> };
}

/** The sign-in of the Explorer, for the requests of its page. */
export const sessionsFeature = (deps: Dependencies): HttpFeature => ({
  paths: [SESSION_PATH],
  routes: ({ authenticator }) => sessionRouter(deps, authenticator),
  client: (request) => sessionClient(deps.sessions, request),
});

/** `/explorer/session`: signs in, signs out, and says whether the browser is signed in. */
function sessionRouter({ sessions, credentials }: Dependencies, authenticator: Authenticator): Router {
  const router = express.Router({ caseSensitive: true, strict: true });

  /** Counts as a request of the client, so that good credentials cannot fill the file of sessions. */
  const startWith = async (exchange: Exchange, clientId: string, secret: string, replaced: string | undefined) => {
    const client = await credentials.verify(clientId, secret);
    if (!client) return undefined;
    exchange.client = client;
    await authenticator.count(exchange);
    return sessions.start(client.clientId, secret, replaced);
  };

  const started = async (exchange: Exchange): Promise<Started | undefined> => {
    const sent = await sentIn(exchange);
    const replaced = tokenIn(exchange.request);
    if (typeof sent.token === "string") return sessions.redeem(sent.token, replaced);
    const { clientId, clientSecret } = sent;
    if (typeof clientId !== "string" || typeof clientSecret !== "string") return undefined;
    return startWith(exchange, clientId, clientSecret, replaced);
  };

  router
    .route(SESSION_PATH)
    .get(async (request, response) => {
      const client = await sessionClient(sessions, request);
      send(response, client ? { signedIn: true, clientId: client.clientId } : { signedIn: false });
    })
    .all((request, response, next) => {
      if (!["POST", "DELETE"].includes(request.method)) return refuseMethod(response);
      if (!isFromPage(request)) throw new ApiError("unauthorized");
      next();
    })
    .post(async (request, response) => {
      const exchange = exchangeOf(response);
      const session = await started(exchange);
      if (!session) {
        await authenticator.countFailure(exchange);
        throw new ApiError("unauthorized");
      }
      const { clientId, expiresAt } = session;
      exchange.client = { clientId, organizations: [] };
      response.setHeader("Set-Cookie", cookie(request, session.token, SESSION_MS / 1000));
      send(response, { signedIn: true, clientId, expiresAt: expiresAt.toISOString() });
    })
    .delete(async (request, response) => {
      const token = tokenIn(request);
      if (token !== undefined) await sessions.end(token);
      response.setHeader("Set-Cookie", cookie(request, "", 0));
      send(response, { signedIn: false });
    });
  return router;
}

/** The client of the request's session, if it is a request for data that the Explorer sends. */
async function sessionClient(sessions: Sessions, request: IncomingMessage): Promise<Verified | undefined> {
  const isReading = request.method === "GET" || request.method === "HEAD";
  const token = isReading && isFromPage(request) ? tokenIn(request) : undefined;
  return token === undefined ? undefined : sessions.find(token);
}

/**
 * Whether the Explorer sent the request. The cookie alone is no proof: a browser adds it to the requests of every page of
 * the same site, such as another port of the same host.
 */
const isFromPage = (request: IncomingMessage): boolean =>
  headerOf(request, PAGE_HEADER) === "1" || headerOf(request, "sec-fetch-site") === "same-origin";

/** Whether the browser came over TLS, to the service or to its proxy. The header is not verified: it affects only the cookie of its sender. */
function isSecure(request: IncomingMessage): boolean {
  if ((request.socket as Partial<TLSSocket>).encrypted) return true;
  const [proto = ""] = headerOf(request, "x-forwarded-proto").split(",");
  return proto.trim() === "https" || /^[^,]*\bproto="?https\b/i.test(headerOf(request, "forwarded"));
}

/** Over TLS the prefix keeps other hosts of the domain from setting the cookie. */
const nameFor = (request: IncomingMessage): string => (isSecure(request) ? "__Host-lucra_session" : "lucra_session");

function cookie(request: IncomingMessage, token: string, seconds: number): string {
  const parts = [`${nameFor(request)}=${token}`, "Path=/", `Max-Age=${seconds}`, "HttpOnly", "SameSite=Strict"];
  return [...parts, ...(isSecure(request) ? ["Secure"] : [])].join("; ");
}

/** The token in the request's cookie. If two cookies have this name, neither is used. */
function tokenIn(request: IncomingMessage): string | undefined {
  const name = `${nameFor(request)}=`;
  const sent = headerOf(request, "cookie")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name));
  const token = sent.length === 1 ? sent[0]?.slice(name.length) : undefined;
  return token !== undefined && SECRET.test(token) ? token : undefined;
}

/** The body of a sign-in: an id and a secret, or the token of a one-time link. */
type Sent = Readonly<Partial<Record<"clientId" | "clientSecret" | "token", unknown>>>;

/** Returns {} unless the body is a small JSON object. */
async function sentIn({ request, response }: Exchange): Promise<Sent> {
  if (!/^application\/json\b/i.test(headerOf(request, "content-type"))) return {};
  try {
    const sent: unknown = JSON.parse((await received(request, MOST)).toString("utf8"));
    return typeof sent === "object" && sent !== null ? sent : {};
  } catch (error) {
    // The rest of the body would follow.
    if (error instanceof Unreceived) response.setHeader("Connection", "close");
    return {};
  }
}

function refuseMethod(response: Response): void {
  response.statusCode = 405;
  response.setHeader("Allow", "GET, HEAD, POST, DELETE");
  send(response, { error: "Method Not Allowed", message: "Somente GET, POST e DELETE são permitidos." });
}

function send(response: Response, body: object): void {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Cache-Control", "no-store");
  response.end(JSON.stringify(body));
}
