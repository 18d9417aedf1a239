import { type Field, isKind, kindOf } from "../core/contract/field.ts";
import { landedFields, type RecordDeclaration, titleOf } from "../core/contract/record.ts";
import { Database, identifier, literal } from "../core/engine/database.ts";
import { examplePath } from "../core/files/paths.ts";

import { exported } from "../core/records/index.ts";
import { givenAs, withLanded } from "../features/import/preview.ts";

/**
 * A plain table of each record that has exports, as CSV: the rows that its example in the vendor's JSON lands as, so that
 * both say the same, and a table has currency units where the vendor has others.
 */
export async function exampleTables(): Promise<ReadonlyMap<RecordDeclaration, string>> {
  const database = await Database.open({ threads: 1 });
  try {
    const tables = new Map<RecordDeclaration, string>();
    for (const record of exported) tables.set(record, await tableOf(database, record));
    return tables;
  } finally {
    database.close();
  }
}

function tableOf(database: Database, record: RecordDeclaration): Promise<string> {
  const integration = { id: "example", connector: record.connector };
  return withLanded(
    database,
    [givenAs(examplePath(record, "json"))],
    { record, integration },
    async ({ session, outcome, rows: files }) => {
      const [file] = files;
      if (file === undefined || outcome.rejected > 0)
        throw new Error(`the example of ${titleOf(record)} does not land`);
      const fields = landedFields(record);
      const columns = fields.map(([name, field]) => `${textOf(field, identifier(name))} as ${identifier(name)}`);
      const rows = await session.rows(
        `select ${columns.join(", ")} from read_parquet(${literal(file)})
        order by ${["_position", ...record.key].map(identifier).join(", ")}`,
      );
      const filled = fields.filter(([name]) => rows.some((row) => row[name] !== null));
      const lines = rows.map((row) => filled.map(([name, field]) => cell(field, row[name])).join(","));
      return `${[filled.map(([name]) => name).join(","), ...lines].join("\n")}\n`;
    },
  );
}

/** SQL for a value as text. */
function textOf(field: Field, column: string): string {
  switch (kindOf(field)) {
    case "instant":
      return `strftime(timezone('UTC', ${column}), '%Y-%m-%dT%H:%M:%SZ')`;
    case "list":
      return `to_json(${column})::varchar`;
    default:
      return `${column}::varchar`;
  }
}

/** A CSV cell. Amounts lose the zeros of their type, and elements of lists their nulls. */
function cell(field: Field, value: unknown): string {
  if (value === null) return "";
  const text = isKind(field, "list")
    ? JSON.stringify(JSON.parse(String(value), (_, member) => (member === null ? undefined : member)))
    : isKind(field, "money")
      ? String(value).replace(/(\.\d\d)0+$/, "$1")
      : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
