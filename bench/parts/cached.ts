import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { ask, type Service } from "../lab/service.ts";
import { together } from "../lab/timing.ts";

export interface Cached {
  readonly clients: number;
  /** Requests per second. */
  readonly service: number;
  readonly unchanged: number;
  readonly express: number;
}

/** Few enough that no client of the service reaches its limit. */
const REQUESTS = 800;

/** An answer from the cache, the same as a 304, and a bare Express route that sends the same bytes. */
export async function measureCached(service: Service, address: string, clients: number): Promise<Cached> {
  const { body, headers } = await service.get(address);
  const express = await bareExpress(body);
  try {
    const fresh = { "if-none-match": String(headers.etag) };
    const run = (get: () => Promise<{ status: number }>, status: number) =>
      together(clients, REQUESTS, async () => {
        const answer = await get();
        if (answer.status !== status) throw new Error(`${address}: ${answer.status} instead of ${status}`);
      });
    await run(express.get, 200);
    await run(() => service.get(address), 200);
    const bare = await run(express.get, 200);
    const kept = await run(() => service.get(address), 200);
    const unchanged = await run(() => service.get(address, { headers: fresh }), 304);
    return {
      clients,
      service: kept.perSecond,
      unchanged: unchanged.perSecond,
      express: bare.perSecond,
    };
  } finally {
    await express.stop();
  }
}

async function bareExpress(body: Buffer) {
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-bench-"));
  const file = path.join(folder, "body.json");
  await writeFile(file, body);
  const child = spawn(process.execPath, ["--import", "tsx", path.join(import.meta.dirname, "../lab/bare.ts"), file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  const port = await new Promise<number>((found) =>
    child.stdout.once("data", (line) => found(JSON.parse(String(line)).port)),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    get: () => ask(agent, port, "/bytes"),
    stop: async () => {
      agent.destroy();
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
