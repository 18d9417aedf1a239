import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Schema } from "../../src/core/contract/schemas.ts";
import { withDefinitions } from "../../src/features/mcp/schema.ts";
import { listed } from "../../src/features/mcp/server.ts";
import { UPDATES_CASES } from "../support/cases.ts";
import { ROOT } from "../support/data.ts";

const GOLDEN = path.join(ROOT, "test/mcp/tools.json");

/** The most that the list may take of an agent's context. */
const MOST_BYTES = 83_000;
const MOST_BYTES_WITHOUT_RESULTS = 33_000;

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

  it("define an object that occurs again once, also within another one, and mean the same", () => {
    const inner = {
      type: "object",
      properties: { value: { type: "number" }, changePct: { type: ["number", "null"] } },
    };
    const outer = { type: ["object", "null"], properties: { cac: inner, roi: inner, label: { type: "string" } } };
    const schema: Schema = { type: "object", properties: { a: outer, b: { type: "array", items: outer }, c: inner } };
    const shared = withDefinitions(schema);
    expect(Object.keys(shared.$defs as object)).to.have.length(2);
    expect(JSON.stringify(shared.properties)).to.not.include("changePct");
    expect(resolved(shared, shared.$defs as Definitions)).to.deep.equal(schema);
  });

  it("define nothing that occurs once", () => {
    const schema: Schema = {
      type: "object",
      properties: { a: { type: "object", properties: { b: { type: "string" } } } },
    };
    expect(withDefinitions(schema)).to.deep.equal(schema);
  });
});

type Definitions = Readonly<Record<string, unknown>>;

/** The same schema without references. */
function resolved(node: unknown, definitions: Definitions): unknown {
  if (Array.isArray(node) || typeof node !== "object" || node === null) return node;
  const { $ref, $defs: _, ...members } = node as Record<string, unknown>;
  if (typeof $ref === "string") return resolved(definitions[$ref.replace("#/$defs/", "")], definitions);
  return Object.fromEntries(Object.entries(members).map(([name, inner]) => [name, resolved(inner, definitions)]));
}
