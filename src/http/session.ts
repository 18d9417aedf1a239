import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Verified } from "../access/credentials.ts";
import { SECRET } from "../access/secret.ts";
import { SESSION_MS, type Sessions, type Started } from "../access/sessions.ts";
import { ApiError } from "../contract/error.ts";
import { type Exchange, headerOf } from "./exchange.ts";

export const SESSION_PATH = "/explorer/session";

/** The header that the page adds to its requests: other pages cannot, without a permission that the service never gives. */
const PAGE_HEADER = "x-lucra-page";
const MOST_BYTES = 4096;

interface Dependencies {
  readonly sessions: Sessions;
  readonly credentials: { verify(clientId: string, secret: string): Promise<Verified | undefined> };
  /** Counts a failure of the request's address, and returns the error of the answer. */
  readonly failed: (exchange: Exchange) => Promise<ApiError>;
}

/** Answers `/explorer/session`: signs in, signs out, and says whether the browser is signed in. */
export class SessionDoor {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async answer(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    if (request.method === "GET" || request.method === "HEAD") return this.#show(exchange);
    if (request.method !== "POST" && request.method !== "DELETE") return refuseMethod(exchange);
    if (!isFromPage(request)) throw new ApiError("unauthorized");
    return request.method === "POST" ? this.#signIn(exchange) : this.#signOut(exchange);
  }

  async #show({ request, response }: Exchange): Promise<void> {
    const client = await sessionClient(this.#deps.sessions, request);
    send(response, client ? { signedIn: true, clientId: client.clientId } : { signedIn: false });
  }

  async #signIn(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const started = await this.#started(await sentBy(request), tokenIn(request));
    if (!started) throw await this.#deps.failed(exchange);
    exchange.clientId = started.clientId;
    response.setHeader("Set-Cookie", cookie(request, started.token, SESSION_MS / 1000));
    const { clientId, expiresAt } = started;
    send(response, { signedIn: true, clientId, expiresAt: expiresAt.toISOString() });
  }

  async #started(sent: Sent, replaced: string | undefined): Promise<Started | undefined> {
    const { sessions, credentials } = this.#deps;
    if (typeof sent.token === "string") return sessions.redeem(sent.token, replaced);
    const { clientId, clientSecret } = sent;
    if (typeof clientId !== "string" || typeof clientSecret !== "string") return undefined;
    const client = await credentials.verify(clientId, clientSecret);
    return client && sessions.start(client.clientId, clientSecret, replaced);
  }

  async #signOut({ request, response }: Exchange): Promise<void> {
    const token = tokenIn(request);
    if (token !== undefined) await this.#deps.sessions.end(token);
    response.setHeader("Set-Cookie", cookie(request, "", 0));
    send(response, { signedIn: false });
  }
}

/** The client of the request's session, if it is a request for data that the Explorer sends. */
export async function sessionClient(sessions: Sessions, request: IncomingMessage): Promise<Verified | undefined> {
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

/** The token in the request's cookie. Of two cookies with the name nothing says which one is ours. */
function tokenIn(request: IncomingMessage): string | undefined {
  const name = `${nameFor(request)}=`;
  const sent = headerOf(request, "cookie")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name));
  const token = sent.length === 1 ? sent[0]?.slice(name.length) : undefined;
  return token !== undefined && SECRET.test(token) ? token : undefined;
}

/** What a sign-in sends: an id and a secret, or the token of a one-time link. */
type Sent = Readonly<Partial<Record<"clientId" | "clientSecret" | "token", unknown>>>;

/** Anything but a small JSON object is no sign-in. */
async function sentBy(request: IncomingMessage): Promise<Sent> {
  if (!/^application\/json\b/i.test(headerOf(request, "content-type"))) return {};
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    // Read to its end, because leaving early would destroy the connection before the answer.
    if (bytes <= MOST_BYTES) parts.push(part);
  }
  if (bytes > MOST_BYTES) return {};
  try {
    const sent: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    return typeof sent === "object" && sent !== null ? sent : {};
  } catch {
    return {};
  }
}

function refuseMethod({ response }: Exchange): void {
  response.statusCode = 405;
  response.setHeader("Allow", "GET, HEAD, POST, DELETE");
  send(response, { error: "Method Not Allowed", message: "Somente GET, POST e DELETE são permitidos." });
}

function send(response: ServerResponse, body: object): void {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Cache-Control", "no-store");
  response.end(JSON.stringify(body));
}
