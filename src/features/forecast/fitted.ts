import { readFile } from "node:fs/promises";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { filesOf, type ModelEndpoint, type OnQuery } from "../../core/contract/endpoint.ts";
import { ApiError } from "../../core/contract/error.ts";
import { unlessAborted, withinTime } from "../../core/engine/aborting.ts";
import type { Database, Session, Value } from "../../core/engine/database.ts";
import { readSql } from "../../core/engine/sql.ts";
import { sha256OfText } from "../../core/files/checksum.ts";
import { writeWhole } from "../../core/files/durable.ts";
import { exists } from "../../core/files/exists.ts";
import { MODELS } from "./index.ts";
import type { Basis, Columns } from "./model.ts";
import { ModelThread } from "./thread.ts";

/** How long a request waits for figures that are being computed, before it is answered 503. */
const WAIT_MS = 10_000;
/** A computation that takes longer is stopped. */
const LIMIT_MS = 300_000;
/** How long a failure is the answer to later requests. */
const FAILED_MS = 60_000;
/** How many figures are kept in memory, each of some kilobytes. */
const KEPT = 100;

interface Options {
  /** Whether figures are kept in the generations' folders. */
  readonly writes?: boolean;
  readonly waitMs?: number;
  readonly onFailure?: (folder: string, error: unknown) => void;
}

/** A generation. */
interface Derived {
  readonly folder: string;
  readonly state: string;
}

/** A computation, with what ends it. */
interface Fit {
  readonly endpoint: ModelEndpoint;
  readonly folder: string;
  readonly figures: Promise<string>;
  readonly end: AbortController;
}

/**
 * The figures of models, computed once per generation: concurrent requests share the computation, it goes on when they no
 * longer wait, and its result is kept with the generation. A request of a later generation ends those of earlier ones. One
 * model at a time is computed, in a thread of its own.
 */
export class FittedModels {
  readonly #database: Database;
  readonly #options: Options;
  readonly #figures = new LRUCache<string, string>({ max: KEPT });
  readonly #failures = new LRUCache<string, Error>({ max: KEPT, ttl: FAILED_MS });
  readonly #running = new Map<string, Fit>();
  readonly #stopping = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database, options: Options = {}) {
    this.#database = database;
    this.#options = options;
  }

  /** The figures as JSON text. Fails with an `ApiError` if the request cannot wait for them. */
  async figures(
    endpoint: ModelEndpoint,
    generation: Derived,
    signal: AbortSignal,
    onQuery: OnQuery = () => {},
  ): Promise<string> {
    const revision = revisionOf(endpoint, generation);
    const place = path.join(generation.folder, `${endpoint.model}.json`);
    const key = `${revision} ${place}`;
    const kept = this.#figures.get(key) ?? (await readKept(place, revision));
    if (kept !== undefined) {
      this.#figures.set(key, kept);
      return kept;
    }
    const failure = this.#failures.get(key);
    if (failure) throw failure;
    const running = this.#running.get(key)?.figures ?? this.#start(key, endpoint, generation, onQuery);
    return withinTime(this.#options.waitMs ?? WAIT_MS, [signal], (end) => unlessAborted(running, end, "computing"));
  }

  /** Stops what is being computed. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([...this.#running.values()].map(({ figures }) => figures));
  }

  #start(key: string, endpoint: ModelEndpoint, generation: Derived, onQuery: OnQuery): Promise<string> {
    const { folder } = generation;
    this.#endEarlier(endpoint, folder);
    const end = new AbortController();
    const signals = [end.signal, this.#stopping.signal];
    const begun = this.#last.then(() =>
      withinTime(LIMIT_MS, signals, (signal) => this.#compute(endpoint, folder, signal, onQuery)),
    );
    this.#last = begun.catch(() => {});
    const figures = begun
      .then(async (figures) => {
        this.#figures.set(key, figures);
        if (this.#options.writes) await this.#keep(endpoint, generation, figures);
        return figures;
      })
      .catch((error: Error) => {
        if (signals.some(({ aborted }) => aborted)) throw new ApiError("computing");
        this.#failures.set(key, error);
        this.#options.onFailure?.(folder, error);
        throw error;
      })
      .finally(() => this.#running.delete(key));
    // Requests may no longer wait for it.
    figures.catch(() => {});
    this.#running.set(key, { endpoint, folder, figures, end });
    return figures;
  }

  /** Ends the computations of the organization's earlier generations. */
  #endEarlier(endpoint: ModelEndpoint, folder: string): void {
    // That of a state is asked for beside it.
    if (!isGeneration(folder)) return;
    for (const fit of this.#running.values()) {
      const isOfSame = fit.endpoint === endpoint && path.dirname(fit.folder) === path.dirname(folder);
      // The folders of generations are numbered.
      if (isOfSame && isGeneration(fit.folder) && fit.folder < folder) fit.end.abort();
    }
  }

  /** The figures can be computed again, so a disk that cannot take them is no reason to fail. */
  async #keep(endpoint: ModelEndpoint, generation: Derived, figures: string): Promise<void> {
    const { folder } = generation;
    const place = path.join(folder, `${endpoint.model}.json`);
    try {
      if (await exists(folder)) await writeKept(place, revisionOf(endpoint, generation), figures);
    } catch (error) {
      this.#options.onFailure?.(folder, error);
    }
  }

  #compute(endpoint: ModelEndpoint, folder: string, signal: AbortSignal, onQuery: OnQuery): Promise<string> {
    return this.#database.useUntil(signal, async (session) => {
      await session.set("marts", folder);
      return computed(session, endpoint, signal, onQuery);
    });
  }
}

const isGeneration = (folder: string): boolean => path.basename(folder).startsWith("gen=");

/** Reads the rows into the model's thread. Rows of a single part that are too few for a fit need no thread. */
async function computed(
  session: Session,
  endpoint: ModelEndpoint,
  signal: AbortSignal,
  onQuery: OnQuery,
): Promise<string> {
  const { model: name } = endpoint;
  const sql = sqlOf(endpoint);
  const basis = await basisOf(session);
  const began = performance.now();
  let thread: ModelThread | undefined;
  let part: Columns = [];
  const stop = (): void => void thread?.stop();
  signal.addEventListener("abort", stop);
  try {
    for await (const columns of session.chunks(readSql(sql))) {
      if (part.length > 0) {
        thread ??= new ModelThread(name);
        thread.add(part);
      }
      part = columns.map((column) => column.map(plain));
    }
    onQuery(sql, performance.now() - began);
    if (!thread) {
      const model = MODELS[name].make();
      model.add(part);
      if (model.isTooLittle) return JSON.stringify(model.figures(basis));
      thread = new ModelThread(name);
    }
    thread.add(part);
    return await thread.figures(basis);
  } finally {
    signal.removeEventListener("abort", stop);
    await thread?.stop();
  }
}

async function basisOf(session: Session): Promise<Basis> {
  const [row] = await session.rows("select margin_percent::double as percent from margin");
  return { marginPercent: Number(row?.percent) };
}

/** Without the engine's classes, which cannot be sent to a thread. */
function plain(value: Value): Columns[number][number] {
  if (value === null || typeof value !== "object") return value;
  if ("days" in value) return Number(value.days);
  if ("scale" in value) return value.value;
  throw new Error(`${value} cannot be a value of a model's rows`);
}

/** Changes with what the generation was derived from, with the SQL and with the code of the model. */
const revisionOf = (endpoint: ModelEndpoint, { state }: Derived): string =>
  sha256OfText(`${state} ${MODELS[endpoint.model].revision} ${readSql(sqlOf(endpoint))} ${readSql("setup")}`);

/** The file of the rows that it is fitted to. */
const sqlOf = (endpoint: ModelEndpoint): string => filesOf(endpoint)[0] ?? "";

/** A line with the checksum of the rest: a line with the revision, and the figures. What cannot be read is computed again. */
async function readKept(place: string, revision: string): Promise<string | undefined> {
  const text = await readFile(place, "utf8").catch(() => "");
  const [checksum, of, figures] = text.split("\n");
  return of === revision && checksum === sha256OfText(`${of}\n${figures}`) ? figures : undefined;
}

async function writeKept(place: string, revision: string, figures: string): Promise<void> {
  const text = `${revision}\n${figures}`;
  await writeWhole(place, `${sha256OfText(text)}\n${text}`, 0o600);
}
