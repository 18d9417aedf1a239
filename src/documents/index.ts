import { readFileSync } from "node:fs";
import path from "node:path";
import { ATTRIBUTES } from "../core/contract/attributes.ts";
import { carriedSql } from "../core/endpoints/carried.ts";
import { allEndpoints, endpoints } from "../core/endpoints/index.ts";
import { examplePath, PROJECT } from "../core/files/paths.ts";
import { tools } from "../features/mcp/tools/index.ts";
import { attributesSql } from "./attributesSql.ts";
import { readCases } from "./cases.ts";
import { exampleTables } from "./exampleTables.ts";
import { exportsPage } from "./exportsPage.ts";
import { lineagePage } from "./lineage/page.ts";
import { openapi } from "./openapi.ts";
import { reference } from "./reference.ts";
import { rowsPerKey, views } from "./relations.ts";
import { toolsPage } from "./toolsPage.ts";

/** The page that is generated from the SQL. */
export const LINEAGE = "docs/lineage.md";

/** The documents that are generated, by their paths in the project. */
export const documents = async (): Promise<Readonly<Record<string, string>>> => ({
  ...(await declared()),
  [LINEAGE]: await lineagePage(endpoints),
});

/** Those generated from the declarations. */
export async function declared(): Promise<Readonly<Record<string, string>>> {
  const product = JSON.parse(readFileSync(path.join(PROJECT, "package.json"), "utf8"));
  const cases = readCases().map(([, it]) => it);
  const tables = await exampleTables();
  return {
    ...Object.fromEntries(
      [...tables].map(([record, text]) => [path.relative(PROJECT, examplePath(record, "csv")), text]),
    ),
    "docs/exports.md": exportsPage(tables),
    "docs/openapi.json": `${JSON.stringify(openapi(allEndpoints, cases, product), null, 2)}\n`,
    "docs/reference.md": reference(allEndpoints),
    "docs/tools.md": toolsPage(tools),
    "sql/setup/attributes.sql": attributesSql(ATTRIBUTES),
    "sql/setup/carried.sql": carriedSql(),
    "sql/setup/views.sql": views(),
    "sql/integrity/one-row-per-key.sql": rowsPerKey(),
  };
}
