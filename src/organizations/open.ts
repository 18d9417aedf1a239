import type { Organization } from "../contract/settings.ts";
import { generationOfAnyVersion } from "../marts/generations.ts";
import { Organizations } from "./organizations.ts";

/**
 * Opens the settings of a data folder; for an invalid file, those that the derived files were made with are in force.
 */
export function openOrganizations(dataDir: string, onProblem: (problem: string) => void): Organizations {
  return new Organizations(dataDir, {
    onProblem,
    remembered: async (id) => {
      const settings = (await generationOfAnyVersion(dataDir, id))?.settings;
      return settings && JSON.stringify(settings);
    },
  });
}

/** The organizations with settings in force. `only` limits them to some ids, and leaves out problems with others. */
export async function knownOrganizations(
  dataDir: string,
  onProblem: (problem: string) => void,
  only?: readonly string[],
): Promise<Organization[]> {
  const organizations = openOrganizations(dataDir, onProblem);
  const known: Organization[] = [];
  for (const id of only ?? (await organizations.ids())) {
    const found = await organizations.get(id);
    if (found) known.push(found.settings);
  }
  return known;
}
