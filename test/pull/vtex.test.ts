import { expect } from "chai";
import { type Asked, Shop } from "./shop.ts";
import { type Order, Store } from "./store.ts";

describe("Pulling VTEX", () => {
  let store: Store;
  let shop: Shop;

  beforeEach(async () => {
    store = new Store();
    shop = new Shop("storea", { account: "mystore" }, (asked) => store.answer(asked));
    await shop.open({ appKey: "key-of-the-test", appToken: "token-of-the-test" });
  });

  afterEach(() => shop.close());

  const place = (n: number, creationDate: string, status = "invoiced"): Order => {
    const order = { orderId: `${n}-01`, creationDate, status };
    store.orders.push(order);
    return order;
  };
  const ids = async (): Promise<string[]> => (await shop.objects<Order>("orders")).map(({ orderId }) => orderId);
  const read = (): string[] => shop.asked.map(({ path }) => path.split("/orders/")[1] ?? "").filter(Boolean);

  it("reads every order once, whatever the counts, and more of one second than a page holds", async () => {
    for (let n = 0; n < 105; n++) place(n, "2025-06-25T10:00:00.500Z");
    for (let n = 105; n < 115; n++) place(n, new Date(Date.parse("2025-06-26T00:00:00Z") + n * 1000).toISOString());
    const { complete, objects } = await shop.pull("orders");
    expect([complete, objects]).to.deep.equal([true, 115]);
    expect(new Set(await ids())).to.have.property("size", 115);
  });

  it("reads the last 60 days again, and older orders as long as they are open", async () => {
    place(1, "2025-01-10T10:00:00.000Z");
    const open = place(2, "2025-01-11T10:00:00.000Z", "handling");
    const young = place(3, "2025-06-20T10:00:00.000Z", "handling");
    await shop.pull("orders");
    expect(await ids()).to.have.members(["1-01", "2-01", "3-01"]);
    open.status = "canceled";
    young.status = "invoiced";
    shop.now = "2025-07-01T12:00:00Z";
    expect((await shop.pull("orders")).complete).to.equal(true);
    expect(read()).to.have.members(["2-01", "3-01"]);
    await shop.pull("orders");
    expect(read()).to.have.members(["3-01"]);
    const states = (await shop.objects<Order>("orders")).map(({ orderId, status }) => `${orderId} ${status}`);
    expect(states, "what was read once stays").to.have.members([
      "1-01 invoiced",
      "2-01 handling",
      "2-01 canceled",
      "3-01 handling",
      "3-01 invoiced",
    ]);
  });

  it("reads SKUs with odd ids and products without SKUs, and leaves out what no longer exists", async () => {
    store.skus.set("kit/a+b@2", { Id: "kit/a+b@2", ProductId: "7" });
    store.products.set("7", ["kit/a+b@2"]).set("8", []);
    const { complete } = await shop.pull("products");
    expect(complete).to.equal(true);
    const found = (await shop.objects<{ Id: string }>("products")).map(({ Id }) => Id);
    expect(found).to.have.members(["kit/a+b@2", "8"]);
  });

  it("sends the key and the token", async () => {
    await shop.pull("orders");
    const { headers } = shop.asked[0] as Asked;
    expect([headers["x-vtex-api-appkey"], headers["x-vtex-api-apptoken"]]).to.deep.equal([
      "key-of-the-test",
      "token-of-the-test",
    ]);
  });
});
