import type { Command } from "commander";
import { Credentials } from "../../core/access/credentials.ts";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { canonicalId, UUID } from "../../core/contract/param.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { Database } from "../../core/engine/database.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { namedOrganizations } from "../../core/organizations/named.ts";
import { knownOrganizations } from "../../core/organizations/open.ts";
import { unconfiguredOrganizations } from "../../core/sync/folders.ts";
import { once } from "../../core/terminal/usage.ts";
import { openStore } from "../cluster/objects/open.ts";
import { Uploads } from "../cluster/objects/uploads.ts";
import { damagedAtReplicas } from "../cluster/replicaRepair.ts";
import { examine } from "./examine.ts";
import { page } from "./page.ts";
import { peopleFindings } from "./people.ts";
import { type Finding, finding, type Level, type OrganizationReport, type Report } from "./report.ts";
import { storageFindings } from "./storage.ts";
import { verify } from "./verify.ts";

interface Options {
  readonly organization?: string;
  readonly json?: boolean;
  readonly verify?: boolean;
}

export function doctorCommand(program: Command, config: () => Config): void {
  program
    .command("doctor")
    .description("report what is wrong, stale, left out or unmatched; exit status 1 if something is wrong")
    .option("--organization <id or name>", "only this organization", once)
    .option("--verify", "read every landed and derived file to its end, and compare its checksum")
    .option("--json", "as JSON")
    .action(async ({ organization, json, verify = false }: Options) => {
      const only = organization === undefined ? undefined : await idOf(config(), organization);
      const report = await diagnose(config(), only, verify);
      console.log(json ? JSON.stringify(report) : page(report, process.stdout.columns));
      if (report.wrong > 0) process.exitCode = 1;
    });
}

/** An id as it is: the settings of that organization may be invalid, which the report says. */
async function idOf({ dataDir }: Config, wanted: string): Promise<string> {
  if (UUID.test(wanted)) return canonicalId(wanted);
  return String((await namedOrganizations(dataDir, () => {}, [wanted]))[0]?.organizationId);
}

export async function diagnose(config: Config, only: string | undefined, isVerifying = false): Promise<Report> {
  const problems: string[] = [];
  const collect = (problem: string): number => problems.push(problem);
  const known = await knownOrganizations(config.dataDir, collect, only === undefined ? undefined : [only]);
  if (only !== undefined && known.length + problems.length === 0) throw new OperatorError(`no organization ${only}`);
  const stray = only === undefined ? await unconfiguredOrganizations(config.dataDir, known) : undefined;
  const findings = [
    ...(only === undefined ? await storageFindings(config.dataDir) : []),
    ...(only === undefined ? await peopleFindings(config) : []),
    ...problems.map((problem) => finding("settingsRefused", "wrong", `settings refused: ${problem}`)),
    ...(stray?.unconfiguredFolders ?? []).map((folder) =>
      finding("unconfiguredFolders", "notice", `left out, no settings name it any more: ${folder}`),
    ),
    ...(stray?.misplacedFolders ?? []).map(({ folder, hint }) =>
      finding("misplacedFolders", "wrong", `not read: ${folder}: ${hint}`),
    ),
  ];
  const clients = await new Credentials(config.dataDir).list();
  const organizations: OrganizationReport[] = [];
  const store = isVerifying ? await openStore(config) : undefined;
  const uploads = store && new Uploads(store, config.dataDir);
  const database = await Database.open({ memoryLimit: config.memoryLimit, threads: config.threads });
  try {
    await database.use(async (session) => {
      for (const settings of known) {
        // First, because damaged files may make the rest fail.
        const verified = isVerifying ? await verify(config.dataDir, settings) : undefined;
        const examined = await examine(config, session, settings, clients).catch((error) =>
          unreadable(settings, error),
        );
        const atReplicas = uploads ? await replicaFindings(config, uploads, settings.organizationId) : [];
        const findings = [...(verified?.findings ?? []), ...atReplicas, ...examined.findings];
        organizations.push({ ...examined, ...(verified ? { files: verified.files } : {}), findings });
      }
    });
  } finally {
    database.close();
    await store?.close();
  }
  const all: Finding[] = [...findings, ...organizations.flatMap((organization) => organization.findings)];
  const of = (level: Level): number => all.filter((found) => found.level === level).length;
  return { now: config.now().toISOString(), wrong: of("wrong"), notices: of("notice"), findings, organizations };
}

/** Objects in the storage that replicas refuse. */
async function replicaFindings({ dataDir }: Config, uploads: Uploads, organization: string): Promise<Finding[]> {
  const damaged = await damagedAtReplicas(uploads, foldersOf(dataDir, organization));
  const title = "objects in the storage that are missing or damaged: run `lucra storage repair`";
  return damaged.length === 0
    ? []
    : [
        finding(
          "damagedDerived",
          "wrong",
          title,
          damaged.map((file) => ({ file })),
        ),
      ];
}

/** The report of an organization that could not be examined, so that the others are still reported. */
function unreadable({ organizationId, name }: Organization, error: Error): OrganizationReport {
  const [reason] = error.message.split("\n");
  const found = finding("unreadable", "wrong", `its files cannot be read: ${reason}`);
  return { organizationId, name, overview: null, integrations: [], findings: [found] };
}
