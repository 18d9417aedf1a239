import { OperatorError } from "../../core/contract/error.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { type Edit, editSettings, SettingsFaults } from "../../core/organizations/edit.ts";
import { logEdits } from "../../core/organizations/seen.ts";
import { PlatformError } from "../platform/errors.ts";
import type { SettingsDependencies } from "./dependencies.ts";

/** How long a change waits for a sync that writes. */
const WAIT_MS = 20_000;

/** Settings as a file has them. */
export type Written = Readonly<Record<string, unknown>>;

/** The settings of an organization that are in force now. */
export async function settingsNow(
  { organizations }: Pick<SettingsDependencies, "organizations">,
  organization: string,
): Promise<Organization> {
  const found = await organizations.get(organization, { fresh: true });
  if (!found) throw new PlatformError("notFound");
  return found.settings;
}

/** Changes the file in the turn of the organization. A file with faults, or a change that would bring some, is refused. */
export async function writeSettings(
  deps: Pick<SettingsDependencies, "organizations" | "config" | "log">,
  organization: string,
  editsOf: (written: Written) => readonly Edit[],
): Promise<Organization> {
  const { dataDir } = deps.config;
  const folders = foldersOf(dataDir, organization);
  // What a hand has changed and nobody has noticed yet is a line of its own.
  await logEdits(deps.log, folders);
  await faultsAnswered(inTurn(dataDir, organization, () => editSettings(folders, editsOf)));
  return settingsNow(deps, organization);
}

/** Faults of settings become what the page is answered. */
export const faultsAnswered = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof SettingsFaults ? refusalOf(error) : error;
  });

const refusalOf = ({ faults, isOfChange }: SettingsFaults): PlatformError =>
  new PlatformError(isOfChange ? "invalid" : "faulty", { details: detailsOf(faults) });

export const detailsOf = (faults: readonly string[]) => faults.map(detailOf);

/** A fault begins with its place: `costs[0].item: …`. */
function detailOf(fault: string): { readonly parameter: string; readonly message: string } {
  const [, parameter = "", message = fault] = /^([\w.[\]]+): (.*)$/s.exec(fault) ?? [];
  return { parameter, message };
}

/** Works as the only writer of the organization. */
async function inTurn<T>(dataDir: string, organization: string, work: () => Promise<T>): Promise<T> {
  let hasBegun = false;
  try {
    return await coordinationOf(dataDir).turns.writing(WAIT_MS, (turnOf) =>
      turnOf(organization, () => {
        hasBegun = true;
        return work();
      }),
    );
  } catch (error) {
    if (!hasBegun && error instanceof OperatorError) throw new PlatformError("busy");
    throw error;
  }
}

/** Fails with `changed` unless the file still has what the page has seen. */
export function assertSeen(seen: object | undefined, present: object): void {
  if (seen !== undefined && JSON.stringify(seen) !== JSON.stringify(present))
    throw new PlatformError("changed", { present });
}
