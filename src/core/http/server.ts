import { randomUUID } from "node:crypto";
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Express } from "express";
import type { Logger } from "pino";
import { OperatorError } from "../contract/error.ts";
import { limitConnections } from "./connections.ts";

export interface Listening {
  readonly port: number;
  /** Stops accepting requests, answers the accepted ones, and ends. */
  stop(): Promise<void>;
}

/** How long a stop waits for pending answers. */
const PATIENCE_MS = 10_000;

/** Time limits for clients, in milliseconds. */
export interface Patience {
  readonly headers: number;
  readonly request: number;
  /** Between two requests. */
  readonly idle: number;
  /** Without reading a byte of its answer. */
  readonly stalled: number;
  /** A client must read this many bytes of a waiting answer in this time: reading a few bytes at a time is slow too. */
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
  app: RequestListener,
  { host, port, connectionsPerAddress = 0 }: { host: string; port: number; connectionsPerAddress?: number },
  log: Logger,
  given: Partial<Patience> = {},
): Promise<Listening> {
  const patience = { ...PATIENCE, ...given };
  const current = new WeakMap<Socket, ServerResponse>();
  const server = createServer(
    {
      ...ownMessages(app),
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      keepAliveTimeout: patience.idle,
      connectionsCheckingInterval: Math.min(1_000, patience.headers),
      maxHeaderSize: 16_384,
      // Node answers a request without a host with an empty body: answer it like all others instead.
      requireHostHeader: false,
    },
    inOrder(current, (request, response) => {
      // `close` overrides every other token of `Connection`; in HTTP/1.0 Node gives `keep-alive` precedence.
      if (/\bclose\b/i.test(request.headers.connection ?? "")) response.shouldKeepAlive = false;
      const address = addressIn(request.url ?? "");
      if (namesHost(request) && address !== undefined) {
        request.url = address;
        return app(request, response);
      }
      const { status, headers, body } = malformed();
      response.setHeaders(new Map(Object.entries(headers)));
      response.writeHead(status).end(body);
    }),
  );
  // Node answers an unknown `Expect` with an empty 417; ignore the header instead.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  limitConnections(server, connectionsPerAddress, log);
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
    const response = current.get(socket);
    // A client that waits for its answer is not slow.
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

/**
 * Requests and responses that have the prototypes of the Express app from the start. Express sets them otherwise, after which
 * V8 gives each object a hidden class of its own with every further property, and each access to it is slow: an answer
 * takes twice the time.
 */
function ownMessages(
  app: RequestListener & Partial<Pick<Express, "request" | "response">>,
): Pick<ServerOptions, "IncomingMessage" | "ServerResponse"> {
  const { request, response } = app;
  if (!request || !response) return {};
  function Request(this: IncomingMessage, socket: Socket): void {
    Reflect.apply(IncomingMessage, this, [socket]);
  }
  function Response(this: ServerResponse, ...given: unknown[]): void {
    Reflect.apply(ServerResponse, this, given);
  }
  Request.prototype = request;
  Response.prototype = response;
  return {
    IncomingMessage: Request as unknown as typeof IncomingMessage,
    ServerResponse: Response as unknown as typeof ServerResponse,
  };
}

/** How many requests of a connection may wait for the answers to earlier ones. */
const MOST_WAITING = 32;

/**
 * Answers the requests of a connection one at a time; `current` is the one. Node gives a response its socket when the
 * earlier ones have been sent, and a response without a socket does not emit `close` when the client leaves: its files
 * and places would never be released. A connection on which more requests wait is closed, because Node reads on.
 */
function inOrder(current: WeakMap<Socket, ServerResponse>, answer: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const begin = (): void => {
      current.set(socket, response);
      answer(request, response);
    };
    if (response.socket) return begin();
    const others = waiting.get(socket) ?? 0;
    if (others === MOST_WAITING) return void socket.destroy();
    waiting.set(socket, others + 1);
    response.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
      if (!socket.destroyed) begin();
    });
  };
}

const namesHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host !== undefined || httpVersion !== "1.1";

/**
 * The path and query of a request target, which may have a proxy's absolute form; undefined if it names nothing here. A
 * router that finds no path in it would answer in HTML.
 */
function addressIn(target: string): string | undefined {
  const within = target.replace(/^https?:\/\/[^/?#]+/i, "");
  if (within === "" || (within !== target && within.startsWith("?"))) return `/${within}`;
  return within.startsWith("/") || within === "*" ? within : undefined;
}

/** The answer to a request too malformed to reach the service: it is JSON with an id like any other. */
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

/** Only ending the socket would leave slow clients connected. */
function refuse(socket: Socket, code: string | undefined): void {
  const { status, reason, headers, body } = malformed(code);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}\r\n${body}`);
  socket.destroySoon?.();
  setTimeout(() => socket.destroy(), 100).unref();
}

interface Handled {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The last request of each connection. */
function lastRequests(server: Server): WeakMap<Socket, Handled> {
  const last = new WeakMap<Socket, Handled>();
  server.on("request", (request, response) => void last.set(request.socket, { request, response }));
  return last;
}

/** Whether the request was read completely and answered on a connection that stays open: the next bytes are a new request. */
const isOver = ({ request, response }: Handled): boolean =>
  request.complete &&
  response.writableFinished &&
  response.shouldKeepAlive &&
  response.getHeader("connection") !== "close";

/**
 * Malformed bytes in a request's body or after it get no answer of their own: the client would take it for the answer to
 * another request, or find it in the middle of this one.
 */
function endAfter({ response }: Handled, socket: Socket, stalledMs: number): void {
  if (response.writableFinished) return void socket.destroySoon();
  response.once("finish", () => socket.destroySoon());
  // Further bytes from the client would keep resetting the socket's own timeout.
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

/** Drops connections that read slower than the pace while bytes wait for them. */
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
 * Ends connections without a request, and those whose last answer has been sent to its last byte. Node's own
 * `closeIdleConnections` truncates answers that were handed over but not yet sent, and does not count a connection
 * without a request as idle.
 */
function stop(server: Server, idle: () => readonly Socket[]): Promise<void> {
  const closeIdle = (): void => {
    for (const socket of idle()) socket.destroySoon();
  };
  // `server.close()` calls this method: replace it so that it uses the definition of idle above.
  server.closeIdleConnections = closeIdle;
  return new Promise((done) => {
    const closing = setInterval(closeIdle, 50);
    const patience = setTimeout(() => server.closeAllConnections(), PATIENCE_MS).unref();
    // Later answers close their connection, so that a client that keeps it alive cannot delay the stop.
    server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
    server.close(() => {
      clearInterval(closing);
      clearTimeout(patience);
      done();
    });
  });
}
