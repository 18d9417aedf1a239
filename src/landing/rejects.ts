import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { writeWhole } from "../durable.ts";
import type { Unreadable } from "./read.ts";

const LONGEST_SHOWN = 100_000;
/** A file system takes names of 255 bytes; while it is written a file's name is 14 longer. */
const LONGEST_NAME = 255 - 14;

export const NO_OBJECT = "not a JSON object";

/** What Node reads as an object and the engine does not holds half of a character. */
export function reasonOf(reason: string, row: string): string {
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

/** One file of rejects beside each export; gone when the export landed whole. */
export async function writeRejects(folder: string, name: string, rejected: readonly Unreadable[]): Promise<void> {
  const file = path.join(folder, rejectsName(name));
  if (rejected.length === 0) return rm(file, { force: true });
  const lines = rejected.map(({ position, reason, row }) => {
    const told = JSON.stringify({ file: name, position, reason });
    return `${told.slice(0, -1)},"row":${shown(row)}}`;
  });
  await writeWhole(file, `${lines.join("\n")}\n`, 0o600);
}

/**
 * `day/orders.json` → `day/orders.json.jsonl`. A folder that is named like such a file takes a `_` more, so that `a` and
 * `a.jsonl/b` have each a place of their own.
 */
export function rejectsName(name: string): string {
  const folders = name.split("/");
  const file = folders.pop() ?? "";
  return [
    ...folders.map((folder) => (/\.jsonl_*$/.test(folder) ? within(folder, "_") : folder)),
    within(file, ".jsonl"),
  ].join("/");
}

/** The name with its ending; of one too long the beginning and a hash of all. */
function within(name: string, ending: string): string {
  if (Buffer.byteLength(name + ending) <= LONGEST_NAME) return name + ending;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  const start = Buffer.from(name)
    .subarray(0, LONGEST_NAME - 32)
    .toString("utf8")
    .replace(/\uFFFD+$/, "");
  return `${start}~${hash}${ending}`;
}

/** A rejected row as JSON: the object to the letter, or its text; of a very long one the beginning. */
function shown(row: string): string {
  if (row.length > LONGEST_SHOWN) return JSON.stringify(`${row.slice(0, LONGEST_SHOWN)}…`);
  try {
    JSON.parse(row);
    return row;
  } catch {
    return JSON.stringify(row);
  }
}
