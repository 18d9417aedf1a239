import { expect } from "chai";
import { exportsOf, oneStore, STOREB, withData, writeOrders } from "../support/data.ts";
import { asked } from "../support/service.ts";

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
      const body = await asked(data, "/v1/profitability/cards?startDate=2025-02-01&endDate=2025-02-28");
      const before = body.previousPeriod as Record<string, unknown>;
      const changes = body.changes as Record<string, unknown>;
      // Ana's 30; then (30 + 60 + 90) / 3, twice as much. After the first month 20, then (20 + 30 + 40) / 3.
      expect([before.ltv, before.retentionLtv, changes.ltv, changes.retentionLtv]).to.deep.equal([30, 20, 100, 50]);
    }));
});

describe("A storeb order", () => {
  it("counts by its financial status, in capitals, in small letters or between blanks", () =>
    withData({ ...oneStore(), integrations: [{ id: STOREB, connector: "storeb", name: "x" }] }, async (data) => {
      const statuses = [" Paid ", "PARTIALLY_REFUNDED", "Pending", "VOIDED", "paid"];
      const orders = statuses.map((financial_status, no) => ({
        id: no + 1,
        financial_status,
        created_at: "2025-02-10T14:00:00Z",
        processed_at: "2025-02-10T14:00:00Z",
        updated_at: "2025-02-10T14:00:00Z",
        currency: "BRL",
        total_price: String(10 ** no),
        line_items: [],
      }));
      await data.write(`${exportsOf(STOREB, "orders")}/orders.json`, JSON.stringify({ orders }));
      expect((await asked(data, "/v1/profitability/cards")).revenue).to.equal(1 + 10 + 10_000);
    }));
});
