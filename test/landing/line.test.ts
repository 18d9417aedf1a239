import { expect } from "chai";
import fc from "fast-check";
import { NdjsonFastPath } from "../../src/core/landing/bytes/fastPath.ts";
import { envelopesOf, Scanner } from "../../src/core/landing/bytes/scan.ts";

const envelopes = envelopesOf(["list[]", "data.orders[]"], ["head"]);
const glance = new NdjsonFastPath(envelopes.steps.keys());
const isPlain = (line: string): boolean => glance.isPlainObject(Buffer.from(line));

/** The rows that the scanner finds in a line; null if it refuses it. */
function scanned(line: string): string[] | null {
  const rows: string[] = [];
  const scanner = new Scanner(envelopes, { row: (row) => rows.push(String(row)), context() {} });
  try {
    scanner.push(Buffer.from(line));
    scanner.end();
    return rows;
  } catch {
    return null;
  }
}

describe("The fast path for a line", () => {
  it("recognizes an object, whatever its texts contain", () => {
    for (const line of [
      "{}",
      '{"a":1}',
      '{"a":{"list":[1]},"b":[{"data":2}]}',
      '{"a":"}{","b":"\\"}","c":"\\\\"}',
      '{"lists":[1],"lis":2}',
      '{"a":"caf\\u00e9"}',
    ]) {
      expect(isPlain(line), line).to.equal(true);
      expect(scanned(line), line).to.deep.equal([line]);
    }
  });

  it("leaves envelopes to the scanner, however their keys are written", () => {
    for (const line of ['{"list":[1]}', '{"a":1,"data":{}}', '{"\\u006cist":[{"a":1}]}', '{"head":1}']) {
      expect(isPlain(line), line).to.equal(false);
    }
  });

  it("leaves lines of several objects, of none, and broken ones to the scanner", () => {
    for (const line of [
      "",
      "null",
      "[1]",
      '{"a":1}{"b":2}',
      '{"a":1},{"b":2}',
      '{"a":1} {"b":2}',
      '{"a":1},',
      '{"a":1} ',
      ' {"a":1}',
      '{"a":1',
      '{"a":1}}',
      '{"a":[1}]',
      '{"a":"',
      '{"a":"\\',
      `${'{"a":'.repeat(600)}1${"}".repeat(600)}`,
    ]) {
      expect(isPlain(line), line.slice(0, 40)).to.equal(false);
    }
  });

  it("finds nothing in a line that the scanner does not find", () => {
    const token = fc.constantFrom(
      ...'{}[],:" x1\\'.split(""),
      '"a"',
      '"list"',
      '"data"',
      '"\\u006cist"',
      '"orders"',
      '{"a":',
      '"}"',
      "\\u0064",
    );
    const garbled = fc.array(token, { maxLength: 14 }).map((tokens) => `{${tokens.join("")}}`);
    const whole = fc
      .dictionary(fc.constantFrom("a", "list", "data", "head", "é\n"), fc.jsonValue())
      .map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(fc.oneof(garbled, whole), (line) => {
        if (isPlain(line)) expect(scanned(line)).to.deep.equal([line]);
      }),
      { numRuns: 5000 },
    );
    fc.assert(
      fc.property(whole, (line) => {
        const keys = Object.keys(JSON.parse(line) as object);
        expect(isPlain(line)).to.equal(!keys.some((key) => envelopes.steps.has(key)));
      }),
    );
  });
});
