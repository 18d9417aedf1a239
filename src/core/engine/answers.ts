import {
  type Answers,
  type BlocksEndpoint,
  type DataState,
  type ExplainEndpoint,
  filesOf,
  type ModelEndpoint,
  needsStore,
  type RequestContext,
  STORE_FILE,
} from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { statesReady } from "../contract/generations.ts";
import type { Text } from "../contract/longText.ts";
import { explained } from "../params/explained.ts";
import { BlockReader, type BlockSource, isOfSource, type OnBlockFailure } from "./blocks.ts";
import type { Session } from "./database.ts";
import { engineFor } from "./engines.ts";
import { envelopeStatement, envelopeText, LatestEnvelopes, type Remembered, withKnown } from "./envelope.ts";
import { incompleteRecords, versionOf, withEngineErrors } from "./generations.ts";
import { type KeptPlans, keptTables } from "./kept.ts";
import { materializeMacro } from "./macros.ts";
import { setParameters, setVariables, withDates } from "./parameters.ts";
import {
  answerText,
  jsonStatement,
  type PartRows,
  type ShownPart,
  type Statement,
  shownParts,
  statementOf,
} from "./parts.ts";
import type { Explain, Models, RunQuery } from "./ports.ts";
import { inSession, openReading, type Reading, type Source } from "./reading.ts";
import { SharedSessions } from "./sharedSessions.ts";
import { startTimer, timed } from "./timed.ts";

/** Results of the integrity queries, by generation. */
interface Checks {
  of(version: string, folder: string, signal: AbortSignal): Promise<readonly object[]>;
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

/** The columns of a statement's rows. */
type Columns = readonly (readonly (string | Buffer)[])[];

/** A statement of an answer. */
interface Planned {
  readonly statement: Statement;
  readonly isRequired?: true | undefined;
}

/** Answers from the derived files: one session per request, the parameters bound as one struct variable. */
export class EngineAnswers implements Answers {
  readonly #source: Source;
  readonly #further: Further;
  readonly #blocks: BlockReader;
  readonly #envelopes = new LatestEnvelopes();

  constructor(source: Source, further: Further = {}) {
    this.#source = source;
    this.#further = further;
    this.#blocks = new BlockReader(further.keptBytes ?? 0, further.onBlockFailure ?? (() => {}));
  }

  /** Undefined if there are no files to answer from; `answer` then fails with the reason. */
  async dataState(organizationId: string): Promise<DataState | undefined> {
    const current = await this.#source.generations.current(organizationId, false).catch(orNone);
    return current && { version: versionOf(current), incomplete: incompleteRecords(current) };
  }

  async prepare(context: RequestContext): Promise<void> {
    const { endpoint, organizationId } = context;
    await statesReady(organizationId, context);
    if (endpoint.by !== "model") return;
    const reading = openReading(this.#source, context);
    await this.#figures(reading, endpoint).finally(reading.release);
  }

  async answer(context: RequestContext): Promise<Text> {
    const reading = openReading(this.#source, context);
    try {
      const text = await this.#answer(reading);
      return context.known ? withKnown(text, context.known, context.compared) : text;
    } finally {
      reading.release();
    }
  }

  #answer(reading: Reading): Promise<Text> {
    const { endpoint } = reading;
    if (endpoint.by === "explain") return this.#explanation(reading, endpoint);
    if (endpoint.by === "blocks") return this.#ofBlocks(reading, endpoint);
    return this.#ofParts(reading);
  }

  /** The envelope and the parts, each from its statement or from the code that computes it. */
  async #ofParts(reading: Reading): Promise<Text> {
    const { endpoint, accepted } = reading;
    const shown = shownParts(endpoint, accepted).filter(({ part, isNull }) => !isNull && !part.inTables);
    const stated = shown.flatMap((one): (Planned & ShownPart)[] => {
      const statement = statementOf(one, accepted);
      return statement ? [{ ...one, statement, isRequired: one.part.required }] : [];
    });
    const known = endpoint.envelope && (await this.#envelope(reading));
    const asked = endpoint.envelope && !known?.row ? { statement: envelopeStatement() } : undefined;
    const store = needsStore(endpoint, accepted)
      ? [{ statement: jsonStatement(STORE_FILE), isRequired: true as const }]
      : [];
    const columns = await this.#columns(reading, [...store, ...(asked ? [asked] : []), ...stated]);
    const row = asked ? columns.get(asked)?.[0]?.[0]?.toString() : known?.row;
    if (asked && row !== undefined) known?.remember(row);
    const parts = new Map(stated.map((one): [string, PartRows] => [one.name, partRows(columns.get(one))]));
    for (const { name, part } of shown) if (part.from) parts.set(name, await this.#computed(reading, part.from));
    return answerText(endpoint, accepted, { envelope: row && envelopeText(endpoint, accepted, row), parts });
  }

  /** Its envelope, if it was computed before. */
  async #envelope({ endpoint, organizationId, accepted, generation }: Reading): Promise<Remembered | undefined> {
    const found = await generation.catch(orNone);
    return found && this.#envelopes.at(organizationId, found, withDates(endpoint, accepted));
  }

  /** The rows of the statements. Without a row of one that is required, the answer is not found. */
  async #columns(reading: Reading, planned: readonly Planned[]): Promise<Map<Planned, Columns>> {
    if (planned.length === 0) return new Map();
    const macros = reading.endpoint.materialize ?? [];
    // What is required is read first: without its row the others, and the macros that they share, are not computed.
    const all = [...planned.filter(({ isRequired }) => isRequired), ...planned.filter(({ isRequired }) => !isRequired)];
    const kept = await this.#kept(
      reading,
      all.map(({ statement }) => statement),
    );
    // A kept plan has one column.
    if (kept) return new Map(all.map((one, no) => [one, found(one, [kept[no] ?? []])]));
    return inSession(this.#source, reading, async (session) => {
      const columns = new Map<Planned, Columns>();
      for (const [no, one] of all.entries()) {
        if (!one.isRequired && (no === 0 || all[no - 1]?.isRequired)) await materialize(session, macros, reading);
        const { name, sql, joinedSql = sql } = one.statement;
        const read = await session.textOrByteColumns(joinedSql).finally(startTimer(name, reading.onQuery));
        columns.set(one, found(one, read));
      }
      return columns;
    });
  }

  async #computed(reading: Reading, from: "integrity" | "model"): Promise<PartRows> {
    const { endpoint } = reading;
    if (from === "integrity") return { texts: (await this.#checks(reading)).map((check) => JSON.stringify(check)) };
    return { texts: [await this.#figures(reading, endpoint as ModelEndpoint)] };
  }

  #figures(reading: Reading, endpoint: ModelEndpoint): Promise<string> {
    const { generation, signal, onQuery } = reading;
    return this.#guarded(reading, async () => {
      if (!this.#further.models) throw new ApiError("notFound");
      return this.#further.models.figures(endpoint, await generation, signal, onQuery);
    });
  }

  async #checks(reading: Reading): Promise<readonly object[]> {
    const { checks } = this.#further;
    if (!checks) throw new Error("the integrity queries are not available");
    const generation = await reading.generation;
    const version = `${reading.organizationId} ${versionOf(generation)}`;
    return this.#guarded(reading, () => checks.of(version, generation.folder, reading.signal));
  }

  /** An explanation and the answer that it explains are of one generation. */
  async #explanation(reading: Reading, endpoint: ExplainEndpoint): Promise<string> {
    const { explain } = this.#further;
    const { organizationId, signal, onQuery } = reading;
    if (!explain) throw new ApiError("notFound");
    const asked = explained(endpoint, reading.accepted);
    const answer = await this.#answer({ ...reading, endpoint: asked.endpoint, accepted: asked.accepted });
    return inSession(this.#source, reading, (session) => {
      const run: RunQuery = async (name, { endpoint: { params }, accepted }, query) => {
        await setParameters(session, params, accepted);
        return timed(name, onQuery, () => query(session));
      };
      return explain(endpoint, { asked, answer, organizationId }, run, signal);
    });
  }

  async #ofBlocks(reading: Reading, endpoint: BlocksEndpoint): Promise<string> {
    const { accepted, generation, onQuery } = reading;
    const found = await generation.catch(orNone);
    const version = found && `${reading.organizationId} ${versionOf(found)}`;
    const sessions = new SharedSessions(async () => {
      const { folder } = await generation;
      const database = await engineFor(this.#source, folder);
      return database.session((session) => setVariables(session, folder, reading));
    }, reading.signal);
    const run = <T>(group: string, name: string, query: (session: Session) => Promise<T>): Promise<T> =>
      this.#guarded(reading, () => sessions.use(group, (session) => timed(name, onQuery, () => query(session))), true);
    const source: BlockSource = {
      together: (all) =>
        this.#kept(
          reading,
          all.map(({ name, select }) => jsonStatement(name, select)),
        ),
      keep: (group, macro) => run(group, `setup/${macro}`, (session) => materializeMacro(session, macro)),
      rows: (group, name, select) => run(group, name, (session) => session.texts(jsonStatement(name, select).sql)),
    };
    try {
      return await this.#blocks.answer(endpoint, accepted, version, source);
    } finally {
      await sessions.close();
    }
  }

  /** The rows of the statements by plans that are kept; undefined if the endpoint or the organization has none. */
  async #kept(reading: Reading, statements: readonly Statement[]): Promise<string[][] | undefined> {
    const { endpoint, accepted, generation, known, signal, onQuery } = reading;
    const { plans } = this.#further;
    const tables = keptTables(endpoint, accepted);
    // Earlier states are asked too seldom.
    if (!plans || !tables || known) return undefined;
    return this.#guarded(reading, async () => {
      const asked = { folder: (await generation).folder, tables, params: endpoint.params, accepted };
      // The time of all is reported as that of the most important file.
      const name = filesOf(endpoint)[0] ?? "";
      return plans.rows(asked, statements, signal, (query) => timed(name, onQuery, query));
    });
  }

  #guarded<T>({ organizationId, generations }: Reading, work: () => Promise<T>, isPart = false): Promise<T> {
    return withEngineErrors(generations, organizationId, work, isPart);
  }
}

/** The columns of a statement; fails if it has no row but needs one. */
function found({ isRequired }: Planned, columns: Columns): Columns {
  if (isRequired && (columns[0] ?? []).length === 0) throw new ApiError("notFound");
  return columns;
}

const partRows = ([texts = [], left = []]: Columns = []): PartRows => ({ texts, left: Number(left[0] ?? 0) });

async function materialize(session: Session, macros: readonly string[], { onQuery }: RequestContext): Promise<void> {
  for (const macro of macros) await timed(`setup/${macro}`, onQuery, () => materializeMacro(session, macro));
}

/** Undefined if the files are missing or damaged; other errors are thrown. */
function orNone(error: unknown): undefined {
  if (!(error instanceof ApiError) || !isOfSource(error)) throw error;
}
