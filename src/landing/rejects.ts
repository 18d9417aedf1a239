import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { writeWhole } from "../durable.ts";
import type { Unreadable } from "./read.ts";

const LONGEST_SHOWN = 100_000;
/** File systems allow names of 255 bytes; while a file is written, its name is 14 bytes longer. */
const LONGEST_NAME = 255 - 14;

export const NO_OBJECT = "not a JSON object";

/** Names an unpaired surrogate as the reason: such a row is valid for `JSON.parse`, but not for DuckDB. */
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

/** Writes one file of rejects per export, and removes it if the whole export landed. */
export async function writeRejects(folder: string, name: string, rejected: readonly Unreadable[]): Promise<void> {
  const file = path.join(folder, rejectsName(name));
  if (rejected.length === 0) return rm(file, { force: true });
  const lines = rejected.map(({ position, reason, row }) => {
    const place = JSON.stringify({ file: name, position, reason });
    return `${place.slice(0, -1)},"row":${shown(row)}}`;
  });
  await writeWhole(file, `${lines.join("\n")}\n`, 0o600);
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
