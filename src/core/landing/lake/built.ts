import path from "node:path";
import type { Integration } from "../../contract/settings.ts";
import { coordinationOf } from "../../coordination/registry.ts";
import { sha256Of } from "../../files/checksum.ts";
import { publish } from "../../files/durable.ts";
import type { ExportFile } from "../find/exports.ts";
import { type IngestedFile, type LakePlace, lakeFolder } from "../ledger/ingested.ts";
import { landedName, writeManifest } from "../ledger/verify.ts";
import type { Lines } from "../map/stage.ts";
import type { Rejected } from "../read/rejects.ts";

/** The record of an integration into which exports land. */
export interface Place extends LakePlace {
  readonly integration: Integration;
  /** The organization's currency. */
  readonly currency?: string | undefined;
}

/** An export that was read and is about to land. */
export interface Read extends Lines {
  readonly file: ExportFile;
}

/** A landing's number and time, which its rows carry. Every record of a sync starts from the same one. */
export interface LandingStamp {
  readonly landing: number;
  readonly landedAt: string;
}

export interface BuiltFile extends LandingStamp {
  /** Whether it holds parts, which are joined before they are mapped. */
  readonly ofParts: boolean;
  readonly file: string;
  readonly exports: readonly IngestedFile[];
  /** The rejects of each export that has any. */
  readonly rejected: ReadonlyMap<number, Rejected>;
}

/** Makes a file appear in the lake. */
export async function commitToLake(
  place: LakePlace,
  { file, ofParts, landing, landedAt, exports }: BuiltFile,
): Promise<void> {
  const { folders, integration } = place;
  const folder = lakeFolder(place);
  const sha256 = await sha256Of(file);
  const name = landedName(integration.id, landing, sha256, ofParts);
  await coordinationOf(folders.dataDir).turns.assertHeld(folders.organization);
  await publish(file, path.join(folder, name));
  // From here on it has landed. If the manifest cannot be written, the next sync writes it from the file.
  await writeManifest(folder, integration.id, landing, { file: name, sha256, landedAt, exports }).catch(() => {});
}

export const ledgerEntry = (
  { file, fileNo, sha256, unknown, streams, notes }: Read,
  rows: number,
  rejected: number,
): IngestedFile => ({
  name: file.name,
  bytes: file.bytes,
  modified: String(file.modified),
  sha256,
  rows,
  rejected,
  fileNo,
  ...(unknown.length > 0 ? { unknown } : {}),
  ...(streams.length > 0 ? { streams } : {}),
  ...(notes.length > 0 ? { notes } : {}),
});
