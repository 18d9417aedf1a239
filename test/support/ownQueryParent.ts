import { setTimeout as sleep } from "node:timers/promises";
import { Queue } from "../../src/core/http/queue.ts";
import { OwnQueries } from "../../src/features/adhoc/ownQuery.ts";

/** A process that runs a query without end, to be killed: it says the id of the process of the query. */
const [dataDir = "", organizationId = "", folder = ""] = process.argv.slice(2);
const queries = new OwnQueries({ dataDir, slots: new Queue(1, 1, 600_000) });
const query = { organizationId, folder, signal: new AbortController().signal };
await queries.run({ ...query, sql: "select 1" });
queries.run({ ...query, sql: "select count(*) from range(1000000000000)", timeoutMs: 60_000 });
await sleep(500);
console.log(String(queries.pids[0]));
