import fc from "fast-check";
import { pino } from "pino";
import type { Endpoint } from "../../src/core/contract/endpoint.ts";
import { allEndpoints, endpointAt } from "../../src/core/endpoints/index.ts";
import { listen } from "../../src/core/http/server.ts";
import { AURORA, STOREA, STOREB } from "../../test/support/data.ts";
import { undocumented } from "../../test/support/documented.ts";
import { DECLARED, WORST } from "../../test/support/hostileText.ts";
import { openService } from "../../test/support/service.ts";
import { landedFixtures } from "../../test/support/shared.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { bytesOf, type Hostile, hostile, TAINT } from "../support/hostile.ts";
import { minutes } from "../support/minutes.ts";
import { type Answer, exchange } from "../support/raw.ts";
import { Statements } from "../support/statements.ts";

const CLIENT = "hostile";
const SECRET = "the-secret-of-the-hostile-client";
const REQUESTS: Record<Scale, number> = { short: 96, long: 100_000 };
/** Sent at the same time: fewer than the service takes, so that it has no reason to be busy. */
const AT_ONCE = 8;

/** The number of texts sent that are made to cost time: one in each request. */
const EVERY_TEXT: Record<Scale, number> = { short: 7, long: 1 };
const LONGEST_MS = 500;
/** A text that costs time does so every time; a busy machine does not. */
const TRIES = 5;

/** Milliseconds of the first try that is short enough, else of the shortest one. */
async function shortestOf(tries: number, work: () => Promise<void>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tries && shortest > LONGEST_MS; n++) {
    const began = performance.now();
    await work();
    shortest = Math.min(shortest, performance.now() - began);
  }
  return shortest;
}

/** Nothing else is wrong, since a request is refused for its organization before any other parameter is read. */
function addressWith({ path, params }: Endpoint, name: string, text: string): string {
  const value = (parameter: string): string =>
    encodeURIComponent(parameter === name ? text : parameter === "organizationId" ? AURORA : STOREA);
  const sent = new Set(["organizationId", ...(path.includes(`:${name}`) ? [] : [name])]);
  const inPath = path.replace(/:(\w+)/g, (_, parameter: string) => value(parameter));
  return `${inPath}?${[...sent]
    .filter((one) => one in params)
    .map((one) => `${one}=${value(one)}`)
    .join("&")}`;
}

export const hostileRequests: Part = {
  name: "hostile requests",
  promise:
    "The answer to any request is one of the documented ones: never a 5xx, never HTML, never internal details; and no " +
    "text of a request is in a statement for the engine. No text costs time either, in an address or in the " +
    "body of a tool's call: a refusal takes time in proportion to its length.",
  method:
    "Requests are made from the endpoints' declarations, so that a new parameter is attacked without a change here. " +
    "They are mutated (repeated, nested, huge, NUL, broken percent codes, `__proto__`, look-alikes, SQL in every " +
    "place; headers doubled, oversized, absent; `Authorization` in every form; methods; lengths that contradict each other; requests within " +
    "requests) and written to a socket byte by byte. Each gets exactly one answer, which is checked against the API " +
    "document. Every text that is sent carries a mark where it can, and every statement that reaches the engine is " +
    "searched for it; a statement contains only the page, the limit and the declared sort field of a request. Then " +
    "every parameter gets, on its own, the longest texts in which a pattern could match the same characters in two " +
    "ways; each is refused, or answered, in less than half a second.",
  run: storm,
};

async function storm(scale: Scale, seed: number): Promise<readonly Figure[]> {
  const data = await landedFixtures({ LUCRA_TIMEOUT_MS: "3600000" });
  const tainted = new Set<string>();
  const statements = new Statements((sql) => {
    if (sql.includes(TAINT)) tainted.add(sql);
  });
  const unforeseen: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void unforeseen.push(line) });
  const service = await openService(data.config, AURORA, {
    log,
    links: { find: async () => undefined },
    credentials: {
      verify: async (clientId, secret) =>
        clientId === CLIENT && secret === SECRET ? { clientId, organizations: [AURORA] } : undefined,
    },
  });
  const server = await listen(service.app, { host: "127.0.0.1", port: 0 }, log);
  let sent = 0;
  let longest = 0;
  let texts = 0;
  const headers = { "x-client-id": CLIENT, "x-client-secret": SECRET };
  const statuses = new Map<number, number>();
  const judge = async (request: Hostile): Promise<void> => {
    const bytes = bytesOf(request);
    const asked = exchange({ port: server.port, bytes, isHead: request.method === "HEAD", patienceMs: 600_000 });
    const { answers, closed } = await asked.catch((error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(bytes.toString("latin1").slice(0, 2000))}`);
    });
    const wrong = faults(request, answers, closed);
    if (tainted.size > 0) wrong.push(`a statement was built from it: ${[...tainted][0]}`);
    const inside = wrong.length > 0 ? unforeseen.slice(-2).join("") : "";
    if (wrong.length > 0) throw new Error([...wrong, inside].join("\n"));
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const known = {
    organization: AURORA,
    clientId: CLIENT,
    secret: SECRET,
    ids: [STOREA, STOREB, AURORA, "500", "8101", "b7e1a0e2", "lead", "a@example.com"],
  };
  try {
    const all = fc.noShrink(
      fc.array(hostile(allEndpoints, known), { minLength: AT_ONCE, maxLength: AT_ONCE, size: "max" }),
    );
    const batch = fc.asyncProperty(all, async (requests) => void (await Promise.all(requests.map(judge))));
    const { failed, errorInstance, numRuns } = await fc.check(batch, {
      seed,
      numRuns: REQUESTS[scale] / AT_ONCE,
      interruptAfterTimeLimit: minutes(600) * 60_000,
    });
    sent = numRuns * AT_ONCE;
    // This answer about one request is longer than the limit for the whole batch.
    if (failed) throw errorInstance;
    for (const { endpoint, name } of DECLARED)
      for (const text of WORST.filter((_, n) => n % EVERY_TEXT[scale] === 0)) {
        const took = await shortestOf(TRIES, async () => {
          await fetch(`http://127.0.0.1:${server.port}${addressWith(endpoint, name, text)}`, { headers });
        });
        if (took > LONGEST_MS)
          throw new Error(`${Math.round(took)} ms: ${name}=${text.slice(0, 20)}… of ${endpoint.path}`);
        longest = Math.max(longest, took);
        texts++;
      }
  } finally {
    await server.stop();
    await service.close();
    statements.stop();
    await data.remove();
  }
  const count = (low: number): number =>
    [...statuses].reduce((sum, [status, n]) => (Math.floor(status / 100) === low ? sum + n : sum), 0);
  if (count(2) === 0 || count(4) === 0) throw new Error("no request was good, or none was bad: nothing was tried");
  return [
    { what: "requests", value: sent.toLocaleString("en") },
    { what: "answers of 5xx, HTML or a shape of their own", value: "0" },
    { what: "answers of 2xx", value: count(2).toLocaleString("en") },
    { what: "of 4xx", value: count(4).toLocaleString("en") },
    {
      what: `the longest answer to ${texts.toLocaleString("en")} texts made to cost time`,
      value: `${Math.ceil(longest)} ms`,
    },
    {
      what: "different statements, none with a text that was sent",
      value: statements.texts.size.toLocaleString("en-US"),
    },
  ];
}

/** What no answer shows. The errors of a client's own query are the engine's, and a busy one is refused. */
const PATHS = /<!doctype|<html|<pre>|node_modules|\bat (?:async )?[\w.<>]+ \(|\.ts:\d+|\.parquet/i;
const INSIDE =
  /<!doctype|<html|<pre>|node_modules|\bat (?:async )?[\w.<>]+ \(|\.ts:\d+|Binder Error|Parser Error|Catalog Error|duckdb/i;

/** The faults of the answers to a request; empty if there are none. */
function faults(request: Hostile, answers: readonly Answer[], closed: boolean): string[] {
  const sent = `${request.method} ${request.target.slice(0, 300)}`;
  if (answers.length !== 1) return [`${answers.length} answers to one request: ${sent}`];
  if (!closed) return [`the connection stayed open: ${sent}`];
  return answers.flatMap((answer) => answerFaults(request, answer)).map((fault) => `${fault} (${sent})`);
}

/** Without the host of a proxy's address, and without the query. */
const pathOf = (target: string): string => target.replace(/^https?:\/\/[^/?#]*/i, "").split("?")[0] ?? "";

function answerFaults({ method, target, version }: Hostile, answer: Answer): string[] {
  const { status, headers, body, isMeasured } = answer;
  const text = body.toString("utf8");
  // A client of another HTTP version may not know chunks: then the body ends with the connection.
  if (!isMeasured && version === "HTTP/1.1") return [`${status} with a body that may be cut anywhere`];
  const isQuery = pathOf(target) === "/v1/sql";
  if (status >= 500 && !(isQuery && status === 503)) return [`${status} ${text}`];
  if (!headers["x-request-id"]) return [`${status} without a request's id`];
  if (status >= 400 && (isQuery ? PATHS : INSIDE).test(text))
    return [`${status} shows internal details: ${text.slice(0, 500)}`];
  const isUnread = [400, 408, 431].includes(status) && headers.connection === "close";
  const isBodiless = status === 304 || method === "HEAD";
  if (isBodiless && !(isUnread && text)) return text === "" ? [] : [`${status} with a body`];
  const type = headers["content-type"] ?? "";
  const path = pathOf(target);
  // It leads to the page.
  if (["", "/"].includes(path) && status < 400) return [];
  if (status < 300) {
    const endpoint = endpointAt(path);
    if (!endpoint) return /^\/(healthz|readyz|docs|openapi\.json)/.test(path) ? [] : [`${status} of nothing`];
    if (!type.startsWith("application/json")) return headers["x-row-count"] ? [] : [`a table without its rows' count`];
    return undocumented(path, status, JSON.parse(text));
  }
  if (!type.startsWith("application/json")) return [`${status} as ${type}`];
  const parsed: unknown = JSON.parse(text);
  // Refused before it was parsed: an error in the usual shape, from no endpoint.
  const isPlain = Object.keys(parsed as object).join() === "error,message";
  if (isPlain && [400, 408, 412, 416, 431].includes(status)) return [];
  return undocumented(path, status, parsed);
}
