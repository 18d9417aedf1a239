import { type Basis, basedOn } from "../contract/basis.ts";
import { type AnswerPart, ROOT, type SqlEndpoint } from "../contract/endpoint.ts";
import { WINDOW } from "../contract/envelope.ts";
import {
  array,
  choice,
  compared,
  count,
  currency,
  day,
  days,
  type Field,
  type Fields,
  instant,
  object,
  orNull,
  ratio,
  text,
  units,
} from "../contract/field.ts";
import type { Param, Params, PeriodRule, RangeRule } from "../contract/param.ts";
import { connectorsOf } from "../contract/record.ts";

const organizationId: Param = { kind: "uuid", required: true, description: "The organization whose data is read." };
const clock: Params = {
  today: { kind: "today", description: "Today (UTC)." },
  now: { kind: "now", description: "Now." },
};

/** Parameters of every request about a store. */
export const storeParams: Params = {
  organizationId,
  integrationId: {
    kind: "uuid",
    required: true,
    description: "The store: a `sourceIntegrationId` of /v1/products/integrations.",
  },
  dateFrom: { kind: "day", description: "First day, inclusive; the default is 29 days before dateTo." },
  dateTo: { kind: "day", description: "Last day, inclusive; the default is today (UTC)." },
  ...clock,
};

/** A period has at most 365 days, including the first and the last. */
export const storePeriods: readonly PeriodRule[] = [
  { start: "dateFrom", end: "dateTo", days: 30, notFuture: true, mostDays: 364, compared: true },
];

export const productId: Param = {
  kind: "text",
  required: true,
  maxLength: 256,
  pattern: "^[A-Za-z0-9._~+@:/-]{1,256}$",
  description: "The product, exactly as the listing has it; percent-encoded in the path.",
};

const common = { unknown: "refused", cacheSeconds: 1800 } as const;

const NO_ENTRY = "entryCustomers is 0";
const NO_MATURE = "matureEntryCustomers is 0; ndReasons says why";
const NO_VALUE = "units were sold, but no unit has a sale value";
const INCOMPLETE = "a unit of the period lacks its sale value or its cost; ndReasons.margin says which";

/** Sales of the product or category in the days of the figure. */
export const SOLD: Basis = { sales: ["sold"] };

/** Fields of the customers who entered the store through a product. */
export const cohortFields: Fields = basedOn(
  {
    "entryCustomers matureEntryCustomers ltv180 repurchaseRate180 ltvToDate repurchaseRateToDate cohortElapsedDaysAverage":
      {
        sales: ["entered"],
      },
  },
  {
    entryCustomers: count(
      "Customers acquired through the product.",
      "customers whose first purchase, in the period, contains it",
    ),
    matureEntryCustomers: count(
      "Mature entry customers.",
      "entry customers with 180 full days since their first purchase",
    ),
    ltv180: orNull(
      currency(
        "Net revenue per mature entry customer in 180 days.",
        "net revenue of their first 180 days / matureEntryCustomers",
      ),
      NO_MATURE,
    ),
    repurchaseRate180: orNull(
      ratio(
        "Share of mature entry customers who came back within 180 days.",
        "those with another order within 180 days / matureEntryCustomers",
      ),
      NO_MATURE,
    ),
    ltvToDate: orNull(
      currency(
        "Net revenue per entry customer to date.",
        "net revenue of all entry customers to date / entryCustomers",
      ),
      NO_ENTRY,
    ),
    repurchaseRateToDate: orNull(
      ratio("Share of entry customers who came back.", "those with another order / entryCustomers"),
      NO_ENTRY,
    ),
    cohortElapsedDaysAverage: orNull(
      days("Average age of the cohort.", "average days since the first purchase, at most 180 per customer"),
      NO_ENTRY,
    ),
  },
);

/** The metrics of a product or a category, in the order of the answer. */
export const metrics: Fields = basedOn(
  {
    "grossSales netSales grossUnits netUnits averageTicket cogs marginTotal recurringCustomers returnRate": SOLD,
    newCustomers: { sales: ["entered"] },
    availableStock: { also: "store" },
    "velocity30d daysOfStock": { sales: ["recent"] },
  },
  {
    grossSales: orNull(
      currency(
        "Invoiced value of the period's units, before returns; no shipping, tax or fees.",
        "Σ sale value of the units sold",
      ),
      NO_VALUE,
    ),
    netSales: orNull(
      currency("Gross sales after returns.", "grossSales − sale value of units returned to date"),
      NO_VALUE,
    ),
    grossUnits: units("Units invoiced.", "Σ units sold"),
    netUnits: units("Units kept.", "grossUnits − units returned to date"),
    averageTicket: orNull(
      currency("Net sales per order.", "netSales / orders with the product"),
      "there is no such order, or netSales is null",
    ),
    cogs: orNull(currency("Cost of the units kept.", "Σ unit cost × units kept"), INCOMPLETE),
    marginTotal: orNull(currency("Net sales less their cost.", "netSales − cogs"), INCOMPLETE),
    marginAverage: orNull(
      ratio("Share of net sales that is margin.", "marginTotal / netSales"),
      "netSales is 0 or marginTotal null; ndReasons.averageMargin says why",
    ),
    newCustomers: count(
      "Customers acquired with the product.",
      "customers whose first purchase in the store, in the period, contains it",
    ),
    recurringCustomers: count(
      "Returning customers who bought it.",
      "customers who bought it in the period after their first purchase",
    ),
    ...cohortFields,
    availableStock: orNull(
      units("Units that can be sold now; may be negative.", "stock − reserved stock, over the SKUs"),
      "inventoryState is not `monitored`",
    ),
    velocity30d: units(
      "Units sold per day in the last 30 days, whatever the period.",
      "units sold in the last 30 complete days / 30",
    ),
    daysOfStock: orNull(
      days("Days until the stock runs out at that rate.", "availableStock / velocity30d"),
      "stock is not monitored, or nothing was sold in the last 30 days; ndReasons says why",
    ),
    returnRate: orNull(
      ratio("Share of units returned; a floor, since late returns may be missing.", "units returned / units sold"),
      "nothing was sold, or the store has never recorded a return; ndReasons says why",
    ),
  },
);

const METRICS = Object.keys(metrics);

const INCOMPLETE_REASONS = ["incomplete_gross_value", "incomplete_cost"];

const whyNot = (metric: string, reasons: readonly string[]): Field =>
  orNull(choice(reasons, `Why ${metric} is null.`), `${metric} is not null`);

/** The basis of the metrics of a product or a category, and why a metric is null. */
const states: Fields = {
  inventoryState: choice(["monitored", "unmonitored", "unlimited", "unknown"], "Whether its stock is counted."),
  inventoryFreshness: choice(["fresh", "stale", "missing"], "`stale`: read more than 24 hours ago."),
  inventoryUpdatedAt: orNull(instant("When the oldest of the stock readings landed."), "there is no reading"),
  cohortState: choice(["mature", "partial", "maturing", "no_base"], "Whether the entry customers are mature."),
  cohortWindowDays: count("Days after which an entry customer is mature.", "always 180"),
  asOf: orNull(instant("When the store last landed a file."), "it never landed a file"),
  coverage: object(
    {
      grossValue: {
        ...ratio("Share of units with a sale value.", "units with a sale value / units; 0 without units"),
        basis: SOLD,
      },
      cost: { ...ratio("Share of units with a cost.", "units with a cost / units; 0 without units"), basis: SOLD },
      inventory: ratio("Share of SKUs whose stock was read.", "SKUs read / SKUs; 0 without SKUs"),
      matureCohort: ratio(
        "Share of entry customers who are mature.",
        "matureEntryCustomers / entryCustomers; 0 without entry customers",
      ),
    },
    "How complete the data is.",
  ),
  ndReasons: object(
    {
      averageTicket: whyNot("averageTicket", ["no_sales_base"]),
      margin: whyNot("marginTotal", INCOMPLETE_REASONS),
      averageMargin: whyNot("marginAverage", ["no_net_sales", ...INCOMPLETE_REASONS]),
      daysOfStock: whyNot("daysOfStock", ["unlimited", "unmonitored", "no_inventory", "no_movement"]),
      ltv180: whyNot("ltv180", ["no_base", "maturing"]),
      repurchaseRate180: whyNot("repurchaseRate180", ["no_base", "maturing"]),
      returnRate: whyNot("returnRate", ["no_sales_base", "no_returns_coverage"]),
    },
    "Why a metric is null.",
  ),
};

export const productRow: Fields = {
  integrationId: text("Store."),
  productId: text("Product."),
  productName: orNull(text("Its name in the catalog, or at its latest sale."), "neither has a name"),
  status: choice(["active", "inactive"], "Whether it is active in the catalog."),
  categoryId: text("Its own category, or `uncategorized`."),
  categoryName: orNull(text("That category's name."), "it is `uncategorized` or has no name"),
  imageUrl: orNull(text("Picture."), "the catalog has no picture"),
  updatedAt: orNull(
    instant("When it last changed according to the vendor, else when it landed."),
    "the catalog does not have the product",
  ),
  ...metrics,
  ...states,
};

const categoryRow: Fields = {
  integrationId: text("Store."),
  categoryId: text("Category, or `uncategorized`."),
  categoryName: orNull(text("Its name."), "it is `uncategorized` or has no name"),
  parentCategoryId: orNull(text("The category that it is in."), "it is a department"),
  depth: count("Level in the tree; a department includes everything below it.", "0 for a department"),
  ...metrics,
  ...states,
};

/** The two parameters that bound a metric. */
const range = (metric: string): RangeRule => {
  const name = `${metric[0]?.toUpperCase()}${metric.slice(1)}`;
  return { least: `min${name}`, most: `max${name}` };
};
const ranged = ["netSales", "marginTotal", "marginAverage", "availableStock"];

const selection: Params = {
  ...storeParams,
  search: { kind: "text", maxLength: 120, description: "Products whose name contains this, ignoring case." },
  status: {
    kind: "choice",
    of: ["all", "active", "inactive"],
    fallback: "all",
    description: "Products that are active or inactive in the catalog.",
  },
  categoryId: {
    kind: "text",
    maxLength: 50,
    deprecated: "2025-01-01",
    description: "One more of categoryIds. Send categoryIds instead.",
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
  columns: { kind: "list", of: METRICS, description: "The metrics that rows carry; the default is all." },
};

/** Without the store there is no answer. */
const head: AnswerPart = {
  rows: "one",
  required: true,
  sql: "products/listing-head",
  fields: {
    period: object(WINDOW, "The period."),
    asOf: orNull(instant("When the store last landed a file."), "it never landed a file"),
  },
};

const selecting = {
  ...common,
  periods: storePeriods,
  ranges: ranged.map(range),
  select: { parameter: "columns", metrics: METRICS },
} as const;

const categoryRows: AnswerPart = { sql: "products/categories", rows: "many", selected: true, fields: categoryRow };

const integrations: SqlEndpoint = {
  ...common,
  path: "/v1/products/integrations",
  summary: "The organization's stores.",
  params: { organizationId },
  table: "data",
  parts: {
    data: {
      sql: "products/integrations",
      rows: "many",
      fields: {
        sourceIntegrationId: text("The store: `integrationId` of the other endpoints."),
        integrationName: orNull(text("Its name."), "the settings give it no name"),
        connector: choice(connectorsOf("store"), "The platform."),
        currency: orNull(text("Currency of its amounts."), "neither its orders nor the settings name one"),
        lastSyncAt: orNull(instant("When it last landed a file."), "it never landed a file"),
        products: count("Products of the catalog.", "number of products"),
        firstSaleDate: orNull(day("Day of the first sale."), "there is no sale"),
        lastSaleDate: orNull(day("Day of the last sale."), "there is no sale"),
      },
    },
  },
};

const listing: SqlEndpoint = {
  ...selecting,
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
      description: "Sort key of the rows; null comes last, ties are broken by productId.",
    },
    sortOrder: { kind: "choice", of: ["asc", "desc"], fallback: "desc", description: "Direction of the sort." },
    page: { kind: "paging", least: 1, most: 1_000_000_000, fallback: 1, description: "Page, from 1." },
    pageSize: { kind: "paging", least: 1, most: 100, fallback: 25, description: "Products per page." },
    includeCategories: {
      kind: "flag",
      fallback: "true",
      description: "Whether the answer includes the totals of the categories.",
    },
  },
  materialize: ["requested_store", "selected_products"],
  keepsPlan: { over: "products" },
  table: "data",
  pagination: "pagination",
  parts: {
    [ROOT]: head,
    data: { sql: "products/listing", rows: "many", selected: true, fields: productRow },
    pagination: {
      sql: "products/listing-pagination",
      rows: "one",
      description: "Position of the page.",
      fields: {
        page: count("Page.", "as requested, adjusted to its bounds"),
        pageSize: count("Products per page.", "as requested, adjusted to its bounds"),
        total: count("Products selected.", "number of products"),
        totalPages: count("Pages.", "total / pageSize, rounded up"),
      },
    },
    categories: { ...categoryRows, when: "includeCategories" },
  },
};

const categories: SqlEndpoint = {
  ...selecting,
  path: "/v1/products/categories",
  summary: "The totals of each category over the products of a store that the request selects.",
  params: selection,
  table: "categories",
  parts: {
    [ROOT]: head,
    categories: categoryRows,
  },
};

const LACKING = "a unit of the point lacks its sale value or its cost; marginNdReason says which";

const point: Fields = basedOn(
  { "netSales netUnits orders cogs marginTotal": SOLD },
  {
    index: count("Position of the point; the same in both periods.", "from 0"),
    from: day("First day."),
    to: day("Last day."),
    netSales: orNull(currency("Sales after returns.", "Σ sale value of the units sold − of those returned"), NO_VALUE),
    netUnits: units("Units kept.", "units sold − units returned"),
    orders: count("Orders with the product.", "number of orders"),
    cogs: orNull(currency("Cost of the units kept.", "Σ unit cost × units kept"), LACKING),
    marginTotal: orNull(currency("Net sales less their cost.", "netSales − cogs"), LACKING),
    marginNdReason: whyNot("margin", INCOMPLETE_REASONS),
  },
);

const stated: Fields = {
  state: choice(["ready", "no_base", "stale"], "`stale`: the store has landed nothing for 24 hours."),
  reason: orNull(choice(["no_period_sales", "stale_source"], "Why it is not ready."), "it is ready"),
};

const series: SqlEndpoint = {
  ...common,
  path: "/v1/products/:productId/series",
  summary: "A product's sales per day or week, with those of the preceding period.",
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
  keepsPlan: { over: "products" },
  parts: {
    [ROOT]: {
      rows: "one",
      required: true,
      sql: "products/series",
      fields: {
        ...stated,
        asOf: orNull(instant("When the store last landed a file."), "it never landed a file"),
        integrationId: text("Store."),
        productId: text("Product."),
        granularity: choice(["day", "week"], "Length of a point."),
        bucketDays: count("Days per point.", "1 or 7, by granularity"),
        period: object(WINDOW, "The period."),
        periodApplied: object(
          {
            basis: choice(["requested"], "The requested period."),
            granularity: choice(["day", "week"], "As requested."),
          },
          "The days that the answer covers.",
        ),
        data: array(point, "The period's points."),
        previous: compared(
          "figures",
          object(
            {
              ...stated,
              window: compared("days", object(WINDOW, "The preceding period.")),
              data: array(point, "Its points."),
            },
            "The preceding period of the same length.",
          ),
        ),
      },
    },
  },
};

export const products: readonly SqlEndpoint[] = [integrations, listing, categories, series];
