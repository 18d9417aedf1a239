import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const REFRESH = {
  clientId: "client-of-the-test",
  clientSecret: "cs-of-the-test",
  refreshToken: "rt-of-the-test",
};

const WAIT_MS = 150;

/** An API with short tokens, and the endpoint that issues them. A throttled client is told to wait in the vendor's own header. */
export class TokenVendor {
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #uses = new Map<string, number>();
  readonly forms: URLSearchParams[] = [];
  requests = 0;
  /** Requests that came before the wait was over that an answer had named. */
  early = 0;
  /** How many requests a token is good for. */
  uses = Number.POSITIVE_INFINITY;
  /** The requests, by their number from 1 on, that are throttled. */
  throttled: (request: number) => boolean = () => false;
  /** The answer of the token endpoint, instead of a token. */
  refusal: { readonly status: number; readonly body: unknown } | undefined;
  more: Readonly<Record<string, unknown>> = {};
  #quietUntil = 0;

  static async start(): Promise<TokenVendor> {
    const vendor = new TokenVendor();
    vendor.#server.listen(0, "127.0.0.1");
    await once(vendor.#server, "listening");
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const number = ++this.requests;
    if (performance.now() < this.#quietUntil) this.early++;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const send = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    };
    if (this.throttled(number)) {
      // Requests that are under way already may come meanwhile: none is counted before the answer is there.
      const headers = { "x-hubspot-ratelimit-interval-milliseconds": String(WAIT_MS) };
      response.once("finish", () => {
        this.#quietUntil = performance.now() + WAIT_MS * 0.9;
      });
      return send(429, { message: "You have reached your limit.", policyName: "TEN_SECONDLY_ROLLING" }, headers);
    }
    if (request.url === "/token") return this.#issue(new URLSearchParams(Buffer.concat(parts).toString()), send);
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const used = this.#uses.get(token);
    if (used === undefined || used >= this.uses) return send(401, { message: `the token ${token} is not valid` });
    this.#uses.set(token, used + 1);
    send(200, { results: [] });
  }

  #issue(form: URLSearchParams, send: (status: number, body: unknown) => void): void {
    this.forms.push(form);
    if (this.refusal) {
      send(this.refusal.status, this.refusal.body);
      return;
    }
    const token = `issued-token-${this.forms.length}`;
    this.#uses.set(token, 0);
    send(200, { access_token: token, token_type: "bearer", expires_in: 1800, ...this.more });
  }
}
