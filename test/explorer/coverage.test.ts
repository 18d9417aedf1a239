import { expect } from "chai";

Object.assign(globalThis, { location: { hash: "" }, addEventListener: () => {}, history: {} });
const { coverageOf, lacksOf } = await import("../../explorer/src/coverage.ts");

describe("What figures lack at the end of their period", () => {
  const coverage = {
    stores: [{ integrationId: "store", lastDay: "2025-11-23" }],
    accounts: [
      { integrationId: "meta", lastDay: "2025-10-31" },
      { integrationId: "google", lastDay: "2025-11-25" },
    ],
  };
  const ids = (until: string | null, last = "2025-11-25") =>
    lacksOf(coverage, until, last).map(({ integrationId, is }) => `${is} ${integrationId}`);

  it("is the spend of accounts that end before it, and the sales of stores after some quiet days", () => {
    expect(ids("2025-11-25")).to.deep.equal(["account meta"]);
    expect(ids("2025-10-31")).to.deep.equal([]);
    expect(ids("2025-11-30"), "nothing is expected after the last full day").to.deep.equal(["account meta"]);
    expect(ids(null), "the whole history").to.deep.equal(["account meta"]);
    expect(ids("2025-12-01", "2025-12-01")).to.deep.equal(["store store", "account meta", "account google"]);
  });

  it("is known of the integrations too", () => {
    const one = (integrationId: string, connector: string, newestDay: string | null) => ({
      integrationId,
      connector,
      name: integrationId,
      newestDay,
      lastLandedAt: null,
    });
    const connectors = [one("a", "storeb", "2025-11-25"), one("b", "socialads", "2025-10-31"), one("c", "crm", null)];
    expect(lacksOf(coverageOf(connectors), null, "2025-11-25")).to.deep.equal([
      { integrationId: "b", lastDay: "2025-10-31", is: "account" },
    ]);
  });

  it("is everything of a source that has no day, and nothing where the answer does not say", () => {
    const silent = { stores: [], accounts: [{ integrationId: "new", lastDay: null }] };
    expect(lacksOf(silent, "2025-11-25", "2025-11-25")).to.deep.equal([
      { integrationId: "new", lastDay: null, is: "account" },
    ]);
    expect(lacksOf(undefined, "2025-11-25", "2025-11-25")).to.deep.equal([]);
  });
});
