import type { StreamSet } from "../../../core/contract/stream.ts";

/** Figures that the tool writes also if they are 0: the mapping takes none of those that are absent for 0. */
const EXPLICIT = { fieldMask: "" } as const;

const WITHIN = ["metrics", "segments"] as const;

/** The vendor's resources, reported with any fields that the user has chosen. */
const report = (record: string, name: string, signature: readonly string[], aliases: readonly string[] = []) =>
  (["airbyte", "singer"] as const).map(
    (tool): StreamSet => ({
      tool,
      record,
      within: WITHIN,
      root: {
        name,
        aliases,
        custom: true,
        signature,
        ...(tool === "airbyte" ? { constants: EXPLICIT } : { ofTables: EXPLICIT }),
      },
    }),
  );

const CAMPAIGN = "campaign.id|campaign.resource_name|campaign.resourceName|campaign_id";
const COST = "metrics.cost_micros|cost_micros";
const DATE = "segments.date|date";
const PLACE =
  "geographic_view.country_criterion_id|geographic_view.location_type|geographic_view.resource_name" +
  "|segments.geo_target_state|segments.geo_target_city|geo_target_state|geo_target_city";

export const searchads: readonly StreamSet[] = [
  ...report(
    "searchads/campaigns",
    "campaign",
    [CAMPAIGN, COST, DATE],
    ["campaigns", "campaign_performance", "campaign_performance_report"],
  ),
  ...report(
    "searchads/keywords",
    "keyword_view",
    ["ad_group.id|ad_group_id", COST, DATE],
    ["keyword_report", "keyword_performance_report"],
  ),
  ...report("searchads/geographic", "geographic_view", [CAMPAIGN, COST, DATE, PLACE]),
  ...report("searchads/conversion-segmented-campaigns", "campaign", [
    CAMPAIGN,
    "segments.conversion_action_category|conversion_action_category",
    DATE,
  ]),
  ...report("searchads/ad-group-criterion", "ad_group_criterion", [
    "ad_group_criterion.resource_name|ad_group_criterion_resource_name",
  ]),
  {
    tool: "fivetran",
    record: "searchads/campaigns",
    within: WITHIN,
    root: {
      name: "campaign_stats",
      key: ["_fivetran_id|id", "date", "customer_id"],
      rename: { id: "campaign.id" },
      constants: EXPLICIT,
      signature: ["id", "date", "cost_micros", "base_campaign|customer_id", "!ad_group_id", "!campaign_id"],
      children: [
        {
          name: "campaign_history",
          key: ["id"],
          by: "campaign.id",
          version: "updated_at",
          required: true,
          take: {
            name: "campaign.name",
            status: "campaign.status",
            advertising_channel_type: "campaign.advertisingChannelType",
            bidding_strategy_type: "campaign.biddingStrategyType",
          },
          signature: ["id", "name", "advertising_channel_type", "updated_at"],
        },
      ],
    },
  },
];

/** Names of segments that some tools write without `segments`: they break a row down, figures do not. */
export const SEGMENTS: ReadonlySet<string> = new Set([
  "adDestinationType",
  "adFormatType",
  "adNetworkType",
  "adSubNetworkType",
  "assetInteractionTarget",
  "auctionInsightDomain",
  "budgetCampaignAssociationStatus",
  "clickType",
  "conversionAction",
  "conversionActionCategory",
  "conversionActionName",
  "conversionAdjustment",
  "conversionAttributionEventType",
  "conversionLagBucket",
  "conversionOrAdjustmentLagBucket",
  "conversionValueRulePrimaryDimension",
  "date",
  "dayOfWeek",
  "device",
  "externalConversionSource",
  "geoTargetCity",
  "geoTargetCountry",
  "geoTargetMetro",
  "geoTargetMostSpecificLocation",
  "geoTargetPostalCode",
  "geoTargetRegion",
  "geoTargetState",
  "hour",
  "interactionOnThisExtension",
  "keyword",
  "month",
  "monthOfYear",
  "newVersusReturningCustomers",
  "placeholderType",
  "productBrand",
  "productChannel",
  "productCondition",
  "productCountry",
  "productItemId",
  "productLanguage",
  "productStoreId",
  "productTitle",
  "quarter",
  "searchAdNetworkType",
  "searchTermMatchType",
  "skAdNetworkUserType",
  "slot",
  "webpage",
  "week",
  "year",
]);
