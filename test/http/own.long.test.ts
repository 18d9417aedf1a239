import { expect } from "chai";
import { AURORA, type DataFolder } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

const QUALITY = "/v1/data-quality";

describe("The quality of data", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await landedFixtures();
    service = await openService(data.config, AURORA);
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  it("has the findings of doctor about orders that do not count", async () => {
    const { body } = await service.get(QUALITY);
    const findings = body.findings as { kind: string; orders: number; revenue: number }[];
    const found = findings.find(({ kind }) => kind === "uncountedOrders");
    const reconciled = await service.get("/v1/profitability/reconciliation");
    const uncounted = (reconciled.body.stores as { uncounted: { orders: number }[] }[]).flatMap((one) => one.uncounted);
    expect(found?.orders).to.equal(uncounted.reduce((sum, { orders }) => sum + orders, 0));
  });
});
