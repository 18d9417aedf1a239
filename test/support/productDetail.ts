import { expect } from "chai";
import { failed } from "../../src/core/sync/sync.ts";
import { AURORA, DataFolder, exportsOf, WEBANALYTICS } from "./data.ts";

export const STORE = "a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01";
export const APP = "e51b0412-4f92-4d7e-8a55-62d38eafb106";
export const NOW = "2025-06-15T12:00:00.000Z";
export const PERIOD = "dateFrom=2024-07-01&dateTo=2025-06-15";
export const BLOCKS = [
  "summary",
  "funnel",
  "entryCohort",
  "boughtTogether",
  "retention",
  "purchaseFrequency",
  "boughtAfter",
  "coupons",
  "acquisitionChannels",
];

export const PRICES: Readonly<Record<string, number>> = { mug: 5000, plate: 3000, spoon: 1000 };
export const IDS: Readonly<Record<string, string>> = { mug: "100", plate: "200", spoon: "300" };

export interface Sale {
  readonly id: string;
  readonly on: string;
  readonly by?: string;
  readonly of: readonly string[];
  readonly coupon?: string;
  readonly source?: string;
}

/** Ana comes through a paid search, the others directly; the buyer of o6 is unknown. A split basket is o8 and o9. */
export const SALES: readonly Sale[] = [
  { id: "o0", on: "2024-10-10", by: "dora", of: ["mug"] },
  { id: "o1", on: "2024-12-01", by: "dora", of: ["spoon"] },
  { id: "o2", on: "2025-01-10", by: "ana", of: ["mug", "plate"], coupon: "\toferta ", source: "google" },
  { id: "o3", on: "2025-02-05", by: "bia", of: ["mug"] },
  { id: "o4", on: "2025-02-20", by: "ana", of: ["plate", "spoon"] },
  { id: "o5", on: "2025-03-05", by: "bia", of: ["mug"] },
  { id: "o6", on: "2025-05-01", of: ["mug", "plate"] },
  { id: "o7", on: "2025-05-20", by: "dora", of: ["spoon"] },
  { id: "o8", on: "2025-06-01", by: "caio", of: ["plate"] },
  { id: "o9", on: "2025-06-01", by: "caio", of: ["spoon"] },
];

export function exported({ id, on, by, of, coupon, source }: Sale): object {
  const at = `${on}T14:00:00.000Z`;
  const value = of.reduce((sum, name) => sum + (PRICES[name] ?? 0), 0);
  return {
    orderId: id,
    status: "invoiced",
    value,
    creationDate: at,
    lastChange: at,
    authorizedDate: at,
    invoicedDate: at,
    totals: [{ id: "Items", value }],
    clientProfileData: by ? { email: `${by}@example.com`, userProfileId: by } : {},
    marketingData: { coupon: coupon ?? null, utmSource: source ?? null, utmMedium: source ? "cpc" : null },
    storePreferencesData: { currencyCode: "BRL" },
    items: of.map((name, n) => ({
      uniqueId: `${id}-${n}`,
      id: `9${IDS[name]}`,
      productId: IDS[name],
      name: `${name} of ${on}`,
      quantity: 1,
      price: PRICES[name],
      sellingPrice: PRICES[name],
    })),
  };
}

export const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join("\n");

/** A store whose catalog lacks the spoon, and a site whose tag sends either the product's id or the SKU's. */
export async function invented(): Promise<DataFolder> {
  const folder = await DataFolder.empty({ LUCRA_NOW: NOW });
  await folder.settings({
    organizationId: AURORA,
    name: "Loja inventada",
    integrations: [
      { id: STORE, connector: "storea", name: "Loja" },
      { id: WEBANALYTICS, connector: "webanalytics", name: "Site" },
      { id: APP, connector: "webanalytics", name: "App" },
    ],
  });
  await folder.write(`${exportsOf(STORE, "orders")}/orders.ndjson`, lines(SALES.map(exported)));
  await folder.write(
    `${exportsOf(STORE, "products")}/products.ndjson`,
    lines([
      { product_id: "100", sku_id: "9100", product_name: "Caneca", is_active: true },
      { product_id: "200", sku_id: "9200", product_name: "Prato", is_active: true },
      { product_id: "400", sku_id: "9400", product_name: "Luminária", is_active: false },
    ]),
  );
  const day = (date: string, item_id: string, [viewed, added, checkedOut, purchased]: readonly number[]): object => ({
    date,
    item_id,
    items_viewed: viewed,
    items_added_to_cart: added,
    items_checked_out: checkedOut,
    items_purchased: purchased,
  });
  await folder.write(
    `${exportsOf(WEBANALYTICS, "items")}/items.ndjson`,
    lines([
      day("2025-02-01", "100", [8, 3, 1, 1]),
      day("2025-02-02", "9100", [10, 1, 0, 0]),
      day("2025-02-02", "200", [99, 99, 99, 99]),
      day("2024-06-30", "100", [99, 99, 99, 99]),
    ]),
  );
  await folder.write(`${exportsOf(APP, "items")}/items.ndjson`, lines([day("2025-02-01", "100", [7, 1, 1, 1])]));
  expect(failed(await folder.sync())).to.equal(false);
  return folder;
}

export type Block = Readonly<Record<string, unknown>>;
