import { expect } from "chai";
import { exportsOf, oneStore, STOREA, storeaOrder, withData } from "./support/data.ts";
import { asked } from "./support/service.ts";

describe("The margin item by item", () => {
  it("leaves out what the settings do not name, whatever the orders tell of it [D16]", () => {
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
      // 100 % less 10 % for the gateway and 5 of 100 for shipping; tax and cost are known, and not asked for.
      expect(body.marginPercent).to.equal(85);
      expect(body.marginItemStatus).to.deep.equal({
        gateway: "configured",
        tax: "pending",
        shipping: "synced",
        costOfGoods: "pending",
      });
    });
  });

  it("knows no cost of a line that comes to more than any real one, and counts its order all the same", () =>
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
    ["at most all of the revenue, where taxes were given back", -500, 0, 100],
    ["at least none of it, where the items come to more", 7000, 60, 0],
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

  it("of an order without lines is nothing [D18]", () =>
    withData(oneStore(), async (data) => {
      const order = { ...storeaOrder({ id: "a", value: 100 }), items: [] };
      await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify(order));
      const body = await asked(data, "/v1/storea/orders");
      const [row] = body.data as Record<string, unknown>[];
      expect([row?.net_revenue, row?.retained_cogs, row?.margin, row?.cost_coverage_ratio]).to.deep.equal([0, 0, 0, 0]);
    }));
});
