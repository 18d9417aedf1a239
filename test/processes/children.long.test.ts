import { expect } from "chai";
import pino from "pino";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { Children } from "../../src/core/processes/children.ts";
import { syncInChild } from "../../src/core/schedule/syncInChild.ts";
import { lastResults } from "../../src/core/sync/status.ts";
import { AURORA, DataFolder, exportsOf, oneStore, STOREA, storeaOrder } from "../support/data.ts";

describe("A command that the service runs", function () {
  this.timeout(60_000);
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(oneStore());
  });

  afterEach(() => data.remove());

  it("is ended when it exceeds its time limit, and reports it", async () => {
    const { code, signal, stdout, stderr } = await new Children(data.path, 50).run(["sync", "--json"]);
    expect([code, signal, stdout]).to.deep.equal([null, "SIGTERM", ""]);
    expect(stderr).to.equal("was ended after 0.05 seconds (LUCRA_SYNC_TIMEOUT_MS)");
  });

  it("is not ended within its time limit", async () => {
    const { code, stdout } = await new Children(data.path, 60_000).run(["sync", "--json"]);
    expect([code, JSON.parse(stdout).failures]).to.deep.equal([0, []]);
  });

  it("has failed when it writes more than a report can have", async () => {
    const children = new Children(data.path, 60_000, 100);
    const { stdout, stderr } = await children.run(["sync", "--json"]);
    expect([stdout, stderr]).to.deep.equal(["", "wrote a report of more than 100 characters"]);
    const land = syncInChild(children, data.config, pino({ level: "silent" }));
    expect(await land({ organization: AURORA, integration: STOREA }, new AbortController().signal)).to.equal("failed");
    const [result] = await lastResults(foldersOf(data.path, AURORA));
    expect(result?.reason).to.match(/wrote a report of more than 100 characters/);
  });

  it("ends its turn when it is asked to, and goes on at the next one", async () => {
    await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify(storeaOrder({ id: "a", value: 10 })));
    const land = syncInChild(new Children(data.path, 60_000), data.config, pino({ level: "silent" }));
    const job = { organization: AURORA, integration: STOREA };
    const over = new AbortController();
    const ended = land(job, over.signal);
    over.abort();
    expect(await ended).to.equal("unfinished");
    const [result] = await lastResults(foldersOf(data.path, AURORA));
    expect(result?.outcome).to.equal("ok");
    expect(result?.reason).to.match(/^goes on at its next sync: \d+ files? not read yet$/);
    expect(await land(job, new AbortController().signal)).to.equal("done");
    const [next] = await lastResults(foldersOf(data.path, AURORA));
    expect([next?.outcome, next?.reason]).to.deep.equal(["ok", null]);
  });

  it("counts as a failed landing when it was ended: its reason is kept, and it is tried again", async () => {
    const land = syncInChild(new Children(data.path, 50), data.config, pino({ level: "silent" }));
    const { signal } = new AbortController();
    expect(await land({ organization: AURORA, integration: STOREA }, signal)).to.equal("failed");
    const [result] = await lastResults(foldersOf(data.path, AURORA));
    expect([result?.outcome, result?.reason]).to.deep.equal([
      "failed",
      `was ended after 0.05 seconds (LUCRA_SYNC_TIMEOUT_MS)`,
    ]);
  });
});
