import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { ask, type Service } from "../lab/service.ts";
import { timesOf, together } from "../lab/timing.ts";

export interface Cached {
  readonly clients: number;
  /** Requests per second. */
  readonly service: number;
  readonly unchanged: number;
  readonly express: number;
  /** Express with the middleware that the service needs. */
  readonly middleware: number;
}

/** Requests of one measurement, and rounds of measurements; few enough that no client of the service reaches its limit. */
const REQUESTS = 800;
const ROUNDS = 5;
/** Rounds before those that are counted: both programs must be compiled by then. */
const UNCOUNTED = 3;

/** An answer from the cache, the same as a 304, and Express routes that send the same bytes, in turn. */
export async function measureCached(service: Service, address: string, clients: number): Promise<Cached> {
  const { body, headers } = await service.get(address);
  const [bare, behind] = [await startExpress(body), await startExpress(body, "--middleware")];
  try {
    const fresh = { "if-none-match": String(headers.etag) };
    const rateOf = async (get: () => Promise<{ status: number }>, status = 200): Promise<number> => {
      const { perSecond } = await together(clients, REQUESTS, async () => {
        const answer = await get();
        if (answer.status !== status) throw new Error(`${address}: ${answer.status} instead of ${status}`);
      });
      return perSecond;
    };
    const rounds: Omit<Cached, "clients">[] = [];
    for (let round = 0; round < UNCOUNTED + ROUNDS; round++) {
      rounds.push({
        express: await rateOf(bare.get),
        middleware: await rateOf(behind.get),
        service: await rateOf(() => service.get(address)),
        unchanged: await rateOf(() => service.get(address, { headers: fresh }), 304),
      });
    }
    const median = (what: keyof Omit<Cached, "clients">): number =>
      timesOf(rounds.slice(UNCOUNTED).map((round) => round[what])).median;
    return {
      clients,
      service: median("service"),
      unchanged: median("unchanged"),
      express: median("express"),
      middleware: median("middleware"),
    };
  } finally {
    await bare.stop();
    await behind.stop();
  }
}

async function startExpress(body: Buffer, ...options: string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-bench-"));
  const file = path.join(folder, "body.json");
  await writeFile(file, body);
  const child = spawn(
    process.execPath,
    ["--import", "tsx", path.join(import.meta.dirname, "../lab/bare.ts"), file, ...options],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  const port = await new Promise<number>((found) =>
    child.stdout.once("data", (line) => found(JSON.parse(String(line)).port)),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    get: () => ask(agent, port, "/bytes", { "x-client-id": "bench", "x-client-secret": "secret" }),
    stop: async () => {
      agent.destroy();
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
