import { expect } from "chai";
import { catalogFolder, shownProducts } from "../support/catalog.ts";
import { AURORA, type DataFolder, exportsOf, STOREA, STOREB, storeaOrder, WEBANALYTICS } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";

describe("The catalog", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await catalogFolder();
    const row = { ProductId: "600", IsActive: true, IsProductActive: true };
    const products = [
      { Id: "9500", ProductId: "500", ProductName: "Prato", IsActive: true, IsProductActive: true },
      { ...row, Id: "9501", ProductName: "Vaso", DateUpdated: "2025-01-02T00:00:00Z" },
      { ...row, Id: "9502", ProductName: "Vaso velho", DateUpdated: "2025-01-01T00:00:00Z" },
      { ...row, Id: "9503", ProductName: "Vaso sem data" },
    ];
    await data.write(`${exportsOf(STOREA, "products")}/p.json`, JSON.stringify(products));
    await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify(storeaOrder({ id: "a", value: 10 })));
    await data.write(
      `${exportsOf(STOREB, "products")}/p.json`,
      JSON.stringify({
        products: [{ id: 81, title: "Vaso", status: "active", variants: [{ id: 41, product_id: 81 }] }],
      }),
    );
    const seen = { date: "2025-02-10", items_added_to_cart: 0, items_checked_out: 0, items_purchased: 0 };
    const items = ["81", "41", "gid://shopify/Product/81", "82"].map((item_id, n) => ({
      ...seen,
      item_id,
      items_viewed: 10 ** n,
    }));
    await data.write(
      `${exportsOf(WEBANALYTICS, "items")}/i.ndjson`,
      items.map((item) => JSON.stringify(item)).join("\n"),
    );
    for (const units of [9, 5]) {
      const balance = [{ warehouseId: "1", totalQuantity: units, reservedQuantity: 0 }];
      await data.write(
        `${exportsOf(STOREA, "inventory")}/read-${10 - units}.json`,
        JSON.stringify([{ skuId: "9500", balance }]),
      );
      await data.sync();
    }
    service = await openService(data.config, AURORA);
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  const listed = async (search: string): Promise<unknown[]> =>
    shownProducts((await service.get(`/v1/products?integrationId=${STOREA}&search=${search}`)).body);

  it("has the stock of the reading that landed last, though two landed at one instant [D47]", async () => {
    expect(await listed("prato")).to.deep.equal([["500", "Prato", 5]]);
  });

  it("calls a product as its most recently updated SKU does, before those without a time [D47]", async () => {
    expect(await listed("vaso")).to.deep.equal([["600", "Vaso", null]]);
  });

  it("recognizes a product of storeb that a site's tag names only by its number [D40]", async () => {
    const product = encodeURIComponent("gid://shopify/Product/81");
    const period = "dateFrom=2025-02-01&dateTo=2025-02-28";
    const { funnel } = (await service.get(`/v1/products/${product}?integrationId=${STOREB}&${period}`)).body;
    expect((funnel as { views: number }).views).to.equal(111);
  });
});
