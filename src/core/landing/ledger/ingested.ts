import { readdir } from "node:fs/promises";
import path from "node:path";
import type { RecordDeclaration } from "../../contract/record.ts";
import type { Integration } from "../../contract/settings.ts";
import { coordinationOf } from "../../coordination/registry.ts";
import { literal, type Session } from "../../engine/database.ts";
import type { OrganizationFolders } from "../../files/organizationFolders.ts";
import { exported } from "../../records/index.ts";
import type { ExportFile } from "../find/exports.ts";
import { Revocations } from "./revocations.ts";
import { type CheckedFile, holdsParts } from "./verify.ts";

/** An export that has landed: the Parquet file that holds the rows also holds this list. */
export interface IngestedFile {
  readonly name: string;
  readonly bytes: number;
  readonly modified: string;
  readonly sha256: string;
  readonly rows: number;
  readonly rejected: number;
  /** Its number among the exports of its landing, which its rows carry. */
  readonly fileNo: number;
  /** The number of the landing that its rows carry, if it is not that of their file. */
  readonly landing?: number;
  /** Its columns that did not land, because they are not fields of the record. */
  readonly unknown?: readonly string[];
  /** Notes: data that it cannot give, and figures that are missing therefore. */
  readonly notes?: readonly string[];
  /** The streams whose parts it holds. */
  readonly streams?: readonly string[];
}

export interface LakePlace {
  readonly folders: OrganizationFolders;
  readonly integration: Pick<Integration, "id">;
  readonly record: RecordDeclaration;
}

export const lakeFolder = (place: LakePlace): string => place.folders.lake(place.record);

/**
 * The landed files of one record of one integration, oldest first, those of them that hold parts, and the number after
 * the last one's.
 */
export async function landings(
  place: LakePlace,
  revocations?: Revocations,
): Promise<{ files: string[]; parts: string[]; next: number }> {
  const folder = lakeFolder(place);
  const revoked = revocations ?? (await Revocations.of(place.folders));
  // A damaged or missing file still has its manifest, so its number is not used again.
  const own = (await namesIn(folder)).filter((name) => name.startsWith(`${place.integration.id}.`)).sort();
  const files = own
    .filter((name) => name.endsWith(".parquet") && !revoked.hasNamed(place.record, name))
    .map((name) => path.join(folder, name));
  return { files, parts: files.filter(holdsParts), next: Math.max(numberOf(own.at(-1)), revoked.highest) + 1 };
}

/**
 * The number of the first landing of a sync: above those of every record and integration of the organization, so that a
 * higher number means a later landing for rows of different integrations, too.
 */
export async function nextLanding(folders: OrganizationFolders): Promise<number> {
  const names = await Promise.all(exported.map((record) => namesIn(folders.lake(record))));
  const { highest } = await Revocations.of(folders);
  const free = Math.max(highest, ...names.flat().map(numberOf)) + 1;
  return claimLanding(folders, free);
}

/** The number of a further landing: `free`, or a higher one. */
export const claimLanding = ({ dataDir, organization }: OrganizationFolders, free: number): Promise<number> =>
  coordinationOf(dataDir).numbers.claim(organization, "landing", free);

const numberOf = (name: string | undefined): number => Number(/^[^.]+\.(\d+)\./.exec(name ?? "")?.[1] ?? 0);

/** The names in a folder, none without it. */
export const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });

/** Which exports have landed, by name: the last version of each. */
export class IngestedFiles {
  readonly #last = new Map<string, IngestedFile>();

  constructor(landed: readonly IngestedFile[]) {
    for (const file of landed) this.#last.set(file.name, file);
  }

  /** How many exports have landed, also those whose landed file is lost. */
  get size(): number {
    return this.#last.size;
  }

  /** Columns that did not land, each with the exports that have it. */
  get unknownColumns(): ReadonlyMap<string, readonly string[]> {
    const files = new Map<string, string[]>();
    for (const { name, unknown = [] } of this.#last.values()) {
      for (const column of unknown) files.set(column, [...(files.get(column) ?? []), name]);
    }
    return files;
  }

  /** Notes about exports, each with the exports that it is about. */
  get notes(): ReadonlyMap<string, readonly string[]> {
    const files = new Map<string, string[]>();
    for (const { name, notes = [] } of this.#last.values()) {
      for (const note of notes) files.set(note, [...(files.get(note) ?? []), name]);
    }
    return files;
  }

  /** Whether any version of this file has landed. */
  hasNamed(file: Pick<ExportFile, "name">): boolean {
    return this.#last.has(file.name);
  }

  /** Whether the file is unchanged since it landed. */
  holds(file: ExportFile): boolean {
    const last = this.#last.get(file.name);
    return last?.bytes === file.bytes && last.modified === String(file.modified);
  }

  /** Whether the file was only touched: its bytes are the same. */
  sameContent(file: ExportFile, sha256: string): boolean {
    return this.#last.get(file.name)?.sha256 === sha256;
  }
}

/** Reads the ledger from the landed files, and from the manifests of the lost ones. */
export async function ingestedFiles(
  session: Session,
  place: LakePlace,
  lost: readonly CheckedFile[] = [],
): Promise<IngestedFiles> {
  const landed = (await footers(session, place)).map(({ file, exports }) => ({
    landing: landingOf(file),
    exports,
  }));
  const listed = lost.map(({ landing, manifest }) => ({ landing, exports: manifest?.exports ?? [] }));
  const all = [...landed, ...listed].flatMap((file) =>
    file.exports.map((one) => ({ one, landing: one.landing ?? file.landing })),
  );
  return new IngestedFiles(all.sort((a, b) => a.landing - b.landing).map(({ one }) => one));
}

/** The number in the name of a landed file. */
export const landingOf = (file: string): number => numberOf(path.basename(file));

/** The footers of the landed files of a record, oldest first. */
export const footers = async (session: Session, place: LakePlace): Promise<Footer[]> =>
  exportsIn(session, (await landings(place)).files);

interface Footer {
  readonly file: string;
  readonly landedAt: string;
  readonly exports: readonly IngestedFile[];
}

export async function exportsIn(session: Session, files: readonly string[]): Promise<Footer[]> {
  if (files.length === 0) return [];
  const rows = await session.rows(
    `select file_name,
        any_value(decode(value)) filter (decode(key) = 'landed_at') as landed_at,
        any_value(decode(value)) filter (decode(key) = 'lucra') as exports
      from parquet_kv_metadata([${files.map(literal).join(", ")}])
      group by file_name order by file_name`,
  );
  return rows.map((row) => ({
    file: String(row.file_name),
    landedAt: String(row.landed_at),
    exports: JSON.parse(String(row.exports)),
  }));
}

/** When the last file landed; null before the first landing. */
export async function landedAt(session: Session, place: LakePlace): Promise<string | null> {
  const all = await footers(session, place);
  return (
    all
      .map((footer) => footer.landedAt)
      .sort()
      .at(-1) ?? null
  );
}
