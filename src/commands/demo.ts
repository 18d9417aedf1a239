import { chmod, cp, mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { Credentials } from "../access/credentials.ts";
import type { Config } from "../config.ts";
import { OperatorError } from "../contract/error.ts";
import { paths, ROOT } from "../files/paths.ts";
import { knownOrganizations } from "../organizations/open.ts";
import { failed, sync } from "../sync/sync.ts";

const FIXTURES = path.join(ROOT, "fixtures");

/** Whether the data folder has no settings yet. */
export async function isEmpty(dataDir: string): Promise<boolean> {
  const names = await readdir(paths.settings(dataDir)).catch(() => [] as string[]);
  return names.length === 0;
}

/**
 * Makes a demo organization: copies settings and exports of the fixtures and lands them; on a terminal, with
 * credentials.
 */
export async function makeDemo(config: Config): Promise<void> {
  if (!(await isEmpty(config.dataDir)))
    throw new OperatorError(`${config.dataDir} holds organizations already: the demo needs an empty data folder`);
  await mkdir(config.dataDir, { recursive: true });
  for (const folder of ["organizations", "exports"]) {
    const place = path.join(config.dataDir, folder);
    await cp(path.join(FIXTURES, folder), place, { recursive: true, preserveTimestamps: true });
    await closeToOthers(place);
  }
  const organizations = await knownOrganizations(config.dataDir, (problem) => console.error(`lucra: ${problem}`));
  const report = await sync(config, { organizations });
  if (failed(report)) console.error("lucra: some of the demo's exports could not be landed; `lucra sync` lists them");
  const ids = organizations.map(({ organizationId }) => organizationId);
  console.log(`A demo organization, "${organizations[0]?.name}", has been landed into ${config.dataDir}.`);
  console.log("Its data is of January to March 2025: ask for days of these months. It can be removed again:");
  console.log(`  npm run -s lucra -- organizations remove ${ids[0]} --data --yes`);
  // Only on a terminal: other output is kept, such as the system's journal, and would hold the secret.
  if (process.stdout.isTTY) await showRequests(config, ids);
  else console.log(`Credentials for it: npm run -s lucra -- keys create --organization ${ids[0]}`);
}

async function showRequests({ dataDir, host, port }: Config, organizations: readonly string[]): Promise<void> {
  const { client_id, client_secret } = await new Credentials(dataDir).create({ organizations, name: "demo" });
  const call = (address: string): string =>
    `curl -s -H 'x-client-id: ${client_id}' -H 'x-client-secret: ${client_secret}' 'http://${host}:${port}/v1/${address}'`;
  const organization = `organizationId=${organizations[0]}`;
  console.log(
    [
      `client_id:     ${client_id}`,
      `client_secret: ${client_secret}   (shown only once)`,
      "",
      call(`profitability/cards?${organization}&startDate=2025-02-01&endDate=2025-02-28`),
      call(`storea/orders?${organization}&limit=2`),
      call(`socialads/ads/campaigns?${organization}&orderBy=spend&orderDirection=DESC&limit=3`),
      "",
    ].join("\n"),
  );
}

/** Removes other users' access: a copy has the modes of the original, whatever the umask is. */
async function closeToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
}

export function demoCommand(program: Command, config: () => Config): void {
  program
    .command("demo")
    .description("put a demo organization, made from the fixtures, into an empty data folder")
    .action(() => makeDemo(config()));
}
