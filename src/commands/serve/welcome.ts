import type { Config } from "../../core/config.ts";
import { LOCAL } from "../../features/people/people.ts";
import { signInAt } from "../../features/people/signInRoutes.ts";
import { SignIns } from "../../features/people/signIns.ts";

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
    `Explorer:  ${token === undefined ? explorer : `${signInAt(explorer, token)}   (signs you in, once, within 15 minutes)`}`,
    `Documents: ${documents}`,
    `API:       ${api}`,
    "New credentials: npm run -s lucra -- keys create --organization <id or name>",
    "",
  ].join("\n");

/** The token of a link that signs in the operator of this machine; undefined if people do not sign in. */
export async function localToken({ dataDir, platform }: Config): Promise<string | undefined> {
  return platform ? (await new SignIns(dataDir).offer(LOCAL, { kind: "link", isPrinted: true }))?.token : undefined;
}
