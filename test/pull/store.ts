import type { Answer, Asked } from "./shop.ts";

export interface Order {
  readonly orderId: string;
  readonly creationDate: string;
  status: string;
}

const NOT_FOUND = { status: 404, body: { Message: "not found" } };

/** The list of orders as its documentation has it: 100 a page, 30 pages, seconds only, and a count that is wrong. */
export class Store {
  orders: Order[] = [];
  skus = new Map<string, unknown>();
  stocks = new Map<string, unknown>();
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
    if (path.includes("/inventory/skus/")) return one(this.stocks.get(id));
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
