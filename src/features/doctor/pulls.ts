import type { Organization } from "../../core/contract/settings.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { shownName } from "../../core/organizations/named.ts";
import { DAY_MS } from "../../core/time/days.ts";
import { isPulled, pulledRecords } from "../pull/accounts.ts";
import { keptSecrets, setOf } from "../pull/secrets.ts";
import { endOf, type PullState, pullState } from "../pull/state.ts";
import { type Finding, finding } from "./report.ts";

/** A record that was not complete for so long is worth a notice, and after the second it is wrong. */
const OVERDUE_MS = 2 * DAY_MS;
const LOST_MS = 7 * DAY_MS;
/** Secrets that end within so long are worth a notice, and within the second time it is urgent. */
const EXPIRING_MS = 14 * DAY_MS;
const EXPIRED_MS = 2 * DAY_MS;

/** Findings about integrations with `pull` that are not complete [D61]. */
export async function pullFindings(
  folders: OrganizationFolders,
  settings: Organization,
  now: Date,
): Promise<Finding[]> {
  const missing: { integration: string; reason: string }[] = [];
  const refused: { integration: string; since: string; reason: string }[] = [];
  const incomplete: { integration: string; record: string; at: string; reason: string }[] = [];
  const expiring: { integration: string; ends: string }[] = [];
  const overdue: { integration: string; record: string; completeAt: string }[] = [];
  let oldest = now.getTime();
  let soonest = Number.POSITIVE_INFINITY;
  for (const one of (settings.integrations ?? []).filter(isPulled)) {
    const integration = shownName(one);
    const state = await pullState(folders, one.id);
    const { reason, ends } = await examined(folders, one, state);
    if (reason) missing.push({ integration, reason });
    if (ends !== undefined && Date.parse(ends) - now.getTime() <= EXPIRING_MS) {
      expiring.push({ integration, ends });
      soonest = Math.min(soonest, Date.parse(ends));
    }
    if (state.refused) refused.push({ integration, since: state.refused.at, reason: state.refused.message });
    for (const record of pulledRecords(one)) {
      const { completeAt, failure, sweep } = state.records[record] ?? {};
      if (failure) incomplete.push({ integration, record, at: failure.at, reason: failure.message });
      else if (sweep)
        incomplete.push({ integration, record, at: sweep.began, reason: "a pull was ended: run it again" });
      else if (completeAt === undefined && !reason)
        incomplete.push({ integration, record, at: "", reason: "never pulled: lucra sync --pull" });
      if (completeAt === undefined || now.getTime() - Date.parse(completeAt) <= OVERDUE_MS) continue;
      oldest = Math.min(oldest, Date.parse(completeAt));
      overdue.push({ integration, record, completeAt });
    }
  }
  const some = (...[kind, level, title, rows]: Parameters<typeof finding>): Finding[] =>
    rows?.length ? [finding(kind, level, title, rows)] : [];
  return [
    ...some("pullSecrets", "wrong", "secrets that are missing: `lucra secrets set`", missing),
    ...some(
      "pullRefused",
      "wrong",
      "credentials that the vendor refuses: set new ones, then `lucra pull --check`",
      refused,
    ),
    ...some(
      "pullExpiring",
      soonest - now.getTime() > EXPIRED_MS ? "notice" : "wrong",
      "secrets that end soon, as the vendor says: set new ones (`lucra secrets set`)",
      expiring,
    ),
    ...some("pullIncomplete", "wrong", "records that the last pull did not complete", incomplete),
    ...some(
      "pullOverdue",
      now.getTime() - oldest > LOST_MS ? "wrong" : "notice",
      "records that were not pulled completely for more than two days: `lucra sync --pull`, or a schedule",
      overdue,
    ),
  ];
}

/** Findings about secrets: faults, and when they end. */
async function examined(
  folders: OrganizationFolders,
  { id, connector }: NonNullable<Organization["integrations"]>[number],
  state: PullState,
): Promise<{ readonly reason?: string; readonly ends?: string | undefined }> {
  try {
    const kept = await keptSecrets(folders, id);
    if (!kept) return { reason: "there are none" };
    if (!setOf(connector, kept.secrets)) return { reason: "keys are missing" };
    return { ends: endOf(state, kept) };
  } catch (error) {
    return { reason: (error as Error).message };
  }
}
