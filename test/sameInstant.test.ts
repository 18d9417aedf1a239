import { expect } from "chai";
import { AURORA, DataFolder, exportsOf, STOREA, storeaOrder } from "./support/data.ts";
import { openService } from "./support/service.ts";

const FAR = "a1e8d1ef-1c6f-4a4b-9d22-3fa05b7c8e99";

describe("Two orders of one instant in stores of other time zones", () => {
  it("are one first purchase: who came on the later day has not come back on it [D6]", async () => {
    const data = await DataFolder.empty();
    try {
      await data.settings({
        organizationId: AURORA,
        name: "x",
        integrations: [
          { id: STOREA, connector: "storea", name: "near", timezone: "UTC" },
          { id: FAR, connector: "storea", name: "far", timezone: "Pacific/Kiritimati" },
        ],
      });
      // The smaller id is the first; where it was placed the day is the next one already.
      for (const [id, store] of [
        ["a", FAR],
        ["b", STOREA],
      ] as const) {
        const order = storeaOrder({ id, value: 10, at: "2025-02-10T20:00:00.000Z", email: "ana@example.com" });
        await data.write(`${exportsOf(store, "orders")}/orders.json`, JSON.stringify(order));
      }
      await data.sync();
      const service = await openService(data.config, AURORA);
      const on = "startDate=2025-02-11&endDate=2025-02-11";
      const { body: cards } = await service.get(`/v1/profitability/cards?${on}`);
      const { body: days } = await service.get(`/v1/profitability/new-vs-recurring?${on}`);
      await service.close();
      expect([cards.orders, cards.newCustomers, cards.recurringCustomers]).to.deep.equal([1, 1, 0]);
      expect(days.data).to.deep.equal([{ date: "2025-02-11", newCustomers: 1, recurringCustomers: 0, customers: 1 }]);
    } finally {
      await data.remove();
    }
  });
});
