import { Credentials } from "../../core/access/credentials.ts";
import type { Config } from "../../core/config.ts";
import { DEMO_CLIENT } from "../../features/demo/command.ts";
import { linkFor, signInLink } from "../../features/explorer/command.ts";

/** Where the service is: a host that means all addresses is shown as the machine itself. */
export function addressesOf(host: string, port: number): Readonly<Record<"explorer" | "documents" | "api", string>> {
  const shown = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  const base = `http://${shown}:${port}`;
  return { explorer: `${base}/explorer`, documents: `${base}/docs`, api: `${base}/v1` };
}

export const welcome = (
  { explorer, documents, api }: ReturnType<typeof addressesOf>,
  token: string | undefined,
): string =>
  [
    `Explorer:  ${token === undefined ? explorer : `${signInLink(explorer, token)}   (signs in to the demo, once, within 10 minutes)`}`,
    `Documents: ${documents}`,
    `API:       ${api}`,
    "New credentials: npm run -s lucra -- keys create --organization <id or name>",
    "",
  ].join("\n");

/** The token of a link to the demo, as long as the client that was made with it has access. */
export async function demoLink({ dataDir }: Config): Promise<string | undefined> {
  const client = (await new Credentials(dataDir).list()).find(
    ({ name, revokedAt }) => name === DEMO_CLIENT && !revokedAt,
  );
  return client && linkFor(dataDir, client.client_id);
}
