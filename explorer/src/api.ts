import { signal } from "@preact/signals";
import { type Session, session, signOut } from "./session.ts";

export type Params = Readonly<Record<string, string | number | boolean | undefined>>;

/** A question to the service: what a picture shows, and what "copy as curl" and "CSV" repeat. */
export interface Asked {
  readonly path: string;
  readonly params: Params;
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

/** Why there is no answer, in the service's words where it has any. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly details: readonly { readonly parameter: string; readonly message: string }[];
  /** When it makes sense to ask again, by this machine's clock. */
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

/** Requests that the credential has left, as the latest answer reported. */
export const quota = signal<Quota | undefined>(undefined);

interface Quota {
  readonly remaining: number;
  readonly limit: number;
  /** When it was reported, by the page's clock. */
  readonly toldAt: number;
}

/** Counts up when the tab must forget its answers: every picture requests again. */
export const generation = signal(0);

/** Answers of this tab by address. Nothing is kept on disk: requests go past the browser's own cache, too. */
const kept = new Map<string, Promise<unknown>>();

/** Until when no request can be accepted. Asking meanwhile would only be refused again. */
let limited: Failure | undefined;

session.subscribe(forget);

export function forget(): void {
  kept.clear();
  limited = undefined;
  quota.value = undefined;
  generation.value = generation.peek() + 1;
}

/** The address below the service, with the organization first and the parameters in their order. */
export function addressOf({ path, params }: Asked, organizationId: string): string {
  const query = new URLSearchParams({ organizationId });
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return `${path}?${query}`;
}

/** The question as a line to paste. The secrets and the organization are variables of the shell, never the values. */
export function curlOf(asked: Asked): string {
  const address = addressOf(asked, "ORGANIZATION").replace(
    "organizationId=ORGANIZATION",
    "organizationId=$LUCRA_ORGANIZATION",
  );
  const headers = ["x-client-id: $LUCRA_CLIENT_ID", "x-client-secret: $LUCRA_CLIENT_SECRET"];
  // What a shell would read inside double quotes is percent-encoded by URLSearchParams, in the path by its builder.
  return `curl -s ${headers.map((header) => `-H "${header}"`).join(" ")} "${location.origin}${address}"`;
}

/** The answer, from the tab's memory where it was asked before. */
export function ask<T>(asked: Asked): Promise<T> {
  const owner = session.peek();
  if (!owner) return Promise.reject(new Failure("unauthorized"));
  const address = addressOf(asked, owner.organizationId);
  const known = kept.get(address) as Promise<T> | undefined;
  if (known) return known;
  const answer = request(address, owner).then((response) => response.json() as Promise<T>);
  kept.set(address, answer);
  answer.catch(() => kept.get(address) === answer && kept.delete(address));
  return answer;
}

/** The organization's stores: what every view needs, and what credentials are tried with. */
export const STORES: Asked = { path: "/v1/products/integrations", params: {} };

/** Begins a session when these credentials open this organization; else fails as the request did. */
export async function open(candidate: Session): Promise<void> {
  const address = addressOf(STORES, candidate.organizationId);
  const answer = await (await request(address, candidate)).json();
  session.value = candidate;
  kept.set(address, Promise.resolve(answer));
}

/** Saves the answer in one of the formats, under the name that the service gives it. */
export async function download(asked: Asked, format: Format): Promise<void> {
  const owner = session.peek();
  if (!owner) throw new Failure("unauthorized");
  const response = await request(
    addressOf({ ...asked, params: { ...asked.params, format } }, owner.organizationId),
    owner,
  );
  const named = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = named ?? `${asked.path.replace(/^\/v1\//, "").replaceAll("/", "-")}.${format}`;
  link.click();
  // The browser has opened the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** How long after a request that found no service it is sent again; the browser's `online` event does so at once. */
const NETWORK_RETRY_MS = 15_000;

async function request(address: string, owner: Session): Promise<Response> {
  if (limited?.retryAt && limited.retryAt > Date.now()) throw limited;
  const headers = { "x-client-id": owner.clientId, "x-client-secret": owner.clientSecret };
  const sentAt = performance.now();
  const response = await fetch(address, { headers, cache: "no-store", credentials: "omit" }).catch(() => {
    throw new Failure("network", "", { retryAt: Date.now() + NETWORK_RETRY_MS });
  });
  noteQuota(response, sentAt);
  if (response.ok) return response;
  const failure = await failureOf(response);
  if (failure.kind === "limited") limited = failure;
  // An answer to a session that has ended says nothing about the present one.
  if (owner === session.peek() && (failure.kind === "unauthorized" || failure.kind === "forbidden"))
    signOut(failure.kind);
  throw failure;
}

/** Answers to requests side by side come in any order: of those the least is what is left. */
function noteQuota({ headers }: Response, sentAt: number): void {
  const [reported, limit] = ["x-ratelimit-remaining", "x-ratelimit-limit"].map((name) => headers.get(name));
  if (!reported || !limit) return;
  const before = quota.peek();
  const isBeside = before !== undefined && sentAt < before.toldAt;
  const remaining = isBeside ? Math.min(before.remaining, Number(reported)) : Number(reported);
  quota.value = { remaining, limit: Number(limit), toldAt: performance.now() };
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

async function failureOf(response: Response): Promise<Failure> {
  const body = (await response.json().catch(() => ({}))) as { message?: string; details?: Failure["details"] };
  const seconds = Number(response.headers.get("retry-after"));
  return new Failure(KINDS[response.status] ?? "unforeseen", body.message, {
    details: body.details ?? [],
    retryAt: seconds > 0 ? Date.now() + seconds * 1000 : undefined,
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
}
