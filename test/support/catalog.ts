import { AURORA, DataFolder, OTHER_STOREA, STOREA, STOREB, WEBANALYTICS } from "./data.ts";
import { asked } from "./service.ts";

/** An organization with three stores and no data. */
export async function catalogFolder(): Promise<DataFolder> {
  const data = await DataFolder.empty();
  await data.settings({
    organizationId: AURORA,
    name: "x",
    integrations: [
      { id: STOREA, connector: "storea", name: "a" },
      { id: OTHER_STOREA, connector: "storea", name: "c" },
      { id: STOREB, connector: "storeb", name: "b" },
      { id: WEBANALYTICS, connector: "webanalytics", name: "w" },
    ],
  });
  return data;
}

/** Id, name and available stock of a store's products. */
export async function productsOf(data: DataFolder, store: string): Promise<unknown[]> {
  return shownProducts(await asked(data, `/v1/products?integrationId=${store}`));
}

/** The same, of an answer. */
export const shownProducts = ({ data }: Record<string, unknown>): unknown[] =>
  (data as Record<string, unknown>[]).map(({ productId, productName, availableStock }) => [
    productId,
    productName,
    availableStock,
  ]);
