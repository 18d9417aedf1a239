import type { RequestListener } from "node:http";
import { type DestinationStream, pino } from "pino";
import request, { type Test } from "supertest";
import { type ServiceParts, serviceApp } from "../../src/commands/serve/app.ts";
import type { Answers, DataState, Endpoint, RequestContext } from "../../src/core/contract/endpoint.ts";
import { type Accepted, organizationId } from "../../src/core/contract/param.ts";
import { withFormats } from "../../src/core/endpoints/formats.ts";
import { organizations } from "../../src/core/endpoints/organizations.ts";
import { noTables } from "../support/app.ts";

export const ACME = "11111111-1111-4111-8111-111111111111";
/** An existing organization of another client. */
export const OTHER = "22222222-2222-4222-8222-222222222222";
/** An organization to which the client was bound, now removed. */
export const GONE = "33333333-3333-4333-8333-333333333333";
export const SECRET = "the-secret-that-no-log-may-hold";

const common = { summary: "", parts: {} } as const;

export const STRICT: Endpoint = {
  ...common,
  path: "/v1/strict",
  params: {
    organizationId,
    startDate: { kind: "day", description: "" },
    endDate: { kind: "day", description: "" },
    view: { kind: "choice", of: ["revenue", "logo"], fallback: "revenue", description: "" },
    old: { kind: "text", deprecated: "2025-01-01", description: "" },
  },
  periods: [{ start: "startDate", end: "endDate", bothOrNone: "ignored" }],
  unknown: "refused",
  cacheSeconds: 1800,
};

export const LENIENT: Endpoint = {
  ...common,
  path: "/v1/lenient",
  params: {
    organizationId,
    email: { kind: "text", description: "" },
    page: { kind: "paging", least: 1, most: Number.MAX_SAFE_INTEGER, fallback: 1, description: "" },
    limit: { kind: "paging", least: 1, most: 5000, fallback: 500, description: "" },
  },
  unknown: "ignored",
  cacheSeconds: 0,
};

export const ITEM: Endpoint = {
  ...common,
  path: "/v1/items/:itemId",
  params: { organizationId, itemId: { kind: "text", maxLength: 256, required: true, description: "" } },
  unknown: "refused",
  cacheSeconds: 0,
};

/** Answers without an engine, and records what it was asked. */
export class FakeAnswers implements Answers {
  state = "1";
  readonly asked: { organizationId: string; accepted: Accepted; signal: AbortSignal }[] = [];
  respond: (organizationId: string, accepted: Accepted, signal: AbortSignal) => Promise<string>;

  constructor(respond: FakeAnswers["respond"] = async (id, accepted) => JSON.stringify({ id, accepted })) {
    this.respond = respond;
  }

  async dataState(): Promise<DataState> {
    return { version: this.state };
  }

  async prepare(): Promise<void> {}

  answer({ organizationId, accepted, signal }: RequestContext): Promise<string> {
    this.asked.push({ organizationId, accepted, signal });
    return this.respond(organizationId, accepted, signal);
  }
}

export function fakeApp(
  answers: Answers = new FakeAnswers(),
  more: Partial<ServiceParts> = {},
  log?: DestinationStream,
): RequestListener {
  return serviceApp({
    endpoints: [STRICT, LENIENT, ITEM, withFormats(organizations)],
    answers,
    tables: noTables,
    credentials: {
      verify: async (clientId, secret) =>
        secret === SECRET ? { clientId, organizations: clientId === "none" ? [] : [ACME, GONE] } : undefined,
    },
    organizations: {
      has: async (id) => id === ACME || id === OTHER,
      settings: async (id) => (id === ACME || id === OTHER ? { organizationId: id, name: `shop ${id[0]}` } : undefined),
    },
    config: { slots: 2, queue: 2, timeoutMs: 5_000, slowMs: 1000, exportTimeoutMs: 5_000, cacheBytes: 1_000_000 },
    log: log ? pino({}, log) : pino({ level: "silent" }),
    now: () => new Date("2025-03-10T12:00:00Z"),
    ready: async () => ({ ready: true }),
    ...more,
  });
}

/** A request with good credentials; the organization is added if the address names none. */
export function ask(app: RequestListener, address: string, clientId = "client"): Test {
  const full = /organizationId/.test(address)
    ? address
    : `${address}${address.includes("?") ? "&" : "?"}organizationId=${ACME}`;
  return signed(request(app).get(full), clientId);
}

export const signed = (test: Test, clientId = "client"): Test =>
  test.set("x-client-id", clientId).set("x-client-secret", SECRET);

/** A promise and its `resolve` and `reject`. */
export function held<T>(): { promise: Promise<T>; release: (value: T) => void; fail: (error: unknown) => void } {
  let release: (value: T) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const promise = new Promise<T>((done, refuse) => {
    release = done;
    fail = refuse;
  });
  return { promise, release, fail };
}

/** Resolves when the condition holds; gives up after a while so that the test ends. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let n = 0; n < 1000; n++) {
    if (await condition()) return;
    await new Promise((done) => setTimeout(done, 5));
  }
  throw new Error(`it never came to hold: ${condition}`);
}
