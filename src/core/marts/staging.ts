import { duckdbType, type Field } from "../contract/field.ts";
import { landedFields, type RecordDeclaration, relationOf } from "../contract/record.ts";
import { identifier, literal } from "../engine/database.ts";
import { sortKey } from "../engine/order.ts";

import { relationsOf } from "../records/index.ts";

/**
 * The newest version by the vendor's timestamp wins, then the latest landed one [D47]. Where a tool says when it read a
 * row from the vendor, that time decides first: its files may land in any order.
 */
const LATEST_LANDED = "_landing desc, _file_no desc, _position desc";
const LATEST_EXTRACTED = "case when _is_timed then coalesce(_extracted_at, _landed_at) end desc nulls last";

const emptyTable = (columns: readonly [string, string][]): string =>
  `select ${columns.map(([name, type]) => `null::${type} as ${identifier(name)}`).join(", ")} where false`;

/** The landed rows of a record, as they are in the lake. */
function landedRows(record: RecordDeclaration, files: readonly string[]): string {
  const columns: [string, string][] = [
    ...landedFields(record).map(([name, field]): [string, string] => [name, duckdbType(field)]),
    ["_segment", "varchar"],
    ["_integration_id", "varchar"],
    ["_landing", "integer"],
    ["_file_no", "integer"],
    ["_position", "bigint"],
    ["_landed_at", "timestamptz"],
    ["_extracted_at", "timestamptz"],
    ["_deleted", "boolean"],
    ["_carries_source", "boolean"],
  ];
  const rows = `select *, file_index as _file, file_row_number as _row
    from read_parquet([${files.map(literal).join(", ")}], union_by_name = true)`;
  return `${emptyTable([...columns, ...ROW_ID])} union all by name ${rows}`;
}

/** The position of a row in the lake, which identifies it. */
const ROW_ID: readonly [string, string][] = [
  ["_file", "ubigint"],
  ["_row", "bigint"],
];

/** The key of a record's rows before segments are combined. */
const rowKey = (record: RecordDeclaration): string[] =>
  [
    "_integration_id",
    ...record.key,
    ...(record.segmented ? ["_segment"] : []),
    ...(record.history ? ["_landing"] : []),
  ].map(identifier);

const supersededOf = (record: RecordDeclaration): string => identifier(`superseded_${relationOf(record)}`);

/**
 * Creates the table of superseded rows, by their position in the lake. Few keys are landed more than once: only their
 * rows are compared.
 */
export function supersededRows(record: RecordDeclaration, files: readonly string[]): string {
  const key = rowKey(record);
  const version = record.version ? `${identifier(record.version)} desc nulls last, ` : "";
  const rows = `(${landedRows(record, files)})`;
  return `create or replace temp table ${supersededOf(record)} as
    with repeated as (select ${key.join(", ")} from ${rows} group by all having count(*) > 1)
    select _file, _row
    from (
      select *, count(_extracted_at) over (partition by ${key.map((name) => `rows.${name}`).join(", ")}) > 0 as _is_timed
      from ${rows} as rows
      semi join repeated on ${key.map((name) => `repeated.${name} is not distinct from rows.${name}`).join(" and ")}
    ) as rows
    qualify row_number() over (
      partition by ${key.map((name) => `rows.${name}`).join(", ")} order by ${version}${LATEST_EXTRACTED}, ${LATEST_LANDED}
    ) > 1`;
}

/** Combines the segments of one key into one row [V0.4], by each field's rule. In a formula, fields are sums over the segments. */
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
  return `arg_max(${column}, _order)`;
}

/**
 * The winning version of each row of a record, with its bookkeeping: the content of `staging.<connector>_<record>`, after
 * `supersededRows`. Grain: that of the record. A record with `history` keeps a row per key and landing.
 */
export function stagingRows(record: RecordDeclaration, files: readonly string[]): string {
  const fields = landedFields(record);
  if (record.ownTable) return ownRows(record, fields, files);
  if (files.length === 0) return noRows(record, fields);
  const key = ["_integration_id", ...record.key];
  const winners = `select rows.*, {landing: _landing, file: _file_no, position: _position} as _landing_order
    from (${landedRows(record, files)}) as rows
    anti join ${supersededOf(record)} as superseded using (_file, _row)
    where not coalesce(_deleted, false)`;
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
      ${record.source ? "documents._carries_source as carries_source," : ""}
      ${isSpend(record) ? "documents._is_joined as is_joined," : ""}
      documents._landing_order
    from documents
    join integrations on integrations.integration_id = documents._integration_id`;
}

/** All landed rows of a table of one's own, each with the integration that it is from: `sql/core` says which count. */
function ownRows(record: RecordDeclaration, fields: readonly [string, Field][], files: readonly string[]): string {
  const rows =
    files.length > 0
      ? landedRows(record, files)
      : emptyTable([...OWN_ROW, ...fields.map(([name, field]): [string, string] => [name, duckdbType(field)])]);
  return `select ${fields.map(([name]) => identifier(name)).join(", ")}, ${OWN_ROW.map(([name]) => name).join(", ")} from (${rows})`;
}

const OWN_ROW: readonly [string, string][] = [
  ["_integration_id", "varchar"],
  ["_landing", "integer"],
  ["_file_no", "integer"],
  ["_position", "bigint"],
  ["_landed_at", "timestamptz"],
];

/** The result of `stagingRows` for a record that never landed, without its cost: most records of a small organization. */
function noRows(record: RecordDeclaration, fields: readonly [string, Field][]): string {
  const columns: [string, string][] = [
    ...fields.map(([name, field]): [string, string] => [name, duckdbType(field)]),
    ["organization_id", "varchar"],
    ["user_id", "varchar"],
    ["document_id", "varchar"],
    ["integration_name", "varchar"],
    ["integration_id", "varchar"],
    ["organization_id_legacy", "varchar"],
    ["inserted_at", "timestamptz"],
    ...(record.source ? [["carries_source", "boolean"] as [string, string]] : []),
    ...(isSpend(record) ? [["is_joined", "boolean"] as [string, string]] : []),
    ["_landing_order", "struct(landing integer, file integer, position bigint)"],
  ];
  return emptyTable(columns);
}

/** The order in which a record's rows are served. */
export const servedOrder = (record: RecordDeclaration): string =>
  `${sortKey(record, record.served?.order ?? "document_id")} nulls last, document_id`;

/** The breakdown of a row: the names in its `_segment`, which ends in JSON. */
const NAMES_OF_SEGMENTS = "coalesce(try(list_sort(json_keys(regexp_extract(_segment, '[{].*$')))::varchar), '[]')";

/**
 * One row per key of a record whose exports may break a key down by segments. If a whole row and segments have landed, or
 * segments of different breakdowns, the newest row decides which of them is used; they are never added together. A file has
 * one breakdown for each key, the widest of its rows. A tool's row is as new as its extraction.
 */
function wholes(record: RecordDeclaration, fields: readonly [string, Field][], key: readonly string[]): string {
  const names = new Set(fields.map(([name]) => name));
  const columns = fields.map(([name, field]) =>
    record.key.includes(name) ? identifier(name) : `${combined(name, field, names)} as ${identifier(name)}`,
  );
  return `select _integration_id, ${columns.join(", ")}, max(_landed_at) as _landed_at, max(_landing_order) as _landing_order,
      bool_and(coalesce(_carries_source, true)) as _carries_source,
      count(distinct {landing: _landing, file: _file_no}) > 1 as _is_joined
    from (
      select *, first_value(_breakdown) over (
        partition by ${key.map(identifier).join(", ")} order by _order desc
      ) as newest_breakdown
      from (
        -- The argument of a window is computed for all rows: the JSON of none is read without need.
        select *, if(_segment = '', '', arg_max(case when _segment <> '' then ${NAMES_OF_SEGMENTS} end, strlen(_segment)) over (
          partition by ${key.map(identifier).join(", ")}, _landing, _file_no, _segment = ''
        )) as _breakdown, {
          read_at: case
            when count(_extracted_at) over (partition by ${key.map(identifier).join(", ")}) > 0
              then coalesce(_extracted_at, _landed_at)
          end,
          landed: _landing_order
        } as _order
        from winners
      )
    )
    where _breakdown = newest_breakdown
    group by ${key.map(identifier).join(", ")}`;
}

/** The only core relation without a file in `sql/core`: its SQL depends on the landed records. */
export const LANDED_RECORDS = {
  name: "landed_records",
  key: ["integration_id", "record"],
  partition: undefined,
} as const;

/**
 * The SQL of `landed_records`: the number of landed rows of each record, their last day (that of orders in their store's time
 * zone), the number of exports that landed, and when the last one did.
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
      ["files", "bigint"],
      ["last_landed_at", "timestamptz"],
    ]);
  }
  const branches = landed.map(([record]) => {
    const orders = ORDER_RECORDS.has(relationOf(record));
    const integration = record.ownTable ? "_integration_id" : "integration_id";
    const day = orders ? "ordered_on" : record.day && `coalesce(${record.day.split("|").map(identifier).join(", ")})`;
    return `select ${integration} as integration_id, ${literal(record.name)} as record, count(*) as rows, ${day ? `max(${day})` : "null"}::date as newest_on
      from ${orders ? `identified_orders where connector = ${literal(record.connector)}` : `staging.${identifier(relationOf(record))}`}
      group by ${integration}`;
  });
  return `with exports as (
      select unnest(from_json(
        getvariable('landed_exports')::json,
        '[{"integration_id": "VARCHAR", "record": "VARCHAR", "files": "BIGINT", "landed_at": "VARCHAR"}]'
      ), recursive := true)
    ),
    counted as (${branches.join("\nunion all\n")})
    select counted.*, exports.files, exports.landed_at::timestamptz as last_landed_at
    from counted
    left join exports on exports.integration_id = counted.integration_id and exports.record = counted.record
    order by counted.integration_id, counted.record`;
}

/** The records that media spend is computed from. */
export const SPEND_RECORDS: ReadonlySet<string> = relationsOf("ads", "campaigns");

const isSpend = (record: RecordDeclaration): boolean => SPEND_RECORDS.has(relationOf(record));

/** The records of orders: they have by far the most rows, so only those of small organizations are copied. */
export const ORDER_RECORDS: ReadonlySet<string> = relationsOf("store", "orders");
