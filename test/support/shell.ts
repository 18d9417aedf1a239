import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { ROOT as ANSWER, type Endpoint, filesOf } from "../../src/core/contract/endpoint.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { AURORA, ended, ROOT } from "./data.ts";
import type { Service } from "./service.ts";

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

const P = `{'start_date': date '2025-02-01', 'end_date': date '2025-02-28',
  'view': 'revenue', 'group_by': 'month', 'break_by': 'origem', 'by': 'channel,weekday'}`;
export const PERIOD = "startDate=2025-02-01&endDate=2025-02-28";
const ANALYSES = endpoints.filter(({ envelope }) => envelope);
/** The files of analyses. */
export const ANALYSIS_FILES = ["profitability", "acquisition"].flatMap((folder) =>
  readdirSync(path.join(ROOT, "sql", folder)).map((file) => `${folder}/${file}`),
);

/** In SQL what may be two values is always a list: a column has one type. */
const inLists = ({ params }: Endpoint, row: Rows[number]): Rows[number] => {
  if (params.breakBy?.kind !== "crossing" || !("breakKey" in row)) return row;
  return { ...row, breakKey: [row.breakKey], breakLabel: [row.breakLabel] };
};

/** The one that runs all integrity checks. */
export const CHECKS = "profitability/reconciliation.sql";

/** What the files give in a shell, for a period. */
export async function analysesInShell(dataDir: string, files: readonly string[]): Promise<Record<string, Rows>> {
  const open = [...opening(dataDir), `set variable p = ${P}`];
  const results = await inShell([...open, ...files.map((file) => `.read sql/${file}`)]);
  return Object.fromEntries(files.map((file, n) => [file, results[open.length + n] ?? []]));
}

/** Fails if a file's rows are not those of the service's answer. */
export async function expectServiceAnswer(service: Service, file: string, shell: Rows): Promise<void> {
  const endpoint = ANALYSES.find((candidate) => filesOf(candidate).some((sql) => `${sql}.sql` === file));
  if (!endpoint) throw new Error(`no endpoint for ${file}`);
  if (endpoint.by === "model") {
    expect(shell).to.not.be.empty;
    return;
  }
  const [name, part] = Object.entries(endpoint.parts).find(([, { sql }]) => `${sql}.sql` === file) ?? [];
  if (name === undefined || !part) throw new Error(`no part for ${file}`);
  const broken = "breakBy" in endpoint.params && !part.nullIf?.isSent ? "&breakBy=origem" : "";
  const amounts = "marginItems" in endpoint.params ? "&marginItems=amounts" : "";
  const by = "by" in endpoint.params ? "&by=channel,weekday" : "";
  const { body } = await service.get(`${endpoint.path}?${PERIOD}${broken}${by}${amounts}`);
  const rows = name === ANSWER ? [body] : [body[name]].flat();
  expect(shell).to.not.be.empty;
  const names = Object.keys(part.fields);
  const leftOut = part.leftOut ? { [part.leftOut.column]: 0 } : {};
  const picked = (rows as Rows).map((row) => ({
    ...inLists(endpoint, Object.fromEntries(names.map((name) => [name, row[name]]))),
    ...leftOut,
  }));
  expect(picked.map((row, n) => like(shell[n] ?? null, row))).to.deep.equal(picked);
  expect(shell).to.have.lengthOf(picked.length);
}

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
