import type { Command } from "commander";
import type { Logger } from "pino";
import type { Config } from "../../core/config.ts";
import type { JobRun } from "../../core/coordination/coordination.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { openOrganizations } from "../../core/organizations/open.ts";
import { SettingsWatch } from "../../core/organizations/watch.ts";
import { Children } from "../../core/processes/children.ts";
import { Schedule } from "../../core/schedule/schedule.ts";
import { syncInChild } from "../../core/schedule/syncInChild.ts";
import { lastResults } from "../../core/sync/status.ts";
import { flushed, serverLog } from "../../core/terminal/serverLog.ts";
import { once, UsageError } from "../../core/terminal/usage.ts";
import { sharedJobs } from "./jobs.ts";
import { openStore, useUploads } from "./objects/open.ts";
import { Uploads } from "./objects/uploads.ts";
import { sharedQueue } from "./sharedQueue.ts";
import { stateRun } from "./stateJobs.ts";
import { followDocuments } from "./storage.ts";

interface Options {
  readonly atOnce?: string;
  /** False with `--no-schedule`. */
  readonly schedule?: boolean;
}

/** More would only wait for each other on one machine. */
const MOST_AT_ONCE = 64;

export function workCommand(program: Command, config: () => Config): void {
  program
    .command("work")
    .description(
      "pull, land and derive what is due, and earlier states that replicas ask for, with any number of other workers; needs LUCRA_DATABASE_URL",
    )
    .option("--at-once <number>", "organizations that are landed at once (1)", once)
    .option("--no-schedule", "only run jobs: other workers or a service queue what is due")
    .action((options: Options) => work(config(), options));
}

async function work(config: Config, { atOnce = "1", schedule: isScheduler = true }: Options): Promise<void> {
  if (!/^[1-9]\d?$/.test(atOnce) || Number(atOnce) > MOST_AT_ONCE)
    throw new UsageError(`--at-once ${atOnce}: a number from 1 to ${MOST_AT_ONCE} is expected`);
  const jobs = sharedJobs(config);
  const log = await serverLog(config.logLevel);
  const children = new Children(config.dataDir, config.syncTimeoutMs);
  // Of its own: their processes have a low priority.
  const stateChildren = new Children(config.dataDir, config.syncTimeoutMs);
  const organizations = openOrganizations(config.dataDir, (problem) =>
    log.error({ problem }, "settings refused, the last good ones stay in force"),
  );
  const schedule = new Schedule({ organizations: () => organizations.all(), queue: sharedQueue(jobs, log), log });
  const watch = new SettingsWatch(
    organizations,
    () => schedule.look(),
    (error) => log.error({ err: error }, "could not apply changed settings"),
  );
  const store = await openStore(config);
  const documents = store && followDocuments(config, store, log);
  if (store) useUploads(config.dataDir, new Uploads(store, config.dataDir));
  const runs = { sync: runOf(config, children, log), states: stateRun(config, stateChildren) };
  const working = await jobs.work(runs, {
    atOnce: Number(atOnce),
    limitMs: config.syncTimeoutMs,
    onFailure: (error) => log.error({ err: error }, "jobs"),
  });
  if (isScheduler) {
    await watch.start();
    await schedule.start();
  }
  log.info({ atOnce: Number(atOnce), schedule: isScheduler }, "working");
  // Neither the database's connections nor timers keep the process running.
  const running = setInterval(() => {}, 60_000);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, async () => {
      log.info({ signal }, "stopping");
      watch.stop();
      await schedule.stop();
      // Jobs of commands that are ended wait for another worker.
      await Promise.all([working.stop(), children.stop(), stateChildren.stop()]);
      await documents?.stop();
      await coordinationOf(config.dataDir).close();
      clearInterval(running);
      await flushed(log);
      process.exit(0);
    });
  }
}

/** Runs a job as a command of its own, which takes the turn of the organization. */
function runOf(config: Config, children: Children, log: Logger): JobRun {
  const run = syncInChild(children, config, log);
  return async (job, stopping) => {
    for (;;) {
      const end = await run(job, stopping);
      if (stopping.aborted) return "was stopped";
      if (end === "done") return undefined;
      if (end === "unfinished") continue;
      const results = await lastResults(foldersOf(config.dataDir, job.organization));
      return results.find(({ integration }) => integration === job.integration)?.reason ?? "failed";
    }
  };
}
