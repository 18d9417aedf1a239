import { quantity } from "../../contract/text.ts";
import { identifier, literal, type Session } from "../../engine/database.ts";
import { exportsIn, type LakePlace, landingOf, landings } from "../ledger/ingested.ts";

/** What an export about to land changes of a record whose rows of one key add up [D71]. */
export interface Sums {
  /** The export's number in its file of the lake. */
  readonly fileNo: number;
  readonly added: { readonly rows: number; readonly sum: string };
  /** Rows of earlier exports that have a key of it, and the sums of these keys before and after. */
  readonly replaced: { readonly rows: number; readonly before: string; readonly after: string };
  /** Earlier exports with rows of its days that it does not repeat, and that still count. */
  readonly others: readonly Other[];
}

export interface Other {
  readonly file: string;
  readonly landing: number;
  readonly rows: number;
  /** The rows of the export in all. */
  readonly of: number;
}

/** An export by the numbers that its rows carry. */
export interface NumberedExport {
  readonly landing: number;
  readonly fileNo: number;
}

/** A place whose tables are in a currency unless they name another one; `without`: exports that are about to be revoked. */
type PricedPlace = LakePlace & { readonly currency?: string | undefined; readonly without?: readonly NumberedExport[] };

/**
 * What the rows of a file that is about to appear in the lake add and replace: a corrected text is another key, and counts
 * beside the earlier row. None if the record's rows do not add up, and for the first export of all.
 */
export async function sumsOf(session: Session, place: PricedPlace, finished: string): Promise<Sums[]> {
  if (!place.record.addsUp) return [];
  const { files } = await landings(place);
  await session.run(sumsSql(place, files, finished));
  const changes = await session.rows(
    `select file_no, file_at,
        (count(*) filter (where before_rows is null))::int as added,
        coalesce(sum(amount) filter (where before_rows is null), 0)::decimal(38, 2)::varchar as added_sum,
        coalesce(sum(before_rows), 0)::int as replaced,
        coalesce(sum(before_amount), 0)::decimal(38, 2)::varchar as before,
        coalesce(sum(amount) filter (where before_rows is not null), 0)::decimal(38, 2)::varchar as after
      from landing_sums where is_fresh group by file_no, file_at order by file_at`,
  );
  const stay = await stayingExports(session, files, finished);
  return changes
    .map(({ file_no, file_at, added, added_sum, replaced, before, after }) => ({
      fileNo: Number(file_no),
      added: { rows: Number(added), sum: String(added_sum) },
      replaced: { rows: Number(replaced), before: String(before), after: String(after) },
      others: stay.filter(({ besides }) => besides === file_at).map(({ besides: _, ...other }) => other),
    }))
    .filter((sums) => files.length > 0 || sums.replaced.rows > 0 || sums.others.length > 0);
}

/** The change as a text for people. */
export const changeText = ({ added, replaced }: Pick<Sums, "added" | "replaced">): string =>
  [
    ...(added.rows > 0 ? [`adds ${quantity(added.rows, "row")} of ${added.sum}`] : []),
    ...(replaced.rows > 0
      ? [`replaces ${quantity(replaced.rows, "row")} of ${replaced.before} by ${replaced.after}`]
      : []),
  ].join(", ");

/** What is said of rows that no key of the export replaces. */
export const stayText = ({ rows, file }: Other): string =>
  `${quantity(rows, "row")} of these days, only in ${file}, still ${rows === 1 ? "counts" : "count"}`;

/** How many earlier exports a note names. */
const NAMED = 3;

/** The same as notes of a sync. */
export async function sumNotes(
  session: Session,
  place: PricedPlace,
  finished: string,
): Promise<{ readonly fileNo: number; readonly note: string }[]> {
  const { integration, record } = place;
  return (await sumsOf(session, place, finished)).map(({ fileNo, others, ...change }) => {
    const stay = others.slice(0, NAMED).map((other) => {
      const file = /^[\w./-]+$/.test(other.file) ? other.file : JSON.stringify(other.file);
      const revoke = `lucra landings revoke ${other.landing} --integration ${integration.id} --record ${record.name} --file ${file}`;
      return `${stayText(other)}: if this table is instead of that one, run \`${revoke}\``;
    });
    return { fileNo, note: [changeText(change), ...stay].filter(Boolean).join("; ") };
  });
}

/** The exports with rows of the days of a fresh one, each with the place of that one in their order. */
async function stayingExports(
  session: Session,
  files: readonly string[],
  finished: string,
): Promise<(Other & { readonly besides: unknown })[]> {
  const fresh = [...(await exportNames(session, [finished])).values()];
  const names = new Map([
    ...(await exportNames(session, files)),
    ...fresh.map((one): [string, Named] => [`fresh ${one.fileNo}`, one]),
  ]);
  return (await session.rows(STAYING)).map(({ besides, is_fresh, landing, file_no, rows }) => {
    const named = names.get(`${is_fresh ? "fresh" : landing} ${file_no}`);
    const place = is_fresh ? landing : (named?.landing ?? landing);
    return { besides, file: named?.file ?? "", landing: Number(place), rows: Number(rows), of: named?.rows ?? 0 };
  });
}

/** Each export that has rows of the days of a fresh one, which this one does not repeat and no other has replaced. */
const STAYING = `with fresh as (select distinct file_at from landing_sums where is_fresh),
    spans as (select distinct file_at, first_on, last_on from landing_sums where is_fresh)
  select fresh.file_at as besides, kept.is_fresh, kept.landing, kept.file_no, sum(kept.rows)::int as rows
  from fresh
  join landing_sums as kept on kept.file_at < fresh.file_at and coalesce(kept.next_at > fresh.file_at, true)
  where exists (
    from spans
    where spans.file_at = fresh.file_at and spans.first_on <= kept.last_on and spans.last_on >= kept.first_on
  )
  group by all order by besides, kept.is_fresh, kept.landing, kept.file_no`;

/** `landing_sums`: the keys of each export, with what the export before had of them; `file_at` is its place in their order. */
function sumsSql({ record, currency, without = [] }: PricedPlace, files: readonly string[], finished: string): string {
  const keyOf = (name: string): string =>
    name === "currency"
      ? `upper(coalesce(currency, ${literal(currency ?? "")}))`
      : `coalesce(${identifier(name)}::varchar, chr(30))`;
  const days = record.key.filter((name) => record.fields[name]?.unit === "day").map(identifier);
  const gone = without.map(({ landing, fileNo }) => `(${landing}, ${fileNo})`).join(", ");
  const rows = (of: readonly string[], isFresh: boolean): string =>
    `select ${isFresh} as is_fresh, _landing as landing, _file_no as file_no,
        concat_ws(chr(31), ${record.key.map(keyOf).join(", ")}) as key,
        ${days[0]} as first_on, ${days.at(-1)} as last_on, ${identifier(record.addsUp ?? "")} as amount
      from read_parquet([${of.map(literal).join(", ")}], union_by_name = true)
      where _position > 0${isFresh || without.length === 0 ? "" : ` and (_landing, _file_no) not in (${gone})`}`;
  return `create or replace temp table landing_sums as
    with written as (
      ${[...(files.length > 0 ? [rows(files, false)] : []), rows([finished], true)].join(" union all by name ")}
    ),
    sums as (
      select is_fresh, landing, file_no, key, any_value(first_on) as first_on, any_value(last_on) as last_on,
        count(*) as rows, sum(amount) as amount, dense_rank() over (order by is_fresh, landing, file_no) as file_at
      from written group by is_fresh, landing, file_no, key
    )
    select *, lag(rows) over same_key as before_rows, lag(amount) over same_key as before_amount,
      lead(file_at) over same_key as next_at
    from sums window same_key as (partition by key order by file_at)`;
}

interface Named {
  readonly file: string;
  readonly landing: number;
  readonly rows: number;
  readonly fileNo: number;
}

/** The exports of landed files, by the numbers that their rows carry. */
async function exportNames(session: Session, files: readonly string[]): Promise<ReadonlyMap<string, Named>> {
  const all = await exportsIn(session, files);
  return new Map(
    all.flatMap(({ file, exports }) =>
      exports.map(({ name, fileNo, landing, rows }): [string, Named] => [
        `${landing ?? landingOf(file)} ${fileNo}`,
        { file: name, landing: landingOf(file), fileNo, rows },
      ]),
    ),
  );
}
