import { expect } from "chai";
import type { Cards, Statement } from "../../explorer/src/answers.ts";
import {
  type Advice,
  adviceOn,
  type Facts,
  NO_TARGETS,
  type Product,
  targetOf,
} from "../../src/features/actions/advice.ts";
import { isLoss, type Result, resultOf } from "../../src/features/actions/loss.ts";

/** A month that nothing is to be said of. */
const CARDS = {
  revenue: 1000,
  revenueWithoutCmv: 0,
  investment: 100,
  unclassifiedInvestment: 0,
  newCustomers: 5,
  cac: 20,
  ltvCacRatio: 4,
  marginPercent: 50,
  marginConfigured: true,
  marginBasis: "cmv_real",
  marginItemStatus: null,
  hasAcquisitionClassification: true,
  conversionRate: 3,
} as unknown as Cards;
/** A row of the contribution by campaign; its result is exact. */
const result = (breakKey: string | null, investment: number, contributionAfterAds: number | null): Result =>
  ({
    breakKey,
    breakLabel: breakKey,
    connector: "searchads",
    orders: 3,
    revenue: 50,
    investment,
    contributionAfterAds,
  }) as unknown as Result;
type Missing = Statement["missing"][number];
const statement = (...missing: Missing[]): Statement =>
  ({ statement: { revenue: { amount: 1000 } }, missing }) as unknown as Statement;
const missing = (item: Missing["item"], revenue: number | null, units: number | null = null): Missing => ({
  item,
  orders: 1,
  revenue,
  units,
  products: units,
});
const product = (productId: string, daysOfStock: number | null): Product => ({
  productId,
  productName: productId,
  daysOfStock,
  netSales: 10,
});

const advice = (facts: Partial<Facts>): readonly Advice[] =>
  adviceOn({ cards: CARDS, connectors: [], targets: NO_TARGETS, yesterday: "2025-03-31", ...facts });
const names = (facts: Partial<Facts>): string[] => advice(facts).map(({ name }) => name);
const withCards = (cards: Partial<Cards>): string[] => names({ cards: { ...CARDS, ...cards } });

describe("Advice of the overview", () => {
  it("is nothing without a reason, and without answers", () => {
    expect(names({})).to.deep.equal([]);
    expect(names({ cards: undefined })).to.deep.equal([]);
  });

  it("names campaigns that lost money with all of their orders, the largest loss first, and the money", () => {
    const rows = [result("a", 10, -4), result("b", 30, -20), result("c", 90, 5), result(null, 0, -9)];
    const [one] = advice({ results: { rows, investment: 130 } });
    expect(one).to.deep.include({ args: { result: "loss", at: "results" }, stake: 24 });
    expect(one?.name === "losing" && one.campaigns.map(({ breakKey }) => breakKey)).to.deep.equal(["b", "a"]);
    expect(names({ results: { rows: [result("c", 90, 5), result("d", 0, -9)], investment: 90 } })).to.deep.equal([]);
  });

  it("is silent on losses below one percent of all spend", () => {
    const rows = [result("outra", 225, -225), result("grande", 1e6, 5)];
    expect(names({ results: { rows, investment: 1_000_225 } })).to.deep.equal([]);
    expect(names({ results: { rows, investment: 22_500 } })).to.deep.equal(["losing"]);
  });

  it("knows a loss while the cost of goods is unknown only where nothing was sold", () => {
    const row = { revenue: 50, investment: 10, contributionAfterAds: null };
    expect(resultOf({ ...row, contributionAfterAds: 2 })).to.equal(2);
    expect([resultOf(row), isLoss(row, 10)]).to.deep.equal([null, false]);
    expect([resultOf({ ...row, revenue: 0 }), isLoss({ ...row, revenue: 0 }, 10)]).to.deep.equal([-10, true]);
  });

  it("puts what is urgent in the order of the money at stake, before what the figures lack", () => {
    const all = {
      cards: { ...CARDS, marginConfigured: false },
      targets: { ...NO_TARGETS, revenue: 1500, cac: 19 },
      results: { rows: [result("b", 30, -20)], investment: 30 },
    };
    expect(advice(all).map(({ name, stake }) => [name, stake])).to.deep.equal([
      ["target", 500],
      ["losing", 20],
      ["target", 5],
      ["margin", undefined],
    ]);
  });

  it("names missed targets, and none of a figure that is not known", () => {
    const targets = { ...NO_TARGETS, cac: 19, ltvCacRatio: 4.1, margin: 51, revenue: 1000.01 };
    const missed = advice({ targets }).map((one) => one.name === "target" && one.figure);
    expect(missed, "by the money at stake").to.deep.equal(["margin", "ltvCacRatio", "cac", "revenue"]);
    expect(names({ targets: { ...NO_TARGETS, cac: 20, ltvCacRatio: 4, margin: 50, revenue: 1000 } })).to.deep.equal([]);
    const cards = { ...CARDS, investment: 0, cac: 0, ltvCacRatio: 0 };
    expect(names({ cards, targets: { ...NO_TARGETS, cac: 1, ltvCacRatio: 3 } })).to.deep.equal(["media"]);
  });

  it("names what should be left, and no profit while the fixed costs are not known", () => {
    const left = (contribution3: number | null, source: string | null) =>
      ({
        statement: {
          contribution3: { amount: contribution3 },
          fixed: { source },
          profit: { amount: 5 },
          revenue: { amount: 1000 },
        },
        missing: [],
      }) as unknown as Statement;
    const targets = { ...NO_TARGETS, contribution3: 100, profit: 6 };
    const missed = (statement: Statement) =>
      advice({ targets, statement }).map((one) => [one.name === "target" && one.figure, one.stake, one.args?.at]);
    expect(missed(left(90, "rules"))).to.deep.equal([
      ["contribution3", 10, "statement"],
      ["profit", 1, "statement"],
    ]);
    expect(missed(left(100, "pending"))).to.deep.equal([]);
    expect(missed(left(null, null))).to.deep.equal([]);
  });

  it("names best sellers whose stock ends within 14 days, and links the only one", () => {
    const [one] = advice({
      products: [{ store: "s", days: 10, rows: [product("a", 7), product("b", 14.1), product("c", null)] }],
    });
    expect(one).to.include({ name: "stock", view: "products", days: 14, stake: 7 });
    expect(one?.args).to.deep.equal({ store: "s", product: "a" });
    const two = advice({ products: [{ store: "s", days: 10, rows: [product("a", -2), product("b", 0)] }] })[0];
    expect(two?.args).to.deep.equal({ store: "s", list: "restock" });
    const few = { store: "s", days: 10, rows: [product("a", 1)] };
    expect(names({ products: [few], cards: { ...CARDS, revenue: 1001 } }), "below 1 % of revenue").to.deep.equal([]);
  });

  it("looks at the products of every store, and names the store", () => {
    const stores = ["small", "large"].map((store) => ({
      store,
      storeName: `Loja ${store}`,
      days: 10,
      rows: [product(`of ${store}`, store === "small" ? 0 : 7)],
    }));
    expect(
      advice({ products: stores }).map(({ name, args, storeName }) => [name, args?.store, storeName]),
    ).to.deep.equal([
      ["stock", "small", "Loja small"],
      ["stock", "large", "Loja large"],
    ]);
  });

  it("names sources whose newest day is more than two days old, not those without days", () => {
    const source = (name: string, newestDay: string | null) => ({
      integrationId: name,
      connector: "crm",
      name,
      newestDay,
      lastLandedAt: null,
    });
    const [one] = advice({
      connectors: [source("old", "2025-03-01"), source("older", "2025-02-01"), source("crm", null)],
    });
    expect(one?.name === "stale" && one.sources).to.deep.equal([
      { name: "older", days: 58 },
      { name: "old", days: 30 },
    ]);
    const table = { ...source("costs", "2025-01-01"), connector: "finance" };
    expect(names({ connectors: [source("fresh", "2025-03-29"), table] })).to.deep.equal([]);
  });

  it("names what the figures lack", () => {
    expect(withCards({ marginConfigured: false })).to.deep.equal(["margin"]);
    expect(withCards({ investment: 0 })).to.deep.equal(["media"]);
    expect(withCards({ hasAcquisitionClassification: false, unclassifiedInvestment: 50 })).to.deep.equal([
      "unclassifiable",
    ]);
    expect(withCards({ unclassifiedInvestment: 1 })).to.deep.equal(["unclassified"]);
    expect(withCards({ conversionRate: null })).to.deep.equal(["funnel"]);
  });

  it("names the costs of which something is not known, goods apart: without them nothing is known to be left", () => {
    const [goods, costs] = advice({
      statement: statement(
        missing("goods", 60, 2),
        missing("payment", 190),
        missing("other", 9),
        missing("fixed", null),
      ),
    });
    expect(goods).to.include({ name: "goods", is: "gap", view: "overview", amount: 60, units: 2 });
    expect(costs).to.deep.include({ name: "costs", amount: 190, items: ["payment", "fixed"] });
    expect(names({ statement: statement() })).to.deep.equal([]);
  });

  it("names UTMs that sell and match no campaign, not those without orders", () => {
    const utm = (breakKey: string, orders: number, revenue: number): Result => ({
      ...result(breakKey, 0, null),
      connector: null,
      orders,
      revenue,
    });
    const rows = [result("known", 1, 1), utm("old", 0, 0), utm("bio", 1, 3), { ...utm("", 9, 9), breakKey: null }];
    const [one] = advice({ results: { rows, investment: 1 } });
    expect(one?.name === "unmatched" && one.labels).to.deep.equal(["bio"]);
  });
});

describe("The target of a period's amount", () => {
  it("is a month's for a month, and by the days of each month otherwise", () => {
    expect(targetOf(90_000, "2025-02-01", "2025-02-28")).to.equal(90_000);
    expect(targetOf(90_000, "2024-12-01", "2024-12-30")).to.equal(87_096.77);
    expect(targetOf(31_000, "2025-01-31", "2025-02-14")).to.equal(16_500);
    expect(targetOf(10, "2025-01-01", "2025-12-31")).to.equal(120);
    expect(targetOf(null, "2025-01-01", "2025-01-31")).to.equal(null);
  });
});
