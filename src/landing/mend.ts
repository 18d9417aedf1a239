import path from "node:path";
import type { Session } from "../engine/database.ts";
import { sha256Of } from "../files/checksum.ts";
import type { ExportFile } from "./exports.ts";
import { type Inspected, inspect, isLost, noteName, setAside, told, writeNote } from "./intact.ts";
import { footers, type Landed, lakeFolder } from "./ledger.ts";
import { DEADLINE } from "./limits.ts";
import { atWork, landedFile, type Place, putInLake, type Read, readOne } from "./make.ts";
import { reasonOf } from "./rejects.ts";

/** An unexpected error, with its file if that is known. No row of it landed; the next sync tries again. */
export interface LandingFailure {
  readonly file?: string;
  readonly reason: string;
}

interface Repair {
  readonly repaired: readonly string[];
  /** Damaged or missing files that could not be repaired. */
  readonly lost: readonly Inspected[];
  readonly failures: readonly LandingFailure[];
  /** Exports that were used for a repair: they are as old as the file they repaired, not new. */
  readonly used: ReadonlySet<ExportFile>;
}

/**
 * Checks the landed files of a record and repairs damaged ones. A damaged file is quarantined, and its exports, if they
 * are all still there, are landed again in its place: with its number and its time, so that the order of landings does
 * not change.
 */
export async function mend(session: Session, place: Place, files: readonly ExportFile[]): Promise<Repair> {
  const inspected = await inspect(lakeFolder(place), place.integration.id);
  const lost = inspected.filter(isLost);
  for (const one of lost) await setAside(one);
  await completeNotes(session, place, inspected);
  const repaired: string[] = [];
  const unrepaired: Inspected[] = [];
  const failures: LandingFailure[] = [];
  const used = new Set<ExportFile>();
  for (const one of lost) {
    try {
      for (const file of await landAgain(session, place, one, files)) used.add(file);
      repaired.push(path.relative(place.dataDir, one.path));
    } catch (error) {
      unrepaired.push(one);
      failures.push({ ...named(one), reason: `${told(one, place.dataDir)}: ${reasonOf(error)}` });
    }
  }
  return { repaired, lost: unrepaired, failures, used };
}

const named = ({ note }: Inspected): { file?: string } => {
  const [only, ...others] = note?.exports ?? [];
  return only && others.length === 0 ? { file: only.name } : {};
};

/** Writes missing manifests: early versions wrote none, and a process may have been killed before it wrote one. */
async function completeNotes(session: Session, place: Place, inspected: readonly Inspected[]): Promise<void> {
  const without = new Map(inspected.filter((one) => !one.note && !isLost(one)).map((one) => [one.path, one]));
  if (without.size === 0) return;
  for (const { file, landedAt, exports } of await footers(session, place)) {
    const one = without.get(file);
    if (!one) continue;
    const note = { file: path.basename(file), sha256: one.sha256, landedAt, exports };
    await writeNote(path.dirname(file), one.integration, one.landing, note);
  }
}

/** Lands the exports of a lost file again and returns them. */
async function landAgain(
  session: Session,
  place: Place,
  { integration, landing, note }: Inspected,
  files: readonly ExportFile[],
): Promise<ExportFile[]> {
  if (!note?.landedAt) {
    throw new Error(`land its data again, and only then remove its manifest ${noteName(integration, landing)}`);
  }
  const { landedAt, exports } = note;
  const found: ExportFile[] = [];
  for (const wanted of exports) {
    const file = await heldBy(files, wanted);
    if (!file) throw new Error(`cannot be repaired: ${backInto(place, wanted)}`);
    found.push(file);
  }
  await atWork(place.dataDir, async (work) => {
    const readings: Read[] = [];
    for (const [at, file] of found.entries()) {
      const { fileNo = at } = exports[at] as Landed;
      readings.push(await readOne(session, file, fileNo, place.record, work, DEADLINE));
    }
    await putInLake(place, await landedFile(session, place, readings, { landing, landedAt }, work, DEADLINE));
  });
  return found;
}

const backInto = ({ organization, integration, record }: Place, { name, bytes, sha256 }: Landed): string =>
  `put the original ${name} (${bytes} bytes, SHA-256 ${sha256}) back into ` +
  `exports/${organization}/${integration.id}/${record.name}, under a name that is not taken, and sync`;

/** Finds an export by its content, whatever its name is now. */
async function heldBy(files: readonly ExportFile[], { name, bytes, sha256 }: Landed): Promise<ExportFile | undefined> {
  const candidates = files.filter((file) => file.bytes === bytes);
  candidates.sort((a, b) => Number(b.name === name) - Number(a.name === name));
  for (const file of candidates) if ((await sha256Of(file.path)) === sha256) return file;
  return undefined;
}
