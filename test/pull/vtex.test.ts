import { expect } from "chai";
import { type Answer, type Asked, Shop } from "./shop.ts";

interface Order {
  readonly orderId: string;
  readonly creationDate: string;
  status: string;
}

const NOT_FOUND = { status: 404, body: { Message: "not found" } };

/** The list of orders as its documentation has it: 100 a page, 30 pages, seconds only, and a count that is wrong. */
class Store {
  orders: Order[] = [];
  skus = new Map<string, unknown>();
  products = new Map<string, string[]>();

  answer({ path, query }: Asked): Answer {
    if (path === "/api/oms/pvt/orders") return this.#list(query);
    const [, id = ""] = /\/([^/]*)$/.exec(path) ?? [];
    if (path.startsWith("/api/oms/pvt/orders/")) return one(this.orders.find(({ orderId }) => orderId === id));
    if (path.endsWith("/stockkeepingunitids")) {
      const [page, size] = [Number(query.get("page")), Number(query.get("pagesize"))];
      return { body: [...this.skus.keys(), "gone"].slice((page - 1) * size, page * size) };
    }
    if (path.endsWith("/GetProductAndSkuIds"))
      return {
        body: { data: query.get("_from") === "1" ? Object.fromEntries(this.products) : {}, range: { total: 1 } },
      };
    if (path.startsWith("/api/catalog/pvt/product/")) return { body: { Id: id, Name: id, CategoryId: 1 } };
    if (path.includes("/stockkeepingunitbyid/"))
      return one(this.skus.get(path.split("/stockkeepingunitbyid/")[1] ?? ""));
    return NOT_FOUND;
  }

  #list(query: URLSearchParams): Answer {
    const page = Number(query.get("page"));
    const size = Math.min(Number(query.get("per_page")), 100);
    if (page > 30) return { status: 400, body: { error: { message: "Max page exceed the limit of 30" } } };
    const [, low = "0000", high = "9999"] = /\[(.*) TO (.*)\]/.exec(query.get("f_creationDate") ?? "") ?? [];
    const isAscending = query.get("orderBy") === "creationDate,asc";
    const found = this.orders
      .filter(({ creationDate }) => creationDate >= low && creationDate <= high)
      .sort((a, b) => (a.creationDate < b.creationDate === isAscending ? -1 : 1));
    const list = found.slice((page - 1) * size, page * size).map(({ orderId, creationDate, status }) => ({
      orderId,
      status,
      creationDate: `${creationDate.slice(0, 19)}+00:00`,
      items: null,
    }));
    return { body: { list, paging: { total: 1, pages: 1, currentPage: page, perPage: size } } };
  }
}

const one = (body: unknown): Answer => (body === undefined ? NOT_FOUND : { body });

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
    for (let n = 0; n < 130; n++) place(n, "2025-06-25T10:00:00.500Z");
    for (let n = 130; n < 190; n++) place(n, new Date(Date.parse("2025-06-26T00:00:00Z") + n * 1000).toISOString());
    const { complete, objects } = await shop.pull("orders");
    expect([complete, objects]).to.deep.equal([true, 190]);
    expect(new Set(await ids())).to.have.property("size", 190);
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
