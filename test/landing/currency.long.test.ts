import { expect } from "chai";
import type { Connector } from "../../src/core/contract/record.ts";
import { storeaOrder } from "../support/data.ts";
import { land } from "../support/landing.ts";

const NOW = new Date("2026-01-01T00:00:00Z");

/** A row of each kind that can name a currency; undefined: it names none. */
const NAMING: Record<string, [Connector, string, (code: string | undefined, no: number) => object]> = {
  "a campaign of search ads": [
    "searchads",
    "campaigns",
    (code, no) => ({
      customer: { id: "1", currencyCode: code },
      campaign: { id: String(no) },
      metrics: { costMicros: "1000000" },
      segments: { date: "2025-05-01" },
    }),
  ],
  "an insight of social ads": [
    "socialads",
    "campaigns",
    (code, no) => ({
      campaign_id: String(no),
      account_currency: code,
      spend: "1",
      date_start: "2025-05-01",
      date_stop: "2025-05-01",
    }),
  ],
  "an order of storea": [
    "storea",
    "orders",
    (code, no) => ({ ...storeaOrder({ id: String(no), value: 10 }), storePreferencesData: { currencyCode: code } }),
  ],
};

const CSV: Record<string, [Connector, string, string, string]> = {
  "search ads": ["searchads", "campaigns", "date,campaign_id,cost,currency_code", "2025-05-01,$,1"],
  "social ads": ["socialads", "campaigns", "date_start,campaign_id,spend,account_currency", "2025-05-01,$,1"],
  "orders of storea": [
    "storea",
    "orders",
    "order_id,status,value,creation_date,currency",
    "$,invoiced,1,2025-05-01T00:00:00Z",
  ],
};

describe("A row's own currency [D4]", () => {
  const landed = async (connector: Connector, name: string, content: string, currency?: string) => {
    const { rows, rejects, outcome } = await land(connector, name, { "a.json": content }, NOW, currency);
    return { rows: rows.length, reasons: rejects.map(({ reason }) => reason), refused: outcome.refused[0]?.reason };
  };
  const REASON = "currency: USD, and the organization's is BRL";
  const REFUSED = "has amounts in USD, and the organization's currency is BRL";

  for (const [what, [connector, name, make]] of Object.entries(NAMING))
    it(`rejects ${what} in another one, and a file of such rows`, async () => {
      const rows = (...codes: (string | undefined)[]): string =>
        codes.map((code, no) => JSON.stringify(make(code, no))).join("\n");
      expect(await landed(connector, name, rows("USD", "brl", undefined, "BRL"), "BRL")).to.deep.equal({
        rows: 3,
        reasons: [REASON],
        refused: undefined,
      });
      expect((await landed(connector, name, rows("USD", "usd"), "BRL")).refused).to.equal(REFUSED);
      expect((await landed(connector, name, rows("USD", "BRL"))).rows, "without one in the settings").to.equal(2);
    });

  for (const [what, [connector, name, head, line]] of Object.entries(CSV))
    it(`is read in a table of ${what}`, async () => {
      const table = (...codes: string[]): string =>
        [head, ...codes.map((code, no) => `${line.replace("$", String(no))},${code}`)].join("\n");
      expect(await landed(connector, name, table("USD", "BRL", ""), "BRL")).to.deep.include({
        rows: 2,
        reasons: [REASON],
      });
      expect((await landed(connector, name, table("USD"), "BRL")).refused).to.equal(REFUSED);
    });

  it("is that of a report of web analytics", async () => {
    const report = (currencyCode: string): string =>
      JSON.stringify({
        dimensionHeaders: [{ name: "date" }],
        metricHeaders: [{ name: "sessions" }, { name: "totalRevenue" }],
        rows: [{ dimensionValues: [{ value: "20250601" }], metricValues: [{ value: "12" }, { value: "5.5" }] }],
        metadata: { currencyCode, timeZone: "UTC" },
      });
    expect((await landed("webanalytics", "customers", report("USD"), "BRL")).refused).to.equal(REFUSED);
    expect((await landed("webanalytics", "customers", report("BRL"), "BRL")).rows).to.equal(1);
  });

  it("refuses only the file that has it, of several that land together", async () => {
    const [, , make] = NAMING["an insight of social ads"] as (typeof NAMING)[string];
    const file = (code: string, no: number): string => JSON.stringify({ data: [make(code, no)] });
    const { rows, outcome } = await land(
      "socialads",
      "campaigns",
      { "a.json": file("BRL", 1), "b.json": file("USD", 2), "c.json": file("BRL", 3) },
      NOW,
      "BRL",
    );
    expect([rows.length, outcome.refused.map(({ file: name }) => name)]).to.deep.equal([2, ["b.json"]]);
  });

  it("decides the minor units of budgets, that of the settings where a row names none", async () => {
    const budget = async (own: object, currency?: string): Promise<unknown> => {
      const adSet = { id: "1", name: "x", created_time: "2025-05-01T00:00:00+0000", daily_budget: "5000", ...own };
      const { rows } = await land(
        "socialads",
        "adset-config",
        { "a.json": JSON.stringify({ data: [adSet] }) },
        NOW,
        currency,
      );
      return rows[0]?.daily_budget;
    };
    expect(await budget({}, "BRL")).to.equal("50.000000");
    expect(await budget({}, "CLP")).to.equal("5000.000000");
    expect(await budget({ account_currency: "CLP" })).to.equal("5000.000000");
    expect(await budget({})).to.equal("50.000000");
  });
});
