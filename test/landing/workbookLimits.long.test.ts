import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { unzipSync, zipSync } from "fflate";
import { ReadingDeadline } from "../../src/core/landing/bytes/limits.ts";
import { Sum, shifted } from "../../src/core/landing/read/decimals.ts";
import { workbookRows } from "../../src/core/landing/read/xlsx.ts";
import { finding } from "../../src/features/doctor/report.ts";
import { expectLinear } from "../support/perMegabyte.ts";
import { workbook } from "../support/workbook.ts";

/** The workbook with a part changed. */
function changed(book: Buffer, part: string, change: (text: string) => string): Buffer {
  const files = unzipSync(book);
  files[part] = Buffer.from(change(Buffer.from(files[part] ?? "").toString()));
  return Buffer.from(zipSync(files));
}

const BOOK = workbook({
  Orders: [
    ["a", "b"],
    ["1", "2"],
  ],
});

describe("A workbook that would take long", function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "lucra-test-"));
  });
  after(() => rm(folder, { recursive: true }));

  /** The rows, or the refusal. */
  async function read(book: Buffer, reading = new ReadingDeadline()): Promise<unknown> {
    const file = path.join(folder, "book.xlsx");
    await writeFile(file, book);
    const handle = await open(file);
    try {
      const rows: unknown[] = [];
      for await (const row of workbookRows(handle, reading)) rows.push(row);
      return rows;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await handle.close();
    }
  }

  it("for its number formats is refused: Excel's are short", async () => {
    const format = `<numFmt numFmtId="165" formatCode="${"[".repeat(1_000_000)}"/></numFmts>`;
    const book = changed(BOOK, "xl/styles.xml", (text) => text.replace("</numFmts>", format));
    expect(await read(book)).to.match(/^has a number format of 1000000 characters, and Excel's have at most 255: /);
  });

  it("for the names of a sheet reads it once", async () => {
    const names = Array.from({ length: 20_000 }, (_, no) => `<sheet name="s${no}" sheetId="${no + 2}" r:id="r0"/>`);
    const book = changed(BOOK, "xl/workbook.xml", (text) => text.replace("</sheets>", `${names.join("")}</sheets>`));
    expect(await read(book)).to.deep.equal([
      ["a", "b"],
      ["1", "2"],
    ]);
  });

  it("for rows much shorter than its first one is refused", async () => {
    const rows = '<row><c t="b"><v>1</v></c></row>'.repeat(60_000);
    const book = changed(
      BOOK,
      "xl/worksheets/sheet1.xml",
      () => `<worksheet><sheetData><row><c r="BXX1"><v>1</v></c></row>${rows}</sheetData></worksheet>`,
    );
    expect(await read(book)).to.match(/^has rows that are much shorter than others: /);
  });

  it("is refused at its deadline", async () => {
    const late = new ReadingDeadline({ ms: 0, msPerMB: 0 });
    expect(await read(BOOK, late)).to.match(/^was not read after 0 seconds, many times what an export takes/);
  });
});

describe("An amount of a download", () => {
  it("is moved and added in time in proportion to its digits", async function () {
    this.timeout(60_000);
    for (const work of [(text: string) => shifted(text, 2), (text: string) => void new Sum().add(text)])
      await expectLinear("an amount", (text) => work(`1.${text}1`), ["0", "9", "."]);
    expect([shifted("1.50", 2), shifted("-0.005", 2)]).to.deep.equal(["150", "-0.5"]);
    const sum = new Sum();
    expect([sum.add("1.10"), sum.add("2"), sum.add("1".repeat(101)), String(sum)]).to.deep.equal([
      true,
      true,
      false,
      "3.1",
    ]);
  });
});

describe("A finding", () => {
  const shown = (text: string): unknown => finding("storage", "notice", "x", [{ name: text }]).rows[0]?.name;

  it("masks the e-mails of its texts, and cuts long ones", () => {
    expect(shown("from a.b@c.com, and d@e to x*y@z")).to.equal("from …@… and …@… to x*…@…");
    expect(String(shown("x".repeat(60_000))).length).to.equal(1_000);
  });

  it("takes time in proportion to its texts", async function () {
    this.timeout(60_000);
    await expectLinear("a finding", shown);
  });
});
