import type { Command } from "commander";
import type { Config } from "../config.ts";
import { OperatorError } from "../contract/error.ts";
import type { Organization } from "../contract/settings.ts";
import { paths } from "../files/paths.ts";
import { listExports } from "../landing/exports.ts";
import type { Progress } from "../landing/land.ts";
import { knownOrganizations } from "../organizations/open.ts";
import { withTurn } from "../processes/children.ts";
import { exportedBy } from "../records/index.ts";
import { placeOf } from "../sync/status.ts";
import { deriveAll, failed, type SyncReport, sync } from "../sync/sync.ts";
import { printable, table } from "./table.ts";
import { onceId } from "./usage.ts";

interface Options {
  readonly organization?: string;
  readonly integration?: string;
  readonly json?: boolean;
}

export function syncCommand(program: Command, config: () => Config): void {
  program
    .command("sync")
    .description("land new exports, and derive the files that the analyses read")
    .option("--organization <id>", "only this organization", onceId)
    .option("--integration <id>", "only this integration", onceId)
    .option("--json", "the report as JSON")
    .action(async (options: Options) => {
      const report = await runSync(config(), options);
      if (failed(report)) process.exitCode = 1;
    });
}

async function runSync(config: Config, options: Options): Promise<SyncReport> {
  const organizations = await selected(config, options);
  const progress = options.json ? silent : await progressOf(config, organizations, options);
  const { integration } = options;
  const report = await withTurn((isOver) =>
    sync(config, { organizations, integration, progress: progress.advance, isOver }),
  );
  progress.end();
  if (options.json) console.log(JSON.stringify(report));
  else print(report);
  return report;
}

async function selected(config: Config, { organization, integration }: Options): Promise<Organization[]> {
  const chosen = await knownOrganizations(
    config.dataDir,
    (problem) => {
      writeLine(`lucra: ${problem}`);
      process.exitCode = 1;
    },
    organization ? [organization] : undefined,
  );
  if (organization && chosen.length === 0)
    throw new OperatorError(`no organization ${organization} in ${paths.settings(config.dataDir)}`);
  if (integration && !chosen.some((o) => o.integrations?.some(({ id }) => id === integration))) {
    throw new OperatorError(`no integration ${integration} in the settings`);
  }
  return chosen;
}

const silent = { advance: (): void => {}, end: (): void => {} };

/** A progress bar by bytes on a terminal; otherwise a line per file. */
async function progressOf(
  config: Config,
  organizations: readonly Organization[],
  options: Options,
): Promise<{ advance: Progress; end: () => void }> {
  if (!process.stderr.isTTY) {
    return { advance: ({ file }) => writeLine(`read ${file}`), end: () => {} };
  }
  const total = await exportedBytes(config, organizations, options);
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
  options: Options,
): Promise<number> {
  let bytes = 0;
  for (const { organizationId, integrations } of organizations) {
    for (const { id, connector } of integrations ?? []) {
      if (options.integration && options.integration !== id) continue;
      for (const { name } of exportedBy(connector)) {
        const { files } = await listExports(config.dataDir, organizationId, id, name);
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
  repaired: "repaired",
  failures: "failed",
} satisfies Record<keyof SyncReport["more"], string>;

function print(report: SyncReport): void {
  const rows = report.outcomes.map((o) => [
    o.organization,
    o.integration,
    `${o.connector} ${o.record}`,
    o.files,
    o.landed,
    o.replaced,
    o.rejected,
    o.seconds.toFixed(1),
  ]);
  console.log(
    table(["organization", "integration", "record", "files", "rows landed", "replaced", "rejected", "seconds"], rows),
  );
  for (const { record, integration, refused, refusedMore } of report.outcomes) {
    for (const { file, reason } of refused) writeLine(`not read: ${integration}/${record}/${file} ${reason}`);
    if (refusedMore > 0) writeLine(`not read: ${integration}/${record}: ${refusedMore} more files`);
  }
  for (const { organization, integration, record, rejected } of report.outcomes) {
    if (rejected > 0) writeLine(`rejected: ${rejected} rows, see rejects/${organization}/${integration}/${record}`);
  }
  for (const { record, integration, postponed } of report.outcomes) {
    if (postponed > 0) writeLine(`not read yet: ${integration}/${record}: ${postponed} files, at the next turn`);
  }
  for (const { record, integration, revoked, revokedMore } of report.outcomes) {
    const place = `${integration}/${record}`;
    for (const { file, landing } of revoked) {
      writeLine(`revoked: ${place}/${file}: remove it, or run \`lucra landings restore ${landing}\``);
    }
    if (revokedMore > 0) writeLine(`revoked: ${place}: ${revokedMore} more files`);
  }
  for (const { organization, reason } of report.incrementalFallbacks) {
    writeLine(`${organization} was derived from all landed rows, because the incremental derivation failed: ${reason}`);
  }
  for (const file of report.repaired) writeLine(`repaired: ${file} was damaged, its exports have landed again`);
  for (const failure of report.failures) writeLine(`failed: ${placeOf(failure)}: ${failure.reason}`);
  for (const stray of report.unknownRecordFolders)
    writeLine(`not read: ${stray} is not a record of its integration's connector`);
  for (const link of report.linkedFolders) writeLine(`not read: ${link} is a link: links are not followed`);
  for (const unconfiguredFolders of report.unconfiguredFolders)
    writeLine(`left out: ${unconfiguredFolders} is not named by the settings`);
  for (const [list, more] of Object.entries(report.more)) writeLine(`${MORE[list as keyof typeof MORE]}: ${more} more`);
}

export function deriveCommand(program: Command, config: () => Config): void {
  program
    .command("derive", { hidden: true })
    .description("derive the files that the analyses read, without landing")
    .option("--organization <id>", "only this organization", onceId)
    .action(async (options: Options) => deriveAll(config(), await selected(config(), options)));
}
