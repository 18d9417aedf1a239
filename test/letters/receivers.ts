import { once } from "node:events";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";

/** `dies`: the connection ends after the text, before the answer. `refuses`, `rejects`: for now, for ever. */
export type Mood = "takes" | "dies" | "refuses" | "rejects" | "waits";

export interface Mails {
  readonly port: number;
  mood: Mood;
  /** The text of each mail, whether or not it was answered. */
  readonly got: string[];
  /** How many were answered 250. */
  answered: number;
  close(): Promise<void>;
}

export async function mailServer(): Promise<Mails> {
  const sockets = new Set<Socket>();
  const mails: Mails = { port: 0, mood: "takes", got: [], answered: 0, close: async () => {} };
  const later = (code: number): Error => Object.assign(new Error("not now"), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, done) => {
      if (mails.mood === "refuses") return done(later(450));
      if (mails.mood === "rejects") return done(later(550));
      done();
    },
    onData: (stream, _session, done) => {
      text(stream).then(async (raw) => {
        mails.got.push(raw);
        if (mails.mood === "dies") {
          for (const socket of sockets) socket.destroy();
          return;
        }
        if (mails.mood === "waits") await sleep(1_500);
        mails.answered++;
        done();
      }, done);
    },
  });
  server.on("error", () => {});
  server.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return Object.assign(mails, {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((done) => server.close(() => done())),
  });
}

export interface Posted {
  readonly path: string;
  /** `webhook-id`, of events. */
  readonly id: string;
  readonly body: string;
}

export interface Hooks {
  readonly url: string;
  mood: Mood;
  /** What came whole, whether or not it was answered. */
  readonly got: Posted[];
  answered: number;
  close(): Promise<void>;
}

/** A server that takes messages of Slack and events: `refuses` with 503, `rejects` with 410. */
export async function hookServer(): Promise<Hooks> {
  const hooks: Hooks = { url: "", mood: "takes", got: [], answered: 0, close: async () => {} };
  const server = http.createServer(async (request, response) => {
    const body = await text(request);
    hooks.got.push({ path: request.url ?? "", id: String(request.headers["webhook-id"] ?? ""), body });
    if (hooks.mood === "dies") return request.socket.destroy();
    if (hooks.mood === "waits") await sleep(1_500);
    response.statusCode = hooks.mood === "refuses" ? 503 : hooks.mood === "rejects" ? 410 : 200;
    if (response.statusCode === 200) hooks.answered++;
    response.end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(hooks, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  });
}
