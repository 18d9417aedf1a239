import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { failureText } from "../contract/error.ts";
import { type RecordDeclaration, relationOf } from "../contract/record.ts";
import type { Organization } from "../contract/settings.ts";
import type { Database, Session } from "../engine/database.ts";
import { ownedFolder } from "../engine/ownedFolder.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { UNFINISHED } from "../files/storageClock.ts";
import { landingOf } from "../landing/ledger/ingested.ts";
import { Revocations } from "../landing/ledger/revocations.ts";
import { type CheckedFile, checkFiles, holdsParts, isLost, quarantine } from "../landing/ledger/verify.ts";
import { exported } from "../records/index.ts";
import { Build, type BuildPlace, type LakeFiles } from "./build.ts";
import { customerSecret, makeCustomerSecret } from "./customerSecret.ts";
import {
  bringToReplicas,
  corruptFiles,
  currentGeneration,
  type Generation,
  generationOfAnyVersion,
  pointerText,
  publishGeneration,
  removeOld,
} from "./generations.ts";
import { recordInputs } from "./history.ts";
import { deriveIncrement, FullRefreshNeeded } from "./increment.ts";
import {
  ONE_PARTITION,
  PARTITION_POLICY,
  type PartitionBounds,
  type PartitionPolicy,
  partition,
} from "./partitions.ts";
import type { Pulled } from "./pulledUntil.ts";
import { CORE, type CoreRelation, INTEGRATIONS, isMaterialized, STORE_ORDERS, withUnkept } from "./relations.ts";
import { type Additions, Reuse } from "./reuse.ts";
import { inputsOf, type Sources, sourcesInForce, stateOf } from "./sources.ts";
import { LANDED_RECORDS, landedRecords } from "./staging.ts";

/** Every landed file in force of an organization, verified. */
export async function checkLake(folders: OrganizationFolders): Promise<Map<RecordDeclaration, CheckedFile[]>> {
  const revocations = await Revocations.of(folders);
  const inspected = new Map<RecordDeclaration, CheckedFile[]>();
  for (const record of exported) {
    const files = await checkFiles(folders.lake(record));
    inspected.set(
      record,
      files.filter(({ integration, landing }) => !revocations.has(record, integration, landing)),
    );
  }
  return inspected;
}

/**
 * A changed file of the lake would change figures silently: it is quarantined, also a revoked one, which earlier states have.
 * Returns the size of the others.
 */
async function intactBytes(folders: OrganizationFolders): Promise<number> {
  const files: CheckedFile[] = [];
  for (const record of exported) files.push(...(await checkFiles(folders.lake(record))));
  for (const file of files.filter(isLost)) await quarantine(file);
  return files.reduce((sum, file) => sum + (isLost(file) ? 0 : file.bytes), 0);
}

/** With less data, of some 40,000 orders, several threads cost processor time and save little. */
const SMALL_BYTES = 4 * 1024 * 1024;

/** How a generation was derived. `full`: what differs, from everything that landed; `incremental`: from the previous generation. */
export type BuildMode = "full" | "incremental" | "skipped";

interface Derived {
  readonly generation: Generation;
  /** `skipped` if it was up to date. */
  readonly mode: BuildMode;
  /** The reason of a failed increment; everything was derived instead, so answers are right, but late. */
  readonly fallbackReason?: string;
}

interface Checked {
  readonly current: Generation | undefined;
  readonly isIntact: boolean;
}

/** The generation in force, and whether all its files are intact. The caller is the only writer until it derives. */
export async function checkedGeneration(folders: OrganizationFolders): Promise<Checked> {
  const current = await currentGeneration(folders);
  return { current, isIntact: current !== undefined && (await corruptFiles(current)).length === 0 };
}

export interface Deriving {
  readonly policy?: PartitionPolicy;
  /** The generation in force, if its files are being checked. */
  readonly checked?: Promise<Checked>;
  /** The clock of the history. */
  readonly now?: () => Date;
}

/** Derives the relations of the analyses unless they are up to date. Readers of the previous generation are not disturbed. */
export async function derive(
  database: Database,
  folders: OrganizationFolders,
  settingsInForce: Organization,
  { policy = PARTITION_POLICY, checked = checkedGeneration(folders), now = () => new Date() }: Deriving = {},
): Promise<Derived> {
  // It may fail before it is waited for.
  checked.catch(() => {});
  await makeCustomerSecret(folders);
  const pointer = await pointerText(folders);
  const before = await sourcesInForce(folders, settingsInForce);
  const { current, isIntact } = await checked;
  const history = new Recording(folders, now);
  // Unless it was recorded: a process may have ended right after it had put the files in force. Whichever version derived them.
  const inForce = await generationOfAnyVersion(folders);
  if (inForce?.basis) await history.record(inForce);
  if (current && isIntact && isDerivedFrom(current, before)) {
    await removeOld(folders, current);
    await bringToReplicas(folders, current);
    history.assertRecorded();
    return { generation: current, mode: "skipped" };
  }
  const isSmall = (await intactBytes(folders)) < SMALL_BYTES;
  // Again, because damaged files have been quarantined.
  const sources = await sourcesInForce(folders, settingsInForce);
  const state = stateOf(sources);
  return inUnfinished(folders, async (folder) => {
    const make = (work: (build: Build) => Promise<PartitionBounds>): Promise<PartitionBounds> =>
      built(database, { folders, folder, sources, copiesOrders: isSmall, onOneThread: isSmall }, work);
    const previous = isIntact ? current : undefined;
    const additions = previous && additionsTo(previous, folders.dataDir, sources);
    let fallbackReason: string | undefined;
    const attempt = (work: (build: Build) => Promise<PartitionBounds>): Promise<PartitionBounds | undefined> =>
      make(work).catch((error: Error) => {
        if (!(error instanceof FullRefreshNeeded)) fallbackReason = failureText(error);
        return undefined;
      });
    const incremented =
      additions && isDivided(additions.before)
        ? await attempt((build) => deriveIncrement(build, sources.files, additions, policy))
        : undefined;
    const reusing =
      additions && !incremented && fallbackReason === undefined
        ? await attempt((build) => deriveWhole(build, sources.files, policy, additions))
        : undefined;
    const bounds = incremented ?? reusing ?? (await make((build) => deriveWhole(build, sources.files, policy)));
    const { codeVersion, secretVersion, settings, names, pulled } = sources;
    const basis = {
      codeVersion,
      secretVersion,
      files: names,
      bounds,
      ...(isEmpty(pulled) ? {} : { pulled }),
    };
    const missing = [...sources.missing.values()];
    const since = now().toISOString();
    const made = { state, settings, since, basis, ...(missing.length > 0 ? { missing } : {}) };
    const generation = await publishGeneration(folders, folder, made, { before: previous, pointer });
    await history.record(generation);
    await removeOld(folders, generation);
    history.assertRecorded();
    const mode = incremented ? "incremental" : "full";
    return { generation, mode, ...(fallbackReason === undefined ? {} : { fallbackReason }) };
  });
}

/** Entries of the history. A history that is damaged fails the derivation, but only at its end: the newest data go first. */
class Recording {
  readonly #folders: OrganizationFolders;
  readonly #now: () => Date;
  #failure: unknown;

  constructor(folders: OrganizationFolders, now: () => Date) {
    this.#folders = folders;
    this.#now = now;
  }

  /** A generation in force gets an entry, unless the last one is of the same. */
  async record(generation: Generation): Promise<void> {
    const at = generation.since === undefined ? this.#now() : new Date(generation.since);
    try {
      await recordInputs(this.#folders, inputsOf(generation), at);
    } catch (error) {
      this.#failure ??= error;
    }
  }

  assertRecorded(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Works in a folder that is removed afterwards, unless it was renamed. */
export async function inUnfinished<T>(
  { mart: home }: OrganizationFolders,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(home, { recursive: true });
  const unfinished = await ownedFolder(() => mkdtemp(path.join(home, UNFINISHED)));
  try {
    return await work(path.join(unfinished.folder, "files"));
  } finally {
    await unfinished.remove();
  }
}

interface Building extends BuildPlace {
  readonly sources: Sources;
  readonly onOneThread: boolean;
}

/** Makes the folder, and derives into it. */
export function built(
  database: Database,
  { sources, onOneThread, ...place }: Building,
  work: (build: Build) => Promise<PartitionBounds>,
): Promise<PartitionBounds> {
  const inSession = async (session: Session): Promise<PartitionBounds> => {
    await rm(place.folder, { recursive: true, force: true });
    await mkdir(place.folder, { recursive: true });
    const build = new Build(database, session, place);
    try {
      const secret = (await customerSecret(place.folders)) ?? "";
      await build.prepare(sources.settings, sources.files, secret, sources.pulled);
      const bounds = await work(build);
      await build.sync();
      return bounds;
    } finally {
      await build.clear();
    }
  };
  return onOneThread ? database.onOneThread(() => database.use(inSession)) : database.use(inSession);
}

const isEmpty = (pulled: Pulled): boolean => Object.keys(pulled).length === 0;

/** Whether a generation is what the sources give: a file that it lacks must still be missing. */
function isDerivedFrom({ state, missing = [], basis }: Generation, sources: Sources): boolean {
  if (JSON.stringify(basis?.pulled ?? {}) !== JSON.stringify(sources.pulled)) return false;
  const lost = new Set([...sources.missing.values()].map((file) => JSON.stringify(file)));
  return state === stateOf(sources) && missing.every((file) => lost.has(JSON.stringify(file)));
}

/** Whether it has several partitions: with one, deriving all that is outdated is as fast as an increment. */
const isDivided = ({ basis }: Generation): boolean => (basis?.bounds.days.length ?? 0) > 0;

/**
 * The files that landed since a generation, if nothing else differs. An older file that is back, repaired or restored, is not an
 * addition: where versions are equal, the later landing wins.
 */
function additionsTo(before: Generation, dataDir: string, sources: Sources): Additions | undefined {
  const { settings, basis } = before;
  if (basis?.codeVersion !== sources.codeVersion) return undefined;
  if (basis.secretVersion !== sources.secretVersion) return undefined;
  if (JSON.stringify(settings) !== JSON.stringify(sources.settings)) return undefined;
  const known = new Set(basis.files);
  const present = new Set(sources.names);
  if (basis.files.some((file) => !present.has(file))) return undefined;
  const last = Math.max(0, ...basis.files.map(landingOf));
  if (sources.names.some((file) => !known.has(file) && landingOf(file) <= last)) return undefined;
  const added = new Map(
    [...sources.files].map(([record, files]) => [
      record,
      files.filter((file) => !known.has(path.relative(dataDir, file))),
    ]),
  );
  // New parts change objects that are already there.
  return [...added.values()].flat().some(holdsParts) ? undefined : { before, added };
}

/** The relations that are derived again. New orders of any store may move the bounds of all partitions. */
function outdatedRelations({ outdated }: Reuse): CoreRelation[] {
  const mayMove = outdated.has(STORE_ORDERS);
  return CORE.filter((one) => outdated.has(one) || (mayMove && one.partition !== undefined));
}

/** Derives everything from all that has landed, except what is reused from a previous generation. */
export async function deriveWhole(
  build: Build,
  files: LakeFiles,
  policy: PartitionPolicy,
  additions?: Additions,
): Promise<PartitionBounds> {
  const reuse = additions && new Reuse(build, files, additions);
  const derived = new Set(reuse ? withUnkept(outdatedRelations(reuse)) : CORE);
  const read = new Set([...derived].flatMap(({ records }) => records));
  for (const [record, lake] of files) {
    await (reuse ? reuse.stage(record, read.has(relationOf(record))) : build.stage(record, lake));
  }
  await build.session.run("create temp table known_customers (person_id uuid, customer_no bigint)");
  await build.session.set("customers_before", 0n);
  if (derived.has(STORE_ORDERS)) await build.make(STORE_ORDERS, ONE_PARTITION);
  const bounds = reuse && !reuse.outdated.has(STORE_ORDERS) ? reuse.bounds : await partition(build.session, policy);
  for (const relation of CORE.filter((one) => one !== INTEGRATIONS && one !== STORE_ORDERS)) {
    if (derived.has(relation)) await build.make(relation, bounds);
    else if (isMaterialized(relation)) await reuse?.keep(relation);
  }
  await (reuse ? reuse.countRecords() : build.materialize(LANDED_RECORDS.name, landedRecords(files)));
  return bounds;
}
