import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Credentials } from "../../src/core/access/credentials.ts";
import { cpuOf, memoryOf, peakOf, start } from "./process.ts";

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A service on its own port, with requests over connections that stay open. */
export interface Service {
  /** Of the first organization unless another is named. */
  get(address: string, options?: GetOptions): Promise<Answer>;
  /** An answer that has to be there, and not from the cache. */
  computed(address: string, organization?: string): Promise<Buffer>;
  /** The memory of the server now, and its peak, in MiB. */
  memory(): Promise<number>;
  peak(): Promise<number>;
  readonly pid: number;
  /** Waits until it does nothing any more: what is kept of an organization that is asked often is loaded beside the answers. */
  rest(): Promise<void>;
  stop(): Promise<void>;
}

interface GetOptions {
  readonly organization?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Client {
  readonly id: string;
  readonly secret: string;
}

/** A client may send 100 requests per minute, so as many clients as the measurement needs take turns. */
const CLIENTS = 300;
const clientsOf = new Map<string, Client[]>();

async function clients(dataDir: string, organizations: readonly string[]): Promise<Client[]> {
  const key = `${dataDir} ${organizations.join(" ")}`;
  const known = clientsOf.get(key) ?? [];
  const credentials = new Credentials(dataDir);
  while (known.length < CLIENTS) {
    const made = await credentials.create({ organizations: [...organizations], name: "bench" });
    known.push({ id: made.client_id, secret: made.client_secret });
  }
  clientsOf.set(key, known);
  return known;
}

/** Settings without a cache of answers; and, besides, with nothing that is kept of organizations that are asked often. */
export const WITHOUT_CACHE = { LUCRA_CACHE_MB: "0" };
export const COLD = { ...WITHOUT_CACHE, LUCRA_KEPT_PLANS: "0" };

export async function serve(
  dataDir: string,
  organizations: readonly [string, ...string[]],
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const known = await clients(dataDir, organizations);
  const child = start(dataDir, ["serve", "--read-only"], { PORT: "0", LUCRA_TIMEOUT_MS: "600000", ...settings });
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  const port = await new Promise<number>((found, failed) => {
    let said = "";
    const hear = (text: Buffer): void => {
      said = `${said}${text}`.slice(-4000);
      const port = /"port":(\d+)/.exec(said)?.[1];
      if (port && said.includes('"ready"')) found(Number(port));
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("close", (status) => failed(new Error(`lucra serve ended with ${status}:\n${said}`)));
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let turn = 0;
  const get: Service["get"] = (address, { organization = organizations[0], headers = {} } = {}) => {
    const client = known[turn++ % known.length] as Client;
    const path = `${address}${address.includes("?") ? "&" : "?"}organizationId=${organization}`;
    return ask(agent, port, path, { "x-client-id": client.id, "x-client-secret": client.secret, ...headers });
  };
  const computed: Service["computed"] = async (address, organization = organizations[0]) => {
    const { status, body, headers } = await get(address, { organization });
    if (status !== 200) throw new Error(`${address}: ${status} ${body.toString().slice(0, 300)}`);
    if (/cache;desc="?hit/.test(String(headers["server-timing"]))) throw new Error(`${address}: from the cache`);
    return body;
  };
  // One request per client: the first check of each secret is slow.
  for (const _ of known) await get("/v1/none");
  return {
    get,
    computed,
    memory: () => memoryOf(child),
    peak: () => peakOf(child),
    pid: child.pid ?? 0,
    rest: async () => {
      for (let [before, now] = [-1, await cpuOf(child)]; now > before; [before, now] = [now, await cpuOf(child)])
        await sleep(300);
    },
    stop: async () => {
      agent.destroy();
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** One request; resolves when the whole answer has arrived. */
export function ask(
  agent: Agent,
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return new Promise((done, failed) => {
    const sent = request({ agent, host: "127.0.0.1", port, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () =>
        done({ status: response.statusCode ?? 0, body: Buffer.concat(parts), headers: response.headers }),
      );
      response.on("error", failed);
    });
    // The server may have closed a connection that had been idle at the same time.
    sent.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" && sent.reusedSocket ? done(ask(agent, port, path, headers)) : failed(error),
    );
    sent.end();
  });
}
