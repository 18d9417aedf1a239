import { expect } from "chai";
import { Admin } from "./admin.ts";
import { Shop } from "./shop.ts";

describe("Pulling Shopify, with the waits between bulk operations", () => {
  let admin: Admin;
  let shop: Shop;

  beforeEach(async () => {
    admin = new Admin();
    shop = new Shop("storeb", { shop: "my-shop", apiVersion: "2025-10" }, (asked, url) => admin.answer(asked, url));
    await shop.open({ accessToken: "token-of-the-test" });
  });

  afterEach(() => shop.close());

  it("does not write a result with other lines than the operation counts", async () => {
    admin.lines = 3;
    const { complete, message } = await shop.pull("products");
    expect(complete).to.equal(false);
    expect(message).to.include("2 lines instead of 3");
    expect(await shop.objects("products")).to.deep.equal([]);
    expect(await shop.unfinished("products")).to.deep.equal([]);
  }).timeout(60_000);
});
