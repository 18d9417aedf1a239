import { expect } from "chai";
import { exportsOf, oneStore, STOREA, storeaOrder, withData } from "../support/data.ts";
import { asked } from "../support/service.ts";

describe("A SKU in three lines of an order, at 10, 20 and 30", () => {
  const changed = (type: string, quantity: number): object =>
    type === "removed"
      ? { changesAttachment: { changesData: [{ itemsRemoved: [{ id: "9500", quantity }] }] } }
      : {
          packageAttachment: {
            packages: [{ type: "Input", restitutions: { Refund: { items: [{ id: "9500", quantity }] } } }],
          },
        };

  for (const [type, order, grossSales, netSales] of [
    ["removed", "last", 10, 10],
    ["returned", "first", 60, 30],
  ] as const)
    it(`of which two units were ${type} has lost those of its ${order} lines`, () =>
      withData(oneStore(), async (data) => {
        const exported = { ...storeaOrder({ id: "a", value: 60, items: 3 }), ...changed(type, 2) };
        const items = (exported as { items?: object[] }).items?.map((item, n) => ({
          ...item,
          price: 1000 * (n + 1),
          sellingPrice: 1000 * (n + 1),
        }));
        await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify({ ...exported, items }));
        const period = "dateFrom=2025-02-01&dateTo=2025-02-28";
        const { data: rows } = await asked(data, `/v1/products?integrationId=${STOREA}&${period}`);
        const [row] = rows as Record<string, unknown>[];
        expect([row?.grossSales, row?.netSales]).to.deep.equal([grossSales, netSales]);
      }));
});
