import { expect } from "chai";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { lineage } from "../../src/documents/lineage/lineage.ts";

describe("The lineage", () => {
  it("traces the fields of answers to the fields of records", async () => {
    const made = await lineage(endpoints);
    const cards = made.answers.find(({ file }) => file === "profitability/cards")?.columns ?? [];
    const cac = cards.find(({ name }) => name === "cac")?.of ?? [];
    expect(cac).to.deep.equal(["daily_totals.investment", "daily_totals.new_customers"]);
    expect([...made.fields(cac)]).to.deep.include.members([
      ["searchads/campaigns", ["cost", "date"]],
      ["socialads/campaigns", ["date_start", "date_stop", "spend"]],
      ["storeb/orders", ["cancelled_at", "customer_id", "email", "financial_status", "is_test"]],
    ]);
    const spend = made.records.find(({ record }) => record === "searchads/campaigns")?.columns ?? [];
    expect(spend.find(({ name }) => name === "cost")?.of).to.include("metrics.costMicros");
  });
});
