import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { AURORA, STOREA } from "../support/data.ts";
import type { OnFullDisk } from "../support/fullUploads.ts";
import { onSmallDisk } from "../support/smallDisk.ts";
import { SHOP, values } from "../support/syncs.ts";
import { Page } from "../support/uploads.ts";
import { archive, workbook } from "../support/workbook.ts";

const HEAD = ["order_id", "status", "value", "creation_date"];
const table = (...rows: string[]): string => [HEAD.join(","), ...rows].join("\n");
const ROW = ["1", "invoiced", 1, "2025-02-10"];

/** Files that do not land, with the reason that a look gives. */
const REFUSED: readonly (readonly [what: string, name: string, content: () => string | Buffer, reason: RegExp])[] = [
  ["of blanks", "a.csv", () => "\n\n  \n", /./],
  ["of gzip that ends early", "a.json.gz", () => gzipSync("[{}]").subarray(0, 12), /gzip/],
  ["of zeros", "a.csv", () => Buffer.alloc(1_000_000), /binary data/],
  ["that is a picture", "a.png", () => Buffer.from("\x89PNG\r\n\x1a\n0000000", "latin1"), /./],
  [
    "that unpacks too far",
    "bomb.gz",
    () => gzipSync(`${table()}\n${"1,invoiced,1,2025-02-10\n".repeat(12_000_000)}`),
    /unpacks to/,
  ],
  ["that is an archive which does", "bomb.zip", () => archive({ "a.csv": Buffer.alloc(300_000_000) }), /unpacks to/],
  ["in an archive in an archive", "a.zip", () => archive({ "b.zip": archive({ "a.csv": table() }) }), /ZIP archive/],
  [
    "outside of its archive",
    "a.zip",
    () => archive({ "../a.csv": table("1,invoiced,1,2025-02-10") }),
    /invalid relative path/,
  ],
  ["in an archive without any", "a.zip", () => archive({}), /without files|ZIP archive/],
  ["that is a workbook of two sheets", "a.xlsx", () => workbook({ A: [HEAD, ROW], B: [HEAD, ROW] }), /several sheets/],
  ["that is a workbook cut off", "a.xlsx", () => workbook({ A: [HEAD, ROW] }).subarray(0, 600), /no whole ZIP archive/],
  ["that is nested too deeply", "a.json", () => "[".repeat(300_000), /nested deeper/],
  ["of which a number is too long", "a.json", () => `{"orderId":"1","value":1${"0".repeat(2_000_000)}}`, /./],
  ["of which a heading is too long", "a.csv", () => `order_id,${"x".repeat(20_000)}\n1,2\n`, /./],
  ["with one order twice", "a.csv", () => table("1,invoiced,1,2025-02-10", "1,invoiced,2,2025-02-10"), /two rows/],
];

describe("Files that are made to do harm, or are not what they seem [D93]", function () {
  this.timeout(600_000);
  let page: Page;
  before(async () => {
    page = await Page.open(SHOP);
  });
  afterEach(async () => {
    for (const { id } of await page.work.list(AURORA)) await page.work.remove(AURORA, id);
  });
  after(() => page.remove());

  for (const [what, name, content, reason] of REFUSED)
    it(`are refused with their reason: one ${what}`, async () => {
      const id = await page.drop(name, content());
      const { look, state } = await page.preview(id);
      expect([state, look?.rows], JSON.stringify(look)).to.deep.equal(["recognized", 0]);
      expect(["refused", "unknown", "map"], JSON.stringify(look)).to.include(look?.outcome);
      const texts = [look?.reason, ...(look?.rejects ?? []).map((one) => one.reason), look?.outcome];
      expect(texts.join("; ")).to.match(reason);
      await page.work.remove(AURORA, id);
      expect([await page.data.files("uploads"), await page.data.files("exports")]).to.deep.equal([[], []]);
    });

  it("land under a name of ours, with what is readable of their own", async () => {
    const names = {
      "../../../organizations/x.csv": "x.csv",
      "\u202Evsc.exe.csv": "vsc.exe.csv",
      [`${"ü".repeat(10_000)}.csv`]: "….csv",
      "a\u0000\r\nb.csv": "a b.csv",
      "-rf.csv": "-rf.csv",
      ".hidden.csv": ".hidden.csv",
      "CON.csv": "CON.csv",
    };
    for (const [n, [given, shown]] of Object.entries(names).entries()) {
      const landed = await page.landed(given, table(`${n},invoiced,1.00,2025-02-10`));
      expect([landed.state, landed.reason, landed.name.endsWith(shown)]).to.deep.equal(["landed", null, true]);
    }
    const all = await page.data.files("exports");
    expect(all).to.have.length(Object.keys(names).length);
    for (const one of all) expect(one).to.match(new RegExp(`^${AURORA}/${STOREA}/orders/upload-[0-9a-f]{12}/[^/]+$`));
    expect(await page.data.files("organizations")).to.deep.equal([`${AURORA}.json`]);
    expect(Object.keys(await values(page.data))).to.have.length(Object.keys(names).length);
    for (const { id } of await page.work.list(AURORA)) await page.undo(id);
  });

  it("in other encodings, archives and workbooks land", async () => {
    const text = table("90,invoiced,1.00,2025-02-10");
    const files = {
      "latin.csv": Buffer.from(text.replace("status", "status,utm_campaign").replace("d,1", "d,Promoção,1"), "latin1"),
      "utf16.csv": Buffer.from(`\uFEFF${text}`, "utf16le"),
      "packed.csv.gz": gzipSync(text),
      "zipped.zip": archive({ "pasta/a.csv": text, "__MACOSX/a": "x" }),
      "book.xlsx": workbook({ Pedidos: [HEAD, ["91", "invoiced", 2, "2025-02-10"]] }),
    };
    for (const [name, content] of Object.entries(files)) {
      const id = await page.drop(name, content);
      const seen = await page.preview(id);
      expect([seen.look?.outcome, seen.look?.rows], `${name} ${JSON.stringify(seen.look)}`).to.deep.equal(["ready", 1]);
      const landed = await page.land(id);
      expect([landed.state, landed.landed?.rows], `${name} ${landed.reason}`).to.deep.equal(["landed", 1]);
      expect((await page.undo(id)).state, name).to.equal("undone");
    }
    expect(await values(page.data)).to.deep.equal({});
  });

  it("of an archive with several files are undone whole, and land again whole", async () => {
    const both = archive({
      "a.csv": table("1,invoiced,1.00,2025-02-10"),
      "b.csv": table("2,invoiced,2.00,2025-02-10"),
    });
    const { id, landed } = await page.landed("all.zip", both);
    expect(landed?.exports.map(({ file }) => path.posix.basename(file)).sort()).to.deep.equal(["a.csv", "b.csv"]);
    expect(await values(page.data)).to.deep.equal({ 1: 1, 2: 2 });
    const other = await page.landed("c.csv", table("1,invoiced,9.00,2025-02-10"));
    const { files } = await page.work.arrived(AURORA, STOREA);
    const replaced = files.find((one) => one.replaced);
    expect(replaced?.replaced).to.include({ rows: 1, by: other.landed?.exports[0]?.file });
    const { file = "", landing = 0 } = replaced ?? {};
    const again = await page.again({ integration: STOREA, record: "orders", file, landing });
    expect([again.state, again.reason]).to.deep.equal(["landed", null]);
    expect(await values(page.data)).to.deep.equal({ 1: 1, 2: 2 });
    for (const one of [id, other.id, again.id]) expect((await page.undo(one)).state).to.equal("undone");
    expect(await values(page.data)).to.deep.equal({});
  });
});

describe("Dropped files on a full disk [D93]", function () {
  this.timeout(600_000);

  it("are refused, keep what has arrived, and land once there is room", async function () {
    const module = path.join(import.meta.dirname, "..", "support", "fullUploads.ts");
    const found = await onSmallDisk<OnFullDisk>("60M", { module, name: "uploadOnFullDisk" });
    if (found === undefined) return this.skip();
    expect([found.small, found.piece]).to.deep.equal(["noRoom", "noRoom"]);
    const [full = 0, small = 0] = found.received;
    expect(full % 1_000_000).to.equal(0);
    expect(full).to.be.within(40_000_000, 63_000_000);
    expect(small).to.be.greaterThan(1_000_000);
    const [outcome, refused, still, state, reason, ...after] = found.landing;
    expect([outcome, refused, still]).to.deep.equal(["ready", "ENOSPC", "recognized"]);
    expect([state, String(reason)]).to.satisfy(([of = "", why = ""]) => of === "failed" && /no space left/i.test(why));
    expect(after).to.deep.equal([[[], []], "landed", 40_000]);
  });
});
