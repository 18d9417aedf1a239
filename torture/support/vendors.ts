import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Connector } from "../../src/core/contract/record.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import type { Answer, Asked } from "../../test/pull/shop.ts";
import { AURORA, SOCIALADS, STOREA, STOREB, seeded } from "../../test/support/data.ts";
import { Accounts } from "./accounts.ts";

const CRM = "f62c1523-60a3-4e8f-8b66-73e490fbc206";
const TIMEZONE = "America/Sao_Paulo";
/** A throttled client is told to wait so long. */
const WAIT_MS = 100;
const SILENT_MS = 200;
/** Requests that an access token is good for. */
const USES = 12;

interface Access {
  readonly integration: string;
  readonly connector: Connector;
  readonly account: Readonly<Record<string, string>>;
  readonly records: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
}

const secret = (name: string): string => `${name}-${randomBytes(12).toString("hex")}`;

/** The faults of a request, apart from those in the answers. */
const FAULTS = ["throttled", "failed", "silent", "cut", "a web page", "unparsable", "expired", "repeated"] as const;
type Fault = (typeof FAULTS)[number];

/** The stand-ins of four vendors behind one HTTP server, whose requests go wrong by chance. */
export class Vendors {
  readonly accounts: Accounts;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #random: () => number;
  readonly #access: Readonly<Record<string, Access>>;
  readonly #tokens = new Map<string, number>();
  readonly #quietUntil = new Map<string, number>();
  readonly struck = new Map<Fault, number>();
  /** The share of requests with a fault, and before how many of them an object changes. */
  faults = 0;
  drift = 0;
  requests = 0;
  /** Requests of a process that had been told to wait for longer. */
  early = 0;
  /** The credentials are refused, with a text that repeats them. */
  isRefusing = false;

  private constructor(seed: number) {
    this.#random = seeded(seed);
    this.accounts = new Accounts(this.#random, "2025-01-01T12:00:00Z", "2025-06-01T12:00:00Z");
    this.#access = {
      meta: {
        integration: SOCIALADS,
        connector: "socialads",
        account: { adAccountId: "1234567890" },
        records: ["adset-config", "campaigns"],
        secrets: { accessToken: secret("EAA") },
      },
      hubspot: {
        integration: CRM,
        connector: "crm",
        account: {},
        records: ["contacts"],
        secrets: { clientId: secret("client"), clientSecret: secret("cs"), refreshToken: secret("rt") },
      },
      vtex: {
        integration: STOREA,
        connector: "storea",
        account: { account: "mystore" },
        records: ["orders", "products", "inventory"],
        secrets: { appKey: secret("key"), appToken: secret("token") },
      },
      shopify: {
        integration: STOREB,
        connector: "storeb",
        account: { shop: "my-shop", apiVersion: "2025-10" },
        records: ["orders", "products"],
        secrets: { accessToken: secret("shpat") },
      },
    };
  }

  static async start(seed: number): Promise<Vendors> {
    const vendors = new Vendors(seed);
    vendors.#server.listen(0, "127.0.0.1");
    await once(vendors.#server, "listening");
    return vendors;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get #url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Every secret of the settings, and every token that was issued. */
  get secrets(): string[] {
    return [...Object.values(this.#access).flatMap(({ secrets }) => Object.values(secrets)), ...this.#tokens.keys()];
  }

  secretsOf(): [integration: string, secrets: Readonly<Record<string, string>>][] {
    return Object.values(this.#access).map(({ integration, secrets }) => [integration, secrets]);
  }

  settings(): Organization {
    return {
      organizationId: AURORA,
      name: "Torture",
      currency: "BRL",
      integrations: Object.entries(this.#access).map(([vendor, { integration, connector, account, records }]) => ({
        id: integration,
        connector,
        name: vendor,
        timezone: TIMEZONE,
        pull: {
          since: "2025-01-01",
          ...(Object.keys(account).length > 0 ? { account } : {}),
          records: [...records],
          baseUrl: `${this.#url}/${vendor}`,
          ...(vendor === "hubspot" ? { tokenUrl: `${this.#url}/hubspot/token` } : {}),
        },
      })),
      margin: { items: { costOfGoods: "orders" } },
    };
  }

  /** Another process begins: it knows nothing of the waits that the one before was told. */
  forgetWaits(): void {
    this.#quietUntil.clear();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = new URL(request.url ?? "", this.#url);
    const [, vendor = "", path = ""] = /^\/([^/]*)(\/.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const { method = "", headers } = request;
    const asked = { method, path, query: url.searchParams, body: Buffer.concat(parts).toString(), headers };
    this.requests++;
    if (performance.now() < (this.#quietUntil.get(vendor) ?? 0)) this.early++;
    const fault = this.#random() < this.faults ? FAULTS[Math.floor(this.#random() * FAULTS.length)] : undefined;
    if (fault) this.struck.set(fault, (this.struck.get(fault) ?? 0) + 1);
    if (this.#random() < this.drift) this.accounts.change();
    // A vendor may repeat what was sent to it.
    const repeated = JSON.stringify({ ...headers, body: asked.body, address: request.url });
    if (fault === "throttled") return this.#throttle(response, vendor);
    if (fault === "failed") return send(response, { status: 503, body: { message: `failed: ${repeated}` } });
    if (fault === "silent") return void setTimeout(() => response.destroy(), SILENT_MS).unref();
    if (fault === "a web page")
      return void response.writeHead(200, { "content-type": "text/html" }).end(`<html>${repeated}</html>`);
    if (fault === "expired") this.#expire(asked);
    const answer = this.#answer(vendor, asked);
    if (fault === "repeated") repeat(answer, this.#random);
    if (fault === "cut") return cut(response, answer);
    if (fault === "unparsable") return send(response, { ...answer, body: textOf(answer).slice(0, -1) });
    send(response, answer);
  }

  #throttle(response: ServerResponse, vendor: string): void {
    response.once("finish", () => this.#quietUntil.set(vendor, performance.now() + WAIT_MS * 0.9));
    const headers = { "retry-after": String(WAIT_MS / 1000) };
    send(response, { status: 429, body: { message: "too many requests" }, headers });
  }

  #answer(vendor: string, asked: Asked): Answer {
    const { secrets } = this.#access[vendor] ?? {};
    if (!secrets) return { status: 404, body: {} };
    if (asked.path === "/token") return this.#issue(asked, secrets);
    // A signed address needs no credentials.
    if (!asked.path.startsWith("/bulk/") && (this.isRefusing || !this.#isAllowed(vendor, asked, secrets)))
      return { status: 401, body: { message: `refused: ${JSON.stringify(asked.headers)}` } };
    if (vendor === "shopify" && asked.body.includes("bulkOperationRunQuery") && this.#random() < this.faults)
      this.accounts.admin.outcomes = ["FAILED"];
    return this.accounts.answer(vendor, asked, `${this.#url}/${vendor}`);
  }

  #isAllowed(vendor: string, { headers }: Asked, secrets: Readonly<Record<string, string>>): boolean {
    if (vendor === "vtex")
      return headers["x-vtex-api-appkey"] === secrets.appKey && headers["x-vtex-api-apptoken"] === secrets.appToken;
    if (vendor === "shopify") return headers["x-shopify-access-token"] === secrets.accessToken;
    const token = /^Bearer (.*)$/.exec(headers.authorization ?? "")?.[1] ?? "";
    if (vendor === "meta") return token === secrets.accessToken;
    const left = this.#tokens.get(token) ?? 0;
    this.#tokens.set(token, left - 1);
    return left > 0;
  }

  #issue({ body }: Asked, secrets: Readonly<Record<string, string>>): Answer {
    const form = new URLSearchParams(body);
    if (form.get("refresh_token") !== secrets.refreshToken || form.get("client_secret") !== secrets.clientSecret)
      return { status: 400, body: { error: "invalid_grant" } };
    const token = secret("issued");
    this.#tokens.set(token, USES);
    return { body: { access_token: token, expires_in: 1800, token_type: "bearer" } };
  }

  #expire({ headers }: Asked): void {
    const token = /^Bearer (.*)$/.exec(headers.authorization ?? "")?.[1] ?? "";
    if (this.#tokens.has(token)) this.#tokens.set(token, 0);
  }
}

const textOf = ({ body }: Answer): string => (typeof body === "string" ? body : JSON.stringify(body));

function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
  response.end(textOf(answer));
}

/** A length of the whole, and half of it. */
function cut(response: ServerResponse, answer: Answer): void {
  const whole = Buffer.from(textOf(answer));
  const headers = { "content-type": "application/json", ...answer.headers, "content-length": String(whole.length) };
  response.writeHead(answer.status ?? 200, headers);
  response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => response.destroy());
}

/** A list begins with an object that it has elsewhere. */
function repeat({ body }: Answer, random: () => number): void {
  if (typeof body !== "object" || body === null) return;
  for (const name of ["orders", "results", "data", "list"]) {
    const list = (body as Record<string, unknown>)[name];
    if (Array.isArray(list) && list.length > 1) list.unshift(list[Math.floor(random() * list.length)]);
  }
}
