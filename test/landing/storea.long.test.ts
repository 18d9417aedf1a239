import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import type { RecordDeclaration } from "../../src/core/contract/record.ts";
import { Database, literal, type Row } from "../../src/core/engine/database.ts";
import { storea } from "../../src/core/records/storea.ts";
import { land } from "../support/landing.ts";

type Json = Record<string, unknown>;

/** The smallest possible order. */
const bare = (orderId: string, rest: Json = {}): Json => ({
  orderId,
  status: "invoiced",
  value: 1530,
  creationDate: "2025-03-01T08:26:00Z",
  items: [{ uniqueId: "u0", id: "S1", productId: "P1", quantity: 6, price: 255, sellingPrice: 255, costPrice: null }],
  ...rest,
});

/** An order with every field: 2 mugs and a jug, one mug given back. */
const full: Json = {
  orderId: "v900100loj-01",
  sequence: "900100",
  sellerOrderId: "00-v900100loj-01",
  origin: "Marketplace",
  affiliateId: "",
  salesChannel: "1",
  merchantName: "loja",
  status: "canceled",
  statusDescription: "Cancelado",
  value: 12345,
  creationDate: "2025-03-01T23:30:00.1234567-03:00",
  lastChange: "2025-03-05T10:00:00.7654321+00:00",
  authorizedDate: "2025-03-01T23:45:00-03:00",
  invoicedDate: null,
  orderGroup: "900100",
  followUpEmail: "0f0f@ct.vtex.com.br",
  lastMessage: "Obrigado",
  orderFormId: "cart-1",
  isCompleted: true,
  cancelReason: "",
  cancellationData: { Reason: "Sem estoque", CancellationDate: "2025-03--05" },
  totals: [
    { id: "Items", name: "Itens", value: 13000 },
    { id: "Discounts", name: "Descontos", value: -1755 },
    { id: "Shipping", name: "Frete", value: 1100 },
    { id: "Change", name: "Mudanças", value: -1 },
  ],
  storePreferencesData: { currencyCode: "BRL", timeZone: "E. South America Standard Time" },
  clientProfileData: { email: "ana@example.com-77b.ct.vtex.com.br", userProfileId: "cust-1" },
  marketingData: {
    utmSource: "google",
    utmMedium: "cpc",
    utmCampaign: "Verão 2025",
    utmiCampaign: " ",
    coupon: "BEMVINDA",
    marketingTags: ["vip", "b2c"],
  },
  shippingData: {
    address: { addressType: "residential", city: "Recife", state: "PE", country: "BRA", postalCode: "50000-000" },
    trackingHints: null,
  },
  paymentData: {
    transactions: [
      {
        isActive: false,
        payments: [{ paymentSystemName: "Boleto", group: "bankInvoice", installments: 1, value: 99999 }],
      },
      {
        isActive: true,
        payments: [
          { paymentSystemName: "Vale", group: "giftCard", installments: 1, value: 345 },
          { paymentSystemName: "Visa", group: "creditCard", installments: 3, value: 6000 },
          { paymentSystemName: "Elo", group: "debitCard", installments: 1, value: 6000 },
        ],
      },
    ],
  },
  packageAttachment: {
    packages: [
      {
        type: "Output",
        courier: "Correios",
        trackingNumber: "BR1",
        trackingUrl: "https://t.example/BR1",
        restitutions: {},
      },
      {
        type: "Input",
        invoiceValue: 4155,
        issuanceDate: "2025-03-20T12:00:00-03:00",
        items: [{ itemIndex: 0, quantity: 1, price: 0 }],
        restitutions: { Refund: { value: 4000, items: [{ id: "S1", quantity: 9, price: 4000 }] } },
      },
      {
        type: "Input",
        issuanceDate: "0001-01-01T00:00:00",
        items: [],
        restitutions: {
          Refund: { value: 3000, items: [{ id: "S2", quantity: 1, price: 3000, isCompensation: false }] },
        },
      },
    ],
  },
  changesAttachment: {
    changesData: [{ itemsAdded: [], itemsRemoved: [{ id: "S2", name: "Jarra", quantity: 1, price: 5000 }] }],
  },
  items: [
    {
      uniqueId: "u0",
      id: 23853619670380398n.toString(),
      productId: "P1",
      refId: "CAN-1",
      ean: "",
      seller: "1",
      name: "Caneca",
      price: 4000,
      sellingPrice: 3333,
      quantity: 2,
      measurementUnit: "un",
      unitMultiplier: 0.25,
      commission: 12,
      tax: 7,
      costPrice: 0,
      isGift: false,
      imageUrl: "https://img.example/1.jpg",
      detailUrl: "/caneca/p",
      priceDefinition: { total: 6665 },
      additionalInfo: { brandName: "Marca", brandId: "9", categoriesIds: "/1/15/" },
    },
    {
      uniqueId: "u1",
      id: "S2",
      productId: "P2",
      quantity: 1,
      price: 5000,
      sellingPrice: 5000,
      costPrice: null,
      isGift: true,
    },
  ],
};

const declared = (name: string): RecordDeclaration => storea.find((r) => r.name === name) as RecordDeclaration;
const at = (rows: readonly Row[], index = 0): Json => rows[index] as Json;
const parts = (row: Json, name: string): Json[] => row[name] as Json[];
const ndjson = (rows: readonly Json[]): string => rows.map((row) => JSON.stringify(row)).join("\n");

/** The bytes of a Parquet file with this query's rows. */
async function parquet(query: string): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-parquet-"));
  const database = await Database.open();
  try {
    const file = path.join(folder, "table.parquet");
    await database.use((session) => session.run(`copy (${query}) to ${literal(file)} (format parquet)`));
    return await readFile(file);
  } finally {
    database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

describe("storea orders", () => {
  it("rejects instants that are no calendar days or have an offset of more than 16 hours", async () => {
    const instants = ["epoch", "2025-03-01T10:00:00+99:00", "2025-03-01T10:00:00-16:00", "2025-03-01T10:00:00+15:59"];
    const { rows, rejects } = await land("storea", "orders", {
      "a.json": JSON.stringify(instants.map((creationDate, n) => bare(String(n), { creationDate }))),
    });
    expect(rows.map((row) => row.order_id)).to.deep.equal(["3"]);
    expect(rejects.map(({ reason }) => reason)).to.deep.equal(
      instants.slice(0, 3).map((text) => `creation_date: "${text}" is not an instant (ISO 8601)`),
    );
  });

  it("lands an order with a key that is named like an envelope", async () => {
    const { rows, outcome } = await land("storea", "orders", {
      "1.ndjson": [bare("a"), { list: [], ...bare("b") }, bare("c", { list: [{}] })]
        .map((o) => JSON.stringify(o))
        .join("\n"),
      "2.json": JSON.stringify(bare("d", { list: [] })),
      "3.ndjson": '{"order_id":"e","value":1,"creation_date":"2025-03-01","list":[]}\n',
      "4.json": JSON.stringify({ list: [bare("f")], facets: [], paging: { total: 1 } }),
    });
    expect(rows.map((row) => row.order_id)).to.deep.equal(["a", "b", "c", "d", "e", "f"]);
    expect(outcome.rejected).to.equal(0);
  });

  it("are read from an object, an array, lines and a gzip alike", async () => {
    const { rows, rejects } = await land("storea", "orders", {
      "1.json": JSON.stringify(bare("1"), null, 2),
      "2.json": JSON.stringify([bare("2"), bare("3")]),
      "3.ndjson": ndjson([bare("4"), bare("5")]),
      "4.ndjson.gz": gzipSync(ndjson([bare("6"), bare("7")])),
    });
    expect(rejects).to.deep.equal([]);
    expect(rows.map((r) => r.order_id)).to.have.members(["1", "2", "3", "4", "5", "6", "7"]);
    expect(new Set(rows.map((r) => r.value))).to.deep.equal(new Set(["15.300000"]));
  });

  it("have every field, with cents as units", async () => {
    const { rows } = await land("storea", "orders", { "a.json": JSON.stringify(full) });
    const order = at(rows);
    expect(order).to.include({
      order_id: "v900100loj-01",
      sequence: "900100",
      seller_order_id: "00-v900100loj-01",
      origin: "Marketplace",
      affiliate_id: null,
      sales_channel: "1",
      merchant_name: "loja",
      status: "canceled",
      status_description: "Cancelado",
      order_group: "900100",
      follow_up_email: "0f0f@ct.vtex.com.br",
      last_message: "Obrigado",
      order_form_id: "cart-1",
      cancel_reason: "Sem estoque",
      tracking_id: "BR1",
      courier_name: "Correios",
      tracking_url: "https://t.example/BR1",
      tracking_labels: null,
      utm_source: "google",
      utm_medium: "cpc",
      utm_campaign: "Verão 2025",
      utmi_campaign: null,
      coupon_code: "BEMVINDA",
      marketing_tags: '["vip","b2c"]',
      payment_method: "Visa",
      payment_method_group: "creditCard",
      installments: "3",
      shipping_city: "Recife",
      shipping_state: "PE",
      shipping_country: "BRA",
      shipping_postal_code: "50000-000",
      value: "123.450000",
      total_items_value: "130.000000",
      total_discounts: "-17.550000",
      total_shipping: "11.000000",
      total_tax: null,
      is_completed: true,
      customer_id: "cust-1",
      email: "ana@example.com-77b.ct.vtex.com.br",
      currency: "BRL",
      invoiced_date: null,
    });
    expect(order).to.not.have.any.keys(
      "net_revenue",
      "retained_cogs",
      "margin",
      "cost_coverage_ratio",
      "margin_nd_reason",
    );
  });

  it("keep the instant of dates with seven digits and offsets", async () => {
    const { rows } = await land("storea", "orders", { "a.json": JSON.stringify(full) });
    expect(at(rows)).to.include({
      creation_date: "2025-03-02 02:30:00.123456+00",
      last_change: "2025-03-05 10:00:00.765432+00",
      authorized_date: "2025-03-02 02:45:00+00",
    });
  });

  it("have their items: cost 0 is a cost, a missing one is null [D17]", async () => {
    const { rows } = await land("storea", "orders", { "a.json": JSON.stringify(full) });
    const [mug, jug] = parts(at(rows), "items") as [Json, Json];
    expect(mug).to.deep.equal({
      item_no: "0",
      unique_id: "u0",
      id: "23853619670380398",
      product_id: "P1",
      ean: null,
      seller: "1",
      name: "Caneca",
      brand_name: "Marca",
      brand_id: "9",
      measurement_unit: "un",
      image_url: "https://img.example/1.jpg",
      detail_url: "/caneca/p",
      quantity: "2",
      price: "40.000000",
      selling_price: "33.330000",
      unit_multiplier: 0.25,
      commission: 12,
      tax: "0.070000",
      cost_price: "0.000000",
      line_total: "66.650000",
      is_gift: false,
      store_code: "CAN-1",
      category_id: "15",
    });
    expect(jug).to.include({ item_no: "1", cost_price: null, line_total: null, is_gift: true, category_id: null });
  });

  it("have their returns, of a package's items or else of its refund [D33]", async () => {
    const { rows } = await land("storea", "orders", { "a.json": JSON.stringify(full) });
    expect(parts(at(rows), "returns")).to.deep.equal([
      {
        package_no: "0",
        item_no: "0",
        sku_id: null,
        quantity: "1",
        price: "0.000000",
        returned_at: "2025-03-20 15:00:00+00",
      },
      { package_no: "1", item_no: null, sku_id: "S2", quantity: "1", price: "30.000000", returned_at: null },
    ]);
  });

  it("have the amounts of their return invoices and refunds [D73]", async () => {
    const { rows } = await land("storea", "orders", { "a.json": JSON.stringify(full) });
    expect(parts(at(rows), "return_packages")).to.deep.equal([
      { package_no: "0", invoice_value: "41.550000", refund_value: "40.000000", returned_at: "2025-03-20 15:00:00+00" },
      { package_no: "1", invoice_value: null, refund_value: "30.000000", returned_at: null },
    ]);
  });

  it("have the items that a change removed", async () => {
    const { rows } = await land("storea", "orders", { "a.json": JSON.stringify(full) });
    expect(parts(at(rows), "removals")).to.deep.equal([
      { sku_id: "S2", name: "Jarra", quantity: "1", price: "50.000000" },
    ]);
  });

  it("prefer the tracking hint to the package", async () => {
    const hint = { trackingId: "H1", courierName: "Loggi", trackingUrl: null, trackingLabel: "L" };
    const shipped = { ...full, shippingData: { address: null, trackingHints: [hint] } };
    const { rows } = await land("storea", "orders", { "a.json": JSON.stringify(shipped) });
    expect(at(rows)).to.include({
      tracking_id: "H1",
      courier_name: "Loggi",
      tracking_url: null,
      tracking_labels: "L",
      shipping_city: null,
    });
  });

  it("land with nulls where parts are missing, null or empty", async () => {
    const nothing = {
      marketingData: null,
      shippingData: null,
      packageAttachment: null,
      clientProfileData: null,
      paymentData: null,
      changesAttachment: null,
      totals: null,
    };
    const empty = {
      marketingData: { marketingTags: [] },
      shippingData: { address: null, trackingHints: [] },
      packageAttachment: { packages: [] },
      clientProfileData: {},
      paymentData: { transactions: [] },
      changesAttachment: { changesData: null },
      totals: [],
      status: null,
      items: [],
    };
    const { rows, rejects } = await land("storea", "orders", {
      "a.ndjson": ndjson([bare("missing"), bare("null", nothing), bare("empty", empty)]),
    });
    expect(rejects).to.deep.equal([]);
    expect(rows).to.have.length(3);
    const absent = [
      "utm_source",
      "marketing_tags",
      "customer_id",
      "email",
      "currency",
      "tracking_id",
      "payment_method",
    ];
    for (const row of rows)
      for (const name of [...absent, "total_items_value", "shipping_city"]) expect(row[name], name).to.equal(null);
    expect(at(rows, 2)).to.include({ status: null });
    expect(parts(at(rows), "items")[0]).to.include({ quantity: "6", price: "2.550000", cost_price: null });
  });

  it("are refused if they are summaries, events or another object", async () => {
    const summary = {
      orderId: "9",
      creationDate: "2025-03-01T00:00:00+00:00",
      items: null,
      totalValue: 100,
      status: "invoiced",
    };
    const event = { eventId: "E", state: "invoiced", orderId: "9", lastChange: "2025-03-01T00:00:00Z" };
    const { rows, rejects } = await land("storea", "orders", {
      "list.json": JSON.stringify({ list: [summary, summary], facets: [], paging: { total: 2 } }),
      "feed.json": JSON.stringify([event]),
    });
    expect(rows).to.deep.equal([]);
    expect(rejects.map(({ file, position, reason }) => [file, position, reason])).to.have.deep.members([
      ["feed.json", 1, "creation_date: missing; value: missing"],
      ["list.json", 1, "an order summary, without items and customer: the order itself is needed; value: missing"],
      ["list.json", 2, "an order summary, without items and customer: the order itself is needed; value: missing"],
    ]);
  });

  it("are refused one by one, with the place, for an unreadable value", async () => {
    const item = { uniqueId: "u", id: "S", quantity: 1, price: 100 };
    const { rows, rejects } = await land("storea", "orders", {
      "a.json": JSON.stringify([
        bare("good"),
        bare("quantity", { items: [item, { ...item, quantity: "two" }] }),
        bare("half", { items: [{ ...item, quantity: 1.5 }] }),
        bare("value", { value: "R$ 10" }),
        bare("day", { authorizedDate: "2025-02-30T00:00:00Z" }),
        bare("text", { items: "none" }),
        bare("element", { items: [item, 7] }),
        bare("packages", { packageAttachment: { packages: { type: "Input" } } }),
        bare("return", {
          packageAttachment: { packages: [{ type: "Input", items: [{ itemIndex: 0, quantity: "x" }] }] },
        }),
        bare("invoice", { packageAttachment: { packages: [{ type: "Input", invoiceValue: "R$ 5" }] } }),
      ]),
    });
    expect(rows.map((r) => r.order_id)).to.deep.equal(["good"]);
    expect(rejects.map(({ position, reason }) => `${position} ${reason}`)).to.deep.equal([
      '2 items[].quantity: "two" is not a whole number',
      '3 items[].quantity: "1.5" is not a whole number',
      '4 value: "R$ 10" is not an amount',
      '5 authorized_date: "2025-02-30T00:00:00Z" is not an instant (ISO 8601)',
      "6 items: not a list",
      "7 items[]: not an item",
      "8 packageAttachment.packages: not a list",
      '9 returns[].quantity: "x" is not a whole number',
      '10 return_packages[].invoice_value: "R$ 5" is not an amount',
    ]);
  });

  it("are refused one by one for a zone's name, which does not affect other rows' instants", async () => {
    const named = ["2025-03-01 10:00:00 America/Sao_Paulo", "2025-03-01 10:00:00 EST"];
    const instants = [
      "2025-03-01T10:00:00",
      "2025-03-01T10:00:00Z",
      "2025-03-01 10:00:00 UTC",
      "2025-03-01T10:00:00+02:00",
      "2025-03-01",
    ];
    const dates = named.flatMap((name) => [name, ...instants]);
    const orders = dates.map((creationDate, at) => bare(`o${at}`, { creationDate }));
    const { rows, rejects } = await land("storea", "orders", { "a.json": JSON.stringify(orders) });
    const read = [
      "2025-03-01 10:00:00+00",
      "2025-03-01 10:00:00+00",
      "2025-03-01 10:00:00+00",
      "2025-03-01 08:00:00+00",
      "2025-03-01 00:00:00+00",
    ];
    expect(rows.map((row) => row.creation_date)).to.deep.equal(named.flatMap(() => read));
    expect(rejects.map(({ reason }) => reason)).to.deep.equal(
      named.map((name) => `creation_date: "${name}" is not an instant (ISO 8601)`),
    );
  });

  it("come as plain tables, amounts in units", async () => {
    const line = {
      item_no: 0,
      unique_id: "u",
      id: "S",
      product_id: "P",
      quantity: 2,
      selling_price: "9.99",
      cost_price: null,
    };
    const row = {
      order_id: "n",
      status: "canceled",
      creation_date: "2025-03-01T00:00:00Z",
      value: 19.98,
      items: [line],
    };
    const table = [
      "order_id,status,creation_date,value,total_discounts,coupon_code,items",
      'c1,invoiced,2025-03-01T10:00:00Z,12.34,-1.10,,"[{""item_no"":0,""quantity"":3,""price"":""4.50""}]"',
      "c2,canceled,2025-03-02,0.1,,X,",
      "c3,canceled,2025-03-02,0.1,,X,three mugs",
    ];
    const { rows, rejects } = await land("storea", "orders", {
      "a.csv": table.join("\n"),
      "b.ndjson": ndjson([row, { ...row, order_id: "n2" }]),
      "c.parquet": await parquet(
        `select 'p' as order_id, timestamptz '2025-03-01 00:00:00.5+00' as creation_date, 45.67::decimal(18, 2) as value,
          [{item_no: 0, quantity: 1, price: 45.67::decimal(18, 2), cost_price: null::decimal(18, 2)}] as items`,
      ),
    });
    const of = (id: string): Json => rows.find((r) => r.order_id === id) as Json;
    expect(rows.map((r) => r.order_id)).to.have.members(["c1", "c2", "n", "n2", "p"]);
    expect(of("c1")).to.include({ value: "12.340000", total_discounts: "-1.100000", coupon_code: null });
    expect(parts(of("c1"), "items")[0]).to.include({ quantity: "3", price: "4.500000" });
    expect(of("c2")).to.include({ creation_date: "2025-03-02 00:00:00+00", value: "0.100000", items: null });
    expect(of("n")).to.include({ value: "19.980000", status: "canceled" });
    expect(parts(of("n"), "items")[0]).to.include({ quantity: "2", selling_price: "9.990000", cost_price: null });
    expect(of("p")).to.include({ value: "45.670000", creation_date: "2025-03-01 00:00:00.5+00" });
    expect(parts(of("p"), "items")[0]).to.include({ price: "45.670000", cost_price: null });
    expect(rejects.map(({ position, reason }) => `${position} ${reason}`)).to.deep.equal(["3 items: not a list"]);
  });

  it("serve the declared fields, including computed ones", () => {
    const { fields } = declared("orders");
    const served = Object.entries(fields).filter(([, field]) => !field.internal);
    expect(served).to.have.length(46);
    expect(served.filter(([, field]) => field.computed).map(([name]) => name)).to.have.members([
      "net_revenue",
      "retained_cogs",
      "margin",
      "cost_coverage_ratio",
      "margin_nd_reason",
    ]);
    expect(declared("items").envelopes).to.equal(undefined);
    expect(Object.keys(declared("items").fields)).to.have.length(19);
  });
});

describe("storea products", () => {
  const context = {
    Id: 310118453,
    ProductId: 42,
    NameComplete: "Tênis 41",
    ProductName: "Tênis",
    SkuName: "41",
    IsActive: false,
    IsProductActive: true,
    ProductCategoryIds: "/1/11/",
    CategoriesFullPath: ["/2/", "/1/11/"],
    ImageUrl: "https://img.example/42.jpg",
    AlternateIds: { Ean: "789", RefId: "TN-41" },
  };
  const product = {
    Id: 43,
    Name: "Meia",
    DepartmentId: 1,
    CategoryId: 12,
    BrandId: 7,
    RefId: "",
    IsVisible: true,
    IsActive: false,
  };
  const fields = "product_id sku_id product_name is_active sku_is_active category_id image_url ref_id updated_at".split(
    " ",
  );
  const picked = (row: Json): unknown[] => fields.map((name) => row[name]);

  it("are SKUs with their product's attributes, or products by themselves", async () => {
    const { rows, rejects } = await land("storea", "products", {
      "a.json": JSON.stringify(context),
      "b.json": JSON.stringify([product, { ...product, Id: "44", CategoryId: null }]),
      "c.ndjson.gz": gzipSync(
        ndjson([
          { Id: 70, ProductId: 42, Name: "42", IsActive: true, RefId: "TN-42", DateUpdated: "2025-01-02T03:04:05" },
          { ...context, Id: "71", ProductCategoryIds: "" },
        ]),
      ),
    });
    expect(rejects).to.deep.equal([]);
    const bySku = (id: string | null): unknown[][] => rows.filter((r) => r.sku_id === id).map(picked);
    expect(bySku("310118453")).to.deep.equal([
      ["42", "310118453", "Tênis", true, false, "11", "https://img.example/42.jpg", "TN-41", null],
    ]);
    expect(bySku("70")).to.deep.equal([["42", "70", null, null, true, null, null, "TN-42", "2025-01-02 03:04:05+00"]]);
    expect(bySku("71")[0]?.[5]).to.equal(null);
    expect(bySku(null)).to.deep.equal([
      ["43", null, "Meia", false, null, "12", null, null, null],
      ["44", null, "Meia", false, null, "1", null, null, null],
    ]);
  });

  it("come as plain tables", async () => {
    const { rows, rejects } = await land("storea", "products", {
      "a.csv": "product_id;sku_id;product_name;is_active;category_id\n0042;7;Tênis;true;11\n43;;Meia;no idea;\n",
      "b.ndjson": ndjson([{ product_id: 45, product_name: "Luva", is_active: false }, { product_id: "46" }]),
      "c.parquet": await parquet("select 47::bigint as product_id, 'Gorro' as product_name, true as is_active"),
    });
    expect(rows.map((r) => [r.product_id, r.product_name, r.is_active])).to.have.deep.members([
      ["0042", "Tênis", true],
      ["45", "Luva", false],
      ["46", null, null],
      ["47", "Gorro", true],
    ]);
    expect(rejects.map((r) => r.reason)).to.deep.equal(['is_active: "no idea" is not true or false']);
  });

  it("are refused if they are lists of ids, brands or categories", async () => {
    const { rows, rejects } = await land("storea", "products", {
      "ids.json": JSON.stringify({ data: { "3": [5], "6": [] }, range: { total: 2, from: 1, to: 2 } }),
      "brand.json": JSON.stringify([{ id: 9, name: "Marca", isActive: true }]),
      "category.json": JSON.stringify({ Id: 1, Name: "Casa", FatherCategoryId: null, IsActive: true, LinkId: "casa" }),
      "skus.json": "[1, 2]",
      "lost.json": JSON.stringify({ ProductId: 4, ProductName: "Sem SKU" }),
    });
    expect(rows).to.deep.equal([]);
    const other = "neither a SKU (Id, ProductId) nor a product (Id, CategoryId) of the catalog; product_id: missing";
    expect(rejects.map(({ file, reason }) => [file, reason])).to.have.deep.members([
      ["ids.json", "only a list of ids: the SKUs or products themselves are needed; product_id: missing"],
      ["brand.json", other],
      ["category.json", other],
      ["skus.json", "not a JSON object"],
      ["skus.json", "not a JSON object"],
      ["lost.json", "Id: missing"],
    ]);
  });
});

describe("storea categories", () => {
  const leaf = (id: unknown, name: string): Json => ({ id, name, hasChildren: false, url: "", children: [] });
  const tree = [
    {
      ...leaf(1, "Casa"),
      hasChildren: true,
      children: [{ ...leaf(11, "Cozinha"), children: [leaf(111, "Canecas")] }, leaf(12, "Banho")],
    },
    leaf(2, "Jardim"),
  ];
  const picked = (rows: readonly Row[]): unknown[] =>
    rows.map((r) => [r.category_id, r.name, r.parent_category_id, r.depth]);
  const flat = [
    ["1", "Casa", null, "0"],
    ["11", "Cozinha", "1", "1"],
    ["111", "Canecas", "11", "2"],
    ["12", "Banho", "1", "1"],
    ["2", "Jardim", null, "0"],
  ];

  it("are every node of the tree [D38]", async () => {
    const array = await land("storea", "categories", { "tree.json": JSON.stringify(tree) });
    expect(picked(array.rows)).to.have.deep.members(flat);
    const lines = await land("storea", "categories", { "tree.ndjson.gz": gzipSync(ndjson(tree)) });
    expect(picked(lines.rows)).to.have.deep.members(flat);
    const one = await land("storea", "categories", { "tree.json": JSON.stringify(tree[0]) });
    expect(picked(one.rows)).to.have.deep.members(flat.slice(0, 4));
  });

  it("may come one by one, or as plain tables", async () => {
    const { rows, rejects } = await land("storea", "categories", {
      "a.json": JSON.stringify([
        { Id: 3, Name: "Moda", FatherCategoryId: null, IsActive: true },
        { Id: 31, Name: "Bolsas", FatherCategoryId: 3, IsActive: false, TreePathIds: [3, 31] },
        { Id: 32, Name: "Cintos", FatherCategoryId: 3, IsActive: true },
      ]),
      "b.csv": "category_id,name,parent_category_id,depth\n4,Pet,,0\n41,Gatos,4,1\n",
      "c.ndjson": ndjson([
        { category_id: 5, name: "Bar", depth: 0 },
        { category_id: 51, name: "Copos", parent_category_id: 5, depth: "x" },
      ]),
      "d.parquet": await parquet("select 6 as category_id, 'Luz' as name, null::int as parent_category_id, 0 as depth"),
    });
    expect(picked(rows)).to.have.deep.members([
      ["3", "Moda", null, "0"],
      ["31", "Bolsas", "3", "1"],
      ["32", "Cintos", "3", null],
      ["4", "Pet", null, "0"],
      ["41", "Gatos", "4", "1"],
      ["5", "Bar", null, "0"],
      ["6", "Luz", null, "0"],
    ]);
    expect(rejects.map((r) => r.reason)).to.deep.equal(['depth: "x" is not a whole number']);
  });

  it("without an id are refused with their descendants, while the rest of the tree lands", async () => {
    const { rows, rejects } = await land("storea", "categories", {
      "a.json": JSON.stringify([
        { ...leaf(1, "Casa"), children: [{ ...leaf(null, "?"), children: [leaf(111, "Canecas")] }, leaf(12, "Banho")] },
      ]),
    });
    expect(rows.map((r) => r.category_id)).to.have.members(["1", "12"]);
    expect(rejects.map((r) => r.reason)).to.have.members(["category_id: missing", "the category above has no id"]);
  });
});

describe("storea inventory", () => {
  const warehouse = (total: unknown, reserved: unknown, unlimited: unknown = false): Json => ({
    warehouseId: `w${String(total)}`,
    warehouseName: "Depósito",
    totalQuantity: total,
    reservedQuantity: reserved,
    hasUnlimitedQuantity: unlimited,
    dateOfSupplyUtc: "12020-04-05T00:00:00+00:00",
  });
  const picked = (rows: readonly Row[]): unknown[] =>
    rows.map((r) => [r.sku_id, r.total, r.reserved, r.available, r.is_unlimited, r.warehouses]);

  it("is the stock of the warehouses, less what is reserved; unlimited has no quantity [D35]", async () => {
    const { rows, rejects } = await land("storea", "inventory", {
      "a.json": JSON.stringify({ skuId: "10", balance: [warehouse(5, 1), warehouse(7, 0)] }),
      "b.json": JSON.stringify([
        { skuId: 11, balance: [warehouse(2, 5)] },
        { skuId: "12", balance: [warehouse(3, 0), warehouse(1000000, 4, true)] },
        { skuId: "13", balance: [] },
      ]),
      "c.ndjson.gz": gzipSync(ndjson([{ skuId: "14", balance: [warehouse("8", "0", "false")] }])),
    });
    expect(rejects).to.deep.equal([]);
    expect(picked(rows)).to.have.deep.members([
      ["10", "12", "1", "11", false, "2"],
      ["11", "2", "5", "-3", false, "1"],
      ["12", null, "4", null, true, "2"],
      ["13", "0", "0", "0", false, "0"],
      ["14", "8", "0", "8", false, "1"],
    ]);
  });

  it("adds up warehouses in separate rows, and counts docks of one warehouse once", async () => {
    const row = (skuId: string, warehouseId: string, dockId: string, total: number, isUnlimited = false): Json => ({
      skuId,
      warehouseId,
      dockId,
      totalQuantity: total,
      reservedQuantity: 1,
      availableQuantity: total - 1,
      isUnlimited,
    });
    const dispatched = {
      skuId: "22",
      warehouseId: "1",
      quantity: 9,
      isUnlimitedQuantity: false,
      totalReservedQuantity: 2,
    };
    const { rows, rejects } = await land("storea", "inventory", {
      "a.json": JSON.stringify([row("20", "1", "d1", 5), row("20", "1", "d2", 5), row("20", "2", "d1", 4)]),
      "b.json": JSON.stringify([row("21", "1", "d1", 5)]),
      "c.json": JSON.stringify([row("21", "2", "d1", 2147483647, true)]),
      "d.json": JSON.stringify([dispatched]),
    });
    expect(rejects).to.deep.equal([]);
    const mugs = ["20", "9", "2", "7", false, "2"];
    const jugs = ["21", null, "2", null, true, "2"];
    expect(picked(rows)).to.have.deep.members([mugs, mugs, mugs, jugs, jugs, ["22", "9", "2", "7", false, "1"]]);
  });

  it("comes as plain tables", async () => {
    const { rows, rejects } = await land("storea", "inventory", {
      "a.csv":
        "sku_id,total,reserved,available,is_unlimited,warehouses\n30,5,1,4,false,1\n31,,,,true,1\n32,many,0,0,false,1\n",
      "b.ndjson": ndjson([
        { sku_id: 33, available: -2 },
        { sku_id: "34", total: 1, reserved: 0, available: 1 },
      ]),
      "c.parquet": await parquet(
        "select 35 as sku_id, 3 as total, 0 as reserved, 3 as available, false as is_unlimited",
      ),
    });
    expect(rows.map((r) => [r.sku_id, r.available, r.is_unlimited])).to.have.deep.members([
      ["30", "4", false],
      ["31", null, true],
      ["33", "-2", null],
      ["34", "1", null],
      ["35", "3", false],
    ]);
    expect(rejects.map((r) => r.reason)).to.deep.equal(['total: "many" is not a whole number']);
  });

  it("is refused whole if one of its warehouses is unreadable", async () => {
    const { rows, rejects } = await land("storea", "inventory", {
      "a.json": JSON.stringify([
        { skuId: "40", balance: [warehouse(5, 1), warehouse("much", 0)] },
        { skuId: "41", balance: [warehouse(5, 1, "perhaps")] },
        { skuId: "42", balance: [warehouse(null, null)] },
        { skuId: "43", warehouseId: "1", totalQuantity: 5, reservedQuantity: 0 },
        { skuId: "43", warehouseId: "2", totalQuantity: 5.5, reservedQuantity: 0 },
        { skuId: "44", warehouseId: "1", totalQuantity: "?", reservedQuantity: 0 },
        { id: "1937054", name: "Depósito" },
        { balance: [warehouse(1, 0)] },
      ]),
    });
    expect(rows).to.deep.equal([]);
    expect(rejects.map(({ position, reason }) => `${position} ${reason}`)).to.deep.equal([
      '1 total: "much" is not a whole number',
      '2 is_unlimited: "perhaps" is not true or false',
      "3 a warehouse without quantities",
      '4 total: "10.500000" is not a whole number; available: "10.500000" is not a whole number',
      '5 total: "10.500000" is not a whole number; available: "10.500000" is not a whole number',
      '6 total: "?" is not a whole number',
      "7 neither the balance of a SKU (skuId, balance) nor the stock of a warehouse (skuId, warehouseId); sku_id: missing",
      "8 sku_id: missing",
    ]);
  });
});
