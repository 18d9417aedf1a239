import { duckdbType, type Field, isKind } from "../contract/field.ts";
import { type Accepted, snake } from "../contract/param.ts";
import { type Filter, type ServedRecord, servedFields, servedRelation } from "../contract/record.ts";
import { identifier, literal } from "./database.ts";
import { sortKey } from "./order.ts";

/** A value as it landed; null if it is hidden from those who only read. */
const stored = (name: string, field: Field | undefined): string =>
  field?.isHidden ? `null::${duckdbType(field)}` : `t.${identifier(name)}`;

/** SQL for a value of a row in the answer. */
function shown(name: string, field: Field | undefined): string {
  const column = stored(name, field);
  if (name === "inserted_at" || isKind(field, "instant")) return `instant_text(${column})`;
  if (isKind(field, "money")) return `${column}::double`;
  return column;
}

/** One filter as a condition; its value is a bound member of `p`, null if the parameter was not sent. */
function condition(parameter: string, filter: Filter): string {
  const value = `getvariable('p').${identifier(snake(parameter))}`;
  const field = (names: string): string =>
    `coalesce(${names
      .split("|")
      .map((name) => `t.${identifier(name)}`)
      .join(", ")})`;
  if ("from" in filter) return `${field(filter.from)}::timestamptz >= ${value}::timestamptz`;
  if ("to" in filter) return `${field(filter.to)}::timestamptz < ${value}::timestamptz`;
  const column = `t.${identifier(filter.field)}`;
  if (filter.match === "contains") return `contains(lower(${column}), lower(${value}))`;
  if (filter.match === "ignoringCase") return `lower(${column}) = lower(${value})`;
  return filter.prefix === undefined
    ? `${column} = ${value}`
    : `${column} in (${value}, ${literal(filter.prefix)} || ${value})`;
}

/** Position of a row: both the names of a relation's files and the rows within them are in order. */
const PLACE = "t.file_index, t.file_row_number";

/** The selection of a request: files, conditions and order. */
function selection(record: ServedRecord, accepted: Accepted) {
  const { served } = record;
  const conditions = Object.entries(served.filters)
    .filter(([parameter]) => (accepted[parameter] ?? null) !== null)
    .map(([parameter, filter]) => condition(parameter, filter));
  const direction = String(accepted.orderDirection ?? "ASC").toUpperCase() === "DESC" ? "desc" : "asc";
  // Without a sort field, the order of the files serves ascending requests only.
  const orderBy = accepted.orderBy ? String(accepted.orderBy) : direction === "desc" ? served.order : undefined;
  return {
    rows: `read_parquet(getvariable('marts') || ${literal(`/${servedRelation(record)}*.parquet`)}, hive_partitioning = false) as t`,
    where: conditions.length > 0 ? `where ${conditions.join("\n        and ")}` : "",
    isSorted: orderBy !== undefined,
    order: orderBy
      ? `${sortKey(record, orderBy, `t.${identifier(orderBy)}`)} ${direction} nulls last, t.document_id`
      : PLACE,
  };
}

/** The rows of a page, and `beyond` rows after it. */
export function pageRange({ page, limit }: Accepted, beyond: number): string {
  const offset = (Number(page) - 1) * Number(limit);
  return `limit ${Number(limit) + beyond} offset ${Math.min(offset, Number.MAX_SAFE_INTEGER)}`;
}

/** The positions of a page's rows, and of `beyond` rows after it. A scan preserves the order of the files. */
function places(record: ServedRecord, accepted: Accepted, beyond: number): string {
  const { rows, where, order, isSorted } = selection(record, accepted);
  return `select ${PLACE}
      from ${rows}
      ${where}
      ${isSorted ? `order by ${order}` : ""}
      ${pageRange(accepted, beyond)}`;
}

/**
 * A page and the row after it, as JSON texts. The positions of the page's rows are found first, in few columns; only
 * those wide rows are read then, so that page 1,000 costs the same as page 1. Names come from the declaration, values
 * from `p`.
 */
export function pageSql(record: ServedRecord, accepted: Accepted): string {
  const { rows, order } = selection(record, accepted);
  const columns = servedFields(record)
    .map((name) => `${identifier(name)}: ${shown(name, record.fields[name])}`)
    .join(", ");
  return `with places as (${places(record, accepted, 1)})
    select to_json({${columns}})::varchar
    from ${rows}
    where (${PLACE}) in (from places)
    order by ${order}`;
}

/** Whether there is a row after the page. */
export const hasNextPage = (record: ServedRecord, accepted: Accepted): string =>
  `select count(*) > ${Number(accepted.limit)} from (${places(record, accepted, 1)})`;

/** The rows of the page or of the whole selection, with their types in the lake. */
export function rowsSql(record: ServedRecord, accepted: Accepted): string {
  const { rows, where, order, isSorted } = selection(record, accepted);
  const columns = servedFields(record)
    .map((name) => `${stored(name, record.fields[name])} as ${identifier(name)}`)
    .join(", ");
  if (accepted.all !== "true") {
    return `with places as (${places(record, accepted, 0)})
      select ${columns} from ${rows} where (${PLACE}) in (from places) order by ${order}`;
  }
  // A scan preserves the order of the files; sorting would hold all rows in memory.
  return `select ${columns} from ${rows} ${where} ${isSorted ? `order by ${order}` : ""}`;
}

/** The name of a record's rows in place of a SQL file's: their statement is generated from the declaration. */
export const rowsName = (record: ServedRecord): string => `rows/${servedRelation(record)}`;
