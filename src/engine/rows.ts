import type { RowsEndpoint } from "../contract/endpoint.ts";
import type { Field } from "../contract/field.ts";
import { type Accepted, snake } from "../contract/param.ts";
import { type Filter, servedFields, servedRelation } from "../contract/record.ts";
import { identifier, literal } from "./database.ts";

/** A value of a row as the answer shows it. */
function shown(name: string, field: Field | undefined): string {
  const column = `t.${identifier(name)}`;
  if (name === "inserted_at" || field?.kind === "instant") return `instant_text(${column})`;
  if (field?.kind === "money") return `${column}::double`;
  return column;
}

/** One filter as a condition; its value is a member of `p`, bound, and null where the parameter was not sent. */
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
  return filter.match === "ignoringCase" ? `lower(${column}) = lower(${value})` : `${column} = ${value}`;
}

/**
 * A page and the row after it, as JSON texts. The page's places in the file are found first, in few columns; the wide
 * rows are read for those alone, so that page 1,000 costs what page 1 does. Names come from the declaration, values
 * from `p`.
 */
export function pageSql(endpoint: RowsEndpoint, accepted: Accepted): string {
  const { record } = endpoint;
  const { served } = record;
  const rows = `read_parquet(getvariable('marts') || ${literal(`/${servedRelation(record)}.parquet`)}, file_row_number = true) as t`;
  const conditions = Object.entries(served.filters)
    .filter(([parameter]) => (accepted[parameter] ?? null) !== null)
    .map(([parameter, filter]) => condition(parameter, filter));
  const direction = String(accepted.orderDirection ?? "ASC").toUpperCase() === "DESC" ? "desc" : "asc";
  // Without a field to sort by and downwards alone the file's own order does not serve.
  const orderBy = accepted.orderBy ? String(accepted.orderBy) : direction === "desc" ? served.order : undefined;
  const order = orderBy ? `t.${identifier(orderBy)} ${direction} nulls last, t.document_id` : "t.file_row_number";
  const limit = Number(accepted.limit) + 1;
  const offset = (Number(accepted.page) - 1) * Number(accepted.limit);
  const columns = servedFields(record)
    .map((name) => `${identifier(name)}: ${shown(name, record.fields[name])}`)
    .join(", ");
  return `with places as (
      select t.file_row_number as place
      from ${rows}
      ${conditions.length > 0 ? `where ${conditions.join("\n        and ")}` : ""}
      order by ${order}
      limit ${limit} offset ${Math.min(offset, Number.MAX_SAFE_INTEGER)}
    )
    select to_json({${columns}})::varchar
    from ${rows}
    where t.file_row_number in (select place from places)
    order by ${order}`;
}
