import { expect } from "chai";
import { AURORA, DataFolder, exportsOf, STOREB } from "../support/data.ts";
import { openService } from "../support/service.ts";

describe("A line of the statement", () => {
  it("is rounded once: its days have all decimals of a percentage [D8]", async () => {
    const data = await DataFolder.empty();
    await data.settings({
      organizationId: AURORA,
      name: "Decimals",
      integrations: [{ id: STOREB, connector: "storeb", name: "B", timezone: "UTC" }],
      costs: [
        { item: "fulfilment", percentOfRevenue: 0.00004 },
        { item: "fulfilment", perOrder: 0.002499 },
      ],
    });
    // Each order's percentage of 0.0000005 would be 0.000001 with six decimals, and both together with 0.004998 half a cent.
    const orders = [1, 2].map((id) => ({
      id,
      name: `#${id}`,
      created_at: `2025-01-0${id}T12:00:00Z`,
      processed_at: `2025-01-0${id}T12:00:00Z`,
      updated_at: `2025-01-0${id}T12:00:00Z`,
      financial_status: "paid",
      currency: "BRL",
      total_price: "1.25",
      taxes_included: true,
      line_items: [{ id, product_id: 1, variant_id: 1, quantity: 1, current_quantity: 1, price: "1.25" }],
    }));
    await data.write(`${exportsOf(STOREB, "orders")}/orders.json`, JSON.stringify({ orders }));
    await data.sync();
    const service = await openService(data.config, AURORA);
    const { body } = await service.get("/v1/profit/statement");
    expect(body.statement).to.have.nested.property("revenue.amount", 2.5);
    expect(body.statement).to.have.nested.property("fulfilment.amount", 0);
    service.close();
    await data.remove();
  });
});
