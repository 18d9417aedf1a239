import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Credentials } from "../../src/core/access/credentials.ts";
import { AURORA, type DataFolder, type Ended, ended } from "./data.ts";

/** `lucra serve` as a separate process. */
export interface Serving {
  readonly child: ChildProcess;
  readonly port: number;
  /** The credentials that it is asked with. */
  readonly keys: readonly Key[];
  /** Asks as a client of the organization, and gives up when the signal aborts. */
  get(
    address: string,
    signal?: AbortSignal,
  ): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>;
  /** Asks until the answer is as expected, for at most so many seconds: then the last answer is the failure. */
  until(
    address: string,
    holds: (body: Record<string, unknown>) => boolean,
    seconds?: number,
  ): Promise<Record<string, unknown>>;
  /** Asks it to end; returns how it ended. */
  stop(): Promise<Ended>;
}

/** So many clients take turns, each with so many requests: fewer than it may make in a minute. */
const KEYS = 5;
const REQUESTS = 90;

type Key = Awaited<ReturnType<Credentials["create"]>>;

async function makeKeys(data: DataFolder): Promise<Key[]> {
  const clients = new Credentials(data.path);
  const keys: Key[] = [];
  for (let n = 0; n < KEYS; n++) keys.push(await clients.create({ organizations: [AURORA], name: `test ${n}` }));
  return keys;
}

export async function startServing(
  data: DataFolder,
  args: readonly string[] = [],
  limit?: string,
  environment: Readonly<Record<string, string>> = {},
  given?: readonly Key[],
): Promise<Serving> {
  const keys = given ?? (await makeKeys(data));
  const child = data.start(["serve", ...args], { PORT: "0", LUCRA_METRICS_PORT: "0", ...environment }, limit);
  const end = ended(child);
  const port = await portOf(child);
  let asked = 0;
  const get: Serving["get"] = async (address, signal) => {
    const key = keys[Math.floor(asked++ / REQUESTS) % KEYS];
    const headers = { "x-client-id": key?.client_id ?? "", "x-client-secret": key?.client_secret ?? "" };
    const url = new URL(address, `http://127.0.0.1:${port}`);
    if (address.startsWith("/v1/")) url.searchParams.set("organizationId", AURORA);
    const response = await fetch(url, { headers, ...(signal ? { signal } : {}) });
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, body, headers: response.headers };
  };
  return {
    child,
    port,
    keys,
    get,
    until: async (address, holds, seconds = 60) => {
      const signal = AbortSignal.timeout(seconds * 1000);
      let last = "no answer";
      for (;;) {
        const { status, body } = await get(address, signal).catch((error: Error) => {
          throw signal.aborted ? new Error(`${address}: not what it has to be after ${seconds} s: ${last}`) : error;
        });
        if (status === 200 && holds(body)) return body;
        last = `${status} ${JSON.stringify(body).slice(0, 1000)}`;
        await sleep(300);
      }
    },
    stop: () => {
      child.kill("SIGTERM");
      return end;
    },
  };
}

/** The port from its log, once it is ready. */
function portOf(child: ChildProcess): Promise<number> {
  let said = "";
  return new Promise((done, fail) => {
    child.stdout?.on("data", (chunk) => {
      said += chunk;
      if (said.includes('"msg":"ready"')) done(Number(/"port":(\d+)/.exec(said)?.[1]));
    });
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    child.on("close", () => fail(new Error(`ended before it was ready: ${said}`)));
  });
}
