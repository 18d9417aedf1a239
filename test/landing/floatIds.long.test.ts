import { expect } from "chai";
import { wholeId } from "../../src/core/landing/read/values.ts";
import { storeaOrder } from "../support/data.ts";
import { land } from "../support/landing.ts";
import { parquet } from "../support/parquet.ts";

const REASON = /is not an id: a floating-point number has changed it, export it as text$/;

describe("An id that was a floating-point number", () => {
  /** What lands of an id, or the reason why it does not. */
  const spend = async (id: string | number): Promise<unknown> => {
    const line = `{"campaign_id":${typeof id === "number" ? id : JSON.stringify(id)},"spend":"1","date_start":"2025-05-01"}`;
    const { rows, rejects } = await land("socialads", "campaigns", { "a.json": line });
    return rows[0]?.campaign_id ?? rejects[0]?.reason;
  };

  it("is the integer if it is exact", async () => {
    for (const [sent, id] of [
      ["123.0", "123"],
      ["1.0E+10", "10000000000"],
      ["5500001185137.0", "5500001185137"],
      ["5.500001185137E12", "5500001185137"],
      ["1e+10", "10000000000"],
      [" 7.00 ", "7"],
    ] as const)
      expect(await spend(sent), sent).to.equal(id);
  });

  it("is refused if it is not, or may have lost digits", async () => {
    for (const sent of ["1.5", "1.2021E+17", "9007199254740993.0", "1e16", "1.0E-3", "1.0E+400"])
      expect(await spend(sent), sent).to.match(REASON);
  });

  it("is any other text", async () => {
    for (const sent of [
      "12e5",
      "v1.2",
      "1268540501456-01",
      "9007199254740993",
      "1.2.3",
      "0x1p3",
      "abc.0",
      "gid://shopify/Product/1.0",
    ])
      expect(await spend(sent), sent).to.equal(sent);
  });

  it("is the same in a table, and in a column of doubles", async () => {
    const csv =
      "order_id,status,value,creation_date,customer_id\n9.0,invoiced,1,2025-05-01T00:00:00Z,4.0\n1.5,invoiced,1,2025-05-01T00:00:00Z,\n";
    const table = await land("storea", "orders", { "a.csv": csv });
    expect(table.rows.map(({ order_id, customer_id }) => [order_id, customer_id])).to.deep.equal([["9", "4"]]);
    expect(table.rejects[0]?.reason).to.match(/^order_id: "1.5"/);
    const file = await parquet(
      "select campaign_id::double as campaign_id, 1.0 as spend, date '2025-05-01' as date_start from (values (120210), (9007199254740994)) as t (campaign_id)",
    );
    const doubles = await land("socialads", "campaigns", { "a.parquet": file });
    expect(doubles.rows.map(({ campaign_id }) => campaign_id)).to.deep.equal(["120210"]);
    expect(doubles.rejects[0]?.reason).to.match(REASON);
  });

  it("is the same within a list", async () => {
    const order = storeaOrder({ id: "1", value: 10 }) as Record<string, unknown>;
    const items = (order.items as Record<string, unknown>[]).map((item) => ({ ...item, productId: "77.0" }));
    const { rows, rejects } = await land("storea", "orders", { "a.json": JSON.stringify([{ ...order, items }]) });
    expect(rejects).to.deep.equal([]);
    expect(JSON.stringify(rows[0])).to.include('"77"').and.not.include("77.0");
  });

  it("of a tool's table is the same", () => {
    expect(["1.0E+10", "12", "abc", "1.5", "1.2021E+17", "1,2021E+17"].map(wholeId)).to.deep.equal([
      "10000000000",
      "12",
      "abc",
      undefined,
      undefined,
      undefined,
    ]);
  });
});
