import { expect } from "chai";
import { exportsOf, oneStore, STOREB, withData, writeOrders } from "../support/data.ts";
import { asked, askedAll } from "../support/service.ts";

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

  it("compare it with that of all customers acquired by the end of the period compared with [D50]", () =>
    withData({ ...oneStore(), margin: { percent: 100 } }, async (data) => {
      await writeOrders(data, [
        ["ana", "2023-02-28", 10],
        ["ana", "2024-02-29", 20],
        // After the period compared with, before the period.
        ["bia", "2023-06-01", 500],
        ["caio", "2024-02-29", 90],
      ]);
      const address = "/v1/profitability/cards?startDate=2024-02-29&endDate=2024-03-03";
      const answers = await askedAll(
        data,
        ["year", "weekdays", "none"].map((compare) => `${address}&compare=${compare}`),
      );
      const [year, weekdays, none] = answers.map((body) => ({
        before: body.previousPeriod as Record<string, unknown> | null,
        changes: body.changes as Record<string, unknown> | null,
      }));
      const { before, changes } = year ?? {};
      expect(before?.period).to.deep.equal({ startDate: "2023-02-28", endDate: "2023-03-03" });
      // Ana's 10 of two years ago, 110 now; Ana's 30 to date, then (30 + 500 + 90) / 3.
      expect([before?.revenue, changes?.revenue, before?.ltv, changes?.ltv]).to.deep.equal([10, 1000, 30, 588.89]);
      expect(weekdays?.before?.period).to.deep.equal({ startDate: "2023-03-02", endDate: "2023-03-05" });
      expect(none).to.deep.equal({ before: null, changes: null });
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
