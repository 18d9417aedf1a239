import type { Market, Store } from "../support/market.ts";
import { NOW } from "../support/world.ts";
import { type Category, catalogOf, categoriesOf, type Product, pathTo, soldAlone, UNCATEGORIZED } from "./catalog.ts";
import type { Span } from "./days.ts";
import { byText } from "./facts.ts";
import type { Fraction } from "./fraction.ts";
import { type Measured, type Metrics, measured, type StoreFacts } from "./metrics.ts";
import { recordsReturns, salesOf } from "./sales.ts";
import { type Stock, stockOf, together } from "./stock.ts";

/** The listing and its categories, from the sentences of the rules. */

export type Row = Readonly<Record<string, unknown>>;
type Bounds = Readonly<{ min?: string; max?: string }>;

export interface Selection {
  readonly from: string;
  readonly to: string;
  readonly search?: string;
  readonly status?: "all" | "active" | "inactive";
  readonly categoryIds?: readonly string[];
  readonly ranges?: Readonly<Partial<Record<Ranged, Bounds>>>;
  readonly columns?: readonly string[];
}
export const RANGED = ["netSales", "marginTotal", "marginAverage", "availableStock"] as const;
export type Ranged = (typeof RANGED)[number];

export interface Page {
  readonly sortBy: string;
  readonly sortOrder: "asc" | "desc";
  readonly page: number;
  readonly pageSize: number;
}

/** Decimals of each metric [D8], in the order of the answer. */
const DECIMALS: Readonly<Record<string, number>> = {
  grossSales: 2,
  netSales: 2,
  grossUnits: 2,
  netUnits: 2,
  averageTicket: 2,
  cogs: 2,
  marginTotal: 2,
  marginAverage: 4,
  newCustomers: 0,
  recurringCustomers: 0,
  entryCustomers: 0,
  matureEntryCustomers: 0,
  ltv180: 2,
  repurchaseRate180: 4,
  ltvToDate: 2,
  repurchaseRateToDate: 4,
  cohortElapsedDaysAverage: 2,
  availableStock: 2,
  velocity30d: 4,
  daysOfStock: 2,
  returnRate: 4,
};
export const METRICS = Object.keys(DECIMALS);
export const SORTINGS = [
  "productName",
  "updatedAt",
  ...METRICS.filter((name) => !["grossUnits", "cogs", "cohortElapsedDaysAverage", "velocity30d"].includes(name)),
];

/** A store's data, for all computations. */
export interface StoreView extends StoreFacts {
  readonly store: Store;
  readonly catalog: readonly Product[];
  readonly categories: ReadonlyMap<string, Category>;
  readonly stocks: ReadonlyMap<string, Stock>;
}

export function viewOf(market: Market, store: Store): StoreView {
  const sales = salesOf(market, store);
  const categories = categoriesOf(store);
  const catalog = catalogOf(market, store, categories, sales);
  const landings = [...store.entries, ...store.readings, ...store.orders].map(({ sync }) => sync);
  if (store.tree !== null) landings.push(0);
  const asOf = landings.length === 0 ? null : (market.syncs[Math.max(...landings)] as string);
  const days = [NOW.slice(0, 10), ...(asOf === null ? [] : [asOf.slice(0, 10)])].sort();
  return {
    store,
    sales,
    catalog,
    categories,
    stocks: new Map(catalog.map(({ id, skus }) => [id, stockOf(market, store, skus)])),
    hasReturns: recordsReturns(market, store),
    asOf,
    asOfDay: days[0] as string,
    now: Date.parse(NOW),
  };
}

export const UNREAD: Stock = { state: "unknown", available: null, readAt: null, skus: 0, skusRead: 0 };

interface Listed {
  readonly product: Product;
  readonly stock: Stock;
  readonly measured: Measured;
  readonly shown: Row;
}

/** The products that a request selects [D36]. */
function selected(view: StoreView, it: Selection): Listed[] {
  const period = { start: it.from, end: it.to };
  const gone = soldAlone(view.sales, period, view.catalog);
  return [...view.catalog, ...gone]
    .filter((product) => matches(view, product, it))
    .map((product) => {
      const stock = view.stocks.get(product.id) ?? UNREAD;
      const of = measured(view, new Set([product.id]), stock, period);
      return { product, stock, measured: of, shown: rounded(of.metrics) };
    })
    .filter(({ shown }) => RANGED.every((metric) => inside(shown[metric], it.ranges?.[metric])));
}

function matches({ categories }: StoreView, { name, status, category }: Product, it: Selection): boolean {
  const wanted = it.categoryIds ?? [];
  const own = category === UNCATEGORIZED ? [category] : pathTo(category, categories).map(({ id }) => id);
  return (
    (it.search === undefined || (name ?? "\0").toLowerCase().includes(it.search.toLowerCase())) &&
    (it.status === undefined || it.status === "all" || it.status === status) &&
    (wanted.length === 0 || own.some((id) => wanted.includes(id)))
  );
}

/** N/D is in no range. */
function inside(value: unknown, bounds: Bounds | undefined): boolean {
  if (bounds?.min === undefined && bounds?.max === undefined) return true;
  if (typeof value !== "number") return false;
  return (
    (bounds.min === undefined || value >= Number(bounds.min)) &&
    (bounds.max === undefined || value <= Number(bounds.max))
  );
}

export const rounded = (metrics: Metrics): Row =>
  Object.fromEntries(
    METRICS.map((name) => [name, (metrics[name] as Fraction | null)?.number(DECIMALS[name] as number) ?? null]),
  );

const chosen = (shown: Row, { columns }: Selection): Row =>
  columns ? Object.fromEntries(Object.entries(shown).filter(([name]) => columns.includes(name))) : shown;

function head(view: StoreView, it: Selection): Row {
  return {
    period: { from: it.from, to: it.to },
    asOf: view.asOf,
    selectedColumns: METRICS.filter((name) => it.columns?.includes(name) ?? true),
    availableColumns: METRICS,
  };
}

/** The product's own columns of a row. */
const toldOf = (view: StoreView, product: Product): Readonly<{ productId: string }> & Row => ({
  integrationId: view.store.account.id,
  productId: product.id,
  productName: product.name,
  status: product.status,
  categoryId: product.category,
  categoryName: view.categories.get(product.category)?.name ?? null,
  imageUrl: product.image,
  updatedAt: product.updatedAt,
});

/** The row of a product, whether or not the listing has it. */
export function rowOf(view: StoreView, product: Product, period: Span): Row {
  const { metrics, states } = measured(view, new Set([product.id]), view.stocks.get(product.id) ?? UNREAD, period);
  return { ...toldOf(view, product), ...rounded(metrics), ...states };
}

export function listing(view: StoreView, it: Selection, page: Page, includeCategories: boolean): Row {
  const all = selected(view, it);
  const rows = all.map(({ product, measured: { states }, shown }) => ({
    key: { productName: product.name?.toLowerCase() ?? null, updatedAt: product.updatedAt, ...shown } as Row,
    row: { ...toldOf(view, product), ...chosen(shown, it), ...states },
  }));
  rows.sort(
    (a, b) =>
      inOrder(a.key[page.sortBy], b.key[page.sortBy], page.sortOrder) || byText(a.row.productId, b.row.productId),
  );
  const from = (page.page - 1) * page.pageSize;
  return {
    ...head(view, it),
    data: rows.slice(from, from + page.pageSize).map(({ row }) => row),
    pagination: {
      page: page.page,
      pageSize: page.pageSize,
      total: rows.length,
      totalPages: Math.ceil(rows.length / page.pageSize),
    },
    ...(includeCategories ? { categories: rollups(view, it, all) } : {}),
  };
}

/** N/D comes last in either direction. */
function inOrder(a: unknown, b: unknown, order: "asc" | "desc"): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const ascending = typeof a === "number" ? a - (b as number) : byText(String(a), String(b));
  return order === "asc" ? ascending : -ascending;
}

export const categoryTotals = (view: StoreView, it: Selection): Row => ({
  ...head(view, it),
  categories: rollups(view, it, selected(view, it)),
});

/** [D38] */
function rollups(view: StoreView, it: Selection, all: readonly Listed[]): Row[] {
  const members = new Map<string, Listed[]>();
  for (const one of all) {
    const path = pathTo(one.product.category, view.categories).map(({ id }) => id);
    for (const id of path.length > 0 ? path : [UNCATEGORIZED]) members.set(id, [...(members.get(id) ?? []), one]);
  }
  const none: Category = { id: UNCATEGORIZED, name: null, parent: null, depth: 0 };
  const below = (parent: string | null): Category[] =>
    [...view.categories.values()]
      .filter((category) => category.parent === parent && members.has(category.id))
      .sort((a, b) => byText(a.name ?? "\u{10ffff}", b.name ?? "\u{10ffff}") || byText(a.id, b.id))
      .flatMap((category) => [category, ...below(category.id)]);
  return [...below(null), ...(members.has(UNCATEGORIZED) ? [none] : [])].map(({ id, name, parent, depth }) => {
    const own = members.get(id) as Listed[];
    const { metrics, states } = measured(
      view,
      new Set(own.map(({ product }) => product.id)),
      together(own.map(({ stock }) => stock)),
      { start: it.from, end: it.to },
    );
    return {
      integrationId: view.store.account.id,
      categoryId: id,
      categoryName: name,
      parentCategoryId: parent,
      depth,
      ...chosen(rounded(metrics), it),
      ...states,
    };
  });
}
