import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { nearest } from "../contract/nearest.ts";
import type { Integration, Organization } from "../contract/settings.ts";
import { foldersOf, type OrganizationFolders } from "../files/organizationFolders.ts";
import { paths } from "../files/paths.ts";
import { spellings } from "../landing/find/exports.ts";
import { exported, exportedBy } from "../records/index.ts";

/** A file or folder in the exports that is in the wrong place and does not land. */
export interface Misplaced {
  readonly folder: string;
  /** Which place was probably meant. */
  readonly hint: string;
}

/** Files and folders in the exports that do not land. */
interface StrayFolders {
  /** Folders of an integration that are not a record of its connector. */
  readonly unknownRecordFolders: readonly string[];
  /** Folders that are links: they are not followed. */
  readonly linkedFolders: readonly string[];
  /** Folders of an organization or integration that the settings no longer name: it landed before [D1]. */
  readonly unconfiguredFolders: readonly string[];
  /** Other folders and files that no settings name. */
  readonly misplacedFolders: readonly Misplaced[];
}

/** Entries of an organization's exports that are no record of one of its integrations. */
export async function unmatchedFolders(folders: OrganizationFolders, settings: Organization): Promise<StrayFolders> {
  const { dataDir, organization } = folders;
  const { integrations = [] } = settings;
  const unknownRecordFolders: string[] = [];
  const unconfiguredFolders: string[] = [];
  const misplacedFolders: Misplaced[] = [];
  const linkedFolders = (await entries(paths.exports(dataDir)))
    .filter((entry) => entry.isSymbolicLink() && entry.name.toLowerCase() === organization)
    .map(({ name }) => path.join("exports", name));
  for (const home of await spellings(paths.exports(dataDir), organization)) {
    for (const entry of await entries(home)) {
      const folder = path.join(home, entry.name);
      const shown = path.relative(dataDir, folder);
      const integration = integrations.find(({ id }) => id === entry.name.toLowerCase());
      if (!integration) {
        if (await hasLanded(folders, entry.name)) unconfiguredFolders.push(shown);
        else misplacedFolders.push({ folder: shown, hint: integrationHint(entry, settings) });
      } else if (entry.isSymbolicLink()) linkedFolders.push(shown);
      else {
        const known = new Set(exportedBy(integration.connector).map((record) => record.name));
        for (const record of await entries(folder)) {
          const of = known.has(record.name) ? (record.isSymbolicLink() ? linkedFolders : []) : unknownRecordFolders;
          of.push(path.join(shown, record.name));
        }
      }
    }
  }
  return { unknownRecordFolders, unconfiguredFolders, linkedFolders, misplacedFolders };
}

/** Exports of organizations without settings. */
export async function unconfiguredOrganizations(
  dataDir: string,
  organizations: readonly Organization[],
): Promise<Pick<StrayFolders, "unconfiguredFolders" | "misplacedFolders">> {
  const known = new Set((await entries(paths.settings(dataDir))).map(({ name }) => name.toLowerCase()));
  const unconfiguredFolders: string[] = [];
  const misplacedFolders: Misplaced[] = [];
  for (const entry of await entries(paths.exports(dataDir))) {
    if (known.has(`${entry.name.toLowerCase()}.json`)) continue;
    const folder = path.join("exports", entry.name);
    if (await hasLanded(foldersOf(dataDir, entry.name.toLowerCase()))) unconfiguredFolders.push(folder);
    else misplacedFolders.push({ folder, hint: organizationHint(entry, organizations) });
  }
  return { unconfiguredFolders, misplacedFolders };
}

/** Whether the lake has files of an organization, or of an integration of it. */
async function hasLanded(folders: OrganizationFolders, integration?: string): Promise<boolean> {
  for (const record of exported) {
    const names = await readdir(folders.lake(record)).catch(() => [] as string[]);
    if (names.some((name) => integration === undefined || name.startsWith(`${integration.toLowerCase()}.`)))
      return true;
  }
  return false;
}

const PLACE = "exports belong into exports/<organizationId>/<integrationId>/<record>";
/** How many names a hint lists. */
const MOST_LISTED = 10;

const listed = (names: readonly string[]): string =>
  names.length > MOST_LISTED
    ? `${names.slice(0, MOST_LISTED).join(", ")} and ${names.length - MOST_LISTED} more`
    : names.join(", ");

const isNamed = (entry: Dirent, name: string | undefined): boolean =>
  name !== undefined && name.trim().toLowerCase() === entry.name.trim().toLowerCase();

function organizationHint(entry: Dirent, organizations: readonly Organization[]): string {
  if (entry.isFile()) return `no settings name it: ${PLACE}`;
  const meant = organizations.find(({ name }) => isNamed(entry, name));
  if (meant) return `the folder of ${meant.name} is exports/${meant.organizationId}`;
  const there = organizations.map(({ organizationId, name }) => `${name} (${organizationId})`);
  return `no settings name it: there are ${listed(there) || "no organizations yet"}`;
}

function integrationHint(
  entry: Dirent,
  { organizationId, name: organization, integrations = [] }: Organization,
): string {
  const place = ({ id }: Integration): string => `exports/${organizationId}/${id}`;
  if (entry.isFile()) return `no integration's folder is above it: ${PLACE}`;
  const meant = integrations.find(({ name }) => isNamed(entry, name));
  if (meant) return `the folder of ${meant.name} is ${place(meant)}`;
  const there = integrations.map((one) => `${one.name ?? one.connector} (${one.id})`);
  return `${organization} has no such integration: there are ${listed(there) || "none yet"}`;
}

/** The record that a folder of an integration was probably meant for. */
export function recordHint(folder: string, organizations: readonly Organization[]): string {
  const [, organization = "", integration = "", name = ""] = folder.split(path.sep);
  const found = organizations
    .find(({ organizationId }) => organizationId === organization.toLowerCase())
    ?.integrations?.find(({ id }) => id === integration.toLowerCase());
  if (!found) return "is not a record of its integration's connector";
  const names = exportedBy(found.connector).map((record) => record.name);
  const guess = nearest(name, names);
  const meant = guess ? `, did you mean ${guess}?` : "";
  return `is not a record of ${found.name ?? found.connector}${meant || ":"} its folders are ${listed(names)}`;
}

/** The entries of a folder, without names that start with a dot. */
const entries = async (folder: string): Promise<Dirent[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => [])).filter(({ name }) => !name.startsWith("."));
