import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Credentials } from "../../src/access/credentials.ts";
import { answerFields } from "../../src/contract/answer.ts";
import { type Endpoint, isPaged, isTabular } from "../../src/contract/endpoint.ts";
import { FORMAT_NAMES, FORMATS, type Format } from "../../src/contract/format.ts";
import { endpoints } from "../../src/endpoints/index.ts";
import type { Database } from "../../src/engine/database.ts";
import { SlidingLog } from "../../src/http/rateLimit.ts";
import { type Listening, listen } from "../../src/http/server.ts";
import { DataFolder, seeded } from "../../test/support/data.ts";
import { readers } from "../../test/support/readers.ts";
import { openService, type Service } from "../../test/support/service.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { silent } from "../support/log.ts";
import { landed, type Tenant, tenants } from "../support/tenants.ts";

export const tenancy: Part = {
  name: "tenants",
  promise:
    "An answer holds nothing of another organization, cached or not, in any format; and the serving engine opens " +
    "nothing outside its own folders.",
  method:
    "One service serves two organizations whose rows have the same keys, with a mark in every text and every id of " +
    "each. Every endpoint is asked in every format with the credentials of each, many at once, in random order, cold " +
    "and warm. No answer may hold the other's marks, even when it is unpacked; each answer that has rows with texts " +
    "must hold its own, so that there are marks to be found; and each must equal the answer of a service that has " +
    "only that organization. The other's data is requested with wrong credentials. The locked engine itself is asked " +
    "for files outside its folders, and must refuse each with the exact message for it.",
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
  "/v1/products/:productId/series",
]);

/** Whether the answer contains texts of rows, and not only figures and fixed words. */
const hasTexts = (endpoint: Endpoint): boolean =>
  !WITHOUT_TEXTS_OF_ROWS.has(endpoint.path) && JSON.stringify(answerFields(endpoint)).includes('"unit":"text"');

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
  const { service, server, keys } = await serve(folder, both);
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
              const got = await ask(server, question.address, own[(n + round) % 2] as Key);
              if (await judge(question, got, expected[n] as Got, both)) withMarks.add(kindOf(question));
              asked++;
            }),
          );
        }
      }
    }
    expectMarks(questions, withMarks, scale);
    const refused = await foreign(server, both, keys);
    const closed = await locked(service.database, folder.path);
    return [
      { what: "answers compared", value: asked.toLocaleString("en") },
      { what: "foreign bytes", value: "0" },
      { what: "endpoints × formats", value: String(new Set(questions.map(kindOf)).size) },
      { what: "of these with marks of their own", value: String(withMarks.size) },
      { what: "refused to the other's credentials", value: String(refused) },
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

/** Every endpoint in every format it has, over the whole history. */
function questionsOf(tenant: Tenant, no: number): Question[] {
  return endpoints.flatMap((endpoint) => {
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
  if (period && endpoint.shape !== "page") {
    url.searchParams.set(period.start, "2025-01-15");
    url.searchParams.set(period.end, "2025-03-31");
  }
  if ("breakBy" in endpoint.params) url.searchParams.set("breakBy", "campanha");
  if (isTabular(endpoint)) url.searchParams.set("format", format);
  if (all) url.searchParams.set("all", "true");
  return url.pathname + url.search;
}

async function ask({ port }: Listening, address: string, key: Key): Promise<Got> {
  const headers = { "x-client-id": key.client_id, "x-client-secret": key.client_secret };
  const response = await fetch(`http://127.0.0.1:${port}${address}`, { headers });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
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
  const service: Service = await openService(folder.config, all[0]?.id ?? "", { credentials, limit });
  const server = await listen(service.app, { host: "127.0.0.1", port: 0 }, silent);
  return { service, server, keys };
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
  const isMarked = holds(own.mark);
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
 * What an attacker would try who got a statement into the serving engine, each with the engine's message: any other
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
