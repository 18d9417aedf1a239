import { expect } from "chai";
import { withOrders } from "../support/acrossZones.ts";
import { OTHER_STOREA as FAR, STOREA } from "../support/data.ts";

describe("A customer's orders in stores of other time zones", () => {
  it("have one first purchase at one instant: a customer with an order on the later day has not come back on it [D6]", async () => {
    const at = "2025-02-10T20:00:00.000Z";
    // The smaller id is the first order; in its store's zone it is already the next day.
    const orders = [
      { store: FAR, id: "a", at, value: 10 },
      { store: STOREA, id: "b", at, value: 10 },
    ];
    await withOrders(orders, async (service) => {
      const on = "startDate=2025-02-11&endDate=2025-02-11";
      const { body: cards } = await service.get(`/v1/profitability/cards?${on}`);
      const { body: days } = await service.get(`/v1/profitability/new-vs-recurring?${on}`);
      expect([cards.orders, cards.newCustomers, cards.recurringCustomers]).to.deep.equal([1, 1, 0]);
      expect(days.data).to.deep.equal([{ date: "2025-02-11", newCustomers: 1, recurringCustomers: 0, customers: 1 }]);
    });
  });
});
