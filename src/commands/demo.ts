import { chmod, cp, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { Credentials } from "../access/credentials.ts";
import type { Config } from "../config.ts";
import { OperatorError } from "../contract/error.ts";
import { paths, ROOT } from "../files/paths.ts";
import { knownOrganizations } from "../organizations/open.ts";
import { failed, sync } from "../sync/sync.ts";

const FIXTURES = path.join(ROOT, "fixtures");
/** The last day of the fixtures' exports, and a month of theirs that the requests ask for. */
const LAST_DAY = "2025-03-26";
const ASKED = { start: "2025-02-01", end: "2025-02-28" };

/** The name of the client that a terminal gets with the demo. */
export const DEMO_CLIENT = "demo";

/** Whether the data folder has no settings yet. */
export async function isEmpty(dataDir: string): Promise<boolean> {
  const names = await readdir(paths.settings(dataDir)).catch(() => [] as string[]);
  return names.length === 0;
}

/**
 * Makes a demo organization: copies settings and exports of the fixtures and lands them; on a terminal, with
 * credentials. Its days end yesterday, unless it is to keep those of the fixtures.
 */
export async function makeDemo(config: Config, keepDays = false): Promise<void> {
  if (!(await isEmpty(config.dataDir)))
    throw new OperatorError(`${config.dataDir} holds organizations already: the demo needs an empty data folder`);
  await mkdir(config.dataDir, { recursive: true });
  for (const folder of ["organizations", "exports"]) {
    const place = path.join(config.dataDir, folder);
    await cp(path.join(FIXTURES, folder), place, { recursive: true, preserveTimestamps: true });
    await closeToOthers(place);
  }
  const days = keepDays ? 0 : daysBetween(LAST_DAY, config.now().toISOString().slice(0, 10)) - 1;
  await moveDays(path.join(config.dataDir, "exports"), days);
  const organizations = await knownOrganizations(config.dataDir, (problem) => console.error(`lucra: ${problem}`));
  const report = await sync(config, { organizations });
  if (failed(report)) console.error("lucra: some of the demo's exports could not be landed; `lucra sync` lists them");
  const ids = organizations.map(({ organizationId }) => organizationId);
  console.log(`A demo organization, "${organizations[0]?.name}", has been landed into ${config.dataDir}.`);
  console.log(`Its days end on ${later(LAST_DAY, days)}. It can be removed again:`);
  console.log(`  npm run -s lucra -- organizations remove ${ids[0]} --data --yes`);
  // Only on a terminal: other output is kept, such as the system's journal, and would hold the secret.
  if (process.stdout.isTTY) await showRequests(config, ids, days);
  else {
    console.log(`Credentials for it: npm run -s lucra -- keys create --organization ${ids[0]}`);
    console.log(`A sign-in to it: npm run -s lucra -- explorer link --organization ${ids[0]}`);
  }
}

async function showRequests(
  { dataDir, host, port }: Config,
  organizations: readonly string[],
  days: number,
): Promise<void> {
  const [start, end] = [later(ASKED.start, days), later(ASKED.end, days)];
  const { client_id, client_secret } = await new Credentials(dataDir).create({ organizations, name: DEMO_CLIENT });
  const call = (address: string): string =>
    `curl -s -H 'x-client-id: ${client_id}' -H 'x-client-secret: ${client_secret}' 'http://${host}:${port}/v1/${address}'`;
  const organization = `organizationId=${organizations[0]}`;
  console.log(
    [
      `client_id:     ${client_id}`,
      `client_secret: ${client_secret}   (shown only once)`,
      "",
      call(`profitability/cards?${organization}&startDate=${start}&endDate=${end}`),
      call(`storea/orders?${organization}&limit=2`),
      call(`socialads/ads/campaigns?${organization}&orderBy=spend&orderDirection=DESC&limit=3`),
      "",
    ].join("\n"),
  );
}

const DAY_MS = 86_400_000;

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

const later = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Moves every day in the exports, in both spellings; the files keep their times, which order their versions. */
async function moveDays(folder: string, days: number): Promise<void> {
  if (days === 0) return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const { atime, mtime } = await stat(file);
    const text = await readFile(file, "utf8");
    const moved = text
      .replaceAll(/\b202\d-\d\d-\d\d/g, (day) => later(day, days))
      .replaceAll(
        /"(202\d)([01]\d)([0-3]\d)"/g,
        (_, ...day) => `"${later(day.slice(0, 3).join("-"), days).replaceAll("-", "")}"`,
      );
    await writeFile(file, moved);
    await utimes(file, atime, mtime);
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
    .description("put a demo organization, made from the fixtures, into an empty data folder")
    .option("--keep-days", "its days are those of the fixtures, which the documents use, and do not end yesterday")
    .action(({ keepDays }: { keepDays?: boolean }) => makeDemo(config(), keepDays));
}
