import type { Answer, Page, PullDeclaration, RecordPull, Session, Verdict, Window } from "../declaration.ts";
import { PullError } from "../declaration.ts";
import { Distinct, MOST_ROWS } from "../distinct.ts";
import { inHalves } from "../halves.ts";
import { vendorText } from "../verdict.ts";

/** https://developers.google.com/google-ads/api/docs/release-notes */
const VERSION = "v24";
const WINDOW_DAYS = 28;
/** The first pull asks for more at once, but for reports with a row per keyword or place. */
const FIRST_WINDOW_DAYS = 84;

type Row = Readonly<Record<string, unknown>>;

interface Batch {
  readonly results?: readonly Row[];
  readonly fieldMask?: string;
}

interface GoogleError {
  readonly errorCode?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly details?: { readonly quotaErrorDetails?: { readonly retryDelay?: string } };
}

interface Failure {
  readonly error?: {
    readonly code?: number;
    readonly details?: readonly { readonly errors?: readonly GoogleError[]; readonly retryDelay?: string }[];
  };
}

/** The details have the vendor's own reason and its wait; the status is that of HTTP. */
function judge({ status: ofHttp, body }: Answer): Verdict | undefined {
  // A stream that fails on its way has begun with status 200: the error is its last batch.
  const failure = (Array.isArray(body) ? body : [body]).find((one) => (one as Failure | undefined)?.error) as
    | Failure
    | undefined;
  if (ofHttp < 400 && !failure) return undefined;
  const status = ofHttp < 400 ? (failure?.error?.code ?? 500) : ofHttp;
  const details = failure?.error?.details ?? [];
  const errors = details.flatMap((one) => one.errors ?? []);
  const codes = errors.flatMap(({ errorCode = {} }) => Object.entries(errorCode));
  const reasons = errors.map(({ message = "" }, n) => `${codes[n]?.[1] ?? ""} ${message}`.trim());
  const message =
    reasons.length > 0 ? `answered ${status}: ${reasons.join("; ")}` : vendorText(status, failure ?? body);
  const kinds = codes.map(([kind]) => kind);
  if (kinds.includes("authenticationError") || status === 401) return { is: "credentials", message };
  if (kinds.includes("quotaError") || status === 429) {
    const delay =
      errors[0]?.details?.quotaErrorDetails?.retryDelay ?? details.find((one) => one.retryDelay)?.retryDelay;
    const seconds = Number(/^([\d.]+)s$/.exec(delay ?? "")?.[1] ?? 0);
    return { is: "throttled", message, ...(seconds > 0 ? { waitMs: seconds * 1000 } : {}) };
  }
  if (status >= 500 || kinds.includes("internalError")) return { is: "transient", message };
  return { is: "refused", message };
}

interface Found {
  readonly rows: Distinct<Row>;
  readonly fieldMask: string;
}

/** A query's answer in one request, in batches: it counts as one operation, whatever its size. */
async function search(session: Session, query: string, most?: number): Promise<Found> {
  const where = `${VERSION}/customers/${session.account.customerId}/googleAds:searchStream`;
  const { body } = await session.post<readonly Batch[]>(where, { query });
  if (!Array.isArray(body)) throw new PullError("transient", "an answer that is no list of batches");
  const rows = new Distinct<Row>(keyOf, most);
  for (const { results = [] } of body) rows.add(results);
  return { rows, fieldMask: body.find((batch) => batch.fieldMask)?.fieldMask ?? "" };
}

/** The subject of a row: all but its figures. */
const keyOf = ({ metrics: _, ...others }: Row): string => JSON.stringify(others);

const DELIVERY =
  "metrics.impressions, metrics.clicks, metrics.cost_micros, metrics.conversions, metrics.conversions_value, metrics.all_conversions";

/** All rows of a day are in one file: landing adds up those of one key within a file. */
function daily(firstWindowDays: number, select: string, from: string): RecordPull {
  return {
    mode: "days",
    windowDays: WINDOW_DAYS,
    firstWindowDays,
    dayOf: (row) => (row as { segments?: { date?: string } }).segments?.date,
    pages: (session: Session, window: Window): AsyncIterable<Page> =>
      inHalves(window.from, window.to, async (first, last) => {
        const where = `segments.date BETWEEN '${first}' AND '${last}'`;
        const { rows, fieldMask } = await search(
          session,
          `SELECT ${select} FROM ${from} WHERE ${where}`,
          first < last ? MOST_ROWS : undefined,
        );
        return { objects: rows.all(), envelope: "results", around: { fieldMask } };
      }),
  };
}

async function* criteria(session: Session): AsyncGenerator<Page> {
  const { rows, fieldMask } = await search(
    session,
    "SELECT ad_group.resource_name, ad_group.id, ad_group.name, ad_group_criterion.resource_name, ad_group_criterion.status, ad_group_criterion.type, ad_group_criterion.criterion_id FROM ad_group_criterion",
  );
  yield { objects: rows.all(), envelope: "results", around: { fieldMask } };
}

interface Customer {
  readonly customer?: { readonly descriptiveName?: string; readonly currencyCode?: string; readonly timeZone?: string };
}

const customerId = { pattern: /^\d{10}$/, expected: "a customer id of 10 digits, without dashes," };

export const googleAds: PullDeclaration = {
  connector: "searchads",
  account: {
    customerId: { required: true, ...customerId },
    loginCustomerId: { required: false, isManner: true, ...customerId },
  },
  secrets: [{ keys: ["clientId", "clientSecret", "refreshToken", "developerToken"], token: { by: "refresh" } }],
  baseUrl: () => "https://googleads.googleapis.com",
  tokenUrl: "https://oauth2.googleapis.com/token",
  concurrent: 1,
  // A developer token with the least access has 2,880 operations a day.
  budget: 2000,
  headers: ({ developerToken = "" }, { loginCustomerId }, token = "") => ({
    authorization: `Bearer ${token}`,
    "developer-token": developerToken,
    ...(loginCustomerId ? { "login-customer-id": loginCustomerId } : {}),
  }),
  judge,
  check: async (session) => {
    const query = "SELECT customer.descriptive_name, customer.currency_code, customer.time_zone FROM customer LIMIT 1";
    const [first] = (await search(session, query)).rows.all();
    const { customer } = (first ?? {}) as Customer;
    if (!customer) throw new PullError("refused", "the account shows no customer");
    return `${customer.descriptiveName}, ${customer.currencyCode}, ${customer.timeZone}`;
  },
  records: {
    campaigns: daily(
      FIRST_WINDOW_DAYS,
      `segments.date, campaign.id, campaign.name, campaign.status, campaign.advertising_channel_type, campaign.bidding_strategy_type, ${DELIVERY}, metrics.all_conversions_value`,
      "campaign",
    ),
    keywords: daily(
      WINDOW_DAYS,
      `segments.date, segments.keyword.info.text, segments.keyword.info.match_type, segments.keyword.ad_group_criterion, ad_group.id, ad_group.name, ad_group.status, ad_group.type, ad_group.campaign, ad_group_ad.ad.id, campaign.id, campaign.name, campaign.bidding_strategy_type, campaign.campaign_group, ${DELIVERY}`,
      "ad_group_ad",
    ),
    geographic: daily(
      WINDOW_DAYS,
      `segments.date, segments.geo_target_state, segments.geo_target_city, geographic_view.resource_name, geographic_view.location_type, campaign.id, campaign.name, campaign.status, campaign.bidding_strategy_type, ad_group.id, ad_group.name, ${DELIVERY}, metrics.all_conversions_value`,
      "geographic_view",
    ),
    "conversion-segmented-campaigns": daily(
      FIRST_WINDOW_DAYS,
      "segments.date, segments.conversion_action_category, campaign.resource_name, campaign.id, campaign.name, metrics.conversions, metrics.conversions_value",
      "campaign",
    ),
    "ad-group-criterion": { mode: "whole", pages: criteria },
  },
};
