import path from "node:path";
import { sha256Of } from "../checksum.ts";
import { failureText } from "../contract/error.ts";
import type { Session } from "../engine/database.ts";
import type { ExportFile } from "./exports.ts";
import { type Inspected, inspect, isLost, noteName, setAside, told, writeNote } from "./intact.ts";
import { footers, type Landed, lakeFolder } from "./ledger.ts";
import { DEADLINE } from "./limits.ts";
import { atWork, landedFile, type Place, putInLake, type Read, readOne } from "./make.ts";

/** What went wrong unforeseen: of one file where it is known which. Nothing of it landed; the next sync tries again. */
export interface LandingFailure {
  readonly file?: string;
  readonly reason: string;
}

interface Mended {
  readonly repaired: readonly string[];
  /** Damaged or missing files that could not be repaired. */
  readonly lost: readonly Inspected[];
  readonly failures: readonly LandingFailure[];
  /** Exports that a repair was made of: they are as old as what they repaired, not new. */
  readonly used: ReadonlySet<ExportFile>;
}

/**
 * Looks whether the landed files of a record are as they were written. A damaged one is set aside, and its exports, if
 * they are all still there, are landed again in its place: with its number and its time, so that nothing is newer or
 * older than it was.
 */
export async function mend(session: Session, place: Place, files: readonly ExportFile[]): Promise<Mended> {
  const inspected = await inspect(lakeFolder(place), place.integration.id);
  const lost = inspected.filter(isLost);
  for (const one of lost) await setAside(one);
  await completeNotes(session, place, inspected);
  const repaired: string[] = [];
  const stillLost: Inspected[] = [];
  const failures: LandingFailure[] = [];
  const used = new Set<ExportFile>();
  for (const one of lost) {
    try {
      for (const file of await landAgain(session, place, one, files)) used.add(file);
      repaired.push(path.relative(place.dataDir, one.path));
    } catch (error) {
      stillLost.push(one);
      failures.push({ ...named(one), reason: `${told(one, place.dataDir)}: ${failureText(error)}` });
    }
  }
  return { repaired, lost: stillLost, failures, used };
}

const named = ({ note }: Inspected): { file?: string } => {
  const [only, ...others] = note?.exports ?? [];
  return only && others.length === 0 ? { file: only.name } : {};
};

/** Files of early versions have no note, and a process may have been killed before it wrote one. */
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

/** Lands what a lost file held once more, and tells of which files. */
async function landAgain(
  session: Session,
  place: Place,
  { integration, landing, note }: Inspected,
  files: readonly ExportFile[],
): Promise<ExportFile[]> {
  if (!note?.landedAt) {
    throw new Error(`land its data again, and only then remove ${noteName(integration, landing)}, which remembers it`);
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
  `put ${name} as it was (${bytes} bytes, SHA-256 ${sha256}) back into ` +
  `exports/${organization}/${integration.id}/${record.name}, under a name that is not taken, and sync`;

/** The export as it was then: by its content, whatever it is called now. */
async function heldBy(files: readonly ExportFile[], { name, bytes, sha256 }: Landed): Promise<ExportFile | undefined> {
  const candidates = files.filter((file) => file.bytes === bytes);
  candidates.sort((a, b) => Number(b.name === name) - Number(a.name === name));
  for (const file of candidates) if ((await sha256Of(file.path)) === sha256) return file;
  return undefined;
}
