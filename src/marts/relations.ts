/**
 * The relations that are derived from the landed records, each after those it reads: `sql/core/<name>.sql`. Those that
 * analyses or row endpoints read are kept as `<name>.parquet`; the others serve the derivation alone.
 */
export const CORE: readonly { readonly name: string; readonly kept: boolean }[] = [
  { name: "integrations", kept: true },
  { name: "campaign_rules", kept: false },
  { name: "ad_records", kept: false },
  { name: "campaign_names", kept: false },
  { name: "campaigns", kept: true },
  { name: "media_spend", kept: true },
  { name: "store_orders", kept: false },
  { name: "order_lines", kept: true },
  { name: "order_costs", kept: false },
  { name: "order_campaigns", kept: false },
  { name: "orders", kept: true },
  { name: "customers", kept: true },
  { name: "site_events", kept: true },
  { name: "site_items", kept: true },
  { name: "margin", kept: true },
  { name: "organization", kept: true },
  { name: "categories", kept: true },
  { name: "products", kept: true },
  { name: "product_items", kept: true },
  { name: "sales", kept: true },
  { name: "product_sales", kept: true },
  { name: "product_stores", kept: true },
  { name: "product_categories", kept: true },
  { name: "product_identities", kept: true },
  { name: "product_entries", kept: true },
  { name: "inventory", kept: true },
  { name: "storea_order_rows", kept: true },
  { name: "storea_item_rows", kept: true },
];
