import { readFile } from "node:fs/promises";
import path from "node:path";
import { duckdbType, type Field } from "../contract/field.ts";
import type { RecordDeclaration } from "../contract/record.ts";
import { identifier, literal } from "../engine/database.ts";
import { SQL } from "../paths.ts";

/** The fields an export brings. */
export const landedFields = (record: RecordDeclaration): [string, Field][] =>
  Object.entries(record.fields).filter(([, field]) => !field.computed);

/** The vendor's mapping as written: `sql/staging/<connector>/<record>.sql`. */
export const vendorMapping = (record: RecordDeclaration): Promise<string> =>
  readFile(path.join(SQL, "staging", record.connector, `${record.name}.sql`), "utf8");

/** A plain table's columns are the record's own fields: nothing to rename. A list is JSON text where it cannot be one. */
export function plainMapping(record: RecordDeclaration): string {
  const fields = landedFields(record);
  const shape = JSON.stringify(Object.fromEntries(fields.map(([name]) => [name, "VARCHAR"])));
  const columns = fields.map(([name, field]) => {
    const column = `fields.${identifier(name)}`;
    if (field.kind !== "list") return column;
    const element = JSON.stringify([
      Object.fromEntries(Object.keys(field.of ?? {}).map((member) => [member, "VARCHAR"])),
    ]);
    return `case when json_valid(${column}) then from_json(${column}, ${literal(element)}) end as ${identifier(name)}`;
  });
  const notLists = fields.flatMap(([name, field]) => {
    const column = `fields.${identifier(name)}`;
    const type = `case when json_valid(${column}) then json_type(${column}) end`;
    return field.kind !== "list"
      ? []
      : [
          `when filled(${column}) is not null and coalesce(${type}, '') not in ('ARRAY', 'NULL')
      then ${literal(`${name}: not a list`)}`,
        ];
  });
  return `select file_no, position, ${columns.join(", ")}${record.segmented ? ", null::varchar as _segment" : ""}
      ${notLists.length > 0 ? `, case ${notLists.join(" ")} end as _reject` : ""}
    from (select file_no, position, from_json("row", ${literal(shape)}) as fields from plain_rows)`;
}

/**
 * A mapping's values are looked at in steps, each in a projection of its own: as it came (`raw`), without blanks
 * (`text`), as its type (`typed`). Written into each other they would be planned over and over: most of what a small
 * landing takes.
 */
const step = (field: Field, value: string, members: (field: Field, value: string) => string): string =>
  field.kind === "list"
    ? `list_transform(${value}, lambda e: {${Object.entries(field.of ?? {})
        .map(([name, member]) => `${identifier(name)}: {${members(member, `e.${identifier(name)}`)}}`)
        .join(", ")}})`
    : `{${members(field, value)}}`;

const withText = (field: Field, column: string): string =>
  step(field, column, (_, value) => `raw: ${value}, text: filled(${value})`);

const withTyped = (field: Field, column: string): string =>
  step(field, column, (of, value) => `raw: ${value}.raw, text: ${value}.text, typed: ${typed(of, value)}`);

/** A value's text as its type; null when it is blank or cannot be read as that. */
function typed(field: Field, value: string): string {
  const text = `${value}.text`;
  switch (field.kind) {
    case "text":
    case "json":
      return `case when ${text} is not null then ${value}.raw end`;
    case "integer":
      // The narrow decimal first: the wide one costs two hundred times as much.
      return `case when coalesce(try_cast(${text} as decimal(18, 6)), try_cast(${text} as decimal(38, 6))) % 1 = 0
        and abs(try_cast(${text} as bigint)) < 1000000000000 then try_cast(${text} as bigint) end`;
    case "money":
      // Larger than any real amount: what would overflow the sums is refused here, with its place.
      return `case when abs(try_cast(${text} as ${duckdbType(field)})) < 10000000000 then try_cast(${text} as ${duckdbType(field)}) end`;
    case "number":
      return `case when isfinite(try_cast(${text} as double)) then try_cast(${text} as double) end`;
    case "day":
    case "instant": {
      const cast = `try_cast(${text} as ${duckdbType(field)})`;
      return `case when year(${cast}) between 1900 and 2200 then ${cast} end`;
    }
    default:
      return `try_cast(${text} as ${duckdbType(field)})`;
  }
}

/** The typed value alone. */
function landedValue(field: Field, column: string): string {
  if (field.kind !== "list") return `${column}.typed`;
  const members = Object.keys(field.of ?? {}).map((name) => `${identifier(name)}: e.${identifier(name)}.typed`);
  return `list_transform(${column}, lambda e: {${members.join(", ")}})`;
}

const MEANT: Record<Field["kind"], string> = {
  text: "text",
  json: "JSON",
  flag: "true or false",
  integer: "a whole number",
  number: "a number",
  money: "an amount",
  day: "a day (YYYY-MM-DD)",
  instant: "an instant (ISO 8601)",
  list: "a list",
};

/** SQL for what is wrong with a field, or null; `where` names the place in the row. */
function problem(field: Field, value: string, where: string): string | null {
  if (field.kind === "text" || field.kind === "json") return null;
  if (field.kind === "list") {
    const inner = Object.entries(field.of ?? {})
      .map(([name, member]) => problem(member, `e.${identifier(name)}`, `${where}[].${name}`))
      .filter((p) => p !== null);
    return inner.length === 0
      ? null
      : `list_filter(list_transform(${value}, lambda e: coalesce(${inner.join(", ")})), lambda p: p is not null)[1]`;
  }
  return `case when ${value}.text is not null and ${value}.typed is null
    then ${literal(`${where}: "`)} || left(${value}.raw, 60) || ${literal(`" is not ${MEANT[field.kind]}`)} end`;
}

/**
 * The mapped rows, typed, with what is wrong with each (`_problem`, null when it can be landed): the natural key and
 * required fields are there, and every value reads as its type.
 */
export function checkedRows(record: RecordDeclaration, mapping: string): string {
  const fields = landedFields(record);
  const required = record.required ?? record.key;
  // A mapping may refuse a row for a reason of its own.
  const own = /\b_reject\b/.test(mapping) ? ["_reject"] : [];
  const missing = (name: string): string =>
    record.fields[name]?.kind === "list" ? `${identifier(name)} is null` : `${identifier(name)}.text is null`;
  const problems = [
    ...own,
    ...required.map((name) => `case when ${missing(name)} then ${literal(`${name}: missing`)} end`),
    ...fields.map(([name, field]) => problem(field, identifier(name), name)).filter((p) => p !== null),
  ];
  const replaced = (how: (field: Field, column: string) => string): string =>
    fields.map(([name, field]) => `${how(field, identifier(name))} as ${identifier(name)}`).join(",\n        ");
  return `select
      file_no as _file_no,
      position as _position,
      ${record.segmented ? "coalesce(_segment, '') as _segment," : ""}
      ${fields.map(([name, field]) => `${landedValue(field, identifier(name))}::${duckdbType(field)} as ${identifier(name)}`).join(",\n      ")},
      nullif(concat_ws('; ', ${problems.join(",\n        ")}), '') as _problem
    from (
      select * replace (${replaced(withTyped)})
      from (select * replace (${replaced(withText)}) from (${mapping}))
    )`;
}
