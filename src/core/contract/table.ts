import type { Field, Fields, Unit } from "./field.ts";

/** A figure with a column of its own: its path in a row, and its declaration. */
export interface Column {
  readonly path: readonly string[];
  /** The names whose labels make its heading: the path without what each row is an entry of. */
  readonly words: readonly string[];
  readonly unit: Unit;
  readonly field: Field;
}

/**
 * The columns of an analysis's table. Nested figures are flattened: `coverage` › `cost` is `coverage_cost`. The key of a
 * keyed figure and its values, and the members of an unnested list, are columns too: the table has a row for each.
 */
export function columnsOf(fields: Fields, above: readonly string[] = [], wordsAbove = above): Column[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { unit } = field;
    const path = [...above, name];
    const words = [...wordsAbove, name];
    if (typeof unit === "object" && "object" in unit) return columnsOf(unit.object, path, words);
    if (typeof unit === "object" && "keyed" in unit) {
      return [...columnsOf(unit.key), ...columnsOf(unit.keyed, path, wordsAbove)];
    }
    if (typeof unit === "object" && "array" in unit && unit.isUnnested) return columnsOf(unit.array, path, wordsAbove);
    if (typeof unit === "object" && "crossed" in unit && unit.of === 2) return halvesOf({ path, words, unit, field });
    return [{ path, words, unit, field }];
  });
}

/** A column for each of two values, numbered from 0. */
const halvesOf = (column: Column): Column[] =>
  ["0", "1"].map((no) => ({ ...column, path: [...column.path, no], words: [...column.words, no] }));

/** Whether a column has one of the values that a row is of, or of two of them the one that the last step of its path numbers. */
export const isCrossed = ({ unit }: Column): boolean => typeof unit === "object" && "crossed" in unit;

/** The columns of a table whose fields are not flattened: a record's rows. */
export const plainColumns = (fields: Fields): Column[] =>
  Object.entries(fields).map(([name, field]) => ({ path: [name], words: [name], unit: field.unit, field }));

/** The one figure of which each key or element is a row; `key`: the name of the key. */
export function unnestedField(fields: Fields): { readonly name: string; readonly key?: string } | undefined {
  for (const [name, { unit }] of Object.entries(fields)) {
    if (typeof unit !== "object") continue;
    if ("keyed" in unit) return { name, key: Object.keys(unit.key)[0] ?? "" };
    if ("array" in unit && unit.isUnnested) return { name };
  }
  return undefined;
}

/** Steps are joined by `_`, but for the number of one of two values: `breakKey.0`. */
export const columnName = (column: Column): string =>
  isCrossed(column) && column.path.length > 1 ? column.path.join(".") : column.path.join("_");

/** A column's type. Money is decimal, with cents; other figures with decimals are doubles, as in the JSON. */
export function columnType(unit: Unit): string {
  if (typeof unit === "object") return "varchar";
  switch (unit) {
    case "currency":
    case "count or currency":
      return "decimal(18, 2)";
    case "count":
      return "bigint";
    case "flag":
      return "boolean";
    case "text":
    case "null":
      return "varchar";
    case "day":
      return "date";
    case "instant":
      return "timestamptz";
    default:
      return "double";
  }
}
