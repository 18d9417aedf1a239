import { AURORA, DataFolder, exportsOf, STOREA, seeded, storeaOrder } from "./data.ts";

export const PRODUCTS = 2000;
export const DAYS = 1000;
/** More cells than fit into little memory. */
export const HEAVY = "/v1/profitability/cohort?breakBy=produto&groupBy=month";

/** Orders of many products over three years: a cohort by product has more cells than it has orders. */
export function orders(): object[] {
  const random = seeded(20_250_406);
  const below = (most: number): number => Math.floor(random() * most);
  return Array.from({ length: 4000 }, (_, n) =>
    storeaOrder({
      id: `o${n}`,
      value: 10,
      at: new Date(Date.UTC(2022, 3, 1 + below(DAYS))).toISOString(),
      email: `customer${n % 4000}@example.com`,
      productId: String(below(PRODUCTS)),
    }),
  );
}

/** A data folder in which they have landed. */
export async function manyOrders(): Promise<DataFolder> {
  const data = await DataFolder.empty();
  await data.settings({
    organizationId: AURORA,
    name: "x",
    integrations: [{ id: STOREA, connector: "storea", name: "x" }],
  });
  await data.write(`${exportsOf(STOREA, "orders")}/orders.json`, JSON.stringify(orders()));
  await data.sync();
  return data;
}
