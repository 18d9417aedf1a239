import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { FORMATS, type Format } from "../../src/core/contract/format.ts";
import { Database } from "../../src/core/engine/database.ts";
import { writeRows } from "../../src/core/engine/formats/write.ts";
import { Rejects, reasonOf, withoutQuotes, withoutValues } from "../../src/core/landing/read/rejects.ts";
import { printable, table, wrapped } from "../../src/core/terminal/table.ts";
import { textOf } from "../../src/features/adhoc/own/written.ts";
import { expectLinear, WORST_TEXTS, WORST_VALUES } from "../support/perMegabyte.ts";

/** Rows that a cell of a workbook has room for. */
const CELL = 30_000;

describe("The time to write a text", function () {
  this.timeout(300_000);

  for (const format of Object.keys(FORMATS) as Format[])
    it(`is in proportion to it: ${format}`, async () => {
      const folder = await mkdtemp(path.join(tmpdir(), "lucra-test-"));
      const database = await Database.open({ threads: 1 });
      try {
        let no = 0;
        const write = (text: string): Promise<number> => {
          const [rows, length] = format === "xlsx" ? [Math.ceil(text.length / CELL), CELL] : [1, text.length];
          const sql = `select repeat(chr(${text.codePointAt(0)}), ${length}) as a from range(${rows})`;
          return database.use((session) => writeRows(session, sql, format, path.join(folder, String(no++))));
        };
        expect(await write("x")).to.equal(1);
        await expectLinear(format, write, WORST_VALUES);
      } finally {
        database.close();
        await rm(folder, { recursive: true, force: true });
      }
    });

  it("is in proportion to it: results of own queries", async () => {
    const columns = [{ name: "a", type: "VARCHAR" }];
    for (const form of [{ format: "json" }, { format: "csv", isBrazilian: true }] as const) {
      const write = (text: string): void => textOf(form, columns, 100_000_000).add([text]);
      await expectLinear(`a result in ${form.format}`, write, WORST_VALUES);
    }
  });
});

describe("The time of a message", function () {
  this.timeout(300_000);

  const MESSAGES: Readonly<Record<string, (text: string) => unknown>> = {
    "a reason without its values": withoutValues,
    "a reason of the engine": withoutQuotes,
    "a failure": (text) => reasonOf(new Error(`Conversion Error: ${text}`)),
    "a list of rejected rows": (text) => new Rejects("a.csv").add({ position: 1, reason: text, row: text }),
    "a line of a terminal": printable,
    "a paragraph of a terminal": (text) => wrapped(text, 80),
    "a table of a terminal": (text) => table(["a", "b"], [[text, text]]),
  };
  for (const [what, write] of Object.entries(MESSAGES))
    it(`is in proportion to a vendor's text: ${what}`, () => expectLinear(what, write, WORST_TEXTS));
});
