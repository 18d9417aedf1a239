import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { LRUCache } from "lru-cache";
import type { Endpoint } from "../contract/endpoint.ts";
import { type Accepted, type Params, snake } from "../contract/param.ts";
import { sqlTypeOf } from "../params/kinds.ts";
import { type Database, identifier, type Prepared, type Session } from "./database.ts";
import { readMacros, readSql, setupFiles } from "./sql.ts";

/** The relations that kept plans read, in memory; a test compares them with the plans. */
export const KEPT_RELATIONS = [
  "daily_paybacks",
  "daily_totals",
  "margin",
  "orders",
  "organization",
  "product_identities",
  "product_sales",
  "product_stores",
];
/** Generations whose kept relations have more bytes on disk are not kept: planning is a small part of their answers. */
const MOST_BYTES = 16_000_000;
/** A generation is kept once it has been asked this often within this time. */
const ASKED = 3;
const WITHIN_MS = 60_000;

/** A query of the analyses by its SQL file's name; its rows are texts. */
export interface Statement {
  readonly name: string;
  readonly sql: string;
}

/** A request of a generation. */
export interface Asked {
  readonly folder: string;
  readonly params: Params;
  readonly accepted: Accepted;
}

/** Runs a query and reports its time. */
type Timed = <T>(name: string, query: () => Promise<T>) => Promise<T>;

/**
 * The plans and small tables of the organizations that are asked most often: planning and reading small files take most
 * of the time of a small organization's answer. A kept plan reads tables of its own session, which no other session
 * sees, and the parameters from a table `p` there: in a kept plan the variables of the session would be constants.
 */
export class KeptPlans {
  readonly #database: Database;
  readonly #most: number;
  #hits = 0;
  /** The parameters of all endpoints: the macros read those of any. */
  readonly #parameters: Params;
  readonly #asked = new LRUCache<string, number>({ max: 1_000, ttl: WITHIN_MS });
  readonly #kept: LRUCache<string, KeptGeneration>;

  /** `most`: how many generations are kept; 0 for none. */
  constructor(database: Database, endpoints: readonly Endpoint[], most: number) {
    this.#database = database;
    this.#most = most;
    this.#parameters = Object.assign({}, ...endpoints.map(({ params }) => params));
    this.#kept = new LRUCache({ max: Math.max(1, most), dispose: (generation) => generation.retire() });
  }

  /** How many generations are kept, and how many requests they have answered. */
  get size(): number {
    return this.#most === 0 ? 0 : this.#kept.size;
  }

  get hits(): number {
    return this.#hits;
  }

  close(): void {
    this.#kept.clear();
  }

  /**
   * The rows of each statement; undefined if the generation is not kept, if another request uses its plans, or if they
   * fail: then the files answer.
   */
  async rows(
    asked: Asked,
    statements: readonly Statement[],
    signal: AbortSignal,
    timed: Timed,
  ): Promise<string[][] | undefined> {
    if (this.#most === 0) return undefined;
    const { folder } = asked;
    const generation = this.#kept.get(folder);
    if (!generation) this.#count(folder);
    if (!generation?.isFree) return undefined;
    try {
      const rows = await generation.rows(asked, statements, signal, timed);
      this.#hits++;
      return rows;
    } catch (error) {
      // Its session may be in any state.
      this.#kept.delete(folder);
      if (signal.aborted) throw error;
      return undefined;
    }
  }

  /** Counts a question to a generation that is not kept, and begins to keep it if there are many. */
  #count(folder: string): void {
    const times = (this.#asked.get(folder) ?? 0) + 1;
    this.#asked.set(folder, times, { noUpdateTTL: true });
    if (times !== ASKED) return;
    this.#asked.delete(folder);
    // An organization has one current generation.
    for (const other of this.#kept.keys()) if (path.dirname(other) === path.dirname(folder)) this.#kept.delete(other);
    const [oldest] = [...this.#kept.values()].slice(-1);
    const isFull = this.#kept.size >= this.#most;
    // Loading costs as much as several answers: a place is free once its organization is no longer asked.
    if (isFull && oldest && performance.now() - oldest.usedAt < WITHIN_MS) return;
    const generation = new KeptGeneration(folder);
    this.#kept.set(folder, generation);
    // One that is too large, or cannot be loaded, leaves its place to another.
    generation.load(this.#database, this.#parameters).catch(() => this.#kept.delete(folder));
  }
}

/** Whether the plans of its statements are kept. */
export const keepsPlan = (endpoint: Endpoint): boolean => endpoint.keepsPlan === true;

/** One generation's tables and plans, on a session of their own. One request at a time uses them. */
class KeptGeneration {
  readonly #folder: string;
  readonly #plans = new Map<string, Prepared>();
  #session: Session | undefined;
  #isFree = false;
  #isRetired = false;
  #usedAt = performance.now();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get usedAt(): number {
    return this.#usedAt;
  }

  get isFree(): boolean {
    return this.#isFree && !this.#isRetired;
  }

  /** Closes the session as soon as nothing uses it. */
  retire(): void {
    this.#isRetired = true;
    if (!this.#isFree) return;
    this.#session?.close();
    this.#isFree = false;
  }

  async rows(asked: Asked, statements: readonly Statement[], signal: AbortSignal, timed: Timed): Promise<string[][]> {
    const session = this.#session as Session;
    this.#isFree = false;
    this.#usedAt = performance.now();
    try {
      return await session.answerUntil(signal, async () => {
        await this.#setParameters(session, asked);
        const all: string[][] = [];
        for (const { name, sql } of statements) {
          all.push(await timed(name, async () => (await this.#plan(session, sql)).texts()));
        }
        return all;
      });
    } finally {
      this.#release();
    }
  }

  #release(): void {
    this.#isFree = true;
    if (this.#isRetired) this.retire();
  }

  /** Fails if its tables are too large, or cannot be read. */
  async load(database: Database, parameters: Params): Promise<void> {
    if ((await bytesOf(this.#folder)) > MOST_BYTES) throw new Error(`${this.#folder} is too large to be kept`);
    const session = await database.session();
    try {
      await session.set("marts", this.#folder);
      for (const name of KEPT_RELATIONS) await session.run(`create temp table ${name} as from main.${name}`);
      // Any table that is created later would discard the plans.
      const columns = Object.entries(parameters).map(
        ([name, param]) => `null::${sqlTypeOf(param)} as ${identifier(snake(name))}`,
      );
      await session.run(`create temp table p as select ${columns.join(", ")}`);
      const macros = setupFiles().filter((name) => readSql(name).includes(PARAMETER));
      await session.run(fromTable(readMacros(...macros)));
    } catch (error) {
      session.close();
      throw error;
    }
    this.#session = session;
    this.#release();
  }

  /** In the table `p`. */
  async #setParameters(session: Session, { params, accepted }: Asked): Promise<void> {
    const columns = Object.entries(params).map(
      ([name, param], no) => `${identifier(snake(name))} = $${no + 1}::varchar::${sqlTypeOf(param)}`,
    );
    const plan = await this.#plan(session, `update p set ${columns.join(", ")}`);
    await plan.run(Object.keys(params).map((name) => accepted[name] ?? null));
  }

  async #plan(session: Session, sql: string): Promise<Prepared> {
    const plan = this.#plans.get(sql) ?? (await session.prepare(fromTable(sql)));
    this.#plans.set(sql, plan);
    return plan;
  }
}

const PARAMETER = "getvariable('p')";

/** The same SQL with the parameters read from the table `p`. */
const fromTable = (sql: string): string => sql.replaceAll(/getvariable\('p'\)\.(\w+)/g, "(select $1 from p)");

/** The bytes of the files of the kept relations. */
async function bytesOf(folder: string): Promise<number> {
  const files = (await readdir(folder)).filter((file) => KEPT_RELATIONS.includes(file.split(".")[0] ?? ""));
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
