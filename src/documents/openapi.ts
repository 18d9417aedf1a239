import { answerFields } from "../core/contract/answer.ts";
import { type AnyEndpoint, comparesStates, filesOf, isTabular, mayBeMissing } from "../core/contract/endpoint.ts";
import { COMPARED, KNOWN } from "../core/contract/envelope.ts";
import type { Fields } from "../core/contract/field.ts";
import { FORMAT_NAMES, FORMATS, type Format, SQL_FORMATS } from "../core/contract/format.ts";
import { isSent, type Param, type PeriodRule } from "../core/contract/param.ts";
import type { ServedRecord } from "../core/contract/record.ts";
import { objectSchema, type Schema } from "../core/contract/schemas.ts";
import { describe, paramSchema, readParam } from "../core/params/kinds.ts";
import type { Case } from "./cases.ts";
import { errorResponses } from "./errors.ts";
import { exampleOf } from "./examples.ts";
import { FAMILIES, familyOf } from "./families.ts";
import { DESCRIPTION } from "./introduction.ts";

export interface Product {
  readonly version: string;
  readonly license: string;
}

/** The OpenAPI document of these endpoints, with examples from these cases. */
export function openapi(
  endpoints: readonly AnyEndpoint[],
  cases: readonly Case[],
  { version, license }: Product,
): Schema {
  return {
    openapi: "3.1.1",
    info: {
      title: "Lucra",
      version,
      summary:
        "Profitability of an e-commerce organization: acquisition cost, lifetime value, payback, cohorts, margin.",
      description: DESCRIPTION,
      license: { name: license, identifier: license },
    },
    servers: [{ url: "/", description: "This service." }],
    security: [{ clientId: [], clientSecret: [] }, { basic: [] }, { bearer: [] }],
    tags: Object.values(FAMILIES),
    paths: Object.fromEntries(endpoints.map((endpoint) => [addressOf(endpoint), { get: operation(endpoint, cases) }])),
    components: {
      securitySchemes: {
        clientId: { type: "apiKey", in: "header", name: "x-client-id", description: "The client id." },
        clientSecret: { type: "apiKey", in: "header", name: "x-client-secret", description: "Its secret." },
        basic: { type: "http", scheme: "basic", description: "The client id as the user, its secret as the password." },
        bearer: { type: "http", scheme: "bearer", description: "The client id, a dot, and its secret." },
      },
      headers: HEADERS,
      schemas: {
        ...Object.fromEntries(endpoints.map((endpoint) => [nameOf(endpoint), objectSchema(fieldsOf(endpoint))])),
        ...Object.fromEntries(errorResponses.map(({ name, schema }) => [name, schema])),
      },
      responses: {
        NotModified: {
          description: "The answer has not changed since the `ETag` that was sent.",
          headers: headers(ANSWERED),
        },
        ...Object.fromEntries(errorResponses.map((response) => [response.name, errorResponse(response)])),
      },
    },
  };
}

/** The fields of its answer, also of one about what was known. */
const fieldsOf = (endpoint: AnyEndpoint): Fields => ({
  ...(comparesStates(endpoint) ? COMPARED : hasStates(endpoint) ? KNOWN : {}),
  ...answerFields(endpoint),
});

const hasStates = ({ params }: AnyEndpoint): boolean => params.knownAt?.kind === "known";

/** The path with `{name}` for path parameters. */
const addressOf = ({ path }: AnyEndpoint): string => path.replaceAll(/:(\w+)/g, "{$1}");

/** `ProductsByProductIdSeries`. */
export const nameOf = ({ path }: AnyEndpoint): string =>
  path
    .replace(/^\/v1/, "")
    .replaceAll(/[/-](:?)(\w)/g, (_, parameter: string, letter: string) => (parameter && "By") + letter.toUpperCase());

/** The formats of an endpoint's answer; the first is the default. */
export const formatsOf = (endpoint: AnyEndpoint): readonly Format[] =>
  endpoint.by === "adhoc" ? SQL_FORMATS : isTabular(endpoint) ? FORMAT_NAMES : ["json"];

const ref = (kind: "schemas" | "responses" | "headers", name: string): Schema => ({
  $ref: `#/components/${kind}/${name}`,
});

const headers = (names: readonly string[]): Schema =>
  Object.fromEntries(names.map((name) => [name, ref("headers", name)]));

function operation(endpoint: AnyEndpoint, cases: readonly Case[]): Schema {
  const { request, sent, answer } = exampleOf(endpoint, cases);
  const name = nameOf(endpoint);
  const example = { summary: "From the demo; lists shortened", description: `GET ${request}`, value: answer };
  const content = formatsOf(endpoint).map((format) => [
    FORMATS[format],
    format === "json" ? { schema: ref("schemas", name), examples: { demo: example } } : { schema: {} },
  ]);
  const sentHeaders = isTabular(endpoint)
    ? [...ANSWERED, ...OF_TABLES]
    : endpoint.by === "adhoc"
      ? [...ANSWERED, "X-Row-Count", "X-Truncated"]
      : ANSWERED;
  return {
    operationId: `get${name}`,
    summary: endpoint.summary,
    description: rulesOf(endpoint).join(" "),
    tags: [familyOf(endpoint).name],
    "x-sql": sqlOf(endpoint),
    parameters: Object.entries(endpoint.params)
      .filter(([, param]) => isSent(param))
      .map(([name, param]) => parameter(endpoint, name, param, sent[name])),
    responses: {
      200: {
        description: "The answer.",
        headers: headers([...sentHeaders, ...(hasStates(endpoint) ? OF_STATES : [])]),
        content: Object.fromEntries(content),
      },
      304: ref("responses", "NotModified"),
      ...Object.fromEntries(
        errorResponses
          .filter(({ name }) => name !== "NotFound" || mayBeMissing(endpoint))
          .map((error) => [error.status, ref("responses", error.name)]),
      ),
    },
  };
}

/** The demo organization. */
const DEMO = "5f0c2b1e-8a4d-4c37-9e21-7b6d0a9c4e10";

function parameter({ path }: AnyEndpoint, name: string, param: Param, sent: string | undefined): Schema {
  const inPath = path.split("/").includes(`:${name}`);
  const example = name === "organizationId" ? DEMO : sent;
  const schema = paramSchema(param);
  return {
    name,
    in: inPath ? "path" : "query",
    description: describe(param),
    ...(param.required ? { required: true } : {}),
    ...(param.deprecated ? { deprecated: true } : {}),
    ...(param.kind === "list" ? { style: "form", explode: false } : {}),
    schema,
    ...(example === undefined ? {} : { example: readParam(param, example) }),
  };
}

/** The SQL files behind the answer, the most relevant first; for rows, those that map the vendor's export. */
export function sqlOf(endpoint: AnyEndpoint): string[] {
  const records = Object.values(endpoint.parts).flatMap(({ record }) => record ?? []);
  return [...records.flatMap(rowFilesOf), ...filesOf(endpoint)].map((name) => `sql/${name}.sql`);
}

const rowFilesOf = ({ connector, name, envelopes, served }: ServedRecord): string[] => [
  ...(envelopes ? [`staging/${connector}/${name}`] : []),
  ...(served.source ? [`core/${served.source}`] : []),
];

/** Rules between an endpoint's parameters, and for its answer as a whole, as sentences. */
export function rulesOf(endpoint: AnyEndpoint): string[] {
  const { periods = [], ranges = [], unknown, cacheSeconds } = endpoint;
  const seconds = endpoint.by === "blocks" ? endpoint.blockSeconds : cacheSeconds;
  const what = endpoint.by === "blocks" ? "A block that could be read" : "The answer";
  return [
    ...periods.flatMap(periodSentences),
    ...ranges.map(({ least, most }) => `\`${least}\` must not be above \`${most}\`.`),
    unknown === "refused" ? "Undeclared parameters are rejected." : "Undeclared parameters are ignored.",
    seconds === 0
      ? `${what} is not cached.`
      : `${what} is cached for ${seconds / 60} minutes, or until the organization's data or settings change.`,
  ];
}

function periodSentences({ start, end, bothOrNone, notFuture, mostDays }: PeriodRule): string[] {
  const both = `\`${start}\` and \`${end}\``;
  return [
    `\`${start}\` must not be after \`${end}\`.`,
    bothOrNone
      ? `Send both ${both}: one without the other is ${bothOrNone === "refused" ? "rejected" : "ignored"}.`
      : "",
    notFuture ? `Neither may be in the future (UTC).` : "",
    mostDays === undefined ? "" : `They are at most ${mostDays} days apart.`,
  ].filter((sentence) => sentence);
}

function errorResponse({ name, description, headers: own, bodies }: (typeof errorResponses)[number]): Schema {
  const [example, ...others] = bodies;
  const examples = bodies.map((value, n) => [`example${n + 1}`, { summary: String(value.message), value }]);
  return {
    description,
    headers: headers(["X-Request-Id", ...own]),
    content: {
      "application/json": {
        schema: ref("schemas", name),
        ...(others.length > 0 ? { examples: Object.fromEntries(examples) } : { example }),
      },
    },
  };
}

const header = (type: "string" | "integer", description: string): Schema => ({ description, schema: { type } });

const HEADERS = {
  "X-Request-Id": header("string", "The request's id: the one that was sent in this header, or a new one."),
  ETag: header(
    "string",
    "Identifies the answer. Send it in `If-None-Match` to get 304 without a body if the answer has not changed.",
  ),
  "X-Incomplete-Records": header(
    "string",
    "If landed files are lost: their records, such as `storea/orders`. The answer lacks the rows of these files, until the " +
      "operator has repaired them.",
  ),
  "X-Known-At": header("string", "With `knownAt`: the instant whose knowledge answers."),
  "X-Known-State": header("string", "With `knownAt`: a hash of what the answer is made of."),
  "X-Settings-Since": header("string", "With `knownAt`: from when on the organization's settings are known."),
  "X-Ignored-Parameters": header(
    "string",
    "If parameters were sent that leave the answer as it is: their names, or `*` for a text that is not like one. Unknown ones where they are ignored, " +
      "and a lone date where both are needed.",
  ),
  Deprecation: header(
    "string",
    "If a deprecated parameter was sent: the time of its deprecation, as `@` and seconds since 1970.",
  ),
  "X-RateLimit-Limit": header("integer", "Requests in any 60 seconds, per credential."),
  "X-RateLimit-Remaining": header("integer", "Requests left now."),
  "X-RateLimit-Reset": header("integer", "When the next request becomes available, in seconds since 1970."),
  "WWW-Authenticate": header(
    "string",
    "The schemes in which credentials may be sent. `Basic` is not offered to a request of a browser, or with `x-client-id`.",
  ),
  "Retry-After": header("integer", "Seconds to wait."),
  "Server-Timing": header("string", "How the time of the answer was spent, in milliseconds."),
  Allow: header("string", "The allowed methods."),
  "X-Row-Count": header("integer", "Number of rows, for tables other than JSON and for `all=true`."),
  "X-Truncated": header("string", "Whether there are more rows than were sent, `true` or `false`."),
  "X-Page": header("integer", "Page number, for pages other than JSON."),
  "X-Limit": header("integer", "Maximum rows per page, for pages other than JSON."),
  "X-Has-Next-Page": header("string", "Whether there is a next page, `true` or `false`, for pages other than JSON."),
  "X-Rows-Left-Out": header(
    "integer",
    "Number of rows that do not fit into the answer, if any, for tables other than JSON.",
  ),
} as const;

/** Headers of every answer that is not an error. */
const ANSWERED = [
  "X-Request-Id",
  "ETag",
  "X-Incomplete-Records",
  "X-Ignored-Parameters",
  "Deprecation",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Server-Timing",
];

/** Headers of answers with `knownAt`: its members, for formats without any. */
const OF_STATES = ["X-Known-At", "X-Known-State", "X-Settings-Since"];

/** Headers of tables in formats that contain only rows. */
const OF_TABLES = ["X-Row-Count", "X-Page", "X-Limit", "X-Has-Next-Page", "X-Rows-Left-Out"];
