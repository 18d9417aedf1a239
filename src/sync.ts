import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "./config.ts";
import type { Organization } from "./contract/settings.ts";
import { Database } from "./engine/database.ts";
import { withWriterLock } from "./engine/lock.ts";
import { landRecord, type Outcome, type Progress, removeLeftovers } from "./landing/land.ts";
import { derive } from "./marts/derive.ts";
import { paths } from "./paths.ts";
import { exportedBy } from "./records/index.ts";

export interface SyncRequest {
  /** The organizations to sync, with their settings in force. */
  readonly organizations: readonly Organization[];
  /** Only this integration of theirs. */
  readonly integration?: string | undefined;
  readonly progress?: Progress;
}

export interface SyncReport {
  readonly outcomes: readonly Outcome[];
  /** Folders that belong to nothing the settings know: told, never dropped in silence. */
  readonly strays: readonly string[];
  /** Organizations whose derived files were made anew. */
  readonly derived: readonly string[];
}

/** Whether anything could not be landed. */
export const failed = (report: SyncReport): boolean =>
  report.strays.length > 0 || report.outcomes.some((outcome) => outcome.rejected > 0 || outcome.refused.length > 0);

/** Work with an engine for landing and deriving: one writer, bounded memory, spilling beside the lake. */
function atWorkbench<T>(config: Config, waitMs: number, work: (database: Database) => Promise<T>): Promise<T> {
  return withWriterLock(config.dataDir, waitMs, async () => {
    await removeLeftovers(config.dataDir);
    const spill = path.join(paths.work(config.dataDir), "spill");
    await mkdir(spill, { recursive: true });
    const database = await Database.open({
      memoryLimit: config.memoryLimit,
      threads: config.threads,
      temporary: spill,
    });
    try {
      return await work(database);
    } finally {
      database.close();
      await removeLeftovers(config.dataDir);
    }
  });
}

/** How long a sync waits for another one. */
const WAIT_MS = 60_000;

/** Derives what the organizations' analyses read from what has landed. */
export function deriveAll(config: Config, organizations: readonly Organization[]): Promise<void> {
  return atWorkbench(config, 10 * WAIT_MS, async (database) => {
    for (const settings of organizations) await derive(database, config.dataDir, settings.organizationId, settings);
  });
}

/** Lands what is new in the exports of the organizations, then derives what the analyses read. */
export function sync(config: Config, request: SyncRequest): Promise<SyncReport> {
  return atWorkbench(config, WAIT_MS, async (database) => {
    const outcomes: Outcome[] = [];
    const strays: string[] = [];
    const derived: string[] = [];
    for (const settings of request.organizations) {
      strays.push(...(await strayFolders(config.dataDir, settings)));
      outcomes.push(...(await landOrganization(database, config, settings, request)));
      const made = await derive(database, config.dataDir, settings.organizationId, settings);
      if (made.derived) derived.push(settings.organizationId);
    }
    return { outcomes, strays, derived };
  });
}

async function landOrganization(
  database: Database,
  config: Config,
  settings: Organization,
  request: SyncRequest,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const integration of settings.integrations ?? []) {
    if (request.integration && request.integration !== integration.id) continue;
    for (const record of exportedBy(integration.connector)) {
      const place = { dataDir: config.dataDir, organization: settings.organizationId, integration, record };
      const outcome = await landRecord(database, place, config.now(), request.progress ?? (() => {}));
      if (outcome.seen > 0) outcomes.push(outcome);
    }
  }
  return outcomes;
}

/** Folders under an organization's exports that name no integration or no record of one. */
async function strayFolders(dataDir: string, settings: Organization): Promise<string[]> {
  const strays: string[] = [];
  const home = path.join(dataDir, "exports", settings.organizationId);
  for (const name of await names(home)) {
    const integration = (settings.integrations ?? []).find(({ id }) => id === name);
    if (!integration) {
      strays.push(path.join("exports", settings.organizationId, name));
      continue;
    }
    const known = new Set(exportedBy(integration.connector).map((record) => record.name));
    for (const record of await names(path.join(home, name))) {
      if (!known.has(record)) strays.push(path.join("exports", settings.organizationId, name, record));
    }
  }
  return strays;
}

const names = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [] as string[])).filter((name) => !name.startsWith("."));
