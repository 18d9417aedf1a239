import { expect } from "chai";
import request from "supertest";
import { metrics as FIGURES, products } from "../src/endpoints/products.ts";
import { failed } from "../src/sync/sync.ts";
import { AURORA, DataFolder, exportsOf, oneStore, STOREA, seeded, storeaOrder, withData } from "./support/data.ts";
import { asked, openService, type Service } from "./support/service.ts";

const STORE = "a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01";
const OUTLET = "b2e8d1ef-1c6f-4a4b-9d22-3fa05b7c8e02";
const SYNCED = "2025-06-30T12:00:00.000Z";
const PERIOD = "dateFrom=2025-01-01&dateTo=2025-06-30";
const METRICS = Object.keys(FIGURES);

interface Line {
  readonly product: string;
  readonly units?: number;
  /** Of one unit, in cents; null: the export has neither price nor total. */
  readonly price?: number | null;
  readonly cost?: number | null;
}

interface Sale {
  readonly id: string;
  readonly on: string;
  readonly by?: string;
  readonly of: readonly Line[];
  /** Units of the first line that came back. */
  readonly returned?: number;
  readonly invoiced?: boolean;
}

function exported({ id, on, by, of, returned = 0, invoiced = true }: Sale): object {
  const at = `${on}T14:00:00.000Z`;
  const value = of.reduce((sum, { units = 1, price }) => sum + units * (price ?? 0), 0);
  return {
    orderId: id,
    status: "invoiced",
    value,
    creationDate: at,
    lastChange: at,
    authorizedDate: at,
    invoicedDate: invoiced ? at : null,
    totals: [{ id: "Items", value }],
    clientProfileData: by ? { email: `${by}@example.com`, userProfileId: by } : {},
    storePreferencesData: { currencyCode: "BRL" },
    items: of.map(({ product, units = 1, price = 1000, cost = null }, n) => ({
      uniqueId: `${id}-${n}`,
      id: `${product}-1`,
      productId: product,
      name: `${product} of ${on}`,
      imageUrl: `https://img.example.com/${product}.jpg`,
      quantity: units,
      price,
      sellingPrice: price,
      costPrice: cost,
    })),
    packageAttachment: {
      packages:
        returned > 0 ? [{ type: "Input", issuanceDate: at, items: [{ itemIndex: 0, quantity: returned }] }] : [],
    },
  };
}

const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join("\n");

const category = (id: number, name: string, children: readonly object[] = []): object => ({ id, name, children });
const TREE = [
  category(2, "Moda", [category(21, "Camisetas")]),
  category(1, "Casa", [category(11, "Cozinha", [category(111, "Panelas")]), category(12, "Banho")]),
  category(3, "Vazia"),
];

/** A product in the catalog, with one SKU or two. */
const sku = (product: string, name: string, path: string, active = true, n = 1): object => ({
  Id: `${product}-${n}`,
  ProductId: product,
  ProductName: name,
  IsActive: true,
  IsProductActive: active,
  ProductCategoryIds: path,
});

const stock = (id: string, total: number, reserved = 0, unlimited = false): object => ({
  skuId: id,
  balance: [{ warehouseId: "w", totalQuantity: total, reservedQuantity: reserved, hasUnlimitedQuantity: unlimited }],
});

async function store(
  sales: readonly Sale[],
  exports: Readonly<Record<string, readonly object[]>>,
  now = SYNCED,
): Promise<DataFolder> {
  const folder = await DataFolder.empty({ LUCRA_NOW: now });
  await folder.settings({
    organizationId: AURORA,
    name: "Loja inventada",
    currency: "BRL",
    integrations: [
      { id: STORE, connector: "storea", name: "Loja" },
      { id: OUTLET, connector: "storeb", name: "Outlet" },
    ],
  });
  await folder.write(`${exportsOf(STORE, "orders")}/orders.ndjson`, lines(sales.map(exported)));
  for (const [record, rows] of Object.entries(exports)) {
    await folder.write(`${exportsOf(STORE, record)}/rows.json`, JSON.stringify(rows));
  }
  expect(failed(await folder.sync())).to.equal(false);
  return folder;
}

const CATALOG = [
  sku("p00", "panela", "/1/11/111/"),
  sku("p00", "panela", "/1/11/111/", true, 2),
  sku("p01", "Caneca", "/1/11/"),
  sku("p02", "Toalha", "/1/12/"),
  sku("p03", "Álbum", "/1/"),
  sku("p04", "Camiseta", "/2/21/"),
  sku("p05", "Camisa 100%", "/2/21/", false),
  sku("p06", "Saia", "/2/"),
  sku("p07", "Relógio", "/99/"),
  sku("p08", "Caneca", "/1/11/"),
  sku("p09", "Nunca vendido", "/3/"),
];

const INVENTORY = [
  stock("p00-1", 10, 2),
  stock("p00-2", 5),
  stock("p01-1", 1, 4),
  stock("p02-1", 1000000, 0, true),
  stock("p04-1", 20),
  stock("p06-1", 0),
];

/** A year of sales, the same each time: baskets of several products, returns, unknown costs and sale values. */
function manySales(): Sale[] {
  const random = seeded(20250630);
  const below = (n: number): number => Math.floor(random() * n);
  return Array.from({ length: 400 }, (_, n) => {
    const day = new Date(Date.parse("2024-07-01") + below(365) * 86_400_000).toISOString().slice(0, 10);
    const of = Array.from({ length: 1 + below(3) }, (): Line => {
      const product = below(11);
      return {
        product: `p${String(product < 9 ? product : 10).padStart(2, "0")}`,
        units: 1 + below(3),
        price: product === 6 && below(3) === 0 ? null : 500 + below(9000),
        cost: product % 3 === 0 && below(4) === 0 ? null : 100 + below(400),
      };
    });
    const by = below(8) === 0 ? undefined : `c${below(90)}`;
    return {
      id: `o${n}`,
      on: day,
      ...(by ? { by } : {}),
      of,
      returned: below(5) === 0 ? 1 : 0,
      invoiced: below(20) !== 0,
    };
  });
}

type Row = Readonly<Record<string, unknown>>;

const sorting = products.find(({ path }) => path === "/v1/products")?.params.sortBy;
const orderings = sorting?.kind === "choice" ? sorting.of : [];

describe("products", () => {
  let folder: DataFolder;
  let service: Service;

  before(async () => {
    folder = await store(manySales(), { categories: TREE, products: CATALOG, inventory: INVENTORY });
    service = await openService(folder.config, AURORA);
  });

  after(async () => {
    service?.close();
    await folder?.remove();
  });

  const ask = async (path: string, query = PERIOD): Promise<{ status: number; body: Row }> => {
    const { status, body } = await service.get(`/v1/products${path}?integrationId=${STORE}&${query}`);
    return { status, body };
  };
  const rows = async (query: string, from = ""): Promise<Row[]> => {
    const { status, body } = await ask(from, `${PERIOD}&${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return (from ? body.categories : body.data) as Row[];
  };
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

    for (const sortBy of orderings) {
      it(`by ${sortBy}: pages make up the whole, with each product once and N/D last`, async () => {
        for (const sortOrder of ["asc", "desc"]) {
          const sorting = `sortBy=${sortBy}&sortOrder=${sortOrder}&includeCategories=false`;
          const whole = await rows(`${sorting}&pageSize=100`);
          const pages = await Promise.all([1, 2, 3].map((page) => rows(`${sorting}&pageSize=4&page=${page}`)));
          expect(pages.flat()).to.deep.equal(whole);
          const keys = whole.map(({ productId }) => productId);
          expect(new Set(keys).size).to.equal(keys.length);
          const values = whole.map((row) =>
            sortBy === "productName" ? String(row[sortBy]).toLowerCase() : row[sortBy],
          );
          const known = values.filter((value) => value !== null) as (string | number)[];
          expect(values.slice(known.length).every((value) => value === null)).to.equal(true);
          for (let n = 1; n < whole.length; n++) {
            const [before, after] = [values[n - 1], values[n]] as (string | number | null)[];
            if (before === after) expect(String(keys[n - 1]) < String(keys[n]), `tie at ${n}`).to.equal(true);
            else if (before != null && after != null)
              expect(before < after, `order at ${n}`).to.equal(sortOrder === "asc");
          }
        }
      });
    }

    it("gives the number of products and pages, also past the end", async () => {
      const { body } = await ask("", `${PERIOD}&page=99&pageSize=4`);
      expect(body.data).to.deep.equal([]);
      expect(body.pagination).to.deep.equal({ page: 99, pageSize: 4, total: 11, totalPages: 3 });
      expect((await ask("", `${PERIOD}&page=x&pageSize=0`)).body.pagination).to.include({ page: 1, pageSize: 1 });
      expect((await ask("", `${PERIOD}&search=nada`)).body.pagination).to.include({ total: 0, totalPages: 0 });
    });

    it("matches ranges on the values shown, bounds included, and never matches N/D", async () => {
      const whole = await rows("pageSize=100");
      for (const metric of ["netSales", "marginTotal", "marginAverage", "availableStock"]) {
        const name = `${metric[0]?.toUpperCase()}${metric.slice(1)}`;
        const values = whole.map((row) => row[metric]).filter((value) => value !== null) as number[];
        expect(values.length, metric).to.be.greaterThan(1);
        for (const bound of new Set([...values, 0])) {
          for (const [parameter, fits] of [
            [`min${name}`, (value: number) => value >= bound],
            [`max${name}`, (value: number) => value <= bound],
          ] as const) {
            const found = await rows(`pageSize=100&includeCategories=false&${parameter}=${bound}`);
            expect(found.map((row) => row[metric])).to.have.members(values.filter(fits));
          }
        }
      }
      expect(whole.some(({ marginTotal }) => marginTotal === null)).to.equal(true);
      expect(whole.some(({ availableStock }) => availableStock === null)).to.equal(true);
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
      for (const { path, parts, head } of products) {
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
    for (const [now, state, freshness] of [
      ["2025-07-01T12:00:00.000Z", "ready", "fresh"],
      ["2025-07-01T12:00:00.001Z", "stale", "stale"],
    ]) {
      const later = await DataFolder.copyOf(folder, { LUCRA_NOW: String(now) });
      const other = await openService(later.config, AURORA);
      try {
        const { body } = await other.get(`/v1/products/p01/series?integrationId=${STORE}&${PERIOD}`);
        expect([body.state, body.reason]).to.deep.equal([state, state === "stale" ? "stale_source" : null]);
        expect((body.data as Row[]).length).to.equal(181);
        const listed = await other.get(`/v1/products?integrationId=${STORE}&${PERIOD}&search=panela`);
        expect((listed.body.data as Row[])[0]).to.include({ inventoryFreshness: freshness });
      } finally {
        other.close();
        await later.remove();
      }
    }
  });
});

it("give a product without a name the status and category of its own row, not its SKUs'", async () => {
  const folder = await store([{ id: "o1", on: "2025-06-01", of: [{ product: "jar" }] }], {
    categories: TREE,
    products: [
      { Id: "vase", Name: null, IsActive: true, IsVisible: true, CategoryId: 11, DepartmentId: 1 },
      { Id: "vase-1", ProductId: "vase", Name: "Azul", IsActive: false },
    ],
  });
  const service = await openService(folder.config, AURORA);
  try {
    const { body } = await service.get(`/v1/products?integrationId=${STORE}&${PERIOD}&status=active`);
    expect((body.data as Row[])[0]).to.include({ productName: null, status: "active", categoryId: "11" });
  } finally {
    await service.close();
    await folder.remove();
  }
});

it("make no second category of a product type whose slug is a taxonomy category's, or means none [D38]", async () => {
  const folder = await store([{ id: "o1", on: "2025-06-01", of: [{ product: "jar" }] }], {});
  const of = (id: string, productType: string, category: object | null): object => ({
    id: `gid://shopify/Product/${id}`,
    title: `Produto ${id}`,
    status: "ACTIVE",
    productType,
    category,
  });
  const clothing = {
    id: "gid://shopify/TaxonomyCategory/aa-1",
    name: "Clothing",
    fullName: "Apparel & Accessories > Clothing",
  };
  await folder.write(
    `${exportsOf(OUTLET, "products")}/products.jsonl`,
    lines([of("1", "AA", null), of("2", "", clothing), of("3", "Uncategorized", null), of("4", "!!!", null)]),
  );
  expect(failed(await folder.sync())).to.equal(false);
  const service = await openService(folder.config, AURORA);
  try {
    const { body } = await service.get(
      `/v1/products?integrationId=${OUTLET}&${PERIOD}&sortBy=productName&sortOrder=asc`,
    );
    const rows = (body.data as Row[]).map(({ productName, categoryId, categoryName }) => [
      productName,
      categoryId,
      categoryName,
    ]);
    expect(rows).to.deep.equal([
      ["Produto 1", "aa", "Apparel & Accessories"],
      ["Produto 2", "aa-1", "Clothing"],
      ["Produto 3", "uncategorized", null],
      ["Produto 4", "uncategorized", null],
    ]);
    const all = await service.get(`/v1/products/categories?integrationId=${OUTLET}&${PERIOD}`);
    const actual = (all.body.categories as Row[]).map(({ categoryId, depth }) => [categoryId, depth]);
    expect(actual).to.deep.equal([
      ["aa", 0],
      ["aa-1", 1],
      ["uncategorized", 0],
    ]);
  } finally {
    service.close();
    await folder.remove();
  }
});

/** As-of day: 2025-06-30. Ana enters on 2025-01-01, exactly 180 days before it; Bia a day later. */
const SMALL: readonly Sale[] = [
  {
    id: "a1",
    on: "2025-01-01",
    by: "ana",
    of: [
      { product: "mug", units: 2, price: 5000, cost: 2000 },
      { product: "jar", price: 3000, cost: 1000 },
    ],
    returned: 1,
  },
  // Day 179 is the last of the 180.
  { id: "a2", on: "2025-06-29", by: "ana", of: [{ product: "jar", price: 3000, cost: 1000 }] },
  { id: "a3", on: "2025-06-30", by: "ana", of: [{ product: "jar", price: 3000, cost: 1000 }] },
  { id: "b1", on: "2025-01-02", by: "bia", of: [{ product: "mug", price: 5000, cost: null }] },
  // The same instant: no repurchase.
  { id: "b2", on: "2025-01-02", by: "bia", of: [{ product: "cup", price: null, cost: 10 }] },
  // Sold before the 30 complete days, on their first, on their last; the buyers are unknown.
  { id: "x1", on: "2025-05-30", of: [{ product: "tin", units: 7, price: 100, cost: 50 }] },
  { id: "x2", on: "2025-05-31", of: [{ product: "tin", units: 2, price: 100, cost: 50 }] },
  { id: "x3", on: "2025-06-29", of: [{ product: "tin", units: 1, price: 100, cost: 50 }], returned: 1 },
];

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

  it("count a customer's purchases before the 181st day, the day of the first purchase being the first [D34]", () =>
    withData(oneStore(), async (data) => {
      const bought = [
        { id: "a1", at: "2024-08-01T12:00:00.000Z", email: "ana@example.com", value: 50 },
        { id: "a2", at: "2025-01-28T12:00:00.000Z", email: "ana@example.com", value: 30 },
        { id: "b1", at: "2024-08-01T12:00:00.000Z", email: "bia@example.com", value: 10 },
        { id: "b2", at: "2025-01-27T12:00:00.000Z", email: "bia@example.com", value: 20 },
      ];
      await data.write(`${exportsOf(STOREA, "orders")}/o.json`, JSON.stringify(bought.map(storeaOrder)));
      const body = await asked(data, `/v1/products?integrationId=${STOREA}&dateFrom=2024-08-01&dateTo=2024-08-31`);
      const [row] = body.data as Record<string, unknown>[];
      // (50 + 10 + 20) / 2, and Bia of both; to date all 110.
      expect(row).to.include({ ltv180: 40, repurchaseRate180: 0.5, ltvToDate: 55, repurchaseRateToDate: 1 });
    }));

  it("count no complete day on the as-of day itself [D34]", () =>
    withData(oneStore(), async (data) => {
      const order = storeaOrder({ id: "c1", at: "2025-04-01T09:00:00.000Z", value: 10 });
      await data.write(`${exportsOf(STOREA, "orders")}/o.json`, JSON.stringify([order]));
      const body = await asked(data, `/v1/products?integrationId=${STOREA}&dateFrom=2025-03-01&dateTo=2025-04-01`);
      expect((body.data as object[])[0]).to.include({ entryCustomers: 1, cohortElapsedDaysAverage: 0 });
    }));

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
