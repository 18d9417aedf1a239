import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
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

const TYPES = { text: "String", date: "Date", timestamp: "DateTime('UTC')" } as const;

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

export class ClickHouse implements Reference {
  readonly name = "ClickHouse";
  readonly #engine: Engine;
  readonly #home: string;
  readonly #forget: () => void;
  readonly #dialect = dialectOf("clickhouse", (name) => `{${name}:${TYPES[typeOf(name)]}}`);
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
    // A name in an expression is a column's if there is one, as in other engines, and not that of a result.
    await this.#open.queryAsync("set prefer_column_name_to_alias = 1");
    for (const file of ["schema", "clickhouse/functions"]) {
      const statements = (await this.#dialect.text(file)).split(/;\n/).filter((text) => text.trim());
      for (const statement of statements) await this.#open.queryAsync(statement);
    }
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
      const { text, names } = await this.#dialect.statement(name);
      const bound = Object.fromEntries(names.map((parameter) => [parameter, parameters[parameter] ?? null]));
      results.push(await this.#open.queryBindAsync(text, bound, { format: "JSONCompactEachRowWithNames" }));
    }
    return { rows: () => results.flatMap(figuresOf) };
  }

  async close(): Promise<void> {
    this.#session?.close();
    this.#session = undefined;
    await this.#engine.drainPending();
    this.#forget();
    await rm(this.#home, { recursive: true, force: true });
  }
}

function figuresOf(result: Result): readonly Figures[] {
  const [header, ...rows] = result.text().trim().split("\n");
  const columns = JSON.parse(header ?? "[]") as string[];
  const figures = rows.flatMap((row) => {
    const values = JSON.parse(row) as Figures[string][];
    return rowsOf(Object.fromEntries(columns.map((name, no) => [name, values[no] ?? null])));
  });
  return figuresInOne(figures);
}
