import { connect } from "node:net";
import { Credentials } from "../../src/access/credentials.ts";
import { until } from "../../test/support/app.ts";
import { AURORA, DataFolder, exportsOf, freePort, STOREA, storeaOrders } from "../../test/support/data.ts";
import { undocumented } from "../../test/support/documented.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { quantile } from "../support/measure.ts";
import { held, type Process, startProcess } from "../support/process.ts";
import { type Answer, answersIn, exchange } from "../support/raw.ts";

export const overload: Part = {
  name: "overload and the end",
  promise:
    "What does not fit into the queue is told so at once, with when to come again, and the rest is answered; a query that takes too long is stopped and nothing stays wrong after it; who hangs up frees a place; a service that is told to end answers what it accepted and is gone within seconds.",
  method:
    "A real service with few places gets ten times what it takes of expensive questions, none like another, while cheap ones are asked beside them and its memory is watched. One with a short deadline is asked what takes longer, and then on the same connection what it knows. Clients hang up in the middle of their query until every place would be gone. SIGTERM comes while everything is taken.",
  run,
};

const ORDERS: Record<Scale, number> = { short: 3_000, long: 60_000 };
const HANG_UPS: Record<Scale, number> = { short: 4, long: 60 };
const SLOTS = 2;
const QUEUE: Record<Scale, number> = { short: 3, long: 18 };
const MEMORY_MB = 512;
/** Of the process beside what its engine may use: Node, its heap, the engine's own. */
const BESIDE_MB = 600;
/** The service's own patience with what is under way, and some. */
const GONE_MS = 15_000;

async function run(scale: Scale): Promise<readonly Figure[]> {
  const folder = await DataFolder.fixtures();
  try {
    await folder.write(`${exportsOf(STOREA, "orders")}/many.json`, JSON.stringify(storeaOrders(ORDERS[scale], 7)));
    await folder.sync();
    const rush = await rushed(folder, scale);
    const stopped = await timedOut(folder);
    const freed = await hungUp(folder, scale);
    const ended = await terminated(folder, scale);
    return [...rush, ...stopped, ...freed, ...ended];
  } finally {
    await folder.remove();
  }
}

const settings = (scale: Scale, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  LUCRA_LOG_LEVEL: "info",
  LUCRA_SLOTS: String(SLOTS),
  LUCRA_QUEUE: String(QUEUE[scale]),
  LUCRA_MEMORY_LIMIT: `${MEMORY_MB}MB`,
  LUCRA_CACHE_MB: "0",
  ...more,
});

/** A client's requests, as bytes. A credential's rate is not what is tried here: each has few. */
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
      const key = await this.#clients.create({ organizations: [AURORA], name: "torture" });
      this.#headers = `x-client-id: ${key.client_id}\r\nx-client-secret: ${key.client_secret}\r\n`;
      this.#left = 95;
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

/** Expensive, and no two alike: none is had for another's work. */
function heavy(n: number): string {
  const start = new Date(Date.UTC(2023, 0, 1 + n)).toISOString().slice(0, 10);
  return `/v1/profitability/cohort?organizationId=${AURORA}&breakBy=produto&startDate=${start}&endDate=2025-02-28`;
}

/** Cheap, and the same whatever else is landed. */
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
      while (rushing) {
        const began = performance.now();
        const { answers } = await exchange({
          port: service.port,
          bytes: "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        });
        if (answers[0]?.status !== 200) throw new Error(`/healthz under load: ${answers[0]?.status}`);
        light.push(performance.now() - began);
      }
    })();
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
    return [
      { what: "sent at once", value: `${all.length} for ${places} places` },
      { what: "answered", value: String(good.length) },
      { what: "refused with Retry-After", value: String(busy.length) },
      { what: "slowest refusal", value: `${Math.round(Math.max(...busy.map(({ took }) => took)))} ms` },
      { what: "slowest answer", value: `${Math.round(Math.max(...good.map(({ took }) => took)))} ms` },
      { what: "/healthz meanwhile, p99", value: `${quantile(light, 0.99).toFixed(0)} ms` },
      { what: "most memory", value: `${Math.round(most)} MB` },
    ];
  } finally {
    await service.stop();
  }
}

/** Asks what takes longer than the deadline; then, on the same connection and on others, what takes little. */
async function timedOut(folder: DataFolder): Promise<Figure[]> {
  const patient = await startProcess(folder, settings("short", { LUCRA_TIMEOUT_MS: "120000" }));
  const one = new Client(patient, folder);
  const expected = (await one.ask(KNOWN)).answer?.body.toString();
  const { took } = await one.ask(heavy(0));
  await patient.stop();
  // However fast the machine: shorter, until it is too short for the expensive one.
  for (let deadline = Math.ceil(took / 3); deadline >= 1; deadline = Math.floor(deadline / 2)) {
    const service = await startProcess(
      folder,
      settings("short", { LUCRA_TIMEOUT_MS: String(deadline), LUCRA_QUEUE: "100" }),
    );
    try {
      const client = new Client(service, folder);
      const requests: string[] = [];
      for (let n = 0; n < 6; n++) requests.push(await client.request(n % 2 === 0 ? heavy(n) : KNOWN, "keep-alive"));
      const bytes = requests.join("") + (await client.request(heavy(9)));
      const { answers } = await exchange({ port: service.port, bytes, patienceMs: 60_000 });
      const statuses = answers.map(({ status }) => status);
      if (statuses.length !== 7 || statuses.some((status) => status !== 200 && status !== 503))
        throw new Error(`seven questions on one connection: ${statuses}`);
      const known = answers.filter((_, n) => n % 2 === 1 && statuses[n] === 200).map(({ body }) => body.toString());
      await until(async () => {
        const { answer } = await client.ask(KNOWN);
        if (answer?.status === 200) known.push(answer.body.toString());
        return answer?.status === 200;
      }, "nothing is answered after a timeout");
      const wrong = known.find((text) => text !== expected);
      if (wrong) throw new Error(`after a timeout: ${wrong}, not ${expected}`);
      const stopped = answers.filter(({ headers }) => headers["retry-after"] === "5").length;
      if (stopped > 0)
        return [{ what: `stopped at ${deadline} ms, the answers after them right`, value: String(stopped) }];
    } finally {
      await service.stop();
    }
  }
  throw new Error("no deadline was short enough: nothing was tried");
}

/** Queries that run or wait, as the metrics tell. */
async function busy(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const gauges = [...text.matchAll(/^lucra_queue_(?:waiting|running) (\d+)/gm)];
  if (gauges.length === 0) throw new Error("the metrics do not tell the queue");
  return gauges.reduce((sum, [, value]) => sum + Number(value), 0);
}

async function hungUp(folder: DataFolder, scale: Scale): Promise<Figure[]> {
  const metricsPort = await freePort();
  const service = await startProcess(folder, settings(scale, { LUCRA_TIMEOUT_MS: "120000" }), metricsPort);
  const client = new Client(service, folder);
  try {
    for (let n = 0; n < HANG_UPS[scale]; n++) {
      const socket = connect(service.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write(await client.request(heavy(1000 + n)));
      await new Promise((done) => setTimeout(done, 5 * (n % 7)));
      socket.destroy();
    }
    await until(async () => (await busy(metricsPort)) === 0, "a place stayed taken by a client that hung up");
    if ((await client.ask(KNOWN)).answer?.status !== 200) throw new Error("no answer after clients hung up");
    return [{ what: "clients that hung up, no place left taken", value: String(HANG_UPS[scale]) }];
  } finally {
    await service.stop();
  }
}

/** SIGTERM while every place is taken: whoever was accepted gets a whole answer, who comes later none. */
async function terminated(folder: DataFolder, scale: Scale): Promise<Figure[]> {
  const metricsPort = await freePort();
  const service = await startProcess(folder, settings(scale, { LUCRA_TIMEOUT_MS: "120000" }), metricsPort);
  const client = new Client(service, folder);
  const places = SLOTS + QUEUE[scale];
  const requests: string[] = [];
  for (let n = 0; n < places; n++) requests.push(await client.request(heavy(n)));
  const asking = requests.map((bytes) => whole(service.port, bytes));
  // Accepted is what the service has read; some may have been answered by then.
  const asked = (): number => service.said().split('"msg":"request completed"').length - 1;
  await until(async () => asked() + (await busy(metricsPort)) >= places, "not all were accepted");
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
  if (took > GONE_MS) throw new Error(`it took ${Math.round(took)} ms to end`);
  const unanswered = statuses.filter((one) => one !== 200 && one !== 503).length;
  if (unanswered > 0) throw new Error(`${unanswered} of ${places} accepted requests got no answer: ${statuses}`);
  return [
    { what: "under way at SIGTERM, all answered", value: String(places) },
    { what: "let in after it", value: "0" },
    { what: "gone after", value: `${Math.round(took)} ms` },
  ];
}

/** All that comes back for a request. */
function whole(port: number, bytes: string): Promise<Buffer> {
  const socket = connect(port, "127.0.0.1");
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part));
  socket.on("error", () => {});
  socket.once("connect", () => socket.write(bytes));
  return new Promise((done) => socket.once("close", () => done(Buffer.concat(parts))));
}
