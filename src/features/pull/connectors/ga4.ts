import type { Answer, Page, PullDeclaration, RecordPull, Session, Verdict, Window } from "../declaration.ts";
import { PullError } from "../declaration.ts";
import { Distinct, MOST_ROWS } from "../distinct.ts";
import { inHalves } from "../halves.ts";
import { vendorText } from "../verdict.ts";

/** https://developers.google.com/analytics/devguides/reporting/data/v1 */
const VERSION = "v1beta";
const WINDOW_DAYS = 28;
const FIRST_WINDOW_DAYS = 84;
/** Rows of a page; the vendor's most is 250,000. */
const PAGE = 100_000;
const SCOPE = "https://www.googleapis.com/auth/analytics.readonly";

interface Row {
  readonly dimensionValues?: readonly { readonly value?: string }[];
}

interface Report {
  readonly dimensionHeaders?: readonly { readonly name?: string }[];
  readonly metricHeaders?: readonly unknown[];
  readonly rows?: readonly Row[];
  readonly rowCount?: number;
  readonly metadata?: {
    readonly currencyCode?: string;
    readonly timeZone?: string;
    readonly subjectToThresholding?: boolean;
    readonly dataLossFromOtherRow?: boolean;
    readonly samplingMetadatas?: readonly unknown[];
  };
}

const judge = ({ status, body }: Answer): Verdict | undefined =>
  status === 429 ? { is: "throttled", message: vendorText(status, body) } : undefined;

interface ReportRequest {
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
}

const named = (names: readonly string[]): { name: string }[] => names.map((name) => ({ name }));

/** All rows of some days. The number of rows that an answer states is a hint only: the rows themselves end it. */
async function report(
  session: Session,
  { dimensions, metrics }: ReportRequest,
  from: string,
  to: string,
): Promise<Page> {
  const isDay = from === to;
  const rows = new Distinct<Row>(
    ({ dimensionValues = [] }) => JSON.stringify(dimensionValues.map(({ value }) => value)),
    isDay ? undefined : MOST_ROWS,
  );
  let headers: Report = {};
  for (;;) {
    const before = rows.size;
    const { body } = await session.post<Report>(`${VERSION}/properties/${session.account.propertyId}:runReport`, {
      dimensions: named(dimensions),
      metrics: named(metrics),
      dateRanges: [{ startDate: from, endDate: to }],
      // Without an order the vendor may show rows twice and leave out others between two pages.
      orderBys: dimensions.map((dimensionName) => ({ dimension: { dimensionName } })),
      // Otherwise rows of zeros would be left out.
      keepEmptyRows: true,
      limit: PAGE,
      offset: before,
    });
    const { rows: page = [], ...others } = body;
    // Fewer days may have few enough events for a figure that is no estimate.
    if (!isDay && body.metadata?.samplingMetadatas?.length) throw new PullError("tooMuch", "figures from a sample");
    // A window that is known to be too large is not requested to its end.
    if (!isDay && before === 0 && (body.rowCount ?? 0) > 2 * MOST_ROWS) throw new PullError("tooMuch", "too many rows");
    if (page.length > 0 || before === 0) headers = others;
    rows.add(page);
    remark(session, body);
    const isLast = page.length < PAGE && rows.size >= (body.rowCount ?? 0);
    if (page.length === 0 || rows.size === before || isLast) break;
  }
  const { dimensionHeaders, metricHeaders, metadata } = headers;
  return { objects: rows.all(), envelope: "rows", around: { dimensionHeaders, metricHeaders, metadata } };
}

/** Notes of the vendor about incomplete figures. */
function remark(session: Session, { metadata = {} }: Report): void {
  if (metadata.subjectToThresholding) session.note("the vendor withholds rows of few people (thresholding)");
  if (metadata.dataLossFromOtherRow) session.note("the vendor puts many small rows into one, (other)");
  if (metadata.samplingMetadatas?.length) session.note("the vendor's figures are from a sample");
}

/** The first dimension of each report is the date, as 20240229. */
const dayOf = (row: unknown): string | undefined =>
  (row as Row).dimensionValues?.[0]?.value?.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");

/** Fewer days at once where the vendor would estimate, or there are too many rows to hold. */
const reports = (session: Session, asked: ReportRequest, from: string, to: string): AsyncGenerator<Page> =>
  inHalves(from, to, (first, last) => report(session, asked, first, last));

const daily = (asked: ReportRequest): RecordPull => ({
  mode: "days",
  windowDays: WINDOW_DAYS,
  firstWindowDays: FIRST_WINDOW_DAYS,
  dayOf,
  pages: (session: Session, { from, to }: Window) => reports(session, asked, from, to),
});

const ITEM_METRICS = ["itemsViewed", "itemsAddedToCart", "itemsCheckedOut", "itemsPurchased"];

/** A property may not have all of it: the report with most comes first. */
const ITEM_REPORTS: readonly ReportRequest[] = [
  { dimensions: ["date", "itemId", "itemName"], metrics: [...ITEM_METRICS, "itemRevenue"] },
  { dimensions: ["date", "itemId"], metrics: [...ITEM_METRICS, "itemRevenue"] },
  { dimensions: ["date", "itemId"], metrics: ITEM_METRICS },
];

/** The report that the property has, by session. */
const itemReports = new WeakMap<Session, number>();

async function* items(session: Session, { from, to }: Window): AsyncGenerator<Page> {
  for (let n = itemReports.get(session) ?? 0; ; n++) {
    itemReports.set(session, n);
    const asked = ITEM_REPORTS[n];
    if (!asked) return;
    try {
      yield* reports(session, asked, from, to);
      return;
    } catch (error) {
      const isUnknown =
        error instanceof PullError && error.kind === "refused" && /not a valid|incompatible/.test(error.message);
      if (!isUnknown) throw error;
      if (n === ITEM_REPORTS.length - 1) session.note(`the property has no report of items: ${error.message}`);
    }
  }
}

const KEY_FILE = ["type", "project_id", "private_key_id", "client_id", "auth_uri", "token_uri"];
const KEY_FILE_URLS = ["auth_provider_x509_cert_url", "client_x509_cert_url", "universe_domain"];

export const ga4: PullDeclaration = {
  connector: "webanalytics",
  account: {
    propertyId: { required: true, pattern: /^\d{1,20}$/, expected: "the number of the property, such as 123456789," },
  },
  secrets: [
    { keys: ["clientId", "clientSecret", "refreshToken"], token: { by: "refresh" } },
    {
      keys: ["client_email", "private_key"],
      others: [...KEY_FILE, ...KEY_FILE_URLS],
      token: { by: "jwt", scope: SCOPE },
    },
  ],
  baseUrl: () => "https://analyticsdata.googleapis.com",
  tokenUrl: "https://oauth2.googleapis.com/token",
  concurrent: 2,
  // Each takes tokens of the property's day.
  budget: 5000,
  headers: (_secrets, _account, token = "") => ({ authorization: `Bearer ${token}` }),
  judge,
  check: async (session) => {
    const { today } = session;
    const { around } = await report(session, { dimensions: ["date"], metrics: ["sessions"] }, today, today);
    const { currencyCode, timeZone } = (around?.metadata ?? {}) as NonNullable<Report["metadata"]>;
    return `property ${session.account.propertyId}, ${currencyCode}, ${timeZone}`;
  },
  records: {
    customers: daily({
      dimensions: [
        "date",
        "sessionCampaignId",
        "sessionCampaignName",
        "sessionGoogleAdsCampaignId",
        "sessionSourceMedium",
        "country",
        "region",
        "city",
        "deviceCategory",
      ],
      metrics: [
        "activeUsers",
        "engagedSessions",
        "bounceRate",
        "sessionsPerUser",
        "totalUsers",
        "sessions",
        "purchaserRate",
        "purchaseRevenue",
        "ecommercePurchases",
        "totalRevenue",
      ],
    }),
    events: daily({
      dimensions: ["date", "eventName"],
      metrics: ["eventCount", "eventCountPerUser", "eventValue", "eventsPerSession", "keyEvents"],
    }),
    items: { mode: "days", windowDays: WINDOW_DAYS, firstWindowDays: FIRST_WINDOW_DAYS, dayOf, pages: items },
  },
};
