import fc from "fast-check";
import type { CostRule } from "../../src/core/contract/settings.ts";

/**
 * Random organizations, small and ugly, in the vendors' own terms: an order's fields, not their meaning. `exports.ts`
 * writes them as exports, and `test/independent` computes over them.
 */
export interface World {
  readonly settings: Settings;
  /** The time of each sync; files belong to one of them. */
  readonly syncs: readonly string[];
  readonly orders: readonly Order[];
  readonly costs: readonly CostReading[];
  readonly catalog: readonly CatalogEntry[];
  readonly records: readonly AdRecord[];
  readonly events: readonly SiteEvent[];
}

export type Connector = "storea" | "storeb" | "socialads" | "searchads" | "webanalytics" | "finance";
export type MarginItem = "orders" | { readonly percent: number };
export type Strategy = "acquisition" | "brand" | "monetization";

export interface Account {
  readonly id: string;
  readonly connector: Connector;
  readonly name?: string;
  readonly timezone?: string;
  /** Of an ad account: the stores whose spend it has. */
  readonly stores?: readonly string[];
}

export type Rule = { readonly strategy: Strategy } & ({ readonly id: string } | { readonly name: string });

export type ItemName = "gateway" | "tax" | "shipping" | "costOfGoods";

export interface Settings {
  readonly organizationId: string;
  readonly name: string;
  readonly currency: string;
  readonly integrations: readonly Account[];
  readonly margin?: { readonly percent: number } | { readonly items: Readonly<Partial<Record<ItemName, MarginItem>>> };
  readonly campaigns?: readonly Rule[];
  readonly funnel?: { readonly interest: readonly string[]; readonly decision: readonly string[] };
  readonly costs?: readonly CostRule[];
}

/** One version of an order, as one export file has it. Amounts are cents. */
export interface Order {
  readonly store: string;
  readonly id: string;
  readonly file: File;
  /** The vendor's own time of this version. */
  readonly changed: number;
  readonly state: StoreaState | StorebState;
  /** When the order was placed, in milliseconds and parts of one: this dates it. */
  readonly at: number;
  /** storea: the basket to which it belongs. */
  readonly group: string | null;
  readonly value: number;
  readonly shipping: number | null;
  readonly tax: number | null;
  readonly platformId: string | null;
  readonly email: string | null;
  readonly source: string | null;
  readonly medium: string | null;
  readonly campaign: string | null;
  readonly coupon: string | null;
  readonly lines: readonly Line[];
}

/** The file of a row: files of one sync are taken in the order of `no`. */
export interface File {
  readonly sync: number;
  readonly no: number;
}

export interface StoreaState {
  readonly vendor: "storea";
  readonly status: string | null;
  readonly authorized: boolean;
  readonly invoiced: boolean;
}

export interface StorebState {
  readonly vendor: "storeb";
  readonly financial: string | null;
  readonly cancelled: boolean;
  readonly test: boolean;
  /** The platform's creation date of an imported order is later than the order. */
  readonly processed: "absent" | "same" | "imported";
  readonly api: "rest" | "graphql";
}

export interface Line {
  /** SKU or variant; null: a line of no product. */
  readonly sku: number | null;
  readonly quantity: number;
  readonly price: number;
  readonly discount: number;
  readonly tax: number;
  /** Only storea: storeb's costs are read with the inventory. */
  readonly cost: number | null;
  readonly saleValue: "total" | "selling" | "none";
  readonly giftCard: boolean;
  readonly removed: number;
  readonly returned: number;
}

/** A storeb inventory export of one sync: the cost of each variant then; null is unknown. */
export interface CostReading {
  readonly store: string;
  readonly sync: number;
  readonly costs: readonly (number | null)[];
}

/** The product with only this SKU in a store's catalog, exported with the first sync. */
export interface CatalogEntry {
  readonly store: string;
  readonly sku: number;
  readonly name: string | null;
  /** One of CATEGORIES, by its place. */
  readonly category: number | null;
}

/** Root categories of storea by their ids there, and the product types that storeb has instead. */
export const CATEGORIES = [
  { id: "1", name: "Casa", type: "Casa", slug: "casa" },
  { id: "2", name: "Moda & Cia", type: "Moda & Cia", slug: "moda-cia" },
] as const;

/** One report row of a campaign. Spend is millionths; social ads only have whole cents. */
export interface AdRecord {
  readonly account: string;
  readonly file: File;
  readonly campaign: string;
  readonly name: string | null;
  readonly start: string;
  /** null: missing in the export. Search ads only have single days. */
  readonly stop: string | null;
  readonly spend: number;
  readonly impressions: number;
  readonly clicks: number;
  /** What the platform claims, in hundredths: conversions of search ads, the return on spend of social ads; null: missing. */
  readonly claimed: number | null;
  /** The value of these conversions, in cents: of search ads only. */
  readonly claimedValue: number;
}

export interface SiteEvent {
  readonly account: string;
  readonly day: string;
  readonly name: string;
  readonly count: number;
}

/** The question for a world. */
export interface Period {
  readonly start: string;
  readonly end: string;
}

export const VARIANTS = 4;
const DAY = 86_400_000;

const uuid = (kind: number, no: number): string =>
  `${kind.toString(16).padStart(8, "0")}-0000-4000-8000-${((no * 7919) % 65_521).toString(16).padStart(12, "0")}`;

/** The days of events: around the ends of months, quarters and years, close enough to meet. */
const DAYS = [
  "2023-12-31",
  "2024-01-01",
  "2024-02-29",
  "2024-03-01",
  "2024-09-30",
  "2024-12-31",
  "2025-01-01",
  "2025-01-15",
  "2025-01-31",
  "2025-02-01",
  "2025-02-10",
  "2025-02-28",
  "2025-03-01",
  "2025-03-20",
  "2025-03-31",
  "2025-04-01",
  "2025-04-03",
];
const TIMES = ["00:00:00.000", "00:30:00.000", "02:59:59.999", "03:00:00.000", "14:00:00.000", "15:00:00.000"];
const LATE = ["20:00:00.000", "23:59:59.999"];

export const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
/** Mostly the first. */
export const mostly = <T>(usual: T, ...rare: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(usual, ...rare) });

const day = oneOf(...DAYS);
/** Around midnight of the first of a month, where time zones differ. */
const edge = fc
  .tuple(oneOf("2025-03-01", "2025-02-01", "2025-01-01", "2025-04-01"), fc.integer({ min: -10, max: 6 }))
  .map(([date, hours]) => Date.parse(`${date}T00:00:00.000Z`) + hours * 3_600_000);
const anyTime = fc
  .tuple(oneOf(...[...DAYS].reverse()), oneOf(...["14:00:00.000", ...TIMES, ...LATE]))
  .map(([date, time]) => Date.parse(`${date}T${time}Z`));
const instant = fc.oneof({ weight: 2, arbitrary: anyTime }, { weight: 1, arbitrary: edge });

const cents = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 50_000 }) },
  { weight: 1, arbitrary: oneOf(0, 1, 5, 10_000, 12_345) },
);

export const PEOPLE = ["ana", "bia", "caio", "davi", "eva", "fabi", "gil", "hugo"].map((name) => `${name}@example.com`);

/** A person's e-mail as stores may have it. */
export const emailForms = {
  plain: (email: string) => email,
  shouted: (email: string) => `  ${email.toUpperCase()} `,
  masked: (email: string) => `${email}-8213731236543b.ct.vtex.com.br`,
  maskedShouted: (email: string) => `${email.toUpperCase()}-77.ct.vtex.com.br`,
  alias: (email: string) => `${email.length}${email.charCodeAt(0)}ab@ct.vtex.com.br`,
  subAlias: (email: string) => `x${email.length}@loja.ct.vtex.com.br`,
  marketplace: (email: string) => `${email.split("@")[0]}@marketplace.amazon.com.br`,
  market: (email: string) => `${email.split("@")[0]}@mail.mercadolivre.com`,
  noreply: () => "no-reply@example.com",
  without: () => "SemEmail@example.com",
  maskedNoreply: () => "naoinformado@example.com-12b.ct.vtex.com.br",
  untold: (email: string) => email.replace("@", " at "),
  twoAts: (email: string) => email.replace("@", "@@"),
  blank: () => "  ",
  none: () => null,
} as const;
type EmailForm = keyof typeof emailForms;

const CAMPAIGN_IDS = ["120210", "120211", "9", "10", "230030040050060070"] as const;
const CAMPAIGN_NAMES = [
  "Marca Aurora",
  "Conheça a Aurora",
  "Volte Sempre",
  "Promo_Verão-25",
  "marca aurora",
  "Feira",
] as const;

const utmCampaign = fc.oneof(
  fc.constant(null),
  oneOf<string>(...CAMPAIGN_IDS),
  oneOf<string>(...CAMPAIGN_IDS),
  oneOf<string>(...CAMPAIGN_NAMES),
  oneOf(
    "",
    " 120210 ",
    "MARCA+AURORA",
    "marca_aurora",
    "marca\u00a0 aurora",
    "Conhe%C3%A7a+a+Aurora",
    "Conhece a Aurora",
    "promo verão 25",
    "volte%20sempre",
    "50% off",
    "%zz",
    "Feira do Porto",
    "-",
    "999",
  ),
);
const utmSource = fc.oneof(
  fc.constant(null),
  oneOf(
    "google",
    "Google Ads",
    "facebook",
    "l.instagram.com",
    "m.facebook.com",
    "ig",
    "x",
    "x.com",
    "bing",
    "adwords",
    "newsletter",
    "afiliado",
    "(direct)",
    "direct",
    "parceiro",
    "tiktok",
    "youtube",
    "googlex",
    "",
    " ",
    "e-mail",
  ),
);
const utmMedium = fc.oneof(
  fc.constant(null),
  oneOf(
    "cpc",
    "CPM",
    "paid_social",
    "ads",
    "pago",
    "midia paga",
    "mídia paga",
    "midiapaga",
    "email",
    "e-mail",
    "affiliates",
    "organic",
    "organic_social",
    "social-media",
    "sm",
    "referral",
    "(none)",
    "(not set)",
    "none",
    "link",
    "",
    "banner",
    "seo",
  ),
);
const coupon = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: oneOf("SOL20", " sol20 ", "verão", "", "VOLTA 40", "%41") },
);

const storeaState = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ status: "invoiced", authorized: true, invoiced: true }) },
  {
    weight: 2,
    arbitrary: fc.record({
      status: oneOf(
        "handling",
        "request-cancel",
        "cancellation-requested",
        "payment-pending",
        "canceled",
        "cancelled",
        "cancel",
        "replaced",
        null,
        "",
      ),
      authorized: fc.boolean(),
      invoiced: fc.boolean(),
    }),
  },
);
const storebState = fc.record({
  financial: mostly(
    "paid",
    "partially_paid",
    "partially_refunded",
    "refunded",
    "pending",
    "authorized",
    "voided",
    null,
  ),
  cancelled: mostly(false, true),
  test: mostly(false, false, true),
  processed: mostly("same", "absent", "imported") as fc.Arbitrary<StorebState["processed"]>,
});

const line = fc.record({
  sku: mostly<number | null>(0, 1, 2, 3, null),
  quantity: fc.integer({ min: 1, max: 3 }),
  price: cents,
  discount: mostly(0, 100, 333),
  tax: mostly(0, 7, 250),
  cost: fc.oneof(cents, mostly<number | null>(1999, 0, null)),
  saleValue: mostly<Line["saleValue"]>("total", "selling", "none"),
  giftCard: mostly(false, false, false, true),
  removed: mostly(0, 1, 3),
  returned: mostly(0, 1, 3),
});

/** The fields of an order's version. */
const content = fc.record({
  storea: storeaState,
  storeb: storebState,
  at: instant,
  value: cents,
  shipping: fc.oneof(oneOf<number | null>(0, null), cents),
  tax: fc.oneof(oneOf<number | null>(0, 0, null), cents),
  person: fc.nat({ max: PEOPLE.length - 1 }),
  email: mostly<EmailForm>("plain", ...(Object.keys(emailForms) as EmailForm[])),
  /** The platform id: the customer's own, one that several share, none, blank. */
  platformId: mostly("own", "shared", "shared", "none", "blank"),
  source: utmSource,
  medium: utmMedium,
  campaign: utmCampaign,
  coupon,
  group: oneOf<string | null>(null, "", " ", "g1", "g2", "g3", "own", "own", "own"),
  lines: fc.array(line, { minLength: 0, maxLength: 3, size: "max" }),
});
type Content = typeof content extends fc.Arbitrary<infer T> ? T : never;

const orderSpec = fc.record({
  store: fc.nat({ max: 2 }),
  no: fc.integer({ min: 1, max: 40 }),
  file: fc.nat({ max: 2 }),
  sync: fc.nat({ max: 1 }),
  content,
  older: fc.option(
    fc.record({
      content,
      file: fc.nat({ max: 2 }),
      sync: fc.nat({ max: 1 }),
      /** Even: the same vendor time, so that the one landed later wins. */
      age: oneOf(3_600_000, 0),
    }),
    { freq: 4, nil: null },
  ),
  api: oneOf<StorebState["api"]>("rest", "graphql"),
  /** The API from which an older version came. */
  olderApi: oneOf<StorebState["api"]>("rest", "graphql"),
  /**
   * A similar order, perhaps in another store, at the same instant or not much later: the basket's rest, or another's.
   */
  twin: fc.option(
    fc.record({
      store: fc.nat({ max: 2 }),
      later: oneOf(0, 0, 0.451, 60_000, 3 * 3_600_000, 40 * DAY),
      value: cents,
      isAnothers: mostly(false, true),
      isOfOneBasket: mostly(true, false),
    }),
    { freq: 3, nil: null },
  ),
});

const recordSpec = fc.record({
  account: fc.nat({ max: 3 }),
  campaign: fc.nat({ max: CAMPAIGN_IDS.length - 1 }),
  start: day,
  days: mostly(1, 2, 3, 7, 30, 45),
  shift: fc.integer({ min: 0, max: 4 }),
  stopMissing: mostly(false, true),
  spend: fc.oneof(
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 30_000 }) },
  ),
  micros: fc.integer({ min: 0, max: 9999 }),
  impressions: fc.nat({ max: 2000 }),
  clicks: fc.nat({ max: 50 }),
  file: fc.nat({ max: 2 }),
  sync: fc.nat({ max: 1 }),
  claimed: fc.option(fc.nat({ max: 700 }), { freq: 4, nil: null }),
  claimedValue: fc.nat({ max: 90_000 }),
});

const percent = oneOf(3.5, 0, 12.345, 42.125, 60, 100);
const marginItem = fc.oneof(
  fc.constant("orders" as const),
  percent.map((value) => ({ percent: value })),
);
const margin = fc.oneof(
  fc.constant(undefined),
  percent.map((value) => ({ percent: value })),
  fc
    .record(
      { gateway: marginItem, tax: marginItem, shipping: marginItem, costOfGoods: marginItem },
      { requiredKeys: [] },
    )
    .map((items) => ({ items })),
  percent.map((value) => ({
    items: {
      gateway: { percent: value },
      tax: "orders" as const,
      shipping: "orders" as const,
      costOfGoods: "orders" as const,
    },
  })),
);

const rule: fc.Arbitrary<Rule> = fc
  .tuple(
    oneOf<Strategy>("acquisition", "acquisition", "brand", "monetization"),
    fc.oneof(
      oneOf(...CAMPAIGN_IDS, " 9", "1202*", "999").map((id) => ({ id })),
      oneOf(
        "*marca aurora*",
        "MARCA_AURORA",
        "conhe%C3%A7a*",
        "volte*",
        "*",
        "*a*",
        "*e*",
        "Feira",
        "* porto",
        "promo*25",
        "-",
      ).map((name) => ({ name })),
    ),
  )
  .map(([strategy, pattern]) => ({ strategy, ...pattern }));

const EVENTS = ["view_item", "view_item_list", "purchase"] as const;
const funnel = fc.option(
  fc.constantFrom(
    { interest: ["view_item"], decision: ["purchase"] },
    { interest: ["view_item", "view_item_list"], decision: ["purchase"] },
  ),
  { nil: undefined },
);

const ZONES = [undefined, "America/Sao_Paulo", "Asia/Tokyo", "America/New_York"] as const;
const storeSpec = fc.record({ kind: oneOf<"storea" | "storeb">("storea", "storeb"), zone: oneOf(...ZONES) });

const spec = fc.record({
  stores: fc.array(storeSpec, { minLength: 1, maxLength: 3, size: "max" }),
  ads: fc.array(oneOf<"socialads" | "searchads">("socialads", "searchads"), { maxLength: 4, size: "max" }),
  analytics: mostly(1, 0, 2),
  orders: fc.array(orderSpec, { maxLength: 60, size: "max" }),
  records: fc.array(recordSpec, { maxLength: 24, size: "max" }),
  costs: fc.array(fc.array(fc.option(cents, { nil: null, freq: 5 }), { minLength: VARIANTS, maxLength: VARIANTS }), {
    minLength: 6,
    maxLength: 6,
  }),
  catalog: fc.array(
    fc.option(fc.record({ name: oneOf("Vaso", "copo", null), category: oneOf(0, 1, null) }), { nil: null, freq: 3 }),
    { minLength: 3 * VARIANTS, maxLength: 3 * VARIANTS },
  ),
  events: fc.array(
    fc.record({ account: fc.nat({ max: 1 }), day, name: oneOf(...EVENTS, "scroll"), count: fc.nat({ max: 500 }) }),
    { maxLength: 12, size: "max" },
  ),
  margin,
  rules: fc.option(fc.array(rule, { maxLength: 6, size: "max" }), { nil: undefined, freq: 8 }),
  funnel,
  /** How many syncs, and when the first was: some orders come after it. */
  twoSyncs: mostly(false, true),
});
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;

export const NOW = "2025-04-01T12:00:00.000Z";
const EARLIER = "2025-02-10T16:00:00.000Z";

export const organizationNo = (no: number): string => uuid(0x5f000000 + no, no + 1);

export const world: fc.Arbitrary<World> = spec.map(built);

function built(it: Spec): World {
  const stores: Account[] = it.stores.map(({ kind, zone }, no) => ({
    // Ids whose order is not the settings'.
    id: uuid(kind === "storea" ? 0xa1 : 0xb2, 11 - no),
    connector: kind,
    ...(zone ? { timezone: zone } : {}),
  }));
  const ads: Account[] = it.ads.map((connector, no) => ({ id: uuid(0xc3, 23 + no), connector }));
  const sites: Account[] = Array.from({ length: it.analytics }, (_, no) => ({
    id: uuid(0xe5, 31 + no),
    connector: "webanalytics" as const,
  }));
  const syncs = it.twoSyncs ? [EARLIER, NOW] : [NOW];
  const syncOf = (no: number): number => Math.min(no, syncs.length - 1);
  const settings: Settings = {
    organizationId: organizationNo(0),
    name: "Mundo",
    currency: "BRL",
    integrations: [...ads.slice(0, 1), ...stores, ...ads.slice(1), ...sites],
    ...(it.margin ? { margin: it.margin } : {}),
    ...(it.rules ? { campaigns: it.rules } : {}),
    ...(it.funnel ? { funnel: it.funnel } : {}),
  };
  return {
    settings,
    syncs,
    orders: ordersOf(it, stores, syncOf),
    costs: stores
      .filter(({ connector }) => connector === "storeb")
      .flatMap(({ id }, store) =>
        syncs.map((_, sync) => ({ store: id, sync, costs: it.costs[store * 2 + sync] ?? [] })),
      ),
    catalog: catalogOf(it, stores),
    records: recordsOf(it, ads, syncOf),
    events: eventsOf(it, sites),
  };
}

const catalogOf = (it: Spec, stores: readonly Account[]): CatalogEntry[] =>
  stores.flatMap(({ id, connector }, no) =>
    it.catalog.slice(no * VARIANTS, (no + 1) * VARIANTS).flatMap((entry, sku) =>
      // A product of storeb has a title.
      entry ? [{ ...entry, store: id, sku, name: entry.name ?? (connector === "storeb" ? "Sem nome" : null) }] : [],
    ),
  );

function ordersOf(it: Spec, stores: readonly Account[], syncOf: (no: number) => number): Order[] {
  const seen = new Set<string>();
  const isNew = (store: Account, id: string): boolean => {
    const known = seen.has(`${store.id} ${id}`);
    seen.add(`${store.id} ${id}`);
    return !known;
  };
  const storeOf = (no: number): Account => stores[no % stores.length] as Account;
  // As text "10" comes before "9".
  const idOf = (store: Account, no: number): string => (store.connector === "storea" ? `${no}-01` : String(no));
  return it.orders.flatMap((order) => {
    const store = storeOf(order.store);
    const id = idOf(store, order.no);
    if (!isNew(store, id)) return [];
    const changed = Date.parse("2025-03-01T00:00:00.000Z") + order.no * 1000;
    const file = { sync: syncOf(order.sync), no: order.file };
    const all = [versionOf(store, id, order.content, changed, file, order.api)];
    if (order.twin) {
      const other = storeOf(order.twin.store);
      const otherId = idOf(other, order.no * 11);
      const { value, isAnothers, isOfOneBasket } = order.twin;
      // storeb has milliseconds.
      const later = other.connector === "storea" ? order.twin.later : Math.round(order.twin.later);
      const person = (order.content.person + Number(isAnothers)) % PEOPLE.length;
      const group = isOfOneBasket && order.content.group === "own" ? `of ${id}` : order.content.group;
      const content = { ...order.content, at: order.content.at + later, value, person, group };
      if (isNew(other, otherId)) all.push(versionOf(other, otherId, content, changed, file, order.api));
    }
    if (!order.older) return all;
    const before = { sync: syncOf(order.older.sync), no: order.older.file };
    // In one file two versions of one time cannot be distinguished.
    if (order.older.age === 0 && before.sync === file.sync && before.no === file.no) return all;
    all.push(versionOf(store, id, order.older.content, changed - order.older.age, before, order.olderApi));
    return all;
  });
}

function versionOf(
  store: Account,
  id: string,
  it: Content,
  changed: number,
  file: File,
  api: StorebState["api"],
): Order {
  const email = emailForms[it.email](PEOPLE[it.person] as string);
  const ids: Record<string, string | null> = {
    own: String(9000 + it.person),
    shared: "9999",
    none: null,
    // A missing number is null: only texts have blank ids.
    blank: store.connector === "storea" ? " " : null,
  };
  const state: StoreaState | StorebState =
    store.connector === "storea" ? { vendor: "storea", ...it.storea } : { vendor: "storeb", ...it.storeb, api };
  const skus = new Set<number | null>();
  const lines = it.lines
    // One line per SKU, so that a removal identifies its line.
    .filter(({ sku }) => (sku === null && store.connector === "storea" ? false : !skus.has(sku) && skus.add(sku)))
    .map((one) => {
      const removed = Math.min(one.removed, one.quantity);
      return {
        ...one,
        giftCard: one.giftCard && store.connector === "storeb",
        removed,
        returned: Math.min(one.returned, one.quantity - removed),
      };
    });
  return {
    store: store.id,
    id,
    file,
    changed,
    state,
    at: it.at,
    group: store.connector === "storea" ? (it.group === "own" ? `of ${id}` : it.group) : null,
    value: it.value,
    shipping: it.shipping,
    tax: it.tax,
    platformId: ids[it.platformId] ?? null,
    email,
    source: it.source,
    medium: it.medium,
    campaign: it.campaign,
    coupon: it.coupon,
    lines,
  };
}

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);

function recordsOf(it: Spec, ads: readonly Account[], syncOf: (no: number) => number): AdRecord[] {
  const kept: AdRecord[] = [];
  for (const one of it.records) {
    // Two accounts of a platform may report the same id, and another platform may use it for another campaign.
    const account = ads[one.account % Math.max(ads.length, 1)];
    if (!account) continue;
    const single = account.connector === "searchads" || one.stopMissing;
    const start = addDays(one.start, one.shift);
    const stop = addDays(start, single ? 0 : one.days - 1);
    const names = [CAMPAIGN_NAMES[one.campaign], CAMPAIGN_NAMES[(one.campaign + 3) % CAMPAIGN_NAMES.length], null];
    const record: AdRecord = {
      account: account.id,
      file: { sync: syncOf(one.sync), no: one.file },
      campaign: CAMPAIGN_IDS[one.campaign] as string,
      // Renamed back and forth; the same days always have the same name, so that the latest name is certain.
      name: names[[0, 0, 1, 1, 0, 1, 0, 2][(Date.parse(start) / DAY + Date.parse(stop) / DAY) % 8] as number] ?? null,
      start,
      stop: one.stopMissing && account.connector === "socialads" ? null : stop,
      spend: one.spend * 10_000 + (account.connector === "searchads" && one.spend > 0 ? one.micros : 0),
      impressions: one.impressions,
      clicks: one.clicks,
      claimed: one.claimed,
      claimedValue: one.claimedValue,
    };
    const isOfPlatform = (other: AdRecord): boolean =>
      ads.find(({ id }) => id === other.account)?.connector === account.connector;
    if (!kept.some((other) => isOfPlatform(other) && undecided(record, other))) kept.push(record);
  }
  return kept;
}

/** Two overlapping records of as many days, neither landed later: it is undefined which one counts. */
function undecided(a: AdRecord, b: AdRecord): boolean {
  const [aStop, bStop] = [a.stop ?? a.start, b.stop ?? b.start];
  const span = (from: string, to: string): number => Date.parse(to) - Date.parse(from);
  return (
    a.campaign === b.campaign &&
    span(a.start, aStop) === span(b.start, bStop) &&
    a.start <= bStop &&
    b.start <= aStop &&
    a.file.sync === b.file.sync &&
    (a.account !== b.account || a.file.no === b.file.no)
  );
}

function eventsOf(it: Spec, sites: readonly Account[]): SiteEvent[] {
  const seen = new Set<string>();
  return it.events.flatMap((event) => {
    const site = sites[event.account % Math.max(sites.length, 1)];
    const key = `${site?.id} ${event.day} ${event.name}`;
    if (!site || seen.has(key)) return [];
    seen.add(key);
    return [{ account: site.id, day: event.day, name: event.name, count: event.count }];
  });
}

/** Periods around the events. */
export const period: fc.Arbitrary<Period> = fc
  .tuple(
    oneOf(...[...DAYS].reverse()),
    oneOf(1, 2, 15, 28, 31, 59, 90, 92, 93, 200, 365, 366),
    fc.integer({ min: -3, max: 3 }),
  )
  .map(([end, length, shift]) => ({ start: addDays(end, shift - length + 1), end: addDays(end, shift) }));

/** The same data under another organization's id. */
export const renumbered = (it: World, no: number): World => ({
  ...it,
  settings: { ...it.settings, organizationId: organizationNo(no) },
});

/** Worlds that fit into one data folder. */
export const worlds = (some: readonly World[]): World[] => some.map(renumbered);
