import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
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
      // Node's own answer to a request without a host is empty: ours is as all the others.
      requireHostHeader: false,
    },
    (request, response) => {
      if (namesHost(request)) return app(request, response);
      const { status, headers, body } = malformed();
      response.writeHead(status, headers).end(body);
    },
  );
  // Nor has what Node says of an expectation that it does not know a body: such a header is no reason to refuse.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.maxConnections = 2_000;
  const silent = silentConnections(server);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuse(socket as Socket, error.code));
  await new Promise<void>((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      fail(new OperatorError(`cannot listen on ${host}:${port} (${error.code})`)),
    );
    server.listen(port, host, done);
  });
  server.on("error", (error) => log.error({ err: error }, "server"));
  return { port: (server.address() as AddressInfo).port, stop: () => stop(server, silent) };
}

const namesHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host !== undefined || httpVersion !== "1.1";

/** The answer to a request too broken to reach the service: JSON and an id all the same. */
function malformed(code?: string) {
  const [status, reason, message] =
    code === "HPE_HEADER_OVERFLOW"
      ? ([431, "Request Header Fields Too Large", "Os cabeçalhos ou o endereço são grandes demais."] as const)
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ([408, "Request Timeout", "A requisição demorou demais."] as const)
        : ([400, "Bad Request", "A requisição está malformada."] as const);
  const body = JSON.stringify({ error: reason, message });
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "X-Request-Id": randomUUID(),
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-cache",
    Connection: "close",
  };
  return { status, reason, headers, body };
}

/** Ending alone would leave slow sockets open. */
function refuse(socket: Socket, code: string | undefined): void {
  const { status, reason, headers, body } = malformed(code);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}\r\n${body}`);
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
