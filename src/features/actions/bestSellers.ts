import { daysBetween } from "../../core/time/days.ts";
import type { BestSellers, Product } from "./advice.ts";

/** A store as `/v1/products/integrations` lists it. */
export interface SellingStore {
  readonly sourceIntegrationId: string;
  readonly integrationName: string | null;
  readonly products: number;
}

interface Days {
  readonly from: string;
  readonly to: string;
}

/** How many of the products that sell most the advice looks at. */
const MOST = 50;

/** The stores with products, the one with most first. */
export const sellingOf = <S extends SellingStore>(stores: readonly S[]): readonly S[] =>
  stores.filter(({ products }) => products > 0).toSorted((a, b) => b.products - a.products);

/** The request for the products of a store that sell most in these days. */
export const bestSellersOf = ({ sourceIntegrationId }: SellingStore, { from, to }: Days) => ({
  path: "/v1/products",
  params: {
    integrationId: sourceIntegrationId,
    dateFrom: from,
    dateTo: to,
    sortBy: "netSales",
    pageSize: MOST,
    includeCategories: false,
    columns: "netSales,daysOfStock",
  },
});

/** What the advice reads off the lists of best sellers, which are in the order of the stores. */
export const soldIn = (
  selling: readonly SellingStore[],
  lists: readonly { readonly data: readonly unknown[] }[],
  { from, to }: Days,
): readonly BestSellers[] =>
  lists.flatMap((list, n) => {
    const store = selling[n];
    return store
      ? {
          store: store.sourceIntegrationId,
          storeName: selling.length > 1 ? (store.integrationName ?? store.sourceIntegrationId) : undefined,
          rows: list.data as readonly Product[],
          days: daysBetween(from, to) + 1,
        }
      : [];
  });
