import type { Config } from "../../core/config.ts";
import { foldersOf, type OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { inputsAt } from "../../core/marts/moments.ts";
import { assertHasPast } from "../../core/marts/past.ts";
import type { Pin } from "../../core/marts/pinFiles.ts";
import { pinsOf } from "../../core/marts/pins.ts";
import { sourcesThen } from "../../core/marts/sources.ts";
import { nameOf } from "../../core/marts/states.ts";

/** A pin as it is listed. */
export interface ShownPin extends Pick<Pin, "name" | "knownAt" | "createdAt" | "createdBy"> {
  /** Of the present code [D80]. */
  readonly knownState: string;
}

export const shownPin = ({ dataDir }: Pick<Config, "dataDir">, organization: string, pin: Pin): Promise<ShownPin> =>
  shown(foldersOf(dataDir, organization), pin);

/** The pins of an organization, newest first. */
export async function shownPins(dataDir: string, organization: string): Promise<ShownPin[]> {
  await assertHasPast(dataDir);
  const folders = foldersOf(dataDir, organization);
  const all: ShownPin[] = [];
  for (const pin of await pinsOf(folders)) all.push(await shown(folders, pin));
  return all;
}

async function shown(folders: OrganizationFolders, pin: Pin): Promise<ShownPin> {
  const { name, knownAt, moment, createdAt, createdBy } = pin;
  const { knownState } = nameOf(await sourcesThen(folders, await inputsAt(folders, moment)));
  return { name, knownAt, knownState, createdAt, createdBy };
}
