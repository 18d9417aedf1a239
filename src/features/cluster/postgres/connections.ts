import { hostname } from "node:os";
import pg from "pg";
import { ApiError, OperatorError } from "../../../core/contract/error.ts";
import { CHANNEL, SCHEMA, SCHEMA_VERSION } from "./schema.ts";

/** How long a connection and a query of a request may take. */
const CONNECT_MS = 2_000;
const QUERY_MS = 5_000;
/** How soon a database that did not answer is asked again. */
const RETRY_MS = 1_000;
/** The database closes the connection of a machine that has vanished after 25 seconds, which frees its locks. */
const KEEPALIVE =
  "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = 25000";

export class DatabaseDown extends OperatorError {
  constructor(cause: Error) {
    super(`the database of LUCRA_DATABASE_URL does not answer: ${cause.message || (cause as { code?: string }).code}`);
  }
}

/** Whether the connection failed, and not the statement: no error of the database, or one of its classes for that. */
export const isDown = (error: unknown): error is Error =>
  error instanceof Error &&
  !(error instanceof OperatorError) &&
  (!(error instanceof pg.DatabaseError) || /^(08|57P|53)/.test(error.code ?? ""));

const asDown = (error: unknown): never => {
  throw isDown(error) ? new DatabaseDown(error) : error;
};

/** The values of the types that a query is called with. */
export type Row = Readonly<Record<string, unknown>>;

/** The connections of this process to one database. Its errors never name the address, which may have a password. */
export class Connections {
  readonly #url: string;
  readonly #pool: pg.Pool;
  #prepared: Promise<void> | undefined;
  #downSince: Date | undefined;
  #askAgainAt = Number.NEGATIVE_INFINITY;
  #probe: NodeJS.Timeout | undefined;
  #listener: Promise<void> | undefined;
  #listening: pg.Client | undefined;
  readonly #onChange = new Set<() => void>();
  #isClosed = false;
  #hasAnswered = false;

  constructor(url: string) {
    this.#url = url;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: 4,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
      keepAlive: true,
      // A command ends although connections are open.
      allowExitOnIdle: true,
      application_name: "lucra",
    });
    // An idle connection that breaks is replaced at the next query.
    this.#pool.on("error", () => {});
  }

  /** Since when the database has not answered; undefined while it does. */
  get downSince(): Date | undefined {
    return this.#downSince;
  }

  /** Whether the database has ever answered this process. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** The rows of a statement. Throws DatabaseDown. */
  async query(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      await this.#prepare();
      const { rows } = await this.#pool.query(text, [...values]);
      this.#up();
      return rows;
    } catch (error) {
      if (isDown(error)) this.#down();
      return asDown(error);
    }
  }

  /** The same for a request: fails at once while the database is known not to answer. */
  lookup(text: string, values: readonly unknown[]): Promise<Row[]> {
    if (performance.now() < this.#askAgainAt) return Promise.reject(new DatabaseDown(new Error("not asked again yet")));
    return this.query(text, values);
  }

  /** Runs work in a transaction. Throws DatabaseDown also if it is not known whether it was committed. */
  async transaction<T>(work: (query: Connections["query"]) => Promise<T>): Promise<T> {
    let client: pg.PoolClient | undefined;
    let isBroken = false;
    try {
      await this.#prepare();
      client = await this.#pool.connect();
      const own = client;
      await own.query("begin");
      const result = await work(async (text, values = []) => (await own.query(text, [...values])).rows);
      await own.query("commit");
      this.#up();
      return result;
    } catch (error) {
      if (isDown(error)) {
        isBroken = true;
        this.#down();
        return asDown(error);
      }
      await client?.query("rollback").catch(() => {
        isBroken = true;
      });
      throw error;
    } finally {
      client?.release(isBroken);
    }
  }

  /** A connection of its own, which keeps locks as long as it lives. */
  async own(name: string): Promise<pg.Client> {
    try {
      await this.#prepare();
      const client = this.#client(name);
      await client.connect();
      await client.query(KEEPALIVE).catch((error) => {
        void client.end().catch(() => {});
        throw error;
      });
      return client;
    } catch (error) {
      return asDown(error);
    }
  }

  /** Calls back after rows have changed, and after a time in which that could have been missed. */
  onChange(callback: () => void): void {
    this.#onChange.add(callback);
    this.#listener ??= this.#listen();
  }

  /** Makes the tables, once. */
  #prepare(): Promise<void> {
    this.#prepared ??= this.#makeTables().catch((error) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  async #makeTables(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      // A user without the right to create tables may use those that are there.
      const { rows: there } = await client.query("select to_regclass('lucra.installation') is not null as there");
      const present = there[0]?.there
        ? (await client.query("select schema_version from lucra.installation")).rows[0]?.schema_version
        : undefined;
      if (present > SCHEMA_VERSION) {
        throw new OperatorError("the database was set up by a newer version of Lucra: upgrade this one");
      }
      if (present === SCHEMA_VERSION) return;
      await client.query("begin");
      await client.query("select pg_advisory_xact_lock(hashtextextended('lucra schema', 0))");
      await client.query(SCHEMA);
      await client.query(
        `insert into lucra.installation (schema_version) values ($1)
          on conflict (is_only) do update set schema_version = excluded.schema_version`,
        [SCHEMA_VERSION],
      );
      await client.query("commit");
    } catch (error) {
      await client.query("rollback").catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  }

  #client(name: string): pg.Client {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: `lucra ${name} ${hostname()}:${process.pid}`.slice(0, 63),
    });
    client.on("error", () => {});
    return client;
  }

  async #listen(): Promise<void> {
    const isOver = (): boolean => this.#isClosed;
    if (isOver()) return;
    try {
      await this.#prepare();
      const client = this.#client("listener");
      await client.connect();
      // A service does not run because it listens.
      (client as unknown as { unref(): void }).unref();
      const again = (): void => this.#listenLater();
      client.once("end", again);
      client.on("notification", () => this.#changed());
      await client.query(`${KEEPALIVE}; listen ${CHANNEL}`);
      this.#listening = client;
      this.#changed();
    } catch {
      this.#listenLater();
    }
  }

  #listenLater(): void {
    if (this.#isClosed) return;
    setTimeout(() => {
      this.#listener = this.#listen();
    }, RETRY_MS).unref();
  }

  #changed(): void {
    for (const callback of this.#onChange) callback();
  }

  #up(): void {
    this.#hasAnswered = true;
    clearInterval(this.#probe);
    this.#probe = undefined;
    this.#downSince = undefined;
    this.#askAgainAt = Number.NEGATIVE_INFINITY;
  }

  #down(): void {
    this.#downSince ??= new Date();
    this.#askAgainAt = performance.now() + RETRY_MS;
    this.#probe ??= setInterval(() => void this.query("select 1").catch(() => {}), RETRY_MS).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#probe);
    await Promise.allSettled([this.#listening?.end(), this.#pool.end()]);
  }
}

/** The last known values of some keys: they answer while the database does not. */
export class LastKnown<T> {
  readonly #connections: Connections;
  readonly #values = new Map<string, T>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async of(key: string, look: () => Promise<T>): Promise<T> {
    try {
      const value = await look();
      this.#values.set(key, value);
      return value;
    } catch (error) {
      if (!(error instanceof DatabaseDown)) throw error;
      // A process that starts without the database ends with that reason.
      if (!this.#connections.hasAnswered) throw error;
      if (!this.#values.has(key)) throw new ApiError("storage");
      return this.#values.get(key) as T;
    }
  }
}
