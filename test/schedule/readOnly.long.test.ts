import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { DataFolder, exportsOf, STOREA } from "../support/data.ts";
import { ALWAYS, count, ORDERS, orders, QUESTIONS, shop } from "../support/schedules.ts";
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
