import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Credentials } from "../../src/core/access/credentials.ts";
import { until } from "../../test/support/app.ts";
import { AURORA, type DataFolder, exportsOf, freePort, STOREA, seeded, storeaOrder } from "../../test/support/data.ts";
import { undocumented } from "../../test/support/documented.ts";
import { landedFixtures } from "../../test/support/shared.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { median, quantile } from "../support/measure.ts";
import { held, type Process, startProcess } from "../support/process.ts";
import { type Answer, answersIn, exchange } from "../support/raw.ts";

export const overload: Part = {
  name: "overload and the end",
  promise:
    "A request that does not fit into the queue is refused at once, with a time to retry, and the rest is answered; a " +
    "burst of one organization delays another's request by no more than the time of a place; a query that takes too " +
    "long is stopped and leaves nothing wrong; a client that hangs up frees its place; a service that is asked to end " +
    "answers what it accepted and exits within seconds.",
  method:
    "A real service with few places gets ten times its capacity of expensive questions, all different, while cheap " +
    "ones are asked as well and its memory is watched: half of the refusals and all but a hundredth of the cheap " +
    "answers must arrive before half of the time of the last expensive answer. While one organization asks thirty " +
    "expensive questions at once, another asks cheap ones, all different, one after the other: each is answered, and " +
    "in less time than the burst's first answer. A service with a short deadline is asked for slow answers, and then " +
    "on the same connection for known ones; clients take every place and hang up, all at once: the engine's own " +
    "measure of its time shows whether it stopped. Connections with many requests at once, for files and for exports, " +
    "close before they read: afterwards no file is open and no place is taken. SIGTERM comes while everything is taken.",
  run,
};

/** Each product is a row of the expensive answers, with a cell for every month. */
const ORDERS: Record<Scale, { readonly count: number; readonly products: number }> = {
  short: { count: 4_000, products: 2_000 },
  long: { count: 10_000, products: 1_000 },
};
/** How often a slow question is asked, three of them on a connection. */
const DEADLINES = 3;
/** How often clients that hang up take all places. */
const HANG_UPS: Record<Scale, number> = { short: 3, long: 9 };
/** Clients that hang up at any moment between their connection and their answer. */
const FLEETING: Record<Scale, number> = { short: 5, long: 100 };
/** A second organization next to the busy one. */
const NEIGHBOUR = "0eeeeeee-0000-4000-8000-000000000001";
const SLOTS = 2;
const QUEUE: Record<Scale, number> = { short: 3, long: 18 };
const MEMORY_MB = 768;
/** Memory of the process outside the engine's limit: Node, its heap, the engine's own structures. */
const BESIDE_MB = 600;
/**
 * How long the service waits for accepted requests before it answers that the client should retry, and for the whole
 * shutdown.
 */
const ENDING_MS = 8_000;
const GONE_MS = 15_000;

async function run(scale: Scale): Promise<readonly Figure[]> {
  const folder = await landedFixtures();
  try {
    await folder.write(`${exportsOf(STOREA, "orders")}/many.json`, JSON.stringify(orders(scale)));
    await folder.settings({ organizationId: NEIGHBOUR, name: "Neighbour", integrations: [] });
    await folder.sync();
    const rush = await rushed(folder, scale);
    const usual = await unhurried(folder);
    const neighbour = await neighboured(folder);
    const stopped = await timedOut(folder, usual);
    const freed = await hungUp(folder, usual, scale);
    const left = await leftUnread(folder);
    const ended = await terminated(folder, scale);
    return [...rush, ...neighbour, ...stopped, ...freed, ...left, ...ended];
  } finally {
    await folder.remove();
  }
}

/** Two years of orders, by customers who buy three times. */
function orders(scale: Scale): Record<string, unknown>[] {
  const { count, products } = ORDERS[scale];
  const random = seeded(7);
  const pick = (most: number): number => Math.floor(random() * most);
  return Array.from({ length: count }, (_, n) =>
    storeaOrder({
      id: `o${n}`,
      value: 10 + pick(50_000) / 100,
      at: new Date(Date.UTC(2023, 0, 1) + pick(731 * 86_400) * 1000).toISOString(),
      email: `cliente${pick(count / 3)}@example.com`,
      productId: String(500 + pick(products)),
      items: 1 + pick(3),
    }),
  );
}

const settings = (scale: Scale, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  LUCRA_LOG_LEVEL: "info",
  LUCRA_SLOTS: String(SLOTS),
  LUCRA_QUEUE: String(QUEUE[scale]),
  LUCRA_MEMORY_LIMIT: `${MEMORY_MB}MB`,
  LUCRA_CACHE_MB: "0",
  ...more,
});

const SEEN_MS = 600;

/** A client's requests, as bytes. Each client sends few, since the rate limit is not tested here. */
class Client {
  readonly #port: number;
  readonly #clients: Credentials;
  #headers = "";
  #left = 0;

  constructor({ port }: Process, folder: DataFolder) {
    this.#port = port;
    this.#clients = new Credentials(folder.path);
  }

  async request(address: string, connection = "close"): Promise<string> {
    if (this.#left-- <= 0) {
      const key = await this.#clients.create({ organizations: [AURORA, NEIGHBOUR], name: "torture" });
      this.#headers = `x-client-id: ${key.client_id}\r\nx-client-secret: ${key.client_secret}\r\n`;
      this.#left = 95;
      // A service that has just checked for changes sees it at its next check.
      await sleep(SEEN_MS);
    }
    return `GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n${this.#headers}\r\n`;
  }

  async ask(address: string): Promise<{ answer: Answer | undefined; took: number }> {
    const bytes = await this.request(address);
    const began = performance.now();
    const { answers } = await exchange({ port: this.#port, bytes, patienceMs: 120_000 });
    return { answer: answers[0], took: performance.now() - began };
  }
}

/** Expensive and all different: no request shares another's work. */
function heavy(n: number): string {
  const start = new Date(Date.UTC(2023, 0, 1 + n)).toISOString().slice(0, 10);
  return `/v1/profitability/cohort?organizationId=${AURORA}&breakBy=produto&startDate=${start}&endDate=2025-02-28`;
}

/** They need no place in the queue. */
const LIGHT = ["/healthz", "/readyz", "/openapi.json"];

const round = Math.round;

/** Cheap, and the same whatever else has landed. */
const KNOWN = `/v1/crm/pipelines?organizationId=${AURORA}&limit=5`;

async function rushed(folder: DataFolder, scale: Scale): Promise<Figure[]> {
  const service = await startProcess(folder, settings(scale, { LUCRA_TIMEOUT_MS: "120000" }));
  const client = new Client(service, folder);
  const places = SLOTS + QUEUE[scale];
  try {
    let most = 0;
    const watch = setInterval(async () => {
      most = Math.max(most, (await held(service.child).catch(() => ({ megabytes: 0 }))).megabytes);
    }, 100);
    const light: number[] = [];
    let rushing = true;
    const lightly = (async () => {
      for (let n = 0; rushing; n++) {
        const began = performance.now();
        const address = LIGHT[n % LIGHT.length];
        const bytes = `GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
        const { answers } = await exchange({ port: service.port, bytes });
        if (answers[0]?.status !== 200) throw new Error(`${address} under load: ${answers[0]?.status}`);
        light.push(performance.now() - began);
      }
    })();
    lightly.catch(() => {});
    const requests: string[] = [];
    for (let n = 0; n < places * 10; n++) requests.push(await client.request(heavy(n)));
    const all = await Promise.all(
      requests.map(async (bytes) => {
        const began = performance.now();
        const { answers } = await exchange({ port: service.port, bytes, patienceMs: 300_000 });
        return { answer: answers[0], took: performance.now() - began };
      }),
    );
    rushing = false;
    await lightly;
    clearInterval(watch);
    const good = all.filter(({ answer }) => answer?.status === 200);
    const busy = all.filter(({ answer }) => answer?.status === 503);
    if (good.length + busy.length !== all.length) throw new Error("some had neither an answer nor a 503");
    for (const [n, { answer }] of all.entries()) {
      const faults = undocumented(heavy(n), answer?.status ?? 0, JSON.parse(String(answer?.body)));
      if (faults.length > 0) throw new Error(`not what the API document says: ${faults.join("; ")}`);
    }
    if (good.length < places) throw new Error(`${good.length} of ${places} places were used`);
    const without = busy.find(({ answer }) => answer?.headers["retry-after"] !== "1");
    if (without) throw new Error(`a 503 without Retry-After: ${JSON.stringify(without.answer?.headers)}`);
    if (busy.length === 0) throw new Error("nothing was refused: nothing was tried");
    if (most > MEMORY_MB + BESIDE_MB) throw new Error(`${Math.round(most)} MB of memory`);
    const refusals = busy.map(({ took }) => took);
    const last = Math.max(...good.map(({ took }) => took));
    // A request that is refused at once has waited for no query; nor has one that needs none.
    if (median(refusals) > last / 2)
      throw new Error(`refused after ${median(refusals)} ms, when the last answer took ${last} ms`);
    const slow = quantile(light, 0.99);
    if (slow > last / 2) throw new Error(`${LIGHT} took ${slow} ms, when the last answer took ${last} ms`);
    return [
      { what: "sent at once", value: `${all.length} for ${places} places` },
      { what: "answered", value: String(good.length) },
      { what: "refused with Retry-After", value: String(busy.length) },
      {
        what: "refusals, median and slowest",
        value: `${round(median(refusals))} and ${round(Math.max(...refusals))} ms`,
      },
      { what: "slowest answer", value: `${round(last)} ms` },
      { what: `cheap answers meanwhile, ${light.length}, p99`, value: `${round(slow)} ms` },
      { what: "most memory", value: `${round(most)} MB` },
    ];
  } finally {
    await service.stop();
  }
}

const BURST = 30;

/** One organization asks much at once while another one asks little. */
async function neighboured(folder: DataFolder): Promise<Figure[]> {
  const service = await startProcess(folder, {
    LUCRA_LOG_LEVEL: "info",
    LUCRA_MEMORY_LIMIT: `${MEMORY_MB}MB`,
    LUCRA_CACHE_MB: "0",
    LUCRA_TIMEOUT_MS: "120000",
    LUCRA_SLOTS: String(SLOTS),
  });
  try {
    const [client, neighbour] = [new Client(service, folder), new Client(service, folder)];
    const light = (n: number): string => `/v1/crm/pipelines?organizationId=${NEIGHBOUR}&limit=${n + 1}`;
    await neighbour.ask(light(0));
    const requests: string[] = [];
    for (let n = 0; n < BURST; n++) requests.push(await client.request(heavy(n)));
    let left = BURST;
    const burst = Promise.all(
      requests.map(async (bytes) => {
        const began = performance.now();
        const { answers } = await exchange({ port: service.port, bytes, patienceMs: 300_000 });
        left--;
        return { status: answers[0]?.status, took: performance.now() - began };
      }),
    );
    const waits: number[] = [];
    let mostAhead = 0;
    while (left > 0 && waits.length < 90) {
      const before = left;
      const { answer, took } = await neighbour.ask(light(waits.length));
      mostAhead = Math.max(mostAhead, before - left);
      if (answer?.status !== 200) throw new Error(`${answer?.status} during another organization's burst`);
      waits.push(took);
      await sleep(100);
    }
    const all = await burst;
    const refused = all.filter(({ status }) => status !== 200);
    if (refused.length > 0) throw new Error(`${refused.length} of ${BURST} that were accepted had no answer`);
    const first = Math.min(...all.map(({ took }) => took));
    // The first slot that is free is the neighbour's; meanwhile the other ones may end once each, and once more while it is answered.
    if (mostAhead > 2 * SLOTS)
      throw new Error(`another organization waited while ${mostAhead} of the burst's answers went ahead of it`);
    return [
      { what: `another organization's answers during a burst of ${BURST}`, value: String(waits.length) },
      {
        what: "p99 of them, and the burst's first answer",
        value: `${round(quantile(waits, 0.99))} and ${round(first)} ms`,
      },
      { what: "the burst's answers during one of them, at most", value: String(mostAhead) },
    ];
  } finally {
    await service.stop();
  }
}

/** Asks slow questions that exceed the deadline; then quick ones, on the same connection and on others. */
async function timedOut(folder: DataFolder, { known, took, engineTook }: Unhurried): Promise<Figure[]> {
  const deadline = Math.ceil(took / 6);
  const metricsPort = await freePort();
  const service = await startProcess(
    folder,
    settings("short", { LUCRA_TIMEOUT_MS: String(deadline), LUCRA_QUEUE: "100" }),
    metricsPort,
  );
  try {
    const client = new Client(service, folder);
    await until(async () => (await client.ask(KNOWN)).answer?.status === 200, "what takes little takes too long");
    const each: number[] = [];
    let behind = 0;
    for (let time = 0; time < DEADLINES; time++) {
      const before = await engineSeconds(metricsPort);
      const requests: string[] = [];
      for (let n = 0; n < 6; n++) requests.push(await client.request(n % 2 === 0 ? heavy(n) : KNOWN, "keep-alive"));
      const bytes = requests.join("") + (await client.request(KNOWN));
      const { answers } = await exchange({ port: service.port, bytes, patienceMs: 60_000 });
      const statuses = answers.map(({ status }) => status);
      const isExpensive = (_: unknown, n: number): boolean => n % 2 === 0 && n < 6;
      if (statuses.length !== 7 || !statuses.filter(isExpensive).every((status) => status === 503))
        throw new Error(`seven questions on one connection, of ${deadline} ms: ${statuses}`);
      const cheap = answers.filter((_, n) => !isExpensive(_, n));
      const wrong = cheap.find(({ status, body }) => status !== 503 && body.toString() !== known);
      if (wrong) throw new Error(`after a timeout: ${wrong.body}, not ${known}`);
      behind += cheap.filter(({ status }) => status === 200).length;
      await until(async () => (await busy(metricsPort)) === 0, "a query goes on after its deadline");
      each.push(((await engineSeconds(metricsPort)) - before) / 3);
    }
    const refusals = 3 * DEADLINES;
    await until(
      () => service.said().split('"refusal":"timeout"').length > refusals,
      `the log does not show ${refusals} timeouts`,
    );
    // On a busy machine some quick questions take too long.
    if (behind === 0) throw new Error("nothing was answered behind a timeout: nothing was tried");
    if (median(each) > engineTook / 2)
      throw new Error(
        `the engine took ${median(each)} s for what was stopped at ${deadline} ms, whole ${engineTook} s`,
      );
    return [
      { what: `stopped at ${deadline} ms of ${round(took)}`, value: String(refusals) },
      { what: "right answers behind them on their connections", value: String(behind) },
      {
        what: "engine's time of each, and of a whole one",
        value: `${seconds(median(each))} and ${seconds(engineTook)}`,
      },
    ];
  } finally {
    await service.stop();
  }
}

const seconds = (value: number): string => `${value.toFixed(2)} s`;

/**
 * The known answers, and the time of an expensive question without load, in milliseconds and in seconds of the engine.
 */
interface Unhurried {
  readonly known: string;
  readonly took: number;
  readonly engineTook: number;
}

async function unhurried(folder: DataFolder): Promise<Unhurried> {
  const metricsPort = await freePort();
  const service = await startProcess(folder, settings("short", { LUCRA_TIMEOUT_MS: "120000" }), metricsPort);
  try {
    const client = new Client(service, folder);
    const { answer } = await client.ask(KNOWN);
    // The first question reads the files for the first time.
    await client.ask(heavy(10));
    let [took, engineTook] = [Infinity, Infinity];
    // The least of several: what else the machine does only adds to it.
    for (let n = 11; n < 16; n++) {
      const before = await engineSeconds(metricsPort);
      took = Math.min(took, (await client.ask(heavy(n))).took);
      engineTook = Math.min(engineTook, (await engineSeconds(metricsPort)) - before);
    }
    return { known: String(answer?.body), took, engineTook };
  } finally {
    await service.stop();
  }
}

const metricsAt = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

/** Queries that run or wait, according to the metrics. */
async function busy(metricsPort: number): Promise<number> {
  const gauges = [...(await metricsAt(metricsPort)).matchAll(/^lucra_queue_(?:waiting|running) (\d+)/gm)];
  if (gauges.length === 0) throw new Error("the metrics do not show the queue");
  return gauges.reduce((sum, [, value]) => sum + Number(value), 0);
}

/** Seconds that queries of cohorts took, including stopped ones. */
async function engineSeconds(metricsPort: number): Promise<number> {
  const sums = [
    ...(await metricsAt(metricsPort)).matchAll(/^lucra_query_seconds_sum\{sql="[^"]*cohort[^"]*"\} (\S+)/gm),
  ];
  return sums.reduce((sum, [, value]) => sum + Number(value), 0);
}

async function hungUp(folder: DataFolder, { engineTook }: Unhurried, scale: Scale): Promise<Figure[]> {
  const metricsPort = await freePort();
  const service = await startProcess(folder, settings(scale, { LUCRA_TIMEOUT_MS: "120000" }), metricsPort);
  const client = new Client(service, folder);
  const places = SLOTS + QUEUE[scale];
  const asking = (bytes: string): Socket => {
    const socket = connect(service.port, "127.0.0.1").on("error", () => {});
    socket.write(bytes);
    return socket;
  };
  const isFree = (): Promise<void> =>
    until(async () => (await busy(metricsPort)) === 0, "a place stayed taken by a client that hung up");
  try {
    if ((await client.ask(KNOWN)).answer?.status !== 200) throw new Error("no answer before clients hang up");
    const ran: number[] = [];
    let taken = 0;
    for (let time = 0; time < HANG_UPS[scale]; time++) {
      const requests: string[] = [];
      for (let n = 0; n < places; n++) requests.push(await client.request(heavy(time * places + n)));
      const before = await engineSeconds(metricsPort);
      const sockets = requests.map(asking);
      let now = 0;
      // Some run and some wait; on a fast machine the first are answered by then.
      await until(async () => {
        now = await busy(metricsPort);
        return now > SLOTS;
      }, "the places were not taken");
      for (const socket of sockets) socket.destroy();
      await isFree();
      taken += now;
      ran.push(((await engineSeconds(metricsPort)) - before) / SLOTS);
    }
    // The engine ends a query at its next check, so a part of the time is always spent; without an interruption all of it is.
    if (median(ran) > (engineTook * 3) / 4)
      throw new Error(
        `the engine took ${median(ran)} s for a client that had gone, ${engineTook} s for one that waits`,
      );
    for (let n = 0; n < FLEETING[scale]; n++) {
      const socket = asking(await client.request(heavy(n)));
      await sleep(n % 25);
      socket.destroy();
    }
    await isFree();
    if ((await client.ask(KNOWN)).answer?.status !== 200) throw new Error("no answer after clients hung up");
    return [
      { what: "clients that hung up while they ran or waited, no place left taken", value: String(taken) },
      { what: "engine's time of each that ran", value: seconds(median(ran)) },
      { what: "others that hung up at any moment", value: String(FLEETING[scale]) },
    ];
  } finally {
    await service.stop();
  }
}

/** Connections with many requests each: how many, and the requests that wait behind unread files on every second one. */
const PIPELINES = { connections: 20, files: 20, exports: 10 };
/** Open files may differ by those of the engine and of connections that are being closed. */
const SPARE_FILES = 20;

/** Clients send many requests on a connection, read nothing and hang up. */
async function leftUnread(folder: DataFolder): Promise<Figure[]> {
  const service = await startProcess(folder, settings("short"));
  const client = new Client(service, folder);
  const { connections, files, exports } = PIPELINES;
  const file = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n";
  const whole = `/v1/storea/orders?organizationId=${AURORA}&all=true&format=csv`;
  try {
    if ((await client.ask(whole)).answer?.status !== 200) throw new Error("no export before clients hang up");
    const before = await held(service.child);
    const sockets: Socket[] = [];
    let sent = 0;
    for (let n = 0; n < connections; n++) {
      const more = n % 2 === 0 ? (await client.request(whole, "keep-alive")).repeat(exports) : file.repeat(1_500);
      sent += files + (n % 2 === 0 ? exports : 1_500);
      const socket = connect(service.port, "127.0.0.1").on("error", () => {});
      socket.pause().write(file.repeat(files) + more);
      sockets.push(socket);
    }
    await sleep(2_000);
    const during = await held(service.child);
    for (const socket of sockets) socket.destroy();
    const ended = (): number => service.said().split('"msg":"request aborted"').length - 1;
    let after = during;
    await until(async () => {
      after = await held(service.child);
      return after.files <= before.files + SPARE_FILES;
    }, `files stay open for clients that are gone: ${before.files} before, ${during.files} with them`);
    await until(() => ended() >= connections / 2, "the log shows no client that hung up: nothing was tried");
    const { answer } = await client.ask(whole);
    if (answer?.status !== 200) throw new Error(`${answer?.status} to an export after clients hung up`);
    return [
      { what: `requests on ${connections} connections that hung up unread`, value: String(sent) },
      { what: "open files before, with and after them", value: `${before.files}, ${during.files} and ${after.files}` },
    ];
  } finally {
    await service.stop();
  }
}

/** SIGTERM while every place is taken: accepted requests get a whole answer, later ones get no answer. */
async function terminated(folder: DataFolder, scale: Scale): Promise<Figure[]> {
  const metricsPort = await freePort();
  const service = await startProcess(folder, settings(scale, { LUCRA_TIMEOUT_MS: "120000" }), metricsPort);
  const client = new Client(service, folder);
  const places = SLOTS + QUEUE[scale];
  const requests: string[] = [];
  for (let n = 0; n < places; n++) requests.push(await client.request(heavy(n)));
  const asking = requests.map((bytes) => whole(service.port, bytes));
  // A request is accepted once the service has read it; some may have been answered by then.
  const asked = (): number => service.said().split('"msg":"request completed"').length - 1;
  let underWay = 0;
  await until(async () => {
    underWay = await busy(metricsPort);
    return asked() + underWay >= places;
  }, "not all were accepted");
  if (underWay === 0) throw new Error("nothing was under way at SIGTERM: nothing was tried");
  const began = performance.now();
  const end = service.stop();
  await until(async () => service.said().includes('"msg":"stopping"'), "it does not say that it stops");
  const late = await exchange({ port: service.port, bytes: await client.request(KNOWN) }).then(
    ({ answers }) => answers.length,
    (error: NodeJS.ErrnoException) => (error.code === "ECONNREFUSED" ? 0 : Promise.reject(error)),
  );
  if (late > 0) throw new Error("a request that came after SIGTERM was taken");
  const { status, signal } = await end;
  const took = performance.now() - began;
  const answers = (await Promise.all(asking)).map((bytes) => answersIn(bytes));
  const statuses = answers.map(([answer]) => answer?.status);
  if (status !== 0) throw new Error(`it ended with ${status ?? signal}`);
  if (took > GONE_MS) throw new Error(`it took ${round(took)} ms to end`);
  for (const [n, [answer]] of answers.entries()) {
    const faults = undocumented(heavy(n), answer?.status ?? 0, JSON.parse(String(answer?.body)));
    if (faults.length > 0) throw new Error(`no whole answer for who was accepted: ${faults.join("; ")}`);
  }
  const good = statuses.filter((one) => one === 200).length;
  const put = statuses.filter((one) => one === 503).length;
  if (good + put !== places) throw new Error(`${places} accepted requests were answered: ${statuses}`);
  // Only requests that exceed the service's own grace period are refused with a retry.
  if (put > 0 && took < ENDING_MS) throw new Error(`${put} were put off though there was time: ${round(took)} ms`);
  return [
    { what: "under way at SIGTERM", value: String(underWay) },
    { what: "of all accepted answered, and refused with a retry", value: `${good} and ${put}` },
    { what: "let in after it", value: "0" },
    { what: "gone after", value: `${round(took)} ms` },
  ];
}

/** Everything that the server sends back for a request. */
function whole(port: number, bytes: string): Promise<Buffer> {
  const socket = connect(port, "127.0.0.1");
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part));
  socket.on("error", () => {});
  socket.once("connect", () => socket.write(bytes));
  return new Promise((done) => socket.once("close", () => done(Buffer.concat(parts))));
}
