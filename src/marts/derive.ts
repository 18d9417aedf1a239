import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../contract/error.ts";
import { type RecordDeclaration, relationOf } from "../contract/record.ts";
import type { Organization } from "../contract/settings.ts";
import { sync } from "../durable.ts";
import { type Database, literal, type Session } from "../engine/database.ts";
import { type Inspected, inspect, isLost, told } from "../landing/intact.ts";
import { paths, SQL } from "../paths.ts";
import { records } from "../records/index.ts";
import { currentGeneration, type Generation, publishGeneration, removeOld, spoilt } from "./generations.ts";
import { CORE } from "./relations.ts";
import { landedRecords, stagingRows } from "./staging.ts";

/** A record whose rows come from exports; the others come with them. */
const landed = (record: RecordDeclaration): boolean => record.envelopes !== undefined;

/** Rows that are served as they landed are kept; the rest only feeds the core. */
export const keptAsRows = (record: RecordDeclaration): boolean => record.served !== undefined && !record.served.source;

const LANDED_RECORDS = "landed_records";

/** The landed files of an organization, by record. Their names are used once, so names and sizes tell versions apart. */
async function lakeFiles(dataDir: string, organization: string): Promise<Map<RecordDeclaration, string[]>> {
  const files = new Map<RecordDeclaration, string[]>();
  for (const record of records.filter(landed)) {
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

/** Every landed file of an organization, read through. */
export async function inspectLake(dataDir: string, organization: string): Promise<Map<RecordDeclaration, Inspected[]>> {
  const inspected = new Map<RecordDeclaration, Inspected[]>();
  for (const record of records.filter(landed)) {
    inspected.set(record, await inspect(paths.lake(dataDir, record, organization)));
  }
  return inspected;
}

/** A file of the lake that is not what was written would change figures silently: nothing is derived from it. */
async function assertLakeIntact(dataDir: string, organization: string): Promise<void> {
  const lost = [...(await inspectLake(dataDir, organization)).values()].flat().filter(isLost);
  if (lost.length > 0) throw new OperatorError(lost.map((file) => told(file, dataDir)).join("; "));
}

let recipe: Promise<string> | undefined;

/** What the derivation is made of: another version of the SQL or of the records makes other files. */
function recipeHash(): Promise<string> {
  recipe ??= (async () => {
    const hash = createHash("sha256").update(JSON.stringify(records));
    for (const name of ["macros", ...CORE.map((relation) => relation.name)]) {
      hash.update(await readFile(path.join(SQL, "core", `${name}.sql`)));
    }
    return hash.digest("hex");
  })();
  return recipe;
}

/** Names what an organization's derived files would be derived from now. */
export async function fingerprint(dataDir: string, organization: string, settings: Organization): Promise<string> {
  const files = [...(await lakeFiles(dataDir, organization)).values()]
    .flat()
    .map((file) => path.relative(dataDir, file));
  const hash = createHash("sha256").update(await recipeHash());
  return hash.update(JSON.stringify(settings)).update(JSON.stringify(files)).digest("hex").slice(0, 32);
}

/** Derives what the analyses read, unless that is up to date. Readers of the previous generation go on undisturbed. */
export async function derive(
  database: Database,
  dataDir: string,
  organization: string,
  settings: Organization,
): Promise<{ generation: Generation; derived: boolean }> {
  const state = await fingerprint(dataDir, organization, settings);
  const current = await currentGeneration(dataDir, organization);
  if (current?.state === state && (await spoilt(current)).length === 0) {
    await removeOld(dataDir, organization, current);
    return { generation: current, derived: false };
  }
  await assertLakeIntact(dataDir, organization);
  const files = await lakeFiles(dataDir, organization);
  const folder = path.join(paths.mart(dataDir, organization), `.unfinished-${process.pid}-${state.slice(0, 8)}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await database.use(async (session) => {
      try {
        await prepare(session, organization, settings, [...files.values()].flat());
        await writeRelations(session, folder, files);
      } finally {
        await session.run("drop schema if exists staging cascade");
      }
    });
    const generation = await publishGeneration(dataDir, organization, folder, { state, settings });
    await removeOld(dataDir, organization, generation);
    return { generation, derived: true };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepare(
  session: Session,
  organization: string,
  settings: Organization,
  files: readonly string[],
): Promise<void> {
  const landings = files.length === 0 ? [] : await landingTimes(session, files);
  await session.set("organization_id", organization);
  await session.set("settings", JSON.stringify(settings));
  await session.set("landings", JSON.stringify(landings));
  const macros = await readFile(path.join(SQL, "core", "macros.sql"), "utf8");
  await session.run(macros.replaceAll("create macro", "create or replace temp macro"));
  await session.run("drop schema if exists staging cascade; create schema staging");
}

/** When each integration landed a file, also one without a single row [D9]. */
async function landingTimes(
  session: Session,
  files: readonly string[],
): Promise<{ integration_id: string; landed_at: string }[]> {
  const rows = await session.rows(
    `select parse_filename(file_name) as name, decode(value) as landed_at
      from parquet_kv_metadata([${files.map(literal).join(", ")}]) where decode(key) = 'landed_at'`,
  );
  return rows.map((row) => ({
    integration_id: String(row.name).split(".")[0] ?? "",
    landed_at: String(row.landed_at),
  }));
}

async function writeRelations(
  session: Session,
  folder: string,
  files: Map<RecordDeclaration, string[]>,
): Promise<void> {
  const keep = async (name: string, view: string, sql: string): Promise<void> => {
    const file = path.join(folder, `${name}.parquet`);
    await session.run(`copy (${sql}) to ${literal(file)} (format parquet, compression zstd)`);
    await session.run(
      `create or replace ${view.includes(".") ? "" : "temp "}view ${view} as from read_parquet(${literal(file)})`,
    );
  };
  const [integrations, ...rest] = CORE;
  for (const relation of integrations ? [integrations] : [])
    await keep(relation.name, relation.name, await coreSql(relation.name));
  for (const [record, lake] of files) {
    const name = relationOf(record);
    await keep(name, `staging.${name}`, stagingRows(record, lake));
  }
  await keep(LANDED_RECORDS, LANDED_RECORDS, landedRecords([...files.keys()]));
  for (const relation of rest) await keep(relation.name, relation.name, await coreSql(relation.name));
  const kept = new Set([
    LANDED_RECORDS,
    ...CORE.filter((relation) => relation.kept).map((relation) => relation.name),
    ...records.filter(keptAsRows).map(relationOf),
  ]);
  for (const file of await readdir(folder)) {
    const name = path.basename(file, ".parquet");
    if (!kept.has(name)) await rm(path.join(folder, file));
    else await sync(path.join(folder, file));
  }
}

async function coreSql(name: string): Promise<string> {
  return (await readFile(path.join(SQL, "core", `${name}.sql`), "utf8")).trimEnd().replace(/;$/, "");
}
