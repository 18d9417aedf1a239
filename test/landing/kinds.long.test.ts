import { gzipSync } from "node:zlib";
import { expect } from "chai";
import fc from "fast-check";
import { strToU8, unzipSync, zipSync } from "fflate";
import { drop, refusals } from "../support/drop.ts";
import { parquet } from "../support/parquet.ts";
import { archive, type WorkbookCell, workbook } from "../support/workbook.ts";

const head = ["order_id", "creation_date", "value", "status"];
const csv = (order: string, value = "1.50"): string => `${head.join(",")}\n${order},2025-01-02,${value},são\n`;

describe("A workbook", () => {
  it("is read with its numbers, dates and texts", async () => {
    const rows: WorkbookCell[][] = [
      head,
      ["1", { days: 45659.5 }, 1.234, "a & b"],
      [2, { days: 45659 }, "9,5", true],
      [],
      ["3", "02/01/2025", 7, null],
      ["4", "31/01/2025", 7, "x"],
    ];
    for (const isShared of [true, false]) {
      const found = await drop("storea", "orders", { "o.bin": workbook({ data: rows, empty: [] }, isShared) });
      expect(refusals(found)).to.deep.equal([]);
      expect(found.rows.map((row) => [row.order_id, row.creation_date, row.value, row.status])).to.deep.equal([
        ["1", "2025-01-02 12:00:00+00", "1.234000", "a & b"],
        ["2", "2025-01-02 00:00:00+00", "9.500000", "true"],
        ["3", "2025-01-02 00:00:00+00", "7.000000", null],
        ["4", "2025-01-31 00:00:00+00", "7.000000", "x"],
      ]);
    }
  });

  it("with several sheets is refused, and one with a number of too many digits as an id", async () => {
    const row = ["1", "2025-01-02", 1, ""];
    const found = await drop("storea", "orders", {
      "a.xlsx": workbook({ One: [head, row], Two: [head, row] }),
      "b.xlsx": workbook({ One: [head, [120330000000001000, "2025-01-02", 1, ""]] }),
      "c.xlsx": workbook({ One: [[]] }),
      "d.xlsx.gz": gzipSync(workbook({ One: [head, row] })),
      "e.xlsx": workbook({ One: [head, row] }).subarray(0, 600),
    });
    expect(found.rows).to.deep.equal([]);
    expect(refusals(found)).to.deep.equal([
      "a.xlsx is an Excel workbook with several sheets (One, Two): keep only the one with the data",
      'b.xlsx has ids that a spreadsheet has shortened, such as "120330000000001000" in column order_id: land the file as it ' +
        "was downloaded, without saving it in a spreadsheet",
      "c.xlsx is an Excel workbook without rows",
      "d.xlsx.gz is an Excel workbook or a ZIP archive, and gzipped: land it without gzip",
      "e.xlsx is no whole ZIP archive (End of central directory record signature not found. Either not a zip file, or file is truncated.)",
    ]);
  });
});

describe("A ZIP archive", () => {
  it("lands its files as exports of their own, once", async () => {
    const content = archive({
      "day/a.csv": csv("1"),
      "b.jsonl.gz": gzipSync('{"order_id":"2","creation_date":"2025-01-02","value":"- "}\n'),
      "c.xlsx": workbook({ One: [head, ["3", "2025-01-02", 1, ""]] }),
      "__MACOSX/a.csv": "x",
      ".DS_Store": "x",
    });
    const files = { "all.ZIP": content };
    const found = await drop("storea", "orders", [files, { "other.zip": archive({ "d.csv": csv("4") }) }, files]);
    expect(refusals(found)).to.deep.equal([]);
    expect(found.outcome).to.include({ seen: 4, files: 0 });
    expect(found.rows.map(({ order_id }) => order_id).sort()).to.deep.equal(["1", "3", "4"]);
    expect(found.rejects.map(({ file, reason }) => [file, reason])).to.deep.equal([
      ["all.ZIP/b.jsonl.gz", 'value: "- " is not an amount'],
    ]);
  });

  it("is refused if it is damaged, nested, unsafe, or made to fill a disk", async () => {
    const whole = archive({ "a.csv": csv("1") });
    const locked = Buffer.from(whole);
    // The flag of an encrypted file, at both places.
    locked.writeUInt16LE(1, 6);
    locked.writeUInt16LE(1, locked.indexOf("PK\x01\x02") + 8);
    const found = await drop("storea", "orders", {
      "bomb.zip": archive({ "a.csv": Buffer.alloc(300_000_000) }),
      "cut.zip": whole.subarray(0, -30),
      "empty.zip": archive({}),
      "locked.zip": locked,
      "named.bin": whole,
      "nested.zip": archive({ "inner.zip": whole }),
      "unsafe.zip": archive({ "../a.csv": csv("1") }),
    });
    expect(found.rows).to.deep.equal([]);
    const [bomb, cut, empty, encrypted, named, nested, unsafe] = refusals(found);
    expect(bomb).to.match(/^bomb\.zip unpacks to more than 256 MB/);
    expect(cut).to.match(/^cut\.zip is no whole ZIP archive/);
    expect(empty).to.equal("empty.zip is a ZIP archive without files");
    expect(encrypted).to.equal("locked.zip/a.csv is protected by a password: unpack it");
    expect(named).to.match(/^named\.bin is a ZIP archive: give it a name that ends in \.zip/);
    expect(nested).to.match(/^nested\.zip\/inner\.zip is a ZIP archive: .* within another one is to be unpacked$/);
    expect(unsafe).to.match(/^unsafe\.zip is no whole ZIP archive \(invalid relative path\)$/);
  });
});

describe("An archive with damaged content", () => {
  it("is refused by its checksum, as a ZIP archive and as a workbook", async () => {
    const damaged = (content: Buffer, from: string, to: string): Buffer => {
      const copy = Buffer.from(content);
      copy.write(to, copy.indexOf(from), "latin1");
      return copy;
    };
    const stored = (files: Record<string, Uint8Array>): Buffer => Buffer.from(zipSync(files, { level: 0 }));
    const book = unzipSync(workbook({ One: [head, ["3", "2025-01-02", 17, ""]] }));
    const found = await drop("storea", "orders", {
      "a.zip": damaged(stored({ "a.csv": strToU8(csv("1234")) }), "1234", "1239"),
      "b.xlsx": damaged(stored(book), "<v>17</v>", "<v>71</v>"),
    });
    expect(found.rows).to.deep.equal([]);
    expect(refusals(found)).to.deep.equal([
      "a.zip/a.csv is no whole ZIP archive (wrong checksum)",
      "b.xlsx is no whole ZIP archive (wrong checksum)",
    ]);
  });

  it("is refused file by file if a name has a NUL character", async () => {
    const found = await drop("storea", "orders", { "a.zip": archive({ "\0a.csv": csv("1"), "b.csv": csv("2") }) });
    expect(refusals(found)).to.have.lengthOf(1);
    expect(refusals(found)[0]).to.match(/its name has a NUL character: rename it$/);
    expect(found.rows.map(({ order_id }) => order_id)).to.deep.equal(["2"]);
  });
});

describe("A Parquet file with a damaged footer", () => {
  it("is refused, whatever the footer's reader fails with", async () => {
    const whole = await parquet("select '1' as order_id, timestamp '2025-01-02' as creation_date, 1.5 as value");
    const length = whole.readUInt32LE(whole.length - 8);
    const files: Record<string, Buffer> = {};
    // The schema's first bytes: its reader fails in several ways, also with errors of Node that have a code.
    for (const mask of [0x04, 0x10]) {
      for (let at = 0; at < 30; at += 2) {
        const copy = Buffer.from(whole);
        const place = whole.length - 8 - length + at;
        copy[place] = (copy[place] as number) ^ mask;
        files[`${mask}-${at}.parquet`] = copy;
      }
    }
    const { outcome } = await drop("storea", "orders", files);
    expect(outcome.refused.length).to.be.greaterThan(10);
    expect(outcome.files + outcome.refused.length).to.equal(Object.keys(files).length);
  });
});

describe("A file of another kind", () => {
  it("is refused by name, with what to do", async () => {
    const found = await drop("storea", "orders", {
      "a.xls": Buffer.from("d0cf11e0a1b11ae1000000", "hex"),
      "b.pdf": "%PDF-1.7\n",
      "c.json": "<!DOCTYPE html>\n<html><body>Sign in</body></html>",
      "d.xml": '<?xml version="1.0"?><a/>',
      "e.rar": Buffer.from("526172211a0700", "hex"),
    });
    expect(refusals(found).map((reason) => reason.slice(0, 41))).to.deep.equal([
      "a.xls is an Excel workbook of the old for",
      "b.pdf is a PDF document: export the data ",
      "c.json is neither JSON nor Parquet but an",
      "d.xml is XML: export the data as CSV or J",
      "e.rar is a RAR archive: unpack it",
    ]);
  });
});

describe("Text of UTF-16", () => {
  const inBytes = (text: string, isBig: boolean): Buffer => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    return isBig ? bytes.swap16() : bytes;
  };

  it("is read as a table, of either byte order, and refused if it is cut or JSON", async () => {
    const tabs = csv("1").replaceAll(",", "\t");
    const found = await drop("storea", "orders", {
      "big.csv": inBytes(tabs.replace("\n1", "\n2"), true),
      "cut.csv": inBytes(tabs, false).subarray(0, -1),
      "json.json": inBytes('{"orderId":"1"}', false),
      "little.csv.gz": gzipSync(inBytes(tabs, false)),
    });
    expect(found.rows.map(({ order_id, status }) => [order_id, status])).to.deep.equal([
      ["2", "são"],
      ["1", "são"],
    ]);
    expect(refusals(found)).to.deep.equal([
      "cut.csv is UTF-16 text that is damaged or cut short",
      "json.json is UTF-16 text: JSON is expected as UTF-8",
    ]);
  });

  it("has the same rows as UTF-8", async () => {
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((one) => one.trim() === one && !/["\r\n\t]/.test(one));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), fc.boolean(), async (texts, isBig) => {
        const table = `order_id\tcreation_date\tvalue\tstatus\n${texts.map((one, at) => `${at}\t2025-01-02\t1\tx${one}x\n`).join("")}`;
        const found = await drop("storea", "orders", { "o.csv": inBytes(table, isBig) });
        expect(found.rows.map(({ status }) => status)).to.deep.equal(texts.map((one) => `x${one}x`));
      }),
      { numRuns: 15 },
    );
  });
});
