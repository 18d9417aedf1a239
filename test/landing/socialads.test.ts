import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { land } from "../support/landing.ts";
import { parquet } from "../support/parquet.ts";

const edge = (...rows: object[]): string =>
  JSON.stringify({ data: rows, paging: { cursors: { before: "QVFI", after: "QVFJ" } } });
const lines = (...rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

const adSet = (changes: object = {}): object => ({
  id: "120210000000000000017",
  name: "Lookalike 1%",
  effective_status: "ACTIVE",
  created_time: "2025-03-17T08:04:28-0700",
  updated_time: "2025-03-21T14:20:51-0700",
  daily_budget: "2050",
  targeting: { age_min: 25, age_max: 54 },
  ...changes,
});

const day = (changes: object = {}): object => ({
  campaign_id: "120210000000000000001",
  campaign_name: "Prospecting",
  objective: "OUTCOME_SALES",
  account_id: "900100",
  impressions: "1000",
  reach: "800",
  frequency: "1.25",
  clicks: "40",
  ctr: "4",
  inline_link_clicks: "30",
  inline_link_click_ctr: "3",
  spend: "123.45",
  cpc: "3.08625",
  cpm: "123.45",
  date_start: "2025-05-01",
  date_stop: "2025-05-01",
  ...changes,
});

const placement = (changes: object = {}): object => ({
  adset_id: "2001",
  ad_id: "3001",
  objective: "OUTCOME_SALES",
  publisher_platform: "instagram",
  platform_position: "instagram_reels",
  clicks: "4",
  reach: "90",
  impressions: "100",
  spend: "7.5",
  full_view_reach: "50",
  date_start: "2025-05-01",
  date_stop: "2025-05-01",
  ...changes,
});

describe("landing social ads campaigns", () => {
  it("lands the envelope of the insights edge, with every metric as text", async () => {
    const { rows, outcome } = await land("socialads", "campaigns", { "a.json": edge(day()) });
    expect(outcome).to.include({ landed: 1, rejected: 0 });
    expect(rows[0]).to.include({
      campaign_id: "120210000000000000001",
      campaign_name: "Prospecting",
      objective: "OUTCOME_SALES",
      account_id: "900100",
      impressions: "1000",
      reach: "800",
      frequency: 1.25,
      clicks: "40",
      spend: "123.450000",
      cpc: 3.08625,
      date_start: "2025-05-01",
      date_stop: "2025-05-01",
      website_purchase_roas: null,
      actions: null,
      _segment: "",
    });
  });

  it("lands objects line by line, packed", async () => {
    const body = gzipSync(lines(day(), day({ date_start: "2025-05-02", date_stop: "2025-05-02" })));
    const { rows } = await land("socialads", "campaigns", { "a.jsonl.gz": body });
    expect(rows.map((row) => row.date_start)).to.deep.equal(["2025-05-01", "2025-05-02"]);
  });

  it("lands a plain CSV table of its own fields", async () => {
    const { rows, rejects } = await land("socialads", "campaigns", {
      "a.csv": `campaign_id,campaign_name,actions,spend,clicks,date_start,date_stop\n12,"Summer, sale","[{""value"":""1""}]",9.90,3,2025-05-01,2025-05-01\n`,
    });
    expect(rejects).to.deep.equal([]);
    expect(rows[0]).to.include({ campaign_name: "Summer, sale", actions: '[{"value":"1"}]', spend: "9.900000" });
  });

  it("lands a Parquet table of its own fields", async () => {
    const body = await parquet(
      "select '12' as campaign_id, 4.25::decimal(9, 2) as spend, date '2025-05-01' as date_start, 1.5 as website_purchase_roas",
    );
    const { rows } = await land("socialads", "campaigns", { "a.parquet": body });
    expect(rows[0]).to.include({ spend: "4.250000", date_start: "2025-05-01", website_purchase_roas: 1.5 });
  });

  it("lands plain lines whose actions are text and whose return is a number", async () => {
    const body = lines(day({ actions: '[{"value":"1"}]', website_purchase_roas: 2.5, spend: 1.5 }));
    const { rows } = await land("socialads", "campaigns", { "a.jsonl": body });
    expect(rows[0]).to.include({ actions: '[{"value":"1"}]', website_purchase_roas: 2.5, spend: "1.500000" });
  });

  it("keeps a row over several days unchanged", async () => {
    const { rows } = await land("socialads", "campaigns", { "a.json": edge(day({ date_stop: "2025-05-18" })) });
    expect(rows[0]).to.include({ date_start: "2025-05-01", date_stop: "2025-05-18", spend: "123.450000" });
  });

  it("uses date_start for a missing date_stop", async () => {
    const { rows } = await land("socialads", "campaigns", { "a.json": edge(day({ date_stop: undefined })) });
    expect(rows[0]).to.include({ date_stop: "2025-05-01" });
  });

  it("keeps the aliases of one purchase as the vendor lists them, as compact text", async () => {
    const actions = [
      { action_type: "purchase", value: "4", "7d_click": "3" },
      { action_type: "omni_purchase", value: "4" },
    ];
    const { rows } = await land("socialads", "campaigns", { "a.json": edge(day({ actions })) });
    expect(rows[0]?.actions).to.equal(JSON.stringify(actions));
  });

  it("takes the return on spend from its list", async () => {
    const { rows } = await land("socialads", "campaigns", {
      "a.json": edge(
        day({ website_purchase_roas: [{ action_type: "offsite_conversion.fb_pixel_purchase", value: "4.98" }] }),
        day({ date_start: "2025-05-02", website_purchase_roas: [{ value: 0.0 }] }),
        day({ date_start: "2025-05-03", website_purchase_roas: [] }),
      ),
    });
    expect(rows.map((row) => row.website_purchase_roas)).to.deep.equal([4.98, 0, null]);
  });

  it("keeps percentages as percentages", async () => {
    const { rows } = await land("socialads", "campaigns", { "a.json": edge(day({ ctr: "0.41" })) });
    expect(rows[0]?.ctr).to.equal(0.41);
  });

  it("reads missing clicks as 0, and missing reach as unknown", async () => {
    const row = day({ clicks: undefined, inline_link_clicks: undefined, reach: undefined });
    const { rows } = await land("socialads", "campaigns", { "a.json": edge(row) });
    expect(rows[0]).to.include({ clicks: "0", inline_link_clicks: "0", reach: null });
  });

  it("keeps the ads of a campaign apart, and any breakdown", async () => {
    const { rows } = await land("socialads", "campaigns", {
      "a.json": edge(
        day({ ad_id: "1", adset_id: "9" }),
        day({ ad_id: "2", adset_id: "9" }),
        day({ adset_id: "9" }),
        day({ age: "25-34", gender: "female" }),
        day({ hourly_stats_aggregated_by_advertiser_time_zone: "03:00:00 - 03:59:59" }),
      ),
    });
    expect(rows.map((row) => row._segment)).to.deep.equal([
      '{"ad_id":"1"}',
      '{"ad_id":"2"}',
      '{"adset_id":"9"}',
      '{"age":"25-34","gender":"female"}',
      '{"hour":"03:00:00 - 03:59:59"}',
    ]);
  });

  it("keeps breakdowns apart whose values look like names", async () => {
    const { outcome } = await land("socialads", "campaigns", {
      "a.json": edge(day({ region: "SP&dma=1" }), day({ region: "SP", dma: "1" })),
    });
    expect(outcome).to.include({ landed: 2, replaced: 0 });
  });

  it("refuses a row without spend, one of the whole account and nested insights, each with its reason", async () => {
    const { rows, rejects } = await land("socialads", "campaigns", {
      "a.json": edge(
        day({ spend: undefined }),
        day({ campaign_id: undefined }),
        { id: "3001", name: "Ad", insights: { data: [day()] } },
        day(),
      ),
    });
    expect(rows).to.have.length(1);
    expect(rejects.map(({ position, reason }) => [position, reason])).to.deep.equal([
      [1, "spend: missing"],
      [2, "campaign_id: missing"],
      [
        3,
        "insights: nested in another object; the insights themselves are expected, level=campaign; campaign_id: missing; date_start: missing; spend: missing",
      ],
    ]);
  });

  it("rejects an unreadable value, with position and reason, and lands the rest", async () => {
    const { rows, rejects } = await land("socialads", "campaigns", {
      "a.json": edge(day(), day({ spend: "12,50", date_start: "2025-02-30", clicks: "1.5" })),
    });
    expect(rows).to.have.length(1);
    expect(rejects).to.have.length(1);
    expect(rejects[0]).to.include({ file: "a.json", position: 2 });
    expect(rejects[0]?.reason).to.equal(
      'clicks: "1.5" is not a whole number; spend: "12,50" is not an amount; date_start: "2025-02-30" is not a day (YYYY-MM-DD)',
    );
    expect(rejects[0]?.row).to.include({ spend: "12,50" });
  });
});

describe("landing social ad sets", () => {
  it("lands the envelope, with targeting in its fields as compact text in the vendor's order", async () => {
    const targeting = {
      age_min: 18,
      age_max: 65,
      genders: [2],
      flexible_spec: [{ interests: [{ id: "6003107902433", name: "Football" }] }],
      geo_locations: {
        custom_locations: [{ latitude: -23.5, longitude: -46.6, radius: 10, distance_unit: "kilometer" }],
        places: [{ key: "1", name: "Center" }],
        location_types: ["recent", "home"],
        neighborhoods: [{ key: "n:2" }],
      },
      targeting_automation: { advantage_audience: 1, individual_setting: { geo: 0 } },
      publisher_platforms: ["instagram", "facebook"],
      facebook_positions: ["feed"],
      instagram_positions: ["stream", "reels"],
      messenger_positions: ["story"],
      device_platforms: ["mobile", "desktop"],
    };
    const { rows } = await land("socialads", "adset-config", { "a.json": edge(adSet({ targeting })) });
    expect(rows[0]).to.include({
      id: "120210000000000000017",
      targeting_age_min: "18",
      targeting_age_max: "65",
      targeting_genders: "[2]",
      targeting_flexible_spec: JSON.stringify(targeting.flexible_spec),
      targeting_geo_locations_custom_locations: JSON.stringify(targeting.geo_locations.custom_locations),
      targeting_geo_locations_places: '[{"key":"1","name":"Center"}]',
      targeting_geo_locations_location_types: '["recent","home"]',
      targeting_geo_locations_neighborhoods: '[{"key":"n:2"}]',
      targeting_targeting_automation_advantage_audience: "1",
      targeting_targeting_automation_individual_setting_geo: "0",
      targeting_publisher_platforms: '["instagram","facebook"]',
      targeting_networka_positions: '["feed"]',
      targeting_networkb_positions: '["stream","reels"]',
      targeting_networkc_positions: '["story"]',
      targeting_device_platforms: '["mobile","desktop"]',
    });
  });

  it("reads times whose offset has no colon", async () => {
    const { rows } = await land("socialads", "adset-config", { "a.json": edge(adSet()) });
    expect(rows[0]).to.include({ created_time: "2025-03-17 15:04:28+00", updated_time: "2025-03-21 21:20:51+00" });
  });

  it("reads budgets as minor units, except for currencies that have none", async () => {
    const { rows } = await land("socialads", "adset-config", {
      "a.json": edge(
        adSet(),
        adSet({ id: "2", account_currency: "BRL", lifetime_budget: "100001" }),
        adSet({ id: "3", account_currency: "JPY" }),
        adSet({ id: "4", currency: "clp", daily_budget: 2050.0 }),
      ),
    });
    expect(rows.map((row) => row.daily_budget)).to.deep.equal(["20.500000", "20.500000", "2050.000000", "2050.000000"]);
    expect(rows[1]?.lifetime_budget).to.equal("1000.010000");
  });

  it("reads a budget of 0, and a missing one, as not set", async () => {
    const { rows } = await land("socialads", "adset-config", {
      "a.json": edge(adSet({ daily_budget: "0", lifetime_budget: 0.0 }), adSet({ id: "2", daily_budget: undefined })),
    });
    expect(rows.map((row) => [row.daily_budget, row.lifetime_budget])).to.deep.equal([
      [null, null],
      [null, null],
    ]);
  });

  it("leaves missing targeting null: automatic placements, everyone", async () => {
    const { rows } = await land("socialads", "adset-config", { "a.json": edge(adSet({ targeting: undefined })) });
    expect(rows[0]).to.include({
      targeting_publisher_platforms: null,
      targeting_genders: null,
      targeting_age_min: null,
    });
  });

  it("reads a plain table's budget in currency units, from CSV, lines and Parquet", async () => {
    const { rows } = await land("socialads", "adset-config", {
      "1.csv": "id,created_time,daily_budget,targeting_age_min\n1,2025-03-17T08:04:28Z,20.50,18\n",
      "2.jsonl": lines({ id: "2", created_time: "2025-03-17T08:04:28Z", daily_budget: 20.5, targeting_age_min: 18 }),
      "3.parquet": await parquet(
        "select '3' as id, timestamptz '2025-03-17 08:04:28+00' as created_time, 20.5 as daily_budget",
      ),
    });
    expect(rows.map((row) => [row.id, row.daily_budget, row.created_time])).to.deep.equal([
      ["1", "20.500000", "2025-03-17 08:04:28+00"],
      ["2", "20.500000", "2025-03-17 08:04:28+00"],
      ["3", "20.500000", "2025-03-17 08:04:28+00"],
    ]);
  });

  it("lands packed lines and rejects unreadable values", async () => {
    const body = gzipSync(lines(adSet(), adSet({ id: "2", daily_budget: "a lot" }), adSet({ id: undefined })));
    const { rows, rejects } = await land("socialads", "adset-config", { "a.gz": body });
    expect(rows).to.have.length(1);
    expect(rejects.map(({ position, reason }) => [position, reason])).to.deep.equal([
      [2, 'daily_budget: "a lot" is not an amount'],
      [3, "id: missing"],
    ]);
  });
});

describe("landing social ads by platform", () => {
  it("lands the envelope", async () => {
    const { rows, outcome } = await land("socialads", "platform", { "a.json": edge(placement()) });
    expect(outcome.rejected).to.equal(0);
    expect(rows[0]).to.include({
      adset_id: "2001",
      ad_id: "3001",
      objective: "OUTCOME_SALES",
      publisher_platform: "instagram",
      platform_position: "instagram_reels",
      clicks: "4",
      reach: "90",
      impressions: "100",
      spend: "7.500000",
      full_view_reach: "50",
      date_start: "2025-05-01",
      date_stop: "2025-05-01",
      _segment: "",
    });
  });

  it("lands lines, packed, and plain tables", async () => {
    const { rows } = await land("socialads", "platform", {
      "1.jsonl.gz": gzipSync(lines(placement(), placement({ ad_id: "3002" }))),
      "2.csv": "ad_id,publisher_platform,spend,date_start,date_stop\n3003,facebook,1.25,2025-05-01,2025-05-01\n",
      "3.parquet": await parquet(
        "select 3004::bigint as ad_id, 'facebook' as publisher_platform, date '2025-05-01' as date_start",
      ),
    });
    expect(rows.map((row) => [row.ad_id, row.spend])).to.deep.equal([
      ["3001", "7.500000"],
      ["3002", "7.500000"],
      ["3003", "1.250000"],
      ["3004", null],
    ]);
  });

  it("keeps the rows of a third breakdown apart", async () => {
    const { rows } = await land("socialads", "platform", {
      "a.json": edge(placement({ impression_device: "iphone" }), placement({ impression_device: "desktop" })),
    });
    expect(rows.map((row) => row._segment)).to.deep.equal([
      '{"impression_device":"iphone"}',
      '{"impression_device":"desktop"}',
    ]);
  });

  it("leaves a position that was not requested null, and figures except clicks", async () => {
    const bare = placement({ platform_position: undefined, clicks: undefined, spend: undefined });
    const { rows } = await land("socialads", "platform", { "a.json": edge(bare) });
    expect(rows[0]).to.include({ platform_position: null, clicks: "0", spend: null });
  });

  it("rejects a row without a platform, and an unreadable value", async () => {
    const { rows, rejects } = await land("socialads", "platform", {
      "a.json": edge(placement(), placement({ publisher_platform: undefined }), placement({ reach: "many" })),
    });
    expect(rows).to.have.length(1);
    expect(rejects.map(({ position, reason }) => [position, reason])).to.deep.equal([
      [2, "publisher_platform: missing"],
      [3, 'reach: "many" is not a whole number'],
    ]);
  });

  it("refuses insights nested in their ad", async () => {
    const { rejects } = await land("socialads", "platform", {
      "a.json": edge({ id: "3001", insights: { data: [placement()] } }),
    });
    expect(rejects[0]?.reason).to.contain("nested in another object");
  });
});
