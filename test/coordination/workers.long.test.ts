import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import type { Coordination, JobState } from "../../src/core/coordination/coordination.ts";
import { useCoordination } from "../../src/core/coordination/registry.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { storea } from "../../src/core/records/storea.ts";
import { openPostgres } from "../../src/features/cluster/postgres/open.ts";
import { DataFolder, ended, exportsOf, STOREA } from "../support/data.ts";
import { type Postgres, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { orders } from "../support/schedules.ts";

const ids = Array.from({ length: 3 }, (_, n) => `5d1f0f0e-8a3c-4f6e-9a55-0a51c1f7a00${n}`);
const job = (organization: string) => ({ organization, integration: STOREA });

describe("Workers over PostgreSQL", function () {
  this.timeout(400_000);
  let postgres: Postgres;
  let url: string;
  let data: DataFolder;
  let coordination: Coordination;
  let running: ChildProcess[];
  /** What the workers wrote. */
  let output: string[];

  before(async function () {
    if (postgresPrograms() === undefined) return this.skip();
    postgres = await startPostgres();
  });
  after(() => postgres?.remove());

  beforeEach(async () => {
    url = await postgres.database();
    running = [];
    output = [];
    data = await DataFolder.empty();
    await mkdir(data.path, { recursive: true });
    coordination = openPostgres(url, data.path);
    useCoordination(data.path, coordination);
  });
  afterEach(async () => {
    for (const child of running) killGroup(child, "SIGKILL");
    await postgres.start().catch(() => {});
    await coordination?.close();
    useCoordination(data.path, undefined);
    await data?.remove();
  });

  const settings = async (schedule?: string): Promise<void> => {
    for (const organizationId of ids) {
      const organization: Organization = {
        organizationId,
        name: organizationId,
        integrations: [{ id: STOREA, connector: "storea", name: "Store", ...(schedule ? { schedule } : {}) }],
      };
      await data.settings(organization);
    }
  };

  const drop = (organization: string, name: string): Promise<string> =>
    data.write(`${exportsOf(STOREA, "orders", organization)}/${name}.json`, orders(`${name}-1`, `${name}-2`));

  /** A worker in a process group of its own: a machine, as far as kill is concerned. */
  const worker = async (...args: string[]): Promise<ChildProcess> => {
    const child = data.start(["work", ...args], { LUCRA_DATABASE_URL: url, LUCRA_LOG_LEVEL: "info" }, undefined, true);
    running.push(child);
    child.stdout?.on("data", (chunk) => output.push(String(chunk)));
    await said(child, '"msg":"working"');
    return child;
  };

  const jobs = (): Promise<readonly JobState[]> => coordination.jobs?.list() ?? Promise.resolve([]);

  const allDone = async (count: number, seconds = 120): Promise<readonly JobState[]> => {
    const deadline = performance.now() + seconds * 1000;
    for (;;) {
      const found = await jobs();
      if (found.length >= count && found.every(({ state }) => state === "done")) return found;
      if (performance.now() > deadline) throw new Error(`not done: ${JSON.stringify(found)}`);
      await sleep(300);
    }
  };

  /** How often each export has landed, by its name. */
  const landings = async (organization: string): Promise<Record<string, number>> => {
    const record = storea.find(({ name }) => name === "orders");
    if (!record) throw new Error("no record");
    const folder = foldersOf(data.path, organization).lake(record);
    const counts: Record<string, number> = {};
    for (const name of (await readdir(folder)).filter((one) => one.endsWith(".json"))) {
      const text = await readFile(path.join(folder, name), "utf8");
      for (const [, file = ""] of text.matchAll(/"name":\s*"([^"]+)"/g)) counts[file] = (counts[file] ?? 0) + 1;
    }
    return counts;
  };

  it("run jobs of several organizations, each once, whichever worker takes them", async () => {
    await settings();
    for (const id of ids) await drop(id, "first");
    await worker("--no-schedule");
    await worker("--no-schedule", "--at-once", "2");
    const at = new Date();
    for (const id of ids) await coordination.jobs?.due(job(id), at);
    for (const id of ids) await coordination.jobs?.due(job(id), at);
    await allDone(3);
    for (const id of ids) await coordination.jobs?.due(job(id), at);
    const done = await allDone(3);
    expect(done, "a scheduled time is queued once").to.have.length(3);
    expect(done.filter(({ attempts, worker }) => attempts !== 1 || worker === null)).to.deep.equal([]);
    const failed = output.join("").match(/^.*("outcome":"(?!ok)|"msg":"could not sync"|"msg":"jobs").*$/gm) ?? [];
    expect(failed, "runs that failed").to.deep.equal([]);
    expect(output.join("").match(/"outcome":"ok"/g), "runs").to.have.length(3);
    for (const id of ids) {
      expect(await landings(id)).to.deep.equal({ "first.json": 1 });
      expect(await currentGeneration(foldersOf(data.path, id))).to.not.equal(undefined);
    }
  });

  it("take up the jobs of killed workers, and neither lose one nor land or publish anything twice", async () => {
    await settings();
    let round = 0;
    const kills: number[] = [];
    for (; round < 4; round++) {
      for (const id of ids) await drop(id, `round${round}`);
      const child = await worker("--no-schedule", "--at-once", "2");
      for (const id of ids) await coordination.jobs?.due(job(id), new Date(round));
      const delay = 200 + Math.floor(Math.random() * 2_500);
      kills.push(delay);
      await sleep(delay);
      killGroup(child, "SIGKILL");
      await once(child, "exit");
    }
    await worker("--no-schedule", "--at-once", "2");
    await allDone(ids.length);
    for (const id of ids) await coordination.jobs?.due(job(id), new Date());
    await allDone(ids.length + 1);
    for (const id of ids) {
      const landed = await landings(id);
      expect(landed, `killed after ${kills} ms`).to.deep.equal(
        Object.fromEntries(Array.from({ length: round }, (_, n) => [`round${n}.json`, 1])),
      );
      const generation = await currentGeneration(foldersOf(data.path, id));
      expect(generation?.basis?.files.length).to.be.above(0);
    }
    await noGenerationTwice();
  });

  it("give the job of a suspended worker to another one; woken up, the first publishes nothing", async () => {
    await settings();
    const [organization = ""] = ids;
    for (let n = 0; n < 30; n++) await drop(organization, `many${n}`);
    const suspended = await worker("--no-schedule");
    await coordination.jobs?.due(job(organization), new Date());
    await turnIsTaken(organization);
    killGroup(suspended, "SIGSTOP");
    await worker("--no-schedule");
    const [done] = await allDone(1);
    expect(done?.attempts).to.be.above(1);
    const published = await coordination.pointers.version(organization);
    killGroup(suspended, "SIGCONT");
    await sleep(4_000);
    expect(await coordination.pointers.version(organization)).to.equal(published);
    expect(Object.values(await landings(organization)).every((count) => count === 1)).to.equal(true);
    await noGenerationTwice();
  });

  it("queue a scheduled time once, with two schedulers", async () => {
    await settings("*/4 * * * * *");
    for (const id of ids) await drop(id, "first");
    await worker();
    await worker();
    await sleep(14_000);
    for (const child of running.splice(0)) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    const found = await jobs();
    expect(found.length).to.be.within(ids.length, ids.length * 5);
    const slots = found.map(
      ({ organization, queuedAt }) => `${organization} ${Math.floor(Date.parse(queuedAt) / 4000)}`,
    );
    expect(new Set(slots).size).to.equal(slots.length);
  });

  it("wait for a database that is down, and go on when it is back", async () => {
    await settings();
    const [organization = ""] = ids;
    const child = await worker("--no-schedule");
    await postgres.stop();
    await sleep(1_500);
    expect(child.exitCode).to.equal(null);
    await postgres.start();
    await drop(organization, "after");
    await eventually(() => coordination.jobs?.due(job(organization), new Date()));
    await allDone(1);
    expect(await landings(organization)).to.deep.equal({ "after.json": 1 });
  });

  it("are told apart from a service without a database, which refuses the folder", async () => {
    await settings();
    const [organization = ""] = ids;
    await drop(organization, "first");
    const withDatabase = data.start(["sync"], { LUCRA_DATABASE_URL: url });
    expect((await ended(withDatabase)).status).to.equal(0);
    const without = await ended(data.start(["sync"], {}));
    expect(without.status).to.equal(1);
    expect(without.stderr).to.contain("is coordinated by a database");
    const back = await ended(data.start(["database", "export"], { LUCRA_DATABASE_URL: url }));
    expect(back.status, back.stderr).to.equal(0);
    const again = await ended(data.start(["sync"], {}));
    expect(again.status, again.stderr).to.equal(0);
    const refused = await ended(data.start(["sync"], { LUCRA_DATABASE_URL: url }));
    expect(refused.stderr).to.contain("lucra database import");
    const moved = await ended(data.start(["database", "import"], { LUCRA_DATABASE_URL: url }));
    expect(moved.status, moved.stderr).to.equal(0);
    expect((await ended(data.start(["sync"], { LUCRA_DATABASE_URL: url }))).status).to.equal(0);
  });

  const turnIsTaken = async (organization: string): Promise<void> => {
    for (let tries = 0; tries < 200; tries++) {
      const rows = await postgres
        .query("select 1 from lucra.turns where organization = $1", [organization])
        .catch(() => []);
      if (rows.length > 0) return;
      await sleep(50);
    }
    throw new Error("no turn was taken");
  };

  /** The folder of each generation that is in force is there, and its number was claimed once. */
  const noGenerationTwice = async (): Promise<void> => {
    for (const id of ids) {
      const [claimed] = await postgres.query(
        "select last from lucra.numbers where organization = $1 and kind = 'generation'",
        [id],
      );
      const generation = await currentGeneration(foldersOf(data.path, id));
      if (generation) expect(Number(path.basename(generation.folder).slice(4))).to.be.at.most(Number(claimed?.last));
    }
  };
});

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {}
}

function said(child: ChildProcess, text: string): Promise<void> {
  let all = "";
  return new Promise((done, fail) => {
    child.stdout?.on("data", (chunk) => {
      all += chunk;
      if (all.includes(text)) done();
    });
    child.stderr?.on("data", (chunk) => {
      all += chunk;
    });
    child.once("exit", () => fail(new Error(`ended: ${all}`)));
  });
}

async function eventually(work: () => Promise<unknown> | undefined): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries > 50) throw error;
      await sleep(300);
    }
  }
}
