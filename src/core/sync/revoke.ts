import type { Config } from "../config.ts";
import { failureText, OperatorError } from "../contract/error.ts";
import type { Organization } from "../contract/settings.ts";
import { coordinationOf } from "../coordination/registry.ts";
import { Database, type Session } from "../engine/database.ts";
import { foldersOf, type OrganizationFolders } from "../files/organizationFolders.ts";
import { landWithout } from "../landing/lake/without.ts";
import { type HistoryEntry, historyOf } from "../landing/ledger/history.ts";
import { nextLanding } from "../landing/ledger/ingested.ts";
import { type RevocationEvent, recordEvent } from "../landing/ledger/revocations.ts";
import { removeStates } from "../marts/states.ts";
import { deriveKeeping } from "./deriveKeeping.ts";
import { atWorkbench, WAIT_MS } from "./sync.ts";

export interface Wanted {
  readonly action: RevocationEvent["action"];
  readonly landings: readonly number[];
  /** Only the files of this integration, and of this record. */
  readonly integration?: string | undefined;
  readonly record?: string | undefined;
  /** Only the rows of this export: the others of its landing land again without being read. */
  readonly file?: string | undefined;
  /** No earlier state has them either [D82]; they may be revoked already. */
  readonly always?: boolean | undefined;
}

interface Changed {
  readonly files: readonly HistoryEntry[];
  /** The landing of the exports that stay in force, if only one of them is revoked. */
  readonly rest?: number | undefined;
  /** The reason of a failed derivation; the change is recorded, and the next sync derives. */
  readonly failure?: string;
}

/** Revokes landings, or restores them, and derives: one file records the whole change. */
export function changeLandings(config: Config, settings: Organization, wanted: Wanted): Promise<Changed> {
  const { dataDir, now } = config;
  const { organizationId: organization } = settings;
  const folders = foldersOf(dataDir, organization);
  return atWorkbench(config, WAIT_MS, (database, turnOf) =>
    turnOf(organization, async () => {
      const files = await database.use((session) => chosen(session, folders, wanted));
      const { file: without } = wanted;
      const event: RevocationEvent = {
        action: wanted.action,
        at: now().toISOString(),
        files: files.map(placeOf),
        ...(wanted.always ? { always: true } : {}),
      };
      await coordinationOf(dataDir).turns.assertHeld(organization);
      let rest: number | undefined;
      if (without !== undefined && files.some(({ exports }) => exports.length > 1)) {
        const number = await nextLanding(folders);
        rest = number;
        // Until the revocation is recorded, both are in force: the same rows, which count once.
        await database.use(async (session) => {
          for (const file of files) await landWithout(session, folders, file, without, number);
        });
      }
      await recordEvent(folders, event);
      // They are under the names of states that have the files: these must not be seen again.
      if (wanted.always) await removeStates(folders);
      try {
        await deriveKeeping(database, folders, settings, { now });
        return { files, rest };
      } catch (error) {
        return { files, rest, failure: failureText(error) };
      }
    }),
  );
}

/** The files that a change would concern. Fails as the change would. */
export async function wouldChange(config: Config, organization: string, wanted: Wanted): Promise<HistoryEntry[]> {
  const { dataDir, memoryLimit, threads } = config;
  const database = await Database.open({ memoryLimit, threads });
  try {
    return await database.use((session) => chosen(session, foldersOf(dataDir, organization), wanted));
  } finally {
    database.close();
  }
}

const placeOf = ({ connector, record, integration, landing, exports }: HistoryEntry) => ({
  connector,
  record,
  integration,
  landing,
  exports,
});

/** Fails if a landing has no file that the change would concern: it would do less than was asked. */
async function chosen(session: Session, folders: OrganizationFolders, wanted: Wanted): Promise<HistoryEntry[]> {
  const history = ofLandings(await historyOf(session, folders), wanted);
  const isDue = ({ revokedAt, always }: HistoryEntry): boolean =>
    wanted.always ? !always : (revokedAt === null) === (wanted.action === "revoke");
  const due = history.filter(isDue).filter((one) => holds(one, wanted.file));
  for (const landing of wanted.landings) {
    if (due.some((file) => file.landing === landing)) continue;
    const isThere = history.some((file) => file.landing === landing);
    if (history.some((file) => file.landing === landing && isDue(file))) {
      throw new OperatorError(`landing ${landing} holds no export ${wanted.file}: lucra landings show ${landing}`);
    }
    const already = wanted.always ? "is revoked for always already" : "is revoked already";
    const state = wanted.action === "revoke" ? already : "is not revoked";
    throw new OperatorError(`landing ${landing} ${isThere ? state : "does not exist"}: lucra landings list`);
  }
  return due;
}

const holds = ({ exports }: HistoryEntry, name: string | undefined): boolean =>
  name === undefined || exports.some((one) => one.name === name);

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
