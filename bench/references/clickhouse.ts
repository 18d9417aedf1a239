import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Figures, Question } from "../questions.ts";
import { atExit } from "./atExit.ts";
import {
  type Answer,
  type Marts,
  parametersOf,
  type Reference,
  rowsOf,
  statementsOf,
  writeTables,
} from "./reference.ts";

const SQL = new URL("clickhouse/", import.meta.url);

/** The used part of the engine's package, which is only installed in this folder: the service does not install it. */
interface Result {
  text(): string;
}

interface Session {
  queryAsync(query: string, options?: { format?: string }): Promise<Result>;
  queryBindAsync(query: string, parameters: object, options?: { format?: string }): Promise<Result>;
  close(): void;
}

interface Engine {
  readonly Session: new (folder: string) => Session;
  drainPending(): Promise<void>;
}

/** A statement's text, and the parameters that it names. */
interface Statement {
  readonly text: string;
  readonly names: readonly string[];
}

export class ClickHouse implements Reference {
  readonly name = "ClickHouse";
  readonly #engine: Engine;
  readonly #home: string;
  readonly #forget: () => void;
  readonly #statements = new Map<string, Promise<Statement>>();
  #session: Session | undefined;
  #now = "";

  private constructor(engine: Engine, home: string) {
    this.#engine = engine;
    this.#home = home;
    this.#forget = atExit(() => rmSync(home, { recursive: true, force: true }));
    this.#session = new engine.Session(path.join(home, "data"));
  }

  /** In this process, with its tables in a temporary folder. */
  static async start(): Promise<ClickHouse> {
    const require = createRequire(import.meta.url);
    const name = "chdb";
    const engine = require(name) as Engine;
    return new ClickHouse(engine, await mkdtemp(path.join(tmpdir(), "lucra-clickhouse-")));
  }

  get #open(): Session {
    if (!this.#session) throw new Error("ClickHouse is closed");
    return this.#session;
  }

  async version(): Promise<string> {
    return (await this.#open.queryAsync("select version()", { format: "TabSeparated" })).text().trim();
  }

  async load(marts: Marts): Promise<void> {
    this.#now = marts.now;
    const schema = await readFile(new URL("schema.sql", SQL), "utf8");
    for (const statement of schema.split(/;\n/).filter((text) => text.trim())) await this.#open.queryAsync(statement);
    const folder = path.join(this.#home, "tables");
    await mkdir(folder);
    const files = await writeTables(marts, folder, { extension: "parquet", options: "format parquet" });
    for (const [table, file] of files) {
      await this.#open.queryAsync(`insert into ${table} select * from file('${file}', Parquet)`);
      // Merges each table into one part, as the background merges would do in time.
      await this.#open.queryAsync(`optimize table ${table} final`);
    }
    await rm(folder, { recursive: true, force: true });
  }

  async answer(question: Question): Promise<Answer> {
    const parameters = parametersOf(question, this.#now);
    const results: Result[] = [];
    for (const name of statementsOf(question)) {
      const { text, names } = await this.#statement(name);
      const bound = Object.fromEntries(names.map((parameter) => [parameter, parameters[parameter] ?? null]));
      results.push(await this.#open.queryBindAsync(text, bound, { format: "JSONCompactEachRowWithNames" }));
    }
    return { rows: () => results.flatMap(figuresOf) };
  }

  #statement(name: string): Promise<Statement> {
    const kept = this.#statements.get(name) ?? readStatement(name);
    this.#statements.set(name, kept);
    return kept;
  }

  async close(): Promise<void> {
    this.#session?.close();
    this.#session = undefined;
    await this.#engine.drainPending();
    this.#forget();
    await rm(this.#home, { recursive: true, force: true });
  }
}

async function readStatement(name: string): Promise<Statement> {
  const text = await readFile(new URL(`${name}.sql`, SQL), "utf8");
  return { text, names: [...new Set(Array.from(text.matchAll(/\{([a-z_]+):/g), ([, name]) => String(name)))] };
}

function figuresOf(result: Result): readonly Figures[] {
  const [header, ...rows] = result.text().trim().split("\n");
  const columns = JSON.parse(header ?? "[]") as string[];
  return rows.flatMap((row) => {
    const values = JSON.parse(row) as Figures[string][];
    return rowsOf(Object.fromEntries(columns.map((name, no) => [name, values[no] ?? null])));
  });
}
