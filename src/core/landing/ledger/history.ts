import path from "node:path";
import type { Session } from "../../engine/database.ts";
import type { OrganizationFolders } from "../../files/organizationFolders.ts";
import { exported } from "../../records/index.ts";
import { exportsIn, type IngestedFile } from "./ingested.ts";
import { type LandedPlace, Revocations } from "./revocations.ts";
import { landedFiles } from "./verify.ts";

/** A landed file, also a revoked or missing one. */
export interface HistoryEntry extends LandedPlace {
  /** Null if it is not known any more. */
  readonly landedAt: string | null;
  readonly exports: readonly IngestedFile[];
  readonly isMissing: boolean;
  readonly revokedAt: string | null;
  /** Whether no earlier state has it either [D82]. */
  readonly always: boolean;
}

/** Everything that ever landed for an organization, in the order of landing. */
export async function historyOf(session: Session, folders: OrganizationFolders): Promise<HistoryEntry[]> {
  const revocations = await Revocations.of(folders);
  const history: HistoryEntry[] = [];
  for (const record of exported) {
    const folder = folders.lake(record);
    for (const { integration, landing, file, manifest } of await landedFiles(folder)) {
      const isReadable = !manifest && file !== undefined;
      // A damaged file without a manifest is unknown.
      const [footer] = isReadable ? await exportsIn(session, [path.join(folder, file)]).catch(() => []) : [];
      const { landedAt = null, exports = [] } = manifest ?? footer ?? {};
      const place = { connector: record.connector, record: record.name, integration, landing };
      const revokedAt = revocations.at(place) ?? null;
      const always = revocations.isForever(place);
      history.push({ ...place, landedAt, exports, isMissing: file === undefined, revokedAt, always });
    }
  }
  const orderOf = ({ landing, integration, connector, record }: LandedPlace): string =>
    [String(landing).padStart(12, "0"), integration, connector, record].join(" ");
  return history.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}
