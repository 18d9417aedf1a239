import { expect } from "chai";
import { serveFixtures } from "../support/service.ts";

const QUALITY = "/v1/data-quality";

describe("The quality of data", () => {
  const of = serveFixtures();

  it("has the findings of doctor about orders that do not count", async () => {
    const { body } = await of.service.get(QUALITY);
    const findings = body.findings as { kind: string; orders: number; revenue: number }[];
    const found = findings.find(({ kind }) => kind === "uncountedOrders");
    const reconciled = await of.service.get("/v1/profitability/reconciliation");
    const uncounted = (reconciled.body.stores as { uncounted: { orders: number }[] }[]).flatMap((one) => one.uncounted);
    expect(found?.orders).to.equal(uncounted.reduce((sum, { orders }) => sum + orders, 0));
  });
});
