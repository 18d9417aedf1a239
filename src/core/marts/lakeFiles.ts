import path from "node:path";
import type { RecordDeclaration } from "../contract/record.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { namesIn } from "../landing/ledger/ingested.ts";
import type { LandedPlace } from "../landing/ledger/revocations.ts";
import { lostManifests, readManifest } from "../landing/ledger/verify.ts";
import { exported } from "../records/index.ts";
import type { LakeFiles } from "./build.ts";

/** The landed files of an organization by record, and those that are missing, by the path that they had. */
export interface Lake {
  readonly files: LakeFiles;
  readonly missing: ReadonlyMap<string, LandedPlace>;
}

/** Lists landed files, also revoked ones. A name is used only once, so names identify versions. */
export async function lakeOf(
  folders: OrganizationFolders,
  isWanted: (place: LandedPlace) => boolean = () => true,
): Promise<Lake> {
  const files = new Map<RecordDeclaration, string[]>();
  const missing = new Map<string, LandedPlace>();
  for (const record of exported) {
    const folder = folders.lake(record);
    const names = (await namesIn(folder)).sort().filter((name) => isWanted(landedPlace(record, name)));
    files.set(
      record,
      names.filter((name) => name.endsWith(".parquet")).map((name) => path.join(folder, name)),
    );
    for (const name of lostManifests(names)) {
      const place = landedPlace(record, name);
      const { file = `${place.integration}.${name.split(".")[1]}.parquet` } = (await readManifest(folder, name)) ?? {};
      missing.set(path.join(folder, file), place);
    }
  }
  return { files, missing };
}

/** Where a file with this name in the lake landed. */
export function landedPlace(
  { connector, name: record }: { readonly connector: string; readonly name: string },
  name: string,
): LandedPlace {
  const [integration = "", landing = ""] = name.split(".");
  return { connector, record, integration, landing: Number(landing) };
}
