import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { failureText } from "../../contract/error.ts";
import { writeWhole } from "../../files/durable.ts";
import { countText, LISTED_REJECTS } from "../bytes/limits.ts";

/** Longer rows are cut. */
export const LONGEST_SHOWN = 100_000;
/** File systems allow names of 255 bytes; while a file is written, its name is 14 bytes longer. */
const LONGEST_NAME = 255 - 14;

/** How many reasons of rows that are not listed are counted one by one, and how many characters of each are kept. */
const MOST_REASONS = 100;
const LONGEST_REASON = 200;

/** Why an order is rejected that lacks a line. */
export const ROW_REJECTED = "one of its rows was rejected: without it the order is not whole";

export const NO_OBJECT = "not a JSON object";

/** Names an unpaired surrogate as the reason: such a row is valid for `JSON.parse`, but not for DuckDB. */
function reasonOfRow(reason: string, row: string): string {
  if (reason !== NO_OBJECT) return reason;
  const half = /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}/i.exec(
    row,
  );
  return half && isObject(row) ? `a text holds half of a surrogate pair (${half[0]})` : reason;
}

function isObject(row: string): boolean {
  try {
    const found: unknown = JSON.parse(row);
    return typeof found === "object" && found !== null && !Array.isArray(found);
  } catch {
    return false;
  }
}

/** A row that could not land. */
interface Reject {
  readonly position: number;
  readonly reason: string;
  readonly row: string;
}

/** A reason without the values that it quotes, which may be personal data. */
export const withoutValues = (reason: string): string => reason.replace(/".*"/s, "a value");

/** The first line of an engine's error without anything that it quotes: a value may contain quotes and line ends. */
export function withoutQuotes(message: string): string {
  const [line = ""] = message.replace(/".*"/s, "a value").replace(/'.*'/s, "a value").split("\n");
  return line.replace(/["'].*/, "a value");
}

/** The operator's text of an error. Of the engine's errors only those of input and output quote paths, not values. */
export function reasonOf(error: unknown): string {
  const reason = failureText(error);
  return /^(?!IO )[A-Z][\w ]* Error: /.test(reason) ? withoutQuotes(reason) : reason;
}

/**
 * The list of an export's rejected rows, in order of position. The rows beyond its limit are counted by reason in its
 * last line.
 */
export class Rejects {
  readonly #name: string;
  readonly #lines: string[] = [];
  #bytes = 0;
  readonly #unlisted = new Map<string, number>();
  rows = 0;

  constructor(name: string) {
    this.#name = name;
  }

  add({ position, reason, row }: Reject): void {
    this.rows++;
    const isListed = this.#unlisted.size === 0 && this.#list({ position, reason: reasonOfRow(reason, row), row });
    if (!isListed) this.#count(reason);
  }

  /** Returns whether the row is within the limit. */
  #list({ position, reason, row }: Reject): boolean {
    const place = JSON.stringify({ file: this.#name, position, reason });
    const line = `${place.slice(0, -1)},"row":${shown(row)}}`;
    this.#bytes += Buffer.byteLength(line) + 1;
    if (this.#bytes <= LISTED_REJECTS) this.#lines.push(line);
    return this.#bytes <= LISTED_REJECTS;
  }

  #count(reason: string): void {
    const kind = kindOf(reason);
    const counted = this.#unlisted.has(kind) || this.#unlisted.size < MOST_REASONS ? kind : "other reasons";
    this.#unlisted.set(counted, (this.#unlisted.get(counted) ?? 0) + 1);
  }

  text(): string {
    const lines = this.#unlisted.size > 0 ? [...this.#lines, this.#lastLine()] : this.#lines;
    return lines.map((line) => `${line}\n`).join("");
  }

  /** It has the members of the other lines, too. */
  #lastLine(): string {
    const rows = this.rows - this.#lines.length;
    const reason = `${countText(rows)} more rows were rejected and are not listed`;
    const unlisted = { rows, reasons: Object.fromEntries(this.#unlisted) };
    return JSON.stringify({ file: this.#name, position: null, reason, row: null, unlisted });
  }
}

/** Rejected rows with one reason, and the place of the first of them; its position is null if it is not listed. */
export interface RejectedRows {
  readonly reason: string;
  readonly rows: number;
  readonly file: string;
  readonly position: number | null;
}

/** The content of a list, by reason without the values that it quotes: the rows that it lists, and those it only counts. */
export async function rejectsIn(list: string): Promise<RejectedRows[]> {
  const found = new Map<string, RejectedRows>();
  const add = (reason: string, rows: number, file: string, position: number | null): void => {
    const first = found.get(reason) ?? { reason, rows: 0, file, position };
    found.set(reason, { ...first, rows: first.rows + rows });
  };
  for await (const line of createInterface({ input: createReadStream(list), crlfDelay: Infinity })) {
    const { file, position, reason, unlisted } = parsedReject(line);
    if (!unlisted) add(kindOf(reason), 1, file, position);
    else {
      const reasons = Object.entries(unlisted.reasons ?? {});
      for (const [kind, rows] of reasons) add(kind, rows, file, null);
      const others = unlisted.rows - reasons.reduce((sum, [, rows]) => sum + rows, 0);
      if (others > 0) add("other reasons", others, file, null);
    }
  }
  return [...found.values()];
}

interface RejectLine {
  readonly file: string;
  readonly position: number | null;
  readonly reason: string;
  readonly unlisted?: { readonly rows: number; readonly reasons?: Readonly<Record<string, number>> };
}

/** Lists are written whole: a line that cannot be parsed was not written by Lucra, and counts as a row. */
function parsedReject(line: string): RejectLine {
  try {
    const { file, position, reason, unlisted } = JSON.parse(line);
    return { file, position, reason: String(reason), ...(unlisted ? { unlisted } : {}) };
  } catch {
    return { file: "", position: null, reason: "its list cannot be read" };
  }
}

const kindOf = (reason: string): string => withoutValues(reason).slice(0, LONGEST_REASON);

/** Puts the list of an export's rejects in its place, and removes the one there if the whole export landed. */
export async function putRejects(folder: string, name: string, list: string | undefined): Promise<void> {
  const file = path.join(folder, rejectsName(name));
  if (list === undefined) return rm(file, { force: true });
  await writeWhole(file, await readFile(list, "utf8"), 0o600);
}

/**
 * `day/orders.json` → `day/orders.json.jsonl`. A folder that is named like such a file gets a `_` more, so that `a`
 * and `a.jsonl/b` have different places.
 */
export function rejectsName(name: string): string {
  const folders = name.split("/");
  const file = folders.pop() ?? "";
  return [
    ...folders.map((folder) => (/\.jsonl_*$/.test(folder) ? within(folder, "_") : folder)),
    within(file, ".jsonl"),
  ].join("/");
}

/** The name with its ending; a name that is too long becomes its beginning and a hash of the whole. */
function within(name: string, ending: string): string {
  if (Buffer.byteLength(name + ending) <= LONGEST_NAME) return name + ending;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  const start = Buffer.from(name)
    .subarray(0, LONGEST_NAME - 32)
    .toString("utf8")
    .replace(/\uFFFD+$/, "");
  return `${start}~${hash}${ending}`;
}

/** A rejected row as JSON: the object unchanged, or its text; a very long row is cut. */
function shown(row: string): string {
  if (row.length > LONGEST_SHOWN) return JSON.stringify(`${row.slice(0, LONGEST_SHOWN)}…`);
  try {
    JSON.parse(row);
    return row;
  } catch {
    return JSON.stringify(row);
  }
}

/** The rows of an export that could not land. */
export interface Rejected {
  readonly rows: number;
  /** A temporary file with the list. */
  readonly list: string;
}

/** Writes the lists of sorted rejects. Returns them by file, and how many positions they have. */
export async function listRejects(
  rows: AsyncIterable<unknown[][]>,
  readings: readonly { readonly fileNo: number; readonly file: { readonly name: string } }[],
  list: string,
): Promise<{ files: Map<number, Rejected>; positions: number }> {
  const names = new Map(readings.map(({ fileNo, file }) => [fileNo, file.name]));
  const files = new Map<number, Rejected>();
  let positions = 0;
  let last = "";
  let fileNo = -1;
  let rejects = new Rejects("");
  const write = async (): Promise<void> => {
    if (rejects.rows === 0) return;
    const file = `${list}-${fileNo}`;
    await writeFile(file, rejects.text());
    files.set(fileNo, { rows: rejects.rows, list: file });
  };
  for await (const [fileNos = [], places = [], reasons = [], texts = []] of rows) {
    for (const [at, place] of places.entries()) {
      if (Number(fileNos[at]) !== fileNo) {
        await write();
        fileNo = Number(fileNos[at]);
        rejects = new Rejects(names.get(fileNo) ?? "");
      }
      const position = `${fileNo} ${place}`;
      if (position !== last) positions++;
      last = position;
      rejects.add({ position: Number(place), reason: String(reasons[at]), row: String(texts[at]) });
    }
  }
  await write();
  return { files, positions };
}
