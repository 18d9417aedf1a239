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
import { exists } from "../files/exists.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { ageOf, clockOf } from "../files/storageClock.ts";
import type { LandedPlace } from "../landing/ledger/revocations.ts";
import { checksumIn } from "../landing/ledger/verify.ts";
import { codeVersion } from "./codeVersion.ts";
import { customerSecret } from "./customerSecret.ts";
import { built, deriveWhole, inUnfinished } from "./derive.ts";
import { corruptFiles, currentGeneration, describedFiles, type Generation, KEPT_MS } from "./generations.ts";
import { canonicalText, type Inputs, type StateEntry } from "./history.ts";
import { PARTITION_POLICY } from "./partitions.ts";
import { presentIn, type Sources, sourcesThen } from "./sources.ts";
import { STATE_FILE, STATE_FOLDER } from "./stateNames.ts";

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

const hashOf = (value: unknown): string => sha256OfText(JSON.stringify(value)).slice(0, 32);

export function nameOf(sources: Sources): StateName {
  const { secretVersion, settings, names, pulled, missing } = sources;
  const settingsText = canonicalText(settings);
  return {
    key: hashOf([codeVersion(), secretVersion, settingsText, [...names].sort(), canonicalText(pulled)]),
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

const placeOf = ({ mart }: OrganizationFolders, key: string): string => path.join(mart, STATE_FOLDER + key);

/** The files of a state; undefined if they are not there, or if their description is damaged. */
export async function stateFiles(folders: OrganizationFolders, key: string): Promise<State | undefined> {
  const folder = placeOf(folders, key);
  const made = await readChecked<Omit<State, "folder">>(path.join(folder, STATE_FILE));
  return made && { folder, ...made };
}

/** The states that are kept, with the texts of their descriptions. */
export async function keptStates(
  folders: OrganizationFolders,
): Promise<(State & { readonly key: string; readonly description: string })[]> {
  const kept: (State & { readonly key: string; readonly description: string })[] = [];
  for (const key of (await stateKeys(folders)).sort()) {
    const state = await stateFiles(folders, key);
    if (!state) continue;
    const { folder, ...made } = state;
    kept.push({ ...state, key, description: checkedText(made) });
  }
  return kept;
}

/** Notes that a state was asked for: those asked least recently are removed first. */
export async function noteAsked(folders: OrganizationFolders, key: string): Promise<void> {
  const now = new Date();
  await utimes(path.join(placeOf(folders, key), STATE_FILE), now, now).catch(() => {});
}

/** The name of that file once no further request begins to read the state. */
const ENDED_FILE = "ended.json";

/** Whether a state answers no further requests, and is kept only for those that read it. */
export const isEnded = async (folders: OrganizationFolders, key: string): Promise<boolean> =>
  !(await exists(path.join(placeOf(folders, key), STATE_FILE)));

/** From now on no request begins to read it. Its files stay for those of other processes that do. */
export const endState = (folders: OrganizationFolders, key: string): Promise<void> =>
  renameIn(placeOf(folders, key), STATE_FILE, ENDED_FILE).then(() => {});

/** Removes a state that was ended, unless it has been asked for again. */
export async function removeEnded(folders: OrganizationFolders, key: string): Promise<void> {
  const folder = placeOf(folders, key);
  await renameIn(folder, ENDED_FILE, `removed-${ENDED_FILE}`);
  if (await isEnded(folders, key)) await removeFolder(folder);
}

/** Removes what was ended long ago, as generations that were replaced. */
export async function removeOldStates(folders: OrganizationFolders): Promise<void> {
  const now = clockOf(folders.mart);
  for (const key of await stateKeys(folders)) {
    const isOld = async (): Promise<boolean> => (await ageOf(placeOf(folders, key), now)) > KEPT_MS;
    if ((await isEnded(folders, key)) && (await isOld())) await removeEnded(folders, key);
  }
}

/** A state whose files are still there although it was ended answers again. */
async function revived(folders: OrganizationFolders, key: string): Promise<State | undefined> {
  return (await renameIn(placeOf(folders, key), ENDED_FILE, STATE_FILE)) ? stateFiles(folders, key) : undefined;
}

/** Returns whether there was such a file. */
const renameIn = (folder: string, from: string, to: string): Promise<boolean> =>
  rename(path.join(folder, from), path.join(folder, to)).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );

/** The keys of the states that have a folder. */
const stateKeys = async ({ mart }: OrganizationFolders): Promise<string[]> =>
  (await readdir(mart).catch(() => [] as string[]))
    .filter((name) => name.startsWith(STATE_FOLDER))
    .map((name) => name.slice(STATE_FOLDER.length));

export const removeState = (folders: OrganizationFolders, key: string): Promise<void> =>
  removeFolder(placeOf(folders, key));

/** Removes all states of an organization. Those that are asked for are derived again. */
export async function removeStates(folders: OrganizationFolders): Promise<void> {
  for (const key of await stateKeys(folders)) await removeState(folders, key);
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
  if ((await customerSecret(folders)) === undefined)
    throw new OperatorError(`the secret of the customer ids of ${folders.organization} is gone`);
  const { key } = nameOf(sources);
  const there = (await stateFiles(folders, key)) ?? (await revived(folders, key));
  if (there) {
    await noteAsked(folders, key);
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
  for (const key of await stateKeys(folders)) {
    const found = await stat(path.join(placeOf(folders, key), STATE_FILE)).catch(() => undefined);
    if (found && found.mtimeMs < NEVER_MS) never.push({ key, askedAt: found.mtimeMs });
  }
  never.sort((a, b) => b.askedAt - a.askedAt);
  for (const { key } of never.slice(KEPT_REPLACED)) await endState(folders, key);
}

/** Puts a state in its place, unless it is there. `make` fills its folder, and returns the checksums of its files. */
async function put(
  folders: OrganizationFolders,
  sources: Sources,
  make: (folder: string) => Promise<Generation["checksums"]>,
  askedAt = new Date(),
): Promise<void> {
  const { key, missing } = nameOf(sources);
  if ((await stateFiles(folders, key)) ?? (await revived(folders, key))) return;
  await inUnfinished(folders, async (folder) => {
    const checksums = await make(folder);
    const made: Omit<State, "folder"> = { settings: sources.settings, missing, checksums };
    await writeWhole(path.join(folder, STATE_FILE), checkedText(made), 0o600);
    await utimes(path.join(folder, STATE_FILE), askedAt, askedAt);
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
  await built(database, { folders, folder, sources, copiesOrders: false, onOneThread: true, assembled }, (build) =>
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

/** The generation in force, if it is a state: where nothing is derived, the newest state answers from its files. */
export async function stateInForce(folders: OrganizationFolders, inputs: Inputs): Promise<State | undefined> {
  const current = await currentGeneration(folders);
  if (!current || !isMadeOf(current, await sourcesThen(folders, inputs))) return undefined;
  const { folder, settings, checksums } = current;
  return { folder, settings, missing: [], checksums };
}

/** Whether a generation of this version is made of these, none of them lost. */
function isMadeOf(
  { basis, settings: own, missing: lost = [] }: Generation,
  { codeVersion: version, names, settings, pulled, missing, secretVersion }: Sources,
): boolean {
  if (basis?.codeVersion !== version || missing.size + lost.length > 0) return false;
  return (
    basis.secretVersion === secretVersion &&
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

/** The landed files that do not match their checksums. */
async function damagedIn({ files }: Sources): Promise<string[]> {
  const damaged: string[] = [];
  for (const file of [...files.values()].flat()) {
    const checksum = checksumIn(path.basename(file));
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
    const made = name.startsWith(STATE_FOLDER)
      ? await readChecked<{ checksums: Record<string, string> }>(path.join(folder, STATE_FILE))
      : name.startsWith("gen=")
        ? await describedFiles(folder)
        : undefined;
    for (const [file, sum] of Object.entries(made?.checksums ?? {})) found.set(sum, path.join(folder, file));
  }
  return found;
}
