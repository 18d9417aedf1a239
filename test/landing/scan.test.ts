import { expect } from "chai";
import fc from "fast-check";
import { envelopesOf, FileError, LARGEST_ROW, Scanner } from "../../src/core/landing/bytes/scan.ts";

type Event = { row: string | null; report: number } | { key: string; context: string; report: number };

/** The rows that a scanner finds in bytes that come in chunks ending at `cuts`. */
function scan(
  input: string | Buffer,
  paths: readonly string[] = [],
  context: readonly string[] = [],
  cuts: number[] = [],
  own: readonly string[] = [],
) {
  const bytes = Buffer.from(input as string);
  const events: Event[] = [];
  const scanner = new Scanner(envelopesOf(paths, context, own), {
    row: (row, report) => void events.push({ row: row?.toString("utf8") ?? null, report }),
    context: (report, key, found) => void events.push({ key, context: found.toString("utf8"), report }),
  });
  const ends = [...new Set([...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length])].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    scanner.push(bytes.subarray(from, end));
    from = end;
  }
  scanner.end();
  return events;
}

const rowsOf = (events: readonly Event[]): (string | null)[] => events.flatMap((e) => ("row" in e ? [e.row] : []));
const rows = (...args: Parameters<typeof scan>): (string | null)[] => rowsOf(scan(...args));
const everyByte = (text: string): number[] => Array.from({ length: Buffer.byteLength(text) }, (_, at) => at);

describe("The scanner", () => {
  it("finds the rows of an envelope, verbatim", () => {
    expect(rows('{"data":[{"id":1},{"id": 2.50}],"paging":{"next":null}}', ["data[]"])).to.deep.equal([
      '{"id":1}',
      '{"id": 2.50}',
    ]);
  });

  it("finds rows deep inside, below elements of arrays too", () => {
    const text = '{"data":{"orders":{"edges":[{"cursor":"x","node":{"id":1}},{"node":{"id":2}}],"nodes":[7]}}}';
    expect(rows(text, ["data.orders.edges[].node", "data.products.edges[].node"])).to.deep.equal([
      '{"id":1}',
      '{"id":2}',
    ]);
  });

  it("treats a document that is no envelope as a row", () => {
    expect(rows('{"data":{"id":1}}', ["data[]"])).to.deep.equal(['{"data":{"id":1}}']);
    expect(rows('{"id":1}', ["data[]"])).to.deep.equal(['{"id":1}']);
  });

  it("treats the elements of an array as documents, which may be envelopes", () => {
    expect(rows('[{"id":1},{"results":[{"id":2},{"id":3}]},{"id":4}]', ["results[]"])).to.deep.equal([
      '{"id":1}',
      '{"id":2}',
      '{"id":3}',
      '{"id":4}',
    ]);
  });

  it("finds no rows in empty envelopes, empty arrays and blank input", () => {
    for (const text of ['{"data":[]}', '{"data": [ ] , "paging":{}}', "[]", '[ {"data":[]} ]', " \n\t", ""]) {
      expect(rows(text, ["data[]"])).to.deep.equal([]);
    }
  });

  it("treats a document with nothing but context as an empty envelope", () => {
    expect(rows('{"fieldMask":"a,b","requestId":"x"}', ["results[]"], ["fieldMask"])).to.deep.equal([]);
  });

  it("treats a value at the place of an envelope's rows as a row, and null as none", () => {
    const paths = ["results[]", "reports[].rows[]", "data.orders.edges[].node", "data.orders.nodes[]"];
    const found: readonly (readonly [string, readonly string[]])[] = [
      ['{"results":"none","fieldMask":"a"}', ['"none"']],
      ['{"fieldMask":"a","results":{"id":1}}', ['{"id":1}']],
      ['{"fieldMask":"a","results":7}', ["7"]],
      ['{"fieldMask":"a","results":null}', []],
      [
        '{"reports":["2200",{"rows":[{"id":1}]},{"rows":"x"},[{"id":2}],null,{}]}',
        ['"2200"', '{"id":1}', '"x"', '[{"id":2}]'],
      ],
      ['{"data":{"orders":{"edges":null,"nodes":[{"id":1}]}}}', ['{"id":1}']],
      ['{"data":{"orders":{"edges":{},"nodes":[{"id":1}]}}}', ["{}", '{"id":1}']],
      // No envelope: a row itself.
      ['{"results":"none"}', ['{"results":"none"}']],
      ['{"results":"none"}{"fieldMask":"a"}', ['{"results":"none"}']],
    ];
    for (const [text, expected] of found) {
      expect(rows(text, paths, ["fieldMask"]), text).to.deep.equal(expected);
      expect(rows(text, paths, ["fieldMask"], everyByte(text)), text).to.deep.equal(expected);
    }
  });

  it("treats a document with a key of the vendor's object as a row, whatever else it has", () => {
    const found: readonly (readonly [string, readonly string[]])[] = [
      ['{"id":1,"data":[]}', ['{"id":1,"data":[]}']],
      ['{"data":[],"id":1}', ['{"data":[],"id":1}']],
      ['{"id":1,"data":[{"id":2}]}', ['{"id":1,"data":[{"id":2}]}']],
      ['{"fieldMask":"a","id":1,"data":[7]}', ['{"fieldMask":"a","id":1,"data":[7]}']],
      ['{"data":"x","id":1}', ['{"data":"x","id":1}']],
      ['[{"data":[],"id":1},{"data":[{"id":2}]}]', ['{"data":[],"id":1}', '{"id":2}']],
      // Rows that were found first are passed on, and so is the value, to be rejected.
      ['{"data":[{"id":2}],"id":1}', ['{"id":2}', "1"]],
      ['{"data":[{"id":2}],"paging":{"id":1}}', ['{"id":2}']],
    ];
    for (const [text, expected] of found) {
      expect(rows(text, ["data[]"], ["fieldMask"], [], ["id"]), text).to.deep.equal(expected);
      expect(rows(text, ["data[]"], ["fieldMask"], everyByte(text), ["id"]), text).to.deep.equal(expected);
    }
  });

  it("finds documents one after the other, with or without blanks between", () => {
    expect(rows('{"id":1}{"id":2}\n\n{"id":3} [{"id":4}]')).to.deep.equal([
      '{"id":1}',
      '{"id":2}',
      '{"id":3}',
      '{"id":4}',
    ]);
  });

  it("finds the same rows in pretty-printed text", () => {
    const document = { paging: {}, results: [{ id: "1", tags: ["a", { b: [] }] }, { id: "2" }] };
    const found = rows(JSON.stringify(document, null, 2), ["results[]"]);
    expect(found.map((row) => JSON.parse(row as string) as unknown)).to.deep.equal(document.results);
  });

  it("keeps ids of 25 digits and every other digit", () => {
    const row = '{"id":1234567890123456789012345,"price":10.10,"e":1E+05}';
    expect(rows(`{"data":[${row}]}`, ["data[]"])).to.deep.equal([row]);
  });

  it("is not misled by braces, brackets, commas and quotes inside text", () => {
    const row = JSON.stringify({ a: '}]},{"data":[', b: 'he said "[", \\', "c}": "\\\\" });
    expect(rows(`{"x":"]}","data":[${row},${row}]}`, ["data[]"])).to.deep.equal([row, row]);
  });

  it("reads keys written with escapes", () => {
    expect(rows('{"d\\u0061ta":[{"id":1}]}', ["data[]"])).to.deep.equal(['{"id":1}']);
  });

  it("finds no rows under the same key elsewhere, nor under a key that looks like a path", () => {
    expect(rows('{"other":{"data":[{"id":1}]}}', ["data[]"])).to.deep.equal(['{"other":{"data":[{"id":1}]}}']);
    expect(rows('{"data":{"[]":{"id":1}}}', ["data[]"])).to.deep.equal(['{"data":{"[]":{"id":1}}}']);
    expect(rows('{"a":{"data":[1]},"data":[{"data":[2]}]}', ["data[]"])).to.deep.equal(['{"data":[2]}']);
  });

  it("returns the context of rows with the number of its envelope, before or after them", () => {
    const text = '{"reports":[{"head":[1],"rows":[{"a":1}]},{"rows":[{"a":2}],"head":[2]},{"head":[3]}],"head":[0]}';
    expect(scan(text, ["rows[]", "reports[].rows[]"], ["head"])).to.deep.equal([
      { key: "head", context: "[1]", report: 1 },
      { row: '{"a":1}', report: 1 },
      { row: '{"a":2}', report: 2 },
      { key: "head", context: "[2]", report: 2 },
      { key: "head", context: "[3]", report: 3 },
      { key: "head", context: "[0]", report: 0 },
    ]);
  });

  it("numbers consecutive envelopes, from the given number", () => {
    const found: number[] = [];
    const scanner = new Scanner(envelopesOf(["rows[]"]), { row: (_, report) => found.push(report), context() {} }, 7);
    scanner.push(Buffer.from('{"rows":[1,2]}{"rows":[]}[{"rows":[3]},{"id":1}]'));
    scanner.end();
    expect(found).to.deep.equal([7, 7, 9, -1]);
    expect(scanner.nextReport).to.equal(10);
  });

  it("returns scalars in the place of rows unchanged", () => {
    expect(rows('{"data":[1, null ,"x",true]}', ["data[]"])).to.deep.equal(["1", "null", '"x"', "true"]);
  });

  it("passes on bytes that are not UTF-8", () => {
    const bytes = Buffer.from('{"data":[{"name":"caf\xe9"}]}', "latin1");
    const found: Buffer[] = [];
    const scanner = new Scanner(envelopesOf(["data[]"]), { row: (row) => row && found.push(row), context() {} });
    scanner.push(bytes);
    scanner.end();
    expect(found[0]?.toString("latin1")).to.equal('{"name":"caf\xe9"}');
  });

  it("refuses input that ends in the middle of a value, wherever it is cut", () => {
    const text = '{"data":[{"id":"a\\"b"},[1]],"x":true}';
    for (let end = 1; end < text.length; end++) {
      expect(() => scan(text.slice(0, end), ["data[]"]), text.slice(0, end)).to.throw(FileError, "cut short");
    }
  });

  it("refuses brackets that do not match, with the place", () => {
    expect(() => scan('{"a":1}}')).to.throw(FileError, "malformed JSON at byte 7");
    expect(() => scan('{"data":[1}', ["data[]"], [], everyByte("12345"))).to.throw(
      FileError,
      "malformed JSON at byte 10",
    );
  });

  it("refuses unlimited nesting instead of running out of memory", () => {
    expect(() => scan("[".repeat(100_000))).to.throw(FileError, "nested deeper");
  });

  it("drops a row that is too large, and continues", () => {
    const large = `{"text":"${"x".repeat(LARGEST_ROW)}"}`;
    const cuts = Array.from({ length: 40 }, (_, n) => n * 1024 * 1024);
    expect(rows(`{"data":[${large},{"id":2}]}`, ["data[]"], [], cuts)).to.deep.equal([null, '{"id":2}']);
  });

  const document = fc.oneof(
    fc.json({ maxDepth: 5 }),
    fc
      .array(fc.jsonValue({ maxDepth: 3 }))
      .map((data) => JSON.stringify({ paging: {}, data, head: { a: data.length } })),
    fc.array(fc.jsonValue({ maxDepth: 3 })).map((list) => JSON.stringify([{ data: list }, list], null, 2)),
    fc
      .array(fc.jsonValue({ maxDepth: 3 }))
      .map((list) => JSON.stringify({ batch: [{ data: list, head: 1 }] }, null, "\t")),
  );
  const PATHS = ["data[]", "batch[].data[]", "a.b[].c"];

  it("finds the same in one chunk and in any other", () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 4 }), fc.array(fc.nat(400)), (documents, cuts) => {
        const text = documents.join("\n");
        const whole = scan(text, PATHS, ["head"]);
        expect(scan(text, PATHS, ["head"], cuts)).to.deep.equal(whole);
        expect(scan(text, PATHS, ["head"], everyByte(text))).to.deep.equal(whole);
      }),
    );
  });

  it("finds exactly the rows that a parser would", () => {
    const blank = fc.stringMatching(/^[ \n\r\t]{0,3}$/);
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), blank, fc.nat(3), (data, other, gap, indent) => {
        const text = `${gap}${JSON.stringify({ other, data, last: other }, null, indent)}${gap}`;
        const found = rows(text, ["data[]"]).map((row) => JSON.parse(row as string) as unknown);
        expect(found).to.deep.equal(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it("accepts any bytes: it finds rows or refuses the file", () => {
    const noise = fc
      .array(fc.constantFrom(...'{}[]",:\\ \n1ax'.split("")), { maxLength: 60 })
      .map((chars) => chars.join(""));
    fc.assert(
      fc.property(
        fc.oneof(
          noise,
          fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        ),
        (input) => {
          try {
            scan(input, PATHS, ["head"]);
          } catch (error) {
            expect(error).to.be.instanceOf(FileError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
