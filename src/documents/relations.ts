import { CORE, type CoreRelation } from "../core/marts/relations.ts";
import { LANDED_RECORDS } from "../core/marts/staging.ts";

/** The relations that analyses read, by name. */
const shown: readonly Pick<CoreRelation, "name" | "key" | "partition">[] = [
  ...CORE.filter(({ keptFor }) => keptFor === "analyses"),
  LANDED_RECORDS,
].sort((a, b) => (a.name < b.name ? -1 : 1));

const GENERATED = "Written by `npm run documents` from the heads of sql/core/*.sql.";

/** `sql/setup/views.sql`: the view of each relation. A pattern costs a listing of the folder, so only parts have one. */
export const views = (): string => `-- One view per relation over the organization's derived files.
-- ${GENERATED}

-- Folder names are not read as columns: every relation has the columns of its own files only.

${shown
  .map(({ name, partition: parts }) => {
    const file = parts ? `${name}.*parquet` : `${name}.parquet`;
    return `create view ${name} as\n    from read_parquet(getvariable('marts') || '/${file}', hive_partitioning = false);`;
  })
  .join("\n")}
`;

/** `sql/integrity/one-row-per-key.sql`: the rows of each relation that share a key. */
export function rowsPerKey(): string {
  const branches = shown
    .filter(({ key }) => key !== undefined)
    .map(({ name, key = [] }, no) => {
      const columns = key.map((column) =>
        column.startsWith("*") ? `\n        *columns(${column.replaceAll(", ", ",\n            ")})\n    ` : column,
      );
      const value = columns.length === 0 ? "'one row'" : `row(${columns.join(", ")})::varchar`;
      return `    select '${name}'${no === 0 ? " as relation" : ""}, ${value}${no === 0 ? " as key" : ""}\n    from ${name}`;
    });
  return `-- The declared key of each relation is unique; a key without columns is that of a relation with one row.
-- ${GENERATED}

with

keys as (

${branches.join("\n\n    union all\n\n")}

)

select relation, key, count(*) as rows
from keys
group by all
having count(*) <> 1
`;
}
