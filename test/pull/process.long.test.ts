import { spawnSync } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import type { RecordReport } from "../../src/core/sync/pulled.ts";
import { command } from "../support/command.ts";
import { AURORA, DataFolder, type Ended, ended, ROOT, SOCIALADS } from "../support/data.ts";
import { NOW, reportsOf, shopOf, spendIn } from "./adAccount.ts";
import { FakeVendor, TOKEN } from "./fakeVendor.ts";

/** `lucra secrets set` with this on its standard input. */
const given = (data: DataFolder, input: string): { status: number | null; stderr: string } =>
  spawnSync(process.execPath, [path.join(ROOT, "bin", "lucra.cjs"), "secrets", "set", "--integration", "Social"], {
    env: { ...process.env, LUCRA_DATA_DIR: data.path },
    input,
    encoding: "utf8",
  });

describe("lucra pull, as a process", () => {
  let data: DataFolder;
  let vendor: FakeVendor;
  const environment = { LUCRA_NOW: NOW, LUCRA_METRICS_PORT: "0" };
  const lucra = (...args: string[]): Promise<Ended> => data.lucra(args, environment);
  const pull = async (...args: string[]): Promise<{ ended: Ended; reports: RecordReport[] }> => {
    const ended = await lucra("pull", "--json", ...args);
    return { ended, reports: reportsOf(ended) };
  };
  const setSecret = async (): Promise<void> => {
    const { status, stderr } = given(data, JSON.stringify({ accessToken: TOKEN }));
    expect(status, stderr).to.equal(0);
  };

  beforeEach(async () => {
    vendor = await FakeVendor.start();
    data = await DataFolder.empty(environment);
    await data.settings(shopOf(vendor));
    await setSecret();
  });

  afterEach(async () => {
    await vendor.stop();
    await data.remove();
  });

  it("is killed and goes on where it was", async () => {
    vendor.delayMs = 250;
    const child = data.start(["pull"], environment);
    const end = ended(child);
    while (vendor.requests.length < 3) await new Promise((go) => setTimeout(go, 20));
    child.kill("SIGKILL");
    await end;
    vendor.delayMs = 0;
    const asked = vendor.requests.length;
    const { ended: again } = await pull();
    expect(again.status, again.stderr).to.equal(0);
    expect((await spendIn(data)).size).to.equal(167);
    // Ad sets are read whole each time; of the windows only those that are missing.
    const windows = vendor.requests.slice(asked).filter((url) => url.includes("insights"));
    expect(windows.length).to.be.below(3);
  });

  it("of one integration runs once at a time", async () => {
    vendor.delayMs = 500;
    const [one, other] = await Promise.all([lucra("pull", "--json"), lucra("pull", "--json")]);
    expect([one.status, other.status].sort()).to.deep.equal([0, 1]);
    const refused = one.status === 1 ? one : other;
    expect(refused.stdout).to.include("another pull of this integration is running");
  });

  it("reports what is missing and what to do: no secrets, refused ones, a vendor that is down", async () => {
    vendor.always = "refused";
    const refused = await pull();
    expect([refused.ended.status, vendor.requests.length]).to.deep.equal([1, 1]);
    expect(refused.reports.map(({ message }) => message?.includes("credentials are refused"))).to.deep.equal([
      true,
      true,
    ]);
    const synced = await lucra("sync", "--pull", "--json");
    expect([synced.status, JSON.parse(synced.stdout).failures[0].record]).to.deep.equal([1, "adset-config"]);
    await lucra("secrets", "remove", "--integration", "Social");
    const missing = await pull();
    expect(missing.reports[0]?.message).to.include("there are no secrets: lucra secrets set");
  });

  it("writes no secret into any file, line or message but its own", async () => {
    vendor.faults = ["broken", "throttle"];
    const said = [await lucra("pull"), await lucra("pull", "--check")];
    vendor.always = "refused";
    said.push(
      await lucra("pull"),
      await lucra("sync", "--pull"),
      await lucra("doctor"),
      await lucra("secrets", "list"),
    );
    for (const { stdout, stderr } of said) expect(stdout + stderr).to.not.include(TOKEN);
    const own = `secrets/${AURORA}/${SOCIALADS}.json`;
    for (const name of await data.files()) {
      if (name === own) continue;
      expect((await readFile(path.join(data.path, name))).includes(TOKEN), name).to.equal(false);
    }
    expect((await stat(path.join(data.path, own))).mode & 0o777).to.equal(0o600);
    expect((await stat(path.dirname(path.join(data.path, own)))).mode & 0o777).to.equal(0o700);
  });
});

describe("lucra secrets", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    const integrations = [{ id: SOCIALADS, connector: "socialads" as const, name: "Social" }];
    await data.settings({ organizationId: AURORA, name: "Shop", integrations });
  });

  afterEach(() => data.remove());

  it("refuses unknown and missing keys by name, repeats no value, and writes nothing", async () => {
    for (const [object, fault] of [
      [{ accessTokn: TOKEN }, '"accessTokn": unknown; accessToken: missing'],
      [{ accessToken: TOKEN, appKey: TOKEN }, '"appKey": unknown'],
      [{ accessToken: 5 }, "accessToken: a text is expected"],
      ["text", "one JSON object is expected"],
    ] as const) {
      const { status, stderr } = given(data, JSON.stringify(object));
      expect([status, stderr.includes(fault)], stderr).to.deep.equal([2, true]);
      expect(stderr).to.not.include(TOKEN);
    }
    expect(await data.files("secrets").catch(() => [])).to.deep.equal([]);
    expect((await command(data, "secrets", "remove", "--integration", "Social")).status).to.equal(1);
  });
});
