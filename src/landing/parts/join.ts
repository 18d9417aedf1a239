import type { RecordDeclaration } from "../../contract/record.ts";
import { type Child, type Stream, type StreamSet, streamId } from "../../contract/stream.ts";
import { literal } from "../../engine/database.ts";

/** Tools that write lists only as tables of their own: an object without rows in such a table has an empty list. */
const TABLES_ONLY = new Set(["fivetran", "dlt"]);

/** The place of a part, unique, in the order of landing. */
const PLACE = "landing, file_no, position, sort, key";
const NEWEST = "extracted_at desc nulls last, landing desc, file_no desc, position desc, sort desc, key desc";

/**
 * SQL that joins the parts of one tool to the vendor's objects.
 * Grain: a root row as it was extracted; of a record with history, a root row as of each landing that changed it or one
 * of its parts. Reads `parts`: the columns of `buildParts`.
 * Columns: object (JSON), landing, file_no, position (the place of the root's row), extracted_at, deleted, fault, landed_at.
 */
export function joinedObjects(record: RecordDeclaration, set: StreamSet): string {
  const ctes: string[] = [
    record.history
      ? "landed as (select distinct landing as as_of from parts)"
      : "landed as (select max(landing) as as_of from parts)",
    `versions as (
      select parts.*, as_of, parts.landing as touched from parts join landed on parts.landing <= as_of
    )`,
  ];
  const root = addStream(ctes, set, set.root, record.history === true ? "newest" : "all");
  return `with ${ctes.join(",\n")}
    select object, ${record.history ? "as_of" : "landing"} as landing, file_no, position, extracted_at, deleted, fault, landed_at
    from ${root} ${record.history ? "where touched = as_of" : ""}`;
}

/** Adds the common table expressions of a stream and of those below it. Returns the name of the last one. */
function addStream(ctes: string[], set: StreamSet, stream: Stream, kept: "all" | "newest" | "living"): string {
  const base = `rows_${ctes.length}`;
  const rows = `from versions where stream = ${literal(streamId(set, stream))}`;
  const version = stream.version
    ? `try_cast(object ->> ${literal(`$.${stream.version}`)} as timestamptz) desc nulls last, `
    : "";
  const newest = `select * ${rows} qualify row_number() over (
      partition by as_of, load, coalesce(key, landing || ' ' || file_no || ' ' || position || ' ' || coalesce(sort, 0))
      order by ${version}${NEWEST}
    ) = 1`;
  const chosen = { all: `select * ${rows}`, newest, living: `select * from (${newest}) where not deleted` };
  ctes.push(`${base} as (${chosen[kept]})`);
  const children = (stream.children ?? []).map((child) => addChild(ctes, set, child));
  if (children.length === 0) return base;
  const name = `whole_${ctes.length}`;
  const patches = children.map(({ patch }) => `coalesce(${patch}, '{}')`);
  const greatest = (column: string): string =>
    `greatest(${[`own.${column}`, ...children.map(({ alias }) => `${alias}.${column}`)].join(", ")}) as ${column}`;
  ctes.push(`${name} as (
    select own.* replace (
      json_merge_patch(own.object, ${patches.join(", ")})::varchar as object, ${greatest("landed_at")}, ${greatest("touched")}
    )
    from ${base} as own
    ${children.map(({ join }) => join).join("\n")}
  )`);
  return name;
}

interface Joined {
  readonly alias: string;
  /** SQL of the JSON that is merged into the parent's object. */
  readonly patch: string;
  readonly join: string;
}

function addChild(ctes: string[], set: StreamSet, child: Child): Joined {
  const rows = addStream(ctes, set, child, "living");
  const alias = `child_${ctes.length}`;
  const same = `${alias}.as_of = own.as_of and ${alias}.load is not distinct from own.load`;
  if (child.by) {
    ctes.push(`${alias} as (select as_of, load, key, object, landed_at, touched from ${rows})`);
    const join = `left join ${alias} on ${same} and ${alias}.key = own.object ->> ${literal(`$.${child.by}`)}`;
    return { alias, patch: `${alias}.object`, join };
  }
  const join = `left join ${alias} on ${same} and ${alias}.parent = own.key`;
  ctes.push(`${alias} as (
    select as_of, load, parent, list(object::json order by ${PLACE}) as objects,
      list(id_of(object)) as ids, max(landed_at) as landed_at, max(touched) as touched
    from ${rows} where parent is not null group by all
  )`);
  if (!child.into) {
    return {
      alias,
      patch: `list_reduce(${alias}.objects, lambda merged, object: json_merge_patch(merged, object))`,
      join,
    };
  }
  // A list in the object itself may have the same elements as the stream: those of the stream are complete.
  const nested = `coalesce(try(from_json(own.object -> ${literal(`$.${child.into}`)}, '["JSON"]')), [])`;
  const list = `list_concat(${alias}.objects, list_filter(${nested}, lambda e: not list_contains(${alias}.ids, id_of(e))))`;
  const none = TABLES_ONLY.has(set.tool) ? `{${JSON.stringify(child.into)}: []}` : "{}";
  const patch = `case when ${alias}.parent is not null then json_object(${literal(child.into)}, to_json(${list}))
      when json_exists(own.object, ${literal(`$.${child.into}`)}) then '{}' else ${literal(none)} end`;
  return { alias, patch, join };
}

/** The number in an object's id: a number in one stream may be a gid in another. */
export const JOIN_MACROS = `create or replace temp macro id_of(object) as
  coalesce(nullif(regexp_extract(object ->> '$.id', '[0-9]+$'), ''), object ->> '$.id', object::varchar)`;
