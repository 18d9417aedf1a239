import { logged } from "../audit/audit.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { type Edit, editSettings } from "./edit.ts";
import { inLogTurn } from "./seen.ts";

/** Changes places in the settings by a command, which the log has. */
export function editByCommand(
  folders: OrganizationFolders,
  described: { readonly what: string; readonly after: unknown },
  editsOf: (settings: Record<string, unknown>) => readonly Edit[],
): Promise<void> {
  const { dataDir, organization } = folders;
  return inLogTurn(dataDir, organization, () =>
    logged(dataDir, [organization], described, () => editSettings(folders, editsOf)),
  );
}
