import { expect } from "chai";
import fc from "fast-check";
import { type Files, landedBy, lines, parquetOf, RecordFolder } from "../../support/tools.ts";
import {
  airbyte,
  airbyteFlat,
  csv,
  dlt,
  extracted,
  extractedIso,
  fivetranOrders,
  type Members,
  orders,
} from "./objects.ts";

const reasons = async (record: string, files: Files): Promise<string[]> => {
  const { outcomes, rows } = await landedBy(record, files);
  expect(rows).to.deep.equal([]);
  return outcomes.flatMap(({ refused }) => refused.map(({ reason }) => reason));
};
const synced = (number: number, more: Members = {}): Members => ({
  ...more,
  _fivetran_deleted: false,
  _fivetran_synced: extractedIso(number),
});

const insight = (spend: number, more: Members = {}): Members => ({
  account_id: "1",
  campaign_id: "120330000000000017",
  ad_id: "23846765228310398",
  date_start: "2025-01-02",
  date_stop: "2025-01-02",
  impressions: 10,
  clicks: 1,
  spend,
  ...more,
});

describe("Rows that EL tools have read several times", () => {
  it("win by the time of extraction, not by that of the file, in any order of syncs", async () => {
    const old = { "ads_insights/1.csv": csv(airbyteFlat([insight(10)], 1)) };
    const young = { "ads_insights/2.jsonl": lines(...airbyte([insight(50)], 2)) };
    for (const syncs of [[old, young], [young, old], [{ ...young, ...old }]]) {
      const { rows } = await landedBy("socialads/campaigns", ...syncs);
      expect(rows.map((row) => row.spend)).to.deep.equal(["50.000000"]);
    }
  });

  it("are read as instants: milliseconds, seconds, text with and without a zone", async () => {
    const at = (row: Members, time: unknown): string => lines({ ...airbyte([row])[0], _airbyte_extracted_at: time });
    const { rows } = await landedBy("socialads/campaigns", {
      "a.jsonl": at(insight(1), "2025-03-01T12:00:00+03:00"),
      "b.jsonl": at(insight(2), "2025-03-01 09:30:00"),
      "c.jsonl": at(insight(3), Date.UTC(2025, 2, 1, 9, 20)),
      "d.jsonl": at(insight(4), Date.UTC(2025, 2, 1, 9, 10) / 1000),
    });
    expect(rows.map((row) => row.spend)).to.deep.equal(["2.000000"]);
  });

  it("give the same in any split over files and syncs", async () => {
    const versions = (all: readonly Members[]): readonly Members[] =>
      all.map((row) => ({ ...row, updated_at: "2025-03-02T00:00:00-03:00", email: "later@example.com" }));
    const [all = []] = fc.sample(orders, { numRuns: 1, seed: 3 });
    const files = Object.entries({
      ...Object.fromEntries(all.map((row, at) => [`orders/${at}.jsonl`, lines(...airbyte([row], at))])),
      "orders/v.csv": csv(airbyteFlat(versions(all.slice(0, 1)), 9)),
    });
    const expected = await landedBy("storeb/orders", Object.fromEntries(files));
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(files, { minLength: files.length }),
        fc.nat(files.length),
        async (order, cut) => {
          const { rows } = await landedBy(
            "storeb/orders",
            Object.fromEntries(order.slice(0, cut)),
            Object.fromEntries(order.slice(cut)),
          );
          expect(rows).to.deep.equal(expected.rows);
        },
      ),
      { numRuns: 4 },
    );
  });

  it("give the same in any split of tables over files and syncs: Fivetran and dlt", async () => {
    const [all = []] = fc.sample(orders, { numRuns: 1, seed: 4 });
    for (const files of [fivetranOrders(all), dlt("orders", all)]) {
      const expected = await landedBy("storeb/orders", files);
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray(Object.entries(files), { minLength: Object.keys(files).length }),
          async (order) => {
            const halves = [order.slice(0, 3), order.slice(3)].map((half) => Object.fromEntries(half));
            const { rows, outcomes } = await landedBy("storeb/orders", ...halves);
            expect(rows).to.deep.equal(expected.rows);
            expect(outcomes[1]?.refused).to.deep.equal([]);
          },
        ),
        { numRuns: 2 },
      );
    }
  });

  it("count once, though dlt has them in several loads", async () => {
    const [all = []] = fc.sample(orders, { numRuns: 1, seed: 5 });
    const { rows } = await landedBy("storeb/orders", { ...dlt("orders", all, 1), ...dlt("orders", all, 2) });
    expect(rows).to.deep.equal((await landedBy("storeb/orders", { "a.jsonl": lines(...all) })).rows);
  });
});

describe("Rows that were deleted", () => {
  const order = { id: 7300000000001, created_at: "2025-01-01T00:00:00Z", total_price: "1.00", line_items: [] };

  it("are gone, unless a newer version lives, and are no rejects", async () => {
    const deleted = { id: order.id, deleted_at: "2025-03-01T10:00:00-03:00", deleted_message: "x" };
    const live = { "orders/1.jsonl": lines(...airbyte([{ ...order, updated_at: "2025-02-01T00:00:00Z" }], 1)) };
    const gone = { "orders/2.jsonl": lines(...airbyte([deleted], 2)) };
    const again = { "orders/3.jsonl": lines(...airbyte([{ ...order, updated_at: "2025-03-02T00:00:00Z" }], 3)) };
    const { rows, outcomes, rejects } = await landedBy("storeb/orders", live, gone);
    expect([rows, rejects, outcomes[1]?.rejected, outcomes[1]?.landed]).to.deep.equal([[], [], 0, 0]);
    expect((await landedBy("storeb/orders", gone, live)).rows).to.deep.equal([]);
    expect((await landedBy("storeb/orders", gone, again, live)).rows).to.have.length(1);
  });

  it("are marked in a column of Fivetran and of Singer", async () => {
    const product = { id: 1, title: "A", vendor: "v", updated_at: "2025-01-01 00:00:00" };
    const variant = { id: 2, product_id: 1, price: "5.00", inventory_item_id: 3, updated_at: "2025-01-01 00:00:00" };
    const files = (number: number, isGone: boolean): Files => ({
      [`product/${number}.csv`]: csv(
        [synced(number, { ...product, ...(isGone ? { _fivetran_deleted: true } : {}) })].map((row) => ({
          ...row,
          _fivetran_deleted: isGone,
        })),
      ),
      [`product_variant/${number}.csv`]: csv([synced(number, variant)]),
    });
    expect((await landedBy("storeb/products", files(1, false))).rows).to.have.length(1);
    expect((await landedBy("storeb/products", files(1, false), files(2, true))).rows).to.deep.equal([]);
    const { rows } = await landedBy("storeb/orders", {
      "orders/a.jsonl": lines(
        { ...order, _sdc_extracted_at: extractedIso(1) },
        { ...order, _sdc_extracted_at: extractedIso(2), _sdc_deleted_at: extractedIso(2) },
      ),
    });
    expect(rows).to.deep.equal([]);
  });

  it("are listed in a stream of their own", async () => {
    const product = { id: 1, title: "A", updated_at: "2025-01-01T00:00:00Z" };
    const variant = { id: 2, product_id: 1, price: 5, inventory_item_id: 3 };
    const { rows, outcomes } = await landedBy("storeb/products", {
      "products/1.jsonl": lines(...airbyte([product, { ...product, id: 9 }], 1)),
      "product_variants/1.jsonl": lines(...airbyte([variant], 1)),
      "deleted_products/1.jsonl": lines(...airbyte([{ id: 9, deleted_at: "2025-02-01T00:00:00Z" }], 2)),
    });
    expect(outcomes[0]?.refused).to.deep.equal([]);
    expect(rows.map((row) => row.id)).to.deep.equal(["gid://shopify/Product/1"]);
  });
});

describe("Tables of EL tools", () => {
  it("add up ads and devices of a campaign's day, and keep money and ids whole", async () => {
    const rows = [insight(10), insight(20, { ad_id: "2" }), insight(5, { ad_id: "2", impression_device: "iphone" })];
    for (const file of [csv(airbyteFlat(rows)), lines(...airbyteFlat(rows)), await parquetOf(airbyteFlat(rows))]) {
      const landed = await landedBy("socialads/campaigns", { "ads_insights/0": file });
      expect(landed.rows).to.have.length(1);
      expect(landed.rows[0]).to.include({ spend: "35.000000", campaign_id: "120330000000000017" });
    }
  });

  it("have budgets in minor units and flattened targeting", async () => {
    const adSet = { id: "5", name: "[Acq] x", created_time: "2025-01-01T00:00:00-0300", daily_budget: 2000 };
    const targeting = { age_min: 18, publisher_platforms: ["facebook"] };
    const expected = {
      daily_budget: "20.000000",
      targeting_age_min: "18",
      targeting_publisher_platforms: '["facebook"]',
      name: "[Acq] x",
    };
    const layouts: readonly Files[] = [
      { "ad_sets/1.csv": csv(airbyteFlat([{ ...adSet, targeting }])) },
      { "ad_sets/1.parquet": await parquetOf(airbyteFlat([{ ...adSet, targeting }])) },
      dlt("ad_sets", [{ ...adSet, targeting: { age_min: 18 } }]),
    ];
    for (const [at, files] of layouts.entries()) {
      const { rows, outcomes } = await landedBy("socialads/adset-config", files);
      expect(outcomes[0]?.refused).to.deep.equal([]);
      const { targeting_publisher_platforms: platforms, ...others } = expected;
      expect(rows[0]).to.include(at < 2 ? { ...others, targeting_publisher_platforms: platforms } : others);
    }
  });

  it("join products to their variants, and items to their levels", async () => {
    const product = {
      id: 6796217843901,
      title: "A",
      status: "ARCHIVED",
      total_inventory: 3,
      tracks_inventory: true,
      price_range_v2: { max_variant_price: { amount: "9.50", currency_code: "BRL" } },
      featured_image: { url: "https://x/1.png" },
      variants: [{ id: 1 }],
    };
    const variant = {
      id: 1,
      product_id: product.id,
      price: 9.5,
      sku: "S",
      inventory_policy: "DENY",
      inventory_quantity: 3,
    };
    const { rows } = await landedBy(
      "storeb/products",
      { "products/1.jsonl": lines(...airbyteFlat([product])) },
      { "product_variants/1.csv": csv(airbyteFlat([{ ...variant, inventory_item: { id: 7, tracked: true } }])) },
    );
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({
      id: "gid://shopify/Product/6796217843901",
      status: "archived",
      total_inventory: "3",
      tracks_inventory: true,
      price_range_v2_max_variant_price_amount: "9.500000",
      image_url: "https://x/1.png",
    });
    expect(rows[0]?.variants).to.deep.include.members([
      {
        variant_id: "gid://shopify/ProductVariant/1",
        legacy_id: "1",
        sku: "S",
        price: "9.500000",
        inventory_item_id: "gid://shopify/InventoryItem/7",
        tracked: true,
        inventory_policy: "deny",
        inventory_quantity: "3",
      },
    ]);
    const level = (location: number, available: number): Members => ({
      id: `${location}|7`,
      inventory_item_id: 7,
      location_id: location,
      quantities: [
        { name: "on_hand", quantity: 99 },
        { name: "available", quantity: available },
      ],
    });
    const stock = await landedBy("storeb/inventory", {
      "inventory_items/1.jsonl": lines(
        ...airbyteFlat([
          { id: 7, cost: 4.25, tracked: true },
          { id: 8, tracked: false },
        ]),
      ),
      "inventory_levels/1.jsonl": lines(...airbyteFlat([level(1, 5), level(2, -2)])),
    });
    expect(stock.rows).to.deep.equal([
      { inventory_item_id: "gid://shopify/InventoryItem/7", tracked: true, unit_cost: "4.250000", available: "3" },
      { inventory_item_id: "gid://shopify/InventoryItem/8", tracked: false },
    ]);
  });

  it("take the newest name of a campaign by the vendor's time, and keep clicks unknown", async () => {
    const { rows, outcomes } = await landedBy("socialads/campaigns", {
      "basic_ad/1.csv": csv([
        {
          ad_id: "1",
          date: "2025-01-02",
          account_id: "9",
          impressions: 5,
          inline_link_clicks: 1,
          spend: 2.5,
          reach: 3,
        },
        {
          ad_id: "2",
          date: "2025-01-02",
          account_id: "9",
          impressions: 5,
          inline_link_clicks: 1,
          spend: 1.5,
          reach: 3,
        },
      ]),
      "ad_history/1.csv": csv([
        synced(5, { id: "1", ad_set_id: "3", campaign_id: "old", updated_time: "2025-01-01T00:00:00" }),
        synced(1, { id: "1", ad_set_id: "3", campaign_id: "77", updated_time: "2025-01-03T00:00:00" }),
        synced(1, { id: "2", ad_set_id: "3", campaign_id: "77", updated_time: "2025-01-03T00:00:00" }),
      ]),
      "campaign_history/1.csv": csv([
        synced(9, { id: "77", name: "Before", updated_time: "2025-01-01 00:00:00", objective: "X" }),
        {
          ...synced(1, { id: "77", name: "Now", updated_time: "2025-01-02 00:00:00", objective: "Y" }),
          _fivetran_deleted: true,
        },
      ]),
    });
    expect(outcomes[0]?.refused).to.deep.equal([]);
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ campaign_id: "77", campaign_name: "Now", objective: "Y", spend: "4.000000" });
    expect(rows[0]).not.to.have.property("clicks");
  });

  it("name the parts of a path with dots, underscores or capitals", async () => {
    const day = (spelled: (path: string) => string): Members =>
      Object.fromEntries(
        Object.entries({
          "campaign.id": 21100000001,
          "campaign.name": "[Acq] Search",
          "metrics.cost_micros": 1500000,
          "metrics.clicks": 2,
          "segments.date": "2025-01-02",
          "segments.ad_network_type": "SEARCH",
        }).map(([path, value]) => [spelled(path), value]),
      );
    const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const spellings: readonly ((path: string) => string)[] = [
      (path) => path,
      (path) => path.replace(".", "__"),
      (path) => camel(path).replace(".", "__"),
      (path) => path.replace(".", "_"),
      (path) => camel(path.replace(".", "_")),
      (path) => (path.startsWith("campaign") ? path.replace(".", "_") : (path.split(".")[1] ?? "")),
    ];
    for (const spelled of spellings) {
      const { rows, outcomes } = await landedBy("searchads/campaigns", {
        "campaign/1.csv": csv(
          airbyteFlat([day(spelled), { ...day(spelled), [spelled("segments.ad_network_type")]: "CONTENT" }]),
        ),
      });
      expect(outcomes[0]?.refused).to.deep.equal([]);
      expect(rows).to.deep.equal([
        {
          date: "2025-01-02",
          campaign_id: "21100000001",
          campaign_name: "[Acq] Search",
          cost: "3.000000",
          clicks: "4",
        },
      ]);
    }
  });

  it("have the properties of the CRM as columns or as an object", async () => {
    const properties = {
      email: "a@example.com",
      lifecyclestage: "lead",
      createdate: "2025-01-01T00:00:00.000Z",
      lastmodifieddate: "2025-01-02T00:00:00.000Z",
    };
    const prefixed = (prefix: string): Members =>
      Object.fromEntries(Object.entries(properties).map(([name, value]) => [prefix + name, value]));
    const layouts: readonly Files[] = [
      { "contact/1.csv": csv([synced(1, { id: 5, ...prefixed("property_") })]) },
      {
        "contacts/1.csv": csv(
          airbyteFlat([
            {
              id: 5,
              createdAt: properties.createdate,
              updatedAt: properties.lastmodifieddate,
              archived: false,
              properties,
            },
          ]),
        ),
      },
      dlt("contacts", [{ id: "5", is_deleted: false, ...properties }]),
    ];
    for (const files of layouts) {
      const { rows } = await landedBy("crm/contacts", files);
      expect(rows).to.deep.equal([
        {
          id: "5",
          email: "a@example.com",
          lifecycle_stage: "lead",
          create_date: "2025-01-01 00:00:00+00",
          last_modified_date: "2025-01-02 00:00:00+00",
          created_at: "2025-01-01 00:00:00+00",
          updated_at: "2025-01-02 00:00:00+00",
          archived: false,
        },
      ]);
    }
  });

  it("join pipelines to their stages", async () => {
    const stages = [
      { id: "b", label: "B", display_order: 1, metadata: { is_closed: "true", probability: "1.0" } },
      { id: "a", label: "A", display_order: 0, metadata: { is_closed: "false", probability: "0.2" } },
    ];
    const layouts: readonly Files[] = [
      dlt("pipelines_deal", [{ id: "p", label: "P", display_order: 0, stages }]),
      {
        "deal_pipeline/1.csv": csv([synced(1, { pipeline_id: "p", label: "P", display_order: 0 })]),
        "deal_pipeline_stage/1.csv": csv(
          stages.map(({ id, metadata, ...stage }) =>
            synced(1, { stage_id: id, pipeline_id: "p", ...stage, ...metadata }),
          ),
        ),
      },
    ];
    for (const files of layouts) {
      const { rows } = await landedBy("crm/pipelines", files);
      expect(rows[0]).to.include({ id: "p", label: "P", object_type: "DEAL" });
      const joined = (rows[0]?.stages ?? []) as Members[];
      expect(joined.map(({ id, is_closed }) => [id, is_closed])).to.deep.equal([
        ["a", false],
        ["b", true],
      ]);
    }
  });
});

describe("What is refused of EL tools", () => {
  it("names the stream that is missing, until it lands", async () => {
    const line = synced(1, { order_id: 1, id: 2, quantity: 1, price: "1.00", variant_id: 3 });
    const order = synced(1, {
      id: 1,
      created_at: "2025-01-01 00:00:00",
      financial_status: "paid",
      total_price: "1.00",
    });
    const folder = await RecordFolder.of("storeb/orders");
    try {
      const first = await folder.sync({ "order_line/1.csv": csv([line]) });
      expect(first.refused[0]?.reason).to.match(/^order_line: .*without order\b/);
      expect(await folder.rows()).to.deep.equal([]);
      const second = await folder.sync({ "order/1.csv": csv([order]) });
      expect([second.refused, second.landed]).to.deep.equal([[], 1]);
    } finally {
      await folder.remove();
    }
    expect((await reasons("storeb/orders", { "order/1.csv": csv([order]) }))[0]).to.match(
      /^order: .*without order_line\b/,
    );
    expect((await reasons("storeb/orders", { "x/1.csv": csv([line]) }))[0]).to.match(/^order_line: /);
  });

  it("is a table that would land emptied, or as objects of another kind, without the others of its record", async () => {
    const one = (row: Members): string => csv([synced(1, row)]);
    const variant = { id: 2, product_id: 1, price: "1.00", inventory_item_id: 3 };
    const level = { id: 4, inventory_item_id: 3, location_id: 5, updated_at: "2025-01-01 00:00:00" };
    const stages = dlt("pipelines_deal", [
      { id: "p", label: "P", display_order: 0, stages: [{ id: "a", label: "A", metadata: { is_closed: "false" } }] },
    ]);
    const load = (files: Files, table: string): Files =>
      Object.fromEntries(Object.entries(files).filter(([name]) => name.startsWith(`${table}/`)));
    const order = { id: 1, created_at: "2025-01-01T00:00:00Z", financial_status: "paid", total_price: "1.00" };
    const alone: readonly (readonly [record: string, files: Files, missing: string])[] = [
      ["storeb/products", { "x.csv": one({ id: 1, title: "A", handle: "a", vendor: "x" }) }, "product_variant"],
      ["storeb/products", { "x.csv": one(variant) }, "product"],
      ["storeb/products", { "products/1.jsonl": lines(...airbyteFlat([{ id: 1, title: "A" }])) }, "product_variants"],
      ["storeb/inventory", { "x.csv": one(level) }, "inventory_item"],
      [
        "storeb/inventory",
        { "x.csv": one({ inventory_level_id: 4, name: "available", quantity: 1 }) },
        "inventory_item",
      ],
      ["storeb/inventory", { "inventory_levels/1.jsonl": lines(...airbyteFlat([level])) }, "inventory_items"],
      ["storeb/orders", load(dlt("orders", [{ ...order, line_items: [{ id: 2 }] }]), "orders"), "orders__line_items"],
      ["crm/pipelines", load(stages, "pipelines_deal"), "pipelines_deal__stages"],
      ["crm/pipelines", load(stages, "pipelines_deal__stages"), "pipelines_deal"],
    ];
    for (const [record, files, missing] of alone) {
      const { rows, outcomes } = await landedBy(record, files);
      expect(rows, JSON.stringify(files)).to.deep.equal([]);
      expect(outcomes[0]?.refused[0]?.reason).to.match(new RegExp(`nothing lands without (?:\\w+, )*${missing}\\b`));
    }
    const { rows } = await landedBy("storeb/products", {
      "a.csv": one({ id: 1, title: "A", handle: "a", vendor: "x" }),
      "b.csv": one(variant),
    });
    expect(rows[0]).to.include({ id: "gid://shopify/Product/1", title: "A" });
  });

  it("names an unknown stream and the known ones", async () => {
    const customer = synced(1, { id: 1, first_name: "x", email: "a@example.com" });
    const [reason] = await reasons("storeb/orders", { "customer/1.csv": csv([customer]) });
    expect(reason).to.match(/^customer: not a stream.*known: order, order_line/);
    const terms = { date: "2025-01-01", campaign_id: 1, clicks: 1, impressions: 2, cost_micros: 5, search_term: "x" };
    expect((await reasons("searchads/campaigns", { "terms/1.csv": csv([synced(1, terms)]) }))[0]).to.match(
      /^terms: not a stream of this record from Fivetran/,
    );
    const groups = { id: 1, name: "A", updated_at: "2025-01-01", type: "x", ad_group: 2, url: "x", path: "x" };
    expect((await reasons("searchads/campaigns", { "groups.csv": csv([groups]) }))[0]).to.not.include("crm/products");
    const { rejects } = await landedBy("socialads/campaigns", {
      "x.jsonl": lines({ stream: "ads", data: { id: 1 }, emitted_at: 1 }),
    });
    expect(rejects[0]?.reason).to.match(/^ads: not a stream of this record; known: /);
    const known = {
      id: 1,
      created_at: "2025-01-01T00:00:00Z",
      financial_status: "paid",
      total_price: "1.00",
      line_items: [],
    };
    const mixed = await landedBy("storeb/orders", {
      "orders/1.jsonl": lines(...airbyte([known])),
      "customer_journey_summary/1.jsonl": lines(...airbyte([{ order_id: 1 }])),
    });
    expect(mixed.rows.map(({ order_id }) => order_id)).to.deep.equal(["1"]);
    expect(mixed.outcomes[0]?.refused.map(({ file }) => file)).to.deep.equal(["customer_journey_summary/1.jsonl"]);
  });

  it("is a row whose amount or key the tool has left out, and no other", async () => {
    const row = (field: string): Members => ({
      ...airbyte([insight(1)])[0],
      _airbyte_meta: { changes: [{ field, change: "NULLED", reason: "DESTINATION_FIELD_SIZE_LIMITATION" }] },
    });
    const spend = await landedBy("socialads/campaigns", { "a.jsonl": lines(row("spend")) });
    expect(spend.rows).to.deep.equal([]);
    expect(spend.rejects[0]?.reason).to.match(/^spend: NULLED by Airbyte/);
    expect((await landedBy("socialads/campaigns", { "a.jsonl": lines(row("ad_name")) })).rows).to.have.length(1);
  });

  it("is a Python list, and an id that was rounded", async () => {
    const order = { id: 1, created_at: "2025-01-01T00:00:00Z", financial_status: "paid", total_price: "1.00" };
    const [python] = await reasons("storeb/orders", {
      "orders.csv": csv([{ ...order, line_items: "[{'id': 1, 'price': None}]", _sdc_sequence: 1 }]),
    });
    expect(python).to.match(/line_items.*target-jsonl/);
    const { rejects } = await landedBy("storeb/orders", {
      "orders/1.csv": csv(airbyteFlat([{ ...order, id: "1,2021E+17", line_items: [] }])),
    });
    expect(rejects[0]?.reason).to.match(/1,2021E\+17.*rounded/);
  });

  it("is a table of a data lake with its metadata", async () => {
    for (const metadata of ["order/metadata/v1.metadata.json", "order/_delta_log/00000000000000000000.json"]) {
      const [reason] = await reasons("storeb/orders", {
        [metadata]: "{}",
        "order/data/1.parquet": await parquetOf([{ id: 1 }]),
        "order/2.parquet": "x",
      });
      expect(reason).to.match(/data lake/);
    }
  });

  it("is a row that fills no field but its key", async () => {
    const { rows, rejects } = await landedBy("webanalytics/customers", {
      "x/1.jsonl": lines(...airbyte([{ property_id: "1", date: "20250102", active1DayUsers: 5 }])),
    });
    expect(rows).to.deep.equal([]);
    expect(rejects[0]?.reason).to.match(/active1DayUsers/);
  });

  it("leaves out in silence what tools write about themselves", async () => {
    const [all = []] = fc.sample(orders, { numRuns: 1, seed: 6 });
    const { outcomes, rows } = await landedBy("storeb/orders", {
      ...dlt("orders", all),
      "_dlt_loads/shopify__1740830400.5.jsonl": lines({ load_id: "1740830400.5", status: 0 }),
      "_dlt_version/x.jsonl": lines({ version: 1 }),
      "_dlt_pipeline_state/x.jsonl": lines({ version: 1 }),
      "orders/init": "",
      init: "",
    });
    expect(outcomes[0]?.refused).to.deep.equal([]);
    expect(outcomes[0]?.seen).to.equal(Object.keys(dlt("orders", all)).length);
    expect(rows).to.have.length(all.length);
  });
});

describe("Reports of web analytics from EL tools", () => {
  const day = {
    eventName: "purchase",
    eventCount: 2,
    eventCountPerUser: 1,
    eventValue: 10.5,
    eventsPerSession: 0.5,
    keyEvents: 2,
  };
  const expected = [
    {
      event_name: "purchase",
      date: "2025-01-02",
      event_count: "2",
      event_count_per_user: 1,
      event_value: 10.5,
      events_per_session: 0.5,
      key_events: 2,
    },
  ];
  const snake = (suffixes: Readonly<Record<string, string>> = {}): Members =>
    Object.fromEntries(
      Object.entries(day).map(([name, value]) => [
        name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) + (suffixes[name] ?? ""),
        value,
      ]),
    );

  const layouts: Readonly<Record<string, () => Files>> = {
    Airbyte: () => ({ "any/1.jsonl": lines(...airbyte([{ property_id: "1", date: "20250102", ...day }])) }),
    "Airbyte CSV": () => ({ "any/1.csv": csv(airbyteFlat([{ property_id: "1", date: "20250102", ...day }])) }),
    Singer: () => ({ "events-20250301.jsonl": lines({ date: "20250102", ...day, report_start_date: "2025-01-01" }) }),
    Fivetran: () => ({
      "events_report/1.csv": csv([synced(1, { _fivetran_id: "x", property: "p", date: "2025-01-02", ...snake() })]),
    }),
    dlt: () =>
      dlt("events_report", [
        {
          date: "2025-01-02T00:00:00Z",
          ...snake({
            eventCount: "_integer",
            eventCountPerUser: "_float",
            eventValue: "_float",
            eventsPerSession: "_float",
            keyEvents: "_float",
          }),
        },
      ]),
  };
  for (const [name, files] of Object.entries(layouts)) {
    it(`land by their names: ${name}`, async () => {
      const { rows, rejects } = await landedBy("webanalytics/events", files());
      expect(rejects).to.deep.equal([]);
      expect(rows).to.deep.equal(expected);
    });
  }

  it("add up over dimensions that the record does not have", async () => {
    const rows = ["Chrome", "Safari"].map((browser) => ({
      date: "20250102",
      ...day,
      browser,
      newUsers: Math.random(),
    }));
    const landed = await landedBy("webanalytics/events", { "1.csv": csv(airbyteFlat(rows)) });
    expect(landed.rows[0]).to.include({ event_count: "4", event_value: 21 });
  });

  it("are refused by ranges and without a date; two kinds in one record are a warning", async () => {
    const { rejects } = await landedBy("webanalytics/events", {
      "1.jsonl": lines(...airbyte([{ startDate: "20250101", endDate: "20250131", ...day }, day])),
    });
    expect(rejects.some(({ reason }) => reason.startsWith("startDate"))).to.equal(true);
    expect(rejects.some(({ reason }) => reason === "date: missing")).to.equal(true);
    const { outcomes } = await landedBy("webanalytics/customers", {
      "devices/1.jsonl": lines(...airbyte([{ date: "20250102", deviceCategory: "desktop", sessions: 3 }])),
      "locations/1.jsonl": lines(...airbyte([{ date: "20250102", country: "Brazil", sessions: 3 }])),
    });
    expect(outcomes[0]?.warnings?.[0]).to.match(/\(country\) and \(deviceCategory\)/);
  });
});

describe("Events of the warehouse export", () => {
  const event = (name: string, user: string | null, more: Members = {}): Members => ({
    event_date: "20250108",
    event_timestamp: String(extracted(1) * 1_000_000 + Math.floor(Math.random() * 1e6)),
    event_name: name,
    event_params: [
      { key: "value", value: { double_value: 1.5 } },
      { key: "ga_session_id", value: { int_value: "7" } },
    ],
    ...(user === null ? {} : { user_pseudo_id: user }),
    ...more,
  });
  const first = [event("view_item", "a"), event("view_item", "a"), event("purchase", "b")];
  const second = [event("view_item", "b"), event("view_item", null)];

  it("are counted by day and name, users and sessions once over all files", async () => {
    const files = {
      "events_20250108-000000000000.json": lines(...first),
      "events_20250108-000000000001.json": lines(...second),
    };
    for (const syncs of [
      [files],
      Object.entries(files)
        .reverse()
        .map(([name, text]) => ({ [name]: text })),
    ]) {
      const { rows } = await landedBy("webanalytics/events", ...(syncs as Files[]));
      expect(rows).to.deep.equal([
        {
          event_name: "purchase",
          date: "2025-01-08",
          event_count: "1",
          event_count_per_user: 1,
          event_value: 1.5,
          events_per_session: 1,
        },
        {
          event_name: "view_item",
          date: "2025-01-08",
          event_count: "4",
          event_count_per_user: 2,
          event_value: 6,
          events_per_session: 2,
        },
      ]);
    }
  });

  it("count once in copies, in new versions of a table, and in intraday tables beside the final one", async () => {
    const { rows } = await landedBy(
      "webanalytics/events",
      {
        "events_intraday_20250108.json": lines(...first, ...second),
        "events_20250108.json": lines(...first.slice(0, 1)),
      },
      { "again/events_20250108.json": lines(...first), "copy.parquet": await parquetOf(first) },
    );
    expect(rows.map((row) => [row.event_name, row.event_count])).to.deep.equal([
      ["purchase", "1"],
      ["view_item", "2"],
    ]);
    const intraday = await landedBy("webanalytics/events", { "events_intraday_20250108.json": lines(...first) });
    expect(intraday.rows).to.have.length(2);
  });

  it("give the items' units by the event", async () => {
    const items = [
      { item_id: "1", item_name: "A", quantity: "2", item_revenue: 9.5 },
      { item_id: "1", item_name: "A" },
    ];
    const rows = ["view_item", "add_to_cart", "begin_checkout", "purchase", "scroll"].map((name) =>
      event(name, "a", { items }),
    );
    const landed = await landedBy("webanalytics/items", { "events_20250108.json": lines(...rows) });
    expect(landed.rows).to.deep.equal([
      {
        date: "2025-01-08",
        item_id: "1",
        item_name: "A",
        items_viewed: "3",
        items_added_to_cart: "3",
        items_checked_out: "3",
        items_purchased: "3",
        item_revenue: "9.500000",
      },
    ]);
  });
});
