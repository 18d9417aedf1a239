import { expect } from "chai";
import { products } from "../../src/core/endpoints/products.ts";
import { failed } from "../../src/core/sync/sync.ts";
import { AURORA, type DataFolder, exportsOf, oneStore, STOREA, storeaOrder, withData } from "../support/data.ts";
import { asked, openService, type Service } from "../support/service.ts";
import {
  CATALOG,
  category,
  INVENTORY,
  lines,
  manySales,
  OUTLET,
  PERIOD,
  productRows,
  type Row,
  SMALL,
  STORE,
  sku,
  stock,
  store,
  TREE,
} from "../support/stores.ts";

const sorting = products.find(({ path }) => path === "/v1/products")?.params.sortBy;
const orderings = sorting?.kind === "choice" ? sorting.of : [];

describe("products", () => {
  let folder: DataFolder;
  let service: Service;

  before(async () => {
    folder = await store(manySales(), { categories: TREE, products: CATALOG, inventory: INVENTORY });
    service = await openService(folder.config, AURORA);
  });

  after(async () => {
    service?.close();
    await folder?.remove();
  });

  const rows = (query: string, from: "" | "/categories" = "") => productRows(service, query, from);
  describe("listing", () => {
    for (const sortBy of orderings) {
      it(`by ${sortBy}: pages make up the whole, with each product once and N/D last`, async () => {
        for (const sortOrder of ["asc", "desc"]) {
          const sorting = `sortBy=${sortBy}&sortOrder=${sortOrder}&includeCategories=false`;
          const whole = await rows(`${sorting}&pageSize=100`);
          const pages = await Promise.all([1, 2, 3].map((page) => rows(`${sorting}&pageSize=4&page=${page}`)));
          expect(pages.flat()).to.deep.equal(whole);
          const keys = whole.map(({ productId }) => productId);
          expect(new Set(keys).size).to.equal(keys.length);
          const values = whole.map((row) =>
            sortBy === "productName" ? String(row[sortBy]).toLowerCase() : row[sortBy],
          );
          const known = values.filter((value) => value !== null) as (string | number)[];
          expect(values.slice(known.length).every((value) => value === null)).to.equal(true);
          for (let n = 1; n < whole.length; n++) {
            const [before, after] = [values[n - 1], values[n]] as (string | number | null)[];
            if (before === after) expect(String(keys[n - 1]) < String(keys[n]), `tie at ${n}`).to.equal(true);
            else if (before != null && after != null)
              expect(before < after, `order at ${n}`).to.equal(sortOrder === "asc");
          }
        }
      });
    }

    it("matches ranges on the values shown, bounds included, and never matches N/D", async () => {
      const whole = await rows("pageSize=100");
      for (const metric of ["netSales", "marginTotal", "marginAverage", "availableStock"]) {
        const name = `${metric[0]?.toUpperCase()}${metric.slice(1)}`;
        const values = whole.map((row) => row[metric]).filter((value) => value !== null) as number[];
        expect(values.length, metric).to.be.greaterThan(1);
        for (const bound of new Set([...values, 0])) {
          for (const [parameter, fits] of [
            [`min${name}`, (value: number) => value >= bound],
            [`max${name}`, (value: number) => value <= bound],
          ] as const) {
            const found = await rows(`pageSize=100&includeCategories=false&${parameter}=${bound}`);
            expect(found.map((row) => row[metric])).to.have.members(values.filter(fits));
          }
        }
      }
      expect(whole.some(({ marginTotal }) => marginTotal === null)).to.equal(true);
      expect(whole.some(({ availableStock }) => availableStock === null)).to.equal(true);
    });
  });
});

it("give a product without a name the status and category of its own row, not its SKUs'", async () => {
  const folder = await store([{ id: "o1", on: "2025-06-01", of: [{ product: "jar" }] }], {
    categories: TREE,
    products: [
      { Id: "vase", Name: null, IsActive: true, IsVisible: true, CategoryId: 11, DepartmentId: 1 },
      { Id: "vase-1", ProductId: "vase", Name: "Azul", IsActive: false },
    ],
  });
  const service = await openService(folder.config, AURORA);
  try {
    const { body } = await service.get(`/v1/products?integrationId=${STORE}&${PERIOD}&status=active`);
    expect((body.data as Row[])[0]).to.include({ productName: null, status: "active", categoryId: "11" });
  } finally {
    await service.close();
    await folder.remove();
  }
});

it("make no second category of a product type whose slug is a taxonomy category's, or means none [D38]", async () => {
  const folder = await store([{ id: "o1", on: "2025-06-01", of: [{ product: "jar" }] }], {});
  const of = (id: string, productType: string, category: object | null): object => ({
    id: `gid://shopify/Product/${id}`,
    title: `Produto ${id}`,
    status: "ACTIVE",
    productType,
    category,
  });
  const clothing = {
    id: "gid://shopify/TaxonomyCategory/aa-1",
    name: "Clothing",
    fullName: "Apparel & Accessories > Clothing",
  };
  await folder.write(
    `${exportsOf(OUTLET, "products")}/products.jsonl`,
    lines([of("1", "AA", null), of("2", "", clothing), of("3", "Uncategorized", null), of("4", "!!!", null)]),
  );
  expect(failed(await folder.sync())).to.equal(false);
  const service = await openService(folder.config, AURORA);
  try {
    const { body } = await service.get(
      `/v1/products?integrationId=${OUTLET}&${PERIOD}&sortBy=productName&sortOrder=asc`,
    );
    const rows = (body.data as Row[]).map(({ productName, categoryId, categoryName }) => [
      productName,
      categoryId,
      categoryName,
    ]);
    expect(rows).to.deep.equal([
      ["Produto 1", "aa", "Apparel & Accessories"],
      ["Produto 2", "aa-1", "Clothing"],
      ["Produto 3", "uncategorized", null],
      ["Produto 4", "uncategorized", null],
    ]);
    const all = await service.get(`/v1/products/categories?integrationId=${OUTLET}&${PERIOD}`);
    const actual = (all.body.categories as Row[]).map(({ categoryId, depth }) => [categoryId, depth]);
    expect(actual).to.deep.equal([
      ["aa", 0],
      ["aa-1", 1],
      ["uncategorized", 0],
    ]);
  } finally {
    service.close();
    await folder.remove();
  }
});

describe("product metrics", () => {
  let folder: DataFolder;
  let service: Service;
  before(async () => {
    folder = await store(SMALL, {
      products: [
        sku("mug", "Caneca", "/1/"),
        sku("cup", "Copo", "/1/"),
        sku("tin", "Lata", "/1/"),
        sku("tin", "Lata", "/1/", true, 2),
        sku("hat", "Chapéu", "/1/"),
      ],
      categories: [category(1, "Casa")],
      inventory: [stock("tin-1", 10, 4), stock("cup-1", 0, 0, true)],
    });
    service = await openService(folder.config, AURORA);
  });

  after(async () => {
    service?.close();
    await folder?.remove();
  });

  it("count a customer's purchases before the 181st day, the day of the first purchase being the first [D34]", () =>
    withData(oneStore(), async (data) => {
      const bought = [
        { id: "a1", at: "2024-08-01T12:00:00.000Z", email: "ana@example.com", value: 50 },
        { id: "a2", at: "2025-01-28T12:00:00.000Z", email: "ana@example.com", value: 30 },
        { id: "b1", at: "2024-08-01T12:00:00.000Z", email: "bia@example.com", value: 10 },
        { id: "b2", at: "2025-01-27T12:00:00.000Z", email: "bia@example.com", value: 20 },
      ];
      await data.write(`${exportsOf(STOREA, "orders")}/o.json`, JSON.stringify(bought.map(storeaOrder)));
      const body = await asked(data, `/v1/products?integrationId=${STOREA}&dateFrom=2024-08-01&dateTo=2024-08-31`);
      const [row] = body.data as Record<string, unknown>[];
      // (50 + 10 + 20) / 2, and Bia of both; to date all 110.
      expect(row).to.include({ ltv180: 40, repurchaseRate180: 0.5, ltvToDate: 55, repurchaseRateToDate: 1 });
    }));

  it("count no complete day on the as-of day itself [D34]", () =>
    withData(oneStore(), async (data) => {
      const order = storeaOrder({ id: "c1", at: "2025-04-01T09:00:00.000Z", value: 10 });
      await data.write(`${exportsOf(STOREA, "orders")}/o.json`, JSON.stringify([order]));
      const body = await asked(data, `/v1/products?integrationId=${STOREA}&dateFrom=2025-03-01&dateTo=2025-04-01`);
      expect((body.data as object[])[0]).to.include({ entryCustomers: 1, cohortElapsedDaysAverage: 0 });
    }));
});
