import type { Server } from "node:http";
import type { Socket } from "node:net";
import { ipKeyGenerator } from "express-rate-limit";
import type { Logger } from "pino";

/** All connections of the service. */
const MOST = 2_000;
/** A proxy on the same machine connects from these, for all its clients. */
const SAME_MACHINE = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
/** How often refused connections are logged. */
const LOG_EVERY_MS = 60_000;

/**
 * Closes connections beyond the limits, so that one client cannot take those of all others. An IPv6 subnet counts as one
 * address. `perAddress` 0: only the total is limited, as for connections from the same machine.
 */
export function limitConnections(server: Server, perAddress: number, log: Logger): void {
  const refused = logSeldom(log);
  server.maxConnections = MOST;
  server.on("drop", () => refused({ limit: MOST }));
  if (perAddress === 0) return;
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    if (SAME_MACHINE.has(socket.remoteAddress ?? "")) return;
    const address = ipKeyGenerator(socket.remoteAddress ?? "");
    const count = (open.get(address) ?? 0) + 1;
    if (count > perAddress) {
      socket.destroy();
      return refused({ limit: perAddress, setting: "LUCRA_CONNECTIONS_PER_ADDRESS" });
    }
    open.set(address, count);
    socket.once("close", () => {
      const others = (open.get(address) ?? 0) - 1;
      if (others > 0) open.set(address, others);
      else open.delete(address);
    });
  });
}

function logSeldom(log: Logger): (reason: object) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (reason) => {
    const now = performance.now();
    if (now - loggedAt < LOG_EVERY_MS) return;
    loggedAt = now;
    log.warn(reason, "connections refused");
  };
}
