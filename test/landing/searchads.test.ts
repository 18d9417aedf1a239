import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { land, type Reject } from "../support/landing.ts";
import { parquet } from "../support/parquet.ts";

const batch = (fields: string | undefined, ...results: object[]): object => ({
  results,
  ...(fields === undefined ? {} : { fieldMask: fields }),
  requestId: "aBcD",
  queryResourceConsumption: "274",
});
const search = (...results: object[]): string => JSON.stringify(batch(undefined, ...results));
const lines = (...rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const reasons = (rejects: readonly Reject[]): [number, string][] => rejects.map((r) => [r.position, r.reason]);

const campaign = {
  resourceName: "customers/77/campaigns/9007199254740993001",
  id: "9007199254740993001",
  name: "Search | Brand",
  status: "ENABLED",
  advertisingChannelType: "SEARCH",
  biddingStrategyType: "TARGET_SPEND",
  campaignGroup: "customers/77/campaignGroups/5",
};
const adGroup = {
  resourceName: "customers/77/adGroups/600",
  id: "600",
  name: "Shoes",
  status: "PAUSED",
  type: "SEARCH_STANDARD",
  campaign: "customers/77/campaigns/9007199254740993001",
};
const metrics = {
  impressions: "1000",
  clicks: "40",
  costMicros: "12345678",
  conversions: 4.416667,
  conversionsValue: 250.5,
  allConversions: 5.0,
  allConversionsValue: 300.25,
};
const ofDay = (changes: object = {}): object => ({ campaign, metrics, segments: { date: "2025-05-01" }, ...changes });

describe("Landing search ads campaigns", () => {
  it("converts millionths of a search answer to currency units", async () => {
    const { rows, outcome } = await land("searchads", "campaigns", { "a.json": search(ofDay()) });
    expect(outcome).to.include({ landed: 1, rejected: 0 });
    expect(rows[0]).to.include({
      date: "2025-05-01",
      campaign_id: "9007199254740993001",
      campaign_name: "Search | Brand",
      campaign_status: "ENABLED",
      advertising_channel_type: "SEARCH",
      bidding_strategy_type: "TARGET_SPEND",
      impressions: "1000",
      clicks: "40",
      cost: "12.345678",
      conversions: 4.416667,
      conversions_value: 250.5,
      all_conversions: 5,
      all_conversions_value: 300.25,
      _segment: "",
    });
  });

  it("includes every batch of a stream, pretty-printed", async () => {
    const stream = [
      batch("metrics.clicks", ofDay()),
      batch("metrics.clicks", ofDay({ segments: { date: "2025-05-02" } })),
    ];
    const { rows } = await land("searchads", "campaigns", { "a.json": JSON.stringify(stream, null, 2) });
    expect(rows.map((row) => row.date)).to.deep.equal(["2025-05-01", "2025-05-02"]);
  });

  it("lands nothing, and rejects nothing, from answers without results", async () => {
    const { rows, outcome } = await land("searchads", "campaigns", {
      "1.json": "[]",
      "2.json": JSON.stringify({ fieldMask: "metrics.clicks", requestId: "x" }),
      "3.json": JSON.stringify([{ results: [], fieldMask: "metrics.clicks" }]),
    });
    expect(rows).to.deep.equal([]);
    expect(outcome).to.deep.include({ files: 3, landed: 0, rejected: 0, refused: [] });
  });

  it("accepts objects and answers line by line, packed", async () => {
    const { rows } = await land("searchads", "campaigns", {
      "1.jsonl.gz": gzipSync(lines(ofDay(), ofDay())),
      "2.jsonl.gz": gzipSync(lines(batch(undefined, ofDay()), batch(undefined, ofDay(), ofDay()))),
    });
    expect(rows).to.have.length(5);
  });

  it("accepts plain tables as CSV, lines and Parquet, their cost in currency units", async () => {
    const { rows, rejects } = await land("searchads", "campaigns", {
      "1.csv": "date;campaign_id;campaign_name;cost\n2025-05-01;12345678901234567890;Órfãs;1.5\n",
      "2.jsonl": lines({ date: "2025-05-01", campaign_id: "12", cost: 1.5 }),
      "3.parquet": await parquet("select date '2025-05-01' as date, 12 as campaign_id, 1.5 as cost"),
    });
    expect(rejects).to.deep.equal([]);
    expect(rows.map((row) => [row.campaign_id, row.cost])).to.deep.equal([
      ["12345678901234567890", "1.500000"],
      ["12", "1.500000"],
      ["12", "1.500000"],
    ]);
    expect(rows[0]?.campaign_name).to.equal("Órfãs");
  });

  it("keeps the hours of a day apart, and other segments of a report, but not parts of the date", async () => {
    const hour = (segments: object): object => ofDay({ segments: { date: "2025-05-01", ...segments } });
    const { rows } = await land("searchads", "campaigns", {
      "a.json": search(
        hour({ hour: 0 }),
        hour({ hour: 13, device: "MOBILE", adNetworkType: "SEARCH" }),
        hour({ week: "2025-04-28", month: "2025-05-01", quarter: "2025-04-01", year: 2025, dayOfWeek: "THURSDAY" }),
      ),
    });
    expect(rows.map((row) => row._segment)).to.deep.equal([
      '{"hour":0}',
      '{"adNetworkType":"SEARCH","device":"MOBILE","hour":13}',
      "",
    ]);
  });

  it("combines a report with itself when it comes again with its segments in another order", async () => {
    const day = (segments: object): string => search(ofDay({ segments: { date: "2025-05-01", ...segments } }));
    const { rows, outcome } = await land("searchads", "campaigns", {
      "1.json": day({ hour: 1, device: "MOBILE", keyword: { info: { text: "a", matchType: "EXACT" }, ad: "1" } }),
      "2.json": day({ keyword: { ad: "1", info: { matchType: "EXACT", text: "a" } }, device: "MOBILE", hour: 1 }),
    });
    const segment = '{"device":"MOBILE","hour":1,"keyword":{"ad":"1","info":{"matchType":"EXACT","text":"a"}}}';
    expect(rows.map((row) => row._segment)).to.deep.equal([segment, segment]);
    expect(outcome.replaced).to.equal(1);
  });

  it("reads an omitted figure as 0, if there are figures at all", async () => {
    const { rows, rejects } = await land("searchads", "campaigns", {
      "a.json": search(
        ofDay({ metrics: { impressions: "3" } }),
        ofDay({ metrics: undefined }),
        ofDay({ segments: { date: "2025-05-02" } }),
      ),
    });
    expect(rows[0]).to.include({ impressions: "3", clicks: "0", cost: "0.000000", conversions: 0 });
    expect(reasons(rejects)).to.deep.equal([[2, "cost: missing"]]);
  });

  it("reads a figure that was not requested as unknown, batch by batch", async () => {
    const bare = ofDay({ metrics: { impressions: "3" } });
    const stream = [
      batch("segments.date,metrics.impressions,metrics.costMicros,metrics.conversionsValue", bare),
      batch("segments.date,metrics.impressions", bare),
      batch("segments.date,metrics.costMicros", ofDay({ segments: { date: "2025-05-02" } })),
    ];
    const { rows, rejects } = await land("searchads", "campaigns", { "a.json": JSON.stringify(stream) });
    expect(rows).to.have.length(2);
    expect(rows[0]).to.include({ cost: "0.000000", clicks: null, conversions: null, conversions_value: 0 });
    expect(reasons(rejects)).to.deep.equal([[2, "cost: missing"]]);
  });

  it("takes the id from the resource name if it was not requested", async () => {
    const { rows } = await land("searchads", "campaigns", {
      "a.json": search(ofDay({ campaign: { resourceName: "customers/77/campaigns/16820250687" } })),
    });
    expect(rows[0]?.campaign_id).to.equal("16820250687");
  });

  it("refuses reports on the account, on ad groups and on keywords: their spend is not the campaigns'", async () => {
    const { rows, rejects } = await land("searchads", "campaigns", {
      "a.json": search(
        { customer: { resourceName: "customers/77" }, metrics, segments: { date: "2025-05-01" } },
        ofDay({ adGroup }),
        ofDay({ keywordView: { resourceName: "customers/77/keywordViews/600~1" } }),
      ),
    });
    expect(rows).to.deep.equal([]);
    expect(reasons(rejects)).to.deep.equal([
      [1, "campaign_id: missing"],
      [2, "adGroup: a report below campaign level leaves out the rest of the campaign"],
      [3, "keywordView: a report below campaign level leaves out the rest of the campaign"],
    ]);
  });

  it("rejects unreadable values, with position and reason, and lands the rest", async () => {
    const { rows, rejects } = await land("searchads", "campaigns", {
      "a.json": search(
        ofDay(),
        ofDay({ metrics: { ...metrics, costMicros: "12 BRL" } }),
        ofDay({ metrics: { ...metrics, clicks: "4.5" }, segments: { date: "01/05/2025" } }),
        ofDay({ segments: undefined }),
      ),
    });
    expect(rows).to.have.length(1);
    expect(reasons(rejects)).to.deep.equal([
      [2, 'cost: "12 BRL" is not an amount'],
      [3, 'date: "01/05/2025" is not a day (YYYY-MM-DD); clicks: "4.5" is not a whole number'],
      [4, "date: missing"],
    ]);
  });
});

describe("landing search ads keywords", () => {
  const keyword = {
    adGroupCriterion: "customers/77/adGroupCriteria/600~310",
    info: { text: "running shoes", matchType: "PHRASE" },
  };
  const ofAd = (changes: object = {}): object => ({
    campaign,
    adGroup,
    adGroupAd: { resourceName: "customers/77/adGroupAds/600~8", ad: { resourceName: "customers/77/ads/8", id: "8" } },
    metrics,
    segments: { date: "2025-05-01", keyword },
    ...changes,
  });

  it("lands the report on ads by keyword", async () => {
    const { rows, outcome } = await land("searchads", "keywords", { "a.json": search(ofAd()) });
    expect(outcome.rejected).to.equal(0);
    expect(rows[0]).to.include({
      date: "2025-05-01",
      keyword_text: "running shoes",
      keyword_match_type: "PHRASE",
      ad_group_criterion: "customers/77/adGroupCriteria/600~310",
      ad_group_type: "SEARCH_STANDARD",
      ad_group_status: "PAUSED",
      ad_group_name: "Shoes",
      ad_group_id: "600",
      ad_id: "8",
      ad_group_campaign: "customers/77/campaigns/9007199254740993001",
      campaign_bidding_strategy_type: "TARGET_SPEND",
      campaign_id: "9007199254740993001",
      campaign_name: "Search | Brand",
      campaign_group: "customers/77/campaignGroups/5",
      impressions: "1000",
      clicks: "40",
      cost: "12.345678",
      conversions: 4.416667,
      conversions_value: 250.5,
      all_conversions: 5,
      _segment: "",
    });
  });

  it("lands the report on keywords only, which has no ad", async () => {
    const { rows } = await land("searchads", "keywords", {
      "a.json": search({
        campaign: { resourceName: campaign.resourceName },
        adGroup: { resourceName: adGroup.resourceName },
        adGroupCriterion: { keyword: { text: "shoes", matchType: "BROAD" } },
        keywordView: { resourceName: "customers/77/keywordViews/600~311" },
        metrics,
        segments: { date: "2025-05-01", device: "TABLET" },
      }),
    });
    expect(rows[0]).to.include({
      keyword_text: "shoes",
      keyword_match_type: "BROAD",
      ad_group_criterion: "customers/77/adGroupCriteria/600~311",
      ad_group_id: "600",
      ad_id: null,
      campaign_id: "9007199254740993001",
      campaign_group: null,
      _segment: '{"device":"TABLET"}',
    });
  });

  it("lands packed lines and plain tables", async () => {
    const { rows } = await land("searchads", "keywords", {
      "1.jsonl.gz": gzipSync(lines(ofAd(), ofAd({ segments: { date: "2025-05-02", keyword } }))),
      "2.csv": "date,ad_group_criterion,keyword_text,cost\n2025-05-03,c~1,tênis,2.5\n",
      "3.parquet": await parquet("select '2025-05-04' as date, 'c~2' as ad_group_criterion, 0 as cost"),
    });
    expect(rows.map((row) => row.date)).to.deep.equal(["2025-05-01", "2025-05-02", "2025-05-03", "2025-05-04"]);
    expect(rows[2]).to.include({ keyword_text: "tênis", cost: "2.500000" });
  });

  it("rejects a row without a keyword, and one without figures", async () => {
    const { rows, rejects } = await land("searchads", "keywords", {
      "a.json": search(ofAd(), ofAd({ segments: { date: "2025-05-01" } }), ofAd({ metrics: undefined })),
    });
    expect(rows).to.have.length(1);
    expect(reasons(rejects)).to.deep.equal([
      [2, "ad_group_criterion: missing"],
      [3, "cost: missing"],
    ]);
  });
});

describe("landing search ads by place", () => {
  const ofPlace = (view: object, changes: object = {}): object => ({
    campaign,
    adGroup,
    geographicView: view,
    metrics,
    segments: {
      date: "2025-05-01",
      geoTargetState: "geoTargetConstants/20106",
      geoTargetCity: "geoTargetConstants/1001773",
    },
    ...changes,
  });
  const presence = {
    resourceName: "customers/77/geographicViews/2076~LOCATION_OF_PRESENCE",
    locationType: "LOCATION_OF_PRESENCE",
    countryCriterionId: "2076",
  };

  it("lands the report, places as resource names", async () => {
    const { rows, outcome } = await land("searchads", "geographic", { "a.json": search(ofPlace(presence)) });
    expect(outcome.rejected).to.equal(0);
    expect(rows[0]).to.include({
      campaign_id: "9007199254740993001",
      campaign_name: "Search | Brand",
      geo_target_state: "geoTargetConstants/20106",
      geo_target_city: "geoTargetConstants/1001773",
      status: "ENABLED",
      ad_group_id: "600",
      ad_group_name: "Shoes",
      bidding_strategy_type: "TARGET_SPEND",
      date: "2025-05-01",
      impressions: "1000",
      cost: "12.345678",
      clicks: "40",
      conversions: 4.416667,
      conversions_value: 250.5,
      all_conversions: 5,
      all_conversions_value: 300.25,
    });
  });

  it("keeps where people are apart from their places of interest", async () => {
    const interest = { resourceName: "customers/77/geographicViews/2076~AREA_OF_INTEREST" };
    const unnamed = { locationType: "AREA_OF_INTEREST", countryCriterionId: 2124 };
    const segments = { date: "2025-05-01", device: "MOBILE" };
    const { rows } = await land("searchads", "geographic", {
      "a.json": search(ofPlace(presence), ofPlace(interest), ofPlace(unnamed), ofPlace(presence, { segments })),
    });
    expect(rows.map((row) => row._segment)).to.deep.equal([
      "2076~LOCATION_OF_PRESENCE",
      "2076~AREA_OF_INTEREST",
      "2124~AREA_OF_INTEREST",
      '2076~LOCATION_OF_PRESENCE {"device":"MOBILE"}',
    ]);
  });

  it("lands packed lines and plain tables", async () => {
    const { rows } = await land("searchads", "geographic", {
      "1.jsonl.gz": gzipSync(lines(ofPlace(presence), ofPlace(presence))),
      "2.csv": "date,campaign_id,geo_target_city,cost\n2025-05-01,12,São Paulo,1\n",
      "3.parquet": await parquet(
        "select '2025-05-01' as date, 12 as campaign_id, 2.5 as cost, 'SP' as geo_target_state",
      ),
    });
    expect(rows).to.have.length(4);
    expect(rows[2]).to.include({ geo_target_city: "São Paulo", _segment: "" });
  });

  it("does not read a report without figures as zeros", async () => {
    const { rows, rejects } = await land("searchads", "geographic", {
      "a.json": search(ofPlace(presence, { metrics: undefined }), ofPlace(presence, { adGroup: undefined })),
    });
    expect(reasons(rejects)).to.deep.equal([[1, "cost: missing"]]);
    expect(rows[0]).to.include({ ad_group_id: null });
  });
});

describe("landing search ads conversions by category", () => {
  const ofCategory = (
    segments: object,
    figures: object = { conversions: 12.999829, conversionsValue: 99.5 },
  ): object => ({
    campaign: { resourceName: campaign.resourceName, id: campaign.id, name: campaign.name },
    metrics: figures,
    segments: { date: "2025-05-01", conversionActionCategory: "PURCHASE", ...segments },
  });

  it("lands the report, and keeps the actions of a category apart", async () => {
    const { rows, outcome } = await land("searchads", "conversion-segmented-campaigns", {
      "a.json": search(ofCategory({}), ofCategory({ conversionAction: "customers/77/conversionActions/4" })),
    });
    expect(outcome.rejected).to.equal(0);
    expect(rows[0]).to.include({
      campaign_resource_name: "customers/77/campaigns/9007199254740993001",
      campaign_name: "Search | Brand",
      campaign_id: "9007199254740993001",
      segments_conversion_action_category: "PURCHASE",
      metrics_conversions_value: 99.5,
      metrics_conversions: 12.999829,
      segments_date: "2025-05-01",
      _segment: "",
    });
    expect(rows[1]?._segment).to.equal('{"conversionAction":"customers/77/conversionActions/4"}');
  });

  it("lands packed lines and plain tables", async () => {
    const { rows } = await land("searchads", "conversion-segmented-campaigns", {
      "1.jsonl.gz": gzipSync(lines(ofCategory({}), ofCategory({ conversionActionCategory: "SIGNUP" }, {}))),
      "2.csv":
        "campaign_id,segments_date,segments_conversion_action_category,metrics_conversions\n12,2025-05-01,SIGNUP,0.5\n",
      "3.parquet": await parquet(
        "select 12 as campaign_id, '2025-05-01' as segments_date, 'SIGNUP' as segments_conversion_action_category, 3 as metrics_conversions",
      ),
    });
    expect(rows.map((row) => row.metrics_conversions)).to.deep.equal([12.999829, 0, 0.5, 3]);
  });

  it("rejects a row without a category, one of an ad group, and an unreadable value", async () => {
    const { rows, rejects } = await land("searchads", "conversion-segmented-campaigns", {
      "a.json": search(
        ofCategory({}),
        ofCategory({ conversionActionCategory: undefined }),
        { ...ofCategory({}), adGroup },
        ofCategory({}, { conversions: "some" }),
      ),
    });
    expect(rows).to.have.length(1);
    expect(reasons(rejects)).to.deep.equal([
      [2, "segments_conversion_action_category: missing"],
      [3, "adGroup: a report below campaign level leaves out the rest of the campaign"],
      [4, 'metrics_conversions: "some" is not a number'],
    ]);
  });
});

describe("landing search ads criteria of ad groups", () => {
  const criterion = (changes: object = {}): object => ({
    adGroup,
    adGroupCriterion: {
      resourceName: "customers/77/adGroupCriteria/600~12345678901234567890",
      status: "ENABLED",
      type: "KEYWORD",
      criterionId: "12345678901234567890",
      ...changes,
    },
  });

  it("lands the report, ids of twenty digits whole", async () => {
    const { rows, outcome } = await land("searchads", "ad-group-criterion", { "a.json": search(criterion()) });
    expect(outcome.rejected).to.equal(0);
    expect(rows[0]).to.include({
      ad_group_resource_name: "customers/77/adGroups/600",
      ad_group_id: "600",
      ad_group_name: "Shoes",
      ad_group_criterion_resource_name: "customers/77/adGroupCriteria/600~12345678901234567890",
      ad_group_criterion_status: "ENABLED",
      ad_group_criterion_type: "KEYWORD",
      ad_group_criterion_criterion_id: "12345678901234567890",
    });
  });

  it("keeps an id whole that was written as a number", async () => {
    const body = search(criterion()).replace('"12345678901234567890"', "12345678901234567890");
    const { rows } = await land("searchads", "ad-group-criterion", { "a.json": body });
    expect(rows[0]?.ad_group_criterion_criterion_id).to.equal("12345678901234567890");
  });

  it("lands packed lines and plain tables", async () => {
    const { rows } = await land("searchads", "ad-group-criterion", {
      "1.jsonl.gz": gzipSync(
        lines(criterion({ criterionId: undefined }), criterion({ resourceName: "customers/77/adGroupCriteria/600~9" })),
      ),
      "2.csv": "ad_group_criterion_resource_name,ad_group_criterion_type\nc~1,WEBPAGE\n",
      "3.parquet": await parquet("select 'c~2' as ad_group_criterion_resource_name, 600 as ad_group_id"),
    });
    expect(rows.map((row) => row.ad_group_criterion_resource_name)).to.deep.equal([
      "customers/77/adGroupCriteria/600~12345678901234567890",
      "customers/77/adGroupCriteria/600~9",
      "c~1",
      "c~2",
    ]);
    expect(rows[0]?.ad_group_criterion_criterion_id).to.equal("12345678901234567890");
    expect(rows[2]).to.include({ ad_group_criterion_type: "WEBPAGE", ad_group_criterion_status: null });
  });

  it("rejects rows that name no criterion", async () => {
    const { rejects } = await land("searchads", "ad-group-criterion", { "a.json": search({ adGroup }) });
    expect(reasons(rejects)).to.deep.equal([[1, "ad_group_criterion_resource_name: missing"]]);
  });
});
