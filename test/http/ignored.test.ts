import { expect } from "chai";
import request from "supertest";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { ignoredIn } from "../../src/core/params/ignored.ts";
import { makeApp, signed, withOrganization } from "../support/app.ts";

const endpointOf = (path: string) => endpoints.find((one) => one.path === path) as (typeof endpoints)[number];

describe("Parameters that leave an answer as it is", () => {
  const rows = endpointOf("/v1/socialads/ads/campaigns");
  const cards = endpointOf("/v1/profitability/cards");

  it("are the unknown ones of a row endpoint [D20], and a lone date of an analysis [D23]", () => {
    expect(
      ignoredIn(rows, { organizationId: "a", startDate: "2025-01-01", dateStart: "2025-01-01", "a b": "1" }),
    ).to.equal("startDate, *");
    expect(ignoredIn(cards, { startDate: "2025-01-01" })).to.equal("startDate");
    expect(ignoredIn(cards, { endDate: "2025-01-01", startDate: "" })).to.equal("endDate");
    for (const sent of [{}, { startDate: "2025-01-01", endDate: "2025-01-02" }, { startDate: "" }])
      expect(ignoredIn(cards, sent)).to.equal(undefined);
    expect(ignoredIn(rows, { __proto__: "1", constructor: "2", limit: "7" })).to.equal("constructor");
  });

  it("are named as a header can have it, however many and long they are", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, no) => [`k${no}`, "1"]));
    expect(ignoredIn(rows, many)?.split(", ")).to.have.length(20);
    const named = ignoredIn(rows, { ["ü\r\nX-Evil: 1".repeat(50)]: "1", "\ud800": "1" }) ?? "";
    expect(named).to.equal("*");
    expect(ignoredIn(rows, { ["s".repeat(43)]: "1" }), "it may be a secret").to.equal("*");
  });

  it("are named in each answer, from the cache and without a body too", async () => {
    const { app } = makeApp();
    const ask = (address: string) => signed(request(app).get(withOrganization(address)));
    const first = await ask("/v1/profitability/cards?startDate=2025-01-01");
    expect(first.headers["x-ignored-parameters"]).to.equal("startDate");
    expect((await ask("/v1/profitability/cards?startDate=2025-01-01")).headers["x-ignored-parameters"]).to.equal(
      "startDate",
    );
    const same = await ask("/v1/profitability/cards?startDate=2025-01-01").set(
      "If-None-Match",
      first.headers.etag ?? "",
    );
    expect([same.status, same.headers["x-ignored-parameters"]]).to.deep.equal([304, "startDate"]);
    expect((await ask("/v1/profitability/cards")).headers).to.not.have.property("x-ignored-parameters");
  });
});
