import {
  type AnalysisEndpoint,
  type Answers,
  type BlocksEndpoint,
  type DataState,
  type DocumentEndpoint,
  type Endpoint,
  type ExplainEndpoint,
  filesOf,
  type ModelEndpoint,
  type OnQuery,
  type RowsEndpoint,
} from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import type { Text } from "../contract/longText.ts";
import type { Accepted } from "../contract/param.ts";
import { explained } from "../params/explained.ts";
import { BlockReader, type BlockSource, isOfSource, type OnBlockFailure } from "./blocks.ts";
import type { Database, Session } from "./database.ts";
import { type Current, type Generations, held, incompleteRecords, versionOf, withEngineErrors } from "./generations.ts";
import { type KeptPlans, keepsPlan, type Statement, type Statements } from "./kept.ts";
import { macrosOf, materializeMacro } from "./macros.ts";
import { setParameters, setVariables } from "./parameters.ts";
import type { Explain, Models, RunQuery } from "./parts.ts";
import { pageSql, rowsName } from "./rows.ts";
import { SharedSessions } from "./sharedSessions.ts";
import { analysisStatements, documentStatements, envelopeStatement, jsonStatement } from "./statements.ts";
import { analysisText, documentText, pageText } from "./texts.ts";
import { timed } from "./timed.ts";

/** What the integrity queries find in a generation. */
interface Checks {
  of(version: string, folder: string, signal: AbortSignal): Promise<readonly object[]>;
}

/** Runs the query of a SQL file on the request's session, and reports its time. */
type Run = <T>(name: string, query: (session: Session) => Promise<T>) => Promise<T>;

/** A request that is being answered, from one generation. */
interface Request {
  readonly endpoint: Endpoint;
  readonly organizationId: string;
  readonly accepted: Accepted;
  readonly signal: AbortSignal;
  readonly onQuery: OnQuery;
  readonly current: Promise<Current>;
}

interface Further {
  /** The most bytes of cached blocks. */
  readonly keptBytes?: number;
  readonly onBlockFailure?: OnBlockFailure;
  /** Those of the organizations that are asked most. */
  readonly plans?: KeptPlans | undefined;
  /** Computes the figures of models; without it their endpoints are not found. */
  readonly models?: Models | undefined;
  /** Explains figures; without it that endpoint is not found. */
  readonly explain?: Explain | undefined;
  readonly checks?: Checks | undefined;
}

/** Answers from the derived files: one connection per request, the parameters bound as one struct variable. */
export class EngineAnswers implements Answers {
  readonly #database: Database;
  readonly #generations: Generations;
  readonly #blocks: BlockReader;
  readonly #plans: KeptPlans | undefined;
  readonly #models: Models | undefined;
  readonly #explain: Explain | undefined;
  readonly #checks: Checks | undefined;

  constructor(database: Database, generations: Generations, further: Further = {}) {
    this.#database = database;
    this.#generations = generations;
    this.#blocks = new BlockReader(further.keptBytes ?? 0, further.onBlockFailure ?? (() => {}));
    this.#plans = further.plans;
    this.#models = further.models;
    this.#explain = further.explain;
    this.#checks = further.checks;
  }

  /** Undefined if there are no files to answer from; `answer` then fails with the reason. */
  async dataState(organizationId: string): Promise<DataState | undefined> {
    const current = await this.#generations.current(organizationId, false).catch(orNone);
    return current && { version: versionOf(current), incomplete: incompleteRecords(current) };
  }

  async prepare(
    endpoint: Endpoint,
    organizationId: string,
    signal: AbortSignal,
    onQuery: OnQuery = () => {},
  ): Promise<void> {
    if (endpoint.shape !== "model") return;
    await held(this.#generations, organizationId, async () => {
      const current = this.#generations.current(organizationId);
      await this.#figures({ organizationId, signal, onQuery, current }, endpoint);
    });
  }

  async answer(
    endpoint: Endpoint,
    organizationId: string,
    accepted: Accepted,
    signal: AbortSignal,
    onQuery: OnQuery = () => {},
  ): Promise<Text> {
    return held(this.#generations, organizationId, async () => {
      const current = this.#generations.current(organizationId);
      return this.#answer({ endpoint, organizationId, accepted, signal, onQuery, current });
    });
  }

  #answer(request: Request): Promise<Text> {
    const { endpoint, accepted } = request;
    switch (endpoint.shape) {
      case "page":
        return this.#use(request, (run) => page(run, endpoint, accepted));
      case "explain":
        return this.#explanation(request, endpoint);
      case "blocks":
        return this.#answerOfBlocks(request, endpoint);
      case "document":
        return this.#document(request, endpoint);
      case "model":
        return this.#modelled(request, endpoint);
      default:
        return this.#analysis(request, endpoint);
    }
  }

  /** An explanation and the answer that it explains are of one generation. */
  async #explanation(request: Request, endpoint: ExplainEndpoint): Promise<string> {
    const { organizationId, signal, onQuery } = request;
    const explain = this.#explain;
    if (!explain) throw new ApiError("notFound");
    const asked = explained(endpoint, request.accepted);
    const answer = await this.#answer({ ...request, endpoint: asked.endpoint, accepted: asked.accepted });
    return this.#guarded(request, async () => {
      const { folder } = await request.current;
      return this.#database.useUntil(signal, async (session) => {
        await session.set("marts", folder);
        const run: RunQuery = async (name, { endpoint: { params }, accepted }, query) => {
          await setParameters(session, params, accepted);
          return timed(name, onQuery, () => query(session));
        };
        return explain(endpoint, { asked, answer, organizationId }, run, signal);
      });
    });
  }

  async #answerOfBlocks(request: Request, endpoint: BlocksEndpoint): Promise<string> {
    const { accepted, current, onQuery } = request;
    const found = await current.catch(orNone);
    const version = found && `${request.organizationId} ${versionOf(found)}`;
    const sessions = new SharedSessions(async () => {
      const { folder } = await current;
      return this.#database.session((session) => setVariables(session, folder, request));
    }, request.signal);
    const run =
      (group: string): Run =>
      (name, query) =>
        this.#guarded(
          request,
          () => sessions.use(group, (session) => timed(name, onQuery, () => query(session))),
          true,
        );
    const reader: BlockSource = {
      together: (all) =>
        this.#kept(request, {
          all: all.map(({ name, select }) => jsonStatement(name, select)),
          macros: macrosOf(endpoint),
        }),
      keep: (group, macro) => run(group)(`setup/${macro}`, (session) => materializeMacro(session, macro)),
      rows: (group, name, select) => textsOf(run(group), jsonStatement(name, select)),
    };
    try {
      return await this.#blocks.answer(endpoint, accepted, version, reader);
    } finally {
      await sessions.close();
    }
  }

  async #document(request: Request, endpoint: DocumentEndpoint): Promise<Text> {
    const { accepted } = request;
    const statements = documentStatements(endpoint, accepted);
    const rows =
      (await this.#kept(request, { all: statements, macros: endpoint.materialize ?? [] })) ??
      (await this.#use(request, (run) => documentRows(run, endpoint, statements)));
    return documentText(endpoint, accepted, rows);
  }

  async #modelled(request: Request, endpoint: ModelEndpoint): Promise<string> {
    const [head] = await this.#use(request, (run) => textsOf(run, envelopeStatement(endpoint)));
    const figures = await this.#figures(request, endpoint);
    return `${String(head).slice(0, -1)},${figures.slice(1)}`;
  }

  #figures(request: Omit<Request, "endpoint" | "accepted">, endpoint: ModelEndpoint): Promise<string> {
    const { signal, onQuery } = request;
    return this.#guarded(request, async () => {
      if (!this.#models) throw new ApiError("notFound");
      return this.#models.figures(endpoint, await request.current, signal, onQuery);
    });
  }

  async #analysis(request: Request, endpoint: AnalysisEndpoint): Promise<Text> {
    const { accepted } = request;
    const statements = analysisStatements(endpoint, accepted);
    const { materialize: macros = [] } = endpoint;
    const read = async (run: Run): Promise<string[][][]> => {
      await materialize(run, macros);
      return inTurn(statements, ({ name, sql }) => run(name, (session) => session.textColumns(sql)));
    };
    // A kept plan has one column.
    const kept = (await this.#kept(request, { all: statements, macros }))?.map((texts) => [texts]);
    const columns = kept ?? (await this.#use(request, read));
    const checks = endpoint.checks ? `,"checks":${JSON.stringify(await this.#checksOf(request))}` : "";
    return analysisText(endpoint, accepted, columns, checks);
  }

  async #checksOf(request: Request): Promise<readonly object[]> {
    const checks = this.#checks;
    if (!checks) throw new Error("the integrity queries are not available");
    const current = await request.current;
    const version = `${request.organizationId} ${versionOf(current)}`;
    return this.#guarded(request, () => checks.of(version, current.folder, request.signal));
  }

  /** Runs the work on a session of its own. */
  #use<T>(request: Request, work: (run: Run) => Promise<T>): Promise<T> {
    return this.#guarded(request, async () => {
      const { folder } = await request.current;
      return this.#database.useUntil(request.signal, async (session) => {
        await setVariables(session, folder, request);
        return work((name, query) => timed(name, request.onQuery, () => query(session)));
      });
    });
  }

  /** The rows of the statements by plans that are kept; undefined if the endpoint or the organization has none. */
  async #kept(request: Request, statements: Statements): Promise<string[][] | undefined> {
    const { endpoint, accepted, signal, onQuery } = request;
    const plans = this.#plans;
    if (!plans || !keepsPlan(endpoint, accepted)) return undefined;
    return this.#guarded(request, async () => {
      const asked = { folder: (await request.current).folder, params: endpoint.params, accepted };
      // The time of all is reported as that of the most important file.
      const name = filesOf(endpoint)[0] ?? "";
      return plans.rows(asked, statements, signal, (query) => timed(name, onQuery, query));
    });
  }

  #guarded<T>({ organizationId }: Pick<Request, "organizationId">, work: () => Promise<T>, isPart = false): Promise<T> {
    return withEngineErrors(this.#generations, organizationId, work, isPart);
  }
}

async function materialize(run: Run, macros: readonly string[]): Promise<void> {
  for (const macro of macros) await run(`setup/${macro}`, (session) => materializeMacro(session, macro));
}

/** Without a row of the head the parts are not computed. */
async function documentRows(
  run: Run,
  { head, materialize: once = [] }: DocumentEndpoint,
  statements: readonly Statement[],
): Promise<string[][]> {
  const read = (statement: Statement): Promise<string[]> => textsOf(run, statement);
  const heads = await inTurn(statements.slice(0, head ? 1 : 0), read);
  if (heads[0]?.length === 0) return heads;
  await materialize(run, once);
  return [...heads, ...(await inTurn(statements.slice(heads.length), read))];
}

async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await work(one));
  return results;
}

/** Undefined if the files are missing or damaged; other errors are thrown. */
function orNone(error: unknown): undefined {
  if (!(error instanceof ApiError) || !isOfSource(error)) throw error;
}

const textsOf = (run: Run, { name, sql }: Statement): Promise<string[]> => run(name, (session) => session.texts(sql));

async function page(run: Run, endpoint: RowsEndpoint, accepted: Accepted): Promise<Text> {
  const rows = await run(rowsName(endpoint), (session) => session.texts(pageSql(endpoint, accepted)));
  return ["{", pageText(rows, accepted), "}"];
}
