import path from "node:path";
import { sha256Of } from "../../core/files/checksum.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { currentGeneration } from "../../core/marts/generations.ts";
import type { Uploads } from "./objects/uploads.ts";

/** Files that replicas lack: files of the generation in force, by their name. */
export async function damagedAtReplicas(uploads: Uploads, folders: OrganizationFolders): Promise<string[]> {
  const { checksums } = (await currentGeneration(folders)) ?? {};
  return checksums ? uploads.damaged(folders.organization, checksums) : [];
}

/**
 * Sends the files again whose objects in the storage are missing or damaged. Only for the writer of the organization.
 * `left`: files that are damaged here, too, which `sync` derives again.
 */
export async function repairAtReplicas(
  uploads: Uploads,
  folders: OrganizationFolders,
): Promise<{ readonly sent: string[]; readonly left: string[] }> {
  const { folder, checksums } = (await currentGeneration(folders)) ?? {};
  const [sent, left]: [string[], string[]] = [[], []];
  if (!folder || !checksums) return { sent, left };
  for (const name of await uploads.damaged(folders.organization, checksums)) {
    const [file, sha256 = ""] = [path.join(folder, name), checksums[name]];
    const isWhole = (await sha256Of(file).catch(() => undefined)) === sha256;
    if (isWhole) await uploads.resend(folders.organization, file, sha256);
    (isWhole ? sent : left).push(name);
  }
  return { sent, left };
}
