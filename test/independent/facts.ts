import { documentOf } from "../support/exports.ts";
import {
  type AdRecord,
  CATEGORIES,
  type Connector,
  type ItemName,
  type Line,
  type Order,
  type Settings,
  type Strategy,
  type World,
} from "../support/world.ts";
import { brandsIn, type Carried, carriedBy } from "./carried.ts";
import { dayOf, daysFrom, plusDays } from "./days.ts";
import { Fraction } from "./fraction.ts";
import { type Channel, channelOf, fits, normalized, realEmail, unlessFiller } from "./text.ts";

/** A counted order [D3]. */
export interface Counted {
  readonly id: string;
  readonly store: string;
  readonly at: number;
  readonly day: string;
  /** The basket to which it belongs; null if it has none. */
  readonly group: string | null;
  readonly revenue: Fraction;
  readonly shipping: Fraction;
  readonly tax: Fraction;
  /** The cost of its units if all have one; null without real cost [D17]. */
  readonly cost: Fraction | null;
  /** Null: anonymous. */
  readonly customer: Customer | null;
  readonly channel: Channel;
  readonly campaign: Attribution | null;
  readonly coupon: string | null;
  /** Products of which some unit was sold. */
  readonly products: readonly Product[];
  /** Lines of which some unit was sold, without gift cards. */
  readonly lines: readonly SoldLine[];
  /** The products of which some unit was sold, line by line, with their brands; and the brands of all lines, as spelled [D87]. */
  readonly brands: readonly SoldBrand[];
  readonly spellings: readonly string[];
  /** The day of its sale [D33]; null if it was never invoiced. */
  readonly soldOn: string | null;
  readonly goods: Goods;
  readonly carried: Carried;
}

export interface SoldBrand {
  readonly product: Product;
  readonly brand: string | null;
}

/** Values and costs are of one unit; null: unknown. */
export interface SoldLine {
  readonly product: Product | null;
  readonly sold: number;
  /** Sold and not returned. */
  readonly kept: number;
  /** Returned and in stock again; if it is absent, all that were returned. */
  readonly putBack?: number;
  readonly value: Fraction | null;
  readonly cost: Fraction | null;
}

/** Sale values of an order's lines [D18]. */
export interface Goods {
  /** Of the units of products that were sold, and of those that were kept. */
  readonly sold: Fraction;
  readonly kept: Fraction;
  readonly withoutProduct: Fraction;
  readonly giftCards: Fraction;
}

/** An order that does not count, and why [D51]. */
export interface Uncounted extends Omit<Counted, "customer"> {
  readonly reason: string;
}

/** A product of a store; the same id in another store is another product. */
export interface Product {
  readonly store: string;
  readonly id: string;
  readonly name: string;
  /** Null: in no category of the store. */
  readonly category: { readonly id: string; readonly name: string } | null;
}

/** The campaign named by an order's `utm_campaign` [D14]. */
export interface Attribution {
  /** Null: of no landed campaign. */
  readonly connector: Connector | null;
  /** The campaign's id; for one that is not landed, the normalized text. */
  readonly key: string;
  readonly label: string | null;
  readonly strategy: Strategy | null;
}

export interface Customer {
  readonly key: string;
  /** The earliest first [D6]. */
  readonly orders: Counted[];
}

export const firstOf = ({ orders }: Customer): Counted => orders[0] as Counted;

/**
 * The time of the order's purchase: the earliest instant among the customer's counted orders of its group in the same
 * store, else its own [D6].
 */
export function purchasedAt({ at, store, group, customer }: Counted): number {
  if (group === null || customer === null) return at;
  const basket = customer.orders.filter((order) => order.store === store && order.group === group);
  return Math.min(...basket.map((order) => order.at));
}

export interface Campaign {
  readonly id: string;
  readonly connector: Connector;
  readonly name: string | null;
  /** Normalized: every name it ever had. */
  readonly names: ReadonlySet<string>;
  readonly strategy: Strategy | null;
}

/** A day of a campaign, counted once [D10]. */
export interface SpendDay {
  readonly day: string;
  readonly account: string;
  readonly campaign: Campaign;
  readonly spend: Fraction;
  readonly impressions: Fraction;
  readonly clicks: Fraction;
  /** What the platform claims [D54]. */
  readonly conversions: Fraction;
  readonly claimedValue: Fraction;
}

export interface Margin {
  readonly rate: Fraction;
  readonly configured: boolean;
  /** In percent of revenue, by item; null without items, or if they are more than 100 % together. */
  readonly shares: Readonly<Record<string, Fraction>> | null;
  readonly fields: {
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: string;
    readonly marginItemStatus: Readonly<Record<string, string>> | null;
  };
}

export interface Facts {
  readonly settings: Settings;
  readonly orders: readonly Counted[];
  readonly uncounted: readonly Uncounted[];
  readonly customers: readonly Customer[];
  readonly campaigns: readonly Campaign[];
  readonly spend: readonly SpendDay[];
  readonly margin: Margin;
  readonly events: World["events"];
  readonly hasAcquisition: boolean;
  /** The latest day of any counted order [D7]. */
  readonly horizon: string | null;
  readonly asOf: string | null;
  /** When each store and ad account last landed a file. */
  readonly landed: ReadonlyMap<string, string>;
  /** The last day with a landed row of each store and ad account, counted or not, as the settings list them. */
  readonly lastDays: readonly LastDay[];
  /** Of what these are a part; null: of the whole organization. */
  readonly filter: Filter | null;
}

/** The store, the channel or both that facts are of [D86]. */
export interface Filter {
  readonly integrationId: string | null;
  readonly channel: Channel | null;
  readonly isSpendKnown: boolean;
  readonly whole: Facts;
}

export const nameOf = (facts: Facts, store: string): string | null => {
  const account = facts.settings.integrations.find(({ id }) => id === store);
  return (account && "name" in account ? (account.name as string) : null) ?? null;
};

/** Those of the organization. */
export const wholeOf = (facts: Facts): Facts => facts.filter?.whole ?? facts;

export interface LastDay {
  readonly integrationId: string;
  readonly kind: "store" | "ads";
  readonly lastDay: string | null;
}

const CENTS = 100;
const money = (cents: number | null): Fraction => new Fraction(cents ?? 0, CENTS);

export function grouped<K, T>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** Binary order of ASCII text. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether a file landed later than another: in a later sync, or as a younger file of the same one. */
const landedLater = (a: { file: AdRecord["file"] }, b: { file: AdRecord["file"] }): number =>
  a.file.sync - b.file.sync || a.file.no - b.file.no;

export function factsOf(world: World): Facts {
  const landed = landedOf(world);
  const winning = winningVersions(world.orders);
  const counted = winning.filter(counts);
  const { campaigns, spend } = mediaOf(world);
  const orders = withCustomers(
    counted,
    counted.map((order) => countedOrder(order, world, campaigns)),
  );
  const customers = new Set(orders.map(({ customer }) => customer).filter((customer) => customer !== null));
  const days = orders.map(({ day }) => day).sort();
  return {
    settings: world.settings,
    orders,
    uncounted: winning
      .filter((order) => !counts(order))
      .map((order) => ({ ...countedOrder(order, world, campaigns), reason: reasonOf(order) })),
    customers: [...customers],
    campaigns,
    spend,
    margin: marginOf(world.settings, orders),
    events: world.events,
    hasAcquisition:
      campaigns.some(({ strategy }) => strategy === "acquisition") ||
      orders.some(({ campaign }) => campaign?.strategy === "acquisition"),
    horizon: days.at(-1) ?? null,
    asOf: [...landed.values()].sort()[0] ?? null,
    landed,
    lastDays: lastDaysOf(world, winning),
    filter: null,
  };
}

// ---------------------------------------------------------------------------------------------------------- orders

/** [D47]: the newest vendor timestamp, then the latest landed. */
export function winningVersions(orders: readonly Order[]): Order[] {
  const winners = new Map<string, Order>();
  for (const order of orders) {
    const key = `${order.store} ${order.id}`;
    const other = winners.get(key);
    if (!other || order.changed > other.changed || (order.changed === other.changed && landedLater(order, other) > 0)) {
      winners.set(key, order);
    }
  }
  return [...winners.values()];
}

/** [D3] */
function counts({ state }: Order): boolean {
  if (state.vendor === "storea") {
    const status = (state.status ?? "").trim();
    const gone = ["", "canceled", "cancelled", "cancel", "replaced"].includes(status);
    return (state.authorized || state.invoiced) && !gone;
  }
  const paid = ["paid", "partially_paid", "partially_refunded", "refunded"];
  return !state.cancelled && !state.test && state.financial !== null && paid.includes(state.financial);
}

/** Of an order that does not count [D51]. */
function reasonOf({ state }: Order): string {
  const status = state.vendor === "storea" ? (state.status ?? "").trim() : "";
  if (["canceled", "cancelled", "cancel"].includes(status) || (state.vendor === "storeb" && state.cancelled)) {
    return "cancelled";
  }
  if (status === "replaced") return "replaced";
  return state.vendor === "storeb" && state.test ? "test" : "unpaid";
}

type Nobodys = Omit<Counted, "customer">;

function countedOrder(order: Order, world: World, campaigns: readonly Campaign[]): Nobodys {
  const store = world.settings.integrations.find(({ id }) => id === order.store);
  const channel = channelOf(order);
  const coupon = (unlessFiller(order.coupon) ?? "").trim().toUpperCase();
  const brands = brandsIn(documentOf(order));
  return {
    id: order.id,
    store: order.store,
    at: order.at,
    day: dayOf(order.at, store?.timezone),
    group: (order.group ?? "").trim() === "" ? null : order.group,
    revenue: money(order.value),
    shipping: money(order.shipping),
    tax: money(order.tax),
    cost: costOf(order, world),
    channel,
    campaign: attributed(order.campaign, channel, campaigns, world.settings),
    coupon: coupon === "" ? null : coupon,
    products: order.lines
      .filter(({ giftCard, quantity, removed }) => !giftCard && quantity > removed)
      .flatMap(({ sku }) => (sku === null ? [] : [productOf(order, sku, world)])),
    lines: order.lines
      .filter(({ giftCard, quantity, removed }) => !giftCard && quantity > removed)
      .map((line) => soldLine(order, line, world)),
    brands: order.lines.flatMap(({ giftCard, quantity, removed, sku }, no) =>
      giftCard || quantity <= removed || sku === null
        ? []
        : [{ product: productOf(order, sku, world), brand: brands[no] ?? null }],
    ),
    spellings: brands.filter((brand) => brand !== null),
    soldOn: soldOnOf(order, store?.timezone),
    goods: goodsOf(order),
    carried: carriedBy(documentOf(order), {
      at: order.at,
      day: dayOf(order.at, store?.timezone),
      timezone: store?.timezone,
      items: order.lines.length === 0 ? null : unitsOf(order),
    }),
  };
}

/** Units sold [D72]: gift cards have none, and removed ones were not sold. */
const unitsOf = ({ lines }: Order): number =>
  lines.reduce((sum, { giftCard, quantity, removed }) => sum + (giftCard ? 0 : quantity - removed), 0);

/** An invoice of storea is 30 hours after its order. */
function soldOnOf({ state, at }: Order, zone: string | undefined): string | null {
  if (state.vendor === "storeb") return dayOf(at, zone);
  return state.invoiced ? dayOf(at + 30 * 3_600_000, zone) : null;
}

function goodsOf(order: Order): Goods {
  const sum = (wanted: (line: Line) => boolean, units: (line: Line) => number): Fraction =>
    Fraction.sum(
      order.lines
        .filter(wanted)
        .map((line) => (unitValueOf(order, line) ?? Fraction.zero).times(new Fraction(units(line)))),
    );
  const isProduct = ({ sku, giftCard }: Line): boolean => sku !== null && !giftCard;
  const sold = ({ quantity, removed }: Line): number => quantity - removed;
  return {
    sold: sum(isProduct, sold),
    kept: sum(isProduct, (line) => sold(line) - line.returned),
    withoutProduct: sum(({ sku, giftCard }) => sku === null && !giftCard, sold),
    giftCards: sum(({ giftCard }) => giftCard, sold),
  };
}

function soldLine(order: Order, line: Line, world: World): SoldLine {
  const sold = line.quantity - line.removed;
  const cost = unitCostOf(order, line, world);
  return {
    product: line.sku === null ? null : productOf(order, line.sku, world),
    sold,
    kept: sold - Math.min(line.returned, sold),
    value: unitValueOf(order, line),
    cost: cost === null ? null : money(cost),
  };
}

/** [D18]: a storeb line has its discount, and taxes in its price if the order's prices include them. */
function unitValueOf({ state, lines }: Order, { price, quantity, discount, tax, saleValue }: Line): Fraction | null {
  if (state.vendor === "storea") return saleValue === "none" ? null : money(Math.max(0, price - discount));
  const included = lines.some((one) => one.tax > 0) ? tax : 0;
  return new Fraction(price * quantity - discount - included, quantity * CENTS);
}

/** Named by the catalog, else by the sale. */
function productOf({ store, state }: Order, sku: number, world: World): Product {
  const isA = state.vendor === "storea";
  const entry = world.catalog.find((one) => one.store === store && one.sku === sku);
  const category = CATEGORIES[entry?.category ?? -1];
  return {
    store,
    id: isA ? `5${sku}` : `gid://shopify/Product/${8100 + sku}`,
    name: entry?.name ?? `Produto ${sku}`,
    category: category ? { id: isA ? category.id : category.slug, name: category.name } : null,
  };
}

/** [D17]: only of the units sold; removed ones were not, returned ones were [D18]. */
function costOf(order: Order, world: World): Fraction | null {
  let units = 0;
  let cost = Fraction.zero;
  for (const line of order.lines) {
    const sold = line.giftCard ? 0 : line.quantity - line.removed;
    if (sold === 0) continue;
    const unitCost = unitCostOf(order, line, world);
    if (unitCost === null) return null;
    units += sold;
    cost = cost.plus(money(unitCost).times(new Fraction(sold)));
  }
  return units === 0 ? null : cost;
}

/** For storeb: of the newest inventory export landed before the sale, else the earliest [D33]. */
function unitCostOf(order: Order, line: Line, world: World): number | null {
  if (order.state.vendor === "storea") return line.cost;
  if (line.sku === null) return null;
  const readings = world.costs.filter(({ store }) => store === order.store).sort((a, b) => a.sync - b.sync);
  const before = readings.filter(({ sync }) => Date.parse(world.syncs[sync] as string) < order.at);
  return (before.at(-1) ?? readings[0])?.costs[line.sku] ?? null;
}

/** [D6] */
function earlier(a: Nobodys, b: Nobodys): number {
  return a.at - b.at || byText(a.id, b.id) || byText(a.store, b.store);
}

/** [D5] */
function withCustomers(exported: readonly Order[], orders: readonly Nobodys[]): Counted[] {
  const platformKey = ({ platformId, store }: Order): string | null => {
    const id = unlessFiller(platformId)?.trim() ?? "";
    return id === "" || id.toLowerCase() === "guest" ? null : `${store} ${platformId}`;
  };
  const both = exported.map((order, no) => ({ order, counted: orders[no] as Nobodys }));
  both.sort((a, b) => earlier(a.counted, b.counted));
  const emailOf = new Map<string, string>();
  for (const { order } of both) {
    const [platform, email] = [platformKey(order), realEmail(order.email)];
    if (platform !== null && email !== null) emailOf.set(platform, email);
  }
  const customers = new Map<string, Customer>();
  return both.map(({ order, counted }) => {
    const platform = platformKey(order);
    const email = (platform === null ? undefined : emailOf.get(platform)) ?? realEmail(order.email);
    const key = email ?? platform;
    if (key === null) return { ...counted, customer: null };
    const customer = customers.get(key) ?? { key, orders: [] };
    customers.set(key, customer);
    const whole: Counted = { ...counted, customer };
    customer.orders.push(whole);
    return whole;
  });
}

// ----------------------------------------------------------------------------------------------------------- media

function mediaOf(world: World): { campaigns: Campaign[]; spend: SpendDay[] } {
  const connectors = new Map(world.settings.integrations.map(({ id, connector }) => [id, connector]));
  const records = new Map<string, AdRecord>();
  for (const record of world.records) {
    const key = [record.account, record.campaign, record.start, record.stop ?? record.start].join(" ");
    const other = records.get(key);
    if (!other || landedLater(record, other) > 0) records.set(key, record);
  }
  // One id in both networks is two campaigns [D13].
  const byCampaign = grouped(records.values(), ({ account, campaign }) => `${connectors.get(account)} ${campaign}`);
  const campaigns: Campaign[] = [];
  const spend: SpendDay[] = [];
  for (const own of byCampaign.values()) {
    const latest = own.toSorted(
      (a, b) => byText(b.stop ?? b.start, a.stop ?? a.start) || byText(b.start, a.start),
    )[0] as AdRecord;
    const id = latest.campaign;
    const names = own.map(({ name }) => normalized(name)).filter((name) => name !== null);
    const campaign: Campaign = {
      id,
      connector: connectors.get(latest.account) as Connector,
      name: latest.name,
      names: new Set(names),
      strategy: strategyOf(id, latest.name, world.settings),
    };
    campaigns.push(campaign);
    spend.push(...daysOf(campaign, own));
  }
  return { campaigns, spend };
}

/** [D13]: the first rule that matches wins. */
function strategyOf(id: string | null, name: string | null, settings: Settings): Strategy | null {
  const same = (text: string): boolean => normalized(text) !== null && normalized(text) === normalized(id);
  const rule = (settings.campaigns ?? []).find((one) => ("id" in one ? same(one.id) : fits(one.name, name)));
  return rule?.strategy ?? null;
}

const MICRO = 1_000_000;

function daysOf(campaign: Campaign, records: readonly AdRecord[]): SpendDay[] {
  const winners = new Map<string, { record: AdRecord; span: number }>();
  for (const record of records) {
    const span = daysFrom(record.start, record.stop ?? record.start);
    for (let no = 0; no < span; no++) {
      const day = plusDays(record.start, no);
      const other = winners.get(day);
      if (!other || span < other.span || (span === other.span && landedLater(record, other.record) > 0)) {
        winners.set(day, { record, span });
      }
    }
  }
  return [...winners].map(([day, { record, span }]) => {
    const share = (total: Fraction): Fraction => {
      const each = total.times(new Fraction(1, span)).rounded(6);
      const last = day === (record.stop ?? record.start);
      return last ? total.minus(each.times(new Fraction(span - 1))) : each;
    };
    return {
      day,
      account: record.account,
      campaign,
      spend: share(new Fraction(record.spend, MICRO)),
      impressions: share(new Fraction(record.impressions)),
      clicks: share(new Fraction(record.clicks)),
      conversions: share(new Fraction(record.claimed ?? 0, 100)),
      claimedValue: share(claimedValue(campaign, record)),
    };
  });
}

/** Of search ads the value of the conversions, of social ads the return on spend times the spend [D54]. */
function claimedValue({ connector }: Campaign, { claimed, claimedValue: value, spend }: AdRecord): Fraction {
  if (connector === "searchads") return new Fraction(value, 100);
  return new Fraction(claimed ?? 0, 100).times(new Fraction(spend, MICRO)).rounded(6);
}

/** [D14] */
function attributed(
  utm: string | null,
  channel: Channel,
  campaigns: readonly Campaign[],
  settings: Settings,
): Attribution | null {
  const text = normalized(unlessFiller(utm));
  if (text === null) return null;
  const withId = campaigns.filter(({ id }) => normalized(id) === text);
  const found = withId.length > 0 ? withId : campaigns.filter(({ names }) => names.has(text));
  const [chosen] = found.toSorted(
    (a, b) =>
      Number(b.connector === channel) - Number(a.connector === channel) ||
      byText(a.id, b.id) ||
      byText(a.connector, b.connector),
  );
  return chosen
    ? // A campaign whose records do not name it is called by its id.
      {
        connector: chosen.connector,
        key: chosen.id,
        label: chosen.name ?? chosen.id,
        strategy: chosen.strategy,
      }
    : { connector: null, key: text, label: text, strategy: strategyOf(text, text, settings) };
}

// ---------------------------------------------------------------------------------------------------------- margin

const ITEMS: readonly ItemName[] = ["gateway", "tax", "shipping", "costOfGoods"];
const HUNDRED = new Fraction(100);

/** [D16] */
function marginOf({ margin }: Settings, orders: readonly Counted[]): Margin {
  if (!margin) return marginFields(HUNDRED, false, "none", null);
  if ("percent" in margin) return marginFields(Fraction.of(margin.percent), true, "none", null);
  const status: Record<string, string> = {};
  const shares: Record<string, Fraction> = {};
  let left = HUNDRED;
  for (const name of ITEMS) {
    const setting = margin.items[name];
    const share = setting === "orders" ? shareInOrders(name, orders) : setting && Fraction.of(setting.percent);
    status[name] = !share ? "pending" : setting === "orders" ? "synced" : "configured";
    shares[name] = share || Fraction.zero;
    if (share) left = left.minus(share);
  }
  const pending = Object.values(status).includes("pending");
  const fits = left.compare(Fraction.zero) >= 0;
  return { ...marginFields(left, true, pending ? "partial" : "complete", status), shares: fits ? shares : null };
}

/** In percent; null when it is pending. */
function shareInOrders(name: ItemName, orders: readonly Counted[]): Fraction | null {
  if (name === "gateway") return null;
  const chosen = name === "costOfGoods" ? orders.filter(({ cost }) => cost !== null) : orders;
  const amounts = chosen.map((order) => (name === "costOfGoods" ? (order.cost as Fraction) : order[name]));
  const synced = name === "costOfGoods" ? amounts.length > 0 : amounts.some((amount) => !amount.isZero);
  if (!synced) return null;
  const revenue = Fraction.sum(chosen.map((order) => order.revenue));
  return Fraction.sum(amounts).times(HUNDRED).per(revenue) ?? Fraction.zero;
}

function marginFields(
  percent: Fraction,
  configured: boolean,
  marginCompleteness: string,
  marginItemStatus: Record<string, string> | null,
): Margin {
  const kept = percent.compare(Fraction.zero) < 0 ? Fraction.zero : percent.compare(HUNDRED) > 0 ? HUNDRED : percent;
  const rounded = kept.rounded(2);
  return {
    rate: rounded.times(new Fraction(1, 100)),
    configured,
    shares: null,
    fields: { marginPercent: rounded.number(2), marginConfigured: configured, marginCompleteness, marginItemStatus },
  };
}

/** Of the stores and ad accounts that ever landed a file [D9]. */
function landedOf(world: World): Map<string, string> {
  const last = new Map<string, number>();
  const landed = (account: string, sync: number): void => {
    last.set(account, Math.max(last.get(account) ?? 0, sync));
  };
  for (const { store, file } of world.orders) landed(store, file.sync);
  for (const { store, sync } of world.costs) landed(store, sync);
  for (const { store } of world.catalog) landed(store, 0);
  for (const { account, file } of world.records) landed(account, file.sync);
  return new Map([...last].map(([account, sync]) => [account, world.syncs[sync] as string]));
}

/** [D23]: winning orders of a store, counted or not, and the records of an ad account. */
function lastDaysOf({ settings: { integrations }, records }: World, orders: readonly Order[]): LastDay[] {
  return integrations.flatMap(({ id, connector, timezone }): LastDay[] => {
    if (connector === "webanalytics" || connector === "finance") return [];
    const isStore = connector === "storea" || connector === "storeb";
    const days = isStore
      ? orders.filter(({ store }) => store === id).map(({ at }) => dayOf(at, timezone))
      : records.filter(({ account }) => account === id).map(({ start, stop }) => stop ?? start);
    return [{ integrationId: id, kind: isStore ? "store" : "ads", lastDay: days.sort().at(-1) ?? null }];
  });
}
