import { createHash, randomBytes } from "node:crypto";
import { copyFile, link, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../contract/error.ts";
import { knownSettings, type Organization } from "../contract/settings.ts";
import type { Database } from "../engine/database.ts";
import { readSql, sqlFiles } from "../engine/sql.ts";
import { checkedText, readChecked } from "../files/checked.ts";
import { sha256Of, sha256OfText } from "../files/checksum.ts";
import { flushToDisk, writeWhole } from "../files/durable.ts";
import { foldersOf, type OrganizationFolders } from "../files/organizationFolders.ts";
import { paths } from "../files/paths.ts";
import type { LandedPlace } from "../landing/ledger/revocations.ts";
import { codeVersion } from "./codeVersion.ts";
import { built, deriveWhole, inUnfinished } from "./derive.ts";
import { corruptFiles, currentGeneration, describedFiles, type Generation } from "./generations.ts";
import { canonicalText, type Inputs, type StateEntry } from "./history.ts";
import { PARTITION_POLICY } from "./partitions.ts";
import { presentIn, type Sources, sourcesThen } from "./sources.ts";

/** The derived files of an earlier state. They never change. */
export interface State {
  readonly folder: string;
  readonly settings: Organization;
  /** Landed files that were lost when it was derived. */
  readonly missing: readonly LandedPlace[];
  readonly checksums: Readonly<Record<string, string>>;
}

/** What names a state before its files are there. */
export interface StateName {
  /** Of the files: it differs where any of them may. */
  readonly key: string;
  /** The `knownState` of answers [D80]: a hash of the landings that it has, of settings and of all code. */
  readonly knownState: string;
  readonly missing: readonly LandedPlace[];
}

/** The file in a state's folder with its settings and its files' checksums. It changes when the state is asked for. */
const MADE = "state.json";

/** How the folders of states are named. */
const STATE = "state=";

const hashOf = (value: unknown): string => sha256OfText(JSON.stringify(value)).slice(0, 32);

export function nameOf(sources: Sources): StateName {
  const { secret, settings, names, pulled, missing } = sources;
  const settingsText = canonicalText(settings);
  return {
    key: hashOf([codeVersion(), sha256OfText(secret), settingsText, [...names].sort(), canonicalText(pulled)]),
    knownState: hashOf([answerVersion(), settingsText, presentIn(sources), canonicalText(pulled)]),
    missing: [...missing.values()],
  };
}

let version: string | undefined;

/** A hash of all SQL and of the records: what derives, and what only answers. */
export function answerVersion(): string {
  if (version === undefined) {
    const hash = createHash("sha256").update(codeVersion());
    for (const file of sqlFiles()) hash.update(`${file}\n${readSql(file)}\n`);
    version = hash.digest("hex");
  }
  return version;
}

const placeOf = ({ mart }: OrganizationFolders, key: string): string => path.join(mart, STATE + key);

/** The files of a state; undefined if they are not there, or if their description is damaged. */
export async function stateFiles(folders: OrganizationFolders, key: string): Promise<State | undefined> {
  const folder = placeOf(folders, key);
  const made = await readChecked<Omit<State, "folder">>(path.join(folder, MADE));
  return made && { folder, ...made };
}

/** Notes that a state was asked for: those asked least recently are removed first. */
export async function noteAsked({ folder }: State): Promise<void> {
  const now = new Date();
  await utimes(path.join(folder, MADE), now, now).catch(() => {});
}

export const removeState = (folders: OrganizationFolders, key: string): Promise<void> =>
  removeFolder(placeOf(folders, key));

/** Removes all states of an organization. Those that are asked for are derived again. */
export async function removeStates(folders: OrganizationFolders): Promise<void> {
  const names = await readdir(folders.mart).catch(() => [] as string[]);
  for (const name of names.filter((one) => one.startsWith(STATE))) {
    await removeState(folders, name.slice(STATE.length));
  }
}

/** Under another name first: nobody reads half of it. */
async function removeFolder(folder: string): Promise<void> {
  const aside = path.join(path.dirname(folder), `.removed-${path.basename(folder)}-${randomBytes(6).toString("hex")}`);
  await rename(folder, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  await rm(aside, { recursive: true, force: true });
}

/**
 * Derives a state, unless it is there. It writes nothing but the state's folder: the caller needs no turn. Fails if a landed
 * file is damaged: a state without its rows would not be the one it says.
 */
export async function deriveState(database: Database, folders: OrganizationFolders, inputs: Inputs): Promise<string> {
  const sources = await sourcesThen(folders, inputs);
  if (sources.secret === "")
    throw new OperatorError(`the secret of the customer ids of ${folders.organization} is gone`);
  const { key } = nameOf(sources);
  const there = await stateFiles(folders, key);
  if (there) {
    await noteAsked(there);
    return key;
  }
  const current = await currentGeneration(folders);
  const isSame = current && isMadeOf(current, sources) && (await corruptFiles(current)).length === 0;
  await put(folders, sources, async (folder) => {
    if (isSame) return copyOf(current, folder);
    const [damaged] = await damagedIn(sources);
    if (damaged !== undefined) throw new OperatorError(damagedText(folders, damaged));
    await deriveInto(folder, { database, folders, sources });
    return shared(folders, folder);
  });
  return key;
}

/** How many generations that were replaced, and never asked for since, are kept. */
const KEPT_REPLACED = 3;
/** The states that were never asked for seem to have been asked for before this, in the order of their entries. */
const NEVER_MS = Date.parse("1980-01-01");

/** Keeps a generation that was replaced as the state of its entry: a few of each organization. */
export async function keepReplaced(
  folders: OrganizationFolders,
  replaced: Generation,
  entry: StateEntry,
): Promise<void> {
  const sources = await sourcesThen(folders, entry);
  if (!isMadeOf(replaced, sources)) return;
  // Only as links: what nobody has asked for costs no copy.
  await put(
    folders,
    sources,
    (folder) => copyOf(replaced, folder, link),
    new Date(Math.min(entry.no * 1_000, NEVER_MS - 1)),
  );
  const never: { key: string; askedAt: number }[] = [];
  for (const name of await readdir(folders.mart)) {
    if (!name.startsWith(STATE)) continue;
    const askedAt = (await stat(path.join(folders.mart, name, MADE)).catch(() => undefined))?.mtimeMs ?? 0;
    if (askedAt < NEVER_MS) never.push({ key: name.slice(STATE.length), askedAt });
  }
  never.sort((a, b) => b.askedAt - a.askedAt);
  for (const { key } of never.slice(KEPT_REPLACED)) await removeState(folders, key);
}

/** Puts a state in its place, unless it is there. `make` fills its folder, and returns the checksums of its files. */
async function put(
  folders: OrganizationFolders,
  sources: Sources,
  make: (folder: string) => Promise<Generation["checksums"]>,
  askedAt = new Date(),
): Promise<void> {
  const { key, missing } = nameOf(sources);
  if (await stateFiles(folders, key)) return;
  await inUnfinished(folders, async (folder) => {
    const checksums = await make(folder);
    const made: Omit<State, "folder"> = { settings: sources.settings, missing, checksums };
    await writeWhole(path.join(folder, MADE), checkedText(made), 0o600);
    await utimes(path.join(folder, MADE), askedAt, askedAt);
    await flushToDisk(folder);
    await rename(folder, placeOf(folders, key)).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
      // Another process has derived the same meanwhile, or the description of one that was there is damaged.
      if (await stateFiles(folders, key)) return;
      await removeState(folders, key);
      await rename(folder, placeOf(folders, key));
    });
    await flushToDisk(folders.mart);
  });
}

interface Deriving {
  readonly database: Database;
  readonly folders: OrganizationFolders;
  readonly sources: Sources;
}

async function deriveInto(folder: string, { database, folders, sources }: Deriving): Promise<void> {
  const assembled = path.join(path.dirname(folder), "assembled");
  await built(database, { folders, folder, sources, isSmall: true, assembled }, (build) =>
    deriveWhole(build, sources.files, PARTITION_POLICY),
  );
}

/** A state that was derived from the lake, whatever files of it are kept. */
export interface DerivedAgain {
  readonly folder: string;
  /** The key under which its files are kept. */
  readonly key: string;
  /** The landings that it has. */
  readonly present: readonly string[];
  /** Landings whose files do not match their checksums: it lacks their rows. */
  readonly damaged: readonly string[];
}

/** Derives a state again, in a folder that is removed after the work. A damaged landed file is left out. */
export async function withDerivedAgain<T>(
  database: Database,
  folders: OrganizationFolders,
  inputs: Inputs,
  work: (again: DerivedAgain) => Promise<T>,
): Promise<T> {
  const all = await sourcesThen(folders, inputs);
  const damaged = new Set(await damagedIn(all));
  const sources = {
    ...all,
    files: new Map([...all.files].map(([record, files]) => [record, files.filter((file) => !damaged.has(file))])),
  };
  const present = presentIn(sources);
  return inUnfinished(folders, async (folder) => {
    await deriveInto(folder, { database, folders, sources });
    const there = new Set(present);
    const lacking = presentIn(all).filter((place) => !there.has(place));
    return work({ folder, key: nameOf(all).key, present, damaged: lacking });
  });
}

/** Whether a generation of this version is made of these, none of them lost. */
function isMadeOf(
  { basis, settings: own, missing: lost = [] }: Generation,
  { codeVersion: version, names, settings, pulled, missing, secret }: Sources,
): boolean {
  if (basis?.codeVersion !== version || missing.size + lost.length > 0) return false;
  return (
    basis.secretVersion === sha256OfText(secret) &&
    canonicalText([...basis.files].sort()) === canonicalText([...names].sort()) &&
    canonicalText(knownSettings(own)) === canonicalText(settings) &&
    canonicalText(basis.pulled ?? {}) === canonicalText(pulled)
  );
}

async function copyOf(
  { folder, checksums }: Generation,
  into: string,
  copy = linkOrCopy,
): Promise<Generation["checksums"]> {
  await mkdir(into, { recursive: true });
  for (const name of Object.keys(checksums)) await copy(path.join(folder, name), path.join(into, name));
  return checksums;
}

/** Without hard links the storage has a copy. */
async function linkOrCopy(file: string, place: string): Promise<void> {
  await link(file, place).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw error;
    await copyFile(file, place);
    await flushToDisk(place);
  });
}

/** The name of a landed file has the beginning of its SHA-256. */
const CHECKSUM = /\.([0-9a-f]{32})(\.parts)?\.parquet$/;

/** The landed files that do not match their checksums. */
async function damagedIn({ files }: Sources): Promise<string[]> {
  const damaged: string[] = [];
  for (const file of [...files.values()].flat()) {
    const checksum = CHECKSUM.exec(file)?.[1];
    if (checksum !== undefined && !(await sha256Of(file)).startsWith(checksum)) damaged.push(file);
  }
  return damaged;
}

const damagedText = ({ dataDir }: OrganizationFolders, file: string): string =>
  `${path.relative(dataDir, file)} is damaged: sync repairs it, or says that it is lost`;

/** The checksums of new files; those that another generation or state has, too, become links to its files. */
async function shared(folders: OrganizationFolders, folder: string): Promise<Record<string, string>> {
  const others = await filesBySum(folders);
  const checksums: Record<string, string> = {};
  for (const name of (await readdir(folder)).sort()) {
    const file = path.join(folder, name);
    const sum = await sha256Of(file);
    checksums[name] = sum;
    const other = others.get(sum);
    if (other === undefined) continue;
    const linked = `${file}.link`;
    // It may be removed, or damaged, at this moment: then the file stays.
    const isLinked = await link(other, linked).then(
      async () => (await sha256Of(linked)) === sum,
      () => false,
    );
    if (isLinked) await rename(linked, file);
    else await rm(linked, { force: true });
  }
  return checksums;
}

/** The files of the generations and states of an organization, by their checksum. */
async function filesBySum({ mart }: OrganizationFolders): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of await readdir(mart)) {
    const folder = path.join(mart, name);
    const made = name.startsWith(STATE)
      ? await readChecked<{ checksums: Record<string, string> }>(path.join(folder, MADE))
      : name.startsWith("gen=")
        ? await describedFiles(folder)
        : undefined;
    for (const [file, sum] of Object.entries(made?.checksums ?? {})) found.set(sum, path.join(folder, file));
  }
  return found;
}

interface Kept {
  readonly folders: OrganizationFolders;
  readonly key: string;
  readonly askedAt: number;
  /** The sizes of its files by inode, without those of generations. */
  readonly own: ReadonlyMap<string, number>;
}

interface Room {
  readonly bytes: number;
  /** Whether a request reads it. */
  readonly isHeld: (organization: string, key: string) => boolean;
  /** The keys of the states that pins name. */
  readonly pinned: (folders: OrganizationFolders) => Promise<ReadonlySet<string>>;
}

/**
 * Removes states until the others fit into so many bytes: those asked least recently first, pinned ones last. The one that was
 * asked last stays, and so do those that requests read.
 */
export async function removeSurplus(dataDir: string, { bytes, isHeld, pinned }: Room): Promise<void> {
  const kept = await keptStates(dataDir);
  const left = new Set(kept);
  if (bytesOf(left) <= bytes) return;
  const pins = new Map<string, ReadonlySet<string>>();
  for (const { folders } of kept)
    if (!pins.has(folders.organization)) pins.set(folders.organization, await pinned(folders));
  const isPinned = ({ folders, key }: Kept): number => Number(pins.get(folders.organization)?.has(key) ?? false);
  kept.sort((a, b) => isPinned(a) - isPinned(b) || a.askedAt - b.askedAt);
  const last = Math.max(...kept.map(({ askedAt }) => askedAt));
  for (const one of kept) {
    if (bytesOf(left) <= bytes) return;
    if (one.askedAt === last || isHeld(one.folders.organization, one.key)) continue;
    await removeState(one.folders, one.key);
    left.delete(one);
  }
}

/** Files that several have count once. */
function bytesOf(states: Iterable<Kept>): number {
  const sizes = new Map<string, number>();
  for (const { own } of states) for (const [inode, size] of own) sizes.set(inode, size);
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

async function keptStates(dataDir: string): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const home of await readdir(paths.marts(dataDir)).catch(() => [])) {
    const organization = /^organization_id=(.+)$/.exec(home)?.[1];
    if (organization === undefined) continue;
    const folders = foldersOf(dataDir, organization);
    const names = await readdir(folders.mart).catch(() => []);
    const states = names.filter((name) => name.startsWith(STATE));
    if (states.length === 0) continue;
    const linked = new Map<string, number>();
    for (const name of names.filter((name) => name.startsWith("gen=")))
      for (const [inode, size] of await sizesIn(path.join(folders.mart, name))) linked.set(inode, size);
    for (const name of states) {
      const folder = path.join(folders.mart, name);
      const sizes = await sizesIn(folder);
      const own = new Map([...sizes].filter(([inode]) => !linked.has(inode)));
      const askedAt = (await stat(path.join(folder, MADE)).catch(() => undefined))?.mtimeMs ?? 0;
      kept.push({ folders, key: name.slice(STATE.length), askedAt, own });
    }
  }
  return kept;
}

async function sizesIn(folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(path.join(folder, name)).catch(() => undefined);
    if (found?.isFile()) sizes.set(`${found.dev} ${found.ino}`, found.size);
  }
  return sizes;
}
