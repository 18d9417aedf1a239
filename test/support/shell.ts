import { spawn } from "node:child_process";
import { expect } from "chai";
import { AURORA, ended, ROOT } from "./data.ts";

/**
 * The commands of a DuckDB shell in the project's folder, with only the driver. Commands are SQL or `.read` of a file,
 * and run unchanged; rows are returned as the driver's own JSON.
 */
const SHELL = `
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const results = [];
const rowsOf = async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
const run = async (command) => {
  const file = /^\\.read (\\S+)$/.exec(command)?.[1];
  if (!file) return rowsOf(command);
  const text = readFileSync(file, "utf8");
  const nested = text.match(/^\\.read \\S+$/gm);
  if (!nested) return rowsOf(text);
  for (const line of nested) await run(line);
  return [];
};
for (const command of JSON.parse(process.argv[2])) results.push(await run(command));
console.log(JSON.stringify(results));
`;

export type Rows = Record<string, unknown>[];

/** The result of each command. */
export async function inShell(commands: readonly string[], folder = ROOT): Promise<Rows[]> {
  const child = spawn(process.execPath, ["--input-type=module", "-", JSON.stringify(commands)], { cwd: folder });
  const end = ended(child);
  child.stdin.end(SHELL);
  const { status, stdout, stderr } = await end;
  expect(status, stderr).to.equal(0);
  return JSON.parse(stdout);
}

/** The commands that open an organization's derived files, from the header of `sql/setup.sql`. */
export const opening = (dataDir: string, organization = AURORA): string[] => [
  `set variable data_dir = '${dataDir}'`,
  `set variable organization_id = '${organization}'`,
  ".read sql/setup.sql",
];

/** The engine's JSON form of a value, in the type of the answer: whole numbers come as text, maps as lists. */
export function like(value: unknown, answer: unknown): unknown {
  if (typeof answer === "number" && typeof value === "string") return Number(value);
  if (typeof answer !== "object" || answer === null) return value;
  if (value === null || typeof value !== "object") return value;
  const members = answer as Record<string, unknown>;
  if (Array.isArray(answer)) return (value as unknown[]).map((element, no) => like(element, answer[no]));
  if (Array.isArray(value)) {
    // A map: the keys are data.
    return Object.fromEntries(value.map((entry) => [entry.key, like(entry.value, members[entry.key])]));
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, like(member, members[name])]));
}
