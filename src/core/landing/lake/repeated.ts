import type { RecordDeclaration } from "../../contract/record.ts";
import { shortened } from "../../contract/text.ts";
import { identifier, literal, type Session } from "../../engine/database.ts";
import { FileError } from "../bytes/scan.ts";
import { rawRows } from "../map/stage.ts";
import type { Read } from "./built.ts";

/** How many repeated rows of vendors' objects are compared as texts. */
const MOST_COMPARED = 10_000;

/** Rows of one key and breakdown in a file; `apart`: their landed values differ. */
interface Repeated {
  readonly fileNo: number;
  readonly first: number;
  readonly last: number;
  readonly apart: boolean;
}

/**
 * Refuses the file of a report with rows of one key that something tells apart which is not read: the last one would replace
 * the others, and their amounts be lost. Copies of a row are one row. `written`: the rows as they will land.
 */
export async function refuseRepeated(
  session: Session,
  record: RecordDeclaration,
  written: string,
  readings: readonly Read[],
): Promise<void> {
  if (!record.segmented) return;
  const keys = record.key.map(identifier);
  const rows = await session.rows(
    `select file_no, first, last, apart from (
        select _file_no as file_no, min(_position) as first, max(_position) as last, min(landed) <> max(landed) as apart,
          count(*) as copies
        from (
          select _file_no, _position, _segment, ${keys.join(", ")}, hash(*columns(* exclude (_file_no, _position))) as landed
          from (from read_parquet(${literal(written)}) where _position > 0)
        )
        group by _file_no, _segment, ${keys.join(", ")}
      )
      where copies > 1
      order by apart desc, file_no, first, last
      limit ${MOST_COMPARED}`,
  );
  const repeated = rows.map(({ file_no, first, last, apart }) => ({
    fileNo: Number(file_no),
    first: Number(first),
    last: Number(last),
    apart: apart === true,
  }));
  const found = repeated.find(({ apart }) => apart) ?? (await unlikeCopies(session, repeated, readings));
  const reading = readings.find(({ fileNo }) => fileNo === found?.fileNo);
  if (!found || !reading) return;
  const texts = await objectsOf(session, [found], [reading]);
  throw new FileError(reasonOf(found, record, texts[0] ? namesApart(texts[0]) : maybeApart(reading.unknown)));
}

/** Rows whose landed values are equal: of a table with columns that are not read, or of objects whose texts differ. */
async function unlikeCopies(
  session: Session,
  repeated: readonly Repeated[],
  readings: readonly Read[],
): Promise<Repeated | undefined> {
  const readingOf = ({ fileNo }: Repeated): Read | undefined => readings.find((reading) => reading.fileNo === fileNo);
  const ofTable = repeated.find((one) => (readingOf(one)?.unknown.length ?? 0) > 0);
  if (ofTable) return ofTable;
  const [unlike] = await objectsOf(session, repeated, readings);
  return unlike && repeated.find(({ fileNo, first }) => fileNo === unlike.fileNo && first === unlike.first);
}

/** Two objects of a vendor with one key. */
interface Pair {
  readonly fileNo: number;
  readonly first: number;
  readonly one: string;
  readonly other: string;
}

/** The vendor's objects of repeated rows whose texts differ. */
async function objectsOf(session: Session, repeated: readonly Repeated[], readings: readonly Read[]): Promise<Pair[]> {
  const texts = readings.filter(({ layout, parquet }) => layout === "vendor" && !parquet);
  const pairs = repeated.map(({ fileNo, first, last }) => `(${fileNo}, ${first}, ${last})`);
  if (texts.length === 0 || pairs.length === 0) return [];
  const rows = await session.rows(
    `with raw as materialized (from ${rawRows(texts)})
      select pair.file_no, pair.first, one."row" as one, other."row" as other
      from (values ${pairs.join(", ")}) as pair (file_no, first, last)
      join raw as one on one.file_no = pair.file_no and one.position = pair.first
      join raw as other on other.file_no = pair.file_no and other.position = pair.last
      where one."row" <> other."row"
      order by pair.file_no, pair.first, pair.last
      limit 1`,
  );
  return rows.map(({ file_no, first, one, other }) => ({
    fileNo: Number(file_no),
    first: Number(first),
    one: String(one),
    other: String(other),
  }));
}

/** The members in which two objects differ. */
function namesApart({ one, other }: Pair): string {
  const [a, b] = [one, other].map((text) => new Map(leavesOf(JSON.parse(text))));
  const names = [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])].filter(
    (name) => a?.get(name) !== b?.get(name),
  );
  return names.length > 0 ? `, which differ in ${shortened(names)}` : "";
}

/** The texts of the values within a value, by their paths. */
export function leavesOf(value: unknown, path = ""): [path: string, text: string][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, path === "" ? name : `${path}.${name}`));
}

const maybeApart = (unread: readonly string[]): string =>
  unread.length === 0
    ? ""
    : `, which may differ in ${shortened(unread)}, which ${unread.length === 1 ? "is" : "are"} not read`;

const reasonOf = ({ first, last }: Repeated, record: RecordDeclaration, apart: string): string =>
  `has two rows, ${first} and ${last}, of one ${record.key.join(", ")}${apart}: one would replace the other. ` +
  "Export it without what tells them apart, or each row once";
