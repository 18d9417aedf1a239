import { execFile, execFileSync, spawn } from "node:child_process";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Figures, Question } from "../questions.ts";
import { atExit } from "./atExit.ts";
import {
  type Answer,
  figuresInOne,
  type Marts,
  parametersOf,
  type Reference,
  rowsOf,
  statementsOf,
  typeOf,
  writeTables,
} from "./reference.ts";
import { dialectOf } from "./statements.ts";

const run = promisify(execFile);

/** The programs of the newest version that Debian's package installed; `PG_BIN` names another folder. */
const BIN = process.env.PG_BIN ?? newest("/usr/lib/postgresql");

function newest(folder: string): string {
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];
  return path.join(folder, versions[0] ?? "15", "bin");
}

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
    query:
      | string
      | { name?: string; text: string; values: readonly (string | null)[]; rowMode: "array"; types: unknown },
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

/** int8[], numeric[]. */
const NUMBER_LISTS: ReadonlySet<number> = new Set([1016, 1231]);

/** As many as the machine has processors: the statements of an answer share them. */
const CONNECTIONS = 2;

export class Postgres implements Reference {
  readonly name = "PostgreSQL";
  readonly #home: string;
  readonly #port: number;
  readonly #forget: () => void;
  readonly #dialect = dialectOf("postgres", (name, no) => `$${no}::${typeOf(name)}`);
  #clients: readonly Client[] = [];
  #now = "";

  private constructor(home: string, port: number, forget: () => void) {
    this.#home = home;
    this.#port = port;
    this.#forget = forget;
  }

  /** Fails if the programs are not installed. */
  static check(): void {
    if (existsSync(path.join(BIN, "initdb"))) return;
    throw new Error(
      `${BIN} has no PostgreSQL: \`apt-get install postgresql\` installs it, or PG_BIN names its programs`,
    );
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
    const connect = async (): Promise<Client> => {
      const client = new driver.Client({ host: "127.0.0.1", port: this.#port, user: "bench", database: "postgres" });
      // A server that is stopped from outside ends the connection: the next query gets the error.
      client.on("error", () => {});
      await client.connect();
      return client;
    };
    this.#clients = await Promise.all(Array.from({ length: CONNECTIONS }, connect));
  }

  get #connected(): Client {
    const [client] = this.#clients;
    if (!client) throw new Error("PostgreSQL is closed");
    return client;
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
    this.#now = marts.now;
    await this.#connected.query(await this.#dialect.text("schema"));
    await this.#connected.query(await this.#dialect.text("postgres/functions"));
    const folder = await mkdtemp(path.join(tmpdir(), "lucra-tables-"));
    try {
      const files = await writeTables(marts, folder, { extension: "csv", options: "format csv, header false" });
      for (const [table, file] of files) await this.#copy(table, file);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    await this.#connected.query(await this.#dialect.text("postgres/indexes"));
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

  /** The statements of an answer run beside each other, each prepared once on its connection. */
  async answer(question: Question): Promise<Answer> {
    const parameters = parametersOf(question, this.#now);
    const statements = statementsOf(question);
    const results: Result[] = [];
    await Promise.all(
      this.#clients.map(async (client, first) => {
        for (let no = first; no < statements.length; no += this.#clients.length) {
          const name = statements[no] as string;
          const { text, names } = await this.#dialect.statement(name);
          const values = names.map((parameter) => parameters[parameter] ?? null);
          results[no] = await client.query({ name, text, values, rowMode: "array", types: AS_TEXT });
        }
      }),
    );
    return { rows: () => results.flatMap(figuresOf) };
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.end().catch(() => {});
    this.#clients = [];
    this.#forget();
    stopNow(this.#home);
  }
}

const figuresOf = ({ rows, fields }: Result): readonly Figures[] =>
  figuresInOne(
    rows.flatMap((row) =>
      rowsOf(
        Object.fromEntries(fields.map(({ name, dataTypeID }, no) => [name, listOrFigure(row[no] ?? null, dataTypeID)])),
      ),
    ),
  );

function listOrFigure(value: string | null, type: number): Figures[string] | readonly Figures[string][] {
  if (value === null || !NUMBER_LISTS.has(type)) return figureOf(value, type);
  return value
    .slice(1, -1)
    .split(",")
    .map((text) => (text === "NULL" ? null : Number(text)));
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
