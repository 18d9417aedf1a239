import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { flushToDisk } from "../files/durable.ts";
import { paths } from "../files/paths.ts";
import type { Logs } from "./coordination.ts";

/** The ending of a log's file. */
export const LOG = ".ndjson";

const END = 0x0a;

/** Logs in files of one line each entry: `<folder>/<name>.ndjson`, which only Lucra's own user can read. */
export class FileLogs implements Logs {
  readonly #folder: string;
  /** The appends of this process, one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  append(name: string, line: object): Promise<void> {
    const appended = this.#last.then(() => this.#append(name, `${JSON.stringify(line)}\n`));
    this.#last = appended.catch(() => {});
    return appended;
  }

  async #append(name: string, line: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Another process may append at the same time: one write at the end of the file is never mixed with another.
    const file = await open(this.#fileOf(name), "a+", 0o600);
    try {
      const { size } = await file.stat();
      const isWhole = size === 0 || (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] === END;
      // A write that a crash has cut has no end of its line, and the next line must have a beginning.
      await file.appendFile(isWhole ? line : `\n${line}`);
      await file.sync();
      if (size === 0) await flushToDisk(this.#folder);
    } finally {
      await file.close();
    }
  }

  async read(name: string, after: number): Promise<{ lines: object[]; place: number }> {
    const file = await open(this.#fileOf(name), "r").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (!file) return { lines: [], place: 0 };
    try {
      const { size } = await file.stat();
      // A file that is shorter than before is another one, such as one of a backup.
      const from = size < after ? 0 : after;
      const bytes = Buffer.alloc(size - from);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      const end = bytes.subarray(0, bytesRead).lastIndexOf(END) + 1;
      return { lines: linesOf(bytes.subarray(0, end).toString("utf8")), place: from + end };
    } finally {
      await file.close();
    }
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, `${name}${LOG}`);
  }
}

/** The lines that are whole. */
export const linesOf = (text: string): object[] => text.split("\n").flatMap((line) => entryOf(line) ?? []);

function entryOf(line: string): object | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null && !Array.isArray(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** How many damaged lines are named. */
const MOST_NAMED = 20;

/** The numbers of lines that are no JSON objects, the first of them, and how many there are. */
export async function damagedLines(
  dataDir: string,
  file: string,
): Promise<{ readonly lines: readonly number[]; readonly count: number }> {
  const lines: number[] = [];
  let [count, number] = [0, 0];
  const stream = createReadStream(path.join(paths.audit(dataDir), file), "utf8");
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line === "" || entryOf(line)) continue;
    count++;
    if (lines.length < MOST_NAMED) lines.push(number);
  }
  return { lines, count };
}
