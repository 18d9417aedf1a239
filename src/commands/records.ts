import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { lineColumns, type RecordDeclaration, tableColumns, titleOf } from "../core/contract/record.ts";
import { VENDORS } from "../core/contract/vendor.ts";
import { examplePath } from "../core/files/paths.ts";
import { exported } from "../core/records/index.ts";
import { recordNamed } from "../core/terminal/recordNamed.ts";
import { table } from "../core/terminal/table.ts";
import { UsageError } from "../core/terminal/usage.ts";

const TEMPLATES = ["csv", "json"] as const;

export function recordsCommand(program: Command): void {
  program
    .command("records")
    .description("list the records that can be imported, or the columns of one")
    .argument("[record]", "one record, such as vtex/orders")
    .option("--template <format>", `print an example to start from: ${TEMPLATES.join(", ")}`)
    .action((name: string | undefined, { template }: { template?: string }) => {
      const format = TEMPLATES.find((one) => one === template);
      if (template !== undefined && !format)
        throw new UsageError(`--template ${template}: one of ${TEMPLATES.join(", ")}`);
      if (format && name === undefined) throw new UsageError("--template: name a record, such as vtex/orders");
      if (name === undefined) console.log(listOfRecords());
      else if (format) process.stdout.write(readFileSync(examplePath(recordNamed(name), format), "utf8"));
      else console.log(pageOf(recordNamed(name)));
    });
}

const listOfRecords = (): string =>
  table(
    ["record", "or", "vendor", "one row"],
    exported.map((record) => {
      const { alias, name } = VENDORS[record.connector];
      return [titleOf(record), `${alias}/${record.name}`, name, record.grain];
    }),
  );

function pageOf(record: RecordDeclaration): string {
  const { name, alias } = VENDORS[record.connector];
  const { api = "", download, vendorAmounts } = record.guide ?? {};
  const columns = tableColumns(record).map(({ name, type, isRequired, meaning }) => [
    name,
    type,
    isRequired ? "required" : "",
    meaning,
  ]);
  const lines = lineColumns(record).map(({ name, type, meaning }) => [name, type, meaning]);
  return [
    `${titleOf(record)} (${alias}/${record.name}), ${name}: ${record.grain}`,
    "",
    `API: ${api}`,
    ...(download ? [`Download: ${download}`] : []),
    ...(vendorAmounts ? [`Amounts in the vendor's JSON: ${vendorAmounts}. In a table: currency units.`] : []),
    "",
    table(["column", "type", "", "meaning"], columns),
    ...(lines.length > 0
      ? ["", "Columns of a table with a row for each line:", "", table(["column", "type", "meaning"], lines)]
      : []),
    "",
    `An example to start from: lucra records ${alias}/${record.name} --template csv`,
  ].join("\n");
}
