import { count, currency, day, instant, internal, json, percent, ratio, text } from "../contract/field.ts";
import type { Breakdown, NamedCurrency, RecordDeclaration } from "../contract/record.ts";

const AD_BOOKKEEPING = ["organization_id", "user_id", "document_id", "integration_name", "inserted_at"] as const;

const breakdown = (key: string, ...others: string[]): Breakdown => ({ key, columns: [key, ...others] });

/** The account's currency. */
const CURRENCY: NamedCurrency = {
  object: "$.account_currency",
  columns: ["account_currency", "currency", "currency_code"],
};

/** In the order of the mappings. */
const AUDIENCE = [breakdown("age"), breakdown("gender"), breakdown("country"), breakdown("region"), breakdown("dma")];
const PLACEMENT = [
  breakdown("impression_device"),
  breakdown("device_platform"),
  breakdown("product_id"),
  breakdown("hour", "hourly_stats_aggregated_by_advertiser_time_zone"),
  breakdown("audience_hour", "hourly_stats_aggregated_by_audience_time_zone"),
  breakdown("device"),
];

const adsetConfig: RecordDeclaration = {
  connector: "socialads",
  name: "adset-config",
  grain: "An ad set in its present configuration.",
  fields: {
    id: text("Ad set."),
    name: text("Its name."),
    effective_status: text("Effective status, which includes that of its campaign: ACTIVE, PAUSED, CAMPAIGN_PAUSED…"),
    targeting_flexible_spec: json("Groups of interests, behaviors and the like; matching one group is enough."),
    targeting_genders: json("Genders: 1 male, 2 female.", { nullWhen: "it targets all genders" }),
    targeting_geo_locations_custom_locations: json("Circles around a point."),
    targeting_geo_locations_places: json("Places."),
    targeting_geo_locations_location_types: json("Who counts as being in a place: home, recent…"),
    targeting_geo_locations_neighborhoods: json("Neighborhoods."),
    targeting_targeting_automation_advantage_audience: text(
      "1: the vendor may look beyond the audience; 0: it may not.",
    ),
    targeting_targeting_automation_individual_setting_geo: text("1: it may look beyond the places; 0: it may not."),
    targeting_publisher_platforms: json("Platforms on which it may be shown.", {
      nullWhen: "placement is automatic",
    }),
    targeting_networka_positions: json("Positions on network A."),
    targeting_networkb_positions: json("Positions on network B."),
    targeting_networkc_positions: json("Positions on network C."),
    targeting_device_platforms: json("Kinds of devices."),
    lifetime_budget: currency("Budget for its lifetime.", { nullWhen: "not set: it may be the campaign's" }),
    daily_budget: currency("Budget per day.", { nullWhen: "not set: it may be the campaign's" }),
    targeting_age_min: count("Youngest age."),
    targeting_age_max: count("Oldest age."),
    created_time: instant("When it was created."),
    ...internal({ updated_time: instant("When its configuration last changed.") }),
  },
  guide: {
    api: "`GET /act_{account}/adsets?fields=id,name,effective_status,created_time,updated_time,daily_budget,lifetime_budget,targeting`. Archived ad sets only come if `effective_status` asks for them.",
    vendorAmounts: "minor units of the account's currency (hundredths; whole units for currencies without them)",
  },
  key: ["id"],
  // Every ad set has the time: an object without it is another one, or a report.
  required: ["id", "created_time"],
  version: "updated_time",
  currency: CURRENCY,
  envelopes: ["data[]"],
  own: ["id"],
  plain: [
    "targeting_flexible_spec",
    "targeting_genders",
    "targeting_geo_locations_location_types",
    "targeting_publisher_platforms",
    "targeting_device_platforms",
    "targeting_age_min",
    "targeting_age_max",
  ],
  served: {
    path: "/v1/socialads/ads/adset-config",
    summary: "Social ad sets as they are configured.",
    bookkeeping: AD_BOOKKEEPING,
    filters: {
      userId: { match: "exact", field: "user_id" },
      integrationName: { match: "exact", field: "integration_name" },
      dateStart: { from: "created_time" },
    },
    order: "created_time",
    sortable: true,
  },
};

const campaigns: RecordDeclaration = {
  connector: "socialads",
  name: "campaigns",
  grain: "A campaign's delivery over the days from date_start to date_stop.",
  fields: {
    campaign_id: text("Campaign, over all accounts."),
    campaign_name: text("Its name when the report was made."),
    objective: text("Objective of the campaign."),
    account_id: text("Ad account."),
    actions: json("Actions of people by type, as the vendor reports them. Types overlap: never add them.", {
      combine: "none",
    }),
    impressions: count("Times shown.", { combine: "sum" }),
    reach: count("People who saw it; does not add up over rows.", { combine: "none" }),
    frequency: ratio("Impressions per person.", { combine: "none" }),
    clicks: count("All clicks.", { combine: "sum" }),
    ctr: percent("Clicks per 100 impressions.", { combine: { recompute: "clicks * 100 / nullif(impressions, 0)" } }),
    inline_link_clicks: count("Clicks on links.", { combine: "sum" }),
    inline_link_click_ctr: percent("Link clicks per 100 impressions.", {
      combine: { recompute: "inline_link_clicks * 100 / nullif(impressions, 0)" },
    }),
    spend: currency("Media spend.", { combine: "sum" }),
    cpc: currency("Spend per click.", { stored: "number", combine: { recompute: "spend / nullif(clicks, 0)" } }),
    cpm: currency("Spend per 1,000 impressions.", {
      stored: "number",
      combine: { recompute: "spend * 1000 / nullif(impressions, 0)" },
    }),
    website_purchase_roas: ratio("Purchase value on the site per spend.", { combine: "none" }),
    date_start: day("First day of the row."),
    date_stop: day("Last day of the row."),
  },
  guide: {
    api: "`GET /act_{account}/insights?level=campaign&time_increment=1&fields=account_id,campaign_id,campaign_name,objective,impressions,reach,frequency,clicks,ctr,inline_link_clicks,inline_link_click_ctr,spend,cpc,cpm,website_purchase_roas,actions`. Without `time_increment=1` a row covers the whole period. Export the last 28 days again: they still change.",
    download:
      "Ads Manager → Campaigns → Breakdown: By time → Day; Columns: add Campaign ID and Amount spent; Reports → Export table data (.csv or .xlsx).",
    labels: {
      campaign_id: ["ID da campanha", "Identificação da campanha"],
      campaign_name: ["Campaign", "Campanha", "Nome da campanha"],
      objective: ["Objetivo"],
      account_id: ["ID da conta", "Identificação da conta"],
      impressions: ["Impressões"],
      reach: ["Alcance"],
      frequency: ["Frequência"],
      clicks: ["Clicks (all)", "Cliques (todos)"],
      inline_link_clicks: ["Link clicks", "Cliques no link"],
      spend: ["Amount spent", "Valor usado", "Valor gasto", "Cost", "Custo", "Investimento"],
      date_start: ["Day", "Dia", "Reporting starts", "Início dos relatórios", "Date", "Data"],
      date_stop: ["Reporting ends", "Término dos relatórios", "Encerramento dos relatórios"],
    },
  },
  source: ["website_purchase_roas"],
  key: ["account_id", "campaign_id", "date_start", "date_stop"],
  day: "date_stop|date_start",
  // The vendor writes zero spend as "0": a row without the key comes from a report that did not request it, and reading
  // that as 0 would understate the cost of the campaigns.
  required: ["campaign_id", "date_start", "spend"],
  segmented: true,
  currency: CURRENCY,
  breakdowns: [
    breakdown("ad_id"),
    { ...breakdown("adset_id"), unless: ["ad_id"] },
    ...AUDIENCE,
    breakdown("publisher_platform", "platform"),
    breakdown("platform_position", "placement"),
    ...PLACEMENT,
    { ...breakdown("ad_name"), unless: ["ad_id"] },
    { ...breakdown("adset_name"), unless: ["ad_id", "adset_id", "ad_name"] },
  ],
  envelopes: ["data[]"],
  own: ["campaign_id", "date_start"],
  plain: [],
  served: {
    path: "/v1/socialads/ads/campaigns",
    summary: "Delivery of social ads campaigns.",
    bookkeeping: AD_BOOKKEEPING,
    filters: {
      userId: { match: "exact", field: "user_id" },
      integrationName: { match: "exact", field: "integration_name" },
      dateStart: { from: "date_start" },
      dateEnd: { to: "date_stop" },
    },
    order: "date_start",
    sortable: true,
  },
};

const platform: RecordDeclaration = {
  connector: "socialads",
  name: "platform",
  grain: "An ad's delivery on one platform and position over the days from date_start to date_stop.",
  fields: {
    adset_id: text("Ad set."),
    ad_id: text("Ad."),
    objective: text("Objective of the campaign."),
    publisher_platform: text("Platform on which it was shown, named as by the vendor."),
    platform_position: text("Position on the platform.", { nullWhen: "the report was not broken down by it" }),
    clicks: count("All clicks.", { combine: "sum" }),
    reach: count("People who saw it; does not add up over rows.", { combine: "none" }),
    impressions: count("Times shown.", { combine: "sum" }),
    spend: currency("Media spend, a breakdown of that of the campaigns. Never add the two.", { combine: "sum" }),
    full_view_reach: count("People who saw the whole ad; does not add up over rows.", { combine: "none" }),
    date_start: day("First day of the row."),
    date_stop: day("Last day of the row."),
  },
  guide: {
    api: "`GET /act_{account}/insights?level=ad&time_increment=1&breakdowns=publisher_platform,platform_position&fields=ad_id,adset_id,objective,impressions,reach,clicks,spend,full_view_reach`.",
    labels: {
      ad_id: ["ID do anúncio", "Identificação do anúncio"],
      adset_id: ["Ad set ID", "ID do conjunto de anúncios"],
      publisher_platform: ["Platform", "Plataforma"],
      platform_position: ["Placement", "Posicionamento"],
      impressions: ["Impressões"],
      reach: ["Alcance"],
      clicks: ["Clicks (all)", "Cliques (todos)"],
      spend: ["Amount spent", "Valor usado", "Valor gasto"],
      date_start: ["Day", "Dia", "Reporting starts", "Início dos relatórios"],
      date_stop: ["Reporting ends", "Término dos relatórios", "Encerramento dos relatórios"],
    },
  },
  key: ["ad_id", "date_start", "date_stop", "publisher_platform", "platform_position"],
  day: "date_stop|date_start",
  // No sum uses its spend: it is null if the report did not request it.
  required: ["ad_id", "date_start", "publisher_platform"],
  segmented: true,
  currency: CURRENCY,
  breakdowns: [...AUDIENCE, ...PLACEMENT],
  envelopes: ["data[]"],
  own: ["ad_id", "date_start"],
  plain: [],
  served: {
    path: "/v1/socialads/ads/platform",
    summary: "Social ads by platform and position.",
    bookkeeping: AD_BOOKKEEPING,
    filters: {
      userId: { match: "exact", field: "user_id" },
      integrationName: { match: "exact", field: "integration_name" },
      dateStart: { from: "date_start" },
      dateEnd: { to: "date_stop" },
    },
    order: "date_start",
    sortable: true,
  },
};

export const socialads: readonly RecordDeclaration[] = [adsetConfig, campaigns, platform];
