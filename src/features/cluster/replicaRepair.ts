import path from "node:path";
import { sha256Of } from "../../core/files/checksum.ts";
import { currentGeneration } from "../../core/marts/generations.ts";
import type { Uploads } from "./objects/uploads.ts";

/** Files that replicas lack: files of the generation in force, by their name. */
export async function damagedAtReplicas(uploads: Uploads, dataDir: string, organization: string): Promise<string[]> {
  const { checksums } = (await currentGeneration(dataDir, organization)) ?? {};
  return checksums ? uploads.damaged(organization, checksums) : [];
}

/**
 * Sends the files again whose objects in the storage are missing or damaged. Only for the writer of the organization.
 * `left`: files that are damaged here, too, which `sync` derives again.
 */
export async function repairAtReplicas(
  uploads: Uploads,
  dataDir: string,
  organization: string,
): Promise<{ readonly sent: string[]; readonly left: string[] }> {
  const { folder, checksums } = (await currentGeneration(dataDir, organization)) ?? {};
  const [sent, left]: [string[], string[]] = [[], []];
  if (!folder || !checksums) return { sent, left };
  for (const name of await uploads.damaged(organization, checksums)) {
    const [file, sha256 = ""] = [path.join(folder, name), checksums[name]];
    const isWhole = (await sha256Of(file).catch(() => undefined)) === sha256;
    if (isWhole) await uploads.resend(organization, file, sha256);
    (isWhole ? sent : left).push(name);
  }
  return { sent, left };
}
