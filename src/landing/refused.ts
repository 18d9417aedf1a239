import { createHash } from "node:crypto";
import { appendFile, mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { writeWhole } from "../durable.ts";
import { paths, SQL } from "../paths.ts";
import type { ExportFile } from "./exports.ts";
import type { Place } from "./ledger.ts";

/** The state of a file when it was refused because it exceeds a limit, and the code that refused it. */
interface Refused {
  readonly code: string;
  readonly name: string;
  readonly bytes: number;
  readonly modified: string;
  readonly inode: string;
  readonly reason: string;
}

/**
 * The files of a record that were refused because they exceed a limit, so that not every sync reads them: a line of JSON
 * each. A file that changes or is touched is read again; all of them are read again after the code that reads exports
 * has changed.
 */
export class Refusals {
  readonly #file: string;
  readonly #code: string;
  readonly #refused: Map<string, Refused>;

  private constructor(file: string, code: string, refused: Map<string, Refused>) {
    this.#file = file;
    this.#code = code;
    this.#refused = refused;
  }

  /** The refusals of the given files. Lines that no longer count are removed. */
  static async of(place: Place, files: readonly ExportFile[]): Promise<Refusals> {
    const code = await codeHash();
    const file = fileOf(place);
    const there = new Map(files.map((one) => [one.name, one]));
    const lines = await linesOf(file);
    const refused = new Map(lines.flatMap((line) => parsed(line) ?? []).map((one) => [one.name, one]));
    for (const [name, one] of refused) if (one.code !== code || !isAsThen(one, there.get(name))) refused.delete(name);
    if (refused.size < lines.length) await writeWhole(file, [...refused.values()].map(lineOf).join(""), 0o600);
    return new Refusals(file, code, refused);
  }

  reasonFor(file: ExportFile): string | undefined {
    const one = this.#refused.get(file.name);
    return one && isAsThen(one, file) ? `${one.reason} (not read again until it changes or is touched)` : undefined;
  }

  /** Written at once: the process may be killed before the end of the sync. */
  async add({ name, bytes, modified, inode }: ExportFile, reason: string): Promise<void> {
    const one = { code: this.#code, name, bytes, modified: String(modified), inode: String(inode), reason };
    this.#refused.set(name, one);
    await mkdir(path.dirname(this.#file), { recursive: true });
    await appendFile(this.#file, lineOf(one), { mode: 0o600 });
  }
}

const fileOf = ({ dataDir, organization, integration, record }: Place): string =>
  path.join(paths.status(dataDir, organization), "refused", `${integration.id}.${record.name}.jsonl`);

const lineOf = (one: Refused): string => `${JSON.stringify(one)}\n`;

const isAsThen = ({ bytes, modified, inode }: Refused, file: ExportFile | undefined): boolean =>
  file?.bytes === bytes && String(file.modified) === modified && String(file.inode) === inode;

/** A missing file means no refusals: the exports are read once more. A last line that was cut off counts as one. */
async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

/** A line that was cut off by a crash is no refusal. */
function parsed(line: string): Refused | undefined {
  try {
    const found = JSON.parse(line);
    return typeof found?.name === "string" ? found : undefined;
  } catch {
    return undefined;
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
