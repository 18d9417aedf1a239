import { expect } from "chai";
import type { RecordDeclaration } from "../../src/core/contract/record.ts";
import { Database } from "../../src/core/engine/database.ts";
import { textsIn, vendorMapping } from "../../src/core/landing/map/mapping.ts";
import { type Shape, shapeIn, shapeOf } from "../../src/core/landing/map/shape.ts";
import { exported } from "../../src/core/records/index.ts";

/** Functions that parse JSON by a shape. */
const PARSERS = ["from_json", "from_json_strict", "json_transform", "json_transform_strict"];

/** A shape as the texts that a mapping has of it. */
const textsOf = ({ members, elements, isOpen }: Shape): unknown => ({
  ...Object.fromEntries([...members].map(([name, member]) => [name, textsOf(member)])),
  ...(elements ? { "[]": textsOf(elements) } : {}),
  ...(isOpen ? { "*": true } : {}),
});

/** The nodes of a syntax tree, in the order of the statement. */
function* nodesOf(tree: unknown): Generator<Record<string, unknown>> {
  if (typeof tree !== "object" || tree === null) return;
  if (!Array.isArray(tree)) yield tree as Record<string, unknown>;
  for (const below of Object.values(tree)) yield* nodesOf(below);
}

interface Constant {
  readonly class: string;
  readonly value?: { readonly value?: unknown };
}

describe("The shape of a vendor's objects", () => {
  const [record] = exported as readonly [RecordDeclaration];
  let database: Database;

  before(async () => {
    database = await Database.open({ threads: 1 });
  });

  after(() => database.close());

  /** The nodes of the mapping, as the engine parses it. */
  const treeOf = async (mapping: string): Promise<Record<string, unknown>[]> => {
    const [text = ""] = await database.use((session) =>
      session.texts("select json_serialize_sql($1::varchar)", [mapping]),
    );
    const tree = JSON.parse(text);
    expect(tree.error, mapping).to.equal(false);
    return [...nodesOf(tree)];
  };

  for (const one of exported) {
    it(`of ${one.connector}/${one.name} is the one by which the engine parses them`, async () => {
      const nodes = await treeOf(vendorMapping(one));
      const calls = nodes.filter(({ function_name: name }) => PARSERS.includes(String(name)));
      const shapes = calls.map(({ children }) => (children as Constant[])[1]?.value?.value);
      const known = shapeIn(one, shapes.map((shape) => `from_json("row", '${shape}')`).join(", "));
      expect(textsOf(shapeOf(one))).to.deep.equal(textsOf(known));
      // Without a shape it reads values by their names.
      expect(calls.length > 0 || one.connector === "webanalytics").to.equal(true);
    });
  }

  it("is found however the call is laid out", () => {
    const shape = shapeIn(
      record,
      `select -- from_json, of the row
        from_json (
          "row",
          '
            {"id": "VARCHAR", "lines": [{"price": "VARCHAR"}], "rest": "JSON"}
          '
        ) as one, from_json(child, '["VARCHAR"]')`,
    );
    expect(textsOf(shape)).to.deep.equal({ id: {}, lines: { "[]": { price: {} } }, rest: { "*": true } });
  });

  it("is refused, with the name of the file, where a call has it in another form", () => {
    for (const call of [
      "from_json(\"row\", shape), from_json(child, '{}')",
      "from_json(\"row\" -> '$.data', '{}')",
      'from_json("row", $${}$$)',
      "from_json(\"row\", '{id: VARCHAR}')",
      "from_json(\"row\", 'VARCHAR')",
    ]) {
      expect(() => shapeIn(record, `select ${call}`), call).to.throw(
        `sql/staging/${record.connector}/${record.name}.sql: from_json must be written`,
      );
    }
  });

  it("is refused where names of values are in another form", () => {
    const metric = { name: "metric", pattern: /\bmetric\['(\w+)'\]/g, form: "metric['sessions']" };
    expect(textsIn(record, "select metric['a'], coalesce(metric['b'])", metric)).to.deep.equal(["a", "b"]);
    expect(() => textsIn(record, "select metric['a'], map_extract(metric, 'b')", metric)).to.throw("must be written");
  });
});
