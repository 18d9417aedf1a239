import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { failureText } from "../contract/error.ts";
import type { RecordDeclaration } from "../contract/record.ts";
import { answerSettings, type Organization } from "../contract/settings.ts";
import type { Database, Session } from "../engine/database.ts";
import { ownedFolder } from "../engine/ownedFolder.ts";
import { sha256OfText } from "../files/checksum.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { UNFINISHED } from "../files/storageClock.ts";
import { type LandedPlace, Revocations } from "../landing/ledger/revocations.ts";
import {
  type CheckedFile,
  checkFiles,
  holdsParts,
  isLost,
  lostManifests,
  quarantine,
  readManifest,
} from "../landing/ledger/verify.ts";
import { exported } from "../records/index.ts";
import { Build, type LakeFiles } from "./build.ts";
import { codeVersion } from "./codeVersion.ts";
import { customerSecret, makeCustomerSecret } from "./customerSecret.ts";
import {
  bringToReplicas,
  corruptFiles,
  currentGeneration,
  type Generation,
  pointerText,
  publishGeneration,
  removeOld,
} from "./generations.ts";
import { deriveIncrement, FullRefreshNeeded } from "./increment.ts";
import {
  ONE_PARTITION,
  PARTITION_POLICY,
  type PartitionBounds,
  type PartitionPolicy,
  partition,
} from "./partitions.ts";
import { type Pulled, pulledUntil } from "./pulledUntil.ts";
import { CORE, INTEGRATIONS, STORE_ORDERS } from "./relations.ts";
import { LANDED_RECORDS, landedRecords } from "./staging.ts";

/** The landed files of an organization by record, and those that are missing, by the path that they had. */
interface Lake {
  readonly files: LakeFiles;
  readonly missing: ReadonlyMap<string, LandedPlace>;
}

/** Lists the landed files in force. A name is used only once, so names identify versions. */
async function lakeOf(folders: OrganizationFolders): Promise<Lake> {
  const revocations = await Revocations.of(folders);
  const files = new Map<RecordDeclaration, string[]>();
  const missing = new Map<string, LandedPlace>();
  for (const record of exported) {
    const folder = folders.lake(record);
    const all = (await readdir(folder).catch(() => [] as string[])).sort();
    const names = all.filter((name) => !revocations.hasNamed(record, name));
    files.set(
      record,
      names.filter((name) => name.endsWith(".parquet")).map((name) => path.join(folder, name)),
    );
    for (const name of lostManifests(names)) {
      const [integration = "", landing = ""] = name.split(".");
      const { file = `${integration}.${landing}.parquet` } = (await readManifest(folder, name)) ?? {};
      const place = { connector: record.connector, record: record.name, integration, landing: Number(landing) };
      missing.set(path.join(folder, file), place);
    }
  }
  return { files, missing };
}

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

/** A changed file of the lake would change figures silently: it is quarantined. Returns the size of the others. */
async function intactBytes(folders: OrganizationFolders): Promise<number> {
  const files = [...(await checkLake(folders)).values()].flat();
  for (const file of files.filter(isLost)) await quarantine(file);
  return files.reduce((sum, file) => sum + (isLost(file) ? 0 : file.bytes), 0);
}

/** With less data, of some 3,000 orders, several threads only cost processor time. */
const ONE_THREAD_BYTES = 256 * 1024;

/** The inputs of a derivation. */
interface Sources {
  readonly codeVersion: string;
  readonly secret: string;
  readonly settings: Organization;
  readonly files: LakeFiles;
  /** The files by their path in the data folder, as a generation lists them. */
  readonly names: readonly string[];
  /** Landed files that are missing, by the path that they had in the data folder. */
  readonly missing: ReadonlyMap<string, LandedPlace>;
  /** Not part of the state: a pull that brought no file makes no derived file outdated, and only `coverage` later. */
  readonly pulled: Pulled;
}

async function sourcesOf(folders: OrganizationFolders, settings: Organization): Promise<Sources> {
  const { files, missing } = await lakeOf(folders);
  const below = (file: string): string => path.relative(folders.dataDir, file);
  return {
    codeVersion: codeVersion(),
    // Without one, no generation has been derived yet.
    secret: (await customerSecret(folders)) ?? "",
    settings: answerSettings(settings),
    files,
    names: [...files.values()].flat().map(below),
    missing: new Map([...missing].map(([file, place]) => [below(file), place])),
    pulled: await pulledUntil(folders, settings),
  };
}

/** The loss of a file does not change the state: what was derived from it before remains right. */
const stateOf = ({ codeVersion, secret, settings, names, missing }: Sources): string =>
  createHash("sha256")
    .update(codeVersion)
    .update(sha256OfText(secret))
    .update(JSON.stringify(settings))
    .update(JSON.stringify([...names, ...missing.keys()].sort()))
    .digest("hex")
    .slice(0, 32);

/** Identifies the present inputs of an organization's derived files. */
export async function fingerprint(folders: OrganizationFolders, settings: Organization): Promise<string> {
  return stateOf(await sourcesOf(folders, settings));
}

/** How a generation was derived: from everything that landed, or from the previous generation. */
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

interface Deriving {
  readonly policy?: PartitionPolicy;
  /** The generation in force, if its files are being checked. */
  readonly checked?: Promise<Checked>;
}

/** Derives the relations of the analyses unless they are up to date. Readers of the previous generation are not disturbed. */
export async function derive(
  database: Database,
  folders: OrganizationFolders,
  inForce: Organization,
  { policy = PARTITION_POLICY, checked = checkedGeneration(folders) }: Deriving = {},
): Promise<Derived> {
  // It may fail before it is waited for.
  checked.catch(() => {});
  await makeCustomerSecret(folders);
  const pointer = await pointerText(folders);
  const before = await sourcesOf(folders, inForce);
  const { current, isIntact } = await checked;
  if (current && isIntact && isDerivedFrom(current, before)) {
    await removeOld(folders, current);
    await bringToReplicas(folders, current);
    return { generation: current, mode: "skipped" };
  }
  const isSmall = (await intactBytes(folders)) < ONE_THREAD_BYTES;
  // Again, because damaged files have been quarantined.
  const sources = await sourcesOf(folders, inForce);
  const state = stateOf(sources);
  const home = folders.mart;
  await mkdir(home, { recursive: true });
  const unfinished = await ownedFolder(() => mkdtemp(path.join(home, UNFINISHED)));
  const folder = path.join(unfinished.folder, "files");
  const inSession = (work: (session: Session) => Promise<PartitionBounds>): Promise<PartitionBounds> =>
    isSmall ? database.onOneThread(() => database.use(work)) : database.use(work);
  const make = (work: (build: Build) => Promise<PartitionBounds>): Promise<PartitionBounds> =>
    inSession(async (session) => {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      const build = new Build(database, session, folder, folders);
      try {
        await build.prepare(sources.settings, sources.files, sources.secret, sources.pulled);
        const bounds = await work(build);
        await build.sync();
        return bounds;
      } finally {
        await build.clear();
      }
    });
  try {
    const previous = isIntact ? current : undefined;
    const added = previous && addedSince(previous, folders.dataDir, sources);
    let fallbackReason: string | undefined;
    const incremented =
      added &&
      (await make((build) => deriveIncrement(build, previous, sources.files, added, policy)).catch((error: Error) => {
        if (!(error instanceof FullRefreshNeeded)) fallbackReason = failureText(error);
        return undefined;
      }));
    const bounds = incremented ?? (await make((build) => deriveAll(build, sources.files, policy)));
    const { codeVersion, secret, settings, names, pulled } = sources;
    const basis = {
      codeVersion,
      secretVersion: sha256OfText(secret),
      files: names,
      bounds,
      ...(isEmpty(pulled) ? {} : { pulled }),
    };
    const missing = [...sources.missing.values()];
    const made = { state, settings, basis, ...(missing.length > 0 ? { missing } : {}) };
    const generation = await publishGeneration(folders, folder, made, { before: previous, pointer });
    await removeOld(folders, generation);
    const mode = incremented ? "incremental" : "full";
    return { generation, mode, ...(fallbackReason === undefined ? {} : { fallbackReason }) };
  } finally {
    await unfinished.remove();
  }
}

const isEmpty = (pulled: Pulled): boolean => Object.keys(pulled).length === 0;

/** Whether a generation is what the sources give: a file that it lacks must still be missing. */
function isDerivedFrom({ state, missing = [], basis }: Generation, sources: Sources): boolean {
  if (JSON.stringify(basis?.pulled ?? {}) !== JSON.stringify(sources.pulled)) return false;
  const lost = new Set([...sources.missing.values()].map((file) => JSON.stringify(file)));
  return state === stateOf(sources) && missing.every((file) => lost.has(JSON.stringify(file)));
}

/**
 * The files that landed since a generation, if nothing else differs and it has several partitions; a generation with one partition
 * is derived as fast from everything. An older file that is back, repaired or restored, is not an addition: where versions are
 * equal, the later landing wins.
 */
function addedSince({ settings, basis }: Generation, dataDir: string, sources: Sources): LakeFiles | undefined {
  if (basis?.codeVersion !== sources.codeVersion || basis.bounds.days.length === 0) return undefined;
  if (basis.secretVersion !== sha256OfText(sources.secret)) return undefined;
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
  return [...added.values()].flat().some(holdsParts) ? undefined : added;
}

/** The number in the name of a landed file: `<integration>.<landing>…`. */
const landingOf = (file: string): number => Number(path.basename(file).split(".")[1]);

/** Derives everything from all that has landed. */
async function deriveAll(build: Build, files: LakeFiles, policy: PartitionPolicy): Promise<PartitionBounds> {
  for (const [record, lake] of files) await build.stage(record, lake);
  await build.session.run("create temp table known_customers (person_id uuid, customer_no bigint)");
  await build.session.set("customers_before", 0n);
  await build.make(STORE_ORDERS, ONE_PARTITION);
  const bounds = await partition(build.session, policy);
  const others = CORE.filter((relation) => relation !== INTEGRATIONS && relation !== STORE_ORDERS);
  for (const relation of others) await build.make(relation, bounds);
  await build.materialize(LANDED_RECORDS.name, landedRecords(files));
  return bounds;
}
