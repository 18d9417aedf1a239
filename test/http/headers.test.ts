import { type IncomingHttpHeaders, request } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { expect } from "chai";
import type { Tables } from "../../src/core/contract/endpoint.ts";
import { ApiError } from "../../src/core/contract/error.ts";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { CARDS, CONTACTS, FakeAnswers, makeApp, OURS, onPort, SECRET } from "../support/app.ts";

type Headers = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The answer as it was sent. */
const ask = (address: string, headers: Headers = {}, method = "GET"): Promise<Answer> =>
  new Promise((done, fail) => {
    const sent = request(address, { headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on("error", fail).end();
  });

const SIGNED = { "x-client-id": "good", "x-client-secret": SECRET };
const TEXT = JSON.stringify({ text: "x".repeat(2000) });
const OF_OURS = `organizationId=${OURS}`;
const CARDS_OF_OURS = `${CARDS}?${OF_OURS}`;

/** Headers whose values differ from request to request. */
const VARIABLE: Readonly<Record<string, RegExp>> = {
  date: /GMT$/,
  etag: /^(W\/)?"[\w-]{27}"$/,
  "last-modified": /GMT$/,
  "server-timing": /^(cache;desc="\w+", )?(queue;dur=\d+\.\d, )?total;dur=\d+\.\d$/,
  "x-ratelimit-remaining": /^\d+$/,
  "x-ratelimit-reset": /^\d{10}$/,
  "x-request-id": /^[\w-]{36}$/,
};

const OF_ALL = {
  "cache-control": "private, no-cache",
  connection: "keep-alive",
  "content-security-policy":
    "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';" +
    "img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';" +
    "style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  date: "…",
  "keep-alive": "timeout=5",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-request-id": "…",
  "x-xss-protection": "0",
};
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const REFUSED = { ...OF_ALL, ...JSON_TYPE, vary: "Accept-Encoding", "server-timing": "…" };
const LIMITED = { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "…", "x-ratelimit-reset": "…" };
const ANSWERED = {
  ...OF_ALL,
  ...LIMITED,
  ...JSON_TYPE,
  vary: "Accept, Accept-Encoding",
  etag: "…",
  "server-timing": "…",
};
const TABLE = { "x-row-count": "400", "x-page": "1", "x-limit": "5", "x-has-next-page": "false" };
const CSV = {
  "content-type": "text/csv; charset=utf-8; header=present",
  "content-disposition": "attachment; filename=crm-contacts.csv",
};
const PAGE = { ...OF_ALL, vary: "Accept-Encoding" };
const DOCS_POLICY =
  "default-src 'none';connect-src 'self';img-src 'self' data:;script-src 'self';style-src 'self';base-uri 'none';" +
  "form-action 'none';frame-ancestors 'none'";

function without(headers: Headers, ...names: string[]): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

const ROWS = "a,b\n".repeat(400);
const tables: Tables = {
  table: async () => ({
    rows: 400,
    bytes: ROWS.length,
    page: { page: 1, limit: 5, hasNextPage: false },
    content: (async function* () {
      yield Buffer.from(ROWS);
    })(),
    close: async () => {},
  }),
};

interface Case {
  readonly what: string;
  readonly path: string;
  readonly sent?: Headers;
  readonly method?: string;
  readonly status: number;
  readonly expected: Headers;
}

const length = (bytes: number): Headers => ({ "content-length": String(bytes) });

const CASES: readonly Case[] = [
  { what: "an answer", path: CARDS_OF_OURS, sent: SIGNED, status: 200, expected: { ...ANSWERED, ...length(2011) } },
  {
    what: "a compressed answer",
    path: CARDS_OF_OURS,
    sent: { ...SIGNED, "accept-encoding": "gzip" },
    status: 200,
    expected: { ...ANSWERED, "content-encoding": "gzip", "content-length": "…" },
  },
  {
    what: "an answer to HEAD",
    path: CARDS_OF_OURS,
    sent: { ...SIGNED, "accept-encoding": "gzip" },
    method: "HEAD",
    status: 200,
    expected: { ...ANSWERED, ...length(2011) },
  },
  {
    what: "an answer that the client has",
    path: CARDS_OF_OURS,
    sent: { ...SIGNED, "if-none-match": "*", "accept-encoding": "gzip" },
    status: 304,
    expected: { ...without(ANSWERED, "content-type"), vary: "Accept" },
  },
  {
    what: "a CSV page",
    path: `${CONTACTS}?${OF_OURS}&format=csv`,
    sent: SIGNED,
    status: 200,
    expected: { ...ANSWERED, ...TABLE, ...CSV, ...length(1600) },
  },
  {
    what: "a page in a format that is not compressed",
    path: `${CONTACTS}?${OF_OURS}&format=parquet`,
    sent: { ...SIGNED, "accept-encoding": "gzip" },
    status: 200,
    expected: {
      ...ANSWERED,
      ...TABLE,
      "content-type": "application/vnd.apache.parquet",
      "content-disposition": "attachment; filename=crm-contacts.parquet",
      vary: "Accept",
      ...length(1600),
    },
  },
  {
    what: "an export",
    path: `${CONTACTS}?${OF_OURS}&format=csv&all=true`,
    sent: { ...SIGNED, "accept-encoding": "gzip" },
    status: 200,
    expected: {
      ...ANSWERED,
      ...TABLE,
      ...CSV,
      "cache-control": "private, no-cache, no-transform",
      vary: "Accept",
      ...length(1600),
    },
  },
  {
    what: "an export that the client has",
    path: `${CONTACTS}?${OF_OURS}&format=csv&all=true`,
    sent: { ...SIGNED, "if-none-match": "*" },
    status: 304,
    expected: { ...without(ANSWERED, "content-type"), vary: "Accept" },
  },
  {
    what: "refused credentials",
    path: CARDS_OF_OURS,
    status: 401,
    expected: {
      ...REFUSED,
      "www-authenticate": 'Bearer realm="lucra", Basic realm="lucra", charset="UTF-8"',
      ...length(26),
    },
  },
  {
    what: "a refused organization",
    path: `${CARDS}?organizationId=x`,
    sent: SIGNED,
    status: 403,
    expected: { ...REFUSED, ...LIMITED, ...length(90) },
  },
  {
    what: "refused parameters, compressed",
    path: `${CARDS_OF_OURS}${Array.from({ length: 30 }, (_, n) => `&x${n}=1`).join("")}`,
    sent: { ...SIGNED, "accept-encoding": "gzip" },
    status: 400,
    expected: { ...REFUSED, ...LIMITED, "content-encoding": "gzip", "content-length": "…" },
  },
  {
    what: "an unknown endpoint",
    path: `/v1/none?${OF_OURS}`,
    sent: SIGNED,
    status: 404,
    expected: { ...REFUSED, ...LIMITED, ...length(56) },
  },
  {
    what: "another method",
    path: CARDS_OF_OURS,
    sent: SIGNED,
    method: "POST",
    status: 405,
    expected: { ...REFUSED, ...LIMITED, allow: "GET, HEAD", ...length(68) },
  },
  {
    what: "a format that is not offered",
    path: CARDS_OF_OURS,
    sent: { ...SIGNED, accept: "image/png" },
    status: 406,
    expected: { ...REFUSED, ...LIMITED, vary: "Accept, Accept-Encoding", ...length(79) },
  },
  { what: "health", path: "/healthz", status: 200, expected: { ...PAGE, ...JSON_TYPE, ...length(15) } },
  { what: "an unknown page", path: "/none", status: 404, expected: { ...REFUSED, ...length(56) } },
  {
    what: "a page of the documents",
    path: "/docs/page.css",
    status: 200,
    expected: {
      ...PAGE,
      "content-security-policy": DOCS_POLICY,
      "content-type": "text/css; charset=utf-8",
      "accept-ranges": "bytes",
      "last-modified": "…",
      "content-length": "…",
    },
  },
];

/** The headers, with a mark in place of variable values that have their form. */
function fixed(headers: IncomingHttpHeaders, expected: Headers): Record<string, unknown> {
  const isAsUsual = (name: string, value: unknown): boolean =>
    expected[name] === "…" && (VARIABLE[name] ?? /^\d+$/).test(String(value));
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isAsUsual(name, value) ? "…" : value]),
  );
}

describe("The headers", () => {
  for (const { what, path, sent, method, status, expected } of CASES) {
    it(`of ${what} are these and no others`, async () => {
      const { app } = makeApp(new FakeAnswers(() => TEXT), { tables });
      await onPort(app, async (address) => {
        const answer = await ask(address + path, sent, method);
        expect(answer.status).to.equal(status);
        expect(fixed(answer.headers, expected)).to.deep.equal(expected);
      });
    });
  }

  it("of failures say when to try again", async () => {
    const busy = makeApp(
      new FakeAnswers(() => {
        throw new ApiError("busy");
      }),
    );
    const spent = makeApp(new FakeAnswers(), { limit: new SlidingLog(0) });
    const limits = { ...LIMITED, "x-ratelimit-limit": "0", "x-ratelimit-remaining": "0" };
    for (const [app, status, expected] of [
      [busy.app, 503, { ...REFUSED, ...LIMITED, vary: "Accept, Accept-Encoding", "retry-after": "1", ...length(99) }],
      [spent.app, 429, { ...REFUSED, ...limits, "retry-after": "60", ...length(162) }],
    ] as const)
      await onPort(app, async (address) => {
        const answer = await ask(address + CARDS_OF_OURS, SIGNED);
        expect(answer.status).to.equal(status);
        expect(fixed(answer.headers, expected)).to.deep.equal(expected);
      });
  });
});

describe("The encoding of an answer", () => {
  const unpack: Readonly<Record<string, (body: Buffer) => Buffer>> = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    deflate: inflateSync,
    identity: (body) => body,
  };

  it("is the one that the client likes best, with the same bytes and the same tag", async () => {
    const { app, answers } = makeApp(new FakeAnswers(() => TEXT));
    await onPort(app, async (address) => {
      const { headers } = await ask(address + CARDS_OF_OURS, SIGNED);
      for (const [accepted, encoding] of [
        ["gzip", "gzip"],
        ["gzip, deflate, br", "br"],
        ["deflate", "deflate"],
        ["br;q=0.2, gzip;q=0.5", "gzip"],
        ["*", "br"],
        ["identity, gzip;q=0.5", "identity"],
        ["gzip;q=0", "identity"],
        ["zstd", "identity"],
        ["", "identity"],
      ] as const) {
        for (const _ of ["compressed", "cached"]) {
          const answer = await ask(address + CARDS_OF_OURS, { ...SIGNED, "accept-encoding": accepted });
          expect(answer.headers["content-encoding"] ?? "identity", accepted).to.equal(encoding);
          expect(answer.headers["content-length"], accepted).to.equal(String(answer.body.length));
          expect(unpack[encoding]?.(answer.body).toString(), accepted).to.equal(TEXT);
          expect(answer.headers.etag, accepted).to.equal(headers.etag);
        }
      }
      const fresh = { ...SIGNED, "accept-encoding": "gzip", "if-none-match": String(headers.etag) };
      expect((await ask(address + CARDS_OF_OURS, fresh)).status).to.equal(304);
    });
    expect(answers.asked).to.have.length(1);
  });
});
