import path from "node:path";
import type { Config } from "../core/config.ts";
import { OperatorError } from "../core/contract/error.ts";
import { foldersOf } from "../core/files/organizationFolders.ts";
import { corruptFiles, currentGeneration, generationOfAnyVersion } from "../core/marts/generations.ts";
import { fingerprint } from "../core/marts/sources.ts";
import { deriveAll } from "../core/sync/sync.ts";
import { isEmpty, makeDemo } from "../features/demo/command.ts";
import { People } from "../features/people/people.ts";

/** An organization without data: the views of the engine are bound to its derived files. */
export const EMPTY = { organizationId: "_empty", name: "" };

/**
 * Makes the files that serving needs; returns the folder of the derived files that the views are bound to. Without the demo an
 * empty folder is served if an operator can sign in, who makes the first organization in the page.
 */
export async function prepare(config: Config, demo: boolean): Promise<string> {
  if (await isEmpty(config.dataDir)) {
    if (demo) await makeDemo(config);
    else if (!config.platform || !(await hasOperator(config))) {
      throw new OperatorError(
        `${config.dataDir} holds no organizations and no operator: check LUCRA_DATA_DIR and that its disk is mounted; ` +
          "in a new folder, `organizations add` makes the first organization, or `people add <e-mail> --operator` somebody " +
          "who makes it in the page",
      );
    }
  }
  // If possible without the lock, which a running sync may hold for long.
  const folders = foldersOf(config.dataDir, EMPTY.organizationId);
  const generation = await currentGeneration(folders);
  if (generation?.state === (await fingerprint(folders, EMPTY))) return generation.folder;
  await deriveAll(config, [EMPTY]);
  return folderOf(config, EMPTY.organizationId);
}

const hasOperator = async ({ dataDir }: Config): Promise<boolean> =>
  (await new People(dataDir).list()).some(({ operator }) => operator === true);

/** A folder of this process. */
export interface Own {
  readonly folder: string;
  close(): Promise<void>;
}

/**
 * For a process that does not write: the folder of an organization's derived files, none of them damaged: binding the views
 * would fail. If all are of another version, or damaged, empty ones are derived in a folder of this process: organizations are
 * answered once the writer has this version. The same in a copy of the storage, where nothing was fetched yet.
 */
export async function derivedOne(
  config: Config,
  organizations: readonly string[],
  own: Own,
  isCopy = false,
): Promise<string> {
  const { dataDir } = config;
  let isDerived = false;
  // The smallest files first: each is read.
  for (const organization of [EMPTY.organizationId, ...organizations]) {
    const folders = foldersOf(dataDir, organization);
    const generation = await currentGeneration(folders);
    if (generation && (await corruptFiles(generation)).length === 0) return generation.folder;
    isDerived ||= (await generationOfAnyVersion(folders)) !== undefined;
  }
  if (!isDerived && !isCopy) {
    await own.close();
    throw new OperatorError(`nothing has been derived in ${dataDir} yet: run sync, or a service without --read-only`);
  }
  const empty = { ...config, dataDir: path.join(own.folder, "empty") };
  await deriveAll(empty, [EMPTY]);
  return folderOf(empty, EMPTY.organizationId);
}

async function folderOf({ dataDir }: Config, organization: string): Promise<string> {
  const generation = await currentGeneration(foldersOf(dataDir, organization));
  if (!generation) throw new Error(`${organization} was derived, but its files cannot be read`);
  return generation.folder;
}
