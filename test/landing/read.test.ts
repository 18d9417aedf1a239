import { deflateSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import fc from "fast-check";
import { parquet } from "../support/parquet.ts";
import { read, refusal, rows } from "../support/readExport.ts";

describe("Reading an export", () => {
  it("accepts an envelope, an array, lines and a gzip of them alike", async () => {
    const objects = ['{"id":"1"}', '{"id":"2"}', '{"id":"3"}'];
    const forms = [
      `{"data":[${objects.join(",")}]}`,
      `[${objects.join(",")}]`,
      `${objects.join("\n")}\n`,
      objects.join("\r\n"),
      objects.join(""),
      `{"data":[${objects[0]}]}\n{"data":[${objects[1]},${objects[2]}]}\n`,
    ];
    for (const form of [...forms, ...forms.map((f) => gzipSync(f))]) {
      const found = await read(form);
      expect(rows(found).map((row) => row.trim())).to.deep.equal(objects);
      expect(found).to.include({ rows: 3, layout: "vendor", bulk: false });
      expect(found.unreadable).to.deep.equal([]);
    }
  });

  it("writes a row that spans lines as one, its text untouched", async () => {
    const found = await read(JSON.stringify({ data: [{ id: "a\tb\nc", n: [1, { m: "x" }] }] }, null, "\t"));
    expect(found.lines).to.have.length(1);
    expect(JSON.parse(rows(found)[0] as string)).to.deep.equal({ id: "a\tb\nc", n: [1, { m: "x" }] });
  });

  it("treats documents with one element a line as documents, not as lines", async () => {
    for (const text of [
      '[\n{"id":"1"},\n{"id":"2"}\n]',
      '[\n{"id":"1"}\n,{"id":"2"}\n]\n',
      '{"data":[\n{"id":"1"}\n,\n{"id":"2"}\n]}',
      '{"data":[\n{"id":"1"},\n{"id":"2"}\n]}\n',
    ]) {
      const found = await read(text);
      expect(
        rows(found).map((row) => row.trim()),
        text,
      ).to.deep.equal(['{"id":"1"}', '{"id":"2"}']);
    }
    expect(rows(await read('{"data":[\n{"id":"1"}\n]}'))).to.deep.equal(['{"id":"1"}']);
  });

  it("skips a byte-order mark before JSON and before a table", async () => {
    expect(rows(await read('\ufeff{"id":"1"}'))).to.deep.equal(['{"id":"1"}']);
    expect(rows(await read('\ufeff{"id":"1"}\n{"id":"2"}\n'))).to.have.length(2);
    expect(rows(await read("\ufeffid,name\n1,é\n"))).to.deep.equal(['{"id":"1","name":"é"}']);
  });

  it("keeps ids of 25 digits verbatim", async () => {
    const row = '{"id":1234567890123456789012345}';
    expect(rows(await read(`${row}\n${row}\n`))).to.deep.equal([row, row]);
    expect(rows(await read("id\n1234567890123456789012345\n"))).to.deep.equal(['{"id":"1234567890123456789012345"}']);
  });

  it("rejects only the broken line, and reads those around it", async () => {
    const found = await read('{"id":"1"}\n{"id":"2"\n{"id":"3"}}\nnull\n\n{"id":"4"}\n{"id":"5');
    expect(found.lines).to.deep.equal([
      [1, -1, '{"id":"1"}'],
      [2, -1, '{"id":"2"'],
      [3, -1, '{"id":"3"}}'],
      [4, -1, "null"],
      [5, -1, '{"id":"4"}'],
      [6, -1, '{"id":"5'],
    ]);
  });

  it("accepts lines of which the first is broken", async () => {
    expect(rows(await read('{"id":"1",\n{"id":"2"}\n{"id":"3"}\n'))).to.deep.equal([
      '{"id":"1",',
      '{"id":"2"}',
      '{"id":"3"}',
    ]);
    const broken = '{"id":"1","a":{"b":[}';
    const whole = '{"id":"4"}';
    const lines = [broken, broken, '{"id":"2","a":"', whole, whole];
    expect(rows(await read(lines.join("\n")))).to.deep.equal(lines);
    expect(rows(await read(`${broken}\n${whole}\n`))).to.deep.equal([broken, whole]);
  });

  it("takes a pretty-printed document for no lines", async () => {
    const objects = [1, 2, 3].map((id) => JSON.stringify({ id: String(id), name: "}" }));
    for (const text of [`[\n${objects.join(",\n")}\n]`, `{"data":\n[\n${objects.join("\n,")}\n]\n}`])
      expect(rows(await read(text))).to.deep.equal(objects);
  });

  it("numbers the envelopes of a file, also if each is a line", async () => {
    const expected = [
      [1, 0, '{"a":1}'],
      [2, 1, '{"a":2}'],
    ];
    const envelopes = ['{"head":["x"],"data":[{"a":1}]}', '{"data":[{"a":2}],"head":["y"]}'];
    for (const text of [envelopes.join("\n"), `[${envelopes.join(",\n")}]`]) {
      const found = await read(text);
      expect(found.lines).to.deep.equal(expected);
      expect(found.contexts).to.deep.equal(['3\t0\thead\t["x"]', '3\t1\thead\t["y"]']);
    }
  });

  it("finds no rows in an empty envelope or array", async () => {
    for (const text of ['{"data":[]}', "[]", '{"head":[]}', '{"data":[]}\n{"data":[]}\n']) {
      expect(await read(text)).to.deep.include({ rows: 0, lines: [], unreadable: [] });
    }
  });

  it("recognizes a plain table of the record's fields by its first object", async () => {
    expect((await read('{"id":"1","name":"a"}\n{"id":"2"}\n')).layout).to.equal("plain");
    expect((await read('{"id":"1","label":"a"}\n{"id":"2","name":"b"}\n')).layout).to.equal("vendor");
    expect((await read('{"broken\n{"id":"1","name":"a"}\n{"id":"2"}\n')).layout).to.equal("plain");
  });

  it("recognizes lines that belong to another line's object", async () => {
    expect((await read('{"id":"1"}\n{"id":"2","__parentId":"1"}\n')).bulk).to.equal(true);
  });

  it("refuses only the row that is not UTF-8, in JSON and in tables of UTF-8", async () => {
    const json = await read(Buffer.from('{"id":"1"}\n{"id":"caf\xe9"}\n{"id":"3"}\n', "latin1"));
    expect(rows(json)).to.deep.equal(['{"id":"1"}', '{"id":"3"}']);
    expect(json.unreadable).to.deep.equal([{ position: 2, reason: "not UTF-8 text", row: '{"id":"caf\xe9"}' }]);
    const table = await read(Buffer.from("id,name\n1,caf\xe9\n2,b\n3,caf\xc3\xa9\n", "latin1"));
    expect(table.lines).to.deep.equal([
      [2, -1, '{"id":"2","name":"b"}'],
      [3, -1, '{"id":"3","name":"café"}'],
    ]);
    expect(table.unreadable).to.deep.equal([
      { position: 1, reason: "not UTF-8 text", row: '{"id":"1","name":"caf\xe9"}' },
    ]);
  });

  it("decides for a whole table whether it is UTF-8 or Windows-1252", async () => {
    const names = async (bytes: string): Promise<string[]> =>
      rows(await read(Buffer.from(bytes, "latin1"))).map((row) => JSON.parse(row).name);
    expect(await names("id,name\n1,caf\xe9\n2,\x80 5 \x96 \x93a\x94\n")).to.deep.equal(["café", "€ 5 – “a”"]);
    // One character of several bytes, and the file is UTF-8, in which a row is damaged.
    expect(await names("id,name\n1,caf\xe9\n2,caf\xc3\xa9\n")).to.deep.equal(["café"]);
    // Cut within a character: the end of a file of UTF-8, and no letter.
    expect(await names("id,name\n1,a\n2,caf\xc3")).to.deep.equal(["a"]);
    expect(await names("id,name\n1,a\n2,caf\xc3\n")).to.deep.equal(["a", "cafÃ"]);
    // A byte that Windows-1252 does not have.
    expect(await names("id,name\n1,caf\xe9\n2,\x81\n3,a\n")).to.deep.equal(["a"]);
  });

  it("reads any text in Windows-1252 as it was written, or in UTF-8", async () => {
    const letters = "aeiouçãõéíóúâêôàÀÉÇÑñüß 0";
    const text = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 });
    const windows = (value: string): Buffer => Buffer.from(value, "latin1");
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), async (values) => {
        const table = `id,name\n${values.map((value, at) => `${at},x${value}x\n`).join("")}`;
        for (const bytes of [Buffer.from(table), windows(table)]) {
          const found = rows(await read(bytes)).map((row) => JSON.parse(row).name);
          expect(found).to.deep.equal(values.map((value) => `x${value}x`));
        }
      }),
      { numRuns: 40 },
    );
  });

  it("refuses only the row that is too large", async () => {
    const found = await read(`{"id":"1"}\n{"id":"${"x".repeat(33 * 1024 * 1024)}"}\n{"id":"3"}\n`);
    expect(found.lines.map(([position]) => position)).to.deep.equal([1, 3]);
    expect(found.unreadable).to.deep.equal([{ position: 2, reason: "larger than 32 MiB", row: "" }]);
  });

  it("reads tables separated by comma, semicolon, tab or bar, quotes and line ends in cells", async () => {
    for (const mark of [",", ";", "\t", "|"]) {
      const found = await read(`id${mark} name \r\n1${mark}"a ""b""\n${mark}"\r\n\r\n2${mark}\r\n`);
      expect(found).to.include({ layout: "plain", rows: 2 });
      expect(rows(found).map((row) => JSON.parse(row) as unknown)).to.deep.equal([
        { id: "1", name: `a "b"\n${mark}` },
        { id: "2" },
      ]);
    }
  });

  it("leaves out columns of a table that are not fields of the record, and reports each once", async () => {
    const found = await read(Buffer.from("id,other,name\n1,caf\xe9,a\n2,x,b\n", "latin1"));
    expect(rows(found)).to.deep.equal(['{"id":"1","name":"a"}', '{"id":"2","name":"b"}']);
    expect(found.unknown).to.deep.equal(["other"]);
  });

  it("refuses only a table's row of another length, which may be cut short or shifted", async () => {
    const found = await read("id,name\n1,a\n2\n3,b,c\n4,d,,\n");
    expect(rows(found)).to.deep.equal(['{"id":"1","name":"a"}', '{"id":"4","name":"d"}']);
    expect(found.unreadable.map(({ position, reason }) => [position, reason])).to.deep.equal([
      [2, "1 columns under 2 headings"],
      [3, "3 columns under 2 headings"],
    ]);
  });

  it("finds a heading in capitals or with spaces", async () => {
    expect(rows(await read("ID, Name \n1,a\n"))).to.deep.equal(['{"id":"1","name":"a"}']);
  });

  it("refuses a table without any field of the record, or with a duplicate heading", async () => {
    expect(await refusal("<html><body>Gateway timeout</body></html>")).to.contain("no column that is a field");
    expect(await refusal("toString,date\n1,2\n")).to.contain("no column that is a field");
    expect(await refusal("Estado,Valor total\n1,2\n")).to.match(/: found Estado, Valor total; expected id, name$/);
    // The first line of a table without headings has values, which are not repeated.
    expect(await refusal("ana@example.com,2025-01-02\n1,2\n")).to.match(/field of the record: expected id, name$/);
    expect(await refusal("id,name,id\n1,2,3\n")).to.equal("CSV: columns 1 and 3 have the same name");
    expect(await refusal('id,name\n1,"a\n')).to.match(/^CSV: /);
  });

  it("reads a table with the mark that its first line names", async () => {
    for (const mark of [";", ",", "^", "|", "\t"]) {
      for (const line of [
        `sep=${mark}`,
        `"sep=${mark}"`,
        `SEP=${mark === "\t" ? "\\t" : mark}`,
        `sep=${mark}${mark}${mark}`,
      ]) {
        if (mark === "^" && line.endsWith("^^^")) continue;
        for (const end of ["\n", "\r\n"]) {
          const table = [line, ["id", "name"], ["1", "a"], ["2", "b"]].map((row) => [row].flat().join(mark)).join(end);
          expect((await read(table)).lines, JSON.stringify(table)).to.deep.equal([
            [1, -1, '{"id":"1","name":"a"}'],
            [2, -1, '{"id":"2","name":"b"}'],
          ]);
        }
      }
    }
    expect((await read("sep,name\n1,a\n")).lines).to.deep.equal([[1, -1, '{"name":"a"}']]);
  });

  it("finds the headings below a title, and says so", async () => {
    const rows = "id,name,note\n1,a,x\n2,b,y\n";
    const lines = [
      [1, -1, '{"id":"1","name":"a"}'],
      [2, -1, '{"id":"2","name":"b"}'],
    ];
    const { lines: found, notes } = await read(`All of it\n\nMay,,\n,,\n${rows}`);
    expect(found).to.deep.equal(lines);
    expect(notes).to.deep.equal(["3 rows above its headings are a title"]);
    // What may be a row of a table is no title.
    for (const above of ["x,y,z\n", "x,y\n", "a\n".repeat(20)])
      expect(await refusal(`${above}${rows}`), above).to.contain("has no column that is a field of the record");
  });

  it("refuses what vendors' pages write that is not read, and says what to export", async () => {
    const rule = `# ${"-".repeat(40)}`;
    const report = [
      rule,
      "# Acquisition: Traffic acquisition",
      rule,
      "#",
      "# Start date: 20250501",
      "Date,Sessions",
      "20250501,1",
    ];
    for (const end of ["\n", "\r\n"])
      expect(await refusal(report.join(end))).to.contain("downloaded from the pages of Google Analytics");
    for (const [headings, said] of [
      ["Nombre de la campaña,Importe gastado (EUR),Inicio del informe", "Meta Ads Manager in Spanish"],
      ["Nom de la campagne,Montant dépensé (EUR),Début des rapports", "Meta Ads Manager in French"],
      ["Kampagnenname,Ausgegebener Betrag (EUR),Auswertungsbeginn", "Meta Ads Manager in German"],
      ["Informe\n1 de mayo\nDía,Campaña,Coste,Clics,Impr.", "Google Ads in Spanish"],
    ])
      expect(await refusal(`${headings}\n2025-05-01,A,1,2,3\n`)).to.contain(`is a download of ${said}, and`);
  });

  it("refuses binary data of an unknown format", async () => {
    expect(await refusal(Buffer.alloc(2000))).to.match(/^is binary data in a format that is not read: /);
    expect(await refusal(gzipSync(Buffer.alloc(2000)))).to.match(/^is binary data/);
  });

  it("refuses text without a line end for that reason, and at once", async () => {
    expect(await refusal("x".repeat(20 * 1024 * 1024))).to.equal(
      "is neither JSON nor Parquet, and its first line is no heading",
    );
    expect(rows(await read(`id,name\r${`1,${"a".repeat(100)}\r`.repeat(12_000)}`))).to.have.lengthOf(12_000);
  });

  it("leaves Parquet to the engine, unpacked if needed", async () => {
    const body = await parquet("select '1' as id");
    for (const content of [body, gzipSync(body)]) {
      const found = await read(content);
      expect(found.parquet).to.match(/lines\.parquet$/);
      expect(found).to.include({ layout: "plain", rows: 0 });
    }
  });

  it("refuses truncated JSON, and says so", async () => {
    expect(await refusal('{"data":[{"id":"1"},{"id":"2"}')).to.contain("cut short");
    expect(await refusal(gzipSync('{"data":[{"id":"1"}'))).to.contain("cut short");
    expect(await refusal('[{"id":"1"},')).to.contain("cut short");
  });

  it("refuses gzip data that is truncated or damaged anywhere", async () => {
    const lines = Array.from({ length: 5000 }, (_, n) => `{"id":"${n}-${Math.sin(n)}"}`).join("\n");
    const whole = gzipSync(lines);
    for (const part of [0.01, 0.5, 0.999]) {
      expect(await refusal(whole.subarray(0, Math.floor(whole.length * part)))).to.contain("cut short");
    }
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 20_000, 20_050);
    expect(await refusal(damaged)).to.contain("gzip");
  });

  it("refuses empty files, blank ones, UTF-16 and unknown formats", async () => {
    expect(await refusal("")).to.equal("is empty");
    expect(await refusal(gzipSync(""))).to.contain("white space");
    expect(await refusal(" \n\n")).to.contain("white space");
    expect(await refusal(Buffer.from('\ufeff{"id":1}', "utf16le"))).to.contain("UTF-16");
    expect(await refusal(deflateSync("x".repeat(100)))).to.be.a("string");
    expect(await refusal("null")).to.contain("neither JSON nor Parquet");
  });

  it("distinguishes contents, and recognizes them again", async () => {
    const [one, same, other] = await Promise.all([read('{"id":1}'), read('{"id":1}'), read('{"id":2}')]);
    expect(one.sha256)
      .to.match(/^[0-9a-f]{64}$/)
      .and.equal(same.sha256);
    expect(one.sha256).not.to.equal(other.sha256);
  });

  it("reads the same objects from any other form", async () => {
    const thing = fc.record({ id: fc.string(), n: fc.jsonValue({ maxDepth: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(thing, { minLength: 1, maxLength: 5 }), fc.nat(2), async (things, indent) => {
        const expected = JSON.parse(JSON.stringify(things)) as unknown;
        for (const form of [
          JSON.stringify({ data: things }, null, indent),
          JSON.stringify(things, null, indent),
          things.map((t) => JSON.stringify(t)).join("\n"),
        ]) {
          const found = rows(await read(form)).map((row) => JSON.parse(row) as unknown);
          expect(found).to.deep.equal(expected);
        }
      }),
      { numRuns: 40 },
    );
  });
});
