import type { Command } from "commander";
import type { Config } from "../core/config.ts";
import type { Organization } from "../core/contract/settings.ts";
import { quantity, shortened } from "../core/contract/text.ts";
import { foldersOf } from "../core/files/organizationFolders.ts";
import { listExports } from "../core/landing/find/exports.ts";
import type { Progress } from "../core/landing/land.ts";
import { namedIntegration, namedOrganizations, shownName } from "../core/organizations/named.ts";
import { knownOrganizations } from "../core/organizations/open.ts";
import { untilAskedToEnd } from "../core/processes/commandsOfParent.ts";
import { goLast } from "../core/processes/priority.ts";
import { exportedBy } from "../core/records/index.ts";
import { recordHint } from "../core/sync/folders.ts";
import { ENDED, type RecordReport } from "../core/sync/pulled.ts";
import { type Failure, placeOf } from "../core/sync/status.ts";
import { deriveAll, deriveStateAlone, failed, type SyncReport, sync } from "../core/sync/sync.ts";
import { printable, table } from "../core/terminal/table.ts";
import { once } from "../core/terminal/usage.ts";
import { pulledAccounts } from "../features/pull/accounts.ts";
import { deliverAfter } from "../features/webhooks/command.ts";

interface Options {
  readonly organization?: string;
  readonly integration?: string;
  readonly json?: boolean;
  readonly pull?: boolean;
}

export function syncCommand(program: Command, config: () => Config): void {
  program
    .command("sync")
    .description("land new exports, and derive the files that the analyses read")
    .option("--organization <id or name>", "only this organization", once)
    .option("--integration <id or name>", "only this integration", once)
    .option("--pull", "first ask the vendors of integrations with `pull` for new exports")
    .option("--json", "the report as JSON")
    .action(async (options: Options) => {
      const report = await runSync(config(), options);
      if (failed(report)) process.exitCode = 1;
    });
}

async function runSync(config: Config, options: Options): Promise<SyncReport> {
  const { organizations, integration } = await selected(config, options);
  const report = await untilAskedToEnd(async (isOver) => {
    const reports = options.pull
      ? await pullFirst(config, organizations, integration, isOver, options.json)
      : undefined;
    const progress = options.json ? silent : await progressOf(config, organizations, integration);
    const failures = (reports ?? []).flatMap(failureOf);
    const synced = sync(config, { organizations, integration, progress: progress.advance, isOver, failures });
    const report = await synced.finally(() => progress.end());
    return reports ? { ...report, pulled: reports } : report;
  });
  if (options.json) console.log(JSON.stringify(report));
  else print(report, organizations);
  await deliverAfter(config, organizations);
  return report;
}

/** `pull` is loaded only here: a sync without it needs no HTTP client. */
async function pullFirst(
  config: Config,
  organizations: readonly Organization[],
  integration: string | undefined,
  isOver: () => boolean,
  isQuiet = false,
): Promise<RecordReport[]> {
  const { pulled, printPull } = await import("../features/pull/command.ts");
  const accounts = pulledAccounts(organizations, integration);
  const reports = await pulled(config, organizations, accounts, {}, { isOver, isQuiet });
  if (!isQuiet && accounts.length > 0) printPull(reports, organizations);
  return reports;
}

/** A record that only waits for its next sync has not failed. */
const failureOf = ({ organization, integration, record, complete, message }: RecordReport): Failure[] =>
  complete || message === ENDED
    ? []
    : [{ organization, integration, record, reason: `not pulled: ${message ?? "not complete"}` }];

interface Selected {
  readonly organizations: readonly Organization[];
  /** The id of the only integration to land. */
  readonly integration: string | undefined;
}

async function selected({ dataDir }: Config, { organization, integration }: Options): Promise<Selected> {
  const report = (problem: string): void => {
    writeLine(`lucra: ${problem}`);
    process.exitCode = 1;
  };
  const organizations = organization
    ? await namedOrganizations(dataDir, report, [organization])
    : await knownOrganizations(dataDir, report);
  const chosen = integration === undefined ? undefined : namedIntegration(organizations, integration);
  return { organizations, integration: chosen?.integration.id };
}

const silent = { advance: (): void => {}, end: (): void => {} };

/** A progress bar by bytes on a terminal; otherwise a line per file. */
async function progressOf(
  config: Config,
  organizations: readonly Organization[],
  only: string | undefined,
): Promise<{ advance: Progress; end: () => void }> {
  if (!process.stderr.isTTY) {
    return { advance: ({ file }) => writeLine(`processed ${file}`), end: () => {} };
  }
  const total = await exportedBytes(config, organizations, only);
  const { default: ora } = await import("ora");
  const spinner = ora({ text: bar(0, total), stream: process.stderr }).start();
  let done = 0;
  return {
    advance: ({ file, bytes }) => {
      done += bytes;
      spinner.text = `${bar(done, total)} ${printable(file)}`;
    },
    end: () => spinner.stop(),
  };
}

async function exportedBytes(
  config: Config,
  organizations: readonly Organization[],
  only: string | undefined,
): Promise<number> {
  let bytes = 0;
  for (const { organizationId, integrations } of organizations) {
    for (const { id, connector } of integrations ?? []) {
      if (only !== undefined && only !== id) continue;
      for (const { name } of exportedBy(connector)) {
        const { files } = await listExports(foldersOf(config.dataDir, organizationId), id, name);
        bytes += files.reduce((sum, file) => sum + file.bytes, 0);
      }
    }
  }
  return bytes;
}

function bar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * 30);
  return `[${"█".repeat(filled)}${"░".repeat(30 - filled)}] ${String(Math.round(share * 100)).padStart(3)} %`;
}

/** Made printable, because file names may hold control characters. */
const writeLine = (line: string): void => console.error(printable(line));

/** The beginning of the line that counts entries which a list leaves out. */
const MORE = {
  unknownRecordFolders: "not read",
  linkedFolders: "not read, links",
  unconfiguredFolders: "left out",
  misplacedFolders: "not read",
  repaired: "repaired",
  failures: "failed",
} satisfies Record<keyof SyncReport["more"], string>;

/** The names of organizations and integrations by their ids, as far as they have one. */
function namesOf(organizations: readonly Organization[]): (id: string) => string {
  const names = new Map(
    organizations.flatMap(({ organizationId, name, integrations = [] }) => [
      [organizationId, name] as const,
      ...integrations.map((one) => [one.id, shownName(one)] as const),
    ]),
  );
  return (id) => printable(names.get(id) ?? id);
}

function print(report: SyncReport, organizations: readonly Organization[]): void {
  const named = namesOf(organizations);
  const rows = report.outcomes.map((o) => [
    named(o.organization),
    named(o.integration),
    `${o.connector} ${o.record}`,
    o.files,
    o.landed,
    o.replaced,
    o.rejected,
    o.seconds.toFixed(1),
  ]);
  const headings = ["organization", "integration", "record", "files", "rows landed", "replaced", "rejected", "seconds"];
  console.log(rows.length > 0 ? table(headings, rows) : nothingText(organizations));
  for (const { record, integration, refused, refusedMore } of report.outcomes) {
    const place = `${named(integration)}/${record}`;
    for (const { file, reason } of refused) writeLine(`not read: ${place}/${file} ${reason}`);
    if (refusedMore > 0) writeLine(`not read: ${place}: ${refusedMore} more files`);
  }
  for (const { record, integration, warnings = [], notes } of report.outcomes) {
    const place = `${named(integration)}/${record}`;
    for (const warning of warnings) writeLine(`warning: ${place}: ${warning}`);
    for (const [note, files] of filesOf(notes)) writeLine(`note: ${place}: ${note} (${shortened(files)})`);
  }
  for (const { organization, integration, record, rejected } of report.outcomes) {
    if (rejected > 0)
      writeLine(
        `rejected: ${rejected} ${rejected === 1 ? "row" : "rows"}, see rejects/${organization}/${integration}/${record}`,
      );
  }
  for (const { record, integration, postponed } of report.outcomes) {
    if (postponed > 0)
      writeLine(`not read yet: ${named(integration)}/${record}: ${quantity(postponed, "file")}, at the next sync`);
  }
  for (const { record, integration, revoked, revokedMore } of report.outcomes) {
    const place = `${named(integration)}/${record}`;
    for (const { file, landing } of revoked) {
      writeLine(`revoked: ${place}/${file}: remove it, or run \`lucra landings restore ${landing}\``);
    }
    if (revokedMore > 0) writeLine(`revoked: ${place}: ${revokedMore} more files`);
  }
  for (const { organization, reason } of report.incrementalFallbacks) {
    writeLine(
      `${named(organization)} was derived from all landed rows, because it could not be derived from the previous files: ${reason}`,
    );
  }
  for (const file of report.repaired) writeLine(`repaired: ${file} was damaged, its exports have landed again`);
  for (const failure of report.failures) writeFailure(failure, named);
  for (const stray of report.unknownRecordFolders) writeLine(`not read: ${stray} ${recordHint(stray, organizations)}`);
  for (const { folder, hint } of report.misplacedFolders) writeLine(`not read: ${folder}: ${hint}`);
  for (const link of report.linkedFolders) writeLine(`not read: ${link} is a link: links are not followed`);
  for (const unconfiguredFolders of report.unconfiguredFolders)
    writeLine(`left out: ${unconfiguredFolders} is no longer named by the settings`);
  for (const [list, more] of Object.entries(report.more)) writeLine(`${MORE[list as keyof typeof MORE]}: ${more} more`);
}

function writeFailure({ organization, integration, reason, ...place }: Failure, named: (id: string) => string): void {
  const names = { organization: named(organization), ...(integration ? { integration: named(integration) } : {}) };
  writeLine(`failed: ${placeOf({ ...names, ...place, reason })}: ${reason}`);
}

/** The files of each note: what is the same of several files is said once. */
function filesOf(notes: SyncReport["outcomes"][number]["notes"]): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const { file, note } of notes) files.set(note, [...(files.get(note) ?? []), file]);
  return files;
}

const nothingText = (organizations: readonly Organization[]): string =>
  organizations.length === 0
    ? "no organizations yet: `lucra organizations add` writes settings"
    : "no exports: they belong into exports/<organizationId>/<integrationId>/<record>";

export function deriveStateCommand(program: Command, config: () => Config): void {
  program
    .command("derive-state", { hidden: true })
    .description("derive the files of an earlier state")
    .requiredOption("--organization <id>", "the organization", once)
    .requiredOption("--landings <moment>", "the landings of this moment", once)
    .requiredOption("--settings <moment>", "the settings of this moment", once)
    .action(async ({ organization, ...wanted }: { organization: string; landings: string; settings: string }) => {
      goLast();
      await deriveStateAlone(config(), organization, wanted);
    });
}

export function deriveCommand(program: Command, config: () => Config): void {
  program
    .command("derive", { hidden: true })
    .description("derive the files that the analyses read, without landing")
    .option("--organization <id>", "only this organization", once)
    .action(async (options: Options) => {
      const { organizations } = await selected(config(), options);
      const named = namesOf(organizations);
      await deriveAll(config(), organizations, (failure) => {
        writeFailure(failure, named);
        process.exitCode = 1;
      });
    });
}
