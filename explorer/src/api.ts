import { signal } from "@preact/signals";
import { fileName } from "./fileName.ts";
import { filterParams } from "./filter.ts";
import { withKnownGoods } from "./goods.ts";
import { withKnownMargin } from "./margin.ts";
import { known } from "./moment.ts";
import { LANGUAGE_CODES, LANGUAGES, language } from "./preferences.ts";
import { save } from "./save.ts";
import { type Organization, organization, type Person, person, type Reason, state, ways } from "./session.ts";
import { shareToken } from "./token.ts";

export type Params = Readonly<Record<string, string | number | boolean | undefined>>;

/** A request to the service. A picture shows its answer; "Copy as curl" and "CSV" repeat it. */
export interface Query {
  readonly path: string;
  readonly params: Params;
  /** Whether the page's filter adds nothing: an address that an answer gave already has what selects its rows. */
  readonly isWhole?: boolean;
}

export type Format = "json" | "csv" | "ndjson" | "arrow" | "parquet" | "xlsx";

export type FailureKind =
  | "unauthorized"
  | "forbidden"
  | "invalid"
  | "notFound"
  | "limited"
  | "busy"
  | "network"
  | "unforeseen";

/** A failed request. The message is the service's, if it sent one. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly details: readonly { readonly parameter: string; readonly message: string }[];
  /** The earliest useful time of a retry, by this machine's clock. */
  readonly retryAt: number | undefined;
  readonly requestId: string | undefined;

  constructor(kind: FailureKind, message = "", more: Partial<Pick<Failure, "details" | "retryAt" | "requestId">> = {}) {
    super(message);
    this.kind = kind;
    this.details = more.details ?? [];
    this.retryAt = more.retryAt;
    this.requestId = more.requestId;
  }
}

/** The remaining requests of the credential, as the latest answer reported them. */
export const quota = signal<Quota | undefined>(undefined);

interface Quota {
  readonly remaining: number;
  readonly limit: number;
  /** The time of the report, by the page's clock. */
  readonly reportedAt: number;
}

/** Counts up when the tab clears its answers; every picture then requests its data again. */
export const generation = signal(0);

/** The answers of this tab, by address. Requests bypass the browser's cache, so nothing is written to disk. */
const cached = new Map<string, Promise<unknown>>();

/**
 * The end of the wait after a 429 answer, by this machine's clock. The service would refuse every request until then, so that
 * all wait; undefined as soon as one is answered.
 */
export const limitedUntil = signal<number | undefined>(undefined);

export function clearAnswers(): void {
  cached.clear();
  limitedUntil.value = undefined;
  quota.value = undefined;
  generation.value = generation.peek() + 1;
}

/** What is only known now, whatever the page shows. */
const OF_NOW = ["/v1/data-quality", "/v1/pins"];

/** The parameter with which a path answers what was known then: one that compares two states has an earlier one of its own. */
const knownParam = (path: string): string => (path.startsWith("/v1/restatements") ? "comparedAt" : "knownAt");

/** The path and query string of the request: the organization first, then the filter, then the parameters in their order. */
export function addressOf({ path, params, isWhole = false }: Query, organizationId: string): string {
  const query = new URLSearchParams({ organizationId });
  const then = OF_NOW.includes(path) ? {} : { [knownParam(path)]: known.value };
  const filters = isWhole ? {} : filterParams(path, params);
  for (const [name, value] of [then, filters, params].flatMap((one) => Object.entries(one))) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return `${path}?${query}`;
}

/** The request as a shell command. Secrets and organization are shell variables, never values. */
export function curlOf(query: Query): string {
  const address = addressOf(query, "ORGANIZATION").replace(
    "organizationId=ORGANIZATION",
    "organizationId=$LUCRA_ORGANIZATION",
  );
  const headers = ["x-client-id: $LUCRA_CLIENT_ID", "x-client-secret: $LUCRA_CLIENT_SECRET"];
  // URLSearchParams percent-encodes the characters that a shell expands in double quotes; views encode the path.
  return `curl -s ${headers.map((header) => `-H "${header}"`).join(" ")} "${location.origin}${address}"`;
}

/** The answer to a query; a repeated query is answered from the tab's memory. */
export function fetchAnswer<T>(query: Query, owner = organization.peek()): Promise<T> {
  if (!owner) return Promise.reject(new Failure("unauthorized"));
  const address = addressOf(query, owner.id);
  const known = cached.get(address) as Promise<T> | undefined;
  if (known) return known;
  const answer = request(address).then(async (response) =>
    withKnownGoods(withKnownMargin((await response.json()) as T)),
  );
  cached.set(address, answer);
  answer.catch(() => cached.get(address) === answer && cached.delete(address));
  return answer;
}

/** The organization's stores, which every view needs. */
export const STORES: Query = { path: "/v1/products/integrations", params: {} };

const ORGANIZATIONS = "/v1/organizations";
const SESSION = "/explorer/session";
const ME = "/platform/me";

/** What the page's own requests carry: the service takes the cookie only together with it. */
export const PAGE = { "x-lucra-page": "1" };

async function toSession(method: "GET" | "POST" | "DELETE", body?: object): Promise<Response> {
  const sent = body ? { body: JSON.stringify(body) } : {};
  const headers = { ...PAGE, ...(body ? { "content-type": "application/json" } : {}) };
  return fetch(SESSION, { method, headers, cache: "no-store", ...sent }).catch(() => {
    throw new Failure("network", "", { retryAt: Date.now() + NETWORK_RETRY_MS });
  });
}

/** What the service says of the browser's session. */
interface Session {
  readonly signedIn: boolean;
  /** The e-mail address of a person; undefined for a key. */
  readonly person?: string;
  readonly signIn?: { readonly mail: boolean } | null;
}

/** Continues the browser's session, if it has one. With the token of a one-time link the page first shows whom it signs in. */
export async function resume(token?: string): Promise<void> {
  const response = await toSession("GET");
  if (!response.ok) throw await failureOf(response);
  const session = (await response.json()) as Session;
  ways.value = session.signIn ?? null;
  if (token !== undefined && session.signIn) state.value = { is: "link", token, isSignedIn: session.signedIn };
  else if (session.signedIn) await enter(session);
  else leave(token === undefined ? "first" : "usedLink");
}

/** Signs in with an id and a secret. */
export async function signIn(credentials: { readonly clientId: string; readonly clientSecret: string }): Promise<void> {
  const response = await toSession("POST", credentials);
  if (!response.ok) throw await failureOf(response);
  clearAnswers();
  await enter({});
}

export async function signOut(): Promise<void> {
  await toSession("DELETE");
  leave("signedOut");
}

async function enter(session: Pick<Session, "person">): Promise<void> {
  const [{ data }, me] = await Promise.all([
    request(ORGANIZATIONS).then((answer) => answer.json() as Promise<{ data: readonly Organization[] }>),
    session.person === undefined ? undefined : request(ME).then((answer) => answer.json() as Promise<Person>),
  ]);
  person.value = me;
  const chosen = LANGUAGES.find((name) => LANGUAGE_CODES[name] === me?.language);
  if (chosen) language.value = chosen;
  const byName = data.toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  state.value = { is: "in", organizations: byName };
}

/** Forgets everything that the session has shown. */
export function leave(why: Reason): void {
  clearAnswers();
  person.value = undefined;
  state.value = { is: "out", why };
}

/** Saves the answer in a format, under the file name that the service returns. */
export async function download(query: Query, format: Format, more: Params = {}): Promise<void> {
  const owner = organization.peek();
  if (!owner) throw new Failure("unauthorized");
  const response = await request(addressOf({ ...query, params: { ...query.params, format, ...more } }, owner.id));
  const named = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  const [what = "", ending = format] = (named ?? query.path.replace(/^\/v1\//, "").replaceAll("/", "-")).split(
    /\.(?=[^.]*$)/,
  );
  save(await response.blob(), `${fileName(owner.name, what, query.params, query.isWhole ? "" : query.path)}.${ending}`);
}

/** Delay before a retry after a network error. The browser's `online` event triggers an immediate retry. */
export const NETWORK_RETRY_MS = 15_000;

/** Delay before a retry after a 429 answer that names none. */
const LIMIT_RETRY_MS = 5000;

/** Sends a request, after the wait if the limit is reached. */
async function request(address: string): Promise<Response> {
  const before = state.peek();
  const asked = generation.peek();
  for (;;) {
    await untilAllowed();
    // What was asked before the sign-out or the clearing is nobody's question any more.
    if (before !== state.peek() || asked !== generation.peek()) throw new Failure("limited");
    const sentAt = performance.now();
    const response = await fetch(...asSent(address)).catch(() => {
      throw new Failure("network", "", { retryAt: Date.now() + NETWORK_RETRY_MS });
    });
    noteQuota(response, sentAt);
    if (response.ok) {
      if (waitLeft() <= 0) limitedUntil.value = undefined;
      return response;
    }
    const failure = await failureOf(response);
    // An answer to an earlier session must not end the current one.
    if (failure.kind === "unauthorized" && before === state.peek()) leave("ended");
    if (failure.kind !== "limited") throw failure;
    limitedUntil.value = failure.retryAt ?? Date.now() + LIMIT_RETRY_MS;
  }
}

/** A share answers only what its page shows [D94], and is asked by its token. */
const asSent = (address: string): [string, RequestInit] =>
  shareToken === undefined
    ? [address, { headers: PAGE, cache: "no-store" }]
    : [`/shared/answer?address=${encodeURIComponent(address)}`, { headers: sharing(shareToken), cache: "no-store" }];

export const sharing = (token: string) => ({ "x-lucra-share": token });

const waitLeft = (): number => (limitedUntil.peek() ?? 0) - Date.now();

async function untilAllowed(): Promise<void> {
  for (let left = waitLeft(); left > 0; left = waitLeft()) await new Promise((done) => setTimeout(done, left));
}

/** Concurrent requests are answered in any order, so the smallest reported number is the current one. */
function noteQuota({ headers }: Response, sentAt: number): void {
  const [reported, limit] = ["x-ratelimit-remaining", "x-ratelimit-limit"].map((name) => headers.get(name));
  if (!reported || !limit) return;
  const before = quota.peek();
  const isConcurrent = before !== undefined && sentAt < before.reportedAt;
  const remaining = isConcurrent ? Math.min(before.remaining, Number(reported)) : Number(reported);
  quota.value = { remaining, limit: Number(limit), reportedAt: performance.now() };
}

const KINDS: Readonly<Record<number, FailureKind>> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "notFound",
  406: "invalid",
  429: "limited",
  503: "busy",
};

export async function failureOf(response: Response): Promise<Failure> {
  const body = (await response.json().catch(() => ({}))) as { message?: string; details?: Failure["details"] };
  const seconds = Number(response.headers.get("retry-after"));
  return new Failure(KINDS[response.status] ?? "unforeseen", body.message, {
    details: body.details ?? [],
    retryAt: seconds > 0 ? Date.now() + seconds * 1000 : undefined,
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
}
