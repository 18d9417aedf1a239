import { setImmediate } from "node:timers/promises";
import {
  BIGINT,
  DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
  StatementType,
  VARCHAR,
} from "@duckdb/node-api";
import { ApiError, isOfBrokenEngine } from "../contract/error.ts";
import { PART } from "../contract/longText.ts";
import { PROJECT } from "../files/paths.ts";

/** A row in the engine's JSON form: decimals and big integers are text. */
export type Row = Record<string, unknown>;
export type Value = DuckDBValue;

/** A query's column. */
export interface TypedColumn {
  readonly name: string;
  readonly type: DuckDBType;
}

/** A member of a struct variable. Days and instants are bound as text and cast by the engine. */
export interface StructMember {
  readonly name: string;
  readonly type: "varchar" | "date" | "timestamptz" | "bigint";
  readonly value: string | number | null;
}

/** A result that is read row by row. */
interface RowStream {
  readonly columns: readonly TypedColumn[];
  readonly rows: AsyncGenerator<readonly (() => Value)[]>;
}

/**
 * One connection. Variables belong to it, so each request or build has its own and closes it. Statements are planned
 * again each time: a reused prepared statement would freeze the variables it was planned with.
 */
export class Session {
  readonly #connection: DuckDBConnection;
  readonly #watch: Watch;
  /** Each ends the waiting for a signal. */
  readonly #ends = new Set<() => void>();

  constructor(connection: DuckDBConnection, watch: Watch = {}) {
    this.#connection = connection;
    this.#watch = watch;
  }

  async run(sql: string, values: Value[] = []): Promise<void> {
    await this.#run(sql, values);
  }

  async rows(sql: string, values: Value[] = []): Promise<Row[]> {
    return (await (await this.#run(sql, values)).getRowObjectsJson()) as Row[];
  }

  /** The names and types of a query's columns. */
  async columns(sql: string): Promise<{ name: string; type: string }[]> {
    const rows = await this.rows(`describe ${sql}`);
    return rows.map((row) => ({ name: String(row.column_name), type: String(row.column_type) }));
  }

  /** The names and types of a query's columns, as the engine's own descriptions of types. */
  async typedColumns(sql: string): Promise<TypedColumn[]> {
    const result = await this.#run(`from (${sql}) limit 0`, []);
    return result.columnNames().map((name, at) => ({ name, type: result.columnType(at) }));
  }

  /** The first column, as text. */
  async texts(sql: string, values: Value[] = []): Promise<string[]> {
    return textsOf(await this.#run(sql, values));
  }

  /** The columns, as text. */
  async textColumns(sql: string): Promise<string[][]> {
    return textColumnsOf(await this.#run(sql, []));
  }

  /** The columns, as text or bytes. */
  async textOrByteColumns(sql: string): Promise<(string | Buffer)[][]> {
    return columnsOf(await this.#run(sql, []), bytesOrText);
  }

  /** Whether a text is one statement that only reads. Fails if the engine cannot plan it. */
  async isQuery(sql: string): Promise<boolean> {
    const statements = await this.#watched(this.#connection.extractStatements(sql));
    if (statements.count !== 1) return false;
    const statement = await statements.prepare(0);
    return statement.statementType === StatementType.SELECT;
  }

  /** A plan that is kept. The variables of the session are constants in it. */
  async prepare(sql: string): Promise<Prepared> {
    return new Prepared(await this.#watched(this.#connection.prepare(sql)));
  }

  /** A statement without values is not prepared, which would plan it twice. */
  #run(sql: string, values: Value[]): Promise<DuckDBMaterializedResult> {
    return this.#watched(values.length === 0 ? this.#connection.run(sql) : this.#connection.run(sql, values));
  }

  async #watched<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.#watch.onError?.(error as Error);
      throw error;
    }
  }

  /**
   * The rows as they are computed, some thousands at a time, column by column. Nothing else may run in the session
   * meanwhile. A broken stream may look complete: callers must count the rows.
   */
  async *chunks(sql: string): AsyncGenerator<Value[][]> {
    const result = await this.#watched(this.#connection.stream(sql));
    for await (const chunk of result) {
      const columns: Value[][] = [];
      // Other work is done between two columns: a chunk of many columns takes tens of milliseconds.
      for (let at = 0; at < chunk.columnCount; at++) {
        if (at > 0) await setImmediate();
        columns.push(chunk.getColumnValues(at));
      }
      yield columns;
    }
  }

  /** The rows as they are computed, as far as they are read; each value is converted when it is asked for. */
  async stream(sql: string): Promise<RowStream> {
    const result = await this.#watched(this.#connection.stream(sql));
    const columns = result.columnNames().map((name, at) => ({ name, type: result.columnType(at) }));
    return { columns, rows: rowsOf(result, columns.length) };
  }

  /** Sets a variable with a bound value; the name never comes from a request. */
  async set(name: string, value: Value): Promise<void> {
    if (!/^[a-z_]+$/.test(name)) throw new Error(`not a variable's name: ${name}`);
    await this.#run(`set variable ${name} = $1`, [value]);
  }

  /** Sets a struct variable: all members at once, each typed even if it is null. */
  async setStruct(name: string, members: readonly StructMember[]): Promise<void> {
    if (!/^[a-z_]+$/.test(name)) throw new Error(`not a variable's name: ${name}`);
    const values = members.map(({ value }) => (typeof value === "number" ? BigInt(value) : value));
    const types = members.map(({ type }) => (type === "bigint" ? BIGINT : VARCHAR));
    const casts = members.map(({ name, type }, no) => `${identifier(name)}: $${no + 1}::${type}`).join(", ");
    await this.#watched(this.#connection.run(`set variable ${name} = {${casts}}`, values, types));
  }

  /** Interrupts the work's statement when the signal aborts: it fails with an interrupt error. */
  async until<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const end = this.interruptOn(signal);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Interrupts the running statement when the signal aborts, until the result is called or the session is closed. */
  interruptOn(signal: AbortSignal): () => void {
    let stopping: NodeJS.Timeout | undefined;
    // An interrupt between two statements, or before the first, is lost: repeat it until the work has ended.
    const stop = (): void => {
      this.interrupt();
      stopping = setInterval(() => this.interrupt(), INTERRUPT_EVERY_MS);
    };
    const end = (): void => {
      this.#ends.delete(end);
      signal.removeEventListener("abort", stop);
      clearInterval(stopping);
    };
    this.#ends.add(end);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    return end;
  }

  /** Runs a request's work like `until`; it fails with an `ApiError`. */
  async answerUntil<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw new ApiError("timeout");
    try {
      return await this.until(signal, work);
    } catch (error) {
      throw orTimeout(error, signal);
    }
  }

  /** Interrupts the running statement; it fails with an interrupt error. */
  interrupt(): void {
    this.#connection.interrupt();
  }

  close(): void {
    for (const end of this.#ends) end();
    this.#connection.closeSync();
    this.#watch.onClose?.();
  }
}

/** An error of work that was interrupted is the timeout. */
const orTimeout = (error: unknown, signal: AbortSignal): unknown =>
  signal.aborted && !(error instanceof ApiError) ? new ApiError("timeout") : error;

/** Callbacks of a session to its database. */
interface Watch {
  readonly onError?: (error: Error) => void;
  readonly onClose?: () => void;
}

async function* rowsOf(result: DuckDBResult, columns: number): AsyncGenerator<readonly (() => Value)[]> {
  for await (const chunk of result) {
    const vectors = Array.from({ length: columns }, (_, at) => chunk.getColumnVector(at));
    for (let row = 0; row < chunk.rowCount; row++) yield vectors.map((vector) => () => vector.getItem(row));
  }
}

/** A kept plan of a session. */
export class Prepared {
  readonly #statement: DuckDBPreparedStatement;

  constructor(statement: DuckDBPreparedStatement) {
    this.#statement = statement;
  }

  /** Runs it with values for its parameters, all of them texts to the engine. */
  async run(values: readonly (string | number | null)[]): Promise<void> {
    for (const [no, value] of values.entries()) {
      if (value === null) this.#statement.bindNull(no + 1);
      else this.#statement.bindVarchar(no + 1, String(value));
    }
    await this.#statement.run();
  }

  /** The columns, as text. */
  async textColumns(): Promise<string[][]> {
    return textColumnsOf(await this.#statement.run());
  }

  close(): void {
    this.#statement.destroySync();
  }
}

interface DatabaseOptions {
  readonly memoryLimit?: string;
  /** The part of the limit that this engine may use, if it shares it with others. */
  readonly memoryShare?: number | undefined;
  readonly threads?: number;
  /** Folder to which operators spill; without it they do not spill. */
  readonly temporary?: string;
  /** False: operators do not spill, not even to the engine's usual folder. */
  readonly spills?: boolean;
}

const INTERRUPT_EVERY_MS = 20;

/** The first column. */
async function textsOf(result: DuckDBMaterializedResult): Promise<string[]> {
  const [texts = []] = await textColumnsOf(result, 1);
  return texts;
}

const textColumnsOf = (result: DuckDBMaterializedResult, most?: number): Promise<string[][]> =>
  columnsOf(result, String, most);

/** The engine's bytes are a copy of their own. */
const bytesOrText = (value: Value): string | Buffer =>
  value instanceof DuckDBBlobValue ? (value.bytes as Buffer) : String(value);

/** Other requests are served between two parts: converting all at once takes most of the time of a large answer. */
async function columnsOf<T extends string | Buffer>(
  result: DuckDBMaterializedResult,
  convert: (value: Value) => T,
  most = result.columnCount,
): Promise<T[][]> {
  const columns: T[][] = Array.from({ length: most }, () => []);
  let length = 0;
  for (let at = 0; at < result.chunkCount; at++) {
    if (at > 0) await setImmediate();
    const chunk = result.getChunk(at);
    for (const [no, column] of columns.entries()) {
      const vector = chunk.getColumnVector(no);
      for (let row = 0; row < chunk.rowCount; row++) {
        const value = convert(vector.getItem(row));
        column.push(value);
        length += value.length;
        if (length < PART) continue;
        await setImmediate();
        length = 0;
      }
    }
  }
  return columns;
}

/** Prepares a new engine: views, formulas, settings. */
type Setup = (use: <T>(work: (session: Session) => Promise<T>) => Promise<T>) => Promise<void>;

/** An instance of the engine, and how many sessions it has. */
interface Engine {
  readonly instance: DuckDBInstance;
  sessions: number;
  isReplaced: boolean;
}

interface Lock {
  readonly setting: "allowed_directories" | "allowed_paths";
  readonly places: readonly string[];
}

/**
 * An engine in memory: persistent data is Parquet. After an internal error the engine may refuse every further statement
 * ("has been invalidated"). A database that knows its setup replaces it then; sessions that are asked for meanwhile wait.
 */
export class Database {
  readonly #options: DatabaseOptions;
  readonly #setup: Setup | undefined;
  #engine: Engine;
  #lock: Lock | undefined;
  #replacing: Promise<void> | undefined;
  #isBroken = false;

  private constructor(engine: Engine, options: DatabaseOptions, setup: Setup | undefined) {
    this.#engine = engine;
    this.#options = options;
    this.#setup = setup;
  }

  /** `setup` may run again, in an engine that replaces a broken one. */
  static async open(options: DatabaseOptions = {}, setup?: Setup): Promise<Database> {
    const database = new Database(await started(options), options, setup);
    await setup?.((work) => database.use(work));
    return database;
  }

  /** False while the engine is broken and not yet replaced. */
  get isUsable(): boolean {
    return !this.#isBroken;
  }

  /** The memory that the engine may use, in bytes. */
  memoryBytes(): Promise<number> {
    return this.use(memoryBytes);
  }

  /** The folder to which operators spill. */
  get temporary(): string | undefined {
    return this.#options.temporary;
  }

  /** A new session, prepared; the caller closes it. */
  async session(prepare: (session: Session) => Promise<void> = async () => {}): Promise<Session> {
    await this.#replacing;
    return sessionOf(this.#engine, prepare, (engine, error) => this.#suspect(engine, error));
  }

  #suspect(engine: Engine, error: Error): void {
    if (!this.#setup || engine !== this.#engine || !isOfBrokenEngine(error)) return;
    this.#replacing ??= this.#replaceIfBroken(this.#setup, engine).finally(() => {
      this.#replacing = undefined;
    });
  }

  /** Never rejects: if no engine can be opened, the next failure tries again. */
  async #replaceIfBroken(setup: Setup, engine: Engine): Promise<void> {
    if (await answers(engine)) return;
    this.#isBroken = true;
    const next = await started(this.#options).catch(() => undefined);
    if (!next) return;
    const use: Parameters<Setup>[0] = (work) => inSession(next, work);
    try {
      await setup(use);
      if (this.#lock) await lock(use, this.#lock);
    } catch {
      return next.instance.closeSync();
    }
    this.#engine = next;
    this.#isBroken = false;
    retire(engine);
  }

  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.session();
    try {
      return await work(session);
    } finally {
      session.close();
    }
  }

  /** Runs the work while the engine, for all sessions, has one thread. */
  async onOneThread<T>(work: () => Promise<T>): Promise<T> {
    await this.use((session) => session.run("set global threads = 1"));
    try {
      return await work();
    } finally {
      const { threads } = this.#options;
      const before = threads === undefined ? "reset global threads" : `set global threads = ${threads}`;
      await this.use((session) => session.run(before));
    }
  }

  /** Runs a request's work in a new session, like `answerUntil`. */
  async useUntil<T>(signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.session();
    try {
      // It may have aborted while the session was opened.
      if (signal.aborted) throw new ApiError("timeout");
      session.interruptOn(signal);
      return await work(session);
    } catch (error) {
      throw orTimeout(error, signal);
    } finally {
      session.close();
    }
  }

  /** Restricts the engine to the folders and locks its settings; fails if the restriction is not effective. */
  async lockDown(...folders: string[]): Promise<void> {
    await this.#lockTo({ setting: "allowed_directories", places: folders.map((folder) => `${folder}/`) });
  }

  /** The same, but to files: a pattern that a view reads must be among them, and each file that it finds. */
  async lockToFiles(files: readonly string[]): Promise<void> {
    await this.#lockTo({ setting: "allowed_paths", places: files });
  }

  /** An engine that replaces this one is locked alike. */
  async #lockTo(to: Lock): Promise<void> {
    this.#lock = to;
    await lock((work) => this.use(work), to);
  }

  close(): void {
    this.#engine.instance.closeSync();
  }
}

async function started(options: DatabaseOptions): Promise<Engine> {
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    // This rewrite returns wrong results, known up to version 1.5.6; `test/engine/database.test.ts` checks whether it still does.
    disabled_optimizers: "top_n_window_elimination",
    // This cache keeps blocks of derived files that are no longer used, up to the memory limit.
    enable_external_file_cache: "false",
    ...(options.memoryLimit ? { memory_limit: options.memoryLimit } : {}),
    ...(options.threads ? { threads: String(options.threads) } : {}),
    ...(options.temporary ? { temp_directory: options.temporary } : {}),
    ...(options.spills === false ? { temp_directory: "" } : {}),
  });
  const engine = { instance, sessions: 0, isReplaced: false };
  const { memoryShare } = options;
  try {
    await inSession(engine, async (session) => {
      await session.run("set global TimeZone = 'UTC'");
      if (memoryShare === undefined) return;
      const bytes = Math.floor((await memoryBytes(session)) * memoryShare);
      await session.run(`set global memory_limit = '${bytes}B'`);
    });
  } catch (error) {
    instance.closeSync();
    throw error;
  }
  return engine;
}

async function sessionOf(
  engine: Engine,
  prepare: (session: Session) => Promise<void> = async () => {},
  onError: (engine: Engine, error: Error) => void = () => {},
): Promise<Session> {
  engine.sessions++;
  const onClose = (): void => {
    engine.sessions--;
    if (engine.isReplaced) retire(engine);
  };
  let session: Session | undefined;
  try {
    const connection = await engine.instance.connect();
    session = new Session(connection, { onError: (error) => onError(engine, error), onClose });
    await prepare(session);
    return session;
  } catch (error) {
    if (session) session.close();
    else onClose();
    onError(engine, error as Error);
    throw error;
  }
}

async function inSession<T>(engine: Engine, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await sessionOf(engine);
  try {
    return await work(session);
  } finally {
    session.close();
  }
}

async function memoryBytes(session: Session): Promise<number> {
  const [limit = ""] = await session.texts("select current_setting('memory_limit')");
  const [, number, unit] = /^([\d.]+) (bytes|KiB|MiB|GiB|TiB)$/.exec(limit) ?? [];
  if (unit === undefined) throw new Error(`a memory limit of ${limit}`);
  return Number(number) * 1024 ** ["bytes", "KiB", "MiB", "GiB", "TiB"].indexOf(unit);
}

/** Closes a replaced engine after its last session. */
function retire(engine: Engine): void {
  engine.isReplaced = true;
  if (engine.sessions === 0) engine.instance.closeSync();
}

/** Whether the engine answers a trivial question. */
const answers = (engine: Engine): Promise<boolean> =>
  inSession(engine, (session) => session.run("select 1")).then(
    () => true,
    () => false,
  );

async function lock(use: Parameters<Setup>[0], { setting, places }: Lock): Promise<void> {
  await use(async (session) => {
    await session.run(`set global ${setting} = [${places.map(literal).join(", ")}]`);
    await session.run("set global enable_external_access = false");
    await session.run("set global lock_configuration = true");
    await expectLocked(session);
  });
}

/** Statements that a locked engine must reject. They are executed, since another version may treat the settings differently. */
const REFUSED: Readonly<Record<string, string>> = {
  "read a file outside its folders": `from read_text(${literal(`${PROJECT}/package.json`)})`,
  "look into a folder outside its own": `from glob(${literal(`${PROJECT}/*`)})`,
  "open a database": `attach ${literal(`${PROJECT}/none.duckdb`)} as none`,
  "take another setting": "set global enable_external_access = true",
};

async function expectLocked(session: Session): Promise<void> {
  for (const [what, sql] of Object.entries(REFUSED)) {
    const isRefused = await session.run(sql).then(
      () => false,
      (error: Error) => /permission|locked|disabled|not allowed/i.test(error.message),
    );
    if (!isRefused) throw new Error(`the engine is locked but can still ${what}`);
  }
}

/** A text literal, for the few places that take no bound value (`copy … to`). */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A quoted name. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
