import { expect } from "chai";
import { type Answer, type Asked, Shop } from "./shop.ts";

interface Order {
  readonly id: number;
  readonly created_at: string;
  updated_at: string;
}

type Status = "RUNNING" | "COMPLETED" | "FAILED";

const THROTTLED = {
  errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }],
  extensions: {
    cost: {
      requestedQueryCost: 10,
      throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 0, restoreRate: 100 },
    },
  },
};
const RESULT = [
  { id: "gid://shopify/Product/1", title: "Shirt", updatedAt: "2025-06-01T00:00:00Z" },
  { id: "gid://shopify/ProductVariant/11", sku: "S", __parentId: "gid://shopify/Product/1" },
];

/** Orders by REST with cursors that suffer no filters; bulk operations one at a time. */
class Admin {
  orders: Order[] = [];
  /** How the next operations end. */
  outcomes: Status[] = [];
  operations: { id: string; query: string; status: Status }[] = [];
  throttles = 0;
  whilePaging: (() => void) | undefined;
  lines = 2;

  answer({ path, query, body }: Asked, url: string): Answer {
    if (path.endsWith("/orders.json")) return this.#list(query, url);
    if (path.startsWith("/bulk/")) return { body: RESULT.map((line) => JSON.stringify(line)).join("\n") };
    if (this.throttles-- > 0) return { body: THROTTLED };
    return { body: { data: this.#data(JSON.parse(body), url) } };
  }

  #list(query: URLSearchParams, url: string): Answer {
    const cursor = query.get("page_info");
    const given = [...query.keys()].filter((key) => key !== "limit" && key !== "page_info");
    if (cursor && given.length > 0) return { status: 400, body: { errors: { [given[0] ?? ""]: "cannot be passed" } } };
    const from = query.get("updated_at_min");
    const behind = cursor ?? "";
    const keyOf = ({ id, updated_at }: Order): string => `${updated_at} ${String(id).padStart(9, "0")}`;
    const all = this.orders
      .filter((order) => (!from || Date.parse(order.updated_at) >= Date.parse(from)) && keyOf(order) > behind)
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const orders = all.slice(0, Number(query.get("limit"))).map((order) => ({ ...order }));
    const last = orders.at(-1);
    const link = `<${url}/admin/api/2025-10/orders.json?limit=250&page_info=${encodeURIComponent(last ? keyOf(last) : "")}>; rel="next"`;
    this.whilePaging?.();
    this.whilePaging = undefined;
    return { body: { orders }, headers: orders.length < all.length ? { link } : {} };
  }

  #data({ query, variables }: { query: string; variables?: { query?: string; id?: string } }, url: string): unknown {
    const running = this.operations.find(({ status }) => status === "RUNNING");
    const shown = (operation: Admin["operations"][number]): object => ({
      ...operation,
      errorCode: operation.status === "FAILED" ? "INTERNAL_SERVER_ERROR" : null,
      createdAt: "2025-06-30T11:00:00Z",
      objectCount: String(this.lines),
      rootObjectCount: "1",
      url: operation.status === "COMPLETED" ? `${url}/bulk/${operation.id.at(-1)}` : null,
      partialDataUrl: operation.status === "FAILED" ? `${url}/bulk/partial` : null,
    });
    if (query.includes("bulkOperationRunQuery")) {
      if (running) {
        const message = "A bulk query operation for this app and shop is already in progress.";
        return { bulkOperationRunQuery: { bulkOperation: null, userErrors: [{ field: null, message }] } };
      }
      const id = `gid://shopify/BulkOperation/${this.operations.length + 1}`;
      this.operations.push({ id, query: variables?.query ?? "", status: "RUNNING" });
      return { bulkOperationRunQuery: { bulkOperation: shown(this.operations.at(-1) as never), userErrors: [] } };
    }
    if (query.includes("currentBulkOperation")) return { currentBulkOperation: shown(running as never) };
    const found = this.operations.find(({ id }) => id === variables?.id);
    if (found?.status === "RUNNING") found.status = this.outcomes.shift() ?? "COMPLETED";
    return { node: found ? shown(found) : null };
  }
}

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

  it("does not write a result with other lines than the operation counts", async () => {
    admin.lines = 3;
    const { complete, message } = await shop.pull("products");
    expect(complete).to.equal(false);
    expect(message).to.include("2 lines instead of 3");
    expect(await shop.objects("products")).to.deep.equal([]);
  }).timeout(60_000);
});
