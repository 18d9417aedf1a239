import { createHash } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { failureText, OperatorError } from "../contract/error.ts";
import type { RecordDeclaration } from "../contract/record.ts";
import type { Organization } from "../contract/settings.ts";
import type { Database, Session } from "../engine/database.ts";
import { paths } from "../files/paths.ts";
import { type CheckedFile, checkFiles, describeDamage, holdsParts, isLost } from "../landing/verify.ts";
import { exported, records } from "../records/index.ts";
import { streamSets } from "../streams/index.ts";
import { Build, coreMacros, coreSql, type LakeFiles } from "./build.ts";
import { corruptFiles, currentGeneration, type Generation, publishGeneration, removeOld } from "./generations.ts";
import { deriveIncrement, FullRefreshNeeded } from "./increment.ts";
import {
  ONE_PARTITION,
  PARTITION_POLICY,
  type PartitionBounds,
  type PartitionPolicy,
  partition,
} from "./partitions.ts";
import { CORE, INTEGRATIONS, STORE_ORDERS } from "./relations.ts";
import { LANDED_RECORDS, landedRecords } from "./staging.ts";

/** The landed files of an organization, by record. A name is used only once, so names identify versions. */
async function lakeFiles(dataDir: string, organization: string): Promise<LakeFiles> {
  const files = new Map<RecordDeclaration, string[]>();
  for (const record of exported) {
    const folder = paths.lake(dataDir, record, organization);
    const names = await readdir(folder).catch(() => [] as string[]);
    files.set(
      record,
      names
        .filter((name) => name.endsWith(".parquet"))
        .sort()
        .map((name) => path.join(folder, name)),
    );
  }
  return files;
}

/** Every landed file of an organization, verified. */
export async function checkLake(dataDir: string, organization: string): Promise<Map<RecordDeclaration, CheckedFile[]>> {
  const inspected = new Map<RecordDeclaration, CheckedFile[]>();
  for (const record of exported) {
    inspected.set(record, await checkFiles(paths.lake(dataDir, record, organization)));
  }
  return inspected;
}

/** A changed file of the lake would change figures silently, so nothing is derived from it. Returns the size of the lake. */
async function intactBytes(dataDir: string, organization: string): Promise<number> {
  const files = [...(await checkLake(dataDir, organization)).values()].flat();
  const lost = files.filter(isLost);
  if (lost.length > 0) throw new OperatorError(lost.map((file) => describeDamage(file, dataDir)).join("; "));
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** With less data, of some 3,000 orders, several threads only cost processor time. */
const ONE_THREAD_BYTES = 256 * 1024;

let codeVersion: Promise<string> | undefined;

/** A hash of the SQL and the records: another version of these derives other files. */
function hashCode(): Promise<string> {
  codeVersion ??= (async () => {
    const hash = createHash("sha256").update(JSON.stringify([records, streamSets, CORE]));
    hash.update(coreMacros());
    for (const { name } of CORE) hash.update(coreSql(name));
    return hash.digest("hex");
  })();
  return codeVersion;
}

/** The inputs of a derivation. */
interface Sources {
  readonly codeVersion: string;
  readonly settings: Organization;
  readonly files: LakeFiles;
  /** The files by their path in the data folder, as a generation lists them. */
  readonly names: readonly string[];
}

async function sourcesOf(dataDir: string, organization: string, settings: Organization): Promise<Sources> {
  const files = await lakeFiles(dataDir, organization);
  const names = [...files.values()].flat().map((file) => path.relative(dataDir, file));
  return { codeVersion: await hashCode(), settings, files, names };
}

const stateOf = ({ codeVersion, settings, names }: Sources): string =>
  createHash("sha256")
    .update(codeVersion)
    .update(JSON.stringify(settings))
    .update(JSON.stringify(names))
    .digest("hex")
    .slice(0, 32);

/** Identifies the present inputs of an organization's derived files. */
export async function fingerprint(dataDir: string, organization: string, settings: Organization): Promise<string> {
  return stateOf(await sourcesOf(dataDir, organization, settings));
}

/** How a generation was derived: from everything that landed, or from the previous generation. */
export type BuildMode = "full" | "incremental" | "skipped";

interface Derived {
  readonly generation: Generation;
  /** `skipped` if it was up to date. */
  readonly mode: BuildMode;
  /** Why an increment failed; everything was derived instead, so answers are right, but late. */
  readonly fallbackReason?: string;
}

interface Checked {
  readonly current: Generation | undefined;
  readonly isIntact: boolean;
}

/** The generation in force, and whether all its files are intact. The caller is the only writer until it derives. */
export async function checkedGeneration(dataDir: string, organization: string): Promise<Checked> {
  const current = await currentGeneration(dataDir, organization);
  return { current, isIntact: current !== undefined && (await corruptFiles(current)).length === 0 };
}

/** Derives the relations of the analyses unless they are up to date. Readers of the previous generation are not disturbed. */
export async function derive(
  database: Database,
  dataDir: string,
  organization: string,
  settings: Organization,
  policy = PARTITION_POLICY,
  checked = checkedGeneration(dataDir, organization),
): Promise<Derived> {
  const sources = await sourcesOf(dataDir, organization, settings);
  const state = stateOf(sources);
  const { current, isIntact } = await checked;
  if (current && isIntact && current.state === state) {
    await removeOld(dataDir, organization, current);
    return { generation: current, mode: "skipped" };
  }
  const isSmall = (await intactBytes(dataDir, organization)) < ONE_THREAD_BYTES;
  const folder = path.join(paths.mart(dataDir, organization), `.unfinished-${process.pid}-${state.slice(0, 8)}`);
  const inSession = (work: (session: Session) => Promise<PartitionBounds>): Promise<PartitionBounds> =>
    isSmall ? database.onOneThread(() => database.use(work)) : database.use(work);
  const make = (work: (build: Build) => Promise<PartitionBounds>): Promise<PartitionBounds> =>
    inSession(async (session) => {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      const build = new Build(database, session, folder, dataDir, organization);
      try {
        await build.prepare(settings, sources.files);
        const bounds = await work(build);
        await build.sync();
        return bounds;
      } finally {
        await build.clear();
      }
    });
  try {
    const before = isIntact ? current : undefined;
    const added = before && addedSince(before, dataDir, sources);
    let fallbackReason: string | undefined;
    const incremented =
      added &&
      (await make((build) => deriveIncrement(build, before, sources.files, added, policy)).catch((error: Error) => {
        if (!(error instanceof FullRefreshNeeded)) fallbackReason = failureText(error);
        return undefined;
      }));
    const bounds = incremented ?? (await make((build) => deriveAll(build, sources.files, policy)));
    const basis = { codeVersion: sources.codeVersion, files: sources.names, bounds };
    const generation = await publishGeneration(dataDir, organization, folder, { state, settings, basis }, before);
    await removeOld(dataDir, organization, generation);
    const made = { generation, mode: incremented ? ("incremental" as const) : ("full" as const) };
    return fallbackReason === undefined ? made : { ...made, fallbackReason };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The files that landed since a generation, if nothing else differs and it has several partitions; a generation with one partition
 * is derived as fast from everything.
 */
function addedSince({ settings, basis }: Generation, dataDir: string, sources: Sources): LakeFiles | undefined {
  if (basis?.codeVersion !== sources.codeVersion || basis.bounds.days.length === 0) return undefined;
  if (JSON.stringify(settings) !== JSON.stringify(sources.settings)) return undefined;
  const known = new Set(basis.files);
  const present = new Set(sources.names);
  if (basis.files.some((file) => !present.has(file))) return undefined;
  const added = new Map(
    [...sources.files].map(([record, files]) => [
      record,
      files.filter((file) => !known.has(path.relative(dataDir, file))),
    ]),
  );
  // New parts change objects that are already there.
  return [...added.values()].flat().some(holdsParts) ? undefined : added;
}

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
