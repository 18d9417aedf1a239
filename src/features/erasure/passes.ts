import { randomBytes } from "node:crypto";
import {
  chmod,
  copyFile,
  type FileHandle,
  lstat,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
} from "node:fs/promises";
import path from "node:path";
import { failureText, isOfTheMachine } from "../../core/contract/error.ts";
import type { RecordDeclaration } from "../../core/contract/record.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { checkedText, readChecked } from "../../core/files/checked.ts";
import { sha256Of } from "../../core/files/checksum.ts";
import { flushToDisk, publish, writeWhole } from "../../core/files/durable.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { paths } from "../../core/files/paths.ts";
import { openArchive } from "../../core/landing/bytes/archive.ts";
import { isZip } from "../../core/landing/bytes/sniff.ts";
import { contentHash, spellings } from "../../core/landing/find/exports.ts";
import { exportsIn, namesIn } from "../../core/landing/ledger/ingested.ts";
import type { RevocationEvent } from "../../core/landing/ledger/revocations.ts";
import { holdsParts, landedFiles, landedName, writeManifest } from "../../core/landing/ledger/verify.ts";
import { isWorkbook } from "../../core/landing/read/xlsx.ts";
import { exported } from "../../core/records/index.ts";
import { type Shown, Uploads } from "../uploads/store.ts";
import { type Erased, idOf, type Mode, withoutEmails } from "./erased.ts";
import { editedFile, type Workshop, withoutErased } from "./files.ts";
import { type Known, note, noted, type Rewritten, updated } from "./journal.ts";
import { editedJson } from "./objects.ts";
import { editParquet } from "./parquet.ts";
import type { Found, Reading } from "./verdict.ts";

/** Where personal data may stand. */
export type PlaceName = "exports" | "uploads" | "lake" | "rejects" | "derived" | "states";

/** A file that could not be read: it may have anything in it. */
export interface Unread {
  readonly place: PlaceName;
  readonly file: string;
  readonly reason: string;
}

export interface Pass {
  readonly folders: OrganizationFolders;
  readonly settings: Organization;
  readonly erased: Erased;
  readonly mode: Mode;
  readonly shop: Workshop;
  /** Of `Reading`. */
  readonly mayMatch?: ((text: string) => boolean) | undefined;
  /** Only looks. */
  readonly dry: boolean;
  readonly onRow?: ((place: PlaceName, file: string, row: Found) => void) | undefined;
  readonly onUnread: (unread: Unread) => void;
  /** Called before anything is written that depends on orders which were met. */
  readonly keepMet: () => Promise<void>;
  /** Called after each write; tests end the process here. */
  readonly onWrite?: (() => void) | undefined;
}

const below = ({ folders }: Pass, file: string): string => path.relative(folders.dataDir, file);

function readingOf(pass: Pass, place: PlaceName, file: string, more: Partial<Reading>): Reading {
  const { onRow, erased, mode, mayMatch } = pass;
  return {
    erased,
    mode,
    integrations: [],
    mayMatch,
    ...more,
    onRow: onRow && ((row) => onRow(place, below(pass, file), row)),
  };
}

/** A file that cannot be read does not stop the others; without disk or memory nothing goes on. */
async function reported<T>(pass: Pass, place: PlaceName, file: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (isOfTheMachine(error as NodeJS.ErrnoException)) throw error;
    pass.onUnread({ place, file: below(pass, file), reason: failureText(error) });
    return undefined;
  }
}

/** The marks of files that were being put in place of others. */
const UNFINISHED = /^\..*\.erased-[0-9a-f]{12}$/;

async function* filesBelow(folder: string, isDry: boolean): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const place = path.join(folder, entry.name);
    if (entry.isFile() && UNFINISHED.test(entry.name) && !isDry) await rm(place, { force: true });
    // Of a pull or an upload under way.
    else if (entry.name.startsWith(".")) continue;
    else if (entry.isDirectory()) yield* filesBelow(place, isDry);
    else if (entry.isFile()) yield place;
  }
}

/** Puts the edited file in place of another, with its time and rights. */
async function replace(
  pass: Pass,
  edited: string,
  place: string,
  before: (finished: string) => Promise<void>,
): Promise<void> {
  const finished = path.join(
    path.dirname(place),
    `.${path.basename(place).slice(0, 200)}.erased-${randomBytes(6).toString("hex")}`,
  );
  try {
    const old = await stat(place, { bigint: true });
    await copyFile(edited, finished);
    await chmod(finished, Number(old.mode) & 0o777);
    await utimes(finished, Number(old.atimeNs) / 1e9, Number(old.mtimeNs) / 1e9);
    await flushToDisk(finished);
    await before(finished);
    pass.onWrite?.();
    await coordinationOf(pass.folders.dataDir).turns.assertHeld(pass.folders.organization);
    await rename(finished, place);
    await flushToDisk(path.dirname(place));
    pass.onWrite?.();
  } finally {
    await rm(finished, { force: true });
    await rm(edited, { force: true });
  }
}

interface ExportPlace {
  readonly file: string;
  /** The folder of its record, below which its name begins. */
  readonly folder: string;
  readonly integration: string;
  readonly record: string;
  readonly connector: string | undefined;
}

/** Every file below the exports of the organization, also of integrations that the settings do not name. */
async function* exportsOf({ folders, settings, dry }: Pass): AsyncGenerator<ExportPlace> {
  for (const home of await spellings(paths.exports(folders.dataDir), folders.organization)) {
    for await (const file of filesBelow(home, dry)) {
      const [name = "", record = ""] = path.relative(home, file).split(path.sep);
      const integration = name.toLowerCase();
      const connector =
        settings.integrations?.find(({ id }) => id === integration)?.connector ??
        (await landedConnector(folders, integration));
      yield { file, folder: path.join(home, name, record), integration, record, connector };
    }
  }
}

/** The connector of an integration that the settings no longer name. */
async function landedConnector(folders: OrganizationFolders, integration: string): Promise<string | undefined> {
  for (const record of exported) {
    if ((await namesIn(folders.lake(record))).some((name) => name.startsWith(`${integration}.`)))
      return record.connector;
  }
  return undefined;
}

/** The exports that a file is: itself, or the files of an archive. */
async function knownAs(file: string, folder: string, isSame: (one: Known) => boolean = () => true): Promise<Known[]> {
  const name = path.relative(folder, file).split(path.sep).join("/");
  const { size, mtimeNs } = await lstat(file, { bigint: true });
  const own = { bytes: Number(size), modified: String(mtimeNs) };
  const entries = /\.zip$/i.test(name) ? await entriesOf(file) : undefined;
  const names = entries?.map((entry) => ({ name: `${name}/${entry}`, entry })) ?? [{ name, entry: undefined }];
  const found: Known[] = [];
  for (const { name: one, entry } of names) {
    if (!isSame({ name: one, sha256: "", ...own })) continue;
    const listed = { path: file, ...(entry === undefined ? {} : { entry }) } as Parameters<typeof contentHash>[0];
    found.push({ name: one, ...own, sha256: await contentHash(listed) });
  }
  return found;
}

async function entriesOf(file: string): Promise<string[] | undefined> {
  const handle: FileHandle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    if (!isZip(buffer)) return undefined;
    const archive = await openArchive(handle);
    return isWorkbook(archive) ? undefined : [...archive.entries.keys()];
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/** Exports and uploads. `isWanted`: only these files. */
export async function editExports(pass: Pass, isWanted?: (place: ExportPlace) => Promise<boolean>): Promise<void> {
  for await (const place of exportsOf(pass)) {
    if (isWanted && !(await isWanted(place))) continue;
    const { file, folder, integration, record, connector } = place;
    await reported(pass, "exports", file, async () => {
      const reading = readingOf(pass, "exports", file, { connector, record, integrations: [integration] });
      const edited = await editedFile(file, reading, pass.shop, pass.dry);
      if (edited === undefined || pass.dry) return;
      await pass.keepMet();
      const before = await knownAs(file, folder);
      await replace(pass, edited, file, async (finished) => {
        const after = await exportsAs(finished, file, before);
        await note(
          pass.folders,
          before.map((one, at) => ({ integration, record, before: one, after: after[at] as Known })),
        );
      });
    });
  }
  if (!isWanted) await editUploads(pass);
}

/** Files that wait to land, and what was found in them. They are looked through again before they land. */
async function editUploads(pass: Pass): Promise<void> {
  const { folders, settings } = pass;
  const integrations = (settings.integrations ?? []).map(({ id }) => id);
  const uploads = new Uploads(folders.dataDir);
  for await (const file of filesBelow(folders.uploads, pass.dry)) {
    await reported(pass, "uploads", file, async () => {
      const id = path.basename(file);
      const upload = (await uploads.list(folders.organization)).find((one) => one.id === id);
      const reading = readingOf(pass, "uploads", file, { integrations });
      if (upload && upload.received < upload.bytes) return editPart(pass, uploads, upload, reading);
      const edited = await editedFile(file, reading, pass.shop, pass.dry);
      if (edited === undefined || pass.dry) return;
      await pass.keepMet();
      await replace(pass, edited, file, async () => {});
      if (!upload) return;
      const [{ size }, sha256] = [await stat(file), await sha256Of(file)];
      await uploads.change(folders.organization, id, (one) => ({
        ...one,
        bytes: size,
        ...(one.sha256 === undefined ? {} : { sha256 }),
      }));
    });
  }
}

/**
 * A file that has not wholly arrived [D233]: the rest of it would not fit an edited one, so it is removed, and the page sends it again.
 * The same if it cannot be read, as what has arrived of an archive cannot.
 */
async function editPart(pass: Pass, uploads: Uploads, { id, organization }: Shown, reading: Reading): Promise<void> {
  const file = uploads.bytesOf({ id, organization });
  let isClean = false;
  try {
    isClean = (await editedFile(file, reading, pass.shop, true)) === undefined;
  } catch (error) {
    if (isOfTheMachine(error as NodeJS.ErrnoException)) throw error;
    if (pass.dry) throw new Error("has not wholly arrived: an erasure removes it");
  }
  if (isClean || pass.dry) return;
  await uploads.remove(organization, id);
  pass.onWrite?.();
}

/** What a finished file will be known as in its place. */
async function exportsAs(finished: string, file: string, before: readonly Known[]): Promise<Known[]> {
  const { size, mtimeNs } = await lstat(finished, { bigint: true });
  const isArchive = (await entriesOf(finished)) !== undefined && /\.zip$/i.test(file);
  const after: Known[] = [];
  for (const { name } of before) {
    const entry = isArchive
      ? name.slice(name.lastIndexOf(`${path.basename(file)}/`) + path.basename(file).length + 1)
      : undefined;
    const listed = { path: finished, ...(entry === undefined ? {} : { entry }) } as Parameters<typeof contentHash>[0];
    after.push({ name, bytes: Number(size), modified: String(mtimeNs), sha256: await contentHash(listed) });
  }
  return after;
}

/** Exports that the lake does not know yet: they are about to land. */
export async function editFreshExports(pass: Pass): Promise<void> {
  const ledgers = new Map<string, ReadonlySet<string>>();
  await editExports(pass, async ({ file, folder, integration, record, connector }) => {
    const declaration = exported.find((one) => one.connector === connector && one.name === record);
    if (!declaration) return false;
    const id = `${connector} ${record} ${integration}`;
    const known = ledgers.get(id) ?? (await knownExports(pass.folders, declaration, integration));
    ledgers.set(id, known);
    const name = path.relative(folder, file).split(path.sep).join("/");
    const found = await lstat(file, { bigint: true }).catch(() => undefined);
    return found !== undefined && !known.has(`${name} ${found.size} ${found.mtimeNs}`);
  });
}

/** The exports of a record that have landed, by name, size and time; of those in an archive, the archive. */
async function knownExports(
  folders: OrganizationFolders,
  record: RecordDeclaration,
  integration: string,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const { manifest } of await landedFiles(folders.lake(record), integration)) {
    for (const { name, bytes, modified } of manifest?.exports ?? []) {
      known.add(`${name} ${bytes} ${modified}`);
      const archive = /^(.*\.zip)\//i.exec(name)?.[1];
      if (archive !== undefined) known.add(`${archive} ${bytes} ${modified}`);
    }
  }
  return known;
}

/** The landed files. `isWanted`: only those with these names. */
export async function editLake(pass: Pass, isWanted: (file: string) => boolean = () => true): Promise<void> {
  const rewritten = await noted(pass.folders);
  for (const record of exported) {
    const folder = pass.folders.lake(record);
    if (!pass.dry) await removeDoubles(folder);
    for (const name of (await namesIn(folder)).sort()) {
      const file = path.join(folder, name);
      if (name.endsWith(".damaged")) {
        await reported(pass, "lake", file, async () => {
          const reading = readingOf(pass, "lake", file, lakeOf(record, name));
          if (await editParquet(pass.shop.session, file, reading))
            throw new Error("is a damaged file that was set aside: remove it");
        });
      } else if (name.endsWith(".parquet") && isWanted(file)) {
        await reported(pass, "lake", file, () => editLanded(pass, record, file, rewritten));
      }
    }
  }
  if (!pass.dry) await editRevocations(pass, rewritten);
}

const lakeOf = (record: RecordDeclaration, name: string): Partial<Reading> => ({
  connector: record.connector,
  record: record.name,
  integrations: [name.split(".")[0] ?? ""],
  isParts: holdsParts(name.replace(/\.damaged$/, "")),
});

/** Keeps number and time of the landing. The new file appears before the old one goes: no moment is without its rows. */
async function editLanded(
  pass: Pass,
  record: RecordDeclaration,
  file: string,
  rewritten: readonly Rewritten[],
): Promise<void> {
  const { folders, shop, dry } = pass;
  const name = path.basename(file);
  const [integration = "", number = ""] = name.split(".");
  const parts = holdsParts(file);
  const reading = readingOf(pass, "lake", file, lakeOf(record, name));
  if (dry) return void (await editParquet(shop.session, file, reading, { parts }));
  const [footer] = await exportsIn(shop.session, [file]);
  if (!footer) throw new Error("has no list of its exports");
  const exports = updated(footer.exports, rewritten, { integration, record: record.name });
  const isListOther = JSON.stringify(exports) !== JSON.stringify(footer.exports);
  const finished = path.join(shop.work, `landed-${randomBytes(6).toString("hex")}.parquet`);
  const metadata = { lucra: JSON.stringify(exports), landed_at: footer.landedAt };
  const isEdited = await editParquet(shop.session, file, reading, {
    target: finished,
    parts,
    metadata,
    always: isListOther,
  });
  if (!isEdited && !isListOther) return;
  await pass.keepMet();
  const sha256 = await sha256Of(finished);
  const landing = Number(number);
  const place = path.join(path.dirname(file), landedName(integration, landing, sha256, parts));
  await coordinationOf(folders.dataDir).turns.assertHeld(folders.organization);
  await publish(finished, place);
  pass.onWrite?.();
  await writeManifest(path.dirname(file), integration, landing, {
    file: path.basename(place),
    sha256,
    landedAt: footer.landedAt,
    exports,
  });
  pass.onWrite?.();
  if (place !== file) await rm(file, { force: true });
  await flushToDisk(path.dirname(file));
  pass.onWrite?.();
}

/** Of two files of one landing, which a process has left that ended between them, the one stays that its manifest names. */
async function removeDoubles(folder: string): Promise<void> {
  const found = new Map<string, { file: string; named: string | undefined }[]>();
  for (const { integration, landing, file, manifest } of await landedFiles(folder)) {
    if (file === undefined) continue;
    const key = `${integration}.${landing}`;
    found.set(key, [...(found.get(key) ?? []), { file, named: manifest?.file }]);
  }
  for (const files of found.values()) {
    if (files.length < 2) continue;
    const named = files.map((one) => one.named).find((one) => one !== undefined);
    if (!files.some(({ file }) => file === named)) continue;
    for (const { file } of files) if (file !== named) await rm(path.join(folder, file), { force: true });
  }
}

/** Exports of revoked landings are known by what they are now. */
async function editRevocations({ folders, onWrite }: Pass, rewritten: readonly Rewritten[]): Promise<void> {
  for (const name of (await namesIn(folders.revocations)).filter((one) => one.endsWith(".json"))) {
    const file = path.join(folders.revocations, name);
    const event = await readChecked<RevocationEvent>(file);
    if (!event) continue;
    const files = event.files.map((one) => ({ ...one, exports: updated(one.exports, rewritten, one) }));
    if (JSON.stringify(files) === JSON.stringify(event.files)) continue;
    await writeWhole(file, checkedText({ ...event, files }), 0o600);
    onWrite?.();
  }
}

/** The lists of rows that could not land. */
export async function editRejects(pass: Pass): Promise<void> {
  const { folders, settings, dry } = pass;
  for await (const file of filesBelow(folders.rejects(), dry)) {
    await reported(pass, "rejects", file, async () => {
      const [name = "", record] = path.relative(folders.rejects(), file).split(path.sep);
      const connector = settings.integrations?.find(({ id }) => id === name)?.connector;
      const reading = readingOf(pass, "rejects", file, { connector, record, integrations: [name] });
      const text = await readFile(file, "utf8");
      const edited = text
        .split("\n")
        .map((line) => rejectWithout(line, reading))
        .join("\n");
      if (edited === text || dry) return;
      await pass.keepMet();
      await writeWhole(file, edited, 0o600);
      pass.onWrite?.();
    });
  }
}

function rejectWithout(line: string, reading: Reading): string {
  const row = line.indexOf(',"row":');
  if (row < 0 || !line.endsWith("}")) return withoutErased(line, reading);
  const start = row + ',"row":'.length;
  // Its reason may quote a value.
  const place = withoutErased(line.slice(0, start), reading);
  const shown = line.slice(start, -1);
  return `${place}${shown.startsWith('"') ? textRow(shown, reading) : (editedJson(shown, reading) ?? withoutErased(shown, reading))}}`;
}

/** The row of a table is one text: if it is the customer's, all of it goes. */
function textRow(shown: string, reading: Reading): string {
  const { erased, integrations, onRow } = reading;
  const text = String(JSON.parse(shown));
  const isOfOrder = text
    .split(/[,;\t|"]/)
    .some((cell) => integrations.some((integration) => erased.find("order", idOf(integration, cell))?.asked === true));
  const hasEmail = withoutEmails(text, (email) => erased.find("email", email)?.asked === true).found > 0;
  if (!isOfOrder && !hasEmail) return shown;
  if (text === "") return shown;
  onRow?.({ row: shown, isOwn: true });
  return '""';
}

/** Derived files: only looked through, as they are derived again. */
export async function lookThroughDerived(pass: Pass): Promise<void> {
  const { folders, settings, shop } = pass;
  const integrations = (settings.integrations ?? []).map(({ id }) => id);
  const home = folders.mart;
  for (const name of await namesIn(home)) {
    const place: PlaceName = name.startsWith("state=") ? "states" : "derived";
    for await (const file of filesBelow(path.join(home, name), true)) {
      if (!file.endsWith(".parquet")) continue;
      await reported(pass, place, file, async () => {
        const columns = (
          await shop.session.columns(`from read_parquet('${file.replaceAll("'", "''")}', hive_partitioning = false)`)
        ).map((one) => one.name);
        if (!columns.some((one) => /^(order_id|email|.*_email|object)$/.test(one))) return;
        await editParquet(shop.session, file, readingOf(pass, place, file, { integrations, isDerived: true }));
      });
    }
  }
}
