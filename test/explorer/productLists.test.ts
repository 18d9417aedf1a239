import { expect } from "chai";
import type { Category, Product } from "../../explorer/src/answers.ts";
import { neighboursOf } from "../../explorer/src/views/product/neighbours.ts";
import { marginChanges } from "../../explorer/src/views/products/margins.ts";
import { orderOf, orderTotals, suggestedOrder } from "../../explorer/src/views/products/restock.ts";
import { knownMarginOf, totalOf } from "../../explorer/src/views/products/totals.ts";

describe("The suggested order of a product", () => {
  const stocked = (availableStock: number | null, velocity30d: number | null, daysOfStock: number | null) =>
    ({ availableStock, velocity30d, daysOfStock }) as Product;

  it("is what the days sell, less what is in stock, in whole units", () => {
    expect(suggestedOrder(stocked(10, 2, 5), 30)).to.equal(50);
    expect(suggestedOrder(stocked(0, 0.0333, 0), 30)).to.equal(1);
    expect(suggestedOrder(stocked(0, 0.3333, 0), 15)).to.equal(5);
    expect(suggestedOrder(stocked(-3, 1, -3), 30)).to.equal(33);
  });

  it("is none where the stock lasts, and unknown where stock or rate is", () => {
    expect(suggestedOrder(stocked(100, 1, 100), 30)).to.equal(0);
    expect(suggestedOrder(stocked(7, 0, null), 30)).to.equal(null);
    expect(suggestedOrder(stocked(null, 1, null), 30)).to.equal(null);
  });
});

describe("What to order", () => {
  const sold = (availableStock: number, velocity30d: number, more: object = {}): Product =>
    ({
      availableStock,
      velocity30d,
      daysOfStock: availableStock / velocity30d,
      netSales: 100,
      netUnits: 10,
      cogs: 40,
      ...more,
    }) as unknown as Product;

  it("costs what the sold units cost, and without it the sales beyond the stock are lost", () => {
    expect(orderOf(sold(10, 2), 30)).to.include({ suggestedOrder: 50, orderCost: 200, salesAtRisk: 500 });
    // Units that are owed are no sales to come.
    expect(orderOf(sold(-5, 2), 30)).to.include({ suggestedOrder: 65, orderCost: 260, salesAtRisk: 600 });
    expect(orderOf(sold(100, 2), 30)).to.include({ suggestedOrder: 0, orderCost: 0, salesAtRisk: 0 });
  });

  it("has no cost or price that is not known", () => {
    expect(orderOf(sold(10, 2, { cogs: null }), 30)).to.include({ orderCost: null, salesAtRisk: 500 });
    expect(orderOf(sold(10, 2, { netUnits: 0 }), 30)).to.include({ orderCost: null, salesAtRisk: null });
    expect(orderOf(sold(10, 2, { availableStock: null }), 30)).to.include({ suggestedOrder: null, orderCost: null });
  });

  it("is summed over what is to be ordered, and counts what has no cost", () => {
    const orders = [sold(10, 2), sold(100, 2), sold(10, 2, { cogs: null })].map((product) => orderOf(product, 30));
    expect(orderTotals(orders)).to.deep.equal({ products: 2, cost: 200, withoutCost: 1, atRisk: 1000 });
  });
});

describe("Products bought together", () => {
  const neighbour = (productId: string, orders: number, lift: number | null) => ({
    productId,
    productName: null,
    orders,
    share: 0.1,
    lift,
  });

  it("are those bought more often than by chance and often enough, the strongest first", () => {
    const rows = [
      neighbour("avoids", 18, 0.65),
      neighbour("weak", 40, 1.1),
      neighbour("rare", 4, 30),
      neighbour("strong", 5, 3),
      neighbour("as chance", 90, 1.04),
      neighbour("unknown", 90, null),
    ];
    expect(neighboursOf(rows).map(({ productId }) => productId)).to.deep.equal(["strong", "weak"]);
    expect(neighboursOf(null)).to.deep.equal([]);
  });
});

describe("The margin of a shop in which some products have no cost", () => {
  const category = (
    categoryId: string,
    parentCategoryId: string | null,
    netSales: number,
    marginTotal: number | null,
  ) =>
    ({ categoryId, parentCategoryId, depth: parentCategoryId ? 1 : 0, netSales, marginTotal }) as unknown as Category;

  it("is that of the categories with all costs, with their share of the sales", () => {
    const all = [
      category("a", null, 600, 300),
      category("b", null, 400, null),
      category("b1", "b", 120, 30),
      category("b2", "b", 280, null),
    ];
    expect(totalOf(all).marginTotal).to.equal(null);
    expect(knownMarginOf(all)).to.deep.equal({ marginTotal: 330, marginAverage: 330 / 720, share: 0.72 });
  });

  it("is unknown without any", () => {
    expect(knownMarginOf([category("a", null, 600, null)])).to.equal(undefined);
    expect(knownMarginOf([])).to.equal(undefined);
  });
});

describe("The changes of margins", () => {
  const product = (productId: string, marginAverage: number | null, netSales: number): Product =>
    ({ productId, marginAverage, netSales }) as Product;

  it("are those of products with a margin in both periods, the costliest fall first", () => {
    const changes = marginChanges(
      [product("a", 0.5, 100), product("b", 0.25, 1000), product("c", null, 10), product("d", 0.5, 10)],
      [product("a", 0.25, 5), product("b", 0.5, 1), product("c", 0.5, 10), product("e", 0.5, 1)],
    );
    expect(
      changes.map(({ productId, marginBefore, marginChange, effect }) => [
        productId,
        marginBefore,
        marginChange,
        effect,
      ]),
    ).to.deep.equal([
      ["b", 0.5, -0.25, -250],
      ["a", 0.25, 0.25, 25],
    ]);
  });
});
