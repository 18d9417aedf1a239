import type { RecordDeclaration } from "../../contract/record.ts";
import { quantity } from "../../contract/text.ts";
import { identifier, literal, type Session } from "../../engine/database.ts";
import { exportsIn, type LakePlace, landingOf, landings } from "../ledger/ingested.ts";

/** A note about an export: its number in its file of the lake, and the text. */
interface SumNote {
  readonly fileNo: number;
  readonly note: string;
}

/** How many earlier exports a note names. */
const NAMED = 3;

/**
 * What the rows about to land add and replace, of a record whose rows of one key add up [D71]: a corrected text is another key,
 * and counts beside the earlier row. `finished`: the file that is about to appear in the lake.
 */
export async function sumNotes(session: Session, place: LakePlace, finished: string): Promise<SumNote[]> {
  const { record } = place;
  if (!record.addsUp) return [];
  const { files } = await landings(place);
  if (files.length === 0) return [];
  await session.run(sumsSql(record, files, finished));
  const changes = await session.rows(
    `select file_no, count(*) filter (where replaced = 0)::int as added, (sum(amount) filter (where replaced = 0))::varchar as added_sum,
        count(*) filter (where replaced > 0)::int as renewed, sum(replaced)::int as replaced,
        (sum(amount) filter (where replaced > 0))::varchar as renewed_sum, sum(replaced_sum)::varchar as replaced_sum
      from landing_sums group by file_no order by file_no`,
  );
  const stay = await session.rows(
    `select fresh.file_no, kept.landing, kept.file_no as kept_no, count(distinct kept.key)::int as rows
      from kept_sums as kept
      join (select distinct file_no, days from landing_sums) as fresh on fresh.days = kept.days
      where kept.key not in (select key from landing_sums)
      group by all order by fresh.file_no, kept.landing, kept_no`,
  );
  const names = new Map(
    (await exportsIn(session, files)).flatMap(({ file, exports }) =>
      exports.map(({ fileNo, name }): [string, string] => [`${landingOf(file)} ${fileNo}`, name]),
    ),
  );
  return changes.map((change) => {
    const others = stay
      .filter(({ file_no }) => file_no === change.file_no)
      .map(({ landing, kept_no, rows }) => ({
        landing: Number(landing),
        name: names.get(`${landing} ${kept_no}`),
        rows: Number(rows),
      }));
    return { fileNo: Number(change.file_no), note: [changeText(change), ...othersText(others)].join("; ") };
  });
}

/** `landing_sums`: the keys about to land; `kept_sums`: those of the lake that count, each with its days. */
function sumsSql(record: RecordDeclaration, files: readonly string[], finished: string): string {
  const amount = identifier(record.addsUp ?? "");
  const key = `concat_ws(chr(31), ${record.key.map((name) => `coalesce(${identifier(name)}::varchar, chr(30))`).join(", ")})`;
  const days = record.key
    .filter((name) => record.fields[name]?.unit === "day")
    .map((name) => `coalesce(${identifier(name)}::varchar, '')`);
  const rows = (of: readonly string[]): string =>
    `(select _landing as landing, _file_no as file_no, ${key} as key, concat_ws(' ', ${days.join(", ")}) as days, ${amount} as amount
      from read_parquet([${of.map(literal).join(", ")}], union_by_name = true) where _position > 0)`;
  return `create or replace temp table kept_sums as
      select landing, file_no, key, days, count(*) as rows, sum(amount) as amount
      from (from ${rows(files)} qualify rank() over (partition by key order by landing desc, file_no desc) = 1)
      group by all;
    create or replace temp table landing_sums as
      select fresh.file_no, fresh.key, fresh.days, sum(fresh.amount) as amount,
        coalesce(any_value(kept.rows), 0) as replaced, any_value(kept.amount) as replaced_sum
      from ${rows([finished])} as fresh left join kept_sums as kept on kept.key = fresh.key
      group by fresh.file_no, fresh.key, fresh.days`;
}

function changeText(change: Readonly<Record<string, unknown>>): string {
  const { added, added_sum, renewed, replaced, renewed_sum, replaced_sum } = change;
  return [
    ...(Number(added) > 0 ? [`adds ${quantity(Number(added), "row")} of ${sumOf(added_sum)}`] : []),
    ...(Number(renewed) > 0
      ? [`replaces ${quantity(Number(replaced), "row")} of ${sumOf(replaced_sum)} by ${sumOf(renewed_sum)}`]
      : []),
  ].join(", ");
}

const sumOf = (value: unknown): string => Number(value ?? 0).toFixed(2);

interface Other {
  readonly landing: number;
  readonly name: string | undefined;
  readonly rows: number;
}

function othersText(others: readonly Other[]): string[] {
  return others
    .slice(0, NAMED)
    .map(
      ({ name, rows, landing }) =>
        `${quantity(rows, "row")} of these days, only in ${name}, still ${rows === 1 ? "counts" : "count"}: if this table is instead of ` +
        `that one, run \`lucra landings revoke ${landing}\``,
    );
}
