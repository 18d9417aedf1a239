import { expect } from "chai";
import request from "supertest";
import { AURORA, type DataFolder } from "../support/data.ts";
import { openService } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

describe("Engines", () => {
  let data: DataFolder;

  before(async () => {
    data = await landedFixtures();
  });

  after(() => data?.remove());

  it("of a service answer small organizations, and write their tables, in the small one", async () => {
    const service = await openService({ ...data.config, threads: 2 }, AURORA);
    service.database.close();
    try {
      const cards = "/v1/profitability/cards?startDate=2025-02-01&endDate=2025-02-28";
      expect((await service.get(cards)).status).to.equal(200);
      const { status, text } = await request(service.app)
        .get(`/v1/profitability/trend?startDate=2025-02-01&endDate=2025-02-28&organizationId=${AURORA}`)
        .set({ "x-client-id": "test", "x-client-secret": "x", accept: "text/csv" });
      expect([status, text.split("\n").length > 2]).to.deep.equal([200, true]);
    } finally {
      await service.close();
    }
  });
});
