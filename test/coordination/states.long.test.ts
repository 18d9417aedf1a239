import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import type { Coordination } from "../../src/core/coordination/coordination.ts";
import { useCoordination } from "../../src/core/coordination/registry.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { removeStates } from "../../src/core/marts/states.ts";
import { openPostgres } from "../../src/features/cluster/postgres/open.ts";
import { AURORA, DataFolder, ended } from "../support/data.ts";
import { TestStorage } from "../support/objects.ts";
import { type Postgres, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { type Serving, startServing } from "../support/serving.ts";
import { minute, ORDERS, orders, SHOP } from "../support/syncs.ts";

const DAYS = ["2025-04-01", "2025-04-02", "2025-04-03", "2025-04-04"];
const END = "2025-04-05T12:00:00.000Z";
const noon = (day: string): string => `${day}T12:00:00.000Z`;
const CARDS = "/v1/profitability/cards?startDate=2025-01-01&endDate=2025-03-31";
const then = (day: string): string => `${CARDS}&knownAt=${noon(day)}`;

describe("Earlier states over PostgreSQL", function () {
  this.timeout(240_000);
  let postgres: Postgres;
  let url: string;
  let data: DataFolder;
  let coordination: Coordination;
  let storage: TestStorage;
  let running: Serving[];
  let workers: ChildProcess[];

  before(async function () {
    if (postgresPrograms() === undefined) return this.skip();
    postgres = await startPostgres();
  });
  after(() => postgres?.remove());

  beforeEach(async () => {
    url = await postgres.database();
    storage = await TestStorage.start();
    data = await DataFolder.empty();
    [running, workers] = [[], []];
    coordination = openPostgres(url, data.path);
    useCoordination(data.path, coordination);
    for (const [no, day] of DAYS.entries()) {
      await data.settings({ ...SHOP, name: `Shop ${no}` });
      await data.write(`${ORDERS}/${no}.json`, orders({ id: String(no), value: 10 ** no }), minute(no));
      await lucra(noon(day), "sync");
    }
    await removeStates(foldersOf(data.path, AURORA));
    // Sends what is kept no longer.
    await lucra(END, "sync");
  });
  afterEach(async () => {
    for (const { child } of running) child.kill("SIGKILL");
    for (const child of workers) child.kill("SIGKILL");
    await coordination.close();
    useCoordination(data.path, undefined);
    await storage.stop();
    await data.remove();
  });

  /** Of a process that shares the folder. */
  const shared = (now: string): Record<string, string> => ({ LUCRA_DATABASE_URL: url, LUCRA_NOW: now });
  const environment = (now: string): Record<string, string> => ({ ...storage.environment, ...shared(now) });
  const lucra = async (now: string, ...args: string[]): Promise<void> => {
    const { status, stderr } = await ended(data.start(args, environment(now)));
    expect(status, stderr).to.equal(0);
  };
  const serve = async (folder: DataFolder, own: Readonly<Record<string, string>>, args = ["--read-only"]) => {
    const serving = await startServing(folder, args, undefined, own, running[0]?.keys ?? (await keysOf()));
    running.push(serving);
    return serving;
  };
  const keysOf = () => {
    const clients = new Credentials(data.path);
    return Promise.all([1, 2, 3, 4, 5].map((n) => clients.create({ organizations: [AURORA], name: `test ${n}` })));
  };
  const worker = async (): Promise<ChildProcess> => {
    const child = data.start(["work", "--no-schedule"], { ...environment(END), LUCRA_LOG_LEVEL: "info" });
    workers.push(child);
    for await (const chunk of child.stdout ?? []) if (String(chunk).includes('"msg":"working"')) break;
    return child;
  };
  const states = async (): Promise<string[]> =>
    (await readdir(foldersOf(data.path, AURORA).mart)).filter((name) => name.startsWith("state="));
  const revenue = (body: Record<string, unknown>): unknown => body.revenue;

  it("are derived by a worker for services that share its folder, and for replicas over the storage", async () => {
    const reader = await serve(data, shared(END));
    const copy = await DataFolder.empty();
    const replica = await serve(copy, environment(END));
    // No worker runs yet: the same answer as of a service that derives.
    const [waiting, alike] = await Promise.all([reader.get(then(DAYS[0] ?? "")), replica.get(then(DAYS[0] ?? ""))]);
    for (const { status, headers, body } of [waiting, alike])
      expect([status, headers.get("retry-after"), body.message]).to.deep.equal([
        503,
        "5",
        "O que era conhecido então está sendo preparado. Tente novamente em instantes.",
      ]);
    await worker();
    const found = await reader.until(then(DAYS[0] ?? ""), () => true);
    expect(revenue(found)).to.equal(1);
    expect(await replica.until(then(DAYS[0] ?? ""), () => true)).to.deep.equal(found);
    expect(await states(), "derived once for both").to.have.length(1);
    const second = await replica.get(then(DAYS[1] ?? ""));
    expect([second.status, revenue(second.body)]).to.deep.equal([200, 11]);
    expect((await reader.get(then(DAYS[1] ?? ""))).body).to.deep.equal(second.body);
    await copy.remove();
  });

  it("are derived by another worker when one is killed, and by a service that writes", async () => {
    const reader = await serve(data, shared(END));
    const first = await worker();
    const asking = reader.get(then(DAYS[0] ?? ""));
    await sleep(300);
    first.kill("SIGKILL");
    await once(first, "exit");
    await asking;
    await serve(data, environment(END), []);
    expect(revenue(await reader.until(then(DAYS[0] ?? ""), () => true))).to.equal(1);
  });
});
