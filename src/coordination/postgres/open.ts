import type { Coordination } from "../coordination.ts";
import { Connections } from "./connections.ts";
import { postgresDocuments } from "./documents.ts";
import { PostgresJobs } from "./jobs.ts";
import { PostgresNumbers, PostgresPointers } from "./pointers.ts";
import { PostgresTurns } from "./turns.ts";

/** A revoked credential works at most this long while the database does not answer. */
const KNOWN_MS = 15 * 60_000;

/** The coordination by a PostgreSQL database. Nothing connects before it is used. */
export function openPostgres(url: string, dataDir: string, knownMs = KNOWN_MS): Coordination {
  const connections = new Connections(url);
  const turns = new PostgresTurns(connections, dataDir);
  const jobs = new PostgresJobs(url);
  return {
    turns,
    pointers: new PostgresPointers(connections, turns),
    numbers: new PostgresNumbers(turns),
    documents: postgresDocuments(connections, knownMs),
    jobs,
    knownMs,
    downSince: () => connections.downSince,
    close: async () => {
      await jobs.close();
      await connections.close();
    },
  };
}
