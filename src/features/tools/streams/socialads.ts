import type { Child, Stream, StreamSet } from "../../../core/contract/stream.ts";

const INSIGHTS = ["campaign_id", "date_start", "spend|impressions"];

const insights = (record: string, name: string, signature: readonly string[]): readonly StreamSet[] =>
  (["airbyte", "singer"] as const).map((tool) => ({
    tool,
    record,
    root: { name, aliases: ["adsinsights_default", "ads_insights"], custom: true, signature },
  }));

const adSets: Stream = {
  name: "ad_sets",
  aliases: ["adsets"],
  key: ["id"],
  signature: ["id", "targeting|daily_budget"],
};

/** Lists of texts, which dlt writes as tables. */
const listsOf = (root: string, paths: readonly string[]): readonly Child[] =>
  paths.map((path) => ({
    name: `${root}__${path.replaceAll(".", "__")}`,
    into: path,
    scalars: true,
    optional: false,
  }));

/** Names and objective are those of today. */
const CAMPAIGN = { name: "campaign_name", objective: "objective" } as const;

export const socialads: readonly StreamSet[] = [
  ...insights("socialads/campaigns", "insights", INSIGHTS),
  ...insights("socialads/platform", "insights", ["ad_id", "date_start", "publisher_platform"]),
  {
    tool: "fivetran",
    record: "socialads/campaigns",
    root: {
      name: "basic_ad",
      key: ["ad_id", "date"],
      rename: { date: "date_start" },
      // The table has no column of all clicks, and none of purchases: they are unknown, not 0.
      constants: { _unknown: ["clicks", "website_purchase_roas"] },
      signature: ["ad_id", "date", "spend"],
      children: [
        {
          name: "ad_history",
          key: ["id"],
          by: "ad_id",
          version: "updated_time",
          required: true,
          take: { campaign_id: "campaign_id" },
          signature: ["id", "ad_set_id", "campaign_id", "updated_time"],
          children: [
            {
              name: "campaign_history",
              key: ["id"],
              by: "campaign_id",
              version: "updated_time",
              required: true,
              take: CAMPAIGN,
              signature: ["id", "name", "updated_time", "!campaign_id", "!ad_set_id", "!creative_id", "!page_link"],
            },
          ],
        },
        {
          name: "basic_ad_actions",
          key: ["ad_id", "date", "index|action_type"],
          parent: ["ad_id", "date"],
          into: "actions",
          sort: "index",
          take: { action_type: "action_type", value: "value" },
          // The table of the actions' values has neither.
          signature: ["ad_id", "date", "action_type", "value", "inline|_1_d_view"],
        },
      ],
    },
  },
  {
    tool: "dlt",
    record: "socialads/campaigns",
    root: {
      name: "facebook_insights",
      signature: ["campaign_id", "date_start"],
      children: [
        { name: "facebook_insights__actions", into: "actions", signature: ["action_type", "value"] },
        { name: "facebook_insights__website_purchase_roas", into: "website_purchase_roas" },
        {
          name: "campaigns",
          key: ["id"],
          by: "campaign_id",
          version: "updated_time",
          required: true,
          unless: "campaign_name",
          take: CAMPAIGN,
          signature: ["id", "name", "objective"],
        },
      ],
    },
  },
  { tool: "airbyte", record: "socialads/adset-config", root: adSets },
  { tool: "singer", record: "socialads/adset-config", root: adSets },
  {
    tool: "dlt",
    record: "socialads/adset-config",
    root: {
      ...adSets,
      signature: ["id", "targeting__age_min|daily_budget"],
      children: listsOf("ad_sets", [
        "targeting.genders",
        "targeting.publisher_platforms",
        "targeting.facebook_positions",
        "targeting.instagram_positions",
        "targeting.messenger_positions",
        "targeting.device_platforms",
        "targeting.geo_locations.location_types",
      ]),
    },
  },
];
