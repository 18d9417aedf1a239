import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Express } from "express";
import type { Logger } from "pino";
import { OperatorError } from "../contract/error.ts";

export interface Listening {
  readonly port: number;
  /** Answers what was accepted, takes nothing new, and ends. */
  stop(): Promise<void>;
}

/** How long a stop waits for answers under way. */
const PATIENCE_MS = 10_000;

/** The service on a port, with limits against clients that send slowly or not at all. */
export async function listen(
  app: Express,
  { host, port }: { host: string; port: number },
  log: Logger,
): Promise<Listening> {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16_384,
    },
    app,
  );
  server.maxConnections = 2_000;
  const silent = silentConnections(server);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuse(error, socket as Socket));
  await new Promise<void>((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      fail(new OperatorError(`cannot listen on ${host}:${port} (${error.code})`)),
    );
    server.listen(port, host, done);
  });
  server.on("error", (error) => log.error({ err: error }, "server"));
  return { port: (server.address() as AddressInfo).port, stop: () => stop(server, silent) };
}

/** A request too broken to reach the service: JSON all the same. Ending alone would leave slow sockets open. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  const [status, reason, message] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? [431, "Request Header Fields Too Large", "Os cabeçalhos ou o endereço são grandes demais."]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [408, "Request Timeout", "A requisição demorou demais."]
        : [400, "Bad Request", "A requisição está malformada."];
  const body = JSON.stringify({ error: reason, message });
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon?.();
  setTimeout(() => socket.destroy(), 100).unref();
}

/** Connections that have asked for nothing yet. Node does not take them for idle; a stop would wait for them. */
function silentConnections(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", ({ socket }) => silent.delete(socket));
  return silent;
}

function stop(server: Server, silent: ReadonlySet<Socket>): Promise<void> {
  return new Promise((done) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const patience = setTimeout(() => server.closeAllConnections(), PATIENCE_MS).unref();
    server.close(() => {
      clearInterval(idle);
      clearTimeout(patience);
      done();
    });
    // Answers from here on close their connection, so that nobody is kept by a client that keeps it alive.
    server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
    server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  });
}
