import type { Command } from "commander";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { nearest } from "../../core/contract/nearest.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { quantity } from "../../core/contract/text.ts";
import { namedIntegration, namedOrganizations, shownName } from "../../core/organizations/named.ts";
import { knownOrganizations } from "../../core/organizations/open.ts";
import { untilAskedToEnd } from "../../core/processes/commandsOfParent.ts";
import type { RecordReport } from "../../core/sync/pulled.ts";
import { printable, table } from "../../core/terminal/table.ts";
import { many, once, UsageError } from "../../core/terminal/usage.ts";
import { warn } from "../../core/terminal/warn.ts";
import { type Account, pulledAccounts, pulledRecords } from "./accounts.ts";
import type { PullProgress } from "./context.ts";
import { pullAll } from "./pull.ts";
import { isDay } from "./settings.ts";

interface Options {
  readonly organization?: string;
  readonly integration?: string;
  readonly record?: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly check?: boolean;
  readonly json?: boolean;
}

export function pullCommand(program: Command, config: () => Config): void {
  program
    .command("pull")
    .description("ask the vendors for new exports; `sync` lands them")
    .option("--organization <id or name>", "only this organization", once)
    .option("--integration <id or name>", "only this integration", once)
    .option("--record <name>", "only this record; repeat for more", many)
    .option("--since <date>", "from this day on, instead of what is missing", once)
    .option("--until <date>", "up to this day", once)
    .option("--check", "ask each account one cheap question, and write nothing")
    .option("--json", "the report as JSON")
    .action(async (options: Options) => {
      const reports = await runPull(config(), options);
      if (reports.some(({ complete }) => !complete)) process.exitCode = 1;
    });
}

async function runPull(config: Config, options: Options): Promise<RecordReport[]> {
  const { since, until, record, check = false } = options;
  checkDays(options);
  const { organizations, accounts } = await selected(config, options);
  checkRecords(accounts, record ?? []);
  const wanted = { since, until, records: record, check };
  const reports = await untilAskedToEnd((isOver) =>
    pulled(config, organizations, accounts, wanted, { isOver, isQuiet: options.json }),
  );
  if (options.json) console.log(JSON.stringify(reports));
  else printPull(reports, organizations, check);
  return reports;
}

/** Pulls accounts with progress on the standard error output; a signal ends it after the present request. */
export async function pulled(
  config: Config,
  organizations: readonly Organization[],
  accounts: readonly Account[],
  wanted: {
    readonly since?: string | undefined;
    readonly until?: string | undefined;
    readonly records?: readonly string[] | undefined;
    readonly check?: boolean;
  },
  { isOver, isQuiet = false }: { readonly isOver: () => boolean; readonly isQuiet?: boolean | undefined },
): Promise<RecordReport[]> {
  const shown = isQuiet ? SILENT : await progressOf(accounts, organizations);
  const end = new AbortController();
  const stop = (): void => end.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const timer = setInterval(() => isOver() && stop(), LOOK_MS).unref();
  try {
    const { progress, onRecord } = shown;
    return await pullAll(config, accounts, { ...wanted, signal: end.signal, progress, onRecord });
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    clearInterval(timer);
    shown.end();
  }
}

/** How often a pull looks whether its time is over. */
const LOOK_MS = 250;

function checkDays({ since, until }: Options): void {
  for (const [name, day] of Object.entries({ since, until })) {
    if (day !== undefined && !isDay(day))
      throw new UsageError(`--${name} ${day}: a day such as 2024-02-29 is expected`);
  }
  if (since !== undefined && until !== undefined && since > until)
    throw new UsageError(`--since ${since} is after --until ${until}`);
}

async function selected(
  { dataDir }: Config,
  { organization, integration }: Options,
): Promise<{ organizations: readonly Organization[]; accounts: Account[] }> {
  const report = (problem: string): void => {
    warn(problem);
    process.exitCode = 1;
  };
  const organizations = organization
    ? await namedOrganizations(dataDir, report, [organization])
    : await knownOrganizations(dataDir, report);
  const chosen = integration === undefined ? undefined : namedIntegration(organizations, integration).integration;
  if (chosen && !chosen.pull)
    throw new OperatorError(`integration ${shownName(chosen)} has no \`pull\` in its settings`);
  const accounts = pulledAccounts(organizations, chosen?.id);
  if (accounts.length === 0) throw new OperatorError("no integration has `pull` in its settings (docs/connectors.md)");
  return { organizations, accounts };
}

/** A record that none of the integrations has is a typing error. */
function checkRecords(accounts: readonly Account[], wanted: readonly string[]): void {
  const known = [...new Set(accounts.flatMap(({ integration }) => pulledRecords(integration)))];
  for (const name of wanted) {
    if (known.includes(name)) continue;
    const guess = nearest(name, known);
    throw new UsageError(`--record ${name}: ${guess ? `did you mean ${guess}?` : `known are ${known.join(", ")}`}`);
  }
}

interface Shown {
  readonly progress: (progress: PullProgress) => void;
  readonly onRecord: (report: RecordReport) => void;
  readonly end: () => void;
}

const SILENT: Shown = { progress: () => {}, onRecord: () => {}, end: () => {} };

/** A bar over the records on a terminal; otherwise a line per record. */
async function progressOf(accounts: readonly Account[], organizations: readonly Organization[]): Promise<Shown> {
  const named = namesOf(organizations);
  if (!process.stderr.isTTY) {
    return { ...SILENT, onRecord: (report) => console.error(printable(`pulled ${lineOf(report, named)}`)) };
  }
  const { default: ora } = await import("ora");
  const total = accounts.reduce((sum, { integration }) => sum + pulledRecords(integration).length, 0);
  const shares = new Map<string, number>();
  const costs = new Map<string, PullProgress>();
  const spinner = ora({ text: bar(0), stream: process.stderr }).start();
  const draw = (what: string): void => {
    const share = total === 0 ? 1 : [...shares.values()].reduce((sum, one) => sum + one, 0) / total;
    const all = [...costs.values()];
    const requests = all.reduce((sum, one) => sum + one.requests, 0);
    const waited = Math.round(all.reduce((sum, one) => sum + one.waitedMs, 0) / 1000);
    spinner.text = printable(`${bar(share)} ${quantity(requests, "request")}, ${waited} s waited, ${what}`);
  };
  return {
    progress: (one) => {
      shares.set(`${one.integration}/${one.record}`, one.share);
      costs.set(one.integration, one);
      draw(`${named(one.integration)}/${one.record} ${one.from} to ${one.to}`);
    },
    onRecord: (report) => {
      shares.set(`${report.integration}/${report.record}`, 1);
      draw(`${named(report.integration)}/${report.record}`);
    },
    end: () => spinner.stop(),
  };
}

function bar(share: number): string {
  const filled = Math.round(Math.min(1, share) * 30);
  return `[${"█".repeat(filled)}${"░".repeat(30 - filled)}] ${String(Math.round(share * 100)).padStart(3)} %`;
}

const lineOf = (
  { integration, record, requests, objects, complete }: RecordReport,
  named: (id: string) => string,
): string =>
  `${named(integration)}/${record}: ${quantity(objects, "object")}, ${quantity(requests, "request")}${complete ? "" : ", not complete"}`;

const namesOf = (organizations: readonly Organization[]): ((id: string) => string) => {
  const names = new Map(
    organizations.flatMap(({ organizationId, name, integrations = [] }) => [
      [organizationId, name] as const,
      ...integrations.map((one) => [one.id, shownName(one)] as const),
    ]),
  );
  return (id) => names.get(id) ?? id;
};

/** The table of a pull, and below it what is missing. */
export function printPull(
  reports: readonly RecordReport[],
  organizations: readonly Organization[],
  isCheck = false,
): void {
  const named = namesOf(organizations);
  const place = ({ organization, integration, record }: RecordReport): string =>
    printable([named(organization), named(integration), record].filter(Boolean).join("/"));
  if (isCheck) {
    for (const report of reports) {
      const line = `${place(report)}: ${report.complete ? "ok" : "failed"}: ${printable(report.message ?? "")}`;
      if (report.complete) console.log(line);
      else console.error(line);
    }
    return;
  }
  const rows = reports.map((one) => [
    printable(named(one.organization)),
    printable(named(one.integration)),
    `${one.connector} ${one.record}`,
    one.from ?? "",
    one.to ?? "",
    one.objects,
    one.requests,
    one.waited.toFixed(1),
    one.bytes,
    one.complete ? "yes" : "no",
  ]);
  const headings = ["organization", "integration", "record", "from", "to", "objects", "requests", "waited", "bytes"];
  console.log(table([...headings, "complete"], rows));
  for (const report of reports) {
    if (report.message === null) continue;
    console.error(`${report.complete ? "note" : "missing"}: ${place(report)}: ${printable(report.message)}`);
  }
}
