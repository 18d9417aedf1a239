import { link } from "node:fs/promises";
import path from "node:path";
import { type RecordDeclaration, relationOf } from "../contract/record.ts";
import { literal } from "../engine/database.ts";
import { type Build, isServedAsLanded, type LakeFiles, rowsOf } from "./build.ts";
import type { Generation } from "./generations.ts";
import { ONE_PARTITION, type PartitionBounds, partitionsOf } from "./partitions.ts";
import { type CoreRelation, outdatedBy } from "./relations.ts";
import { LANDED_RECORDS, landedRecords } from "./staging.ts";

/** A generation, and the files that landed since; nothing else differs. */
export interface Additions {
  readonly before: Generation;
  readonly added: LakeFiles;
}

/** The previous generation, as far as no new file changes it: its files are linked. */
export class Reuse {
  readonly #build: Build;
  readonly #files: LakeFiles;
  readonly #added: LakeFiles;
  /** The folder of the previous generation. */
  readonly folder: string;
  readonly bounds: PartitionBounds;
  /** The relations whose inputs have changed. */
  readonly outdated: ReadonlySet<CoreRelation>;

  constructor(build: Build, files: LakeFiles, { before, added }: Additions) {
    this.#build = build;
    this.#files = files;
    this.#added = added;
    this.folder = before.folder;
    this.bounds = before.basis?.bounds ?? ONE_PARTITION;
    this.outdated = outdatedBy(new Set(this.#grown().map(relationOf)));
  }

  /** The records that have new files. */
  #grown(): RecordDeclaration[] {
    return [...this.#added].filter(([, files]) => files.length > 0).map(([record]) => record);
  }

  addedTo(record: RecordDeclaration): readonly string[] {
    return this.#added.get(record) ?? [];
  }

  take(file: string): Promise<void> {
    return link(path.join(this.folder, file), path.join(this.#build.folder, file));
  }

  /** Takes the files of a relation. */
  async keep(relation: CoreRelation): Promise<void> {
    const parts = relation.partition ? partitionsOf(relation, this.bounds) : [{ file: `${relation.name}.parquet` }];
    for (const { file } of parts) await this.take(file);
    await this.#build.viewWritten(relation);
  }

  /** Stages a record if it has new files or is one of those that are read; takes its file if it is served unchanged. */
  async stage(record: RecordDeclaration, isRead: boolean): Promise<void> {
    const name = relationOf(record);
    const isGrown = this.addedTo(record).length > 0;
    if (isServedAsLanded(record) && !isGrown) {
      await this.take(`${name}.parquet`);
      if (isRead)
        await this.#build.session.run(`create view staging.${name} as from ${rowsOf(this.#build.file(name))}`);
    } else if (isGrown || isRead) {
      await this.#build.stage(record, this.#files.get(record) ?? []);
    }
  }

  /** Counts the rows of the records that have new files. */
  async countRecords(): Promise<void> {
    const grown = this.#grown();
    // Without new files the counts are the same.
    if (grown.length === 0) return this.take(`${LANDED_RECORDS.name}.parquet`);
    const kept = rowsOf(path.join(this.folder, `${LANDED_RECORDS.name}.parquet`));
    const names = grown.map((record) => `(${literal(record.connector)}, ${literal(record.name)})`).join(", ");
    await this.#build.materialize(
      LANDED_RECORDS.name,
      `from (${landedRecords(new Map(grown.map((record) => [record, this.#files.get(record) ?? []])))})
        union all by name
        select kept.* from ${kept} as kept join integrations using (integration_id)
        where (connector, record) not in (${names})
        order by integration_id, record`,
    );
  }
}
