import { rename } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ApiError } from "../../src/core/contract/error.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import { Database, literal } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { GenerationStore } from "../../src/core/marts/current.ts";
import { corruptFiles, currentGeneration, type Generation } from "../../src/core/marts/generations.ts";
import { deriveAll, failed } from "../../src/core/sync/sync.ts";
import { verify } from "../../src/features/doctor/verify.ts";
import { AURORA, type DataFolder, exportsOf, seeded, storeaOrder } from "../../test/support/data.ts";
import { answersOf } from "../../test/support/service.ts";
import { landedFixtures } from "../../test/support/shared.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { type Damage, must, pick, some, spoil } from "../support/damage.ts";
import { minutes } from "../support/minutes.ts";

/** Damaged files in all. */
const DAMAGES: Record<Scale, number> = { short: 12, long: 1000 };
/** At most so many at a time: each has to be found among the others. */
const AT_ONCE = 4;
/** One in so many trials compares every answer; the others compare the files from which all answers are made. */
const ANSWERS_EVERY: Record<Scale, number> = { short: 6, long: 50 };
/** One in so many trials without an export has new orders of another organization. */
const NEIGHBOURS = 0.2;

const NEIGHBOUR: Organization = {
  organizationId: "7e1c0000-0000-4000-8000-000000000001",
  name: "Neighbour",
  integrations: [{ id: "7e1c0000-0000-4000-8000-00000000000a", connector: "storea", name: "Store" }],
};

interface Bench {
  readonly data: DataFolder;
  readonly settings: Organization;
  readonly random: () => number;
  readonly database: Database;
  /** The derived files and the answers, before anything was damaged. */
  readonly rows: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<string, string>>;
}

export const damagedLake: Part = {
  name: "damaged lake",
  promise:
    "A flipped bit or a cut file is found, named and repaired by landing its export again. No file is read for a landing, a " +
    "derivation or the first answer before it matches its checksum; a derived file that is damaged under a running service " +
    "is found within about a minute of being asked.",
  method:
    "In one to four random landed or derived files a random bit is flipped or a random part is cut off. `doctor " +
    "--verify` and the next sync must name each; one time in four an export of them is missing, and put back later. " +
    "Afterwards every derived file has the same rows, and the answers, compared every so often, are the same to the " +
    "byte.",
  async run(scale, seed) {
    const bench = await prepare(seed);
    const until = performance.now() + minutes(600) * 60_000;
    const counts: Counts = { landed: 0, withoutExport: 0, derived: 0, trials: 0 };
    try {
      while (counts.landed + counts.derived < DAMAGES[scale] && performance.now() < until) {
        const trial = ++counts.trials;
        try {
          if (trial % 4 === 0) counts.derived += await damageDerived(bench);
          else counts.landed += await damageLanded(bench, trial % 4 === 1);
          await sameAsBefore(bench, trial % ANSWERS_EVERY[scale] === 0);
        } catch (error) {
          throw new Error(`trial ${trial}, seed ${seed}: ${(error as Error).message}`, { cause: error });
        }
        counts.withoutExport += Number(trial % 4 === 1);
      }
    } finally {
      bench.database.close();
      await bench.data.remove();
    }
    return figures(counts);
  },
};

interface Counts {
  landed: number;
  withoutExport: number;
  derived: number;
  trials: number;
}

const figures = (counts: Counts): readonly Figure[] => [
  { what: "landed files damaged, found, named and repaired", value: counts.landed.toLocaleString("en-US") },
  { what: "of these with their export gone at first", value: counts.withoutExport.toLocaleString("en-US") },
  { what: "derived files damaged, never served, derived again", value: counts.derived.toLocaleString("en-US") },
  { what: "trials, each the same afterwards", value: counts.trials.toLocaleString("en-US") },
];

async function prepare(seed: number): Promise<Bench> {
  const data = await landedFixtures();
  const settings: Organization = JSON.parse(await data.text(`organizations/${AURORA}.json`));
  await data.settings(NEIGHBOUR);
  await neighbourOrders(data, 0);
  await data.sync();
  const database = await Database.open();
  const rows = await derivedRows(database, (await currentGeneration(foldersOf(data.path, AURORA))) as Generation);
  return { data, settings, random: seeded(seed), database, rows, answers: await answersOf(data.config, AURORA) };
}

/** A hash of the rows of each derived file, in any order. */
async function derivedRows(database: Database, { folder, checksums }: Generation): Promise<Record<string, string>> {
  const files: [string, string][] = [];
  await database.use(async (session) => {
    for (const name of Object.keys(checksums ?? {})) {
      const file = literal(path.join(folder, name));
      const [hash = ""] = await session.texts(
        `select concat_ws(' ', count(*), sum(hash(row)::hugeint), bit_xor(hash(row)))
          from read_parquet(${file}, hive_partitioning = false) row`,
      );
      files.push([name, hash]);
    }
  });
  return Object.fromEntries(files);
}

const neighbourOrders = (data: DataFolder, version: number): Promise<string> =>
  data.write(
    `${exportsOf(NEIGHBOUR.integrations?.[0]?.id ?? "", "orders", NEIGHBOUR.organizationId)}/${version}.json`,
    JSON.stringify([storeaOrder({ id: String(version), value: 10 })]),
  );

/**
 * Damages landed files: the doctor and the sync find them, and a sync repairs them as soon as their exports are there.
 */
async function damageLanded({ data, settings, random }: Bench, isExportGone: boolean): Promise<number> {
  const lake = (await data.files("lake")).filter((file) => file.includes(AURORA) && file.endsWith(".parquet"));
  const files = some(lake, AT_ONCE, random).map((file) => path.join("lake", file));
  const damages: Damage[] = [];
  for (const file of files) damages.push(await spoil(data, file, random));
  const how = damages.map((damage) => damage.how).join("; ");
  const found = (await verify(data.path, settings)).findings.find(({ kind }) => kind === "damagedLake")?.rows ?? [];
  must(isDeepStrictEqual(found.map((row) => row.path).sort(), [...files].sort()), `not found by the doctor: ${how}`);
  for (const file of files) {
    const row = found.find((one) => one.path === file);
    for (const name of (await noteOf(data, file)).exports) {
      must(String(row?.exports).includes(name), `${name} of ${file} is not named`);
    }
  }
  const [gone = "", ...others] = files;
  let repaired: readonly string[] = [];
  if (isExportGone) {
    const before = await currentGeneration(foldersOf(data.path, AURORA));
    const put = await takeAway(data, gone, pick((await noteOf(data, gone)).exports, random));
    const isNeighbourNew = random() < NEIGHBOURS;
    if (isNeighbourNew) await neighbourOrders(data, Math.floor(random() * 1e9));
    const report = await data.sync();
    must(failed(report), "the sync said that all is well");
    const failure = report.failures.find(({ reason }) => reason.includes(gone));
    must(failure?.organization === AURORA && failure.record !== undefined, `not named by the sync: ${how}`);
    must(isDeepStrictEqual([...report.repaired].sort(), others.sort()), `the others are not repaired: ${how}`);
    const derived = isNeighbourNew ? [NEIGHBOUR.organizationId] : [];
    must(isDeepStrictEqual(report.derived, derived), `derived: ${report.derived}; the neighbour's: ${derived}`);
    must(
      isDeepStrictEqual(await currentGeneration(foldersOf(data.path, AURORA)), before),
      "the old answers did not stay",
    );
    repaired = report.repaired;
    await put();
  }
  const report = await data.sync();
  must(!failed(report), `not repaired: ${how}: ${JSON.stringify(report.failures)}`);
  repaired = [...repaired, ...report.repaired];
  must(isDeepStrictEqual([...repaired].sort(), [...files].sort()), `not reported as repaired: ${how}`);
  return files.length;
}

/** Kinds of errors while nothing can be answered from: a pointer that is damaged names no generation. */
const UNAVAILABLE: readonly string[] = ["damaged", "busy", "underived"];

/** Damages derived files: no request is answered from them, and they are derived again. */
async function damageDerived({ data, settings, random }: Bench): Promise<number> {
  const home = path.relative(data.path, foldersOf(data.path, AURORA).mart);
  const { folder = "" } = (await currentGeneration(foldersOf(data.path, AURORA))) ?? {};
  const files = (await data.files(path.relative(data.path, folder))).map((name) => path.join(folder, name));
  const chosen = some(
    [...files.map((name) => path.relative(data.path, name)), path.join(home, "current")],
    AT_ONCE,
    random,
  );
  const damages: Damage[] = [];
  for (const file of chosen) damages.push(await spoil(data, file, random));
  const how = damages.map((damage) => damage.how).join("; ");
  const derivations: Promise<void>[] = [];
  const generations = new GenerationStore(
    data.path,
    async () => settings,
    () => {},
    () => {
      const derivation = deriveAll(data.config, [settings]);
      derivations.push(derivation);
      return derivation;
    },
  );
  const answeredFrom = await generations.current(AURORA).catch((error) => {
    if (error instanceof ApiError && UNAVAILABLE.includes(error.kind)) return undefined;
    throw error;
  });
  must(derivations.length > 0, `not derived again: ${how}`);
  // On a slow machine the answer is 503 during the derivation.
  await Promise.all(derivations);
  must(
    answeredFrom === undefined || (await corruptFiles(answeredFrom)).length === 0,
    `served although damaged: ${how}`,
  );
  return chosen.length;
}

async function sameAsBefore({ data, database, rows, answers }: Bench, isWhole: boolean): Promise<void> {
  const generation = await currentGeneration(foldersOf(data.path, AURORA));
  must(generation !== undefined, "nothing is derived");
  must((await corruptFiles(generation)).length === 0, "what is derived is damaged");
  must(isDeepStrictEqual(await derivedRows(database, generation), rows), "something else was derived");
  if (isWhole) must(isDeepStrictEqual(await answersOf(data.config, AURORA), answers), "the answers differ");
}

async function noteOf(data: DataFolder, file: string): Promise<{ exports: string[] }> {
  const [integration, landing] = path.basename(file).split(".");
  const [line = ""] = (await data.text(path.join(path.dirname(file), `${integration}.${landing}.json`))).split("\n");
  return { exports: (JSON.parse(line).exports as { name: string }[]).map(({ name }) => name) };
}

/** Moves an export of a landed file away; the returned function moves it back. */
async function takeAway(data: DataFolder, landed: string, name: string): Promise<() => Promise<void>> {
  const [, , record = ""] = landed.split(path.sep);
  const [integration = ""] = path.basename(landed).split(".");
  const file = path.join(data.path, exportsOf(integration, record), name);
  const away = path.join(data.path, "away");
  await rename(file, away);
  return () => rename(away, file);
}
