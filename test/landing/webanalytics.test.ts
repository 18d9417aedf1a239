import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { land, type Reject } from "../support/landing.ts";
import { parquet } from "../support/parquet.ts";

type Values = readonly (string | undefined)[];

const rowOf = (dimensions: Values, metrics: Values): object => ({
  dimensionValues: dimensions.map((value) => ({ value })),
  metricValues: metrics.map((value) => ({ value })),
});

/** A report as the vendor writes it; each row is its dimensions, then its metrics. */
function report(dimensions: readonly string[], metrics: readonly string[], ...rows: readonly Values[]): object {
  const split = (values: Values): object => rowOf(values.slice(0, dimensions.length), values.slice(dimensions.length));
  const totals = (word: string): object[] => [
    rowOf(
      dimensions.map(() => word),
      metrics.map(() => "999999"),
    ),
  ];
  return {
    dimensionHeaders: dimensions.map((name) => ({ name })),
    metricHeaders: metrics.map((name) => ({ name, type: "TYPE_INTEGER" })),
    ...(rows.length === 0 ? {} : { rows: rows.map(split) }),
    totals: totals("RESERVED_TOTAL"),
    maximums: totals("RESERVED_MAX"),
    minimums: totals("RESERVED_MIN"),
    rowCount: rows.length,
    metadata: { currencyCode: "BRL", timeZone: "America/Sao_Paulo", dataLossFromOtherRow: false },
    kind: "analyticsData#runReport",
  };
}

const json = (document: object): string => JSON.stringify(document);
const reasons = (rejects: readonly Reject[]): [number, string][] => rejects.map((r) => [r.position, r.reason]);

const DIMENSIONS = [
  "date",
  "sessionCampaignId",
  "sessionCampaignName",
  "sessionGoogleAdsCampaignId",
  "sessionSourceMedium",
  "city",
  "region",
  "country",
  "deviceCategory",
];
const METRICS = [
  "activeUsers",
  "totalUsers",
  "sessions",
  "engagedSessions",
  "bounceRate",
  "sessionsPerUser",
  "purchaserRate",
  "purchaseRevenue",
  "totalRevenue",
  "ecommercePurchases",
];
const PLACE = ["São Paulo", "State of São Paulo", "Brazil", "mobile"];
const VISIT = ["20250501", "12", "(not set)", "12345678901234567890", "google / cpc", ...PLACE];
const FIGURES = ["9", "10", "12", "6", "0.4985", "1.2", "0.1", "199.9", "210.55", "3"];

describe("landing web analytics customers", () => {
  it("lands a report, its values by the headers of their position", async () => {
    const { rows, outcome } = await land("webanalytics", "customers", {
      "a.json": json(report(DIMENSIONS, METRICS, [...VISIT, ...FIGURES])),
    });
    expect(outcome).to.include({ landed: 1, rejected: 0 });
    expect(rows[0]).to.include({
      campaign_id: "12",
      campaign_name: "(not set)",
      city: "São Paulo",
      country: "Brazil",
      region: "State of São Paulo",
      searchads_campaign_id: "12345678901234567890",
      source_medium: "google / cpc",
      device_category: "mobile",
      date: "2025-05-01",
      active_users: "9",
      engaged_sessions: "6",
      bounce_rate: 0.4985,
      sessions_per_user: 1.2,
      total_users: "10",
      sessions: "12",
      purchaser_rate: 0.1,
      purchase_revenue: "199.900000",
      total_purchases: "3",
      total_revenue: "210.550000",
      _segment: "",
    });
  });

  it("reads headers in any order, and after the rows too", async () => {
    const {
      dimensionHeaders,
      metricHeaders,
      rows: found,
    } = report(["country", "date"], ["sessions", "activeUsers"], ["Chile", "20250501", "2", "1"]) as Record<
      string,
      object
    >;
    const { rows } = await land("webanalytics", "customers", {
      "a.json": json({ rows: found, metricHeaders, dimensionHeaders }),
    });
    expect(rows[0]).to.include({ country: "Chile", date: "2025-05-01", sessions: "2", active_users: "1", city: null });
  });

  it("treats no total, maximum or minimum as a row, and an empty report as empty", async () => {
    const { rows, outcome } = await land("webanalytics", "customers", {
      "1.json": json(report(["date"], ["sessions"], ["20250501", "4"])),
      "2.json": json(report(["date"], ["sessions"])),
      "3.json": json({ metadata: { emptyReason: "NO_DATA" }, kind: "analyticsData#runReport" }),
    });
    expect(rows.map((row) => row.sessions)).to.deep.equal(["4"]);
    expect(outcome).to.deep.include({ files: 3, rejected: 0, refused: [] });
  });

  it("lands a batch of reports, each by its own headers", async () => {
    const { rows, rejects } = await land("webanalytics", "customers", {
      "a.json": JSON.stringify(
        {
          reports: [
            report(["date", "city"], ["sessions"], ["20250501", "Recife", "1"]),
            report(["date", "city"], ["sessions"]),
            report(["city", "date"], ["totalUsers"], ["Natal", "20250502", "2"]),
          ],
          kind: "analyticsData#batchRunReports",
        },
        null,
        "\t",
      ),
    });
    expect(rejects).to.deep.equal([]);
    expect(rows.map((row) => [row.date, row.city, row.sessions, row.total_users])).to.deep.equal([
      ["2025-05-01", "Recife", "1", null],
      ["2025-05-02", "Natal", null, "2"],
    ]);
  });

  it("lands reports line by line, packed, each by its own headers", async () => {
    const body = [
      report(["date", "city"], ["sessions"], ["20250501", "Recife", "1"]),
      report(["city", "date"], ["sessions"], ["Natal", "20250502", "2"]),
    ];
    const { rows } = await land("webanalytics", "customers", { "a.gz": gzipSync(body.map(json).join("\n")) });
    expect(rows.map((row) => [row.date, row.city, row.sessions])).to.deep.equal([
      ["2025-05-01", "Recife", "1"],
      ["2025-05-02", "Natal", "2"],
    ]);
  });

  it("takes the names of older and simpler reports", async () => {
    const dimensions = ["date", "campaignId", "campaignName", "googleAdsCampaignId", "sourceMedium"];
    const { rows } = await land("webanalytics", "customers", {
      "a.json": json(report(dimensions, ["transactions"], ["20250501", "1", "Sale", "2", "bing / cpc", "7"])),
    });
    expect(rows[0]).to.include({
      campaign_id: "1",
      campaign_name: "Sale",
      searchads_campaign_id: "2",
      source_medium: "bing / cpc",
      total_purchases: "7",
      _segment: "",
    });
  });

  it("keeps rows apart by dimensions that the record does not have", async () => {
    const { rows } = await land("webanalytics", "customers", {
      "a.json": json(
        report(
          ["date", "hour", "browser"],
          ["sessions"],
          ["20250501", "03", "Safari", "1"],
          ["20250501", "04", "Edge", "2"],
        ),
      ),
    });
    expect(rows.map((row) => row._segment)).to.deep.equal([
      '{"browser":"Safari","hour":"03"}',
      '{"browser":"Edge","hour":"04"}',
    ]);
  });

  it("combines a report with itself when it comes again with its dimensions in another order", async () => {
    const first = json(report(["date", "city", "p", "q"], ["sessions"], ["20250301", "X", "1", "2", "10"]));
    const again = json(report(["date", "q", "city", "p"], ["sessions"], ["20250301", "2", "X", "1", "10"]));
    const { rows, outcome } = await land("webanalytics", "customers", { "a.json": first, "b.json": again });
    expect(rows.map((row) => row._segment)).to.deep.equal(['{"p":"1","q":"2"}', '{"p":"1","q":"2"}']);
    expect(outcome.replaced).to.equal(1);
  });

  it("keeps rows apart whose values look like names", async () => {
    const two = report(
      ["date", "p", "q"],
      ["sessions"],
      ["20250301", "1&q=2", "3", "10"],
      ["20250301", "1", "2&q=3", "10"],
      ["20250301", '1","q":"2', "3", "10"],
    );
    const { outcome } = await land("webanalytics", "customers", { "a.json": json(two) });
    expect(outcome).to.include({ landed: 3, replaced: 0 });
  });

  it("keeps (other), (not set) and (direct) as values, but no (other) as a day", async () => {
    const { rows, rejects } = await land("webanalytics", "customers", {
      "a.json": json(
        report(
          ["date", "city"],
          ["sessions"],
          ["20250501", "(other)", "1"],
          ["(other)", "(other)", "2"],
          ["20250230", "x", "3"],
        ),
      ),
    });
    expect(rows.map((row) => row.city)).to.deep.equal(["(other)"]);
    expect(reasons(rejects)).to.deep.equal([
      [2, 'date: "(other)" is not a day (YYYY-MM-DD)'],
      [3, 'date: "20250230" is not a day (YYYY-MM-DD)'],
    ]);
  });

  it("refuses the rows of several date ranges, whose zeros are not measured", async () => {
    const { rows, rejects } = await land("webanalytics", "customers", {
      "a.json": json(
        report(
          ["date", "dateRange"],
          ["sessions"],
          ["20250501", "date_range_0", "5"],
          ["20250501", "date_range_1", "0"],
        ),
      ),
    });
    expect(rows).to.deep.equal([]);
    expect(rejects).to.have.length(2);
    expect(rejects[0]?.reason).to.contain("several date ranges");
  });

  it("refuses values without headers, or more of them than headers", async () => {
    const broken = report(["date", "city"], ["sessions"], ["20250501", "Recife", "1", "2"], ["20250502", "Natal", "1"]);
    const { rows, rejects } = await land("webanalytics", "customers", {
      "1.jsonl": `${json(rowOf(["20250501"], ["1"]))}\n${json(rowOf(["20250502"], ["1"]))}\n`,
      "2.json": json(broken),
    });
    expect(rows.map((row) => row.city)).to.deep.equal(["Natal"]);
    expect(reasons(rejects)).to.deep.equal([
      [1, "dimensionHeaders, metricHeaders: missing, so nothing names the values; date: missing"],
      [2, "dimensionHeaders, metricHeaders: missing, so nothing names the values; date: missing"],
      [1, "2 metricValues under 1 headers; date: missing"],
    ]);
  });

  it("lands plain tables as CSV, lines and Parquet", async () => {
    const { rows, rejects } = await land("webanalytics", "customers", {
      "1.csv": "date,campaign_id,sessions,bounce_rate\n2025-05-01,(not set),3,0.25\n",
      "2.jsonl": '{"date":"2025-05-01","campaign_id":"1","sessions":4}\n{"date":"2025-05-01","sessions":5}\n',
      "3.parquet": await parquet("select date '2025-05-01' as date, 6 as sessions, 0.5 as bounce_rate"),
    });
    expect(rejects).to.deep.equal([]);
    expect(rows.map((row) => [row.sessions, row.bounce_rate])).to.deep.equal([
      ["3", 0.25],
      ["4", null],
      ["5", null],
      ["6", 0.5],
    ]);
  });

  it("rejects unreadable values, with position and reason, and lands the rest", async () => {
    const { rows, rejects } = await land("webanalytics", "customers", {
      "a.json": json(report(["date"], ["sessions"], ["20250501", "1"], ["20250502", "some"])),
    });
    expect(rows).to.have.length(1);
    expect(reasons(rejects)).to.deep.equal([[2, 'sessions: "some" is not a whole number']]);
  });
});

describe("landing web analytics events", () => {
  const METRICS_OF_EVENTS = ["eventCount", "eventCountPerUser", "eventValue", "eventsPerSession", "keyEvents"];

  it("lands a report", async () => {
    const { rows, outcome } = await land("webanalytics", "events", {
      "a.json": json(
        report(["eventName", "date"], METRICS_OF_EVENTS, ["purchase", "20250501", "8", "1.5", "99.9", "0.3", "8"]),
      ),
    });
    expect(outcome.rejected).to.equal(0);
    expect(rows[0]).to.include({
      event_name: "purchase",
      date: "2025-05-01",
      event_count: "8",
      event_count_per_user: 1.5,
      event_value: 99.9,
      events_per_session: 0.3,
      key_events: 8,
      _segment: "",
    });
  });

  it("uses conversions as key events", async () => {
    const { rows } = await land("webanalytics", "events", {
      "a.json": json(report(["date", "eventName"], ["conversions"], ["20230501", "purchase", "2"])),
    });
    expect(rows[0]).to.include({ key_events: 2, event_count: null });
  });

  it("lands packed lines of reports and plain tables", async () => {
    const line = json(report(["date", "eventName"], ["eventCount"], ["20250501", "purchase", "2"]));
    const { rows } = await land("webanalytics", "events", {
      "1.gz": gzipSync(`${line}\n${line}\n`),
      "2.csv": "date,event_name,event_count\n2025-05-01,view_item,3\n",
      "3.parquet": await parquet("select '2025-05-01' as date, 'view_item' as event_name, 4 as event_count"),
    });
    expect(rows.map((row) => row.event_count)).to.deep.equal(["2", "2", "3", "4"]);
  });

  it("rejects a row without an event", async () => {
    const { rejects } = await land("webanalytics", "events", {
      "a.json": json(report(["date"], ["eventCount"], ["20250501", "2"])),
    });
    expect(reasons(rejects)).to.deep.equal([[1, "event_name: missing"]]);
  });
});

describe("landing web analytics items", () => {
  const UNITS = ["itemsViewed", "itemsAddedToCart", "itemsCheckedOut", "itemsPurchased", "itemRevenue"];

  it("lands a report, an item under two names as two rows", async () => {
    const { rows, outcome } = await land("webanalytics", "items", {
      "a.json": json(
        report(
          ["date", "itemId", "itemName"],
          UNITS,
          ["20250501", "sku-1", "Shoe", "9", "4", "3", "2", "199.8"],
          ["20250501", "sku-1", "Sapato", "1", "0", "0", "0", "0"],
        ),
      ),
    });
    expect(outcome.rejected).to.equal(0);
    expect(rows[0]).to.include({
      date: "2025-05-01",
      item_id: "sku-1",
      item_name: "Shoe",
      items_viewed: "9",
      items_added_to_cart: "4",
      items_checked_out: "3",
      items_purchased: "2",
      item_revenue: "199.800000",
    });
    expect(rows.map((row) => row._segment)).to.deep.equal(['{"itemName":"Shoe"}', '{"itemName":"Sapato"}']);
  });

  it("accepts the older name of units bought", async () => {
    const { rows } = await land("webanalytics", "items", {
      "a.json": json(report(["date", "itemId"], ["itemPurchaseQuantity"], ["20250501", "1", "2"])),
    });
    expect(rows[0]).to.include({ items_purchased: "2", _segment: "" });
  });

  it("lands packed lines of reports and plain tables", async () => {
    const line = json(report(["date", "itemId"], ["itemsViewed"], ["20250501", "1", "2"]));
    const { rows, rejects } = await land("webanalytics", "items", {
      "1.gz": gzipSync(`${line}\n${line}\n`),
      "2.csv": "date,item_id,items_viewed\n2025-05-01,2,3\n2025-05-01,,3\n",
      "3.parquet": await parquet("select '2025-05-01' as date, 3 as item_id, 4 as items_viewed"),
    });
    expect(rows.map((row) => row.items_viewed)).to.deep.equal(["2", "2", "3", "4"]);
    expect(reasons(rejects)).to.deep.equal([[2, "item_id: missing"]]);
  });
});
