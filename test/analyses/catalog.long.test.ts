import { expect } from "chai";
import { catalogFolder, productsOf } from "../support/catalog.ts";
import { AURORA, type DataFolder, exportsOf, OTHER_STOREA, STOREA, STOREB, storeaOrder } from "../support/data.ts";
import { asked, openService } from "../support/service.ts";

describe("The catalog", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await catalogFolder();
  });

  afterEach(() => data.remove());

  const listed = (store: string): Promise<unknown[]> => productsOf(data, store);

  it("calls a product as its last landed SKU does, where the store gives no time", async () => {
    for (const [no, name] of ["Vaso velho", "Vaso"].entries()) {
      const row = { Id: `950${no}`, ProductId: "500", ProductName: name, IsActive: true, IsProductActive: true };
      await data.write(`${exportsOf(STOREA, "products")}/${no}.json`, JSON.stringify([row]));
      await data.syncAt(`2025-03-0${no + 1}T09:00:00.000Z`);
    }
    expect(await listed(STOREA)).to.deep.equal([["500", "Vaso", null]]);
  });

  it("lists a product that it lacks under the name of its latest sale, as cohorts do [D30]", async () => {
    for (const [no, [name, more]] of (
      [
        ["Vaso velho", {}],
        ["Vaso", {}],
        ["Ainda não vendido", { status: "handling", invoicedDate: null }],
        ["Engano", { status: "canceled" }],
        ["Nenhuma unidade", { changesAttachment: { changesData: [{ itemsRemoved: [{ id: "9500", quantity: 1 }] }] } }],
      ] as const
    ).entries()) {
      const order = storeaOrder({ id: `o${no}`, value: 10, at: `2025-02-0${no + 1}T14:00:00.000Z` });
      const items = (order.items as object[]).map((item) => ({ ...item, name }));
      await data.write(`${exportsOf(STOREA, "orders")}/${no}.json`, JSON.stringify({ ...order, ...more, items }));
    }
    const body = await asked(data, "/v1/profitability/cohort?breakBy=produto");
    const rows = body.data as Record<string, unknown>[];
    expect(rows.map(({ breakKey, breakLabel }) => [breakKey, breakLabel])).to.deep.equal([["500", "Vaso"]]);
  });

  it("calls a category as its own store does, though another store has one with this id", async () => {
    for (const [no, store] of [STOREA, OTHER_STOREA].entries()) {
      const category = { Id: 7, Name: ["Casa", "Jardim"][no] };
      await data.write(`${exportsOf(store, "categories")}/c.json`, JSON.stringify([category]));
      const row = {
        Id: 9500,
        ProductId: 500,
        ProductName: "Vaso",
        CategoryId: 7,
        IsActive: true,
        IsProductActive: true,
      };
      await data.write(`${exportsOf(store, "products")}/p.json`, JSON.stringify([row]));
      const order = storeaOrder({ id: `o${no}`, value: 10 + no });
      await data.write(`${exportsOf(store, "orders")}/o.json`, JSON.stringify(order));
    }
    const body = await asked(data, "/v1/profitability/cohort?breakBy=categoria");
    const rows = body.data as Record<string, unknown>[];
    expect(rows.map((row) => [row.breakKey, row.breakLabel, row.totalRevenue])).to.have.deep.members([
      ["7", "Casa", 10],
      ["7", "Jardim", 11],
    ]);
  });

  it("sorts products without a name last, in either direction", async () => {
    for (const [ProductId, ProductName] of [["1", "Vaso"], ["2"], ["3", "Copo"]]) {
      const row = { Id: `9${ProductId}`, ProductId, ProductName, IsActive: true, IsProductActive: true };
      await data.write(`${exportsOf(STOREA, "products")}/${ProductId}.json`, JSON.stringify([row]));
    }
    await data.sync();
    const service = await openService(data.config, AURORA);
    const sorted = async (order: string): Promise<unknown[]> => {
      const { body } = await service.get(`/v1/products?integrationId=${STOREA}&sortBy=productName&sortOrder=${order}`);
      return (body.data as Record<string, unknown>[]).map(({ productId }) => productId);
    };
    const both = [await sorted("asc"), await sorted("desc")];
    await service.close();
    expect(both).to.deep.equal([
      ["3", "1", "2"],
      ["1", "3", "2"],
    ]);
  });

  it("counts the stock of a variant once if an export has it twice", async () => {
    const variant = { id: 41, product_id: 81, sku: "V", price: "10.00", inventory_item_id: 51 };
    await data.write(
      `${exportsOf(STOREB, "products")}/p.json`,
      JSON.stringify({ products: [{ id: 81, title: "Vaso", status: "active", variants: [variant, variant] }] }),
    );
    await data.write(
      `${exportsOf(STOREB, "inventory")}/i.json`,
      JSON.stringify({
        inventory_items: [{ id: 51, tracked: true, inventory_levels: [{ location_id: 1, available: 5 }] }],
      }),
    );
    expect(await listed(STOREB)).to.deep.equal([["gid://shopify/Product/81", "Vaso", 5]]);
  });

  it("has every product in the tree, even if categories are each other's parents", async () => {
    const category = (id: number, parent: number): object => ({ Id: id, Name: `c${id}`, FatherCategoryId: parent });
    const categories = [category(10, 4), category(4, 5), category(5, 10), category(6, 4), category(7, 7)];
    await data.write(`${exportsOf(STOREA, "categories")}/c.json`, JSON.stringify(categories));
    for (const CategoryId of [10, 5, 6, 7]) {
      const row = { Id: CategoryId, Name: `p${CategoryId}`, CategoryId, IsActive: true };
      await data.write(`${exportsOf(STOREA, "products")}/${CategoryId}.json`, JSON.stringify(row));
      const order = storeaOrder({ id: `o${CategoryId}`, value: CategoryId, productId: String(CategoryId) });
      await data.write(`${exportsOf(STOREA, "orders")}/${CategoryId}.json`, JSON.stringify(order));
    }
    const whole = `integrationId=${STOREA}&dateFrom=2025-02-01&dateTo=2025-02-28`;
    const body = await asked(data, `/v1/products/categories?${whole}`);
    const actual = (body.categories as Record<string, unknown>[]).map((row) => [
      row.categoryId,
      row.parentCategoryId,
      row.depth,
      row.netSales,
    ]);
    // 10 is the smallest of its loop, as text; 5 is in it, 4 in 5, 6 in 4.
    expect(actual).to.deep.equal([
      ["10", null, 0, 10 + 5 + 6],
      ["5", "10", 1, 5 + 6],
      ["4", "5", 2, 6],
      ["6", "4", 3, 6],
      ["7", null, 0, 7],
    ]);
  });
});
