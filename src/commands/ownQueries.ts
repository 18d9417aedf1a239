import type { Config } from "../config.ts";
import { everyParam, usual } from "../endpoints/every.ts";
import { type Generations as EngineGenerations, held } from "../engine/generations.ts";
import { type OwnAnswer, OwnQueries } from "../engine/ownQuery.ts";
import type { OwnQuery } from "../http/own.ts";
import { Queue } from "../http/queue.ts";

/** Queries of clients' own that run at once, those of one party that may wait, and how long. */
const TURNS = { processes: 2, waiting: 8, timeoutMs: 30_000 };
const QUERY_MS = 10_000;
/** Unless the caller says otherwise. */
const MOST_BYTES = 200_000;

interface Generations extends Pick<EngineGenerations, "hold"> {
  current(organizationId: string): Promise<{ readonly folder: string }>;
}

/** The engine for queries that clients wrote: one for all doors, which share its limits. */
export function openOwnQueries({ dataDir }: Pick<Config, "dataDir">, generations: Generations) {
  const { processes, waiting, timeoutMs } = TURNS;
  const turns = new Queue(processes, waiting, timeoutMs);
  const queries = new OwnQueries({ dataDir, turns, processes, params: everyParam, usual });
  return {
    query: async (asked: OwnQuery): Promise<OwnAnswer> => {
      return held(generations, asked.organizationId, async () => {
        const { folder } = await generations.current(asked.organizationId);
        return queries.run({ bytes: MOST_BYTES, ...asked, folder, timeoutMs: QUERY_MS });
      });
    },
    close: () => queries.close(),
  };
}
