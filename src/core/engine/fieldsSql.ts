import type { Fields, Unit } from "../contract/field.ts";
import { type Column, columnName, columnsOf, columnType, isCrossed, unnestedField } from "../contract/table.ts";
import { identifier, literal } from "./database.ts";

/** The rows of an analysis as its table: typed by their figures, flattened, with a row for each entry of an unnested figure. */
export function fieldsSql(sql: string, fields: Fields): string {
  const unnested = unnestedField(fields);
  const entry = unnested?.key === undefined ? ["entry"] : ["entry", "value"];
  const value = (column: Column): string => {
    const { path } = column;
    // A list in the SQL, also of one value.
    if (isCrossed(column)) return `answer.${identifier(path[0] ?? "")}[${Number(path[1] ?? 0) + 1}]`;
    if (unnested && path[0] === unnested.key) return "entry.key";
    const inside = path[0] === unnested?.name ? [...entry, ...path.slice(1)] : ["answer", ...path];
    return inside.map(identifier).join(".");
  };
  const columns = columnsOf(fields).map((column) => {
    const { unit } = column;
    const isList = typeof unit === "object" && ("array" in unit || "choices" in unit);
    const text = isList ? `to_json(${value(column)})` : value(column);
    return `${text}::${columnType(unit)} as ${identifier(columnName(column))}`;
  });
  return `select ${columns.join(", ")} from ${unnested ? entriesSql(sql, unnested) : `(${sql}) as answer`}`;
}

function entriesSql(sql: string, { name, key }: { readonly name: string; readonly key?: string }): string {
  const figure = `answer.${identifier(name)}`;
  const entries = key === undefined ? figure : `map_entries(${figure})`;
  return `(select answer, unnest(${entries}) as entry from (${sql}) as answer)`;
}

/** The rows of one of the figures in the variable `figures`: an array, or an object, which is one row. */
export function figuresSql(path: readonly string[], fields: Fields, isMany: boolean): string {
  const structure = jsonStructure(fields);
  const value = `coalesce(getvariable('figures')::json -> ${literal(`$.${path.join(".")}`)}, 'null'::json)`;
  const read = (of: unknown): string => `from_json(${value}, ${literal(JSON.stringify(of))})`;
  const rows = isMany ? read([structure]) : `case when ${value} <> 'null'::json then [${read(structure)}] end`;
  return fieldsSql(`select unnest(${rows}, max_depth := 2)`, fields);
}

/** The types of the figures of an object, as the engine reads them from JSON. */
const jsonStructure = (fields: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { unit }]) => [
      name,
      isObject(unit) ? jsonStructure(unit.object) : columnType(unit),
    ]),
  );

export const isObject = (unit: Unit): unit is { readonly object: Fields } =>
  typeof unit === "object" && "object" in unit;
