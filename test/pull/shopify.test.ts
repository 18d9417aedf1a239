import { expect } from "chai";
import { Admin, type Order, RESULT } from "./admin.ts";
import { type Asked, Shop } from "./shop.ts";

describe("Pulling Shopify", () => {
  let admin: Admin;
  let shop: Shop;

  beforeEach(async () => {
    admin = new Admin();
    shop = new Shop("storeb", { shop: "my-shop", apiVersion: "2025-10" }, (asked, url) => admin.answer(asked, url));
    await shop.open({ accessToken: "token-of-the-test" });
  });

  afterEach(() => shop.close());

  const newest = async (): Promise<Map<number, string>> =>
    new Map(
      (await shop.objects<Order>("orders"))
        .sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1))
        .map(({ id, updated_at }) => [id, updated_at]),
    );

  it("reads orders in the order of their change, so that none is passed over that changes meanwhile", async () => {
    for (let id = 1; id <= 600; id++)
      admin.orders.push({
        id,
        created_at: "2025-02-01T00:00:00Z",
        updated_at: `2025-03-01T00:${String(id % 60).padStart(2, "0")}:00Z`,
      });
    const early = admin.orders.find(({ id }) => id === 60) as Order;
    admin.whilePaging = () => {
      early.updated_at = "2025-06-01T00:00:00Z";
    };
    const { complete } = await shop.pull("orders");
    expect(complete).to.equal(true);
    const orders = await newest();
    expect([orders.size, orders.get(60)]).to.deep.equal([600, "2025-06-01T00:00:00Z"]);
    expect(shop.asked[0]?.query.get("status")).to.equal("any");
  });

  it("then asks from the day before the newest change on, which may be older than the last pull", async () => {
    admin.orders.push({ id: 1, created_at: "2025-02-01T00:00:00Z", updated_at: "2025-05-10T12:00:00Z" });
    await shop.pull("orders");
    admin.orders.push({ id: 2, created_at: "2025-05-11T00:00:00Z", updated_at: "2025-05-11T12:00:00Z" });
    shop.now = "2025-07-01T12:00:00Z";
    await shop.pull("orders");
    expect([...(await newest()).keys()]).to.have.members([1, 2]);
    expect(shop.asked[0]?.query.get("updated_at_min")).to.equal("2025-05-09T03:00:00.000Z");
  });

  it("says that older orders are hidden if none is older than 60 days", async () => {
    admin.orders.push({ id: 1, created_at: "2025-06-20T00:00:00Z", updated_at: "2025-06-20T00:00:00Z" });
    expect((await shop.pull("orders")).message).to.include("read_all_orders");
  });

  it("runs a failed bulk operation again, and leaves its partial result", async () => {
    admin.outcomes = ["FAILED", "COMPLETED"];
    admin.throttles = 1;
    const { complete, objects } = await shop.pull("products");
    expect([complete, objects]).to.deep.equal([true, 1]);
    expect(await shop.objects("products")).to.deep.equal(RESULT);
    expect(shop.asked.some(({ path }) => path.endsWith("/partial"))).to.equal(false);
    const download = shop.asked.find(({ path }) => path.startsWith("/bulk/")) as Asked;
    expect(download.headers).not.to.have.property("x-shopify-access-token");
  }).timeout(20_000);

  it("waits for an operation of another program, and takes over one that a killed pull has left", async () => {
    admin.operations.push({ id: "gid://shopify/BulkOperation/1", query: "{ customers }", status: "RUNNING" });
    expect((await shop.pull("inventory")).complete).to.equal(true);
    expect(admin.operations).to.have.lengthOf(2);
    const left = admin.operations[1] as Admin["operations"][number];
    left.status = "RUNNING";
    expect((await shop.pull("inventory")).complete).to.equal(true);
    expect(admin.operations).to.have.lengthOf(2);
  }).timeout(20_000);
});
