import {
  type Entry,
  type Market,
  productIdOf,
  type Store,
  type StorebCategory,
  skuIdOf,
  TREE,
  winningEntry,
} from "../support/market.ts";
import { type Span, within } from "./days.ts";
import { grouped } from "./facts.ts";
import type { Sale, SoldLine } from "./sales.ts";

export interface Product {
  readonly id: string;
  readonly name: string | null;
  readonly status: "active" | "inactive";
  readonly category: string;
  readonly image: string | null;
  /** Null outside the catalog. */
  readonly updatedAt: string | null;
  readonly skus: readonly Sku[];
}

/** `untracked`: the catalog says that its stock is not counted. */
export interface Sku {
  readonly id: string;
  readonly untracked: boolean;
}

export interface Category {
  readonly id: string;
  readonly name: string | null;
  readonly parent: string | null;
  readonly depth: number;
}

export const UNCATEGORIZED = "uncategorized";

/** The catalog: a product that was once exported stays in it. What it does not name is called as in its latest sale. */
export function catalogOf(
  market: Market,
  store: Store,
  categories: ReadonlyMap<string, Category>,
  sales: readonly Sale[],
): Product[] {
  const products = grouped(store.entries, ({ product }) => productIdOf(store.account, product));
  return [...products].map(([id, entries]) => {
    const latest = winningEntry(entries) as Entry;
    const sold = lastSold(sales, id);
    return {
      id,
      name: latest.name ?? sold.name,
      status: latest.active ? "active" : "inactive",
      category: nearestOf(latest).find((category) => categories.has(category)) ?? UNCATEGORIZED,
      image: latest.image ?? sold.image,
      updatedAt:
        latest.updated === null ? (market.syncs[latest.sync] as string) : new Date(latest.updated).toISOString(),
      skus: [...Array(latest.skus).keys()].map((sku) => ({
        id: skuIdOf(latest.product, sku),
        untracked: latest.tracked[sku] === false,
      })),
    };
  });
}

/** Products that were sold in a period and are not in the catalog [D36]. */
export function soldAlone(sales: readonly Sale[], period: Span, catalog: readonly Product[]): Product[] {
  const inPeriod = sales.filter(({ day }) => within(day, period)).flatMap((sale) => soldIn(sale));
  const gone = new Set(inPeriod.map(({ product }) => product));
  for (const { id } of catalog) gone.delete(id);
  return [...gone].flatMap((id): Product[] => {
    if (id === null) return [];
    return [{ id, ...lastSold(sales, id), status: "inactive", category: UNCATEGORIZED, updatedAt: null, skus: [] }];
  });
}

const soldIn = ({ lines }: Sale): SoldLine[] => lines.filter(({ sold }) => sold > 0);

/** The attributes of a product from its latest sales in any period, each from the latest one that has it. */
function lastSold(sales: readonly Sale[], id: string): Pick<SoldLine, "name" | "image"> {
  const lines = sales.flatMap(soldIn).filter(({ product }) => product === id);
  const last = <K extends "name" | "image">(key: K): string | null =>
    lines.findLast((line) => line[key] !== null)?.[key] ?? null;
  return { name: last("name"), image: last("image") };
}

/** Every existing category, by its id [D38]. */
export function categoriesOf(store: Store): Map<string, Category> {
  const all = new Map<string, Category>();
  const add = (one: Category): void => {
    all.set(one.id, one.name === null ? (all.get(one.id) ?? one) : one);
  };
  if (store.tree !== null) {
    const depthOf = (parent: string | null): number =>
      parent === null ? 0 : 1 + depthOf(TREE.find(({ id }) => id === parent)?.parent ?? null);
    for (const { id, name, parent } of TREE) add({ id, name, parent, depth: depthOf(parent) });
  }
  if (store.account.connector === "storeb") {
    const latest = grouped(store.entries, ({ product }) => product);
    for (const entries of latest.values()) {
      const { category } = winningEntry(entries) as Entry;
      for (const one of storebPath(category as StorebCategory)) add(one);
    }
  }
  return all;
}

/** A product's own category, then its ancestors. The row of a product itself only has the department of these. */
function nearestOf({ category, as }: Entry): string[] {
  if (!("path" in category)) return [storebOwn(category)?.id].filter((id) => id !== undefined);
  const path = category.path
    .split("/")
    .filter((id) => id !== "")
    .toReversed();
  return as === "skus" ? path : [...path.slice(0, 1), ...path.slice(-1)];
}

/** The product's own: the taxonomy's, else its type's, else none. */
const storebOwn = (category: StorebCategory): Category | undefined => storebPath(category).at(-1);

function storebPath({ taxonomy, naming, type }: StorebCategory): Category[] {
  if (taxonomy === null) {
    const id = slug(type);
    return id === "" ? [] : [{ id, name: type, parent: null, depth: 0 }];
  }
  const parts = taxonomy.id.split("-");
  return parts.map((_, depth) => ({
    id: parts.slice(0, depth + 1).join("-"),
    // Without the full name the ancestors' names are unknown.
    name: naming === "full" || depth === parts.length - 1 ? (taxonomy.names[depth] as string) : null,
    parent: depth === 0 ? null : parts.slice(0, depth).join("-"),
    depth,
  }));
}

/** [D38] */
function slug(type: string): string {
  const ascii = type
    .normalize("NFKD")
    .replaceAll(/[^\0-\x7f]/g, "")
    .toLowerCase();
  return ascii
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 50);
}

/** A category and its ancestors, from the root down. */
export function pathTo(id: string, categories: ReadonlyMap<string, Category>): Category[] {
  const one = categories.get(id);
  if (!one) return [];
  return [...(one.parent === null ? [] : pathTo(one.parent, categories)), one];
}
