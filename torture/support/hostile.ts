import fc from "fast-check";
import type { AnyEndpoint } from "../../src/core/contract/endpoint.ts";
import { FORMATS } from "../../src/core/contract/format.ts";
import { isSent, type Param } from "../../src/core/contract/param.ts";

/** A mark in every text that a hostile request sends; no statement of the engine may contain it. */
export const TAINT = "zqTAINTqz";

/** A request as bytes, and what the judge has to know of it. */
export interface Hostile {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly version: string;
}

export interface Known {
  readonly organization: string;
  readonly clientId: string;
  readonly secret: string;
  /** Existing ids: values of parameters that are UUIDs or free text. */
  readonly ids: readonly string[];
}

const oneOf = <T>(...of: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...of);
/** Parts of a query string. */
const pieces = (...of: readonly string[][]): fc.Arbitrary<string[]> => fc.constantFrom(...of);

const DAYS = ["2025-02-01", "2025-02-28", "2025-04-01", "0001-01-01", "9999-12-31", "1969-12-31", "2024-02-29"];
const INSTANTS = [
  "2025-02-10T14:00:00Z",
  "0001-01-01T00:00:00-23:59",
  "9999-12-31T23:59:59.999999Z",
  "2025-03-01 00:00",
];

/** Values that a caller might send, by the parameter's declaration. */
function valid(param: Param, ids: readonly string[]): fc.Arbitrary<string> {
  switch (param.kind) {
    case "text":
      return fc.oneof(
        oneOf(...ids, "aurora", "ativo"),
        fc.string({ maxLength: 12 }).map((text) => TAINT + text),
      );
    case "uuid":
      return oneOf(...ids);
    case "day":
      return oneOf(...DAYS);
    case "from":
    case "to":
    case "known":
      return oneOf(...DAYS, ...INSTANTS);
    case "choice":
      return oneOf(...param.of, ...param.of.map((value) => value.toLowerCase()));
    case "integer":
      return oneOf(String(param.least), String(param.most), `00${param.least}`);
    case "crossing":
      return oneOf(...param.of, `${param.of[0]},${param.of[1]}`, `${param.of[1]},${param.of.at(-1)}`);
    case "number":
      return oneOf(
        "0",
        "-0",
        "1",
        "-12.5",
        "1e300",
        "-1e308",
        "5e-324",
        ".5",
        "99999999999999999999",
        "0.1234567890123",
      );
    case "flag":
      return oneOf("true", "false");
    case "list":
      return fc
        .array(param.of ? oneOf(...param.of) : oneOf(...ids, TAINT), { maxLength: 6 })
        .map((all) => all.join(","));
    case "paging":
      return oneOf("1", "2", "3", "25", "9007199254740991", "1e999", "-1", "0", "abc", "0x10", "1.9");
    case "today":
    case "now":
    case "settings":
      return oneOf("2025-04-01");
  }
}

const SQL = [
  `${TAINT}' or '1'='1`,
  `${TAINT}'; copy (select 1) to '/tmp/x'; --`,
  `${TAINT}" union select * from read_text('/etc/passwd') --`,
  `${TAINT}') ; attach 'x.db' ; --`,
  `$1 ${TAINT} getvariable('p')`,
  `${TAINT}/* */`,
  `*`,
  `../../../etc/passwd`,
  `{${TAINT}: [1]}`,
];

/** Any text, which is encoded afterwards. */
const text: fc.Arbitrary<string> = fc.oneof(
  oneOf(...SQL),
  fc.string({ unit: "binary", maxLength: 30 }).map((value) => TAINT + value),
  fc.string({ unit: "grapheme", maxLength: 10 }).map((value) => value + TAINT),
  oneOf(
    "\0",
    `a\0${TAINT}`,
    "__proto__",
    "constructor",
    "toString",
    "ＰＡＧＥ",
    "раgе",
    "\u202e",
    "\ufeff",
    "ı",
    "ﬀ",
    "null",
    "NaN",
  ),
  oneOf(
    "Infinity",
    "-1e400",
    "1e-400",
    "2025-02-30",
    "12020-01-01",
    "-000001-01-01",
    "2025-02-01T25:00",
    "true,false",
    ",,,,",
  ),
  oneOf(300, 5000, 14_000).map((length) => TAINT.repeat(Math.ceil(length / TAINT.length))),
  oneOf(20, 400).map((count) => Array.from({ length: count }, (_, n) => `${TAINT}${n}`).join(",")),
);

/** A value as it is written in the address. */
const encoded = (value: string): string => {
  try {
    return encodeURIComponent(value);
  } catch {
    return "%ED%A0%80";
  }
};
const raw = oneOf(
  "%",
  "%0",
  "%zz",
  "%00",
  "%c0%ae",
  "%F0%9F",
  "%25%32%35",
  "+",
  "a+b%2B",
  "%u0041",
  "&&",
  "=",
  "a=b=c",
  ";",
  "[]",
);

const pair = (name: string, value: string): string => `${name}=${value}`;

const param = (name: string, of: Param, { ids }: Known): fc.Arbitrary<string[]> =>
  fc.oneof(
    { weight: 40, arbitrary: valid(of, ids).map((value) => [pair(name, encoded(value))]) },
    { weight: 6, arbitrary: text.map((value) => [pair(name, encoded(value))]) },
    { weight: 1, arbitrary: raw.map((value) => [pair(name, value)]) },
    {
      weight: 2,
      arbitrary: fc
        .array(valid(of, ids), { minLength: 2, maxLength: 4 })
        .map((all) => all.map((one) => pair(name, encoded(one)))),
    },
    {
      weight: 1,
      arbitrary: oneOf(
        `${name}[]`,
        `${name}[a]`,
        `${name}[__proto__]`,
        `${name}.x`,
        encoded(` ${name}`),
        name.toUpperCase(),
      ).map((odd) => [pair(odd, TAINT)]),
    },
    { weight: 1, arbitrary: pieces([name]) },
  );

const stranger = fc
  .oneof(oneOf("__proto__", "constructor", "hasOwnProperty", "p", "marts", "limit", "page", "x".repeat(200)), text)
  .map((name) => [pair(encoded(name), TAINT)]);

/** Most requests name the organization; some name another one, several, or none at all. */
const organizationOf = ({ organization }: Known): fc.Arbitrary<string[]> =>
  fc.oneof(
    { weight: 20, arbitrary: pieces([pair("organizationId", organization)]) },
    { weight: 1, arbitrary: text.map((value) => [pair("organizationId", encoded(value))]) },
    { weight: 1, arbitrary: pieces([pair("organizationId", organization), pair("organizationId", organization)]) },
    {
      weight: 1,
      arbitrary: pieces([], [pair("organizationId", organization.toUpperCase())], [pair("organizationId", "*")]),
    },
  );

function pathOf(endpoint: AnyEndpoint, { ids }: Known): fc.Arbitrary<string> {
  const parts = endpoint.path.split("/").map((part) => {
    if (!part.startsWith(":")) return fc.constant(part);
    return fc.oneof(
      { weight: 4, arbitrary: oneOf(...ids).map(encoded) },
      { weight: 2, arbitrary: text.map(encoded) },
      raw,
    );
  });
  const path = fc.tuple(...parts).map((all) => all.join("/"));
  return fc.oneof(
    { weight: 30, arbitrary: path },
    {
      weight: 1,
      arbitrary: fc
        .tuple(path, oneOf("/", "//", "/..", "/%2e%2e/", "%00", "/__proto__", ";x", "\\"))
        .map((both) => both.join("")),
    },
    { weight: 1, arbitrary: path.map((one) => one.toUpperCase()) },
    { weight: 1, arbitrary: path.map((one) => `http://127.0.0.1${one}`) },
  );
}

const OTHER_TARGETS = [
  ..."/ /healthz /readyz /readyz?verbose /docs /docs/ /docs/page.js /openapi.json /v1 /v1/ /metrics /favicon.ico //".split(
    " ",
  ),
  ..."* /docs/..%2f..%2fpackage.json /docs/../../README.md /v1/../healthz http://x foo://bar http://[::/x http://a..b:x/".split(
    " ",
  ),
  ..."/links/ /links/x /links/%00 /links/%zz /links/a/../b /links//?x=1 http://127.0.0.1?organizationId=x HTTP://127.0.0.1/healthz https:///x /%zz /%00 /v1/%00 /v1/%zz x ?x=1".split(
    " ",
  ),
];

const signed = ({ clientId, secret }: Known): [string, string][] => [
  ["x-client-id", clientId],
  ["x-client-secret", secret],
];

const pairOf = ({ clientId, secret }: Known): string => `${clientId}:${secret}`;
const basic = (text: string | Buffer): [string, string] => [
  "Authorization",
  `Basic ${Buffer.from(text as string).toString("base64")}`,
];
const bearer = ({ clientId, secret }: Known): [string, string] => ["Authorization", `bearer ${clientId}.${secret}`];

/** Mostly valid credentials: most of the code comes after them. */
const credentials = (known: Known): fc.Arbitrary<[string, string][]> =>
  fc.oneof(
    { weight: 40, arbitrary: fc.constant(signed(known)) },
    { weight: 6, arbitrary: oneOf<[string, string][]>([basic(pairOf(known))], [bearer(known)]) },
    {
      weight: 1,
      arbitrary: oneOf<[string, string][]>(
        [],
        [["x-client-id", known.clientId]],
        [["x-client-secret", known.secret]],
        [...signed(known), ["x-client-secret", known.secret]],
        [...signed(known), ...signed(known)],
        [
          ["x-client-id", "__proto__"],
          ["x-client-secret", ""],
        ],
        [
          ["x-client-id", known.clientId],
          ["x-client-secret", TAINT.repeat(500)],
        ],
        [
          ["X-CLIENT-ID", known.clientId],
          ["X-Client-Secret", ` ${known.secret} `],
        ],
        [basic(pairOf(known)), bearer(known)],
        [basic(pairOf(known)), ...signed(known)],
        [["authorization", basic(pairOf(known))[1].toLowerCase()]],
        [basic(known.clientId)],
        [basic(Buffer.from([0xff, 0x3a, 0xfe]))],
        [basic(TAINT.repeat(300))],
        [["Authorization", "Basic"]],
        [["Authorization", `Bearer ${known.clientId}${TAINT}.`]],
        [["Authorization", `Negotiate ${TAINT}`]],
      ),
    },
  );

const header: fc.Arbitrary<[string, string]> = fc.oneof(
  fc.tuple(
    fc.constant("Accept"),
    oneOf(
      ...Object.values(FORMATS),
      "*/*",
      "text/html",
      "",
      ";;,,q=",
      "application/json;q=0",
      "a".repeat(3000),
      "text/csv;q=0.1, application/json;q=x",
    ),
  ),
  fc.tuple(
    fc.constant("Accept-Encoding"),
    oneOf("gzip", "br", "deflate", "gzip;q=0", "*", "identity;q=0, *;q=0", "x,".repeat(500)),
  ),
  fc.tuple(fc.constant("If-None-Match"), oneOf("*", '"x"', 'W/"', ",,,", '"'.repeat(4000))),
  fc.tuple(
    fc.constant("Range"),
    oneOf("bytes=0-1", "bytes=999999999-", "bytes=-1", "bytes=5-1,2-3", "items=0-5", "bytes="),
  ),
  fc.tuple(oneOf("If-Match", "If-Range"), oneOf("*", '"x"', "x", "")),
  fc.tuple(
    oneOf("If-Modified-Since", "If-Unmodified-Since"),
    oneOf("Mon, 01 Jan 1990 00:00:00 GMT", "Thu, 01 Jan 2099 00:00:00 GMT", "yesterday", "0"),
  ),
  fc.tuple(
    oneOf(
      "Forwarded",
      "X-Forwarded-For",
      "X-Forwarded-Host",
      "X-HTTP-Method-Override",
      "X-Original-URL",
      "X-Rewrite-URL",
    ),
    oneOf("127.0.0.1", "DELETE", "/readyz?verbose", TAINT),
  ),
  fc.tuple(fc.constant("X-Request-Id"), oneOf("a b", "x".repeat(65), "<script>", "good-1", "ana@example.com", "")),
  fc.tuple(
    oneOf("Cookie", "Authorization", "Referer", "Origin", "User-Agent", "Content-Type"),
    oneOf(TAINT, "x".repeat(2000), "\xff\xfe", "application/json"),
  ),
  fc.tuple(
    oneOf("Upgrade", "Expect", "TE", "Trailer", "Via"),
    oneOf("websocket", "h2c", "100-continue", "tea", "trailers", "1.1 x"),
  ),
);

const LENGTHS: readonly (readonly [string, string])[] = [
  ["Content-Length", "0"],
  ["Content-Length", "5"],
  ["Content-Length", "-1"],
  ["Content-Length", "5, 5"],
  ["Content-Length", "0x5"],
  ["Content-Length", "99999999999999999999"],
  ["Transfer-Encoding", "chunked"],
  ["Transfer-Encoding", "Chunked, identity"],
  ["Transfer-Encoding", "xchunked"],
  ["Transfer-Encoding", "chunked\r\nTransfer-Encoding: x"],
  ["Transfer-Encoding ", "chunked"],
  [" Content-Length", "3"],
];

const SMUGGLED = `GET /v1/crm/contacts?organizationId=${TAINT} HTTP/1.1\r\nHost: smuggled\r\n\r\n`;
const BODIES = [
  "",
  "hello",
  "0\r\n\r\n",
  "5\r\nhello\r\n0\r\n\r\n",
  "zz\r\n",
  "ffffffffffffffff\r\nx",
  `0\r\n\r\n${SMUGGLED}`,
  SMUGGLED,
  "{}",
  "\0\0\0",
];

const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ["X-Folded", "a\r\n b"],
  ["X-Nul", "a\0b"],
  ["X-Bare-Lf", "a\nb: c"],
  ["X-Cr", "a\rb"],
  ["", "no name"],
  ["X Space", "x"],
  ["X-Large", "a".repeat(17_000)],
  ["Host", "two.example"],
  ["Host", ""],
  ["Host", `a@b/${TAINT}`],
  ["Connection", "keep-alive, X-Client-Id"],
  ["X-\xe9", "x"],
];

const METHODS = [
  "GET",
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "QUERY",
  "M-SEARCH",
];
const NO_METHODS = ["get", "GETT", "", "G\0T", "X".repeat(100), "GET GET", "PRI"];

/**
 * Requests to an endpoint, made from its declaration: a parameter that is declared later is included without a change
 * here.
 */
function toEndpoint(endpoint: AnyEndpoint, known: Known): fc.Arbitrary<Hostile> {
  const inPath = new Set([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  const own = Object.entries(endpoint.params).filter(([name]) => name !== "organizationId");
  const queries = own.map(([name, one]) => {
    // A well-meaning client never sends the clock's parameter; one that is in the path is seldom in the query too.
    const weight = one.required && !inPath.has(name) ? 12 : isSent(one) && !inPath.has(name) ? 3 : 0.2;
    return fc.oneof(
      { weight: 60, arbitrary: fc.constant<string[]>([]) },
      { weight: Math.round(weight * 10), arbitrary: param(name, one, known) },
    );
  });
  const rare = fc.oneof({ weight: 12, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: stranger });
  return fc
    .record({
      method: fc.oneof({ weight: 25, arbitrary: fc.constant("GET") }, { weight: 1, arbitrary: oneOf(...METHODS) }),
      path: pathOf(endpoint, known),
      query: fc.tuple(
        "organizationId" in endpoint.params ? organizationOf(known) : fc.constant<string[]>([]),
        ...queries,
        rare,
      ),
      headers: fc.tuple(credentials(known), fc.array(header, { maxLength: 2 })),
    })
    .map(({ method, path, query, headers }) => ({
      method,
      target: `${path}?${query.flat().join("&")}`,
      headers: headers.flat(),
      body: "",
      version: "HTTP/1.1",
    }));
}

/** Requests that no HTTP client would send. */
const malformed = (endpoints: readonly AnyEndpoint[], known: Known): fc.Arbitrary<Hostile> =>
  fc.record({
    method: fc.oneof({ weight: 6, arbitrary: oneOf(...METHODS) }, { weight: 1, arbitrary: oneOf(...NO_METHODS) }),
    target: fc.oneof(
      { weight: 3, arbitrary: oneOf(...OTHER_TARGETS) },
      { weight: 3, arbitrary: oneOf(...endpoints.map(({ path }) => `${path}?organizationId=${known.organization}`)) },
      {
        weight: 1,
        arbitrary: fc.oneof(
          raw,
          text.map((value) => `/${value.replaceAll(/[\r\n ]/g, "")}`),
        ),
      },
    ),
    headers: fc
      .tuple(
        credentials(known),
        fc.array(fc.oneof({ weight: 3, arbitrary: header }, { weight: 1, arbitrary: oneOf(...ODD_HEADERS) }), {
          maxLength: 3,
        }),
        fc.array(oneOf(...LENGTHS), { maxLength: 2 }),
      )
      .map((all) => all.flat() as [string, string][]),
    body: oneOf(...BODIES),
    version: fc.oneof(
      { weight: 10, arbitrary: fc.constant("HTTP/1.1") },
      { weight: 1, arbitrary: oneOf("HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.9", "http/1.1", "") },
    ),
  });

export const hostile = (endpoints: readonly AnyEndpoint[], known: Known): fc.Arbitrary<Hostile> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.oneof(...endpoints.map((endpoint) => toEndpoint(endpoint, known))) },
    { weight: 1, arbitrary: malformed(endpoints, known) },
  );

/** The bytes on the wire. The connection is to be closed after it. */
export function bytesOf({ method, target, headers, body, version }: Hostile): Buffer {
  const lines = [`${method} ${target} ${version}`, "Host: 127.0.0.1", "Connection: close"];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "latin1");
}
