import type { Organization } from "../contract/settings.ts";
import { shownName } from "../organizations/named.ts";
import { isPulled, pulledRecords } from "../pull/accounts.ts";
import { keptSecrets, setOf } from "../pull/secrets.ts";
import { pullState } from "../pull/state.ts";
import { DAY_MS } from "./findings.ts";
import { type Finding, finding } from "./report.ts";

/** A record that was not complete for so long is worth a notice, and after the second it is wrong. */
const OVERDUE_MS = 2 * DAY_MS;
const LOST_MS = 7 * DAY_MS;

/** What keeps the integrations with `pull` from being complete [D61] [D63]. */
export async function pullFindings(dataDir: string, settings: Organization, now: Date): Promise<Finding[]> {
  const missing: { integration: string; reason: string }[] = [];
  const refused: { integration: string; since: string; reason: string }[] = [];
  const incomplete: { integration: string; record: string; at: string; reason: string }[] = [];
  const overdue: { integration: string; record: string; completeAt: string }[] = [];
  let oldest = now.getTime();
  for (const one of (settings.integrations ?? []).filter(isPulled)) {
    const integration = shownName(one);
    const reason = await secretsFault(dataDir, settings.organizationId, one);
    if (reason) missing.push({ integration, reason });
    const state = await pullState(dataDir, settings.organizationId, one.id);
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
    ...some("pullIncomplete", "wrong", "records that the last pull did not complete", incomplete),
    ...some(
      "pullOverdue",
      now.getTime() - oldest > LOST_MS ? "wrong" : "notice",
      "records that were not pulled completely for more than two days: `lucra sync --pull`, or a schedule",
      overdue,
    ),
  ];
}

async function secretsFault(
  dataDir: string,
  organization: string,
  { id, connector }: NonNullable<Organization["integrations"]>[number],
): Promise<string | undefined> {
  try {
    const kept = await keptSecrets(dataDir, organization, id);
    if (!kept) return "there are none";
    return setOf(connector, kept.secrets) ? undefined : "keys are missing";
  } catch (error) {
    return (error as Error).message;
  }
}
