import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { identifier, literal, type Session } from "../../core/engine/database.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { type HistoryEntry, historyOf } from "../../core/landing/ledger/history.ts";
import { type LakePlace, landingOf, landings } from "../../core/landing/ledger/ingested.ts";
import { holdsParts } from "../../core/landing/ledger/verify.ts";
import { type Replaced, replacedOf } from "../../core/landing/map/inForce.ts";
import { changeLandings } from "../../core/sync/revoke.ts";
import { besideWriters } from "../../core/sync/sync.ts";
import { dayOfRow } from "../import/preview.ts";
import { deliverAfter } from "../webhooks/command.ts";
import { placeIn, settingsOf } from "./land.ts";
import type { Uploads } from "./store.ts";
import type { LandedExport } from "./upload.ts";

/** A file that has landed for an integration. */
export interface Arrived extends LandedExport {
  readonly landedAt: string | null;
  readonly rows: number;
  readonly rejected: number;
  /** The days of its rows; null for tables of EL tools, and where rows have no day. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /** When its landing was revoked; null if it counts. */
  readonly revokedAt: string | null;
  /** Rows that no longer count, because another file that landed later has other values: it is known, but replaced. */
  readonly replaced: Replaced | null;
  readonly notes: readonly string[];
}

export interface ArrivedPage {
  readonly files: readonly Arrived[];
  /** Files that landed before this landing are on the next page; null on the last one. */
  readonly before: number | null;
}

/** How many files a page has: each is compared with those that landed after it. */
const MOST = 50;

/** What has landed for an integration, the newest first. */
export async function arrived(
  config: Config,
  organization: string,
  integration: string,
  before = Number.POSITIVE_INFINITY,
): Promise<ArrivedPage> {
  const settings = await settingsOf(config, organization);
  const folders = foldersOf(config.dataDir, organization);
  return besideWriters(config, (database) =>
    database.use(async (session) => {
      const history = (await historyOf(session, folders)).filter(
        (one) => one.integration === integration && one.landing < before,
      );
      const all = history
        .toReversed()
        .flatMap((entry) =>
          entry.exports.filter((one) => !hasMoved(history, entry, one)).map((one) => ({ entry, one })),
        );
      // A landing is not divided between two pages.
      const last = all[MOST - 1]?.entry.landing ?? 0;
      const shown = all.filter(({ entry }) => entry.landing >= last);
      const days = new Map<HistoryEntry, Days>();
      const files: Arrived[] = [];
      for (const { entry, one } of shown) {
        const { record, landing, landedAt, revokedAt } = entry;
        const place = placeIn(folders, settings, { integration, record });
        if (!days.has(entry)) days.set(entry, await daysOf(session, place, entry));
        const [firstDay = null, lastDay = null] = days.get(entry)?.get(one.fileNo) ?? [];
        const counts = revokedAt === null && !entry.isMissing;
        const replaced = counts ? await replacedOf(session, place, landing, one.fileNo) : undefined;
        files.push({
          ...{ integration, record, file: one.name, landing, landedAt, rows: one.rows, rejected: one.rejected },
          ...{ firstDay, lastDay, revokedAt, replaced: replaced ?? null, notes: one.notes ?? [] },
        });
      }
      return { files, before: shown.length < all.length ? last : null };
    }),
  );
}

/** Whether an export of a revoked landing landed again because only others of it were revoked. */
const hasMoved = (
  history: readonly HistoryEntry[],
  { landing, record, revokedAt }: HistoryEntry,
  { name }: HistoryEntry["exports"][number],
): boolean =>
  revokedAt !== null &&
  history.some(
    (other) => other.record === record && other.exports.some((one) => one.name === name && one.landing === landing),
  );

/** The first and the last day of the rows of each export of a landing, by its number. */
type Days = ReadonlyMap<number, readonly [first: string | null, last: string | null]>;

async function daysOf(
  session: Session,
  place: LakePlace,
  { landing, isMissing, revokedAt }: HistoryEntry,
): Promise<Days> {
  const { record, integration } = place;
  const timezone = "timezone" in integration ? String(integration.timezone ?? "UTC") : "UTC";
  const day = dayOfRow(record, timezone);
  // A revoked file is read by nothing.
  const { files } = await landings(place);
  const file = files.find((one) => landingOf(one) === landing);
  if (day === undefined || isMissing || revokedAt !== null || file === undefined || holdsParts(file)) return new Map();
  const rows = await session.rows(
    `select ${identifier("_file_no")} as file_no, min(${day})::varchar as first_day, max(${day})::varchar as last_day
      from read_parquet(${literal(file)}) group by all order by file_no`,
  );
  return new Map(
    rows.map(({ file_no, first_day, last_day }) => [
      Number(file_no),
      [first_day as string | null, last_day as string | null],
    ]),
  );
}

/** Revokes exports that have landed, file by file, and notes it for the uploads that they were. What is revoked already stays so. */
export async function undo(
  config: Config,
  uploads: Uploads,
  organization: string,
  wanted: readonly LandedExport[],
): Promise<void> {
  const settings = await settingsOf(config, organization);
  let failure: string | undefined;
  for (const one of wanted) {
    const { integration, record, file } = one;
    for (const landing of await inForce(config, organization, one)) {
      const change = { landings: [landing], integration, record, file };
      ({ failure } = await changeLandings(config, settings, { action: "revoke", ...change }));
    }
  }
  const isWanted = (of: Pick<LandedExport, "integration" | "record">, file: string, landing: number): boolean =>
    wanted.some(
      (one) =>
        one.integration === of.integration && one.record === of.record && one.file === file && one.landing === landing,
    );
  await uploads.changeLanded(
    organization,
    ({ state, landed }) =>
      state === "landed" &&
      landed !== undefined &&
      landed.exports.every(({ file, landing }) => isWanted(landed, file, landing)),
    (upload) => ({ ...upload, state: "undone" }),
  );
  await deliverAfter(config, [settings]);
  if (failure !== undefined) throw new OperatorError(`is undone, but the figures could not be derived: ${failure}`);
}

/** The landings in force that have the rows of an export: another one than it landed in, if that was revoked for others of its exports. */
async function inForce(config: Config, organization: string, wanted: LandedExport): Promise<number[]> {
  const folders = foldersOf(config.dataDir, organization);
  const all = await besideWriters(config, (database) =>
    database.use(async (session) =>
      (await historyOf(session, folders)).filter(
        (entry) =>
          entry.integration === wanted.integration &&
          entry.record === wanted.record &&
          entry.exports.some((one) => isExport(entry, one, wanted)),
      ),
    ),
  );
  if (all.length === 0) throw new OperatorError(`there is no export ${wanted.file} in landing ${wanted.landing}`);
  return all.filter(({ revokedAt }) => revokedAt === null).map(({ landing }) => landing);
}

const isExport = (
  { landing }: HistoryEntry,
  one: HistoryEntry["exports"][number],
  wanted: Pick<LandedExport, "file" | "landing">,
): boolean => one.name === wanted.file && (landing === wanted.landing || one.landing === wanted.landing);
