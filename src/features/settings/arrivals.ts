import type { Organization } from "../../core/contract/settings.ts";
import type { SettingsDependencies } from "./dependencies.ts";

const LONGEST_MS = 20_000;

interface Arrived {
  readonly integrationId: string;
  readonly lastLandedAt: string | null;
  readonly lastSync: object | null;
  readonly records: readonly { readonly record: string; readonly files: number }[];
}

/** What arrived of each connection, and when; undefined while the data cannot be examined. */
export async function arrivals(
  { quality }: Pick<SettingsDependencies, "quality">,
  settings: Organization,
): Promise<ReadonlyMap<string, object> | undefined> {
  const report = await quality.of(settings, AbortSignal.timeout(LONGEST_MS)).catch(() => undefined);
  if (!report) return undefined;
  return new Map(
    (report.integrations as readonly Arrived[]).map(({ integrationId, lastLandedAt, lastSync, records }) => {
      const missing = records.filter(({ files }) => files === 0).map(({ record }) => record);
      return [integrationId, { lastLandedAt, lastSync, records, missing }];
    }),
  );
}
