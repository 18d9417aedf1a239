import { expect } from "chai";
import { land, type Reject } from "../support/landing.ts";

const reasons = (rejects: readonly Reject[]): [number, string][] => rejects.map((r) => [r.position, r.reason]);

describe("Tables of costs [D71]", () => {
  it("may have headings in both languages, in any case, and Brazilian numbers and dates", async () => {
    const { rows, rejects } = await land("finance", "product-costs", {
      "en.csv": "Store,sku,UNIT COST,Valid from\nLoja,A-1,12.50,2025-02-01\n",
      "pt.csv": "LOJA;Código;Custo unitário;Vigência;moeda\nLoja;A-2;1.012,50;01/02/2025;BRL\n",
    });
    expect(rejects).to.deep.equal([]);
    expect(
      rows.map(({ integration_id, sku, cost, valid_from, currency }) => [
        integration_id,
        sku,
        cost,
        valid_from,
        currency,
      ]),
    ).to.deep.equal([
      ["Loja", "A-1", "12.500000", "2025-02-01", null],
      ["Loja", "A-2", "1012.500000", "2025-02-01", "BRL"],
    ]);
  });

  it("have a cost of a SKU where they have both, and of neither rejects the row; nothing costs less than nothing", async () => {
    const { rows, rejects } = await land("finance", "product-costs", {
      "costs.ndjson": [
        { sku: "A-1", product_id: "7", cost: "1" },
        { product_id: "7", cost: "2" },
        { cost: "3" },
        { sku: "A-2", cost: "-0.01" },
      ]
        .map((row) => JSON.stringify(row))
        .join("\n"),
    });
    expect(rows.map(({ sku, product_id }) => [sku, product_id])).to.deep.equal([
      ["A-1", null],
      [null, "7"],
    ]);
    expect(reasons(rejects)).to.deep.equal([
      [3, "neither sku nor product_id is filled"],
      [4, "cost: -0.01 is below 0"],
    ]);
  });

  it("have expenses of one day or several, of an item that is known by its words", async () => {
    const { rows, rejects } = await land("finance", "expenses", {
      "expenses.csv": [
        "Data,Início,Fim,Categoria,Valor,Descrição",
        "2025-02-10,,,frete,10,one day",
        ",2025-02-01,2025-02-28,Comissões,20,a month",
        ",2025-02-01,,,30,an item is fixed by default",
        ",2025-02-10,2025-02-01,fixo,40,backwards",
        "2025-02-10,,,Cafezinho,50,no item",
        ",,,fixo,60,no day",
      ].join("\n"),
    });
    expect(rows.map(({ date_start, date_stop, item, amount }) => [date_start, date_stop, item, amount])).to.deep.equal([
      ["2025-02-10", "2025-02-10", "shipping", "10.000000"],
      ["2025-02-01", "2025-02-28", "commission", "20.000000"],
      ["2025-02-01", "2025-02-01", "fixed", "30.000000"],
    ]);
    expect(rejects.map(({ position }) => position)).to.deep.equal([4, 5, 6]);
    expect(rejects[0]?.reason).to.equal("date_stop: 2025-02-01 is before date_start");
    expect(rejects[1]?.reason).to.match(/^item: "Cafezinho" is no cost that is known: map it in the settings/);
    expect(rejects[2]?.reason).to.equal("date_start: missing");
  });

  it("keep all rows of one key: fees of an order are as many as the statement has", async () => {
    const { rows, rejects } = await land("finance", "payment-fees", {
      "fees.csv": "Pedido;Taxa;Data\n#1001;4,21;05/02/2025\n#1001;-0,35;05/02/2025\n;1,00;05/02/2025\n",
    });
    expect(rows.map(({ order_id, fee }) => [order_id, fee])).to.deep.equal([
      ["#1001", "4.210000"],
      ["#1001", "-0.350000"],
    ]);
    expect(reasons(rejects)).to.deep.equal([[3, "order_id: missing"]]);
  });
});
