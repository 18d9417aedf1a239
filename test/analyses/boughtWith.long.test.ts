import { expect } from "chai";
import { type DataFolder, exportsOf, NOW, oneStore, STOREA, storeaOrder, withData } from "../support/data.ts";
import { asked } from "../support/service.ts";

const PRODUCT = "900";

/**
 * The number of customers who bought it next, after the product, or with it; two products with one such customer were
 * also bought by another one.
 */
const NEXT: Readonly<Record<string, number>> = {
  "901": 4,
  "902": 3,
  "903": 2,
  ...Object.fromEntries(["904", "905", "906", "907", "908", "909", "910", "911", "912"].map((id) => [id, 1])),
};
const ELSEWHERE = ["904", "905"];

async function block(data: DataFolder, name: string, orders: readonly object[]): Promise<Record<string, unknown>[]> {
  await data.write(`${exportsOf(STOREA, "orders")}/orders.json`, JSON.stringify(orders));
  const period = `dateFrom=2025-02-01&dateTo=${NOW.slice(0, 10)}`;
  const address = `/v1/products/${PRODUCT}?integrationId=${STOREA}&${period}`;
  const body = await asked(data, address);
  return (body[name] as { rows: Record<string, unknown>[] }).rows;
}

describe("What is bought after a product", () => {
  it("lists ten products: the most frequent, and among ties the ones with the highest lift [D40]", () =>
    withData(oneStore(), async (data) => {
      const bought = (email: string, productId: string, day: number) =>
        storeaOrder({ id: `${email}-${productId}`, value: 10, at: `2025-02-0${day}T12:00:00.000Z`, email, productId });
      const buyers = Object.entries(NEXT).flatMap(([id, customers]) =>
        Array.from({ length: customers }, (_, n) => ({ email: `c${id}-${n}@example.com`, id })),
      );
      const orders = [
        ...buyers.flatMap(({ email, id }) => [bought(email, PRODUCT, 1), bought(email, id, 2)]),
        ...ELSEWHERE.map((id) => bought(`other${id}@example.com`, id, 3)),
      ];
      const rows = await block(data, "boughtAfter", orders);
      expect(rows.map(({ productId, customers }) => [productId, customers])).to.deep.equal([
        ["901", 4],
        ["902", 3],
        ["903", 2],
        ...["906", "907", "908", "909", "910", "911", "912"].map((id) => [id, 1]),
      ]);
    }));
});

describe("What is bought together with a product", () => {
  it("lists ten products: the most frequent, and among ties the ones with the highest lift [D40]", () =>
    withData(oneStore(), async (data) => {
      const basket = (id: string, products: readonly string[]): object => {
        const items = products.flatMap((productId) => storeaOrder({ id, value: 10, productId }).items as object[]);
        return { ...storeaOrder({ id, value: 10 * products.length }), items };
      };
      const most = Math.max(...Object.values(NEXT));
      const baskets = Array.from({ length: most }, (_, no) =>
        basket(`b${no}`, [PRODUCT, ...Object.keys(NEXT).filter((id) => (NEXT[id] as number) > no)]),
      );
      const rows = await block(data, "boughtTogether", [...baskets, ...ELSEWHERE.map((id) => basket(`e${id}`, [id]))]);
      expect(rows.map(({ productId, orders }) => [productId, orders])).to.deep.equal([
        ["901", 4],
        ["902", 3],
        ["903", 2],
        ...["906", "907", "908", "909", "910", "911", "912"].map((id) => [id, 1]),
      ]);
    }));
});
