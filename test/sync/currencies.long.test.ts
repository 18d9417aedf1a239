import { expect } from "chai";
import { airbyte } from "../landing/tools/objects.ts";
import { command } from "../support/command.ts";
import { DataFolder, exportsOf, SOCIALADS, STOREB } from "../support/data.ts";
import { minute, rows, SHOP, total } from "../support/syncs.ts";
import { lines } from "../support/tools.ts";

const order = (id: number, currency: string): Record<string, unknown> => ({
  id,
  name: `#${id}`,
  created_at: "2025-02-01T10:00:00-03:00",
  processed_at: "2025-02-01T10:00:00-03:00",
  updated_at: "2025-02-01T10:00:00-03:00",
  financial_status: "paid",
  currency,
  total_price: "10.00",
  line_items: [],
});

const insight = (campaign: string, currency: string): Record<string, unknown> => ({
  campaign_id: campaign,
  campaign_name: campaign,
  account_id: "9",
  account_currency: currency,
  date_start: "2025-02-01",
  date_stop: "2025-02-01",
  impressions: "1",
  clicks: "1",
  spend: "7.00",
});

describe("Rows in another currency than the organization's [D4]", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    const shop = { id: STOREB, connector: "storeb" as const, name: "Shop" };
    await data.settings({ ...SHOP, currency: "BRL", integrations: [...(SHOP.integrations ?? []), shop] });
  });

  afterEach(() => data.remove());

  it("are rejected in the orders that a tool writes", async () => {
    const file = `${exportsOf(STOREB, "orders")}/orders/1.jsonl`;
    await data.write(file, lines(...airbyte([order(1, "BRL"), order(2, "USD")], 1)), minute(1));
    const report = await data.sync();
    expect([total(report, "landed"), total(report, "rejected")]).to.deep.equal([1, 1]);
    const said = await command(data, "sql", "--format", "csv", "--query", "select order_id, revenue from orders");
    expect(said.stdout.trim().split("\n").slice(1)).to.deep.equal(["1,10.000000"]);
    const ran = await command(data, "doctor");
    expect(ran.stdout).to.match(/currency: USD/);
  });

  it("are rejected in the reports of ads that a tool writes", async () => {
    const file = `${exportsOf(SOCIALADS, "campaigns")}/ads_insights/1.jsonl`;
    await data.write(file, lines(...airbyte([insight("a", "BRL"), insight("b", "USD")], 1)), minute(1));
    const report = await data.sync();
    expect([total(report, "landed"), total(report, "rejected")]).to.deep.equal([1, 1]);
    expect((await rows(data, "/v1/socialads/ads/campaigns")).map(({ spend }) => spend)).to.deep.equal([7]);
  });
});
