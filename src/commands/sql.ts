import type { Command } from "commander";
import type { Config } from "../config.ts";
import { filesOf } from "../contract/endpoint.ts";
import { ApiError, OperatorError } from "../contract/error.ts";
import { type Accepted, isSent, type Param, type Params } from "../contract/param.ts";
import { endpoints } from "../endpoints/index.ts";
import { setParameters } from "../engine/answers.ts";
import type { Session } from "../engine/database.ts";
import { prepare } from "../engine/integrity.ts";
import { openServing } from "../engine/serving.ts";
import { readSql, sqlFiles } from "../engine/sql.ts";
import { currentGeneration } from "../marts/generations.ts";
import { knownOrganizations } from "../organizations/open.ts";
import { validate } from "../params/validate.ts";
import { OUTPUTS, type Output, write } from "./output.ts";
import { onceId, UsageError } from "./usage.ts";

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The parameters of all analyses are options, so that one command runs all files. */
const allParams: Params = Object.assign(
  {},
  ...endpoints.filter(({ shape }) => shape !== "page").map(({ params }) => params),
);
/** The default parameters of files that no endpoint runs. */
const usual: Accepted = Object.fromEntries(
  Object.entries(allParams).map(([name, param]) => [name, "fallback" in param ? (param.fallback ?? null) : null]),
);

/** The command has its own options for organization and format, and reads the clock from the settings. */
const isOption = ([name, param]: [string, Param]): boolean =>
  name !== "organizationId" && name !== "format" && isSent(param);

export function sqlCommand(program: Command, config: () => Config): void {
  const command = program
    .command("sql")
    .argument("<name>", "one of the SQL files, such as profitability/cards")
    .description("run one of the SQL files on an organization's data")
    .option("--organization <id>", "whose data; not needed if there is only one", onceId)
    .option("--format <format>", OUTPUTS.join(", "), process.stdout.isTTY ? "table" : "csv");
  for (const [name, param] of Object.entries(allParams).filter(isOption)) {
    command.option(`--${kebab(name)} <value>`, param.description);
  }
  command.action((name: string, options: Record<string, string>) => runFile(config(), name, options));
}

async function runFile(config: Config, name: string, options: Record<string, string>): Promise<void> {
  const format = options.format as Output;
  if (!OUTPUTS.includes(format)) throw new UsageError(`--format ${format}: one of ${OUTPUTS.join(", ")}`);
  const files = analysisFiles();
  if (!files.includes(name)) throw new UsageError(`no SQL file ${name}; there are ${files.join(", ")}`);
  const sql = readSql(name);
  const organization = await organizationOf(config, options.organization);
  const generation = await currentGeneration(config.dataDir, organization);
  if (!generation) throw new OperatorError(`nothing is derived for ${organization} yet: run sync first`);
  const incomplete = new Set((generation.missing ?? []).map(({ connector, record }) => `${connector}/${record}`));
  if (incomplete.size > 0) {
    console.error(`lucra: without the rows of lost landed files: ${[...incomplete].join(", ")} (lucra doctor)`);
  }
  const database = await openServing(config, organization);
  try {
    await database.use(async (session) => {
      await session.set("marts", generation.folder);
      await makeReady(session, name, organization, options, config.now());
      await write(session, sql, format);
    });
  } finally {
    database.close();
  }
}

/** Sets the parameters of a file, and the answers that an integrity query compares. */
export async function makeReady(
  session: Session,
  name: string,
  organization: string,
  options: Readonly<Record<string, string>>,
  now: Date,
): Promise<void> {
  const [params, accepted] = parametersOf(name, organization, options, now);
  if (name.startsWith("integrity/")) await prepare(session, endpoints, name, accepted);
  else await setParameters(session, params, accepted);
}

async function organizationOf(config: Config, id: string | undefined): Promise<string> {
  const warn = (problem: string): void => console.error(`lucra: ${problem}`);
  const known = await knownOrganizations(config.dataDir, warn, id ? [id] : undefined);
  const ids = known.map(({ organizationId }) => organizationId);
  if (id && !ids.includes(id)) throw new OperatorError(`no organization ${id}`);
  const only = ids.length === 1 ? ids[0] : undefined;
  const chosen = id ?? only;
  if (!chosen) throw new OperatorError(`--organization is needed: one of ${ids.join(", ") || "(none yet)"}`);
  return chosen;
}

/** Validates the options like the service's parameters, with the same defaults and errors. */
function parametersOf(
  name: string,
  organizationId: string,
  { organization: _, format: __, ...sent }: Readonly<Record<string, string>>,
  now: Date,
): [Params, Accepted] {
  const endpoint = endpoints.find((candidate) => filesOf(candidate).includes(name));
  if (!endpoint) return [allParams, { ...usual, ...sent }];
  try {
    return [endpoint.params, validate(endpoint, { ...sent, organizationId }, now)];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UsageError(error.details.map((d) => `--${kebab(d.parameter)}: ${d.message}`).join(" "));
  }
}

export const analysisFiles = (): string[] => sqlFiles().filter((name) => !/^(core|staging)\b|^setup/.test(name));
