import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { canonicalId } from "../contract/param.ts";
import type { Organization } from "../contract/settings.ts";
import { sha256Of, sha256OfText } from "../files/checksum.ts";
import { sync, writeWhole } from "../files/durable.ts";
import { paths } from "../files/paths.ts";
import type { LandedPlace } from "../landing/revocations.ts";
import type { PartitionBounds } from "./partitions.ts";

/**
 * The derived files of an organization at one time. A generation never changes: the next one gets a new folder, and the
 * file `current` names the generation in force. Replacing files in use would silently mix old and new.
 */
export interface Generation {
  readonly folder: string;
  /** Identifies its inputs. */
  readonly state: string;
  readonly settings: Organization;
  /** The SHA-256 of each file. */
  readonly checksums: Readonly<Record<string, string>>;
  /** Landed files that were lost when it was derived, so that it lacks their rows; absent if there were none. */
  readonly missing?: readonly LandedPlace[] | undefined;
  /** The input of an increment; a generation without it is followed by a whole derivation. */
  readonly basis?: Basis | undefined;
}

/** The inputs of a generation, and where its relations are split. */
export interface Basis {
  readonly codeVersion: string;
  /** The SHA-256 of the secret of the customer ids. */
  readonly secretVersion: string;
  /** The landed files, by their path in the data folder. */
  readonly files: readonly string[];
  readonly bounds: PartitionBounds;
}

/** How long a replaced generation is kept for the queries that still read it. */
const KEPT_MS = 10 * 60_000;

/** The file in a generation's folder with its inputs and its files' checksums. */
const MADE = "derived.json";

const pointer = (dataDir: string, organization: string): string =>
  path.join(paths.mart(dataDir, organization), "current");

/**
 * The generation in force; undefined if there is none, if its description does not match its checksum, or if it belongs
 * to another organization, as after a restore into the wrong folder.
 */
export async function currentGeneration(dataDir: string, organization: string): Promise<Generation | undefined> {
  const found = await generationThere(dataDir, organization);
  return found && ownerOf(found) === canonicalId(organization) ? found : undefined;
}

/** The owner of the derived files in the organization's folder, if that is another organization. */
export async function foreignOwner(dataDir: string, organization: string): Promise<string | undefined> {
  const found = await generationThere(dataDir, organization);
  return found && ownerOf(found) !== canonicalId(organization) ? ownerOf(found) : undefined;
}

const ownerOf = ({ settings }: Generation): string => canonicalId(settings.organizationId);

/** The second line of the pointer is the checksum of `derived.json`, which has the checksums of the files. */
async function generationThere(dataDir: string, organization: string): Promise<Generation | undefined> {
  try {
    const [name = "", checksum] = (await readFile(pointer(dataDir, organization), "utf8")).trim().split("\n");
    if (!/^gen=\d+$/.test(name)) return undefined;
    const folder = path.join(paths.mart(dataDir, organization), name);
    const text = await readFile(path.join(folder, MADE), "utf8");
    if (checksum !== sha256OfText(text)) return undefined;
    return { folder, ...(JSON.parse(text) as Omit<Generation, "folder">) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** How many files are read at the same time, so that one is read while another is hashed. */
const READ_AT_ONCE = 4;

/** The files of a generation that do not match their checksums. */
export async function corruptFiles({ folder, checksums }: Generation): Promise<string[]> {
  const found = new Set<string>();
  const files = Object.entries(checksums);
  const left = files.values();
  const check = async (): Promise<void> => {
    for (const [name, sha256] of left) {
      const is = await sha256Of(path.join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      });
      if (is !== sha256) found.add(name);
    }
  };
  await Promise.all(Array.from({ length: READ_AT_ONCE }, check));
  return files.map(([name]) => name).filter((name) => found.has(name));
}

/** Changes whenever another generation becomes current. */
export async function pointerVersion(dataDir: string, organization: string): Promise<string | undefined> {
  const found = await stat(pointer(dataDir, organization), { bigint: true }).catch(() => undefined);
  return found && `${found.ino}-${found.mtimeNs}`;
}

/** Makes a finished folder the current generation. It may share files with the generation `before`. */
export async function publishGeneration(
  dataDir: string,
  organization: string,
  finished: string,
  made: Omit<Generation, "folder" | "checksums">,
  before?: Generation,
): Promise<Generation> {
  const home = paths.mart(dataDir, organization);
  await mkdir(home, { recursive: true });
  const checksums: Record<string, string> = {};
  for (const file of (await readdir(finished)).sort()) {
    checksums[file] = (await inheritedChecksum(finished, file, before)) ?? (await sha256Of(path.join(finished, file)));
  }
  const text = JSON.stringify({ ...made, checksums });
  await writeWhole(path.join(finished, MADE), text, 0o600);
  await sync(finished);
  const numbers = (await readdir(home)).map((name) => Number(/^gen=(\d+)$/.exec(name)?.[1] ?? 0));
  const name = `gen=${String(Math.max(0, ...numbers) + 1).padStart(6, "0")}`;
  const folder = path.join(home, name);
  await rename(finished, folder);
  await sync(home);
  await writeWhole(pointer(dataDir, organization), `${name}\n${sha256OfText(text)}\n`);
  return { folder, ...made, checksums };
}

/** The recorded checksum of a file shared with the generation before: a new one would accept later damage. */
async function inheritedChecksum(
  folder: string,
  file: string,
  before: Generation | undefined,
): Promise<string | undefined> {
  const checksum = before?.checksums?.[file];
  if (before === undefined || checksum === undefined) return undefined;
  const [taken, there] = await Promise.all(
    [folder, before.folder].map((of) => stat(path.join(of, file)).catch(() => undefined)),
  );
  return taken && taken.ino === there?.ino ? checksum : undefined;
}

/** Removes old generations, and the remains of killed derivations. Only for the writer. */
export async function removeOld(dataDir: string, organization: string, current: Generation): Promise<void> {
  const home = paths.mart(dataDir, organization);
  const names = (await readdir(home)).sort();
  for (const name of names.filter((name) => name.startsWith("."))) {
    await rm(path.join(home, name), { recursive: true, force: true });
  }
  const generations = names.filter((name) => name.startsWith("gen="));
  const last = generations.indexOf(path.basename(current.folder));
  for (let n = 0; n < last - 1; n++) {
    // It was current until its successor was made, however old it is itself.
    const { mtimeMs } = await stat(path.join(home, generations[n + 1] ?? ""));
    if (Date.now() - mtimeMs > KEPT_MS)
      await rm(path.join(home, generations[n] ?? ""), { recursive: true, force: true });
  }
}
