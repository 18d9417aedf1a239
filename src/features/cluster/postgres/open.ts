import { type Coordination, KNOWN_MS } from "../../../core/coordination/coordination.ts";
import { Connections } from "./connections.ts";
import { postgresDocuments } from "./documents.ts";
import { PostgresJobs } from "./jobs.ts";
import { postgresLogs } from "./logs.ts";
import { PostgresNumbers, PostgresPointers } from "./pointers.ts";
import { PostgresTurns } from "./turns.ts";

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
    logs: postgresLogs(connections),
    jobs,
    knownMs,
    downSince: () => connections.downSince,
    close: async () => {
      await jobs.close();
      await connections.close();
    },
  };
}
