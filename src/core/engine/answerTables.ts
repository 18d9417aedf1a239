import { type AnswerPart, type Endpoint, ROOT, tableOf } from "../contract/endpoint.ts";
import { elementsOf, type Field, type Fields } from "../contract/field.ts";
import type { Accepted } from "../contract/param.ts";
import { identifier } from "./database.ts";
import { fieldsSql, figuresSql, isObject } from "./fieldsSql.ts";
import { type ShownPart, shownParts, without } from "./parts.ts";
import { rowsName, rowsSql } from "./rows.ts";
import { readSql } from "./sql.ts";

/** A table of an answer: its name there, its rows, and what they have. */
export interface AnswerTable {
  readonly name: string;
  readonly sql: string;
  readonly fields: Fields;
}

/** The table that an answer is in tabular formats, with the SQL file that computes it, and the part that it is. */
export interface MainTable extends AnswerTable {
  readonly file: string;
  /** Absent if it is a list among the fields of the root. */
  readonly part?: ShownPart;
}

/** The main table of the answer to a request, without the range of a page. */
export function mainTable(endpoint: Endpoint, accepted: Accepted): MainTable {
  const { parts } = endpoint;
  const name = tableOf(endpoint, accepted);
  const part = shownParts(endpoint, accepted).find((one) => one.name === name);
  if (part?.part.record) {
    const { record } = part.part;
    return { name, file: rowsName(record), sql: rowsSql(record, accepted), fields: part.fields, part };
  }
  if (part) {
    const file = part.part.sql ?? "";
    return { name, file, sql: fieldsSql(readSql(file), part.fields), fields: part.fields, part };
  }
  const root = parts[ROOT];
  const field = root?.fields[name];
  if (!root || !field || !isArray(field)) throw new Error(`${endpoint.path} has no ${name}`);
  return { name, file: root.sql ?? "", ...listOf(root, [name], elementsOf(field)) };
}

/** The other tables of the answer; an object is a table of one row. */
export function furtherTables(endpoint: Endpoint, accepted: Accepted): AnswerTable[] {
  const { pagination, parts } = endpoint;
  const table = tableOf(endpoint, accepted);
  const named = shownParts(endpoint, accepted).flatMap(({ name, part, fields, isNull }): AnswerTable[] => {
    const { sql, from } = part;
    if ([ROOT, table, pagination].includes(name) || isNull || from || sql === undefined) return [];
    return [{ name, sql: fieldsSql(readSql(sql), fields), fields }];
  });
  // A part may be the table of one of the root's objects: it has the lists of that object.
  const lists = parts[ROOT] ? inRoot(parts[ROOT], table).filter(({ name }) => !Object.hasOwn(parts, name)) : [];
  return [...lists, ...named];
}

/** The lists among the fields of the root, and in its objects; also the objects of a model. */
function inRoot(root: AnswerPart, main: string): AnswerTable[] {
  const lists = listsOf(root.fields)
    .filter(([path]) => path.join() !== main)
    .map(([path, fields]) => ({
      name: path.at(root.from === "model" ? -1 : 0) ?? "",
      ...listOf(root, path, fields),
    }));
  return [...(root.from === "model" ? objectsOf(root) : []), ...lists];
}

function objectsOf({ fields: figures }: AnswerPart): AnswerTable[] {
  return Object.entries(figures).flatMap(([name, { unit }]): AnswerTable[] => {
    if (!isObject(unit)) return [];
    const lists = Object.entries(unit.object).filter(([_, field]) => isArray(field));
    const fields = without(
      unit.object,
      lists.map(([list]) => list),
    );
    return [{ name, sql: figuresSql([name], fields, false), fields }];
  });
}

/** A list of the root: of its SQL file's row, or of the figures that a model computed. */
function listOf(
  { from, sql = "" }: AnswerPart,
  path: readonly string[],
  fields: Fields,
): Pick<AnswerTable, "sql" | "fields"> {
  if (from === "model") return { sql: figuresSql(path, fields, true), fields };
  const rows = `select unnest(${path.map(identifier).join(".")}, recursive := true) from (${readSql(sql)})`;
  return { sql: fieldsSql(rows, fields), fields };
}

const isArray = (field: Field): boolean => Object.keys(elementsOf(field)).length > 0;

/** The lists of objects among the fields, and in objects among them, by their paths. */
const listsOf = (fields: Fields): [path: readonly string[], fields: Fields][] =>
  Object.entries(fields).flatMap(([name, field]): [readonly string[], Fields][] => {
    if (isArray(field)) return [[[name], elementsOf(field)]];
    if (!isObject(field.unit)) return [];
    return listsOf(field.unit.object).map(([path, inner]) => [[name, ...path], inner]);
  });
