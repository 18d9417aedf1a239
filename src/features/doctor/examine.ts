import type { Listed } from "../../core/access/credentials.ts";
import type { Config } from "../../core/config.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { endpoints } from "../../core/endpoints/index.ts";
import type { Row, Session } from "../../core/engine/database.ts";
import { violations } from "../../core/engine/integrity.ts";
import { openServing } from "../../core/engine/serving.ts";
import { readSql } from "../../core/engine/sql.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import {
  currentGeneration,
  foreignOwner,
  type Generation,
  generationOfAnyVersion,
} from "../../core/marts/generations.ts";
import { fingerprint } from "../../core/marts/sources.ts";
import { lastResults } from "../../core/sync/status.ts";
import { webhookStatus } from "../webhooks/status.ts";
import { runChecks } from "./checks.ts";
import {
  credentialFindings,
  derivationFindings,
  folderFindings,
  landingFindings,
  lastResultFindings,
  marginFindings,
  missingFindings,
  stalenessFindings,
  timezoneFindings,
  webhookFindings,
} from "./findings.ts";
import { historyFindings } from "./history.ts";
import { integrationStates } from "./integrations.ts";
import { landedOf } from "./landed.ts";
import { missingFiles } from "./missing.ts";
import { pullFindings } from "./pulls.ts";
import { type Finding, finding, type OrganizationReport } from "./report.ts";

/** The results from the derived files; empty if there are no files, or if they are outdated. */
interface Derived {
  readonly overview: Row | null;
  readonly freshness: readonly Row[];
  readonly looks: readonly Finding[];
  readonly integrity: readonly Finding[];
}

const UNDERIVED: Derived = { overview: null, freshness: [], looks: [], integrity: [] };

/** Examines an organization for the operator. The session reads the lake. */
export async function examine(
  config: Config,
  session: Session,
  settings: Organization,
  clients: readonly Listed[],
): Promise<OrganizationReport> {
  const { organizationId, name } = settings;
  const folders = foldersOf(config.dataDir, organizationId);
  const now = config.now();
  const landed = await landedOf(session, folders, settings);
  const results = await lastResults(folders);
  const generation = await currentGeneration(folders);
  const upToDate = generation?.state === (await fingerprint(folders, settings));
  const derived = generation && upToDate ? await ofDerived(config, organizationId, generation) : UNDERIVED;
  const integrations = integrationStates(settings, results, landed, derived.freshness, now);
  const present = generation ?? (await generationOfAnyVersion(folders));
  return {
    organizationId,
    name,
    overview: derived.overview,
    integrations,
    findings: [
      ...(await historyFindings(folders)),
      ...missingFindings(await missingFiles(folders, settings, present)),
      ...derivationFindings(present, upToDate, await foreignOwner(folders), landed),
      ...(await folderFindings(folders, settings)),
      ...lastResultFindings(integrations),
      ...landingFindings(landed, integrations, now),
      ...stalenessFindings(integrations, now),
      ...timezoneFindings(settings, integrations),
      ...marginFindings(settings, integrations),
      ...derived.looks,
      ...derived.integrity,
      ...(await pullFindings(folders, settings, now)),
      ...webhookFindings(await webhookStatus(config.dataDir, settings)),
      ...credentialFindings(organizationId, clients),
    ],
  };
}

async function ofDerived(config: Config, organizationId: string, { folder }: Generation): Promise<Derived> {
  const database = await openServing(config, organizationId, undefined, folder);
  try {
    return await database.use(async (session) => {
      await session.set("marts", folder);
      const [overview = null] = await session.rows(readSql("doctor/overview"));
      const freshness = await session.rows(readSql("doctor/freshness"));
      const looks = await runChecks(session);
      const whole = { startDate: null, endDate: null, view: "revenue", groupBy: "month" };
      const rows = (await violations(session, endpoints, whole)).map(({ query, rows }) => ({
        query,
        rows: rows.length,
        first: JSON.stringify(rows[0]),
      }));
      const integrity =
        rows.length === 0 ? [] : [finding("integrity", "wrong", "figures that contradict each other", rows)];
      return { overview, freshness, looks, integrity };
    });
  } finally {
    database.close();
  }
}
