import type { IncomingMessage } from "node:http";

/**
 * Whether the requested host is a loopback name. A web page can point its own host name to this machine (DNS rebinding)
 * and send requests from a local browser; the host name reveals them.
 */
export const isLoopbackName = (request: IncomingMessage): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(request.headers.host ?? "");

/** Whether a process of this machine sent the request for itself. A local proxy forwards for others and says so. */
export function isLocal(request: IncomingMessage): boolean {
  const loopback = /^(::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? "");
  const isProxied = ["forwarded", "via", "x-forwarded-for", "x-real-ip"].some((name) => request.headers[name]);
  return loopback && isLoopbackName(request) && !isProxied;
}
