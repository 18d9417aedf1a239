import { expect } from "chai";
import { exportsOf, oneStore, STOREA, STOREB, storeaOrder, withData } from "../support/data.ts";
import { storeb, storebOrder } from "../support/margin.ts";
import { asked } from "../support/service.ts";

describe("The margin, item by item,", () => {
  it("has neither cost nor sale of units that several refunds took back or cancelled [D18]", () =>
    withData(storeb(), async (data) => {
      const back = (id: number, restock_type: string): object => ({
        id,
        refund_line_items: [{ id: 10 * id, line_item_id: 11, quantity: 1, restock_type }],
      });
      const refunds = [back(1, "return"), back(2, "return"), back(3, "cancel"), back(4, "cancel")];
      const order = { ...storebOrder(), refunds };
      await data.write(`${exportsOf(STOREB, "orders")}/a.json`, JSON.stringify({ orders: [order] }));
      const period = "dateFrom=2025-02-01&dateTo=2025-02-28";
      const { data: rows } = await asked(data, `/v1/products?integrationId=${STOREB}&${period}`);
      const [row] = rows as Record<string, unknown>[];
      // Two of five units at 10 were never sold, and two came back.
      expect([row?.grossUnits, row?.netUnits, row?.grossSales, row?.netSales]).to.deep.equal([3, 1, 30, 10]);
    }));

  it("leaves out items that the settings do not name, whatever the orders contain [D16]", () => {
    const margin = { items: { gateway: { percent: 10 }, shipping: "orders" as const } };
    return withData({ ...oneStore(), margin }, async (data) => {
      const totals = [
        { id: "Items", value: 9200 },
        { id: "Shipping", value: 500 },
        { id: "Tax", value: 300 },
      ];
      const order = { ...storeaOrder({ id: "a", value: 100 }), totals };
      await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify(order));
      const body = await asked(data, "/v1/profitability/cards");
      // 100 % less 10 % for the gateway and 5 of 100 for shipping; tax and cost are known, but not in the settings.
      expect(body.marginPercent).to.equal(85);
      expect(body.marginItemStatus).to.deep.equal({
        gateway: "configured",
        tax: "pending",
        shipping: "synced",
        costOfGoods: "pending",
      });
    });
  });

  it("treats a line's cost above any plausible amount as unknown, and counts its order all the same", () =>
    withData(oneStore(), async (data) => {
      const sane = storeaOrder({ id: "a", value: 100 });
      const absurd = storeaOrder({ id: "b", value: 1000 });
      const [item] = absurd.items as object[];
      await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify(sane));
      // 2,000 million units that cost 500 each.
      const items = [{ ...item, quantity: 2_000_000_000 }];
      await data.write(`${exportsOf(STOREA, "orders")}/b.json`, JSON.stringify({ ...absurd, items }));
      const body = await asked(data, "/v1/profitability/cards");
      expect([body.orders, body.revenueWithCmv, body.cogs]).to.deep.equal([2, 100, 50]);
    }));

  for (const [what, tax, gateway, expected] of [
    ["at most all of the revenue, if taxes were refunded", -500, 0, 100],
    ["at least 0, if the items exceed the revenue", 7000, 60, 0],
  ] as const)
    it(`is ${what} [D16]`, () => {
      const margin = { items: { gateway: { percent: gateway }, tax: "orders" as const } };
      return withData({ ...oneStore(), margin }, async (data) => {
        const totals = [
          { id: "Items", value: 10_000 - tax },
          { id: "Tax", value: tax },
        ];
        const order = { ...storeaOrder({ id: "a", value: 100 }), totals };
        await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify(order));
        const body = await asked(data, "/v1/profitability/cards");
        expect([body.marginPercent, body.contribution]).to.deep.equal([expected, expected]);
      });
    });

  it("has items of many times the revenue that cancel each other out [D16]", () => {
    const margin = { items: { tax: "orders", shipping: "orders" } } as const;
    return withData({ ...oneStore(), margin }, async (data) => {
      const totals = [
        { id: "Items", value: 10_000 },
        { id: "Shipping", value: 200_000 },
        { id: "Tax", value: -200_000 },
      ];
      const order = { ...storeaOrder({ id: "a", value: 100 }), totals };
      await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify(order));
      const body = await asked(data, "/v1/profitability/cards?marginItems=amounts");
      const variableCosts = { gateway: 0, tax: -2000, shipping: 2000, costOfGoods: 0 };
      expect([body.marginPercent, body.variableCosts]).to.deep.equal([100, variableCosts]);
    });
  });

  for (const [what, ofLines] of [
    ["without lines", () => []],
    [
      "of no units",
      (items: object[]) => items.map((item) => ({ ...item, quantity: 0, priceDefinition: { total: 900 } })),
    ],
  ] as const)
    it(`of an order ${what} is 0 [D18]`, () =>
      withData(oneStore(), async (data) => {
        const order = storeaOrder({ id: "a", value: 100 });
        const items = ofLines(order.items as object[]);
        await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify({ ...order, items }));
        const body = await asked(data, "/v1/storea/orders");
        const [row] = body.data as Record<string, unknown>[];
        const figures = [row?.net_revenue, row?.retained_cogs, row?.margin, row?.cost_coverage_ratio];
        expect(figures).to.deep.equal([0, 0, 0, 0]);
      }));

  it("uses a variant's cost from the inventory that landed before the sale, not with it [D33]", () =>
    withData(storeb(), async (data) => {
      for (const [day, cost] of [
        ["08", "3.00"],
        ["09", "4.00"],
        ["10", "5.00"],
      ] as const) {
        const inventory = { inventory_items: [{ id: 51, variant: { id: 41 }, cost, inventory_levels: [] }] };
        await data.write(`${exportsOf(STOREB, "inventory")}/${day}.json`, JSON.stringify(inventory));
        await data.syncAt(`2025-02-${day}T14:00:00.000Z`);
      }
      await data.write(`${exportsOf(STOREB, "orders")}/a.json`, JSON.stringify({ orders: [storebOrder()] }));
      const body = await asked(data, "/v1/profitability/cards");
      expect([body.orders, body.cogs]).to.deep.equal([1, 20]);
    }));
});
