import { Database, literal } from "../../src/core/engine/database.ts";
import { AURORA, DataFolder, exportsOf, seeded } from "../../test/support/data.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { boundedSync, rejectedIn } from "../support/bounded.ts";
import { minutes } from "../support/minutes.ts";
import { normalized } from "../tables/csv.ts";
import { damaged } from "../tables/damage.ts";
import { DOWNLOADS } from "../tables/downloads.ts";
import type { FileSet, Found, FoundRows, Kind } from "../tables/kind.ts";
import { TOOLS } from "../tables/tools.ts";

const KINDS: readonly Kind[] = [...DOWNLOADS, ...TOOLS];

/** How many files of each kind are damaged in one sync, and how many bytes in all of them. */
const SIZES: Record<Scale, { readonly files: number; readonly bytes: number }> = {
  short: { files: 40, bytes: 60_000 },
  long: { files: 80, bytes: 1_000_000 },
};

/** A run goes on after a fault, so that it shows all of them, up to this number. */
const MOST_FAULTS = 20;

export const poisonedTables: Part = {
  name: "poisoned tables",
  promise:
    "Whatever bytes of a tool's or a download's file are damaged, no other row lands than those that the damaged file " +
    "holds, with their amounts; what is intact lands, unless the file is refused with its reason.",
  method:
    "Files of every tool and download are written, some of their bytes changed, removed, inserted, repeated or cut off, " +
    "and landed in a separate process whose memory, disk and time are watched. Readers that were written for this " +
    "attack, and share no code with Lucra, read the same bytes: each landed row has to be one that they find, with the " +
    "same key and amounts; each row that they find intact has to land if its file is not refused. A line that neither " +
    "lands nor is rejected is a fault, and so is a report without a failure where something is missing.",
  run: attack,
};

async function attack(scale: Scale, seed: number): Promise<Figure[]> {
  const { files, bytes } = SIZES[scale];
  const random = seeded(seed);
  const counts: Counts = { files: 0, bytes: 0, landed: 0, rejected: 0, refused: 0 };
  const faults: string[] = [];
  const until = performance.now() + minutes(60) * 60_000;
  const isOver = (): boolean => counts.bytes >= bytes || faults.length >= MOST_FAULTS || performance.now() >= until;
  for (let turn = 0; turn === 0 || !isOver(); turn++) {
    try {
      const found = await attackOnce(KINDS, files, random, counts);
      faults.push(...found.map((fault) => `turn ${turn}, ${fault}`));
    } catch (error) {
      throw new Error([...faults, `seed ${seed}, turn ${turn}: ${(error as Error).message}`].join("\n\n"), {
        cause: error,
      });
    }
  }
  if (faults.length > 0) throw new Error(`seed ${seed}, ${faults.length} faults\n\n${faults.join("\n\n")}`);
  const said: Record<keyof Counts, string> = {
    files: "damaged files",
    bytes: "bytes changed in them",
    landed: "rows landed as they are in the file",
    rejected: "rows rejected",
    refused: "files refused whole",
  };
  return Object.entries(said).map(([of, what]) => ({
    what,
    value: counts[of as keyof Counts].toLocaleString("en-US"),
  }));
}

type Counts = Record<"files" | "bytes" | "landed" | "rejected" | "refused", number>;

/** Files that were written together, what they were before, and what is found in them. */
interface Case {
  readonly kind: Kind;
  readonly files: FileSet;
  readonly isDamaged: boolean;
  readonly found: FoundRows | undefined;
}

const integrationOf = (at: number): string => `${String(at).padStart(8, "0")}-0b5e-4f3a-8c11-2e9f4a6b7d77`;

/** Returns what is wrong about the landings. */
async function attackOnce(
  kinds: readonly Kind[],
  files: number,
  random: () => number,
  counts: Counts,
): Promise<string[]> {
  const data = await DataFolder.empty();
  try {
    await data.settings({
      organizationId: AURORA,
      name: "x",
      currency: "BRL",
      integrations: kinds.map((kind, at) => ({
        id: integrationOf(at),
        connector: kind.record.split("/")[0] as "storea",
        name: kind.name,
        ...kind.settings,
      })),
    });
    const cases = new Map<Kind, Case[]>();
    for (const [at, kind] of kinds.entries()) cases.set(kind, await write(data, at, kind, files, random, counts));
    const { report, status } = await boundedSync(data);
    if (report.failures.length > 0) throw new Error(`failures: ${JSON.stringify(report.failures)}`);
    const isRefused = report.outcomes.some(({ refused, rejected }) => refused.length > 0 || rejected > 0);
    if (isRefused !== (status === 1)) throw new Error(`the sync ended with status ${status}`);
    const database = await Database.open({ threads: 1 });
    try {
      const faults: string[] = [];
      for (const [at, kind] of kinds.entries()) {
        const outcome = report.outcomes.find(
          ({ integration, record }) => integration === integrationOf(at) && kind.record.endsWith(`/${record}`),
        );
        const refused = new Map(outcome?.refused.map(({ file, reason }) => [file, reason]));
        const own = cases.get(kind) ?? [];
        faults.push(...(await compare(data, database, integrationOf(at), kind, own, refused, counts)));
      }
      return faults;
    } finally {
      database.close();
    }
  } finally {
    await data.remove();
  }
}

/** Writes files of a kind, the first ones undamaged. */
async function write(
  data: DataFolder,
  at: number,
  kind: Kind,
  count: number,
  random: () => number,
  counts: Counts,
): Promise<Case[]> {
  const folder = exportsOf(integrationOf(at), kind.record.split("/")[1] as string);
  const cases: Case[] = [];
  for (let number = 0; number <= count; number++) {
    const made = await kind.make(random, number);
    const files: Record<string, Buffer> = { ...made };
    const names = Object.keys(made);
    const chosen = names[Math.floor(random() * names.length)] as string;
    if (number > 0) {
      const { content, bytes } = damaged(made[chosen] as Buffer, random);
      files[chosen] = content;
      counts.files++;
      counts.bytes += bytes;
    }
    for (const [name, content] of Object.entries(files)) await data.write(`${folder}/${name}`, content);
    cases.push({ kind, files, isDamaged: number > 0, found: await kind.read(files, made) });
  }
  return cases;
}

interface Landed {
  readonly key: string;
  readonly values: Readonly<Record<string, string | null>>;
}

async function compare(
  data: DataFolder,
  database: Database,
  integration: string,
  kind: Kind,
  cases: readonly Case[],
  refused: ReadonlyMap<string, string>,
  counts: Counts,
): Promise<string[]> {
  const landed = await landedOf(data, database, integration, kind);
  const rejects = await rejectedIn(data, exportsOf(integration, kind.record.split("/")[1] as string));
  const own = (name: string, all: Iterable<string>): string[] =>
    [...all].filter((one) => one === name || one.startsWith(`${name}/`));
  const sum = (names: readonly string[]): number => names.reduce((sum, name) => sum + (rejects.get(name) ?? 0), 0);
  const faults: string[] = [];
  for (const { files, found, isDamaged } of cases) {
    const names = Object.keys(files);
    const reasons = names.flatMap((name) => own(name, refused.keys())).map((name) => `${name} ${refused.get(name)}`);
    const rows = names.flatMap((name) => own(name, landed.keys())).flatMap((name) => landed.get(name) ?? []);
    const rejected = names.flatMap((name) => own(name, rejects.keys()));
    const fault = faultOf(found, rows, reasons.length > 0, sum(rejected), isDamaged);
    if (fault) {
      const content = Object.values(files).map((one) => one.toString("latin1"));
      const fate = `refused: ${reasons.join("; ")}; rejected: ${sum(rejected)}`;
      faults.push([`${kind.name}, ${names.join(" and ")}: ${fault}`, fate, ...content].join("\n"));
    }
    counts.landed += rows.length;
    counts.rejected += sum(rejected);
    counts.refused += reasons.length;
  }
  return faults;
}

/** What is wrong about the landing of one set of files. */
function faultOf(
  found: FoundRows | undefined,
  landed: readonly Landed[],
  isRefused: boolean,
  rejected: number,
  isDamaged: boolean,
): string | undefined {
  if (!isDamaged && (isRefused || rejected > 0)) return "an undamaged file was refused or rejected";
  // Intact rows first: of two readings of one key, the damaged one may have any values.
  const left = [...(found?.rows ?? [])].sort((a, b) => Number(b.isIntact) - Number(a.isIntact));
  const missing: Found[] = [];
  for (const row of landed) {
    const at = left.findIndex((one) => one.isBroken !== true && isSame(one, row));
    if (at >= 0) left.splice(at, 1);
    else {
      const alike = (found?.rows ?? []).filter(({ key }) => key === row.key);
      return `landed wrong: ${JSON.stringify(row)}, found: ${shown(alike)}`;
    }
  }
  if (isRefused) return undefined;
  missing.push(...left.filter(({ isIntact, isBroken }) => isIntact && !isBroken));
  if (missing.length > 0) return `did not land: ${shown(missing)}`;
  if (found?.lines !== undefined && landed.length + rejected !== found.lines)
    return `${found.lines} lines, but ${landed.length} landed and ${rejected} were rejected`;
  return undefined;
}

const shown = (rows: readonly Found[]): string =>
  JSON.stringify(rows, (_, value) => (typeof value === "function" ? "a condition" : value));

/** White space around an id says nothing. */
const oneSpace = (key: string): string => key.trim().replaceAll(/\s+/g, " ");

const isSame = ({ key, values }: Found, row: Landed): boolean =>
  oneSpace(key) === oneSpace(row.key) &&
  Object.entries(values).every(([field, value]) => {
    const own = row.values[field] ?? null;
    if (typeof value === "function") return value(own);
    return value === own || (value !== null && own !== null && value === normalized(own));
  });

/** The landed rows by file: those of the lake, and those that were joined of parts. */
async function landedOf(
  data: DataFolder,
  database: Database,
  integration: string,
  kind: Kind,
): Promise<Map<string, Landed[]>> {
  const files = (await data.files())
    .filter((name) => name.includes(`.${integration}.`) || name.includes(`/${integration}.`))
    .filter((name) => name.endsWith(".parquet"));
  const lake = files.filter((name) => name.startsWith("lake/"));
  const rows = files.filter(
    (name) => !name.endsWith(".parts.parquet") && (name.startsWith("lake/") || name.includes("assembled")),
  );
  if (rows.length === 0) return new Map();
  const list = (names: readonly string[]): string =>
    `[${names.map((name) => literal(`${data.path}/${name}`)).join(", ")}]`;
  const values = Object.entries(kind.values).map(([name, sql]) => `(${sql})::varchar as "${name}"`);
  const found = await database.use((session) =>
    session.rows(
      `with exports as (
          select regexp_extract(file_name, '\\.(\\d+)\\.[^/]*$', 1)::int as landing,
            unnest(from_json(decode(value), '[{"name": "varchar", "fileNo": "int"}]')) as export
          from parquet_kv_metadata(${list(lake)}) where decode(key) = 'lucra'
        )
        select export.name as file, (${kind.key})::varchar as row_key, ${values.join(", ")}
        from read_parquet(${list(rows)}, union_by_name = true) as landed
        join exports on exports.landing = landed._landing and export."fileNo" = landed._file_no
        order by all`,
    ),
  );
  const landed = new Map<string, Landed[]>();
  for (const { file, row_key: key, ...rest } of found) {
    const own = landed.get(String(file)) ?? [];
    own.push({ key: String(key), values: rest as Landed["values"] });
    landed.set(String(file), own);
  }
  return landed;
}
