import path from "node:path";
import { sha256Of } from "../../core/files/checksum.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { currentGeneration } from "../../core/marts/generations.ts";
import { pastToSend, sendPast } from "../../core/marts/sentPast.ts";
import { keptStates } from "../../core/marts/states.ts";
import type { Uploads } from "./objects/uploads.ts";

/** Derived files by their name: those of the generation in force, and those that only states have, with their folder. */
async function derivedFiles(
  folders: OrganizationFolders,
): Promise<{ readonly sums: Record<string, string>; readonly placeOf: (name: string) => string }> {
  const sums: Record<string, string> = {};
  const places = new Map<string, string>();
  const known = new Set<string>();
  const add = (folder: string, checksums: Readonly<Record<string, string>>, prefix: string): void => {
    for (const [name, sha256] of Object.entries(checksums)) {
      if (known.has(sha256)) continue;
      known.add(sha256);
      sums[prefix + name] = sha256;
      places.set(prefix + name, path.join(folder, name));
    }
  };
  const current = await currentGeneration(folders);
  if (current) add(current.folder, current.checksums, "");
  for (const { folder, checksums } of await keptStates(folders)) add(folder, checksums, `${path.basename(folder)}/`);
  return { sums, placeOf: (name) => places.get(name) ?? "" };
}

/** What replicas lack: derived files in force, those of states that are kept, and what names states. */
export async function damagedAtReplicas(uploads: Uploads, folders: OrganizationFolders): Promise<string[]> {
  const { sums } = await derivedFiles(folders);
  if (Object.keys(sums).length === 0) return [];
  return [
    ...(await uploads.damaged(folders.organization, sums)),
    ...(await uploads.repairPast(folders.organization, await pastToSend(folders), true)),
  ];
}

/**
 * Sends what is missing or damaged in the storage again. Only for the writer of the organization. `left`: files that are damaged
 * here, too: `sync` derives those of the newest data again, and states are derived again when they are asked for.
 */
export async function repairAtReplicas(
  uploads: Uploads,
  folders: OrganizationFolders,
): Promise<{ readonly sent: string[]; readonly left: string[] }> {
  const [sent, left]: [string[], string[]] = [[], []];
  const { sums, placeOf } = await derivedFiles(folders);
  if (Object.keys(sums).length === 0) return { sent, left };
  for (const name of await uploads.damaged(folders.organization, sums)) {
    const [file, sha256 = ""] = [placeOf(name), sums[name]];
    const isWhole = (await sha256Of(file).catch(() => undefined)) === sha256;
    if (isWhole) await uploads.resend(folders.organization, file, sha256);
    (isWhole ? sent : left).push(name);
  }
  await sendPast(folders);
  sent.push(...(await uploads.repairPast(folders.organization, await pastToSend(folders))));
  return { sent, left };
}
