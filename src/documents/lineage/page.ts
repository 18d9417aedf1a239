import type { Endpoint } from "../../core/contract/endpoint.ts";
import { type RecordDeclaration, relationOf } from "../../core/contract/record.ts";
import { CORE, type CoreRelation } from "../../core/marts/relations.ts";
import { exported } from "../../core/records/index.ts";
import { type Lineage, lineage } from "./lineage.ts";

const HEAD = `# Lineage

Written by \`npm run documents\` from the SQL files: the heads of \`sql/core/*.sql\`, and the engine's plans of all queries.

From an answer back to the vendor: a field of an [answer](#answers) is made of [columns](#columns) of relations, these in
the end of fields of [records](#records), and a field of a record of keys of the vendor's object. A value is made of what
its expression reads; a count, of the key of the rows that it counts. Joins and filters are not listed: the head of each
SQL file describes which rows there are. Settings of the organization and what the landing adds to a row are left out.`;

/** Every relation, answer and record with what it is made of, as Markdown. */
export async function lineagePage(endpoints: readonly Endpoint[]): Promise<string> {
  const made = await lineage(endpoints);
  const readers = (name: string): string[] => [
    ...CORE.filter(({ reads }) => reads.includes(name)).map((one) => one.name),
    ...made.answers.filter(({ reads }) => reads.includes(name)).map(({ file }) => file),
  ];
  const parts = [
    HEAD,
    "## Relations",
    "A relation's records are named `connector/record`.",
    table(
      ["Relation", "Grain", "Key", "Reads", "Read by"],
      [...CORE]
        .sort(byName)
        .map((one) => [
          code(one.name),
          one.grain,
          one.key ? one.key.map(code).join(", ") : "",
          [...one.reads, ...one.records.map(recordName)].map(code).join(", "),
          readers(one.name).map(code).join(", "),
        ]),
    ),
    "## Answers",
    ...made.answers.flatMap(({ file, columns }) => [
      `### ${file}`,
      table(
        ["Field", "Columns", "Fields of records"],
        columns.map(({ name, of }) => [code(name), listed(of), fields(made, of)]),
      ),
    ]),
    "## Columns",
    ...made.relations.flatMap(({ relation, columns }) => [
      `### ${relation}`,
      table(
        ["Column", "Made of"],
        columns.map(({ name, of }) => [code(name), listed(of.map(recordColumn))]),
      ),
    ]),
    "## Records",
    ...made.records.flatMap(({ record, columns }) => [
      `### ${record}`,
      table(
        ["Field", "Vendor's keys"],
        columns.map(({ name, of }) => [code(name), listed(of)]),
      ),
    ]),
  ];
  return `${parts.join("\n\n")}\n`;
}

const byName = (a: CoreRelation, b: CoreRelation): number => (a.name < b.name ? -1 : 1);
const code = (text: string): string => `\`${text}\``;
const listed = (names: readonly string[]): string => [...new Set(names)].map(code).join(", ");

const RECORDS: ReadonlyMap<string, RecordDeclaration> = new Map(exported.map((record) => [relationOf(record), record]));

function recordName(relation: string): string {
  const record = RECORDS.get(relation);
  return record ? `${record.connector}/${record.name}` : relation;
}

/** `staging.storea_orders.value` → `storea/orders.value`. */
const recordColumn = (source: string): string =>
  source.replace(/^staging\.(\w+)/, (_, relation: string) => recordName(relation));

/** The fields that columns come from in the end, by record. */
const fields = (made: Lineage, columns: readonly string[]): string =>
  [...made.fields(columns)].map(([record, of]) => `${record} ${listed(of)}`).join("; ");

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...lines.map(line)].join("\n");
}
