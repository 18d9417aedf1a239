import type { Config } from "../config.ts";
import type { Organization } from "../contract/settings.ts";
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

export const goOnErasing = async (writer: Writer): Promise<void> => installed?.resumed(writer);

export const erasedBeforeLanding = async (writer: Writer): Promise<(() => Promise<void>) | undefined> =>
  installed?.beforeLanding(writer);
