import { readdir } from "node:fs/promises";
import { OperatorError } from "../contract/error.ts";
import type { Organization } from "../contract/settings.ts";
import { foldersOf } from "../files/organizationFolders.ts";
import { paths } from "../files/paths.ts";
import { generationOfAnyVersion } from "../marts/generations.ts";
import { Organizations } from "./organizations.ts";

/**
 * Opens the settings of a data folder; for an invalid file, those that the derived files were made with are in force.
 */
export function openOrganizations(dataDir: string, onProblem: (problem: string) => void): Organizations {
  return new Organizations(dataDir, {
    onProblem,
    remembered: async (id) => {
      const settings = (await generationOfAnyVersion(foldersOf(dataDir, id)))?.settings;
      return settings && JSON.stringify(settings);
    },
  });
}

/** The names in the folder of settings, none without it. Settings that this user may not read are not no settings. */
export async function namesInSettings(dataDir: string): Promise<string[]> {
  const folder = paths.settings(dataDir);
  return readdir(folder).catch(({ code }: NodeJS.ErrnoException) => {
    if (code === "ENOENT") return [];
    throw new OperatorError(`${folder}: cannot be read (${code})`);
  });
}

/** The organizations with settings in force, for a command. `only` limits them to some ids, and leaves out problems with others. */
export async function knownOrganizations(
  dataDir: string,
  onProblem: (problem: string) => void,
  only?: readonly string[],
): Promise<Organization[]> {
  const organizations = openOrganizations(dataDir, onProblem);
  await namesInSettings(dataDir);
  const known: Organization[] = [];
  for (const id of only ?? (await organizations.ids())) {
    const found = await organizations.get(id);
    if (found) known.push(found.settings);
  }
  return known;
}
