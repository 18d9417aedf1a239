import { expect } from "chai";
import type { Product } from "../../explorer/src/answers.ts";
import { marginChanges } from "../../explorer/src/views/products/margins.ts";
import { suggestedOrder } from "../../explorer/src/views/products/restock.ts";

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
