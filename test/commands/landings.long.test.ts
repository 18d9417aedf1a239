import { rm, utimes } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { nextLanding } from "../../src/core/landing/ledger/ingested.ts";
import { LandingWatch } from "../../src/core/landing/ledger/landed.ts";
import { failed } from "../../src/core/sync/sync.ts";
import { diagnose } from "../../src/features/doctor/command.ts";
import { csv } from "../landing/tools/objects.ts";
import { command, type Said } from "../support/command.ts";
import { oneLine } from "../support/commandLine.ts";
import { AURORA, DataFolder, exportsOf, SOCIALADS, STOREA, STOREB } from "../support/data.ts";
import { asked } from "../support/service.ts";
import { CAMPAIGNS, campaigns, minute, ORDERS, orders, rows, SHOP, total, values } from "../support/syncs.ts";

describe("A revoked landing", () => {
  let sound: DataFolder;
  let data: DataFolder;
  const lucra = (...args: string[]): Promise<Said> => command(data, "landings", ...args);

  before(async () => {
    sound = await DataFolder.empty();
    await sound.settings(SHOP);
    await sound.write(`${ORDERS}/a.json`, orders({ id: "a", value: 1 }), minute(1));
    await sound.sync();
    await sound.write(`${ORDERS}/a.json`, orders({ id: "a", value: 100 }), minute(2));
    await sound.write(`${ORDERS}/b.json`, orders({ id: "b", value: 200 }), minute(2));
    await sound.write(`${CAMPAIGNS}/c.json`, campaigns(7), minute(2));
    await sound.sync();
  });

  after(() => sound?.remove());

  beforeEach(async () => {
    data = await DataFolder.copyOf(sound);
  });

  afterEach(() => data.remove());

  it("is left out of every figure and row; the version before it is in force again", async () => {
    const { status, stdout, stderr } = await lucra("revoke", "2");
    expect([status, stderr]).to.deep.equal([0, ""]);
    expect(stdout).to.match(/^revoked: landing 2, Store, storea orders: a\.json, b\.json, 2 rows$/m);
    expect(stdout).to.match(/^revoked: landing 2, Ads, socialads campaigns: c\.json, 1 row$/m);
    expect(await values(data)).to.deep.equal({ a: 1 });
    expect(await rows(data, "/v1/socialads/ads/campaigns")).to.deep.equal([]);
  });

  it("can be of one integration and record, by name or id", async () => {
    expect((await lucra("revoke", "2", "--integration", "ads")).status).to.equal(0);
    expect(await values(data)).to.deep.equal({ a: 100, b: 200 });
    expect(await rows(data, "/v1/socialads/ads/campaigns")).to.deep.equal([]);
    expect((await lucra("revoke", "2", "--integration", STOREA, "--record", "orders")).status).to.equal(0);
    expect(await values(data)).to.deep.equal({ a: 1 });
  });

  it("can be of one export: the others stay in force, in their order, and do not land again", async () => {
    await data.write(`${ORDERS}/c.json`, orders({ id: "b", value: 300 }), minute(3));
    await data.sync();
    const wrong = await lucra("revoke", "2", "--file", "none.json");
    expect([wrong.status, wrong.stderr]).to.deep.equal([
      1,
      "lucra: landing 2 holds no export none.json: lucra landings show 2\n",
    ]);
    const { status, stdout } = await lucra("revoke", "2", "--file", "a.json");
    expect(status).to.equal(0);
    expect(stdout).to.match(/^revoked: landing 2, Store, storea orders: a\.json, 1 row$/m);
    expect(stdout).to.match(/^its other exports are landing 4$/m);
    expect(await values(data), "landing 3 is later than landing 2").to.deep.equal({ a: 1, b: 300 });
    expect(await rows(data, "/v1/socialads/ads/campaigns")).to.have.lengthOf(1);
    const report = await data.sync();
    expect([total(report, "files"), failed(report)]).to.deep.equal([0, false]);
    expect(await values(data)).to.deep.equal({ a: 1, b: 300 });
    expect((await lucra("restore", "2")).status).to.equal(0);
    expect(await values(data)).to.deep.equal({ a: 100, b: 300 });
  });

  it("can be of one download, whose lines land as parts", async () => {
    const shop = { id: STOREB, connector: "storeb" as const, name: "Shop" };
    await data.settings({ ...SHOP, integrations: [...(SHOP.integrations ?? []), shop] });
    const download = (id: string, price: number): string =>
      [
        "Name,Financial Status,Currency,Subtotal,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Id",
        `#${id},paid,BRL,${price}.00,${price}.00,2025-02-01 10:00:00 -0300,1,Camisa,${price}.00,${id}`,
      ].join("\n");
    await data.write(`${exportsOf(STOREB, "orders")}/march.csv`, download("1001", 10), minute(4));
    await data.write(`${exportsOf(STOREB, "orders")}/april.csv`, download("1002", 20), minute(5));
    const report = await data.sync();
    expect(total(report, "landed")).to.equal(2);
    const { status, stdout } = await lucra("revoke", "3", "--file", "march.csv");
    expect([status, stdout.split("\n")[0]]).to.deep.equal([
      0,
      "revoked: landing 3, Shop, storeb orders: march.csv, 1 part",
    ]);
    const left = await command(
      data,
      "sql",
      "--format",
      "csv",
      "--query",
      "select revenue from orders where connector = 'storeb'",
    );
    expect(left.stdout.trim().split(/\s+/)).to.deep.equal(["revenue", "20.000000"]);
  });

  it("does not land again while its exports are unchanged; each sync reports them, and does not fail", async () => {
    await lucra("revoke", "2");
    for (const _ of ["first", "second"]) {
      const report = await data.sync();
      expect([total(report, "files"), failed(report)]).to.deep.equal([0, false]);
      expect(report.outcomes.flatMap(({ revoked }) => revoked)).to.deep.equal(
        ["a.json", "b.json", "c.json"].map((file) => ({ file, landing: 2 })),
      );
    }
    const { status, stderr } = await command(data, "sync");
    expect(status).to.equal(0);
    expect(stderr).to.match(/^revoked: .*\/orders\/b\.json: remove it, or run `lucra landings restore 2`$/m);
    expect(await values(data)).to.deep.equal({ a: 1 });
    const found = (await diagnose(data.config, AURORA)).organizations[0]?.findings.map(({ kind }) => kind);
    expect(found).to.include("revokedFiles").and.not.include.members(["waitingFiles"]);
  });

  it("lands again when its export is written again, changed or not", async () => {
    await lucra("revoke", "2");
    await data.write(`${ORDERS}/a.json`, orders({ id: "a", value: 5 }), minute(3));
    await utimes(path.join(data.path, ORDERS, "b.json"), minute(3), minute(3));
    const report = await data.sync();
    expect([total(report, "files"), failed(report)]).to.deep.equal([2, false]);
    expect(await values(data)).to.deep.equal({ a: 5, b: 200 });
    expect(total(await data.sync(), "files"), "once").to.equal(0);
  });

  it("keeps its number, also when its files are deleted", async () => {
    await lucra("revoke", "2");
    for (const file of await data.files("lake")) {
      if (/\.000002\./.test(file)) await rm(path.join(data.path, "lake", file));
    }
    expect(await nextLanding(foldersOf(data.path, AURORA))).to.equal(3);
    const report = await data.sync();
    expect(report.failures).to.deep.equal([]);
    expect(await values(data)).to.deep.equal({ a: 1 });
  });

  it("is not repaired, and its damage is no fault", async () => {
    await lucra("revoke", "2", "--integration", "Store");
    const [file = ""] = (await data.files("lake")).filter((name) => /storea.*\.000002\..*parquet$/.test(name));
    await data.write(`lake/${file}`, "damaged");
    await data.write(`${ORDERS}/new.json`, orders({ id: "new", value: 3 }), minute(5));
    const report = await data.sync();
    expect([report.failures, report.repaired]).to.deep.equal([[], []]);
    expect(await values(data)).to.deep.equal({ a: 1, new: 3 });
    const [found] = (await diagnose(data.config, AURORA, true)).organizations;
    expect(found?.files?.landed.damaged).to.equal(0);
  });

  it("does not count as landed, in metrics and in the doctor", async () => {
    const read = async (): Promise<unknown[]> =>
      (await new LandingWatch(data.path).read([SHOP], data.config.now())).map(({ rows }) => rows);
    const before = await read();
    await lucra("revoke", "2");
    expect(await read()).to.not.deep.equal(before);
    const [store, ads] = (await diagnose(data.config, AURORA)).organizations[0]?.integrations ?? [];
    expect(store?.records.find(({ record }) => record === "orders")).to.include({ files: 1, rows: 1 });
    expect(ads?.lastLandedAt).to.equal(null);
  });

  it("is in force again after it is restored, with its place among the others", async () => {
    const before = await values(data);
    await lucra("revoke", "2");
    await data.write(`${ORDERS}/later.json`, orders({ id: "b", value: 9 }), minute(6));
    await data.sync();
    expect(await values(data)).to.deep.equal({ a: 1, b: 9 });
    const { status, stdout } = await lucra("restore", "2");
    expect([status, stdout.split("\n").length]).to.deep.equal([0, 3]);
    expect(await values(data), "the later landing of b still wins").to.deep.equal({ ...before, b: 9 });
    const report = await data.sync();
    expect([total(report, "files"), report.outcomes.flatMap(({ revoked }) => revoked)]).to.deep.equal([0, []]);
  });

  it("is listed and shown with its exports", async () => {
    await lucra("revoke", "1");
    const listed = await lucra("list");
    expect(listed.stdout).to.match(/^landing +landed +integration +record +exports +rows +rejected$/m);
    expect(listed.stdout).to.match(
      /^ +1 +2025-04-01 12:00 +Store +storea orders +a\.json +1 +0 +revoked 2025-04-01 12:00$/m,
    );
    expect(listed.stdout).to.match(/^ +2 +2025-04-01 12:00 +Store +storea orders +a\.json, b\.json +2 +0$/m);
    const json = JSON.parse((await lucra("list", "--integration", "Ads", "--json")).stdout);
    expect(json).to.have.lengthOf(1);
    expect(json[0]).to.deep.include({
      landing: 2,
      integration: SOCIALADS,
      integrationName: "Ads",
      record: "campaigns",
      revokedAt: null,
      isMissing: false,
    });
    const shown = await lucra("show", "2", "--record", "orders");
    expect(shown.stdout).to.match(/^landing 2, 2025-04-01 12:00: Store, storea orders$/m);
    expect(shown.stdout).to.match(/^a\.json +\d+ +1 +0 +[0-9a-f]{64}$/m);
  });

  it("must exist, and not be revoked yet", async () => {
    const none = await lucra("revoke", "7");
    expect([none.status, oneLine(none)]).to.deep.equal([1, "lucra: landing 7 does not exist: lucra landings list"]);
    await lucra("revoke", "2");
    expect(oneLine(await lucra("revoke", "2", "1"))).to.match(/landing 2 is revoked already/);
    expect(await values(data), "nothing of it").to.deep.equal({ a: 1 });
    expect(oneLine(await lucra("restore", "1"))).to.match(/landing 1 is not revoked/);
    expect((await lucra("revoke", "x")).status).to.equal(2);
    expect(oneLine(await lucra("revoke", "1", "--integration", "Stores"))).to.match(
      new RegExp(`no integration Stores in the settings: there are Store \\(${STOREA}\\), Ads`),
    );
    expect(oneLine(await lucra("revoke", "1", "--record", "order"))).to.match(/--record order: one of /);
  });

  it("of which it is not known what was revoked stops the derivation, and the report says what to do", async () => {
    await lucra("revoke", "2");
    const [event = ""] = await data.files("lake/revocations");
    await data.write(`lake/revocations/${event}`, "damaged");
    await data.write(`${ORDERS}/new.json`, orders({ id: "new", value: 3 }), minute(5));
    const { status, stderr } = await command(data, "sync");
    expect(status).to.equal(1);
    expect(stderr).to.match(/revocations\/.*000001\.json is damaged, so it is not known which landings are revoked: /);
    expect(await values(data)).to.deep.equal({ a: 1 });
  });
});

describe("A revoked landing of parts", () => {
  const SHOPIFY = exportsOf(STOREB, "orders");
  const synced = (hour: number): string => `2025-03-01 0${hour}:00:00`;
  const order = (hour: number, price: string): string =>
    csv([
      {
        id: 1,
        created_at: "2025-02-01 10:00:00",
        updated_at: synced(hour),
        financial_status: "paid",
        total_price: price,
        currency: "BRL",
        _fivetran_synced: synced(hour),
      },
    ]);
  let data: DataFolder;
  const lucra = (...args: string[]): Promise<Said> => command(data, "landings", ...args);
  const revenue = async (): Promise<unknown> =>
    ((await asked(data, "/v1/profitability/cards")) as { revenue: number }).revenue;

  before(async () => {
    data = await DataFolder.empty();
    await data.settings({
      organizationId: AURORA,
      name: "Shop",
      integrations: [{ id: STOREB, connector: "storeb", name: "Loja" }],
    });
    const line = { order_id: 1, id: 11, quantity: 1, price: "10.00", _fivetran_synced: synced(1) };
    await data.write(`${SHOPIFY}/order/1.csv`, order(1, "10.00"), minute(1));
    await data.write(`${SHOPIFY}/order_line/1.csv`, csv([line, { ...line, id: 12 }]), minute(1));
    await data.sync();
    await data.write(`${SHOPIFY}/order/2.csv`, order(2, "99.00"), minute(2));
    await data.sync();
  });

  after(() => data?.remove());

  it("is listed with the parts that it holds, and their streams", async () => {
    const { stdout } = await lucra("list");
    expect(stdout).to.match(/^ *1 .* order\/1\.csv, order_line\/1\.csv +3 parts +0/m);
    expect(stdout).to.match(/^ *2 .* order\/2\.csv +1 part +0/m);
    expect((await lucra("show", "1")).stdout).to.include("parts of fivetran:order, fivetran:order_line");
  });

  it("is left out of the joined rows, and comes back when it is restored", async () => {
    expect(await revenue()).to.equal(99);
    const { stdout } = await lucra("revoke", "2");
    expect(stdout).to.match(/^revoked: landing 2, Loja, storeb orders: order\/2\.csv, 1 part$/m);
    expect(await revenue()).to.equal(10);
    await lucra("revoke", "1");
    expect(await revenue()).to.equal(0);
    await lucra("restore", "1", "2");
    expect(await revenue()).to.equal(99);
  });
});
