import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { canonicalId } from "../contract/param.ts";
import type { Organization } from "../contract/settings.ts";
import { CURRENT, type Pointers } from "../coordination/coordination.ts";
import { coordinationOf } from "../coordination/registry.ts";
import { removeUnowned } from "../engine/ownedFolder.ts";
import { sha256Of, sha256OfText } from "../files/checksum.ts";
import { flushToDisk, writeWhole } from "../files/durable.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { ageOf, clockOf, UNFINISHED } from "../files/storageClock.ts";
import type { LandedPlace } from "../landing/ledger/revocations.ts";
import { DAY_MS } from "../time/days.ts";
import { codeVersion } from "./codeVersion.ts";
import type { PartitionBounds } from "./partitions.ts";
import type { Pulled } from "./pulledUntil.ts";
import { clearAtReplicas, isAtReplicas, publishToReplicas, sendToReplicas } from "./replication.ts";

/**
 * The derived files of an organization at one time. A generation never changes: the next one gets a new folder, and the
 * file `current` names the generation in force. Replacing files in use would silently mix old and new.
 */
export interface Generation {
  readonly folder: string;
  /** Identifies its inputs. */
  readonly state: string;
  readonly settings: Organization;
  /** When it came into force, for the history [D80]; absent from those of earlier versions. */
  readonly since?: string;
  /** The SHA-256 of each file. */
  readonly checksums: Readonly<Record<string, string>>;
  /** Landed files that were lost when it was derived, so that it lacks their rows; absent if there were none. */
  readonly missing?: readonly LandedPlace[] | undefined;
  /** The input of an increment; a generation without it is followed by a whole derivation. */
  readonly basis?: GenerationBasis | undefined;
}

/** The inputs of a generation, and where its relations are split. */
interface GenerationBasis {
  readonly codeVersion: string;
  /** The SHA-256 of the secret of the customer ids. */
  readonly secretVersion: string;
  /** The landed files, by their path in the data folder. */
  readonly files: readonly string[];
  readonly bounds: PartitionBounds;
  /** The last whole days that complete pulls asked for; absent if nothing is pulled. */
  readonly pulled?: Pulled;
}

/** How long a replaced generation, and a state that was ended, is kept for the queries that still read it. */
export const KEPT_MS = 10 * 60_000;
/** How long the newest generation of another version of Lucra is kept after it was replaced, while both may run. */
const OTHER_VERSION_KEPT_MS = DAY_MS;

/** The file in a generation's folder with its inputs and its files' checksums. */
const MADE = "derived.json";

/** The pointer to the newest generation of one version, while `current` names one of another version. */
const pointerOf = (version: string): string => `${CURRENT}.${version.slice(0, 16)}`;

const pointersOf = ({ dataDir }: OrganizationFolders): Pointers => coordinationOf(dataDir).pointers;

/**
 * The newest generation that this version derived; undefined if there is none, if its description does not match its
 * checksum, or if it belongs to another organization, as after a restore into the wrong folder. The views of this version
 * may not fit the files of another one.
 */
export async function currentGeneration(folders: OrganizationFolders): Promise<Generation | undefined> {
  const found = await generationOfAnyVersion(folders);
  if (found && isOfThisVersion(found)) return found;
  const own = await generationIn(folders, pointerOf(codeVersion()));
  return own && isOwn(own, folders) && isOfThisVersion(own) ? own : undefined;
}

/** The generation in force, whichever version derived it. */
export async function generationOfAnyVersion(folders: OrganizationFolders): Promise<Generation | undefined> {
  const found = await generationIn(folders, CURRENT);
  return found && isOwn(found, folders) ? found : undefined;
}

/** The owner of the derived files in the organization's folder, if that is another organization. */
export async function foreignOwner(folders: OrganizationFolders): Promise<string | undefined> {
  const found = await generationIn(folders, CURRENT);
  return found && !isOwn(found, folders) ? ownerOf(found) : undefined;
}

const ownerOf = ({ settings }: Generation): string => canonicalId(settings.organizationId);
const isOwn = (found: Generation, { organization }: OrganizationFolders): boolean =>
  ownerOf(found) === canonicalId(organization);
const isOfThisVersion = ({ basis }: Generation): boolean => basis?.codeVersion === codeVersion();

/** The text of the pointer; undefined if there is none. */
export const pointerText = (folders: OrganizationFolders): Promise<string | undefined> =>
  pointersOf(folders).text(folders.organization, CURRENT);

/**
 * The generation that a pointer names. The second line of the pointer is the checksum of `derived.json`, which has the
 * checksums of the files.
 */
async function generationIn(folders: OrganizationFolders, pointer: string): Promise<Generation | undefined> {
  try {
    const text = await pointersOf(folders).text(folders.organization, pointer);
    const [name = "", checksum] = (text ?? "").trim().split("\n");
    if (!/^gen=\d+$/.test(name)) return undefined;
    const folder = path.join(folders.mart, name);
    const made = await readFile(path.join(folder, MADE), "utf8");
    if (checksum !== sha256OfText(made)) return undefined;
    return { folder, ...(JSON.parse(made) as Omit<Generation, "folder">) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The checksums of the files of a generation, as its description says; undefined without one that can be read. */
export async function describedFiles(folder: string): Promise<Pick<Generation, "checksums"> | undefined> {
  const made = await readFile(path.join(folder, MADE), "utf8").catch(() => undefined);
  try {
    return made === undefined ? undefined : JSON.parse(made);
  } catch {
    return undefined;
  }
}

/** How many files are read at the same time, so that one is read while another is hashed. */
const READ_AT_ONCE = 4;

/** The files of a generation that do not match their checksums. */
export async function corruptFiles({ folder, checksums }: Pick<Generation, "folder" | "checksums">): Promise<string[]> {
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
export const pointerVersion = (folders: OrganizationFolders): Promise<string | undefined> =>
  pointersOf(folders).version(folders.organization);

/** When the current generation became current. */
export const publishedAt = (folders: OrganizationFolders): Promise<Date | undefined> =>
  pointersOf(folders).changedAt(folders.organization);

/**
 * Makes a finished folder the current generation. It may share files with the generation `before`. Fails if the pointer is
 * no longer `pointer`, its text when the inputs were read: another process has published, perhaps from newer inputs.
 */
export async function publishGeneration(
  folders: OrganizationFolders,
  finished: string,
  made: Omit<Generation, "folder" | "checksums">,
  { before, pointer }: { readonly before?: Generation | undefined; readonly pointer?: string | undefined } = {},
): Promise<Generation> {
  const { dataDir, organization, mart: home } = folders;
  await mkdir(home, { recursive: true });
  const checksums: Record<string, string> = {};
  for (const file of (await readdir(finished)).sort()) {
    checksums[file] = (await inheritedChecksum(finished, file, before)) ?? (await sha256Of(path.join(finished, file)));
  }
  const text = JSON.stringify({ ...made, checksums });
  await writeWhole(path.join(finished, MADE), text, 0o600);
  await flushToDisk(finished);
  const numbers = (await readdir(home)).map((name) => Number(/^gen=(\d+)$/.exec(name)?.[1] ?? 0));
  const { numbers: claims, turns } = coordinationOf(dataDir);
  const number = await claims.claim(organization, "generation", Math.max(0, ...numbers) + 1);
  const name = `gen=${String(number).padStart(6, "0")}`;
  const folder = path.join(home, name);
  await turns.assertHeld(organization);
  await rename(finished, folder);
  await flushToDisk(home);
  await sendToReplicas(folders, folder, text, checksums).catch(async (error) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  // A folder that this process holds: unfinished pointers in it are removed with it.
  const aside = path.dirname(finished);
  await keepOtherVersion(folders, aside);
  const content = `${name}\n${sha256OfText(text)}\n`;
  // After a failure it may be in force or not: its folder stays, and is removed with the old ones.
  const isPut = await pointersOf(folders).put(folders.organization, CURRENT, content, { expected: pointer, aside });
  if (!isPut) {
    await rm(folder, { recursive: true, force: true });
    throw new Error("another process has published derived files meanwhile: an organization has one writer");
  }
  await pointersOf(folders).remove(folders.organization, pointerOf(codeVersion()));
  await publishToReplicas(folders, name, sha256OfText(text));
  return { folder, ...made, checksums };
}

/**
 * With storage for replicas: sends and publishes the generation in force if they lack it, as after a process that ended
 * between its own pointer and theirs, or in a data folder that had no such storage before.
 */
export async function bringToReplicas(folders: OrganizationFolders, current: Generation): Promise<void> {
  const { folder, checksums } = current;
  const name = path.basename(folder);
  const description = await readFile(path.join(folder, MADE), "utf8");
  const checksum = sha256OfText(description);
  if (await isAtReplicas(folders, { name, checksum })) return;
  await sendToReplicas(folders, folder, description, checksums);
  await publishToReplicas(folders, name, checksum);
}

/** Before the pointer is switched: processes of another version go on with the generation that they derived. */
async function keepOtherVersion(folders: OrganizationFolders, aside: string): Promise<void> {
  const present = await generationOfAnyVersion(folders);
  const version = present?.basis?.codeVersion;
  if (version === undefined || version === codeVersion()) return;
  const text = await pointerText(folders);
  if (text === undefined) return;
  await pointersOf(folders).put(folders.organization, pointerOf(version), text, { aside });
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
export async function removeOld(folders: OrganizationFolders, current: Generation): Promise<void> {
  const home = folders.mart;
  const names = (await readdir(home)).sort();
  const now = clockOf(home);
  for (const name of names.filter((name) => name.startsWith("."))) {
    const left = path.join(home, name);
    if (name.startsWith(UNFINISHED)) await removeUnowned(left);
    else if ((await ageOf(left, now)) > KEPT_MS) await rm(left, { recursive: true, force: true });
  }
  const inUse = new Set([path.basename(current.folder)]);
  const lasting = [CURRENT, pointerOf(codeVersion())];
  for (const { name, text, ageMs } of await pointersOf(folders).all(folders.organization)) {
    const isOutdated = !lasting.includes(name) && (await ageMs()) > OTHER_VERSION_KEPT_MS;
    if (isOutdated) await pointersOf(folders).remove(folders.organization, name);
    else inUse.add(text.split("\n")[0] ?? "");
  }
  const generations = names.filter((name) => name.startsWith("gen="));
  const last = generations.indexOf(path.basename(current.folder));
  for (let n = 0; n < last - 1; n++) {
    const name = generations[n] ?? "";
    if (inUse.has(name)) continue;
    // It was current until its successor was made, however old it is itself.
    if ((await ageOf(path.join(home, generations[n + 1] ?? ""), now)) > KEPT_MS)
      await rm(path.join(home, name), { recursive: true, force: true });
  }
}

/**
 * Removes every generation but the current one, at once, here and at replicas: they have what was erased [D98]. Only for the
 * writer.
 */
export async function removeOthers(folders: OrganizationFolders, current: Generation): Promise<void> {
  const pointers = pointersOf(folders);
  for (const { name } of await pointers.all(folders.organization)) {
    if (name !== CURRENT) await pointers.remove(folders.organization, name);
  }
  for (const name of await readdir(folders.mart)) {
    const place = path.join(folders.mart, name);
    if (name.startsWith(UNFINISHED)) await removeUnowned(place);
    else if (name.startsWith(".") || (name.startsWith("gen=") && name !== path.basename(current.folder)))
      await rm(place, { recursive: true, force: true });
  }
  const checksum = sha256OfText(await readFile(path.join(current.folder, MADE), "utf8"));
  await clearAtReplicas(folders, { name: path.basename(current.folder), checksum });
}
