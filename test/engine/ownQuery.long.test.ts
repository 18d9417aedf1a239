import { spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { PROJECT } from "../../src/core/files/paths.ts";
import { AURORA } from "../support/data.ts";
import { CANARY, ENDLESS, failure, kindOf, OTHER, QueriedFixtures } from "../support/ownQueries.ts";

describe("OwnQueries", function () {
  this.timeout(240_000);
  let fixtures: QueriedFixtures;

  before(async () => {
    fixtures = await QueriedFixtures.landed();
  });

  after(() => fixtures?.close());

  it("ends a process whose engine an internal error has broken, and shows nothing of the engine's inside", async () => {
    const broken = await failure(
      fixtures.run("select reservoir_quantile(range::hugeint, 0.5, 2147483647) from range(5000) group by range"),
    );
    expect(broken).to.have.property("kind", "failed");
    expect(broken.message).to.match(/^the engine has an internal error in this query/);
    expect(broken.message).to.not.match(/INTERNAL|Stack|\//);
    expect((await fixtures.run("select 1")).rows).to.deep.equal([[1]]);
  });

  it("runs as many at once as it may, and gives no process to another generation", async () => {
    const queries = fixtures.open(2);
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, queries.pids.length);
    }, 5);
    const all = Array.from({ length: 8 }, (_, n) => fixtures.run(`select ${n}, count(*) from orders`, {}, queries));
    expect((await Promise.all(all)).map(({ rows }) => rows[0]?.[0])).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
    const before = queries.pids;
    const name = "select name from organization";
    const theirs = await fixtures.run(name, { organizationId: OTHER, folder: fixtures.other }, queries);
    expect(theirs.rows).to.deep.equal([[CANARY]]);
    expect(queries.pids).to.not.deep.equal(before);
    expect((await fixtures.run(name, {}, queries)).rows).to.deep.equal([["Casa Aurora"]]);
    clearInterval(watching);
    expect(most).to.be.at.most(2);
    const mixed = await failure(fixtures.run(name, { organizationId: OTHER }, queries));
    expect(mixed.message).to.include("no generation of");
    await queries.close();
    expect(queries.pids).to.deep.equal([]);
    expect(await kindOf(fixtures.run(name, {}, queries))).to.equal("timeout");
  });

  it("ends what takes too much time or memory, and goes on", async () => {
    expect(await kindOf(fixtures.run(ENDLESS, { timeoutMs: 500 }))).to.equal("timeout");
    expect(await kindOf(fixtures.run("select range(1000000000)"))).to.equal("memory");
    const strings =
      "with recursive t as (select repeat('x', 10) as s union all select s || s from t) select max(length(s)) from t";
    expect(await kindOf(fixtures.run(strings, { timeoutMs: 60_000 }))).to.equal("memory");
    expect((await fixtures.run("select 1")).rows).to.deep.equal([[1]]);
  });

  it("outlives a process that is killed or stopped while it runs a query", async () => {
    for (const [signal, kind] of [
      ["SIGKILL", "memory"],
      ["SIGSTOP", "timeout"],
    ] as const) {
      await fixtures.run("select 1");
      const running = kindOf(fixtures.run(ENDLESS, { timeoutMs: 3_000 }));
      await sleep(300);
      for (const pid of fixtures.own.pids) process.kill(pid, signal);
      expect(await running, signal).to.equal(kind);
      expect(
        (await fixtures.run("select 1", { timeoutMs: 1_000 }).catch(() => fixtures.run("select 1"))).rows,
      ).to.deep.equal([[1]]);
    }
  });

  it("leaves no process when the service is killed", async () => {
    const parent = spawn(
      process.execPath,
      [
        "--import",
        path.join(PROJECT, "bin", "typescript.mjs"),
        path.join(PROJECT, "test", "support", "ownQueryParent.ts"),
        fixtures.data.path,
        AURORA,
        fixtures.folder,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const pid = await new Promise<number>((done) => parent.stdout.once("data", (text) => done(Number(text))));
    expect(isRunning(pid)).to.equal(true);
    parent.kill("SIGKILL");
    await until(() => !isRunning(pid));
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; n < 300; n++) {
    if (holds()) return;
    await sleep(100);
  }
  expect.fail("not within 30 seconds");
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
