import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface Received {
  readonly to: readonly string[];
  /** Headers and text as they came. */
  readonly raw: string;
  readonly at: number;
}

export interface Smtp {
  readonly port: number;
  readonly received: Received[];
  close(): Promise<void>;
}

/** A server that takes mails, without TLS unless `options` say otherwise. */
export async function smtpServer(options: SMTPServerOptions = { disabledCommands: ["STARTTLS"] }): Promise<Smtp> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    ...options,
    onData: (stream, session, done) => {
      text(stream).then((raw) => {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw, at: performance.now() });
        done();
      }, done);
    },
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    close: () => new Promise((done) => server.close(() => done())),
  };
}
