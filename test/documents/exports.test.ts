import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import {
  CONNECTORS,
  landedFields,
  relationOf,
  requiredFields,
  tableColumns,
  titleOf,
} from "../../src/core/contract/record.ts";
import { VENDORS } from "../../src/core/contract/vendor.ts";
import { examplePath } from "../../src/core/files/paths.ts";

import { exported, records } from "../../src/core/records/index.ts";
import { ROOT } from "../support/data.ts";
import { land } from "../support/landing.ts";

const page = readFileSync(path.join(ROOT, "docs", "exports.md"), "utf8");
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

describe("docs/exports.md", () => {
  it("has every connector with its vendor, and every record that has exports", () => {
    for (const connector of CONNECTORS)
      expect(page).to.include(`| \`${connector}\` | \`${VENDORS[connector].alias}\` |`);
    for (const record of exported) {
      const section = page.split(`### ${titleOf(record)}\n`)[1]?.split("\n### ")[0] ?? "";
      expect(section, titleOf(record)).to.include("- **API**: ");
      for (const { name, meaning } of tableColumns(record)) {
        expect(section, `${titleOf(record)} ${name}`).to.include(`| \`${name}\` |`);
        expect(meaning, `${titleOf(record)} ${name}`).to.match(/\S\.$|…$/);
      }
    }
  });

  it("says what makes an order count", () => {
    const counted = readFileSync(path.join(ROOT, "docs", "rules.md"), "utf8")
      .split("Counted when")[1]
      ?.split("\n")[2];
    expect(counted).to.match(/^\| `storea` \|/);
    expect(page).to.include(counted);
  });
});

describe("The example of each record", () => {
  for (const record of exported) {
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
});

describe("The declarations of records", () => {
  it("have a guide exactly if the record has exports, with labels only of its own columns", () => {
    for (const record of records) {
      expect(record.guide !== undefined, relationOf(record)).to.equal(record.envelopes !== undefined);
      expect(Object.keys(record.fields)).to.include.members(Object.keys(record.guide?.labels ?? {}));
    }
  });
});
