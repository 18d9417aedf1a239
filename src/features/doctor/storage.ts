import { execFile } from "node:child_process";
import { link, mkdtemp, open, readFile, rm, stat, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { isOutOfSpace } from "../../core/contract/error.ts";
import { lockIfFree } from "../../core/engine/lock.ts";
import { writeWhole } from "../../core/files/durable.ts";
import { entryOf } from "../../core/files/entry.ts";
import { type Finding, finding } from "./report.ts";

/** Measured behaviour of the data folder's file system. */
interface Tried {
  /** A second process is refused a lock that this one holds. */
  readonly locks: boolean;
  /** A file can get a second name. */
  readonly links: boolean;
  /** A file that is open keeps its content when another one takes its name. */
  readonly replaces: boolean;
  /** `stat` shows at once that another process has replaced a file. */
  readonly isFresh: boolean;
  /** The kind of file system, if other machines may share it. */
  readonly shared?: string | undefined;
}

/** How long a change may take to be seen: the service looks every half second. */
const FRESH_MS = 1_000;

/** The types in `statfs` of Linux. */
const SHARED = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x00c36400, "CephFS"],
  [0x0bd00bd0, "Lustre"],
  [0x65735546, "FUSE"],
]);

/** Findings about the data folder's file system; none if this process may not write there. */
export async function storageFindings(dataDir: string): Promise<Finding[]> {
  try {
    return await findingsIn(dataDir);
  } catch (error) {
    if (!isOutOfSpace(error as Error)) throw error;
    const title = `no room on the disk of ${dataDir}: nothing lands, and nothing is derived, until some of it is free`;
    return [finding("storage", "wrong", title)];
  }
}

async function findingsIn(dataDir: string): Promise<Finding[]> {
  const folder = await mkdtemp(path.join(dataDir, ".doctor-")).catch((error) => {
    if (isOutOfSpace(error)) throw error;
  });
  if (folder === undefined) return [];
  try {
    return findingsOf(await tryStorage(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Uses that the storage is not fit for. */
export function findingsOf({ locks, links, replaces, isFresh, shared }: Tried): Finding[] {
  const wrong = [
    links ? "" : "files cannot get a second name (hard link): nothing can land or be derived here",
    locks
      ? ""
      : "a second process gets a lock that is held: two syncs at once would damage the lake; only one process may write",
    replaces ? "" : "an open file loses its content when it is replaced: a service cannot answer during a sync",
    isFresh ? "" : "a replaced file is seen late: services here would accept revoked credentials and show old answers",
  ].filter(Boolean);
  const notice =
    `the data folder is on ${shared}, which other machines may share. One machine can only try itself: mount it so that ` +
    "locks hold between machines and attributes are at most a second old (docs/scaling.md)";
  return [
    ...wrong.map((title) => finding("storage", "wrong", title)),
    ...(shared === undefined ? [] : [finding("storage", "notice", notice)]),
  ];
}

async function tryStorage(folder: string): Promise<Tried> {
  const links = await canLink(folder);
  const replaces = await canReplace(folder);
  const shared = SHARED.get(Number((await statfs(folder)).type));
  // Without links there is no file to lock.
  const apart = links ? await withSecondProcess(folder) : { locks: true, isFresh: true };
  return { links, replaces, shared, ...apart };
}

async function canLink(folder: string): Promise<boolean> {
  const [one, other] = [path.join(folder, "one"), path.join(folder, "other")];
  await writeFile(one, "linked");
  return link(one, other).then(
    async () => (await readFile(other, "utf8")) === "linked",
    () => false,
  );
}

async function canReplace(folder: string): Promise<boolean> {
  const file = path.join(folder, "replaced");
  await writeFile(file, "before");
  const handle = await open(file, "r");
  try {
    await writeWhole(file, "after");
    return (await handle.readFile("utf8")) === "before" && (await readFile(file, "utf8")) === "after";
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}

async function withSecondProcess(folder: string): Promise<Pick<Tried, "locks" | "isFresh">> {
  const [lock, file] = [path.join(folder, "lock"), path.join(folder, "seen")];
  const release = await lockIfFree(lock);
  try {
    await writeFile(file, "by this process");
    const before = await stat(file, { bigint: true });
    const { file: script, execArgv } = entryOf("features/doctor/secondProcess");
    const args = [...execArgv, script, lock, file, "by the second process"];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return { locks: stdout.trim() === "refused", isFresh: await changes(file, before.ino) };
  } finally {
    await release?.();
  }
}

/** Whether `stat` shows the other file soon. */
async function changes(file: string, inode: bigint): Promise<boolean> {
  for (const until = performance.now() + FRESH_MS; performance.now() < until; await sleep(20)) {
    if ((await stat(file, { bigint: true })).ino !== inode) return true;
  }
  return false;
}
