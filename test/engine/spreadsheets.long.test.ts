import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { unzipSync } from "fflate";
import type { Format } from "../../src/core/contract/format.ts";
import { Database, type Session } from "../../src/core/engine/database.ts";
import { type Form, writeRows } from "../../src/core/engine/formats/write.ts";
import { readers, unguarded, unguardedBrazilian } from "../support/readers.ts";

const RUNS = Number(process.env.RUNS ?? 60);

/** A strict parser of XML, whose own types this compiler refuses. */
const { SaxesParser } = createRequire(import.meta.url)("saxes") as {
  SaxesParser: new () => {
    on(event: "text", handle: (text: string) => void): void;
    on(event: "opentag", handle: (tag: { name: string }) => void): void;
    write(text: string): { close(): void };
  };
};

/** A row with texts among numbers: the first cell of a line, one between, a nested one. */
type Row = readonly [first: string, amount: number, between: string, list: readonly string[]];

describe("Texts that try to be something else", () => {
  let folder: string;
  let database: Database;
  let session: Session;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "lucra-texts-"));
    database = await Database.open();
    session = await database.session();
  });

  after(async () => {
    session.close();
    database.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function written(rows: readonly Row[], format: Format, form: Form = {}): Promise<Buffer> {
    const objects = rows.map(([first, amount, between, list]) => ({ first, amount, between, list }));
    const type = '[{"first":"varchar","amount":"decimal(18,2)","between":"varchar","list":["varchar"]}]';
    await session.run(
      `create or replace temp table given as
        select generate_subscripts(rows, 1) as no, unnest(rows, recursive := true)
        from (select from_json($1, '${type}') as rows)`,
      [JSON.stringify(objects)],
    );
    const file = path.join(folder, format);
    await rm(file, { force: true });
    await writeRows(session, "select first, amount, between, list from given order by no", format, file, form);
    return readFile(file);
  }

  describe("as CSV", () => {
    const SIGNS = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "⁺"];
    const SEPARATORS = [";", "\t", "\n", "\r", "\r\n", ","];
    const SKIPPED = [" ", '"', "'", "\u00a0", "\u3000", "\ufeff", "\u0001"];
    const piece = fc.constantFrom(...SIGNS, ...SEPARATORS, ...SEPARATORS, ...SKIPPED, "a", "1", "ç", "😀", "\\");
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    const row = fc.tuple(text, fc.integer({ min: -99, max: 99 }), text, fc.array(text, { maxLength: 2 }));

    /** The cell separators of each program. Some ignore quotes that do not begin a cell. */
    const DIALECTS = {
      "Excel, comma": ",",
      "Excel, semicolon": ";",
      "text with tabs": "\t",
      "LibreOffice, all": ",;\t",
    };

    it("begin no cell with a formula, wherever the program splits, and are otherwise unchanged", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
          const csv = String(await written(rows, "csv"));
          const read = parse(csv, { from_line: 2, relax_column_count: false }) as string[][];
          // A number column is a number: no cell of it is changed.
          const back = read.map(([first, amount, between, list]) => [
            unguarded(first ?? ""),
            Number(amount),
            unguarded(between ?? ""),
            JSON.parse(unguarded(list ?? "")),
          ]);
          expect(back).to.deep.equal(rows);
          for (const [program, separators] of Object.entries(DIALECTS)) {
            const formulas = split(csv, separators).filter(isFormula);
            expect(formulas, `${program}: ${JSON.stringify(csv)}`).to.deep.equal([]);
          }
        }),
        { numRuns: RUNS },
      );
    });

    it("are those of the rows again in CSV of pt-BR, which begins no cell with a formula either", async () => {
      // Lone surrogates cannot reach the engine: it reads them as U+FFFD.
      const hostile = fc.oneof(
        text,
        fc.string({ unit: "binary", maxLength: 8 }).filter((given) => !given.includes("\0")),
      );
      const hostileRow = fc.tuple(
        hostile,
        fc.integer({ min: -9999, max: 9999 }),
        hostile,
        fc.array(text, { maxLength: 2 }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(hostileRow, { maxLength: 20 }), async (rows) => {
          const given = rows.map(([first, cents, ...rest]): Row => [first, cents / 100, ...rest]);
          const csv = String(await written(given, "csv", { locale: "pt-BR" }));
          expect(csv.startsWith("\ufefffirst;amount;between;list\r\n")).to.equal(true);
          const options = { from_line: 2, delimiter: ";", bom: true, record_delimiter: "\r\n" } as const;
          const back = (parse(csv, options) as string[][]).map(([first, amount, between, list]) => [
            unguardedBrazilian(first ?? ""),
            Number(amount?.replace(",", ".")),
            unguardedBrazilian(between ?? ""),
            JSON.parse(unguardedBrazilian(list ?? "")),
          ]);
          expect(back).to.deep.equal(given.map((row) => [...row]));
          const sum = (all: readonly (readonly unknown[])[]): number =>
            all.reduce((cents, row) => cents + Math.round(100 * Number(row[1])), 0);
          expect(sum(back)).to.equal(sum(given));
          for (const [program, separators] of Object.entries(DIALECTS)) {
            // The mark is before the heading only.
            const formulas = split(csv.slice(1), separators).filter(isFormula);
            expect(formulas, `${program}: ${JSON.stringify(csv)}`).to.deep.equal([]);
          }
        }),
        { numRuns: RUNS },
      );
    });

    it("are unchanged if no program would take them for a formula", async () => {
      const texts = [
        "a=1",
        "a-b",
        "2025-02-01",
        "a; b",
        "fim;",
        "a\n1-2",
        "it's",
        "'x",
        'a "b"',
        "a, =1",
        ";",
        "\t",
        "",
      ];
      const read = (
        await readers.csv(
          await written(
            texts.map((given): Row => ["x", 0, given, []]),
            "csv",
          ),
        )
      ).rows;
      expect(read.map(({ between }) => between)).to.deep.equal(texts);
    });

    it("get one apostrophe before each sign that would be read as a formula", async () => {
      const changed: Record<string, string> = {
        "=1+1": "'=1+1",
        "'=1": "''=1",
        " =1": " '=1",
        "abc;=1+2;d": "abc;'=1+2;d",
        "+1;=HYPERLINK(1)": "'+1;'=HYPERLINK(1)",
        "a\t=1": "a\t'=1",
        "a\n=1": "a\n'=1",
        "a\r\n@x": "a\r\n'@x",
        'a;"=1+2"': 'a;"\'=1+2"',
        "a; =1": "a; '=1",
        "；＝1": "；＝1",
        "＝1": "'＝1",
        "a;;-b": "a;;'-b",
      };
      const rows = Object.keys(changed).map((given): Row => [given, 0, "x", []]);
      const read = (await readers.csv(await written(rows, "csv"))).rows.map(({ first }) => first);
      expect(read).to.deep.equal(Object.values(changed));
    });
  });

  describe("as CSV, of every character", () => {
    const characters = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code));
    const guarded = async (texts: readonly string[]): Promise<string[]> => {
      const file = path.join(folder, "characters.csv");
      await session.run("create or replace temp table given as select unnest(from_json($1, '[\"varchar\"]')) as text", [
        JSON.stringify(texts),
      ]);
      await writeRows(session, "select text from given order by rowid", "csv", file);
      return (parse(await readFile(file), { from_line: 2 }) as string[][]).map(([text = ""]) => text);
    };

    it("those are guarded that begin like a sign of a formula in compatibility form", async () => {
      const signs = characters.filter((one) => /^[=+\-@]/.test(one.normalize("NFKC")));
      expect(signs).to.have.length.above(10);
      expect(await guarded(signs.map((sign) => `${sign}1`))).to.deep.equal(signs.map((sign) => `'${sign}1`));
      const blanks = characters.filter((one) => /^[\t\r]/.test(one.normalize("NFKC")));
      expect(await guarded(blanks.map((blank) => `a${blank}=1`))).to.deep.equal(blanks.map((blank) => `a${blank}'=1`));
    });

    it("the others are not, which includes the minus sign U+2212", async () => {
      // The engine reads no NUL from JSON.
      const others = characters.filter((one) => !/^[=+\-@\0]/.test(one.normalize("NFKC"))).map((one) => `${one}1`);
      const read = await guarded(others);
      expect(read).to.have.lengthOf(others.length);
      expect(read.filter((text, n) => text !== others[n])).to.deep.equal([]);
    });
  });

  describe("as XLSX", () => {
    it("are well-formed XML and read back exactly, except for what XML cannot hold", async () => {
      const unheld = /(?![\t\n\r\x7f-\x9f])[\p{Cc}\ufffe\uffff]/gu;
      const hard = [
        "x]]>y",
        "]]>",
        "]]&gt;",
        "<![CDATA[x]]>",
        "<!--",
        "&amp;",
        "&#13;",
        "a\rb",
        "a\r\nb",
        "\t x \n",
        "  ",
        " \u00a0",
        "\u0000",
        "\u0001\u001f\u007f\u0085",
        "\ufffe\uffff\ufffd",
        "\ud800x",
        "x\udc00",
        "😀",
        "\"'",
        "\u2028",
        "_x0041_",
        "_x0041_x0042_",
        "__x005f_x000D_",
        "_x00e9",
      ];
      const piece = fc.oneof(fc.constantFrom(...hard), fc.string({ unit: "binary", maxLength: 6 }));
      const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
      const row = fc.tuple(text, fc.integer(), text, fc.array(text, { maxLength: 2 }));
      const plain: Row[] = hard.map((given) => [given, 1, given, [given]]);
      const check = async (rows: readonly Row[]): Promise<void> => {
        // The engine's texts are UTF-8, which has no unpaired surrogate.
        const whole = JSON.parse(JSON.stringify(rows), (_name, value) =>
          typeof value === "string" ? Buffer.from(value).toString() : value,
        ) as Row[];
        const [, ...shown] = cellsOf(await written(whole, "xlsx"));
        const held = (given: string): string => given.replaceAll(unheld, "\ufffd");
        for (const [n, [first, amount, between, list]] of whole.entries()) {
          const wanted = [held(first), amount.toFixed(2), held(between), JSON.parse(held(JSON.stringify(list)))];
          expect(shown[n]?.map((cell, column) => (column === 3 ? JSON.parse(cell) : cell))).to.deep.equal(wanted);
        }
        expect(shown).to.have.lengthOf(whole.length);
      };
      await check(plain);
      await fc.assert(fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 10 }), check), { numRuns: RUNS });
    });
  });
});

/** The cells of a file as a spreadsheet splits it: a quote only counts at the beginning of a cell. */
function split(csv: string, separators: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let isFresh = true;
  for (let n = 0; n < csv.length; n++) {
    const character = csv[n] as string;
    if (isQuoted && character === '"' && csv[n + 1] === '"') cell += csv[++n];
    else if (isQuoted && character === '"') isQuoted = false;
    else if (isQuoted) cell += character;
    else if (isFresh && character === '"') [isQuoted, isFresh] = [true, false];
    else if (separators.includes(character) || character === "\r" || character === "\n") {
      cells.push(cell);
      [cell, isFresh] = ["", true];
    } else {
      cell += character;
      isFresh = false;
    }
  }
  return [...cells, cell];
}

/** It begins with a sign, possibly after characters that programs skip, and is no number. */
const isFormula = (cell: string): boolean =>
  /^[\p{Cc}\p{Z}\ufeff"]*[=+\-@]/u.test(cell.normalize("NFKC")) && !/^-?\d+([.,]\d+)?$/.test(cell);

/** The texts of the sheet's rows, as a strict parser reads them and a spreadsheet shows them. */
function cellsOf(workbook: Buffer): string[][] {
  const sheet = new TextDecoder("utf-8", { fatal: true }).decode(unzipSync(workbook)["xl/worksheets/sheet1.xml"]);
  const parser = new SaxesParser();
  const rows: string[][] = [];
  let row: string[] = [];
  parser.on("opentag", ({ name }) => {
    if (name === "row") row = [];
    if (name === "row") rows.push(row);
    if (name === "c") row.push("");
  });
  parser.on("text", (text) => {
    row.push(`${row.pop() ?? ""}${text}`);
  });
  parser.write(sheet).close();
  const shown = (text: string): string =>
    text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_code, number) => String.fromCharCode(Number.parseInt(number, 16)));
  return rows.map((cells) => cells.map(shown));
}
