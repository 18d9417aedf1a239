import { readdir } from "node:fs/promises";
import path from "node:path";
import type { RecordDeclaration } from "../contract/record.ts";
import type { Integration } from "../contract/settings.ts";
import { literal, type Session } from "../engine/database.ts";
import { paths } from "../paths.ts";
import type { ExportFile } from "./exports.ts";

/** An export as a landed file remembers it: the list travels in the Parquet file that holds the rows. */
export interface Landed {
  readonly name: string;
  readonly bytes: number;
  readonly modified: string;
  readonly sha256: string;
  readonly rows: number;
  readonly rejected: number;
}

interface Place {
  readonly dataDir: string;
  readonly organization: string;
  readonly integration: Pick<Integration, "id">;
  readonly record: RecordDeclaration;
}

/** `<integration>.000012.parquet`: a name is used once, so a reader never meets another file under it. */
export const lakeFile = (place: Place, landing: number): string =>
  path.join(
    paths.lake(place.dataDir, place.record, place.organization),
    `${place.integration.id}.${String(landing).padStart(6, "0")}.parquet`,
  );

/** The landed files of one record of one integration, oldest first, and the number the next one takes. */
export async function landings(place: Place): Promise<{ files: string[]; next: number }> {
  const folder = paths.lake(place.dataDir, place.record, place.organization);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [] as string[];
    throw error;
  });
  const own = names.filter((name) => name.startsWith(`${place.integration.id}.`) && name.endsWith(".parquet")).sort();
  const last = own.at(-1)?.split(".")[1];
  return { files: own.map((name) => path.join(folder, name)), next: last ? Number(last) + 1 : 1 };
}

/** Which exports have landed, by name: the last version of each. */
export class Ledger {
  readonly #last = new Map<string, Landed>();

  constructor(landed: readonly Landed[]) {
    for (const file of landed) this.#last.set(file.name, file);
  }

  /** How many exports have landed, whatever became of them. */
  get size(): number {
    return this.#last.size;
  }

  /** A file of this name has landed, this version of it or another. */
  hasNamed(file: ExportFile): boolean {
    return this.#last.has(file.name);
  }

  /** Nothing about the file has changed since it landed. */
  holds(file: ExportFile): boolean {
    const last = this.#last.get(file.name);
    return last?.bytes === file.bytes && last.modified === String(file.modified);
  }

  /** Touched, but the same to the byte. */
  sameContent(file: ExportFile, sha256: string): boolean {
    return this.#last.get(file.name)?.sha256 === sha256;
  }
}

export async function ledgerOf(session: Session, place: Place): Promise<Ledger> {
  const texts = await metadata(session, place, "lucra");
  return new Ledger(texts.flatMap((text) => JSON.parse(text) as Landed[]));
}

/** When the last file landed; null when none has. */
export async function landedAt(session: Session, place: Place): Promise<string | null> {
  return (await metadata(session, place, "landed_at")).sort().at(-1) ?? null;
}

/** What the landed files carry under a key, oldest file first. */
async function metadata(session: Session, place: Place, key: "lucra" | "landed_at"): Promise<string[]> {
  const { files } = await landings(place);
  if (files.length === 0) return [];
  return session.texts(
    `select decode(value) from parquet_kv_metadata([${files.map(literal).join(", ")}])
      where decode(key) = '${key}' order by file_name`,
  );
}
