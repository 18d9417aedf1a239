import type { Answer, Asked } from "./shop.ts";

export interface Order {
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
/** The lines of a bulk operation. */
export const RESULT: readonly object[] = [
  { id: "gid://shopify/Product/1", title: "Shirt", updatedAt: "2025-06-01T00:00:00Z" },
  { id: "gid://shopify/ProductVariant/11", sku: "S", __parentId: "gid://shopify/Product/1" },
];

/** Orders by REST with cursors that suffer no filters; bulk operations one at a time. */
export class Admin {
  orders: Order[] = [];
  /** How the next operations end. */
  outcomes: Status[] = [];
  operations: { id: string; query: string; status: Status }[] = [];
  throttles = 0;
  whilePaging: (() => void) | undefined;
  result = RESULT;
  /** How many lines the operations count; by default as many as they have. */
  lines: number | undefined;

  answer({ path, query, body }: Asked, url: string): Answer {
    if (path.endsWith("/orders.json")) return this.#list(query, url);
    if (path.startsWith("/bulk/")) return { body: this.result.map((line) => JSON.stringify(line)).join("\n") };
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
      objectCount: String(this.lines ?? this.result.length),
      rootObjectCount: String(this.result.filter((line) => !("__parentId" in line)).length),
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
