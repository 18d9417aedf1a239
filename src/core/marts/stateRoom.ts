import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { foldersOf, type OrganizationFolders } from "../files/organizationFolders.ts";
import { paths } from "../files/paths.ts";
import { ageOf, clockOf } from "../files/storageClock.ts";
import { KEPT_MS } from "./generations.ts";
import { inputsAt } from "./moments.ts";
import { pinsOf } from "./pins.ts";
import { sendPast } from "./sentPast.ts";
import { sourcesThen } from "./sources.ts";
import { STATE_FILE, STATE_FOLDER } from "./stateNames.ts";
import { endState, isEnded, nameOf, removeEnded } from "./states.ts";

interface Kept {
  readonly folders: OrganizationFolders;
  readonly key: string;
  readonly askedAt: number;
  /** The sizes of its files by inode, without those of generations. */
  readonly own: ReadonlyMap<string, number>;
}

/** One that no further request begins to read. */
interface Ended extends Kept {
  readonly ageMs: number;
}

interface Room {
  readonly bytes: number;
  /** Whether a request of this process reads it. */
  readonly isHeld?: (organization: string, key: string) => boolean;
}

/**
 * Ends states until the others fit into so many bytes: those asked least recently first, pinned ones last. The one that was
 * asked last stays, and so do those that requests of this process read. What was ended is removed as old generations are, as
 * another process may read it, or earlier if all are twice as large.
 */
export async function removeSurplus(dataDir: string, { bytes, isHeld = () => false }: Room): Promise<void> {
  const { kept, ended } = await statesIn(dataDir);
  const more = await endSurplus(kept, bytes, isHeld);
  const all = new Set([...kept, ...ended]);
  const newest = more.map((one) => ({ ...one, ageMs: 0 }));
  for (const one of [...ended.sort((a, b) => b.ageMs - a.ageMs), ...newest]) {
    if (one.ageMs <= KEPT_MS && bytesOf(all) <= 2 * bytes) continue;
    await removeEnded(one.folders, one.key);
    for (const same of all) if (same.key === one.key && same.folders === one.folders) all.delete(same);
  }
  for (const folders of new Set(more.map((one) => one.folders))) await sendPast(folders);
}

/** Returns those that it ended. */
async function endSurplus(kept: Kept[], bytes: number, isHeld: NonNullable<Room["isHeld"]>): Promise<Kept[]> {
  const left = new Set(kept);
  if (bytesOf(left) <= bytes) return [];
  const pins = new Map<string, ReadonlySet<string>>();
  for (const { folders } of kept)
    if (!pins.has(folders.organization)) pins.set(folders.organization, await pinnedIn(folders));
  const isPinned = ({ folders, key }: Kept): number => Number(pins.get(folders.organization)?.has(key) ?? false);
  kept.sort((a, b) => isPinned(a) - isPinned(b) || a.askedAt - b.askedAt);
  const last = Math.max(...kept.map(({ askedAt }) => askedAt));
  const ended: Kept[] = [];
  for (const one of kept) {
    if (bytesOf(left) <= bytes) break;
    if (one.askedAt === last || isHeld(one.folders.organization, one.key)) continue;
    await endState(one.folders, one.key);
    left.delete(one);
    ended.push(one);
  }
  return ended;
}

/** The keys of the states that pins name. Pins that cannot be read keep none, and are reported where they are asked for. */
async function pinnedIn(folders: OrganizationFolders): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const { moment } of await pinsOf(folders).catch(() => []))
    keys.add(nameOf(await sourcesThen(folders, await inputsAt(folders, moment))).key);
  return keys;
}

/** Files that several have count once. */
function bytesOf(states: Iterable<Kept>): number {
  const sizes = new Map<string, number>();
  for (const { own } of states) for (const [inode, size] of own) sizes.set(inode, size);
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

async function statesIn(dataDir: string): Promise<{ kept: Kept[]; ended: Ended[] }> {
  const [kept, ended]: [Kept[], Ended[]] = [[], []];
  for (const home of await readdir(paths.marts(dataDir)).catch(() => [])) {
    const organization = /^organization_id=(.+)$/.exec(home)?.[1];
    if (organization === undefined) continue;
    const folders = foldersOf(dataDir, organization);
    const names = await readdir(folders.mart).catch(() => []);
    const states = names.filter((name) => name.startsWith(STATE_FOLDER));
    if (states.length === 0) continue;
    const now = clockOf(folders.mart);
    const linked = new Map<string, number>();
    for (const name of names.filter((name) => name.startsWith("gen=")))
      for (const [inode, size] of await sizesIn(path.join(folders.mart, name))) linked.set(inode, size);
    for (const name of states) {
      const folder = path.join(folders.mart, name);
      const sizes = await sizesIn(folder);
      const own = new Map([...sizes].filter(([inode]) => !linked.has(inode)));
      const askedAt = (await stat(path.join(folder, STATE_FILE)).catch(() => undefined))?.mtimeMs ?? 0;
      const one = { folders, key: name.slice(STATE_FOLDER.length), askedAt, own };
      if (await isEnded(folders, one.key)) ended.push({ ...one, ageMs: await ageOf(folder, now) });
      else kept.push(one);
    }
  }
  return { kept, ended };
}

async function sizesIn(folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(path.join(folder, name)).catch(() => undefined);
    if (found?.isFile()) sizes.set(`${found.dev} ${found.ino}`, found.size);
  }
  return sizes;
}
