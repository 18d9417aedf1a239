import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { listed } from "../../src/mcp/server.ts";
import { UPDATES_CASES } from "../support/cases.ts";
import { ROOT } from "../support/data.ts";

const GOLDEN = path.join(ROOT, "test/mcp/tools.json");

/** The most that the list may take of an agent's context. */
const MOST_BYTES = 80_000;
const MOST_BYTES_WITHOUT_RESULTS = 32_000;

describe("The tools", () => {
  it("have the names, descriptions and arguments that agents know; UPDATE=1 writes them", () => {
    const present = listed.map(({ outputSchema: _, ...tool }) => tool);
    if (UPDATES_CASES) writeFileSync(GOLDEN, `${JSON.stringify(present, null, 2)}\n`);
    expect(JSON.parse(JSON.stringify(present))).to.deep.equal(JSON.parse(readFileSync(GOLDEN, "utf8")));
  });

  it("are read-only, and say so", () => {
    for (const { name, annotations } of listed) {
      expect(annotations, name).to.deep.include({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
    }
  });

  it("fit into an agent's context", () => {
    expect(JSON.stringify(listed).length).to.be.at.most(MOST_BYTES);
    const without = listed.map(({ outputSchema: _, ...tool }) => tool);
    expect(JSON.stringify(without).length).to.be.at.most(MOST_BYTES_WITHOUT_RESULTS);
  });
});
