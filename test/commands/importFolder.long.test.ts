import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { airbyte, csv, dlt, extractedIso, fivetranOrders, type Members } from "../landing/tools/objects.ts";
import { AURORA, exportsOf, SOCIALADS, STOREB } from "../support/data.ts";
import { Imports } from "../support/imports.ts";
import { asked } from "../support/service.ts";
import { type Files, lines } from "../support/tools.ts";

const HUBSPOT = "c1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d09";
const GA4 = "c1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d08";
const SHOP: Organization = {
  organizationId: AURORA,
  name: "Shop",
  currency: "BRL",
  integrations: [
    { id: STOREB, connector: "storeb", name: "Loja", timezone: "America/Sao_Paulo" },
    { id: SOCIALADS, connector: "socialads", name: "Meta" },
    { id: HUBSPOT, connector: "crm", name: "CRM" },
    { id: GA4, connector: "webanalytics", name: "Site" },
  ],
};

const ORDER: Members = {
  id: 1,
  name: "#1",
  created_at: "2025-03-01T10:00:00-03:00",
  processed_at: "2025-03-01T10:00:00-03:00",
  updated_at: "2025-03-01T10:00:00-03:00",
  test: false,
  currency: "BRL",
  financial_status: "paid",
  taxes_included: false,
  total_price: "31.00",
  line_items: [
    {
      id: 11,
      product_id: 7,
      variant_id: 8,
      title: "A",
      name: "A",
      quantity: 1,
      price: "31.00",
      discount_allocations: [],
      tax_lines: [],
    },
  ],
  customer: { id: 5 },
  refunds: [],
  discount_codes: [],
  shipping_lines: [],
  discount_applications: [{ type: "manual", value: "1.0" }],
};
const AIRBYTE: Files = {
  "acme/orders/2025_03_01_1740830400_0.jsonl": lines(...airbyte([ORDER])),
  "acme/order_refunds/2025_03_01_1740830400_0.jsonl": lines(
    ...airbyte([{ id: 5, order_id: 1, refund_line_items: [] }]),
  ),
  "acme/products/2025_03_01_1740830400_0.jsonl": lines(...airbyte([{ id: 7, title: "A", status: "ACTIVE" }])),
  "acme/product_variants/2025_03_01_1740830400_0.jsonl": lines(
    ...airbyte([{ id: 8, product_id: 7, price: "31.00", sku: "S" }]),
  ),
  "acme/customers/2025_03_01_1740830400_0.jsonl": lines(...airbyte([{ id: 5, email: "a@example.com", tags: "" }])),
  "acme/customer_journey_summary/2025_03_01_1740830400_0.jsonl": lines(...airbyte([{ order_id: 1 }])),
  "meta/ads_insights/2025_03_01_1740830400_0.jsonl": lines(
    ...airbyte([
      { ad_id: "3", campaign_id: "2", date_start: "2025-03-01", date_stop: "2025-03-01", spend: 5, clicks: 1 },
    ]),
  ),
};

describe("`lucra import` of a folder", () => {
  const imports = new Imports(SHOP);
  const states = (reports: readonly Record<string, unknown>[]): unknown[] =>
    reports.map(({ record, state, preview }) => [record, state, (preview as { rows: number } | undefined)?.rows]);
  const filesIn = (integration: string, record: string): Promise<string[]> =>
    readdir(path.join(imports.data.path, exportsOf(integration, record)), { recursive: true }).then((names) =>
      names.filter((name) => /\.\w+$/.test(name)).sort(),
    );

  it("puts the streams of Airbyte into the folders of their records, and leaves out those that no record reads", async () => {
    const folder = await imports.folder(AIRBYTE);
    const reports = await imports.reports(folder);
    expect(states(reports)).to.deep.equal([
      ["storeb/orders", "imported", 1],
      ["storeb/products", "imported", 1],
      ["socialads/campaigns", "imported", 1],
      [undefined, "left out", undefined],
      [undefined, "left out", undefined],
    ]);
    expect(imports.seen.status).to.equal(0);
    expect(reports[0]).to.deep.include({
      orders: { counted: 1, uncounted: {} },
      place: `${exportsOf(STOREB, "orders")}/given`,
      files: [
        "given/acme/order_refunds/2025_03_01_1740830400_0.jsonl",
        "given/acme/orders/2025_03_01_1740830400_0.jsonl",
      ],
    });
    expect(
      reports.slice(3).map(({ file, reason }) => [path.basename(path.dirname(String(file))), reason]),
    ).to.deep.equal(["customer_journey_summary", "customers"].map((name) => [name, "a stream that no record reads"]));
    expect(await filesIn(STOREB, "products")).to.deep.equal([
      "given/acme/product_variants/2025_03_01_1740830400_0.jsonl",
      "given/acme/products/2025_03_01_1740830400_0.jsonl",
    ]);
    const { outcomes } = await imports.data.sync();
    expect(outcomes.flatMap(({ refused }) => refused)).to.deep.equal([]);
    expect(await asked(imports.data, "/v1/profitability/cards")).to.deep.include({ revenue: 31, orders: 1 });
    expect(states(await imports.reports(folder)).slice(0, 3)).to.deep.equal([
      ["storeb/orders", "known", 1],
      ["storeb/products", "known", 1],
      ["socialads/campaigns", "known", 1],
    ]);
  });

  it("keeps the tables of a dlt load together, and leaves out lists that no record reads", async () => {
    const tables = dlt("orders", [ORDER]);
    const folder = await imports.folder({
      ...tables,
      "_dlt_loads/shopify__1740830400.5.jsonl": "{}\n",
      "orders/init": "",
    });
    const reports = await imports.reports(folder, "--dry-run");
    expect(states(reports)).to.deep.equal([
      ["storeb/orders", "ready", 1],
      [undefined, "left out", undefined],
    ]);
    expect(reports[1]?.file).to.include("orders__discount_applications");
    expect(await imports.data.files("exports")).to.deep.equal([]);
  });

  it("knows the tables of Fivetran by their columns, and those of several records", async () => {
    const tables = Object.entries(fivetranOrders([ORDER]))
      .filter(([name]) => /^order(?:_line)?\//.test(name))
      .map(([name, content]) => [path.basename(name), content]);
    const synced = { _fivetran_synced: extractedIso(1), _fivetran_deleted: false };
    const folder = await imports.folder({
      ...Object.fromEntries(tables),
      "product.csv": csv([{ id: 7, title: "A", handle: "a", vendor: "x", ...synced }]),
      "product_variant.csv": csv([{ id: 8, product_id: 7, inventory_item_id: 9, price: "31.00", ...synced }]),
      "inventory_item.csv": csv([{ id: 9, tracked: true, unit_cost_amount: "4.00", ...synced }]),
      "customer.csv": csv([{ id: 5, email: "a@example.com", orders_count: 1, created_at: extractedIso(0), ...synced }]),
      "order_adjustment.csv": csv([{ id: 6, order_id: 1, amount: "1.00", kind: "x", ...synced }]),
    });
    const reports = await imports.reports(folder);
    expect(states(reports)).to.deep.equal([
      ["storeb/inventory", "imported", 1],
      ["storeb/products", "imported", 1],
      ["storeb/orders", "imported", 1],
      [undefined, "left out", undefined],
      [undefined, "left out", undefined],
    ]);
    expect(await filesIn(STOREB, "products")).to.deep.equal([
      "given/inventory_item.csv",
      "given/product.csv",
      "given/product_variant.csv",
    ]);
    expect(await filesIn(STOREB, "inventory")).to.deep.equal(["given/inventory_item.csv"]);
  });

  it("distributes a file of messages over the records of its streams", async () => {
    const message = (stream: string, record: Members): Members => ({ type: "RECORD", stream, record });
    const folder = await imports.folder({
      "tap.jsonl": lines(
        ...Array.from({ length: 40 }, (_, n) => message("orders", { ...ORDER, id: n + 1 })),
        message("customers", { id: 5 }),
        message("products", { id: 7, title: "A" }),
        message("product_variants", { id: 8, product_id: 7, price: "31.00" }),
      ),
    });
    const reports = await imports.reports(folder, "--dry-run");
    expect(states(reports)).to.have.deep.members([
      ["storeb/orders", "ready", 40],
      ["storeb/products", "ready", 1],
    ]);
    expect(JSON.stringify(reports[0])).to.include("customers: not a stream of this record");
  });

  it("imports other files of a folder one by one, and refuses what identifies no stream", async () => {
    const folder = await imports.folder({
      "vendas/pedidos.csv": "Pedido;Data;Total;Situação\n1;2025-02-03;10,50;Pago\n",
      "meta.csv": "Nome da campanha;Identificação da campanha;Dia;Valor usado (BRL)\nA;1;2026-10-01;1,50\n",
      "deleted.jsonl": lines(...airbyte([{ id: 1, deleted_at: "2025-03-02T00:00:00Z" }])),
      "notes.txt": "hello\n",
    });
    const reports = await imports.reports(folder);
    expect(reports.map(({ file, record, state }) => [path.basename(String(file)), record, state])).to.deep.equal([
      ["deleted.jsonl", undefined, "refused"],
      ["meta.csv", "socialads/campaigns", "imported"],
      ["notes.txt", undefined, "refused"],
      ["pedidos.csv", "storeb/orders", "imported"],
    ]);
    expect(reports[0]?.reason).to.match(/^its columns identify no stream: put it into a folder/);
    expect(imports.seen.status).to.equal(1);
    expect(await filesIn(STOREB, "orders")).to.deep.equal(["pedidos.csv"]);
  });

  it("refuses a folder without files", async () => {
    const [empty] = await imports.reports(path.dirname(await imports.data.write("empty/.hidden", "x")));
    expect(empty).to.include({ state: "refused", reason: "is a folder without files" });
  });
});
