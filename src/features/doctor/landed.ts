import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Organization } from "../../core/contract/settings.ts";
import type { Session } from "../../core/engine/database.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { contentHash, type ExportFile, listExports } from "../../core/landing/find/exports.ts";
import { type IngestedFiles, ingestedFiles, type LakePlace, landedAt } from "../../core/landing/ledger/ingested.ts";
import { Revocations } from "../../core/landing/ledger/revocations.ts";
import { type RejectedRows, rejectsIn, rejectsName } from "../../core/landing/read/rejects.ts";
import { exportedBy } from "../../core/records/index.ts";
import { olderExports } from "./older.ts";

/** The contents of the folders of one record of an integration. */
export interface Landed {
  readonly integrationId: string;
  readonly record: string;
  readonly lastLandedAt: string | null;
  readonly files: number;
  readonly rejected: number;
  /** Rejected rows by reason, most rows first; `list` is the path of the list with the first of them. */
  readonly reasons: readonly (RejectedRows & { readonly list: string })[];
  /** Columns that did not land, each with the exports that have it. */
  readonly unknownColumns: ReadonlyMap<string, readonly string[]>;
  /** Notes about exports, each with the exports that it is about. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
  /** Fields that exports landed before, each list of them with these exports. */
  readonly older: ReadonlyMap<string, readonly string[]>;
  readonly waiting: readonly string[];
  /** When the oldest of the waiting files was written. */
  readonly waitingSince: Date | null;
  /** Exports that landed, were revoked and have not been written again since. */
  readonly revoked: readonly { readonly file: string; readonly landing: number }[];
}

/** The state of the exports, the lake and the rejects of an organization, by integration and record. */
export async function landedOf(
  session: Session,
  folders: OrganizationFolders,
  settings: Organization,
): Promise<Landed[]> {
  const all: Landed[] = [];
  const revocations = await Revocations.of(folders);
  for (const { id, connector } of settings.integrations ?? []) {
    for (const record of exportedBy(connector)) {
      const place = { folders, integration: { id }, record };
      const ledger = await ingestedFiles(session, place);
      const { files, odd } = await listExports(folders, id, record.name);
      const revoked = files.flatMap((file) => {
        const landing = ledger.holds(file) ? undefined : revocations.landingOf(record, id, file);
        return landing === undefined ? [] : [{ file: file.name, landing }];
      });
      const isRevoked = new Set(revoked.map(({ file }) => file));
      const gone = [...revocations.exportsOf(record, id)].filter((name) => !ledger.hasNamed({ name }));
      all.push({
        integrationId: id,
        record: record.name,
        lastLandedAt: await landedAt(session, place),
        files: ledger.size,
        unknownColumns: ledger.unknownColumns,
        notes: ledger.notes,
        older: await olderExports(session, place),
        ...(await rejectedRows(place, new Set(gone.map(rejectsName)))),
        revoked,
        ...(await waitingOf({ files: files.filter(({ name }) => !isRevoked.has(name)), odd }, ledger)),
      });
    }
  }
  return all;
}

async function waitingOf(
  { files, odd }: Awaited<ReturnType<typeof listExports>>,
  ledger: IngestedFiles,
): Promise<Pick<Landed, "waiting" | "waitingSince">> {
  const waiting: ExportFile[] = [];
  for (const file of files) if (!(await holds(ledger, file))) waiting.push(file);
  // The list is oldest first.
  const [oldest] = waiting;
  return {
    waiting: [...waiting, ...odd].map(({ name }) => name),
    waitingSince: oldest ? new Date(Number(oldest.modified / 1_000_000n)) : null,
  };
}

/** Compares the contents too: a file that was only touched has landed. */
async function holds(ledger: IngestedFiles, file: ExportFile): Promise<boolean> {
  if (ledger.holds(file)) return true;
  if (!ledger.hasNamed(file)) return false;
  return ledger.sameContent(file, await contentHash(file));
}

/**
 * Rows in the rejects: a file is removed when its whole export has landed, or by the operator. `without`: files of exports
 * that are revoked.
 */
async function rejectedRows(
  place: LakePlace,
  without: ReadonlySet<string>,
): Promise<Pick<Landed, "rejected" | "reasons">> {
  const { folders, integration, record } = place;
  const folder = folders.rejects(integration.id, record.name);
  const names = (await readdir(folder, { recursive: true }).catch(() => [] as string[])).sort();
  const reasons = new Map<string, Landed["reasons"][number]>();
  let rejected = 0;
  for (const name of names.filter((name) => name.endsWith(".jsonl") && !without.has(name))) {
    const list = path.join(folder, name);
    for (const found of await rejectsIn(list)) {
      rejected += found.rows;
      const before = reasons.get(found.reason) ?? { ...found, rows: 0, list: path.relative(folders.dataDir, list) };
      reasons.set(found.reason, { ...before, rows: before.rows + found.rows });
    }
  }
  const byRows = [...reasons.values()].sort((a, b) => b.rows - a.rows || (a.reason < b.reason ? -1 : 1));
  return { rejected, reasons: byRows };
}
