import type { Field } from "../../contract/field.ts";
import { identifier } from "../database.ts";

/** A column of a query, as the engine describes it. */
export interface Described {
  readonly name: string;
  readonly type: string;
  /** Its heading for people; absent: its name. */
  readonly heading?: string;
  /** Its declaration, if it has one. */
  readonly field?: Field;
}

export const isInstantColumn = ({ type }: Described): boolean => type === "TIMESTAMP WITH TIME ZONE";
export const isDecimal = ({ type }: Described): boolean => type.startsWith("DECIMAL(");
export const isNested = ({ type }: Described): boolean => /^(STRUCT|MAP|UNION)\(|\]$|^VARIANT$/.test(type);
export const isText = ({ type }: Described): boolean => /^(VARCHAR|JSON|UUID|ENUM\()/.test(type);

/** A nested column as JSON text, for formats whose cells hold a single value. */
export const flat = (column: Described): string =>
  isNested(column) ? `to_json(${identifier(column.name)})::varchar` : identifier(column.name);
