import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Coordination } from "../../src/core/coordination/coordination.ts";
import { useCoordination } from "../../src/core/coordination/registry.ts";
import { openPostgres } from "../../src/features/cluster/postgres/open.ts";
import { AURORA, DataFolder, ended, exportsOf, STOREA } from "../support/data.ts";
import { type Postgres, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { count, ORDERS, orders, shop } from "../support/schedules.ts";
import { type Serving, startServing } from "../support/serving.ts";

describe("A service over PostgreSQL", function () {
  this.timeout(240_000);
  let postgres: Postgres;
  let url: string;
  let data: DataFolder;
  let coordination: Coordination;
  const running: Serving[] = [];

  before(async function () {
    if (postgresPrograms() === undefined) return this.skip();
    postgres = await startPostgres();
  });
  after(() => postgres?.remove());

  beforeEach(async () => {
    url = await postgres.database();
    data = await DataFolder.empty();
    coordination = openPostgres(url, data.path);
    useCoordination(data.path, coordination);
    await data.settings(shop());
    await data.write(`${exportsOf(STOREA, "orders")}/first.json`, orders("a", "b"));
    const synced = await sync();
    expect(synced.status, synced.stderr).to.equal(0);
  });
  afterEach(async () => {
    for (const { child } of running.splice(0)) child.kill("SIGKILL");
    await postgres.start();
    await coordination.close();
    useCoordination(data.path, undefined);
    await data.remove();
  });

  const sync = () => ended(data.start(["sync", "--organization", AURORA], { LUCRA_DATABASE_URL: url }));

  const start = async (...args: string[]): Promise<Serving> => {
    const serving = await startServing(data, args, undefined, { LUCRA_DATABASE_URL: url });
    running.push(serving);
    return serving;
  };

  it("answers from what is known while the database is down, says so, and follows it when it is back", async () => {
    const serving = await start("--read-only");
    await serving.until(ORDERS, (body) => count(body) === 2);
    expect((await serving.get("/readyz")).body).to.deep.equal({ ready: true });
    await postgres.stop();
    for (let n = 0; n < 10; n++) {
      const { status, body } = await serving.get(ORDERS);
      expect([status, count(body)]).to.deep.equal([200, 2]);
      const uncached = await serving.get(`/v1/storea/orders?limit=${100 + n}`);
      expect([uncached.status, count(uncached.body)]).to.deep.equal([200, 2]);
      await sleep(200);
    }
    const down = await serving.get("/readyz");
    expect(down.status).to.equal(200);
    expect(down.body.database).to.include({ answers: false });
    const refused = await sync();
    expect(refused.status).to.equal(1);
    expect(refused.stderr).to.contain("the database of LUCRA_DATABASE_URL does not answer");
    await postgres.start();
    await data.write(`${exportsOf(STOREA, "orders")}/second.json`, orders("c"));
    expect((await sync()).status).to.equal(0);
    await serving.until(ORDERS, (body) => count(body) === 3);
    await serving.until("/readyz", (body) => !("database" in body));
  });

  it("queues what is due and leaves it to workers", async () => {
    const serving = await start();
    await serving.until(ORDERS, (body) => count(body) === 2);
    await data.write(`${exportsOf(STOREA, "orders")}/second.json`, orders("c"));
    await data.settings(shop("*/2 * * * * *"));
    const queued = async (): Promise<number> => (await coordination.jobs?.list())?.length ?? 0;
    for (let tries = 0; tries < 100 && (await queued()) < 2; tries++) await sleep(200);
    expect(await queued()).to.equal(2);
    expect(count((await serving.get(ORDERS)).body)).to.equal(2);
    const worker = data.start(["work", "--no-schedule"], { LUCRA_DATABASE_URL: url });
    try {
      await serving.until(ORDERS, (body) => count(body) === 3);
    } finally {
      worker.kill("SIGTERM");
      await ended(worker);
    }
  });

  it("shows its jobs to the operator", async () => {
    await coordination.jobs?.due({ organization: AURORA, integration: STOREA }, new Date());
    const run = (...args: string[]) => ended(data.start(["jobs", ...args], { LUCRA_DATABASE_URL: url }));
    const listed = await run("list", "--json");
    const [job] = JSON.parse(listed.stdout);
    expect(job).to.include({ organization: AURORA, integration: STOREA, state: "waiting", attempts: 0 });
    expect((await run("list")).stdout).to.contain("Shop / Store");
    expect((await run("explain", job.id)).stdout).to.contain("waits for a worker");
    const retried = await run("retry", job.id);
    expect(retried.stdout, retried.stderr).to.contain("was queued");
    expect((await run("explain", "nothing")).status).to.equal(1);
    const without = await ended((await DataFolder.empty()).start(["jobs", "list"]));
    expect(without.stderr).to.contain("without LUCRA_DATABASE_URL there are no workers");
  });
});
