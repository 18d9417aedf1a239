import { cp, lstat, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { lastResults } from "../../src/core/sync/status.ts";
import { AURORA, DataFolder, exportsOf, SOCIALADS, STOREA, storeaOrders } from "../support/data.ts";
import { ALWAYS, count, ORDERS, orders, QUESTIONS, shop } from "../support/schedules.ts";
import { answersOf } from "../support/service.ts";
import { type Serving, startServing } from "../support/serving.ts";

/** Everything in a data folder, with size and time of its last change. */
async function listing(data: DataFolder): Promise<string[]> {
  const names = await readdir(data.path, { recursive: true });
  const entries = names.map(async (name) => {
    const { size, mtimeMs, ctimeMs, ino, mode } = await lstat(path.join(data.path, name));
    return `${name} ${size} ${mtimeMs} ${ctimeMs} ${ino} ${mode}`;
  });
  return (await Promise.all(entries)).sort();
}

/** An export whose rejects cannot be written: a landing that fails unexpectedly. */
async function failLandings(data: DataFolder): Promise<void> {
  await data.write(`${exportsOf(SOCIALADS, "campaigns")}/bad.json`, '[{"campaign_id":"1"}]');
  await mkdir(path.join(data.path, "rejects", AURORA, SOCIALADS, "campaigns", "bad.json.jsonl"), { recursive: true });
}

describe("A service with a schedule", function () {
  this.timeout(240_000);
  let data: DataFolder;
  const running: Serving[] = [];

  const start = async (...args: string[]): Promise<Serving> => {
    const serving = await startServing(data, args);
    running.push(serving);
    return serving;
  };

  beforeEach(async () => {
    data = await DataFolder.empty();
  });

  afterEach(async () => {
    for (const { child } of running.splice(0)) child.kill("SIGKILL");
    await data.remove();
  });

  it("lands a dropped file next to an integration that fails, and reports the result of each", async () => {
    await data.settings(shop("*/3 * * * * *"));
    await failLandings(data);
    const serving = await start();
    await data.write(`${exportsOf(STOREA, "orders")}/first.json`, orders("a", "b"));
    await serving.until(ORDERS, (body) => count(body) === 2);
    await data.write(`${exportsOf(STOREA, "orders")}/second.json`, orders("c"));
    await serving.until(ORDERS, (body) => count(body) === 3);
    type State = { integration: string; nextRun: string; lastResult: { outcome: string; reason: string } };
    const outcomes = (body: Record<string, unknown>): (string | undefined)[] =>
      (body.integrations as State[]).map(({ lastResult }) => lastResult?.outcome);
    const ready = await serving.until("/readyz?verbose", (body) => outcomes(body).every(Boolean));
    const [store, ads] = ready.integrations as State[];
    expect([store?.integration, ads?.integration]).to.deep.equal([STOREA, SOCIALADS]);
    expect(outcomes(ready)).to.deep.equal(["ok", "failed"]);
    expect(ads?.lastResult.reason).to.match(/^campaigns\/bad\.json: .*EISDIR/);
    expect(Date.parse(store?.nextRun ?? "")).to.be.above(0);
    for (const folder of ["lake", "marts", "status"]) {
      for (const name of await readdir(path.join(data.path, folder), { recursive: true })) {
        const { mode } = await lstat(path.join(data.path, folder, name)).catch(() => ({ mode: 0 }));
        expect(mode & 0o077, `${folder}/${name} is readable only by its owner`).to.equal(0);
      }
    }
    // Nothing is scheduled any more: files dropped from here on wait for the operator.
    await data.settings(shop());
    await serving.until("/readyz?verbose", (body) =>
      (body.integrations as State[]).every(({ nextRun }) => nextRun === null),
    );
    expect((await serving.stop()).status).to.equal(0);
    expect((await lastResults(foldersOf(data.path, AURORA))).map(({ outcome }) => outcome).sort()).to.deep.equal([
      "failed",
      "ok",
    ]);
  });

  it("that is asked to end in the middle of a landing loses nothing", async () => {
    await data.settings(shop(ALWAYS));
    for (const n of [1, 2, 3]) {
      await data.write(`${exportsOf(STOREA, "orders")}/${n}.json`, JSON.stringify(storeaOrders(1000, n)), new Date(n));
    }
    const undisturbed = await DataFolder.copyOf(data);
    try {
      await undisturbed.sync();
      const serving = await start();
      while ((await data.files("lake/.work")).length === 0) await sleep(5);
      const { status, stdout } = await serving.stop();
      expect([status, stdout.includes('"err"')]).to.deep.equal([0, false]);
      expect(
        (await data.files("lake")).filter((file) => /storea.*parquet$/.test(file)),
        "was cut short",
      ).to.be.empty;
      // At once: the landing has ended with the service, and its lock with it.
      await data.sync();
      expect(await data.files("lake/.work")).to.deep.equal([]);
      expect(await answersOf(data.config, AURORA, QUESTIONS)).to.deep.equal(
        await answersOf(undisturbed.config, AURORA, QUESTIONS),
      );
    } finally {
      await undisturbed.remove();
    }
  });
});

describe("A read-only service", function () {
  this.timeout(240_000);
  let data: DataFolder;
  let serving: Serving | undefined;

  beforeEach(async () => {
    data = await DataFolder.empty();
  });

  afterEach(async () => {
    serving?.child.kill("SIGKILL");
    await data.remove();
  });

  it("answers nothing from another organization's derived files in the place of its own", async () => {
    const other = { ...shop(ALWAYS), organizationId: "22222222-2222-4222-8222-222222222222" };
    for (const settings of [shop(ALWAYS), other]) await data.settings(settings);
    await data.write(`${exportsOf(STOREA, "orders", other.organizationId)}/first.json`, orders("a"));
    await data.sync();
    await rm(foldersOf(data.path, AURORA).mart, { recursive: true });
    await cp(foldersOf(data.path, other.organizationId).mart, foldersOf(data.path, AURORA).mart, { recursive: true });
    serving = await startServing(data, ["--read-only"]);
    expect((await serving.get(ORDERS)).status).to.equal(503);
    await data.sync();
    await serving.until(ORDERS, (body) => count(body) === 0);
  });

  it("sees what another process lands, and writes nothing itself", async () => {
    await data.settings(shop(ALWAYS));
    await data.write(`${exportsOf(STOREA, "orders")}/first.json`, orders("a"));
    await data.sync();
    serving = await startServing(data, ["--read-only"]);
    // A writing service would land the one and derive for the other.
    await data.write(`${exportsOf(STOREA, "orders")}/second.json`, orders("b"));
    await data.settings({ ...shop(ALWAYS), margin: { percent: 40 } });
    const before = await listing(data);
    await serving.until(ORDERS, (body) => count(body) === 1);
    for (const address of [...QUESTIONS, "/readyz?verbose"]) expect((await serving.get(address)).status).to.equal(200);
    await sleep(2_500);
    await serving.get("/v1/profitability/cards");
    expect(await listing(data)).to.deep.equal(before);
    await data.sync();
    await serving.until(ORDERS, (body) => count(body) === 2);
    await serving.until("/v1/profitability/cards", (body) => body.marginPercent === 40);
    expect((await serving.stop()).status).to.equal(0);
  });

  it("does not start if nothing has been derived yet", async () => {
    const { status, stderr } = await data.lucra(["serve", "--read-only"]);
    expect(status).to.equal(1);
    expect(stderr).to.match(/^lucra: nothing has been derived in .* yet: run sync/);
    expect(await data.files()).to.deep.equal([]);
  });
});
