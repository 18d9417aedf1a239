import type { Command } from "commander";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import type { Job, JobState, Jobs } from "../../core/coordination/coordination.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { knownOrganizations } from "../../core/organizations/open.ts";
import { lastResults } from "../../core/sync/status.ts";
import { printable, table } from "../../core/terminal/table.ts";
import { once } from "../../core/terminal/usage.ts";

interface Options {
  readonly organization?: string;
  readonly json?: boolean;
}

/** The queue that workers share. */
export function sharedJobs({ dataDir }: Config): Jobs {
  const { jobs } = coordinationOf(dataDir);
  if (!jobs)
    throw new OperatorError(
      "without LUCRA_DATABASE_URL there are no workers: `lucra serve` runs what is due (docs/scaling.md)",
    );
  return jobs;
}

export function jobsCommand(program: Command, config: () => Config): void {
  const jobs = program.command("jobs").description("what workers run; needs LUCRA_DATABASE_URL");
  const add = <T extends unknown[]>(name: string, description: string, run: (...args: T) => Promise<void>): Command =>
    jobs
      .command(name)
      .description(description)
      .action(async (...args: unknown[]) => {
        // The queue has connections of its own.
        await run(...(args as T)).finally(() => coordinationOf(config().dataDir).close());
      });
  add("list", "the jobs of the last day, the newest first", (options: Options) => list(config(), options))
    .option("--organization <id>", "only this organization", once)
    .option("--json", "as JSON");
  add("retry <job>", "run a job again, or one that waits for its retry at once", (id: string) => retry(config(), id));
  add("explain <job>", "why a job waits, runs, or has failed", (id: string) => explain(config(), id));
}

async function list(config: Config, { organization, json }: Options): Promise<void> {
  const found = await sharedJobs(config).list(organization?.toLowerCase());
  if (json) return console.log(JSON.stringify(found));
  if (found.length === 0) return console.log("no jobs");
  const named = await namesOf(config);
  const rows = found.map((job) => [
    job.id,
    named(job),
    job.state,
    `${job.attempts}/${job.attemptsAllowed}`,
    minute(job.queuedAt),
    minute(job.endedAt ?? job.startedAt),
    printable(job.reason ?? "").slice(0, 80),
  ]);
  console.log(table(["job", "integration", "state", "attempts", "queued", "began or ended", ""], rows));
}

async function retry(config: Config, id: string): Promise<void> {
  await sharedJobs(config).retry(id);
  console.log(`${id} was queued`);
}

async function explain(config: Config, id: string): Promise<void> {
  const all = await sharedJobs(config).list();
  const job = all.find((one) => one.id === id);
  if (!job) throw new OperatorError(`no job ${id}: lucra jobs list`);
  const named = await namesOf(config);
  const result = (await lastResults(foldersOf(config.dataDir, job.organization))).find(
    ({ integration }) => integration === job.integration,
  );
  const lines = [
    `${job.id}: ${named(job)}`,
    stateText(job, all, named),
    `queued ${job.queuedAt}${job.startedAt ? `, begun ${job.startedAt}` : ""}${job.endedAt ? `, ended ${job.endedAt}` : ""}`,
    `attempts: ${job.attempts} of ${job.attemptsAllowed}${job.worker ? `, the last one by ${job.worker}` : ""}`,
    ...(job.reason ? [`last failure: ${job.reason}`] : []),
    ...(result
      ? [`last sync of the integration: ${result.ended} ${result.outcome} ${result.reason ?? ""}`.trim()]
      : []),
  ];
  console.log(lines.map(printable).join("\n"));
}

function stateText(job: JobState, all: readonly JobState[], named: (job: Job) => string): string {
  const other = all.find(
    ({ state, organization, id }) => state === "running" && organization === job.organization && id !== job.id,
  );
  if (job.state === "running") return "running";
  if (job.state === "done") return "done";
  if (job.state === "cancelled") return "cancelled";
  if (job.state === "failed")
    return `failed: \`lucra jobs retry ${job.id}\` runs it again; so does its next scheduled time`;
  if (Date.parse(job.notBefore) > Date.now()) return `waits for its retry at ${job.notBefore}`;
  if (other) return `waits for ${named(other)}: one job of an organization runs at a time`;
  return "waits for a worker";
}

async function namesOf({ dataDir }: Config): Promise<(job: Job) => string> {
  const known = await knownOrganizations(dataDir, () => {});
  const names = new Map(
    known.flatMap(({ organizationId, name, integrations = [] }) => [
      [organizationId, name] as const,
      ...integrations.map((one) => [one.id, one.name ?? one.id] as const),
    ]),
  );
  return ({ organization, integration }) =>
    printable(`${names.get(organization) ?? organization} / ${names.get(integration) ?? integration}`);
}

const minute = (instant: string | null): string => (instant ?? "").slice(0, 19).replace("T", " ");
