import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job, Jobs } from "../src/core/coordination/coordination.ts";
import { openPostgres } from "../src/features/cluster/postgres/open.ts";
import { SharedQueue } from "../src/features/cluster/sharedQueue.ts";
import { DataFolder, ended, exportsOf, STOREA, said, storeaOrders } from "../test/support/data.ts";
import { startPostgres } from "../test/support/postgres.ts";

/**
 * Organizations that land and derive, by a number of workers; and how long it takes to queue many: `workers.ts ORGANIZATIONS
 * WORKERS… [--queue NUMBER]`. Prints a line of JSON per number of workers.
 */
const words = process.argv.slice(2);
const at = words.indexOf("--queue");
const queued = at < 0 ? 0 : Number(words.splice(at, 2)[1]);
const [organizations = 10, ...workers] = words.map(Number);
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const TICKS = 100;

/** Processor seconds of a process and of its children that have ended. */
async function secondsOf(pid: number | undefined): Promise<number> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8");
  const [user, system, childUser, childSystem] = line
    .slice(line.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .map(Number);
  return ((user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0)) / TICKS;
}

async function filled(): Promise<DataFolder> {
  const data = await DataFolder.empty();
  for (let n = 0; n < organizations; n++) {
    const organizationId = idOf(n);
    const integrations = [{ id: STOREA, connector: "storea" as const, name: "Store" }];
    await data.settings({ organizationId, name: `Shop ${n}`, integrations });
    const orders = JSON.stringify(storeaOrders(100, n));
    await data.write(`${exportsOf(STOREA, "orders", organizationId)}/orders.json`, orders);
  }
  return data;
}

const postgres = await startPostgres();
const seconds = (since: number): number => Math.round((performance.now() - since) / 10) / 100;
try {
  for (const count of workers) {
    const data = await filled();
    const url = await postgres.database();
    const coordination = openPostgres(url, data.path);
    const children = Array.from({ length: count }, () =>
      data.start(["work", "--no-schedule"], { LUCRA_DATABASE_URL: url, LUCRA_LOG_LEVEL: "info" }),
    );
    const ends = children.map((child) => ended(child));
    await Promise.all(children.map((child) => said(child, /"msg":"working"/)));
    const began = performance.now();
    const when = new Date();
    for (let n = 0; n < organizations; n++)
      await coordination.jobs?.due({ organization: idOf(n), integration: STOREA }, when);
    const queueing = seconds(began);
    let done = 0;
    while (done < organizations) {
      await sleep(500);
      const jobs = (await coordination.jobs?.list()) ?? [];
      done = jobs.filter(({ state }) => state === "done").length;
      const failed = jobs.find(({ state }) => state === "failed");
      if (failed) throw new Error(JSON.stringify(failed));
    }
    const took = seconds(began);
    const processor = (await Promise.all(children.map(({ pid }) => secondsOf(pid)))).reduce((a, b) => a + b, 0);
    console.log(
      JSON.stringify({
        workers: count,
        organizations,
        queueing,
        seconds: took,
        processorPerJob: processor / organizations,
      }),
    );
    for (const child of children) child.kill("SIGTERM");
    await Promise.all(ends);
    await coordination.close();
    await data.remove();
  }
  if (workers.length > 0) {
    const data = await filled();
    const began = performance.now();
    let processor = 0;
    for (let n = 0; n < organizations; n++) {
      const child = data.start(["sync", "--organization", idOf(n), "--json"]);
      let last = 0;
      const watching = setInterval(async () => (last = await secondsOf(child.pid).catch(() => last)), 10);
      await ended(child);
      clearInterval(watching);
      processor += last;
    }
    console.log(
      JSON.stringify({
        workers: "none, one sync after the other",
        organizations,
        seconds: seconds(began),
        processorPerJob: processor / organizations,
      }),
    );
    await data.remove();
  }
  if (queued > 0) {
    const coordination = openPostgres(await postgres.database(), "/data");
    const when = new Date();
    const { jobs } = coordination;
    if (!jobs) throw new Error("no jobs");
    const queueAll = async (): Promise<number> => {
      const since = performance.now();
      let left = queued;
      let ended = (): void => {};
      const all = new Promise<void>((done) => {
        ended = done;
      });
      const due = async (job: Job, time: Date): Promise<void> => {
        await jobs.due(job, time);
        if (--left === 0) ended();
      };
      const queue = new SharedQueue({ ...jobs, due } as Jobs, (_, error) => console.error(error));
      for (let n = 0; n < queued; n++) queue.due({ organization: idOf(n), integration: STOREA }, when);
      await all;
      return seconds(since);
    };
    const [first, second] = [await queueAll(), await queueAll()];
    console.log(JSON.stringify({ queued, first, second, jobs: (await jobs.list()).length }));
    await coordination.close();
  }
} finally {
  await postgres.remove();
}
