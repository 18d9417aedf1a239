/** How the rows of a relation are kept in several files: each holds those of a range of days, or of order ids. */
export interface Parts {
  /** The column whose value says which part a row is in. */
  readonly by: string;
  readonly bounds: "days" | "orderIds";
  /** How the rows of a part are sorted. */
  readonly order: string;
}

/**
 * A relation that is derived from the landed records: `sql/core/<name>.sql`. Those that analyses, row endpoints or the
 * next derivation read are kept, as one file `<name>.parquet` or in parts; the others are dropped once all is derived.
 */
export interface CoreRelation {
  readonly name: string;
  readonly kept: boolean;
  readonly parts?: Parts;
}

const days = (by: string, order: string): Pick<CoreRelation, "kept" | "parts"> => ({
  kept: true,
  parts: { by, bounds: "days", order },
});

/** What has a row or more for every order, each after those it reads. */
export const ORDER_CORE: readonly CoreRelation[] = [
  { name: "cost_readings", kept: true },
  { name: "store_orders", kept: false },
  { name: "identified_orders", ...days("ordered_on", "ordered_on") },
  { name: "order_sources", kept: true },
  { name: "order_lines", ...days("ordered_on", "ordered_on") },
  { name: "order_costs", ...days("ordered_on", "ordered_on") },
  { name: "orders", ...days("ordered_on", "ordered_on, ordered_at") },
  { name: "customers", kept: true },
  { name: "customer_months", kept: true },
  { name: "first_purchases", kept: true },
  { name: "sales", ...days("sold_on", "sold_on, sold_at") },
  // Days are told apart by the parts: within one a product's sales lie together, as a product's page reads them.
  { name: "product_sales", ...days("sold_on", "integration_id, product_id, sold_on, sold_at, order_id") },
  { name: "product_entries", kept: true },
  {
    name: "storea_order_rows",
    ...days("creation_date", "date_trunc('millisecond', creation_date) nulls last, document_id"),
  },
  {
    name: "storea_item_rows",
    kept: true,
    parts: { by: "order_id", bounds: "orderIds", order: "order_id, document_id" },
  },
];

/** What orders are set beside. */
export const CAMPAIGN_CORE: readonly CoreRelation[] = [
  { name: "campaign_rules", kept: false },
  { name: "ad_records", kept: false },
  { name: "campaign_names", kept: false },
  { name: "campaigns", kept: true },
  { name: "media_spend", kept: true },
];

/** What is made of all that, or has nothing to do with orders. */
export const LAST_CORE: readonly CoreRelation[] = [
  { name: "order_statuses", kept: true },
  { name: "aliased_orders", kept: true },
  { name: "order_days", kept: true },
  { name: "customer_days", kept: true },
  { name: "cohort_days", kept: true },
  { name: "site_events", kept: true },
  { name: "site_items", kept: true },
  { name: "margin", kept: true },
  { name: "organization", kept: true },
  { name: "categories", kept: true },
  { name: "products", kept: true },
  { name: "product_names", kept: true },
  { name: "product_items", kept: true },
  { name: "product_stores", kept: true },
  { name: "storeb_product_rows", kept: true },
  { name: "product_categories", kept: true },
  { name: "product_identities", kept: true },
  { name: "inventory", kept: true },
];

export const CORE: readonly CoreRelation[] = [
  { name: "integrations", kept: true },
  ...CAMPAIGN_CORE,
  ...ORDER_CORE,
  ...LAST_CORE,
];
