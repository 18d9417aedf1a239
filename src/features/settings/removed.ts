import type { Integration, Organization } from "../../core/contract/settings.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { History } from "../../core/marts/history.ts";
import type { SettingsDependencies } from "./dependencies.ts";

/** How the log calls the removal of a connection. */
export const REMOVED = "connections.remove";

/** What a removal is answered, and so what the log keeps of it: all that the settings had of the connection. */
export interface Removal {
  readonly removed: Integration;
}

/**
 * The connections that the settings named earlier and name no longer. The history of the data has each that ever had an effect;
 * the log has all of one that was removed by the page, also its schedule and how it is pulled.
 */
export async function removedConnections(
  { config, log }: Pick<SettingsDependencies, "config" | "log">,
  { organizationId, integrations = [] }: Organization,
): Promise<Integration[]> {
  const earlier = await History.of(foldersOf(config.dataDir, organizationId));
  const known = new Map<string, Integration>();
  for (const settings of earlier.settings) for (const one of settings.integrations ?? []) known.set(one.id, one);
  for (const { what, result } of await log.entries(organizationId)) {
    const { removed } = (result ?? {}) as Partial<Removal>;
    if (what === REMOVED && removed) known.set(removed.id, removed);
  }
  const present = new Set(integrations.map(({ id }) => id));
  return [...known.values()].filter(({ id }) => !present.has(id));
}
