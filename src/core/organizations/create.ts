import path from "node:path";
import { OperatorError } from "../contract/error.ts";
import type { Organization } from "../contract/settings.ts";
import { writeNew } from "../files/durable.ts";
import { foldersOf } from "../files/organizationFolders.ts";
import { paths } from "../files/paths.ts";
import { SettingsFaults } from "./edit.ts";
import { keepSeen } from "./seen.ts";
import { readOrganization } from "./settings.ts";

/** Writes the settings of a new organization, and returns them with their file. */
export async function createOrganization(
  dataDir: string,
  wanted: Readonly<Record<string, unknown>> & { readonly organizationId: string },
): Promise<{ readonly settings: Organization; readonly file: string }> {
  const { organizationId } = wanted;
  const { settings, faults } = readOrganization(JSON.stringify(wanted), organizationId);
  if (!settings) throw new SettingsFaults(faults, true);
  const file = path.join(paths.settings(dataDir), `${organizationId}.json`);
  await writeNew(file, `${JSON.stringify(settings, null, 2)}\n`).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new OperatorError(`${file} exists already and was not changed`) : error;
  });
  await keepSeen(foldersOf(dataDir, organizationId), undefined, settings);
  return { settings, file };
}
