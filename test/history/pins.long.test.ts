import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { oneLine } from "../support/commandLine.ts";
import { AURORA, type Ended, ended } from "../support/data.ts";
import { otherVersion } from "../support/otherVersion.ts";
import { END, PinnedShop } from "../support/pinned.ts";
import { startServing } from "../support/serving.ts";
import { minute, ORDERS, orders, SHOP } from "../support/syncs.ts";

describe("Pins, by processes of their own [D83]", function () {
  this.timeout(180_000);
  const shop = new PinnedShop();
  const lucra = (...args: string[]): Promise<Ended> => shop.data.lucra(args, { LUCRA_NOW: END, LUCRA_THREADS: "1" });
  const create = (name: string, ...more: string[]): Promise<Ended> =>
    lucra("pins", "create", "--organization", AURORA, "--name", name, ...more);
  const verified = async (): Promise<[number | null, Record<string, unknown>]> => {
    const { status, stdout } = await lucra("pins", "verify", "both", "--json");
    return [status, JSON.parse(stdout)[0]];
  };
  const lake = (): string => foldersOf(shop.data.path, AURORA).lake({ connector: "storea", name: "orders" });
  const landed = async (): Promise<string> =>
    path.join(lake(), (await readdir(lake())).find((name) => /\.000002\..*\.parquet$/.test(name)) ?? "");

  it("differ, row by row, after a landed file is lost or damaged", async () => {
    expect((await create("both")).status).to.equal(0);
    const file = await landed();
    await writeFile(file, "damaged");
    const [status, damaged] = await verified();
    expect([status, damaged.causes]).to.deep.equal([1, ["landings"]]);
    expect(damaged.landings).to.have.nested.property("[0].is", "damaged");
    await rm(file);
    const [again, lost] = await verified();
    expect([again, lost.isEqual, lost.causes, lost.files]).to.deep.equal([1, false, ["landings"], "compared"]);
    expect(lost.landings).to.have.nested.property("[0].is", "lost");
    const orders = (
      lost.relations as { relation: string; rows: { gone: number; come: number; goneRows: string[] } }[]
    ).find(({ relation }) => relation === "orders");
    expect([orders?.rows.gone, orders?.rows.come]).to.deep.equal([1, 0]);
    expect(JSON.parse(orders?.rows.goneRows[0] ?? "")).to.include({ order_id: "b" });
    expect((await lucra("pins", "verify")).stdout)
      .to.include("landing 2 (storea orders) is lost")
      .and.include("2025-02 revenue: 150 → 100");
  });

  it("differ when kept files were changed, which are then removed", async () => {
    expect((await create("both")).status).to.equal(0);
    const { mart } = foldersOf(shop.data.path, AURORA);
    // That of the pin, and those of what was replaced.
    for (const state of (await readdir(mart)).filter((name) => name.startsWith("state="))) {
      const names = await readdir(path.join(mart, state));
      const orders = path.join(mart, state, names.find((name) => name.startsWith("orders.")) ?? "");
      await rm(orders);
      await writeFile(orders, "damaged");
    }
    const [status, damaged] = await verified();
    expect([status, damaged.causes, damaged.files]).to.deep.equal([1, ["files"], "damaged"]);
    const [after, equal] = await verified();
    expect([after, equal.isEqual, equal.files]).to.deep.equal([0, true, "gone"]);
  });

  it("differ by software after another version, which derives them by itself", async () => {
    const other = await otherVersion();
    const environment = { LUCRA_NOW: END, LUCRA_THREADS: "1" };
    try {
      expect((await ended(shop.data.start(["sync"], environment, other.instead))).status).to.equal(0);
      const args = ["pins", "create", "--organization", AURORA, "--name", "both"];
      expect((await ended(shop.data.start(args, environment, other.instead))).status).to.equal(0);
      const [status, differs] = await verified();
      expect([status, differs.causes, differs.landings, differs.figures]).to.deep.equal([1, ["software"], [], []]);
      const text = (await lucra("pins", "verify")).stdout;
      expect(text).to.include("another version of Lucra").and.include("other columns: last_known_on, horizon_on");
      const { mart } = foldersOf(shop.data.path, AURORA);
      const states = async (): Promise<number> =>
        (await readdir(mart)).filter((name) => name.startsWith("state=")).length;
      const before = await states();
      const service = await startServing(shop.data, [], undefined, environment);
      try {
        for (let n = 0; n < 200 && (await states()) <= before; n++) await sleep(100);
        expect(await states()).to.equal(before + 1);
      } finally {
        await service.stop();
      }
    } finally {
      await other.remove();
    }
  });

  it("of one name are made once by two processes at the same time", async () => {
    const all = await Promise.all([create("both", "--at", "2025-03-04"), create("both", "--at", "2025-03-06")]);
    expect(all.map(({ status }) => status).sort()).to.deep.equal([0, 1]);
    expect(all.find(({ status }) => status === 1)?.stderr).to.match(
      /^lucra: there is a pin both, of what was known at /,
    );
    expect((await lucra("pins", "verify")).status).to.equal(0);
  });

  it("of a month are made by a service that did not run on the day", async () => {
    await shop.data.settings({ ...SHOP, pins: { monthly: 6 } });
    const served = async (now: string): Promise<void> => {
      const service = await startServing(shop.data, [], undefined, { LUCRA_NOW: now, LUCRA_THREADS: "1" });
      try {
        const isDone = async (): Promise<boolean> => {
          const names = await readdir(foldersOf(shop.data.path, AURORA).pins).catch(() => [] as string[]);
          return names.includes(now === END ? "2025-02.json" : "monthly");
        };
        for (let n = 0; n < 300 && !(await isDone()); n++) await sleep(100);
        expect(await isDone()).to.equal(true);
      } finally {
        await service.stop();
      }
    };
    await served("2025-03-05T12:00:00.000Z");
    await served(END);
    const { stdout } = await lucra("pins", "list", "--json");
    expect(JSON.parse(stdout)).to.have.lengthOf(1);
    expect(JSON.parse(stdout)[0]).to.include({
      name: "2025-02",
      knownAt: "2025-03-06T06:00:00.000Z",
      createdAt: END,
      createdBy: "monthly",
    });
  });
});

describe("Pins, later [D83]", function () {
  this.timeout(300_000);
  const shop = new PinnedShop();
  const { lucraAt, pins, create, revenues, revenue } = shop;

  it("stay what they were, whatever comes later, and verify says so", async () => {
    await create("then", "--at", "2025-03-04");
    await shop.data.write(
      `${ORDERS}/c.json`,
      orders({ id: "a", value: 1, changed: "2025-03-06T00:00:00Z" }),
      minute(3),
    );
    await shop.data.settings({ ...SHOP, margin: { percent: 10 }, integrations: (SHOP.integrations ?? []).slice(0, 1) });
    await shop.data.syncAt(END);
    expect(await revenues("then", "2025-03-04")).to.deep.equal([100, 100]);
    const { status, stdout } = await pins("verify");
    expect([status, stdout]).to.deep.equal([0, "then (2025-03-04T23:59:59.999Z): equal\n"]);
  });

  it("differ by a landing that was revoked for always, until it is restored", async () => {
    await create("both");
    await create("one", "--at", "2025-03-04");
    const asked = await lucraAt(END, "landings", "revoke", "2", "--always");
    expect([asked.status, oneLine(asked)]).to.deep.equal([
      2,
      "lucra: nothing was revoked: --yes revokes it in all states; lucra landings restore undoes it",
    ]);
    expect(asked.stdout).to.include("landing 2, Store, storea orders").and.include("without it: both\n");
    expect(await revenue("both")).to.equal(150);
    const done = await lucraAt(END, "landings", "revoke", "2", "--always", "--yes");
    expect([done.status, done.stderr]).to.deep.equal([0, ""]);
    const states = (await readdir(foldersOf(shop.data.path, AURORA).mart)).filter((name) => name.startsWith("state="));
    expect(states, "states that have it are gone at once").to.deep.equal([]);
    expect(await revenues("both", "2025-03-06", "one")).to.deep.equal([100, 100, 100]);
    expect((await lucraAt(END, "landings", "list")).stdout).to.match(/revoked 2025-03-10 10:00 for always/);
    expect(JSON.parse((await lucraAt(END, "landings", "show", "2", "--json")).stdout)[0].always).to.equal(true);
    const verified = await pins("verify", "--json");
    const [both, one] = JSON.parse(verified.stdout);
    expect([verified.status, one.isEqual, both.isEqual, both.causes]).to.deep.equal([1, true, false, ["landings"]]);
    expect(both.landings).to.deep.equal([
      { connector: "storea", record: "orders", integration: SHOP.integrations?.[0]?.id, landing: 2, is: "revoked" },
    ]);
    expect(both.figures).to.deep.include({ month: "2025-02-01", figure: "revenue", before: 150, after: 100 });
    expect(both.relations.find(({ relation }: { relation: string }) => relation === "orders")).to.include({
      rowsBefore: 2,
      rowsAfter: 1,
    });
    expect(oneLine(await lucraAt(END, "landings", "revoke", "2", "--always", "--yes"))).to.include(
      "for always already",
    );
    expect((await lucraAt(END, "landings", "restore", "2")).status).to.equal(0);
    expect([await revenue("both"), (await pins("verify")).status]).to.deep.equal([150, 0]);
  });

  it("differ from a state with a mere revocation only after --always, which a revoked landing can get", async () => {
    await create("both");
    await lucraAt(END, "landings", "revoke", "2");
    expect([await revenue("both"), (await pins("verify")).status]).to.deep.equal([150, 0]);
    await lucraAt(END, "landings", "revoke", "2", "--always", "--yes");
    expect([await revenue("both"), (await pins("verify")).status]).to.deep.equal([100, 1]);
    expect((await lucraAt(END, "landings", "revoke", "1", "--always", "--file", "a.json", "--yes")).status).to.equal(2);
  });

  it("of a data folder without a history are those of the landings' times", async () => {
    await rm(path.dirname(foldersOf(shop.data.path, AURORA).history), { recursive: true });
    await shop.data.syncAt(END);
    await create("early", "--at", "2025-03-04");
    expect([await revenue("early"), (await pins("verify")).status]).to.deep.equal([100, 0]);
  });
});
