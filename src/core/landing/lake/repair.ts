import path from "node:path";
import type { Session } from "../../engine/database.ts";
import { DEADLINE } from "../bytes/limits.ts";
import { contentHash, type ExportFile } from "../find/exports.ts";
import { footers, type IngestedFile, lakeFolder } from "../ledger/ingested.ts";
import { Revocations } from "../ledger/revocations.ts";
import { type CheckedFile, checkFiles, describeDamage, isLost, quarantine, writeManifest } from "../ledger/verify.ts";
import { reasonOf } from "../read/rejects.ts";
import { atWork } from "../work.ts";
import { commitToLake, type Place, type Read } from "./built.ts";
import { buildLandedFile, readOne } from "./write.ts";

/** An unexpected error, with its file if that is known. No row of it landed; the next sync tries again. */
export interface LandingFailure {
  readonly file?: string;
  readonly reason: string;
}

interface Repair {
  readonly repaired: readonly string[];
  /** Damaged or missing files that could not be repaired. */
  readonly lost: readonly CheckedFile[];
  readonly failures: readonly LandingFailure[];
  /** Exports that were used for a repair: they are as old as the file they repaired, not new. */
  readonly used: ReadonlySet<ExportFile>;
}

/**
 * Checks the landed files of a record and repairs damaged ones. A damaged file is quarantined, and its exports, if they
 * are all still there, are landed again in its place: with its number and its time, so that the order of landings does
 * not change.
 */
export async function repairLandedFiles(session: Session, place: Place, files: readonly ExportFile[]): Promise<Repair> {
  const { folders, record, integration } = place;
  const revocations = await Revocations.of(folders);
  const inspected = (await checkFiles(lakeFolder(place), integration.id)).filter(
    ({ landing }) => !revocations.has(record, integration.id, landing),
  );
  const lost = inspected.filter(isLost);
  for (const one of lost) await quarantine(one);
  await completeManifests(session, place, inspected);
  const repaired: string[] = [];
  const unrepaired: CheckedFile[] = [];
  const failures: LandingFailure[] = [];
  const used = new Set<ExportFile>();
  for (const one of lost) {
    try {
      for (const file of await landAgain(session, place, one, files)) used.add(file);
      repaired.push(path.relative(folders.dataDir, one.path));
    } catch (error) {
      unrepaired.push(one);
      failures.push({ ...named(one), reason: `${describeDamage(one, folders.dataDir)}: ${reasonOf(error)}` });
    }
  }
  return { repaired, lost: unrepaired, failures, used };
}

const named = ({ manifest }: CheckedFile): { file?: string } => {
  const [only, ...others] = manifest?.exports ?? [];
  return only && others.length === 0 ? { file: only.name } : {};
};

/** Writes missing manifests: a process may have been killed before it wrote one. */
async function completeManifests(session: Session, place: Place, inspected: readonly CheckedFile[]): Promise<void> {
  const without = new Map(inspected.filter((one) => !one.manifest && !isLost(one)).map((one) => [one.path, one]));
  if (without.size === 0) return;
  for (const { file, landedAt, exports } of await footers(session, place)) {
    const one = without.get(file);
    if (!one) continue;
    const manifest = { file: path.basename(file), sha256: one.sha256, landedAt, exports };
    await writeManifest(path.dirname(file), one.integration, one.landing, manifest);
  }
}

/** Lands the exports of a lost file again and returns them. */
async function landAgain(
  session: Session,
  place: Place,
  { landing, manifest }: CheckedFile,
  files: readonly ExportFile[],
): Promise<ExportFile[]> {
  if (!manifest?.landedAt) {
    throw new Error(`land its data again, then: ${revokeCommand(place, landing)}`);
  }
  const { landedAt, exports } = manifest;
  const found: ExportFile[] = [];
  for (const wanted of exports) {
    const file = await heldBy(files, wanted);
    if (!file) {
      const how = `${backInto(place, wanted)}, or accept the loss: ${revokeCommand(place, landing)}`;
      throw new Error(`cannot be repaired: ${how}`);
    }
    found.push(file);
  }
  await atWork(place.folders.dataDir, async (work) => {
    const readings: Read[] = [];
    for (const [at, file] of found.entries()) {
      const { fileNo } = exports[at] as IngestedFile;
      readings.push(await readOne(session, file, fileNo, place, { work, deadline: DEADLINE }));
    }
    await commitToLake(
      place,
      await buildLandedFile(session, place, readings, { landing, landedAt }, { work, deadline: DEADLINE }),
    );
  });
  return found;
}

const backInto = ({ folders, integration, record }: Place, { name, bytes, sha256 }: IngestedFile): string =>
  `put the original ${name} (${bytes} bytes, SHA-256 ${sha256}) back into ` +
  `exports/${folders.organization}/${integration.id}/${record.name}, under a name that is not taken, and sync`;

/** A revoked file is not missed. */
const revokeCommand = ({ folders, integration, record }: Place, landing: number): string =>
  `lucra landings revoke ${landing} --organization ${folders.organization} --integration ${integration.id} --record ${record.name}`;

/** Finds an export by its content, whatever its name is now. */
async function heldBy(
  files: readonly ExportFile[],
  { name, bytes, sha256 }: IngestedFile,
): Promise<ExportFile | undefined> {
  const candidates = files.filter((file) => file.bytes === bytes);
  candidates.sort((a, b) => Number(b.name === name) - Number(a.name === name));
  for (const file of candidates) if ((await contentHash(file)) === sha256) return file;
  return undefined;
}
