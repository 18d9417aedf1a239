import { copyFile, link, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { OperatorError } from "../../core/contract/error.ts";
import { type FieldKind, isKind } from "../../core/contract/field.ts";
import { landedNames, type RecordDeclaration, requiredFields } from "../../core/contract/record.ts";
import { type Database, identifier, literal, type Session } from "../../core/engine/database.ts";
import { foldersOf, type OrganizationFolders } from "../../core/files/organizationFolders.ts";
import type { Place } from "../../core/landing/lake/built.ts";
import { landRecord } from "../../core/landing/land.ts";
import { exportsIn, type IngestedFile, landings } from "../../core/landing/ledger/ingested.ts";
import { assembledFile } from "../../core/landing/map/assemble.ts";
import type { Outcome } from "../../core/landing/outcome.ts";
import { type RejectedRows, rejectsIn as rejectedRowsIn } from "../../core/landing/read/rejects.ts";

/** A file that would be an export, and its name below the record's folder. */
export interface Given {
  readonly path: string;
  readonly name: string;
}

/** Exports that have landed in a lake of their own. */
export interface LandedAlone {
  readonly session: Session;
  /** Where they landed. */
  readonly place: Place;
  /** How many files were given. */
  readonly given: number;
  readonly outcome: Outcome;
  /** The Parquet files with its rows; none if no row landed. */
  readonly rows: readonly string[];
  readonly entries: readonly IngestedFile[];
  readonly folders: OrganizationFolders;
}

/** Lands files in a temporary data folder, next to what the engine spills, as a sync would. `work` gets the result, which is removed afterwards. */
export async function withLanded<T>(
  database: Database,
  files: readonly Given[],
  given: Omit<Place, "folders">,
  work: (landed: LandedAlone) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(path.join(database.temporary ?? tmpdir(), "lucra-preview-"));
  try {
    const folders = foldersOf(dataDir, "preview");
    const place = { ...given, folders };
    const folder = folders.exports(place.integration.id, place.record.name);
    for (const { path: file, name } of files) {
      const copy = path.join(folder, name);
      await mkdir(path.dirname(copy), { recursive: true });
      await link(file, copy).catch(() => copyFile(file, copy));
    }
    const stamp = { landing: 1, landedAt: new Date(0).toISOString() };
    const { outcome, failures } = await landRecord(database, place, stamp, () => {});
    const [failure] = failures;
    if (failure) throw new OperatorError(failure.reason);
    return await database.use(async (session) => {
      const { files: landed, parts } = await landings(place);
      const assembled = await assembledFile(session, place, parts);
      const entries = (await exportsIn(session, landed)).flatMap(({ exports }) => exports);
      const rows = [...landed.filter((one) => !parts.includes(one)), ...(assembled ? [assembled.file] : [])];
      return work({ session, place, given: files.length, outcome, rows, entries, folders });
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The name of a file as an export: names that begin with a dot are uploads under way. */
const nameOfExport = (file: string): string => path.basename(file).replace(/^\.+/, "") || "export";

/** A file under its own name. */
export const givenAs = (file: string): Given => ({ path: file, name: nameOfExport(file) });

/** The rows that files would land as. */
export interface Preview {
  /** Why the first refused file would be refused as a whole. */
  readonly refusal?: string;
  /** The tool that wrote the files, if it is known. */
  readonly tool?: string;
  readonly rows: number;
  /** Rows that another row of the file with the same key replaces. */
  readonly replaced: number;
  readonly rejected: number;
  /** Why rows were rejected, without their values, and how many. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly amount: { readonly field: string; readonly sum: string } | null;
  /** The sums of all amounts that have a value, and of what may be added up. */
  readonly sums: readonly { readonly field: string; readonly sum: string }[];
  /** Fields with a value in any row, and those of them with another value than 0, which mappings may add. */
  readonly filled: readonly string[];
  readonly telling: readonly string[];
  /** Columns that would not land. */
  readonly unknown: readonly string[];
  /** Words of a table of expenses that say what rows are for, and that no rule or setting knows. */
  readonly unknownItems: readonly string[];
  /** Notes: data that the files cannot give. */
  readonly notes: readonly string[];
}

/** Lands files in a temporary data folder, and describes what landed. */
export const preview = (database: Database, files: readonly Given[], place: Omit<Place, "folders">): Promise<Preview> =>
  withLanded(database, files, place, previewOf);

export async function previewOf({
  session,
  place,
  given,
  outcome,
  rows,
  entries,
  folders,
}: LandedAlone): Promise<Preview> {
  const [refused] = outcome.refused;
  const streams = entries.flatMap((entry) => entry.streams ?? []);
  const rejects = await rejectsIn(path.join(folders.dataDir, "rejects"));
  const tool = streams.find((stream) => stream.includes(":"))?.split(":")[0] ?? (streams.length > 0 ? "tool" : "");
  return {
    ...(refused ? { refusal: given > 1 ? `${refused.file}: ${refused.reason}` : refused.reason } : {}),
    ...(tool ? { tool } : {}),
    replaced: outcome.replaced,
    rejected: outcome.rejected,
    reasons: reasonsOf(rejects),
    unknownItems: unknownItemsOf(rejects),
    notes: [...new Set(entries.flatMap(({ notes = [] }) => notes))],
    unknown: [...new Set(entries.flatMap(({ unknown = [] }) => unknown))],
    ...(await figuresOf(session, place, rows)),
  };
}

/** Why rows would be rejected, without their values, each with the place of the first one. */
export async function rejectedIn({ folders }: Pick<LandedAlone, "folders">): Promise<RejectedRows[]> {
  const lists = await rejectLists(path.join(folders.dataDir, "rejects"));
  return (await Promise.all(lists.map(rejectedRowsIn))).flat();
}

type Figures = Pick<Preview, "rows" | "firstDay" | "lastDay" | "amount" | "sums" | "filled" | "telling">;

async function figuresOf(
  session: Session,
  { record, integration }: Pick<Place, "record" | "integration">,
  files: readonly string[],
): Promise<Figures> {
  const nothing = { rows: 0, firstDay: null, lastDay: null, amount: null, sums: [], filled: [], telling: [] };
  if (files.length === 0) return nothing;
  const fields = landedNames(record);
  const day = dayOfRow(record, integration.timezone);
  const amount = requiredFields(record).find((name) => record.fields[name]?.unit === "currency");
  const added = fields.filter((name) => isAdded(record, name));
  const key = [...record.key, ...(record.segmented ? ["_segment"] : [])].map(identifier).join(", ");
  const version = record.version ? `${identifier(record.version)} desc nulls last, ` : "";
  const [row] = await session.rows(
    `select count(*)::int as "rows",
        ${day ? `min(${day})::varchar` : "null"} as first_day, ${day ? `max(${day})::varchar` : "null"} as last_day,
        ${amount ? `sum(${identifier(amount)})::varchar` : "null"} as amount,
        [${added.map((name) => `sum(${identifier(name)})::varchar`).join(", ")}]::varchar[]::json::varchar as sums,
        [${fields.map((name) => `${valuesIn(record, name)} > 0`).join(", ")}]::varchar as filled,
        [${fields.map((name) => `${valuesIn(record, name, true)} > 0`).join(", ")}]::varchar as telling
      from (
        from read_parquet([${files.map(literal).join(", ")}], union_by_name = true)
        qualify row_number() over (partition by ${key} order by ${version}_file_no desc, _position desc) = 1
      )`,
  );
  if (!row || Number(row.rows) === 0) return nothing;
  const named = (flags: unknown): string[] => {
    const isNamed = JSON.parse(String(flags)) as boolean[];
    return fields.filter((_, at) => isNamed[at]);
  };
  return {
    rows: Number(row.rows),
    firstDay: row.first_day as string | null,
    lastDay: row.last_day as string | null,
    amount: amount && row.amount !== null ? { field: amount, sum: String(row.amount) } : null,
    sums: added.flatMap((field, at) => {
      const sum = (JSON.parse(String(row.sums)) as (string | null)[])[at];
      return sum === null || sum === undefined ? [] : [{ field, sum }];
    }),
    filled: named(row.filled),
    telling: named(row.telling),
  };
}

/** Whether the sum of a field says something: an amount, or a figure of a report. */
const isAdded = ({ fields }: RecordDeclaration, name: string): boolean =>
  ["integer", "number", "money"].some((kind) => isKind(fields[name], kind as FieldKind)) &&
  (fields[name]?.unit === "currency" || fields[name]?.combine === "sum");

/** SQL for the day of a row; undefined if rows have none. */
export const dayOfRow = (record: RecordDeclaration, zone = "UTC"): string | undefined =>
  record.day && dayOf(record, record.day.split("|"), zone);

/** SQL for the day of a row; that of an instant is one of the account's time zone. */
function dayOf({ fields }: RecordDeclaration, names: readonly string[], zone: string): string {
  const value = `coalesce(${names.map(identifier).join(", ")})`;
  return isKind(fields[names[0] ?? ""], "instant") ? `timezone(${literal(zone)}, ${value})::date` : `${value}::date`;
}

function valuesIn({ fields }: RecordDeclaration, name: string, withoutZeros = false): string {
  const field = fields[name];
  const column = identifier(name);
  if (isKind(field, "list")) return `count(*) filter (len(${column}) > 0)`;
  const isNumber = ["integer", "number", "money"].some((kind) => isKind(field, kind as FieldKind));
  return withoutZeros && isNumber ? `count(*) filter (${column} <> 0)` : `count(${column})`;
}

interface Reject {
  readonly reason: string;
  /** The reasons of rows that the list has no place for, without values. */
  readonly unlisted?: { readonly reasons: Readonly<Record<string, number>> };
}

const rejectLists = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true }).catch(() => [] as string[]))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => path.join(folder, name));

async function rejectsIn(folder: string): Promise<Reject[]> {
  const lists = await Promise.all((await rejectLists(folder)).map((list) => readFile(list, "utf8")));
  return lists.flatMap((list) =>
    list
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Reject),
  );
}

/** How many rows were rejected for each reason, without values: they may be personal data. */
function reasonsOf(rejects: readonly Reject[]): Record<string, number> {
  const reasons: Record<string, number> = {};
  const count = (reason: string, rows: number): void => {
    const said = reason.replaceAll(/"[^"]*"/g, "a value");
    reasons[said] = (reasons[said] ?? 0) + rows;
  };
  for (const { reason, unlisted } of rejects) {
    if (unlisted) for (const [one, rows] of Object.entries(unlisted.reasons)) count(one, Number(rows));
    else count(reason, 1);
  }
  return reasons;
}

/** As `sql/staging/finance/expenses.sql` says it. */
const UNKNOWN_ITEM = /^item: "(.*)" is no cost that is known/s;

const unknownItemsOf = (rejects: readonly Reject[]): string[] => [
  ...new Set(rejects.flatMap(({ reason }) => UNKNOWN_ITEM.exec(reason)?.[1] ?? [])),
];
