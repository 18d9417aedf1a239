import path from "node:path";
import { LRUCache } from "lru-cache";
import type { Endpoint, KeptTables } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { type Accepted, type Param, type Params, snake } from "../contract/param.ts";
import { sqlTypeOf } from "../params/kinds.ts";
import { type Database, identifier, type Prepared, type Session, type StructMember } from "./database.ts";
import { type Engines, engineFor } from "./engines.ts";
import { KINDS, keptBytes, loadTables } from "./keptTables.ts";
import { sharedMacros, sharedRows, shareMacros } from "./macros.ts";
import type { Statement } from "./parts.ts";
import { readMacros, readSql, setupFiles } from "./sql.ts";

/** How many requests wait for those before them: a kept plan takes less than planning the same query over the files. */
const MOST_WAITING = 4;
/** Tables of a generation are kept once it has been asked this often within this time. */
const ASKED = 3;
const WITHIN_MS = 60_000;
/** The plans of a generation: those of the endpoints, for some stores and choices. */
const MOST_PLANS = 32;
/** After so many answers the tables of the session are compacted: what an update replaces stays until then. */
const COMPACT_AFTER = 1_000;

/** Runs a query and reports its time. */
type Timed = <T>(query: () => Promise<T>) => Promise<T>;

interface KeptLimits {
  /** Of how many generations tables of each kind are kept; 0 for none. */
  readonly most: number;
  /** The bytes on disk of the kept relations of all of them. In memory they take about as much. */
  readonly mostBytes: number;
  /** Hears of tables that could not be loaded: the files answer for them. */
  readonly onFailure?: (folder: string, error: unknown) => void;
}

/** A request of a generation. */
interface KeptRequest {
  readonly folder: string;
  readonly tables: KeptTables;
  readonly params: Params;
  readonly accepted: Accepted;
}

/**
 * Prepared plans and tables for the busiest organizations: planning and reading files take most of the time of their
 * answers. A kept plan reads tables of its own session, which no other session sees: one session for rollups by day,
 * one for sales by product, one for the statement of profit, so that light answers do not wait for heavy ones. In a kept
 * plan the variables of the session are constants: days, instants, pages and products are read from a table `p` there, and
 * each combination of the other parameters has plans of its own.
 */
export class KeptPlans {
  readonly #engines: Engines;
  readonly #most: number;
  readonly #onFailure: KeptLimits["onFailure"];
  #hits = 0;
  /** The parameters of all endpoints: the macros read those of any. */
  readonly #parameters: Params;
  readonly #endpoints: readonly Endpoint[];
  readonly #asked = new LRUCache<string, number>({ max: 1_000, ttl: WITHIN_MS });
  /** By the folder of the generation and the kind of tables. */
  readonly #kept: LRUCache<string, KeptGeneration>;

  constructor(engines: Engines, endpoints: readonly Endpoint[], { most, mostBytes, onFailure }: KeptLimits) {
    this.#engines = engines;
    this.#most = most;
    this.#onFailure = onFailure;
    this.#endpoints = endpoints;
    this.#parameters = Object.assign({}, ...endpoints.map(({ params }) => params));
    this.#kept = new LRUCache({
      max: Math.max(1, most * KINDS.length),
      maxSize: mostBytes,
      dispose: (generation) => generation.retire(),
    });
  }

  /** How many sets of tables are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** How many requests they have answered. */
  get hits(): number {
    return this.#hits;
  }

  close(): void {
    this.#kept.clear();
  }

  /**
   * The rows of each statement; undefined if the tables are not kept, if too many requests wait for them, if the request
   * has filters of its own, or if the plans fail: then the files answer.
   */
  async rows(
    asked: KeptRequest,
    statements: readonly Statement[],
    signal: AbortSignal,
    timed: Timed,
  ): Promise<string[][] | undefined> {
    if (this.#most === 0) return undefined;
    const key = keyOf(asked);
    const generation = this.#kept.get(key);
    if (!generation) this.#count(asked);
    if (!generation?.hasRoom || hasFilter(asked)) return undefined;
    try {
      const rows = await generation.rows(asked, statements, signal, timed);
      if (rows) this.#hits++;
      return rows;
    } catch (error) {
      // Another one may be in its place already.
      if (generation.isRetired && this.#kept.peek(key) === generation) this.#kept.delete(key);
      if (signal.aborted) throw error;
      return undefined;
    }
  }

  /** Counts a request for tables that are not kept, and begins to keep them if there are many. */
  #count(asked: KeptRequest): void {
    const key = keyOf(asked);
    const times = (this.#asked.get(key) ?? 0) + 1;
    this.#asked.set(key, times, { noUpdateTTL: true });
    if (times !== ASKED) return;
    this.#asked.delete(key);
    // One that cannot be loaded leaves its place to another.
    this.#keep(asked).catch((error) => {
      this.#kept.delete(key);
      this.#onFailure?.(asked.folder, error);
    });
  }

  async #keep(asked: KeptRequest): Promise<void> {
    const { folder, tables } = asked;
    const size = await keptBytes(folder, tables);
    // An organization has one current generation.
    for (const [key, { folder: other }] of this.#kept.entries())
      if (other !== folder && path.dirname(other) === path.dirname(folder)) this.#kept.delete(key);
    const [oldest] = [...this.#kept.values()].slice(-1);
    const isFull = this.#kept.size >= this.#kept.max || this.#kept.calculatedSize + size > this.#kept.maxSize;
    // Loading costs as much as several answers: a place is free once its organization is no longer asked.
    if (size > this.#kept.maxSize || (isFull && oldest && performance.now() - oldest.usedAt < WITHIN_MS)) return;
    const of = this.#endpoints.filter(({ keepsPlan }) => keepsPlan?.over === tables);
    const shared = [...new Set(of.flatMap(sharedMacros))];
    const generation = new KeptGeneration({ folder, tables, shared }, this.#parameters);
    this.#kept.set(keyOf(asked), generation, { size });
    // Several threads share the lines of a period well, however few they are.
    const isByLine = tables === "products";
    await generation.load(isByLine ? this.#engines.database : await engineFor(this.#engines, folder));
  }
}

const keyOf = ({ folder, tables }: KeptRequest): string => `${tables} ${folder}`;

/** The tables that the kept plans of the endpoint read; undefined if none are kept for these parameters. */
export function keptTables({ keepsPlan }: Endpoint, accepted: Accepted = {}): KeptTables | undefined {
  const isLeftOut = keepsPlan?.without?.some((name) => (accepted[name] ?? null) !== null);
  return isLeftOut ? undefined : keepsPlan?.over;
}

/** Whether a plan reads the parameter from the table `p`, as it has another value in each request. */
const varies = ({ kind, required = false }: Param): boolean =>
  ["day", "from", "to", "now", "paging"].includes(kind) || (kind === "text" && required);

/** Whether the request has a value that hardly any other has, and that would be a constant in a plan. */
const hasFilter = ({ params, accepted }: KeptRequest): boolean =>
  Object.entries(params).some(
    ([name, param]) =>
      !varies(param) && ["text", "number", "list"].includes(param.kind) && (accepted[name] ?? null) !== null,
  );

interface KeptKind {
  readonly folder: string;
  readonly tables: KeptTables;
  /** The table macros that the answers of this kind compute once, each after those that it reads. */
  readonly shared: readonly string[];
}

/** A generation's tables of one kind and the plans over them, on a session of their own. Requests use it one after the other. */
class KeptGeneration {
  readonly folder: string;
  readonly #tables: KeptTables;
  readonly #shared: readonly string[];
  readonly #plans = new LRUCache<string, Prepared>({ max: MOST_PLANS, dispose: (plan) => plan.close() });
  readonly #parameters: Params;
  /** From when its tables are loaded until it is retired. */
  #session: Session | undefined;
  /** The values of the session's variable `p`, as JSON. */
  #constants = "";
  /** What the columns of its table `p` were last set to. */
  readonly #row = new Map<string, Accepted[string]>();
  #answers = 0;
  /** Requests that use it or wait for it, and the end of the last of them. */
  #requests = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isRetired = false;
  #usedAt = performance.now();

  /** `parameters`: those of all endpoints. */
  constructor({ folder, tables, shared }: KeptKind, parameters: Params) {
    this.folder = folder;
    this.#tables = tables;
    this.#shared = shared;
    this.#parameters = parameters;
  }

  get usedAt(): number {
    return this.#usedAt;
  }

  get isRetired(): boolean {
    return this.#isRetired;
  }

  /** Whether it is loaded, and few enough requests wait. */
  get hasRoom(): boolean {
    return this.#session !== undefined && !this.#isRetired && this.#requests <= MOST_WAITING;
  }

  /** Closes the session as soon as no request uses it. */
  retire(): void {
    this.#isRetired = true;
    if (this.#requests > 0) return;
    this.#plans.clear();
    this.#session?.close();
    this.#session = undefined;
  }

  /** Undefined if it was retired before the request's turn. */
  async rows(
    asked: KeptRequest,
    statements: readonly Statement[],
    signal: AbortSignal,
    timed: Timed,
  ): Promise<string[][] | undefined> {
    this.#requests++;
    this.#usedAt = performance.now();
    const turn = this.#last.then(() => this.#answer(asked, statements, signal, timed));
    this.#last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.#requests--;
      if (this.#isRetired) this.retire();
    }
  }

  async #answer(
    asked: KeptRequest,
    statements: readonly Statement[],
    signal: AbortSignal,
    timed: Timed,
  ): Promise<string[][] | undefined> {
    const session = this.#session;
    if (this.#isRetired || !session) return undefined;
    if (signal.aborted) throw new ApiError("timeout");
    try {
      return await session.answerUntil(signal, async () => {
        await this.#setParameters(session, asked);
        const plan = await this.#plan(session, together(statements, this.#shared), this.#constants);
        const [parts = [], texts = []] = await timed(() => plan.textColumns());
        return statements.map((_, no) => texts.filter((_, at) => parts[at] === String(no)));
      });
    } catch (error) {
      // Its session may be in any state.
      this.#isRetired = true;
      throw error;
    } finally {
      await this.#compact(session);
    }
  }

  async #compact(session: Session): Promise<void> {
    this.#answers++;
    if (this.#answers % COMPACT_AFTER === 0) await session.run("checkpoint temp");
  }

  /** Fails if its tables cannot be read. */
  async load(database: Database): Promise<void> {
    const session = await database.session();
    try {
      await session.set("marts", this.folder);
      // Any table that is created after the plans would discard them.
      const columns = this.#named(varies).map(({ member, type }) => `null::${type} as ${identifier(member)}`);
      await session.run(`create temp table p as select ${columns.join(", ")}`);
      const created = this.#shared.map((macro) => `create macro ${macro}()`);
      const macros = setupFiles().filter((name) => {
        const sql = readSql(name);
        return sql.search(REQUEST_MEMBER) >= 0 || created.some((statement) => sql.includes(statement));
      });
      await this.#setParameters(session, { params: {}, accepted: {} });
      // Before the tables: a macro can only be created over all columns that it names.
      await shareMacros(session, this.#fromTable(readMacros(...macros)), this.#shared);
      await loadTables(session, this.#tables);
      // No plan reads a file.
      await session.set("marts", "");
    } catch (error) {
      session.close();
      throw error;
    }
    this.#session = session;
    if (this.#isRetired) this.retire();
  }

  /** Some of the parameters of all endpoints. */
  #named(which: (param: Param) => boolean): { name: string; member: string; type: StructMember["type"] }[] {
    return Object.entries(this.#parameters)
      .filter(([_, param]) => which(param))
      .map(([name, param]) => ({ name, member: snake(name), type: sqlTypeOf(param) }));
  }

  /** In the table `p`, and as constants in the variable `p`. */
  async #setParameters(
    session: Session,
    { params, accepted }: Pick<KeptRequest, "params" | "accepted">,
  ): Promise<void> {
    const values = this.#named((param) => !varies(param)).map(({ name, member, type }) => ({
      name: member,
      type,
      value: accepted[name] ?? null,
    }));
    const constants = JSON.stringify(values.map(({ value }) => value));
    if (constants !== this.#constants) {
      this.#constants = "";
      await session.setStruct("p", values);
      this.#constants = constants;
    }
    // A page asks several questions about the same days.
    const changed = this.#named(varies)
      .filter(({ name }) => name in params)
      .map((one) => ({ ...one, value: accepted[one.name] ?? null }))
      .filter(({ member, value }) => this.#row.get(member) !== value);
    if (changed.length === 0) return;
    const columns = changed.map(({ member, type }, no) => `${identifier(member)} = $${no + 1}::varchar::${type}`);
    // Whatever fails, they are set again.
    for (const { member } of changed) this.#row.delete(member);
    const update = await this.#plan(session, `update p set ${columns.join(", ")}`);
    await update.run(changed.map(({ value }) => value));
    for (const { member, value } of changed) this.#row.set(member, value);
  }

  async #plan(session: Session, sql: string, constants = ""): Promise<Prepared> {
    const key = `${constants} ${sql}`;
    const plan = this.#plans.get(key) ?? (await session.prepare(this.#fromTable(sql)));
    this.#plans.set(key, plan);
    return plan;
  }

  /** The same SQL with the parameters that vary read from the table `p`. */
  #fromTable(sql: string): string {
    const members = new Set(this.#named(varies).map(({ member }) => member));
    return sql.replaceAll(REQUEST_MEMBER, (constant, member, optional) =>
      members.has(member ?? optional) ? `(select ${identifier(member ?? optional)} from p)` : constant,
    );
  }
}

/** A member of the variable `p`, or one that a shell may leave out. One in another form would be a constant of the plan. */
export const REQUEST_MEMBER = /getvariable\('p'\)\.(\w+)|optional_parameter\('(\w+)'\)/g;

/** One statement for all: each text with the number of its statement. The rows of shared macros are computed once. */
function together(statements: readonly Statement[], shared: readonly string[]): string {
  const parts = statements.map(({ sql }, no) => `select ${no} as part, text from (${sql})`);
  return `${sharedRows(shared)}${parts.join(" union all ")}`;
}
