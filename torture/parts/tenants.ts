import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Credentials } from "../../src/core/access/credentials.ts";
import { answerFields } from "../../src/core/contract/answer.ts";
import { comparesStates, type Endpoint, isOfRecord, isPaged, isTabular } from "../../src/core/contract/endpoint.ts";
import { FORMAT_NAMES, FORMATS, type Format } from "../../src/core/contract/format.ts";
import { isSent } from "../../src/core/contract/param.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import type { Database } from "../../src/core/engine/database.ts";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { type Listening, listen } from "../../src/core/http/server.ts";
import { Links, addressOf as linkAddress } from "../../src/features/links/links.ts";
import { DataFolder, seeded } from "../../test/support/data.ts";
import { connect } from "../../test/support/mcp.ts";
import { readers } from "../../test/support/readers.ts";
import { openService, type Service } from "../../test/support/service.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { silent } from "../support/log.ts";
import { landed, type Tenant, tenants } from "../support/tenants.ts";

export const tenancy: Part = {
  name: "tenants",
  promise:
    "An answer holds nothing of another organization, cached or not, in any format; and the serving engines open " +
    "nothing outside their own folders.",
  method:
    "One service serves two organizations whose rows have the same keys, with a mark in every text and every id of " +
    "each. Every endpoint is asked in every format with the credentials of each, many at once, in random order, cold " +
    "and warm. No answer may hold the other's marks, even when it is unpacked; each answer that has rows with texts " +
    "must hold its own, so that there are marks to be found; and each must equal the answer of a service that has " +
    "only that organization. Requests take turns at the doors: the two headers, Basic, Bearer, and a share link for each " +
    "question. The other's data is requested with wrong credentials, and through links. Every tool of /mcp is called for " +
    "both, by id and by name, in every argument that can name an organization. Both locked engines themselves are asked " +
    "for files outside their folders, and must refuse each with the exact message for it.",
  run,
};

const ROUNDS: Record<Scale, number> = { short: 1, long: 12 };
/** Exports that are left out except at long. */
const LESS = /inventory|keywords|geographic|criterion|conversion|adset|platform|pipelines|items|customers/;
/** Concurrent questions. */
const SHARE: Record<Scale, number> = { short: 0.08, long: 1 };
const AT_ONCE = 12;
/** Answers whose texts are not of rows: labels of channels, and the ids of the request. */
const WITHOUT_TEXTS_OF_ROWS: ReadonlySet<string> = new Set([
  "/v1/acquisition/channels",
  "/v1/explain",
  "/v1/profit/statement",
  "/v1/profit/unknown-goods",
  "/v1/profit/pace",
  "/v1/alerts/replay",
  "/v1/products/:productId/series",
]);

/**
 * Whether the answer contains texts of rows, and not only figures, fixed words, the names of accounts in `coverage` and what was
 * sent in `filters`.
 */
function hasTexts(endpoint: Endpoint): boolean {
  const { coverage: _, filters: __, ...fields } = answerFields(endpoint);
  return !WITHOUT_TEXTS_OF_ROWS.has(endpoint.path) && /"unit":"text"|"crossed"/.test(JSON.stringify(fields));
}

/** The answer without the names of accounts. */
function withoutCoverage(text: string): string {
  const { coverage: _, ...others } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return JSON.stringify(others);
}

interface Question {
  readonly tenant: number;
  readonly endpoint: Endpoint;
  readonly format: Format;
  readonly address: string;
}

interface Key {
  readonly client_id: string;
  readonly client_secret: string;
}

interface Got {
  readonly status: number;
  readonly bytes: Buffer;
}

async function run(scale: Scale, seed: number): Promise<readonly Figure[]> {
  const both = await tenants();
  const random = seeded(seed);
  const folder = await landed(both, scale === "long" ? undefined : LESS);
  const questions = both.flatMap((tenant, n) => questionsOf(tenant, n)).filter(() => random() < SHARE[scale]);
  const separate: Got[][] = [];
  for (const [n, tenant] of both.entries()) {
    const own = questions.map((question) => (question.tenant === n ? question : undefined));
    const other = scale === "long" ? both[1 - n] : undefined;
    separate.push(await answersAlone(folder, tenant, other, own));
  }
  const expected = questions.map(({ tenant }, n) => separate[tenant]?.[n] as Got);
  const { service, server, keys, links } = await serve(folder, both);
  const tokens = await tokensOf(links, questions, both);
  let asked = 0;
  const withMarks = new Set<string>();
  try {
    for (let round = 0; round < ROUNDS[scale]; round++) {
      const order = questions.map((_, n) => n).sort(() => random() - 0.5);
      // Everything twice: the second half finds the answers that the first half cached.
      for (const all of [order, [...order].reverse()]) {
        for (let at = 0; at < all.length; at += AT_ONCE) {
          const group = all.slice(at, at + AT_ONCE);
          await Promise.all(
            group.map(async (n) => {
              const question = questions[n] as Question;
              const own = keys[question.tenant] as readonly Key[];
              const key = own[(n + round) % 2] as Key;
              const got = await DOORS[asked % DOORS.length]?.(server, question.address, key, tokens[n] ?? "");
              if (!got) throw new Error("no door");
              if (await judge(question, got, expected[n] as Got, both)) withMarks.add(kindOf(question));
              asked++;
            }),
          );
        }
      }
    }
    expectMarks(questions, withMarks, scale);
    const refused = await foreign(server, both, keys);
    const listed = await lists(server, both, keys, links);
    const byTools = await throughTools(server, both, keys);
    let closed = 0;
    for (const engine of [service.database, service.small]) if (engine) closed += await locked(engine, folder.path);
    return [
      { what: "answers compared", value: asked.toLocaleString("en") },
      { what: "foreign bytes", value: "0" },
      { what: "endpoints × formats", value: String(new Set(questions.map(kindOf)).size) },
      { what: "of these with marks of their own", value: String(withMarks.size) },
      { what: "refused to the other's credentials", value: String(refused) },
      { what: "lists of organizations, through every door", value: String(listed) },
      { what: "calls of tools, also with the other's names", value: String(byTools) },
      { what: "ways out of the engine, all closed", value: String(closed) },
    ];
  } finally {
    await server.stop();
    await service.close();
    await folder.remove();
  }
}

const kindOf = ({ endpoint, format }: Pick<Question, "endpoint" | "format">): string => `${endpoint.path} ${format}`;

/** At long every endpoint has rows and so marks: without them foreign marks would not be found either. */
function expectMarks(questions: readonly Question[], withMarks: ReadonlySet<string>, scale: Scale): void {
  if (withMarks.size === 0) throw new Error("no answer holds a mark");
  const missing = questions.filter((one) => hasTexts(one.endpoint) && !withMarks.has(kindOf(one)));
  if (scale === "long" && missing.length > 0)
    throw new Error(`no rows, so that nothing could be found: ${[...new Set(missing.map(kindOf))].join(", ")}`);
}

/** Every endpoint in every format it has, over the whole history. Nothing changed that one could compare states of. */
function questionsOf(tenant: Tenant, no: number): Question[] {
  return endpoints.flatMap((endpoint) => {
    if (comparesStates(endpoint)) return [];
    const stores = endpoint.params.integrationId?.required ? tenant.stores : [undefined];
    const formats = isTabular(endpoint) ? FORMAT_NAMES : (["json"] as const);
    return stores.flatMap((store) =>
      formats.flatMap((format) => {
        const wholes = isPaged(endpoint) ? [false, true] : [false];
        return wholes.map((all) => ({
          tenant: no,
          endpoint,
          format,
          address: addressOf(endpoint, tenant, store, format, all),
        }));
      }),
    );
  });
}

/** Both stores sell a product with this id in their catalogs. */
const PRODUCTS = ["501", "gid://shopify/Product/8101000000001"];

function addressOf(
  endpoint: Endpoint,
  { id, stores }: Tenant,
  store: string | undefined,
  format: Format,
  all: boolean,
) {
  const product = PRODUCTS[stores.indexOf(store ?? "")] ?? "";
  const url = new URL(endpoint.path.replace(":productId", encodeURIComponent(product)), "http://lucra");
  url.searchParams.set("organizationId", id);
  if (store) url.searchParams.set("integrationId", store);
  const [period] = endpoint.periods ?? [];
  const start = period && endpoint.params[period.start];
  if (period && start && isSent(start) && !isOfRecord(endpoint)) {
    url.searchParams.set(period.start, "2025-01-15");
    url.searchParams.set(period.end, "2025-03-31");
  }
  if (endpoint.by === "explain")
    setAll(url, {
      endpoint: "/v1/profitability/cards",
      figure: "revenue",
      startDate: "2025-01-15",
      endDate: "2025-03-31",
    });
  if (endpoint.params.by?.required) url.searchParams.set("by", "campaign");
  if ("breakBy" in endpoint.params) url.searchParams.set("breakBy", "campanha");
  if (isTabular(endpoint)) url.searchParams.set("format", format);
  if (all) url.searchParams.set("all", "true");
  return url.pathname + url.search;
}

function setAll({ searchParams }: URL, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) searchParams.set(name, value);
}

/** What the tools are called with, for an organization and one of its stores. */
function callsFor(organization: string, { id, stores }: Tenant): [tool: string, args: Record<string, unknown>][] {
  const days = { from: "2025-01-15", to: "2025-03-31" };
  const [store] = stores;
  const cards = `/v1/profitability/cards?organizationId=${id}&startDate=2025-01-15&endDate=2025-03-31`;
  return [
    ["list_organizations", {}],
    ["list_organizations", { search: organization }],
    ["profit_of_a_period", { organization, ...days, break_by: "campanha", reconcile: true }],
    ["trend", { organization, ...days, about: "new_customers_by_channel" }],
    ["breakdown", { organization, ...days, by: "store,campaign" }],
    ["breakdown", { organization, ...days, by: "city", store, channel: "direct" }],
    ["cohorts", { organization, break_by: "campanha" }],
    ["cohorts", { organization, about: "payback", break_by: "campanha" }],
    ["forecast", { organization }],
    ["acquisition", { organization, ...days, top: 100 }],
    ["products", { organization, ...days, store, categories: true }],
    ["product", { organization, ...days, store, product: PRODUCTS[0] }],
    ["explain", { organization, address: cards, figure: "revenue" }],
    ["explain", { address: cards, figure: "revenue" }],
    ["describe_views", { organization, view: "orders" }],
    ["sql", { organization, query: "select * from campaigns order by all" }],
    ["sql", { organization, query: "select * from organization cross join integrations order by all" }],
  ];
}

/** Calls every tool for each organization, with the credentials of each. Returns the number of calls. */
async function throughTools({ port }: Listening, both: readonly Tenant[], keys: readonly (readonly Key[])[]) {
  let calls = 0;
  for (const [no, tenant] of both.entries()) {
    const key = keys[no]?.[0] as Key;
    const other = both[1 - no] as Tenant;
    const headers = { "x-client-id": key.client_id, "x-client-secret": key.client_secret };
    const agent = await connect(`http://127.0.0.1:${port}/mcp`, headers);
    let withMarks = 0;
    for (const named of both) {
      for (const organization of [named.id, named.id.toUpperCase(), named.settings.name]) {
        for (const [tool, args] of callsFor(organization, named)) {
          const { text, isError } = await agent.call(tool, args);
          calls++;
          // A refusal repeats what was sent.
          const own = text.replaceAll(organization, "").replaceAll(isError ? named.id : organization, "");
          if (own.includes(other.mark) || own.includes(other.id))
            throw new Error(
              `${tool} ${JSON.stringify(args)} returns data of ${other.mark} to ${tenant.mark}: ${text.slice(0, 500)}`,
            );
          const isForeign = named !== tenant && tool !== "list_organizations";
          if (isForeign !== isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${text.slice(0, 500)}`);
          if (text.includes(tenant.mark)) withMarks++;
        }
      }
    }
    await agent.close();
    if (withMarks < 20) throw new Error(`only ${withMarks} results of tools hold marks of their own`);
  }
  return calls;
}

async function get({ port }: Listening, address: string, headers: Readonly<Record<string, string>>): Promise<Got> {
  const response = await fetch(`http://127.0.0.1:${port}${address}`, { headers });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

const ask = (server: Listening, address: string, { client_id, client_secret }: Key): Promise<Got> =>
  get(server, address, { "x-client-id": client_id, "x-client-secret": client_secret });

/** The ways in which a request may say whose it is. */
const DOORS: readonly ((server: Listening, address: string, key: Key, token: string) => Promise<Got>)[] = [
  ask,
  (server, address, { client_id, client_secret }) => {
    const pair = Buffer.from(`${client_id}:${client_secret}`).toString("base64");
    return get(server, address, { authorization: `Basic ${pair}` });
  },
  (server, address, { client_id, client_secret }) =>
    get(server, address, { authorization: `Bearer ${client_id}.${client_secret}` }),
  (server, _, __, token) => get(server, linkAddress(token), {}),
];

/** A share link for each question. */
async function tokensOf(links: Links, questions: readonly Question[], both: readonly Tenant[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const { tenant, address } of questions) {
    const url = new URL(address, "http://lucra");
    url.searchParams.delete("organizationId");
    const organization = both[tenant]?.id ?? "";
    const { token } = await links.create({ organization, endpoint: url.pathname + url.search, name: "torture" });
    tokens.push(token);
  }
  return tokens;
}

/** Every list of organizations has its own one only; a link answers for no other one either. */
async function lists(
  server: Listening,
  both: readonly Tenant[],
  keys: readonly (readonly Key[])[],
  links: Links,
): Promise<number> {
  let listed = 0;
  for (const [n, own] of both.entries()) {
    const other = both[1 - n] as Tenant;
    const { token } = await links.create({ organization: own.id, endpoint: "/v1/organizations", name: "torture" });
    const cards = await links.create({ organization: own.id, endpoint: "/v1/profitability/cards", name: "torture" });
    // Until the service has seen the last two links.
    await sleep(600);
    for (const door of DOORS) {
      const { status, bytes } = await door(server, "/v1/organizations", keys[n]?.[0] as Key, token);
      const text = bytes.toString("utf8");
      const foreign = [other.id, other.mark, ...other.stores].find((one) => text.includes(one));
      if (status !== 200 || !text.includes(own.mark) || foreign)
        throw new Error(`the list of ${own.id}: ${status} ${foreign ?? ""} ${text.slice(0, 300)}`);
      listed++;
    }
    const asked = await get(server, `${linkAddress(cards.token)}?organizationId=${other.id}`, {});
    if (asked.status !== 400) throw new Error(`a link for another organization: ${asked.status}`);
  }
  return listed;
}

async function serve(folder: DataFolder, all: readonly Tenant[]) {
  const credentials = new Credentials(folder.path);
  const keys: Key[][] = [];
  for (const { id } of all) {
    const pair = [];
    for (const name of ["one", "two"]) pair.push(await credentials.create({ organizations: [id], name }));
    keys.push(pair);
  }
  const limit = new SlidingLog(1_000_000);
  const links = new Links(folder.path);
  const config = { ...folder.config, threads: 2 };
  const service: Service = await openService(config, all[0]?.id ?? "", { credentials, limit, links });
  const server = await listen(service.app, { host: "127.0.0.1", port: 0 }, silent);
  return { service, server, keys, links };
}

/**
 * The answers to each organization of a service that has only that one: the other is removed and everything is derived
 * again.
 */
async function answersAlone(
  of: DataFolder,
  tenant: Tenant,
  other: Tenant | undefined,
  questions: readonly (Question | undefined)[],
): Promise<Got[]> {
  const folder = await DataFolder.copyOf(of);
  if (other) await forget(folder, other);
  const { service, server, keys } = await serve(folder, [tenant]);
  try {
    const answers: Got[] = [];
    for (const question of questions) {
      const key = keys[0]?.[0] as Key;
      answers.push(question ? await ask(server, question.address, key) : { status: 0, bytes: Buffer.alloc(0) });
    }
    return answers;
  } finally {
    await server.stop();
    await service.close();
    await folder.remove();
  }
}

async function forget(folder: DataFolder, { id }: Tenant): Promise<void> {
  await rm(path.join(folder.path, "marts"), { recursive: true });
  for (const name of await readdir(folder.path, { recursive: true })) {
    if (path.basename(name).includes(id)) await rm(path.join(folder.path, name), { recursive: true, force: true });
  }
  await folder.sync();
}

/** The searchable content: unpacked where the format packs it. */
async function readable({ bytes, status }: Got, format: Format): Promise<unknown> {
  if (status !== 200 || format === "json" || format === "csv" || format === "ndjson") return bytes.toString("utf8");
  const { rows } = await readers[format](bytes);
  return rows;
}

const plain = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? String(one) : one));

/** Whether an answer has rows, or is no list. */
async function hasRows({ bytes }: Got, format: Format): Promise<boolean> {
  if (format !== "json") return (await readers[format](bytes)).rows.length > 0;
  const { data } = JSON.parse(bytes.toString("utf8")) as { data?: unknown };
  return !Array.isArray(data) || data.length > 0;
}

/** Whether the answer contains its own organization's marks. */
async function judge(question: Question, got: Got, expected: Got, both: readonly Tenant[]): Promise<boolean> {
  const { address, endpoint, format, tenant } = question;
  const [own, other] = [both[tenant] as Tenant, both[1 - tenant] as Tenant];
  const [found, wanted] = [await readable(got, format), await readable(expected, format)];
  const texts = [got.bytes.toString("latin1"), plain(found)];
  const holds = (mark: string): boolean => texts.some((text) => text.includes(mark));
  for (const foreign of [other.mark, other.id, ...other.stores]) {
    if (holds(foreign)) throw new Error(`${address} holds ${foreign} of another organization`);
  }
  if (got.status !== 200) throw new Error(`${address}: ${got.status} ${got.bytes.toString("utf8").slice(0, 300)}`);
  if (!isDeepStrictEqual(found, wanted))
    throw new Error(`${address} as ${FORMATS[format]} differs from the answer of a service of its own`);
  const isMarked = format === "json" ? withoutCoverage(String(found)).includes(own.mark) : holds(own.mark);
  const isDue = hasTexts(endpoint) && (await hasRows(got, format));
  if (isMarked !== isDue)
    throw new Error(
      `${address} ${isMarked ? "holds texts, but is in WITHOUT_TEXTS_OF_ROWS" : "has rows without a mark"}`,
    );
  return isMarked;
}

/** Asks for the other's data: the answer is that of an organization that does not exist. */
async function foreign(server: Listening, both: readonly Tenant[], keys: readonly (readonly Key[])[]): Promise<number> {
  const unknown = "0aaaaaaa-0000-4000-8000-000000000000";
  let asked = 0;
  for (const [n, { id }] of both.entries()) {
    for (const endpoint of endpoints) {
      const key = keys[1 - n]?.[0] as Key;
      const of = (organization: string) => ask(server, `${endpoint.path}?organizationId=${organization}`, key);
      const [theirs, none] = [await of(id), await of(unknown)];
      if (theirs.status !== 403 || !theirs.bytes.equals(none.bytes) || none.status !== 403)
        throw new Error(`${endpoint.path} of ${id}, with credentials of another: ${theirs.status} ${theirs.bytes}`);
      asked++;
    }
  }
  return asked;
}

const OFF = "file system operations are disabled by configuration";
const LOADING = "Permission Error: Loading external extensions is disabled through configuration";

/**
 * What an attacker would try who got a statement into a serving engine, each with the engine's message: any other
 * error means that the lock was not what stopped it.
 */
function attempts(dataDir: string): [statement: string, refusal: string | RegExp][] {
  const marts = `${dataDir}/marts`;
  const files: [statement: (path: string) => string, path: string][] = [
    [(path) => `from read_text('${path}')`, "/etc/passwd"],
    [(path) => `from read_blob('${path}')`, "/proc/self/environ"],
    [(path) => `from read_csv('${path}')`, "/etc/passwd"],
    [(path) => `from sniff_csv('${path}')`, "/etc/passwd"],
    [(path) => `from parquet_metadata('${path}')`, "/etc/passwd"],
    [(path) => `from read_text('${path}')`, `${dataDir}/credentials.json`],
    [(path) => `from read_text('${path}')`, `${marts}/../credentials.json`],
    [(path) => `from read_text('${path}')`, `${marts}/./../credentials.json`],
    [(path) => `from read_parquet('${path}')`, `${dataDir}/lake/**/*.parquet`],
    [(path) => `from glob('${path}')`, `${dataDir}/*`],
    [(path) => `from glob('${path}')`, `${marts}/../*`],
    [(path) => `from read_csv('${path}')`, "http://127.0.0.1:1/x"],
    [(path) => `copy (select 1) to '${path}'`, `${dataDir}/x.csv`],
    [(path) => `copy (select 1) to '${path}'`, `${marts}/../x.csv`],
    [(path) => `attach '${path}'`, `${dataDir}/x.duckdb`],
    [() => "import database '/etc'", "/etc/schema.sql"],
  ];
  const settings = [
    "set lock_configuration = false",
    "reset lock_configuration",
    "set enable_external_access = true",
    "set allowed_directories = ['/']",
    "set temp_directory = '/tmp'",
    "set home_directory = '/tmp'",
    "set file_search_path = '/etc'",
    "set log_query_path = '/tmp/x'",
    "set profiling_output = '/tmp/x'",
    "set memory_limit = '1TB'",
  ];
  const changed = (setting: string): string =>
    `Invalid Input Error: Cannot change configuration option "${setting.split(" ")[1]}" - the configuration has been locked`;
  return [
    ...files.map(([statement, path]): [string, string] => [
      statement(path),
      `Permission Error: Cannot access file "${path}" - ${OFF}`,
    ]),
    [`export database '${dataDir}/x'`, `Permission Error: Cannot access directory "${dataDir}/x" - ${OFF}`],
    // The engine's own folders in the user's home.
    [
      "install httpfs",
      RegExp(`^Permission Error: Cannot access directory "[^"]*/\\.duckdb/extensions/[^"]*" - ${OFF}$`),
    ],
    [
      "create secret (type s3)",
      RegExp(`^Permission Error: Cannot access directory "[^"]*/\\.duckdb/stored_secrets" - ${OFF}$`),
    ],
    ["load httpfs", LOADING],
    [`load '${marts}/x.duckdb_extension'`, LOADING],
    ...settings.map((setting): [string, string] => [setting, changed(setting)]),
  ];
}

async function locked(database: Database, dataDir: string): Promise<number> {
  const all = attempts(dataDir);
  for (const [way, refusal] of all) {
    const error = await database
      .use((session) => session.rows(way))
      .then(
        () => "no error",
        (failure: Error) => failure.message,
      );
    // The position in the statement may follow.
    const [said = ""] = error.split("\n\nLINE ");
    if (typeof refusal === "string" ? said !== refusal : !refusal.test(said))
      throw new Error(`the engine allows ${way}: ${error}`);
  }
  return all.length;
}
