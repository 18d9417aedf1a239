import type { Config } from "../config.ts";
import type { Organization } from "../contract/settings.ts";
import { NoTurn } from "../coordination/coordination.ts";
import type { Database } from "../engine/database.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";

/** What an organization is written with, in its turn. */
export interface Writer {
  readonly config: Config;
  readonly settings: Organization;
  readonly folders: OrganizationFolders;
  readonly database: Database;
}

/** Keeps erased what was erased [D98]. A feature adds it. */
interface Erasing {
  /** Goes on with an erasure that was interrupted. */
  resumed(writer: Writer): Promise<void>;
  /**
   * Empties what is about to land; the returned function, called when it has landed, does the rest. Undefined if nothing was ever
   * erased.
   */
  beforeLanding(writer: Writer): Promise<(() => Promise<void>) | undefined>;
}

let installed: Erasing | undefined;

/** Once per process. */
export function addErasing(erasing: Erasing): void {
  installed = erasing;
}

/** Its cause is why what was erased cannot be kept erased. */
export class ErasingFailed extends Error {}

export const goOnErasing = async (writer: Writer): Promise<void> => installed?.resumed(writer);

/** Fails with `ErasingFailed`: then nothing may land. Without its turn the organization is not written at all. */
export async function erasedBeforeLanding(writer: Writer): Promise<(() => Promise<void>) | undefined> {
  const after = await failing(async () => installed?.beforeLanding(writer));
  return after && (() => failing(after));
}

async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoTurn) throw error;
    throw new ErasingFailed("what was erased cannot be kept erased", { cause: error });
  }
}
