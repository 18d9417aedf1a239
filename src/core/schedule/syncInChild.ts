import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { foldersOf } from "../files/organizationFolders.ts";
import type { Children } from "../processes/children.ts";
import { ENDED } from "../sync/pulled.ts";
import { keepResult, lastResults, resultOf } from "../sync/status.ts";
import type { SyncReport } from "../sync/sync.ts";
import type { Run } from "./jobQueue.ts";

/**
 * Lands an integration in a child process. Rejected rows and refused files are a result: only failures are retried. A
 * sync that died has written no result, so it is written here.
 */
export const syncInChild =
  (children: Children, { dataDir, now }: Pick<Config, "dataDir" | "now">, log: Logger): Run =>
  async (job, over) => {
    try {
      const started = now();
      const { organization, integration } = job;
      const folders = foldersOf(dataDir, organization);
      // An integration without `pull` is only landed.
      const args = ["sync", "--pull", "--organization", organization, "--integration", integration, "--json"];
      const end = await children.run(args, over);
      if (children.stopped) return "done";
      const report = reportIn(end.stdout);
      if (!report) {
        const reason = end.stderr.replaceAll(/\s+/g, " ") || `sync ended with ${end.code ?? end.signal}`;
        const died = { ...job, started, ended: now(), outcomes: [], unread: [], failures: [{ ...job, reason }] };
        await keepResult(folders, resultOf(died));
      }
      const kept = (await lastResults(folders)).find((result) => result.integration === integration);
      const level = kept?.outcome === "ok" ? "info" : kept?.outcome === "failed" ? "error" : "warn";
      log[level]({ ...job, outcome: kept?.outcome, reason: kept?.reason, records: kept?.records }, "synced");
      // A failure of another integration, such as a missing landed file, is not repaired by repeating this one.
      const concerns = (one: string | undefined): boolean => one === undefined || one === integration;
      if (!report || report.failures.some((failure) => concerns(failure.integration))) return "failed";
      const isEnded = report.pulled?.some(({ message }) => message === ENDED) ?? false;
      return isEnded || report.outcomes.some(({ postponed }) => postponed > 0) ? "unfinished" : "done";
    } catch (error) {
      if (!children.stopped) log.error({ ...job, err: error }, "could not sync");
      return "failed";
    }
  };

function reportIn(stdout: string): SyncReport | undefined {
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}
