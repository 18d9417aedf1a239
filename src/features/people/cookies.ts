import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { SECRET } from "../../core/access/secret.ts";
import { headerOf } from "../../core/http/exchange.ts";

/** The session, and the browser that asked for a link. */
type CookieName = "lucra_session" | "lucra_asked";

/** Whether the browser came over TLS, to the service or to its proxy. The header is not verified: it affects only the cookie of its sender. */
function isSecure(request: IncomingMessage): boolean {
  if ((request.socket as Partial<TLSSocket>).encrypted) return true;
  const [proto = ""] = headerOf(request, "x-forwarded-proto").split(",");
  return proto.trim() === "https" || /^[^,]*\bproto="?https\b/i.test(headerOf(request, "forwarded"));
}

/** Over TLS the prefix keeps other hosts of the domain from setting the cookie. */
const nameFor = (request: IncomingMessage, name: CookieName): string => (isSecure(request) ? `__Host-${name}` : name);

/** The header that sets a cookie, which scripts cannot read; `seconds`: 0 removes it. */
export function cookie(request: IncomingMessage, name: CookieName, token: string, seconds: number): string {
  const parts = [`${nameFor(request, name)}=${token}`, "Path=/", `Max-Age=${seconds}`, "HttpOnly", "SameSite=Strict"];
  return [...parts, ...(isSecure(request) ? ["Secure"] : [])].join("; ");
}

/** The token in a cookie of the request. If two cookies have this name, neither is used. */
export function tokenOf(request: IncomingMessage, cookieName: CookieName): string | undefined {
  const name = `${nameFor(request, cookieName)}=`;
  const sent = headerOf(request, "cookie")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name));
  const token = sent.length === 1 ? sent[0]?.slice(name.length) : undefined;
  return token !== undefined && SECRET.test(token) ? token : undefined;
}
