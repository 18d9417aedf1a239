import { readdir } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../contract/error.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { paths } from "../files/paths.ts";

/** The settings file of an organization: its id may be spelled with capitals. */
export async function settingsFile({ dataDir, organization }: OrganizationFolders): Promise<string> {
  const folder = paths.settings(dataDir);
  const names = (await readdir(folder)).sort().reverse();
  const name = names.find((one) => one.toLowerCase() === `${organization}.json`);
  if (!name) throw new OperatorError(`no settings of ${organization} in ${folder}`);
  return path.join(folder, name);
}
