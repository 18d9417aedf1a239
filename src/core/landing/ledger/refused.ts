import { appendFile, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { writeWhole } from "../../files/durable.ts";
import { programVersion } from "../../files/program.ts";
import type { ExportFile } from "../find/exports.ts";
import type { LakePlace } from "./ingested.ts";

/** The state of a file when it was refused because of its cost, and the version of the program that refused it. */
interface Refused {
  readonly code: string;
  readonly name: string;
  readonly bytes: number;
  readonly modified: string;
  readonly inode: string;
  readonly reason: string;
  /** For a file that did not fit into memory. */
  readonly memory?: OutOfMemory;
  /** Only until all files have been read once: so that a sync whose time is over does not begin with the same files. */
  readonly pass?: true;
}

interface OutOfMemory {
  readonly limit: string;
  /** How often it did not fit. */
  readonly tries: number;
  /** How many syncs still skip it. */
  readonly left: number;
}

/** A file that does not fit is skipped by 1, 2, 4 … syncs, and by at most this many. */
const MOST_SKIPPED = 32;

/**
 * The files of a record that were refused because of their cost, so that not every sync reads them: a line of JSON each.
 * A file that changes or is touched is read again; all of them are read again by another version of the program, which may
 * accept what this one refuses. A file that did not fit into memory is also read again with another memory limit, and after some syncs: it may
 * have been the landed rows that left too little.
 */
export class Refusals {
  readonly #file: string;
  readonly #memoryLimit: string;
  readonly #refused: Map<string, Refused>;
  readonly #due: ReadonlySet<string>;

  private constructor(file: string, memoryLimit: string, refused: Map<string, Refused>, due: ReadonlySet<string>) {
    this.#file = file;
    this.#memoryLimit = memoryLimit;
    this.#refused = refused;
    this.#due = due;
  }

  /** The refusals of the given files, at the beginning of a sync. Lines that no longer count are removed. */
  static async of(place: LakePlace, files: readonly ExportFile[], memoryLimit: string): Promise<Refusals> {
    const file = fileOf(place);
    const there = new Map(files.map((one) => [one.name, one]));
    const lines = await linesOf(file);
    const refused = new Map(lines.flatMap((line) => parsed(line) ?? []).map((one) => [one.name, one]));
    const due = new Set<string>();
    let isChanged = false;
    for (const [name, one] of refused) {
      const { memory } = one;
      if (
        one.code !== programVersion() ||
        !isAsThen(one, there.get(name)) ||
        (memory && memory.limit !== memoryLimit)
      ) {
        refused.delete(name);
      } else if (memory?.left === 0) due.add(name);
      else if (memory) {
        refused.set(name, { ...one, memory: { ...memory, left: memory.left - 1 } });
        isChanged = true;
      }
    }
    if (isChanged || refused.size < lines.length) {
      await writeWhole(file, [...refused.values()].map(lineOf).join(""), 0o600);
    }
    return new Refusals(file, memoryLimit, refused, due);
  }

  reasonFor(file: ExportFile): string | undefined {
    const one = this.#refused.get(file.name);
    if (!one || this.#due.has(file.name) || !isAsThen(one, file)) return undefined;
    return one.pass ? one.reason : `${one.reason} (not read again ${until(one)})`;
  }

  /** Written at once: the process may be killed before the end of the sync. */
  async add(file: ExportFile, reason: string): Promise<void> {
    await this.#append(file, reason);
  }

  /** The same for a file that did not fit into memory. */
  async addOutOfMemory(file: ExportFile, reason: string): Promise<void> {
    const tries = (this.#refused.get(file.name)?.memory?.tries ?? 0) + 1;
    const left = Math.min(MOST_SKIPPED, 2 ** (tries - 1));
    await this.#append(file, reason, { memory: { limit: this.#memoryLimit, tries, left } });
  }

  /** For a file whose damage does not cost much: every sync reads it again, unless an earlier one is not complete. */
  async addForPass(file: ExportFile, reason: string): Promise<void> {
    await this.#append(file, reason, { pass: true });
  }

  /** All files have been read. */
  async endPass(): Promise<void> {
    const kept = [...this.#refused.values()].filter(({ pass }) => !pass);
    if (kept.length < this.#refused.size) await writeWhole(this.#file, kept.map(lineOf).join(""), 0o600);
  }

  async #append(
    { name, bytes, modified, inode }: ExportFile,
    reason: string,
    kind: Pick<Refused, "memory" | "pass"> = {},
  ): Promise<void> {
    const state = { code: programVersion(), name, bytes, modified: String(modified), inode: String(inode) };
    const one = { ...state, reason, ...kind };
    this.#refused.set(name, one);
    await mkdir(path.dirname(this.#file), { recursive: true });
    await appendFile(this.#file, lineOf(one), { mode: 0o600 });
  }
}

const fileOf = ({ folders, integration, record }: LakePlace): string =>
  path.join(folders.status, "refused", `${integration.id}.${record.name}.jsonl`);

function until({ memory }: Refused): string {
  if (!memory) return "until it changes or is touched";
  const wait = memory.left === 0 ? "before the next sync" : `for ${memory.left} more syncs`;
  return `${wait}, unless it changes, is touched, or LUCRA_MEMORY_LIMIT changes`;
}

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
