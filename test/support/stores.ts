import { expect } from "chai";
import { failed } from "../../src/core/sync/sync.ts";
import { AURORA, DataFolder, exportsOf, seeded } from "./data.ts";
import type { Service } from "./service.ts";

export const STORE = "a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01";
export const OUTLET = "b2e8d1ef-1c6f-4a4b-9d22-3fa05b7c8e02";
export const SYNCED = "2025-06-30T12:00:00.000Z";
export const PERIOD = "dateFrom=2025-01-01&dateTo=2025-06-30";
export interface Line {
  readonly product: string;
  readonly units?: number;
  /** Of one unit, in cents; null: the export has neither price nor total. */
  readonly price?: number | null;
  readonly cost?: number | null;
}

export interface Sale {
  readonly id: string;
  readonly on: string;
  readonly by?: string;
  readonly of: readonly Line[];
  /** Units of the first line that came back. */
  readonly returned?: number;
  readonly invoiced?: boolean;
}

export function exported({ id, on, by, of, returned = 0, invoiced = true }: Sale): object {
  const at = `${on}T14:00:00.000Z`;
  const value = of.reduce((sum, { units = 1, price }) => sum + units * (price ?? 0), 0);
  return {
    orderId: id,
    status: "invoiced",
    value,
    creationDate: at,
    lastChange: at,
    authorizedDate: at,
    invoicedDate: invoiced ? at : null,
    totals: [{ id: "Items", value }],
    clientProfileData: by ? { email: `${by}@example.com`, userProfileId: by } : {},
    storePreferencesData: { currencyCode: "BRL" },
    items: of.map(({ product, units = 1, price = 1000, cost = null }, n) => ({
      uniqueId: `${id}-${n}`,
      id: `${product}-1`,
      productId: product,
      name: `${product} of ${on}`,
      imageUrl: `https://img.example.com/${product}.jpg`,
      quantity: units,
      price,
      sellingPrice: price,
      costPrice: cost,
    })),
    packageAttachment: {
      packages:
        returned > 0 ? [{ type: "Input", issuanceDate: at, items: [{ itemIndex: 0, quantity: returned }] }] : [],
    },
  };
}

export const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join("\n");

export const category = (id: number, name: string, children: readonly object[] = []): object => ({
  id,
  name,
  children,
});
export const TREE = [
  category(2, "Moda", [category(21, "Camisetas")]),
  category(1, "Casa", [category(11, "Cozinha", [category(111, "Panelas")]), category(12, "Banho")]),
  category(3, "Vazia"),
];

/** A product in the catalog, with one SKU or two. */
export const sku = (product: string, name: string, path: string, active = true, n = 1): object => ({
  Id: `${product}-${n}`,
  ProductId: product,
  ProductName: name,
  IsActive: true,
  IsProductActive: active,
  ProductCategoryIds: path,
});

export const stock = (id: string, total: number, reserved = 0, unlimited = false): object => ({
  skuId: id,
  balance: [{ warehouseId: "w", totalQuantity: total, reservedQuantity: reserved, hasUnlimitedQuantity: unlimited }],
});

export async function store(
  sales: readonly Sale[],
  exports: Readonly<Record<string, readonly object[]>>,
  now = SYNCED,
): Promise<DataFolder> {
  const folder = await DataFolder.empty({ LUCRA_NOW: now });
  await folder.settings({
    organizationId: AURORA,
    name: "Loja inventada",
    currency: "BRL",
    integrations: [
      { id: STORE, connector: "storea", name: "Loja" },
      { id: OUTLET, connector: "storeb", name: "Outlet" },
    ],
  });
  await folder.write(`${exportsOf(STORE, "orders")}/orders.ndjson`, lines(sales.map(exported)));
  for (const [record, rows] of Object.entries(exports)) {
    await folder.write(`${exportsOf(STORE, record)}/rows.json`, JSON.stringify(rows));
  }
  expect(failed(await folder.sync())).to.equal(false);
  return folder;
}

export const CATALOG = [
  sku("p00", "panela", "/1/11/111/"),
  sku("p00", "panela", "/1/11/111/", true, 2),
  sku("p01", "Caneca", "/1/11/"),
  sku("p02", "Toalha", "/1/12/"),
  sku("p03", "Álbum", "/1/"),
  sku("p04", "Camiseta", "/2/21/"),
  sku("p05", "Camisa 100%", "/2/21/", false),
  sku("p06", "Saia", "/2/"),
  sku("p07", "Relógio", "/99/"),
  sku("p08", "Caneca", "/1/11/"),
  sku("p09", "Nunca vendido", "/3/"),
];

export const INVENTORY = [
  stock("p00-1", 10, 2),
  stock("p00-2", 5),
  stock("p01-1", 1, 4),
  stock("p02-1", 1000000, 0, true),
  stock("p04-1", 20),
  stock("p06-1", 0),
];

/** A year of sales, the same each time: baskets of several products, returns, unknown costs and sale values. */
export function manySales(): Sale[] {
  const random = seeded(20250630);
  const below = (n: number): number => Math.floor(random() * n);
  return Array.from({ length: 400 }, (_, n) => {
    const day = new Date(Date.parse("2024-07-01") + below(365) * 86_400_000).toISOString().slice(0, 10);
    const of = Array.from({ length: 1 + below(3) }, (): Line => {
      const product = below(11);
      return {
        product: `p${String(product < 9 ? product : 10).padStart(2, "0")}`,
        units: 1 + below(3),
        price: product === 6 && below(3) === 0 ? null : 500 + below(9000),
        cost: product % 3 === 0 && below(4) === 0 ? null : 100 + below(400),
      };
    });
    const by = below(8) === 0 ? undefined : `c${below(90)}`;
    return {
      id: `o${n}`,
      on: day,
      ...(by ? { by } : {}),
      of,
      returned: below(5) === 0 ? 1 : 0,
      invoiced: below(20) !== 0,
    };
  });
}

export type Row = Readonly<Record<string, unknown>>;

/** As-of day: 2025-06-30. Ana enters on 2025-01-01, exactly 180 days before it; Bia a day later. */
export const SMALL: readonly Sale[] = [
  {
    id: "a1",
    on: "2025-01-01",
    by: "ana",
    of: [
      { product: "mug", units: 2, price: 5000, cost: 2000 },
      { product: "jar", price: 3000, cost: 1000 },
    ],
    returned: 1,
  },
  // Day 179 is the last of the 180.
  { id: "a2", on: "2025-06-29", by: "ana", of: [{ product: "jar", price: 3000, cost: 1000 }] },
  { id: "a3", on: "2025-06-30", by: "ana", of: [{ product: "jar", price: 3000, cost: 1000 }] },
  { id: "b1", on: "2025-01-02", by: "bia", of: [{ product: "mug", price: 5000, cost: null }] },
  // The same instant: no repurchase.
  { id: "b2", on: "2025-01-02", by: "bia", of: [{ product: "cup", price: null, cost: 10 }] },
  // Sold before the 30 complete days, on their first, on their last; the buyers are unknown.
  { id: "x1", on: "2025-05-30", of: [{ product: "tin", units: 7, price: 100, cost: 50 }] },
  { id: "x2", on: "2025-05-31", of: [{ product: "tin", units: 2, price: 100, cost: 50 }] },
  { id: "x3", on: "2025-06-29", of: [{ product: "tin", units: 1, price: 100, cost: 50 }], returned: 1 },
];

/** The answer about the products of the store, with its status. */
export async function askProducts(
  service: Service,
  path: string,
  query: string,
): Promise<{ status: number; body: Row }> {
  const { status, body } = await service.get(`/v1/products${path}?integrationId=${STORE}&${query}`);
  return { status, body };
}

/** The rows of the listing, or of the categories. Fails unless they are answered. */
export async function productRows(service: Service, query: string, from: "" | "/categories" = ""): Promise<Row[]> {
  const { status, body } = await askProducts(service, from, `${PERIOD}&${query}`);
  expect(status, JSON.stringify(body)).to.equal(200);
  return (from ? body.categories : body.data) as Row[];
}
