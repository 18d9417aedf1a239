import { readFileSync } from "node:fs";
import { expect } from "chai";
import { landedFields, requiredFields, titleOf } from "../../src/core/contract/record.ts";
import { examplePath } from "../../src/core/files/paths.ts";
import { exported } from "../../src/core/records/index.ts";
import { land } from "./landing.ts";

/** The first record of each connector, and all that are orders. */
export const telling = exported.filter(
  ({ connector, name }, no) => name === "orders" || exported.findIndex((one) => one.connector === connector) === no,
);
export const others = exported.filter((record) => !telling.includes(record));

/** Columns of the lake that say when and where a row landed. */
const PLACE = /^_/;

const landed = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => !PLACE.test(name) && value !== null)
      .map(([name, value]) => [
        name,
        JSON.parse(JSON.stringify(value, (_, it) => (typeof it === "bigint" ? String(it) : it))),
      ]),
  );

/** A test for the example of each of these records. */
export function landsAlike(records: typeof exported): void {
  for (const record of records) {
    it(`lands whole, and means the same as a table and in the vendor's JSON: ${titleOf(record)}`, async () => {
      const { connector, name } = record;
      const [json, csv] = await Promise.all(
        (["json", "csv"] as const).map((format) =>
          land(connector, name, { [`example.${format}`]: readFileSync(examplePath(record, format)) }),
        ),
      );
      for (const one of [json, csv]) {
        expect(one?.rejects).to.deep.equal([]);
        expect(one?.outcome).to.include({ files: 1, rejected: 0 });
        expect(one?.outcome.refused).to.deep.equal([]);
        expect(one?.rows).to.not.be.empty;
      }
      expect(csv?.rows.map(landed)).to.have.deep.members(json?.rows.map(landed) ?? []);
      const columns = readFileSync(examplePath(record, "csv"), "utf8").split("\n", 1)[0]?.split(",") ?? [];
      expect(landedFields(record).map(([field]) => field)).to.include.members(columns);
      expect(columns).to.include.members([...requiredFields(record)]);
    });
  }
}
