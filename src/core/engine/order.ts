import { isKind } from "../contract/field.ts";
import type { RecordDeclaration } from "../contract/record.ts";
import { identifier } from "./database.ts";

/** The sort key of rows [D19]: instants in milliseconds, as clients see them; the lake has microseconds. */
export const sortKey = ({ fields }: RecordDeclaration, name: string, column = identifier(name)): string =>
  name === "inserted_at" || isKind(fields[name], "instant") ? `date_trunc('millisecond', ${column})` : column;
