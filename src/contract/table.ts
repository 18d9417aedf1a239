import type { Fields, Unit } from "./field.ts";

/** A figure with a column of its own: its path in a row, and its type. */
export interface Column {
  readonly path: readonly string[];
  readonly unit: Unit;
}

/**
 * The columns of an analysis's table. Nested figures are flattened: `coverage` › `cost` is `coverage_cost`. The key of a
 * keyed figure and its values, and the members of an unnested list, are columns too: the table has a row for each.
 */
export function columnsOf(fields: Fields, above: readonly string[] = []): Column[] {
  return Object.entries(fields).flatMap(([name, { unit }]) => {
    const path = [...above, name];
    if (typeof unit === "object" && "object" in unit) return columnsOf(unit.object, path);
    if (typeof unit === "object" && "keyed" in unit) return [...columnsOf(unit.key), ...columnsOf(unit.keyed, path)];
    if (typeof unit === "object" && "array" in unit && unit.isUnnested) return columnsOf(unit.array, path);
    return [{ path, unit }];
  });
}

/** The one figure of which each key or element is a row; `key`: the name of the key. */
export function unnestedField(fields: Fields): { readonly name: string; readonly key?: string } | undefined {
  for (const [name, { unit }] of Object.entries(fields)) {
    if (typeof unit !== "object") continue;
    if ("keyed" in unit) return { name, key: Object.keys(unit.key)[0] ?? "" };
    if ("array" in unit && unit.isUnnested) return { name };
  }
  return undefined;
}

export const columnName = ({ path }: Column): string => path.join("_");

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
