import { readFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { QueryError } from "../../src/core/contract/error.ts";
import { everyParam, usual } from "../../src/core/endpoints/every.ts";
import { openServing } from "../../src/core/engine/serving.ts";
import { sha256Of } from "../../src/core/files/checksum.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { PROJECT } from "../../src/core/files/paths.ts";
import { Queue } from "../../src/core/http/queue.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { OwnQueries } from "../../src/features/adhoc/ownQuery.ts";
import type { DataFolder } from "../../test/support/data.ts";
import { BREAKING, COSTLY, hostileSql, namesOf, refusedSql } from "../../test/support/hostileSql.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { minutes } from "../support/minutes.ts";
import { landed, type Tenant, tenants } from "../support/tenants.ts";

export const foreignQueries: Part = {
  name: "foreign queries",
  promise:
    "A query that somebody else wrote reads the relations of its organization and nothing else: no file, no setting, no " +
    "other organization, no path of the machine; what it may use of memory and time is limited, and the service goes on.",
  method:
    "Two organizations with a mark in every text. Of each family of hostile statements (files, settings, texts that run " +
    "as queries, statements that change something) every one must be refused; queries that cost more than they may must " +
    "be ended, and after each of these a query must run. Then statements are generated from a grammar over all functions, table functions, settings and relations " +
    "of the engine, with paths of both organizations, common tables, recursion and broken text. Each is refused or " +
    "harmless: its result or message has nothing of the other organization and no path that it did not contain itself. " +
    "After every two of them a query must run. Processes are killed and stopped meanwhile. The derived files are the same at the end, and no process is left.",
  run,
};

const STATEMENTS: Record<Scale, number> = { short: 300, long: 10_000 };
const AT_ONCE = 2;
const TIMEOUT_MS: Record<Scale, number> = { short: 1_000, long: 2_000 };
/** Statements between two processes that are killed or stopped. */
const STRIKE_EVERY = 250;
const LESS = /inventory|keywords|geographic|criterion|conversion|adset|platform|pipelines|items|customers/;
/** Of the process of a query: what the system gives it for data, and its code. */
const MOST_MB = 512 + 640 + 256;

async function run(scale: Scale, seed: number): Promise<readonly Figure[]> {
  const both = await tenants();
  const [tenant, other] = both as unknown as readonly [Tenant, Tenant];
  const data = await landed(both, scale === "long" ? undefined : LESS);
  const [own, foreign] = [await folderOf(data, tenant), await folderOf(data, other)];
  const known = { dataDir: data.path, own, other: foreign };
  const database = await openServing(data.config, tenant.id);
  const names = await namesOf(database);
  database.close();
  const queries = new OwnQueries({
    dataDir: data.path,
    slots: new Queue(AT_ONCE, 1_000, 3_600_000),
    params: everyParam,
    usual,
  });
  const memory = watchMemory(queries);
  const counts = new Map<string, number>();
  let [longest, asked, strikes] = [0, 0, 0];
  const forbidden = [other.mark, ...other.stores, "root:x:0:"];
  const ask = async (sql: string, timeoutMs = TIMEOUT_MS[scale]): Promise<string> => {
    const began = performance.now();
    const [kind, said] = await queries
      .run({ organizationId: tenant.id, folder: own, sql, signal: new AbortController().signal, timeoutMs })
      .then(
        (result): [string, string] => ["answered", JSON.stringify(result)],
        (error: unknown): [string, string] => {
          if (error instanceof QueryError) return [error.kind, error.message];
          throw new Error(`${sql}: ${String(error)}`);
        },
      );
    longest = Math.max(longest, performance.now() - began);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    asked++;
    const paths = [data.path, PROJECT].filter((one) => !sql.includes(one));
    for (const mark of [...forbidden, ...paths])
      if (said.includes(mark) && !sql.includes(mark))
        throw new Error(`${sql}: its end contains ${mark}: ${said.slice(0, 500)}`);
    return kind;
  };
  try {
    if (!JSON.stringify((await tryMark(queries, tenant, own)).rows).includes(tenant.mark))
      throw new Error("the organization's own rows have no mark: nothing could be found");
    for (const sql of Object.values(refusedSql(known)).flat()) {
      const kind = await ask(sql);
      if (kind !== "refused") throw new Error(`not refused, but ${kind}: ${sql}`);
    }
    for (const sql of [...COSTLY, ...BREAKING]) {
      await ask(sql);
      if ((await ask("select 1", 60_000)) !== "answered") throw new Error(`no query runs any more after ${sql}`);
    }
    const batch = fc.noShrink(
      fc.array(hostileSql(names, known), { minLength: AT_ONCE, maxLength: AT_ONCE, size: "max" }),
    );
    const property = fc.asyncProperty(batch, async (all) => {
      if (Math.floor(asked / STRIKE_EVERY) > strikes) strike(queries, strikes++);
      await Promise.all(all.map((sql) => ask(sql)));
      // A statement may leave a process behind that refuses everything: the next query must be answered.
      if ((await ask("select 1", 60_000)) !== "answered")
        throw new Error(`no query runs any more after ${all.join("; ")}`);
    });
    const { failed, errorInstance } = await fc.check(property, {
      seed,
      numRuns: STATEMENTS[scale] / AT_ONCE,
      interruptAfterTimeLimit: minutes(600) * 60_000,
    });
    if (failed) throw errorInstance;
    if ((await ask("select count(*) from orders", 60_000)) !== "answered") throw new Error("no query runs any more");
    await expectUnchanged(data, tenant, own);
  } finally {
    memory.stop();
    await queries.close();
    await data.remove();
  }
  if (queries.pids.length > 0) throw new Error(`processes are left: ${queries.pids}`);
  if (memory.megabytes() > MOST_MB) throw new Error(`a process used ${memory.megabytes()} MB`);
  const count = (kind: string): string => (counts.get(kind) ?? 0).toLocaleString("en");
  return [
    { what: "statements", value: asked.toLocaleString("en") },
    { what: "foreign bytes and paths", value: "0" },
    { what: "refused", value: count("refused") },
    { what: "failed in the engine", value: count("failed") },
    { what: "answered", value: count("answered") },
    { what: "ended for their memory", value: count("memory") },
    { what: "for their time", value: count("timeout") },
    { what: "for the size of a row", value: count("size") },
    { what: "most memory of a process", value: `${memory.megabytes()} MB` },
    {
      what: `the longest, with its start, of at most ${TIMEOUT_MS[scale] / 1000} s`,
      value: `${(longest / 1000).toFixed(1)} s`,
    },
  ];
}

async function folderOf({ config }: DataFolder, { id }: Tenant): Promise<string> {
  const generation = await currentGeneration(foldersOf(config.dataDir, id));
  if (!generation) throw new Error(`nothing is derived for ${id}`);
  return generation.folder;
}

const tryMark = (queries: OwnQueries, { id }: Tenant, folder: string) =>
  queries.run({ organizationId: id, folder, sql: "from order_lines limit 50", signal: new AbortController().signal });

/** Kills one process, or stops it, whatever it does. */
function strike({ pids: [pid] }: OwnQueries, no: number): void {
  if (pid !== undefined) process.kill(pid, no % 2 === 0 ? "SIGKILL" : "SIGSTOP");
}

/** The most memory of any process, in MB. The kernel remembers it: only the very last moment of a process is missed. */
function watchMemory(queries: OwnQueries): { megabytes(): number; stop(): void } {
  let most = 0;
  const watching = setInterval(async () => {
    for (const pid of queries.pids) {
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    }
  }, 20);
  return { megabytes: () => Math.round(most), stop: () => clearInterval(watching) };
}

async function expectUnchanged(data: DataFolder, { id }: Tenant, folder: string): Promise<void> {
  const generation = await currentGeneration(foldersOf(data.config.dataDir, id));
  const expected = Object.entries(generation?.checksums ?? {});
  for (const [file, checksum] of expected)
    if ((await sha256Of(path.join(folder, file))) !== checksum) throw new Error(`${file} has changed`);
  const names = (await data.files(path.relative(data.path, folder))).filter((name) => name !== "derived.json");
  if (names.length !== expected.length) throw new Error(`there are other files: ${names}`);
}
