import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { CONNECTORS, relationOf, tableColumns, titleOf } from "../../src/core/contract/record.ts";
import { VENDORS } from "../../src/core/contract/vendor.ts";

import { exported, records } from "../../src/core/records/index.ts";
import { ROOT } from "../support/data.ts";
import { landsAlike, telling } from "../support/landsAlike.ts";

const page = readFileSync(path.join(ROOT, "docs", "exports.md"), "utf8");

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
  landsAlike(telling);
});

describe("The declarations of records", () => {
  it("have a guide exactly if the record has exports, with labels only of its own columns", () => {
    for (const record of records) {
      expect(record.guide !== undefined, relationOf(record)).to.equal(record.envelopes !== undefined);
      expect(Object.keys(record.fields)).to.include.members(Object.keys(record.guide?.labels ?? {}));
    }
  });
});
