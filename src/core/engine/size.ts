import {
  DuckDBArrayType,
  DuckDBBlobType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
  DuckDBVarCharType,
} from "@duckdb/node-api";
import { literal } from "./database.ts";

/** Size of a value that is not a text. */
const VALUE = 8;

/** SQL for the size of a value in bytes, null for null. It does not materialize the value: a long text may occur often. */
export function sizeOf(type: DuckDBType, value: string, depth = 0): string {
  if (type instanceof DuckDBBlobType) return `octet_length(${value})`;
  if (type instanceof DuckDBStructType) {
    const members = type.entryNames.map((name, at) => {
      const member = type.entryTypes[at] as DuckDBType;
      return `coalesce(${sizeOf(member, `struct_extract(${value}, ${literal(name)})`, depth)}, 0)`;
    });
    // The names, too: as JSON each element of a list has them.
    const names = type.entryNames.reduce((bytes, name) => bytes + Buffer.byteLength(name), 0);
    return `(${[`if(${value} is null, 0, ${names})`, ...members].join(" + ")})`;
  }
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) {
    const element = `e${depth}`;
    return `list_sum(list_transform(${value}, lambda ${element}: ${sizeOf(type.valueType, element, depth + 1)}))`;
  }
  if (type instanceof DuckDBMapType) {
    const keys = sizeOf(new DuckDBListType(type.keyType), `map_keys(${value})`, depth);
    const values = sizeOf(new DuckDBListType(type.valueType), `map_values(${value})`, depth);
    return `(coalesce(${keys}, 0) + coalesce(${values}, 0))`;
  }
  if (type instanceof DuckDBVarCharType) return `strlen(${value})`;
  return VARIABLE.has(type.typeId) ? `strlen(${value}::varchar)` : `if(${value} is null, 0, ${VALUE})`;
}

/** Other types whose values may have any length. */
const VARIABLE: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BIGNUM,
  DuckDBTypeId.BIT,
  DuckDBTypeId.GEOMETRY,
  DuckDBTypeId.UNION,
  DuckDBTypeId.VARIANT,
]);
