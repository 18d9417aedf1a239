import { landedFields } from "../../core/contract/record.ts";
import { identifier, literal, type Session } from "../../core/engine/database.ts";
import { exportsIn, type LakePlace, landingOf, landings } from "../../core/landing/ledger/ingested.ts";

/** What the rows of a file are to those that have landed. */
export interface RowChanges {
  /** Rows with a key that no landed row has. */
  readonly added: number;
  /** Rows that have landed already, with the same values. */
  readonly same: number;
  /** Landed rows that would be replaced. */
  readonly replaced: number;
  /** Rows of which a newer version has landed: they would not count. */
  readonly older: number;
  /** The exports with the replaced rows, those with the most first. */
  readonly files: readonly { readonly file: string; readonly landing: number; readonly rows: number }[];
}

const MOST_FILES = 10;

/** Compares the rows of landed files, of a lake of their own, with those that have landed in a place; undefined where no row replaces another. */
export async function rowChanges(
  session: Session,
  place: LakePlace,
  mine: readonly string[],
): Promise<RowChanges | undefined> {
  const { record } = place;
  if (record.history || record.addsUp || mine.length === 0) return undefined;
  const { files, parts } = await landings(place);
  const theirs = files.filter((file) => !parts.includes(file));
  if (theirs.length === 0) return undefined;
  await session.run(comparedSql(place, mine, theirs));
  const [counts] = await session.rows(
    `select (count(*) filter (state = 'added'))::int as added, (count(*) filter (state = 'same'))::int as same,
        (count(*) filter (state = 'replaced'))::int as replaced, (count(*) filter (state = 'older'))::int as older
      from compared_rows`,
  );
  const replaced = await session.rows(
    `select landing, file_no, count(*)::int as rows from compared_rows where state = 'replaced'
      group by all order by rows desc, landing desc, file_no desc limit ${MOST_FILES}`,
  );
  const named = await exportsIn(session, theirs);
  return {
    added: Number(counts?.added ?? 0),
    same: Number(counts?.same ?? 0),
    replaced: Number(counts?.replaced ?? 0),
    older: Number(counts?.older ?? 0),
    files: replaced.map(({ landing, file_no, rows }) => {
      const of = named.find(({ file }) => landingOf(file) === Number(landing));
      const file = of?.exports.find(({ fileNo }) => fileNo === Number(file_no))?.name ?? "another export";
      return { file, landing: Number(landing), rows: Number(rows) };
    }),
  };
}

/** Each row of the file with what it is to the landed row of its key that counts. */
function comparedSql({ record }: LakePlace, mine: readonly string[], theirs: readonly string[]): string {
  const keys = [...record.key, ...(record.segmented ? ["_segment"] : [])].map(identifier);
  const version = record.version ? identifier(record.version) : undefined;
  const fields = landedFields(record).map(([name]) => identifier(name));
  const differs = fields.map((name) => `mine.${name} is distinct from theirs.${name}`).join(" or ");
  const newest = (order: string): string =>
    `qualify row_number() over (partition by ${keys.join(", ")} order by ${version ? `${version} desc nulls last, ` : ""}${order}) = 1`;
  return `create or replace temp table compared_rows as
    with landed as (
      select *, filename in (${mine.map(literal).join(", ")}) as is_mine
      from read_parquet([${[...mine, ...theirs].map(literal).join(", ")}], union_by_name = true, filename = true)
    ),
    mine as (from landed where is_mine ${newest("_file_no desc, _position desc")}),
    theirs as (from landed where not is_mine ${newest("_landing desc, _file_no desc, _position desc")})
    select theirs._landing as landing, theirs._file_no as file_no,
      case
        when theirs.is_mine is null then 'added'
        when not (${differs}) then 'same'
        ${version ? `when theirs.${version} > mine.${version} then 'older'` : ""}
        else 'replaced'
      end as state
    from mine
    left join theirs on ${keys.map((key) => `mine.${key} is not distinct from theirs.${key}`).join(" and ")}`;
}
