import type { Organization } from "../contract/settings.ts";
import { foldersOf } from "../files/organizationFolders.ts";
import { type LastResult, lastResults } from "../sync/status.ts";
import type { Job } from "./jobQueue.ts";

/** The state of an integration, for the operator. */
export interface IntegrationState extends Job {
  readonly connector: string;
  readonly schedule: string | null;
  readonly nextRun: string | null;
  readonly lastResult: LastResult | null;
}

/** Every integration in the settings, with its last result and the time of its next run. */
export async function overview(
  dataDir: string,
  organizations: readonly Organization[],
  nextRun: (job: Job) => Date | undefined,
): Promise<IntegrationState[]> {
  const states: IntegrationState[] = [];
  for (const { organizationId: organization, integrations = [] } of organizations) {
    const results = await lastResults(foldersOf(dataDir, organization));
    for (const { id: integration, connector, schedule = null } of integrations) {
      states.push({
        organization,
        integration,
        connector,
        schedule,
        nextRun: nextRun({ organization, integration })?.toISOString() ?? null,
        lastResult: results.find((result) => result.integration === integration) ?? null,
      });
    }
  }
  return states;
}
