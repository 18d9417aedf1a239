import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
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

/** How long a client may take, in milliseconds. */
export interface Patience {
  readonly headers: number;
  readonly request: number;
  /** Between two requests. */
  readonly idle: number;
  /** Without taking a byte of its answer. */
  readonly stalled: number;
  /** In which a client takes so many bytes of an answer that waits for it: one that takes few at a time is slow too. */
  readonly pace: { readonly milliseconds: number; readonly bytes: number };
}

const PATIENCE: Patience = {
  headers: 10_000,
  request: 30_000,
  idle: 5_000,
  stalled: 60_000,
  pace: { milliseconds: 60_000, bytes: 60 * 8_192 },
};

/** The service on a port, with limits against clients that send or read slowly or not at all. */
export async function listen(
  app: Express,
  { host, port }: { host: string; port: number },
  log: Logger,
  given: Partial<Patience> = {},
): Promise<Listening> {
  const patience = { ...PATIENCE, ...given };
  const server = createServer(
    {
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      keepAliveTimeout: patience.idle,
      connectionsCheckingInterval: Math.min(1_000, patience.headers),
      maxHeaderSize: 16_384,
      // Node's own answer to a request without a host is empty: ours is as all the others.
      requireHostHeader: false,
    },
    (request, response) => {
      // Beside `close` every other word on the connection is void; in HTTP/1.0 Node heeds `keep-alive` first.
      if (/\bclose\b/i.test(request.headers.connection ?? "")) response.shouldKeepAlive = false;
      const address = addressIn(request.url ?? "");
      if (namesHost(request) && address !== undefined) {
        request.url = address;
        return app(request, response);
      }
      const { status, headers, body } = malformed();
      response.setHeaders(new Map(Object.entries(headers)));
      response.writeHead(status).end(body);
    },
  );
  // Nor has what Node says of an expectation that it does not know a body: such a header is no reason to refuse.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.maxConnections = 2_000;
  const last = lastRequests(server);
  const open = openConnections(server);
  const idle = (): Socket[] => [...open].filter((socket) => last.get(socket)?.response.writableFinished ?? true);
  const pacing = dropSlow(open, patience.pace);
  server.once("close", () => clearInterval(pacing));
  const ending = new WeakSet<Socket>();
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const before = last.get(socket);
    if (!before || isOver(before)) return refuse(socket, error.code);
    if (ending.has(socket)) return;
    ending.add(socket);
    endAfter(before, socket, patience.stalled);
  });
  server.timeout = patience.stalled;
  server.on("timeout", (socket: Socket) => {
    const response = last.get(socket)?.response;
    // Who waits for an answer is not the one who is slow.
    if (response && !response.headersSent) socket.setTimeout(patience.stalled);
    else socket.destroy();
  });
  await new Promise<void>((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      fail(new OperatorError(`cannot listen on ${host}:${port} (${error.code})`)),
    );
    server.listen(port, host, done);
  });
  server.on("error", (error) => log.error({ err: error }, "server"));
  return { port: (server.address() as AddressInfo).port, stop: () => stop(server, idle) };
}

const namesHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host !== undefined || httpVersion !== "1.1";

/**
 * The address within the service, of one in a proxy's absolute form too; undefined of what names nothing here. A router
 * that finds no path in it would answer in HTML.
 */
function addressIn(target: string): string | undefined {
  const within = target.replace(/^https?:\/\/[^/?#]+/i, "");
  if (within === "" || (within !== target && within.startsWith("?"))) return `/${within}`;
  return within.startsWith("/") || within === "*" ? within : undefined;
}

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

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What each connection has asked for last. */
function lastRequests(server: Server): WeakMap<Socket, Asked> {
  const last = new WeakMap<Socket, Asked>();
  server.on("request", (request, response) => void last.set(request.socket, { request, response }));
  return last;
}

/** Read to its end and answered, on a connection that goes on: what comes next is another request. */
const isOver = ({ request, response }: Asked): boolean =>
  request.complete &&
  response.writableFinished &&
  response.shouldKeepAlive &&
  response.getHeader("connection") !== "close";

/**
 * What is broken behind a request, in its body or after it, gets no answer of its own: whoever reads the answers would
 * take it for that of another request, or find it in the middle of this one's.
 */
function endAfter({ response }: Asked, socket: Socket, stalledMs: number): void {
  if (response.writableFinished) return void socket.destroySoon();
  response.once("finish", () => socket.destroySoon());
  // What it goes on sending is a sign of life to the connection's own clock.
  setTimeout(() => socket.destroy(), stalledMs).unref();
}

function openConnections(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return open;
}

/** Drops connections that take less than the pace while bytes wait for them. */
function dropSlow(open: ReadonlySet<Socket>, { milliseconds, bytes }: Patience["pace"]): NodeJS.Timeout {
  const before = new WeakMap<Socket, number>();
  return setInterval(() => {
    for (const socket of open) {
      const taken = socket.bytesWritten - socket.writableLength;
      const start = before.get(socket);
      if (socket.writableLength === 0) before.delete(socket);
      else if (start !== undefined && taken - start < bytes) socket.destroy();
      else before.set(socket, taken);
    }
  }, milliseconds).unref();
}

/**
 * Ends the connections that have asked for nothing yet, and those whose last answer is out to its last byte. Node's own
 * `closeIdleConnections` goes by whether an answer was handed over: it cuts what is still on its way; and a connection
 * that has never asked it does not take for idle.
 */
function stop(server: Server, idle: () => readonly Socket[]): Promise<void> {
  const closeIdle = (): void => {
    for (const socket of idle()) socket.destroySoon();
  };
  // It is what the server calls itself as it closes.
  server.closeIdleConnections = closeIdle;
  return new Promise((done) => {
    const closing = setInterval(closeIdle, 50);
    const patience = setTimeout(() => server.closeAllConnections(), PATIENCE_MS).unref();
    // Answers from here on close their connection, so that nobody is kept by a client that keeps it alive.
    server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
    server.close(() => {
      clearInterval(closing);
      clearTimeout(patience);
      done();
    });
  });
}
