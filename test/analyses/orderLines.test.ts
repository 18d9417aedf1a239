import { expect } from "chai";
import { DataFolder, exportsOf, FINANCE, STOREA } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";

const SHOP = "be9c0000-0000-4000-8000-000000002300";
const FEBRUARY = "startDate=2025-02-01&endDate=2025-02-28";

const SETTINGS = {
  organizationId: SHOP,
  name: "Shop",
  currency: "BRL",
  costs: [
    { item: "salesTax", percentOfRevenue: 10 },
    { item: "payment", percentOfRevenue: 5 },
  ],
  integrations: [
    {
      id: STOREA,
      connector: "storea",
      timezone: "America/Sao_Paulo",
      allOrdersPaid: true,
      columns: {
        orders: {
          ...{ order_id: "Pedido", creation_date: "Data", email: "E-mail", utm_source: "Origem" },
          ...{ item_sku: "SKU", item_name: "Produto", item_quantity: "Quantidade", item_price: "Preço" },
          item_discount: "Desconto",
        },
      },
    },
    { id: FINANCE, connector: "finance" },
  ],
};

const ORDERS = [
  "Pedido;Data;E-mail;SKU;Produto;Quantidade;Preço;Desconto;Origem",
  "1;03/02/2025;ana@example.com;CAN;Caneca;2;40,00;5,00;google / cpc",
  "1;03/02/2025;ana@example.com;VAS;Vaso;1;150,00;;google / cpc",
  "2;28/02/2025;bia@example.com;CAN;Caneca;1;40,00;;email",
  // One of its rows has no quantity: none of it counts.
  "3;10/02/2025;caio@example.com;CAN;Caneca;1;40,00;;",
  "3;10/02/2025;caio@example.com;VAS;Vaso;;150,00;;",
].join("\n");

describe("A table of orders with a row for each product is enough for a profit [D230]", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await DataFolder.empty();
    await data.write(`organizations/${SHOP}.json`, JSON.stringify(SETTINGS));
    await data.write(`${exportsOf(STOREA, "orders", SHOP)}/pedidos.csv`, ORDERS);
    await data.write(`${exportsOf(FINANCE, "product-costs", SHOP)}/custos.csv`, "sku;cost\nCAN;15,50\nVAS;61,00\n");
    await data.sync();
    service = await openService(data.config, SHOP);
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  it("with its goods at the costs of their SKUs", async () => {
    const { body } = await service.get(`/v1/profit/statement?${FEBRUARY}&compare=none`);
    const statement = body.statement as Record<string, { amount: number | null; coverage: number | null }>;
    const amounts = Object.fromEntries(
      ["revenue", "salesTax", "goods", "payment"].map((line) => [line, statement[line]?.amount]),
    );
    // Order 1: 2 × 40 − 5 + 150 = 225; order 2: 40. Goods: 3 × 15.50 + 61.
    expect(amounts).to.deep.equal({ revenue: 265, salesTax: -26.5, goods: -107.5, payment: -13.25 });
    expect(statement.goods?.coverage).to.equal(1);
  });

  it("with products that were sold, dated by the payment", async () => {
    const days = "dateFrom=2025-02-01&dateTo=2025-02-28";
    const { body } = await service.get(
      `/v1/products?${days}&integrationId=${STOREA}&columns=netSales,netUnits,cogs&includeCategories=false`,
    );
    const rows = body.data as Record<string, unknown>[];
    const sold = rows.map(({ productName, netUnits, netSales, cogs }) => [productName, netUnits, netSales, cogs]);
    expect(sold.sort()).to.deep.equal([
      ["Caneca", 3, 115, 46.5],
      ["Vaso", 1, 150, 61],
    ]);
  });

  it("with customers and channels of the orders", async () => {
    const { body } = await service.get(`/v1/acquisition/channels?${FEBRUARY}`);
    const channels = (body.data ?? body.channels) as Record<string, unknown>[];
    const found = channels.filter(({ newCustomers }) => newCustomers !== 0);
    expect(found.map(({ channel, newCustomers }) => [channel, newCustomers]).sort()).to.deep.equal([
      ["email", 1],
      ["searchads", 1],
    ]);
  });
});
