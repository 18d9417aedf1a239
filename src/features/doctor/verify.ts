import { stat } from "node:fs/promises";
import path from "node:path";
import type { RecordDeclaration } from "../../core/contract/record.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { foldersOf, type OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { type CheckedFile, isLost } from "../../core/landing/ledger/verify.ts";
import { checkLake } from "../../core/marts/derive.ts";
import {
  corruptFiles,
  currentGeneration,
  generationOfAnyVersion,
  pointerVersion,
} from "../../core/marts/generations.ts";
import { type FilesRead, type Finding, finding, type OrganizationReport } from "./report.ts";

/** Reads every landed and every derived file to its end, and reports those whose bytes are not what was written. */
export async function verify(
  dataDir: string,
  settings: Organization,
): Promise<{ files: NonNullable<OrganizationReport["files"]>; findings: Finding[] }> {
  const folders = foldersOf(dataDir, settings.organizationId);
  const landed = [...(await checkLake(folders))].flatMap(([record, files]) => files.map((file) => ({ record, file })));
  const lost = landed.filter(({ file }) => isLost(file));
  // Missing ones are found without reading.
  const damaged = lost.filter(({ file }) => file.integrity === "damaged");
  const row = ({ record, file }: { record: RecordDeclaration; file: CheckedFile }) => ({
    integration: settings.integrations?.find(({ id }) => id === file.integration)?.name ?? file.integration,
    record: record.name,
    landing: file.landing,
    condition: file.integrity,
    exports: file.manifest?.exports.map(({ name }) => name).join(", ") || null,
    path: path.relative(dataDir, file.path),
  });
  const derived = await derivedFiles(folders);
  const findings = [
    ...(damaged.length > 0
      ? [finding("damagedLake", "wrong", "landed files that are not what was written: run sync", damaged.map(row))]
      : []),
    ...(derived.damaged.length > 0
      ? [finding("damagedDerived", "wrong", "derived files that are not what was written: run sync", derived.damaged)]
      : []),
  ];
  return {
    files: {
      landed: {
        files: landed.length,
        bytes: landed.reduce((sum, { file }) => sum + file.bytes, 0),
        damaged: lost.length,
      },
      derived: derived.files,
    },
    findings,
  };
}

async function derivedFiles(folders: OrganizationFolders): Promise<{ files: FilesRead; damaged: { file: string }[] }> {
  const generation = await currentGeneration(folders);
  const checksums = Object.keys(generation?.checksums ?? {});
  if (!generation) {
    // Missing derived files are not an error, but a pointer to missing files is.
    const isDamaged = (await pointerVersion(folders)) && !(await generationOfAnyVersion(folders));
    const damaged = isDamaged ? [{ file: "current or derived.json" }] : [];
    return { files: { files: damaged.length, bytes: 0, damaged: damaged.length }, damaged };
  }
  let bytes = 0;
  for (const name of checksums) {
    bytes += await stat(path.join(generation.folder, name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  const damaged = (await corruptFiles(generation)).map((file) => ({ file }));
  return { files: { files: checksums.length, bytes, damaged: damaged.length }, damaged };
}
