import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { writeWhole } from "../durable.ts";
import { paths, SQL } from "../paths.ts";
import type { ExportFile } from "./exports.ts";
import type { Place } from "./ledger.ts";

/** The state of a file when it was refused because it exceeds a limit. */
interface Refused {
  readonly name: string;
  readonly bytes: number;
  readonly modified: string;
  readonly inode: string;
  readonly reason: string;
}

/**
 * The files of a record that were refused because they exceed a limit, so that not every sync reads them. A file that
 * changes or is touched is read again; all of them are read again after the code that reads exports has changed.
 */
export class Refusals {
  readonly #place: Place;
  readonly #code: string;
  #refused: readonly Refused[];

  private constructor(place: Place, code: string, refused: readonly Refused[]) {
    this.#place = place;
    this.#code = code;
    this.#refused = refused;
  }

  /** The refusals of the given files. */
  static async of(place: Place, files: readonly ExportFile[]): Promise<Refusals> {
    const code = await codeHash();
    const kept = await readKept(fileOf(place));
    const there = new Map(files.map((file) => [file.name, file]));
    const refused = kept.code !== code ? [] : kept.refused.filter((one) => isAsThen(one, there.get(one.name)));
    return new Refusals(place, code, refused);
  }

  reasonFor(file: ExportFile): string | undefined {
    const reason = this.#refused.find((one) => isAsThen(one, file))?.reason;
    return reason && `${reason} (not read again until it changes or is touched)`;
  }

  /** Written at once: the process may be killed before the end of the sync. */
  async add({ name, bytes, modified, inode }: ExportFile, reason: string): Promise<void> {
    const one = { name, bytes, modified: String(modified), inode: String(inode), reason };
    this.#refused = [...this.#refused.filter((other) => other.name !== name), one];
    const content = JSON.stringify({ code: this.#code, refused: this.#refused }, null, 2);
    await writeWhole(fileOf(this.#place), `${content}\n`, 0o600);
  }
}

const fileOf = ({ dataDir, organization, integration, record }: Place): string =>
  path.join(paths.status(dataDir, organization), "refused", `${integration.id}.${record.name}.json`);

const isAsThen = ({ bytes, modified, inode }: Refused, file: ExportFile | undefined): boolean =>
  file?.bytes === bytes && String(file.modified) === modified && String(file.inode) === inode;

/** A missing or malformed file means no refusals: the exports are read once more. */
async function readKept(file: string): Promise<{ code?: string; refused: Refused[] }> {
  try {
    const kept = JSON.parse(await readFile(file, "utf8"));
    return Array.isArray(kept?.refused) ? kept : { refused: [] };
  } catch {
    return { refused: [] };
  }
}

let code: Promise<string> | undefined;

/** A hash of the code that reads exports: another version may accept what this one refuses. */
function codeHash(): Promise<string> {
  code ??= (async () => {
    const hash = createHash("sha256");
    for (const folder of [import.meta.dirname, path.join(SQL, "staging")]) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
      for (const file of files.sort()) hash.update(await readFile(file));
    }
    return hash.digest("hex").slice(0, 32);
  })();
  return code;
}
