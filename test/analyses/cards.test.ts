import { expect } from "chai";
import { oneStore, withData, writeOrders } from "../support/data.ts";
import { askedAll } from "../support/service.ts";

describe("Cards compared with the period before", () => {
  it("compare the value of all customers acquired by its end, last day included, with that of those before its first day", () =>
    withData({ ...oneStore(), margin: { percent: 100 } }, async (data) => {
      await writeOrders(data, [
        // Before the period: 10, and 20 when Ana came back.
        ["ana", "2025-01-31", 10],
        ["ana", "2025-02-10", 20],
        // On its first day and on its last, and in the month after.
        ["davi", "2025-02-01", 30],
        ["davi", "2025-03-03", 30],
        ["bia", "2025-02-28", 50],
        ["bia", "2025-03-05", 40],
        // After it.
        ["caio", "2025-03-01", 1000],
      ]);
      const [body = {}, ever = {}] = await askedAll(data, [
        "/v1/profitability/cards?startDate=2025-02-01&endDate=2025-02-28",
        "/v1/profitability/cards?startDate=0001-01-01&endDate=2025-02-28",
      ]);
      const before = body.previousPeriod as Record<string, unknown>;
      const changes = body.changes as Record<string, unknown>;
      // Ana's 30; then (30 + 60 + 90) / 3, twice as much. After the first month 20, then (20 + 30 + 40) / 3.
      expect([before.ltv, before.retentionLtv, changes.ltv, changes.retentionLtv]).to.deep.equal([30, 20, 100, 50]);
      // What they are compared with is the answer for all days up to the end.
      expect([ever.ltv, ever.retentionLtv, ever.previousPeriod]).to.deep.equal([60, 30, null]);
    }));
});
