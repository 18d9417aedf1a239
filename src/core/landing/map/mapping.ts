import { duckdbType, elementsOf, type Field, type FieldKind, isKind, kindOf } from "../../contract/field.ts";
import { breakdownColumns, landedFields, type RecordDeclaration, requiredFields } from "../../contract/record.ts";
import { identifier, literal } from "../../engine/database.ts";
import { readSql } from "../../engine/sql.ts";

/** The SQL that maps vendor objects: `sql/staging/<connector>/<record>.sql`. */
export const vendorMapping = (record: RecordDeclaration): string =>
  readSql(`staging/${record.connector}/${record.name}`);

/** How a mapping writes what Lucra also reads of it without the engine. The pattern's group finds the text. */
export interface Spelling {
  readonly name: string;
  readonly pattern: RegExp;
  readonly form: string;
}

type Named = Pick<RecordDeclaration, "connector" | "name">;

export const misspelled = ({ connector, name: record }: Named, { name, form }: Spelling): Error =>
  new Error(`sql/staging/${connector}/${record}.sql: ${name} must be written ${form}: files of tools are read by it`);

/** The texts of a spelling in the mapping of a record. Fails if the mapping has the name in another form. */
export function textsIn(record: Named, mapping: string, spelling: Spelling): string[] {
  const code = mapping.replaceAll(/--.*$/gm, "");
  const texts = [...code.matchAll(spelling.pattern)].map(([, text = ""]) => text);
  const mentions = code.match(/\w+/g)?.filter((word) => word === spelling.name) ?? [];
  if (texts.length !== mentions.length) throw misspelled(record, spelling);
  return texts;
}

/**
 * A plain table with few known columns: a row that has only an id and other required texts, which any table may have,
 * probably belongs to another record. A required day or amount is no accident.
 */
interface Doubtful {
  readonly fileNo: number;
  readonly unknown: readonly string[];
}

/** How many unknown columns are named. */
const NAMED = 12;

function nothingFilled(record: RecordDeclaration, doubtful: readonly Doubtful[]): string[] {
  const certain = new Set([...record.key, ...(record.required ?? [])]);
  const others = landedFields(record).filter(([name]) => !certain.has(name));
  if (others.length === 0 || [...certain].some((name) => !isKind(record.fields[name], "text"))) return [];
  const values = others.map(([name]) => `filled(fields.${identifier(name)})`).join(", ");
  return doubtful.map(({ fileNo, unknown }) => {
    const named = unknown.slice(0, NAMED).map((name) => JSON.stringify(name));
    const columns = [...named, ...(unknown.length > NAMED ? ["…"] : [])].join(", ");
    const reason = `only ${[...certain].join(", ")} filled, and most columns are no fields of this record: ${columns}`;
    return `when file_no = ${fileNo} and coalesce(${values}) is null then ${literal(reason)}`;
  });
}

/** The columns that break a row down, as JSON with the keys of the vendor's segments. */
function segmentOf({ breakdowns = [] }: RecordDeclaration): string {
  if (breakdowns.length === 0) return "null::varchar";
  const textOf = (columns: readonly string[]): string =>
    `coalesce(${columns.map((name) => `filled(fields.${identifier(name)})`).join(", ")})`;
  const columnsOf = (keys: readonly string[]): string[] =>
    breakdowns.filter(({ key }) => keys.includes(key)).flatMap(({ columns }) => columns);
  const members = breakdowns.map(({ key, columns, unless = [] }) => {
    const value = textOf(columns);
    return `${literal(key)}, ${unless.length > 0 ? `case when ${textOf(columnsOf(unless))} is null then ${value} end` : value}`;
  });
  return `nullif(json_merge_patch('{}', json_object(${members.join(", ")}))::varchar, '{}')`;
}

/** SQL for whether the table of a row has a column that carries a source. */
function sourceOf(
  columns: readonly string[],
  readings: readonly { readonly fileNo: number; readonly known: readonly string[] }[],
): string {
  const without = readings.filter(({ known }) => !known.some((name) => columns.includes(name)));
  return without.length > 0 ? `file_no not in (${without.map(({ fileNo }) => fileNo).join(", ")})` : "true";
}

/** The columns of a plain table are the record's own fields. A format without lists has them as JSON text. */
export function plainMapping(
  record: RecordDeclaration,
  doubtful: readonly Doubtful[] = [],
  readings: readonly Pick<Doubtful & { readonly known: readonly string[] }, "fileNo" | "known">[] = [],
): string {
  const fields = landedFields(record);
  const names = [...fields.map(([name]) => name), ...breakdownColumns(record)];
  const shape = JSON.stringify(Object.fromEntries(names.map((name) => [name, "VARCHAR"])));
  const columns = fields.map(([name, field]) => {
    const column = `fields.${identifier(name)}`;
    if (kindOf(field) !== "list") return column;
    const element = JSON.stringify([
      Object.fromEntries(Object.keys(elementsOf(field)).map((member) => [member, "VARCHAR"])),
    ]);
    return `case when json_valid(${column}) then from_json(${column}, ${literal(element)}) end as ${identifier(name)}`;
  });
  const notLists = fields.flatMap(([name, field]) => {
    const column = `fields.${identifier(name)}`;
    const type = `case when json_valid(${column}) then json_type(${column}) end`;
    return kindOf(field) !== "list"
      ? []
      : [
          `when filled(${column}) is not null and coalesce(${type}, '') not in ('ARRAY', 'NULL')
      then ${literal(`${name}: not a list`)}`,
        ];
  });
  const faults = [...notLists, ...nothingFilled(record, doubtful)];
  return `select file_no, position, ${columns.join(", ")}${record.segmented ? `, ${segmentOf(record)} as _segment` : ""}
      ${record.source ? `, ${sourceOf(record.source, readings)} as _carries_source` : ""}
      ${faults.length > 0 ? `, case ${faults.join(" ")} end as _reject` : ""}
    from (select file_no, position, from_json("row", ${literal(shape)}) as fields from plain_rows)`;
}

/** The largest offset of an instant, in microseconds; those in use are within 14 hours. The engine would accept 99. */
const MOST_OFFSET = 16 * 3600 * 1e6 - 1;

/** The years 1900 to 2200. The engine's `year` prepares a table of dates, in lists for each chunk of rows again. */
const isOfOurTime = (value: string, type: "date" | "timestamp"): string =>
  `${value} >= ${type} '1900-01-01' and ${value} < ${type} '2201-01-01'`;

/**
 * Casts a text to the field's type; null if it does not fit. Days and instants begin with a digit: the engine would also
 * accept `epoch`. The engine's casts ignore white space around a value. The SQL mentions the text as seldom as possible:
 * each mention is planned, and computed, again.
 */
function cast(field: Field, text: string): string {
  switch (kindOf(field)) {
    case "integer":
      // The decimal limits it to twelve digits. The other cast by itself would round.
      return `case when try_cast(${text} as decimal(18, 6)) % 1 = 0 then try_cast(${text} as bigint) end`;
    case "money":
      // Ten digits before the point. A larger amount is not a real one and would overflow the sums: it is rejected
      // here, with its place.
      return `try_cast(${text} as decimal(16, 6))::${duckdbType(field)}`;
    case "number":
      return `case when isfinite(try_cast(${text} as double)) then try_cast(${text} as double) end`;
    case "day":
      // The cast to a date ignores whatever follows the day; the casts to an instant accept only a time.
      return `case when ${isOfOurTime(`try_cast(${text} as date)`, "date")} and ${text} between '0' and ':'
          and coalesce(try_cast(${text} as timestamp), try_cast(${text} as timestamptz)::timestamp) is not null
        then try_cast(${text} as date) end`;
    case "instant":
      // The cast with a zone would accept names of zones, and apply the zone to later values that have none. The cast
      // without a zone accepts only UTC, and is cheaper. Most instants end as UTC does: their offset is known.
      return `case when ${isOfOurTime(`try_cast(${text} as timestamp)`, "timestamp")} and ${text} between '0' and ':'
          and (suffix(${text}, 'Z') or suffix(${text}, '+00:00')
            or epoch_us(try_cast(${text} as timestamptz)) - epoch_us(try_cast(${text} as timestamp))
              between ${-MOST_OFFSET} and ${MOST_OFFSET})
        then try_cast(${text} as timestamptz) end`;
    default:
      return `try_cast(${text} as ${duckdbType(field)})`;
  }
}

/**
 * A value as the field's type; null if it is blank or does not fit. The unchanged value is tried first. The second cast
 * is in a lambda, because the engine prepares a lambda only when it runs, and all other expressions of a list for each
 * chunk of rows.
 */
function typed(field: Field, value: string, name: string): string {
  switch (kindOf(field)) {
    case "text":
      if (isId(name)) return `whole_id(${value})`;
      return `case when ${value} between '!' and '~' or trimmed(${value}) <> '' then ${value} end`;
    case "json":
      return `case when ${value} between '!' and '~' or trimmed(${value}) <> '' then ${value} end`;
    case "list":
      return `list_transform(${value}, lambda e: {${members(field)
        .map(([name, member]) => `${identifier(name)}: ${typed(member, `e.${identifier(name)}`, name)}`)
        .join(", ")}})`;
    case "integer":
    case "number":
    case "money":
      // The engine reads a sign and white space as 0: only a text that begins like a number is tried unchanged.
      return `case when ${value} is not null
        then coalesce(case when ${value} between '-!' and ':' then ${cast(field, value)} end,
          list_transform([trimmed(${value})], lambda t: ${cast(field, "t")})[1]) end`;
    default:
      return `case when ${value} is not null
        then coalesce(${cast(field, value)}, list_transform([trimmed(${value})], lambda t: ${cast(field, "t")})[1]) end`;
  }
}

/** Whether a text is the id of something: a floating-point number would have changed it. */
const isId = (name: string): boolean => /(^|_)ids?$/.test(name);

const members = (list: Field): [string, Field][] => Object.entries(elementsOf(list));

const MEANT: Record<FieldKind, string> = {
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

/** Any text is valid that is no id, and JSON is passed on unchanged. */
const canBeWrong = (field: Field, name: string): boolean =>
  kindOf(field) === "text" ? isId(name) : kindOf(field) !== "json";

const meantBy = (field: Field): string =>
  kindOf(field) === "text" ? "an id: a floating-point number has changed it, export it as text" : MEANT[kindOf(field)];

/** SQL for the fault of a value that was `raw` and became `typed`, or null; `where` names its place in the row. */
function problem(field: Field, raw: string, typed: string, where: string, name = where): string | null {
  if (kindOf(field) === "list") return listProblem(field, raw, typed, where);
  if (!canBeWrong(field, name)) return null;
  return `case when ${raw} is not null and ${typed} is null and trimmed(${raw}) <> ''
    then ${literal(`${where}: "`)} || left(${raw}, 60) || ${literal(`" is not ${meantBy(field)}`)} end`;
}

/** If each element has as many values after the cast as before, all are valid: only other lists are searched. */
function listProblem(list: Field, raw: string, typed: string, where: string): string | null {
  const checked = members(list).filter(([name, member]) => canBeWrong(member, name));
  if (checked.length === 0) return null;
  const values = (of: string): string =>
    `list_transform(${of}, lambda e: ${checked.map(([name]) => `(e.${identifier(name)} is not null)::tinyint`).join(" + ")})`;
  const found = checked.map(([name, member]) =>
    problem(member, `pair[1].${identifier(name)}`, `pair[2].${identifier(name)}`, `${where}[].${name}`, name),
  );
  return `case when ${values(raw)} <> ${values(typed)} then list_filter(
      list_transform(list_zip(${raw}, ${typed}), lambda pair: coalesce(${found.join(", ")})),
      lambda p: p is not null
    )[1] end`;
}

/** SQL for the currencies that rows name next to their fields: file_no, position, currency; undefined if they name none. */
function namedCurrencies({ currency: { object, context, columns = [] } = {} }: RecordDeclaration, layout: Layout) {
  if (layout === "plain") {
    const values = columns.map((name) => `filled("row" ->> ${literal(`$."${name}"`)})`).join(", ");
    return columns.length > 0 ? `select file_no, position, coalesce(${values}) as currency from plain_rows` : undefined;
  }
  if (context) {
    const [key, path] = context.map(literal);
    return `select file_no, position, contexts.context ->> ${path} as currency
      from vendor_rows
      join (from vendor_contexts where key = ${key} and json_valid(context)) as contexts using (file_no, report)`;
  }
  return object && `select file_no, position, "row" ->> ${literal(object)} as currency from vendor_rows`;
}

/** SQL for the fault of a currency [D4]. Whatever is no code of a currency is not judged. */
const foreign = (named: string, own: string): string =>
  `case when regexp_full_match(trimmed(${named}), '[A-Za-z]{3}') and upper(trimmed(${named})) <> ${literal(own)}
    then 'currency: ' || upper(trimmed(${named})) || ${literal(`, and the organization's is ${own}`)} end`;

/**
 * The mapped rows with `_foreign`, why a row in another currency than the organization's is rejected. Few rows are, so that
 * those are looked up.
 */
function withForeign(mapping: string, currencies: string, own: string): string {
  return `select mapped.*, foreigners._foreign
    from (${mapping}) as mapped
    left join (
      select file_no, position, ${foreign("currency", own)} as _foreign from (${currencies}) where _foreign is not null
    ) as foreigners using (file_no, position)`;
}

type Layout = "vendor" | "plain";

/**
 * The mapped rows, typed. `_problem` says why a row is rejected, and is null for a row that can land: its natural key
 * and required fields are present, and every value fits its type.
 */
export function checkedRows(
  record: RecordDeclaration,
  mapping: string,
  currency?: string,
  layout: Layout = "vendor",
): string {
  const named = currency === undefined ? undefined : namedCurrencies(record, layout);
  const { field } = record.currency ?? {};
  const fields = landedFields(record).map(([name, field]) => ({ name, field, column: identifier(name) }));
  const required = requiredFields(record).map((name) => ({ name, column: identifier(name) }));
  // A mapping may reject a row for a reason of its own.
  const own = /\b_reject\b/.test(mapping) ? ["_reject"] : [];
  const isList = (name: string): boolean => isKind(record.fields[name], "list");
  const problems = [
    ...own,
    ...(named ? ["_foreign"] : []),
    ...(field && currency !== undefined ? [foreign(`${identifier(field)}.raw`, currency)] : []),
    ...required.map(
      ({ name, column }) =>
        `case when ${column}.typed is null${isList(name) ? "" : ` and filled(${column}.raw) is null`} then ${literal(`${name}: missing`)} end`,
    ),
    ...fields.flatMap(({ name, field, column }) => problem(field, `${column}.raw`, `${column}.typed`, name) ?? []),
  ];
  // Two steps, so that the check does not compute a value again.
  return `select
      file_no as _file_no,
      position as _position,
      ${record.segmented ? "coalesce(_segment, '') as _segment," : ""}
      ${record.source ? "_carries_source," : ""}
      ${fields.map(({ field, column }) => `${column}.typed::${duckdbType(field)} as ${column}`).join(",\n      ")},
      nullif(concat_ws('; ', ${problems.join(",\n        ")}), '') as _problem
    from (
      select * replace (
        ${fields.map(({ name, field, column }) => `{raw: ${column}, typed: ${typed(field, column, name)}} as ${column}`).join(",\n        ")}
      )
      from (${named && currency !== undefined ? withForeign(mapping, named, currency) : mapping})
    )`;
}
