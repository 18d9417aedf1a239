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

  it("are one first purchase in two months too: all its revenue is direct [D30]", async () => {
    const at = "2025-01-31T20:00:00.000Z";
    const orders = [
      { store: STOREA, id: "a", at, value: 10 },
      { store: FAR, id: "b", at, value: 40 },
    ];
    await withOrders(orders, async (service) => {
      const { body } = await service.get("/v1/profitability/cohort");
      const actual = (body.data as Record<string, unknown>[]).map((row) => [
        row.cohortMonth,
        row.directRevenue,
        row.totalRevenue,
        row.additionalRevenue,
        row.repurchaseCustomers,
      ]);
      expect(actual).to.deep.equal([["2025-01-01", 50, 50, 0, 0]]);
    });
  });

  for (const [strategy, name] of [
    ["brand", "brandContribution"],
    ["acquisition", "acquisitionContribution"],
  ] as const)
    it(`may have days in the other order: a period's ${name} is of the purchases in it by customers acquired in it [D27]`, async () => {
      const orders = [
        { store: FAR, id: "a", at: "2025-02-10T20:00:00.000Z", value: 10 },
        { store: STOREA, id: "b", at: "2025-02-10T21:00:00.000Z", value: 40 },
      ];
      await withOrders(
        orders,
        async (service) => {
          const contribution = async (from: string, to: string): Promise<unknown[]> => {
            const { body } = await service.get(`/v1/profitability/cards?startDate=${from}&endDate=${to}`);
            return [body.newCustomers, body.revenue, body[name]];
          };
          // Acquired on the 11th; the later order is on the 10th. Half of the revenue is margin.
          expect(await contribution("2025-02-10", "2025-02-10")).to.deep.equal([0, 40, 0]);
          expect(await contribution("2025-02-11", "2025-02-11")).to.deep.equal([1, 10, 5]);
          expect(await contribution("2025-02-10", "2025-02-11")).to.deep.equal([1, 50, 25]);
        },
        strategy,
      );
    });
});
