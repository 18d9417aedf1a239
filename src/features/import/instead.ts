import { logged } from "../../core/audit/audit.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { titleOf } from "../../core/contract/record.ts";
import { shortened } from "../../core/contract/text.ts";
import type { Database } from "../../core/engine/database.ts";
import type { Place } from "../../core/landing/lake/built.ts";
import { type NumberedExport, type Sums, sumsOf } from "../../core/landing/lake/sums.ts";
import { footers, type LakePlace, landingOf } from "../../core/landing/ledger/ingested.ts";
import { knownOrganizations } from "../../core/organizations/open.ts";
import { changeLandings } from "../../core/sync/revoke.ts";
import { sync } from "../../core/sync/sync.ts";
import { deliverAfter } from "../webhooks/command.ts";
import { type Given, type LandedAlone, withLanded } from "./preview.ts";
import type { Task } from "./task.ts";

/** What a table of expenses or fees adds to what has landed, replaces of it, and leaves of other tables [D71]. */
export type Changes = Omit<Sums, "fileNo">;

/**
 * The changes that a table would make, `without` an export that it takes the place of; undefined for other records, and for the
 * first table of its record.
 */
export async function changesOf(
  database: Database,
  file: Given,
  place: Place,
  without: readonly NumberedExport[] = [],
): Promise<Changes | undefined> {
  const { folders: _, ...given } = place;
  if (!place.record.addsUp) return undefined;
  return withLanded(database, [file], given, (landed) => changesBy(landed, place, without));
}

/** The same of a table that has landed alone. */
export async function changesBy(
  { session, rows: [landed] }: Pick<LandedAlone, "session" | "rows">,
  place: Place,
  without: readonly NumberedExport[] = [],
): Promise<Changes | undefined> {
  if (landed === undefined || !place.record.addsUp) return undefined;
  const [sums] = await sumsOf(session, { ...place, without }, landed);
  if (!sums) return undefined;
  const { fileNo: _, ...changes } = sums;
  return changes;
}

/** A landed export that a table is to take the place of, with all its landings that are in force. */
export interface Instead {
  readonly file: string;
  readonly landings: readonly number[];
  /** The numbers of its rows, which keep that of the landing that they came with. */
  readonly rows: readonly NumberedExport[];
}

export async function landedNamed(database: Database, place: LakePlace, name: string): Promise<Instead> {
  if (!place.record.addsUp)
    throw new OperatorError(
      `is an export of ${titleOf(place.record)}, whose rows replace earlier ones: --instead-of is for tables of expenses and fees`,
    );
  const landed = await landedExports(database, place);
  const found = landed.filter(({ file }) => file === name);
  if (found.length > 0)
    return { file: name, landings: found.map(({ landing }) => landing), rows: found.map(({ rows }) => rows) };
  const names = shortened([...new Set(landed.map(({ file }) => file))]) || "none";
  throw new OperatorError(
    `--instead-of ${name}: no such export of ${titleOf(place.record)} has landed; there are ${names}`,
  );
}

interface LandedExport {
  readonly file: string;
  readonly landing: number;
  readonly rows: NumberedExport;
}

const landedExports = async (database: Database, place: LakePlace): Promise<LandedExport[]> =>
  (await database.use((session) => footers(session, place))).flatMap(({ file, exports }) =>
    exports.map(({ name, landing = landingOf(file), fileNo }) => ({
      file: name,
      landing: landingOf(file),
      rows: { landing, fileNo },
    })),
  );

/** Lands an export that is in its folder under a name, and then revokes the one that it takes the place of. */
export async function landInstead(
  { config, database }: Task,
  place: LakePlace,
  { name, instead }: { readonly name: string; readonly instead: Instead },
): Promise<void> {
  const { folders, integration, record } = place;
  const known = await knownOrganizations(config.dataDir, () => {});
  const settings = known.find(({ organizationId }) => organizationId === folders.organization);
  if (!settings) throw new OperatorError("the settings cannot be read: lucra organizations check");
  const { outcomes, failures } = await sync(config, { organizations: [settings], integration: integration.id });
  if (!(await landedExports(database, place)).some(({ file }) => file === name)) {
    const refused = outcomes.flatMap((one) => one.refused).find(({ file }) => file === name);
    const reason = refused?.reason ?? failures[0]?.reason;
    throw new OperatorError(
      `has not landed${reason ? ` (${reason})` : ""}, so ${instead.file} still counts: lucra sync`,
    );
  }
  const wanted = { landings: instead.landings, integration: integration.id, record: record.name, file: instead.file };
  const described = { what: "landings.revoke", after: { ...wanted, replacedBy: name } };
  const { failure } = await logged(config.dataDir, [folders.organization], described, () =>
    changeLandings(config, settings, { action: "revoke", ...wanted }),
  );
  await deliverAfter(config, [settings]);
  if (failure !== undefined)
    throw new OperatorError(
      `${instead.file} is revoked, but that could not be derived: ${failure}; repair that, then: lucra sync`,
    );
}
