import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import {
  type DataFolder,
  exportsOf,
  type Invented,
  oneStore,
  SEARCHADS,
  SOCIALADS,
  STOREA,
  storeaOrder,
  withData,
  writeOrders,
} from "../support/data.ts";
import { asked } from "../support/service.ts";
import { answer, search, social, withAds } from "../support/spend.ts";

async function order(data: DataFolder, invented: Partial<Invented> & { id: string }, more: object = {}): Promise<void> {
  const exported = { ...storeaOrder({ value: 10, ...invented }), ...more };
  await data.write(`${exportsOf(STOREA, "orders")}/${invented.id}.json`, JSON.stringify(exported));
}

describe("Periods of any length", () => {
  it("are accepted if the answer is not a point a day", () =>
    withData({ ...oneStore(), margin: { percent: 100 } }, async (data) => {
      await writeOrders(data, [["ana", "2025-02-10", 20]]);
      const ever = "startDate=1900-01-01&endDate=2199-12-31";
      const cards = await asked(data, `/v1/profitability/cards?${ever}`);
      expect(cards.revenue).to.equal(20);
      expect((cards.previousPeriod as { period: unknown }).period).to.deep.equal({
        startDate: "1600-01-01",
        endDate: "1899-12-31",
      });
      const months = await asked(data, `/v1/profitability/metrics-evolution?startDate=0001-01-01&endDate=9999-12-31`);
      const points = months.data as { totalRevenue: number }[];
      expect([points.length, points.reduce((sum, { totalRevenue }) => sum + totalRevenue, 0)]).to.deep.equal([
        119_988, 20,
      ]);
      const cohorts = await asked(data, `/v1/profitability/cohort?startDate=0001-01-01&endDate=9999-12-31`);
      expect(cohorts.data).to.have.length(1);
    }));
});

describe("Two accounts of one network that hold the same campaign", () => {
  const OTHER = "a0000000-0000-4000-8000-00000000000b";
  const settings = (): Organization => {
    const { integrations = [], ...rest } = withAds();
    return { ...rest, integrations: [...integrations, { id: OTHER, connector: "searchads", name: "search again" }] };
  };
  const spent = async (data: DataFolder): Promise<unknown> =>
    (await asked(data, "/v1/profitability/cards?startDate=2025-02-01&endDate=2025-02-28")).investment;
  const write = async (data: DataFolder, integration: string, cost: number, written: string): Promise<void> => {
    const content = search("7", "Promo", "2025-02-01", `${cost}000000`);
    await data.write(`${exportsOf(integration, "campaigns")}/a.json`, content, new Date(written));
  };

  for (const [written, cost] of [
    [["2025-02-20", "2025-02-21"], 20],
    [["2025-02-21", "2025-02-20"], 10],
    // Written at the same time: the path decides.
    [["2025-02-20", "2025-02-20"], SEARCHADS > OTHER ? 10 : 20],
  ] as const)
    it(`count a day once, from the file written last: written ${written.join(" and ")} [D10], [D47]`, () =>
      withData(settings(), async (data) => {
        await write(data, SEARCHADS, 10, written[0]);
        await write(data, OTHER, 20, written[1]);
        await data.sync();
        expect(await spent(data)).to.equal(cost);
      }));

  it("count a day from the latest sync, whenever its file was written", () =>
    withData(settings(), async (data) => {
      await write(data, OTHER, 20, "2025-02-21");
      await data.sync();
      await write(data, SEARCHADS, 10, "2025-02-20");
      await data.sync();
      expect(await spent(data)).to.equal(10);
    }));
});

describe("Campaigns of one name in two networks", () => {
  it("have the orders of their own channel; orders of other channels go to the smallest id [D14]", () =>
    withData(withAds(), async (data) => {
      await data.write(`${exportsOf(SOCIALADS, "campaigns")}/a.json`, social("1", "Promo", "2025-02-01", "5"));
      await data.write(`${exportsOf(SEARCHADS, "campaigns")}/a.json`, search("2", "Promo", "2025-02-01", "3000000"));
      for (const [id, utmSource, utmMedium] of [
        ["a", "google", "cpc"],
        ["b", "google", "cpc"],
        ["c", "facebook", "paid"],
        ["d", "news", "email"],
        ["e", "news", "email"],
      ] as const)
        await order(data, { id }, { marketingData: { utmSource, utmMedium, utmCampaign: "promo" } });
      const rows = await answer(data, "/v1/acquisition/campaigns?startDate=2025-02-01&endDate=2025-02-28");
      const actual = rows.map(({ campaignId, connector, orders }) => [campaignId, connector, orders]);
      expect(actual).to.have.deep.members([
        ["1", "socialads", 3],
        ["2", "searchads", 2],
      ]);
    }));
});

describe("Records of a campaign that overlap", () => {
  const record = (first: string, last: string, spend: string): string =>
    JSON.stringify({ data: [{ campaign_id: "1", campaign_name: "Promo", spend, date_start: first, date_stop: last }] });

  for (const [how, syncs] of [
    ["in one sync", ["2025-03-01", "2025-03-01"]],
    ["one sync after the other", ["2025-03-01", "2025-03-02"]],
  ] as const)
    it(`count a day once that two of the same length contain, from the latest landed one: ${how} [D10]`, () =>
      withData(withAds(), async (data) => {
        const records = [record("2025-02-01", "2025-02-04", "40"), record("2025-02-03", "2025-02-06", "80")];
        for (const [no, sync] of syncs.entries()) {
          const file = `${exportsOf(SOCIALADS, "campaigns")}/${no}.json`;
          await data.write(file, records[no] as string, new Date(`2025-02-2${no}`));
          if (no === 0 && sync === syncs[1]) continue;
          await data.syncAt(`${sync}T09:00:00.000Z`);
        }
        const [campaign] = await answer(data, "/v1/acquisition/campaigns?startDate=2025-02-01&endDate=2025-02-28");
        // Two days of 10, and four of 20.
        expect(campaign?.investment).to.equal(100);
      }));
});

describe("Points of a series", () => {
  it("are days up to 92 of them, else months [D28]", () =>
    withData(withAds(), async (data) => {
      await order(data, { id: "a", at: "2025-01-10T14:00:00.000Z" });
      for (const [end, points] of [
        ["2025-04-01", 92],
        ["2025-04-02", 5],
      ] as const) {
        const { data: rows, granularity } = await asked(
          data,
          `/v1/profitability/new-vs-recurring?startDate=2024-12-31&endDate=${end}`,
        );
        expect([end, (rows as unknown[]).length, granularity]).to.deep.equal([
          end,
          points,
          points === 92 ? "day" : "month",
        ]);
      }
    }));

  for (const [what, ordered, spent] of [
    ["orders", ["2025-01-10", "2025-03-10"], ["2025-02-10"]],
    ["spend", ["2025-02-10"], ["2025-01-10", "2025-03-10"]],
  ] as const)
    it(`without a period are the months from the first to the last with any ${what} [D29]`, () =>
      withData(withAds(), async (data) => {
        for (const day of ordered) await order(data, { id: day, at: `${day}T14:00:00.000Z` });
        for (const day of spent)
          await data.write(`${exportsOf(SOCIALADS, "campaigns")}/${day}.json`, social("1", "Promo", day, "5"));
        // Days without spend do not add months.
        for (const day of ["2024-12-10", "2025-04-10"])
          await data.write(`${exportsOf(SOCIALADS, "campaigns")}/${day}.json`, social("1", "Promo", day, "0"));
        const rows = await answer(data, "/v1/profitability/metrics-evolution");
        const actual = rows.map(({ month, totalOrders, totalInvestment }) => [month, totalOrders, totalInvestment]);
        const [one, other] = what === "orders" ? [1, 0] : [0, 1];
        expect(actual).to.deep.equal([
          ["2025-01-01", one, 5 * other],
          ["2025-02-01", other, 5 * one],
          ["2025-03-01", one, 5 * other],
        ]);
      }));
});

describe("Months until spend is paid back [D26]", () => {
  it("are the average over the months that have paid back, weighted by their customers, and each cohort's own", () =>
    withData({ ...withAds(), margin: { percent: 100 } }, async (data) => {
      const bought = [
        ["ana", "2025-01-10", 30],
        ["bia", "2025-01-20", 30],
        ["ana", "2025-02-05", 60],
        ["caio", "2025-02-10", 30],
        ["caio", "2025-04-10", 30],
        // March has not paid back yet.
        ["davi", "2025-03-10", 10],
      ] as const;
      await writeOrders(data, bought, { marketingData: { utmSource: "facebook", utmMedium: "paid" } });
      const months = ["2025-01-05", "2025-02-05", "2025-03-05"];
      for (const [no, spend] of ["100", "60", "1000"].entries())
        await data.write(`${exportsOf(SOCIALADS, "campaigns")}/${no}.json`, social("1", "P", months[no] ?? "", spend));
      const body = await asked(data, "/v1/profitability/cards");
      // January, 2 customers: 60, then 120. February, 1 customer: 30, 30, and 60, which is just enough. (1 × 2 + 2 × 1) / 3.
      expect(body.payback).to.equal(1.33);
      const cohorts = await answer(data, "/v1/profitability/cohort?breakBy=origem");
      expect(cohorts.map(({ cohortMonth, payback }) => [cohortMonth, payback])).to.deep.equal([
        ["2025-01-01", 1],
        ["2025-02-01", 2],
        ["2025-03-01", null],
      ]);
    }));
});

describe("The cost of acquiring customers", () => {
  const FEBRUARY = "startDate=2025-02-01&endDate=2025-02-28";

  for (const [without, has] of [
    ["spend", { order: true, spend: "0" }],
    ["customers", { order: false, spend: "50" }],
  ] as const)
    it(`is null for a period without ${without}, and so is its return`, () =>
      withData({ ...withAds(), campaigns: [{ strategy: "acquisition", name: "promo" }] }, async (data) => {
        await order(data, { id: "a", utmCampaign: has.order ? "Promo" : "Outra" });
        await data.write(`${exportsOf(SOCIALADS, "campaigns")}/a.json`, social("1", "Promo", "2025-02-10", has.spend));
        const body = await asked(data, `/v1/acquisition/summary?${FEBRUARY}`);
        const figure = (name: string): unknown => (body[name] as { value: unknown }).value;
        expect([figure("acquisitionNewCustomers"), figure("acquisitionInvestment")]).to.deep.equal([
          has.order ? 1 : 0,
          Number(has.spend),
        ]);
        const figures = ["cac", "acquisitionAvgLtv", "acquisitionLtvCacRatio", "acquisitionRoi", "paybackMonths"];
        expect(figures.map(figure)).to.deep.equal([null, null, null, null, null]);
      }));
});
