import { createHash } from "node:crypto";
import path from "node:path";
import { answerSettings, type Organization } from "../contract/settings.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { type LandedPlace, Revocations } from "../landing/ledger/revocations.ts";
import type { LakeFiles } from "./build.ts";
import { codeVersion } from "./codeVersion.ts";
import type { Generation } from "./generations.ts";
import { type Inputs, landingIn, placeText } from "./history.ts";
import { type Lake, lakeOf, landedPlace } from "./lakeFiles.ts";
import { pastOf } from "./past.ts";
import { type Pulled, pulledUntil } from "./pulledUntil.ts";

/** The landed files in force. */
async function lakeInForce(folders: OrganizationFolders): Promise<Lake> {
  const revocations = await Revocations.of(folders);
  return lakeOf(folders, (place) => revocations.at(place) === undefined);
}

/** The inputs of a derivation. */
export interface Sources {
  readonly codeVersion: string;
  /** The SHA-256 of the secret of the customer ids. */
  readonly secretVersion: string;
  readonly settings: Organization;
  readonly files: LakeFiles;
  /** The files by their path in the data folder, as a generation lists them. */
  readonly names: readonly string[];
  /** Landed files that are missing, by the path that they had in the data folder. */
  readonly missing: ReadonlyMap<string, LandedPlace>;
  /** Not part of the state: a pull that brought no file makes no derived file outdated, and only `coverage` later. */
  readonly pulled: Pulled;
}

/** What an organization's derived files are to be made of now. */
export const sourcesInForce = async (folders: OrganizationFolders, settings: Organization): Promise<Sources> =>
  sourcesOf(folders, await lakeInForce(folders), answerSettings(settings), await pulledUntil(folders, settings));

/** Those of an earlier state: also files that were revoked since, but none that never should have been seen. */
export async function sourcesThen(
  folders: OrganizationFolders,
  { landings, settings, pulled }: Inputs,
): Promise<Sources> {
  const past = await pastOf(folders);
  const revocations = await past.revocations();
  const wanted = new Set(landings);
  const lake = await past.lake((place) => wanted.has(placeText(place)) && !revocations.isForever(place));
  const found = new Set([...placesOf(lake.files), ...[...lake.missing.values()].map(placeText)]);
  // Not even the manifest is left.
  const gone = landings
    .filter((place) => !found.has(place))
    .map(placeIn)
    .filter((place) => !revocations.isForever(place));
  const lost = gone.map((place): [string, LandedPlace] => [path.join(folders.dataDir, placeText(place)), place]);
  return sourcesOf(folders, { ...lake, missing: new Map([...lake.missing, ...lost]) }, settings, pulled);
}

export function placeIn(text: string): LandedPlace {
  const [connector = "", record = "", name = ""] = text.split("/");
  return { connector, record, integration: name.split(".")[0] ?? "", landing: landingIn(text) };
}

async function sourcesOf(
  folders: OrganizationFolders,
  { files, missing }: Lake,
  settings: Organization,
  pulled: Pulled,
): Promise<Sources> {
  const below = (file: string): string => path.relative(folders.dataDir, file);
  return {
    codeVersion: codeVersion(),
    secretVersion: await (await pastOf(folders)).secretVersion(),
    settings,
    files,
    names: [...files.values()].flat().map(below),
    missing: new Map([...missing].map(([file, place]) => [below(file), place])),
    pulled,
  };
}

/** What a generation is made of: its landings, also lost ones, as `lake/<connector>/<record>/<organization>/<name>`. */
export function inputsOf({ basis, missing = [], settings }: Generation): Inputs {
  const present = (basis?.files ?? []).map((file) => {
    const [, connector = "", record = "", , name = ""] = file.split(path.sep);
    return placeText(landedPlace({ connector, name: record }, name));
  });
  const landings = [...new Set([...present, ...missing.map(placeText)])].sort();
  return { landings, settings, pulled: basis?.pulled ?? {} };
}

const placesOf = (files: LakeFiles): string[] =>
  [...files].flatMap(([record, names]) => names.map((file) => placeText(landedPlace(record, path.basename(file)))));

/** The landings whose files are there. */
export const presentIn = ({ files }: Sources): string[] => placesOf(files).sort();

/** The loss of a file does not change the state: what was derived from it before remains right. */
export const stateOf = ({ codeVersion, secretVersion, settings, names, missing }: Sources): string =>
  createHash("sha256")
    .update(codeVersion)
    .update(secretVersion)
    .update(JSON.stringify(settings))
    .update(JSON.stringify([...names, ...missing.keys()].sort()))
    .digest("hex")
    .slice(0, 32);

/** Identifies the present inputs of an organization's derived files. */
export async function fingerprint(folders: OrganizationFolders, settings: Organization): Promise<string> {
  return stateOf(await sourcesInForce(folders, settings));
}
