import { readdir } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../../contract/error.ts";
import type { RecordDeclaration } from "../../contract/record.ts";
import { checkedText, readChecked } from "../../files/checked.ts";
import { writeNew } from "../../files/durable.ts";
import type { OrganizationFolders } from "../../files/organizationFolders.ts";
import type { ExportFile } from "../find/exports.ts";
import type { IngestedFile } from "./ingested.ts";

/** A landed file, by what its place and name say. */
export interface LandedPlace {
  readonly connector: string;
  readonly record: string;
  readonly integration: string;
  readonly landing: number;
}

/** A revoked or restored file, with the exports that it holds. */
export interface RevokedFile extends LandedPlace {
  readonly exports: readonly IngestedFile[];
}

/** One file of the folder of revocations: all of it applies, or nothing. */
export interface RevocationEvent {
  readonly action: "revoke" | "restore";
  readonly at: string;
  readonly files: readonly RevokedFile[];
  /** The files should never have been seen: no earlier state has them either [D82]. */
  readonly always?: true;
}

/**
 * Which landed files are revoked. Landed files stay; each revocation, and each restoration, adds a numbered file next to
 * them, and the last one about a landed file counts. Everything that reads the lake leaves revoked files out.
 */
export class Revocations {
  readonly #revoked: ReadonlyMap<string, RevokedFile & { readonly at: string; readonly always?: true | undefined }>;
  /** All changes, in their order. */
  readonly events: readonly RevocationEvent[];
  /** The highest number of a landing that was ever revoked: it is not used again, even if its files are deleted. */
  readonly highest: number;

  private constructor(events: readonly RevocationEvent[]) {
    const revoked = new Map<string, RevokedFile & { readonly at: string; readonly always?: true | undefined }>();
    for (const { action, at, files, always } of events) {
      for (const file of files) {
        if (action === "revoke") revoked.set(keyOf(file), { ...file, at, always });
        else revoked.delete(keyOf(file));
      }
    }
    this.#revoked = revoked;
    this.events = events;
    this.highest = Math.max(0, ...events.flatMap(({ files }) => files.map(({ landing }) => landing)));
  }

  /** All changes, in their order. */
  static from(events: readonly RevocationEvent[]): Revocations {
    return new Revocations(events);
  }

  static async of(folders: OrganizationFolders): Promise<Revocations> {
    const events: RevocationEvent[] = [];
    const folder = folders.revocations;
    for (const name of await eventNames(folder)) {
      const file = path.join(folder, name);
      const event = await readChecked<RevocationEvent>(file);
      if (!event) throw new OperatorError(damagedText(path.relative(folders.dataDir, file)));
      events.push(event);
    }
    return new Revocations(events);
  }

  /** When a landed file was revoked; undefined if it is in force. */
  at(file: LandedPlace): string | undefined {
    return this.#revoked.get(keyOf(file))?.at;
  }

  /** Whether no state has the file, not even an earlier one. */
  isForever(file: LandedPlace): boolean {
    return this.#revoked.get(keyOf(file))?.always === true;
  }

  has(record: RecordDeclaration, integration: string, landing: number): boolean {
    return this.#revoked.has(keyOf({ connector: record.connector, record: record.name, integration, landing }));
  }

  /** Whether the file with this name in the lake is revoked. */
  hasNamed(record: RecordDeclaration, name: string): boolean {
    const [integration = "", landing = ""] = name.split(".");
    return this.#revoked.size > 0 && this.has(record, integration, Number(landing));
  }

  /** The revoked landing of exactly this export: it has not been written again since. */
  landingOf(record: RecordDeclaration, integration: string, file: ExportFile): number | undefined {
    const isSame = ({ name, bytes, modified }: IngestedFile): boolean =>
      name === file.name && bytes === file.bytes && modified === String(file.modified);
    return this.#of(record, integration).findLast(({ exports }) => exports.some(isSame))?.landing;
  }

  /** The names of the exports of a record that are in revoked files. */
  exportsOf(record: RecordDeclaration, integration: string): ReadonlySet<string> {
    return new Set(this.#of(record, integration).flatMap(({ exports }) => exports.map(({ name }) => name)));
  }

  #of({ connector, name }: RecordDeclaration, integration: string): RevokedFile[] {
    return [...this.#revoked.values()].filter(
      (one) => one.connector === connector && one.record === name && one.integration === integration,
    );
  }
}

const keyOf = ({ connector, record, integration, landing }: LandedPlace): string =>
  JSON.stringify([connector, record, integration, landing]);

/** Without it, rows that were taken back could count again. */
const damagedText = (file: string): string =>
  `${file} is damaged, so it is not known which landings are revoked: put it back from a backup, or remove it and ` +
  "revoke again (lucra landings list)";

/** Adds an event; it applies as soon as its file appears. The caller is the only writer. */
export async function recordEvent(folders: OrganizationFolders, event: RevocationEvent): Promise<void> {
  const folder = folders.revocations;
  const last = Number((await eventNames(folder)).at(-1)?.slice(0, -".json".length) ?? 0);
  await writeNew(path.join(folder, `${String(last + 1).padStart(6, "0")}.json`), checkedText(event), 0o600);
}

const eventNames = async (folder: string): Promise<string[]> =>
  (
    await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [] as string[];
      throw error;
    })
  )
    .filter((name) => /^\d{6}\.json$/.test(name))
    .sort();
