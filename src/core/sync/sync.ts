import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config.ts";
import { failureText } from "../contract/error.ts";
import type { Integration, Organization } from "../contract/settings.ts";
import { brief } from "../contract/text.ts";
import { NoTurn, type Turn, type TurnOf } from "../coordination/coordination.ts";
import { coordinationOf } from "../coordination/registry.ts";
import { Database } from "../engine/database.ts";
import { foldersOf } from "../files/organizationFolders.ts";
import { landRecord, type Progress } from "../landing/land.ts";
import { nextLanding } from "../landing/ledger/ingested.ts";
import type { LandedPlace } from "../landing/ledger/revocations.ts";
import { type Outcome, refusedFiles } from "../landing/outcome.ts";
import { inWorkFolder } from "../landing/work.ts";
import { type BuildMode, checkedGeneration } from "../marts/derive.ts";
import { mixedInputs } from "../marts/moments.ts";
import { sendPast } from "../marts/sentPast.ts";
import type { WantedState } from "../marts/stateStore.ts";
import { deriveState } from "../marts/states.ts";
import { exportedBy } from "../records/index.ts";
import { deriveKeeping } from "./deriveKeeping.ts";
import { ErasingFailed, erasedBeforeLanding, goOnErasing, type Writer } from "./erasing.ts";
import { type Misplaced, unconfiguredOrganizations, unmatchedFolders } from "./folders.ts";
import type { RecordReport } from "./pulled.ts";
import { type Failure, keepResult, resultOf } from "./status.ts";

interface SyncRequest {
  /** The organizations to sync, with their settings in force. */
  readonly organizations: readonly Organization[];
  /** Only this integration. */
  readonly integration?: string | undefined;
  readonly progress?: Progress;
  /** Whether its time is over: then no further file is read, and the next sync goes on. */
  readonly isOver?: () => boolean;
  /** Failures of a pull before it, which belong to this sync's results. */
  readonly failures?: readonly Failure[];
  /** How long it waits for another one. */
  readonly waitMs?: number;
}

export interface SyncReport {
  readonly outcomes: readonly Outcome[];
  /** Folders of an integration that do not name one of its records: they cannot land. */
  readonly unknownRecordFolders: readonly string[];
  /** Folders of exports that are links: they are not followed. */
  readonly linkedFolders: readonly string[];
  /** Folders of integrations and organizations that the settings no longer name: reported, but not read [D1]. */
  readonly unconfiguredFolders: readonly string[];
  /** Other folders and files that the settings do not name, with the place that was probably meant: a mistake. */
  readonly misplacedFolders: readonly Misplaced[];
  /** Landed files that were damaged or missing, and were repaired. */
  readonly repaired: readonly string[];
  /** Organizations whose derived files were written again. */
  readonly derived: readonly string[];
  /** Those of them that were derived incrementally. */
  readonly increments: readonly string[];
  /** Increments that failed: everything was derived instead, so only time was lost. */
  readonly incrementalFallbacks: readonly Failure[];
  /** Unexpected errors and their places; everything else landed. */
  readonly failures: readonly Failure[];
  /** How many entries are left out of a list above that exports can make long; absent if none are. */
  readonly more: Readonly<Partial<Record<LongList, number>>>;
  /** For `sync --pull`: the requests to the vendors. */
  readonly pulled?: readonly RecordReport[];
}

const LONG_LISTS = [
  "unknownRecordFolders",
  "linkedFolders",
  "unconfiguredFolders",
  "misplacedFolders",
  "repaired",
  "failures",
] as const;
type Unbounded = Omit<SyncReport, "more" | "pulled">;
type LongList = (typeof LONG_LISTS)[number];
/** How many entries of each of these lists a report has, and how many characters of each reason. */
const MOST_LISTED = 1_000;
const LONGEST_REASON = 2_000;

/** Whether anything could not be landed. */
export const failed = (report: SyncReport): boolean =>
  report.failures.length > 0 ||
  report.unknownRecordFolders.length > 0 ||
  report.linkedFolders.length > 0 ||
  report.misplacedFolders.length > 0 ||
  report.outcomes.some((outcome) => outcome.rejected > 0 || refusedFiles(outcome) > 0);

/** Writes an organization only in its turn. */
type Work<T> = (database: Database, turnOf: TurnOf) => Promise<T>;

/** Runs work with an engine for landing and deriving: one writer, bounded memory, spilling next to the lake. */
export function atWorkbench<T>(config: Config, waitMs: number, work: Work<T>): Promise<T> {
  const { dataDir, memoryLimit, threads } = config;
  return coordinationOf(dataDir).turns.writing(waitMs, (turnOf) =>
    inWorkFolder(dataDir, async (folder) => {
      const spill = path.join(folder, "spill");
      await mkdir(spill);
      const database = await Database.open({ memoryLimit, threads, temporary: spill });
      try {
        return await work(database, turnOf);
      } finally {
        database.close();
      }
    }),
  );
}

/** How long a sync waits for another one. */
export const WAIT_MS = 60_000;

/** Derives the marts of the organizations from the landed rows. `onFailure`: without it the first that fails stops the others. */
export function deriveAll(
  config: Config,
  organizations: readonly Organization[],
  onFailure?: (failure: Failure) => void,
): Promise<void> {
  return atWorkbench(config, 10 * WAIT_MS, async (database, turnOf) => {
    for (const settings of organizations) {
      const { organizationId } = settings;
      try {
        const folders = foldersOf(config.dataDir, organizationId);
        await turnOf(organizationId, async () => {
          await goOnErasing({ config, settings, folders, database });
          await deriveKeeping(database, folders, settings, { now: config.now });
        });
      } catch (error) {
        if (!onFailure) throw error;
        onFailure(notDerived(organizationId, error));
      }
    }
  });
}

/** Derives an earlier state of an organization, beside everything else: it writes only the folder of the state. Returns its key. */
export async function deriveStateAlone(
  config: Config,
  organization: string,
  { landings, settings }: WantedState,
): Promise<string> {
  const folders = foldersOf(config.dataDir, organization);
  const inputs = await mixedInputs(folders, landings, settings);
  const key = await besideWriters(config, (database) => deriveState(database, folders, inputs));
  await sendPast(folders);
  return key;
}

/** Runs work with an engine that needs no turn: it writes nothing that is in force. */
export const besideWriters = <T>(
  { dataDir, memoryLimit }: Config,
  work: (database: Database, spill: string) => Promise<T>,
): Promise<T> =>
  inWorkFolder(dataDir, async (folder) => {
    const spill = path.join(folder, "spill");
    await mkdir(spill);
    const database = await Database.open({ memoryLimit, threads: 1, temporary: spill });
    try {
      return await work(database, spill);
    } finally {
      database.close();
    }
  });

const notDerived = (organization: string, error: unknown): Failure => ({
  organization,
  reason: `could not derive: ${failureText(error)}`,
});

/** Lands the new exports of the organizations, then derives their marts. */
export function sync(config: Config, request: SyncRequest): Promise<SyncReport> {
  return atWorkbench(config, request.waitMs ?? WAIT_MS, async (database, turnOf) => {
    const parts: Unbounded[] = [];
    for (const settings of request.organizations) {
      const { organizationId } = settings;
      parts.push(
        await turnOf(organizationId, (turn) => syncErased(database, config, settings, request, turn)).catch((error) =>
          withoutTurn(organizationId, error),
        ),
      );
    }
    const stray = await unconfiguredOrganizations(config.dataDir, request.organizations);
    return bounded({
      outcomes: parts.flatMap(({ outcomes }) => outcomes),
      unknownRecordFolders: parts.flatMap(({ unknownRecordFolders }) => unknownRecordFolders),
      linkedFolders: parts.flatMap(({ linkedFolders }) => linkedFolders),
      unconfiguredFolders: [
        ...stray.unconfiguredFolders,
        ...parts.flatMap(({ unconfiguredFolders }) => unconfiguredFolders),
      ],
      misplacedFolders: [...stray.misplacedFolders, ...parts.flatMap(({ misplacedFolders }) => misplacedFolders)],
      repaired: parts.flatMap(({ repaired }) => repaired),
      derived: parts.flatMap(({ derived }) => derived),
      increments: parts.flatMap(({ increments }) => increments),
      incrementalFallbacks: parts.flatMap(({ incrementalFallbacks }) => incrementalFallbacks),
      failures: parts.flatMap(({ failures }) => failures),
    });
  });
}

/** An organization without its turn does not stop the others. */
function withoutTurn(organization: string, error: Error): Unbounded {
  if (!(error instanceof NoTurn)) throw error;
  return unsynced(organization, error.message);
}

/** The report of an organization of which nothing landed. */
function unsynced(organization: string, reason: string): Unbounded {
  return {
    outcomes: [],
    unknownRecordFolders: [],
    linkedFolders: [],
    unconfiguredFolders: [],
    misplacedFolders: [],
    repaired: [],
    derived: [],
    increments: [],
    incrementalFallbacks: [],
    failures: [{ organization, reason }],
  };
}

/** The service reads the report of a sync whole, so no number of exports may make it large. */
function bounded(report: Unbounded): SyncReport {
  const shorter = <T extends { reason: string }>(one: T): T => ({ ...one, reason: brief(one.reason, LONGEST_REASON) });
  const cut = LONG_LISTS.map((list) => [list, report[list].length - MOST_LISTED] as const);
  const lists = Object.fromEntries(LONG_LISTS.map((list) => [list, report[list].slice(0, MOST_LISTED)]));
  const { failures, ...others } = { ...report, ...lists };
  return {
    ...others,
    outcomes: report.outcomes.map((one) => ({ ...one, refused: one.refused.map(shorter) })),
    incrementalFallbacks: report.incrementalFallbacks.map(shorter),
    failures: failures.map(shorter),
    more: Object.fromEntries(cut.filter(([, more]) => more > 0)),
  };
}

/** Nothing lands without a look at what was erased, which must not land again [D98]. */
async function syncErased(
  database: Database,
  config: Config,
  settings: Organization,
  request: SyncRequest,
  turn: Turn,
): Promise<Unbounded> {
  const { organizationId: organization } = settings;
  const writer = { config, settings, folders: foldersOf(config.dataDir, organization), database };
  try {
    const landed = await erasedBeforeLanding(writer);
    return await syncOrganization(writer, request, turn, landed ?? (async () => {}));
  } catch (error) {
    if (!(error instanceof ErasingFailed)) throw error;
    return unsynced(organization, `nothing landed, as it may have what was erased: ${failureText(error.cause)}`);
  }
}

/** An error with one record is reported and does not stop the others: what has landed is derived. */
async function syncOrganization(
  { database, config, settings, folders }: Writer,
  request: SyncRequest,
  turn: Turn,
  landed: () => Promise<void>,
): Promise<Unbounded> {
  const { now } = config;
  const { organizationId: organization, integrations = [] } = settings;
  const stray = await unmatchedFolders(folders, settings);
  const { unknownRecordFolders, linkedFolders } = stray;
  const outcomes: Outcome[] = [];
  const failures: Failure[] = (request.failures ?? []).filter((one) => one.organization === organization);
  const repaired: string[] = [];
  const incrementalFallbacks: Failure[] = [];
  const started = new Map<Integration, Date>();
  // Files are read and hashed while the engine lands others.
  const checked = checkedGeneration(folders);
  checked.catch(() => {});
  const stamp = { landing: await nextLanding(folders), landedAt: now().toISOString() };
  const isOver = (): boolean => turn.isLost || (request.isOver?.() ?? false);
  for (const integration of integrations) {
    if (request.integration && request.integration !== integration.id) continue;
    started.set(integration, now());
    for (const record of exportedBy(integration.connector)) {
      const place = { folders, integration, record, currency: settings.currency };
      const landing = await landRecord(database, place, stamp, request.progress ?? (() => {}), { isOver });
      repaired.push(...landing.repaired);
      if (landing.outcome.seen > 0) outcomes.push(landing.outcome);
      const where = { organization, integration: integration.id, record: record.name };
      failures.push(...landing.failures.map((failure) => ({ ...where, ...failure })));
    }
  }
  await landed();
  const mode = await deriveKeeping(database, folders, settings, { checked, now: config.now }).then(
    ({ mode, fallbackReason, generation: { missing = [] } }) => {
      if (fallbackReason !== undefined) incrementalFallbacks.push({ organization, reason: fallbackReason });
      failures.push(...unreported(organization, missing, failures));
      return mode;
    },
    (error: Error): BuildMode => {
      failures.push(notDerived(organization, error));
      return "skipped";
    },
  );
  const derived = mode === "skipped" ? [] : [organization];
  const increments = mode === "incremental" ? [organization] : [];
  for (const [{ id }, began] of started) {
    const result = resultOf({
      organization,
      integration: id,
      started: began,
      ended: now(),
      outcomes: outcomes.filter(({ integration }) => integration === id),
      unread: [
        ...unknownRecordFolders.map((folder) => ({ folder, reason: "is not a record of the connector" })),
        ...linkedFolders.map((folder) => ({ folder, reason: "is a link: links are not followed" })),
      ].filter(({ folder }) => [undefined, id].includes(folder.split(path.sep)[2]?.toLowerCase())),
      failures: failures.filter(({ integration }) => integration === undefined || integration === id),
    });
    await keepResult(folders, result).catch((error: Error) =>
      failures.push({ organization, integration: id, reason: `could not keep the result: ${error.message}` }),
    );
  }
  return {
    outcomes,
    ...stray,
    repaired,
    derived,
    increments,
    incrementalFallbacks,
    failures,
  };
}

/** The missing landed files of integrations that this sync did not land: those of the others are reported by it. */
const unreported = (organization: string, missing: readonly LandedPlace[], reported: readonly Failure[]): Failure[] =>
  missing
    .filter((file) => !reported.some((one) => one.integration === file.integration && one.record === file.record))
    .map(({ integration, record, landing }) => {
      const reason = `landing ${landing} is missing, and the figures lack its rows: lucra doctor`;
      return { organization, integration, record, reason };
    });
