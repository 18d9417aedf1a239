import { expect } from "chai";
import request from "supertest";
import { ROOT } from "../../src/core/contract/endpoint.ts";
import { metrics as FIGURES, products } from "../../src/core/endpoints/products.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import {
  askProducts,
  CATALOG,
  category,
  INVENTORY,
  manySales,
  OUTLET,
  PERIOD,
  productRows,
  type Row,
  SMALL,
  STORE,
  SYNCED,
  sku,
  stock,
  store,
  TREE,
} from "../support/stores.ts";

const METRICS = Object.keys(FIGURES);

describe("products", () => {
  let folder: DataFolder;
  let service: Service;
  let now = SYNCED;

  before(async () => {
    folder = await store(manySales(), { categories: TREE, products: CATALOG, inventory: INVENTORY });
    // Tests ask the same at several times: what was answered at one is no answer at another.
    service = await openService({ ...folder.config, cacheBytes: 0 }, AURORA, { now: () => new Date(now) });
  });

  afterEach(() => {
    now = SYNCED;
  });

  after(async () => {
    service?.close();
    await folder?.remove();
  });

  const ask = (path: string, query = PERIOD) => askProducts(service, path, query);
  const rows = (query: string, from: "" | "/categories" = "") => productRows(service, query, from);
  const wrong = async (path: string, query: string): Promise<string[]> => {
    const { status, body } = await ask(path, query);
    expect(status, JSON.stringify(body)).to.equal(400);
    return (body.details as { parameter: string }[]).map(({ parameter }) => parameter).sort();
  };

  describe("listing", () => {
    it("has the catalog and the products sold in the period, the latter under their latest sale's name [D36]", async () => {
      const all = await rows("pageSize=100");
      expect(all.map(({ productId }) => productId)).to.have.members([
        ...new Set(CATALOG.map((s) => (s as { ProductId: string }).ProductId)),
        "p10",
      ]);
      const lacking = all.find(({ productId }) => productId === "p10");
      const latest = manySales()
        .filter(({ of, invoiced }) => invoiced && of.some(({ product }) => product === "p10"))
        .map(({ on }) => on)
        .sort()
        .at(-1);
      expect(lacking).to.include({
        status: "inactive",
        updatedAt: null,
        categoryId: "uncategorized",
        productName: `p10 of ${latest}`,
      });
      const before = await ask("", "dateFrom=2024-06-01&dateTo=2024-06-02&pageSize=100");
      expect((before.body.data as Row[]).map(({ productId }) => productId)).to.not.include("p10");
    });

    it("gives the number of products and pages, also past the end", async () => {
      const { body } = await ask("", `${PERIOD}&page=99&pageSize=4`);
      expect(body.data).to.deep.equal([]);
      expect(body.pagination).to.deep.equal({ page: 99, pageSize: 4, total: 11, totalPages: 3 });
      expect((await ask("", `${PERIOD}&page=x&pageSize=0`)).body.pagination).to.include({ page: 1, pageSize: 1 });
      expect((await ask("", `${PERIOD}&search=nada`)).body.pagination).to.include({ total: 0, totalPages: 0 });
    });

    it("searches the name as text, in any case", async () => {
      const names = async (search: string): Promise<unknown[]> =>
        (await rows(`search=${encodeURIComponent(search)}`)).map(({ productName }) => productName);
      expect(await names("CANE")).to.deep.equal(["Caneca", "Caneca"]);
      expect(await names("álb")).to.deep.equal(["Álbum"]);
      expect(await names("%")).to.deep.equal(["Camisa 100%"]);
      expect(await names("_")).to.deep.equal([]);
    });

    it("includes everything below a category, however it is sent", async () => {
      const ids = async (query: string): Promise<unknown[]> =>
        (await rows(`${query}&pageSize=100`)).map(({ productId }) => productId).sort();
      expect(await ids("categoryIds=11")).to.deep.equal(["p00", "p01", "p08"]);
      expect(await ids("categoryIds=1")).to.deep.equal(["p00", "p01", "p02", "p03", "p08"]);
      expect(await ids("categoryIds=111,,12, 12&categoryIds=21&categoryId=3")).to.deep.equal([
        "p00",
        "p02",
        "p04",
        "p05",
        "p09",
      ]);
      expect(await ids("categoryIds=uncategorized")).to.deep.equal(["p07", "p10"]);
      expect(await ids("categoryIds=%20,")).to.have.length(11);
      expect(await ids("categoryIds=nothing")).to.deep.equal([]);
    });

    it("separates active products from inactive ones", async () => {
      const ids = async (status: string): Promise<unknown[]> =>
        (await rows(`status=${status}&pageSize=100`)).map(({ productId }) => productId);
      expect(await ids("inactive")).to.have.members(["p05", "p10"]);
      expect(await ids("active")).to.have.length(9);
    });

    it("has the requested columns, sorted and filtered by any", async () => {
      const { body } = await ask("", `${PERIOD}&columns=returnRate,netSales&sortBy=netUnits&minMarginTotal=0`);
      expect(body.selectedColumns).to.deep.equal(["netSales", "returnRate"]);
      expect(body.availableColumns).to.deep.equal(METRICS);
      for (const row of [...(body.data as Row[]), ...(body.categories as Row[])]) {
        expect(METRICS.filter((metric) => metric in row)).to.deep.equal(["netSales", "returnRate"]);
        expect(row).to.include.keys("integrationId", "coverage", "ndReasons", "cohortState", "inventoryState", "asOf");
      }
    });

    it("leaves the categories out on request", async () => {
      expect((await ask("", `${PERIOD}&includeCategories=false`)).body).to.not.have.property("categories");
      expect((await ask("", `${PERIOD}&includeCategories=true`)).body).to.have.property("categories");
    });

    it("has the declared keys", async () => {
      for (const { path, parts: all } of products) {
        const { [ROOT]: head, ...parts } = all;
        if (path.includes(":")) continue;
        const { body } = await (path.endsWith("integrations")
          ? service.get(path)
          : ask(path.slice("/v1/products".length)));
        for (const key of Object.keys(head?.fields ?? {})) expect(body, path).to.have.property(key);
        for (const [name, part] of Object.entries(parts)) {
          const [first] = [(body as Row)[name]].flat() as Row[];
          expect(Object.keys(first ?? {}), `${path} ${name}`).to.have.members(Object.keys(part.fields));
        }
      }
    });
  });

  describe("categories", () => {
    it("are the listing's, for every selection", async () => {
      for (const query of [
        "",
        "&search=can",
        "&status=active",
        "&minMarginAverage=0.5",
        "&categoryIds=1",
        "&columns=netSales",
      ]) {
        const listed = (await ask("", `${PERIOD}${query}`)).body;
        const { body } = await ask("/categories", `${PERIOD}${query}`);
        const { categories, period, asOf, selectedColumns, availableColumns } = listed;
        expect(body, query).to.deep.equal({ period, asOf, selectedColumns, availableColumns, categories });
      }
    });

    it("are depth first by name, with the ancestors of a selected product, uncategorized last [D38]", async () => {
      const shape = (await rows("", "/categories")).map((row) => [row.categoryId, row.parentCategoryId, row.depth]);
      expect(shape).to.deep.equal([
        ["1", null, 0],
        ["12", "1", 1],
        ["11", "1", 1],
        ["111", "11", 2],
        ["2", null, 0],
        ["21", "2", 1],
        ["3", null, 0],
        ["uncategorized", null, 0],
      ]);
      expect((await rows("search=panela", "/categories")).map(({ categoryId }) => categoryId)).to.deep.equal([
        "1",
        "11",
        "111",
      ]);
    });

    it("add up sales and units, and count an order and a customer once", async () => {
      const all = await rows("", "/categories");
      const listed = await rows("pageSize=100");
      const of = (id: string): Row => all.find(({ categoryId }) => categoryId === id) ?? {};
      const own = (id: string): Row[] => listed.filter(({ categoryId }) => categoryId === id);
      const sum = (part: readonly Row[], metric: string): number =>
        part.reduce((total, row) => total + Number(row[metric]), 0);
      for (const [department, below] of [
        ["1", ["11", "12"]],
        ["11", ["111"]],
        ["2", ["21"]],
      ] as const) {
        const parts = [...below.map(of), ...own(department)];
        for (const metric of ["grossSales", "netSales", "grossUnits", "netUnits"]) {
          expect(of(department)[metric], `${department} ${metric}`).to.be.closeTo(sum(parts, metric), 0.001);
        }
        const orders = (row: Row): number => Math.round(Number(row.netSales) / Number(row.averageTicket));
        const ofParts = parts.reduce((total, row) => total + orders(row), 0);
        expect(orders(of(department))).to.be.at.most(ofParts);
        for (const metric of ["entryCustomers", "newCustomers", "recurringCustomers", "matureEntryCustomers"]) {
          expect(of(department)[metric]).to.be.at.most(sum(parts, metric));
        }
      }
      // Baskets hold several products: the total must count some order and some customer less often than the parts do.
      expect(Number(of("1").entryCustomers)).to.be.lessThan(sum([of("11"), of("12"), ...own("1")], "entryCustomers"));
      expect(
        sum(
          all.filter(({ depth }) => depth === 0),
          "netSales",
        ),
      ).to.be.closeTo(sum(listed, "netSales"), 0.001);
    });

    it("only add up the products inside every range", async () => {
      const inside = await rows("pageSize=100&minNetSales=1500&maxMarginAverage=0.95");
      const all = await rows("minNetSales=1500&maxMarginAverage=0.95", "/categories");
      const sum = (part: readonly Row[]): number => part.reduce((total, { netSales }) => total + Number(netSales), 0);
      expect(inside).to.not.be.empty;
      expect(sum(all.filter(({ depth }) => depth === 0))).to.be.closeTo(sum(inside), 0.001);
    });
  });

  describe("series", () => {
    for (const granularity of ["day", "week"]) {
      it(`by ${granularity} adds up to the listing, for every product`, async () => {
        for (const row of await rows("pageSize=100")) {
          const { status, body } = await ask(`/${row.productId}/series`, `${PERIOD}&granularity=${granularity}`);
          expect(status).to.equal(200);
          const points = body.data as Row[];
          const sum = (name: string): number => points.reduce((total, point) => total + Number(point[name]), 0);
          expect(sum("netSales")).to.be.closeTo(Number(row.netSales), 0.001);
          expect(sum("netUnits")).to.equal(row.netUnits);
          const reasons = points.map(({ marginNdReason }) => marginNdReason);
          if (row.cogs === null) expect(reasons.some((reason) => reason !== null)).to.equal(true);
          else expect(sum("cogs")).to.be.closeTo(Number(row.cogs), 0.001);
          expect(body.state).to.equal(row.grossUnits === 0 ? "no_base" : "ready");
        }
      });
    }

    it("has every bucket of both periods, aligned, the last week shorter", async () => {
      const { body } = await ask("/p01/series", "dateFrom=2025-06-01&dateTo=2025-06-17&granularity=week");
      const spans = (points: unknown): unknown[] => (points as Row[]).map(({ index, from, to }) => [index, from, to]);
      expect(spans(body.data)).to.deep.equal([
        [0, "2025-06-01", "2025-06-07"],
        [1, "2025-06-08", "2025-06-14"],
        [2, "2025-06-15", "2025-06-17"],
      ]);
      const previous = body.previous as Row;
      expect(previous.window).to.deep.equal({ from: "2025-05-15", to: "2025-05-31" });
      expect(spans(previous.data)).to.deep.equal([
        [0, "2025-05-15", "2025-05-21"],
        [1, "2025-05-22", "2025-05-28"],
        [2, "2025-05-29", "2025-05-31"],
      ]);
      expect(body).to.include({ bucketDays: 7, granularity: "week", productId: "p01", integrationId: STORE });
      const before = await ask("/p01/series", "dateFrom=2025-05-15&dateTo=2025-05-31&granularity=week");
      expect(previous.data).to.deep.equal(before.body.data);
    });

    it("of a period without sales has zeros [D39]", async () => {
      const { body } = await ask("/p09/series", "dateFrom=2025-06-28&dateTo=2025-06-29");
      expect(body).to.include({ state: "no_base", reason: "no_period_sales" });
      expect((body.data as Row[])[1]).to.deep.equal({
        index: 1,
        from: "2025-06-29",
        to: "2025-06-29",
        netSales: 0,
        netUnits: 0,
        orders: 0,
        cogs: 0,
        marginTotal: 0,
        marginNdReason: null,
      });
    });

    it("accepts products that the catalog lacks, and no unknown ones", async () => {
      expect((await ask("/p10/series")).status).to.equal(200);
      expect((await ask("/p11/series")).status).to.equal(404);
      const { status } = await service.get(`/v1/products/p01/series?integrationId=${OUTLET}`);
      expect(status).to.equal(404);
    });
  });

  it("cover the last 30 days without dates; if one date is sent the other has its default", async () => {
    const period = async (query: string): Promise<unknown> => (await ask("", query)).body.period;
    expect(await period("")).to.deep.equal({ from: "2025-06-01", to: "2025-06-30" });
    expect(await period("dateTo=2025-03-31")).to.deep.equal({ from: "2025-03-02", to: "2025-03-31" });
    expect(await period("dateFrom=2025-03-31")).to.deep.equal({ from: "2025-03-31", to: "2025-06-30" });
  });

  it("are refused for a store that the organization does not have", async () => {
    for (const path of ["", "/categories", "/p01/series"]) {
      const { status } = await service.get(`/v1/products${path}?integrationId=${AURORA}`);
      expect(status, path).to.equal(404);
    }
  });

  it("name every wrong parameter at once", async () => {
    expect(await wrong("", "status=gone&sortBy=cogs&foo=1&today=2025-01-01")).to.deep.equal([
      "foo",
      "sortBy",
      "status",
      "today",
    ]);
    expect(await wrong("", "columns=orders,netSales&includeCategories=maybe&minNetSales=1e999")).to.deep.equal([
      "columns",
      "includeCategories",
      "minNetSales",
    ]);
    expect(await wrong("", "minNetSales=2&maxNetSales=1.5&minMarginTotal=abc")).to.deep.equal([
      "maxNetSales",
      "minMarginTotal",
      "minNetSales",
    ]);
    expect(await wrong("", `search=${"x".repeat(121)}`)).to.deep.equal(["search"]);
    expect(await wrong("/categories", "page=1&sortBy=netSales&includeCategories=true&pageSize=1")).to.deep.equal([
      "includeCategories",
      "page",
      "pageSize",
      "sortBy",
    ]);
    expect(await wrong("/p%20x/series", "granularity=month")).to.deep.equal(["granularity", "productId"]);
    expect(await wrong(`/${"x".repeat(257)}/series`, "")).to.deep.equal(["productId"]);
    const { status, body } = await service.get("/v1/products?integrationId=loja");
    expect([status, body.details]).to.deep.equal([400, [{ parameter: "integrationId", message: "Deve ser um UUID." }]]);
  });

  it("accept 50 categories, including categoryId, and no more", async () => {
    const ids = Array.from({ length: 50 }, (_, n) => `k${n}`).join(",");
    expect((await ask("", `categoryIds=${ids}&categoryId=k7&categoryIds=k8`)).status).to.equal(200);
    expect(await wrong("", `categoryIds=${ids}&categoryId=other`)).to.deep.equal(["categoryIds"]);
    expect(await wrong("", `categoryIds=${"k".repeat(51)}`)).to.deep.equal(["categoryIds"]);
    expect(await wrong("", `categoryId=${"k".repeat(51)}`)).to.deep.equal(["categoryId"]);
  });

  it("accept a period of at most 365 days, not in the future", async () => {
    expect((await ask("", "dateFrom=2024-07-01")).status).to.equal(200);
    expect(await wrong("", "dateFrom=2024-06-30")).to.deep.equal(["dateFrom"]);
    expect(await wrong("", "dateTo=2025-07-01")).to.deep.equal(["dateTo"]);
    expect(await wrong("", "dateFrom=2025-02-02&dateTo=2025-02-01")).to.deep.equal(["dateFrom", "dateTo"]);
    expect(await wrong("/p01/series", "dateFrom=2025-02-30")).to.deep.equal(["dateFrom"]);
  });

  it("say that categoryId is deprecated", async () => {
    const header = async (query: string): Promise<string | undefined> => {
      const address = `/v1/products?organizationId=${AURORA}&integrationId=${STORE}&${query}`;
      const answer = await request(service.app).get(address).set("x-client-id", "test").set("x-client-secret", "x");
      return answer.headers.deprecation;
    };
    expect(await header("categoryId=1")).to.match(/^@\d+$/);
    expect(await header("categoryIds=1")).to.equal(undefined);
  });

  it("list the stores, in the settings' order [D37]", async () => {
    const { body } = await service.get("/v1/products/integrations");
    const [first, second] = body.data as Row[];
    expect(first).to.include({ sourceIntegrationId: STORE, connector: "storea", currency: "BRL", products: 10 });
    expect(second).to.deep.equal({
      sourceIntegrationId: OUTLET,
      integrationName: "Outlet",
      connector: "storeb",
      currency: "BRL",
      lastSyncAt: null,
      products: 0,
      firstSaleDate: null,
      lastSaleDate: null,
    });
  });

  it("become stale when the last sync is more than 24 hours ago", async () => {
    for (const [later, state, freshness] of [
      ["2025-07-01T12:00:00.000Z", "ready", "fresh"],
      ["2025-07-01T12:00:00.001Z", "stale", "stale"],
    ] as const) {
      now = later;
      const { body } = await ask("/p01/series");
      expect([body.state, body.reason]).to.deep.equal([state, state === "stale" ? "stale_source" : null]);
      expect((body.data as Row[]).length).to.equal(181);
      const listed = await ask("", `${PERIOD}&search=panela`);
      expect((listed.body.data as Row[])[0]).to.include({ inventoryFreshness: freshness });
    }
  });
});

describe("product metrics", () => {
  let folder: DataFolder;
  let service: Service;
  const product = async (id: string, query = "dateFrom=2025-01-01&dateTo=2025-06-30"): Promise<Row> => {
    const { body } = await service.get(`/v1/products?integrationId=${STORE}&${query}&includeCategories=false`);
    return (body.data as Row[]).find(({ productId }) => productId === id) ?? {};
  };

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

  it("subtract returns on the day of the returned order [D33]", async () => {
    // 3 units sold, 1 came back: 150 − 50; two orders. A unit without cost leaves no margin.
    expect(await product("mug")).to.include({
      grossSales: 150,
      netSales: 100,
      grossUnits: 3,
      netUnits: 2,
      averageTicket: 50,
      returnRate: 0.3333,
    });
    expect(await product("mug")).to.include({ cogs: null, marginTotal: null, marginAverage: null });
    expect(await product("mug", "dateFrom=2025-01-01&dateTo=2025-01-01")).to.include({
      netSales: 50,
      cogs: 20,
      marginTotal: 30,
      marginAverage: 0.6,
    });
    expect((await product("mug")).ndReasons).to.include({
      margin: "incomplete_cost",
      averageMargin: "incomplete_cost",
    });
    expect((await product("mug")).coverage).to.include({ grossValue: 1, cost: 0.6667 });
  });

  it("have neither sales nor margin of units without a sale value", async () => {
    const cup = await product("cup");
    expect(cup).to.include({ grossSales: null, netSales: null, averageTicket: null, cogs: null, grossUnits: 1 });
    expect(cup.ndReasons).to.include({
      averageTicket: "no_sales_base",
      margin: "incomplete_gross_value",
      averageMargin: "incomplete_gross_value",
    });
  });

  it("follow entry customers for 180 days, and to date [D34]", async () => {
    // Ana: 50 + 30 (a1, kept units) + 30 on day 179; 30 more to date. Bia: 50, and a cup without a sale value.
    const mug = await product("mug");
    expect(mug).to.include({
      newCustomers: 2,
      recurringCustomers: 0,
      entryCustomers: 2,
      matureEntryCustomers: 1,
      cohortState: "partial",
    });
    expect(mug).to.include({
      ltv180: 110,
      repurchaseRate180: 1,
      ltvToDate: 95,
      repurchaseRateToDate: 0.5,
      cohortElapsedDaysAverage: 179.5,
    });
    expect(mug.coverage).to.include({ matureCohort: 0.5 });
    // Bia's cup is in her first purchase too: one of two orders at the same instant.
    const cup = await product("cup");
    expect(cup).to.include({ entryCustomers: 1, ltv180: null, repurchaseRateToDate: 0, cohortState: "maturing" });
    expect(cup.ndReasons).to.include({ ltv180: "maturing", repurchaseRate180: "maturing" });
    const jar = await product("jar", "dateFrom=2025-06-01&dateTo=2025-06-30");
    expect(jar).to.include({
      newCustomers: 0,
      recurringCustomers: 1,
      entryCustomers: 0,
      cohortState: "no_base",
      ltvToDate: null,
    });
    expect(jar.ndReasons).to.include({ ltv180: "no_base", repurchaseRate180: "no_base" });
  });

  it("divide the stock by 30 complete days, whatever the period", async () => {
    // 2 on the first and 1, that came back, on the last of them.
    const tin = await product("tin", "dateFrom=2025-03-01&dateTo=2025-03-02");
    expect(tin).to.include({
      availableStock: 6,
      velocity30d: 0.1,
      daysOfStock: 60,
      inventoryState: "monitored",
      inventoryUpdatedAt: SYNCED,
    });
    expect(tin.coverage).to.include({ inventory: 0.5, grossValue: 0, cost: 0 });
    expect(tin).to.include({ grossSales: 0, cogs: 0, marginTotal: 0, marginAverage: null, returnRate: null });
    expect(tin.ndReasons).to.deep.equal({
      averageTicket: "no_sales_base",
      margin: null,
      averageMargin: "no_net_sales",
      daysOfStock: null,
      ltv180: "no_base",
      repurchaseRate180: "no_base",
      returnRate: "no_sales_base",
    });
    expect(await product("cup")).to.include({ availableStock: null, inventoryState: "unlimited", daysOfStock: null });
    expect((await product("cup")).ndReasons).to.include({ daysOfStock: "unlimited" });
    expect(await product("hat")).to.include({
      inventoryState: "unknown",
      inventoryFreshness: "missing",
      inventoryUpdatedAt: null,
    });
    expect((await product("hat")).ndReasons).to.include({ daysOfStock: "no_inventory" });
  });
});
