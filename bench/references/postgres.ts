import { execFile, execFileSync, spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Figures, Question } from "../questions.ts";
import { atExit } from "./atExit.ts";
import {
  type Answer,
  type Marts,
  parametersOf,
  type Reference,
  readStatement,
  type Statement,
  statementsOf,
  writeTables,
} from "./reference.ts";

const run = promisify(execFile);

/** The programs of Debian's package; `PG_BIN` names another folder. */
const BIN = process.env.PG_BIN ?? "/usr/lib/postgresql/15/bin";

const SQL = new URL("postgres/", import.meta.url);

/** For 2 dedicated processors and 24 GB; none of its data has to survive. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "20",
  shared_buffers: "4GB",
  effective_cache_size: "16GB",
  work_mem: "256MB",
  hash_mem_multiplier: "8",
  maintenance_work_mem: "1GB",
  max_parallel_workers_per_gather: "2",
  max_parallel_workers: "2",
  max_parallel_maintenance_workers: "2",
  random_page_cost: "1.1",
  // Measured with and without: compiling these statements costs more than it saves.
  jit: "off",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "8GB",
  autovacuum: "off",
  timezone: "UTC",
};

/** The used part of the driver, which is only installed in this folder: the service does not install it. */
interface Result {
  readonly rows: readonly (readonly (string | null)[])[];
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

interface Client {
  connect(): Promise<void>;
  query(
    query: string | { text: string; values: readonly (string | null)[]; rowMode: "array"; types: unknown },
  ): Promise<Result>;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): void;
}

interface Driver {
  readonly default: { readonly Client: new (options: Record<string, unknown>) => Client };
}

/** Values stay text until figures are needed. */
const AS_TEXT = { getTypeParser: () => (value: string) => value };

/** bool, int8, int2, int4, float4, float8, numeric. */
const BOOLEAN = 16;
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700]);

export class Postgres implements Reference {
  readonly name = "PostgreSQL";
  readonly #home: string;
  readonly #port: number;
  readonly #forget: () => void;
  readonly #prepared = new Map<string, Promise<{ text: string; names: readonly string[] }>>();
  #client: Client | undefined;
  #today = "";

  private constructor(home: string, port: number, forget: () => void) {
    this.#home = home;
    this.#port = port;
    this.#forget = forget;
  }

  /** Starts its own cluster in a temporary folder; it is removed with this process, however that ends. */
  static async start(): Promise<Postgres> {
    const home = await mkdtemp(path.join(tmpdir(), "lucra-postgres-"));
    const forget = atExit(() => stopNow(home));
    try {
      // The programs refuse to run as root.
      if (process.getuid?.() === 0) {
        await run("chown", ["postgres:postgres", home]);
        await chmod(home, 0o755);
      }
      const data = path.join(home, "data");
      await program("initdb", [
        "--pgdata",
        data,
        "--username",
        "bench",
        "--auth",
        "trust",
        "--locale",
        "C",
        "--encoding",
        "UTF8",
        "--no-sync",
      ]);
      const port = await freePort();
      const settings = Object.entries({ ...SETTINGS, port: String(port) }).map(
        ([name, value]) => `-c ${name}='${value}'`,
      );
      await program("pg_ctl", [
        "start",
        "--pgdata",
        data,
        "--wait",
        "--silent",
        "--log",
        path.join(home, "data", "log"),
        "--options",
        settings.join(" "),
      ]);
      const postgres = new Postgres(home, port, forget);
      await postgres.#connect();
      return postgres;
    } catch (error) {
      forget();
      stopNow(home);
      throw error;
    }
  }

  async #connect(): Promise<void> {
    const name = "pg";
    const { default: driver } = (await import(name)) as Driver;
    const client = new driver.Client({ host: "127.0.0.1", port: this.#port, user: "bench", database: "postgres" });
    // A server that is stopped from outside ends the connection: the next query gets the error.
    client.on("error", () => {});
    await client.connect();
    this.#client = client;
  }

  get #connected(): Client {
    if (!this.#client) throw new Error("PostgreSQL is closed");
    return this.#client;
  }

  async version(): Promise<string> {
    const { rows } = await this.#connected.query({
      text: "show server_version",
      values: [],
      rowMode: "array",
      types: AS_TEXT,
    });
    return String(rows[0]?.[0]);
  }

  async load(marts: Marts): Promise<void> {
    this.#today = marts.today;
    const sql = async (name: string): Promise<string> => readFile(new URL(`${name}.sql`, SQL), "utf8");
    await this.#connected.query(await sql("schema"));
    const folder = await mkdtemp(path.join(tmpdir(), "lucra-tables-"));
    try {
      const files = await writeTables(marts, folder, { extension: "csv", options: "format csv, header false" });
      for (const [table, file] of files) await this.#copy(table, file);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    await this.#connected.query(await sql("indexes"));
    await this.#connected.query("vacuum (analyze, freeze)");
  }

  /** Unquoted empty text is null, as in the engine's own CSV. */
  async #copy(table: string, file: string): Promise<void> {
    const psql = spawn(
      path.join(BIN, "psql"),
      [
        "--host",
        "127.0.0.1",
        "--port",
        String(this.#port),
        "--username",
        "bench",
        "--dbname",
        "postgres",
        "--no-psqlrc",
        "--quiet",
        "--command",
        `copy ${table} from stdin (format csv)`,
      ],
      { stdio: ["pipe", "ignore", "pipe"] },
    );
    let output = "";
    psql.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    // If it ends before it has read everything, its exit status gives the reason.
    psql.stdin.on("error", () => {});
    createReadStream(file).pipe(psql.stdin);
    const code = await new Promise<number | null>((done, fail) => psql.once("error", fail).once("close", done));
    if (code !== 0) throw new Error(`copying ${table}: ${output.trim()}`);
  }

  async answer(question: Question): Promise<Answer> {
    const parameters = parametersOf(question, this.#today);
    const results: { result: Result; statement: Statement }[] = [];
    for (const statement of statementsOf(question)) {
      const { text, names } = await this.#prepare(statement);
      const values = names.map((name) => parameters[name] ?? null);
      results.push({
        statement,
        result: await this.#connected.query({ text, values, rowMode: "array", types: AS_TEXT }),
      });
    }
    return { rows: () => results.flatMap(({ result, statement }) => figuresOf(result, statement)) };
  }

  /** `$name` becomes the number that the protocol knows. Each statement is planned again, for its values. */
  #prepare(statement: Statement): Promise<{ text: string; names: readonly string[] }> {
    const key = `${statement.sql} ${statement.facts ?? ""}`;
    const kept = this.#prepared.get(key) ?? numbered(statement);
    this.#prepared.set(key, kept);
    return kept;
  }

  async close(): Promise<void> {
    await this.#client?.end().catch(() => {});
    this.#client = undefined;
    this.#forget();
    stopNow(this.#home);
  }
}

async function numbered(statement: Statement): Promise<{ text: string; names: readonly string[] }> {
  const names: string[] = [];
  const text = (await readStatement(SQL, statement)).replace(/\$([a-z_]+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, names };
}

function figuresOf({ rows, fields }: Result, { without = [] }: Statement): Figures[] {
  const columns = fields.map((field, no) => ({ ...field, no })).filter(({ name }) => !without.includes(name));
  return rows.map((row) =>
    Object.fromEntries(columns.map(({ name, dataTypeID, no }) => [name, figureOf(row[no] ?? null, dataTypeID)])),
  );
}

function figureOf(value: string | null, type: number): Figures[string] {
  if (value === null) return null;
  if (type === BOOLEAN) return value === "t";
  return NUMBERS.has(type) ? Number(value) : value;
}

/** As the user that may run it. */
const asUser = (name: string, args: readonly string[]): [string, string[]] =>
  process.getuid?.() === 0
    ? ["runuser", ["--user", "postgres", "--", path.join(BIN, name), ...args]]
    : [path.join(BIN, name), [...args]];

async function program(name: string, args: readonly string[]): Promise<void> {
  const [file, all] = asUser(name, args);
  // The server that it starts keeps its outputs open: waiting for them to close would wait for the server.
  await new Promise<void>((done, fail) => {
    const child = spawn(file, all, { stdio: ["ignore", "ignore", "pipe"], cwd: "/" });
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.once("error", fail);
    child.once("exit", (code) => {
      child.stderr.destroy();
      if (code === 0) done();
      else fail(new Error(`${name} ended with ${code}: ${output.trim()}`));
    });
  });
}

/** Also where nothing can be awaited: as the process exits. */
function stopNow(home: string): void {
  try {
    const [file, all] = asUser("pg_ctl", [
      "stop",
      "--pgdata",
      path.join(home, "data"),
      "--mode",
      "immediate",
      "--silent",
      "--wait",
    ]);
    execFileSync(file, all, { stdio: "ignore", cwd: "/" });
  } catch {
    // It does not run.
  }
  execFileSync("rm", ["-rf", home]);
}

/** A free port of the loopback address. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done, fail) => server.once("error", fail).listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
