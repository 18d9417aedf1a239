import { expect } from "chai";
import { addDays } from "../../src/core/time/days.ts";
import { writeYear } from "../../src/features/demo/exports.ts";
import { SETTINGS } from "../../src/features/demo/shop.ts";
import { DAYS, paidBy, yearUntil } from "../../src/features/demo/year.ts";
import { DataFolder, NOW } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";

const YESTERDAY = addDays(NOW.slice(0, 10), -1);

describe("The year of the demo", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await DataFolder.empty();
    await writeYear(data.path, YESTERDAY, 0.2);
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  it("is the same for the same day, ends on it, and has returning customers, returns and a sold-out product", () => {
    const year = yearUntil(YESTERDAY, 0.2);
    expect(year).to.deep.equal(yearUntil(YESTERDAY, 0.2));
    expect([year.days.length, year.days.at(-1)]).to.deep.equal([DAYS, YESTERDAY]);
    expect(new Set(year.orders.map(({ customer }) => customer)).size).to.be.below(year.orders.length);
    expect(new Set(year.orders.map(({ state }) => state)).size).to.equal(4);
    const lastDays = year.orders.filter(({ day }) => day > addDays(YESTERDAY, -10));
    expect(lastDays.flatMap(({ lines }) => lines.filter(({ product }) => product.isGone))).to.deep.equal([]);
  });

  it("lands without a rejected row, a refused file or a note", async () => {
    const { outcomes, failures } = await data.sync();
    expect(failures).to.deep.equal([]);
    expect(outcomes).to.have.lengthOf(19);
    for (const { record, landed, rejected, refused, notes } of outcomes)
      expect([landed > 0, rejected, refused, notes], record).to.deep.equal([true, 0, [], []]);
  });

  it("has every line of the statement, with all that it costs known [D74]", async () => {
    service = await openService(data.config, SETTINGS.organizationId);
    const period = `startDate=${addDays(YESTERDAY, -59)}&endDate=${YESTERDAY}`;
    const { statement, missing } = (await service.get(`/v1/profit/statement?${period}`)).body;
    const { giftCards, ...lines } = statement as Record<string, { amount: number; source: string; coverage: number }>;
    expect([giftCards?.amount, missing]).to.deep.equal([0, []]);
    for (const [line, { amount, source, coverage }] of Object.entries(lines)) {
      expect(amount, line).to.be.a("number").and.not.equal(0);
      expect(source, line).to.not.be.oneOf(["none", "pending"]);
      expect(coverage, line).to.be.oneOf([1, null]);
    }
  });

  it("has all figures of the overview, and one campaign that loses", async () => {
    const period = `startDate=${addDays(YESTERDAY, -29)}&endDate=${YESTERDAY}`;
    const cards = (await service.get(`/v1/profitability/cards?${period}`)).body;
    const paid = yearUntil(YESTERDAY, 0.2).orders.filter(
      ({ day, state }) => day >= addDays(YESTERDAY, -29) && (state === "paid" || state === "returned"),
    );
    expect([cards.orders, cards.revenue]).to.deep.equal([
      paid.length,
      paid.reduce((sum, order) => sum + paidBy(order), 0) / 100,
    ]);
    for (const figure of [
      "revenue",
      "investment",
      "contributionProfit",
      "cac",
      "ltv",
      "ltvCacRatio",
      "roi",
      "conversionRate",
    ])
      expect(cards[figure], figure).to.be.a("number").and.not.equal(0);
    const year = `startDate=${addDays(YESTERDAY, -364)}&endDate=${YESTERDAY}`;
    const { body } = await service.get(`/v1/acquisition/campaigns?${year}`);
    const campaigns = body.data as { campaignName: string; roi: number }[];
    expect(campaigns).to.have.lengthOf(7);
    const losing = campaigns.filter(({ roi }) => roi < -0.5).map(({ campaignName }) => campaignName);
    expect(losing).to.deep.equal(["Sorteio nas redes"]);
  });
});
