import { setMaxListeners } from "node:events";
import { LRUCache } from "lru-cache";
import type { Endpoint } from "../contract/endpoint.ts";
import { isOutOfMemory } from "../contract/error.ts";
import { unlessAborted } from "./aborting.ts";
import type { Database, Session } from "./database.ts";
import { integrityQueries, isOfPeriod, violations } from "./integrity.ts";

/** Result of an integrity query; nulls if it did not fit into the memory. */
export interface Check {
  readonly name: string;
  readonly holds: boolean | null;
  readonly rows: number | null;
}

/** How many generations' results are kept. */
const MOST = 1_000;
const ALL_HISTORY = { startDate: null, endDate: null, view: "revenue", groupBy: "month" };

/**
 * The integrity queries of each generation, run when they are first asked for, and then kept: at a million orders they
 * take many seconds. One generation at a time, so that the queries of requests keep most of the engine.
 */
export class GenerationChecks {
  readonly #database: Database;
  readonly #endpoints: readonly Endpoint[];
  readonly #kept = new LRUCache<string, Promise<readonly Check[]>>({ max: MOST });
  readonly #ending = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database, endpoints: readonly Endpoint[]) {
    this.#database = database;
    this.#endpoints = endpoints;
    setMaxListeners(0, this.#ending.signal);
  }

  /** `version` names the generation in `folder`. A request that is aborted does not end the run: the next one finds the result. */
  async of(version: string, folder: string, signal: AbortSignal): Promise<readonly Check[]> {
    const known = this.#kept.get(version);
    const running = known ?? this.#run(folder);
    if (!known) {
      this.#kept.set(version, running);
      running.catch(() => this.#kept.delete(version));
    }
    return unlessAborted(running, signal, "timeout");
  }

  /** Ends the runs before the engine is closed. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#last;
  }

  #run(folder: string): Promise<readonly Check[]> {
    const running = this.#last.then(() =>
      this.#database.useUntil(this.#ending.signal, (session) => checked(session, this.#endpoints, folder)),
    );
    this.#last = running.catch(() => {});
    return running;
  }
}

/** Queries over a period run for the last year, the others for the whole history. */
async function checked(session: Session, endpoints: readonly Endpoint[], folder: string): Promise<Check[]> {
  const rows = new Map<string, number | null>(integrityQueries().map((name) => [name, 0]));
  await session.set("marts", folder);
  const run = async (accepted: Readonly<Record<string, string | null>>, only: (query: string) => boolean) => {
    const onFailure = (query: string, error: unknown): void => {
      if (!isOutOfMemory(error)) throw error;
      rows.set(query, null);
    };
    for (const { query, rows: found } of await violations(session, endpoints, accepted, { only, onFailure })) {
      const before = rows.get(query);
      if (before !== null) rows.set(query, (before ?? 0) + found.length);
    }
  };
  await run(ALL_HISTORY, (query) => !isOfPeriod(query));
  const [last] = await session.rows(
    "select horizon_on::varchar as until, (horizon_on - 364)::varchar as since from organization where horizon_on is not null",
  );
  if (last) {
    const year = { ...ALL_HISTORY, startDate: String(last.since), endDate: String(last.until) };
    await run(year, isOfPeriod);
  }
  return [...rows]
    .map(([name, found]) => ({ name, holds: found === null ? null : found === 0, rows: found }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
