import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { identifier, literal, type Session } from "../../engine/database.ts";
import { readMacros, stagingMacros } from "../../engine/sql.ts";
import type { ExportContent } from "../read/lineWriter.ts";

/** A file that was read: its rows are lines, ready for the mapping. */
export interface Lines extends ExportContent {
  readonly fileNo: number;
  readonly lines: string;
  readonly contexts: string;
  readonly unreadablePath: string;
}

/** Files up to this size are concatenated, and rows of no more are mapped only once. */
export const SMALL_BYTES = 1024 * 1024;

/**
 * Concatenates small files that are mapped alike, because a file costs the engine much the same however few rows it
 * has. Each line says which export it is from.
 */
export async function mergeSmallFiles<L extends Lines>(readings: readonly L[], into: string): Promise<L[]> {
  const contexts = `${into}.contexts`;
  await concatenate(
    readings.map((reading) => reading.contexts),
    contexts,
  );
  const unreadablePath = `${into}.unreadable`;
  await concatenate(
    readings.filter(({ unreadable }) => unreadable > 0).map((reading) => reading.unreadablePath),
    unreadablePath,
  );
  const files = new Map<string, string[]>();
  const result: L[] = [];
  for (const reading of readings) {
    const { layout, bulk, parquet, lines } = reading;
    const isSmall = !parquet && (await stat(lines)).size <= SMALL_BYTES;
    const whole = `${into}.${layout}${bulk ? "-bulk" : ""}`;
    if (isSmall) {
      const parts = files.get(whole) ?? [];
      parts.push(lines);
      files.set(whole, parts);
    }
    result.push({ ...reading, contexts, unreadablePath, lines: isSmall ? whole : lines });
  }
  for (const [whole, parts] of files) await concatenate(parts, whole);
  return result;
}

async function concatenate(files: readonly string[], into: string): Promise<void> {
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for (const file of files) yield* createReadStream(file) as AsyncIterable<Buffer>;
  };
  await pipeline(bytes, createWriteStream(into));
}

/** How the names in the objects of vendors' APIs are written; client libraries of others change them. */
const SPELLED: Readonly<Record<string, string>> = { searchads: "in_camel_case", socialads: "in_snake_case" };

/**
 * `vendor_rows` and `plain_rows`: file_no, position, report, row; and `vendor_contexts`: file_no, report, key, context.
 */
export async function openLines(session: Session, connector: string, readings: readonly Lines[]): Promise<void> {
  await session.run(
    "drop view if exists vendor_rows; drop view if exists plain_rows; drop view if exists vendor_contexts",
  );
  const none = `select null::int as file_no, null::bigint as position, null::int as report, null::varchar as "row" where false`;
  await session.run(readMacros("staging/names"));
  for (const layout of ["vendor", "plain"] as const) {
    const texts = readings.filter((r) => r.layout === layout && !r.parquet);
    const branches = [
      ...(texts.length > 0 ? [textRows(texts.filter((r) => !r.bulk)), bulkRows(texts.filter((r) => r.bulk))] : []),
      ...readings.filter((r) => r.layout === layout && r.parquet).map(parquetRows),
    ].filter((branch) => branch !== "");
    const rows = branches.length > 0 ? branches.join(" union all ") : none;
    const spelled = layout === "vendor" ? SPELLED[connector] : undefined;
    const select = spelled ? `select * replace (${spelled}("row") as "row") from` : "from";
    await session.run(`create temp view ${layout}_rows as ${select} (${rows})`);
  }
  const contexts = [...new Set(readings.map((r) => literal(r.contexts)))].join(", ");
  await session.run(
    `create temp view vendor_contexts as select * from ${readLines(contexts, "{file_no: 'int', report: 'int', key: 'varchar', context: 'varchar'}", 0)}`,
  );
  // After the views: a table macro is bound to them when it is created.
  await session.run(stagingMacros(connector));
}

/**
 * The bytes that the engine reads at once (few, because all rows of a block stay in memory until the last is mapped).
 */
const BLOCK = 2_000_000;
/** Upper limit of the bytes before a row in its line. */
const PLACE = 100;

/**
 * Reads lines without quoting, escaping or type detection. By default the engine would reserve memory for sixteen of
 * the longest lines.
 */
export function readLines(files: string, columns: string, longest: number): string {
  const bytes = Math.max(BLOCK, longest + PLACE);
  return `read_csv([${files}], columns = ${columns}, delim = '\\t', quote = '', escape = '', header = false,
    auto_detect = false, strict_mode = false, max_line_size = ${bytes}, buffer_size = ${bytes})`;
}

export function rawRows(readings: readonly Pick<Lines, "lines" | "longest">[]): string {
  const files = [...new Set(readings.map((r) => literal(r.lines)))].join(", ");
  const longest = Math.max(...readings.map((reading) => reading.longest));
  return readLines(files, `{file_no: 'int', position: 'bigint', report: 'int', "row": 'varchar'}`, longest);
}

/** The rows that could not be passed on to the mapping: file_no, position, reason, row. */
export function unreadableRows(readings: readonly Lines[]): string {
  const files = [...new Set(readings.map((r) => literal(r.unreadablePath)))].join(", ");
  const columns = `{file_no: 'int', position: 'bigint', reason: 'varchar', "row": 'varchar'}`;
  return `(select file_no, position, reason, "row" ->> '$' as "row" from ${readLines(files, columns, 0)})`;
}

/** A line that is not a JSON object becomes an empty one, which is rejected because its key is missing. */
const objectOrEmpty = `case
    when (starts_with("row", '{') or starts_with(ltrim("row"), '{')) and json_valid("row") then "row" else '{}'
  end as "row"`;

function textRows(readings: readonly Lines[]): string {
  return readings.length === 0 ? "" : `select file_no, position, report, ${objectOrEmpty} from ${rawRows(readings)}`;
}

/**
 * Puts lines that name a parent (`__parentId`) into its `__children`, on both levels, so that each object is one row
 * again. If a file holds two versions of an object (two exports in one), each takes the lines that follow it;
 * copies of one line are one object, and a child that an object has twice counts once. A line whose parent is not in
 * the file becomes an empty row, which is rejected.
 */
function bulkRows(readings: readonly Lines[]): string {
  if (readings.length === 0) return "";
  const adopt = (children: string): string =>
    `case when ${children} is null then '{}'::json else json_object('__children', ${children}) end`;
  return `(
    with lines as (
      select file_no, position, report, "row"::json as "row", "row" ->> '$.id' as id, "row" ->> '$.__parentId' as parent,
        md5("row") as text
      from (select file_no, position, report, ${objectOrEmpty} from ${rawRows(readings)})
    ),
    -- Copies of one line share the place of the first.
    places as (
      select file_no, position, id, min(position) over copies as object, count(*) over copies as copies
      from lines where id is not null
      window copies as (partition by file_no, id, text)
    ),
    firsts as (
      select file_no, id, min_by({object: object, copies: copies}, position) as first from places group by all
    ),
    hanging as (
      select l.file_no, l.position, l."row", l.id, l.text,
        if(p.position is null, f.first, {object: p.object, copies: p.copies}) as parent
      from (from lines where parent is not null) l
      left join firsts f on f.file_no = l.file_no and f.id = l.parent
      asof left join places p on p.file_no = l.file_no and p.id = l.parent and p.position < l.position
    ),
    -- A child without an id is as often there as it is in one copy of its parent.
    children as (
      select file_no, position, parent.object as parent, "row"
      from hanging
      qualify case
        when id is not null then row_number() over (partition by file_no, parent.object, id order by position desc) = 1
        else (row_number() over (partition by file_no, parent.object, text order by position) - 1) % parent.copies = 0
      end
    ),
    of_children as (
      select c.file_no, c.parent, to_json(list(c."row" order by c.position)) as children from children c group by all
    ),
    -- An object's own children are at the place of its first copy.
    of_roots as (
      select c.file_no, c.parent,
        to_json(list(json_merge_patch(c."row", ${adopt("g.children")}) order by c.position)) as children
      from children c
      left join places p on p.file_no = c.file_no and p.position = c.position
      left join of_children g on g.file_no = c.file_no and g.parent = coalesce(p.object, c.position)
      group by all
    ),
    roots as (
      select l.file_no, l.position, l.report, l."row", coalesce(p.object, l.position) as object
      from lines l left join places p on p.file_no = l.file_no and p.position = l.position
      where l.parent is null
    ),
    -- Lines below a root, or below a child of one.
    adopted as (
      select h.file_no, h.position, coalesce(p.object, h.position) as object from hanging h
      semi join roots r on r.file_no = h.file_no and r.object = h.parent.object
      left join places p on p.file_no = h.file_no and p.position = h.position
    ),
    adopted_below as (
      select h.file_no, h.position from hanging h
      semi join adopted a on a.file_no = h.file_no and a.object = h.parent.object
    )
    select r.file_no, r.position, r.report, json_merge_patch(r."row", ${adopt("c.children")})::varchar as "row"
    from roots r left join of_roots c on c.file_no = r.file_no and c.parent = r.object
    union all
    select l.file_no, l.position, l.report, '{}' from lines l
    where l.parent is not null
      and not exists (from adopted a where a.file_no = l.file_no and a.position = l.position)
      and not exists (from adopted_below a where a.file_no = l.file_no and a.position = l.position)
  )`;
}

/** Reads only the columns that are fields of the record: `known`. */
export function parquetRows({ fileNo, parquet = "", known, unknown }: Lines): string {
  const fields = known.map((name) => `${literal(name)}, columns.${identifier(name)}`);
  // The reader cannot number the rows of a file that has such a column itself. The window reads one row after another.
  const isTaken = unknown.some((name) => name.toLowerCase() === "file_row_number");
  const position = isTaken ? "row_number() over ()" : "columns.file_row_number + 1";
  return `select ${fileNo} as file_no, ${position} as position, -1 as report,
    json_object(${fields.join(", ")})::varchar as "row"
    from read_parquet(${literal(parquet)}${isTaken ? "" : ", file_row_number = true"}) columns`;
}
