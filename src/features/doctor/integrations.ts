import type { Organization } from "../../core/contract/settings.ts";
import type { Row } from "../../core/engine/database.ts";
import type { LastResult } from "../../core/sync/status.ts";
import { DAY_MS } from "../../core/time/days.ts";
import type { Landed } from "./landed.ts";
import type { IntegrationState } from "./report.ts";

/** The state of each integration: its last sync, and what has landed of each of its records. */
export function integrationStates(
  settings: Organization,
  results: readonly LastResult[],
  landed: readonly Landed[],
  freshness: readonly Row[],
  now: Date,
): IntegrationState[] {
  return (settings.integrations ?? []).map(({ id, connector, name, schedule }) => {
    const own = landed.filter(({ integrationId }) => integrationId === id);
    const lastLandedAt =
      own
        .flatMap((record) => record.lastLandedAt ?? [])
        .sort()
        .at(-1) ?? null;
    const records = own.map(({ record, lastLandedAt, files, rejected, waiting }) => {
      const row = freshness.find((row) => row.integrationId === id && row.record === record);
      const newestDay = row?.newestDay ? String(row.newestDay) : null;
      const rows = freshness.length === 0 ? null : Number(row?.rows ?? 0);
      const daysSinceNewest = daysSince(newestDay, now);
      return { record, lastLandedAt, newestDay, daysSinceNewest, files, rows, rejected, waiting };
    });
    const daysSinceLanded = daysSince(lastLandedAt, now);
    const { ended, outcome, reason } = results.find(({ integration }) => integration === id) ?? {};
    return {
      integrationId: id,
      name: name ?? id,
      connector,
      schedule: schedule ?? null,
      lastLandedAt,
      daysSinceLanded,
      lastResult: ended && outcome ? { ended, outcome, reason: reason ?? null } : null,
      records,
    };
  });
}

/** Whole days; a time in the future counts as today. */
const daysSince = (time: string | null, now: Date): number | null =>
  time === null ? null : Math.max(0, Math.floor((now.getTime() - Date.parse(time)) / DAY_MS));
