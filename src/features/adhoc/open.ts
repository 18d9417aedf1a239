import type { Config } from "../../core/config.ts";
import type { Generations as EngineGenerations } from "../../core/contract/generations.ts";
import { everyParam, usual } from "../../core/endpoints/every.ts";
import { held } from "../../core/engine/generations.ts";
import { Queue } from "../../core/http/queue.ts";
import type { Form, OwnText } from "./own/messages.ts";
import { type OwnQuery as EngineQuery, type OwnAnswer, OwnQueries } from "./ownQuery.ts";
import type { OwnQuery } from "./routes.ts";

/** Queries of clients' own that run at once, those of one party that may wait, and how long; those of one party that run. */
const LIMITS = { processes: 2, waiting: 8, timeoutMs: 30_000, ofOne: 1 };
const QUERY_MS = 10_000;
/** Unless the caller says otherwise. */
const MOST_BYTES = 200_000;

interface Generations extends Pick<EngineGenerations, "hold"> {
  current(organizationId: string): Promise<{ readonly folder: string }>;
}

/** The engine for queries that clients wrote: one for all doors, which share its limits. */
export function openOwnQueries({ dataDir }: Pick<Config, "dataDir">, generations: Generations) {
  const { processes, waiting, timeoutMs, ofOne } = LIMITS;
  const slots = new Queue(processes, waiting, timeoutMs, ofOne);
  const queries = new OwnQueries({ dataDir, slots, processes, params: everyParam, usual });
  const inFolder = <T>(asked: OwnQuery, run: (query: EngineQuery) => Promise<T>): Promise<T> =>
    held(asked.known?.files ?? generations, asked.organizationId, async () => {
      const { folder } = await (asked.known?.files ?? generations).current(asked.organizationId);
      return run({ bytes: MOST_BYTES, ...asked, folder, timeoutMs: QUERY_MS });
    });
  return {
    query: (asked: OwnQuery): Promise<OwnAnswer> => inFolder(asked, (query) => queries.run(query)),
    written: (asked: OwnQuery, form: Form): Promise<OwnText> =>
      inFolder(asked, (query) => queries.written(query, form)),
    close: () => queries.close(),
  };
}
