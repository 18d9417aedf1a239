import { readFile } from "node:fs/promises";
import { text as textOf } from "node:stream/consumers";
import type { Command } from "commander";
import type { Config } from "../core/config.ts";
import { answerFields } from "../core/contract/answer.ts";
import { filesOf } from "../core/contract/endpoint.ts";
import { ApiError, failureText, OperatorError } from "../core/contract/error.ts";
import type { Current } from "../core/contract/generations.ts";
import { nearest } from "../core/contract/nearest.ts";
import { type Accepted, isSent, type Param, type Params } from "../core/contract/param.ts";
import type { Organization } from "../core/contract/settings.ts";
import { everyParam, paramsOf, usual } from "../core/endpoints/every.ts";
import { endpoints } from "../core/endpoints/index.ts";
import type { Session } from "../core/engine/database.ts";
import { prepare } from "../core/engine/integrity.ts";
import { setParameters } from "../core/engine/parameters.ts";
import { openServing } from "../core/engine/serving.ts";
import { readSql, sqlFiles } from "../core/engine/sql.ts";
import { foldersOf } from "../core/files/organizationFolders.ts";
import { knownIn } from "../core/http/known.ts";
import { currentGeneration } from "../core/marts/generations.ts";
import { StateStore } from "../core/marts/stateStore.ts";
import { NO_MARGIN } from "../core/organizations/margin.ts";
import { oneOrganization } from "../core/organizations/named.ts";
import { withSettings } from "../core/params/fromSettings.ts";
import { validate } from "../core/params/validate.ts";
import { deriveStateAlone } from "../core/sync/sync.ts";
import { OUTPUT_NAMES, outputOf, write } from "../core/terminal/output.ts";
import { inTemporaryFolder } from "../core/terminal/temporary.ts";
import { once, UsageError } from "../core/terminal/usage.ts";
import { asPart, ONE_QUERY } from "../features/adhoc/own/check.ts";

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The command has its own options for organization and format, and reads the clock from the settings. */
const NO_OPTIONS = ["organizationId", "format", "locale", "headings"];

const isOption = ([name, param]: [string, Param]): boolean => !NO_OPTIONS.includes(name) && isSent(param);

export function sqlCommand(program: Command, config: () => Config): void {
  const command = program
    .command("sql")
    .argument(
      "[name or file]",
      "one of the SQL files, such as profitability/cards, the path of a file of your own, or - for the standard input",
    )
    .description("run a SQL file, or a query of your own, on an organization's data, which it can only read")
    .option("--query <select>", "run this query instead of a file", once)
    .option("--list", "list the SQL files, with the options that they need")
    .option("--organization <id or name>", "whose data; not needed if there is only one", once)
    .option(
      "--format <format>",
      `${OUTPUT_NAMES}; json and ndjson are an object per line`,
      process.stdout.isTTY ? "table" : "csv",
    );
  for (const [name, param] of Object.entries(everyParam).filter(isOption)) {
    command.option(`--${kebab(name)} <value>`, param.description);
  }
  command.action(async (name: string | undefined, { query, list, ...options }: Options) => {
    if (list) return console.log(listText());
    await runSql(config(), await sourceOf(name, query), options);
  });
}

type Options = { readonly query?: string; readonly list?: boolean } & Record<string, string>;

/** The query: a file of the project, or a query of the operator's own. */
interface Source {
  readonly sql: string;
  /** The file's name; undefined for a query of the operator's own. */
  readonly name?: string;
}

const STANDARD_INPUT = "-";

async function sourceOf(name: string | undefined, query: string | undefined): Promise<Source> {
  if ((name === undefined) === (query === undefined)) {
    throw new UsageError("the name of a SQL file, - for the standard input, or --query, is expected: lucra sql --list");
  }
  if (query !== undefined) return { sql: asPart(query) };
  if (name === STANDARD_INPUT) return { sql: asPart(await textOf(process.stdin)) };
  const wanted = String(name);
  const files = analysisFiles();
  if (files.includes(wanted)) return { sql: readSql(wanted), name: wanted };
  const text = await readFile(wanted, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "EISDIR") return undefined;
    throw new OperatorError(`${wanted} cannot be read (${error.code})`);
  });
  if (text !== undefined) return { sql: asPart(text) };
  const short = new Map(files.map((file) => [file.slice(file.lastIndexOf("/") + 1), file]));
  const guess = short.get(wanted) ?? nearest(wanted, files);
  const meant = guess ? `did you mean ${guess}? ` : "";
  throw new UsageError(`no SQL file ${wanted}: ${meant}lucra sql --list shows all; --query runs a query of your own`);
}

/** The SQL files, each with the options that it cannot run without. */
function listText(): string {
  const lines = analysisFiles().map((name) => {
    const params = Object.entries(endpointOf(name)?.params ?? {}).filter(isOption);
    const needed = params.flatMap(([param, { required }]) => (required ? [`--${kebab(param)} <value>`] : []));
    return [name, ...needed].join(" ");
  });
  return lines.join("\n");
}

async function runSql(config: Config, { sql, name }: Source, options: Record<string, string>): Promise<void> {
  const format = outputOf(options.format);
  const warn = (problem: string): void => console.error(`lucra: ${problem}`);
  const settings = await oneOrganization(config.dataDir, warn, options.organization);
  const { organizationId: organization } = settings;
  const read = await filesRead(config, organization, options);
  const incomplete = new Set((read.missing ?? []).map(({ connector, record }) => `${connector}/${record}`));
  if (incomplete.size > 0) {
    console.error(`lucra: without the rows of lost landed files: ${[...incomplete].join(", ")} (lucra doctor)`);
  }
  await inTemporaryFolder("lucra-sql-", async (folder) => {
    const database = await openServing(config, organization, undefined, read.folder);
    try {
      await database.lockDown(read.folder, folder);
      await database.use(async (session) => {
        await session.set("marts", read.folder);
        await makeReady(session, name ?? "", settings, options, read.now);
        if (name === undefined) {
          await assertQuery(session, sql);
          for (const unset of nullDates(sql, options)) console.error(`lucra: ${unset}`);
        }
        if (usesMargin(name) && !(await isMarginConfigured(session))) console.error(`lucra: ${NO_MARGIN}`);
        await write(session, sql, format, folder).catch((error: Error) => {
          throw name === undefined && !(error instanceof OperatorError) ? new OperatorError(error.message) : error;
        });
      });
    } finally {
      database.close();
    }
  });
}

interface FilesRead extends Pick<Current, "folder" | "missing"> {
  /** The time by which the query goes. */
  readonly now: Date;
}

/** The derived files in force or, with `--known-at`, those of what was known then, which are derived if they are not there. */
async function filesRead(config: Config, organization: string, { knownAt }: { knownAt?: string }): Promise<FilesRead> {
  const { dataDir, now } = config;
  if (knownAt === undefined) {
    const generation = await currentGeneration(foldersOf(dataDir, organization));
    if (!generation) throw new OperatorError(nothingDerived(organization));
    return { ...generation, now: now() };
  }
  let failure: unknown;
  const states = new StateStore(dataDir, {
    derive: (id, wanted) => deriveStateAlone(config, id, wanted),
    onFailure: (_, error) => {
      failure = error;
    },
    // A service that runs meanwhile removes those that it does not read.
    bytes: Number.POSITIVE_INFINITY,
    waitMs: LONGEST_MS,
  });
  try {
    const known = await knownIn({ states, now }, organization, knownAt);
    return { ...(await known.files.current(organization)), now: new Date(known.knownAt) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.kind === "invalid")
      throw new UsageError(`--known-at ${knownAt}: ${error.details.map(({ message }) => message).join(" ")}`);
    if (error.kind === "underived") throw new OperatorError(nothingDerived(organization));
    throw new OperatorError(`what was known at ${knownAt} cannot be derived: ${failureText(failure ?? error)}`);
  }
}

const LONGEST_MS = 24 * 3_600_000;

const nothingDerived = (organization: string): string => `nothing is derived for ${organization} yet: run sync first`;

/** Comparing a day with a date that is null selects nothing, and no error says so. */
function nullDates(sql: string, options: Readonly<Record<string, string>>): string[] {
  const code = sql.replaceAll(/--[^\n]*|'(?:[^']|'')*'/g, "").toLowerCase();
  const read = new Set(code.match(/\w+/g));
  return ["start", "end"]
    .filter(
      (bound) => options[`${bound}Date`] === undefined && (read.has(`${bound}_date`) || read.has(`period_${bound}`)),
    )
    .map(
      (bound) =>
        `the query reads the period's ${bound}, which is null without --${bound}-date; is_in_period(day) is true for every day then`,
    );
}

/** A file's columns are without the margin, which is in the envelope of its endpoint. */
function usesMargin(name: string | undefined): boolean {
  const endpoint = endpointOf(name ?? "");
  return endpoint !== undefined && Object.hasOwn(answerFields(endpoint), "marginConfigured");
}

async function isMarginConfigured(session: Session): Promise<boolean> {
  const [margin] = await session.rows("select is_configured from margin");
  return margin?.is_configured === true;
}

/** The engine could write into the folder of the derived files: a query of the operator's own only reads. */
async function assertQuery(session: Session, sql: string): Promise<void> {
  const isQuery = await session.isQuery(sql).catch((error: Error) => {
    throw new OperatorError(error.message);
  });
  if (!isQuery) throw new UsageError(ONE_QUERY);
}

/** Sets the parameters of a file, and the answers that an integrity query compares. */
export async function makeReady(
  session: Session,
  name: string,
  settings: Organization,
  options: Readonly<Record<string, string>>,
  now: Date,
): Promise<void> {
  const [params, given] = parametersOf(name, settings.organizationId, options, now);
  const endpoint = endpointOf(name);
  const accepted = endpoint ? await withSettings(endpoint, given, now, async () => settings) : given;
  if (name.startsWith("integrity/")) await prepare(session, endpoints, name, accepted);
  else await setParameters(session, params, accepted);
}

const endpointOf = (name: string) => endpoints.find((candidate) => filesOf(candidate).includes(name));

/** Validates the options like the service's parameters, with the same defaults and errors. */
function parametersOf(
  name: string,
  organizationId: string,
  { organization: _, format: __, knownAt: ___, ...sent }: Readonly<Record<string, string>>,
  now: Date,
): [Params, Accepted] {
  const endpoint = endpointOf(name);
  if (!endpoint) return [everyParam, { ...usual, ...sent }];
  const params = paramsOf(endpoint);
  try {
    return [params, validate({ ...endpoint, params }, { ...sent, organizationId }, now)];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UsageError(error.details.map((d) => `--${kebab(d.parameter)}: ${d.message}`).join(" "));
  }
}

/** Those that read one state of the data. */
export const analysisFiles = (): string[] =>
  sqlFiles().filter((name) => !/^(core|staging|settings|restatements|integrity\/restatements)\b|^setup/.test(name));
