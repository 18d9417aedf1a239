import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { UUID } from "../../../core/contract/param.ts";
import { checkedText, readChecked } from "../../../core/files/checked.ts";
import { sha256OfText } from "../../../core/files/checksum.ts";
import { writeWhole } from "../../../core/files/durable.ts";
import { keys } from "./keys.ts";
import { type ObjectStore, StoreError } from "./store.ts";

/** The files in a data folder that replicas follow besides derived files. */
const FILES = ["credentials.json", "links.json"];
const SETTINGS = "organizations";
/** How often a document is sent again that another process sends at the same time. */
const TRIES = 3;

/** By name: the tag of the object, and the SHA-256 of the file that it was made from or became. */
type State = Readonly<Record<string, { readonly etag: string; readonly sha256: string }>>;

const isDocument = (name: string): boolean => FILES.includes(name) || isSettings(name);

const isSettings = (name: string): boolean =>
  path.dirname(name) === SETTINGS && name.endsWith(".json") && UUID.test(path.basename(name, ".json"));

const stateFile = (dataDir: string): string => path.join(dataDir, ".documents");

const inStorage = async (store: ObjectStore): Promise<Map<string, string>> =>
  new Map(
    (await store.list(keys.documents))
      .map(({ key, etag }): [string, string] => [key.slice(keys.documents.length), etag])
      .filter(([name]) => isDocument(name)),
  );

const inFolder = async (dataDir: string): Promise<string[]> => {
  const names = [
    ...FILES,
    ...(await readdir(path.join(dataDir, SETTINGS)).catch(() => [])).map((name) => `${SETTINGS}/${name}`),
  ];
  return names.filter(isDocument);
};

const textOf = (dataDir: string, name: string): Promise<string | undefined> =>
  readFile(path.join(dataDir, name), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });

/** Milliseconds since the documents were last those of the storage, also by an earlier process; infinite if never. */
export async function receivedAgo(dataDir: string): Promise<number> {
  const found = await stat(stateFile(dataDir)).catch(() => undefined);
  return found ? Math.max(0, Date.now() - found.mtimeMs) : Number.POSITIVE_INFINITY;
}

/** Whether a document differs from what was last sent. */
export async function hasUnsent(dataDir: string): Promise<boolean> {
  const known = (await readChecked<State>(stateFile(dataDir))) ?? {};
  const names = await inFolder(dataDir);
  for (const name of new Set([...names, ...Object.keys(known)])) {
    const text = await textOf(dataDir, name);
    if ((text === undefined ? undefined : sha256OfText(text)) !== known[name]?.sha256) return true;
  }
  return false;
}

/**
 * Sends the settings, credentials and share links that differ from those in the storage, and removes those that are gone
 * here. For the one data folder that is the original. Returns what changed.
 */
export async function sendDocuments(store: ObjectStore, dataDir: string): Promise<string[]> {
  const known = (await readChecked<State>(stateFile(dataDir))) ?? {};
  const there = await inStorage(store);
  const names = new Set([...(await inFolder(dataDir)), ...there.keys()]);
  const state: Record<string, State[string]> = {};
  const changed: string[] = [];
  for (const name of names) {
    const sent = await sendOne(store, dataDir, name, there.get(name), known[name]);
    if (sent.now) state[name] = sent.now;
    if (sent.isChanged) changed.push(name);
  }
  if (JSON.stringify(state) !== JSON.stringify(known)) await writeWhole(stateFile(dataDir), checkedText(state), 0o600);
  return changed;
}

async function sendOne(
  store: ObjectStore,
  dataDir: string,
  name: string,
  present: string | undefined,
  known: State[string] | undefined,
): Promise<{ readonly now: State[string] | undefined; readonly isChanged: boolean }> {
  let etag = present;
  for (let tries = 0; tries < TRIES; tries++) {
    const text = await textOf(dataDir, name);
    if (text === undefined) {
      if (etag !== undefined) await store.remove(keys.document(name));
      return { now: undefined, isChanged: etag !== undefined };
    }
    const sha256 = sha256OfText(text);
    if (known && known.sha256 === sha256 && known.etag === etag) return { now: known, isChanged: false };
    // The condition keeps a process that is behind from sending what another one has replaced meanwhile.
    const put = await store.put(keys.document(name), text, etag === undefined ? "new" : { match: etag });
    if (put !== undefined) return { now: { etag: put, sha256 }, isChanged: true };
    const found = await store.get(keys.document(name));
    etag = found && found !== "same" ? found.etag : undefined;
    // The answer to an earlier attempt may have been lost.
    if (found && found !== "same" && found.body.toString("utf8") === text)
      return { now: { etag: found.etag, sha256 }, isChanged: true };
  }
  throw new StoreError(`${name}: another process keeps changing it in the storage; try again`);
}

/**
 * Makes a replica's documents those of the storage. Every process that reads them finds whole files. Fails with a
 * `StoreError` if the storage does not answer: the documents stay as they are. Returns what changed.
 */
export async function receiveDocuments(store: ObjectStore, dataDir: string): Promise<string[]> {
  const known = (await readChecked<State>(stateFile(dataDir))) ?? {};
  const there = await inStorage(store);
  const here = await inFolder(dataDir);
  // An emptied storage is a mistake that must not take the access away from everyone at once.
  if (there.size === 0 && Object.keys(known).length > 0)
    throw new StoreError("the storage has no documents any more: those that were seen stay in force");
  const state: Record<string, State[string]> = {};
  const changed: string[] = [];
  for (const [name, etag] of there) {
    const before = known[name];
    if (before?.etag === etag && here.includes(name)) {
      state[name] = before;
      continue;
    }
    const found = await store.get(keys.document(name));
    if (found === undefined || found === "same") continue;
    const text = found.body.toString("utf8");
    await mkdir(path.dirname(path.join(dataDir, name)), { recursive: true });
    await writeWhole(path.join(dataDir, name), text, 0o600);
    state[name] = { etag: found.etag, sha256: sha256OfText(text) };
    changed.push(name);
  }
  for (const name of here) {
    if (there.has(name)) continue;
    await rm(path.join(dataDir, name), { force: true });
    changed.push(name);
  }
  if (JSON.stringify(state) !== JSON.stringify(known)) await writeWhole(stateFile(dataDir), checkedText(state), 0o600);
  else await utimes(stateFile(dataDir), new Date(), new Date()).catch(() => {});
  return changed;
}
