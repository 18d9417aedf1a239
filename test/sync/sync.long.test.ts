import { execFileSync } from "node:child_process";
import { promises, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink, utimes } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import type { Progress } from "../../src/core/landing/land.ts";
import { knownOrganizations } from "../../src/core/organizations/open.ts";
import { type LastResult, lastResults, resultOf } from "../../src/core/sync/status.ts";
import { failed, type SyncReport, sync } from "../../src/core/sync/sync.ts";
import {
  AURORA,
  DataFolder,
  ended,
  filesBelow,
  SOCIALADS,
  STOREA,
  STOREB,
  seeded,
  storeaOrders,
} from "../support/data.ts";
import { parquet } from "../support/parquet.ts";
import { answersOf } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";
import {
  CAMPAIGNS,
  campaigns,
  FEW,
  minute,
  ORDERS,
  orders,
  refused,
  rows,
  SHOP,
  total,
  values,
} from "../support/syncs.ts";

/** Another organization, without settings. */
const OTHER = "6a1d3c2f-9b5e-4d48-8f32-8c7e1bad5f21";
const once = (work: () => void): (() => void) => {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
};

describe("A sync of the fixtures", () => {
  let data: DataFolder;
  let first: Record<string, string>;

  before(async () => {
    data = await landedFixtures();
    first = await answersOf(data.config, AURORA);
  });

  after(() => data?.remove());

  it("lands nothing a second time, however late, and every answer stays the same to the byte", async () => {
    const later = { ...data.config, now: () => new Date("2025-06-01T00:00:00Z") };
    const organizations = await knownOrganizations(data.path, () => {});
    const report = await sync(later, { organizations });
    expect([total(report, "files"), total(report, "landed"), report.derived]).to.deep.equal([0, 0, []]);
    expect(await answersOf(data.config, AURORA)).to.deep.equal(first);
  });

  it("answers the same after the same file came again under another name, also packed", async () => {
    const content = await readFile(path.join(data.path, ORDERS, "2025-04-01.json"));
    await data.write(`${ORDERS}/once more.json.gz`, gzipSync(content));
    const report = await data.sync();
    expect(total(report, "files")).to.equal(1);
    expect(total(report, "replaced")).to.equal(total(report, "landed")).and.above(10);
    expect(first).to.include(await answersOf(data.config, AURORA, FEW));
  });

  it("answers the same when the orders come one by one, in any order, over several syncs", async () => {
    const random = seeded(7);
    const other = await DataFolder.fixtures();
    try {
      const single: Record<string, unknown>[] = [];
      for (const file of await other.files(ORDERS)) {
        single.push(...JSON.parse(await other.text(`${ORDERS}/${file}`)));
        await rm(path.join(other.path, ORDERS, file));
      }
      const shuffled = single.map((order) => ({ order, at: random() })).sort((a, b) => a.at - b.at);
      for (const part of [shuffled.slice(0, 6), shuffled.slice(6)]) {
        for (const [n, { order, at }] of part.entries()) {
          await other.write(`${ORDERS}/${n} ${order.orderId}.json`, JSON.stringify(order), minute(at * 1000));
        }
        for (const file of await other.files("exports")) {
          if (file.includes("storea")) continue;
          const when = minute(random() * 1000);
          await utimes(path.join(other.path, "exports", file), when, when);
        }
        expect(failed(await other.sync())).to.equal(false);
      }
      const probes = [...FEW, "/v1/profitability/metrics-evolution", "/v1/storea/orders/items?limit=5000"];
      expect(first).to.include(await answersOf(other.config, AURORA, probes));
    } finally {
      await other.remove();
    }
  });

  it("leaves out an integration that the settings no longer name, reports it, and lands it again once they do [D1]", async () => {
    const settings: Organization = JSON.parse(await data.text(`organizations/${AURORA}.json`));
    // What names the store goes with it: that ad accounts are of it, and its cost rules.
    const without = (settings.integrations ?? [])
      .filter(({ id }) => id !== STOREB)
      .map(({ stores, ...one }) => (stores && !stores.includes(STOREB) ? { ...one, stores } : one));
    const costs = (settings.costs ?? []).filter(({ where }) => where?.integrationId !== STOREB);
    await data.settings({ ...settings, integrations: without, costs });
    const report = await data.sync();
    expect(report.unconfiguredFolders).to.deep.equal([`exports/${AURORA}/${STOREB}`]);
    expect(failed(report), "not a failure").to.equal(false);
    expect(report.derived).to.deep.equal([AURORA]);
    const answers = await answersOf(data.config, AURORA, FEW);
    expect(answers["/v1/profitability/cards"]).to.include('"revenue":2340.0,').and.include('"orders":13,');
    expect(answers["/v1/storeb/products?limit=5000"]).to.include('"data":[]');
    await data.settings(settings);
    await data.sync();
    expect(first).to.include(await answersOf(data.config, AURORA, FEW));
  });

  it("lists the first thousand of such folders, and counts the others", async () => {
    const names = Array.from({ length: 1_005 }, (_, n) => `no record ${String(n).padStart(4, "0")}`);
    for (const name of names) await data.write(`exports/${AURORA}/${STOREA}/${name}`, "");
    const { stdout, stderr } = await data.lucra(["sync", "--json"]);
    const report: SyncReport = JSON.parse(stdout);
    expect(report.unknownRecordFolders, stderr).to.have.lengthOf(1_000);
    expect(report.more).to.deep.equal({ unknownRecordFolders: 5 });
    expect(
      (await lastResults(foldersOf(data.path, AURORA))).find(({ integration }) => integration === STOREA)?.reason,
    ).to.match(/^exports\/\S+\/no record \d+ is not a record of the connector \(and 1004 more\)$/);
    expect((await data.lucra(["sync"])).stderr).to.match(/^not read: 5 more/m);
  });
});

describe("Of several versions of a row", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(SHOP);
  });

  afterEach(() => data.remove());

  it("the latest landed wins among equals: by sync, then by the file's time, then by its path", async () => {
    await data.write(`${ORDERS}/z.json`, orders({ id: "time", value: 1 }), minute(1));
    await data.write(`${ORDERS}/a.json`, orders({ id: "time", value: 2 }), minute(2));
    await data.write(`${ORDERS}/p/a.json`, orders({ id: "path", value: 1 }, { id: "sync", value: 1 }), minute(9));
    await data.write(`${ORDERS}/p/b.json`, orders({ id: "path", value: 2 }), minute(9));
    await data.write(`${ORDERS}/p.json`, orders({ id: "path", value: 3 }), minute(9));
    await data.write(`${CAMPAIGNS}/new.json`, campaigns(7), minute(2));
    await data.write(`${CAMPAIGNS}/old.json`, campaigns(5), minute(1));
    await data.sync();
    await data.write(`${ORDERS}/earlier.json`, orders({ id: "sync", value: 2 }), minute(0));
    await data.sync();
    expect(await values(data)).to.deep.equal({ time: 2, path: 2, sync: 2 });
    expect((await rows(data, "/v1/socialads/ads/campaigns")).map(({ spend }) => spend)).to.deep.equal([7]);
  });
});

describe("Export files", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(SHOP);
  });

  afterEach(() => data.remove());

  it("with an unpaired surrogate in a text are refused with that reason", async () => {
    const half = '{"orderId":"1","origin":"cut \\ud83d"}';
    await data.write(`${ORDERS}/emoji.json`, `${half}\n{"orderId":"2"\n{"orderId":"3","origin":"\\ud83d\\ude00"}\n`);
    await data.sync();
    const rejected = (await data.text(`rejects/${AURORA}/${STOREA}/orders/emoji.json.jsonl`)).trimEnd().split("\n");
    const reasons = rejected.map((line) => JSON.parse(line).reason);
    expect(reasons.slice(0, 2)).to.deep.equal(["a text holds half of a surrogate pair (\\ud83d)", "not a JSON object"]);
    expect(reasons[2]).to.include("missing");
  });

  it("that are empty are refused at each sync without being opened", async () => {
    for (let n = 0; n < 150; n++) await data.write(`${ORDERS}/${n}.json`, "");
    for (const _ of ["first", "second"]) {
      const [outcome] = (await data.sync()).outcomes;
      expect([outcome?.seen, outcome?.refused.length, outcome?.refusedMore]).to.deep.equal([150, 100, 50]);
      expect(outcome?.refused[0]?.reason).to.equal("is empty");
    }
    expect(await data.files(`status/${AURORA}`)).to.not.include(`refused/${STOREA}.orders.jsonl`);
  });

  it("leave nothing behind outside the lake", async () => {
    await data.write(`${ORDERS}/a.json`, orders({ id: "a", value: 1 }));
    await data.write("lake/.work/0123456789ab/0.lines", "left by a sync that was killed");
    await data.sync();
    expect(await filesBelow(path.join(data.path, "lake", ".work"))).to.deep.equal([]);
    expect((await readdir(path.join(data.path, "lake"))).sort()).to.include.members([".writer", "storea"]);
  });

  it("that cannot be read are refused with the reason at each sync; everything else lands", async () => {
    const good = orders({ id: "good", value: 1 });
    const whole = await parquet("select 'x' as order_id, range as value from range(5000)");
    const target = await data.write("elsewhere.json", good);
    await data.write(`${ORDERS}/good.json`, good);
    const bad: Record<string, [string | Buffer, RegExp]> = {
      "empty.json": ["", /empty/],
      "blank.json": [" \n", /white space/],
      "cut.json": [good.slice(0, -30), /ends in the middle/],
      "cut.json.gz": [gzipSync(good).subarray(0, 100), /gzip data ends early/],
      "damaged.json.gz": [Buffer.concat([gzipSync(good).subarray(0, 60), Buffer.alloc(200)]), /gzip/],
      "login.html.json": ["<!doctype html>\n<html><body>Log in</body></html>", /neither JSON nor Parquet/],
      "wide.json": [Buffer.from(`\ufeff${good}`, "utf16le"), /UTF-16/],
      "quotes.csv": ['order_id,value,creation_date\nx,1,"2025\ny,"2",3\n', /^CSV: /],
      "quote inside.csv": ['order_id,value,creation_date\nx,1,2025"01"01\n', /^CSV: /],
      "cut.parquet": [whole.subarray(0, 4000), /Parquet/],
      "damaged.parquet": [Buffer.concat([whole.subarray(0, 60), Buffer.alloc(900, 7), whole.subarray(960)]), /Parquet/],
      "mixed up.json": ["[}]", /malformed JSON/],
    };
    for (const [name, [content]] of Object.entries(bad)) await data.write(`${ORDERS}/${name}`, content);
    await symlink(target, path.join(data.path, ORDERS, "link.json"));
    await symlink(path.join(data.path, "organizations"), path.join(data.path, ORDERS, "linked folder"));
    await data.write(`${CAMPAIGNS}/c.json`, campaigns(7));
    for (const time of ["first", "second"]) {
      const report = await data.sync();
      const reasons = refused(report);
      expect(failed(report)).to.equal(true);
      for (const [name, [, reason]] of Object.entries(bad)) expect(reasons[name], `${name}, ${time}`).to.match(reason);
      expect(reasons["link.json"]).to.match(/links are not followed/);
      expect(reasons["linked folder"]).to.match(/links are not followed/);
      expect(Object.keys(reasons)).to.have.lengthOf(Object.keys(bad).length + 2);
      expect([total(report, "files"), total(report, "landed")]).to.deep.equal(time === "first" ? [2, 2] : [0, 0]);
    }
    expect(await values(data)).to.deep.equal({ good: 1 });
    // Once they are replaced or removed, nothing is reported any more.
    for (const name of [...Object.keys(bad), "link.json", "linked folder"])
      await rm(path.join(data.path, ORDERS, name));
    await data.write(`${ORDERS}/cut.json`, orders({ id: "whole", value: 2 }));
    expect(failed(await data.sync())).to.equal(false);
    expect(await values(data)).to.deep.equal({ good: 1, whole: 2 });
  });

  it("that are left at the end of a turn land at the next one, without reading the others again", async () => {
    const names = ["bad.json", "1.json", "cut.json", "2.json", "3.json"];
    for (const [n, name] of names.entries()) {
      const content = name.length === 6 ? orders({ id: name, value: 1 }) : "[{";
      await data.write(`${ORDERS}/${name}`, content, new Date(n * 1000));
    }
    let read: string[] = [];
    const organizations = [SHOP];
    const turn = async (files: number): Promise<unknown[]> => {
      read = [];
      const progress: Progress = ({ file }) => void read.push(file);
      const report = await sync(data.config, { organizations, progress, isOver: () => read.length >= files });
      const [outcome] = report.outcomes;
      return [read.join(), outcome?.landed, outcome?.refused.map(({ file }) => file).join(), outcome?.postponed];
    };
    expect(await turn(0)).to.deep.equal(["", 0, "", 5]);
    expect(await turn(1)).to.deep.equal(["bad.json", 0, "bad.json", 4]);
    expect(await turn(2)).to.deep.equal(["1.json,cut.json", 1, "bad.json,cut.json", 2]);
    expect(await turn(9)).to.deep.equal(["2.json,3.json", 2, "bad.json,cut.json", 0]);
    // The refused files are read again by a sync that does not continue another.
    expect(await turn(9)).to.deep.equal(["bad.json,cut.json", 0, "bad.json,cut.json", 0]);
  });

  it("that change or vanish while they are read are refused, and land at the next sync", async () => {
    const names = ["0.json", "1.json", "2.json", "3.json"];
    for (const [n, name] of names.entries()) {
      await data.write(`${ORDERS}/${name}`, orders({ id: name, value: 1 }), minute(n));
    }
    const [, changed = "", gone = ""] = names.map((name) => path.join(data.path, ORDERS, name));
    // Called for the first file; the others have been listed, and are read after it.
    const progress = once(() => {
      writeFileSync(changed, orders({ id: "1.json", value: 100 }));
      renameSync(gone, `${gone}.moved`);
    });
    const report = await sync(data.config, { organizations: [SHOP], progress });
    expect(refused(report)).to.have.all.keys("1.json", "2.json");
    expect(refused(report)["1.json"]).to.match(/changed while it was read/);
    expect(total(report, "files")).to.equal(2);
    expect(failed(await data.sync())).to.equal(false);
    expect(await values(data)).to.deep.equal({ "0.json": 1, "1.json": 100, "2.json": 1, "3.json": 1 });
  });

  it("that are replaced by another organization's while they are read are refused", async () => {
    await data.settings({ organizationId: OTHER, name: "Other" });
    const foreign = `exports/${OTHER}/${STOREA}/orders`;
    const place = (name: string): string => path.join(data.path, name);
    const bytes = orders({ id: "theirs", value: 9 });
    await data.write(`${ORDERS}/0.json`, orders({ id: "first", value: 1 }), minute(0));
    for (const [n, name] of ["folder/a.json", "link.json", "pipe.json"].entries()) {
      await data.write(`${ORDERS}/${name}`, orders({ id: "thiers", value: 9 }), minute(n + 1));
      await data.write(`${foreign}/${name}`, bytes, minute(n + 1));
    }
    // Called for the first file; the others have been listed, and are read after it. They have the same size and time.
    const swap = once(() => {
      renameSync(place(`${ORDERS}/folder`), place("aside"));
      symlinkSync(place(`${foreign}/folder`), place(`${ORDERS}/folder`));
      for (const name of ["link.json", "pipe.json"]) rmSync(place(`${ORDERS}/${name}`));
      symlinkSync(place(`${foreign}/link.json`), place(`${ORDERS}/link.json`));
      execFileSync("mkfifo", [place(`${ORDERS}/pipe.json`)]);
    });
    const report = await data.sync(AURORA, swap);
    expect([report.failures, total(report, "landed")]).to.deep.equal([[], 1]);
    expect(refused(report)).to.have.all.keys("folder/a.json", "link.json", "pipe.json");
    expect(Object.values(refused(report)).join("\n")).to.match(
      /^(.*(changed while|is not in the place|is gone).*\n?){3}$/,
    );
    expect(await values(data)).to.deep.equal({ first: 1 });
    // Once their content is restored they land.
    for (const name of ["folder", "link.json", "pipe.json"]) rmSync(place(`${ORDERS}/${name}`));
    renameSync(place("aside"), place(`${ORDERS}/folder`));
    expect(failed(await data.sync(AURORA))).to.equal(false);
    expect(await values(data)).to.deep.equal({ first: 1, thiers: 9 });
  });

  it("that are replaced by another organization's again and again never land as their own", async () => {
    await data.settings({ organizationId: OTHER, name: "Other" });
    const foreign = `exports/${OTHER}/${STOREA}/orders/folder`;
    const [own, aside] = [path.join(data.path, ORDERS, "folder"), path.join(data.path, "aside")];
    for (let n = 0; n < 40; n++) {
      await data.write(`${ORDERS}/folder/${n}.json`, orders({ id: `our ${n}`, value: 1 }), minute(n));
      await data.write(`${foreign}/${n}.json`, orders({ id: `not ${n}`, value: 2 }), minute(n));
    }
    const swapping = new Worker(
      `const { parentPort, workerData: [own, aside, foreign] } = require("node:worker_threads");
      const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
      for (let on = true; on; ) {
        renameSync(own, aside);
        symlinkSync(foreign, own);
        for (const until = performance.now() + Math.random() * 3; performance.now() < until; );
        unlinkSync(own);
        renameSync(aside, own);
        for (const until = performance.now() + Math.random() * 3; performance.now() < until; );
        on = require("node:worker_threads").receiveMessageOnPort(parentPort) === undefined;
      }`,
      { eval: true, workerData: [own, aside, path.join(data.path, foreign)] },
    );
    const swapped = new Promise((done) => swapping.once("exit", done));
    try {
      for (let n = 0; n < 5; n++) await data.sync(AURORA);
    } finally {
      swapping.postMessage("enough");
      await swapped;
    }
    expect(failed(await data.sync(AURORA))).to.equal(false);
    expect(Object.values(await values(data))).to.deep.equal(Array(40).fill(1));
  }).timeout(60_000);

  it("are found by their literal names, even if the engine would read those as patterns", async () => {
    const names = ["a*.parquet", "a?.parquet", "[ab].parquet", "ab.parquet", "a.parquet", "{a,b}.parquet"];
    for (const name of names) {
      await data.write(
        `${ORDERS}/${name}`,
        await parquet(`select '${name}' as order_id, 1 as value, '2025-01-01' as creation_date`),
      );
    }
    const report = await data.sync();
    expect([total(report, "files"), total(report, "landed"), failed(report)]).to.deep.equal([6, 6, false]);
    expect(Object.keys(await values(data)).sort()).to.deep.equal([...names].sort());
  });

  it("have their own rejects, however long or similar their names are", async () => {
    const bad = '{"orderId":"1"}\n';
    const long = `${"é".repeat(124)}.json`;
    const names = ["a", "a.jsonl/b", "a.jsonl_/b", long, `${"é".repeat(123)}e.json`, `${"f".repeat(249)}.jsonl/b`];
    for (const name of names) await data.write(`${ORDERS}/${name}`, bad);
    const report = await data.sync();
    expect([total(report, "rejected"), report.failures]).to.deep.equal([names.length, []]);
    const texts = await Promise.all((await data.files("rejects")).map((file) => data.text(`rejects/${file}`)));
    expect(texts.map((text) => JSON.parse(text).file).sort()).to.deep.equal([...names].sort());
    for (const name of names) await data.write(`${ORDERS}/${name}`, orders({ id: name.slice(0, 9), value: 1 }));
    await data.sync();
    expect(await data.files("rejects"), "once repaired").to.deep.equal([]);
  });

  it("that are many and small land as one", async () => {
    for (const [n, order] of storeaOrders(120, 3).entries()) {
      await data.write(`${ORDERS}/${n}.json`, JSON.stringify([order]));
    }
    const report = await data.sync();
    expect([total(report, "files"), total(report, "landed")]).to.deep.equal([120, 120]);
    expect((await data.files("lake")).filter((file) => file.endsWith(".parquet"))).to.have.lengthOf(1);
  });

  it("of a requested integration are the only ones that land", async () => {
    await data.write(`${ORDERS}/a.json`, orders({ id: "a", value: 1 }));
    await data.write(`${CAMPAIGNS}/c.json`, campaigns(7));
    const report = await sync(data.config, { organizations: [SHOP], integration: SOCIALADS });
    expect(report.outcomes.map(({ integration }) => integration)).to.deep.equal([SOCIALADS]);
    expect(total(await data.sync(), "files")).to.equal(1);
  });
});

describe("An unexpected fault", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(SHOP);
  });

  afterEach(() => data.remove());

  it("of the disk in one file concerns only that file: those next to it land", async () => {
    for (const n of [1, 2, 3]) await data.write(`${ORDERS}/${n}.json`, orders({ id: `${n}`, value: n }), minute(n));
    const { open } = promises;
    const unreadable = async (): Promise<never> => {
      throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", syscall: "read" });
    };
    promises.open = async (file, ...how) => {
      const handle = await open(file, ...how);
      return String(file).endsWith("2.json") ? Object.assign(handle, { read: unreadable }) : handle;
    };
    syncBuiltinESMExports();
    try {
      const report = await data.sync();
      expect(report.failures).to.deep.equal([
        { organization: AURORA, integration: STOREA, record: "orders", file: "2.json", reason: "EIO: i/o error, read" },
      ]);
    } finally {
      promises.open = open;
      syncBuiltinESMExports();
    }
    expect(await values(data)).to.deep.equal({ 1: 1, 3: 3 });
    expect(total(await data.sync(), "files")).to.equal(1);
  });

  it("of one record is reported with its place; what has landed of the others is derived", async () => {
    await data.write(`${ORDERS}/1.json`, orders({ id: "1", value: 1 }));
    await data.write(`exports/${AURORA}/${SOCIALADS}/campaigns`, "a file where a folder should be");
    const report = await data.sync();
    expect(report.failures.map(({ reason, ...place }) => place)).to.deep.equal([
      { organization: AURORA, integration: SOCIALADS, record: "campaigns" },
    ]);
    expect(await values(data)).to.deep.equal({ 1: 1 });
  });

  it("of one file is reported with its place; the files, records and integrations next to it land and are served", async () => {
    for (const n of [1, 2, 3, 4, 5])
      await data.write(`${ORDERS}/${n}.json`, orders({ id: `${n}`, value: n }), minute(n));
    await data.write(`${ORDERS}/3.json`, '{"orderId":"3"}', minute(3));
    // A folder is in the place of its rejects.
    const blocked = path.join(data.path, "rejects", AURORA, STOREA, "orders", "3.json.jsonl");
    await mkdir(blocked, { recursive: true });
    await data.write(`${CAMPAIGNS}/c.json`, campaigns(7));
    const report = await data.sync();
    expect(report.failures.map(({ reason, ...place }) => place)).to.deep.equal([
      { organization: AURORA, integration: STOREA, record: "orders", file: "3.json" },
    ]);
    expect(failed(report)).to.equal(true);
    expect(await values(data)).to.deep.equal({ 1: 1, 2: 2, 4: 4, 5: 5 });
    expect(await rows(data, "/v1/socialads/ads/campaigns")).to.have.lengthOf(1);
    await rm(blocked, { recursive: true });
    const after = await data.sync();
    expect([after.failures, total(after, "files"), total(after, "rejected")]).to.deep.equal([[], 1, 1]);
  });

  it("of a disk without room fails each file that does not fit; the others land, and nothing is lost", async () => {
    const large = (n: number): string =>
      orders(...["", "b"].map((more) => ({ id: `${n}${more}`, value: n, utmCampaign: "x".repeat(1_200_000) })));
    await data.write(`${ORDERS}/0.json`, orders({ id: "0", value: 1 }), minute(0));
    await data.sync();
    await data.write(`${ORDERS}/1.json`, orders({ id: "1", value: 1 }), minute(1));
    for (const n of [2, 3, 4, 5, 6]) await data.write(`${ORDERS}/${n}.json`, large(n), minute(n));
    await data.write(`${CAMPAIGNS}/c.json`, campaigns(7));
    // No file may be larger than 64 KiB: reading the second one already needs more.
    const { status, stderr } = await ended(data.start(["sync"], {}, "ulimit -f 64"));
    expect(status).to.equal(1);
    const reports = stderr.split("\n").filter((line) => /^failed|EFBIG/.test(line));
    expect(
      reports.map((line) => line.replace(/: EFBIG.*/, "")),
      stderr,
    ).to.deep.equal([2, 3, 4, 5, 6].map((n) => `failed: Shop/Store/orders/${n}.json`));
    expect(await rows(data, "/v1/socialads/ads/campaigns"), "the record next to it").to.have.lengthOf(1);
    expect(await values(data)).to.deep.equal({ 0: 1, 1: 1 });
    const after = await data.sync();
    expect([after.failures, total(after, "files"), total(after, "landed")]).to.deep.equal([[], 5, 10]);
    expect(await values(data)).to.include({ 0: 1, 1: 1, 2: 2, "4b": 4, 6: 6, "6b": 6 });
  });

  it("in the last write of an export does not reject its rows", async () => {
    const content = orders(...[1, 2, 3, 4].map((n) => ({ id: `${n}`, value: n, utmCampaign: "x".repeat(20_000) })));
    await data.write(`${ORDERS}/1.json`, content, minute(1));
    const { status, stderr } = await ended(data.start(["sync"], {}, "ulimit -f 64"));
    expect([status, stderr]).to.satisfy(([code, text]: [number, string]) => code === 1 && text.includes("EFBIG"));
    const after = await data.sync();
    expect([total(after, "landed"), total(after, "rejected")]).to.deep.equal([4, 0]);
    expect(await values(data)).to.deep.equal({ 1: 1, 2: 2, 3: 3, 4: 4 });
  });
});

describe("The last result of an integration", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(SHOP);
  });

  afterEach(() => data.remove());

  const last = async (): Promise<Record<string, LastResult>> =>
    Object.fromEntries((await lastResults(foldersOf(data.path, AURORA))).map((result) => [result.integration, result]));

  it("is a failure if nothing could be derived, whatever has landed", async () => {
    await data.write(`${ORDERS}/1.json`, orders({ id: "1", value: 1 }));
    await data.sync();
    await data.write(`${ORDERS}/1.json`, orders({ id: "2", value: 1 }));
    // The derivation makes a folder in this place.
    await rm(path.join(data.path, "marts"), { recursive: true });
    await data.write("marts", "a file");
    const report = await data.sync();
    expect(report.failures.some(({ reason }) => reason.startsWith("could not derive"))).to.equal(true);
    expect(Object.values(await last()).map(({ outcome }) => outcome)).to.deep.equal(["failed", "failed"]);
  });

  it("has a reason of at most 500 characters, however long the file's own is", async () => {
    const quoted = `order_id,value,creation_date\n${"z".repeat(3_000_000)}"x,10,2025-03-01\n`;
    const name = `${"a".repeat(235)}/${"b".repeat(228)}.csv.gz`;
    await data.write(`${ORDERS}/${name}`, gzipSync(quoted));
    await data.write(`${ORDERS}/${"c".repeat(235)}/${"d".repeat(228)}.json`, "");
    const report = await data.sync();
    expect(JSON.stringify(report).length).to.be.below(10_000);
    expect(report.outcomes.flatMap(({ refused }) => refused.map(({ file }) => file))).to.include(name);
    const reason = (await last())[STOREA]?.reason ?? "";
    expect(reason.length).to.be.below(600);
    expect(reason).to.match(/^orders\/\w+\/?\w*… .+ \(and 1 more\)$/);
    const failures = [{ organization: AURORA, integration: STOREA, reason: "😀".repeat(1_000_000) }];
    const now = data.config.now();
    const job = { organization: AURORA, integration: STOREA, started: now, ended: now };
    const failure = resultOf({ ...job, outcomes: [], unread: [], failures }).reason ?? "";
    expect([failure.length <= 500, Buffer.from(failure).toString() === failure, failure.at(-1)]).to.deep.equal([
      true,
      true,
      "…",
    ]);
  });
});
