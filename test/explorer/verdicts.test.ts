import { expect } from "chai";

Object.assign(globalThis, { location: { hash: "" }, addEventListener: () => {}, history: {} });
const { levelOf, verdictOn } = await import("../../explorer/src/freshness.ts");
const { lacksMargin, withKnownMargin } = await import("../../explorer/src/margin.ts");
const { hiddenBecause, knownOf, unknownFor } = await import("../../explorer/src/views/known.ts");

const source = (name: string, newestDay: string | null, lastLandedAt: string | null = "2025-03-31T08:00:00Z") => ({
  integrationId: name,
  connector: "storea",
  name,
  newestDay,
  lastLandedAt,
});
const FRESH = source("fresh", "2025-03-31");

describe("The verdict on the data", () => {
  const verdict = (connectors: readonly ReturnType<typeof source>[], ...levels: readonly ("wrong" | "notice")[]) =>
    verdictOn({ connectors, findings: levels.map((level) => ({ level })), yesterday: "2025-03-31" });

  it("is red without an integration and without any data, however few problems there are", () => {
    expect(verdict([])).to.deep.equal({ level: "bad", name: "noIntegrations" });
    expect(verdict([source("a", null, null)])).to.deep.equal({ level: "bad", name: "nothingLanded" });
  });

  it("is red for what is wrong, and for data that are older than a week", () => {
    expect(verdict([FRESH], "notice", "wrong")).to.deep.equal({ level: "bad", name: "wrong", count: 1 });
    const old = { level: "bad", name: "stale", source: "old", days: 23 };
    expect(verdict([FRESH, source("old", "2025-03-08")], "notice")).to.deep.equal(old);
  });

  it("is yellow for younger delays, silent integrations and notices, and green for nothing of it", () => {
    expect(verdict([FRESH, source("late", "2025-03-28")])).to.include({ level: "warn", name: "stale", days: 3 });
    expect(verdict([FRESH, source("new", null, null)])).to.include({ level: "warn", name: "missing", count: 1 });
    expect(verdict([FRESH], "notice", "notice")).to.include({ level: "warn", name: "notices", count: 2 });
    expect(verdict([FRESH, source("yesterday's is on its way", "2025-03-29")])).to.include({ level: "good" });
    expect([0, 2, 3, 7, 8].map(levelOf)).to.deep.equal(["good", "good", "warn", "warn", "bad"]);
  });
});

describe("An answer without a margin", () => {
  const cards = {
    marginConfigured: false,
    marginPercent: 100,
    revenue: 900,
    contribution: 900,
    contributionProfit: 800,
    ltv: 45,
    roi: 7,
    investment: 100,
    newCustomers: 20,
    cogs: 400,
    changes: { revenue: 3, contributionProfit: 4 },
    previousPeriod: { revenue: 1, contributionProfit: 1 },
  };

  it("has no figure that takes revenue for profit, at any depth; the others stay", () => {
    expect(withKnownMargin(cards)).to.deep.equal({
      ...cards,
      marginPercent: null,
      contribution: null,
      contributionProfit: null,
      ltv: null,
      roi: null,
      changes: { revenue: 3, contributionProfit: null },
      previousPeriod: { revenue: 1, contributionProfit: null },
    });
    const bridge = {
      marginConfigured: false,
      revenue: { before: 1, after: 2 },
      contributionProfit: { before: 1, after: 2, effects: { other: 1 } },
      productMargin: { before: 1 },
      drivers: [{ key: "a", after: 3 }],
    };
    expect(withKnownMargin(bridge)).to.deep.equal({
      ...bridge,
      contributionProfit: { before: null, after: null, effects: { other: null } },
    });
    const rows = { marginConfigured: false, data: [{ roi: 1, ltv: 2, cac: 3, campaignName: "roi" }] };
    expect(withKnownMargin(rows).data).to.deep.equal([{ roi: null, ltv: null, cac: 3, campaignName: "roi" }]);
  });

  it("has no contribution in the steps of its cohorts", () => {
    const cell = { pct: 1, absolute: 2, complementary: 3 };
    const cohort = (view: string) => ({ marginConfigured: false, view, data: [{ months: { 1: cell } }] });
    expect(withKnownMargin(cohort("logo")).data[0]?.months[1]).to.deep.equal({ ...cell, complementary: null });
    expect(withKnownMargin(cohort("revenue")).data[0]?.months[1]).to.deep.equal({ ...cell, absolute: null });
  });

  it("says why, and what to do", () => {
    expect(lacksMargin(cards)).to.equal(true);
    for (const name of ["contributionProfit", "ltv", "ltvCacRatio", "roi", "clv", "payback"]) {
      expect(unknownFor(withKnownMargin(cards), name), name).to.equal("no_margin");
      expect(knownOf(withKnownMargin(cards), name), name).to.equal(null);
    }
    expect(unknownFor(cards, "cac")).to.equal(undefined);
  });

  it("is left alone with a margin, and where the answer has none", () => {
    const known = { ...cards, marginConfigured: true };
    expect(withKnownMargin(known)).to.equal(known);
    expect(withKnownMargin(null)).to.equal(null);
    expect(withKnownMargin({ ltv: 3 })).to.deep.equal({ ltv: 3 });
  });
});

describe("The spend of a store that nobody knows [D86]", () => {
  it("is why everything that is made of it is unknown, and nothing else", () => {
    const cards = { marginConfigured: true, investment: null, newCustomers: 2, orders: 3, revenue: 9, ltv: 1 };
    for (const name of ["investment", "cac", "cpv", "roi", "clv", "ltvCacRatio", "contributionProfit"])
      expect(unknownFor(cards, name), name).to.equal("hidden_spend");
    for (const name of ["revenue", "ltv", "averageTicket", "newCustomers"])
      expect(unknownFor(cards, name), name).to.equal(undefined);
    expect(unknownFor({ ...cards, investment: 0 }, "cac")).to.equal("no_media");
  });
});

describe("The explanation of a figure that the page does not show", () => {
  const input = (figure: string, value: number | null) => ({ figure, value });

  it("says so too, although the API's rule answers 0", () => {
    withKnownMargin({ marginConfigured: true });
    expect(hiddenBecause("cac", [input("investment", 5), input("newCustomers", 0)])).to.equal("no_customers");
    expect(hiddenBecause("previousPeriod.cac", [input("previousPeriod.investment", 0)])).to.equal("no_media");
    expect(hiddenBecause("clv", [input("ltv", 9), input("cac", 0)])).to.equal("no_media");
    expect(hiddenBecause("cac", [input("investment", 5), input("newCustomers", 2)])).to.equal(undefined);
    expect(hiddenBecause("revenue", [input("orders", 0)])).to.equal(undefined);
    withKnownMargin({ marginConfigured: false });
    expect(hiddenBecause("contributionProfit", [])).to.equal("no_margin");
    expect(hiddenBecause("revenue", [])).to.equal(undefined);
  });
});
