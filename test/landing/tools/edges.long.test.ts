import { expect } from "chai";
import { type Files, landedBy, lines, parquetOf, RecordFolder } from "../../support/tools.ts";
import { airbyte, airbyteFlat, csv, dlt, extracted, extractedIso, type Members } from "./objects.ts";

const order = {
  id: 1,
  created_at: "2025-01-01T00:00:00Z",
  updated_at: "2025-01-05T00:00:00Z",
  total_price: "5.00",
  financial_status: "paid",
  line_items: [{ id: 11, quantity: 1, price: "5.00" }],
  refunds: [],
};
const product = { id: 6796217843901, title: "A", updated_at: "2025-01-05T00:00:00Z" };
const table = (name: string, number: number, ...rows: readonly Members[]): Files => ({
  [`${name}/${number}.csv`]: csv(
    rows.map((row) => ({ ...row, _fivetran_deleted: row.deleted ?? false, _fivetran_synced: extractedIso(number) })),
  ),
});

const skusOf = (row: Members | undefined): unknown[] =>
  ((row?.variants ?? []) as readonly Members[]).map(({ sku }) => sku);

describe("Figures of a campaign's day from EL tools", () => {
  const day = (hour: unknown): Members => ({
    "campaign.id": 9,
    "metrics.cost_micros": 1000000,
    "segments.date": "2025-01-02",
    "segments.hour": hour,
    "segments.device": null,
  });
  const insight = (spend: number, more: Members): Members => ({
    account_id: "1",
    campaign_id: "7",
    date_start: "2025-01-02",
    date_stop: "2025-01-02",
    spend,
    ...more,
  });

  it("count once, whether a file has the hour as a number or as text", async () => {
    const { rows } = await landedBy("searchads/campaigns", {
      "campaign/1.csv": csv(airbyteFlat([day(5), day(6)], 1)),
      "campaign/2.jsonl": lines(...airbyte([day(5)], 2)),
      "campaign/3.csv": csv(airbyteFlat([day("6.0")], 3)),
      "campaign/4.parquet": await parquetOf(airbyteFlat([day(5)], 4)),
    });
    expect(rows.map((row) => row.cost)).to.deep.equal(["2.000000"]);
  });

  it("are those of the newest extraction, whole or by ad, and so is the name", async () => {
    const whole = { "a.jsonl": lines(...airbyte([insight(100, { campaign_name: "New" })], 5)) };
    const ads = { "b.jsonl": lines(...airbyte([insight(10, { ad_id: "1", campaign_name: "Old" })], 1)) };
    for (const syncs of [[whole, ads], [ads, whole], [{ ...whole, ...ads }]]) {
      const { rows } = await landedBy("socialads/campaigns", ...syncs);
      expect(rows.map((row) => [row.spend, row.campaign_name])).to.deep.equal([["100.000000", "New"]]);
    }
    const other = { "c.jsonl": lines(...airbyte([insight(7, { ad_id: "2", campaign_name: "New" })], 5)) };
    const { rows } = await landedBy("socialads/campaigns", other, ads);
    expect(rows.map((row) => [row.spend, row.campaign_name])).to.deep.equal([["17.000000", "New"]]);
  });

  it("are of one campaign, though a table writes its id and the day as fractions", async () => {
    const report = (sessions: number, date: string, sessionCampaignId: string): Members => ({
      date,
      sessionCampaignId,
      sessions,
    });
    const { rows } = await landedBy("webanalytics/customers", {
      "a.csv": csv(airbyteFlat([report(2, "20250108", "21100000001.0"), report(1, "20250109.0", "5.0")], 1)),
      "b.csv": csv(airbyteFlat([report(3, "20250108", "21100000001")], 2)),
    });
    expect(rows.map((row) => [row.date, row.campaign_id, row.sessions])).to.have.deep.members([
      ["2025-01-08", "21100000001", "3"],
      ["2025-01-09", "5", "1"],
    ]);
  });
});

describe("Files of one day of events", () => {
  const event = (item: string, more: Members = {}): Members => ({
    event_date: "20250108",
    event_timestamp: "1736300000000000",
    event_name: "view_item",
    user_pseudo_id: "u",
    event_params: [],
    items: [{ item_id: item }],
    ...more,
  });
  const viewed = async (files: Files): Promise<unknown[]> =>
    (await landedBy("webanalytics/items", files)).rows.map((row) => [row.item_id, row.items_viewed]);

  it("all count, whatever their names in the table's folder", async () => {
    const both = [
      ["A", "1"],
      ["B", "1"],
    ];
    for (const names of [
      ["events_20250108/a.json", "events_20250108/b.json"],
      ["events_20250108-000000000000.json", "events_20250108-000000000001.json"],
    ]) {
      const [first = "", second = ""] = names;
      expect(await viewed({ [first]: lines(event("A")), [second]: lines(event("B")) })).to.deep.equal(both);
    }
  });

  it("are no copies of each other if their events have no time", async () => {
    const { event_timestamp: _, ...untimed } = event("A");
    expect(await viewed({ "a.json": lines(untimed), "b.json": lines(untimed) })).to.deep.equal([["A", "2"]]);
  });
});

describe("Objects that were deleted at the vendor", () => {
  it("are gone, though the tombstone has the time of an earlier change", async () => {
    const { rows } = await landedBy(
      "storeb/orders",
      { "orders/1.jsonl": lines(...airbyte([order], 1)) },
      {
        "orders/2.jsonl": lines(
          ...airbyte([{ id: 1, deleted_at: "2025-02-01T00:00:00Z", updated_at: "2025-01-03T00:00:00Z" }], 2),
        ),
      },
    );
    expect(rows).to.deep.equal([]);
  });

  it("are not in the list of the object that names them", async () => {
    const variant = (id: number): Members => ({ id, product_id: product.id, price: "9.50", sku: `S${id}` });
    const skus = async (...deleted: readonly Members[]): Promise<unknown> => {
      const { rows } = await landedBy("storeb/products", {
        "products/1.jsonl": lines(...airbyte([{ ...product, variants: [{ id: 1 }, { id: 2 }] }], 1)),
        "product_variants/1.jsonl": lines(...airbyte([variant(1), variant(2)], 1), ...airbyte(deleted, 2)),
      });
      return skusOf(rows[0]);
    };
    expect(await skus()).to.deep.equal(["S1", "S2"]);
    expect(await skus({ ...variant(2), deleted_at: "2025-02-01T00:00:00Z" })).to.deep.equal(["S1"]);
    const both = [1, 2].map((id) => ({ ...variant(id), deleted_at: "2025-02-01T00:00:00Z" }));
    expect(await skus(...both)).to.deep.equal([]);
  });

  it("change the stock of their item", async () => {
    const level = (id: number, units: number, deleted = false): Members => ({
      id,
      inventory_item_id: 7,
      location_id: id,
      available: units,
      deleted,
    });
    const folder = await RecordFolder.of("storeb/inventory");
    try {
      await folder.sync({
        ...table("inventory_item", 1, { id: 7, tracked: true, cost: "2.00" }),
        ...table("inventory_level", 1, level(1, 3), level(2, 2)),
      });
      await folder.sync(table("inventory_level", 2, level(2, 2, true)));
      expect((await folder.rows()).map((row) => row.available).sort()).to.deep.equal(["3", "5"]);
    } finally {
      await folder.remove();
    }
  });
});

describe("Rows of EL tools that belong to others", () => {
  it("are rejected without the id that they belong to", async () => {
    const files = {
      ...table("order", 1, { id: 1, created_at: "2025-01-01", total_price: "5.00", financial_status: "paid" }),
      ...table(
        "order_line",
        1,
        { id: 11, order_id: 1, quantity: 1, price: "5.00" },
        { id: 12, order_id: "", quantity: 1, price: "5.00" },
      ),
    };
    const { rows, rejects } = await landedBy("storeb/orders", files);
    expect(rows).to.have.length(1);
    expect(rejects.map(({ file, position, reason }) => [file, position, reason])).to.deep.equal([
      ["order_line/1.csv", 2, "order_id: missing"],
    ]);
  });

  it("find it in each spelling of its name, also in the text of an object", async () => {
    const spellings: readonly Members[] = [
      { product_id: product.id },
      { productId: product.id },
      { product__id: product.id },
      { "product.id": product.id },
      { product: { id: `gid://shopify/Product/${product.id}` } },
    ];
    for (const spelled of spellings) {
      const { rows } = await landedBy("storeb/products", {
        "products/1.jsonl": lines(...airbyte([{ ...product, variants: [{ id: 2 }] }])),
        "product_variants/1.csv": csv(airbyteFlat([{ id: 2, sku: "S", price: "9.50", ...spelled }])),
      });
      expect(skusOf(rows[0])).to.deep.equal(["S"]);
    }
  });

  it("are not awaited by an object whose list is empty", async () => {
    const { rows, outcomes } = await landedBy("storeb/products", {
      "products/1.jsonl": lines(
        ...[
          { ...product, variants: [{ id: 2, price: "9.50" }] },
          { ...product, id: 5, variants: [] },
        ].map((row) => ({
          ...row,
          _sdc_extracted_at: extractedIso(1),
        })),
      ),
    });
    expect(outcomes[0]?.refused).to.deep.equal([]);
    expect(rows).to.have.length(2);
  });
});

describe("Wrappings of EL tools", () => {
  it("come off in any file, as objects and as texts", async () => {
    const at = extracted(1) * 1000;
    const expected = (await landedBy("storeb/orders", { "a.jsonl": lines(order) })).rows;
    const text = JSON.stringify(order);
    const layouts: readonly Files[] = [
      { "x.jsonl": lines({ stream: "orders", data: text, emitted_at: at }) },
      { "x.csv": csv([{ stream: "orders", data: order, emitted_at: at }]) },
      { "x.csv": csv([{ type: "RECORD", stream: "orders", record: order, time_extracted: extractedIso(1) }]) },
      { "x.jsonl": lines({ type: "RECORD", stream: "orders", record: text }) },
      { "x.jsonl": lines({ stream: "orders", record: order }) },
      { "orders/x.jsonl": lines({ data: order }) },
      { "2025-03/x.jsonl": lines({ record: order }) },
      { "2025-03/x.csv": csv([{ data: order }]) },
    ];
    for (const files of layouts) {
      const { rows, outcomes } = await landedBy("storeb/orders", files);
      expect(outcomes[0]?.refused).to.deep.equal([]);
      expect(rows).to.deep.equal(expected);
    }
  });
});

describe("Streams of the vendor that a record does not read", () => {
  const deal = {
    id: 9,
    properties: { dealname: "x", lifecyclestage: "lead" },
    createdAt: "2025-01-01T00:00:00Z",
    updatedAt: "2025-01-01T00:00:00Z",
    archived: false,
  };

  it("are refused by their columns: customers, lines of orders, reports without places", async () => {
    const ad = { "campaign.id": 1, "segments.date": "2025-01-02", "metrics.cost_micros": 10, "ad_group_ad.ad.id": 2 };
    const refused: readonly (readonly [record: string, files: Files])[] = [
      [
        "crm/contacts",
        table("x", 1, { id: 9, email: "a@example.com", orders_count: 1, state: "x", tax_exempt: false, note: "x" }),
      ],
      ["storeb/products", table("x", 1, { id: 9, order_id: 1, product_id: 2, quantity: 1, price: "1.00" })],
      ["searchads/geographic", { "x/1.jsonl": lines(...airbyte([ad])) }],
    ];
    for (const [record, files] of refused) {
      const { rows, outcomes } = await landedBy(record, files);
      expect(rows).to.deep.equal([]);
      expect(outcomes[0]?.refused[0]?.reason).to.match(/^x: not a stream of this record/);
    }
  });

  it("are refused by their names, though they have the columns of one that it reads", async () => {
    const refused: readonly (readonly [record: string, stream: string, files: Files])[] = [
      ["crm/contacts", "deals", { "deals/1.jsonl": lines(...airbyte([deal])) }],
      ["crm/contacts", "companies", { "companies/1.csv": csv(airbyteFlat([deal])) }],
      ["crm/contacts", "products", { "products/1.jsonl": lines(...airbyte([deal])) }],
      ["crm/contacts", "companies", dlt("companies", [{ id: "9", hs_object_id: "9", lifecyclestage: "lead" }])],
      ["crm/products", "company", table("company", 1, { id: 9, property_name: "x" })],
      ["storeb/orders", "draft_orders", { "draft_orders/1.jsonl": lines(...airbyte([order])) }],
      ["storeb/products", "collections", { "collections/1.jsonl": lines(...airbyte([product])) }],
    ];
    for (const [record, stream, files] of refused) {
      const { rows, outcomes } = await landedBy(record, files);
      expect(rows).to.deep.equal([]);
      expect(outcomes[0]?.refused.map(({ reason }) => reason.split(";")[0])).to.match(
        new RegExp(`^${stream}: not a stream of this record`),
      );
    }
  });
});

describe("Amounts that Airbyte has left out", () => {
  it("reject their rows, also those in lists", async () => {
    for (const field of ["shipping_lines", "line_items", "total_price"]) {
      const row = { ...airbyte([order])[0], _airbyte_meta: { changes: [{ field, change: "NULLED" }] } };
      const { rows, rejects } = await landedBy("storeb/orders", { "orders/1.jsonl": lines(row) });
      expect(rows).to.deep.equal([]);
      expect(rejects[0]?.reason).to.match(new RegExp(`^${field}: NULLED`));
    }
  });
});
