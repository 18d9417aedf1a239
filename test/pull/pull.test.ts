import { stat } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import type { RecordReport } from "../../src/core/sync/pulled.ts";
import { keepSecrets } from "../../src/features/pull/secrets.ts";
import { commandIn, type Said } from "../support/command.ts";
import { AURORA, DataFolder, SOCIALADS } from "../support/data.ts";
import { EXPORTS, NOW, reportsOf, shopOf, spendIn } from "./adAccount.ts";
import { FakeVendor, TOKEN } from "./fakeVendor.ts";

describe("lucra pull", () => {
  let data: DataFolder;
  let vendor: FakeVendor;
  const environment = { LUCRA_NOW: NOW, LUCRA_METRICS_PORT: "0" };
  const lucra = (...args: string[]): Promise<Said> => commandIn(data, environment, args);
  const pull = async (...args: string[]): Promise<{ ended: Said; reports: RecordReport[] }> => {
    const ended = await lucra("pull", "--json", ...args);
    return { ended, reports: reportsOf(ended) };
  };
  beforeEach(async () => {
    vendor = await FakeVendor.start();
    data = await DataFolder.empty(environment);
    await data.settings(shopOf(vendor));
    await keepSecrets(foldersOf(data.path, AURORA), SOCIALADS, { accessToken: TOKEN });
  });

  afterEach(async () => {
    await vendor.stop();
    await data.remove();
  });

  it("asks for everything since the first day, then for the last 28 days only; sync lands it", async () => {
    const first = await pull();
    expect(first.ended.status, first.ended.stderr).to.equal(0);
    const [adsets, campaigns] = first.reports;
    expect([adsets?.complete, adsets?.objects]).to.deep.equal([true, 1]);
    expect([campaigns?.from, campaigns?.to, campaigns?.objects]).to.deep.equal(["2024-01-01", "2024-06-15", 167]);
    expect((await spendIn(data)).size).to.equal(167);
    vendor.spend = "11";
    const second = await pull();
    const from = second.reports[1]?.from ?? "";
    // The window of the first pull that has the newest day is asked for again as a whole.
    expect([from >= "2024-03-24", from <= "2024-05-18"], from).to.deep.equal([true, true]);
    expect([(await spendIn(data)).get("2024-06-01"), (await spendIn(data)).get("2024-01-05")]).to.deep.equal([
      "11",
      "10.50",
    ]);
    const synced = await lucra("sync", "--json");
    expect([synced.status, JSON.parse(synced.stdout).failures]).to.deep.equal([0, []]);
  });

  it("asks again from the newest day that the vendor has shown, and for everything if it has shown none", async () => {
    vendor.clock = "2023-12-31";
    expect((await pull()).ended.status).to.equal(0);
    expect((await spendIn(data)).size).to.equal(0);
    // The clock moves on between two requests: days before the newest one may have been empty when they were asked for.
    vendor.clock = "2024-02-10";
    vendor.clockStep = 40;
    const second = await pull();
    expect(second.reports[1]?.from).to.equal("2024-01-01");
    vendor.clock = "9999-12-31";
    vendor.clockStep = 0;
    await pull();
    expect((await spendIn(data)).size).to.equal(167);
    const from = (await pull()).reports[1]?.from ?? "";
    expect(from >= "2024-03-01", from).to.equal(true);
  });

  it("leaves a file with the same content as it is", async () => {
    await pull();
    const file = path.join(data.path, EXPORTS, "adset-config", "pull-whole-00001.json");
    const before = await stat(file);
    await pull();
    expect((await stat(file)).mtimeMs).to.equal(before.mtimeMs);
  });

  it("--check asks one question and writes nothing", async () => {
    const before = await data.files();
    const { status, stdout } = await lucra("pull", "--check");
    expect([status, vendor.requests.length]).to.deep.equal([0, 1]);
    expect(stdout).to.include("Shop/Social: ok: Account, BRL");
    expect(await data.files()).to.deep.equal(before);
  });

  it("takes days and records, and refuses wrong ones", async () => {
    const { reports } = await pull("--record", "campaigns", "--since", "2024-02-01", "--until", "2024-02-03");
    expect(reports.map(({ record, objects }) => [record, objects])).to.deep.equal([["campaigns", 3]]);
    for (const wrong of [
      ["--record", "campains"],
      ["--since", "2024-02-30"],
      ["--since", "2024-02-02", "--until", "2024-02-01"],
    ])
      expect((await lucra("pull", ...wrong)).status, wrong.join(" ")).to.equal(2);
  });
});
