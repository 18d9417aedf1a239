import { expect } from "chai";
import { exportsOf, STOREB, withData } from "../support/data.ts";
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
});
