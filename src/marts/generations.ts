import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { canonicalId } from "../contract/param.ts";
import type { Organization } from "../contract/settings.ts";
import { sha256Of, sha256OfText } from "../files/checksum.ts";
import { sync, writeWhole } from "../files/durable.ts";
import { paths } from "../files/paths.ts";
import type { Bounds } from "./parts.ts";

/**
 * The derived files of an organization at one time. A generation is never changed: the next one gets a folder of its
 * own, and the file `current` says which one holds. Renaming over files in use would mix old and new silently.
 */
export interface Generation {
  readonly folder: string;
  /** Names what it was derived from. */
  readonly state: string;
  readonly settings: Organization;
  /** The SHA-256 of each file. Generations of early versions have none: nobody can tell whether they are intact. */
  readonly checksums?: Readonly<Record<string, string>>;
  /** What an increment has to know of it; a generation without one is followed by a whole derivation. */
  readonly basis?: Basis | undefined;
}

/** What a generation was made from and how its relations are cut. */
export interface Basis {
  readonly recipe: string;
  /** The landed files, by their path in the data folder. */
  readonly files: readonly string[];
  readonly bounds: Bounds;
}

/** A generation that is no longer current is kept this long for the queries that still read it. */
const KEPT_MS = 10 * 60_000;

/** What a generation is made from, and its files' checksums: in its folder. */
const MADE = "derived.json";

const pointer = (dataDir: string, organization: string): string =>
  path.join(paths.mart(dataDir, organization), "current");

/**
 * The generation that holds now; undefined when none is there, when what is said of it is not what was written, or when
 * it is another organization's, as after a restore into the wrong folder.
 */
export async function currentGeneration(dataDir: string, organization: string): Promise<Generation | undefined> {
  const found = await generationThere(dataDir, organization);
  return found && ownerOf(found) === canonicalId(organization) ? found : undefined;
}

/** Whose derived files lie in the organization's place, when they are another one's. */
export async function foreignOwner(dataDir: string, organization: string): Promise<string | undefined> {
  const found = await generationThere(dataDir, organization);
  return found && ownerOf(found) !== canonicalId(organization) ? ownerOf(found) : undefined;
}

const ownerOf = ({ settings }: Generation): string => canonicalId(settings.organizationId);

/** The pointer has the checksum of `derived.json` on its second line, which has those of the files. */
async function generationThere(dataDir: string, organization: string): Promise<Generation | undefined> {
  try {
    const [name = "", checksum] = (await readFile(pointer(dataDir, organization), "utf8")).trim().split("\n");
    if (!/^gen=\d+$/.test(name)) return undefined;
    const folder = path.join(paths.mart(dataDir, organization), name);
    const text = await readFile(path.join(folder, MADE), "utf8");
    if (checksum !== undefined && checksum !== sha256OfText(text)) return undefined;
    return { folder, ...(JSON.parse(text) as Omit<Generation, "folder">) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The files of a generation that are not what was written. */
export async function spoilt({ folder, checksums = {} }: Generation): Promise<string[]> {
  const found: string[] = [];
  for (const [name, sha256] of Object.entries(checksums)) {
    const is = await sha256Of(path.join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    if (is !== sha256) found.push(name);
  }
  return found;
}

/** Changes whenever another generation becomes current. */
export async function pointerVersion(dataDir: string, organization: string): Promise<string | undefined> {
  const found = await stat(pointer(dataDir, organization), { bigint: true }).catch(() => undefined);
  return found && `${found.ino}-${found.mtimeNs}`;
}

/** Makes a finished folder the current generation. `before`: the one that it may share files with. */
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
    checksums[file] = (await takenOver(finished, file, before)) ?? (await sha256Of(path.join(finished, file)));
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

/** The checksum of a file that the generation before has too: what happened to it since is not to be taken for right. */
async function takenOver(folder: string, file: string, before: Generation | undefined): Promise<string | undefined> {
  const checksum = before?.checksums?.[file];
  if (before === undefined || checksum === undefined) return undefined;
  const [taken, there] = await Promise.all(
    [folder, before.folder].map((of) => stat(path.join(of, file)).catch(() => undefined)),
  );
  return taken && taken.ino === there?.ino ? checksum : undefined;
}

/** Removes generations nobody reads any more, and what a killed derivation left. Only a writer may. */
export async function removeOld(dataDir: string, organization: string, current: Generation): Promise<void> {
  const home = paths.mart(dataDir, organization);
  const names = (await readdir(home)).sort();
  for (const name of names.filter((name) => name.startsWith("."))) {
    await rm(path.join(home, name), { recursive: true, force: true });
  }
  const generations = names.filter((name) => name.startsWith("gen="));
  const last = generations.indexOf(path.basename(current.folder));
  for (let n = 0; n < last - 1; n++) {
    // It was current until the one after it was made, however old it is itself.
    const { mtimeMs } = await stat(path.join(home, generations[n + 1] ?? ""));
    if (Date.now() - mtimeMs > KEPT_MS)
      await rm(path.join(home, generations[n] ?? ""), { recursive: true, force: true });
  }
}
