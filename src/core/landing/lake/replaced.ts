import type { RecordDeclaration } from "../../contract/record.ts";
import { brief, shortened } from "../../contract/text.ts";
import { identifier, literal, type Session } from "../../engine/database.ts";
import { FileError } from "../bytes/scan.ts";
import { parquetRows, rawRows } from "../map/stage.ts";
import type { Read } from "./built.ts";
import { leavesOf } from "./repeated.ts";

/** Columns that say of which change or loading a row is, as programs and tools name them. */
const OF_CHANGE_OR_LOADING =
  /^_?(?:(?:row|record)_)?(?:updated?|modified|last_?(?:updated?|modified|changed?)|changed|version|valid_from|snapshot|extracted|loaded|synced|exported|ingested|atualizad[oa]|alterad[oa])(?:_?(?:at|on|date|time|timestamp|no|number|em))?$|^(?:dbt_(?:valid_from|updated_at)|_airbyte_(?:extracted|emitted)_at|_fivetran_(?:synced|start)|_sdc_(?:batched_at|extracted_at|received_at|sequence|start_time)|_dlt_load_id|_dlt_id|_airbyte_raw_id)$/i;

/** Columns that number the parts of a thing: rows in which they differ are no versions of it. */
const NUMBERS_PARTS =
  /^(?!_|dbt_).*(?:line|linha|item|variant|sku|payment|pagamento|transaction|shipment|envio|package|pacote|parcel|warehouse|deposito|armazem|location|refund|fulfil|tag).*$/i;
const ENDS_AS_NUMBER = /(?:id|no|nr|number|numero|index|position|sku|code|tag)$/i;

const isMoment = (name: string): boolean => OF_CHANGE_OR_LOADING.test(name.trim().replaceAll(/[\s-]/g, "_"));
const isPart = (name: string): boolean => NUMBERS_PARTS.test(name) && ENDS_AS_NUMBER.test(name);

/**
 * Refuses a file with rows of one key that differ and are no versions of one another: the last would replace the others, as
 * with a row for each line of an order [D210]. A vendor's objects of one key are one thing if what is read of them is equal.
 * Rows of reports are `refuseRepeated`'s; those of own tables add up.
 */
export async function refuseReplaced(
  session: Session,
  record: RecordDeclaration,
  written: string,
  readings: readonly Read[],
): Promise<void> {
  if (record.segmented || record.ownTable) return;
  const key = `concat_ws(chr(31), ${record.key.map((name) => `coalesce(${identifier(name)}::varchar, '')`).join(", ")})`;
  const rowsOf = (of: readonly Read[]): string =>
    `(from read_parquet(${literal(written)}) where _position > 0 and _file_no in (${of.map(({ fileNo }) => fileNo).join(", ")}))`;
  const repeating = await session.rows(
    `select distinct _file_no as file_no
      from (select _file_no from ${rowsOf(readings)} group by _file_no, ${key} having count(*) > 1)`,
  );
  const tables = readings.filter(({ fileNo }) => repeating.some(({ file_no }) => Number(file_no) === fileNo));
  if (tables.length === 0) return;
  const landed = rowsOf(tables);
  const objects = [-1, ...tables.flatMap(({ layout, fileNo }) => (layout === "vendor" ? [fileNo] : []))];
  const version = record.version ? identifier(record.version) : "null";
  const [found] = await session.rows(
    `with landed as (
        select _file_no as file_no, _position as position, ${key} as key, ${version}::varchar as version,
          hash(*columns(* exclude (_file_no, _position))) as landed
        from ${landed}
      ),
      states as (
        select file_no, file_no in (${objects.join(", ")}) is not true as is_table, key, position, landed, hash(landed, unread) as state, version, moment, part
        from landed
        semi join (select file_no, key from landed group by all having count(*) > 1) using (file_no, key)
        left join (${tables.map(unreadOf).join(" union all ")}) using (file_no, position)
      )
      select file_no, key, arg_min(position, state) as one, arg_max(position, state) as other
      from states
      group by file_no, key
      having count(distinct state) > 1
        and (count(distinct part) > 1
          or count(distinct landed) > 1 and count(distinct version) < count(distinct landed)
          or greatest(count(distinct version), count(distinct moment)) < count(distinct state)
            and any_value(is_table))
      order by file_no, min(position)
      limit 1`,
  );
  const reading = tables.find(({ fileNo }) => fileNo === Number(found?.file_no));
  if (!found || !reading) return;
  const [first, last] = [Number(found.one), Number(found.other)].sort((a, b) => a - b) as [number, number];
  const names = [
    ...(await landedApart(session, landed, reading, first, last)),
    ...(await unreadApart(session, reading, first, last)),
  ];
  if (names.length > 0) throw new FileError(reasonOf(record, String(found.key), first, last, [...new Set(names)]));
}

/** SQL for what a table has next to its fields: file_no, position, unread; the moment and the part that a row is of. */
function unreadOf(reading: Read): string {
  const names = reading.unread?.names ?? reading.unknown;
  const values = (of: (name: string) => boolean): string => {
    const found = names.flatMap((name, at) => (of(name) ? [`"row" ->> ${pathOf(reading, name, at)}`] : []));
    return found.length > 0 ? `nullif(concat_ws(chr(31), ${found.join(", ")}), '')` : "null::varchar";
  };
  const { fileNo } = reading;
  if (names.length === 0 && (reading.parquet || reading.layout === "plain"))
    return `select ${fileNo} as file_no, 0 as position, 0::ubigint as unread, '' as moment, '' as part where false`;
  return `select file_no, position, hash("row") as unread, ${values(isMoment)} as moment, ${values(isPart)} as part
    from (${textsOf(reading)}) where file_no = ${fileNo}`;
}

const pathOf = ({ unread }: Read, name: string, at: number): string =>
  literal(unread ? `$[${at}]` : `$."${name.replaceAll('"', "")}"`);

/** SQL for the rows of a table with the values that are not read, or with all values. */
function textsOf(reading: Read): string {
  const { parquet, unread, unknown } = reading;
  if (parquet) return parquetRows({ ...reading, known: unknown });
  if (unread) return `from ${rawRows([{ lines: unread.lines, longest: unread.names.length * 20 + 2 }])}`;
  // For a table whose columns are all read, or for objects with all their members.
  return `from ${rawRows([reading])}`;
}

/** The fields in which two rows land differently. */
async function landedApart(
  session: Session,
  landed: string,
  { fileNo }: Read,
  first: number,
  last: number,
): Promise<string[]> {
  const texts = await session.texts(
    `select to_json(columns)::varchar
      from (select * exclude (_file_no, _position) from ${landed}
        where _file_no = ${fileNo} and _position in (${first}, ${last})) columns`,
  );
  return apart(texts.map((text) => new Map(leavesOf(JSON.parse(text)))));
}

/** The columns that are not read in which two rows differ. */
async function unreadApart(session: Session, reading: Read, first: number, last: number): Promise<string[]> {
  const texts = await session.texts(
    `select "row" from (${textsOf(reading)}) where file_no = ${reading.fileNo} and position in (${first}, ${last})`,
  );
  const names = reading.unread?.names;
  return apart(
    texts.map((text) => {
      const row = JSON.parse(text) as unknown;
      return new Map(
        names && Array.isArray(row) ? row.map((cell, at) => [names[at] ?? "", String(cell)]) : leavesOf(row),
      );
    }),
  );
}

function apart([one, other]: readonly ReadonlyMap<string, string>[]): string[] {
  return [...new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])].filter(
    (name) => one?.get(name) !== other?.get(name),
  );
}

/** How many characters of a key are shown: it may be any text. */
const LONGEST_KEY = 60;

const reasonOf = (
  record: RecordDeclaration,
  key: string,
  first: number,
  last: number,
  names: readonly string[],
): string =>
  `has two rows, ${first} and ${last}, of one ${record.key.join(", ")} ` +
  `(${brief(key.replaceAll("\u001f", ", "), LONGEST_KEY)}), which differ in ${shortened(names)}: one would replace the other. ` +
  "Export one row for each, with its whole amounts, or with a column that orders its versions" +
  (record.version ? `, such as ${record.version}` : "");
