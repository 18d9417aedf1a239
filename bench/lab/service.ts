import { Agent, request } from "node:http";
import { Credentials } from "../../src/access/credentials.ts";
import { peakOf, start } from "./process.ts";

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A service on its own port, with requests over connections that stay open. */
export interface Service {
  get(address: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The peak memory of the server, in MiB. */
  peak(): Promise<number>;
  stop(): Promise<void>;
}

/** A client may send 100 requests per minute, so as many clients as the measurement needs take turns. */
const CLIENTS = 60;
const clientsOf = new Map<string, { id: string; secret: string }[]>();

async function clients(dataDir: string, organizations: string[]): Promise<{ id: string; secret: string }[]> {
  const key = `${dataDir} ${organizations.join(" ")}`;
  const known = clientsOf.get(key) ?? [];
  const credentials = new Credentials(dataDir);
  while (known.length < CLIENTS) {
    const made = await credentials.create({ organizations, name: "bench" });
    known.push({ id: made.client_id, secret: made.client_secret });
  }
  clientsOf.set(key, known);
  return known;
}

export async function serve(
  dataDir: string,
  organization: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const known = await clients(dataDir, [organization]);
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
  const get: Service["get"] = (address, headers = {}) => {
    const client = known[turn++ % known.length] as { id: string; secret: string };
    const path = `${address}${address.includes("?") ? "&" : "?"}organizationId=${organization}`;
    return ask(agent, port, path, { "x-client-id": client.id, "x-client-secret": client.secret, ...headers });
  };
  // One request per client: the first check of each secret is slow.
  for (const _ of known) await get("/v1/none");
  return {
    get,
    peak: () => peakOf(child),
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
    sent.on("error", failed);
    sent.end();
  });
}
