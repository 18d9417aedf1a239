import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { foldersOf, type OrganizationFolders } from "../files/organizationFolders.ts";
import { paths } from "../files/paths.ts";
import { removeState, STATE_FILE, STATE_FOLDER } from "./states.ts";

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
    const states = names.filter((name) => name.startsWith(STATE_FOLDER));
    if (states.length === 0) continue;
    const linked = new Map<string, number>();
    for (const name of names.filter((name) => name.startsWith("gen=")))
      for (const [inode, size] of await sizesIn(path.join(folders.mart, name))) linked.set(inode, size);
    for (const name of states) {
      const folder = path.join(folders.mart, name);
      const sizes = await sizesIn(folder);
      const own = new Map([...sizes].filter(([inode]) => !linked.has(inode)));
      const askedAt = (await stat(path.join(folder, STATE_FILE)).catch(() => undefined))?.mtimeMs ?? 0;
      kept.push({ folders, key: name.slice(STATE_FOLDER.length), askedAt, own });
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
