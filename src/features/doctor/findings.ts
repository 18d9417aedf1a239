import type { Listed } from "../../core/access/credentials.ts";
import type { FindingKind } from "../../core/contract/quality.ts";
import { CONNECTOR_KINDS } from "../../core/contract/record.ts";
import type { Organization } from "../../core/contract/settings.ts";
import type { Row } from "../../core/engine/database.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import type { Generation } from "../../core/marts/generations.ts";
import { NO_MARGIN } from "../../core/organizations/margin.ts";
import { recordHint, unmatchedFolders } from "../../core/sync/folders.ts";
import { DAY_MS } from "../../core/time/days.ts";
import type { WebhookStatus } from "../webhooks/status.ts";
import type { Landed } from "./landed.ts";
import { type Finding, finding, type IntegrationState, type Level } from "./report.ts";

/** After this the products family calls a store stale [D39]. */
const STALE_MS = DAY_MS;
/** After this an integration is wrong, not only stale. */
const SILENT_MS = 7 * DAY_MS;
/** Data that ended more days ago is worth a notice, even if files still land. */
const OLD_DAYS = 7;
/** How many reasons of one record's rejected rows are listed. */
const MOST_REASONS = 10;

export function derivationFindings(
  generation: Generation | undefined,
  upToDate: boolean,
  foreignOwner: string | undefined,
  landed: readonly Landed[],
): Finding[] {
  if (upToDate) return [];
  if (generation) {
    return [
      finding("outdated", "wrong", "the derived files are not of the present data, settings or version: run sync"),
    ];
  }
  if (foreignOwner !== undefined) {
    const title =
      "the derived files are another organization's and are not used: run sync, and check the restored backup";
    return [finding("foreignDerived", "wrong", title, [{ organizationId: foreignOwner }])];
  }
  const something = landed.some(({ lastLandedAt, waiting }) => lastLandedAt !== null || waiting.length > 0);
  return [finding("underived", something ? "wrong" : "notice", "nothing is derived yet: run sync")];
}

export const missingFindings = (missing: readonly Row[]): Finding[] =>
  some(
    "missingLake",
    "wrong",
    "landed files that are missing: put their exports back and run sync, or accept the loss (lucra landings revoke)",
    missing,
  );

export async function folderFindings(folders: OrganizationFolders, settings: Organization): Promise<Finding[]> {
  const { unknownRecordFolders, unconfiguredFolders, linkedFolders, misplacedFolders } = await unmatchedFolders(
    folders,
    settings,
  );
  const rows = (found: readonly string[]): Row[] => found.map((folder) => ({ folder }));
  return [
    ...some(
      "unknownRecordFolders",
      "wrong",
      "folders that are not a record of their integration: not read",
      unknownRecordFolders.map((folder) => ({ folder, hint: recordHint(folder, [settings]) })),
    ),
    ...some(
      "misplacedFolders",
      "wrong",
      "exports in the wrong place: not read",
      misplacedFolders.map(({ folder, hint }) => ({ folder, hint })),
    ),
    ...some("linkedFolders", "wrong", "folders of exports that are links: not read", rows(linkedFolders)),
    ...some(
      "unconfiguredFolders",
      "notice",
      "exports of integrations that the settings no longer name: left out",
      rows(unconfiguredFolders),
    ),
  ];
}

const some = (kind: FindingKind, level: Level, title: string, rows: readonly Row[]): Finding[] =>
  rows.length === 0 ? [] : [finding(kind, level, title, rows)];

export function landingFindings(
  landed: readonly Landed[],
  integrations: readonly IntegrationState[],
  now: Date,
): Finding[] {
  const placed = landed.map((one) => ({
    ...one,
    integration: integrations.find(({ integrationId }) => integrationId === one.integrationId)?.name,
  }));
  const waiting = placed.filter((one) => one.waiting.length > 0);
  const since = Math.min(...waiting.map(({ waitingSince }) => waitingSince?.getTime() ?? 0));
  return [
    ...some(
      "waitingFiles",
      now.getTime() - since > STALE_MS ? "wrong" : "notice",
      "export files that have not landed",
      waiting.map(({ integration, record, waiting }) => ({
        integration,
        record,
        files: waiting.length,
        first: waiting[0],
      })),
    ),
    ...some(
      "revokedFiles",
      "notice",
      "exports that are revoked: remove them, or run `lucra landings restore`",
      placed.flatMap(({ integration, record, revoked }) => revoked.map((one) => ({ integration, record, ...one }))),
    ),
    ...some(
      "rejectedRows",
      "wrong",
      "rows that could not be read",
      placed.flatMap(({ integration, record, reasons }) =>
        reasons.slice(0, MOST_REASONS).map(({ rows, reason, file, position, list }) => ({
          integration,
          record,
          rows,
          reason,
          example: position === null ? file : `${file}, row ${position}`,
          list,
        })),
      ),
    ),
    ...some(
      "unknownColumns",
      "notice",
      "columns of exports that are not a field of their record: they do not land",
      placed.flatMap(({ integration, record, unknownColumns }) =>
        [...unknownColumns].map(([column, files]) => ({
          integration,
          record,
          column,
          files: files.length,
          first: files[0],
        })),
      ),
    ),
    ...some(
      "olderExports",
      "notice",
      "exports that landed before these fields did, which are null in their rows: land them again under other names",
      placed.flatMap(({ integration, record, older }) =>
        [...older].map(([missing, files]) => ({ integration, record, missing, files: files.length, first: files[0] })),
      ),
    ),
    ...some(
      "incompleteDownloads",
      "notice",
      "exports that cannot give everything: what is missing in them, and in the figures",
      placed.flatMap(({ integration, record, notes }) =>
        [...notes].map(([note, files]) => ({
          integration,
          record,
          missing: note,
          files: files.length,
          first: files[0],
        })),
      ),
    ),
  ];
}

/** Rejected rows have a finding of their own. */
export function lastResultFindings(integrations: readonly IntegrationState[]): Finding[] {
  const rows = integrations.flatMap(({ name, lastResult }) =>
    lastResult?.outcome === "failed" || lastResult?.outcome === "refused"
      ? [{ integration: name, outcome: lastResult.outcome, ended: lastResult.ended, reason: lastResult.reason }]
      : [],
  );
  return some("lastSync", "wrong", "integrations whose last sync did not land everything", rows);
}

/** Tables of one's own land when something in them changes, and are never late. */
export function stalenessFindings(all: readonly IntegrationState[], now: Date): Finding[] {
  const integrations = all.filter(({ connector }) => CONNECTOR_KINDS[connector] !== "finance");
  const silence = ({ lastLandedAt }: IntegrationState): number =>
    lastLandedAt === null ? 0 : now.getTime() - Date.parse(lastLandedAt);
  const row = ({ name, connector, lastLandedAt, daysSinceLanded }: IntegrationState): Row =>
    lastLandedAt === null
      ? { integration: name, connector }
      : { integration: name, connector, lastLandedAt, days: daysSinceLanded };
  const silent = integrations.filter((one) => silence(one) > SILENT_MS);
  const stale = integrations.filter((one) => silence(one) > STALE_MS && !silent.includes(one));
  const never = all.filter(({ lastLandedAt }) => lastLandedAt === null);
  const old = integrations.flatMap((one) =>
    one.records
      .filter(({ daysSinceNewest }) => (daysSinceNewest ?? 0) > OLD_DAYS)
      .map(({ record, newestDay, daysSinceNewest }) => ({
        integration: one.name,
        record,
        newestDay,
        days: daysSinceNewest,
      })),
  );
  return [
    ...some("silentIntegrations", "wrong", "nothing landed for more than 7 days", silent.map(row)),
    ...some("staleIntegrations", "notice", "nothing landed for more than 24 hours", stale.map(row)),
    ...some("emptyIntegrations", "notice", "integrations without any landed data", never.map(row)),
    ...some("oldData", "notice", "data that ends more than 7 days ago", old),
  ];
}

/** Stores with orders that no time zone dates: a wrong day is wrong in every figure. */
export function timezoneFindings(settings: Organization, integrations: readonly IntegrationState[]): Finding[] {
  const unset = (settings.integrations ?? []).filter(({ timezone }) => timezone === undefined).map(({ id }) => id);
  const rows = integrations
    .filter(({ integrationId, records }) => unset.includes(integrationId) && hasOrders(records))
    .map(({ name, connector }) => ({ integration: name, connector }));
  return some(
    "storesInUtc",
    "notice",
    'stores without a "timezone" in the settings: their orders are dated in UTC',
    rows,
  );
}

/** Figures that a reader takes for profit are revenue then. */
export function marginFindings({ margin }: Organization, integrations: readonly IntegrationState[]): Finding[] {
  const isSold = integrations.some(({ records }) => hasOrders(records));
  return margin || !isSold ? [] : [finding("noMargin", "notice", NO_MARGIN)];
}

const hasOrders = (records: IntegrationState["records"]): boolean =>
  records.some(({ record, rows }) => record === "orders" && (rows ?? 0) > 0);

export const webhookFindings = (status: WebhookStatus | undefined): Finding[] =>
  !status || status.level === "good"
    ? []
    : [finding("webhook", status.level, `the webhook has not delivered the present answers: ${status.text}`)];

export function credentialFindings(organizationId: string, clients: readonly Listed[]): Finding[] {
  const bound = clients.filter(({ revokedAt, organizations }) => !revokedAt && organizations.includes(organizationId));
  const future = bound.flatMap(({ client_id, createdInFuture }) =>
    createdInFuture ? [{ client: client_id, created: createdInFuture }] : [],
  );
  return [
    ...some(
      "futureCredentials",
      "notice",
      "credentials that were created in the future: the clock is wrong, or was",
      future,
    ),
    ...(bound.length > 0
      ? []
      : [finding("noCredentials", "notice", `no credentials: lucra keys create --organization ${organizationId}`)]),
  ];
}
