import type { Config } from "../config.ts";
import { failureText, OperatorError } from "../contract/error.ts";
import type { Organization } from "../contract/settings.ts";
import { coordinationOf } from "../coordination/registry.ts";
import type { Session } from "../engine/database.ts";
import { type HistoryEntry, historyOf } from "../landing/history.ts";
import { type RevocationEvent, recordEvent } from "../landing/revocations.ts";
import { derive } from "../marts/derive.ts";
import { atWorkbench, WAIT_MS } from "./sync.ts";

export interface Wanted {
  readonly action: RevocationEvent["action"];
  readonly landings: readonly number[];
  /** Only the files of this integration, and of this record. */
  readonly integration?: string | undefined;
  readonly record?: string | undefined;
}

interface Changed {
  readonly files: readonly HistoryEntry[];
  /** Why nothing could be derived; the change is recorded, and the next sync derives. */
  readonly failure?: string;
}

/** Revokes landings, or restores them, and derives: one file records the whole change. */
export function changeLandings(config: Config, settings: Organization, wanted: Wanted): Promise<Changed> {
  const { dataDir, now } = config;
  const { organizationId: organization } = settings;
  return atWorkbench(config, WAIT_MS, (database, turnOf) =>
    turnOf(organization, async () => {
      const files = await database.use((session) => chosen(session, dataDir, organization, wanted));
      const event = { action: wanted.action, at: now().toISOString(), files: files.map(placeOf) };
      await coordinationOf(dataDir).turns.assertHeld(organization);
      await recordEvent(dataDir, organization, event);
      try {
        await derive(database, dataDir, organization, settings);
        return { files };
      } catch (error) {
        return { files, failure: failureText(error) };
      }
    }),
  );
}

const placeOf = ({ connector, record, integration, landing, exports }: HistoryEntry) => ({
  connector,
  record,
  integration,
  landing,
  exports,
});

/** Fails if a landing has no file that the change would concern: it would do less than was asked. */
async function chosen(
  session: Session,
  dataDir: string,
  organization: string,
  wanted: Wanted,
): Promise<HistoryEntry[]> {
  const history = ofLandings(await historyOf(session, dataDir, organization), wanted);
  const isDue = ({ revokedAt }: HistoryEntry): boolean => (revokedAt === null) === (wanted.action === "revoke");
  const due = history.filter(isDue);
  for (const landing of wanted.landings) {
    if (due.some((file) => file.landing === landing)) continue;
    const isThere = history.some((file) => file.landing === landing);
    const state = wanted.action === "revoke" ? "is revoked already" : "is not revoked";
    throw new OperatorError(`landing ${landing} ${isThere ? state : "does not exist"}: lucra landings list`);
  }
  return due;
}

/** The files of the wanted landings, integration and record. */
export const ofLandings = (
  history: readonly HistoryEntry[],
  { landings, integration, record }: Pick<Wanted, "landings" | "integration" | "record">,
): HistoryEntry[] =>
  history.filter(
    (file) =>
      (landings.length === 0 || landings.includes(file.landing)) &&
      (integration === undefined || file.integration === integration) &&
      (record === undefined || file.record === record),
  );
