import { expect } from "chai";
import { exportsOf, oneStore, STOREB, withData, writeOrders } from "../support/data.ts";
import { asked, askedAll } from "../support/service.ts";

describe("Cards compared with the period before", () => {
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
