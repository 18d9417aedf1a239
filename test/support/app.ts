import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import request, { type Test } from "supertest";
import { type ServiceParts, serviceApp } from "../../src/commands/serve/app.ts";
import type { Answers, DataState, Endpoint, RequestContext, Tables } from "../../src/core/contract/endpoint.ts";
import { type Accepted, organizationId } from "../../src/core/contract/param.ts";
import { allEndpoints } from "../../src/core/endpoints/index.ts";

/** The first two are bound to the credentials `good`, the second without settings; the third is another client's. */
export const OURS = "0aaaaaaa-0000-4000-8000-000000000001";
export const WITHOUT_SETTINGS = "0aaaaaaa-0000-4000-8000-000000000002";
export const THEIRS = "0aaaaaaa-0000-4000-8000-000000000003";
export const SECRET = "s3cret-that-nobody-may-read";

/** "Today" in these tests: late in the day, to distinguish days from instants. */
export const NOW = new Date("2025-04-01T23:30:00Z");

/** An endpoint with a path parameter, such as a product's. */
export const THING: Endpoint = {
  path: "/v1/things/:thingId",
  summary: "",
  parts: {},
  unknown: "refused",
  cacheSeconds: 300,
  params: {
    organizationId,
    thingId: { kind: "text", maxLength: 256, pattern: "^[A-Za-z0-9._~+@:/-]{1,256}$", required: true, description: "" },
    integrationId: { kind: "uuid", description: "" },
  },
};

export const CARDS = "/v1/profitability/cards";
export const CONTACTS = "/v1/crm/contacts";
export const SUMMARY = "/v1/acquisition/summary";

export interface Asked {
  readonly path: string;
  readonly organization: string;
  readonly accepted: Accepted;
  readonly signal: AbortSignal;
}

/** For tests that request no table. */
export const noTables: Tables = {
  table: async () => {
    throw new Error("a table was asked for");
  },
};

type Reply = (asked: Asked, nth: number) => string | Promise<string>;

/** Answers without an engine: records the requests, and gives the test's replies. */
export class FakeAnswers implements Answers {
  readonly asked: Asked[] = [];
  state = "1";
  reply: Reply;

  constructor(reply: Reply = ({ path, accepted }) => JSON.stringify({ path, accepted })) {
    this.reply = reply;
  }

  async dataState(): Promise<DataState> {
    return { version: this.state };
  }

  async prepare(): Promise<void> {}

  async answer({ endpoint, organizationId, accepted, signal }: RequestContext): Promise<string> {
    const asked = { path: endpoint.path, organization: organizationId, accepted, signal };
    this.asked.push(asked);
    return this.reply(asked, this.asked.length);
  }

  get last(): Accepted {
    const last = this.asked.at(-1);
    if (!last) throw new Error("nothing was asked");
    return last.accepted;
  }
}

export interface Made {
  readonly app: RequestListener;
  readonly answers: FakeAnswers;
  /** The lines of the log, as written. */
  readonly log: string[];
}

/** The service without an engine and without files. */
export function makeApp(answers = new FakeAnswers(), more: Partial<ServiceParts> = {}): Made {
  const log: string[] = [];
  const app = serviceApp({
    endpoints: [...allEndpoints, THING],
    answers,
    tables: noTables,
    credentials: {
      verify: async (clientId, secret) =>
        secret === SECRET && clientId.startsWith("good")
          ? { clientId, organizations: [OURS, WITHOUT_SETTINGS] }
          : undefined,
    },
    organizations: {
      has: async (id) => id !== WITHOUT_SETTINGS,
      settings: async (id) => (id === WITHOUT_SETTINGS ? undefined : { organizationId: id, name: "shop" }),
    },
    config: { slots: 2, queue: 100, timeoutMs: 30_000, slowMs: 1000, exportTimeoutMs: 30_000, cacheBytes: 1_000_000 },
    log: pino({ level: "debug" }, { write: (line: string) => void log.push(line) }),
    ready: async () => ({ ready: true }),
    now: () => NOW,
    ...more,
  });
  return { app, answers, log };
}

export const signed = (test: Test, client = "good"): Test =>
  test.set("x-client-id", client).set("x-client-secret", SECRET);

/** A good client's request; the organization is added if the address names none. */
export const ask = (app: RequestListener, address: string): Test => signed(request(app).get(withOrganization(address)));

export const withOrganization = (address: string): string =>
  address.includes("organizationId") ? address : `${address}${address.includes("?") ? "&" : "?"}organizationId=${OURS}`;

/** The service as clients of that address reach it. */
export const from =
  (address: string, app: RequestListener): RequestListener =>
  (request, response) => {
    Object.defineProperty(request.socket, "remoteAddress", { value: address });
    app(request, response);
  };

/** Runs the service on a free port for one test; nothing it left open keeps the tests from ending. */
export async function onPort(app: RequestListener, use: (address: string) => Promise<void>): Promise<void> {
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The parameters that a 400 names. */
export const named = (body: { details?: { parameter: string }[] }): string[] =>
  (body.details ?? []).map(({ parameter }) => parameter).sort();

/** Waits until a condition holds; a busy machine takes long. */
export async function until(holds: () => boolean | Promise<boolean>, what = "it never came to hold"): Promise<void> {
  for (let n = 0; n < 3000; n++) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error(what);
}
