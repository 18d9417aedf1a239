import type { RecordDeclaration } from "../../core/contract/record.ts";
import { type Spelling, textsIn, vendorMapping } from "../../core/landing/map/mapping.ts";
import { canonical } from "../../core/landing/map/shape.ts";
import { type FileSample, REPORT_BY, RowError, type SourceRow } from "../../core/landing/read/part.ts";
import { idText, isFilled } from "../../core/landing/read/values.ts";
import { toolOfColumn } from "./unwrap.ts";

/** Metrics that no record has. Other unknown columns with numbers count as metrics, too, unless they are listed below. */
const METRICS =
  `active1DayUsers active28DayUsers active7DayUsers adUnitExposure addToCarts advertiserAdClicks advertiserAdCost
  advertiserAdCostPerClick advertiserAdCostPerKeyEvent advertiserAdImpressions averagePurchaseRevenue
  averagePurchaseRevenuePerPayingUser averagePurchaseRevenuePerUser averageRevenuePerUser averageSessionDuration
  cartToViewRate checkouts cohortActiveUsers cohortTotalUsers crashAffectedUsers crashFreeUsersRate dauPerMau dauPerWau
  engagementRate firstTimePurchaserRate firstTimePurchasers firstTimePurchasersPerNewUser grossItemRevenue
  grossPurchaseRevenue itemDiscountAmount itemListClickEvents itemListClickThroughRate itemListViewEvents
  itemPromotionClickThroughRate itemRefundAmount itemViewEvents itemsClickedInList itemsClickedInPromotion
  itemsViewedInList itemsViewedInPromotion newUsers organicGoogleSearchAveragePosition
  organicGoogleSearchClickThroughRate organicGoogleSearchClicks organicGoogleSearchImpressions promotionClicks
  promotionViews publisherAdClicks publisherAdImpressions purchaseToViewRate purchaserRate refundAmount returnOnAdSpend
  screenPageViews screenPageViewsPerSession screenPageViewsPerUser scrolledUsers sessionKeyEventRate shippingAmount
  taxAmount totalAdRevenue totalPurchasers transactionsPerPurchaser userEngagementDuration userKeyEventRate wauPerMau
  conversions keyEvents sessionConversionRate userConversionRate ecommercePurchases transactions itemPurchaseQuantity
  activeUsers engagedSessions bounceRate sessionsPerUser totalUsers sessions purchaseRevenue totalRevenue eventCount
  eventCountPerUser eventValue eventsPerSession itemsViewed itemsAddedToCart itemsCheckedOut itemsPurchased
  itemRevenue`
    .trim()
    .split(/\s+/);

/** Dimensions whose values may be numbers; those that end in `Id` are dimensions, too. */
const NUMERIC = `day dayOfWeek hour dateHour dateHourMinute isoWeek isoYear isoYearIsoWeek minute month nthDay nthHour
  nthMinute nthMonth nthWeek nthYear week year yearMonth yearWeek percentScrolled userAgeBracket appVersion
  operatingSystemVersion screenResolution testDataFilterName`
  .trim()
  .split(/\s+/);

/** Dimensions of the record and others with a name that only reports have. */
const DIMENSIONS = `date eventName itemId itemName deviceCategory operatingSystem browser city country region
  sessionSource sessionMedium sessionDefaultChannelGroup firstUserSource firstUserMedium pagePath landingPage hostName
  newVsReturning language platform`
  .trim()
  .split(/\s+/);

/** Columns that say from where or for when the report is. */
const ABOUT = new Set(["propertyid", "property", "reportstartdate", "reportenddate"]);
/** Columns of reports without days. */
const RANGES = new Set([
  "startdate",
  "enddate",
  "daterange",
  "cohort",
  "cohortnthday",
  "cohortnthweek",
  "cohortnthmonth",
]);
/** Suffixes that dlt adds to the names of metrics. */
const SUFFIX = /_(?:integer|float|currency|seconds|milliseconds|minutes|hours|standard|feet|miles|meters|kilometers)$/i;

const API = new Map([...METRICS, ...NUMERIC, ...DIMENSIONS].map((name) => [canonical(name), name]));
const IS_METRIC = new Set(METRICS);

type Kind = "dimension" | "metric" | "about";

interface Column {
  readonly kind: Kind;
  readonly name: string;
}

const SPELLINGS = {
  dimension: { name: "dimension", pattern: /\bdimension\s*\[\s*'(\w+)'\s*\]/g, form: "dimension['date']" },
  metric: { name: "metric", pattern: /\bmetric\s*\[\s*'(\w+)'\s*\]/g, form: "metric['sessions']" },
} satisfies Record<string, Spelling>;

/** The dimensions and metrics that the record's mapping reads. */
const read = (record: RecordDeclaration, kind: keyof typeof SPELLINGS): string[] =>
  textsIn(record, vendorMapping(record), SPELLINGS[kind]);

/** Whether rows are those of a report, with the vendor's names of metrics, and not of a plain table. */
export function isReport(record: RecordDeclaration, { columns, rows }: FileSample): boolean {
  if (rows.some((row) => "dimensionValues" in row || "rows" in row || "reports" in row)) return false;
  const names = new Set([...API.values(), ...read(record, "metric"), ...read(record, "dimension")]);
  return columns.some((column) => /[a-z][A-Z]/.test(column) && names.has(column));
}

/** Whether a table has a day and other columns of reports, in any spelling. */
export const isReportTable = (columns: ReadonlySet<string>): boolean =>
  columns.has("date") && [...columns].some((name) => name !== "date" && API.has(name));

/** Rows of a report, whose values carry their names: these become those of the vendor's API. */
export class ReportRows {
  readonly #columns = new Map<string, Column>();
  readonly #known: ReadonlyMap<string, Column>;
  readonly #sampled: readonly SourceRow[];
  /** The dimensions of each stream. */
  readonly #dimensions = new Map<string, Set<string>>();

  constructor(record: RecordDeclaration, sampled: readonly SourceRow[]) {
    const own: [string, Column][] = [
      ...read(record, "metric").map((name): [string, Column] => [canonical(name), { kind: "metric", name }]),
      ...read(record, "dimension").map((name): [string, Column] => [canonical(name), { kind: "dimension", name }]),
    ];
    this.#known = new Map(own);
    this.#sampled = sampled;
  }

  /** Dimensions of the reports in the file. */
  get reports(): readonly string[] {
    return [...this.#dimensions.values()].map((names) => `${REPORT_BY}${[...names].sort().join(", ")}`);
  }

  object(row: SourceRow, stream: string): Readonly<Record<string, unknown>> {
    const names = this.#dimensions.get(stream) ?? new Set();
    this.#dimensions.set(stream, names);
    const dimensions: Record<string, string> = {};
    const metrics: Record<string, string> = {};
    for (const column in row) {
      const { kind, name } = this.#column(column);
      const value = row[column];
      if (kind === "dimension" && name !== "date") names.add(name);
      if (kind === "about" || value === null || value === undefined) continue;
      if (RANGES.has(canonical(column)) && isFilled(value)) {
        throw new RowError(`${column}: a report over ranges of days; a report by \`date\` is expected`);
      }
      if (kind === "metric") metrics[name] = String(value);
      // A table of numbers with gaps writes ids and days as fractions: 20250108.0.
      else dimensions[name] = name === "date" || name.endsWith("Id") ? idText(value) : String(value);
    }
    return { dimensions, metrics };
  }

  #column(column: string): Column {
    const known = this.#columns.get(column);
    if (known) return known;
    const found = this.#find(column);
    this.#columns.set(column, found);
    return found;
  }

  #find(column: string): Column {
    const name = canonical(column);
    if (toolOfColumn(column) || ABOUT.has(name)) return { kind: "about", name: column };
    const suffixed = SUFFIX.test(column) ? canonical(column.replace(SUFFIX, "")) : undefined;
    for (const one of [name, suffixed]) {
      const known = one === undefined ? undefined : this.#known.get(one);
      if (known) return known;
      const api = one === undefined ? undefined : API.get(one);
      if (api) return { kind: IS_METRIC.has(api) ? "metric" : "dimension", name: api };
    }
    if (suffixed !== undefined) return { kind: "metric", name: column };
    const isNumber = this.#sampled.some((row) => isFigure(row[column]));
    return { kind: isNumber && !/id$/i.test(column) ? "metric" : "dimension", name: column };
  }
}

const isFigure = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value.trim()));
