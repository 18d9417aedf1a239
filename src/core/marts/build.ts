import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { CONNECTOR_KINDS, type RecordDeclaration, relationOf } from "../contract/record.ts";
import type { Organization } from "../contract/settings.ts";
import { type Database, literal, type Session } from "../engine/database.ts";
import { readMacros, readSql } from "../engine/sql.ts";
import { flushToDisk } from "../files/durable.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { exportsIn, type IngestedFile, landingOf } from "../landing/ledger/ingested.ts";
import { holdsParts } from "../landing/ledger/verify.ts";
import { assembledFile } from "../landing/map/assemble.ts";
import { bounded, ONE_PARTITION, type Partition, type PartitionBounds, partitionsOf } from "./partitions.ts";
import type { Pulled } from "./pulledUntil.ts";
import { type CoreRelation, INTEGRATIONS, isMaterialized, READ } from "./relations.ts";
import { ORDER_RECORDS, SPEND_RECORDS, servedOrder, stagingRows, supersededRows } from "./staging.ts";

/** The landed files of an organization, by record. */
export type LakeFiles = ReadonlyMap<RecordDeclaration, readonly string[]>;

/** Records whose rows are served unchanged are kept; the others only feed the core. */
export const isServedAsLanded = (record: RecordDeclaration): boolean =>
  record.served !== undefined && !record.served.source;

/** Where a generation is built, and from where. */
export interface BuildPlace {
  readonly folders: OrganizationFolders;
  /** Of the derived files. */
  readonly folder: string;
  /** Whether orders are so few that a copy of them costs less than planning their view in each statement. */
  readonly copiesOrders: boolean;
  /** A folder for joined parts, if those of the newest data must stay as they are. */
  readonly assembled?: string;
}

/** An unfinished generation: a session in which every finished relation has its name, and the folder of the files. */
export class Build {
  readonly session: Session;
  readonly folder: string;
  readonly #database: Database;
  readonly #place: BuildPlace;
  #currency: string | undefined;

  constructor(database: Database, session: Session, place: BuildPlace) {
    this.#database = database;
    this.#place = place;
    this.session = session;
    this.folder = place.folder;
  }

  file(name: string): string {
    return path.join(this.folder, `${name}.parquet`);
  }

  /** Sets the organization's settings, secret and landing times in the session, and derives its integrations. */
  async prepare(settings: Organization, files: LakeFiles, secret: string, pulled: Pulled): Promise<void> {
    const { session } = this;
    this.#currency = settings.currency;
    await session.set("organization_id", this.#place.folders.organization);
    await session.set("settings", JSON.stringify(settings));
    await session.set("customer_secret", secret);
    await session.set("connector_kinds", JSON.stringify(CONNECTOR_KINDS));
    const landed = await landedFiles(session, files);
    const landings = landed.map(({ integration_id, record, landed_at }) => ({
      integration_id,
      record: record.name,
      landed_at,
    }));
    await session.set("landings", JSON.stringify(landings));
    const days = Object.entries(pulled).map(([integration_id, pulled_until]) => ({ integration_id, pulled_until }));
    await session.set("pulled", JSON.stringify(days));
    await session.set("landed_exports", JSON.stringify(exportCounts(landed)));
    const exportsOf = (records: ReadonlySet<string>): string =>
      JSON.stringify(exportFiles(landed.filter(({ record }) => records.has(relationOf(record)))));
    await session.set("ad_exports", exportsOf(SPEND_RECORDS));
    await session.set("order_exports", exportsOf(ORDER_RECORDS));
    await session.run(coreMacros());
    await session.run("drop schema if exists staging cascade; create schema staging");
    await this.make(INTEGRATIONS, ONE_PARTITION);
  }

  /** Drops what remains after the session: the next organization uses the same names. */
  clear(): Promise<void> {
    return this.session.run("drop schema if exists staging cascade");
  }

  /**
   * `staging.<connector>_<record>`: a table if rows are combined, otherwise a view of the lake; kept if it is served.
   */
  async stage(record: RecordDeclaration, landed: readonly string[]): Promise<void> {
    const name = relationOf(record);
    const isCopied = ORDER_RECORDS.has(name) ? this.#place.copiesOrders : record.segmented || record.served;
    await this.#staged(record, landed, isCopied ? "table" : "view");
  }

  /** The same, always as a view. */
  stageView(record: RecordDeclaration, landed: readonly string[]): Promise<void> {
    return this.#staged(record, landed, "view");
  }

  async #staged(record: RecordDeclaration, landed: readonly string[], kind: "table" | "view"): Promise<void> {
    const files = await this.#joined(record, landed);
    if (files.length === 0) return this.#stageNothing(record);
    const name = relationOf(record);
    if (!record.ownTable) await this.session.run(supersededRows(record, files));
    const rows = stagingRows(record, files);
    if (isServedAsLanded(record)) {
      await this.session.run(
        `copy (from (${rows}) order by ${servedOrder(record)}) to ${literal(this.file(name))} (${FORMAT});
          create view staging.${name} as from ${rowsOf(this.file(name))}`,
      );
    } else {
      await this.session.run(`create ${kind} staging.${name} as ${rows}`);
    }
  }

  /** The files with the rows of a record: landed parts are replaced by what they join to. */
  async #joined(record: RecordDeclaration, landed: readonly string[]): Promise<string[]> {
    const files = landed.filter((file) => !holdsParts(file));
    const integrations = new Map<string, string[]>();
    for (const file of landed.filter(holdsParts)) {
      const id = path.basename(file).split(".")[0] ?? "";
      integrations.set(id, [...(integrations.get(id) ?? []), file]);
    }
    for (const [id, parts] of integrations) {
      const place = {
        folders: this.#place.folders,
        integration: { id },
        record,
        currency: this.#currency,
      };
      const assembled = await assembledFile(this.session, place, parts, this.#place.assembled);
      if (assembled) files.push(assembled.file);
    }
    return files;
  }

  /** A record that never landed: its file is the same for every organization, so the engine writes it only once. */
  async #stageNothing(record: RecordDeclaration): Promise<void> {
    const name = relationOf(record);
    const rows = stagingRows(record, []);
    if (isServedAsLanded(record)) {
      const file = this.file(name);
      const known = nothing.get(name);
      if (known) await writeFile(file, known);
      else {
        await this.session.run(`copy (${rows}) to ${literal(file)} (${FORMAT})`);
        nothing.set(name, await readFile(file));
      }
    }
    await this.session.run(`create view staging.${name} as ${rows}`);
  }

  /** Derives a relation: kept as its declaration requires, otherwise for this session only. */
  async make(relation: CoreRelation, bounds: PartitionBounds): Promise<void> {
    const sql = coreSql(relation.name);
    if (!isMaterialized(relation)) await this.tempTable(relation.name, ordered(relation, sql));
    else if (relation.partition) await this.materializePartitions(relation, sql, bounds);
    else await this.materialize(relation.name, ordered(relation, sql), relation.rowGroup);
  }

  /** A table of this session only. */
  tempTable(name: string, sql: string): Promise<void> {
    return this.session.run(`create temp table ${name} as ${sql}`);
  }

  view(name: string, sql: string): Promise<void> {
    return this.session.run(`create or replace temp view ${name} as ${sql}`);
  }

  /** The statement that writes the rows of a query into a file of the relation. */
  copy(file: string, sql: string, relation: Pick<CoreRelation, "rowGroup">): string {
    return `copy (${sql}) to ${literal(path.join(this.folder, file))} (${formatOf(relation)})`;
  }

  /**
   * Runs statements that read nothing temporary, each in one of two other sessions: most have too few rows for several
   * threads of the engine.
   */
  async runApart(statements: readonly string[]): Promise<void> {
    const left = statements.values();
    const work = (): Promise<void> =>
      this.#database.use(async (session) => {
        for (const sql of left) await session.run(sql);
      });
    const ended = await Promise.allSettled([work(), work()]);
    for (const one of ended) if (one.status === "rejected") throw one.reason;
  }

  async materialize(name: string, sql: string, rowGroup?: number): Promise<void> {
    await this.session.run(this.copy(`${name}.parquet`, sql, { rowGroup }));
    await this.viewWritten({ name, partition: undefined });
  }

  async materializePartitions(relation: CoreRelation, sql: string, bounds: PartitionBounds): Promise<void> {
    const parts = partitionsOf(relation, bounds);
    const [only] = parts;
    if (only && parts.length === 1) {
      await this.writePartition(relation, only, sql);
    } else {
      const whole = `whole_${relation.name}`;
      await this.tempTable(whole, sql);
      for (const part of parts) await this.writePartition(relation, part, `from ${whole} where ${bounded(part)}`);
      await this.session.run(`drop table ${whole}`);
    }
    await this.viewWritten(relation);
  }

  /** Writes the rows of one partition; the query may return them in any order. */
  writePartition(relation: CoreRelation, part: Partition, sql: string): Promise<void> {
    return this.session.run(this.copy(part.file, ordered(relation, sql), relation));
  }

  /** Creates the view of a finished relation, if another relation reads it. */
  async viewWritten({ name, partition }: Pick<CoreRelation, "name" | "partition">): Promise<void> {
    if (!READ.has(name)) return;
    await this.view(name, `from ${partition ? partitionFiles(this.folder, { name }) : rowsOf(this.file(name))}`);
  }

  /** Flushes the files to disk, so that they survive a power cut. */
  async sync(): Promise<void> {
    const names = await readdir(this.folder);
    await Promise.all(names.map((name) => flushToDisk(path.join(this.folder, name))));
  }
}

/** Rows sorted as the relation declares it. */
export const ordered = ({ order }: CoreRelation, sql: string): string =>
  order ? `from (${sql}) order by ${order}` : sql;

const FORMAT = "format parquet, compression zstd";

const formatOf = ({ rowGroup }: Pick<CoreRelation, "rowGroup">): string =>
  rowGroup === undefined ? FORMAT : `${FORMAT}, row_group_size ${rowGroup}`;

/** The files without rows, by relation. */
const nothing = new Map<string, Buffer>();

/** The files of a relation in a generation's folder, the oldest partition first. */
export const partitionFiles = (folder: string, relation: Pick<CoreRelation, "name">): string =>
  rowsOf(path.join(folder, `${relation.name}*.parquet`));

/** The rows of a file; folder names are not read as columns. */
export const rowsOf = (file: string): string => `read_parquet(${literal(file)}, hive_partitioning = false)`;

/** The macros of the core relations. */
export const coreMacros = (): string =>
  readMacros(
    "setup/rounding",
    "setup/text",
    "staging/macros",
    "core/macros",
    "setup/day_sums",
    "setup/payback_sums",
    "setup/profit_amounts",
  );

export const coreSql = (name: string): string => readSql(`core/${name}`);

/** A landed file: when it landed, and the exports in it. */
interface LandedFile {
  readonly file: string;
  readonly integration_id: string;
  readonly record: RecordDeclaration;
  readonly landed_at: string;
  readonly exports: readonly IngestedFile[];
}

/** The landed files, including those without rows [D9]. */
async function landedFiles(session: Session, files: LakeFiles): Promise<LandedFile[]> {
  const all = [...files].flatMap(([record, lake]) => lake.map((file): [string, RecordDeclaration] => [file, record]));
  const records = new Map(all);
  const footers = await exportsIn(session, [...records.keys()]);
  return footers.flatMap(({ file, landedAt, exports }) => {
    const record = records.get(file);
    const integration_id = path.basename(file).split(".")[0] ?? "";
    return record ? [{ file, integration_id, record, landed_at: landedAt, exports }] : [];
  });
}

/**
 * The exports in landed files: when each was written, in nanoseconds, its path in the exports folder, and its name in that of the
 * record. Rows that are joined from several files are of none.
 */
const exportFiles = (landed: readonly LandedFile[]): object[] =>
  landed.flatMap(({ file, integration_id, exports }) =>
    exports.map((one) => ({
      integration_id,
      landing: landingOf(file),
      rows_landing: one.landing ?? landingOf(file),
      file_no: one.fileNo ?? null,
      modified: one.modified,
      path: `${integration_id}/${one.name}`,
      name: holdsParts(file) ? null : one.name,
    })),
  );

/** How many exports landed of each record of an integration, and when the last one did. */
function exportCounts(landings: readonly LandedFile[]): object[] {
  const groups = new Map<string, LandedFile[]>();
  for (const landing of landings) {
    const key = JSON.stringify([landing.integration_id, landing.record.name]);
    groups.set(key, [...(groups.get(key) ?? []), landing]);
  }
  return [...groups.values()].map((group) => ({
    integration_id: group[0]?.integration_id,
    record: group[0]?.record.name,
    files: new Set(group.flatMap(({ exports }) => exports.map(({ name }) => name))).size,
    landed_at: group
      .map(({ landed_at }) => landed_at)
      .sort()
      .at(-1),
  }));
}
