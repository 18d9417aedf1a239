import { readdir, readFile, rename, stat } from "node:fs/promises";
import path from "node:path";
import { sha256Of, sha256OfText } from "../files/checksum.ts";
import { writeWhole } from "../files/durable.ts";
import type { IngestedFile } from "./ingested.ts";

/**
 * The manifest of a landed file, for when the file cannot be read any more. It is next to it, as
 * `<integration>.000012.json`. The file holds the same, so a lost or damaged manifest is written again. A manifest
 * without its file means that the file is missing.
 */
export interface Manifest {
  /** The landed file's name. */
  readonly file: string;
  readonly sha256: string;
  /** Null if it is not known any more. */
  readonly landedAt: string | null;
  readonly exports: readonly IngestedFile[];
}

/** `intact`: the bytes are those that were written. `missing`: its manifest is there, but the file is not. */
export type Integrity = "intact" | "damaged" | "missing";

/** A landed file and the result of its check. */
export interface CheckedFile {
  readonly integration: string;
  readonly landing: number;
  readonly path: string;
  readonly bytes: number;
  readonly integrity: Integrity;
  readonly sha256: string;
  readonly manifest?: Manifest;
}

/**
 * `<integration>.000012.<first half of its SHA-256>.parquet`: data and checksum appear in one rename. A file of parts,
 * which are joined before they are mapped, ends in `.parts.parquet`.
 */
const NAME = /^(?<integration>[^.]+)\.(?<landing>\d+)(\.(?<checksum>[0-9a-f]{32}))?(\.parts)?\.(?<kind>parquet|json)$/;

const PARTS = ".parts.parquet";

export const landedName = (integration: string, landing: number, sha256: string, ofParts = false): string =>
  `${placeName(integration, landing)}.${sha256.slice(0, 32)}${ofParts ? PARTS : ".parquet"}`;

/** Whether a landed file holds parts. */
export const holdsParts = (file: string): boolean => file.endsWith(PARTS);

export const manifestName = (integration: string, landing: number): string => `${placeName(integration, landing)}.json`;

const placeName = (integration: string, landing: number): string =>
  `${integration}.${String(landing).padStart(6, "0")}`;

export const isLost = ({ integrity }: CheckedFile): boolean => integrity === "damaged" || integrity === "missing";

/** Checks every landed file in a folder of the lake by reading it to its end, in the order of their names. */
export async function checkFiles(folder: string, integration?: string): Promise<CheckedFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [] as string[];
    throw error;
  });
  const inspected: CheckedFile[] = [];
  const manifests = new Map<string, Manifest | undefined>();
  const own = names.sort().flatMap((name) => {
    const parts = NAME.exec(name)?.groups;
    return parts && (!integration || parts.integration === integration) ? [{ name, parts }] : [];
  });
  for (const { name, parts } of own) {
    if (parts.kind === "json") manifests.set(`${parts.integration}.${parts.landing}`, await readManifest(folder, name));
  }
  for (const { name, parts } of own) {
    if (parts.kind === "json") continue;
    const key = `${parts.integration}.${parts.landing}`;
    const manifest = manifests.get(key);
    manifests.delete(key);
    inspected.push({
      integration: String(parts.integration),
      landing: Number(parts.landing),
      ...(await checkFile(path.join(folder, name), parts.checksum ?? manifest?.sha256)),
      ...(manifest ? { manifest } : {}),
    });
  }
  for (const [key, manifest] of manifests) {
    const [of = "", landing = ""] = key.split(".");
    const file = path.join(folder, manifest?.file ?? `${key}.parquet`);
    const missing = { path: file, bytes: 0, integrity: "missing" as const, sha256: "" };
    inspected.push({ integration: of, landing: Number(landing), ...missing, ...(manifest ? { manifest } : {}) });
  }
  return inspected;
}

async function checkFile(
  file: string,
  expected: string | undefined,
): Promise<Pick<CheckedFile, "path" | "bytes" | "integrity" | "sha256">> {
  const [sha256, { size }] = [await sha256Of(file), await stat(file)];
  const isIntact = expected !== undefined && sha256.startsWith(expected);
  return { path: file, bytes: size, sha256, integrity: isIntact ? "intact" : "damaged" };
}

/** Reads a manifest, a line of JSON and its SHA-256; undefined if they do not match. */
async function readManifest(folder: string, name: string): Promise<Manifest | undefined> {
  const text = await readFile(path.join(folder, name), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const [line = "", checksum] = text.split("\n");
  return checksum === sha256OfText(line) ? JSON.parse(line) : undefined;
}

export function writeManifest(folder: string, integration: string, landing: number, manifest: Manifest): Promise<void> {
  const line = JSON.stringify(manifest);
  return writeWhole(path.join(folder, manifestName(integration, landing)), `${line}\n${sha256OfText(line)}\n`, 0o600);
}

/**
 * Quarantines a damaged file: nothing that reads the lake sees it. Its manifest stays, or is made, so that nothing is
 * derived without the file.
 */
export async function quarantine({
  path: file,
  integration,
  landing,
  manifest,
  integrity,
}: CheckedFile): Promise<void> {
  const [folder, name] = [path.dirname(file), path.basename(file)];
  if (!manifest) {
    const sha256 = NAME.exec(name)?.groups?.checksum ?? "";
    await writeManifest(folder, integration, landing, { file: name, sha256, landedAt: null, exports: [] });
  }
  if (integrity === "damaged") await rename(file, `${file}.damaged`);
}

/** Describes a lost file: its path, what is wrong with it, and which exports it held. */
export function describeDamage({ path: file, integrity, manifest }: CheckedFile, dataDir: string): string {
  const what = `${path.relative(dataDir, file)} is ${integrity}`;
  const exports = (manifest?.exports ?? []).map(({ name }) => name);
  if (exports.length === 0) return `${what}; it is not known which exports it held`;
  const more = exports.length > 3 ? ` and ${exports.length - 3} more` : "";
  return `${what}; it held ${exports.slice(0, 3).join(", ")}${more}`;
}
