import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Audit } from "../audit/audit.ts";
import type { Organization } from "../contract/settings.ts";
import { coordinationOf } from "../coordination/registry.ts";
import { sha256OfText } from "../files/checksum.ts";
import { writeWhole } from "../files/durable.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { paths } from "../files/paths.ts";
import { readOrganization } from "./settings.ts";
import { settingsFile } from "./settingsFile.ts";

/** Who changes a settings file without Lucra, as the log calls them. */
const BY_HAND = { person: "file" };
/** How long a change waits for another one. */
const WAIT_MS = 20_000;

/** Settings as the log has them: their members, without what is a secret. */
type Seen = Readonly<Record<string, unknown>>;

/** A value of the settings without the address of a webhook, of which its host and a short hash are left. */
export function withoutAddress(value: unknown): unknown {
  const { url } = (value ?? {}) as { readonly url?: unknown };
  if (typeof url !== "string") return value;
  return { url: `${URL.canParse(url) ? new URL(url).origin : ""}/…`, id: sha256OfText(url).slice(0, 8) };
}

const seenOf = (settings: Organization): Seen =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, withoutAddress(value)]));

/** Runs work on the log and the settings of an organization, one after the other among all processes. */
export async function inLogTurn<T>(dataDir: string, organization: string, work: () => Promise<T>): Promise<T> {
  // Before the lock makes it, for everybody.
  await mkdir(paths.audit(dataDir), { recursive: true, mode: 0o700 });
  return coordinationOf(dataDir).turns.exclusively(
    path.join(paths.audit(dataDir), `.${organization}`),
    { waitMs: WAIT_MS, refusal: () => "another change is being made" },
    work,
  );
}

/** The members of a settings file that the log has not seen. A file with faults is not looked at. */
async function unseen(folders: OrganizationFolders) {
  const settings = await present(folders);
  const before = await lastSeen(folders);
  const after: Seen = settings ? seenOf(settings) : {};
  const names = settings ? [...new Set([...Object.keys(before ?? {}), ...Object.keys(after)])] : [];
  const changed = names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]));
  return { before, after, changed };
}

/** Whether `logEdits` would write something. */
export const hasUnseen = async (folders: OrganizationFolders): Promise<boolean> =>
  (await unseen(folders)).changed.length > 0;

/**
 * Logs what a settings file has that the log has not seen: somebody has edited it by hand. The first time nothing is logged. The
 * caller has the turn of the log.
 */
export async function logEdits(audit: Audit, folders: OrganizationFolders): Promise<void> {
  const { before, after, changed } = await unseen(folders);
  if (changed.length === 0) return;
  if (before) {
    const { organization } = folders;
    const of = (seen: Seen): Seen => Object.fromEntries(changed.map((name) => [name, seen[name] ?? null]));
    await audit.found(BY_HAND, { organization, what: "settings.file", before: of(before), after: of(after) });
  }
  await writeSeen(folders, after);
}

/**
 * After a change that has a line of its own: the log has seen what it changed. What a hand has edited elsewhere in the file, and
 * nobody has noticed yet, stays unseen.
 */
export async function keepSeen(
  folders: OrganizationFolders,
  before: Organization | undefined,
  after: Organization,
): Promise<void> {
  const seen = await lastSeen(folders);
  const [earlier, now] = [before ? seenOf(before) : {}, seenOf(after)];
  const names = [...new Set([...Object.keys(earlier), ...Object.keys(now)])];
  const changed = names.filter((name) => JSON.stringify(earlier[name]) !== JSON.stringify(now[name]));
  const kept = seen ? { ...seen, ...Object.fromEntries(changed.map((name) => [name, now[name]])) } : now;
  await writeSeen(folders, kept);
}

async function writeSeen({ dataDir, organization }: OrganizationFolders, seen: Seen): Promise<void> {
  await mkdir(paths.audit(dataDir), { recursive: true, mode: 0o700 });
  await writeWhole(paths.seenSettings(dataDir, organization), `${JSON.stringify(seen, null, 2)}\n`, 0o600);
}

async function present(folders: OrganizationFolders): Promise<Organization | undefined> {
  const file = await settingsFile(folders).catch(() => undefined);
  return file === undefined ? undefined : readOrganization(await readFile(file, "utf8"), folders.organization).settings;
}

async function lastSeen({ dataDir, organization }: OrganizationFolders): Promise<Seen | undefined> {
  const text = await readFile(paths.seenSettings(dataDir, organization), "utf8").catch(() => "");
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
