import { Admin } from "../../test/pull/admin.ts";
import { Portal } from "../../test/pull/portal.ts";
import type { Answer, Asked } from "../../test/pull/shop.ts";
import { Store } from "../../test/pull/store.ts";
import { storeaOrder } from "../../test/support/data.ts";

const DAY_MS = 86_400_000;
const CAMPAIGNS = 3;
const SKUS = 30;
const skuOf = (product: number): string => String(100 + product);
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const instantOf = (at: number): string => new Date(at).toISOString();

/** What the accounts of an organization hold at their vendors, as an object per key: what has to be landed. */
export type Truth = Readonly<Record<string, ReadonlyMap<string, string>>>;

/** An ad account, a CRM, and two stores, whose objects are made and changed by chance. */
export class Accounts {
  readonly portal = new Portal();
  readonly admin = new Admin();
  readonly store = new Store();
  /** The time at the vendors. */
  now: number;
  readonly #random: () => number;
  readonly #since: number;
  readonly #spend = new Map<string, number>();
  /** By product, each of which has one SKU. */
  readonly #stock = new Map<string, number>();
  changes = 0;

  constructor(random: () => number, since: string, now: string) {
    this.#random = random;
    this.#since = Date.parse(since);
    this.now = Date.parse(now);
    const made = (): string => instantOf(this.#since + this.#pick(this.now - this.#since));
    for (let n = 1; n <= 230; n++) this.#makeContact(made(), n % 40 === 0);
    for (let n = 0; n < 60; n++) this.#placeAtStore(made());
    for (let n = 0; n < 600; n++) this.#placeAtShop(made());
    for (let n = 1; n <= SKUS; n++) this.#count(n);
    for (let n = 1; n <= 20; n++) this.#makeProduct(n);
  }

  /** Something changes or is new, at a time of its own. */
  change(): void {
    this.changes++;
    this.now += 1000;
    const at = instantOf(this.now);
    const kinds = [
      () => this.#makeContact(at, false),
      () => this.#changeContact(at),
      () => this.#placeAtStore(at),
      () => this.#changeStoreOrder(),
      () => this.#placeAtShop(at),
      () => this.#changeShopOrder(at),
      () => this.#count(1 + this.#pick(SKUS)),
      () => this.#restate(),
    ];
    kinds[this.#pick(kinds.length)]?.();
  }

  answer(vendor: string, asked: Asked, url: string): Answer {
    if (vendor === "hubspot") return this.portal.answer(asked);
    if (vendor === "shopify") return this.admin.answer(asked, url);
    if (vendor === "vtex") return this.store.answer(asked);
    return { body: this.#ads(asked) };
  }

  truth(): Truth {
    return {
      contacts: new Map(this.portal.contacts.map(({ id, updatedAt }) => [id, updatedAt])),
      "orders of the first store": new Map(
        this.store.orders.map((order) => [order.orderId, money(Number((order as unknown as { value: number }).value))]),
      ),
      "orders of the second store": new Map(
        this.admin.orders.map((order) => [String(order.id), (order as unknown as { total_price: string }).total_price]),
      ),
      "stock of the first store": new Map([...this.#stock].map(([product, stock]) => [product, String(stock)])),
      "days of ads": new Map(
        this.#days().flatMap((day) =>
          Array.from({ length: CAMPAIGNS }, (_, n) => [`${day} ${n}`, this.#spendOf(day, n)] as const),
        ),
      ),
    };
  }

  #pick(most: number): number {
    return Math.floor(this.#random() * most);
  }

  #makeContact(at: string, isArchived: boolean): void {
    this.portal.make(this.portal.contacts.length + 1, at, isArchived);
  }

  #changeContact(at: string): void {
    const contact = this.portal.contacts[this.#pick(this.portal.contacts.length)];
    if (contact && !contact.archived) this.portal.change(contact, at);
  }

  #placeAtStore(at: string): void {
    const id = `s${this.store.orders.length}-01`;
    const order = storeaOrder({ id, value: 10 + this.#pick(9_000) / 100, at, productId: String(1 + this.#pick(SKUS)) });
    this.store.orders.push(order as never);
  }

  /** The list cannot be asked by change: orders of the last 60 days are read again. */
  #changeStoreOrder(): void {
    const young = this.store.orders.filter(({ creationDate }) => this.now - Date.parse(creationDate) < 50 * DAY_MS);
    const order = young[this.#pick(young.length)];
    if (!order) return;
    const { orderId: id, creationDate: at } = order;
    const value = 10 + this.#pick(9_000) / 100;
    Object.assign(order, storeaOrder({ id, value, at, changed: instantOf(this.now) }));
  }

  #placeAtShop(at: string): void {
    const id = this.admin.orders.length + 1;
    this.admin.orders.push(this.#shopOrder(id, at, at));
  }

  #changeShopOrder(at: string): void {
    const order = this.admin.orders[this.#pick(this.admin.orders.length)];
    if (order) Object.assign(order, this.#shopOrder(order.id, order.created_at, at));
  }

  #shopOrder(id: number, created: string, updated: string): Admin["orders"][number] {
    const price = `${10 + this.#pick(500)}.50`;
    const product = 1 + this.#pick(20);
    return {
      id,
      name: `#${id}`,
      created_at: created,
      processed_at: created,
      updated_at: updated,
      test: false,
      financial_status: "paid",
      currency: "BRL",
      total_price: price,
      subtotal_price: price,
      total_discounts: "0.00",
      total_tax: "0.00",
      taxes_included: true,
      customer: { id, email: `buyer${id % 90}@example.com` },
      discount_codes: [],
      line_items: [
        {
          id: id * 10,
          product_id: product,
          variant_id: product * 10,
          title: "P",
          quantity: 1,
          price,
          sku: `S-${product}`,
        },
      ],
      refunds: [],
    } as Admin["orders"][number];
  }

  #count(n: number): void {
    const skuId = skuOf(n);
    const product = { ProductId: n, ProductName: `Product ${n}`, IsProductActive: true, IsActive: true };
    this.store.skus.set(skuId, { Id: Number(skuId), ...product, ProductCategoryIds: "/1/" });
    const totalQuantity = this.#pick(500);
    this.#stock.set(String(n), totalQuantity);
    const balance = [{ warehouseId: "a", totalQuantity, reservedQuantity: 0, hasUnlimitedQuantity: false }];
    this.store.stocks.set(skuId, { skuId, balance });
  }

  #makeProduct(n: number): void {
    const id = `gid://shopify/Product/${n}`;
    const at = instantOf(this.#since);
    const variant = { id: `gid://shopify/ProductVariant/${n * 10}`, sku: `S-${n}`, price: "10.00", __parentId: id };
    const product = {
      id,
      legacyResourceId: String(n),
      title: `Product ${n}`,
      status: "ACTIVE",
      createdAt: at,
      updatedAt: at,
    };
    this.admin.result = [...(n === 1 ? [] : this.admin.result), product, variant];
  }

  #restate(): void {
    const day = dayOf(this.now - this.#pick(20) * DAY_MS);
    this.#spend.set(`${day} ${this.#pick(CAMPAIGNS)}`, this.#pick(90_000));
  }

  #days(): string[] {
    const days: string[] = [];
    for (let at = this.#since; at <= this.now; at += DAY_MS) days.push(dayOf(at));
    return days;
  }

  #spendOf = (day: string, n: number): string => money(this.#spend.get(`${day} ${n}`) ?? 1000 + n);

  #ads({ path, query }: Asked): unknown {
    if (path.endsWith("/debug_token")) return { data: { expires_at: Math.round(Date.now() / 1000) + 3600 } };
    if (path.endsWith("/adsets")) return { data: [{ id: "7", name: "Set", created_time: "2024-01-01T00:00:00+0000" }] };
    const { since, until } = JSON.parse(query.get("time_range") ?? "{}") as { since: string; until: string };
    const data = this.#days()
      .filter((day) => day >= since && day <= until)
      .flatMap((day) =>
        Array.from({ length: CAMPAIGNS }, (_, n) => ({
          account_id: "1234567890",
          campaign_id: String(n),
          campaign_name: `Campaign ${n}`,
          impressions: "5",
          spend: this.#spendOf(day, n),
          date_start: day,
          date_stop: day,
        })),
      );
    // A part of the rows at a time, behind a cursor.
    const begin = Number(query.get("after") ?? 0);
    const end = begin + 100;
    const isMore = end < data.length;
    return {
      data: data.slice(begin, end),
      ...(isMore ? { paging: { cursors: { after: String(end) }, next: "https://vendor.example/next" } } : {}),
    };
  }
}

const money = (cents: number): string => (cents / 100).toFixed(2);
