import type { Product } from "../../answers.ts";

/** A product whose margin is known in both periods, and changed. */
export interface MarginChange extends Product {
  readonly marginBefore: number;
  /** Of the margin, as a ratio. */
  readonly marginChange: number;
  /** What the change did to the margin of the period's sales, in the currency. */
  readonly effect: number;
}

/** The products by what the change of their margin cost, the largest loss first. Those without a margin in a period are left out. */
export function marginChanges(now: readonly Product[], before: readonly Product[]): MarginChange[] {
  const then = new Map(before.map(({ productId, marginAverage }) => [productId, marginAverage]));
  return now
    .flatMap((product): MarginChange[] => {
      const [margin, was] = [product.marginAverage ?? null, then.get(product.productId) ?? null];
      if (margin === null || was === null || margin === was) return [];
      const change = margin - was;
      return [{ ...product, marginBefore: was, marginChange: change, effect: change * (product.netSales ?? 0) }];
    })
    .toSorted((a, b) => a.effect - b.effect || a.productId.localeCompare(b.productId));
}
