import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { createInterface, type Interface } from "node:readline";
import { readConfig } from "../../src/core/config.ts";
import { failed, sync } from "../../src/core/sync/sync.ts";
import { DataFolder, ended, ROOT, seeded } from "../../test/support/data.ts";
import { writeExports } from "../../test/support/exports.ts";
import { writeMarket } from "../../test/support/marketExports.ts";
import { landedFixtures } from "../../test/support/shared.ts";
import type { Seen, Wanted } from "../mutation/judge.ts";
import { type Mutant, mutantsOf } from "../mutation/mutants.ts";
import { organizations } from "../mutation/organizations.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { minutes } from "../support/minutes.ts";

export const mutation: Part = {
  name: "tests that bite",
  promise: "The tests notice when the money or the paging is computed differently: at least nine in ten small changes.",
  method:
    "In a copy of the tree one operator, constant, join, order or null rule is changed at a time, in the SQL of the " +
    "relations, formulas and analyses and in the TypeScript of pages, parameters and instants. Then the golden cases " +
    "are asked, and the questions of `test/independent/independent.long.test.ts` and " +
    "`test/independent/independentProducts.test.ts` about two random organizations and two with products only. A " +
    "change is caught if an answer differs from the case, or from " +
    "the independent computation with which those tests compare the same questions. The organizations differ from " +
    "those of the tests; so if no answer differs, those tests and the others of the changed file are run, in their short " +
    "and long forms. A change from which no statement can be made, or whose code does not load, needs no test to be " +
    "noticed: it is counted separately, and not as tried. A sample has up to 400 changes, in half an hour unless " +
    "`--minutes` says otherwise; fewer than 60 tried prove nothing, and fail. Reviewed survivors are in " +
    "`torture/mutation/survivors.json`, with the reason; those that no answer can show, because the data have no such " +
    "case, are tried but not counted.",
  run,
};

const SAMPLE: Record<Scale, number> = { short: 1, long: 400 };
const LANES: Record<Scale, number> = { short: 1, long: Math.max(1, availableParallelism()) };
/** Random organizations of each kind. */
const ORGANIZATIONS: Record<Scale, number> = { short: 0, long: 2 };
const LEAST_CAUGHT = 0.9;
/** With fewer tried the share depends as much on chance as on the tests. */
const LEAST_TRIED: Record<Scale, number> = { short: 1, long: 60 };
/** A change may produce a query that never ends. */
const PATIENCE_MS = 300_000;
const TESTS_PATIENCE_MS = 1_800_000;

const PLACES = ["sql/core", "sql/setup", "sql/profitability", "sql/acquisition", "sql/products", "sql/envelope.sql"];
const SOURCES = [
  "src/core/engine/rows.ts",
  "src/core/params/instant.ts",
  "src/core/params/kinds.ts",
  "src/core/params/validate.ts",
];

/** Tests to run if the answers do not notice a change in those files. */
const OWN_TESTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^src\//, ["test/params/validate.test.ts", "test/params/parameters.test.ts"]],
  [/^src\/engine\/rows/, ["test/engine/formats.long.test.ts"]],
  [/^sql\/core\/(aliased_orders|order_statuses|customers)\.sql$/, ["test/doctor/doctor.long.test.ts"]],
  [/^sql\/core\/macros\.sql$/, ["test/analyses/channels.test.ts"]],
  [/^sql\/(core\/(refunds|returned_units|line_returns)|setup\/rounding)\.sql$/, ["test/analyses/refunds.test.ts"]],
  [
    /^sql\/(core\/(store_orders|media_spend|ad_records)|setup\/restatements)\.sql$/,
    ["test/history/restatements.test.ts"],
  ],
  [
    /^sql\/(profitability|acquisition|envelope)/,
    [
      "test/independent/independent.test.ts",
      ...["acrossZones", "spend", "margin", "cards"].map((name) => `test/analyses/${name}.test.ts`),
    ],
  ],
  [/^sql\/profitability\/forecast/, ["test/independent/forecast.long.test.ts"]],
  [/^sql\/(core|setup)/, ["test/independent/independent.test.ts"]],
  [/^sql\/core/, ["test/marts/incremental.long.test.ts"]],
  [/^sql\/(core|products|setup)/, ["test/independent/independentProducts.test.ts"]],
  [
    /sql\/(products\/detail|core\/site_items)/,
    ["test/analyses/productDetail.test.ts", "test/analyses/boughtWith.test.ts"],
  ],
  [
    /^sql\/(core|products|setup)/,
    ["asOf", "acrossZones", "spend", "margin", "units", "catalog", "products"].map(
      (name) => `test/analyses/${name}.test.ts`,
    ),
  ],
];

/** Each once, with its long form if it has one, or only that. */
const withLong = (tests: readonly string[]): string[] =>
  [...new Set(tests.flatMap((test) => [test, test.replace(".test.ts", ".long.test.ts")]))].filter((test) =>
    existsSync(path.join(ROOT, test)),
  );

export async function allMutants(): Promise<Mutant[]> {
  const files: string[] = [...SOURCES];
  for (const place of PLACES) {
    if (place.endsWith(".sql")) files.push(place);
    else
      files.push(...(await readdir(path.join(ROOT, place), { recursive: true })).map((name) => path.join(place, name)));
  }
  const texts = files.filter((file) => /\.(sql|ts)$/.test(file)).sort();
  return (
    await Promise.all(texts.map(async (file) => mutantsOf(file, await readFile(path.join(ROOT, file), "utf8"))))
  ).flat();
}

async function run(scale: Scale, seed: number): Promise<readonly Figure[]> {
  const random = seeded(seed);
  const all = await allMutants();
  const survivors = await judged(all);
  const wanted = process.env.TORTURE_CHANGES?.split(",");
  const sample = all
    .filter((mutant) => wanted?.some((text) => described(mutant).includes(text)) ?? isAsked(mutant, scale))
    .map((mutant) => ({ mutant, place: random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, SAMPLE[scale])
    .map(({ mutant }) => mutant);
  const unnoticed: Mutant[] = [];
  const misjudged: string[] = [];
  let [tried, equal, stillborn, endless] = [0, 0, 0, 0];
  const benches = await benchesFor(scale);
  try {
    const until = performance.now() + minutes(30) * 60_000;
    const left = sample.values();
    const work = async (bench: Bench): Promise<void> => {
      for (const mutant of left) {
        if (performance.now() > until) return;
        const survivor = survivors.get(mutant);
        const { fate, by } = await bench.judge(mutant);
        if (survivor?.isEqual) {
          if (fate === "survived") equal++;
          else misjudged.push(`${described(mutant)}: ${fate}, ${by}`);
          continue;
        }
        if (fate === "stillborn") stillborn++;
        else tried++;
        if (fate === "survived") unnoticed.push(mutant);
        if (fate === "endless") endless++;
        const why = survivor ? ` (${survivor.why})` : "";
        console.error(`${fate}: ${described(mutant)}${why}`);
      }
    };
    await Promise.all(benches.map(work));
  } finally {
    for (const bench of benches) await bench.remove();
  }
  const caught = tried - unnoticed.length;
  if (misjudged.length > 0) throw new Error(`survivors.json is wrong to call these equal:\n${misjudged.join("\n")}`);
  const least = wanted ? 1 : LEAST_TRIED[scale];
  if (tried < least) throw new Error(`${tried} changes were tried; of fewer than ${least} the share says nothing`);
  if (caught < LEAST_CAUGHT * tried)
    throw new Error(`${caught} of ${tried} changes were caught; not these:\n${unnoticed.map(described).join("\n")}`);
  return [
    { what: "changes there are", value: all.length.toLocaleString("en") },
    { what: "in the sample", value: String(tried + equal + stillborn) },
    { what: "of these equal by the data", value: String(equal) },
    { what: "of these that do not run at all", value: String(stillborn) },
    { what: "tried", value: String(tried) },
    { what: "caught", value: `${caught} (${((100 * caught) / tried).toFixed(1)} %)` },
    { what: "of these as they never ended", value: String(endless) },
  ];
}

/** Except at long, a change that the golden cases must notice with every seed, and that needs no derivation. */
const isAsked = ({ code }: Mutant, scale: Scale): boolean =>
  scale === "long" || code === "sum(daily_totals.revenue_to_date) as revenue_to_date,";

/** The result of a change. */
interface Judged {
  /** Stillborn: no statement can be made of it, or its code does not load. */
  readonly fate: "caught" | "endless" | "survived" | "stillborn";
  /** What noticed the change. */
  readonly by: string;
}

/** Changes with a known result, which test the judge. Those of `src` need processes of their own. */
const KNOWN: readonly (readonly [file: string, text: string, fate: Judged["fate"]])[] = [
  ["sql/products/integrations.sql", "selec 1", "stillborn"],
  ["sql/products/integrations.sql", "select nothing_of_this_name", "stillborn"],
  [
    "sql/products/integrations.sql",
    `select (current_date::varchar || 'x')::int as "sourceIntegrationId", null as "integrationName", null as connector,
      null as currency, null as "lastSyncAt", null as products, null as "firstSaleDate", null as "lastSaleDate"`,
    "caught",
  ],
  ["src/core/engine/rows.ts", "export const pageSql = (: 1;", "stillborn"],
  [
    "src/core/engine/rows.ts",
    'export const [pageSql, pageRange, hasNextPage, rowsSql, rowsName] = [1, 2, 3, 4, 5].map(() => () => { throw new Error("asked"); });',
    "caught",
  ],
];

/** Run in parallel, each with its own tree and data. */
async function benchesFor(scale: Scale): Promise<Bench[]> {
  const folder = await landedFixtures();
  await landAll(folder, ORGANIZATIONS[scale]);
  await cp(path.join(folder.path, "marts"), path.join(folder.path, "marts.kept"), { recursive: true });
  const bench = await Bench.at(folder, scale);
  const benches = [bench];
  try {
    for (const isCore of scale === "long" ? [false, true] : [false]) {
      const { fate, by } = await bench.ask({ isCore, near: "" }, "");
      if (fate !== "survived") throw new Error(`without a change it is not as expected: ${fate}, ${by}`);
    }
    for (const [file, text, fate] of KNOWN) {
      const judged = await bench.judge({ file, text });
      if (judged.fate !== fate) throw new Error(`"${text}" in ${file} is ${judged.fate}, not ${fate}: ${judged.by}`);
    }
    const tests = withLong(OWN_TESTS.flatMap(([, own]) => own));
    if (scale === "long" && !(await bench.pass(tests)))
      throw new Error(`without a change some of these fail: ${tests.join(", ")}`);
    while (benches.length < LANES[scale]) benches.push(await Bench.at(await DataFolder.copyOf(folder), scale));
    return benches;
  } catch (error) {
    for (const one of benches) await one.remove();
    throw error;
  }
}

/** A change that was tried, that no test noticed, and that was reviewed. */
interface Survivor {
  readonly file: string;
  /** The line before the change. */
  readonly code: string;
  /** `from → to`: the changed text. */
  readonly change: string;
  /** No answer can notice it, as no data exists for which it matters. It is tried but not counted. */
  readonly isEqual: boolean;
  readonly why: string;
}

/** The reviewed changes. A change that no longer exists is an unneeded line of the list. */
async function judged(all: readonly Mutant[]): Promise<ReadonlyMap<Mutant, Survivor>> {
  const survivors: Survivor[] = JSON.parse(await readFile(path.join(ROOT, "torture/mutation/survivors.json"), "utf8"));
  const found = new Map<Mutant, Survivor>();
  for (const survivor of survivors) {
    const { file, code, change } = survivor;
    const mutants = all.filter((one) => one.file === file && one.code === code && `${one.from} → ${one.to}` === change);
    if (mutants.length === 0) throw new Error(`survivors.json: there is no change ${change} of ${file}: ${code}`);
    for (const mutant of mutants) found.set(mutant, survivor);
  }
  return found;
}

const described = ({ file, line, from, to }: Mutant): string => `${file}:${line} ${from} → ${to}`;

/** Lands random organizations next to that of the fixtures. */
async function landAll(folder: DataFolder, count: number): Promise<void> {
  const { worlds, markets } = organizations(count);
  for (const time of [...new Set(worlds.flatMap(({ syncs }) => syncs))].sort()) {
    const present = worlds.filter(({ syncs }) => syncs.includes(time));
    for (const one of present) await writeExports(folder, one, one.syncs.indexOf(time));
    const config = readConfig({ LUCRA_DATA_DIR: folder.path, LUCRA_NOW: time });
    const report = await sync(config, { organizations: present.map(({ settings }) => settings) });
    if (failed(report)) throw new Error("a random organization did not land");
  }
  for (const one of markets) {
    for (const [place, time] of one.syncs.entries()) {
      await writeMarket(folder, one, place);
      const config = readConfig({ LUCRA_DATA_DIR: folder.path, LUCRA_NOW: time });
      if (failed(await sync(config, { organizations: [one.settings] })))
        throw new Error("a random market did not land");
    }
  }
}

/** The copy of the tree and the process that asks it, which reads code and SQL at its start: a change needs a new one. */
class Bench {
  readonly #tree: string;
  readonly #folder: DataFolder;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #lines: Interface | undefined;
  /** Whether the process has loaded its code. */
  #isLoaded = false;

  private constructor(tree: string, folder: DataFolder, scale: Scale) {
    this.#tree = tree;
    this.#folder = folder;
    this.#args = [
      "--import",
      "tsx",
      path.join("torture", "mutation", "judge.ts"),
      folder.path,
      String(ORGANIZATIONS[scale]),
    ];
  }

  static async at(folder: DataFolder, scale: Scale): Promise<Bench> {
    const tree = await mkdtemp(path.join(tmpdir(), "lucra-mutants-"));
    for (const name of ["bin", "src", "sql", "test", "torture", "fixtures", "docs", "package.json", "tsconfig.json"])
      await cp(path.join(ROOT, name), path.join(tree, name), { recursive: true });
    await symlink(path.join(ROOT, "node_modules"), path.join(tree, "node_modules"));
    return new Bench(tree, folder, scale);
  }

  async remove(): Promise<void> {
    this.stop();
    await rm(this.#tree, { recursive: true, force: true });
    await this.#folder.remove();
  }

  async judge({ file, text }: Pick<Mutant, "file" | "text">): Promise<Judged> {
    const place = path.join(this.#tree, file);
    const original = await readFile(place, "utf8");
    await writeFile(place, text);
    this.stop();
    try {
      const near = file.endsWith(".ts") ? "" : path.basename(file, ".sql");
      const judged = await this.ask({ isCore: file.startsWith("sql/core"), near }, file);
      return judged.fate === "survived" ? await this.#ownTests(file) : judged;
    } finally {
      await writeFile(place, original);
      this.stop();
    }
  }

  /** The code's own tests may notice what no answer shows. */
  async #ownTests(file: string): Promise<Judged> {
    const tests = withLong(OWN_TESTS.filter(([of]) => of.test(file)).flatMap(([, own]) => own));
    const isSeen = tests.length > 0 && !(await this.pass(tests));
    return { fate: isSeen ? "caught" : "survived", by: tests.join(", ") };
  }

  async pass(tests: readonly string[]): Promise<boolean> {
    const mocha = path.join("node_modules", "mocha", "bin", "mocha.js");
    // A slow machine is no reason to fail.
    const options = ["--no-config", "--require", "test/support/environment.ts", "--timeout", "0", "--bail"];
    const child = spawn(process.execPath, ["--import", "tsx", mocha, ...options, ...tests], {
      cwd: this.#tree,
      timeout: TESTS_PATIENCE_MS,
      stdio: "ignore",
    });
    const { status, signal } = await ended(child);
    // A change that takes too long cannot be distinguished from a slow machine.
    if (signal !== null) console.error(`given up after ${TESTS_PATIENCE_MS / 60_000} minutes: ${tests.join(", ")}`);
    return status === 0 || signal !== null;
  }

  async ask(wanted: Wanted, file: string): Promise<Judged> {
    this.#child ??= this.#start();
    const child = this.#child;
    let isLate = false;
    return new Promise((done) => {
      const end = (judged: Judged): void => {
        clearTimeout(patience);
        child.off("close", died);
        this.#lines?.off("line", hear);
        done(judged);
      };
      const died = (): void => {
        this.#child = undefined;
        if (isLate) end({ fate: "endless", by: `no answer in ${PATIENCE_MS / 60_000} minutes` });
        else if (!this.#isLoaded) end({ fate: "stillborn", by: "the code does not load" });
        else end({ fate: "caught", by: "the process dies" });
      };
      const patience = setTimeout(() => {
        isLate = true;
        child.kill("SIGKILL");
      }, PATIENCE_MS);
      const hear = (line: string): void => {
        const heard = JSON.parse(line) as Seen & { readonly isLoaded?: true };
        if (heard.isLoaded) this.#isLoaded = true;
        else end(judgedOf(heard, file));
      };
      child.once("close", died);
      this.#lines?.on("line", hear);
      child.stdin?.write(`${JSON.stringify(wanted)}\n`);
    });
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, this.#args, { cwd: this.#tree, stdio: ["pipe", "pipe", "ignore"] });
    child.stdin?.on("error", () => {});
    this.#isLoaded = false;
    this.#lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    return child;
  }

  stop(): void {
    this.#child?.removeAllListeners("close");
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}

/** How the engine's message begins when no statement can be made of a text. */
const NO_STATEMENT = /^(?:Parser|Binder|Catalog) Error: /m;

/**
 * A failure on the data is one that tests see; so is an invalid statement that changed TypeScript writes for some
 * questions.
 */
function judgedOf({ question, failure }: Seen, file: string): Judged {
  if (failure === undefined) return { fate: question ? "caught" : "survived", by: question ?? "nothing" };
  const isStillborn = file.endsWith(".sql") && NO_STATEMENT.test(failure);
  return { fate: isStillborn ? "stillborn" : "caught", by: failure };
}
