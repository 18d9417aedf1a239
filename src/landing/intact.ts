import { open, readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { sha256Of, sha256OfText } from "../checksum.ts";
import { writeWhole } from "../durable.ts";
import type { Landed } from "./ledger.ts";

/**
 * What must be known of a landed file when it cannot be read any more. It lies beside it, as `<integration>.000012.json`;
 * the file itself says the same, so a note that is lost or spoilt is written anew. A note without its file says that the
 * file is missing.
 */
export interface Note {
  /** The landed file's name. */
  readonly file: string;
  readonly sha256: string;
  /** Null where nothing could tell any more. */
  readonly landedAt: string | null;
  readonly exports: readonly Landed[];
}

/**
 * `intact`: as it was written. `unknown`: landed before checksums were kept, so nobody can tell.
 * `damaged`: other bytes than were written. `missing`: its note is there, it is not.
 */
export type Condition = "intact" | "unknown" | "damaged" | "missing";

/** A landed file as it is found. */
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

/** Reads every landed file below a folder of the lake to its end, in the order of their names. */
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

/** A Parquet file begins and ends with the same four letters: all that is known of one without a checksum. */
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

/** The note; nothing where it is not what was written: a line of JSON, and its SHA-256. */
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
 * Takes a damaged file out of everything that reads the lake. Its note stays, or is made, and keeps anybody from
 * deriving without it.
 */
export async function setAside({ path: file, integration, landing, note, condition }: Inspected): Promise<void> {
  const [folder, name] = [path.dirname(file), path.basename(file)];
  if (!note) {
    const sha256 = NAME.exec(name)?.groups?.checksum ?? "";
    await writeNote(folder, integration, landing, { file: name, sha256, landedAt: null, exports: [] });
  }
  if (condition === "damaged") await rename(file, `${file}.damaged`);
}

/** Which landed file it is, what is wrong with it, and what it held. */
export function told({ path: file, condition, note }: Inspected, dataDir: string): string {
  const what = `${path.relative(dataDir, file)} is ${condition}`;
  const exports = (note?.exports ?? []).map(({ name }) => name);
  if (exports.length === 0) return `${what}; nothing tells which exports it held`;
  const more = exports.length > 3 ? ` and ${exports.length - 3} more` : "";
  return `${what}; it held ${exports.slice(0, 3).join(", ")}${more}`;
}
