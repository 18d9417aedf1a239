import type { Request } from "express";

/**
 * Whether the address names this machine. A page in a browser of the machine may ask for what its own name leads to, and
 * have that lead here (DNS rebinding): the name it asks for tells.
 */
export const isLoopbackName = (request: Request): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(request.headers.host ?? "");

/** Asked by a process of this machine for itself; a proxy beside the service asks for others, and says so. */
export function isLocal(request: Request): boolean {
  const loopback = /^(::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? "");
  const isProxied = ["forwarded", "via", "x-forwarded-for", "x-real-ip"].some((name) => request.headers[name]);
  return loopback && isLoopbackName(request) && !isProxied;
}
