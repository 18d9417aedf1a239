import { dayIn } from "../../core/time/days.ts";
import { Client } from "./client.ts";
import { pullOf } from "./connectors/index.ts";
import type { Context } from "./context.ts";
import type { SecretSet, Session } from "./declaration.ts";
import { inOrder } from "./inOrder.ts";
import { areFor, type KeptSecrets, keptSecrets, setOf } from "./secrets.ts";
import type { PullFolder } from "./write.ts";

/** The client of an integration, and its secrets. */
export interface Opened {
  readonly client: Client;
  readonly kept: KeptSecrets;
  readonly set: SecretSet;
}

/** The client of an integration, with the secrets that are kept, or given ones; or why there is none. */
export async function openClient(
  { folders, integration, request }: Context,
  given?: KeptSecrets,
): Promise<Opened | string> {
  const { connector, id, pull } = integration;
  const declaration = pullOf(connector);
  const kept = given ?? (await keptSecrets(folders, id));
  const set = kept && setOf(connector, kept.secrets);
  if (!kept || !set) {
    const what = kept ? "the secrets are incomplete" : "there are no secrets";
    return `${what}: lucra secrets set --organization ${folders.organization} --integration ${id}`;
  }
  if (!areFor(kept, integration))
    return `the settings name another account or address than the one that the secrets were set for: lucra secrets set --organization ${folders.organization} --integration ${id}`;
  const account = pull.account ?? {};
  const client = new Client({
    declaration,
    account,
    secrets: kept.secrets,
    set,
    baseUrl: (pull.baseUrl ?? declaration.baseUrl(account)).replace(/\/+$/, ""),
    tokenUrl: pull.tokenUrl ?? declaration.tokenUrl,
    signal: request.signal,
    ...(request.limits ? { limits: request.limits } : {}),
  });
  return { client, kept, set };
}

/** Tools of a connector; without a folder, it writes no files. */
export function sessionOf(
  context: Context,
  client: Client,
  folder: PullFolder | undefined,
  note: (text: string) => void,
): Session {
  const { integration, request } = context;
  const timezone = integration.timezone ?? "UTC";
  const now = context.now();
  let files = 0;
  const workFile = (name: string): string => {
    if (!folder) throw new Error("a check writes no files");
    return folder.workFile(name);
  };
  return {
    account: integration.pull.account ?? {},
    today: dayIn(timezone, now),
    timezone,
    now,
    signal: request.signal,
    get: (where, options) => client.json("GET", where, undefined, options),
    post: (where, body, options) => client.json("POST", where, body, options),
    download: async (where, options) => {
      const path = workFile(`download-${++files}`);
      return { path, objects: await client.lines(where, path, options) };
    },
    each: (items, work) => inOrder(items, pullOf(integration.connector).concurrent, work),
    wait: (ms) => client.wait(ms),
    note,
    workFile,
  };
}
