import { readFile } from "node:fs/promises";
import http, { type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { ROOT } from "./data.ts";

/** A certificate for localhost, that signs itself. */
const TLS = path.join(ROOT, "test", "support", "tls");
export const CERTIFICATE = path.join(TLS, "cert.pem");

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A server that receives webhooks. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly received: Received[];
  /** How it answers; 200 at first. */
  answer: (response: ServerResponse) => void;
  /** Resolves when it has received so many requests; fails after a minute. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startReceiver(isSecure = false): Promise<Receiver> {
  let check = (): void => {};
  const receiver = {
    received: [] as Received[],
    answer: (response: ServerResponse): void => void response.end("thanks"),
  };
  const listener: RequestListener = async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    receiver.received.push({ path: request.url ?? "", headers: request.headers, text });
    receiver.answer(response);
    check();
  };
  const server = isSecure
    ? https.createServer(
        { key: await readFile(path.join(TLS, "key.pem")), cert: await readFile(CERTIFICATE) },
        listener,
      )
    : http.createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    port,
    url: `${isSecure ? "https" : "http"}://127.0.0.1:${port}/hook/token-of-the-path`,
    until: (count: number) =>
      new Promise<void>((done, fail) => {
        const limit = setTimeout(
          () => fail(new Error(`received ${receiver.received.length} of ${count} requests`)),
          60_000,
        );
        check = () => {
          if (receiver.received.length < count) return;
          clearTimeout(limit);
          done();
        };
        check();
      }),
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  });
}
