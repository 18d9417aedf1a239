import { createHash } from "node:crypto";
import { quantity } from "../../../core/contract/text.ts";
import { addMonths } from "../../../core/time/days.ts";
import { type Page, type PullDeclaration, PullError, type Session, type Window } from "../declaration.ts";
import { daysBefore, earlier } from "../instants.ts";
import { usualVerdict } from "../verdict.ts";

/** Largest page of the vendor's list of orders, and the most pages of one list. */
const ORDERS_PER_PAGE = 100;
const MOST_PAGES = 30;
/** Orders of one file. */
const ORDERS_PER_FILE = 250;
const SKUS_PER_FILE = 500;
const SKU_IDS_PER_PAGE = 1000;
const PRODUCTS_PER_PAGE = 250;
const CATEGORY_LEVELS = 20;
/** The list cannot be asked by change: orders of so many days are read again [D63]. */
const DAYS_READ_AGAIN = 60;
/** Short, so that not many more days are read again; longer at first, as the list needs no short ones. */
const WINDOW_DAYS = 7;
const FIRST_WINDOW_DAYS = 52 * WINDOW_DAYS;
const MONTHS_LISTED = 24;
/** Older open orders whose ids are kept; a store that never invoices has nothing but open ones. */
const MOST_OPEN = 20_000;
const FINAL = new Set(["invoiced", "canceled", "cancelled", "replaced"]);

const LIST = "api/oms/pvt/orders";

interface Summary {
  readonly orderId: string;
  readonly creationDate: string;
}

interface Order {
  readonly orderId: string;
  readonly creationDate: string;
  readonly status: string | null;
}

/** Orders that are older than those that are read again, and were still open. */
interface Kept {
  readonly open: readonly string[];
}

export const vtex: PullDeclaration = {
  connector: "storea",
  account: {
    account: {
      required: true,
      pattern: /^[a-z0-9][a-z0-9_-]*$/i,
      expected: "the name of the store's account, such as mystore",
    },
  },
  secrets: [{ keys: ["appKey", "appToken"] }],
  baseUrl: ({ account }) => `https://${account}.vtexcommercestable.com.br`,
  concurrent: 8,
  budget: 3_000_000,
  // The vendor allows 6,000 requests a minute; other programs of the store need some of them.
  paces: { all: { requests: 80, perMs: 1000 } },
  headers: ({ appKey = "", appToken = "" }) => ({ "X-VTEX-API-AppKey": appKey, "X-VTEX-API-AppToken": appToken }),
  judge: (answer) => {
    const verdict = usualVerdict(answer);
    // Without a time the vendor means: wait a minute.
    if (verdict.is === "throttled" && verdict.waitMs === undefined) return { ...verdict, waitMs: 60_000 };
    if (answer.status === 403)
      return {
        is: "refused",
        message: `the application key may not read this: ${"message" in verdict ? verdict.message : ""}`,
      };
    return verdict;
  },
  check: async (session) => {
    await session.get(LIST, { query: { page: 1, per_page: 1, orderBy: "creationDate,desc" } });
    return session.account.account ?? "";
  },
  records: {
    orders: {
      mode: "days",
      windowDays: WINDOW_DAYS,
      firstWindowDays: FIRST_WINDOW_DAYS,
      againDays: DAYS_READ_AGAIN,
      pages: orderPages,
    },
    products: { mode: "whole", pages: productPages },
    categories: { mode: "whole", pages: categoryPages },
    inventory: { mode: "whole", pages: inventoryPages },
  },
};

/**
 * The list has no items, so each order is asked for by its id. It cannot be asked by change: the orders of the last 60 days
 * are read again, and older ones that were open.
 */
async function* orderPages(session: Session, window: Window): AsyncGenerator<Page> {
  const until = await newestPlaced(session);
  if (until !== undefined) yield { until };
  const older = (window.kept as Kept | undefined)?.open ?? [];
  const open = new Set(older);
  const limit = Date.parse(daysBefore(earlier(session.now.toISOString(), until), DAYS_READ_AGAIN));
  const rest = new Set(older);
  let missing = 0;
  let isCut = false;
  const read = async (ids: readonly string[]): Promise<Order[]> => {
    const answers = await session.each(ids, (id) => found<Order>(session, `${LIST}/${encodeURIComponent(id)}`));
    for (const id of ids) {
      open.delete(id);
      rest.delete(id);
    }
    const orders = answers.filter((order) => order !== undefined);
    missing += ids.length - orders.length;
    for (const { orderId, status, creationDate } of orders)
      if (Date.parse(creationDate) < limit && !FINAL.has(status ?? "")) open.add(orderId);
    // Those that were added first are the oldest.
    for (const id of open) {
      if (open.size <= MOST_OPEN) break;
      open.delete(id);
      isCut = true;
    }
    return orders;
  };
  const keep = (): Kept => ({ open: [...open] });

  let waiting: string[] = [];
  for await (const { ids, at } of listedOrders(
    session,
    (window.resume as string) ?? window.fromInstant,
    window.toInstant,
  )) {
    waiting.push(...ids);
    if (waiting.length < ORDERS_PER_FILE) continue;
    const objects = await read(waiting);
    waiting = [];
    yield { objects, resume: at, keep: keep() };
  }
  yield { objects: await read(waiting), keep: keep() };
  if (window.to === session.today && !window.first) {
    const left = [...rest];
    for (let first = 0; first < left.length; first += ORDERS_PER_FILE) {
      const objects = await read(left.slice(first, first + ORDERS_PER_FILE));
      // Named by its content: an order that is closed is not read again, so its file must stay.
      yield { objects, name: `open-${hashOf(objects)}`, keep: keep() };
    }
  }
  if (missing > 0)
    session.note(`${quantity(missing, "order")} of the list could not be read: the vendor knows no such id`);
  noteLimits(session, window, isCut);
}

const hashOf = (objects: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(objects)).digest("hex").slice(0, 16);

function noteLimits(session: Session, window: Window, isCut: boolean): void {
  if (isCut)
    session.note(`more than ${MOST_OPEN} orders older than ${DAYS_READ_AGAIN} days are open: only some are read again`);
  if (window.first && window.from < addMonths(session.today, -MONTHS_LISTED))
    session.note(
      `the vendor may list orders of the last ${MONTHS_LISTED} months only: import older ones as files, otherwise old customers look new`,
    );
}

/** The ids of the orders that were placed between two instants, oldest first. */
async function* listedOrders(
  session: Session,
  from: string,
  to: string,
): AsyncGenerator<{ ids: string[]; at: string }> {
  // Each page begins at the last order of the page before, so that neither 30 pages nor objects that move between pages
  // matter. The counts of the answer are not used: they may be wrong.
  let at = from;
  let page = 1;
  let before = new Set<string>();
  for (;;) {
    const { body } = await session.get<Listed>(LIST, {
      query: {
        f_creationDate: `creationDate:[${at} TO ${to}]`,
        orderBy: "creationDate,asc",
        per_page: ORDERS_PER_PAGE,
        page,
      },
    });
    const list = listIn(body);
    const ids = [...new Set(list.map(({ orderId }) => orderId))].filter((id) => !before.has(id));
    const last = list.at(-1);
    if (last) yield { ids, at: instantOf(last) };
    if (!last || list.length < pageOf(body)) return;
    if (Date.parse(last.creationDate) > Date.parse(at)) {
      at = instantOf(last);
      page = 1;
      before = new Set(list.map(({ orderId }) => orderId));
    } else {
      // More orders of one second than a page holds.
      page++;
      for (const { orderId } of list) before.add(orderId);
      if (page > MOST_PAGES)
        throw new PullError(
          "refused",
          `more than ${ORDERS_PER_PAGE * MOST_PAGES} orders of one second (${at}) cannot be listed`,
        );
    }
  }
}

interface Listed {
  readonly list?: readonly Summary[];
  readonly paging?: { readonly perPage?: number };
}

/** How many orders a full page has: the vendor may allow fewer than are asked for. */
const pageOf = ({ paging }: Listed): number => Math.min(paging?.perPage || ORDERS_PER_PAGE, ORDERS_PER_PAGE);

function listIn({ list }: Listed): readonly Summary[] {
  if (Array.isArray(list)) return list;
  throw new PullError("transient", "an answer without a list of orders");
}

/** The list has seconds: an order of a second is placed at its beginning. */
const instantOf = ({ creationDate }: Summary): string => new Date(Date.parse(creationDate)).toISOString();

/** When the newest order was placed, of one run asked for once: the list had everything until then when it was read. */
function newestPlaced(session: Session): Promise<string | undefined> {
  const known = newest.get(session) ?? askNewest(session);
  newest.set(session, known);
  return known;
}

const newest = new WeakMap<Session, Promise<string | undefined>>();

async function askNewest(session: Session): Promise<string | undefined> {
  const { body } = await session.get<Listed>(LIST, {
    query: { page: 1, per_page: 1, orderBy: "creationDate,desc" },
  });
  const [order] = listIn(body);
  return order && instantOf(order);
}

/** An object, unless there is none any more. */
async function found<T>(session: Session, where: string): Promise<T | undefined> {
  try {
    return (await session.get<T>(where)).body;
  } catch (error) {
    if (error instanceof PullError && error.status === 404) return undefined;
    throw error;
  }
}

interface Catalog {
  readonly skus: readonly string[];
  /** Products of which no SKU is listed. */
  readonly products: readonly string[];
}

async function readCatalog(session: Session): Promise<Catalog> {
  const skus = await listedTwice(async (page) => {
    const { body } = await session.get<(number | string)[]>("api/catalog_system/pvt/sku/stockkeepingunitids", {
      query: { page, pagesize: SKU_IDS_PER_PAGE },
    });
    return body.map((id) => [String(id)]);
  });
  const products = await listedTwice(async (page) => {
    const { body } = await session.get<{ data: Record<string, (number | string)[]> }>(
      "api/catalog_system/pvt/products/GetProductAndSkuIds",
      { query: { _from: (page - 1) * PRODUCTS_PER_PAGE + 1, _to: page * PRODUCTS_PER_PAGE } },
    );
    return Object.entries(body.data).map(([product, of]) => [product, ...of.map(String)]);
  });
  const ofProducts = [...products.values()].flatMap(([, ...of]) => of);
  return {
    skus: sorted([...skus.keys(), ...ofProducts]),
    products: sorted([...products.values()].flatMap(([product = "", ...of]) => (of.length === 0 ? [product] : []))),
  };
}

/**
 * All entries of a list that is read by page numbers, by their first id. Entries that vanish move others to pages that
 * were read: a list of several pages is read again until nothing new is found.
 */
async function listedTwice(read: (page: number) => Promise<string[][]>): Promise<Map<string, readonly string[]>> {
  const all = new Map<string, readonly string[]>();
  for (;;) {
    const before = all.size;
    const pages = await readPages(read, all);
    if (pages <= 1 || all.size === before) return all;
  }
}

/** Reads a list once, until a page has nothing new: a short one may not be the last. Returns the number of its pages. */
async function readPages(
  read: (page: number) => Promise<string[][]>,
  all: Map<string, readonly string[]>,
): Promise<number> {
  const seen = new Set<string>();
  for (let page = 1; ; page++) {
    const before = seen.size;
    const entries = await read(page);
    for (const entry of entries) {
      const [id = ""] = entry;
      seen.add(id);
      all.set(id, entry);
    }
    if (seen.size === before) return page - 1;
  }
}

const byNumber = new Intl.Collator("en", { numeric: true });
const sorted = (ids: readonly string[]): string[] =>
  [...new Set(ids)].sort((a, b) => byNumber.compare(a, b) || (a < b ? -1 : 1));

/** The answers about each id, some hundred per file; `resume` is the last id that was asked for. */
async function* ofEach<T>(
  session: Session,
  window: Window,
  asked: readonly string[],
  read: (where: string) => Promise<T | undefined>,
): AsyncGenerator<Page> {
  const last = window.resume as string | undefined;
  const rest = last === undefined ? asked : asked.slice(asked.indexOf(last) + 1);
  for (let first = 0; first < rest.length; first += SKUS_PER_FILE) {
    const part = rest.slice(first, first + SKUS_PER_FILE);
    const objects = (await session.each(part, read)).filter((object) => object !== undefined);
    yield { objects, resume: part.at(-1) };
  }
}

async function* productPages(session: Session, window: Window): AsyncGenerator<Page> {
  const { skus, products } = await readCatalog(session);
  const paths = [
    ...skus.map((id) => `api/catalog_system/pvt/sku/stockkeepingunitbyid/${encodeURIComponent(id)}`),
    ...products.map((id) => `api/catalog/pvt/product/${encodeURIComponent(id)}`),
  ];
  yield* ofEach(session, window, paths, (where) => found(session, where));
}

interface Stock {
  readonly balance?: readonly unknown[];
}

/** A SKU without a balance in any warehouse was never counted: its stock is unknown, not 0. */
async function* inventoryPages(session: Session, window: Window): AsyncGenerator<Page> {
  const { skus } = await readCatalog(session);
  yield* ofEach(session, window, skus, async (id) => {
    const stock = await found<Stock>(session, `api/logistics/pvt/inventory/skus/${encodeURIComponent(id)}`);
    return stock?.balance?.length === 0 ? undefined : stock;
  });
}

async function* categoryPages(session: Session): AsyncGenerator<Page> {
  const { body } = await session.get<unknown[]>(`api/catalog_system/pub/category/tree/${CATEGORY_LEVELS}`);
  yield { objects: body };
}
