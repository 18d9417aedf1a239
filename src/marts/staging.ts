import { duckdbType, type Field } from "../contract/field.ts";
import { type RecordDeclaration, relationOf } from "../contract/record.ts";
import { identifier, literal } from "../engine/database.ts";
import { sortKey } from "../engine/order.ts";
import { landedFields } from "../landing/mapping.ts";
import { relationsOf } from "../records/index.ts";

/** Of several versions the newest by the vendor's timestamp wins, then the latest landed [D47]. */
const LATEST_LANDED = "_landing desc, _file_no desc, _position desc";

const emptyTable = (columns: readonly [string, string][]): string =>
  `select ${columns.map(([name, type]) => `null::${type} as ${identifier(name)}`).join(", ")} where false`;

/** The landed rows of a record as they lie in the lake. */
function landedRows(record: RecordDeclaration, files: readonly string[]): string {
  const columns: [string, string][] = [
    ...landedFields(record).map(([name, field]): [string, string] => [name, duckdbType(field)]),
    ["_segment", "varchar"],
    ["_integration_id", "varchar"],
    ["_landing", "integer"],
    ["_file_no", "integer"],
    ["_position", "bigint"],
    ["_landed_at", "timestamptz"],
  ];
  const rows = `select *, file_index as _file, file_row_number as _row
    from read_parquet([${files.map(literal).join(", ")}], union_by_name = true)`;
  return `${emptyTable([...columns, ...ROW_ID])} union all by name ${rows}`;
}

/** Where a row lies in the lake: what tells it from every other one. */
const ROW_ID: readonly [string, string][] = [
  ["_file", "ubigint"],
  ["_row", "bigint"],
];

/** What one row of a record is told apart by, before segments are combined. */
const rowKey = (record: RecordDeclaration): string[] =>
  [
    "_integration_id",
    ...record.key,
    ...(record.segmented ? ["_segment"] : []),
    ...(record.history ? ["_landing"] : []),
  ].map(identifier);

const overtakenOf = (record: RecordDeclaration): string => identifier(`overtaken_${relationOf(record)}`);

/**
 * The rows that another version of the same key has overtaken, by their place in the lake. Few keys are landed more
 * than once: only their rows are compared.
 */
export function overtakenRows(record: RecordDeclaration, files: readonly string[]): string {
  const key = rowKey(record);
  const version = record.version ? `${identifier(record.version)} desc nulls last, ` : "";
  const rows = `(${landedRows(record, files)})`;
  return `create or replace temp table ${overtakenOf(record)} as
    with repeated as (select ${key.join(", ")} from ${rows} group by all having count(*) > 1)
    select _file, _row from ${rows} as rows
    semi join repeated on ${key.map((name) => `repeated.${name} is not distinct from rows.${name}`).join(" and ")}
    qualify row_number() over (
      partition by ${key.map((name) => `rows.${name}`).join(", ")} order by ${version}${LATEST_LANDED}
    ) > 1`;
}

/** How rows that break one key down become one [V0.4]: by each field's rule. A formula's fields are sums over the segments. */
function combined(name: string, field: Field, names: ReadonlySet<string>): string {
  const column = identifier(name);
  if (field.combine === "sum") return `sum(${column})::${duckdbType(field)}`;
  if (field.combine === "none") return `case when count(*) = 1 then any_value(${column}) end`;
  if (field.combine) {
    const sums = field.combine.recompute.replaceAll(/[a-z_][a-z_0-9]*/g, (word) =>
      names.has(word) ? `sum(${word})` : word,
    );
    return `case when count(*) = 1 then any_value(${column}) else (${sums})::${duckdbType(field)} end`;
  }
  return `arg_max(${column}, _landing_order)`;
}

/**
 * A record's rows, the winning version of each, with their bookkeeping: what `staging.<connector>_<record>` is, once
 * the overtaken rows are known. Grain: the record's. A record with `history` keeps a row per key and landing.
 */
export function stagingRows(record: RecordDeclaration, files: readonly string[]): string {
  const fields = landedFields(record);
  if (files.length === 0) return noRows(fields);
  const key = ["_integration_id", ...record.key];
  const winners = `select rows.*, {landing: _landing, file: _file_no, position: _position} as _landing_order
    from (${landedRows(record, files)}) as rows
    anti join ${overtakenOf(record)} as overtaken using (_file, _row)`;
  const rows = record.segmented ? `(${wholes(record, fields, key)})` : "winners";
  const parts = record.key.map((name) => `${identifier(name)}::varchar`).join(", ");
  return `with winners as (${winners}),
    documents as (
      select rows.* , document_key(${literal(record.connector)}, ${literal(record.name)}, _integration_id, [${parts}]) as document_id
      from ${rows} as rows
    )
    select
      ${fields.map(([name]) => `documents.${identifier(name)}`).join(", ")},
      getvariable('organization_id') as organization_id,
      integrations.user_id,
      documents.document_id,
      integrations.integration_name,
      integrations.integration_id,
      null::varchar as organization_id_legacy,
      documents._landed_at as inserted_at,
      documents._landing_order
    from documents
    join integrations on integrations.integration_id = documents._integration_id`;
}

/** What `stagingRows` gives of a record that never landed: told at once, most of a small organization's records are. */
function noRows(fields: readonly [string, Field][]): string {
  const columns: [string, string][] = [
    ...fields.map(([name, field]): [string, string] => [name, duckdbType(field)]),
    ["organization_id", "varchar"],
    ["user_id", "varchar"],
    ["document_id", "varchar"],
    ["integration_name", "varchar"],
    ["integration_id", "varchar"],
    ["organization_id_legacy", "varchar"],
    ["inserted_at", "timestamptz"],
    ["_landing_order", "struct(landing integer, file integer, position bigint)"],
  ];
  return emptyTable(columns);
}

/** The order in which a record's rows are served. */
export const servedOrder = (record: RecordDeclaration): string =>
  `${sortKey(record, record.served?.order ?? "document_id")} nulls last, document_id`;

/**
 * One row per key of a record whose exports may break a key down by segments. Where both a whole row and segments
 * have landed, the newest landed says which of the two the vendor reports now; they are never added together.
 */
function wholes(record: RecordDeclaration, fields: readonly [string, Field][], key: readonly string[]): string {
  const names = new Set(fields.map(([name]) => name));
  const columns = fields.map(([name, field]) =>
    record.key.includes(name) ? identifier(name) : `${combined(name, field, names)} as ${identifier(name)}`,
  );
  return `select _integration_id, ${columns.join(", ")}, max(_landed_at) as _landed_at, max(_landing_order) as _landing_order
    from (
      select *, first_value(_segment = '') over (
        partition by ${key.map(identifier).join(", ")} order by _landing_order desc
      ) as newest_is_whole
      from winners
    )
    where (_segment = '') = newest_is_whole
    group by ${key.map(identifier).join(", ")}`;
}

/** The one relation of the core without a file in `sql/core`: its SQL depends on what has landed. */
export const LANDED_RECORDS = { name: "landed_records", key: ["integration_id", "record"], parts: undefined } as const;

/**
 * How much of each record has landed, and up to which day (UTC): what `landed_records` is.
 * Grain: one row per integration and record that has rows. `rows` are winning versions.
 */
export function landedRecords(files: ReadonlyMap<RecordDeclaration, readonly string[]>): string {
  const landed = [...files].filter(([, lake]) => lake.length > 0);
  if (landed.length === 0) {
    return emptyTable([
      ["integration_id", "varchar"],
      ["record", "varchar"],
      ["rows", "bigint"],
      ["newest_on", "date"],
    ]);
  }
  const branches = landed.map(([record]) => {
    const orders = ORDER_RECORDS.has(relationOf(record));
    const day = orders ? "ordered_at" : record.day && `coalesce(${record.day.split("|").map(identifier).join(", ")})`;
    return `select integration_id, ${literal(record.name)} as record, count(*) as rows, ${day ? `max(${day})` : "null"}::date as newest_on
      from ${orders ? `identified_orders where connector = ${literal(record.connector)}` : `staging.${identifier(relationOf(record))}`}
      group by integration_id`;
  });
  return `${branches.join("\nunion all\n")}\norder by integration_id, record`;
}

/** The records that orders are made of: there are far more of them than of anything else, so they are never copied. */
export const ORDER_RECORDS: ReadonlySet<string> = relationsOf("store", "orders");
