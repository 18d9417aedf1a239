import type { RecordDeclaration } from "../contract/record.ts";
import { identifier } from "./database.ts";

/** What rows are sorted by [D19]: instants as clients see them, in milliseconds; the lake has microseconds. */
export const sortKey = ({ fields }: RecordDeclaration, name: string, column = identifier(name)): string =>
  name === "inserted_at" || fields[name]?.kind === "instant" ? `date_trunc('millisecond', ${column})` : column;
