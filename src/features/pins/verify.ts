import type { Config } from "../../core/config.ts";
import type { Session } from "../../core/engine/database.ts";
import { foldersOf, type OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { erasuresOf } from "../../core/landing/ledger/erasures.ts";
import { Revocations } from "../../core/landing/ledger/revocations.ts";
import { corruptFiles } from "../../core/marts/generations.ts";
import { inputsAt } from "../../core/marts/moments.ts";
import type { Pin, PinChecks } from "../../core/marts/pinFiles.ts";
import { placeIn } from "../../core/marts/sources.ts";
import {
  answerVersion,
  type DerivedAgain,
  removeState,
  stateFiles,
  withDerivedAgain,
} from "../../core/marts/states.ts";
import { besideWriters } from "../../core/sync/sync.ts";
import { landingsKept } from "./create.ts";
import { figuresOf } from "./figures.ts";
import { differingRows, type RowsDiffer, relationChecks } from "./relations.ts";

/**
 * Why a pin is not what it was: landings that it had are lost, damaged, revoked for always, or are back; data were erased; another
 * version of Lucra derives it; or its kept files are not what is derived.
 */
type Cause = "landings" | "erased" | "software" | "files";

/** What became of a landing since the pin was made. */
export interface LandingDiffers {
  readonly landing: number;
  readonly connector: string;
  readonly record: string;
  readonly integration: string;
  readonly is: "lost" | "damaged" | "revoked" | "back";
}

export interface RelationDiffers {
  readonly relation: string;
  /** Rows then and now; null if there was, or is, no such relation. */
  readonly rowsBefore: number | null;
  readonly rowsAfter: number | null;
  /** Null if the files of then are gone. */
  readonly rows: RowsDiffer | null;
}

interface FigureDiffers {
  readonly month: string;
  readonly figure: string;
  readonly before: number | null;
  readonly after: number | null;
}

export interface Verified {
  readonly name: string;
  readonly knownAt: string;
  readonly isEqual: boolean;
  readonly causes: readonly Cause[];
  readonly landings: readonly LandingDiffers[];
  readonly relations: readonly RelationDiffers[];
  readonly figures: readonly FigureDiffers[];
  /** Where the files that answer now differ from what is derived. */
  readonly answered: readonly RelationDiffers[];
  /** Whether the files of then are there, so that rows could be compared; damaged ones are removed. */
  readonly files: "compared" | "gone" | "damaged";
}

/** Derives the state of a pin again from the lake, and compares it with what the pin keeps and with the files that are there. */
export async function verifyPin(config: Config, organization: string, pin: Pin): Promise<Verified> {
  const folders = foldersOf(config.dataDir, organization);
  const { moment, name, knownAt, kept } = pin;
  const inputs = await inputsAt(folders, moment);
  return besideWriters(config, (database, spill) =>
    withDerivedAgain(database, folders, inputs, async (again) => {
      const { folder, key: state, present } = again;
      const figures = figuresDiffering(
        kept.figures,
        await figuresOf(config, spill, { organization, folder, state, knownAt }),
      );
      const { relations, answered, files } = await database.use((session) =>
        relationsDiffering(session, folders, kept, again),
      );
      const now = landingsKept(inputs, present);
      const landings = await landingsDiffering(folders, kept, now.lacking, again.damaged);
      const isOtherData = relations.length + figures.length > 0;
      const isOfLandings = landings.length > 0 || now.landings !== kept.landings;
      const isOfFiles = answered.length > 0 || files === "damaged";
      // Rows lack what was erased since; a figure never does [D98].
      const isOfErasure = relations.length > 0 && (await erasuresOf(folders)).some(({ at }) => at >= pin.createdAt);
      return {
        name,
        knownAt,
        isEqual: !isOtherData && !isOfFiles,
        causes: [
          ...(isOtherData && isOfLandings ? (["landings"] as const) : []),
          ...(isOfErasure ? (["erased"] as const) : []),
          ...(isOtherData && kept.version !== answerVersion() ? (["software"] as const) : []),
          ...(isOfFiles ? (["files"] as const) : []),
        ],
        landings,
        relations,
        figures,
        answered,
        files,
      };
    }),
  );
}

async function landingsDiffering(
  folders: OrganizationFolders,
  { lacking }: PinChecks,
  lackingNow: readonly string[],
  damagedNow: readonly string[],
): Promise<LandingDiffers[]> {
  const revocations = await Revocations.of(folders);
  const [before, after, damaged] = [new Set(lacking), new Set(lackingNow), new Set(damagedNow)];
  const stateOf = (place: string): LandingDiffers["is"] => {
    if (revocations.isForever(placeIn(place))) return "revoked";
    return damaged.has(place) ? "damaged" : "lost";
  };
  return [
    ...lackingNow.filter((place) => !before.has(place)).map((place) => ({ ...placeIn(place), is: stateOf(place) })),
    ...lacking.filter((place) => !after.has(place)).map((place) => ({ ...placeIn(place), is: "back" as const })),
  ];
}

/** Figures of a month that one of them does not have are null. */
function figuresDiffering(before: PinChecks["figures"], after: PinChecks["figures"]): FigureDiffers[] {
  const months = [...new Set([...before, ...after].map(({ month }) => month))].sort();
  return months.flatMap((month) => {
    const of = (all: PinChecks["figures"]) => all.find((one) => one.month === month)?.figures ?? {};
    const [was, is] = [of(before), of(after)];
    return [...new Set([...Object.keys(was), ...Object.keys(is)])]
      .map((figure) => ({ month, figure, before: was[figure] ?? null, after: is[figure] ?? null }))
      .filter((one) => one.before !== one.after);
  });
}

interface Compared {
  /** Against what the pin keeps. */
  readonly relations: readonly RelationDiffers[];
  /** The files that answer now, against what is derived. */
  readonly answered: readonly RelationDiffers[];
  readonly files: Verified["files"];
}

async function relationsDiffering(
  session: Session,
  folders: OrganizationFolders,
  kept: PinChecks,
  again: DerivedAgain,
): Promise<Compared> {
  const before = await intactFiles(folders, kept.state);
  const present = again.key === kept.state ? before : await intactFiles(folders, again.key);
  const derived = await relationChecks(session, again.folder);
  const compared = async (checks: PinChecks["relations"], folder: string | undefined): Promise<RelationDiffers[]> => {
    const names = [...new Set([...Object.keys(checks), ...Object.keys(derived)])].sort();
    const differing: RelationDiffers[] = [];
    for (const relation of names) {
      const [was, is] = [checks[relation], derived[relation]];
      if (was?.checksum === is?.checksum) continue;
      const rows = folder === undefined ? undefined : await differingRows(session, relation, folder, again.folder);
      differing.push({ relation, rowsBefore: was?.rows ?? null, rowsAfter: is?.rows ?? null, rows: rows ?? null });
    }
    return differing;
  };
  return {
    relations: await compared(kept.relations, before.folder),
    // Without a damaged landing the kept files are the better ones.
    answered:
      present.folder && again.damaged.length === 0
        ? await compared(await relationChecks(session, present.folder), present.folder)
        : [],
    files: present.isDamaged || before.isDamaged ? "damaged" : before.folder === undefined ? "gone" : "compared",
  };
}

/** The folder of kept files that match their checksums. Damaged ones are removed: they are derived again when they are asked for. */
async function intactFiles(
  folders: OrganizationFolders,
  key: string,
): Promise<{ readonly folder?: string; readonly isDamaged: boolean }> {
  const state = await stateFiles(folders, key);
  if (!state) return { isDamaged: false };
  if ((await corruptFiles(state)).length === 0) return { folder: state.folder, isDamaged: false };
  await removeState(folders, key);
  return { isDamaged: true };
}
