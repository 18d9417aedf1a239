import { day, integer, json, money, number, text } from "../contract/field.ts";
import type { RecordDeclaration } from "../contract/record.ts";

const B = ["organization_id", "user_id", "document_id", "integration_name", "inserted_at"] as const;

const campaigns: RecordDeclaration = {
  connector: "socialads",
  name: "campaigns",
  grain: "A campaign's delivery over the days from date_start to date_stop.",
  fields: {
    campaign_id: text("Campaign, over all accounts."),
    campaign_name: text("Its name when the report was made."),
    objective: text("What the campaign optimizes for."),
    account_id: text("Ad account."),
    actions: json("What people did, by kind, as the vendor reports it. Kinds overlap: never add them.", { combine: "none" }),
    impressions: integer("Times shown.", { combine: "sum" }),
    reach: integer("People who saw it; does not add up over rows.", { combine: "none" }),
    frequency: number("Impressions per person.", { combine: "none" }),
    clicks: integer("All clicks.", { combine: "sum" }),
    ctr: number("Clicks per 100 impressions.", { combine: { recompute: "clicks * 100 / nullif(impressions, 0)" } }),
    inline_link_clicks: integer("Clicks on links.", { combine: "sum" }),
    inline_link_click_ctr: number("Link clicks per 100 impressions.", {
      combine: { recompute: "inline_link_clicks * 100 / nullif(impressions, 0)" },
    }),
    spend: money("Media spend.", { combine: "sum" }),
    cpc: number("Spend per click.", { combine: { recompute: "spend / nullif(clicks, 0)" } }),
    cpm: number("Spend per 1,000 impressions.", { combine: { recompute: "spend * 1000 / nullif(impressions, 0)" } }),
    website_purchase_roas: number("Purchase value on the site per spend.", { combine: "none" }),
    date_start: day("First day of the row."),
    date_stop: day("Last day of the row."),
  },
  key: ["account_id", "campaign_id", "date_start", "date_stop"],
  required: ["campaign_id", "date_start", "spend"],
  segmented: true,
  envelopes: ["data[]"],
  plain: [],
  served: {
    path: "/v1/socialads/ads/campaigns",
    summary: "Social ads campaigns and what they delivered.",
    bookkeeping: B,
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

export const socialads: readonly RecordDeclaration[] = [campaigns];
