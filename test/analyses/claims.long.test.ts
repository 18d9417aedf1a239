import { expect } from "chai";
import { AURORA, DataFolder, exportsOf, oneStore, SEARCHADS, SOCIALADS } from "../support/data.ts";
import { openService } from "../support/service.ts";

describe("What an ad platform claims", () => {
  const social = (id: string, more: object = {}): object => ({
    campaign_id: id,
    campaign_name: id,
    account_id: "1",
    spend: "10",
    date_start: "2025-02-01",
    date_stop: "2025-02-01",
    ...more,
  });
  const report = (fields: string, metrics: object): string =>
    JSON.stringify({
      results: [
        { campaign: { id: "9" }, metrics: { costMicros: "5000000", ...metrics }, segments: { date: "2025-02-01" } },
      ],
      fieldMask: `campaign.id,segments.date,metrics.costMicros${fields}`,
    });
  const MANAGER = "Campaign ID,Campaign name,Day,Amount spent (BRL),Impressions,Clicks (all),Link clicks";
  const ROAS = "Purchase ROAS (return on ad spend)";

  const claims = async (connector: string, name: string, content: string): Promise<unknown[]> => {
    const data = await DataFolder.empty();
    try {
      await data.settings({
        ...oneStore(),
        currency: "BRL",
        integrations: [
          { id: SOCIALADS, connector: "socialads" },
          { id: SEARCHADS, connector: "searchads" },
        ],
      });
      await data.write(`${exportsOf(connector === "socialads" ? SOCIALADS : SEARCHADS, "campaigns")}/${name}`, content);
      await data.sync();
      const service = await openService(data.config, AURORA);
      try {
        const { accounts } = (await service.get("/v1/profitability/reconciliation")).body;
        const found = (accounts as Record<string, unknown>[]).find((one) => one.connector === connector);
        return [found?.investment, found?.platformConversions, found?.platformValue, found?.claimedToConfirmed];
      } finally {
        await service.close();
      }
    } finally {
      await data.remove();
    }
  };

  it("is unknown if an export has no column of it, and 0 if it is empty there [D54]", async () => {
    const cases: [string, string, string, unknown[]][] = [
      ["socialads", "api.json", JSON.stringify([social("a")]), [10, null, 0, null]],
      ["socialads", "table.csv", "campaign_id,date_start,spend\na,2025-02-01,10", [10, null, null, null]],
      [
        "socialads",
        "empty.csv",
        "campaign_id,date_start,spend,website_purchase_roas\na,2025-02-01,10,",
        [10, null, 0, null],
      ],
      [
        "socialads",
        "roas.csv",
        "campaign_id,date_start,spend,website_purchase_roas\na,2025-02-01,10,2.5",
        [10, null, 25, null],
      ],
      ["socialads", "manager.csv", `${MANAGER}\na,A,2025-02-01,10.00,5,1,1`, [10, null, null, null]],
      ["socialads", "managed.csv", `${MANAGER},${ROAS}\na,A,2025-02-01,10.00,5,1,1,`, [10, null, 0, null]],
      ["searchads", "api.json", report(",metrics.conversions,metrics.conversionsValue", {}), [5, 0, 0, null]],
      ["searchads", "cost.json", report("", {}), [5, null, null, null]],
      ["searchads", "some.json", report(",metrics.conversions", { conversions: 2 }), [5, 2, null, null]],
      ["searchads", "table.csv", "campaign_id,date,cost\n9,2025-02-01,5", [5, null, null, null]],
    ];
    for (const [connector, name, content, expected] of cases) {
      expect(await claims(connector, name, content), `${connector} ${name}`).to.deep.equal(expected);
    }
  });

  it("is 0 of a platform without campaigns in the period [D54]", async () => {
    expect(await claims("searchads", "none.json", JSON.stringify({ results: [] }))).to.deep.equal([0, 0, 0, null]);
  });
});
