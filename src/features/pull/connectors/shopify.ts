import { rm } from "node:fs/promises";
import {
  type Answer,
  type AnswerHeaders,
  type Page,
  type PullDeclaration,
  PullError,
  type RequestOptions,
  type Session,
  type Verdict,
  type Window,
} from "../declaration.ts";
import { daysBefore, earlier } from "../instants.ts";
import { ListProgress } from "../progress.ts";
import { usualVerdict, vendorText } from "../verdict.ts";

const ORDERS_PER_PAGE = 250;
const ORDERS_PER_FILE = 1000;
/** How far back orders are visible without the scope `read_all_orders`. */
const DAYS_VISIBLE = 60;
const pollMs = (polls: number): number =>
  polls < 4 ? ([500, 1000, 1500, 2000][polls] ?? 0) : polls < 30 ? 3000 : 10_000;
/** Bulk operations of one question before the record is given up. */
const MOST_OPERATIONS = 6;
/** How long one operation is waited for; the next pull goes on with it. */
const LONGEST_OPERATION_MS = 4 * 3_600_000;
/** The part of a bucket that is left to other programs of the shop. */
const LEFT_OF_COST = 0.1;
const CALL_MS = 500;

export const shopify: PullDeclaration = {
  connector: "storeb",
  account: {
    shop: {
      required: true,
      pattern: /^[a-z0-9][a-z0-9-]*$/i,
      expected: "the name before .myshopify.com, such as my-shop",
    },
    apiVersion: {
      required: true,
      isManner: true,
      pattern: /^20\d\d-(01|04|07|10)$/,
      expected: "a version of the Admin API, such as 2025-10",
    },
  },
  secrets: [{ keys: ["accessToken"] }],
  baseUrl: ({ shop }) => `https://${shop}.myshopify.com`,
  concurrent: 2,
  budget: 100_000,
  headers: ({ accessToken = "" }) => ({ "X-Shopify-Access-Token": accessToken }),
  judge,
  check: async (session) => {
    const { shop } = await graphql<{ shop: { name: string } }>(session, "{ shop { name } }");
    return shop.name;
  },
  records: {
    orders: { mode: "changes", pages: orderPages },
    products: { mode: "changes", pages: productPages },
    inventory: { mode: "whole", pages: inventoryPages },
  },
};

interface GraphqlError {
  readonly message: string;
  readonly extensions?: { readonly code?: string };
}

interface GraphqlBody {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[] | string;
  readonly extensions?: {
    readonly cost?: {
      readonly requestedQueryCost: number;
      readonly throttleStatus: {
        readonly maximumAvailable: number;
        readonly currentlyAvailable: number;
        readonly restoreRate: number;
      };
    };
  };
}

/** GraphQL says in an answer of status 200 what went wrong, and how much of its bucket is left. */
function judge(answer: Answer): Verdict {
  const body = answer.body as GraphqlBody | undefined;
  if (answer.status !== 200 || body === undefined) {
    // A shop that is frozen or closed.
    if (answer.status === 402 || answer.status === 423)
      return { is: "refused", message: message(usualVerdict(answer)) };
    return usualVerdict(answer);
  }
  const cost = body.extensions?.cost;
  if (!Array.isArray(body.errors)) {
    if (body.errors !== undefined) return { is: "refused", message: vendorText(answer.status, body) };
    if (!cost) return { is: "fine", pauseMs: pauseOfCalls(answer) };
    const { maximumAvailable, currentlyAvailable, restoreRate } = cost.throttleStatus;
    const lacking = maximumAvailable * LEFT_OF_COST - currentlyAvailable;
    return { is: "fine", pauseMs: lacking > 0 ? (lacking / restoreRate) * 1000 : 0 };
  }
  const errors = body.errors as readonly GraphqlError[];
  const text = errors.map((error) => error.message).join("; ");
  const codes = errors.map((error) => error.extensions?.code);
  if (codes.includes("THROTTLED")) {
    const lacking = cost ? cost.requestedQueryCost - cost.throttleStatus.currentlyAvailable : 0;
    const waitMs = cost && lacking > 0 ? (lacking / cost.throttleStatus.restoreRate) * 1000 : 1000;
    return { is: "throttled", waitMs: Math.ceil(waitMs), message: text };
  }
  if (codes.includes("MAX_COST_EXCEEDED")) return { is: "tooMuch", message: text };
  if (codes.includes("INTERNAL_SERVER_ERROR") || codes.includes("TIMEOUT")) return { is: "transient", message: text };
  return { is: "refused", message: text };
}

const message = (verdict: Verdict): string => ("message" in verdict ? verdict.message : "");

/** The bucket of REST empties by two calls a second, or faster. */
function pauseOfCalls({ headers }: Answer): number {
  const [used = 0, most = 0] = (headers.get("x-shopify-shop-api-call-limit") ?? "").split("/").map(Number);
  return most > 0 && used >= most - 2 ? CALL_MS * (used - most + 3) : 0;
}

const path = ({ account }: Session, rest: string): string => `admin/api/${account.apiVersion}/${rest}`;

async function graphql<T>(session: Session, query: string, variables?: Readonly<Record<string, unknown>>): Promise<T> {
  const { body } = await session.post<{ data: T }>(path(session, "graphql.json"), {
    query,
    ...(variables ? { variables } : {}),
  });
  return body.data;
}

interface Order {
  readonly id: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/**
 * Orders by the REST API: bulk operations leave out the lines of refunds. They come in the order of their last change, so
 * that one that changes meanwhile comes once more, at the end.
 */
async function* orderPages(session: Session, window: Window): AsyncGenerator<Page> {
  const resumed = window.resume as string | undefined;
  let changed = resumed;
  let query: RequestOptions["query"] = {
    limit: ORDERS_PER_PAGE,
    status: "any",
    order: "updated_at asc",
    created_at_min: window.first ? window.fromInstant : window.sinceInstant,
    created_at_max: window.first ? window.toInstant : undefined,
    updated_at_min: resumed ?? (window.first ? undefined : window.fromInstant),
  };
  let objects: Order[] = [];
  let before = new Set<string>();
  let oldest: string | undefined;
  const progress = new ListProgress("orders");
  for (;;) {
    const { body, headers } = await session.get<{ orders: Order[] }>(path(session, "orders.json"), { query });
    if (!Array.isArray(body.orders)) throw new PullError("transient", "an answer without orders");
    noteVersion(session, headers);
    objects.push(...body.orders.filter((order) => !before.has(versionOf(order))));
    before = new Set(body.orders.map(versionOf));
    for (const { created_at, updated_at } of body.orders) {
      changed = changed === undefined || Date.parse(updated_at) > Date.parse(changed) ? updated_at : changed;
      oldest = earlier(created_at, oldest);
    }
    const next = nextPage(headers.get("link"));
    if (next === undefined) break;
    if (objects.length >= ORDERS_PER_FILE) {
      yield { objects, envelope: "orders", resume: changed };
      objects = [];
    }
    progress.next(next, body.orders.length);
    // Filters next to the cursor are refused.
    query = { limit: ORDERS_PER_PAGE, page_info: next };
  }
  yield { objects, envelope: "orders", until: changed ?? window.fromInstant };
  if (window.first && resumed === undefined) noteHidden(session, window, oldest);
}

const versionOf = ({ id, updated_at }: Order): string => `${id} ${updated_at}`;

/** A version that is no longer supported is answered by the oldest one that is, in silence. */
function noteVersion(session: Session, headers: AnswerHeaders): void {
  const { apiVersion = "" } = session.account;
  const answered = headers.get("x-shopify-api-version");
  if (answered && /^20\d\d-\d\d$/.test(answered) && answered !== apiVersion)
    session.note(`the vendor no longer supports apiVersion ${apiVersion} and answers as ${answered}: set a newer one`);
}

/** The cursor in a `Link` header. */
function nextPage(link: string | null): string | undefined {
  const address = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? "")?.[1];
  return address === undefined ? undefined : (new URL(address).searchParams.get("page_info") ?? undefined);
}

/** Without a scope, older orders are left out in silence. */
function noteHidden(session: Session, window: Window, oldest: string | undefined): void {
  const visible = daysBefore(session.now.toISOString(), DAYS_VISIBLE);
  if (Date.parse(window.fromInstant) >= Date.parse(visible)) return;
  if (oldest !== undefined && Date.parse(oldest) < Date.parse(daysBefore(visible, 1))) return;
  session.note(
    `No order older than ${DAYS_VISIBLE} days was shown: the app needs the scope read_all_orders, otherwise old customers look new. ` +
      "Grant it and pull the orders again with --since.",
  );
}

const PRODUCT = `id legacyResourceId title handle status vendor productType tags isGiftCard totalInventory tracksInventory
  createdAt updatedAt publishedAt category { id name fullName }
  priceRangeV2 { maxVariantPrice { amount currencyCode } minVariantPrice { amount currencyCode } }
  featuredMedia { preview { image { url } } }
  variants { edges { node { id legacyResourceId title sku price inventoryPolicy inventoryQuantity
    inventoryItem { id tracked } } } }`;

const ITEM = `id legacyResourceId sku tracked createdAt updatedAt unitCost { amount currencyCode }
  variant { id legacyResourceId product { id legacyResourceId } }
  inventoryLevels { edges { node { id updatedAt location { id name }
    quantities(names: ["available"]) { name quantity updatedAt } } } }`;

/** The whole catalog at first, later the products that have changed. */
async function* productPages(session: Session, window: Window): AsyncGenerator<Page> {
  const filter = window.first ? "" : `(query: "updated_at:>='${window.fromInstant}'")`;
  const { page, begun } = await bulk(session, `{ products${filter} { edges { node { ${PRODUCT} } } } }`);
  yield { ...page, until: begun };
}

async function* inventoryPages(session: Session): AsyncGenerator<Page> {
  const { page } = await bulk(session, `{ inventoryItems { edges { node { ${ITEM} } } } }`);
  if (page) yield page;
}

interface Operation {
  readonly id: string;
  readonly status: "CREATED" | "RUNNING" | "COMPLETED" | "FAILED" | "CANCELING" | "CANCELED" | "EXPIRED";
  readonly errorCode: string | null;
  readonly createdAt: string;
  readonly objectCount: string;
  readonly rootObjectCount: string;
  readonly url: string | null;
  readonly query: string;
}

const OPERATION = "id status errorCode createdAt objectCount rootObjectCount url query";

/**
 * Runs a bulk query and downloads its result. The partial result of one that failed is not used: children may follow their
 * parents at any distance, so that an object in it may lack some of them.
 */
async function bulk(session: Session, query: string): Promise<{ page?: Page; begun: string }> {
  let failure = "";
  for (let n = 0; n < MOST_OPERATIONS; n++) {
    const operation = await ended(session, await begin(session, query));
    const { status, errorCode, url, objectCount, rootObjectCount } = operation;
    if (status === "COMPLETED") {
      if (url === null && Number(objectCount) === 0) return { begun: operation.createdAt };
      if (url === null) throw new PullError("transient", `the bulk operation has ${objectCount} objects and no result`);
      const file = await session.download(url, { withoutCredentials: true });
      if (file.objects === Number(objectCount)) {
        const page: Page = { file: { path: file.path, objects: Number(rootObjectCount), extension: "jsonl" } };
        return { page, begun: operation.createdAt };
      }
      failure = `its result has ${file.objects} lines instead of ${objectCount}`;
      await rm(file.path, { force: true });
    } else failure = `${status.toLowerCase()}${errorCode ? `, ${errorCode}` : ""}`;
    if (errorCode === "ACCESS_DENIED") break;
    await session.wait(pollMs(n));
  }
  throw new PullError(
    failure.includes("ACCESS_DENIED") ? "refused" : "transient",
    `the bulk operation did not succeed (${failure})`,
  );
}

/** How often an operation is begun while others are in progress. */
const MOST_BEGINS = 30;

/** Begins an operation; one that a killed run has left is taken over, another one is waited for. */
async function begin(session: Session, query: string): Promise<Operation> {
  for (let n = 0; n < MOST_BEGINS; n++) {
    const { bulkOperationRunQuery: answer } = await graphql<{
      bulkOperationRunQuery: {
        bulkOperation: Operation | null;
        userErrors: readonly { message: string; code?: string | null }[];
      };
    }>(
      session,
      `mutation ($query: String!) { bulkOperationRunQuery(query: $query) {
        bulkOperation { ${OPERATION} } userErrors { field message code } } }`,
      { query },
    );
    if (answer.bulkOperation) return answer.bulkOperation;
    const text = answer.userErrors.map((error) => error.message).join("; ");
    if (
      !answer.userErrors.some(
        ({ code, message }) => code === "OPERATION_IN_PROGRESS" || /already in progress/.test(message),
      )
    )
      throw new PullError("refused", text);
    const { currentBulkOperation: running } = await graphql<{ currentBulkOperation: Operation | null }>(
      session,
      `{ currentBulkOperation { ${OPERATION} } }`,
    );
    if (running?.query === query) return running;
    if (running) await ended(session, running);
    // The one in progress may belong to another connection of the app, or has just ended.
    await session.wait(pollMs(n));
  }
  throw new PullError("transient", "other bulk operations of the app are in progress");
}

async function ended(session: Session, begun: Operation): Promise<Operation> {
  let operation = begun;
  let waited = 0;
  for (let n = 0; ["CREATED", "RUNNING", "CANCELING"].includes(operation.status); n++) {
    if (waited > LONGEST_OPERATION_MS) throw new PullError("transient", "the bulk operation has not ended");
    await session.wait(pollMs(n));
    waited += pollMs(n);
    const { node } = await graphql<{ node: Operation | null }>(
      session,
      `query ($id: ID!) { node(id: $id) { ... on BulkOperation { ${OPERATION} } } }`,
      { id: operation.id },
    );
    if (!node) throw new PullError("transient", "the bulk operation is no longer there");
    operation = node;
  }
  return operation;
}
