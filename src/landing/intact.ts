import { open, readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { sha256Of, sha256OfText } from "../files/checksum.ts";
import { writeWhole } from "../files/durable.ts";
import type { Landed } from "./ledger.ts";

/**
 * The manifest of a landed file, for when the file cannot be read any more. It is next to it, as
 * `<integration>.000012.json`. The file holds the same, so a lost or damaged manifest is written again. A manifest
 * without its file means that the file is missing.
 */
export interface Note {
  /** The landed file's name. */
  readonly file: string;
  readonly sha256: string;
  /** Null if it is not known any more. */
  readonly landedAt: string | null;
  readonly exports: readonly Landed[];
}

/**
 * `intact`: the bytes are those that were written. `unknown`: landed before checksums were kept, so it cannot be
 * checked. `damaged`: the bytes differ. `missing`: its manifest is there, but the file is not.
 */
export type Condition = "intact" | "unknown" | "damaged" | "missing";

/** A landed file and the result of its check. */
export interface Inspected {
  readonly integration: string;
  readonly landing: number;
  readonly path: string;
  readonly bytes: number;
  readonly condition: Condition;
  readonly sha256: string;
  readonly note?: Note;
}

/** `<integration>.000012.<first half of its SHA-256>.parquet`: data and checksum appear in one rename. */
const NAME = /^(?<integration>[^.]+)\.(?<landing>\d+)(\.(?<checksum>[0-9a-f]{32}))?\.(?<kind>parquet|json)$/;

export const landedName = (integration: string, landing: number, sha256: string): string =>
  `${placeName(integration, landing)}.${sha256.slice(0, 32)}.parquet`;

export const noteName = (integration: string, landing: number): string => `${placeName(integration, landing)}.json`;

const placeName = (integration: string, landing: number): string =>
  `${integration}.${String(landing).padStart(6, "0")}`;

export const isLost = ({ condition }: Inspected): boolean => condition === "damaged" || condition === "missing";

/** Checks every landed file in a folder of the lake by reading it to its end, in the order of their names. */
export async function inspect(folder: string, integration?: string): Promise<Inspected[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [] as string[];
    throw error;
  });
  const inspected: Inspected[] = [];
  const notes = new Map<string, Note | undefined>();
  const own = names.sort().flatMap((name) => {
    const parts = NAME.exec(name)?.groups;
    return parts && (!integration || parts.integration === integration) ? [{ name, parts }] : [];
  });
  for (const { name, parts } of own) {
    if (parts.kind === "json") notes.set(`${parts.integration}.${parts.landing}`, await readNote(folder, name));
  }
  for (const { name, parts } of own) {
    if (parts.kind === "json") continue;
    const key = `${parts.integration}.${parts.landing}`;
    const note = notes.get(key);
    notes.delete(key);
    inspected.push({
      integration: String(parts.integration),
      landing: Number(parts.landing),
      ...(await inspectFile(path.join(folder, name), parts.checksum ?? note?.sha256)),
      ...(note ? { note } : {}),
    });
  }
  for (const [key, note] of notes) {
    const [of = "", landing = ""] = key.split(".");
    const file = path.join(folder, note?.file ?? `${key}.parquet`);
    const missing = { path: file, bytes: 0, condition: "missing" as const, sha256: "" };
    inspected.push({ integration: of, landing: Number(landing), ...missing, ...(note ? { note } : {}) });
  }
  return inspected;
}

async function inspectFile(
  file: string,
  expected: string | undefined,
): Promise<Pick<Inspected, "path" | "bytes" | "condition" | "sha256">> {
  const sha256 = await sha256Of(file);
  const { bytes, whole } = await ends(file);
  const isDamaged = expected === undefined ? !whole : !sha256.startsWith(expected);
  return { path: file, bytes, sha256, condition: isDamaged ? "damaged" : expected ? "intact" : "unknown" };
}

/** Checks that a file begins and ends as Parquet does: the only check of a file without a checksum. */
async function ends(file: string): Promise<{ bytes: number; whole: boolean }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const read = async (position: number): Promise<string> =>
      (await handle.read(Buffer.alloc(4), 0, 4, Math.max(0, position))).buffer.toString("latin1");
    return { bytes: size, whole: size >= 12 && (await read(0)) === "PAR1" && (await read(size - 4)) === "PAR1" };
  } finally {
    await handle.close();
  }
}

/** Reads a manifest, a line of JSON and its SHA-256; undefined if they do not match. */
async function readNote(folder: string, name: string): Promise<Note | undefined> {
  const text = await readFile(path.join(folder, name), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const [line = "", checksum] = text.split("\n");
  return checksum === sha256OfText(line) ? JSON.parse(line) : undefined;
}

export function writeNote(folder: string, integration: string, landing: number, note: Note): Promise<void> {
  const line = JSON.stringify(note);
  return writeWhole(path.join(folder, noteName(integration, landing)), `${line}\n${sha256OfText(line)}\n`, 0o600);
}

/**
 * Quarantines a damaged file: nothing that reads the lake sees it. Its manifest stays, or is made, so that nothing is
 * derived without the file.
 */
export async function setAside({ path: file, integration, landing, note, condition }: Inspected): Promise<void> {
  const [folder, name] = [path.dirname(file), path.basename(file)];
  if (!note) {
    const sha256 = NAME.exec(name)?.groups?.checksum ?? "";
    await writeNote(folder, integration, landing, { file: name, sha256, landedAt: null, exports: [] });
  }
  if (condition === "damaged") await rename(file, `${file}.damaged`);
}

/** Describes a lost file: its path, what is wrong with it, and which exports it held. */
export function told({ path: file, condition, note }: Inspected, dataDir: string): string {
  const what = `${path.relative(dataDir, file)} is ${condition}`;
  const exports = (note?.exports ?? []).map(({ name }) => name);
  if (exports.length === 0) return `${what}; it is not known which exports it held`;
  const more = exports.length > 3 ? ` and ${exports.length - 3} more` : "";
  return `${what}; it held ${exports.slice(0, 3).join(", ")}${more}`;
}
