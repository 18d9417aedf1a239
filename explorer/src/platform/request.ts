import { Failure, type FailureKind, leave, NETWORK_RETRY_MS, PAGE } from "../api.ts";
import { LANGUAGE_CODES } from "../preferences.ts";
import { route } from "../route.ts";
import { isForeign, organization, state } from "../session.ts";
import { lang } from "../text.ts";
import { askToSignIn } from "./again.ts";

// The requests to /platform: what people read and change [D91]. Its messages come in the page's language.

/** What was read, and its tag: a change of it says which state it changes. */
export interface Read<T> {
  readonly data: T;
  readonly tag: string;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

interface Sent {
  readonly body?: object | undefined;
  /** The tag of what is replaced or removed. */
  readonly tag?: string | undefined;
  /** Of a `POST`: repeated with the same key it is done once. */
  readonly key?: string | undefined;
}

export interface Detail {
  readonly parameter: string;
  readonly message: string;
}

/** A request that the platform refuses. */
export class Refusal extends Failure {
  /** The platform's name for it, such as `changed`. */
  readonly reason: string;
  /** Of something that changed meanwhile: what is there now, and its tag. */
  readonly present: Read<unknown> | undefined;

  constructor(kind: FailureKind, message: string, more: RefusalMore) {
    super(kind, message, more);
    this.reason = more.reason;
    this.present = more.present;
  }
}

interface RefusalMore {
  readonly reason: string;
  readonly details: readonly Detail[];
  readonly requestId?: string | undefined;
  readonly retryAt?: number | undefined;
  readonly present: Read<unknown> | undefined;
}

/**
 * The address of a resource of the organization that the address names. Where it names one that the person cannot read, the
 * page shows another one, and what is read and changed here must not be of that.
 */
export function ofOrganization(path: string): string {
  const id = isForeign.peek() ? route.peek().organization : (organization.peek()?.id ?? "");
  return `/platform/organizations/${encodeURIComponent(id)}${path === "" ? "" : `/${path}`}`;
}

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export async function read<T>(path: string): Promise<Read<T>> {
  const response = await send("GET", path);
  return { data: (await response.json()) as T, tag: response.headers.get("etag") ?? "" };
}

/** The keys of attempts that nobody answered, by what was sent: the same again is the same attempt, and is done once. */
const unanswered = new Map<string, string>();

/** Adds something, or does something. */
export async function add<T>(path: string, body?: object): Promise<T> {
  const attempt = JSON.stringify([path, body]);
  const key = unanswered.get(attempt) ?? newKey();
  unanswered.set(attempt, key);
  try {
    return await change<T>("POST", path, { body, key }).finally(() => unanswered.delete(attempt));
  } catch (error) {
    if (error instanceof Failure && error.kind === "network") unanswered.set(attempt, key);
    throw error;
  }
}

export const replace = <T>(path: string, body: object, tag: string): Promise<T> =>
  change<T>("PUT", path, { body, tag });

export const remove = <T>(path: string, tag: string): Promise<T> => change<T>("DELETE", path, { tag });

/** Removes what is there now, whatever its state. */
export async function removeNow(path: string): Promise<void> {
  await remove(path, (await read(path)).tag);
}

/** Makes a change. If it needs a newer sign-in, the page asks for one, and the change goes on. */
async function change<T>(method: Method, path: string, sent: Sent): Promise<T> {
  for (;;) {
    try {
      return (await (await send(method, path, sent)).json()) as T;
    } catch (error) {
      const why = error instanceof Refusal ? whyAsked(error) : undefined;
      if (why === undefined || !(await askToSignIn(why))) throw error;
    }
  }
}

const whyAsked = ({ kind, reason }: Refusal): "again" | "ended" | undefined =>
  reason === "signInAgain" ? "again" : kind === "unauthorized" ? "ended" : undefined;

/** Sends a request. Rejects with a Refusal, or with a Failure of the network. */
export async function send(method: Method, path: string, { body, tag, key }: Sent = {}): Promise<Response> {
  const before = state.peek();
  const headers = {
    ...PAGE,
    "accept-language": LANGUAGE_CODES[lang.peek()],
    ...(method === "GET" ? {} : { "content-type": "application/json" }),
    ...(tag === undefined ? {} : { "if-match": tag }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(path, { method, headers, cache: "no-store", ...sent }).catch(() => {
    throw new Failure("network", "", { retryAt: Date.now() + NETWORK_RETRY_MS });
  });
  if (response.ok) return response;
  const refusal = await refusalOf(response);
  // A change asks for the sign-in where it is, so that nothing typed is lost.
  if (method === "GET" && refusal.kind === "unauthorized" && before === state.peek() && before.is === "in")
    leave("ended");
  throw refusal;
}

const KINDS: Readonly<Record<number, FailureKind>> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "notFound",
  429: "limited",
  503: "busy",
};

interface Answered {
  readonly kind?: string;
  readonly message?: string;
  readonly details?: readonly Detail[];
  readonly present?: unknown;
  readonly requestId?: string;
}

/** When the service takes a request again, by this machine's clock. */
export function retryAtOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after"));
  return seconds > 0 ? Date.now() + seconds * 1000 : undefined;
}

async function refusalOf(response: Response): Promise<Refusal> {
  const said = (await response.json().catch(() => ({}))) as Answered;
  const present =
    said.present === undefined ? undefined : { data: said.present, tag: response.headers.get("etag") ?? "" };
  return new Refusal(KINDS[response.status] ?? "unforeseen", said.message ?? "", {
    reason: said.kind ?? "",
    details: said.details ?? [],
    requestId: said.requestId,
    retryAt: retryAtOf(response),
    present,
  });
}
