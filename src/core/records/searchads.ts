import { count, currency, day, text, units } from "../contract/field.ts";
import type { Breakdown, Filter, NamedCurrency, RecordDeclaration } from "../contract/record.ts";

const AD_BOOKKEEPING = ["organization_id", "user_id", "document_id", "integration_name", "inserted_at"] as const;

const OF_ACCOUNT: Readonly<Record<string, Filter>> = {
  userId: { match: "exact", field: "user_id" },
  integrationName: { match: "exact", field: "integration_name" },
};

const DELIVERY = {
  impressions: count("Times shown.", { combine: "sum" }),
  clicks: count("Clicks.", { combine: "sum" }),
  conversions: units("Conversions that bidding counts; fractional if a conversion is shared.", { combine: "sum" }),
  conversions_value: currency("Their value.", { stored: "number", combine: "sum" }),
  all_conversions: units("All conversions, including those that bidding does not count.", { combine: "sum" }),
  all_conversions_value: currency("Their value.", { stored: "number", combine: "sum" }),
} as const;

/** The account's currency. */
const CURRENCY: NamedCurrency = {
  object: "$.customer.currencyCode",
  columns: ["currency", "currency_code", "currencyCode", "customer_currency_code", "account_currency"],
};

/** Rows of a search or of a stream's batches, and the requested fields: a missing figure is 0 only if it was requested. */
const ENVELOPE = {
  envelopes: ["results[]"],
  context: ["fieldMask", "field_mask"],
  own: ["campaign", "adGroup", "adGroupCriterion", "ad_group", "ad_group_criterion", "metrics", "segments"],
} as const;

const BELOW_CAMPAIGN = new Set([
  ...["adGroupId", "adGroupName", "adId", "country", "geoTargetCity", "geoTargetRegion", "geoTargetState"],
  ...["keyword", "keywordMatchType", "productItemId", "searchTerm"],
]);

/** The vendor's segments as columns of a plain table, in the order of their keys. */
const SEGMENTS: readonly Breakdown[] = [
  ["adGroupId", "ad_group_id"],
  ["adGroupName", "ad_group_name", "ad_group"],
  ["adId", "ad_id"],
  ["adNetworkType", "ad_network_type", "network"],
  ["ageRange", "age_range", "age"],
  ["clickType", "click_type"],
  ["conversionAction", "conversion_action"],
  ["conversionActionCategory", "conversion_action_category", "segments_conversion_action_category"],
  ["conversionActionName", "conversion_action_name"],
  ["conversionAdjustment", "conversion_adjustment"],
  ["conversionAttributionEventType", "conversion_attribution_event_type"],
  ["conversionLagBucket", "conversion_lag_bucket"],
  ["country"],
  ["device", "segments_device"],
  ["externalConversionSource", "external_conversion_source"],
  ["gender"],
  ["geoTargetCity", "geo_target_city", "city"],
  ["geoTargetRegion", "geo_target_region", "region"],
  ["geoTargetState", "geo_target_state", "state"],
  ["hour", "segments_hour"],
  ["keyword", "keyword_text"],
  ["keywordMatchType", "keyword_match_type", "match_type"],
  ["productItemId", "product_item_id"],
  ["searchTerm", "search_term"],
  ["slot", "segments_slot"],
].map(([key = "", ...columns]): Breakdown => {
  const unless = { adGroupName: ["adGroupId"], conversionActionName: ["conversionAction"] }[key];
  const own = /[A-Z]/.test(key) ? [] : [key];
  const ofParts = BELOW_CAMPAIGN.has(key) ? ({ ofParts: true } as const) : {};
  return { key, columns: [...own, ...columns], ...(unless ? { unless } : {}), ...ofParts };
});

/** With the segments that are not among the record's own fields. */
const withBreakdowns = (record: RecordDeclaration): RecordDeclaration => ({
  ...record,
  ...(record.segmented
    ? { breakdowns: SEGMENTS.filter(({ columns }) => !columns.some((name) => Object.hasOwn(record.fields, name))) }
    : {}),
});

const campaigns: RecordDeclaration = {
  connector: "searchads",
  name: "campaigns",
  grain: "A campaign's delivery on a day.",
  fields: {
    date: day("Day, in the account's time zone."),
    campaign_id: text("Campaign, over all accounts."),
    campaign_name: text("Its name when the report was made."),
    campaign_status: text("ENABLED, PAUSED or REMOVED."),
    advertising_channel_type: text("Channel: SEARCH, PERFORMANCE_MAX…"),
    bidding_strategy_type: text("Bidding strategy."),
    impressions: DELIVERY.impressions,
    clicks: DELIVERY.clicks,
    cost: currency("Media spend.", { combine: "sum" }),
    conversions: DELIVERY.conversions,
    conversions_value: DELIVERY.conversions_value,
    all_conversions: DELIVERY.all_conversions,
    all_conversions_value: DELIVERY.all_conversions_value,
  },
  guide: {
    api: "`search` or `searchStream` with `SELECT segments.date, campaign.id, campaign.name, campaign.status, campaign.advertising_channel_type, campaign.bidding_strategy_type, metrics.impressions, metrics.clicks, metrics.cost_micros, metrics.conversions, metrics.conversions_value, metrics.all_conversions, metrics.all_conversions_value FROM campaign WHERE segments.date BETWEEN …`. Export the last 30 days again: conversions arrive late.",
    download:
      "Campaigns, with the segment Time → Day and the columns Campaign ID, Cost, Impr. and Clicks; Download (.csv or .xlsx).",
    vendorAmounts: "millionths for `costMicros`, currency units for values of conversions",
    labels: {
      date: ["Day", "Dia", "Data"],
      campaign_id: ["ID da campanha", "Código da campanha"],
      campaign_name: ["Campaign", "Campanha", "Nome da campanha"],
      campaign_status: ["Campaign state", "Status da campanha"],
      impressions: ["Impr.", "Impressões"],
      clicks: ["Cliques"],
      cost: ["Custo", "Spend", "Investimento"],
      conversions: ["Conversões"],
      conversions_value: ["Conv. value", "Valor de conv.", "Valor das conversões"],
    },
  },
  key: ["campaign_id", "date"],
  day: "date",
  // If the cost was requested, a row without it is 0; a report that did not request it would hide the spend.
  required: ["campaign_id", "date", "cost"],
  segmented: true,
  currency: CURRENCY,
  ...ENVELOPE,
  plain: ["campaign_id", "date"],
  served: {
    path: "/v1/searchads/ads/campaigns",
    summary: "Search ads campaigns, by day.",
    bookkeeping: AD_BOOKKEEPING,
    filters: { ...OF_ACCOUNT, createdStart: { from: "date" }, createdEnd: { to: "date" } },
    order: "date",
    sortable: true,
  },
};

const keywords: RecordDeclaration = {
  connector: "searchads",
  name: "keywords",
  grain: "A keyword's delivery with one ad on a day.",
  fields: {
    date: day("Day, in the account's time zone."),
    keyword_text: text("The keyword."),
    keyword_match_type: text("BROAD, PHRASE or EXACT."),
    ad_group_criterion: text("Resource name of the keyword in its ad group."),
    ad_group_type: text("Type of the ad group."),
    ad_group_status: text("ENABLED, PAUSED or REMOVED."),
    ad_group_name: text("Its name when the report was made."),
    ad_group_id: text("Ad group."),
    ad_id: text("Ad.", { nullWhen: "the report is only by keyword" }),
    ad_group_campaign: text("Resource name of the campaign."),
    campaign_bidding_strategy_type: text("Bidding strategy of the campaign."),
    campaign_id: text("Campaign."),
    campaign_name: text("Its name when the report was made."),
    campaign_group: text("Resource name of the campaign's group.", { nullWhen: "it has no group" }),
    impressions: DELIVERY.impressions,
    clicks: DELIVERY.clicks,
    cost: currency("Media spend, part of that of the campaigns. Never add the two.", { combine: "sum" }),
    conversions: DELIVERY.conversions,
    conversions_value: DELIVERY.conversions_value,
    all_conversions: DELIVERY.all_conversions,
  },
  // A keyword's number repeats in other ad groups; its resource name does not.
  guide: {
    api: "`search` or `searchStream` with `SELECT segments.date, segments.keyword.info.text, segments.keyword.info.match_type, segments.keyword.ad_group_criterion, ad_group.id, ad_group.name, ad_group.status, ad_group.type, ad_group.campaign, ad_group_ad.ad.id, campaign.id, campaign.name, campaign.bidding_strategy_type, campaign.campaign_group, metrics.impressions, metrics.clicks, metrics.cost_micros, metrics.conversions, metrics.conversions_value, metrics.all_conversions FROM ad_group_ad WHERE segments.date BETWEEN …`; or `FROM keyword_view`, which has no ad.",
    vendorAmounts: "millionths for `costMicros`, currency units for values of conversions",
    labels: {
      date: ["Day", "Dia", "Data"],
      keyword_text: ["Keyword", "Palavra-chave"],
      impressions: ["Impr.", "Impressões"],
      clicks: ["Cliques"],
      cost: ["Custo", "Spend", "Investimento"],
      conversions: ["Conversões"],
    },
  },
  key: ["date", "ad_group_criterion", "ad_id"],
  day: "date",
  required: ["date", "ad_group_criterion", "cost"],
  segmented: true,
  currency: CURRENCY,
  ...ENVELOPE,
  plain: ["date", "ad_group_criterion", "keyword_text"],
  served: {
    path: "/v1/searchads/ads/keywords",
    summary: "Search ads keywords, by day.",
    bookkeeping: AD_BOOKKEEPING,
    filters: { ...OF_ACCOUNT, createdStart: { from: "date" }, createdEnd: { to: "date" } },
    order: "date",
    sortable: true,
  },
};

const geographic: RecordDeclaration = {
  connector: "searchads",
  name: "geographic",
  grain: "An ad group's delivery to one state and city on a day.",
  fields: {
    campaign_id: text("Campaign."),
    campaign_name: text("Its name when the report was made."),
    geo_target_state: text("Resource name of the state."),
    geo_target_city: text("Resource name of the city."),
    status: text("The campaign's status."),
    ad_group_id: text("Ad group.", { nullWhen: "the campaign has no ad group" }),
    ad_group_name: text("Its name when the report was made."),
    bidding_strategy_type: text("Bidding strategy of the campaign."),
    date: day("Day, in the account's time zone."),
    impressions: DELIVERY.impressions,
    cost: currency("Media spend, part of that of the campaigns. Never add the two.", { combine: "sum" }),
    clicks: DELIVERY.clicks,
    conversions: DELIVERY.conversions,
    conversions_value: DELIVERY.conversions_value,
    all_conversions: DELIVERY.all_conversions,
    all_conversions_value: DELIVERY.all_conversions_value,
  },
  guide: {
    api: "`search` or `searchStream` with `SELECT segments.date, segments.geo_target_state, segments.geo_target_city, geographic_view.resource_name, geographic_view.location_type, campaign.id, campaign.name, campaign.status, campaign.bidding_strategy_type, ad_group.id, ad_group.name, metrics.impressions, metrics.clicks, metrics.cost_micros, metrics.conversions, metrics.conversions_value, metrics.all_conversions, metrics.all_conversions_value FROM geographic_view WHERE segments.date BETWEEN …`.",
    vendorAmounts: "millionths for `costMicros`, currency units for values of conversions",
    labels: {
      date: ["Day", "Dia", "Data"],
      campaign_id: ["ID da campanha", "Código da campanha"],
      impressions: ["Impr.", "Impressões"],
      clicks: ["Cliques"],
      cost: ["Custo", "Spend", "Investimento"],
      conversions: ["Conversões"],
    },
  },
  key: ["date", "campaign_id", "ad_group_id", "geo_target_state", "geo_target_city"],
  day: "date",
  required: ["date", "campaign_id", "cost"],
  segmented: true,
  currency: CURRENCY,
  ...ENVELOPE,
  plain: ["date", "campaign_id", "geo_target_state", "geo_target_city"],
  served: {
    path: "/v1/searchads/ads/geographic",
    summary: "Search ads by state and city, by day.",
    bookkeeping: AD_BOOKKEEPING,
    filters: { ...OF_ACCOUNT, createdStart: { from: "date" }, createdEnd: { to: "date" } },
    order: "date",
    sortable: true,
  },
};

const conversionSegmentedCampaigns: RecordDeclaration = {
  connector: "searchads",
  name: "conversion-segmented-campaigns",
  grain: "A campaign's conversions of one category on a day.",
  fields: {
    campaign_resource_name: text("Resource name of the campaign."),
    campaign_name: text("Its name when the report was made."),
    campaign_id: text("Campaign."),
    segments_conversion_action_category: text("Category of the conversion: PURCHASE, SIGNUP…"),
    metrics_conversions_value: currency("Value of the conversions.", { stored: "number", combine: "sum" }),
    metrics_conversions: units("Conversions that bidding counts.", { combine: "sum" }),
    segments_date: day("Day, in the account's time zone."),
  },
  guide: {
    api: "`search` or `searchStream` with `SELECT segments.date, segments.conversion_action_category, campaign.resource_name, campaign.id, campaign.name, metrics.conversions, metrics.conversions_value FROM campaign WHERE segments.date BETWEEN …`. It cannot have the cost.",
  },
  key: ["campaign_id", "segments_date", "segments_conversion_action_category"],
  day: "segments_date",
  segmented: true,
  currency: CURRENCY,
  ...ENVELOPE,
  plain: ["campaign_id", "segments_date", "segments_conversion_action_category"],
  served: {
    path: "/v1/searchads/ads/conversion-segmented-campaigns",
    summary: "Search ads conversions by campaign and category, by day.",
    bookkeeping: AD_BOOKKEEPING,
    filters: { ...OF_ACCOUNT, createdStart: { from: "segments_date" }, createdEnd: { to: "segments_date" } },
    order: "segments_date",
    sortable: true,
  },
};

const adGroupCriterion: RecordDeclaration = {
  connector: "searchads",
  name: "ad-group-criterion",
  grain: "A criterion of an ad group (a keyword, an audience…) in its present configuration.",
  fields: {
    ad_group_resource_name: text("Resource name of the ad group."),
    ad_group_id: text("Ad group."),
    ad_group_name: text("Its name."),
    ad_group_criterion_resource_name: text("Resource name of the criterion in its ad group."),
    ad_group_criterion_status: text("ENABLED, PAUSED or REMOVED."),
    ad_group_criterion_type: text("KEYWORD, WEBPAGE…"),
    ad_group_criterion_criterion_id: text("Criterion; the same one may be in several ad groups."),
  },
  guide: {
    api: "`search` or `searchStream` with `SELECT ad_group.resource_name, ad_group.id, ad_group.name, ad_group_criterion.resource_name, ad_group_criterion.status, ad_group_criterion.type, ad_group_criterion.criterion_id FROM ad_group_criterion`.",
  },
  key: ["ad_group_criterion_resource_name"],
  ...ENVELOPE,
  plain: ["ad_group_resource_name", "ad_group_criterion_resource_name", "ad_group_criterion_criterion_id"],
  served: {
    path: "/v1/searchads/ads/ad-group-criterion",
    summary: "Search ads criteria of ad groups as they are configured.",
    bookkeeping: AD_BOOKKEEPING,
    filters: OF_ACCOUNT,
    // The record has no date.
    order: "document_id",
    sortable: true,
  },
};

export const searchads: readonly RecordDeclaration[] = [
  campaigns,
  keywords,
  geographic,
  conversionSegmentedCampaigns,
  adGroupCriterion,
].map(withBreakdowns);
