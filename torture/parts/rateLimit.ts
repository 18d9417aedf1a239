import { connect, type Socket } from "node:net";
import { LIMIT, SlidingLog, WINDOW_MS } from "../../src/core/http/rateLimit.ts";
import { listen, type Patience } from "../../src/core/http/server.ts";
import { makeApp, SECRET, withOrganization } from "../../test/support/app.ts";
import { seeded } from "../../test/support/data.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { silent } from "../support/log.ts";
import { quantile } from "../support/measure.ts";
import { exchange } from "../support/raw.ts";

export const rateLimit: Part = {
  name: "rate limit and slow clients",
  promise:
    "A credential gets 100 requests in any 60 seconds, never one more and never one fewer, whatever the others do; a " +
    "client that sends too slowly, or reads nothing or only a trickle of its answer, is dropped; idle connections do " +
    "not slow down other clients.",
  method:
    "Random schedules of several credentials (bursts, pauses, the window's edges to the last tick of the clock) run " +
    "through the limiter and through a reference that searches all requests ever admitted. Over sockets: headers and " +
    "bodies that drip and answers that are not read, each kept for its allowed time and hardly longer; and a thousand " +
    "connections that stay idle to the end while others ask.",
  run,
};

const SCHEDULES: Record<Scale, number> = { short: 2_000, long: 1_000_000 };
const IDLE: Record<Scale, number> = { short: 200, long: 1_000 };
const ASKED: Record<Scale, number> = { short: 100, long: 2_000 };
/** Except at long, shorter than the service's own limits, to save time. */
const HASTE: Patience = {
  headers: 300,
  request: 500,
  idle: 5_000,
  stalled: 400,
  pace: { milliseconds: 500, bytes: 100_000 },
};
const PATIENCE: Record<Scale, Patience> = {
  short: HASTE,
  long: {
    headers: 10_000,
    request: 30_000,
    idle: 5_000,
    stalled: 60_000,
    pace: { milliseconds: 60_000, bytes: 60 * 8_192 },
  },
};

async function run(scale: Scale, seed: number): Promise<readonly Figure[]> {
  const requests = schedules(SCHEDULES[scale], seed);
  const dropped = await slowClients(PATIENCE[scale]);
  const { without, withIdle } = await idleSockets(scale);
  return [
    { what: "schedules", value: SCHEDULES[scale].toLocaleString("en") },
    { what: "requests in them, each judged as the reference does", value: requests.toLocaleString("en") },
    { what: "slow clients dropped, of each kind one", value: String(dropped) },
    { what: "p99 without idle sockets", value: `${without.toFixed(1)} ms` },
    { what: `p99 with ${IDLE[scale].toLocaleString("en")} of them`, value: `${withIdle.toFixed(1)} ms` },
  ];
}

/**
 * Admitted times in order, and how many of them are in the window that ends now: found by binary search, never removed.
 */
class Reference {
  readonly #times: number[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  admits(now: number): boolean {
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] as number) + WINDOW_MS > now) high = middle;
      else low = middle + 1;
    }
    if (this.#times.length - low >= this.#limit) return false;
    this.#times.push(now);
    return true;
  }
}

/** The clock's finest step here: its sums are exact, so that both sides see the same edge of the window. */
const TICK = 1 / 1024;
const ticks = (milliseconds: number): number => Math.round(milliseconds / TICK) * TICK;

const KEYS = ["a", "b", "c"];

/** Runs so many schedules; returns how many requests they had. */
export function schedules(count: number, seed: number): number {
  const random = seeded(seed);
  let requests = 0;
  let now = 0;
  const log = new SlidingLog(LIMIT, () => now);
  const small = new SlidingLog(3, () => now);
  try {
    for (let n = 0; n < count; n++) {
      const [limit, store] = n % 4 === 0 ? [LIMIT, log] : [3, small];
      // A monotonic clock begins anywhere, and has fractions.
      now = ticks(random() * 10 ** Math.floor(random() * 9));
      requests += schedule(random, limit, (key) => store.increment(`${n} ${key}`).totalHits <= limit, {
        at: () => now,
        wait: (gap) => {
          now += ticks(gap);
        },
      });
      for (const key of KEYS) store.resetKey(`${n} ${key}`);
    }
  } finally {
    log.shutdown();
    small.shutdown();
  }
  return requests;
}

interface Clock {
  at(): number;
  wait(gap: number): void;
}

function schedule(random: () => number, limit: number, admits: (key: string) => boolean, clock: Clock): number {
  const references = new Map(KEYS.map((key) => [key, new Reference(limit)]));
  const count = 1 + Math.floor(random() * limit * 4);
  const pace = (WINDOW_MS / limit) * 2 ** (4 * random() - 3);
  const admitted: number[] = [];
  for (let n = 0; n < count; n++) {
    clock.wait(gapOf(random, pace, admitted, clock.at()));
    const key = KEYS[random() < 0.8 ? 0 : random() < 0.5 ? 1 : 2] as string;
    const [expected, is] = [references.get(key)?.admits(clock.at()), admits(key)];
    if (is !== expected)
      throw new Error(`request ${n} of ${key} at ${clock.at()}: admitted ${is}, should be ${expected}`);
    if (is && key === "a") admitted.push(clock.at());
  }
  return count;
}

/** At its usual pace, at once, or at the exact moment when the window releases an admitted request, or close to it. */
function gapOf(random: () => number, pace: number, admitted: readonly number[], now: number): number {
  const kind = random();
  if (kind < 0.7) return random() * pace * 2;
  if (kind < 0.85) return 0;
  const first = admitted[Math.floor(random() * admitted.length)];
  if (first === undefined) return random() * 2 * WINDOW_MS;
  const edge = first + WINDOW_MS - now + (Math.floor(random() * 3) - 1) * TICK;
  return Math.max(0, edge);
}

const SIGNED = `x-client-id: good\r\nx-client-secret: ${SECRET}\r\n`;
/** A busy machine, and Node's own check of its connections every second. */
const MORE_MS = 4_000;

/** Clients that are slow in every way; each has to be dropped when its time is over, and not before. */
async function slowClients(patience: Patience): Promise<number> {
  const made = makeApp();
  made.answers.reply = () => "x".repeat(30_000_000);
  const server = await listen(made.app, { host: "127.0.0.1", port: 0 }, silent, patience);
  const paced = await listen(made.app, { host: "127.0.0.1", port: 0 }, silent, { ...FOR_EVER, pace: patience.pace });
  const head = `POST /healthz HTTP/1.1\r\nHost: x\r\n`;
  const big = `GET ${withOrganization("/v1/crm/contacts")} HTTP/1.1\r\nHost: x\r\n${SIGNED}\r\n`;
  const drip = Math.min(patience.headers / 10, 500);
  try {
    const slow = [
      isDropped(server.port, {
        first: "GET /healthz HTTP/1.1\r\nX: ",
        drip: "a",
        every: drip,
        within: patience.headers,
      }),
      isDropped(server.port, { first: `${head}X: `, drip: "a\r\nY: ", every: drip, within: patience.headers }),
      isDropped(server.port, {
        first: `${head}Content-Length: 99\r\n\r\n`,
        drip: "b",
        every: drip,
        within: patience.request,
      }),
      isDropped(server.port, {
        first: `${head}Transfer-Encoding: chunked\r\n\r\n`,
        drip: "1\r\nb\r\n",
        every: drip,
        within: patience.request,
      }),
      isDropped(server.port, { first: "", drip: "", every: drip, within: patience.headers }),
      isDropped(server.port, { first: big, drip: "", every: drip, within: patience.stalled, takes: 0 }),
      isDropped(paced.port, { first: big, drip: "", every: drip, within: patience.pace.milliseconds, takes: 128 }),
    ];
    return (await Promise.all(slow)).length;
  } finally {
    await paced.stop();
    await server.stop();
  }
}

interface Slow {
  readonly first: string;
  readonly drip: string;
  readonly every: number;
  readonly within: number;
  /** Bytes of the answer read at each drip; all available ones if missing. */
  readonly takes?: number;
}

function isDropped(port: number, { first, drip, every, within, takes }: Slow): Promise<void> {
  return new Promise((done, fail) => {
    const began = performance.now();
    const waited = (): number => Math.round(performance.now() - began);
    const socket = connect(port, "127.0.0.1", () => first && socket.write(first));
    const isReading = takes === undefined;
    if (!isReading) socket.pause();
    else socket.resume();
    // Node checks once more if it has written anything since its last check.
    const most = isReading ? within : 2 * within;
    // A client that reads little does not see the end either, so it sends one byte once the connection has to be
    // closed. (A byte before that would be a sign of life.)
    const dripping = setInterval(() => {
      if (takes) socket.read(Math.min(takes, socket.readableLength));
      const bytes = !isReading && waited() > most + MORE_MS / 2 ? "x" : drip;
      if (bytes && socket.writable) socket.write(bytes);
    }, every);
    const end = (error?: Error): void => {
      clearInterval(dripping);
      clearTimeout(kept);
      socket.destroy();
      if (error) fail(error);
      else done();
    };
    const kept = setTimeout(() => end(new Error(`kept for ${waited()} ms: ${JSON.stringify(first)}`)), most + MORE_MS);
    const dropped = (): void =>
      end(waited() < within * 0.9 ? new Error(`dropped after ${waited()} ms: ${JSON.stringify(first)}`) : undefined);
    socket.on("error", dropped);
    socket.on("close", dropped);
  });
}

/** As long as requests are measured next to the slow clients. */
const FOR_EVER: Patience = {
  headers: 3_600_000,
  request: 3_600_000,
  idle: 3_600_000,
  stalled: 3_600_000,
  pace: { milliseconds: 3_600_000, bytes: 0 },
};

/** Times of answers with and without idle connections: in the order they came, before a request and between two. */
async function idleSockets(scale: Scale): Promise<{ without: number; withIdle: number }> {
  const limit = new SlidingLog(1_000_000);
  const { app } = makeApp(undefined, { limit });
  const server = await listen(app, { host: "127.0.0.1", port: 0 }, silent, FOR_EVER);
  const request = `GET ${withOrganization("/v1/crm/contacts")} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${SIGNED}\r\n`;
  const times = async (): Promise<number> => {
    const all: number[] = [];
    for (let n = 0; n < ASKED[scale]; n++) {
      const began = performance.now();
      const { answers } = await exchange({ port: server.port, bytes: request });
      all.push(performance.now() - began);
      if (answers[0]?.status !== 200) throw new Error(`an answer with idle connections: ${answers[0]?.status}`);
    }
    return quantile(all, 0.99);
  };
  const sockets: Socket[] = [];
  try {
    await times();
    const without = await times();
    const idle = Array.from({ length: IDLE[scale] }, (_, n) => sitting(server.port, n % 2 === 0));
    sockets.push(...(await Promise.all(idle)));
    const withIdle = await times();
    const open = sockets.filter((socket) => !socket.closed && socket.readable).length;
    if (open < IDLE[scale]) throw new Error(`of ${IDLE[scale]} idle connections ${open} were there at the end`);
    // In a test the other load of the machine is unknown.
    if (scale === "long" && withIdle > 3 * without + 20)
      throw new Error(`p99 with idle connections: ${withIdle} ms, without: ${without} ms`);
    return { without, withIdle };
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.stop();
    limit.shutdown();
  }
}

function sitting(port: number, hasAsked: boolean): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(port, "127.0.0.1", () => {
      if (!hasAsked) return done(socket);
      socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
      socket.once("data", () => done(socket));
    });
    socket.once("error", fail);
    socket.on("error", () => {});
    // A client that does not read does not see the end.
    socket.resume();
  });
}
