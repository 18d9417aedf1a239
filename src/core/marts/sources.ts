import { createHash } from "node:crypto";
import path from "node:path";
import type { RecordDeclaration } from "../contract/record.ts";
import { answerSettings, type Organization } from "../contract/settings.ts";
import { sha256OfText } from "../files/checksum.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { namesIn } from "../landing/ledger/ingested.ts";
import { type LandedPlace, Revocations } from "../landing/ledger/revocations.ts";
import { lostManifests, readManifest } from "../landing/ledger/verify.ts";
import { exported } from "../records/index.ts";
import type { LakeFiles } from "./build.ts";
import { codeVersion } from "./codeVersion.ts";
import { customerSecret } from "./customerSecret.ts";
import type { Generation } from "./generations.ts";
import { type Inputs, landingIn, placeText } from "./history.ts";
import { type Pulled, pulledUntil } from "./pulledUntil.ts";

/** The landed files of an organization by record, and those that are missing, by the path that they had. */
interface Lake {
  readonly files: LakeFiles;
  readonly missing: ReadonlyMap<string, LandedPlace>;
}

/** Lists landed files. A name is used only once, so names identify versions. */
async function lakeOf(
  folders: OrganizationFolders,
  isWanted: (record: RecordDeclaration, name: string) => boolean,
): Promise<Lake> {
  const files = new Map<RecordDeclaration, string[]>();
  const missing = new Map<string, LandedPlace>();
  for (const record of exported) {
    const folder = folders.lake(record);
    const names = (await namesIn(folder)).sort().filter((name) => isWanted(record, name));
    files.set(
      record,
      names.filter((name) => name.endsWith(".parquet")).map((name) => path.join(folder, name)),
    );
    for (const name of lostManifests(names)) {
      const place = placeOf(record, name);
      const { file = `${place.integration}.${name.split(".")[1]}.parquet` } = (await readManifest(folder, name)) ?? {};
      missing.set(path.join(folder, file), place);
    }
  }
  return { files, missing };
}

/** The landed files in force. */
async function lakeInForce(folders: OrganizationFolders): Promise<Lake> {
  const revocations = await Revocations.of(folders);
  return lakeOf(folders, (record, name) => !revocations.hasNamed(record, name));
}

/** Where a file with this name in the lake landed. */
function placeOf(
  { connector, name: record }: { readonly connector: string; readonly name: string },
  name: string,
): LandedPlace {
  const [integration = "", landing = ""] = name.split(".");
  return { connector, record, integration, landing: Number(landing) };
}

/** The inputs of a derivation. */
export interface Sources {
  readonly codeVersion: string;
  readonly secret: string;
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
  const revocations = await Revocations.of(folders);
  const wanted = new Set(landings);
  const lake = await lakeOf(folders, (record, name) => {
    const place = placeOf(record, name);
    return wanted.has(placeText(place)) && !revocations.isForever(place);
  });
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
    // Without one, no generation has been derived yet.
    secret: (await customerSecret(folders)) ?? "",
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
    return placeText(placeOf({ connector, name: record }, name));
  });
  const landings = [...new Set([...present, ...missing.map(placeText)])].sort();
  return { landings, settings, pulled: basis?.pulled ?? {} };
}

const placesOf = (files: LakeFiles): string[] =>
  [...files].flatMap(([record, names]) => names.map((file) => placeText(placeOf(record, path.basename(file)))));

/** The landings whose files are there. */
export const presentIn = ({ files }: Sources): string[] => placesOf(files).sort();

/** The loss of a file does not change the state: what was derived from it before remains right. */
export const stateOf = ({ codeVersion, secret, settings, names, missing }: Sources): string =>
  createHash("sha256")
    .update(codeVersion)
    .update(sha256OfText(secret))
    .update(JSON.stringify(settings))
    .update(JSON.stringify([...names, ...missing.keys()].sort()))
    .digest("hex")
    .slice(0, 32);

/** Identifies the present inputs of an organization's derived files. */
export async function fingerprint(folders: OrganizationFolders, settings: Organization): Promise<string> {
  return stateOf(await sourcesInForce(folders, settings));
}
