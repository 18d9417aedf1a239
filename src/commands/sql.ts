import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import type { Config } from "../config.ts";
import type { AnalysisEndpoint } from "../contract/endpoint.ts";
import { OperatorError } from "../contract/error.ts";
import { duckdbTypeOf, type Params, snake } from "../contract/param.ts";
import { endpoints } from "../endpoints/index.ts";
import { readSql } from "../engine/answers.ts";
import type { Session } from "../engine/database.ts";
import { openServing } from "../engine/serving.ts";
import { currentGeneration } from "../marts/generations.ts";
import { SQL } from "../paths.ts";
import { knownOrganizations } from "./organizations.ts";
import { FORMATS, type Format, write } from "./output.ts";
import { UsageError } from "./usage.ts";

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The analyses' own parameters: the organization is chosen by which files are read. */
const analyses = endpoints.filter((endpoint): endpoint is AnalysisEndpoint => endpoint.shape !== "page");
const ownParams = ({ params }: AnalysisEndpoint): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => name !== "organizationId"));

/** Every parameter of any analysis is an option, so that one command runs all files. */
const allParams: Params = Object.assign({}, ...analyses.map(ownParams));

export function sqlCommand(program: Command, config: () => Config): void {
  const command = program
    .command("sql")
    .argument("<name>", "one of the SQL files, such as profitability/cards")
    .description("run one of the SQL files on an organization's data")
    .option("--organization <id>", "whose data; may be left out when there is only one")
    .option("--format <format>", FORMATS.join(", "), process.stdout.isTTY ? "table" : "csv");
  for (const [name, param] of Object.entries(allParams)) command.option(`--${kebab(name)} <value>`, param.description);
  command.action((name: string, options: Record<string, string>) => runFile(config(), name, options));
}

async function runFile(config: Config, name: string, options: Record<string, string>): Promise<void> {
  const format = options.format as Format;
  if (!FORMATS.includes(format)) throw new UsageError(`--format ${format}: one of ${FORMATS.join(", ")}`);
  const files = await analysisFiles();
  if (!files.includes(name)) throw new UsageError(`no SQL file ${name}; there are ${files.join(", ")}`);
  const sql = await readSql(name);
  const organization = await organizationOf(config, options.organization);
  const generation = await currentGeneration(config.dataDir, organization);
  if (!generation) throw new OperatorError(`nothing is derived for ${organization} yet: run sync first`);
  const database = await openServing(config, organization);
  try {
    await database.use(async (session) => {
      await session.set("marts", generation.folder);
      await setOptions(session, name, options);
      await write(session, sql, format);
    });
  } finally {
    database.close();
  }
}

async function organizationOf(config: Config, id: string | undefined): Promise<string> {
  const known = await knownOrganizations(config.dataDir, (problem) => console.error(`lucra: ${problem}`));
  const ids = known.map(({ organizationId }) => organizationId);
  if (id && !ids.includes(id)) throw new OperatorError(`no organization ${id}`);
  const only = ids.length === 1 ? ids[0] : undefined;
  const chosen = id ?? only;
  if (!chosen) throw new OperatorError(`--organization is needed: one of ${ids.join(", ") || "(none yet)"}`);
  return chosen;
}

async function setOptions(session: Session, name: string, options: Record<string, string>): Promise<void> {
  const endpoint = analyses.find(({ sql }) => sql === name);
  const params = endpoint ? ownParams(endpoint) : allParams;
  for (const [param, declared] of Object.entries(params)) {
    const value = options[param];
    if (value !== undefined && declared.kind === "choice" && !declared.of.includes(value))
      throw new UsageError(`--${kebab(param)} ${value}: one of ${declared.of.join(", ")}`);
  }
  const members = Object.entries(params).map(([param, declared]) => ({
    name: snake(param),
    type: duckdbTypeOf(declared),
    value: options[param] ?? ("fallback" in declared ? (declared.fallback ?? null) : null),
  }));
  await session.setStruct("p", members).catch((error: Error) => {
    throw new UsageError(error.message.split("\n")[0]);
  });
}

async function analysisFiles(): Promise<string[]> {
  const names = await readdir(SQL, { recursive: true });
  return names
    .filter((file) => file.endsWith(".sql") && !/^(core|staging)\b|^setup/.test(file))
    .map((file) => file.replace(/\.sql$/, "").replaceAll(path.sep, "/"))
    .sort();
}
