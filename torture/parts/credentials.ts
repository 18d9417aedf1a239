import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Credentials } from "../../src/core/access/credentials.ts";
import { allEndpoints, endpoints } from "../../src/core/endpoints/index.ts";
import { addressOf, Links } from "../../src/features/links/links.ts";
import { AURORA, DataFolder, ended, exportsOf, freePort, STOREA, seeded } from "../../test/support/data.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { idsOf, makeClients, suspended } from "../support/keys.ts";
import { median, superiority } from "../support/measure.ts";
import { type Process, startProcess } from "../support/process.ts";

export const credentials: Part = {
  name: "credentials",
  promise:
    "The time of a refusal reveals nothing about a client or its secret; secrets and e-mails are in no log, error, " +
    "metric or status; only Lucra's own user can read its files; a revoked client is refused within seconds; what " +
    "`keys` reports as done stays done, however many processes change the clients at once.",
  method:
    "Wrong secrets of a known, an unknown and a revoked client, some with the same beginning as the right one, are " +
    "verified in turn and compared by ranks: a usable difference would put one kind above another in far more than " +
    "half of all pairs. A real service that logs everything, with every query treated as slow, is sent secrets and " +
    "e-mails in every possible place, bare and within a text, also the client's own secret as its request id, and the " +
    "tokens of share links; credentials are sent in the two headers, as Basic and as Bearer; it " +
    "lands broken exports full of them, and all its output is searched. A client is revoked while many requests use " +
    "it. Processes whose clocks are minutes apart make clients at once while others are revoked; one of them is " +
    "suspended for seconds right before it puts its file in place, and one is killed.",
  run,
};

const TIMED: Record<Scale, number> = { short: 2_000, long: 100_000 };
const REVOKED: Record<Scale, number> = { short: 1, long: 10 };
/** The number of clients that each process makes, and how long one of them is suspended. */
const MADE: Record<Scale, number> = { short: 10, long: 200 };
const SUSPENDED_MS: Record<Scale, number> = { short: 2_000, long: 14_000 };
/** How far the processes' clocks are ahead, in seconds. */
const AHEAD = [0, 60, 600];
/** If one kind is slower in so many pairs, an attacker could use the difference; noise stays far below. */
const USABLE = 0.8;
/** "Within seconds". */
const SECONDS = 5;

async function run(scale: Scale, seed: number): Promise<readonly Figure[]> {
  const folder = await DataFolder.fixtures();
  try {
    const { worst, kinds } = await timing(folder, TIMED[scale]);
    const { figures, slowest } = await searched(folder, REVOKED[scale]);
    return [
      { what: "refusals timed, of each kind", value: TIMED[scale].toLocaleString("en") },
      { what: "medians", value: kinds },
      { what: "one kind slower than another in at most", value: `${(100 * worst).toFixed(1)} % of pairs` },
      ...figures,
      { what: "slowest revocation under load", value: `${slowest} ms` },
      ...(await changedAtOnce(folder, scale, seed)),
    ];
  } finally {
    await folder.remove();
  }
}

async function timing(folder: DataFolder, count: number): Promise<{ worst: number; kinds: string }> {
  const clients = new Credentials(folder.path);
  const [good, gone] = [await made(clients), await made(clients)];
  await clients.revoke(gone.client_id);
  const wrong = "x".repeat(good.client_secret.length);
  const kinds: Record<string, readonly [string, string]> = {
    "wrong secret": [good.client_id, wrong],
    "all but its end right": [good.client_id, `${good.client_secret.slice(0, -1)}_`],
    "unknown client": [`${good.client_id.slice(0, -1)}_`, wrong],
    "revoked client": [gone.client_id, gone.client_secret],
  };
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  const names = Object.keys(kinds);
  // The first calls include compilation.
  for (let n = -count / 4; n < count; n++) {
    for (let at = 0; at < names.length; at++) {
      // Each kind comes after each other kind.
      const kind = names[(at * ((Math.abs(n) % 3) + 1) + n + count) % names.length] as string;
      const [client, secret] = kinds[kind] as readonly [string, string];
      const began = process.hrtime.bigint();
      const verified = await clients.verify(client, secret);
      const took = Number(process.hrtime.bigint() - began) / 1000;
      if (verified) throw new Error(`a ${kind} was accepted`);
      if (n >= 0) times.get(kind)?.push(took);
    }
  }
  let worst = 0.5;
  for (const a of names) {
    for (const b of names) {
      const above = a === b ? 0.5 : superiority(times.get(a) ?? [], times.get(b) ?? []);
      if (above > USABLE) throw new Error(`a ${a} takes longer than a ${b} in ${(100 * above).toFixed(1)} % of pairs`);
      worst = Math.max(worst, above);
    }
  }
  return { worst, kinds: names.map((kind) => `${kind} ${median(times.get(kind) ?? []).toFixed(1)} µs`).join(", ") };
}

const made = (clients: Credentials) => clients.create({ organizations: [AURORA], name: "torture" });

const AT_ONCE = 8;
const EMAIL = "quem.nao.pode@vazar-nunca.example";
/** Where the names of exports appear. */
const TELLS_NAMES: ReadonlySet<string> = new Set(["a status file", "what sync says"]);
const HEADERS = [
  "x-request-id",
  "referer",
  "user-agent",
  "authorization",
  "cookie",
  "accept",
  "if-none-match",
  "x-forwarded-for",
];
const BROKEN_ROWS = [
  { orderId: "1", value: EMAIL, creationDate: EMAIL, clientProfileData: { email: EMAIL } },
  { orderId: { email: EMAIL }, items: EMAIL },
];

/** Sends secrets and e-mails everywhere, revokes clients, and searches all output for them. */
async function searched(folder: DataFolder, revoked: number): Promise<{ figures: Figure[]; slowest: number }> {
  const clients = new Credentials(folder.path);
  const [key, other] = [await made(clients), await made(clients)];
  const rotated = await clients.rotate(other.client_id, { overlapSeconds: 600 });
  await folder.write(`${exportsOf(STOREA, "orders")}/broken.json`, JSON.stringify(BROKEN_ROWS));
  await folder.write(`${exportsOf(STOREA, "orders")}/cut.json`, `[{"orderId":"${EMAIL}", "value": `);
  await folder.write(`${exportsOf(STOREA, "orders")}/${EMAIL}.csv`, `order_id,email\n"${EMAIL}`);
  const synced = await folder.lucra(["sync", "--json"]);
  const metricsPort = await freePort();
  // The credentials take turns, so that none exceeds its rate limit.
  const keys: readonly Key[] = [key, other, rotated, await made(clients)];
  const tokens = await linksOf(folder, keys.length);
  const secrets = [...keys.map(({ client_secret }) => client_secret), ...tokens];
  const requests = [...requestsWith(keys), ...requestsOfLinks(tokens)];
  const environment = { LUCRA_LOG_LEVEL: "trace", LUCRA_SLOW_MS: "0", LUCRA_SHARE_LINKS: "on" };
  const service = await startProcess(folder, environment, metricsPort);
  let metrics = "";
  let slowest = 0;
  const answers: string[] = [];
  try {
    const ask = async ({ address, headers }: Sent): Promise<void> => {
      const response = await fetch(`http://127.0.0.1:${service.port}${address}`, { headers });
      const text = await response.text();
      // Otherwise the rest of the request would not have been read.
      if (response.status === 429) throw new Error(`too many requests for ${address}`);
      answers.push(JSON.stringify([...response.headers]));
      // What is wrong in a query is shown to its author, with the line that it is in.
      if (response.status >= 400 && !address.startsWith("/v1/sql")) answers.push(text);
    };
    for (let at = 0; at < requests.length; at += AT_ONCE) await Promise.all(requests.slice(at, at + AT_ONCE).map(ask));
    for (let n = 0; n < revoked; n++) slowest = Math.max(slowest, await revocation(clients, service));
    metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  } finally {
    await service.stop();
  }
  const status = await texts(path.join(folder.path, "status"));
  const places: Record<string, string> = {
    "the log": service.said(),
    "an answer": answers.join("\n"),
    metrics,
    "a status file": status,
    credentials: await folder.text("credentials.json"),
    "the file of links": await folder.text("links.json"),
  };
  const people = await emails(folder);
  for (const [place, text] of Object.entries({ ...places, "what sync says": `${synced.stdout}${synced.stderr}` })) {
    const plain = unescaped(text);
    // Operators see the names of their own exports.
    const looked = TELLS_NAMES.has(place) ? plain.replaceAll(`${EMAIL}.csv`, "") : plain;
    const leaked = [...secrets, ...people, EMAIL].find((one) => looked.includes(one));
    if (leaked) throw new Error(`${leaked} is in ${place}: ${around(looked, leaked)}`);
  }
  const open = await readableByOthers(folder.path);
  if (open.length > 0) throw new Error(`readable by others: ${open.join(", ")}`);
  const figures = [
    { what: "secrets and e-mails looked for", value: String(secrets.length + people.size + 1) },
    { what: "found in log, errors, metrics, status", value: "0" },
    { what: "lines of the log", value: service.said().split("\n").length.toLocaleString("en") },
    { what: "files that others may read", value: "0" },
  ];
  return { figures, slowest };
}

interface Key {
  readonly client_id: string;
  readonly client_secret: string;
}

interface Sent {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

const signed = ({ client_id, client_secret }: Key) => ({ "x-client-id": client_id, "x-client-secret": client_secret });

const basic = ({ client_id, client_secret }: Key) => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`,
});
const bearer = ({ client_id, client_secret }: Key) => ({ authorization: `Bearer ${client_id}.${client_secret}` });

/** The ways in which credentials may be sent. */
const WAYS: readonly ((key: Key) => Readonly<Record<string, string>>)[] = [signed, basic, bearer];

/** The tokens of share links. */
async function linksOf(folder: DataFolder, count: number): Promise<string[]> {
  const links = new Links(folder.path);
  const tokens: string[] = [];
  for (let n = 0; n < count; n++) {
    const { token } = await links.create({ organization: AURORA, endpoint: "/v1/crm/contacts", name: "torture" });
    tokens.push(token);
  }
  return tokens;
}

/** Good and wrong ones, with their tokens in every other place too. */
const requestsOfLinks = (tokens: readonly string[]): Sent[] =>
  tokens.flatMap((token) => [
    { address: addressOf(token), headers: { "x-request-id": token } },
    { address: `${addressOf(token)}?${token}=${token}`, headers: { "x-request-id": `job-7.${token}`, referer: token } },
    { address: `${addressOf(token)}?email=${token}`, headers: { "user-agent": token, "if-none-match": token } },
    { address: `${addressOf(token)}/${token}`, headers: { "x-request-id": `job-7.${token}` } },
  ]);

function requestsWith(keys: readonly Key[]): Sent[] {
  const secrets = keys.map(({ client_secret }) => client_secret);
  const addresses = allEndpoints.flatMap((endpoint) => {
    const path = endpoint.path.replace(/:\w+/, encodeURIComponent(EMAIL));
    const texts = Object.entries(endpoint.params).filter(
      ([name, { kind }]) => kind === "text" && name !== "organizationId",
    );
    const values = texts.map(([name]) => `&${name}=${encodeURIComponent(EMAIL)}`).join("");
    const store = "integrationId" in endpoint.params && endpoint.params.integrationId?.kind === "uuid" ? STOREA : "";
    return [`${path}?organizationId=${AURORA}${store && `&integrationId=${store}`}${values}`];
  });
  const everywhere = [EMAIL, ...secrets].flatMap((value) => [
    `/${value}`,
    `/v1/crm/contacts/${value}`,
    `/v1/${value}?organizationId=${AURORA}`,
    `/v1/crm/contacts?organizationId=${AURORA}&${value}=${value}`,
    `/v1/crm/contacts?organizationId=${AURORA}&createdStart=${value}`,
    `/v1/crm/contacts?organizationId=${value}`,
    `/v1/profitability/cards?organizationId=${AURORA}&startDate=${value}`,
  ]);
  const contacts = `/v1/crm/contacts?organizationId=${AURORA}`;
  // Also without other text, because a request id may contain no blank.
  const headers = secrets
    .concat(EMAIL)
    .flatMap((value) =>
      HEADERS.flatMap((name) =>
        [value, `${name} ${value}`].map((text) => ({ address: contacts, headers: { [name]: text } })),
      ),
    );
  const unsigned: Sent[] = [...[...addresses, ...everywhere].map((address) => ({ address, headers: {} })), ...headers];
  const byTurns = unsigned.map(({ address, headers }, n) => ({
    address,
    headers: { ...WAYS[n % WAYS.length]?.(keys[n % keys.length] as Key), ...headers },
  }));
  // A client that uses its own secret as a request id, or as a part of one.
  const own = keys.flatMap((key) =>
    [key.client_secret, `job-7.${key.client_secret}`].flatMap((id) =>
      WAYS.map((way) => ({ address: contacts, headers: { ...way(key), "x-request-id": id } })),
    ),
  );
  const wrong = secrets.map((secret) => ({
    address: contacts,
    headers: { "x-client-id": secret, "x-client-secret": `${secret}x`, "x-request-id": secret },
  }));
  const wrongly = keys.map(({ client_id, client_secret }, n) => ({
    address: contacts,
    headers: (n % 2 === 0 ? basic : bearer)({ client_id, client_secret: `${client_secret}x` }),
  }));
  return [...byTurns, ...own, ...wrong, ...wrongly];
}

/** Escapes in JSON or in an address, even double ones, do not hide a secret. */
function unescaped(text: string): string {
  const plain = text.replaceAll(
    /%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\([/\\"])/gi,
    (_code, hex, unit, letter) => letter ?? String.fromCharCode(Number.parseInt(hex ?? unit, 16)),
  );
  return plain === text ? text : unescaped(plain);
}

const around = (text: string, found: string): string => {
  const at = text.indexOf(found);
  return text.slice(Math.max(0, at - 300), at + found.length + 100);
};

async function texts(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
}

/** Every e-mail of the exports. */
async function emails(folder: DataFolder): Promise<Set<string>> {
  const text = await texts(path.join(folder.path, "exports"));
  return new Set([...text.matchAll(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g)].map(([email]) => email));
}

/** Files that Lucra made and that other users may read. A file that an operator put there keeps its own mode. */
async function readableByOthers(folder: string): Promise<string[]> {
  const open: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const name = path.relative(folder, path.join(entry.parentPath, entry.name));
    if (!entry.isFile() || /^(exports|organizations)\//.test(name)) continue;
    const { mode } = await stat(path.join(folder, name));
    if ((mode & 0o077) !== 0) open.push(`${name} ${(mode & 0o777).toString(8)}`);
  }
  return open;
}

/** Revokes a client of a service under load; returns how long the client was still accepted. */
async function revocation(clients: Credentials, { port }: Process): Promise<number> {
  const [key, ...others] = await Promise.all(Array.from({ length: 4 }, () => made(clients)));
  let over = false;
  const ask = async (of: { client_id: string; client_secret: string }, address: string): Promise<number> => {
    const headers = { "x-client-id": of.client_id, "x-client-secret": of.client_secret };
    return (await fetch(`http://127.0.0.1:${port}${address}?organizationId=${AURORA}`, { headers })).status;
  };
  const load = others.map(async (one) => {
    // Just below the overall rate limit.
    for (let n = 0; n < 95 && !over; n++) await ask(one, endpoints[n % endpoints.length]?.path ?? "");
  });
  try {
    await sleep(600);
    if (!key || (await ask(key, "/v1/crm/contacts")) !== 200) throw new Error("a new client is not let in");
    const began = performance.now();
    await clients.revoke(key.client_id);
    // 429 means that this part's guesses used up the failures of the address: the client is not accepted either.
    while (![401, 429].includes(await ask(key, "/v1/crm/contacts"))) {
      if (performance.now() - began > SECONDS * 1000) throw new Error(`a revoked client is let in after ${SECONDS} s`);
      await sleep(60);
    }
    const took = Math.round(performance.now() - began);
    for (let n = 0; n < 5; n++) {
      if ((await ask(key, "/v1/crm/contacts")) === 200) throw new Error("a revoked client was let in again");
    }
    return took;
  } finally {
    over = true;
    await Promise.all(load);
  }
}

/**
 * Several processes make clients while others are revoked: everything that was reported as done is there at the end.
 */
async function changedAtOnce(folder: DataFolder, scale: Scale, seed: number): Promise<Figure[]> {
  const clients = new Credentials(folder.path);
  const revocable = await Promise.all(Array.from({ length: MADE[scale] / 2 }, () => made(clients)));
  const going = AHEAD.map((secondsAhead) => makeClients(folder, MADE[scale], { secondsAhead }));
  const slow = makeClients(folder, 1, { suspendedIn: "rename" });
  const killed = makeClients(folder, MADE[scale]);
  const all = [...going, slow, killed];
  const ends = Promise.all(all.map(ended));
  try {
    const suspension = suspended(slow).then(async () => {
      await sleep(SUSPENDED_MS[scale]);
      slow.kill("SIGCONT");
    });
    killed.stdout?.once("data", async () => {
      await sleep(seeded(seed)() * 500);
      killed.kill("SIGKILL");
    });
    for (const { client_id } of revocable) await clients.revoke(client_id);
    await suspension;
    const reported = (await ends).flatMap((end) => idsOf(end, end.signal === "SIGKILL"));
    const there = new Map((await clients.list()).map((client) => [client.client_id, client]));
    const lost = reported.filter((id) => !there.has(id));
    if (lost.length > 0) throw new Error(`seed ${seed}: ${lost.length} of ${reported.length} made clients are lost`);
    const undone = revocable.filter(({ client_id }) => there.get(client_id)?.revokedAt === undefined);
    if (undone.length > 0)
      throw new Error(`seed ${seed}: ${undone.length} of ${revocable.length} revocations are undone`);
    return [
      { what: `clients made by ${all.length} processes at once`, value: reported.length.toLocaleString("en") },
      { what: "revoked meanwhile", value: revocable.length.toLocaleString("en") },
      { what: "of these lost or undone", value: "0" },
    ];
  } finally {
    for (const child of all) child.kill("SIGKILL");
  }
}
