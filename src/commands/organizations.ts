import type { Organization } from "../contract/settings.ts";
import { currentGeneration } from "../marts/generations.ts";
import { Organizations } from "../organizations.ts";

/** The settings files of a data folder; where one went bad, its last good text is what the derived files were made with. */
export function openOrganizations(dataDir: string, onProblem: (problem: string) => void): Organizations {
  return new Organizations(dataDir, {
    onProblem,
    remembered: async (id) => {
      const settings = (await currentGeneration(dataDir, id))?.settings;
      return settings && JSON.stringify(settings);
    },
  });
}

/** Every organization with good settings in force. */
export function knownOrganizations(dataDir: string, onProblem: (problem: string) => void): Promise<Organization[]> {
  return settingsOfAll(openOrganizations(dataDir, onProblem));
}

export async function settingsOfAll(organizations: Organizations): Promise<Organization[]> {
  const known: Organization[] = [];
  for (const id of await organizations.ids()) {
    const found = await organizations.get(id);
    if (found) known.push(found.settings);
  }
  return known;
}
