import type { RecordDeclaration } from "../../contract/record.ts";
import { type Child, idsOf, type Stream, type StreamSet, streamId } from "../../contract/stream.ts";
import { literal } from "../../engine/database.ts";
import { EVENT_REPORT, isOfEvents } from "../read/events.ts";

/** The place of a part in its list, unique; it does not depend on the order of landing. */
const PLACE = "sort nulls last, try_cast(key as hugeint) nulls last, key, landing, file_no, position";
const NEWEST = "extracted_at desc nulls last, landing desc, file_no desc, position desc, sort desc, key desc";

const streamIs = (set: StreamSet, stream: Stream): string =>
  `stream in (${idsOf(set, stream).map(literal).join(", ")})`;

const member = (path: string): string => literal(`$.${path}`);

/**
 * SQL that joins the parts of one tool to the vendor's objects.
 * Grain: a root row as it was extracted; of a record with history, a root row as of each landing after `since`.
 * Reads `parts`: the columns of `buildParts`. `present`: the streams that have landed.
 * Columns: object (JSON), key, landing, file_no, position (the place of the root's row), as_of (the landing of which it
 * is a reading), touched (the last landing that changed it or one of its parts), extracted_at, deleted, fault, landed_at.
 */
export function joinedObjects(
  record: RecordDeclaration,
  set: StreamSet,
  present: ReadonlySet<string>,
  since = 0,
): string {
  if (isOfEvents(set)) return EVENT_REPORT;
  const ctes: string[] = [
    record.history
      ? `landed as (select distinct landing as as_of from parts where landing > ${since})`
      : "landed as (select max(landing) as as_of from parts)",
    `versions as (
      select parts.*, as_of, parts.landing as touched from parts join landed on parts.landing <= as_of
    )`,
  ];
  const joins = { ctes, set, present };
  const root = addStream(joins, set.root, record.history === true ? "newest" : "all");
  return `with ${ctes.join(",\n")}
    select object, ${literal(streamId(set, ""))} || key as key, landing, file_no, position,
      ${record.history ? "as_of" : "landing as as_of"}, touched, extracted_at, deleted, nullif(fault, '') as fault,
      landed_at
    from ${root}`;
}

interface Joins {
  readonly ctes: string[];
  readonly set: StreamSet;
  readonly present: ReadonlySet<string>;
}

/**
 * Adds the common table expressions of a stream and of those below it. Returns the name of the last one. `above`: the rows
 * of the parents, whose load is used for rows without one.
 */
function addStream(joins: Joins, stream: Stream, kept: "all" | "newest", above?: string): string {
  const { ctes, set } = joins;
  const base = `rows_${ctes.length}`;
  let rows = `from versions where ${streamIs(set, stream)}`;
  if (above && set.tool === "dlt") {
    const loads = `loads_${ctes.length}`;
    ctes.push(`${loads} as (select as_of, key, max(load) as load from ${above} group by all)`);
    rows = `from (
      select own.* replace (coalesce(own.load, ${loads}.load) as load)
      from (select * ${rows}) as own
      left join ${loads} on ${loads}.as_of = own.as_of and ${loads}.key = own.parent
    )`;
  }
  const version = stream.version
    ? `coalesce(${stream.version
        .split("|")
        .map((name) => `try_cast(object ->> ${member(name)} as timestamptz)`)
        .join(", ")}) desc nulls last, `
    : "";
  const newest = `select * ${rows} qualify row_number() over (
      partition by as_of, load, coalesce(key, landing || ' ' || file_no || ' ' || position || ' ' || coalesce(sort, 0))
      order by ${version}${NEWEST}
    ) = 1`;
  ctes.push(`${base} as (${kept === "all" ? `select * ${rows}` : newest})`);
  const children = (stream.children ?? []).map((child) => addChild(joins, child, base));
  if (children.length === 0) return base;
  const name = `whole_${ctes.length}`;
  const patches = children.map(({ patch }) => `coalesce(${patch}, '{}')`);
  const greatest = (column: string): string =>
    `greatest(${[`own.${column}`, ...children.map(({ alias }) => `${alias}.${column}`)].join(", ")}) as ${column}`;
  const faults = ["own.fault", ...children.map(({ alias }) => `${alias}.fault`)];
  ctes.push(`${name} as (
    select own.* replace (
      json_merge_patch(own.object, ${patches.join(", ")})::varchar as object, ${greatest("landed_at")},
      ${greatest("touched")}, concat_ws('; ', ${faults.map((fault) => `nullif(${fault}, '')`).join(", ")}) as fault
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

function addChild(joins: Joins, child: Child, above: string): Joined {
  const { ctes, set, present } = joins;
  // A value that was looked up in a row that was deleted since still holds for the rows that refer to it.
  const rows = addStream(joins, child, "newest", child.by ? undefined : above);
  const alias = `child_${ctes.length}`;
  if (child.by) {
    ctes.push(`${alias} as (select as_of, key, object, fault, landed_at, touched from ${rows})`);
    const key = `id_text(own.object ->> ${member(child.by)})`;
    const join = `left join ${alias} on ${alias}.as_of = own.as_of and ${alias}.key = ${key}`;
    return { alias, patch: `${alias}.object`, join };
  }
  const join = `left join ${alias} on ${alias}.as_of = own.as_of and ${alias}.load is not distinct from own.load
      and ${alias}.parent = own.key`;
  // A row that was deleted changes its parent, too.
  ctes.push(`${alias} as (
    select as_of, load, parent, coalesce(list(object::json order by ${PLACE}) filter (not deleted), []) as objects,
      list(id_of(object)) as ids, string_agg(nullif(fault, ''), '; ' order by ${PLACE}) filter (not deleted) as fault,
      max(landed_at) as landed_at, max(touched) as touched
    from ${rows} where parent is not null group by all
  )`);
  if (!child.into) {
    return {
      alias,
      patch: `list_reduce(nullif(${alias}.objects, []), lambda merged, object: json_merge_patch(merged, object))`,
      join,
    };
  }
  // A list in the object itself may have the same elements as the stream: those of the stream are complete.
  const nested = `coalesce(try(from_json(own.object -> ${member(child.into)}, '["JSON"]')), [])`;
  // An element that is an id and nothing else only names a row of the stream, which may have been deleted.
  const whole = `list_filter(${nested}, lambda e: len(json_keys(e)) <> 1)`;
  const list = `list_concat(${alias}.objects, list_filter(${whole}, lambda e: not list_contains(${alias}.ids, id_of(e))))`;
  const none = isEmptyWithoutRows(set, child, present) ? at(child.into, "'[]'::json") : "'{}'";
  const patch = `case when ${alias}.parent is not null then ${at(child.into, `to_json(${list})`)}
      when len(${whole}) < len(${nested}) then ${at(child.into, `to_json(${whole})`)}
      when json_exists(own.object, ${member(child.into)}) then '{}' else ${none} end`;
  return { alias, patch, join };
}

/** JSON with a value in the place of a path. */
const at = (path: string, value: string): string =>
  path
    .split(".")
    .reverse()
    .reduce((json, name) => `json_object(${literal(name)}, ${json})`, value);

/**
 * Whether an object without rows in a stream has an empty list; otherwise the list is unknown. dlt has no table for lists
 * that are always empty; with other tools it depends on whether the table was exported.
 */
function isEmptyWithoutRows(set: StreamSet, child: Child, present: ReadonlySet<string>): boolean {
  if (set.tool === "dlt") return child.optional !== false;
  if (set.tool !== "fivetran") return false;
  return child.optional === true || idsOf(set, child).some((id) => present.has(id));
}

/** The number in an object's id: a number in one stream may be a gid in another. */
export const JOIN_MACROS = `create or replace temp macro id_text(id) as
  coalesce(nullif(regexp_extract(id, '^(?:gid://shopify/[a-zA-Z]+/)?([0-9]+)(?:[.]0+)?$', 1), ''), id);
create or replace temp macro id_of(object) as coalesce(id_text(object ->> '$.id'), object::varchar)`;
