import { readdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { checkedText, readChecked } from "../../files/checked.ts";
import { sha256Of } from "../../files/checksum.ts";
import { writeWhole } from "../../files/durable.ts";
import type { IngestedFile } from "./ingested.ts";

/**
 * The manifest of a landed file, for when the file cannot be read any more. It is next to it, as
 * `<integration>.000012.json`. The file holds the same, so a lost or damaged manifest is written again. A manifest
 * without its file means that the file is missing.
 */
interface Manifest {
  /** The landed file's name. */
  readonly file: string;
  readonly sha256: string;
  /** Null if it is not known any more. */
  readonly landedAt: string | null;
  readonly exports: readonly IngestedFile[];
}

/** `intact`: the bytes are those that were written. `missing`: its manifest is there, but the file is not. */
type Integrity = "intact" | "damaged" | "missing";

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

/** The first half of the SHA-256 of a landed file, which its name has; undefined in those of earlier versions. */
export const checksumIn = (name: string): string | undefined => NAME.exec(name)?.groups?.checksum;

const PARTS = ".parts.parquet";

export const landedName = (integration: string, landing: number, sha256: string, ofParts = false): string =>
  `${placeName(integration, landing)}.${sha256.slice(0, 32)}${ofParts ? PARTS : ".parquet"}`;

/** Whether a landed file holds parts. */
export const holdsParts = (file: string): boolean => file.endsWith(PARTS);

const manifestName = (integration: string, landing: number): string => `${placeName(integration, landing)}.json`;

const placeName = (integration: string, landing: number): string =>
  `${integration}.${String(landing).padStart(6, "0")}`;

export const isLost = ({ integrity }: CheckedFile): boolean => integrity === "damaged" || integrity === "missing";

/** A landed file by its name, and its manifest; `file` is undefined if only the manifest is left. */
interface NamedFile {
  readonly integration: string;
  readonly landing: number;
  readonly file?: string;
  readonly checksum?: string;
  readonly manifest?: Manifest;
}

/**
 * The landed files in a folder of the lake, in the order of their names, without reading them. Missing ones come last. `last`:
 * the number of the last landing.
 */
export async function landedFiles(
  folder: string,
  integration?: string,
  last = Number.POSITIVE_INFINITY,
): Promise<NamedFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [] as string[];
    throw error;
  });
  const found: NamedFile[] = [];
  const manifests = new Map<string, Manifest | undefined>();
  const own = names.sort().flatMap((name) => {
    const parts = NAME.exec(name)?.groups;
    if (!parts || Number(parts.landing) > last) return [];
    return !integration || parts.integration === integration ? [{ name, parts }] : [];
  });
  for (const { name, parts } of own) {
    if (parts.kind === "json") manifests.set(`${parts.integration}.${parts.landing}`, await readManifest(folder, name));
  }
  for (const { name, parts } of own) {
    if (parts.kind === "json") continue;
    const key = `${parts.integration}.${parts.landing}`;
    const manifest = manifests.get(key);
    manifests.delete(key);
    found.push({
      integration: String(parts.integration),
      landing: Number(parts.landing),
      file: name,
      ...(parts.checksum ? { checksum: parts.checksum } : {}),
      ...(manifest ? { manifest } : {}),
    });
  }
  for (const [key, manifest] of manifests) {
    const [of = "", landing = ""] = key.split(".");
    found.push({ integration: of, landing: Number(landing), ...(manifest ? { manifest } : {}) });
  }
  return found;
}

/** Checks every landed file in a folder of the lake by reading it to its end, in the order of their names. */
export async function checkFiles(folder: string, integration?: string): Promise<CheckedFile[]> {
  const inspected: CheckedFile[] = [];
  for (const { file, checksum, ...named } of await landedFiles(folder, integration)) {
    const { manifest } = named;
    if (file) {
      inspected.push({ ...named, ...(await checkFile(path.join(folder, file), checksum ?? manifest?.sha256)) });
    } else {
      const name = manifest?.file ?? `${placeName(named.integration, named.landing)}.parquet`;
      inspected.push({ ...named, path: path.join(folder, name), bytes: 0, integrity: "missing", sha256: "" });
    }
  }
  return inspected;
}

/** Manifests among these names whose landed files are not. */
export function lostManifests(names: readonly string[]): string[] {
  const parsed = names.flatMap((name) => {
    const parts = NAME.exec(name)?.groups;
    return parts ? [{ name, key: `${parts.integration}.${parts.landing}`, kind: parts.kind }] : [];
  });
  const there = new Set(parsed.filter(({ kind }) => kind === "parquet").map(({ key }) => key));
  return parsed.filter(({ kind, key }) => kind === "json" && !there.has(key)).map(({ name }) => name);
}

async function checkFile(
  file: string,
  expected: string | undefined,
): Promise<Pick<CheckedFile, "path" | "bytes" | "integrity" | "sha256">> {
  const [sha256, { size }] = [await sha256Of(file), await stat(file)];
  const isIntact = expected !== undefined && sha256.startsWith(expected);
  return { path: file, bytes: size, sha256, integrity: isIntact ? "intact" : "damaged" };
}

export const readManifest = (folder: string, name: string): Promise<Manifest | undefined> =>
  readChecked(path.join(folder, name));

export const writeManifest = (
  folder: string,
  integration: string,
  landing: number,
  manifest: Manifest,
): Promise<void> => writeWhole(path.join(folder, manifestName(integration, landing)), checkedText(manifest), 0o600);

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
