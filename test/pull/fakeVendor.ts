import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const TOKEN = "EAAsecret-token-of-the-test";
export const ACCOUNT = "1234567890";

type Fault = (response: ServerResponse) => void;

export const FAULTS = {
  throttle: (response) => json(response, 429, { error: { message: "slow down" } }, { "retry-after": "0.2" }),
  broken: (response) => json(response, 503, { error: { message: "down", code: 2 } }),
  html: (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>proxy</html>"),
  cut: (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"data": [');
    setTimeout(() => response.destroy(), 20);
  },
  unparsable: (response) => void response.writeHead(200, { "content-type": "application/json" }).end('{"data": [}'),
  silence: () => {},
  silentBody: (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"data": [');
  },
  refused: (response) => json(response, 401, { error: { message: `Invalid token ${TOKEN}`, code: 190 } }),
  longWait: (response) => json(response, 429, { error: { message: "come back later" } }, { "retry-after": "7200" }),
  elsewhere: (response) => void response.writeHead(302, { location: "https://elsewhere.example/" }).end(),
} satisfies Record<string, Fault>;

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** A small ad account behind a real HTTP server: one campaign a day, one ad set. */
export class FakeVendor {
  readonly #server: Server;
  readonly requests: string[] = [];
  readonly at: number[] = [];
  /** The next answers' faults, in order. */
  faults: (keyof typeof FAULTS)[] = [];
  /** Applied to every answer. */
  always: keyof typeof FAULTS | undefined;
  delayMs = 0;
  spend = "10.50";
  /** The last day that has rows: the vendor's figures are late. Each request for rows moves it by so many days. */
  clock = "9999-12-31";
  clockStep = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<FakeVendor> {
    const server = createServer();
    const vendor = new FakeVendor(server);
    server.on("request", (request, response) => vendor.#answer(request, response));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((done) => this.#server.close(() => done()));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(request.url ?? "");
    this.at.push(performance.now());
    const fault = this.always ?? this.faults.shift();
    if (fault) FAULTS[fault](response);
    else setTimeout(() => this.#fine(request, response), this.delayMs);
  }

  #fine(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers.authorization === `Bearer ${TOKEN}`) json(response, 200, this.#bodyOf(request));
    else FAULTS.refused(response);
  }

  #bodyOf(request: IncomingMessage): unknown {
    const url = new URL(request.url ?? "", this.url);
    if (url.pathname.endsWith("/adsets"))
      return { data: [{ id: "7", name: "Set", created_time: "2024-01-01T00:00:00+0000" }] };
    if (!url.pathname.endsWith("/insights")) return { name: "Account", currency: "BRL" };
    const { since, until } = JSON.parse(url.searchParams.get("time_range") ?? "{}") as { since: string; until: string };
    const data: unknown[] = [];
    const last = Date.parse(this.clock);
    if (this.clockStep) this.clock = new Date(last + this.clockStep * 86_400_000).toISOString().slice(0, 10);
    for (let day = Date.parse(since); day <= Math.min(Date.parse(until), last); day += 86_400_000) {
      const date = new Date(day).toISOString().slice(0, 10);
      const row = {
        account_id: ACCOUNT,
        campaign_id: "1",
        campaign_name: "Brand",
        spend: this.spend,
        impressions: "5",
      };
      data.push({ ...row, date_start: date, date_stop: date });
    }
    return { data };
  }
}
