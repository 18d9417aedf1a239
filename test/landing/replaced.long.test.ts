import { expect } from "chai";
import fc from "fast-check";
import type { Connector } from "../../src/core/contract/record.ts";
import { land } from "../support/landing.ts";
import { parquet } from "../support/parquet.ts";

const ORDER = "order_id,creation_date,value,authorized_date";
const order = (value: string, ...others: readonly string[]): string =>
  ["7", "2025-05-01", value, "2025-05-01", ...others].join(",");
const csv = (heading: string, ...rows: readonly string[]): string => [heading, ...rows].join("\n");

const landed = async (title: string, name: string, content: string | Buffer) => {
  const [connector = "", record = ""] = title.split("/");
  const { outcome } = await land(connector as Connector, record, { [name]: content });
  return { landed: outcome.landed, replaced: outcome.replaced, reason: outcome.refused[0]?.reason };
};

const query = (value: number, line: number): string =>
  `select '7' as order_id, date '2025-05-01' as creation_date, ${value}::double as value, ${line} as line_id`;
const object = (value: number, line: number): string =>
  JSON.stringify({ order_id: "7", creation_date: "2025-05-01", value, line_id: line });

const vtexOrders = (...changes: readonly object[]): string =>
  JSON.stringify(
    changes.map((changed) => ({
      orderId: "7",
      creationDate: "2025-05-01T00:00:00Z",
      value: 100,
      authorizedDate: "2025-05-01T00:00:00Z",
      items: [],
      ...changed,
    })),
  );

describe("Rows of one key in a file that is no report [D210]", () => {
  const refused: Readonly<
    Record<string, () => Promise<[title: string, name: string, content: string | Buffer, column: string]>>
  > = {
    "order lines in CSV": async () => [
      "storea/orders",
      "o.csv",
      csv(`${ORDER},line_id`, order("3", "1"), order("4", "2")),
      "line_id",
    ],
    "order lines with equal amounts": async () => [
      "storea/orders",
      "o.csv",
      csv(`${ORDER},sku`, order("3", "A"), order("3", "B")),
      "sku",
    ],
    "amounts that are read": async () => ["storea/orders", "o.csv", csv(ORDER, order("3"), order("4")), "value"],
    payments: async () => [
      "storea/orders",
      "o.csv",
      csv(`${ORDER},method`, order("3", "pix"), order("3", "card")),
      "method",
    ],
    "lines with a time of their own": async () => [
      "storea/orders",
      "o.csv",
      csv(`${ORDER},line_id,last_change`, order("3", "1", "2025-05-02"), order("4", "2", "2025-05-03")),
      "line_id",
    ],
    NDJSON: async () => ["storea/orders", "o.ndjson", `${object(3, 1)}\n${object(3, 2)}`, "line_id"],
    Parquet: async () => [
      "storea/orders",
      "o.parquet",
      await parquet(`${query(3, 1)} union all ${query(3, 2)}`),
      "line_id",
    ],
    "versions by a time that is not read, in whatever order": async () => [
      "storea/orders",
      "o.csv",
      csv(`${ORDER},updated_at`, order("4", "2025-05-03T00:00:00Z"), order("3", "2025-05-02T00:00:00Z")),
      "value",
    ],
    "orders of Shopify": async () => [
      "storeb/orders",
      "o.csv",
      csv("order_id,created_at,total_price,shipment", "7,2025-05-01,3,a", "7,2025-05-01,3,b"),
      "shipment",
    ],
    "stock by warehouse": async () => [
      "storea/inventory",
      "i.csv",
      csv("sku_id,available,warehouse", "1,3,a", "1,4,b"),
      "warehouse",
    ],
    "a vendor's orders of one time": async () => [
      "storea/orders",
      "o.json",
      vtexOrders(
        { value: 100, lastChange: "2025-05-02T00:00:00Z" },
        { value: 200, lastChange: "2025-05-02T00:00:00Z" },
      ),
      "value",
    ],
    "a vendor's orders without a time": async () => [
      "storea/orders",
      "o.json",
      vtexOrders({ value: 100 }, { value: 200 }),
      "value",
    ],
    "customers by tag": async () => ["crm/contacts", "c.csv", csv("id,email,tag", "1,a@x.com,a", "1,a@x.com,b"), "tag"],
  };
  for (const [kind, make] of Object.entries(refused)) {
    it(`refuse it: ${kind}`, async () => {
      const [title, name, content, column] = await make();
      const { landed: rows, reason } = await landed(title, name, content);
      expect(rows).to.equal(0);
      expect(reason).to.match(/^has two rows, 1 and 2, of one \S+ \(\S+\), which differ in /);
      expect(reason).to.contain(column);
    });
  }

  const allowed: Readonly<Record<string, () => Promise<[title: string, name: string, content: string | Buffer]>>> = {
    copies: async () => ["storea/orders", "o.csv", csv(`${ORDER},line_id`, order("3", "1"), order("3", "1"))],
    "copies in Parquet": async () => [
      "storea/orders",
      "o.parquet",
      await parquet(`${query(3, 1)} union all ${query(3, 1)}`),
    ],
    "copies in NDJSON": async () => ["storea/orders", "o.ndjson", `${object(3, 1)}\n${object(3, 1)}`],
    "versions by the record's time": async () => [
      "storea/orders",
      "o.csv",
      csv(`${ORDER},last_change,remark`, order("3", "2025-05-02", "a"), order("4", "2025-05-03", "b")),
    ],
    "what was loaded twice": async () => [
      "storea/orders",
      "o.csv",
      csv(
        `${ORDER},_airbyte_raw_id,_airbyte_extracted_at`,
        order("3", "x", "2025-05-02"),
        order("3", "y", "2025-05-03"),
      ),
    ],
    "a vendor's versions": async () => [
      "storea/orders",
      "o.json",
      vtexOrders(
        { value: 100, lastChange: "2025-05-02T00:00:00Z" },
        { value: 200, lastChange: "2025-05-03T00:00:00Z" },
      ),
    ],
    "a vendor's order that was read twice": async () => [
      "storea/orders",
      "o.json",
      vtexOrders(
        { hostname: "a", lastChange: "2025-05-02T00:00:00Z" },
        { hostname: "b", lastChange: "2025-05-02T00:00:00Z" },
      ),
    ],
    "a vendor's objects that are read alike": async () => [
      "storea/orders",
      "o.json",
      vtexOrders({ hostname: "a" }, { hostname: "b" }),
    ],
    "an amount that is written in two ways": async () => [
      "storea/orders",
      "o.csv",
      csv(ORDER, order("3"), order("3.00")),
    ],
  };
  for (const [kind, make] of Object.entries(allowed)) {
    it(`land: ${kind}`, async () => {
      expect(await landed(...(await make()))).to.deep.equal({ landed: 2, replaced: 1, reason: undefined });
    });
  }

  it("refuse only that file", async () => {
    const { outcome } = await land("storea", "orders", {
      "a.csv": csv(`${ORDER},line_id`, order("3", "1"), order("4", "2")),
      "b.csv": csv(`${ORDER},line_id`, order("5", "1")),
    });
    expect([outcome.landed, outcome.refused.map(({ file }) => file)]).to.deep.equal([1, ["a.csv"]]);
  });

  it("are never replaced by others than copies and versions, whatever distinguishes them", async () => {
    const cell = fc.record({
      id: fc.constantFrom("1", "2", "3"),
      value: fc.integer({ min: 1, max: 3 }),
      extra: fc.constantFrom("", "a", "b"),
      other: fc.constantFrom("", "ç", '"x,y"'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 5 }), async (cells) => {
        const rows = cells.map(({ id, value, extra, other }) => [id, "2025-05-01", value, extra, other].join(","));
        const content = csv("order_id,creation_date,value,extra,other", ...rows);
        const { landed: count, reason } = await landed("storea/orders", "o.csv", content);
        const isApart = new Set(rows).size > new Set(cells.map(({ id }) => id)).size;
        expect([count, reason === undefined], content).to.deep.equal([isApart ? 0 : cells.length, !isApart]);
      }),
      { numRuns: 12 },
    );
  });
});
