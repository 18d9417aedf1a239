import { utimes } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { knownOrganizations } from "../../src/core/organizations/open.ts";
import { type LastResult, lastResults } from "../../src/core/sync/status.ts";
import { failed, sync } from "../../src/core/sync/sync.ts";
import { command } from "../support/command.ts";
import { AURORA, DataFolder, SOCIALADS, STOREA, storeaOrder } from "../support/data.ts";
import { answersOf } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";
import { FEW, minute, ORDERS, orders, SHOP, total, values } from "../support/syncs.ts";

describe("A sync of the fixtures", () => {
  let data: DataFolder;
  let first: Record<string, string>;

  before(async () => {
    data = await landedFixtures();
    first = await answersOf(data.config, AURORA, FEW);
  });

  after(() => data?.remove());

  it("lands nothing a second time, however late, and answers stay the same to the byte", async () => {
    const later = { ...data.config, now: () => new Date("2025-06-01T00:00:00Z") };
    const organizations = await knownOrganizations(data.path, () => {});
    const report = await sync(later, { organizations });
    expect([total(report, "files"), total(report, "landed"), report.derived]).to.deep.equal([0, 0, []]);
    expect(await answersOf(data.config, AURORA, FEW)).to.deep.equal(first);
  });

  it("lands nothing of files that were touched but not changed", async () => {
    for (const file of await data.files("exports")) {
      await utimes(path.join(data.path, "exports", file), minute(1), minute(1));
    }
    const report = await data.sync();
    expect([total(report, "files"), total(report, "landed"), report.derived]).to.deep.equal([0, 0, []]);
  });

  it("reports folders that are no record of their integration, and counts them as failed", async () => {
    await data.write(`exports/${AURORA}/${STOREA}/order/x.json`, "[]");
    await data.write(`exports/${AURORA}/${STOREA}/loose.json`, "[]");
    await data.write("exports/nobody/x/orders/x.json", "[]");
    const report = await data.sync();
    expect(report.unknownRecordFolders).to.deep.equal(
      ["loose.json", "order"].map((name) => `exports/${AURORA}/${STOREA}/${name}`),
    );
    expect(report.unconfiguredFolders).to.deep.equal([]);
    expect(report.misplacedFolders).to.deep.equal([
      { folder: "exports/nobody", hint: `no settings name it: there are Casa Aurora (${AURORA})` },
    ]);
    expect(failed(report)).to.equal(true);
  });
});

describe("Of several versions of a row", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(SHOP);
  });

  afterEach(() => data.remove());

  it("a corrected file under the same name replaces the old content, and its rejects disappear", async () => {
    const broken = { ...storeaOrder({ id: "b", value: 20 }), value: "twenty" };
    const right = storeaOrder({ id: "a", value: 10 });
    await data.write(`${ORDERS}/day.json`, JSON.stringify([right, broken]), minute(5));
    const report = await data.sync();
    expect([total(report, "landed"), total(report, "rejected"), failed(report)]).to.deep.equal([1, 1, true]);
    expect(await data.files("rejects")).to.have.lengthOf(1);
    // The same vendor timestamps, and an older file.
    await data.write(`${ORDERS}/day.json`, orders({ id: "a", value: 11 }, { id: "b", value: 20 }), minute(4));
    const corrected = await data.sync();
    expect([total(corrected, "landed"), total(corrected, "replaced"), failed(corrected)]).to.deep.equal([2, 1, false]);
    expect(await data.files("rejects")).to.deep.equal([]);
    expect(await values(data)).to.deep.equal({ a: 11, b: 20 });
  });

  it("the newest by the vendor's timestamp wins, whenever it came", async () => {
    const newer = { id: "a", value: 2, changed: "2025-02-12T00:00:00Z" };
    const older = { id: "a", value: 1, changed: "2025-02-11T23:59:59Z" };
    await data.write(`${ORDERS}/1.json`, orders(newer), minute(1));
    await data.write(`${ORDERS}/2.json`, orders(older, { id: "b", value: 5, changed: null }), minute(2));
    await data.sync();
    await data.write(`${ORDERS}/3.json`, orders(older, { id: "b", value: 6 }), minute(3));
    await data.write(`${ORDERS}/4.json`, orders({ id: "b", value: 7, changed: null }), minute(4));
    await data.sync();
    expect(await values(data), "no timestamp at all is older than any").to.deep.equal({ a: 2, b: 6 });
  });
});

describe("Export files", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(SHOP);
  });

  afterEach(() => data.remove());

  it("have any name, in any subfolder, packed or not; those with a leading dot are ignored", async () => {
    const names = [
      "plain.json",
      "with blanks é ñ 注文.json",
      "no extension",
      "it's; --.json",
      "a/b/c/deep.json",
      "%41.js",
    ];
    for (const [n, name] of names.entries()) await data.write(`${ORDERS}/${name}`, orders({ id: `${n}`, value: 1 }));
    await data.write(`${ORDERS}/packed.json.gz`, gzipSync(orders({ id: "gz", value: 1 })));
    await data.write(`${ORDERS}/packed without saying so.json`, gzipSync(orders({ id: "gz2", value: 1 })));
    await data.write(`${ORDERS}/.upload.json`, "[");
    await data.write(`${ORDERS}/.part/upload.json`, "[");
    const report = await data.sync();
    expect([total(report, "files"), failed(report)]).to.deep.equal([names.length + 2, false]);
    expect(Object.keys(await values(data)).sort()).to.deep.equal([...names.keys(), "gz", "gz2"].map(String));
  });

  it("list rejected rows exactly", async () => {
    const lines = [
      `{"orderId": 12345678901234567890, "value": "a lot", "creationDate": "2025-02-01T00:00:00Z", "n": 1.10}`,
      JSON.stringify(storeaOrder({ id: "fine", value: 3 })),
      `{"orderId": "cut", "val`,
      `{"orderId": "é\\u0000", "value": -0.0, "creationDate": "yesterday", "items": []}`,
    ];
    await data.write(`${ORDERS}/sub/mixed.ndjson`, `${lines.join("\n")}\n`);
    const report = await data.sync();
    expect([total(report, "landed"), total(report, "rejected")]).to.deep.equal([1, 3]);
    const text = await data.text(`rejects/${AURORA}/${STOREA}/orders/sub/mixed.ndjson.jsonl`);
    const rejected = text.trimEnd().split("\n");
    expect(rejected[0]).to.include(`"row":${lines[0]}}`);
    const parsed = rejected.map((line) => JSON.parse(line));
    for (const row of parsed) expect(row).to.have.all.keys("file", "position", "reason", "row");
    expect(parsed.map(({ file, position }) => [file, position])).to.deep.equal(
      [1, 3, 4].map((n) => ["sub/mixed.ndjson", n]),
    );
    expect(parsed[0].reason).to.include('value: "a lot" is not an amount');
    expect(parsed[1]).to.include({ reason: "not a JSON object", row: lines[2] });
    expect(parsed[2].reason).to.include("creation_date");
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

  it("is kept by every sync: what it did, and its most severe fault", async () => {
    expect(await lastResults(foldersOf(data.path, AURORA))).to.deep.equal([]);
    await data.write(`${ORDERS}/1.json`, orders({ id: "1", value: 1 }, { id: "2", value: 2 }));
    await data.sync();
    const good = await last();
    expect(good[STOREA]).to.deep.equal({
      organization: AURORA,
      integration: STOREA,
      started: data.config.now().toISOString(),
      ended: data.config.now().toISOString(),
      outcome: "ok",
      reason: null,
      records: [{ record: "orders", files: 1, landed: 2, replaced: 0, rejected: 0, refused: 0, postponed: 0 }],
    });
    expect(good[SOCIALADS]).to.include({ outcome: "ok" }).and.have.property("records").that.is.empty;
    await data.write(`${ORDERS}/2.json`, '{"orderId":"3"}\n{"orderId":"4"}\n');
    await data.sync();
    expect((await last())[STOREA]).to.include({
      outcome: "rejected",
      reason: `2 rows, see rejects/${AURORA}/${STOREA}`,
    });
    await data.write(`${ORDERS}/3.json`, "");
    await data.write(`exports/${AURORA}/${STOREA}/order/x.json`, "[]");
    await data.sync();
    expect((await last())[STOREA]).to.deep.include({
      outcome: "refused",
      reason: "orders/3.json is empty (and 1 more)",
      records: [{ record: "orders", files: 0, landed: 0, replaced: 0, rejected: 0, refused: 1, postponed: 0 }],
    });
    expect((await last())[SOCIALADS], "next to it").to.include({ outcome: "ok" });
  });
});

describe("The notes of a sync", () => {
  it("are said once, with the files that they are about", async () => {
    const data = await DataFolder.empty();
    try {
      await data.settings(SHOP);
      const head = "date_start,date_stop,campaign_id,spend,mood";
      for (const day of ["01", "02", "03"]) {
        const row = `2025-01-${day},2025-01-${day},1,5.00,good`;
        await data.write(`exports/${AURORA}/${SOCIALADS}/campaigns/${day}.csv`, `${head}\n${row}\n`);
      }
      const { stdout, stderr } = await command(data, "sync");
      const notes = `${stdout}${stderr}`.split("\n").filter((line) => line.startsWith("note: "));
      expect(notes).to.have.lengthOf(1);
      expect(notes[0]).to.match(/campaigns: columns .* do not land: mood \(01\.csv, 02\.csv, 03\.csv\)$/);
    } finally {
      await data.remove();
    }
  });
});
