import { expect } from "chai";
import type { Row } from "../../../src/core/engine/database.ts";
import { type Files, landedBy, lines, RecordFolder } from "../../support/tools.ts";
import { airbyte, airbyteFlat, csv, dlt, extractedIso, type Members } from "./objects.ts";

const synced = (row: Members, number = 1): Members => ({ ...row, _fivetran_synced: extractedIso(number) });
const listOf = (row: Row | undefined, name: string): readonly Members[] => (row?.[name] ?? []) as readonly Members[];
const table = (name: string, ...rows: readonly Members[]): Files => ({
  [`${name}/1.csv`]: csv(rows.map((row) => synced(row))),
});

describe("Orders of the GraphQL API from EL tools", () => {
  it("join from the tables of Fivetran: unit prices, visits, discounts, taxes, shipping, refunds", async () => {
    const { rows, outcomes } = await landedBy("storeb/orders", {
      ...table("order", {
        id: 1,
        created_at: "2025-01-01 10:00:00",
        updated_at: "2025-01-01 10:00:00",
        display_financial_status: "PARTIALLY_REFUNDED",
        currency_code: "BRL",
        total_price_set_shop_amount: "31.00",
        total_price_set_pres_amount: "6.00",
        total_shipping_price_set_shop_amount: "1.00",
        customer_id: 5,
        test: false,
      }),
      ...table("order_line", {
        id: 11,
        order_id: 1,
        quantity: 3,
        original_total_set_shop_amount: "10.00",
        total_discount_set_shop_amount: "9.00",
        product_id: 7,
        variant_id: 8,
        is_gift_card: false,
        title: "A",
        vendor: "V",
        unfulfilled_quantity: 1,
      }),
      ...table(
        "discount_allocation",
        { order_line_id: 11, index: 0, allocated_amount_set_shop_amount: "1.50" },
        { order_line_id: 11, index: 1, allocated_amount_set_shop_amount: "0.25" },
      ),
      ...table("order_line_tax_line", { order_line_id: 11, index: 0, price_set_shop_amount: "0.10", rate: 0.1 }),
      ...table("refund", {
        id: 21,
        order_id: 1,
        created_at: "2025-01-02 10:00:00",
        total_refunded_set_shop_amount: "4.00",
        total_refunded_set_pres_amount: "0.80",
      }),
      ...table("refund_line_item", {
        id: 31,
        refund_id: 21,
        order_line_id: 11,
        quantity: 1.0,
        restock_type: "RETURN",
        subtotal_set_shop_amount: "3.33",
        subtotal_set_pres_amount: "0.60",
        total_tax_set_shop_amount: "0.03",
      }),
      ...table("order_adjustment", {
        id: 41,
        refund_id: 21,
        amount_set_shop_amount: "-0.50",
        amount_set_pres_amount: "-0.10",
        tax_amount_set_shop_amount: "-0.05",
      }),
      ...table(
        "transaction",
        { id: 51, order_id: 1, refund_id: 21, kind: "REFUND", status: "SUCCESS", amount_set_shop_amount: "3.91" },
        {
          id: 52,
          order_id: 1,
          refund_id: null,
          kind: "SALE",
          status: "SUCCESS",
          amount_set_shop_amount: "31.00",
          gateway: "Pix",
        },
      ),
      ...table("order_discount_code", { order_id: 1, index: 1, code: "B" }, { order_id: 1, index: 0, code: "A" }),
      ...table(
        "customer_visit",
        { id: 1, order_id: 1, type: "FIRST", utm_parameters_source: "x" },
        { id: 2, order_id: 1, type: "LAST", utm_parameters_source: "google", landing_page: "https://shop/" },
      ),
    });
    expect(outcomes[0]?.refused).to.deep.equal([]);
    expect(rows).to.have.length(1);
    expect(rows[0]).to.deep.include({
      order_id: "1",
      financial_status: "partially_refunded",
      currency: "BRL",
      total_price: "31.000000",
      total_shipping: "1.000000",
      customer_id: "gid://shopify/Customer/5",
      coupon_code: "A",
      utm_source: "google",
      payment_method: "Pix",
      items: [
        {
          line_id: "gid://shopify/LineItem/11",
          product_id: "gid://shopify/Product/7",
          variant_id: "gid://shopify/ProductVariant/8",
          sku: null,
          name: "A",
          vendor: "V",
          quantity: "3",
          current_quantity: null,
          price: "3.333333",
          discount: "1.750000",
          tax: "0.100000",
          is_gift_card: false,
        },
      ],
      refunds: [
        {
          refund_no: "0",
          refund_id: "gid://shopify/Refund/21",
          line_id: "gid://shopify/LineItem/11",
          quantity: "1",
          restock_type: "return",
          subtotal: "3.330000",
          tax: "0.030000",
          created_at: "2025-01-02 10:00:00+00",
          processed_at: null,
        },
      ],
      refund_totals: [
        {
          refund_no: "0",
          refund_id: "gid://shopify/Refund/21",
          created_at: "2025-01-02 10:00:00+00",
          processed_at: null,
          repaid: "3.910000",
          total_refunded: "4.000000",
          shipping: null,
          adjustments: "-0.550000",
        },
      ],
    });
  });

  it("take UTMs from the tags of the landing page, and shipping from its lines", async () => {
    const { rows } = await landedBy("storeb/orders", {
      ...table("order", {
        id: 1,
        created_at: "2025-01-01 10:00:00",
        financial_status: "paid",
        total_price: "1.00",
        landing_site_base_url: "/p",
      }),
      ...table("order_line", {
        id: 11,
        order_id: 1,
        quantity: 1,
        price: "1.00",
        total_discount: "0.20",
        gift_card: false,
      }),
      ...table(
        "order_url_tag",
        { order_id: 1, key: "utm_source", value: "google" },
        { order_id: 1, key: "utm_campaign", value: "[Acq] x" },
        { order_id: 1, key: "gclid", value: "abc" },
      ),
      ...table(
        "order_shipping_line",
        { id: 1, order_id: 1, price: "4.00", discounted_price: "4.00", carrier_identifier: "" },
        { id: 2, order_id: 1, price: "3.00", discounted_price: "2.50", carrier_identifier: "" },
      ),
    });
    expect(rows[0]).to.include({
      utm_source: "google",
      utm_campaign: "[Acq] x",
      landing_site: "/p",
      total_shipping: "6.500000",
    });
    // Its discounts were not exported: what the line says is all that is known; its taxes are unknown.
    expect(listOf(rows[0], "items")[0]).to.include({ discount: "0.200000", tax: null });
  });

  it("have refunds, variants and levels as streams of their own in camel case: Singer", async () => {
    const gid = (type: string, id: number): string => `gid://shopify/${type}/${id}`;
    const money = (amount: string): Members => ({ shopMoney: { amount, currencyCode: "BRL" } });
    const order = {
      id: gid("Order", 1),
      createdAt: "2025-01-01T10:00:00Z",
      updatedAt: "2025-01-01T10:00:00Z",
      displayFinancialStatus: "PAID",
      totalPriceSet: money("10.00"),
      lineItems: [
        { id: gid("LineItem", 11), quantity: 2, originalUnitPriceSet: money("5.00"), discountAllocations: [] },
      ],
    };
    const refund = {
      id: gid("Refund", 21),
      order: { id: order.id },
      createdAt: "2025-01-02T10:00:00Z",
      totalRefundedSet: money("5.20"),
      refundLineItems: [
        { quantity: 1, restockType: "RETURN", lineItem: { id: gid("LineItem", 11) }, subtotalSet: money("5.00") },
      ],
      refundShippingLines: [{ id: gid("RefundShippingLine", 1), subtotalAmountSet: money("0.20") }],
      refund_shipping_lines: [{ subtotal_amount_set: { shop_money: { amount: "9.00" } } }],
    };
    const record = (stream: string, row: Members): Members => ({ type: "RECORD", stream, record: row });
    const orders = await landedBy("storeb/orders", {
      "tap.jsonl": lines(
        { type: "SCHEMA", stream: "orders" },
        record("orders", order),
        record("order_refunds", refund),
      ),
    });
    expect(orders.rejects).to.deep.equal([]);
    expect(orders.rows[0]).to.deep.include({
      order_id: "1",
      refunds: [
        {
          refund_no: "0",
          refund_id: gid("Refund", 21),
          line_id: gid("LineItem", 11),
          quantity: "1",
          restock_type: "return",
          subtotal: "5.000000",
          tax: null,
          created_at: "2025-01-02 10:00:00+00",
          processed_at: null,
        },
      ],
      refund_totals: [
        {
          refund_no: "0",
          refund_id: gid("Refund", 21),
          created_at: "2025-01-02 10:00:00+00",
          processed_at: null,
          repaid: null,
          total_refunded: "5.200000",
          shipping: "0.200000",
          adjustments: null,
        },
      ],
    });
    const products = await landedBy("storeb/products", {
      "products/1.jsonl": lines({
        id: gid("Product", 5),
        title: "A",
        status: "ACTIVE",
        updatedAt: "2025-01-01T00:00:00Z",
      }),
      "product_variants/1.jsonl": lines({
        id: gid("ProductVariant", 6),
        product: { id: gid("Product", 5) },
        price: "5.00",
        inventoryItem: { id: gid("InventoryItem", 7), tracked: true },
      }),
    });
    expect(products.outcomes[0]?.refused).to.deep.equal([]);
    expect(listOf(products.rows[0], "variants")[0]).to.include({ price: "5.000000", tracked: true });
    const stock = await landedBy("storeb/inventory", {
      "inventory_items/1.jsonl": lines({ id: gid("InventoryItem", 7), tracked: true, unitCost: { amount: "2.00" } }),
      "inventory_levels/1.jsonl": lines(
        ...[1, 2].map((location) => ({
          id: `gid://shopify/InventoryLevel/${location}?inventory_item_id=7`,
          item: { id: gid("InventoryItem", 7), variant: { id: gid("ProductVariant", 6) } },
          location: { id: gid("Location", location) },
          quantities: [{ name: "available", quantity: location }],
        })),
      ),
    });
    expect(stock.rows[0]).to.include({ available: "3", unit_cost: "2.000000" });
  });

  it("count a refund once that is in the order and in a stream of its own: Airbyte", async () => {
    const line = { id: 31, line_item_id: 11, quantity: 1, restock_type: "return" };
    const refund = { id: 21, order_id: 1, created_at: "2025-01-02T00:00:00Z", refund_line_items: [line] };
    const order = {
      id: 1,
      created_at: "2025-01-01T00:00:00Z",
      total_price: 5,
      line_items: [{ id: 11, quantity: 2, price: 5 }],
      refunds: [refund],
    };
    const { rows } = await landedBy(
      "storeb/orders",
      { "orders/1.jsonl": lines(...airbyte([order])) },
      { "order_refunds/1.jsonl": lines(...airbyte([refund, { ...refund, id: 22 }])) },
    );
    expect(listOf(rows[0], "refunds").map(({ refund_id }) => refund_id)).to.have.members([
      "gid://shopify/Refund/21",
      "gid://shopify/Refund/22",
    ]);
  });
});

describe("Stock from EL tools", () => {
  it("is a reading per landing that changed it, joined from what earlier syncs brought", async () => {
    const folder = await RecordFolder.of("storeb/inventory");
    const quantity = (units: number, number: number): Files => ({
      [`inventory_quantity/${number}.csv`]: csv(
        ["available", "on_hand"].map((name) =>
          synced(
            { id: 1, inventory_item_id: 7, inventory_level_id: 3, name, quantity: name === "available" ? units : 99 },
            number,
          ),
        ),
      ),
    });
    try {
      await folder.sync({
        ...table("inventory_item", { id: 7, tracked: true, unit_cost_amount: "2.00", unit_cost_currency_code: "BRL" }),
        ...table("inventory_level", { id: 3, inventory_item_id: 7, location_id: 4 }),
        ...quantity(5, 2),
      });
      await folder.sync(quantity(9, 3));
      // An extraction that is older than those before changes nothing.
      await folder.sync(quantity(1, 1));
      expect((await folder.rows()).map((row) => row.available)).to.deep.equal(["5", "9"]);
      expect((await folder.rows())[1]).to.include({ unit_cost: "2.000000", cost_currency: "BRL", tracked: true });
    } finally {
      await folder.remove();
    }
  });
});

describe("Objects from EL tools", () => {
  it("join within a load of dlt, whatever the names of the files", async () => {
    const lists = (title: string): Members => ({
      id: 5,
      title,
      variants: [{ id: 6, product_id: 5, price: title, inventory_item_id: 7 }],
    });
    const renamed = (files: Files, name: string): Files =>
      Object.fromEntries(Object.entries(files).map(([file, content]) => [`${file.split("/")[0]}/${name}`, content]));
    const { rows } = await landedBy("storeb/products", {
      ...renamed(dlt("products", [lists("1.00")], 1), "b"),
      ...renamed(dlt("products", [lists("2.00")], 2), "a"),
    });
    expect(rows).to.have.length(1);
    expect(rows[0]?.title).to.equal("2.00");
    // Null in the vendor's object, which dlt leaves out: the stock is not managed.
    expect(listOf(rows[0], "variants")).to.have.length(1);
    expect(listOf(rows[0], "variants")[0]).to.include({ price: "2.000000", tracked: false });
  });

  it("are read from messages of Airbyte's protocol", async () => {
    const record = {
      stream: "deal_pipelines",
      emitted_at: 1740830400000,
      data: {
        pipelineId: "p",
        label: "P",
        active: true,
        displayOrder: 0,
        stages: [
          {
            stageId: "s",
            label: "S",
            displayOrder: 0,
            active: true,
            metadata: { isClosed: "false", probability: "0.1" },
          },
        ],
      },
    };
    const { rows, outcomes } = await landedBy("crm/pipelines", {
      "x.jsonl": lines(
        { type: "LOG", log: { message: "x" } },
        { type: "RECORD", record },
        { type: "STATE", state: {} },
      ),
    });
    expect(outcomes[0]).to.include({ landed: 1, rejected: 0 });
    expect(rows[0]).to.include({ id: "p", archived: false, object_type: "DEAL" });
  });

  it("have the image of a media table", async () => {
    const { rows, outcomes } = await landedBy("storeb/products", {
      ...table("product", { id: 1, title: "A", vendor: "v" }),
      ...table("product_variant", { id: 2, product_id: 1, price: "1.00", inventory_item_id: 3 }),
      ...table("inventory_item", { id: 3, tracked: true, unit_cost_amount: "9.00" }),
      ...table("product_media", { product_id: 1, media_id: 8 }),
      ...table("media_image", { id: 8, image_url: "https://x/8.png" }),
    });
    expect(outcomes[0]?.refused).to.deep.equal([]);
    expect(rows[0]).to.include({ image_url: "https://x/8.png", tracks_inventory: true });
  });

  it("are gone with all their readings when they were deleted", async () => {
    const item = (deleted: boolean, number: number): Files => ({
      [`inventory_item/${number}.csv`]: csv([synced({ id: 7, tracked: true, _fivetran_deleted: deleted }, number)]),
    });
    expect((await landedBy("storeb/inventory", item(false, 1))).rows).to.have.length(1);
    expect((await landedBy("storeb/inventory", item(false, 1), item(true, 2))).rows).to.deep.equal([]);
    expect((await landedBy("storeb/inventory", item(true, 2), item(false, 3))).rows).to.have.length(1);
  });

  it("land as a plain table if they have the record's own fields, though a tool has copied them", async () => {
    const { rows } = await landedBy("storeb/orders", {
      "x.csv": csv([synced({ order_id: 1, created_at: "2025-01-01T00:00:00Z", total_price: "5.00" })]),
    });
    expect(rows[0]).to.include({ order_id: "1", total_price: "5.000000" });
  });
});

describe("Campaigns from EL tools", () => {
  const insight = {
    campaign_id: 77,
    ad_id: "no_ad_id",
    date_start: "2025-01-02T00:00:00Z",
    date_stop: "2025-01-02T00:00:00Z",
    impressions: 5,
    clicks: 2,
    spend: "2.50",
  };

  it("take names of dlt's campaigns, which another load has brought, and actions of their load", async () => {
    const actions = [{ action_type: "purchase", value: "3" }];
    const campaigns = dlt("campaigns", [{ id: "77", name: "Now", objective: "OUTCOME_SALES" }], 5);
    const files = dlt("facebook_insights", [{ ...insight, actions }], 1);
    const { rows, outcomes } = await landedBy("socialads/campaigns", files, campaigns);
    expect(outcomes[0]?.refused[0]?.reason).to.match(/^facebook_insights.*without campaigns\b/);
    expect(outcomes[1]?.refused).to.deep.equal([]);
    expect(rows).to.deep.equal([
      {
        campaign_id: "77",
        campaign_name: "Now",
        objective: "OUTCOME_SALES",
        actions: '[{"action_type":"purchase","value":"3"}]',
        impressions: "5",
        clicks: "2",
        inline_link_clicks: "0",
        spend: "2.500000",
        date_start: "2025-01-02",
        date_stop: "2025-01-02",
      },
    ]);
  });

  it("are not those of ads and ad groups, which leave out the rest of the campaign", async () => {
    const day = { campaign_id: 9, date: "2025-01-02", cost_micros: 5, ad_group_id: 4, _sdc_sequence: 1 };
    const { rows, rejects } = await landedBy("searchads/campaigns", { "ad_stats/1.csv": csv([day]) });
    expect(rows).to.deep.equal([]);
    expect(rejects[0]?.reason).to.match(/below campaign level/);
  });

  it("have keywords named by their parts", async () => {
    const day = {
      "customer.id": 1,
      "ad_group.id": 2,
      "ad_group_criterion.criterion_id": 3,
      "segments.date": "2025-01-02",
      "metrics.cost_micros": 5000000,
    };
    const { rows } = await landedBy("searchads/keywords", { "keyword_view/1.jsonl": lines(...airbyteFlat([day])) });
    expect(rows[0]).to.include({ ad_group_criterion: "customers/1/adGroupCriteria/2~3", cost: "5.000000" });
  });

  it("add up devices and networks of Fivetran's figures, and leave others unknown", async () => {
    const day = {
      id: 9,
      customer_id: 1,
      date: "2025-01-02",
      ad_network_type: "SEARCH",
      base_campaign: "customers/1/campaigns/9",
    };
    const { rows } = await landedBy("searchads/campaigns", {
      ...table(
        "campaign_stats",
        {
          _fivetran_id: "a",
          ...day,
          device: "MOBILE",
          clicks: 1,
          cost_micros: 1000000,
          impressions: 5,
          interactions: 1,
        },
        {
          _fivetran_id: "b",
          ...day,
          device: "DESKTOP",
          clicks: 2,
          cost_micros: 2500000,
          impressions: 6,
          interactions: 2,
        },
      ),
      ...table(
        "campaign_history",
        {
          id: 9,
          updated_at: "2025-01-01 00:00:00",
          name: "Before",
          status: "PAUSED",
          advertising_channel_type: "SEARCH",
        },
        {
          id: 9,
          updated_at: "2025-01-03 00:00:00",
          name: "Now",
          status: "ENABLED",
          advertising_channel_type: "SEARCH",
        },
      ),
    });
    expect(rows).to.deep.equal([
      {
        date: "2025-01-02",
        campaign_id: "9",
        campaign_name: "Now",
        campaign_status: "ENABLED",
        advertising_channel_type: "SEARCH",
        impressions: "11",
        clicks: "3",
        cost: "3.500000",
      },
    ]);
  });
});

describe("The vendor's own exports in a folder that has the name of a stream", () => {
  const landedAs = async (record: string, name: string, content: string): Promise<void> => {
    const plain = await landedBy(record, { "a/x.json": content });
    const named = await landedBy(record, { [name]: content });
    expect(plain.rows).to.have.length.above(0);
    expect(named.rows).to.deep.equal(plain.rows);
    expect(named.outcomes[0]).to.deep.include({ refused: [], landed: plain.outcomes[0]?.landed });
  };
  const order = {
    id: 1,
    created_at: "2025-01-01T00:00:00Z",
    total_price: "5.00",
    line_items: [{ id: 1, quantity: 1, price: "5.00" }],
  };
  const insight = { account_id: "1", campaign_id: "2", date_start: "2025-01-02", spend: "1.00" };

  it("land as in any other folder", async () => {
    await landedAs("storeb/orders", "orders/1.json", JSON.stringify({ orders: [order] }));
    await landedAs(
      "storeb/orders",
      "orders/1.json",
      lines({ ...order, refunds: [] }, { ...order, id: 2, refunds: [] }),
    );
    const variants = [{ id: 3, price: "5.00" }];
    await landedAs(
      "storeb/products",
      "products/1.json",
      lines({ id: 1, title: "A", variants }, { id: 2, title: "B", variants: [] }),
    );
    const nodes = { variants: { nodes: variants } };
    await landedAs(
      "storeb/products",
      "products/1.json",
      JSON.stringify({ data: { products: { nodes: [{ id: "gid://shopify/Product/1", title: "A", ...nodes }] } } }),
    );
    await landedAs(
      "storeb/products",
      "products/1.json",
      lines({ id: "gid://shopify/Product/1", title: "A", ...nodes }),
    );
    await landedAs("socialads/campaigns", "campaigns/1.json", lines(insight));
    await landedAs("socialads/campaigns", "campaign_history/1.json", JSON.stringify({ data: [insight] }));
    await landedAs(
      "storeb/orders",
      "order/1.csv",
      "order_id,created_at,total_price,note\n1,2025-01-01T00:00:00Z,5.00,x\n",
    );
    const { outcomes } = await landedBy("searchads/campaigns", {
      "campaigns/1.csv": "Campaign report\nAll time\nWeek,Total\n",
    });
    expect(outcomes[0]?.refused[0]?.reason).not.to.match(/stream/);
    expect(outcomes[0]).to.include({ files: 0 });
    await landedAs("crm/contacts", "contacts/1.json", lines({ id: "1", properties: { email: "a@example.com" } }));
    await landedAs(
      "searchads/campaigns",
      "campaigns/1.json",
      lines({ campaign: { id: "1" }, metrics: { costMicros: "1" }, segments: { date: "2025-01-02" } }),
    );
  });

  it("also beside tools' rows, which win by their own times", async () => {
    const { rows } = await landedBy("storeb/orders", {
      "orders/raw.json": JSON.stringify({ orders: [{ ...order, updated_at: "2025-01-03T00:00:00Z" }] }),
      "orders/airbyte.jsonl": lines(
        ...airbyteFlat([{ ...order, updated_at: "2025-01-02T00:00:00Z", email: "old@example.com" }]),
      ),
    });
    expect(rows).to.have.length(1);
    expect(rows[0]).not.to.have.property("email");
  });
});
