import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { landedFields, type RecordDeclaration } from "../../src/core/contract/record.ts";
import { Database, identifier, literal, type Row, type Session } from "../../src/core/engine/database.ts";
import { readMacros } from "../../src/core/engine/sql.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { landRecord } from "../../src/core/landing/land.ts";
import { landings } from "../../src/core/landing/ledger/ingested.ts";
import { assembledFile } from "../../src/core/landing/map/assemble.ts";
import type { Outcome } from "../../src/core/landing/outcome.ts";

import { stagingRows, supersededRows } from "../../src/core/marts/staging.ts";
import { records } from "../../src/core/records/index.ts";
import { INTEGRATION, ORGANIZATION, type Reject } from "./landing.ts";
import { parquet } from "./parquet.ts";

export type Files = Readonly<Record<string, string | Buffer>>;

let engine: Promise<Database> | undefined;

/** A record's folder of one integration, into which files are put, sync by sync. */
export class RecordFolder {
  readonly #dataDir: string;
  readonly #record: RecordDeclaration;
  readonly #database: Database;
  #landing = 0;
  #files = 0;
  /** After each sync: the parts that had landed, and what they joined to. */
  readonly #joined: { readonly parts: readonly string[]; readonly rows: readonly string[] }[] = [];

  private constructor(dataDir: string, record: RecordDeclaration, database: Database) {
    this.#dataDir = dataDir;
    this.#record = record;
    this.#database = database;
  }

  static async of(name: string): Promise<RecordFolder> {
    const record = records.find((one) => `${one.connector}/${one.name}` === name);
    if (!record) throw new Error(`no record ${name}`);
    engine ??= Database.open({ threads: 1 });
    return new RecordFolder(await mkdtemp(path.join(tmpdir(), "lucra-tools-")), record, await engine);
  }

  get #place() {
    const integration = { id: INTEGRATION, connector: this.#record.connector, name: "x" };
    return { folders: foldersOf(this.#dataDir, ORGANIZATION), integration, record: this.#record };
  }

  /** Adds files, each younger than the one before, and lands them. */
  async sync(files: Files): Promise<Outcome> {
    const folder = foldersOf(this.#dataDir, ORGANIZATION).exports(INTEGRATION, this.#record.name);
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
      const at = new Date(Date.UTC(2026, 0, 1, 0, ++this.#files));
      await utimes(file, at, at);
    }
    const stamp = { landing: ++this.#landing, landedAt: new Date(Date.UTC(2026, 0, 2, this.#landing)).toISOString() };
    const { outcome, failures } = await landRecord(this.#database, this.#place, stamp, () => {});
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    await this.#database.use(async (session) => {
      const { parts } = await landings(this.#place);
      const joined = await assembledFile(session, this.#place, parts);
      if (joined) this.#joined.push({ parts, rows: await rowsIn(session, joined.file) });
    });
    return outcome;
  }

  /** What the parts of earlier syncs joined to is what they join to for an earlier state [D80]. Fails otherwise. */
  async #sameThen(session: Session): Promise<void> {
    for (const { parts, rows } of this.#joined.slice(0, -1)) {
      const aside = await mkdtemp(path.join(tmpdir(), "lucra-aside-"));
      const then = await assembledFile(session, this.#place, parts, aside);
      const found = then ? await rowsIn(session, then.file) : [];
      await rm(aside, { recursive: true });
      if (JSON.stringify(found) !== JSON.stringify(rows))
        throw new Error(`after ${parts.length} landings: ${rows.join("\n")}\nfor that state: ${found.join("\n")}`);
    }
  }

  /** The winning rows, as they are served, with their fields only; those that are null are left out. */
  async rows(): Promise<Row[]> {
    return this.#database.use(async (session) => {
      await this.#sameThen(session);
      const { files, parts } = await landings(this.#place);
      const lake = files.filter((file) => !parts.includes(file));
      const joined = await assembledFile(session, this.#place, parts);
      if (joined) lake.push(joined.file);
      if (lake.length === 0) return [];
      await session.run(`${readMacros("setup/text", "staging/macros", "core/macros")}
        set variable organization_id = 'o';
        create or replace temp table integrations as
          select '${INTEGRATION}' as integration_id, null as user_id, null as integration_name;
        ${supersededRows(this.#record, lake)}`);
      const fields = landedFields(this.#record).map(([name]) => identifier(name));
      const rows = await session.rows(
        `select ${fields.join(", ")} from (${stagingRows(this.#record, lake)}) order by all`,
      );
      return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
    });
  }

  /** Removes what was joined, so that it is made again from all parts. */
  forget(): Promise<void> {
    return rm(path.join(foldersOf(this.#dataDir, ORGANIZATION).mart, "assembled"), { recursive: true, force: true });
  }

  async rejects(): Promise<Reject[]> {
    const folder = foldersOf(this.#dataDir, ORGANIZATION).rejects(INTEGRATION, this.#record.name);
    const found: Reject[] = [];
    for (const name of (await readdir(folder, { recursive: true }).catch(() => [])).sort()) {
      if (!name.endsWith(".jsonl")) continue;
      const text = await readFile(path.join(folder, name), "utf8");
      found.push(
        ...text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as Reject),
      );
    }
    return found;
  }

  remove(): Promise<void> {
    return rm(this.#dataDir, { recursive: true, force: true });
  }
}

/** Every column of every row, in any order. */
const rowsIn = (session: Session, file: string): Promise<string[]> =>
  session.texts(
    `select to_json(row)::varchar as text from read_parquet(${literal(file)}, hive_partitioning = false) row order by text`,
  );

/** Lands the files of several syncs. */
export async function landedBy(
  record: string,
  ...syncs: readonly Files[]
): Promise<{ rows: Row[]; outcomes: Outcome[]; rejects: Reject[] }> {
  const folder = await RecordFolder.of(record);
  try {
    const outcomes: Outcome[] = [];
    for (const files of syncs) outcomes.push(await folder.sync(files));
    return { rows: await folder.rows(), outcomes, rejects: await folder.rejects() };
  } finally {
    await folder.remove();
  }
}

/** A Parquet file with structs and lists, its columns replaced as given. */
export async function parquetOf(rows: readonly object[], replace = ""): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-rows-"));
  try {
    const file = path.join(folder, "rows.jsonl");
    await writeFile(file, lines(...rows));
    const read = `read_json(${literal(file)}, format = 'newline_delimited', map_inference_threshold = -1)`;
    return await parquet(`select * ${replace} from ${read}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const lines = (...rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
