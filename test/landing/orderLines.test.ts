import { expect } from "chai";
import { meantColumns } from "../../src/core/landing/read/columns.ts";
import { exportedBy } from "../../src/core/records/index.ts";
import { drop, refusals } from "../support/drop.ts";
import { parquet } from "../support/parquet.ts";

const HEAD = "order_id,creation_date,email,item_sku,item_name,item_quantity,item_price,item_discount";

const orders = (files: Parameters<typeof drop>[2], settings: Parameters<typeof drop>[3] = {}) =>
  drop("storea", "orders", files, settings);

/** The lines of an order: SKU, product, units, amount. */
const linesOf = (items: unknown): unknown[] =>
  (items as { items: Record<string, unknown>[] }).items.map((line) => [
    line.id ?? null,
    line.product_id,
    Number(line.quantity),
    Number(line.line_total),
  ]);

describe("A table of orders with a row for each product [D230]", () => {
  it("lands an order for all rows of one id, wherever they are, with the sum of its lines", async () => {
    const { rows, rejects } = await orders({
      "o.csv": [
        HEAD,
        "1,2025-02-03,a@x.com,S1,Mug,2,10.00,1.50",
        "2,2025-02-03,b@x.com,S1,Mug,1,10.00,",
        "1,2025-02-03,A@x.com,S2,Bowl,1,30.25,-0.25",
      ].join("\n"),
    });
    expect(rejects).to.deep.equal([]);
    const facts = rows.map(({ order_id, value, total_items_value, total_discounts, _position }) =>
      [order_id, value, total_items_value, total_discounts, _position].map(String),
    );
    // 2 × 10 − 1.50 + 30.25 − 0.25 = 48.50.
    expect(facts).to.deep.equal([
      ["1", "48.500000", "50.250000", "-1.750000", "1"],
      ["2", "10.000000", "10.000000", "0.000000", "2"],
    ]);
    expect(rows.map(linesOf)).to.deep.equal([
      [
        ["S1", "S1", 2, 18.5],
        ["S2", "S2", 1, 30],
      ],
      [["S1", "S1", 1, 10]],
    ]);
  });

  it("keeps the order's own amount, adds shipping and tax to the sum otherwise, and takes off a discount of the whole order", async () => {
    const own = await orders({
      "o.csv":
        "order_id,creation_date,value,item_name,item_quantity,item_total\n1,2025-02-03,99.90,Mug,1,20\n1,2025-02-03,,Bowl,1,30\n",
    });
    expect(own.rows.map(({ value }) => Number(value))).to.deep.equal([99.9]);
    expect(own.rows.map(linesOf)).to.deep.equal([
      [
        ["Mug", "Mug", 1, 20],
        ["Bowl", "Bowl", 1, 30],
      ],
    ]);
    const summed = await orders({
      "o.csv":
        "order_id,creation_date,total_shipping,total_tax,total_discounts,item_sku,item_quantity,item_price\n" +
        "1,2025-02-03,12.00,1.00,5.00,S1,3,10.10\n",
    });
    expect(summed.rows.map(({ value }) => Number(value))).to.deep.equal([38.3]);
  });

  it("rejects rows with their place and reason, and with them the rest of their order", async () => {
    const { rows, rejects } = await orders({
      "o.csv": [
        HEAD,
        "1,2025-02-03,a@x.com,S1,Mug,2,10.00,",
        "1,2025-02-03,a@x.com,S2,Bowl,1.5,30.00,",
        "2,2025-02-03,b@x.com,S1,Mug,1,ten,",
        ",2025-02-03,b@x.com,S1,Mug,1,10.00,",
        "3,2025-02-03,c@x.com,S1,Mug,1,10.00,",
        "3,2025-02-04,c@x.com,S2,Bowl,1,10.00,",
        "4,2025-02-03,d@x.com,,,1,10.00,",
        "5,2025-02-03,e@x.com,S1,Mug,-1,10.00,",
        "6,2025-02-03,f@x.com,S1,Mug,1,-10.00,",
        "7,2025-02-03,g@x.com,S1,Mug,1,10.00,0,extra",
        "8,2025-02-03,h@x.com,S1,Mug,1,10.00,",
      ].join("\n"),
    });
    expect(rows.map(({ order_id }) => order_id)).to.deep.equal(["8"]);
    const places = rejects.map(({ position, reason }) => `${position} ${reason}`);
    expect(places.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))).to.deep.equal([
      "1 one of its rows was rejected: without it the order is not whole",
      '2 item_quantity: "1.5" is not a whole number above 0',
      '3 item_price: "ten" is not an amount',
      "4 order_id: missing",
      "5 creation_date: not the same in all rows of the order",
      "6 creation_date: not the same in all rows of the order",
      "7 item_sku, item_product_id, item_name: missing",
      '8 item_quantity: "-1" is not a whole number above 0',
      "9 item_price: below 0: a row is a product that was sold",
      "10 9 columns under 8 headings",
    ]);
  });

  it("counts only paid orders, unless somebody has said that all are, and dates their sales by the payment", async () => {
    const file = { "o.csv": `${HEAD}\n1,2025-02-03,a@x.com,S1,Mug,1,10.00,\n` };
    const [unsaid] = (await orders(file)).rows;
    expect([unsaid?.status, unsaid?.authorized_date, unsaid?.invoiced_date]).to.deep.equal([null, null, null]);
    const [said] = (await orders(file, { allOrdersPaid: true, timezone: "America/Sao_Paulo" })).rows;
    const paid = "2025-02-03 03:00:00+00";
    expect([said?.status, said?.authorized_date, said?.invoiced_date]).to.deep.equal(["payment-approved", paid, paid]);
    const cancelled = { "o.csv": `status,${HEAD}\ncancelado,1,2025-02-03,a@x.com,S1,Mug,1,10.00,\n` };
    const [kept] = (await orders(cancelled, { allOrdersPaid: true })).rows;
    expect(kept?.status).to.equal("cancelado");
  });

  it("splits a source with its medium, where there is no column of the medium", async () => {
    const { rows } = await orders({
      "o.csv":
        "order_id,creation_date,value,utm_source\n1,2025-02-03,1,google / cpc\n2,2025-02-03,1,email\n3,2025-02-03,1,a/b\n",
    });
    expect(rows.map(({ utm_source, utm_medium }) => [utm_source, utm_medium])).to.deep.equal([
      ["google", "cpc"],
      ["email", null],
      ["a/b", null],
    ]);
  });

  it("of JSON or Parquet is refused: its rows would replace one another [D210]", async () => {
    const row = (sku: string) => `select '1' as order_id, '2025-02-03' as creation_date, 5.0 as value,
      '${sku}' as item_sku, 1 as item_quantity, 5.0 as item_price`;
    const found = await orders({ "o.parquet": await parquet(`${row("S1")} union all ${row("S2")}`) });
    expect(found.rows).to.deep.equal([]);
    expect(refusals(found).join()).to.match(/differ in item_sku: one would replace the other/);
  });

  it("is recognized by usual headings: what differs within an order is of the line", () => {
    const record = exportedBy("storea").find(({ name }) => name === "orders");
    if (!record) throw new Error("no record");
    const headings = ["Pedido", "Data", "SKU", "Produto", "Quantidade", "Preço", "Desconto", "Total", "Origem"];
    const row = (discount: string, total: string) => [
      "1",
      "03/02/2025",
      "S",
      "P",
      "1",
      "10",
      discount,
      total,
      "google",
    ];
    const meant = (...rows: string[][]) => {
      const { item_discount, total_discounts, item_total, value } = meantColumns(record, { headings, rows });
      return { item_discount, total_discounts, item_total, value };
    };
    expect(meant(row("0", "10"), row("1", "9"))).to.deep.equal({
      ...{ item_discount: "Desconto", total_discounts: undefined, item_total: "Total", value: undefined },
    });
    expect(meant(row("1", "19"), row("1", "19"))).to.deep.equal({
      ...{ item_discount: undefined, total_discounts: "Desconto", item_total: undefined, value: "Total" },
    });
    const { value, order_id } = meantColumns(record, { headings: ["Pedido", "Data", "Total", "Produto"] });
    expect([order_id, value]).to.deep.equal(["Pedido", "Total"]);
  });
});
