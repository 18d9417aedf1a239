import { addMonths } from "../../../core/time/days.ts";
import type { Answer, Page, PullDeclaration, RecordPull, Secrets, Session, Verdict, Window } from "../declaration.ts";
import { PullError } from "../declaration.ts";
import { Distinct, MOST_ROWS } from "../distinct.ts";
import { inHalves } from "../halves.ts";
import { ListProgress } from "../progress.ts";
import { vendorText } from "../verdict.ts";

/** https://developers.facebook.com/docs/marketing-api */
const VERSION = "v24.0";
/** Insights are kept for so many months; an earlier day is error 3018. */
const MONTHS_KEPT = 37;
const WINDOW_DAYS = 28;
const FIRST_WINDOW_DAYS = 84;
const PAGE = 500;

type Row = Readonly<Record<string, unknown>>;

interface Edge {
  readonly data?: readonly Row[];
  readonly paging?: { readonly cursors?: { readonly after?: string }; readonly next?: string };
}

interface GraphError {
  readonly message?: string;
  readonly code?: number;
  readonly error_subcode?: number;
  readonly is_transient?: boolean;
}

const TOKEN_CODES = [102, 190, 463, 467];
const THROTTLE_CODES = [4, 17, 32, 613];
const TRANSIENT_CODES = [1, 2];
/** Too much at once, by code and subcode: reduce the data, too many rows, the report took too long. */
const TOO_MUCH = ["1/99", "100/1487534", "2/1504018"];

/** Errors come with any status: their codes count. */
function judge(answer: Answer): Verdict | undefined {
  const { error } = (answer.body ?? {}) as { error?: GraphError };
  if (!error) return answer.status === 200 ? fine(answer) : undefined;
  const { code, error_subcode: subcode = 0, message: text = "" } = error;
  if (code === undefined) return undefined;
  const message = `${vendorText(answer.status, answer.body)} (code ${code}${subcode ? `/${subcode}` : ""})`;
  if (TOKEN_CODES.includes(code) || (code === 2500 && /access token/i.test(text)))
    return { is: "credentials", message };
  if (THROTTLE_CODES.includes(code) || (code >= 80_000 && code < 80_100)) {
    const waitMs = regainMs(answer);
    return { is: "throttled", message, ...(waitMs ? { waitMs } : {}) };
  }
  if (TOO_MUCH.includes(`${code}/${subcode}`) || /reduc(e|ing) the (amount of data|date range)/i.test(text))
    return { is: "tooMuch", message };
  if (TRANSIENT_CODES.includes(code) || error.is_transient || answer.status >= 500) return { is: "transient", message };
  return { is: "refused", message };
}

/** The vendor names a wait in a fine answer too, as soon as the account has used up its calls. */
function fine(answer: Answer): Verdict {
  const pauseMs = regainMs(answer);
  return pauseMs ? { is: "fine", pauseMs } : { is: "fine" };
}

/** `estimated_time_to_regain_access` is in minutes, `reset_time_duration` in seconds. */
function regainMs({ headers }: Answer): number | undefined {
  const cases = Object.values(parsed(headers.get("x-business-use-case-usage")) ?? {}).flat() as Row[];
  const minutes = Math.max(0, ...cases.map((one) => Number(one.estimated_time_to_regain_access ?? 0) || 0));
  const account = parsed(headers.get("x-ad-account-usage"));
  const isUsedUp = Number(account?.acc_id_util_pct ?? 0) >= 100;
  const seconds = isUsedUp ? Number(account?.reset_time_duration ?? 0) || 0 : 0;
  return Math.max(minutes * 60_000, seconds * 1000) || undefined;
}

function parsed(text: string | null): Row | undefined {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const accountPath = ({ account }: Session): string =>
  `${VERSION}/act_${(account.adAccountId ?? "").replace(/^act_/, "")}`;

type Query = Readonly<Record<string, string>>;

/** All rows of an edge, by cursors. */
async function rowsOf(session: Session, where: string, query: Query, rows: Distinct<Row>, limit = PAGE): Promise<void> {
  const progress = new ListProgress(where.split("/").at(-1) ?? where);
  for (let after: string | undefined; ; ) {
    const { body } = await session.get<Edge>(where, { query: { ...query, limit, after } });
    if (!Array.isArray(body.data)) throw new PullError("transient", "an answer without data");
    rows.add(body.data);
    after = nextCursor(body);
    if (after === undefined) return;
    progress.next(after, body.data.length);
  }
}

/** The address of the next page has the cursor too. It has the token as well: it is not asked itself. */
function nextCursor({ paging }: Edge): string | undefined {
  if (paging?.next === undefined) return undefined;
  const after = paging.cursors?.after ?? new URL(paging.next).searchParams.get("after");
  if (!after) throw new PullError("transient", "a next page without a cursor");
  return after;
}

interface Run {
  readonly report_run_id?: string;
  readonly async_status?: string;
}

const FIRST_POLL_MS = 1_000;
const LONGEST_POLL_MS = 30_000;
const LONGEST_RUN_MS = 3_600_000;
const MOST_RUNS = 3;

/** A report that the vendor makes meanwhile; one that fails is begun again. */
async function reportRun(session: Session, where: string, query: Query, rows: Distinct<Row>): Promise<void> {
  for (let run = 1; ; run++) {
    const { body } = await session.post<Run>(where, query);
    const id = body.report_run_id;
    if (!id) throw new PullError("refused", "a report run without a number");
    const status = await statusAtEnd(session, id);
    if (status === "Job Completed") return rowsOf(session, `${VERSION}/${id}/insights`, {}, rows);
    if (run === MOST_RUNS) throw new PullError("transient", `report runs end with "${status}"`);
  }
}

async function statusAtEnd(session: Session, id: string): Promise<string> {
  let waited = 0;
  for (let ms = FIRST_POLL_MS; waited < LONGEST_RUN_MS; ms = Math.min(ms * 1.5, LONGEST_POLL_MS)) {
    await session.wait(ms);
    waited += ms;
    const { async_status: status = "" } = (await session.get<Run>(`${VERSION}/${id}`)).body;
    if (/^Job (Completed|Failed|Skipped)$/.test(status)) return status;
  }
  return "no end within an hour";
}

function insights(
  level: string,
  fields: readonly string[],
  breakdowns: readonly string[],
  key: readonly string[],
): RecordPull {
  const query: Query = {
    level,
    fields: fields.join(","),
    ...(breakdowns.length > 0 ? { breakdowns: breakdowns.join(",") } : {}),
  };
  return {
    mode: "days",
    windowDays: WINDOW_DAYS,
    firstWindowDays: FIRST_WINDOW_DAYS,
    dayOf: (row) => (row as { date_start?: string }).date_start,
    earliest: (today) => addMonths(today, -MONTHS_KEPT),
    pages: (session: Session, { from, to }: Window): AsyncIterable<Page> => {
      const where = `${accountPath(session)}/insights`;
      const rowsFor = async (
        first: string,
        last: string,
        read: (asked: Query, rows: Distinct<Row>) => Promise<void>,
      ): Promise<Page> => {
        const rows = new Distinct<Row>(
          (row) => JSON.stringify(key.map((name) => row[name])),
          first < last ? MOST_ROWS : undefined,
        );
        const range = { time_increment: "1", time_range: JSON.stringify({ since: first, until: last }) };
        await read({ ...query, ...range }, rows);
        return { objects: rows.all(), envelope: "data" };
      };
      // A single day that is too much is a report that the vendor makes meanwhile.
      return inHalves(
        from,
        to,
        (first, last) => rowsFor(first, last, (asked, rows) => rowsOf(session, where, asked, rows)),
        (day) => rowsFor(day, day, (asked, rows) => reportRun(session, where, asked, rows)),
      );
    },
  };
}

const CAMPAIGN_FIELDS = [
  "account_id,campaign_id,campaign_name,objective,impressions,reach,frequency,clicks,ctr,inline_link_clicks",
  "inline_link_click_ctr,spend,cpc,cpm,website_purchase_roas,actions",
];
const PLATFORM_FIELDS = [
  "ad_id",
  "adset_id",
  "objective",
  "impressions",
  "reach",
  "clicks",
  "spend",
  "full_view_reach",
];
const BREAKDOWNS = ["publisher_platform", "platform_position"];

const ADSET_FIELDS =
  "id,name,account_id,campaign_id,effective_status,created_time,updated_time,daily_budget,lifetime_budget,targeting";
/** Without the archived and deleted ones their rows would have no ad set. */
const STATUSES = ["ACTIVE", "PAUSED", "DELETED", "CAMPAIGN_PAUSED", "ARCHIVED", "IN_PROCESS", "WITH_ISSUES"];
const ADSET_PAGE = 200;
const SMALLEST_PAGE = 10;

/** All ad sets; in smaller pages if the vendor wants so. */
async function* adsets(session: Session): AsyncGenerator<Page> {
  const query = { fields: ADSET_FIELDS, effective_status: JSON.stringify(STATUSES) };
  for (let limit = ADSET_PAGE; ; limit = Math.floor(limit / 2)) {
    const rows = new Distinct<Row>((row) => String(row.id));
    try {
      await rowsOf(session, `${accountPath(session)}/adsets`, query, rows, limit);
    } catch (error) {
      if (error instanceof PullError && error.kind === "tooMuch" && limit > SMALLEST_PAGE) continue;
      throw error;
    }
    yield { objects: rows.all(), envelope: "data" };
    return;
  }
}

/** The vendor's description of a token; one that may not ask this, and one that does not end, have no instant. */
async function endOf(session: Session, { accessToken }: Secrets): Promise<Date | undefined> {
  const { body } = await session.get<{ data?: { expires_at?: number; data_access_expires_at?: number } }>(
    `${VERSION}/debug_token`,
    { query: { input_token: accessToken }, isAside: true },
  );
  const { expires_at: token, data_access_expires_at: access } = body?.data ?? {};
  const seconds = [token, access].filter((one) => typeof one === "number" && one > 0) as number[];
  return seconds.length > 0 ? new Date(Math.min(...seconds) * 1000) : undefined;
}

interface AdAccount {
  readonly name?: string;
  readonly currency?: string;
  readonly timezone_name?: string;
}

export const meta: PullDeclaration = {
  connector: "socialads",
  account: {
    adAccountId: {
      required: true,
      pattern: /^(act_)?\d{1,20}$/,
      expected: "the number of the ad account, such as act_1234567890",
    },
  },
  secrets: [{ keys: ["accessToken"], end: endOf }],
  baseUrl: () => "https://graph.facebook.com",
  concurrent: 1,
  budget: 20_000,
  headers: ({ accessToken = "" }) => ({ authorization: `Bearer ${accessToken}` }),
  judge,
  check: async (session) => {
    const query = { fields: "name,currency,timezone_name" };
    const {
      name,
      currency,
      timezone_name: zone,
    } = (await session.get<AdAccount>(accountPath(session), { query })).body;
    return `${name}, ${currency}, ${zone}`;
  },
  records: {
    "adset-config": { mode: "whole", pages: adsets },
    campaigns: insights("campaign", CAMPAIGN_FIELDS, [], ["account_id", "campaign_id", "date_start", "date_stop"]),
    platform: insights("ad", PLATFORM_FIELDS, BREAKDOWNS, ["ad_id", "date_start", "date_stop", ...BREAKDOWNS]),
  },
};
