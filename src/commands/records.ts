import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { type RecordDeclaration, tableColumns, titleOf } from "../contract/record.ts";
import { CONNECTOR_NAMES, connectorNamed, VENDORS } from "../contract/vendor.ts";
import { examplePath } from "../files/paths.ts";
import { exported, exportedBy } from "../records/index.ts";
import { table } from "./table.ts";
import { UsageError } from "./usage.ts";

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

/** The record of this name: `storea/orders` or `vtex/orders`. */
export function recordNamed(text: string): RecordDeclaration {
  const [first = "", ...rest] = text.split("/");
  const connector = connectorNamed(first);
  if (!connector) throw new UsageError(`${text}: no such connector; known are ${CONNECTOR_NAMES.join(", ")}`);
  const records = exportedBy(connector);
  const record = records.find((one) => one.name === rest.join("/").trim().toLowerCase());
  if (!record)
    throw new UsageError(`${text}: no such record; ${first} has ${records.map((one) => one.name).join(", ")}`);
  return record;
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
  return [
    `${titleOf(record)} (${alias}/${record.name}), ${name}: ${record.grain}`,
    "",
    `API: ${api}`,
    ...(download ? [`Download: ${download}`] : []),
    ...(vendorAmounts ? [`Amounts in the vendor's JSON: ${vendorAmounts}. In a table: currency units.`] : []),
    "",
    table(["column", "type", "", "meaning"], columns),
    "",
    `An example to start from: lucra records ${alias}/${record.name} --template csv`,
  ].join("\n");
}
