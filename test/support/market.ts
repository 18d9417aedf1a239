import fc from "fast-check";
import { type Account, emailForms, mostly, NOW, oneOf, organizationNo, PEOPLE, type Settings } from "./world.ts";

/**
 * Random organizations of stores only: catalogs, stock, sales and returns, small and ugly, in the vendors' own terms.
 * `marketExports.ts` writes them as exports, and `test/independent/products.ts` computes over them.
 */
export interface Market {
  readonly settings: Settings;
  readonly syncs: readonly string[];
  readonly stores: readonly Store[];
  /** The items in the organization's web analytics; null if it has none. */
  readonly web: Web | null;
}

export interface Web {
  readonly account: Account;
  readonly days: readonly ItemDay[];
}

/** The visitors' actions of a day on an item, by the id in the site's tag. */
export interface ItemDay {
  readonly sync: number;
  readonly day: string;
  readonly item: string;
  /** Viewed, put into the cart, taken to the checkout, bought. */
  readonly units: readonly [number, number, number, number];
}

export interface Store {
  readonly account: Account;
  /** Categories as storea exports them; storeb has them with its products. */
  readonly tree: "nested" | "flat" | null;
  readonly entries: readonly Entry[];
  readonly readings: readonly Reading[];
  readonly orders: readonly MarketOrder[];
}

/** A product in the catalog of one sync. */
export interface Entry {
  readonly sync: number;
  readonly product: number;
  /** The number of its SKUs, which are numbered from 0. */
  readonly skus: number;
  /** For storeb by GraphQL: whether the stock of each SKU is tracked; null: not exported. */
  readonly tracked: readonly (boolean | null)[];
  readonly name: string | null;
  readonly active: boolean;
  /** storeb's word for it. */
  readonly status: string;
  readonly category: StoreaCategory | StorebCategory;
  readonly image: string | null;
  readonly updated: number | null;
  /**
   * storea: SKUs that describe their product, the product by itself, or both, where SKUs have neither name nor status.
   */
  readonly as: "skus" | "product" | "both";
  /** Which of both comes first. */
  readonly productFirst: boolean;
  readonly api: Api;
}

export type Api = "rest" | "graphql";
export interface StoreaCategory {
  readonly path: string;
}
export interface StorebCategory {
  /** With names from the root down; null: not in the taxonomy, or `na`. */
  readonly taxonomy: Taxon | null;
  readonly naming: "full" | "name" | "na" | "null";
  readonly type: string;
}
export interface Taxon {
  readonly id: string;
  readonly names: readonly string[];
}

/** The version that counts, among those of a product from several syncs [D47]. */
export const winningEntry = (entries: readonly Entry[]): Entry | undefined =>
  entries.toSorted((a, b) => (a.updated ?? 0) - (b.updated ?? 0) || a.sync - b.sync).at(-1);

/** A reading of a SKU's stock and, at storeb, of its cost in cents. */
export interface Reading {
  readonly sync: number;
  /** REST does not name the inventory item's product: the catalog does. */
  readonly api: Api;
  readonly product: number;
  readonly sku: number;
  readonly stock: "counted" | "unlimited" | "untracked";
  readonly places: readonly { readonly total: number; readonly reserved: number }[];
  readonly cost: number | null;
  readonly currency: string;
}

/** One version of an order. Amounts are cents. */
export interface MarketOrder {
  readonly id: string;
  readonly sync: number;
  readonly changed: number;
  /** Whether it counts [D3], apart from the dates of storea. */
  readonly good: boolean;
  /** Which reason not to count. */
  readonly bad: number;
  readonly authorized: boolean;
  /** Placed; storea's invoice, which dates the sale, comes later if at all. */
  readonly at: number;
  /** storea: the basket to which it belongs. */
  readonly group: string | null;
  readonly invoiced: number | null;
  readonly platformId: string | null;
  readonly email: string | null;
  readonly coupon: string | null;
  readonly source: string | null;
  readonly medium: string | null;
  readonly taxesIncluded: boolean;
  readonly api: Api;
  /** How storea's return packages name the returned items: by position, by the SKUs refunded, or not at all. */
  readonly returnsBy: "position" | "sku" | "nothing";
  readonly lines: readonly MarketLine[];
}

export interface MarketLine {
  /** Null: a line of no product. */
  readonly product: number | null;
  readonly sku: number;
  readonly name: string | null;
  readonly image: string | null;
  readonly quantity: number;
  readonly price: number | null;
  /** Of the whole line. */
  readonly discount: number;
  readonly tax: number;
  readonly saleValue: "total" | "selling" | "none";
  readonly cost: number | null;
  readonly giftCard: boolean;
  /** Removed by the order's change or by a `cancel` refund. */
  readonly removed: number;
  /** Removed by an edit of storeb that refunds nothing. */
  readonly edited: number;
  /** In the vendor's form: may be more than was left. */
  readonly returned: number;
}

/** The vendors' ids: any form that a path accepts, in another order as text than as numbers. */
const STOREA_IDS = ["10", "9", "kit/4", "A-7", "a.7", "100", "x~1@b:2+c_3", "0"] as const;
export const PRODUCTS = STOREA_IDS.length;
export const SKUS = 3;

/** The vendor's id of a product, as the listing has it. */
export const productIdOf = ({ connector }: Account, product: number): string =>
  connector === "storea" ? (STOREA_IDS[product] as string) : `gid://shopify/Product/${storebNo(8, product)}`;
/** Numbers of the same and of other lengths. */
export const storebNo = (kind: number, no: number): number => kind * (no % 3 === 0 ? 100 : 1000) + no;
export const skuIdOf = (product: number, sku: number): string => `s${product}-${sku}`;
export const storebVariantNo = (product: number, sku: number): number => storebNo(4, product * SKUS + sku);
export const storebVariantOf = (product: number, sku: number): string =>
  `gid://shopify/ProductVariant/${storebVariantNo(product, sku)}`;

/** storea's categories, as far as the export has them. */
export interface Node {
  readonly id: string;
  readonly name: string;
  readonly parent: string | null;
}
export const TREE: readonly Node[] = [
  { id: "2", name: "Moda", parent: null },
  { id: "1", name: "Casa", parent: null },
  { id: "3", name: "Vazia", parent: null },
  { id: "12", name: "Cozinha", parent: "1" },
  { id: "11", name: "Banho", parent: "1" },
  { id: "111", name: "Toalhas", parent: "11" },
  { id: "112", name: "Tapetes", parent: "11" },
  { id: "113", name: "Tapetes", parent: "11" },
  { id: "21", name: "Camisas", parent: "2" },
];
const PATHS = [
  "/1/",
  "/1/11/",
  "/1/11/111/",
  "/1/11/112/",
  "/1/11/113/",
  "/1/12/",
  "/2/",
  "/2/21/",
  // The tree lacks some, or all.
  "/99/",
  "/1/11/119/",
  "/1/98/981/",
  "/2/29/",
  "",
];

const TAXA: readonly Taxon[] = [
  { id: "aa", names: ["Apparel & Accessories"] },
  { id: "aa-1", names: ["Apparel & Accessories", "Clothing"] },
  { id: "aa-1-2", names: ["Apparel & Accessories", "Clothing", "Shirts"] },
  { id: "aa-1-10", names: ["Apparel & Accessories", "Clothing", "Pants"] },
  { id: "hg-11-4", names: ["Home & Garden", "Kitchen", "Cookware"] },
];
const TYPES = [
  "",
  "",
  "\u65e5\u672c",
  "Calçados & Cia",
  " Caneças  (Ágata) ",
  "Linha de peças únicas, feitas à mão, da coleção de verão",
];

const NAMES = ["Caneca", "caneca azul", "panela", "Toalha", "Álbum", "Camisa 100%", "Caneca", "édredom", null, null];

const DAYS = [
  "2024-02-10",
  // The first day of a year's period that ends today, and the one before.
  "2024-04-01",
  "2024-04-02",
  // 180 days before one last sync or another, and around it.
  "2024-08-13",
  "2024-08-14",
  "2024-10-01",
  "2024-10-02",
  "2024-10-03",
  "2024-10-04",
  "2025-01-15",
  "2025-02-10",
  // 30 days before.
  "2025-03-01",
  "2025-03-02",
  "2025-03-03",
  "2025-03-20",
  "2025-03-31",
  "2025-04-01",
];
const TIMES = [
  "14:00:00.000",
  "00:00:00.000",
  "02:59:59.999",
  "03:00:00.000",
  "11:00:00.000",
  "16:00:00.000",
  "23:59:59.999",
];
const HOUR = 3_600_000;

/** Many customers come in one month, so that a cohort has several. */
const ORDER_DAYS = [...DAYS, ...DAYS.slice(5, 9), ...DAYS.slice(5, 9), ...DAYS.slice(5, 9)];

const instant = fc
  .tuple(oneOf(...ORDER_DAYS.toReversed()), oneOf(...TIMES))
  .map(([day, time]) => Date.parse(`${day}T${time}Z`));

const cents = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 100, max: 20_000 }) },
  { weight: 1, arbitrary: oneOf(0, 1, 5, 999) },
);

const line = fc.record({
  product: oneOf<number | null>(0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, null),
  sku: fc.nat({ max: SKUS - 1 }),
  quantity: mostly(1, 2, 3, 7),
  price: cents,
  priceless: mostly(false, false, false, false, false, true),
  discount: mostly(0, 100, 333),
  tax: mostly(0, 7, 250),
  saleValue: mostly<MarketLine["saleValue"]>("total", "selling", "selling", "none"),
  cost: fc.oneof(cents, cents, oneOf<number | null>(0, null)),
  giftCard: mostly(false, false, false, true),
  removed: mostly(0, 0, 1, 7),
  edited: mostly(0, 0, 1),
  returned: mostly(0, 1, 1, 2, 9),
  nameless: mostly(false, true),
});

const EMAILS = ["plain", "plain", "plain", "shouted", "masked", "alias", "noreply", "none"] as const;

const content = fc.record({
  good: mostly(true, true, true, false),
  bad: fc.nat({ max: 3 }),
  authorized: mostly(true, false),
  at: instant,
  invoicedLater: mostly<number | null>(0, HOUR, 30 * HOUR, 200 * HOUR, null),
  person: fc.nat({ max: 7 }),
  email: oneOf(...EMAILS),
  platformId: oneOf("own", "own", "shared", "none"),
  group: oneOf<string | null>(null, "", "g1", "g2", "own", "own"),
  coupon: oneOf(null, null, "OFERTA", " oferta ", "Natal10", "50%+"),
  utm: mostly<readonly [string | null, string | null]>(
    [null, null],
    ["google", "cpc"],
    ["Google", "CPC"],
    ["instagram", "paid_social"],
    ["newsletter", "email"],
    ["blog", null],
  ),
  taxesIncluded: fc.boolean(),
  returnsBy: mostly<MarketOrder["returnsBy"]>("position", "sku", "nothing"),
  lines: fc
    .tuple(fc.array(line, { minLength: 0, maxLength: 4, size: "max" }), mostly(0, 0, 2))
    // A SKU may be on several lines of an order, with other quantities.
    .map(([lines, more]) => [
      ...lines,
      ...lines
        .slice(0, 1)
        .flatMap((one) => Array.from({ length: more }, (_, no) => ({ ...one, quantity: no + 1, removed: no }))),
    ]),
});
type Content = typeof content extends fc.Arbitrary<infer T> ? T : never;

const api = oneOf<Api>("rest", "graphql");
const sync = fc.nat({ max: 1 });

const orderSpec = fc.record({
  store: fc.nat({ max: 2 }),
  no: fc.integer({ min: 1, max: 60 }),
  sync,
  content,
  api,
  /** Another version, with an earlier vendor's time, that may have landed later. */
  older: fc.option(fc.record({ content, sync, api }), { freq: 5, nil: null }),
  /** The rest of the same basket. */
  twin: fc.option(
    fc.record({ later: oneOf(0, 0, 1, 60_000, 20 * 24 * HOUR), lines: content.map(({ lines }) => lines) }),
    {
      freq: 4,
      nil: null,
    },
  ),
});

const entrySpec = fc.record({
  name: oneOf<string | null>(...NAMES),
  active: mostly(true, false),
  status: mostly("active", "draft", "archived"),
  path: oneOf(...PATHS),
  taxonomy: fc.option(oneOf(...TAXA), { nil: null }),
  naming: oneOf<"full" | "name">("full", "full", "full", "name"),
  without: oneOf<"na" | "null">("na", "null"),
  type: oneOf(...TYPES),
  image: fc.boolean(),
  updated: fc.boolean(),
  /** Exported after a newer version of it. */
  belated: mostly(false, true),
  /** storea: the product's own row comes before its SKUs'. */
  first: fc.boolean(),
  tracked: fc.array(mostly<boolean | null>(null, true, false), { minLength: SKUS, maxLength: SKUS }),
  as: mostly<Entry["as"]>("skus", "both", "product"),
  skus: fc.integer({ min: 1, max: SKUS }),
  api,
});
type EntrySpec = typeof entrySpec extends fc.Arbitrary<infer T> ? T : never;

const readingSpec = fc.record({
  read: mostly(true, false),
  stock: mostly<Reading["stock"]>("counted", "counted", "counted", "unlimited", "untracked"),
  places: mostly(1, 2, 0).chain((length) =>
    fc.array(fc.record({ total: fc.nat({ max: 40 }), reserved: mostly(0, 3, 60) }), {
      minLength: length,
      maxLength: length,
    }),
  ),
  cost: fc.oneof(cents, cents, oneOf<number | null>(0, null)),
  currency: mostly("BRL", "BRL", "BRL", "USD"),
});

const perProduct = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(one, { minLength: PRODUCTS, maxLength: PRODUCTS });

const storeSpec = fc.record({
  connector: oneOf<"storea" | "storeb">("storea", "storeb"),
  zone: oneOf(undefined, "America/Sao_Paulo", "Asia/Tokyo"),
  tree: mostly<Store["tree"]>("nested", "flat", null),
  /** The syncs in whose exports each product is. */
  present: perProduct(oneOf("always", "always", "first", "last", "never")),
  entries: perProduct(fc.tuple(entrySpec, entrySpec)),
  readings: fc.array(readingSpec, { minLength: PRODUCTS * SKUS * 2, maxLength: PRODUCTS * SKUS * 2 }),
  /** The syncs with readings of the stock. */
  read: mostly("always", "first", "last", "never"),
  readBy: fc.tuple(api, api),
  /** The orders with returns. */
  returns: mostly<"some" | "none" | "uncounted">("some", "none", "uncounted"),
});
type StoreSpec = typeof storeSpec extends fc.Arbitrary<infer T> ? T : never;

const itemDay = fc.record({
  sync,
  product: oneOf(0, 0, 1, 1, 2, 3, 7),
  sku: fc.nat({ max: SKUS - 1 }),
  /** The id in the site's tag: a vendor's id, the number at its end, or a merchant's own code. */
  as: oneOf<keyof typeof ITEM_IDS>(
    "storeaProduct",
    "storeaSku",
    "storebProduct",
    "storebVariant",
    "storebProductNo",
    "storebVariantNo",
    "code",
  ),
  day: oneOf(...DAYS),
  units: fc.tuple(oneOf(0, 3, 40), oneOf(0, 2, 9), oneOf(0, 1, 5), oneOf(0, 1, 6)),
});
type ItemDaySpec = typeof itemDay extends fc.Arbitrary<infer T> ? T : never;

const ITEM_IDS = {
  storeaProduct: (product: number) => STOREA_IDS[product] as string,
  storeaSku: skuIdOf,
  storebProduct: (product: number) => `gid://shopify/Product/${storebNo(8, product)}`,
  storebVariant: (product: number, sku: number) => storebVariantOf(product, sku),
  storebProductNo: (product: number) => String(storebNo(8, product)),
  storebVariantNo: (product: number, sku: number) => String(storebVariantNo(product, sku)),
  code: (product: number) => `COD-${product}`,
} as const;

const EARLIER = "2025-02-10T16:00:00.000Z";
/** A day old to the millisecond, and older; one that is another day in some zones. */
const LAST = [NOW, "2025-03-31T12:00:00.000Z", "2025-03-31T11:59:59.999Z", "2025-03-31T23:30:00.000Z"];

const spec = fc.record({
  stores: fc.array(storeSpec, { minLength: 1, maxLength: 3, size: "max" }),
  orders: fc.array(orderSpec, { minLength: 25, maxLength: 70, size: "max" }),
  web: fc.option(fc.array(itemDay, { minLength: 0, maxLength: 30, size: "max" }), { freq: 4, nil: null }),
  last: mostly(...(LAST as [string, ...string[]])),
  twoSyncs: fc.boolean(),
});
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;

export const market: fc.Arbitrary<Market> = spec.map(built);

function built(it: Spec): Market {
  const syncs = it.twoSyncs ? [EARLIER, it.last] : [it.last];
  const stores = it.stores.map((store, no) => storeOf(it, store, no, syncs));
  const web = it.web && webOf(it.web, syncs);
  return {
    settings: {
      organizationId: organizationNo(0),
      name: "Feira",
      currency: "BRL",
      integrations: [...stores.map(({ account }) => account), ...(web ? [web.account] : [])],
    },
    syncs,
    stores,
    web,
  };
}

function webOf(all: readonly ItemDaySpec[], syncs: readonly string[]): Web {
  const days = new Map<string, ItemDay>();
  for (const { sync, product, sku, as, day, units } of all) {
    const item = ITEM_IDS[as](product, sku);
    const one = { sync: Math.min(sync, syncs.length - 1), day, item, units };
    if (!days.has(`${day} ${item}`)) days.set(`${day} ${item}`, one);
  }
  const account: Account = { id: "c3000009-0000-4000-8000-000000000000", connector: "webanalytics" };
  return { account, days: [...days.values()] };
}

const inSync = (when: string, sync: number, syncs: readonly string[]): boolean =>
  when === "always" || (when === "first" && sync === 0) || (when === "last" && sync === syncs.length - 1);

function storeOf(it: Spec, own: StoreSpec, no: number, syncs: readonly string[]): Store {
  const account: Account = {
    id: `${own.connector === "storea" ? "a1" : "b2"}00000${9 - no}-0000-4000-8000-00000000000${no}`,
    connector: own.connector,
    ...(own.zone ? { timezone: own.zone } : {}),
  };
  const each = <T>(of: (sync: number) => T[]): T[] => syncs.flatMap((_, sync) => of(sync));
  const products = [...Array(PRODUCTS).keys()];
  return {
    account,
    tree: own.connector === "storea" ? own.tree : null,
    entries: each((sync) =>
      products
        .filter((product) => inSync(own.present[product] as string, sync, syncs))
        .map((product) => entryOf(account, product, sync, own.entries[product] as [EntrySpec, EntrySpec])),
    ),
    readings: each((sync) =>
      inSync(own.read, sync, syncs) ? products.flatMap((product) => readingsOf(account, own, product, sync)) : [],
    ),
    orders: ordersOf(it, account, no, syncs).map((order) => withReturns(order, own.returns)),
  };
}

function entryOf({ connector }: Account, product: number, sync: number, all: readonly [EntrySpec, EntrySpec]): Entry {
  const it = all[sync] as EntrySpec;
  const isA = connector === "storea";
  // storea's are several rows: whether they have a time, and the set of SKUs, stay unchanged.
  const { as, skus, updated } = isA ? all[0] : { ...it, as: "skus" as const, updated: true };
  return {
    sync,
    product,
    skus: as === "product" ? 0 : skus,
    tracked: it.api === "graphql" && !isA ? it.tracked : [],
    name: it.name ?? (isA ? null : "sem nome"),
    active: isA ? it.active : it.status === "active",
    status: it.status,
    category: isA
      ? { path: it.path }
      : { taxonomy: it.taxonomy, naming: it.taxonomy ? it.naming : it.without, type: it.type },
    image: it.image ? `https://img.example.com/${product}-${sync}.jpg` : null,
    updated: updated ? Date.parse("2025-01-01T00:00:00Z") + (it.belated ? -sync : sync) * HOUR : null,
    as,
    productFirst: it.first,
    api: it.api,
  };
}

function readingsOf({ connector }: Account, own: StoreSpec, product: number, sync: number): Reading[] {
  return [...Array(SKUS).keys()].flatMap((sku) => {
    const it = own.readings[(product * SKUS + sku) * 2 + sync];
    if (!it?.read) return [];
    const uncounted = connector === "storea" ? "unlimited" : "untracked";
    const { places, cost, currency } = it;
    return [
      {
        sync,
        api: own.readBy[sync] as Api,
        product,
        sku,
        stock: it.stock === "counted" ? it.stock : uncounted,
        // An unlimited stock belongs to some place.
        places: connector === "storea" && it.stock !== "counted" ? [...places, { total: 0, reserved: 0 }] : places,
        cost,
        currency,
      },
    ];
  });
}

function ordersOf(it: Spec, account: Account, storeNo: number, syncs: readonly string[]): MarketOrder[] {
  const seen = new Set<string>();
  const all: MarketOrder[] = [];
  for (const order of it.orders) {
    if (order.store % it.stores.length !== storeNo) continue;
    const changed = Date.parse("2025-03-01T00:00:00.000Z") + order.no * 1000;
    const add = (id: string, own: Content, when: number, time: number, by: Api): void => {
      const one = versionOf(account, id, own, syncs, when, time, by);
      if (one) all.push(one);
    };
    const idOf = (no: number): string => (account.connector === "storea" ? `${no}-01` : String(no));
    const { content: own, older, twin } = order;
    const id = idOf(order.no);
    if (seen.has(id)) continue;
    seen.add(id);
    add(id, own, order.sync, changed, order.api);
    if (older) add(id, older.content, older.sync, changed - HOUR, older.api);
    // As text "110" comes before "12".
    const group = own.group === "own" ? `of ${id}` : own.group;
    const rest = { ...own, at: own.at + (twin?.later ?? 0), lines: twin?.lines ?? [], group };
    if (twin) add(idOf(order.no + 100), rest, order.sync, changed, order.api);
  }
  return all;
}

function withReturns(order: MarketOrder, which: StoreSpec["returns"]): MarketOrder {
  const kept = which === "some" || (which === "uncounted" && !order.good);
  return kept ? order : { ...order, lines: order.lines.map((line) => ({ ...line, returned: 0 })) };
}

/** Null if it would have landed before it happened. */
function versionOf(
  account: Account,
  id: string,
  it: Content,
  syncs: readonly string[],
  sync: number,
  changed: number,
  api: Api,
): MarketOrder | null {
  const isA = account.connector === "storea";
  const invoiced = isA && it.invoicedLater !== null ? it.at + it.invoicedLater : null;
  const landing = syncs.findIndex((time) => Date.parse(time) >= (invoiced ?? it.at));
  if (landing < 0) return null;
  const ids: Record<string, string | null> = { own: String(9000 + it.person), shared: "9999", none: null };
  return {
    id,
    sync: Math.max(landing, Math.min(sync, syncs.length - 1)),
    changed,
    good: it.good,
    bad: it.bad,
    authorized: it.authorized,
    at: it.at,
    group: isA ? (it.group === "own" ? `of ${id}` : it.group) : null,
    invoiced,
    platformId: ids[it.platformId] ?? null,
    email: emailForms[it.email](PEOPLE[it.person] as string),
    coupon: it.coupon,
    source: it.utm[0],
    medium: it.utm[1],
    taxesIncluded: it.taxesIncluded,
    api,
    returnsBy: it.returnsBy,
    lines: it.lines.map((one) => lineOf(one, id, isA, it.returnsBy)),
  };
}

function lineOf(one: Content["lines"][number], id: string, isA: boolean, by: MarketOrder["returnsBy"]): MarketLine {
  const { product, quantity } = one;
  const price = isA || !one.priceless ? one.price : null;
  const most = (price ?? 0) * quantity;
  const tax = Math.min(one.tax, most);
  const removed = Math.min(one.removed, quantity);
  const edited = isA ? 0 : Math.min(one.edited, quantity - removed);
  const left = quantity - removed - edited;
  return {
    product,
    sku: one.sku,
    // One name and picture for all of an order's lines of a product.
    name: one.nameless && Number.parseInt(id, 10) % 4 === 0 ? null : `Produto ${product} de ${id}`,
    image: isA ? `https://img.example.com/sold/${product}-${id}.jpg` : null,
    quantity,
    price,
    discount: Math.min(one.discount, most - tax),
    tax,
    saleValue: one.saleValue,
    cost: one.cost,
    giftCard: one.giftCard && !isA,
    removed,
    edited,
    // storea's packages do not know the remaining quantity.
    returned: isA ? (by === "nothing" ? 0 : one.returned) : Math.min(one.returned, left),
  };
}

/** For the stores' readers: a period of at most 365 days that does not end after today. */
export const storePeriod: fc.Arbitrary<{ readonly from: string; readonly to: string }> = fc
  .tuple(oneOf(...[...DAYS].reverse()), oneOf(1, 2, 30, 31, 90, 180, 365, 365, 365))
  .map(([to, days]) => ({
    from: new Date(Date.parse(to) - (days - 1) * 24 * HOUR).toISOString().slice(0, 10),
    to,
  }));
