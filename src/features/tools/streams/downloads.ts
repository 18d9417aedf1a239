import type { StreamSet } from "../../../core/contract/stream.ts";

/** Files that users download from the vendors' pages. */
export const downloads: readonly StreamSet[] = [
  { tool: "download", record: "socialads/campaigns", root: { name: "ads_manager" } },
  { tool: "download", record: "searchads/campaigns", root: { name: "google_ads" } },
  {
    tool: "download",
    record: "storea/orders",
    personal: true,
    root: { name: "vtex_orders", children: [{ name: "vtex_order_items", into: "items" }] },
  },
  {
    tool: "download",
    record: "storeb/orders",
    personal: true,
    root: { name: "shopify_orders", children: [{ name: "shopify_order_lines", into: "line_items" }] },
  },
  { tool: "download", record: "crm/contacts", personal: true, root: { name: "hubspot_contacts" } },
];
