import type { IncomingMessage } from "node:http";
import express, { type Response, type Router } from "express";
import { roleIn, type Verified } from "../../core/access/credentials.ts";
import { ApiError } from "../../core/contract/error.ts";
import type { Authenticator } from "../../core/http/authenticator.ts";
import { type Exchange, exchangeOf, headerOf } from "../../core/http/exchange.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import { received, Unreceived } from "../../core/http/received.ts";
import { isFromPage } from "../platform/requests.ts";
import { cookie, tokenOf } from "./cookies.ts";
import { SESSION_MS, type Sessions, type Started } from "./sessions.ts";

const SESSION_PATH = "/explorer/session";
const MOST = { bytes: 4096, milliseconds: 10_000 };

interface Dependencies {
  readonly sessions: Sessions;
  readonly credentials: { verify(clientId: string, secret: string): Promise<Verified | undefined> };
  /** How people sign in; undefined: they do not. */
  readonly signIn?: { readonly mail: boolean } | undefined;
}

/** The session of the Explorer, for the requests of its page. */
export const sessionsFeature = (deps: Dependencies): HttpFeature => ({
  paths: [SESSION_PATH],
  routes: ({ authenticator }) => sessionRouter(deps, authenticator),
  client: (request) => sessionClient(deps.sessions, request),
});

/** `/explorer/session`: signs in with a key, signs out, and says who is signed in. */
function sessionRouter({ sessions, credentials, signIn }: Dependencies, authenticator: Authenticator): Router {
  const router = express.Router({ caseSensitive: true, strict: true });

  /** Counts as a request of the client, so that good credentials cannot fill the file of sessions. */
  const started = async (exchange: Exchange): Promise<(Started & { clientId: string }) | undefined> => {
    const { clientId, clientSecret } = await sentIn(exchange);
    if (typeof clientId !== "string" || typeof clientSecret !== "string") return undefined;
    const client = await credentials.verify(clientId, clientSecret);
    if (!client) return undefined;
    exchange.client = client;
    await authenticator.count(exchange);
    const replaced = tokenOf(exchange.request, "lucra_session");
    return { clientId, ...(await sessions.start(clientId, clientSecret, replaced)) };
  };

  router
    .route(SESSION_PATH)
    .get(async (request, response) => {
      const client = await sessionClient(sessions, request);
      send(response, { ...shownOf(client), signIn: signIn ?? null });
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
      response.setHeader("Set-Cookie", cookie(request, "lucra_session", session.token, SESSION_MS / 1000));
      send(response, { signedIn: true, clientId, expiresAt: expiresAt.toISOString() });
    })
    .delete(async (request, response) => {
      const token = tokenOf(request, "lucra_session");
      if (token !== undefined) await sessions.end(token);
      response.setHeader("Set-Cookie", cookie(request, "lucra_session", "", 0));
      send(response, { signedIn: false });
    });
  return router;
}

const shownOf = (client: Verified | undefined): object => {
  if (!client) return { signedIn: false };
  const { clientId, person } = client;
  return person ? { signedIn: true, person: person.email } : { signedIn: true, clientId };
};

/** The client of the request's session, if it is a request for data that the Explorer sends. */
async function sessionClient(sessions: Sessions, request: IncomingMessage): Promise<Verified | undefined> {
  const isReading = request.method === "GET" || request.method === "HEAD";
  const client = isReading && isFromPage(request) ? await signedInWith(sessions, request) : undefined;
  return client && { ...client, isViewer: (organization) => !isAdmin(client, organization) };
}

/** A key only reads [D90]. */
const isAdmin = ({ person }: Verified, organization: string): boolean =>
  person !== undefined && (person.isOperator || roleIn(person, organization) === "admin");

/** The client of the session that the request's cookie names. */
export async function signedInWith(sessions: Sessions, request: IncomingMessage): Promise<Verified | undefined> {
  const token = tokenOf(request, "lucra_session");
  return token === undefined ? undefined : sessions.find(token);
}

/** The body of a sign-in: an id and a secret. */
type Sent = Readonly<Partial<Record<"clientId" | "clientSecret", unknown>>>;

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
