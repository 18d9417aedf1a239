import { expect } from "chai";
import type { Organization } from "../../src/contract/settings.ts";
import { type DataFolder, exportsOf, oneStore, SEARCHADS, withData, writeOrders } from "../support/data.ts";
import { asked } from "../support/service.ts";
import { search, withAds } from "../support/spend.ts";

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
