import type { Organization } from "../contract/settings.ts";
import type { Database } from "../engine/database.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { checkedGeneration, type Deriving, derive } from "../marts/derive.ts";
import { History } from "../marts/history.ts";
import { sendPast } from "../marts/sentPast.ts";
import { keepReplaced, removeOldStates } from "../marts/states.ts";

/**
 * Derives, and keeps what was replaced as the state that it is: what was known until now is asked for most. Replicas get what
 * they need for earlier states.
 */
export async function deriveKeeping(
  database: Database,
  folders: OrganizationFolders,
  settings: Organization,
  { checked = checkedGeneration(folders), ...options }: Deriving,
): ReturnType<typeof derive> {
  checked.catch(() => {});
  // A history that is damaged fails the derivation, once the new files are in force.
  const history = await History.of(folders).catch(() => undefined);
  const last = history && history.length > 0 ? history.entry(history.length) : undefined;
  const result = await derive(database, folders, settings, { ...options, checked });
  const { current, isIntact } = await checked;
  // It can be derived again: a disk that is full is no reason to fail.
  if (result.mode !== "skipped" && last && current && isIntact)
    await keepReplaced(folders, current, last).catch(() => {});
  await removeOldStates(folders);
  await sendPast(folders);
  return result;
}
