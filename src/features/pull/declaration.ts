import type { Connector } from "../../core/contract/record.ts";

/**
 * How one vendor is asked for its records [D60] [D61] [D62] [D63] [D64]. A connector only declares: the engine (`pull.ts`) keeps windows,
 * state and files, the client (`client.ts`) deadlines, waits, retries and bounds.
 */
export interface PullDeclaration {
  readonly connector: Connector;
  /** The keys of `account` in the settings [D60]. */
  readonly account: Readonly<Record<string, AccountKey>>;
  /** The accepted sets of secrets [D61]: the first that has all its keys counts. */
  readonly secrets: readonly SecretSet[];
  readonly baseUrl: (account: Account) => string;
  /** Where access tokens are asked for, if this vendor issues short ones. */
  readonly tokenUrl?: string;
  /** Requests under way at once. */
  readonly concurrent: number;
  /** Requests that the vendor allows within a time, by the name of the limit; a request of it names one in its options. */
  readonly paces?: Readonly<Record<string, Pace>>;
  /** Requests of one run of one integration; the rest is asked for by the next run. */
  readonly budget?: number;
  /** The headers of every request for these secrets. `token` is there if the set has one. */
  readonly headers: (secrets: Secrets, account: Account, token?: string) => Readonly<Record<string, string>>;
  /** The meaning of an answer, if its status and its body do not say so in the usual way; undefined: `usualVerdict`. */
  readonly judge?: (answer: Answer) => Verdict | undefined;
  /** Asks one cheap question; returns what the account is called, for `--check`. */
  readonly check: (session: Session) => Promise<string>;
  /** By the names of `src/core/records`, in the order in which they are pulled. */
  readonly records: Readonly<Record<string, RecordPull>>;
}

interface AccountKey {
  readonly required: boolean;
  /** It says how data are requested, not whose: another value leaves the state as it is. */
  readonly isManner?: boolean;
  readonly pattern: RegExp;
  /** Completes "… is expected": `a customer id, such as 1234567890`. */
  readonly expected: string;
}

/** The texts of `account`, as the settings have them. */
export type Account = Readonly<Record<string, string>>;
export type Secrets = Readonly<Record<string, string>>;

export interface SecretSet {
  readonly keys: readonly string[];
  /** Further keys that are kept, such as the others of a service account's key file. */
  readonly others?: readonly string[];
  /**
   * How an access token is got for it: `refresh` asks with `clientId`, `clientSecret` and `refreshToken`, `jwt` with a
   * service account's signed assertion. Without it the secrets themselves are sent.
   */
  readonly token?: { readonly by: "refresh" } | { readonly by: "jwt"; readonly scope: string };
  /** Asks the vendor when the secrets end; undefined if they do not, or if it does not say. One question a pull. */
  readonly end?: (session: Session, secrets: Secrets) => Promise<Date | undefined>;
}

/** At most so many requests begun within so many milliseconds. */
interface Pace {
  readonly requests: number;
  readonly perMs: number;
}

/**
 * `days`: rows belong to a day of the account, and the last 28 are asked for again. `changes`: objects by change, again from
 * a day before the last complete pull on. `whole`: everything each time.
 */
type PullMode = "days" | "changes" | "whole";

export interface RecordPull {
  readonly mode: PullMode;
  /** `days` and `changes`: the longest window that is asked for at once. Without it: the whole span. */
  readonly windowDays?: number;
  /** The longest of the first pull, if that is another: a multiple of `windowDays`. */
  readonly firstWindowDays?: number;
  /** `days`: so many days are asked for again; without it those that ads and analytics restate. */
  readonly againDays?: number;
  /**
   * `days`: the day of a row. Windows are then asked for newest first, and the next pull begins before the newest day that
   * was seen: a vendor whose figures are late shows empty days, which are not complete.
   */
  readonly dayOf?: (row: unknown) => string | undefined;
  /** The farthest day back that the vendor answers for; earlier ones are left out, and the report says so. */
  readonly earliest?: (today: string) => string;
  /** Asks for one window, page by page. A page that is yielded is written before the next one is asked for. */
  readonly pages: (session: Session, window: Window) => AsyncIterable<Page>;
}

export interface Window {
  /** The first and the last day, in the account's time zone; of `whole` those of the whole span. */
  readonly from: string;
  readonly to: string;
  /** The same as instants: the beginning of `from`, and the end of `to`, or now if that is earlier. ISO 8601 in UTC. */
  readonly fromInstant: string;
  readonly toInstant: string;
  /**
   * Whether the record was never complete: objects are then asked for by creation. Otherwise by change, and `from` is a
   * day before the last complete pull.
   */
  readonly first: boolean;
  /** `resume` of the last page written in this window, if an earlier run was ended within it. */
  readonly resume?: unknown;
  /** The beginning of the first day that the record is asked for, as an instant. */
  readonly sinceInstant: string;
  /** `keep` of the last page that gave one, of this pull or of the last complete one. */
  readonly kept?: unknown;
}

/**
 * The content of one file: raw objects, which become `envelope`'s list (`{"list": […]}`) or a JSON array, or the file that
 * `session.download` has written.
 */
export interface Page {
  readonly objects?: readonly unknown[];
  /** The key of the list that the objects are written in, if landing needs one: `rows` with `around`. */
  readonly envelope?: string;
  /** Further keys of the envelope: the headers of a report. */
  readonly around?: Readonly<Record<string, unknown>>;
  /** Instead of objects: a file of the work folder, in a form that landing reads, and the number of its objects. */
  readonly file?: { readonly path: string; readonly objects: number; readonly extension: "json" | "jsonl" };
  /** From where on this window goes on if the run ends after this page; JSON. Undefined: from its beginning. */
  readonly resume?: unknown;
  /** Passed to the next window or pull of the record as `kept`; JSON. No file is written for a page without objects. */
  readonly keep?: unknown;
  /**
   * An instant: all changes until then were shown, by the vendor's own clock and index, which may be behind. The next pull
   * begins there if that is before the last complete pull. The earliest one of a pull counts.
   */
  readonly until?: string;
  /** Instead of the window's name in that of the file, which then stays when the window is pulled again. */
  readonly name?: string;
}

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The limits that this request counts for, next to those named `all`. */
  readonly paces?: readonly string[];
  /** An address elsewhere, such as a signed one: without the credentials. */
  readonly withoutCredentials?: boolean;
  /** A question that no record depends on: not repeated, and its refusal says nothing about the credentials. */
  readonly isAside?: boolean;
}

export interface Session {
  readonly account: Account;
  /** Today and the zone that windows are counted in [D62]. */
  readonly today: string;
  readonly timezone: string;
  readonly now: Date;
  /** Aborts when the run ends. */
  readonly signal: AbortSignal;
  /** `where`: a path below the base URL, or a whole address. Throws a PullError for what is not fine in the end. */
  get<T = unknown>(where: string, options?: RequestOptions): Promise<Answered<T>>;
  /** The same with a body, as JSON. */
  post<T = unknown>(where: string, body: unknown, options?: RequestOptions): Promise<Answered<T>>;
  /** Streams JSON lines to a file of the work folder; every line is checked to be JSON. `objects`: its lines. */
  download(where: string, options?: RequestOptions): Promise<{ readonly path: string; readonly objects: number }>;
  /** Runs work for each item, `concurrent` at a time; results in the order of the items. */
  each<T, R>(items: Iterable<T>, work: (item: T) => Promise<R>): Promise<R[]>;
  /** Waits, such as between polls; ends early with an error if the run ends. Counted as waited. */
  wait(ms: number): Promise<void>;
  /** A remark for the report and the doctor, such as that the vendor withholds rows. Kept once. */
  note(text: string): void;
  /** A place for a file that a connector writes itself; removed at the end. */
  workFile(name: string): string;
}

export interface AnswerHeaders {
  get(name: string): string | null;
}

export interface Answered<T> {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: T;
}

/** An answer as `judge` sees it. `body`: parsed; undefined if it is no JSON. `text`: the beginning of such a one. */
export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: unknown;
  readonly text?: string;
}

export type Verdict =
  /** `pauseMs`: how long the next request waits, because the vendor's bucket is nearly empty. */
  | { readonly is: "fine"; readonly pauseMs?: number }
  /** Too many requests. `waitMs`: as the vendor names it. `again`: tried again in any case. */
  | { readonly is: "throttled"; readonly waitMs?: number; readonly message: string }
  /** The vendor's own failure: tried again. */
  | { readonly is: "transient"; readonly message: string }
  /** The credentials are refused: the token is renewed once, if there is one. */
  | { readonly is: "credentials"; readonly message: string }
  /** The vendor wants less asked for at once: the connector catches it and asks for less. */
  | { readonly is: "tooMuch"; readonly message: string }
  /** Refused for good, with the vendor's text. */
  | { readonly is: "refused"; readonly message: string };

/** Why a request did not succeed in the end. */
export class PullError extends Error {
  readonly kind: "throttled" | "transient" | "credentials" | "tooMuch" | "refused" | "budget" | "ended";
  readonly status: number | undefined;
  /** When to come back, if the vendor has named a wait that is too long. */
  readonly retryAt: Date | undefined;

  constructor(kind: PullError["kind"], message: string, more: { status?: number; retryAt?: Date } = {}) {
    super(message);
    this.kind = kind;
    this.status = more.status;
    this.retryAt = more.retryAt;
  }
}
