import { chmod, cp, mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { Credentials } from "../../core/access/credentials.ts";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { PROJECT, paths } from "../../core/files/paths.ts";
import { knownOrganizations } from "../../core/organizations/open.ts";
import { failed, sync } from "../../core/sync/sync.ts";
import { addDays } from "../../core/time/days.ts";
import { writeYear } from "./exports.ts";

const FIXTURES = path.join(PROJECT, "fixtures");
/** The last day of the fixtures' exports. */
const LAST_DAY = "2025-03-26";
/** How many days the requests ask for. */
const DAYS_ASKED = 30;

/** The name of the client that a terminal gets with the demo. */
const DEMO_CLIENT = "demo";

/** Whether the data folder has no settings yet. */
export async function isEmpty(dataDir: string): Promise<boolean> {
  const names = await readdir(paths.settings(dataDir)).catch(() => [] as string[]);
  return names.length === 0;
}

/**
 * Makes a demo organization and lands it; on a terminal, with credentials. It is a year of a shop that ends yesterday, or, with
 * their own days, the fixtures that the documents use.
 */
export async function makeDemo(config: Config, keepDays = false): Promise<void> {
  if (!(await isEmpty(config.dataDir)))
    throw new OperatorError(`${config.dataDir} holds organizations already: the demo needs an empty data folder`);
  await mkdir(config.dataDir, { recursive: true });
  const lastDay = keepDays ? LAST_DAY : addDays(config.now().toISOString().slice(0, 10), -1);
  if (keepDays) await copyFixtures(config.dataDir);
  else await writeYear(config.dataDir, lastDay);
  const organizations = await knownOrganizations(config.dataDir, (problem) => console.error(`lucra: ${problem}`));
  const report = await sync(config, { organizations });
  if (failed(report)) console.error("lucra: some of the demo's exports could not be landed; `lucra sync` lists them");
  const ids = organizations.map(({ organizationId }) => organizationId);
  console.log(`A demo organization, "${organizations[0]?.name}", has been landed into ${config.dataDir}.`);
  console.log(`Its days end on ${lastDay}. It can be removed again:`);
  console.log(`  npm run -s lucra -- organizations remove ${ids[0]} --data --yes`);
  // Only on a terminal: other output is kept, such as the system's journal, and would hold the secret.
  if (process.stdout.isTTY) await showRequests(config, ids, lastDay);
  else {
    console.log(`Credentials for it: npm run -s lucra -- keys create --organization ${ids[0]}`);
    console.log(`Somebody who sees it: npm run -s lucra -- people add <e-mail> --role admin --organization ${ids[0]}`);
  }
}

async function showRequests(
  { dataDir, host, port }: Config,
  organizations: readonly string[],
  lastDay: string,
): Promise<void> {
  const start = addDays(lastDay, 1 - DAYS_ASKED);
  const { client_id, client_secret } = await new Credentials(dataDir).create({ organizations, name: DEMO_CLIENT });
  const call = (address: string): string =>
    `curl -s -H 'x-client-id: ${client_id}' -H 'x-client-secret: ${client_secret}' 'http://${host}:${port}/v1/${address}'`;
  const organization = `organizationId=${organizations[0]}`;
  console.log(
    [
      `client_id:     ${client_id}`,
      `client_secret: ${client_secret}   (shown only once)`,
      "",
      call(`profitability/cards?${organization}&startDate=${start}&endDate=${lastDay}`),
      call(`storea/orders?${organization}&limit=2`),
      call(`socialads/ads/campaigns?${organization}&orderBy=spend&orderDirection=DESC&limit=3`),
      "",
    ].join("\n"),
  );
}

async function copyFixtures(dataDir: string): Promise<void> {
  for (const folder of ["organizations", "exports"]) {
    const place = path.join(dataDir, folder);
    await cp(path.join(FIXTURES, folder), place, { recursive: true, preserveTimestamps: true });
    await closeToOthers(place);
  }
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
    .description("put a demo organization, a year of a shop, into an empty data folder")
    .option("--keep-days", "the fixtures, which the documents use, with their own days")
    .action(({ keepDays }: { keepDays?: boolean }) => makeDemo(config(), keepDays));
}
