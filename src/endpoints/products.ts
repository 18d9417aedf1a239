import type { DocumentEndpoint, Part } from "../contract/endpoint.ts";
import {
  array,
  choice,
  count,
  currency,
  date,
  days,
  type Figures,
  instant,
  object,
  orNull,
  ratio,
  units,
  word,
} from "../contract/figure.ts";
import type { Param, Params, PeriodRule, RangeRule } from "../contract/param.ts";

const organizationId: Param = { kind: "uuid", required: true, description: "The organization whose data is read." };
const clock: Params = {
  today: { kind: "today", description: "Today (UTC)." },
  now: { kind: "now", description: "Now." },
};

/** What every question about a store says. */
export const storeParams: Params = {
  organizationId,
  integrationId: {
    kind: "uuid",
    required: true,
    description: "The store: a `sourceIntegrationId` of /v1/products/integrations.",
  },
  dateFrom: { kind: "day", description: "First day, inclusive; 29 days before dateTo without it." },
  dateTo: { kind: "day", description: "Last day, inclusive; today (UTC) without it." },
  ...clock,
};

/** A period has 365 days at most, the first and the last of them included. */
export const storePeriods: readonly PeriodRule[] = [
  { start: "dateFrom", end: "dateTo", days: 30, notFuture: true, mostDays: 364 },
];

export const productId: Param = {
  kind: "text",
  required: true,
  maxLength: 256,
  pattern: "^[A-Za-z0-9._~+@:/-]{1,256}$",
  description: "The product, exactly as the listing has it; percent-encoded in the path.",
};

const common = { unknown: "refused", cacheSeconds: 1800 } as const;

const window: Figures = { from: date("First day."), to: date("Last day.") };

/** What is told of the customers who entered the store through a product. */
export const cohortFigures: Figures = {
  entryCustomers: count("Customers whose first purchase, in the period, holds the product."),
  matureEntryCustomers: count("Of those, with 180 full days since."),
  ltv180: orNull(currency("Net revenue of the mature ones' first 180 days, per customer.")),
  repurchaseRate180: orNull(ratio("Share of the mature ones who bought again within 180 days.")),
  ltvToDate: orNull(currency("Net revenue so far of all of them, per customer.")),
  repurchaseRateToDate: orNull(ratio("Share of all of them who bought again.")),
  cohortElapsedDaysAverage: orNull(days("Days since their first purchase, 180 at most, on average.")),
};

/** The metrics of a product or a category, in the order of the answer. */
export const metrics: Figures = {
  grossSales: orNull(currency("Invoiced value of the period's units, before returns.")),
  netSales: orNull(currency("grossSales − what was returned of them to date.")),
  grossUnits: units("Invoiced units."),
  netUnits: units("Invoiced units − returned units."),
  averageTicket: orNull(currency("netSales / orders with the product.")),
  cogs: orNull(currency("Cost of the units kept; null unless every unit has a sale value and a cost.")),
  marginTotal: orNull(currency("netSales − cogs.")),
  marginAverage: orNull(ratio("marginTotal / netSales.")),
  newCustomers: count("Customers whose first purchase in the store, in the period, holds the product."),
  recurringCustomers: count("Customers who bought it in the period and had bought from the store before."),
  ...cohortFigures,
  availableStock: orNull(units("Stock − reserved stock, over the SKUs; null unless monitored.")),
  velocity30d: units("Units sold per day over the last 30 complete days, whatever the period."),
  daysOfStock: orNull(days("availableStock / velocity30d.")),
  returnRate: orNull(ratio("Returned units / units sold; a floor, since late returns may be missing.")),
};

const METRICS = Object.keys(metrics);

/** What stands behind the metrics of a product or a category, and why one is not there. */
const states: Figures = {
  inventoryState: choice(["monitored", "unmonitored", "unlimited", "unknown"], "Whether its stock is counted."),
  inventoryFreshness: choice(["fresh", "stale", "missing"], "`stale`: read more than 24 hours ago."),
  inventoryUpdatedAt: orNull(instant("When the oldest of the stock readings landed.")),
  cohortState: choice(["mature", "partial", "maturing", "no_base"], "Whether the entry customers are mature."),
  cohortWindowDays: count("Days after which an entry customer is mature."),
  asOf: orNull(instant("When the store last landed a file.")),
  coverage: object(
    {
      grossValue: ratio("Share of the units with a sale value."),
      cost: ratio("Share of the units with a cost."),
      inventory: ratio("Share of the SKUs whose stock was read."),
      matureCohort: ratio("Share of the entry customers who are mature."),
    },
    "How much of what is counted is known.",
  ),
  ndReasons: object(
    {
      averageTicket: orNull(choice(["no_sales_base"], "Why there is no averageTicket.")),
      margin: orNull(choice(["incomplete_gross_value", "incomplete_cost"], "Why there is no cogs, no marginTotal.")),
      averageMargin: orNull(
        choice(["no_net_sales", "incomplete_gross_value", "incomplete_cost"], "Why there is no marginAverage."),
      ),
      daysOfStock: orNull(
        choice(["unlimited", "unmonitored", "no_inventory", "no_movement"], "Why there is no daysOfStock."),
      ),
      ltv180: orNull(choice(["no_base", "maturing"], "Why there is no ltv180.")),
      repurchaseRate180: orNull(choice(["no_base", "maturing"], "Why there is no repurchaseRate180.")),
      returnRate: orNull(choice(["no_sales_base", "no_returns_coverage"], "Why there is no returnRate.")),
    },
    "Why a metric is not available; null where it is.",
  ),
};

export const productRow: Figures = {
  integrationId: word("Store."),
  productId: word("Product."),
  productName: orNull(word("Its name in the catalog, or at its latest sale.")),
  status: choice(["active", "inactive"], "Whether the catalog has it as active."),
  categoryId: word("Its own category, or `uncategorized`."),
  categoryName: orNull(word("That category's name.")),
  imageUrl: orNull(word("Picture.")),
  updatedAt: orNull(instant("When it last changed, by the vendor, else when it landed; null out of the catalog.")),
  ...metrics,
  ...states,
};

const categoryRow: Figures = {
  integrationId: word("Store."),
  categoryId: word("Category, or `uncategorized`."),
  categoryName: orNull(word("Its name.")),
  parentCategoryId: orNull(word("The category that it is in; null for a department.")),
  depth: count("0 for a department, which includes all that is below it."),
  ...metrics,
  ...states,
};

/** A range of a metric, with the two parameters that bound it. */
const range = (metric: string): RangeRule => {
  const name = `${metric[0]?.toUpperCase()}${metric.slice(1)}`;
  return { least: `min${name}`, most: `max${name}` };
};
const ranged = ["netSales", "marginTotal", "marginAverage", "availableStock"];

const selection: Params = {
  ...storeParams,
  search: { kind: "text", maxLength: 120, description: "Products whose name contains this, in any case." },
  status: {
    kind: "choice",
    of: ["all", "active", "inactive"],
    fallback: "all",
    description: "Products that the catalog has as active, or not.",
  },
  categoryId: {
    kind: "text",
    maxLength: 50,
    deprecated: "2025-01-01",
    description: "One more of categoryIds. Send those instead.",
  },
  categoryIds: {
    kind: "list",
    most: 50,
    maxLength: 50,
    including: "categoryId",
    description: "Products in any of these categories, directly or through a subcategory.",
  },
  ...Object.fromEntries(
    ranged.flatMap((metric): [string, Param][] => [
      [range(metric).least, { kind: "number", description: `Products whose ${metric} is at least this.` }],
      [range(metric).most, { kind: "number", description: `Products whose ${metric} is at most this.` }],
    ]),
  ),
  columns: { kind: "list", of: METRICS, description: "The metrics that rows carry; all without it." },
};

const selecting = {
  ...common,
  periods: storePeriods,
  ranges: ranged.map(range),
  select: { parameter: "columns", metrics: METRICS },
  head: {
    sql: "products/listing-head",
    figures: { period: object(window, "The period."), asOf: orNull(instant("When the store last landed a file.")) },
  },
} as const;

const categoryRows: Part = { sql: "products/categories", rows: "many", selected: true, figures: categoryRow };

const integrations: DocumentEndpoint = {
  ...common,
  shape: "document",
  path: "/v1/products/integrations",
  summary: "The organization's stores.",
  params: { organizationId },
  table: "data",
  parts: {
    data: {
      sql: "products/integrations",
      rows: "many",
      figures: {
        sourceIntegrationId: word("The store: what the other endpoints take as integrationId."),
        integrationName: orNull(word("Its name.")),
        connector: choice(["storea", "storeb"], "The platform."),
        currency: orNull(word("Currency of its amounts.")),
        lastSyncAt: orNull(instant("When it last landed a file.")),
        products: count("Products of the catalog."),
        firstSaleDate: orNull(date("Day of the first sale.")),
        lastSaleDate: orNull(date("Day of the last sale.")),
      },
    },
  },
};

const listing: DocumentEndpoint = {
  ...selecting,
  shape: "document",
  path: "/v1/products",
  summary: "The products of a store with the period's metrics, paged, and the totals of their categories.",
  params: {
    ...selection,
    sortBy: {
      kind: "choice",
      of: [
        "productName",
        "grossSales",
        "netSales",
        "netUnits",
        "averageTicket",
        "marginAverage",
        "marginTotal",
        "newCustomers",
        "recurringCustomers",
        "ltv180",
        "repurchaseRate180",
        "ltvToDate",
        "repurchaseRateToDate",
        "entryCustomers",
        "matureEntryCustomers",
        "availableStock",
        "daysOfStock",
        "returnRate",
        "updatedAt",
      ],
      fallback: "netSales",
      description: "What the rows are sorted by; what is not available comes last, ties are by productId.",
    },
    sortOrder: { kind: "choice", of: ["asc", "desc"], fallback: "desc", description: "Direction of the sort." },
    page: { kind: "paging", least: 1, most: 1_000_000_000, fallback: 1, description: "Page, from 1." },
    pageSize: { kind: "paging", least: 1, most: 100, fallback: 25, description: "Products per page." },
    includeCategories: { kind: "flag", fallback: "true", description: "Whether to tell the totals of the categories." },
  },
  once: ["selected_products"],
  table: "data",
  pagination: "pagination",
  parts: {
    data: { sql: "products/listing", rows: "many", selected: true, figures: productRow },
    pagination: {
      sql: "products/listing-pagination",
      rows: "one",
      figures: {
        page: count("Page."),
        pageSize: count("Products per page."),
        total: count("Products selected."),
        totalPages: count("Pages."),
      },
    },
    categories: { ...categoryRows, when: "includeCategories" },
  },
};

const categories: DocumentEndpoint = {
  ...selecting,
  shape: "document",
  path: "/v1/products/categories",
  summary: "The totals of each category over the products of a store that the request selects.",
  params: selection,
  table: "categories",
  parts: { categories: categoryRows },
};

const point: Figures = {
  index: count("From 0; the same in both periods."),
  from: date("First day."),
  to: date("Last day."),
  netSales: orNull(currency("Sales − returns; null when units were sold and none has a sale value.")),
  netUnits: units("Units sold − units returned."),
  orders: count("Orders with the product."),
  cogs: orNull(currency("Cost of the units kept; null unless every unit has a sale value and a cost.")),
  marginTotal: orNull(currency("netSales − cogs.")),
  marginNdReason: orNull(choice(["incomplete_gross_value", "incomplete_cost"], "Why there is no margin.")),
};

const stated: Figures = {
  state: choice(["ready", "no_base", "stale"], "`stale`: the store has landed nothing for 24 hours."),
  reason: orNull(choice(["no_period_sales", "stale_source"], "Why it is not ready.")),
};

const series: DocumentEndpoint = {
  ...common,
  shape: "document",
  path: "/v1/products/:productId/series",
  summary: "A product's sales per day or week, beside those of the period before.",
  params: {
    ...storeParams,
    productId,
    granularity: {
      kind: "choice",
      of: ["day", "week"],
      fallback: "day",
      description: "Length of a point; weeks are seven days from dateFrom.",
    },
  },
  periods: storePeriods,
  table: "data",
  head: {
    sql: "products/series",
    figures: {
      ...stated,
      asOf: orNull(instant("When the store last landed a file.")),
      integrationId: word("Store."),
      productId: word("Product."),
      granularity: choice(["day", "week"], "Length of a point."),
      bucketDays: count("Its days: 1 or 7."),
      period: object(window, "The period."),
      periodApplied: object(
        {
          basis: choice(["requested"], "The period asked for."),
          granularity: choice(["day", "week"], "As asked for."),
        },
        "What was looked at.",
      ),
      data: array(point, "The period's points."),
      previous: object(
        { ...stated, window: object(window, "The period before."), data: array(point, "Its points.") },
        "The period of the same length right before.",
      ),
    },
  },
  parts: {},
};

export const products: readonly DocumentEndpoint[] = [integrations, listing, categories, series];
