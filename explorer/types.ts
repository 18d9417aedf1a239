import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { OPENAPI } from "../src/core/files/paths.ts";

/** The file with the types of the analyses' answers, generated from the API document. */
export const TYPES = path.join(import.meta.dirname, "src", "answerTypes.ts");

/** Run as a command: the library's own types do not compile under `exactOptionalPropertyTypes`. */
const GENERATOR = path.join(path.dirname(fileURLToPath(import.meta.resolve("json-schema-to-typescript"))), "cli.js");

/** The families whose answers it types. */
const ANALYSES = [
  "Profitability",
  "Profit",
  "Acquisition",
  "Products",
  "Explanations",
  "Data quality",
  "SQL",
  "Restatements",
  "Pins",
  "Alerts",
];

type Schema = Readonly<Record<string, unknown>>;

/** The text of that file. It leaves out rows and errors, which the page reads without types. */
export function answerTypes(): string {
  const { paths, components } = JSON.parse(readFileSync(OPENAPI, "utf8"));
  const analyses = (Object.values(paths) as { get: Schema & { operationId: string; tags: readonly string[] } }[])
    .filter(({ get }) => ANALYSES.includes(get.tags[0] ?? ""))
    .map(({ get }) => get.operationId.replace(/^get/, ""));
  const properties = Object.fromEntries(analyses.map((name) => [name, bare(components.schemas[name])]));
  const schema = { title: "Answers", type: "object", properties, required: analyses };
  const options = ["--additionalProperties=false", "--bannerComment=", "--style.printWidth=120"];
  const text = execFileSync(process.execPath, [GENERATOR, ...options], {
    input: JSON.stringify(schema),
    encoding: "utf8",
  });
  return `// Made from docs/openapi.json by \`npm run documents\`.\n\n${text.replaceAll(/^(\s*)(?=[\w"]+\??: )/gm, "$1readonly ").trim()}\n`;
}

/** The schema without its descriptions, which the page reads from the document itself. */
function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).filter(([name, value]) => name !== "description" || typeof value !== "string");
  return Object.fromEntries(members.map(([name, member]) => [name, bare(member)]));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(TYPES, answerTypes());
  console.log(path.relative(process.cwd(), TYPES));
}
