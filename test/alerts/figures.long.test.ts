import { expect } from "chai";
import { AURORA, type DataFolder } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

describe("The figures of alerts [D96]", () => {
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

  const figureOf = async (query: string, day: string): Promise<unknown> => {
    const { body } = await service.get(`/v1/alerts/replay?${query}&rule=above&value=0&startDate=${day}&endDate=${day}`);
    const [row] = body.days as { actual: number }[];
    return row?.actual;
  };

  it("has the figures that the API answers for the same days", async () => {
    const from = (last: string): string => `startDate=${last}&endDate=${last}`;
    for (const day of ["2025-01-15", "2025-02-08", "2025-02-11"]) {
      const { body: statement } = await service.get(`/v1/profit/statement?${from(day)}&compare=none`);
      const lines = statement.statement as Record<string, { amount: number | null }>;
      for (const figure of ["revenue", "netRevenue", "contribution1", "contribution2", "contribution3"])
        expect(await figureOf(`metric=${figure}`, day), `${figure} ${day}`).to.equal(
          lines[figure]?.amount ?? undefined,
        );
      const { body: cards } = await service.get(`/v1/profitability/cards?${from(day)}`);
      for (const figure of ["orders", "newCustomers", "investment"])
        expect(await figureOf(`metric=${figure}`, day), `${figure} ${day}`).to.equal(cards[figure]);
    }
  });

  it("has the figures of a channel, a campaign and a store, and of a week", async () => {
    const week = "startDate=2025-02-05&endDate=2025-02-11";
    const last = "2025-02-11";
    const { body: contribution } = await service.get(`/v1/acquisition/contribution?${week}&breakBy=origem`);
    const rows = contribution.data as Record<string, number | string | null>[];
    const social = rows.find(({ breakKey }) => breakKey === "socialads");
    const of = "channel=socialads&over=week";
    expect(await figureOf(`metric=netRevenue&${of}`, last)).to.equal(social?.netRevenue);
    expect(await figureOf(`metric=contribution3&${of}`, last)).to.equal(social?.contributionAfterAds ?? undefined);
    const { body: channels } = await service.get(`/v1/acquisition/channels?${week}`);
    const channel = (channels.data as Record<string, unknown>[]).find((one) => one.channel === "socialads");
    for (const figure of ["orders", "revenue", "newCustomers", "investment"])
      expect(await figureOf(`metric=${figure}&${of}`, last), figure).to.equal(channel?.[figure]);
    const store = "a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01";
    const { body: ofStore } = await service.get(`/v1/profit/statement?${week}&compare=none&integrationId=${store}`);
    const lines = ofStore.statement as Record<string, { amount: number | null }>;
    for (const figure of ["revenue", "netRevenue", "contribution2"])
      expect(await figureOf(`metric=${figure}&integrationId=${store}&over=week`, last), figure).to.equal(
        lines[figure]?.amount ?? undefined,
      );
  });
});
