import { landedFields } from "../../contract/record.ts";
import { identifier, literal, type Session } from "../../engine/database.ts";
import { footers, type LakePlace, landingOf } from "../ledger/ingested.ts";
import { holdsParts } from "../ledger/verify.ts";

/** Rows of an export that no longer count, because another export that landed later has other values. */
export interface Replaced {
  readonly rows: number;
  /** The export that replaced most of them, and its landing. */
  readonly by: string;
  readonly landing: number;
}

/**
 * The rows of a landed export that would count again if it landed again; undefined if all of them count. Rows of which the vendor
 * has a newer version are not among them: they would not count either way.
 */
export async function replacedOf(
  session: Session,
  place: LakePlace,
  landing: number,
  fileNo: number,
): Promise<Replaced | undefined> {
  const landed = await footers(session, place);
  const own = landed.find(({ file }) => landingOf(file) === landing);
  if (!own) return undefined;
  const ofParts = holdsParts(own.file);
  const others = landed.filter(({ file }) => landingOf(file) >= landing && holdsParts(file) === ofParts);
  const [found] = await session.rows(
    (ofParts ? ofPartRows : ofRows)(
      place,
      own.file,
      fileNo,
      others.map(({ file }) => file),
    ),
  );
  if (!found) return undefined;
  const by = others
    .find(({ file }) => landingOf(file) === Number(found.landing))
    ?.exports.find((one) => one.fileNo === Number(found.file_no));
  return { rows: Number(found.rows), by: by?.name ?? "another export", landing: Number(found.landing) };
}

const filesOf = (files: readonly string[]): string =>
  `read_parquet([${files.map(literal).join(", ")}], union_by_name = true)`;

/** The counts of rows that others have replaced, those of the export with the most first: rows, landing, file_no. */
const counted = (pairs: string): string =>
  `select count(distinct position)::int as rows, landing, file_no from (${pairs})
    group by landing, file_no order by rows desc, landing desc, file_no desc limit 1`;

function ofRows({ record }: LakePlace, own: string, fileNo: number, others: readonly string[]): string {
  const keys = [...record.key, ...(record.segmented ? ["_segment"] : [])].map(identifier);
  const fields = landedFields(record).map(([name]) => identifier(name));
  const same = keys.map((key) => `mine.${key} is not distinct from other.${key}`).join(" and ");
  const differs = fields.map((name) => `mine.${name} is distinct from other.${name}`).join(" or ");
  const version = record.version ? identifier(record.version) : undefined;
  const isNewer = version ? `and coalesce(other.${version} <= mine.${version}, true)` : "";
  return counted(`select mine._position as position, other._landing as landing, other._file_no as file_no
    from ${filesOf([own])} as mine
    join ${filesOf(others)} as other on ${same}
    where mine._file_no = ${fileNo}
      and (other._landing > mine._landing or (other._landing = mine._landing and other._file_no > mine._file_no))
      and (${differs}) ${isNewer}`);
}

const ofPartRows = (_: LakePlace, own: string, fileNo: number, others: readonly string[]): string =>
  counted(`select mine.position, other.landing, other.file_no
    from ${filesOf([own])} as mine
    join ${filesOf(others)} as other
      on other.stream = mine.stream and other.key is not distinct from mine.key
      and other.parent is not distinct from mine.parent and other.sort is not distinct from mine.sort
    where mine.file_no = ${fileNo}
      and (other.landing > mine.landing or (other.landing = mine.landing and other.file_no > mine.file_no))
      and other.object is distinct from mine.object`);
